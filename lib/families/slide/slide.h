/* slide.h -- the room of sliding pieces on a rectangular board: the family's parts to one another
 *
 * slide.c has the contract's functions. Four rooms below know this header, and slide.c knows theirs: layers/ makes
 * whole layers a word at a time, rows/ makes rows of keys, patterns/ has pattern databases, tiles/ searches for single
 * boards of different tiles. How a search goes on, and what is kept of it, is no concern of the family.
 *
 * Three ways to write a board down, each made from the one before:
 *
 *   position   the symbol on every place, as people write it. Pieces that are alike may have names of their own
 *              (Klotski's A, C, D, F).
 *   map        what stands on every place, names forgotten: 0 empty, 1 .. units a kind of one-cell piece, above that
 *              the cells of the kinds of several cells.
 *   labels     the same with all one-cell pieces taken for one (label 1): the *block* that a state lies in.
 *
 * Dense: where there are few blocks, or many orders to each, a state is a block and the order in which its one-cell
 * pieces stand, read row by row:
 *
 *     index = block * orders + rank of the order        (lib/rank/order.h)
 *
 * A move takes a block to a block. A large piece's move leaves the order alone; so does a one-cell piece's along a row,
 * mostly; otherwise the piece passes others in reading order: it is taken out of the order at `from` and put back in at
 * `to`. So every move of a block is three numbers, worked out once, and the moves of a state cost a few additions each.
 *
 * Blocks are all those that can be reached from a goal's block: a wide piece that never leaves the top row has no
 * blocks elsewhere. The permutation's parity is a potential on the graph of blocks: where the goals and every move
 * agree on one parity for each block, only half of the orders can be reached, and only those are numbered (the
 * 8-puzzle). The same walk finds the colouring.
 *
 * Keyed: elsewhere (Klotski, Rush Hour) a state's key is the rank of the sequence of all its pieces, the empty cells
 * among them, by the reading order of their first cells (keys.c): laid down one after another, each at the first
 * cell that is free, they give the board back. The search of a whole space lives on packed keys (packed.h, wide.h);
 * where ranks would be too great (twenty cars), these are the keys, or wide ones where they take two words.
 */
#ifndef FAMILIES_SLIDE_SLIDE_H
#define FAMILIES_SLIDE_SLIDE_H

#include "lib/definition/picture.h"
#include "lib/puzzle.h"
#include "lib/rank/order.h"
#include "lib/search/board/patterns.h"
#include "lib/families/shared/assignment.h"

struct wide_fields;

enum {
    SLIDE_MAX_PIECE_CELLS = 16,
    SLIDE_MAX_KINDS = 128,
    SLIDE_MAX_BLOCKS = 1 << 20,   /* more are not laid out densely */
    SLIDE_SMALL_BLOCKS = 1 << 12, /* nor more than so many where there are fewer orders than SLIDE_MANY_ORDERS */
    SLIDE_MANY_ORDERS = 64,
    SLIDE_EMPTY = 0, /* in maps and labels */
    SLIDE_UNIT = 1,  /* in labels */
    SLIDE_OPEN = 255 /* in the goal's map */
};

/* How many cells of all boards together are looked at in order to find the blocks: a second of work. A fuzzer, which is
 * twenty times as slow and meets little else, has less. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { SLIDE_MAX_BLOCK_CELLS = 1 << 19 };
#else
enum { SLIDE_MAX_BLOCK_CELLS = 1 << 28 };
#endif

enum slide_axis { SLIDE_FREE, SLIDE_HORIZONTAL, SLIDE_VERTICAL };

/* Pieces of one shape that are interchangeable. Those of one cell that are not bound to an axis are called units. */
struct slide_kind {
    uint8_t cells;
    uint8_t count;                     /* pieces on the board */
    uint8_t axis;                      /* enum slide_axis: how it may move */
    uint8_t map;                       /* what its first cell is in a map; its other cells are map+1, map+2, .. */
    int8_t row[SLIDE_MAX_PIECE_CELLS]; /* of each cell, seen from the first in reading order */
    int8_t column[SLIDE_MAX_PIECE_CELLS];
};

/* A piece as boards name it: the symbols of its cells. Rails that share a symbol are one name with a count of two;
 * Klotski's A, C, D and F are four names of one kind. */
struct slide_name {
    uint8_t kind;
    uint8_t count;
    uint8_t symbol[SLIDE_MAX_PIECE_CELLS];
};

struct slide_move {
    uint32_t target;  /* block */
    uint8_t from, to; /* a one-cell piece's positions in the order; equal where the order stays as it is */
};

struct slide_block {
    uint32_t first_move;
    uint8_t moves;
    uint8_t parity; /* of the orders that are numbered, where only half of them are */
    uint8_t colour;
};

struct slide {
    struct puzzle puzzle;

