/* table.h -- the tables of patterns of different tiles: the space that one is searched in, and what it costs
 *
 * A pattern of k tiles can stand on any set of k places; the other places hold the empty cell and tiles that all look
 * alike. The empty cell's way among these costs nothing, so all that counts of it is the *region* it is in: a part of
 * the other places that hangs together. A *block* is a set and one of its regions. In a block the tiles stand in one of
 * k! orders, which is a bitmap of k! bits, and every move takes the bitmap of a block to that of another:
 *
 *   the tile on place q goes to p, a neighbour in the region: the set is S - q + p then, and the region that of q
 *
 * The order stays as it is but for the tile itself, which goes from its position in the order to another: a *turn*. An
 * edge is such a move: its other block and its turn. Moves can be taken back, so edges into a block are those out of it.
 *
 * Sets are numbered in colexicographic order (as binary numbers), blocks by set and then by the least place of the
 * region, edges by block.
 */
#ifndef FAMILIES_SLIDE_PATTERNS_TABLE_H
#define FAMILIES_SLIDE_PATTERNS_TABLE_H

#include "lib/families/slide/tiles/tiles.h"

/* -- space.c -- */

/* How large the space of patterns of `size` tiles is: the same for all patterns of that size. */
struct pattern_space {
    unsigned places, size;
    uint64_t beside[TILES_MAX_PLACES];                          /* the places beside each, as a set */
    uint64_t dark;                                              /* places of one colour, as on a chessboard */
    uint64_t ways[TILES_MAX_PLACES + 1][TILES_MAX_PATTERN + 1]; /* [n][k]: to choose k of n */
    uint64_t sets, blocks, edges;
    uint32_t orders; /* size! */
    size_t words;    /* of a block's bitmap */
    unsigned passed; /* how many others a tile passes at most in one move, in the order of reading */
};

/* Fills in all but `blocks`, which takes a walk over all sets: that is pattern_space_count. False where the space is too
 * large for any machine of today: edges or blocks past 32 bits. At least two places, and at most all but one tiles. */
bool pattern_space_make(const struct tiles *tiles, unsigned size, struct pattern_space *space);
void pattern_space_count(struct pattern_space *space);

/* Bytes: of the table; and what building it takes besides, once the blocks are counted (before that, at least). */
uint64_t pattern_table_bytes(const struct pattern_space *space);
uint64_t pattern_build_bytes(const struct pattern_space *space);

/* The set of a rank; the one after it; the rank of a set. */
uint64_t pattern_set(const struct pattern_space *space, uint64_t rank);
uint64_t pattern_next_set(uint64_t set);
uint64_t pattern_set_rank(const struct pattern_space *space, uint64_t set);

/* The part of the places `free` that hangs together with `place`, one of them. */
uint64_t pattern_region(const struct pattern_space *space, uint64_t free, unsigned place);

/* -- turns.c -- */

/* How turns change the rank of an order. */
struct pattern_turns {
    /* [from][to][rank % period[the lesser of both]], and 64 more; NULL for those that no move makes */
    int32_t *change[TILES_MAX_PATTERN][TILES_MAX_PATTERN];
    uint32_t period[TILES_MAX_PATTERN];
};

uint64_t pattern_turns_bytes(const struct pattern_space *space);
/* Makes room; false where there is not enough memory. pattern_turns_free frees what there is. */
bool pattern_turns_allocate(const struct pattern_space *space, struct pattern_turns *turns);
void pattern_turns_make(const struct pattern_space *space, unsigned threads, struct pattern_turns *turns);
void pattern_turns_free(struct pattern_turns *turns);

/* -- build.c -- */

/* Builds the table of one pattern into its zeroed bytes; histogram and observer as in struct pattern_family, `done` is
 * what the observer has heard of so far. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status pattern_build(const struct tiles *tiles, const struct tiles_pattern *pattern, unsigned threads,
                         uint8_t *bytes, uint64_t *histogram, pattern_observer *observe, void *context, uint64_t *done,
                         pdb_error *error);

#endif
