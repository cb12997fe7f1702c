/* answer.h -- the answers of pdb-query, as text for people, as JSON for programs and as SVG
 *
 * The room: main.c reads options and opens a solver; boards.c, sets/, questions.c and stream*.c find out what was
 * asked, by include/pdb.h and forms/, which has JSON and SVG too; text.c writes it for people. draw.h draws boards in a
 * terminal, play/ is the game. libpdb/ is behind pdb.h, and alone sees searches, the store and more of lib than its
 * plain headers; with forms/ it is the public library. No file here knows a family.
 */
#ifndef QUERY_ANSWER_H
#define QUERY_ANSWER_H

#include "common/arguments.h"
#include "draw.h"
#include "progress.h"
#include "query/forms/forms.h"
#include "query/sets/sheet.h"

/* -- options.c: what the user typed -- */

/* The question; all but ASK_BOARDS are about the puzzle as a whole. */
enum question { ASK_BOARDS, ASK_HINT, ASK_HARDEST, ASK_HISTOGRAM, ASK_RANDOM, ASK_INFO, ASK_PLAY };

enum unique_wish { UNIQUE_NOT, UNIQUE_ALL, UNIQUE_FIRST }; /* any; one solution; one best first move */

enum colour_wish { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER }; /* on a terminal; always; never */

struct options {
    enum question question;
    bool path, count;  /* with ASK_BOARDS: one whole solution; how many there are */
    uint64_t paths;    /* so many whole solutions; UINT64_MAX: all; 0: no list of them */
    bool bounds;       /* the lower bounds of a search */
    bool first;        /* with count: how many begin with each move */
    unsigned hint;     /* 1: how far, 2: which piece, 3: the move */
    uint64_t hardest;  /* at most so many boards */
    uint32_t distance; /* of the random board; PDB_NO_DISTANCE for any */
    uint32_t farthest; /* of a set of them: the greatest distance */
    /* a set of boards is asked for: so many, with so few solutions, with these cells (NULL: any), none like another,
     * and as many of each distance */
    bool set, distinct, spread;
    uint64_t number; /* 0: none is said */
    enum unique_wish unique;
    const char *fixed;
    struct sheet_wish sheet;
    bool paged; /* its paper or its boards a page are said */
    bool seeded;
    uint64_t seed;
    bool json, svg, ascii, numbers;
    enum colour_wish colour;
    enum progress_wish progress;
    pdb_options solver;
    const char *puzzle;
    const char *from; /* the file whose lines are taken for boards; NULL for none */
    int boards;       /* boards on the command line; none means start */
    char **board;
};

/* Reads the command line. */
enum arguments_outcome query_options_read(int argc, char **argv, struct options *options, pdb_error *error);

/* -- boards.c -- */

/* All that is known while questions are answered. */
struct session {
    const struct options *options;
    struct asked asked;
    unsigned threads;                /* that share the lines of standard input */
    struct query_progress *progress; /* its line is taken away before an answer is written */
};

/* -- main.c -- */

/* Opens the solver that the question needs. Where the database alone has facts (--info), *solver is NULL without one;
 * where bounds are all that is asked for, no space is solved in their stead; where boards are drawn that may do without
 * a distance, *solver is NULL if there is none soon. Errors: those of pdb_solver_open. */
pdb_status session_open(const struct options *options, const pdb_puzzle *puzzle, const pdb_options *how,
                        pdb_solver **solver, pdb_error *error);
/* What is asked of a solver, and how it is shown. */
void session_ask(const struct options *options, const pdb_puzzle *puzzle, const pdb_solver *solver,
                 struct asked *asked);

/* -- text.c -- */

/* an answer about a board, in two parts: what finding_begin found, how far it is, and the board; and the rest */
void text_found(const struct session *session, const struct finding *finding, FILE *out);
pdb_status text_rest(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error);
/* one line a board, for many; with a list of solutions, a line for each of them */
pdb_status text_line(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error);
/* one of many lines that is no board, or no question, and why */
void text_complaint(const char *line, const char *message, FILE *out);
void text_hint(const struct session *session, const struct finding *finding, FILE *out);
/* the board drawn, and `text`, it as it is written */
void text_random(const struct session *session, const struct finding *finding, const char *text, FILE *out);
void text_hardest(const struct session *session, const pdb_board *boards, size_t count, FILE *out);
void text_histogram(const struct session *session, FILE *out);
void text_info(const struct session *session, FILE *out);

/* -- text_bounds.c -- */

void text_bounds(const struct session *session, const pdb_bounds *bounds, FILE *out);

/* -- boards.c -- */

/* The boards of the command line, *count of them; the start where there are none. The caller frees them, whatever the
 * status is. Errors: those of board_read, PDB_NO_MEMORY. */
pdb_status boards_read(const struct session *session, pdb_board **boards, int *count, pdb_error *error);
/* Are boards drawn, and is nothing asked about them? Then distances stand above them that are known or found soon. */
bool boards_drawn_alone(const struct options *options);
/* Answers about them; *worst is PDB_UNREACHABLE if the goal cannot be reached from one of them. */
pdb_status boards_answer(const struct session *session, pdb_status *worst, pdb_error *error);
/* The same about boards that have been read. */
pdb_status boards_answer_all(const struct session *session, const pdb_board *boards, size_t count, pdb_status *worst,
                             pdb_error *error);
/* The hardest boards; with --path or --count as if all of them had been asked about. */
pdb_status boards_hardest(const struct session *session, pdb_status *worst, pdb_error *error);
pdb_status boards_random(const struct session *session, uint64_t seed, pdb_error *error);

/* -- sets/sets.c -- */

/* A set of boards, as --random or --hardest and what goes with them wish it. Errors: PDB_UNREACHABLE (there are fewer
 * than were asked for; those are written), those of pdb_solver_draw. */
pdb_status boards_set(const struct session *session, uint64_t seed, pdb_error *error);

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
