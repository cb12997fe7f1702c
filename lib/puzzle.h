/* puzzle.h -- the contract: what a puzzle is, for everything that searches, stores or asks
 *
 * A family (slide, walk, flip, ...) turns a definition into a puzzle: it embeds struct puzzle as the first member
 * of its own struct, fills the plain facts in and offers the functions of struct family. Whoever uses a puzzle sees
 * only what stands here.
 *
 * There are two ways to name a state:
 *   - a *position*, as a person sees it: the symbol on every place of the board (board.h). The functions on positions
 *     follow the rules in the plainest way, for texts, pictures, single questions, and as the check on the fast ones.
 *   - an *index* in 0 .. states-1: dense and perfect, with no gaps where that is cheap. One that stands for no state
 *     does no harm where no move leads to it, nor does a state that cannot reach the goal: it is not counted. The
 *     functions on indices take batches and are what the searches live on.
 *
 * Where no dense ranking is at hand (Klotski, a peg board of 33 holes), a family numbers its states by *keys*, any
 * numbers below 2^63 - 1, and says so (puzzle->keyed). Its functions on indices then take and give keys. The search
 * (lib/search/space/sparse/sparse.h) finds those that there are, and keyed.h makes a puzzle of them whose indices are
 * the keys' places in sorted order; nothing else has to know. A table of keys may come from a file: the functions on
 * keys take any number below `states` without harm, even one that is no state's.
 *
 * Keys may be *wide*, of up to 128 bits (puzzle->wide). Then there are no functions on indices, and `states` is 0, but
 * functions on wide keys (struct wide_functions); and lib/search/space/folded.h makes a puzzle of them whose keys are
 * ordinary ones, so that nothing else has to know them either.
 *
 * Where only the moves out of a state are at hand, and no way to tell those into it (rules that anyone may write), a
 * family says so (puzzle->forward): states are looked for from the named boards on, goals are told by a test, and
 * distances come from what was seen on the way (lib/search/space/forward/forward.h). Its states may have keys or dense
 * indices.
 *
 * Moves may *cost* more than one (puzzle->max_cost): a distance is then the least sum of costs on a way to a goal. All
 * that is said of distances holds for sums, the greatest that can be kept included (lib/search/space/values.h).
 *
 * Where there are more states than an index has room for (the 24-puzzle), `states` is 0: there are no indices, and the
 * functions on them are not to be called (rank and unrank included). Such a puzzle cannot be solved whole, unless its
 * keys are wide; its family has a searcher of its own.
 *
 * Puzzles without moves (a code to be guessed) are another type altogether: items/items.h.
 *
 * A puzzle never changes once made; all functions are thread-safe.
 */
#ifndef LIB_PUZZLE_H
#define LIB_PUZZLE_H

#include "board.h"
#include "lib/definition/looks.h"
#include "lib/rank/wide_key.h"

/* What is on place p goes to place[p] and becomes symbol[..]. */
struct relabelling {
    uint16_t place[BOARD_MAX_CELLS];
    uint8_t symbol[BOARD_MAX_SYMBOLS];
};

struct puzzle;
struct searcher_class;
struct pattern_family;
struct layer_kernel;
struct row_kernel;
struct grade_kernel;
struct parts;

/* A bound for a state that cannot reach a goal. */
#define BOUND_NEVER UINT16_MAX

/* Told the share of a piece of work that is done, 0 .. 1; false stops it. */
typedef bool distances_observer(void *context, double done);

/* Takes a run of goal indices; returns PDB_OK to be given more. A run may be empty: where goals have to be looked for,
 * so that the visitor may stop that. */
typedef pdb_status goal_visitor(void *context, const uint64_t *index, size_t count, pdb_error *error);

/* What a family does with positions. */
struct position_functions {
    /* OPTIONAL. Is this a proper position: the right pieces, each whole? PDB_BAD_BOARD says what is wrong. Default: any
     * is. */
    pdb_status (*check)(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error);
    /* OPTIONAL. Does a proper position fit the goal? Default: does it have what puzzle->goal has, where that is not
     * open? */
    bool (*is_goal)(const struct puzzle *puzzle, const uint8_t *position);
    /* REQUIRED. All moves out of a proper position, appended in a fixed order (moves_add, in board.h): text, piece and
     * board of each. The order need not be that of `successors`. PDB_NO_MEMORY. */
    pdb_status (*moves)(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error);
    /* REQUIRED where states have indices, and so is `unrank`. The index of a proper position; false where it has none,
     * which proves that the goal cannot be reached. */
    bool (*rank)(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index);
    /* The position of an index, pieces that are alike named in reading order. */
    void (*unrank)(const struct puzzle *puzzle, uint64_t index, uint8_t *position);

