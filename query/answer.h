/* answer.h -- the answers of pdb-query, as text for people, as JSON for programs and as SVG
 *
 * The room: main.c reads options and opens a solver; boards.c, questions.c and stream.c find out what was asked, by
 * include/pdb.h alone; text.c, json.c and svg/ write it. draw.h draws boards in a terminal, palette.h chooses colours,
 * play/ is the game. puzzle.c and solver*.c are behind pdb.h: they are libpdb, and the only ones here that see lib and
 * db. No file here knows a family.
 */
#ifndef QUERY_ANSWER_H
#define QUERY_ANSWER_H

#include "common/arguments.h"
#include "draw.h"
#include "progress.h"

/* -- options.c: what the user typed -- */

/* The question; all but ASK_BOARDS are about the puzzle as a whole. */
enum question { ASK_BOARDS, ASK_HINT, ASK_HARDEST, ASK_HISTOGRAM, ASK_RANDOM, ASK_INFO, ASK_PLAY };

enum progress_wish { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF }; /* on a terminal; always; never */

enum colour_wish { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER }; /* on a terminal; always; never */

struct options {
    enum question question;
    bool path, count;  /* with ASK_BOARDS: one whole solution; how many there are */
    unsigned hint;     /* 1: how far, 2: which piece, 3: the move */
    uint64_t hardest;  /* at most so many boards */
    uint32_t distance; /* of the random board; PDB_NO_DISTANCE for any */
    bool seeded;
    uint64_t seed;
    bool json, svg, ascii;
    enum colour_wish colour;
    enum progress_wish progress;
    pdb_options solver;
    const char *puzzle;
    int boards; /* boards on the command line; none means start */
    char **board;
};

/* Reads the command line. */
enum arguments_outcome query_options_read(int argc, char **argv, struct options *options, pdb_error *error);

/* -- boards.c -- */

/* All that is known while questions are answered. */
struct session {
    const struct options *options;
    const pdb_puzzle *puzzle;
    const pdb_solver *solver; /* NULL with --info where there is no database */
    bool searches;            /* boards are searched one by one: not all distances are known */
    unsigned threads;         /* that share the lines of standard input */
    struct drawing drawing;
    struct query_progress *progress; /* its line is taken away before an answer is written */
};

/* What was found out about one board: everything that was asked for. */
struct finding {
    pdb_board board;
    pdb_solution solution; /* with the moves or the path, as far as they are asked for */
    /* how many solutions there are: with --count, or by finding_count_soon; "" where that is not known */
    char count[PDB_COUNT_MAX];
};

/* Reads a board and makes sure that the solver knows about it. Errors: PDB_BAD_BOARD. */
pdb_status board_read(const struct session *session, const char *text, pdb_board *board, pdb_error *error);

/* Finds out what is asked for about `finding->board`; what was there before is replaced. */
pdb_status finding_solve(const struct session *session, struct finding *finding, pdb_error *error);
/* The same where the distance is known already, as with many boards at once. */
pdb_status finding_complete(const struct session *session, struct finding *finding, pdb_error *error);
/* Counts solutions, unless that is done or takes long, where the order of moves does not matter. */
pdb_status finding_count_soon(const struct session *session, struct finding *finding, pdb_error *error);

/* A best move; NULL where there is none. */
const pdb_move *finding_best(const struct finding *finding);

/* What the solver says; without one, what is known of the puzzle alone. */
void session_info(const struct session *session, pdb_info *info);

/* "db" or "search". */
const char *method_name(const struct session *session);

/* The mean of the distances, where all are known. */
double mean_distance(const pdb_info *info);

/* The least distance within which half of all states lie, where all are known. */
uint32_t median_distance(const pdb_info *info);

/* -- text.c -- */

