/* pdb.h -- exact distances of puzzles: the public interface of libpdb
 *
 * A puzzle is loaded by name or from a definition file; its distances are opened from a database that pdb-gen made,
 * or, where none is there and the puzzle is small, worked out in memory. From then on every question is a look-up.
 * Where a puzzle has too many states for that, every board that is asked for is searched, with the help of a pattern
 * database if pdb-gen has made one: the answers are as exact, and take as long as they take.
 *
 *     pdb_puzzle *puzzle;  pdb_solver *solver;  pdb_error error;
 *     if (pdb_puzzle_load("goat", &puzzle, &error) || pdb_solver_open(puzzle, NULL, &solver, &error)) ...
 *
 * Every function that can fail returns a pdb_status, PDB_OK (0) when it succeeded; its results hold something only
 * then, but where a function says that they have to be freed, that is so whatever it returned. It explains a failure in
 * *error, which the caller provides (it may be NULL). Nothing here prints, exits, or keeps a global that changes. A
 * pdb_puzzle and a pdb_solver never change once made: any number of threads may use one at the same time. Whoever frees
 * one makes sure that nobody still uses it; a puzzle must outlive its solvers.
 */
#ifndef PDB_H
#define PDB_H

#include "pdb_puzzle.h" /* puzzles, boards, moves; errors */

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* what is declared here is what the shared library shows */
#endif

/* -- answers -- */

typedef struct pdb_solver pdb_solver;

typedef enum pdb_method {
    PDB_AUTO,     /* the database if there is one, else the whole space in memory if it is small, else a search */
    PDB_DATABASE, /* the database, or nothing */
    PDB_SEARCH    /* search for every board, even where a database of distances is; a pattern database helps */
} pdb_method;

/* Called now and then during a search, on the thread that asked or one that helps it: no solution has fewer than
 * `bound` moves, and so many boards were looked at. It returns false to stop the search (PDB_INTERRUPTED). Where
 * several threads ask the same solver, it is called by them at the same time. While a puzzle without moves is worked
 * out, `bound` is 0 and `nodes` how much of it is done, per cent. */
typedef bool pdb_observer(void *context, uint32_t bound, uint64_t nodes);

/* How to open a solver. All zeros are the defaults. */
typedef struct pdb_options {
    const char *directory; /* where databases are; NULL: $PDB_PATH, else $XDG_DATA_HOME/pdb, else ~/.local/share/pdb */
    pdb_method method;
    unsigned threads; /* for a search, at most 1024; 0: every core that the process may run on */
    /* Questions about all states will be asked (histogram, hardest, random at a distance): without a database the
     * whole space is solved in memory, or it is an error. */
    bool whole;
    pdb_observer *observe; /* may be NULL */
    void *context;         /* for `observe` */
    /* bytes that what is worked out may take: all states or items that are solved in memory, what one search remembers,
     * and one solution or the count of them; 0: the defaults, which a larger number does not raise */
    uint64_t memory;
} pdb_options;

/* Where a puzzle's database is looked for, whether there is one or not: `path` has room for PDB_PATH_MAX bytes.
 * `directory` as in pdb_options. Errors: PDB_BAD_USAGE, PDB_IO (no home directory is known). */
enum { PDB_PATH_MAX = 4096 };
pdb_status pdb_database_path(const pdb_puzzle *puzzle, const char *directory, char *path, pdb_error *error);

/* Opens the distances of a puzzle. `options` may be NULL. Without a database a puzzle of up to 100 million states (or
 * whose states, found by a search, fit in 256 MiB) is solved in memory, which takes up to some seconds; where its
 * family has a quick search, only one of up to a million. A larger one is searched board by board. A pattern database
 * is read into memory, which takes as much as its file; that of a permutation puzzle not before a search is seen to be
 * long, and not where that is more than `memory` or cannot be had: its entries are looked up in the file then, which
 * processes share. A database's file is mapped: whoever replaces it has to rename another one over it, as pdb-gen
 * does; one that is cut short in its place ends the process with SIGBUS.
 *
 * Errors: PDB_NO_DATABASE (none, and too large to do without), PDB_DAMAGED (the database is not what was written, or of
 * another definition), PDB_BAD_DEFINITION (no state fits the goal), PDB_UNREACHABLE (all states are asked about, and
 * there is no solution at all), PDB_IO, PDB_NO_MEMORY. The caller frees *solver with pdb_solver_close (which takes NULL
 * too). */
pdb_status pdb_solver_open(const pdb_puzzle *puzzle, const pdb_options *options, pdb_solver **solver, pdb_error *error);
void pdb_solver_close(pdb_solver *solver);