    /* OPTIONAL. Reads a position in a notation of the family's own; *known is false, with PDB_OK, where the text is in
     * none. Errors: PDB_BAD_BOARD. Default: there is no such notation. */
    pdb_status (*parse)(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known,
                        pdb_error *error);
    /* OPTIONAL. Where `parse` reads boards that are typed by moves from the goal: what takes a move back, in that
     * notation. False where a board cannot be typed so: the goal is no single board. Default: NULL, there is no such
     * notation. */
    bool (*inverse)(const struct puzzle *puzzle, const char *move, char text[PDB_MOVE_TEXT_MAX]);
    /* OPTIONAL. Draws a position in a way of its own, lines that end in newlines, into text[PDB_TEXT_MAX]. False where
     * this puzzle is drawn cell by cell. Default: it is. */
    bool (*sketch)(const struct puzzle *puzzle, const uint8_t *position, char *text);
    /* REQUIRED where puzzle->picture. The symbol, one of the picture's, that a position shows on one of the picture's
     * places. */
    uint8_t (*show)(const struct puzzle *puzzle, const uint8_t *position, unsigned place);
    /* OPTIONAL, where puzzle->picture. What that does not show of a position, as `parse` reads it behind the picture,
     * into text[PDB_TEXT_MAX]. Default: nothing. */
    void (*hidden)(const struct puzzle *puzzle, const uint8_t *position, char *text);
    /* REQUIRED where a piece may cover several places. Numbers the pieces of a proper position from 0 on, in reading
     * order of their first places: piece[i] is that of the one on place i, PDB_NO_PIECE where it is empty. Default:
     * every place that is not empty has one of its own. */
    void (*pieces)(const struct puzzle *puzzle, const uint8_t *position, uint16_t *piece);
    /* OPTIONAL. Where the board is a graph: does a line lead from one place to another when it is drawn? Default: none
     * does. */
    bool (*joined)(const struct puzzle *puzzle, unsigned from, unsigned to);
    /* OPTIONAL. Is a mapping of the places (symmetry->place) one of the puzzle's symmetries (symmetries.h)? Fills in
     * what it does to the symbols, which come as they are. Exact where it says so, while false proves nothing. Default:
     * nobody knows. */
    bool (*keeps)(const struct puzzle *puzzle, struct relabelling *symmetry);
    /* OPTIONAL. What moves call a place, NULL where they do not. Default: they call none. */
    const char *(*name)(const struct puzzle *puzzle, unsigned place);
};

/* What a family does with indices, in batches: what all searches live on. */
struct index_functions {
    /* REQUIRED. The indices one move out of (into) each of `count` states, written to next[] one after another,
     * next_count[i] of them for state i: one for every move, so a state to which two moves lead occurs twice (but see
     * `chains`). `next` has room for count * puzzle->max_moves. Returns how many there are in all. `predecessors` is
     * REQUIRED where moves cannot be undone, and not called where puzzle->forward. Default: the successors. */
    size_t (*successors)(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                         uint16_t *next_count);
    size_t (*predecessors)(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                           uint16_t *next_count);
    /* REQUIRED where puzzle->max_cost > 1. The successors, and what each move costs: 1 .. puzzle->max_cost. Not
     * together with `chains`. Default: 1 each. */
    size_t (*costed_successors)(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                uint32_t *cost, uint16_t *next_count);
    /* OPTIONAL with dense indices; REQUIRED with keys, but for puzzle->forward. Visits every goal once. Stops at, and
     * returns, the first status of the visitor that is not PDB_OK. Default: tries all indices, which is slow. */
    pdb_status (*goals)(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error);
    /* OPTIONAL, asked where puzzle->forward. Which states fit the goal? Default: asks position.is_goal of each. */
    void (*are_goals)(const struct puzzle *puzzle, const uint64_t *index, size_t count, bool *goal);
    /* OPTIONAL, asked where puzzle->forward and puzzle->keyed. Visits the states to set out from, besides the named
     * boards; a state may be visited twice. Stops as `goals` does. Default: there are none. */
    pdb_status (*starts)(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error);
    /* REQUIRED where puzzle->coloured. A colour, 0 or 1, for each state: every move changes it and every goal has 0. */
    void (*colours)(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour);