enum { TEXT_DISTANCE_MAX = 128, TEXT_HEADING_MAX = 256 };
/* How far the board is: "20 moves from the goal"; returns text */
const char *text_distance(const struct session *session, const struct finding *finding, char text[TEXT_DISTANCE_MAX]);
void text_finding(const struct session *session, const struct finding *finding, FILE *out);
/* one line a board, for many */
void text_line(const struct session *session, const struct finding *finding, FILE *out);
/* one of many lines that is no board, or no question, and why */
void text_complaint(const char *line, const char *message, FILE *out);
void text_hint(const struct session *session, const struct finding *finding, FILE *out);
/* the board drawn, and `text`, it as it is written */
void text_random(const struct session *session, const struct finding *finding, const char *text, FILE *out);
/* captions for every step of a solution, and for numbered boards; there is room for as many pictures */
void caption_steps(const struct session *session, const struct finding *finding, struct captioned *pictures);
void caption_boards(const pdb_board *boards, size_t count, struct captioned *pictures);
/* "goat: 7 boards at distance 52, the farthest from the goal"; returns text */
const char *text_hardest_heading(const struct session *session, size_t count, char text[TEXT_HEADING_MAX]);
void text_hardest(const struct session *session, const pdb_board *boards, size_t count, FILE *out);
void text_histogram(const struct session *session, FILE *out);
void text_info(const struct session *session, FILE *out);

/* -- svg/answer.c: each writes one SVG document; errors: PDB_NO_MEMORY -- */

pdb_status svg_findings(const struct session *session, const struct finding *findings, size_t count, FILE *out,
                        pdb_error *error);
pdb_status svg_hardest(const struct session *session, const pdb_board *boards, size_t count, FILE *out,
                       pdb_error *error);

/* -- svg/chart.c -- */

void svg_histogram(const struct session *session, FILE *out);

/* -- json.c: each writes one object and a newline; errors: PDB_NO_MEMORY -- */

pdb_status json_finding(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error);
pdb_status json_hint(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error);
pdb_status json_complaint(const struct session *session, const char *line, const char *message, FILE *out,
                          pdb_error *error);
/* a board or an item */
pdb_status json_random(const struct session *session, const char *text, uint32_t distance, FILE *out, pdb_error *error);
/* boards or items; the others are NULL */
pdb_status json_hardest(const struct session *session, const pdb_board *boards, char *const *items, size_t count,
                        FILE *out, pdb_error *error);
pdb_status json_histogram(const struct session *session, FILE *out, pdb_error *error);
pdb_status json_info(const struct session *session, FILE *out, pdb_error *error);

pdb_status json_reply(const struct session *session, const char *question, const pdb_reply *reply, FILE *out,
                      pdb_error *error);

/* -- boards.c -- */

/* The boards of the command line, *count of them; the start where there are none. The caller frees them, whatever the
 * status is. Errors: those of board_read, PDB_NO_MEMORY. */
pdb_status boards_read(const struct session *session, pdb_board **boards, int *count, pdb_error *error);
/* Answers about them; *worst is PDB_UNREACHABLE if the goal cannot be reached from one of them. */
pdb_status boards_answer(const struct session *session, pdb_status *worst, pdb_error *error);
/* The hardest boards; with --path or --count as if all of them had been asked about. */
pdb_status boards_hardest(const struct session *session, pdb_status *worst, pdb_error *error);
pdb_status boards_random(const struct session *session, uint64_t seed, pdb_error *error);

/* -- questions.c: the same of a puzzle without moves -- */

/* Answers the questions of the command line; *worst is PDB_UNREACHABLE if one of them has no answer. Errors:
 * PDB_BAD_BOARD, and PDB_BAD_USAGE where there should be a question. */
pdb_status questions_answer(const struct session *session, pdb_status *worst, pdb_error *error);
/* Answers one of many questions, on one line; blanks around it are cut off. */
pdb_status question_line(const struct session *session, char *question, FILE *out, pdb_status *worst, pdb_error *error);
pdb_status items_hardest(const struct session *session, pdb_status *worst, pdb_error *error);
pdb_status items_random(const struct session *session, uint64_t seed, pdb_error *error);

/* -- stream.c -- */

/* Answers every line of standard input that is not blank, in order, as soon as there is nothing more to read at once.
 * For a line that is no board the answer says why, and standard error its number too; *worst is then PDB_BAD_BOARD,
 * else PDB_UNREACHABLE if a board was, else PDB_OK. */
pdb_status stream_answer(const struct session *session, pdb_status *worst, pdb_error *error);

#endif
