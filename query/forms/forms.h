/* forms.h -- what was found out about a puzzle, and its forms: JSON for programs, SVG, and the words of answers
 *
 * The room: findings.c and paths.c ask a solver, by include/pdb.h alone; json.c, look.c and svg/ write what it said,
 * words.c has what is said in pictures and at a terminal alike; drawing.h and palette.h know what stands for a symbol.
 * answer.c has all of it behind one call, pdb_answer, which is a part of libpdb; pdb-query, which writes for people
 * too, uses the parts.
 */
#ifndef QUERY_FORMS_FORMS_H
#define QUERY_FORMS_FORMS_H

#include "drawing.h"
#include "pdb.h"

#include <stdio.h>

/* -- findings.c -- */

enum form { FORM_TEXT, FORM_JSON, FORM_SVG };

/* What is asked, and who answers. */
struct asked {
    const pdb_puzzle *puzzle;
    const pdb_solver *solver; /* NULL where there is no database, and what is known of the puzzle alone will do */
    bool searches;            /* boards are searched one by one: not all distances are known */
    bool path, count;         /* about a board: one whole solution; how many there are */
    bool bounds;              /* and the lower bounds of a search */
    bool bounds_only;         /* nothing else, and the distance would have to be searched for: it is left out */
    bool first;               /* with `count`: how many begin with each move */
    uint64_t paths;           /* so many whole solutions; UINT64_MAX: all; 0: no list of them */
    unsigned hint;            /* 1: how far, 2: which piece, 3: the move; 0: all of it */
    enum form form;
    struct drawing drawing;
};

/* What was found out about one board: everything that was asked for. */
struct finding {
    pdb_board board;
    pdb_solution solution; /* with the moves or the path, as far as they are asked for */
    /* how many solutions there are: if asked for, or by finding_count_soon; "" where that is not known */
    char count[PDB_COUNT_MAX];
    /* if asked for: how many of them begin with each of solution.moves, "0" where it is not a best one; else NULL */
    char (*first)[PDB_COUNT_MAX];
    const pdb_grade *grade; /* in a set, else NULL */
    pdb_bounds bounds;      /* if asked for */
    bool unsolved;          /* the distance was not looked for, and no bound tells it: solution has none */
    bool unmoved;           /* the moves were not all looked into, as that was interrupted */
};

void finding_free(struct finding *finding);

/* Takes a solver in, which may be NULL, when all else is said but how it is drawn. */
void asked_begin(struct asked *asked, const pdb_puzzle *puzzle, const pdb_solver *solver);

/* What the solver says; without one, what is known of the puzzle alone. */
void asked_info(const struct asked *asked, pdb_info *info);

/* "db" or "search". */
const char *method_name(const struct asked *asked);

/* The mean of the distances, where all are known. */
double mean_distance(const pdb_info *info);

/* The least distance within which half of all states lie, where all are known. */
uint32_t median_distance(const pdb_info *info);

/* Reads a board and makes sure that the solver, if there is one, knows about it. Errors: PDB_BAD_BOARD. */
pdb_status board_read(const struct asked *asked, const char *text, pdb_board *board, pdb_error *error);

/* Finds out what is asked for about `finding->board`; what was there before is replaced. */
pdb_status finding_solve(const struct asked *asked, struct finding *finding, pdb_error *error);
/* The same in two steps: first the distance, and a solution if one is asked for, then all else, which may take much
 * longer where boards are searched. What was found before an interruption stays in *finding. */
pdb_status finding_begin(const struct asked *asked, struct finding *finding, pdb_error *error);
pdb_status finding_end(const struct asked *asked, struct finding *finding, pdb_error *error);
/* The same where the distance, and maybe the count, is known already, as with many boards at once. */
pdb_status finding_complete(const struct asked *asked, struct finding *finding, pdb_error *error);
/* Counts solutions, unless that is done or takes long, where the order of moves does not matter. */
pdb_status finding_count_soon(const struct asked *asked, struct finding *finding, pdb_error *error);

/* A best move; NULL where there is none. */
const pdb_move *finding_best(const struct finding *finding);

/* Its path as it is typed, and the scramble that makes the board of the goal (pdb_path_format); NULL for one that there
 * is not. The caller frees both, whatever the status. Errors: PDB_NO_MEMORY. */
pdb_status finding_typed(const struct asked *asked, const struct finding *finding, char *typed[2], pdb_error *error);