    /* Moves are chains of steps (a peg's sweep): chains of the same steps in another order are different moves, and may
     * be very many. Then `successors` and `predecessors` list a state once, and the next function is REQUIRED. */
    bool chains;
    /* The successors of one state, as `successors` gives them, and how many moves lead to each. Default: one each. */
    size_t (*counted_successors)(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *moves);
    /* REQUIRED where puzzle->unordered. The same for those moves only that come first, in some fixed order of the
     * moves: so that each solution is reached by one sequence of such moves. Default: `counted_successors`. */
    size_t (*branches)(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *moves);

    /* REQUIRED where boards that are alike by a symmetry share one index; else NULL. How many states each index stands
     * for. */
    void (*weights)(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *weight);
    /* REQUIRED with `weights`, where it has the symmetries by which boards share indices; else OPTIONAL. The image of a
     * position under symmetry number `symmetry` (0 is the identity), false from the last one's number on. */
    bool (*image)(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, uint8_t *image);
};

/* What a family does for whole spaces, beyond what can be done with its indices alone. */
struct space_functions {
    /* REQUIRED where puzzle->at_once, unless there are `masks`. Finds all distances, without layers. The array has a
     * byte for each state, and is as long as a multiple of 64; it comes with 0 for every goal and 255 for all others,
     * and a state that cannot reach a goal keeps 255, as what lies past the last state does. `scratch`: puzzle->scratch
     * bytes, which may hold anything. `portable`: without what only some processors can. The observer is called by the
     * calling thread, every few milliseconds; false: it stopped the work, and the array is of no use. */
    bool (*distances)(const struct puzzle *puzzle, bool portable, unsigned threads, uint8_t *distance, void *scratch,
                      distances_observer *observer, void *context);
    /* REQUIRED where puzzle->at_once, unless there are `distances`: the states are 2^bits, and each move is an XOR of
     * the index with a mask of its own. *mask: these, none 0, which are the puzzle's. Returns how many there are, 1 to
     * MASKS_MAX (lib/search/space/masks/masks.h). They are all that is needed to find all distances. */
    size_t (*masks)(const struct puzzle *puzzle, const uint64_t **mask);
    /* OPTIONAL, where moves can be undone. Makes the puzzle's layer kernel (lib/search/space/layers.h), which the
     * caller frees by its own `free`; *out is NULL where there is none for this puzzle. `portable`: without what only
     * some processors can. `memory`: bytes that the search may take; a kernel that is sure to take more need not be
     * made. Errors: PDB_NO_MEMORY. Default: there is none. */
    pdb_status (*layers)(const struct puzzle *puzzle, bool portable, uint64_t memory, struct layer_kernel **out,
                         pdb_error *error);
    /* OPTIONAL, where the puzzle has keys and no colouring, moves can be undone, and each index stands for one state.
     * Makes the puzzle's row kernel (lib/search/space/rows/rows.h), which the caller frees by its own `free`; *out is
     * NULL where there is none, or one would have few states in a row. That is told from a sample: the packed keys of
     * the states that are nearest to the named boards, and where among them the last layer begins. Errors:
     * PDB_NO_MEMORY. Default: there is none. */
    pdb_status (*rows)(const struct puzzle *puzzle, bool portable, const uint64_t *sample, size_t count, size_t layer,
                       struct row_kernel **out, pdb_error *error);
    /* OPTIONAL, where the puzzle has keys, no move costs more than another, and every one is made of steps that lead
     * from a grade of states to the one below. Makes its grade kernel (lib/search/space/grades/grades.h), which the
     * caller frees by its own `free`; *out is NULL where there is none for this puzzle. Errors: PDB_NO_MEMORY. Default:
     * there is none. */
    pdb_status (*grades)(const struct puzzle *puzzle, bool portable, struct grade_kernel **out, pdb_error *error);
    /* OPTIONAL. Is what a definition claims of its states so, as far as those show that `are_goals` was asked about?
     * Asked between layers and at the end, by one thread. Errors: PDB_BAD_DEFINITION, PDB_NO_MEMORY. Default: it is. */
    pdb_status (*consistent)(const struct puzzle *puzzle, pdb_error *error);
};

/* What a family does for whole spaces of states that have keys (puzzle->keyed): the search may live on keys of another
 * form, *packed* ones, of which moves are quick to make. All of these functions, or none; none where puzzle->forward.
 * Default: the keys themselves are taken for packed ones. Packed keys are below 2^63 - 1. */