    unsigned kinds, units, names; /* the first `units` kinds are those of one cell */
    struct slide_kind kind[SLIDE_MAX_KINDS];
    struct slide_name name[BOARD_MAX_SYMBOLS];
    /* the name whose first cell this symbol is; BOARD_OPEN for inner cells */
    uint8_t name_of_symbol[BOARD_MAX_SYMBOLS];
    unsigned empties;              /* empty cells */
    uint8_t goal[BOARD_MAX_CELLS]; /* the goal's map, SLIDE_OPEN where a cell is open */
    bool far_moves;                /* the metric `slide`: a piece travels any way in one move */
    /* the place above, left, right, below; BOARD_NO_PLACE past the edge or at a wall */
    uint16_t neighbour[BOARD_MAX_CELLS][4];
    uint8_t kind_of[256];             /* by what stands on a place in maps and labels: slide_kind_at */
    uint16_t *cells;                  /* by kind, place and cell of the piece: slide_cells */
    unsigned ordered;                 /* one-cell pieces */
    char patterns[PATTERNS_TEXT_MAX]; /* those the definition gives (lib/families/slide/tiles/tiles.h); "" for none */

    struct order_ranking order; /* of units; with keys, of all pieces and empty cells */

    /* dense */
    bool may_be_keyed; /* the definition names boards, so that keys could be found from them */
    bool few_orders;   /* and there are few orders to a block: many blocks are better keyed */
    uint32_t blocks;
    uint8_t *labels; /* blocks * places, ascending */
    struct slide_block *block;
    struct slide_move *move;
    uint32_t *slot; /* hash table of blocks by their labels: block + 1, 0 for free; a power of two of slots */
    uint32_t slot_mask;

    struct packed *packed;    /* keyed: the fields of packed keys; NULL where they do not fit (packed.h) */
    struct wide_fields *wide; /* keyed, where they do not: those of wide.h; NULL where these do not fit either */
    bool unranked;            /* keyed, and ranks do not fit: the keys are those */

    struct assignment assignment; /* of maps: the bounds */
};

/* -- definition.c -- */

/* Reads the definition into everything of *slide above `order`, and the board. */
pdb_status slide_read(const struct definition *definition, struct slide *slide, pdb_error *error);

/* -- lib/families/slide/patterns/patterns.c -- */

/* Reads the definition's 'patterns', once all else is known. */
pdb_status slide_read_patterns(const struct node *node, struct slide *slide, pdb_error *error);

/* -- map.c -- */

/* The map of a position. With `open` it is a goal's pattern: cells may be open, pieces may be missing. PDB_BAD_BOARD
 * says which piece is wrong; *bad (may be NULL) is its place. */
pdb_status slide_map(const struct slide *slide, const uint8_t *position, bool open, uint8_t *map, unsigned *bad,
                     pdb_error *error);

/* Does the goal have what is on a map, where it is not open? */
bool slide_fits_goal(const struct slide *slide, const uint8_t *map);

/* The position of a map; names of a kind are given out in reading order. */
void slide_position(const struct slide *slide, const uint8_t *map, uint8_t *position);

/* The place that lies `row`, `column` away from a place; BOARD_NO_PLACE where none does. */
uint16_t slide_place(const struct slide *slide, uint16_t place, int row, int column);

/* Makes what slide_kind_at and slide_cells look up, once the kinds are known. Error: PDB_NO_MEMORY. */
pdb_status slide_cells_make(struct slide *slide, pdb_error *error);

/* The kind whose first cell this is on a board of labels or of maps; NULL for empty cells and other cells of large
 * pieces. (All one-cell pieces of labels are taken for the first kind: they move alike.) */
static inline const struct slide_kind *slide_kind_at(const struct slide *slide, uint8_t cell)
{
    const uint8_t kind = slide->kind_of[cell];
    return kind < SLIDE_MAX_KINDS ? &slide->kind[kind] : NULL;
}

/* The places of a piece's cells when its first cell stands at `place`; NULL where they are not all on the board. */
static inline const uint16_t *slide_cells(const struct slide *slide, const struct slide_kind *kind, uint16_t place)
{
    const size_t number = (size_t)(kind - slide->kind) * slide->puzzle.board.places + place;
    const uint16_t *cells = slide->cells + number * SLIDE_MAX_PIECE_CELLS;
    /* NOLINTNEXTLINE(*NullDereference): slide->cells is made before anything asks for it */
    return cells[0] != BOARD_NO_PLACE ? cells : NULL;
}

/* -- steps.c -- */

/* One move on a board of labels or of maps. */
struct slide_step {
    const uint8_t *cells;         /* the board afterwards */
    uint16_t place, to;           /* of the piece's first cell, before and after */
    uint8_t direction;            /* of the last cell of its way: up, left, right, down; with `step` that is the move */
    uint8_t order_from, order_to; /* a one-cell piece's positions in the order; equal for others */
};
typedef pdb_status slide_step_visitor(void *context, const struct slide_step *step, pdb_error *error);

/* Visits all moves of a board, by place and then by destination, nearest first. */
pdb_status slide_steps(const struct slide *slide, const uint8_t *cells, slide_step_visitor *visit, void *context,
                       pdb_error *error);