/* Asks a puzzle without moves; the caller frees *reply, whatever the status. */
pdb_status question_ask(const struct asked *asked, const char *question, pdb_reply *reply, pdb_error *error);

/* The hardest boards, or items as texts: at most so many. The caller frees them, whatever the status is. */
struct hardest {
    pdb_board *board; /* NULL for a puzzle without moves */
    char **item;      /* NULL for one with */
    size_t count;
};
pdb_status hardest_find(const struct asked *asked, uint64_t most, struct hardest *hardest, pdb_error *error);
void hardest_free(struct hardest *hardest);

/* -- paths.c: lists of solutions, asked->paths of them -- */

/* Visits as many solutions as are wanted, and gives up where `out` takes no more. Errors: those of pdb_solver_paths. */
pdb_status paths_visit(const struct asked *asked, const struct finding *finding, FILE *out, pdb_path_visitor *visit,
                       void *context, pdb_error *error);

/* Each is a finding of its own, with its path: for pictures, of which one page takes PATHS_DRAWN_MAX. The caller frees
 * each and *findings, whatever the status is. Errors: PDB_BAD_USAGE (more), those of pdb_solver_paths. */
enum { PATHS_DRAWN_MAX = 1000 };
pdb_status paths_collect(const struct asked *asked, const struct finding *finding, struct finding **findings,
                         size_t *count, pdb_error *error);

/* -- words.c -- */

enum { TEXT_LENGTH_MAX = 24, TEXT_DISTANCE_MAX = 128, TEXT_HEADING_MAX = 256 };
/* "20 moves"; "a cost of 20" where moves have costs; returns text */
const char *text_length(const struct asked *asked, uint32_t distance, char text[TEXT_LENGTH_MAX]);

/* How far the board is: "20 moves from the goal"; returns text */
const char *text_distance(const struct asked *asked, const struct finding *finding, char text[TEXT_DISTANCE_MAX]);
/* "goat: 7 boards at distance 52, the farthest from the goal"; returns text */
const char *text_hardest_heading(const struct asked *asked, size_t count, char text[TEXT_HEADING_MAX]);
/* captions for every step of a solution, and for numbered boards; there is room for as many pictures */
void caption_steps(const struct asked *asked, const struct finding *finding, struct captioned *pictures);
void caption_boards(const struct asked *asked, const pdb_board *boards, size_t count, struct captioned *pictures);

/* -- json.c: each writes one object and a newline; errors: PDB_NO_MEMORY -- */

pdb_status json_finding(const struct asked *asked, const struct finding *finding, FILE *out, pdb_error *error);
pdb_status json_hint(const struct asked *asked, const struct finding *finding, FILE *out, pdb_error *error);
pdb_status json_complaint(const struct asked *asked, const char *line, const char *message, FILE *out,
                          pdb_error *error);
/* a board or an item */
pdb_status json_random(const struct asked *asked, const char *text, uint32_t distance, FILE *out, pdb_error *error);
pdb_status json_hardest(const struct asked *asked, const struct hardest *hardest, FILE *out, pdb_error *error);
pdb_status json_histogram(const struct asked *asked, FILE *out, pdb_error *error);
pdb_status json_info(const struct asked *asked, FILE *out, pdb_error *error);
pdb_status json_reply(const struct asked *asked, const char *question, const pdb_reply *reply, FILE *out,
                      pdb_error *error);

/* -- look.c: the same, of what a page takes to draw boards and to play -- */

/* what a puzzle is, in a few words; and how its boards are drawn, and how far they are from the goal */
pdb_status json_summary(const struct asked *asked, FILE *out, pdb_error *error);
pdb_status json_puzzle(const struct asked *asked, FILE *out, pdb_error *error);
/* a board and its legal moves, by the rules alone */
pdb_status json_moves(const struct asked *asked, const pdb_board *board, FILE *out, pdb_error *error);

/* -- svg/answer.c, svg/chart.c: each writes one SVG document; errors: PDB_NO_MEMORY -- */

pdb_status svg_findings(const struct asked *asked, const struct finding *findings, size_t count, FILE *out,
                        pdb_error *error);
pdb_status svg_hardest(const struct asked *asked, const pdb_board *boards, size_t count, FILE *out, pdb_error *error);
/* a board alone, under the puzzle's name */
pdb_status svg_board(const struct asked *asked, const pdb_board *board, FILE *out, pdb_error *error);
void svg_histogram(const struct asked *asked, FILE *out);

#endif