/* What a solver's distances are and where they come from. The strings and arrays live as long as it. */
typedef struct pdb_info {
    pdb_method method;     /* PDB_DATABASE or PDB_SEARCH */
    const char *search;    /* what a search of single boards relies on, in words; NULL where all distances are known */
    const char *file;      /* the database's path; NULL for none. The next three stand for the database too */
    const char *generator; /* version of the program that made it */
    uint64_t file_bytes;
    char content[33];     /* digest of the content, in hexadecimal; "" for a search */
    char definition[33];  /* digest of the definition, in hexadecimal */
    const char *patterns; /* the patterns of a pattern database, in words, and */
    const char *shape;    /* their sizes: "7-8"; NULL where there is none */
    uint64_t entries;     /* of the pattern database */
    const char *encoding; /* how the distances, or the entries, are kept; NULL for a search without them */
    uint64_t states;      /* indices; 0: more than can be numbered */
    uint64_t reachable;   /* those from which the goal can be reached; with `search` 0, like what follows: unknown */
    uint32_t max;         /* the greatest distance */
    uint64_t hardest;     /* how many states have it */
    const uint64_t *histogram; /* max + 1 entries: how many states there are at each distance; NULL with `search` */
} pdb_info;

void pdb_solver_info(const pdb_solver *solver, pdb_info *info);

/* Are the distances known for the part of the puzzle that a board lies in? Always, but where the states were found by
 * moves out of the named boards (Klotski) and no moves lead from these to the board: then pdb_solver_distance says
 * PDB_NO_DISTANCE and that proves nothing. Errors: PDB_BAD_BOARD with the words for it, PDB_DAMAGED. */
pdb_status pdb_solver_covers(const pdb_solver *solver, const pdb_board *board, pdb_error *error);

/* Holds what a puzzle's name says of its board (rush-hour:60 IBBx... 2332: how far it is from the goal, and how many
 * boards moves lead to from it) against what the solver knows of it: it is at this distance. PDB_OK where it is so, or
 * nothing is said. A solver that searches cannot count boards, and leaves their number unchecked: open one with `whole`
 * for that. Errors: PDB_BAD_BOARD (it is not so: the words say what is), PDB_NO_MEMORY. */
pdb_status pdb_solver_claims(const pdb_solver *solver, const char *name, const pdb_board *board, uint32_t distance,
                             pdb_error *error);

/* What is known of one board. */
typedef struct pdb_solution {
    uint32_t distance; /* PDB_NO_DISTANCE: the goal cannot be reached */
    uint32_t steps;    /* moves in `path`: `distance`, or fewer where moves have costs */
    uint64_t nodes;    /* boards that a search looked at for it; 0 where distances are kept */
    pdb_moves moves;   /* with PDB_WANT_MOVES: as from pdb_solver_moves */
    pdb_move *path;    /* with PDB_WANT_PATH: as from pdb_solver_path; NULL else, or without a distance */
} pdb_solution;

enum { PDB_WANT_MOVES = 1, PDB_WANT_PATH = 2, PDB_WANT_COUNT = 4, PDB_WANT_BOUNDS = 8 };

/* Distance, moves and path of one board in one go: a search does not have to find the same solution twice. `want` is
 * what of it. *solution is overwritten; the caller frees what it holds with pdb_solution_free (whatever the status, and
 * {0} too). Errors as below; PDB_INTERRUPTED (the observer said so) has the bound that was proven in its words. */
pdb_status pdb_solver_solve(const pdb_solver *solver, const pdb_board *board, unsigned want, pdb_solution *solution,
                            pdb_error *error);
void pdb_solution_free(pdb_solution *solution);

/* The distances of `count` boards, PDB_NO_DISTANCE for those from which the goal cannot be reached. Boards are worked
 * on side by side: a hundred in a call are much faster than a hundred calls. Errors, as for all that follow:
 * PDB_DAMAGED, PDB_NO_MEMORY, PDB_BAD_BOARD (no board of this puzzle), PDB_INTERRUPTED. */
pdb_status pdb_solver_distance(const pdb_solver *solver, const pdb_board *board, size_t count, uint32_t *distance,
                               pdb_error *error);

/* The same for boards that stand in an array without gaps: board i is the n bytes from symbols[i * n] on, n being
 * pdb_puzzle_places. They may be anybody's making: each is looked at before it is used, and PDB_BAD_BOARD names
 * the first that is no proper board by its number in the array. `distance` has room for `count`, and holds something
 * only where PDB_OK is returned; both arrays are the caller's, and none is kept. Threads may share the solver, and each
 * take a part of the boards. */