/* The places that a piece, taken off the board, can reach from `from` in one move, nearest first; and the direction of
 * the last cell of each way. */
unsigned slide_destinations(const struct slide *slide, const struct slide_kind *kind, const uint8_t *cells,
                            uint16_t from, uint16_t *place, uint8_t *direction);

/* How a kind of piece may travel: bit d for direction d (up, left, right, down). */
unsigned slide_directions(const struct slide_kind *kind);

/* -- symmetry.c: as the contract's keeps -- */
bool slide_keeps(const struct puzzle *puzzle, struct relabelling *symmetry);

/* -- blocks.c -- */

/* Finds the blocks, their moves, parities and colours; sets up the ranking of orders. *made is false where there are
 * too many blocks. Where no board fits the goal there are 0 of them, and nothing else is made. */
pdb_status slide_blocks_make(struct slide *slide, bool *made, pdb_error *error);
void slide_blocks_free(struct slide *slide);

/* The block with these labels; false where there is none. */
bool slide_block_find(const struct slide *slide, const uint8_t *labels, uint32_t *block);

static inline const uint8_t *slide_labels(const struct slide *slide, uint32_t block)
{
    return slide->labels + (size_t)block * slide->puzzle.board.places;
}

/* What a map's entry is in labels. */
static inline uint8_t slide_label(const struct slide *slide, uint8_t map)
{
    return map != SLIDE_EMPTY && map <= slide->units ? SLIDE_UNIT : map;
}

/* -- keys.c -- */

/* Makes the puzzle a keyed one. */
pdb_status slide_keys_make(struct slide *slide, pdb_error *error);
/* The key of a map that slide_check takes. */
uint64_t slide_key(const struct slide *slide, const uint8_t *map);
/* False, and a board of empty cells, where it is no board's key: a database's table may give any number for one. */
bool slide_key_map(const struct slide *slide, uint64_t key, uint8_t *map);

/* The sequence of a map: the class of each thing, 0 for an empty cell, k + 1 for a piece of kind k. Returns how many
 * things there are. */
unsigned slide_sequence(const struct slide *slide, const uint8_t *map, uint8_t *sequence);
/* The map of a sequence, for which all places are SLIDE_OPEN beforehand; false where it is no board's. */
bool slide_lay_sequence(const struct slide *slide, const uint8_t *sequence, unsigned things, uint8_t *map);

/* The keys one move away from each of a batch, as the contract's successors. */
size_t slide_key_successors(const struct slide *slide, const uint64_t *key, size_t count, uint64_t *next,
                            uint16_t *next_count);

/* -- places.c -- */

/* Where pieces of a kind can ever stand, setting out from the named boards: at[] by place. */
void slide_find_places(const struct slide *slide, const struct slide_kind *kind, bool *at);

/* -- packed.c -- */

/* As the contract's settle: has the search of a keyed puzzle live on packed keys, if they fit, else on those of wide.h.
 * Errors: PDB_TOO_LARGE (neither do, and ranks do not either), PDB_NO_MEMORY. */
pdb_status slide_settle(struct puzzle *puzzle, pdb_error *error);

/* The packed key of a map; false where a piece stands in none of its places. */
bool slide_pack(const struct slide *slide, const uint8_t *map, uint64_t *key);

/* The map of a packed key, for which all places are SLIDE_OPEN beforehand; false where it is no board's. */
bool slide_unpack(const struct slide *slide, uint64_t key, uint8_t *map);

/* Lays a piece down with its first cell at `place`; false where it does not fit there, for it may cover places that are
 * SLIDE_OPEN on the map. */
bool slide_lay_down(const struct slide *slide, const struct slide_kind *kind, uint16_t place, uint8_t *map);

/* -- lib/families/slide/rows/choose.c -- */

/* As the contract's rows. */
pdb_status slide_rows_make(const struct puzzle *puzzle, bool portable, const uint64_t *sample, size_t count,
                           size_t layer, struct row_kernel **out, pdb_error *error);

/* -- goals.c -- */

/* Every way to complete the goal's map with anonymous one-cell pieces: the labels of all goal blocks. Besides the
 * visitor's errors: PDB_TOO_LARGE (more than `most`, then none is visited; or too many to look through). */
typedef pdb_status slide_labels_visitor(void *context, const uint8_t *labels, pdb_error *error);
pdb_status slide_goal_labels(const struct slide *slide, uint64_t most, slide_labels_visitor *visit, void *context,
                             pdb_error *error);

/* Does any goal have these labels? */
bool slide_labels_fit_goal(const struct slide *slide, const uint8_t *labels);

/* Every order of one-cell pieces that completes a goal with these labels, in lexicographic order. */
typedef pdb_status slide_order_visitor(void *context, const uint8_t *order, pdb_error *error);
pdb_status slide_goal_orders(const struct slide *slide, const uint8_t *labels, slide_order_visitor *visit,
                             void *context, pdb_error *error);

#endif