struct packed_functions {
    /* The packed key of a named board; false where it has none, and can reach no goal. */
    bool (*pack)(const struct puzzle *puzzle, const uint8_t *position, uint64_t *packed);
    /* The packed keys one move before each of `count`, as index.predecessors gives keys; there is room for one more. */
    size_t (*predecessors)(const struct puzzle *puzzle, const uint64_t *packed, size_t count, uint64_t *next,
                           uint16_t *next_count);
    /* Which of them fit the goal? Asked only where moves can be undone. */
    void (*are_goals)(const struct puzzle *puzzle, const uint64_t *packed, size_t count, bool *goal);
    /* Replaces them by their keys. */
    void (*unpack)(const struct puzzle *puzzle, uint64_t *packed, size_t count);
};

/* Takes a run of wide keys, as a goal_visitor takes indices. */
typedef pdb_status wide_visitor(void *context, const struct wide_key *key, size_t count, pdb_error *error);

/* What a family does with wide keys, where puzzle->wide. All of it is as the functions of these names above have it for
 * indices; what is OPTIONAL there is so here. REQUIRED are rank, unrank, successors, are_goals where the puzzle sets
 * out from named boards, else goals. */
struct wide_functions {
    bool (*rank)(const struct puzzle *puzzle, const uint8_t *position, struct wide_key *key);
    void (*unrank)(const struct puzzle *puzzle, struct wide_key key, uint8_t *position);
    /* `cost` may be NULL: then costs are not asked for. Else it has room for as many as `next`. */
    size_t (*successors)(const struct puzzle *puzzle, const struct wide_key *key, size_t count, struct wide_key *next,
                         uint32_t *cost, uint16_t *next_count);
    /* REQUIRED where moves cannot be undone, and not called where puzzle->forward. */
    size_t (*predecessors)(const struct puzzle *puzzle, const struct wide_key *key, size_t count, struct wide_key *next,
                           uint16_t *next_count);
    size_t (*counted_successors)(const struct puzzle *puzzle, struct wide_key key, struct wide_key *next,
                                 uint64_t *moves);
    void (*are_goals)(const struct puzzle *puzzle, const struct wide_key *key, size_t count, bool *goal);
    pdb_status (*goals)(const struct puzzle *puzzle, wide_visitor *visit, void *context, pdb_error *error);
    pdb_status (*starts)(const struct puzzle *puzzle, wide_visitor *visit, void *context, pdb_error *error);
    void (*weights)(const struct puzzle *puzzle, const struct wide_key *key, size_t count, uint16_t *weight);
    /* As board_functions has it. */
    void (*bounds)(const struct puzzle *puzzle, const struct wide_key *key, size_t count, uint16_t *bound);
};

/* What a family does for searches of single boards, without the distances of all. */
struct board_functions {
    /* OPTIONAL. A lower bound on the distance of each state, or BOUND_NEVER where it is plain that no goal can be
     * reached. It is 0 for goals, and never more than the distance (it is admissible). NULL: nothing is known. */
    void (*bounds)(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound);
    /* OPTIONAL. What `bounds` counts, in a few words. */
    const char *bound_text;
    /* OPTIONAL. What `bounds` is made of, for people: adds the lower bounds of a proper position by their names
     * (lib/search/board/bounds.h). Error: PDB_NO_MEMORY. Default: the one that `bounds` gives. */
    pdb_status (*tell)(const struct puzzle *puzzle, const uint8_t *position, pdb_bounds *bounds, pdb_error *error);
    /* REQUIRED where states cannot be numbered. A searcher of the family's own (lib/search/board/search.h); NULL for
     * none.
     */
    const struct searcher_class *searcher;
    /* OPTIONAL. Pattern databases (lib/search/board/patterns.h); NULL for none. */
    const struct pattern_family *patterns;
};

enum { FAMILY_SHOWN_MAX = 4 };

struct family {
    const char *name;
    const char *summary;     /* one line */
    const char *const *keys; /* the keys it knows in a definition, beyond common_keys in puzzle.c; ends with NULL */
    /* those of them that change how a puzzle is shown or asked about and no distance, beside `glyphs` */
    const char *shown[FAMILY_SHOWN_MAX];
    bool draws_board; /* the key 'board' draws a position, unless all of its cells are empty */

    size_t size; /* of its own struct */
    /* REQUIRED. Makes the puzzle of a definition: fills `board`, the facts below it and its own members, which are
     * zeros. */
    pdb_status (*create)(const struct definition *definition, struct puzzle *puzzle, pdb_error *error);
    /* OPTIONAL. Called once, when the named boards are known: makes what depends on them. Default: nothing does. */
    pdb_status (*settle)(struct puzzle *puzzle, pdb_error *error);
    /* REQUIRED. Frees what `create` and `settle` took, also where they failed; the struct is freed by puzzle_free. */
    void (*release)(struct puzzle *puzzle);