pdb_status pdb_solver_distances(const pdb_solver *solver, const uint8_t *symbols, size_t count, uint32_t *distance,
                                pdb_error *error);

/* All boards at a distance, each once, in an order that is always the same, a part of them in each call:
 *
 *     for (uint64_t place = 0; place != PDB_ALL_BOARDS;) {
 *         if (pdb_solver_boards(solver, 30, &place, board, 1000, &count, &error) != PDB_OK) ...;
 *         ... board[0] to board[count - 1], which may be none ...
 *     }
 *
 * *place is 0 for the first of them, and is moved on behind the last that was taken, to PDB_ALL_BOARDS where there are
 * no more. It is a plain number: nothing has to be freed where somebody stops earlier, any number of threads may go
 * through the boards at the same time, each with a place of its own, and one that was kept means the same to another
 * solver of this puzzle whose states are numbered alike (one that opened the same database). `board` has room for
 * `room` boards and is the caller's. A call does a bounded amount of work; a distance that no board has, has none.
 * Errors: PDB_NO_DATABASE (not all distances are known), PDB_BAD_BOARD (a puzzle without boards), PDB_DAMAGED. */
#define PDB_ALL_BOARDS UINT64_MAX
pdb_status pdb_solver_boards(const pdb_solver *solver, uint32_t distance, uint64_t *place, pdb_board *board,
                             size_t room, size_t *count, pdb_error *error);

/* All legal moves of a board whose distance is known (PDB_NO_DISTANCE included), with theirs, into *moves, replacing
 * what is in it. */
pdb_status pdb_solver_moves(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_moves *moves,
                            pdb_error *error);

/* The same for a solution that pdb_solver_solve found without them: its distance can be told before its moves are
 * looked into, each of which may take a search as long as that for the board. Of a solution with its path, the move
 * that begins it takes none. Errors: those of pdb_solver_moves; PDB_INTERRUPTED has the distance in its words, and not
 * all of solution->moves have theirs. */
pdb_status pdb_solver_add_moves(const pdb_solver *solver, const pdb_board *board, pdb_solution *solution,
                                pdb_error *error);

/* One whole shortest solution of a board at this distance: path[0 .. distance-1] are the moves, each with the board it
 * leads to; fewer where moves have costs, the last of them the one that leads to distance 0. The caller provides room
 * for them. */
pdb_status pdb_solver_path(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_move *path,
                           pdb_error *error);

/* How many different shortest solutions a board at this distance has, in decimal digits (`text` of 48 bytes). Errors:
 * PDB_TOO_LARGE (2^127 or more), PDB_NO_DATABASE (a search that cannot count). The second function gives up, with an
 * empty text and PDB_OK, where a search would have to look at more than about a million boards. */
enum { PDB_COUNT_MAX = 48 };
pdb_status pdb_solver_count(const pdb_solver *solver, const pdb_board *board, uint32_t distance, char *text,
                            pdb_error *error);
pdb_status pdb_solver_count_soon(const pdb_solver *solver, const pdb_board *board, uint32_t distance, char *text,
                                 pdb_error *error);

/* How hard a board at this distance is: how many shortest solutions it has, as pdb_solver_count says; how many moves
 * there are, and how many of them lead away from the goal or to where it cannot be reached; and how many moves there
 * are, in the mean, at the boards that its shortest solutions lead through (where slots are filled: at the next slot).
 * Errors besides the usual ones: PDB_TOO_LARGE, PDB_NO_DATABASE (not all distances are known). */
typedef struct pdb_grade {
    char count[PDB_COUNT_MAX];
    size_t moves, away;
    double branching;
} pdb_grade;
pdb_status pdb_solver_grade(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_grade *grade,
                            pdb_error *error);

/* A lower bound of a board's distance. */
typedef struct pdb_bound {
    char *name;     /* what it counts, or the pattern database that it is from */
    uint32_t value; /* no solution is shorter; PDB_NO_DISTANCE: there is none */
    bool taken;     /* the greatest of all: a search begins there or just above */
} pdb_bound;

/* Whether pegs are even or odd in number, where the puzzle has sets of cells in which no move changes that: a board
 * from which the goal can be reached is as even and odd in all of them as a goal is. */
typedef struct pdb_classes {
    size_t sets; /* 0: all boards are of one class */
    char **set;  /* their cells, as moves call them: "0 1 3 4" */
    char *board; /* the board's class, '1' for each set in which it has an odd number of pegs, else '0' */
    size_t goals;
    char **goal; /* the classes of all boards that fit the goal, the same way */
    bool fits;   /* the board's is one of these */
} pdb_classes;

typedef struct pdb_bounds {
    char *search; /* what a search relies on, as pdb_info has it */
    size_t count;
    pdb_bound *bound;
    pdb_classes classes; /* board: NULL where it has no pegs */
} pdb_bounds;

/* The lower bounds that a search of a board begins with; none where it does without. Where all distances are known,
 * and nothing was searched, it is what a search would begin with. The distance is not looked for: a solver that is
 * opened with PDB_SEARCH has nothing solved for it. *bounds is overwritten; the caller frees what it
 * holds with pdb_bounds_free (whatever the status, and {0} too). Errors: PDB_BAD_BOARD, PDB_NO_DATABASE (boards of this
 * puzzle are not searched), PDB_NO_MEMORY, those of a search that cannot be made. */
pdb_status pdb_solver_bounds(const pdb_solver *solver, const pdb_board *board, pdb_bounds *bounds, pdb_error *error);
void pdb_bounds_free(pdb_bounds *bounds);

/* Takes one solution: its moves, as pdb_solver_path gives them, which are gone afterwards. False: enough of them. */
typedef bool pdb_path_visitor(void *context, const pdb_move *path, uint32_t steps);

/* Visits all shortest solutions of a board at this distance, as many as pdb_solver_count counts, each once and in an
 * order that is always the same: that of the moves that pdb_solver_moves lists, of the first, then of the second move
 * and so on. Where the order of moves does not matter, slots are filled in reading order, and the order of solutions is
 * that of a backtracking search. Memory does not grow with their number. A board without a distance has none. */
pdb_status pdb_solver_paths(const pdb_solver *solver, const pdb_board *board, uint32_t distance,
                            pdb_path_visitor *visit, void *context, pdb_error *error);

/* The i-th of the hardest boards. Errors: PDB_BAD_USAGE from the 10,000th on (only those are kept), or past the last;
 * PDB_NO_DATABASE (not all distances are known). */
pdb_status pdb_solver_hardest(const pdb_solver *solver, uint64_t i, pdb_board *board, pdb_error *error);

/* A board chosen at random among all that can reach the goal, or among those at one distance; every one is equally
 * likely, and the same seed gives the same board. Errors: PDB_BAD_USAGE (no board is at that distance), PDB_NO_DATABASE
 * (not all distances are known, and a distance is asked for or the states are too many to be numbered). */
pdb_status pdb_solver_random(const pdb_solver *solver, uint32_t distance_or_none, uint64_t seed, pdb_board *board,
                             uint32_t *distance, pdb_error *error);

/* Which boards are drawn. */
typedef struct pdb_wish {
    uint32_t from, to; /* their distances, both included */
    const char *fixed; /* cells that have to be so: a board's text or its picture, `.` and `*` for a cell of any sort;
                          NULL: none */
    bool distinct;     /* of boards that are alike by a symmetry of the puzzle (pdb_puzzle_symmetries), one */
} pdb_wish;

/* Takes a board that was drawn; false: enough of them. */
typedef bool pdb_board_visitor(void *context, const pdb_board *board, uint32_t distance);

/* Visits all boards that are as wished, each once and in an order that the seed decides: every one is equally likely to
 * be next. Where many are as wished, a few of them cost little; where few are, all of them together cost one pass over
 * all states. Errors: PDB_BAD_USAGE (no board is so near), PDB_BAD_BOARD (`fixed` is no board), PDB_NO_DATABASE (not
 * all distances are known). */
pdb_status pdb_solver_draw(const pdb_solver *solver, const pdb_wish *wish, uint64_t seed, pdb_board_visitor *visit,
                           void *context, pdb_error *error);

/* -- puzzles without moves --
 *
 * A code that is guessed by questions, the values that four fours make: such a puzzle has items (codes, values) instead
 * of boards, each with a distance (questions, operators). A question to it is a line of text, and the reply is a list
 * of named facts. The functions about boards refuse it, PDB_BAD_BOARD; pdb_solver_info knows its histogram. Without a
 * database it is worked out in memory, in up to 1 GiB (PDB_NO_DATABASE where that is too little). */

/* Is it a puzzle without moves, so that its items can be listed? */
bool pdb_puzzle_enumerated(const pdb_puzzle *puzzle);

/* What it has, "codes", and what a distance counts, one of it: "question"; NULL for a puzzle with moves. */
const char *pdb_puzzle_items(const pdb_puzzle *puzzle);
const char *pdb_puzzle_unit(const pdb_puzzle *puzzle);

/* Is a text a part of a question, so that several of them, with spaces between, make one ("0123:0,2", "1045:0,2")? */
bool pdb_question_is_part(const pdb_puzzle *puzzle, const char *text);