    struct position_functions position;
    struct index_functions index;
    struct space_functions space;
    struct packed_functions packed;
    struct wide_functions wide;
    struct board_functions single;
};

/* A named board of the definition. */
struct named_board {
    char name[PUZZLE_NAME_MAX + 1];
    uint8_t position[BOARD_MAX_CELLS];
};

struct puzzle {
    const struct family *family; /* `functions`; of puzzle_without_board the defaults alone */
    struct family functions;     /* the family's, with the defaults for what it leaves out (puzzle_use) */
    char name[PUZZLE_NAME_MAX + 1];
    char *title;                  /* one line, "" where the definition has none */
    uint8_t digest[DIGEST_BYTES]; /* of what the definition says, its looks left out */
    uint64_t read_as; /* of what a definition was read as, where its text does not tell all (definition.h) */

    /* Filled in by the family; what it leaves alone is zero. Always: board (with board_finish), metric, states,
     * max_moves; `undoable` or `forward`, or else `predecessors` is REQUIRED; and goal, in which zero is the symbol 0
     * and not BOARD_OPEN. */
    struct board board;
    const char *metric;  /* what one move is: "one piece by one cell" */
    uint64_t states;     /* how many indices; with keys, a number that every key is below; 0: too many */
    double size;         /* how many states there are, about, where `states` is 0 */
    struct parts *parts; /* keys are folded with this table (lib/search/space/folded.h); NULL: they are not */
    bool keyed;          /* indices are keys: see above */
    bool wide;           /* keys are wide ones; then `keyed` is set too */
    unsigned max_moves;  /* no state has more moves out of it, or into it */
    /* every move has a move that takes it back; where it is not set, `predecessors` is REQUIRED, unless: */
    bool undoable;
    /* only successors are known, and `undoable` is not set (nobody knows). With dense indices, all of them are states;
     * with keys, those that are found from the named boards and `starts` on */
    bool forward;
    uint32_t max_cost; /* no move costs more; 0 and 1: every move costs 1. More only where puzzle->forward */
    bool coloured;     /* there is a colouring */
    pdb_net net;       /* `picture` is a net of stickers, of this shape */
    uint64_t deepest;  /* some state is known to be so far from every goal; 0: of none is that known */
    /* The order of moves does not matter, and from a state all goals that can be reached are equally far: values are
     * put into slots. A solution is then what stands there at the end. The board named 'start' is an empty one where
     * the definition names none. */
    bool unordered;
    bool at_once;     /* all distances can be found at once, and none is above 254 */
    uint64_t scratch; /* bytes of memory that it needs for that beside the distances */
    /* the goal as a pattern: BOARD_OPEN where anything may stand; where puzzle->forward, and nothing is open, it is the
     * only state that fits the goal */
    uint8_t goal[BOARD_MAX_CELLS];

    size_t named_count;
    struct named_board *named;
    const uint8_t *drawn; /* the position that the key 'board' draws, where it is not 'start'; NULL for none */
    /* What a position is drawn on, cell by cell as position.show says, where that is another board than its own. It is
     * for people alone: texts that are printed, goals and moves are of `board`. NULL: positions are drawn as they are.
     */
    const struct board *picture;
    struct puzzle_looks looks; /* of what is drawn: the picture's symbols where there is one, else the board's */
};

/* Makes the puzzle that a definition for this family describes. Errors: PDB_BAD_DEFINITION, PDB_TOO_LARGE (more states
 * than an index can number, or more than the family can lay out), PDB_NO_MEMORY. The caller frees *out; the definition
 * is no longer needed. */
pdb_status puzzle_create(const struct family *family, const struct definition *definition, struct puzzle **out,
                         pdb_error *error);
void puzzle_free(struct puzzle *puzzle);

/* Reads a board: a name ("start", "goal", or one that the definition gives) or text. The position is a proper one on
 * return. Errors: PDB_BAD_BOARD. */
pdb_status puzzle_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, pdb_error *error);

/* Are its states, where they have keys, those that moves lead to from the named boards on? */
static inline bool puzzle_sets_out(const struct puzzle *puzzle)
{
    return puzzle->undoable || puzzle->forward;
}

/* The most that a move costs. */
static inline uint32_t puzzle_max_cost(const struct puzzle *puzzle)
{
    return puzzle->max_cost > 1 ? puzzle->max_cost : 1;
}

/* What stands for the board where there is none: no place, no piece, no move. */
extern const struct puzzle puzzle_without_board;

/* From now on the puzzle is of this family: takes its functions over and fills in the defaults. */
void puzzle_use(struct puzzle *puzzle, const struct family *family);

#endif