typedef enum pdb_kind {
    PDB_KIND_COUNT, /* a number, as decimal digits in `text` */
    PDB_KIND_MEAN,  /* a number that need not be whole, in `mean` */
    PDB_KIND_TEXT,  /* `text` */
    PDB_KIND_TEXTS  /* `count` of them in `texts` */
} pdb_kind;

typedef struct pdb_fact {
    const char *name;  /* for programs: "left" */
    const char *label; /* for people: "codes left" */
    pdb_kind kind;
    double mean;
    char *text;
    char **texts;
    size_t count;
} pdb_fact;

typedef struct pdb_reply {
    uint32_t distance; /* PDB_NO_DISTANCE: there is no answer, and the facts say why */
    size_t count;
    pdb_fact *fact;
} pdb_reply;

/* Asks a puzzle without moves. `want` is what of the reply: PDB_WANT_PATH (all there is to show) and PDB_WANT_COUNT.
 * *reply is overwritten; the caller frees what it holds with pdb_reply_free (whatever the status, and {0} too). Errors:
 * PDB_BAD_BOARD (the question makes no sense, or this puzzle has boards), PDB_DAMAGED, PDB_NO_MEMORY. */
pdb_status pdb_solver_ask(const pdb_solver *solver, const char *question, unsigned want, pdb_reply *reply,
                          pdb_error *error);
void pdb_reply_free(pdb_reply *reply);

/* The i-th of the hardest items, and one chosen at random, as texts that can be asked; `text` has room for PDB_TEXT_MAX
 * bytes. Errors as for boards. */
pdb_status pdb_solver_hardest_item(const pdb_solver *solver, uint64_t i, char *text, pdb_error *error);
pdb_status pdb_solver_random_item(const pdb_solver *solver, uint32_t distance_or_none, uint64_t seed, char *text,
                                  uint32_t *distance, pdb_error *error);

/* -- answers as texts --
 *
 * One call from a question to the text of its answer: the JSON and the SVG of pdb-query, and what pdb-serve sends.
 * docs/api.md has the members of the objects.
 */

typedef enum pdb_topic {
    PDB_TOPIC_BOARD,     /* distance and moves of a board, or the reply of a puzzle without moves */
    PDB_TOPIC_HINT,      /* how far a board is, which piece moves, or the move */
    PDB_TOPIC_MOVES,     /* how a board is drawn and where its moves lead, by the rules alone: takes no solver */
    PDB_TOPIC_BOARDS,    /* PDB_TOPIC_BOARD for every line of a text that is not blank, an object a line */
    PDB_TOPIC_HARDEST,   /* the boards farthest from the goal */
    PDB_TOPIC_HISTOGRAM, /* how many states there are at each distance */
    PDB_TOPIC_RANDOM,    /* a random board */
    PDB_TOPIC_SUMMARY,   /* what a puzzle is, in a few words: takes no solver */
    PDB_TOPIC_PUZZLE     /* what it is, and how it is drawn; without a solver, the figures are null */
} pdb_topic;

/* Members that a topic does not need are passed over. */
typedef struct pdb_request {
    pdb_topic topic;
    bool svg;               /* as a picture: boards (MOVES: without its distance), HARDEST, RANDOM and HISTOGRAM */
    const char *board;      /* a board or a question, or with BOARDS lines of them: UTF-8 */
    unsigned want;          /* with BOARD and BOARDS: PDB_WANT_PATH, PDB_WANT_COUNT, PDB_WANT_BOUNDS; with the last
                               alone, boards that would have to be searched have no distance in the answer */
    unsigned hint;          /* with HINT: 1 how far, 2 which piece, 3 the move */
    uint64_t most;          /* with HARDEST: at most so many boards */
    uint32_t least, utmost; /* with RANDOM: between these distances, every board equally likely; 0 and */
    uint64_t seed;          /* PDB_NO_DISTANCE for any. The same seed, the same board */
    uint64_t bytes;         /* an answer that grows longer is PDB_TOO_LARGE; 0: none is */
} pdb_request;

/* Answers. *text is UTF-8 of *length bytes with a NUL behind them, and the caller frees it with free(). With BOARDS a
 * line that is no board, or whose search was stopped, has an object that says so. `solver` may be NULL where the topic
 * says so. Errors: PDB_BAD_BOARD, PDB_BAD_USAGE (this puzzle has no answer or no picture of that; no board is at such a
 * distance), and those of the solver's functions. */
pdb_status pdb_answer(const pdb_puzzle *puzzle, const pdb_solver *solver, const pdb_request *request, char **text,
                      size_t *length, pdb_error *error);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
