/* patterns.h -- the room of pattern databases of different tiles: the parts to one another
 *
 * What a pattern, its table and an entry are is told in slide/tiles/tiles.h. Here they are written and read as text
 * (patterns.c, which has the family's functions too), chosen for a board (choose.c), built (build.c, in the space that
 * space.c lays out) and looked up (lookup.h, lookup.c). The searches that look them up are in slide/tiles; where the
 * bytes are kept is no concern of this room.
 *
 * The space that one table is searched in:
 *
 * A pattern of k tiles can stand on any set of k places; the other places hold the empty cell and tiles that all look
 * alike. The empty cell's way among these costs nothing, so all that counts of it is the *region* it is in: a part of
 * the other places that hangs together. A *block* is a set and one of its regions. In a block the tiles stand in one of
 * k! orders, which is a bitmap of k! bits, and every move takes the bitmap of a block to that of another:
 *
 *   the tile on place q goes to p, a neighbour in the region: the set is S - q + p then, and the region that of q
 *
 * The order stays as it is but for the tile itself, which goes from its position in the order to another: a *turn*. An
 * edge is such a move: its other block and its turn. Moves can be taken back, so edges into a block are those out of
 * it.
 *
 * Sets are numbered in colexicographic order (as binary numbers), blocks by set and then by the least place of the
 * region, edges by block.
 */
#ifndef FAMILIES_SLIDE_PATTERNS_PATTERNS_H
#define FAMILIES_SLIDE_PATTERNS_PATTERNS_H

#include "lib/families/slide/tiles/tiles.h"
#include "lib/team.h"

/* -- space.c -- */

/* How large the space of patterns of `size` tiles is: the same for all patterns of that size. */
struct pattern_space {
    unsigned places, size;
    uint64_t beside[TILES_MAX_PLACES];                            /* the places beside each, as a set */
    uint64_t dark;                                                /* places of one colour, as on a chessboard */
    uint64_t choose[TILES_MAX_PLACES + 1][TILES_MAX_PATTERN + 1]; /* [n][k]: the ways to choose k of n */
    uint64_t sets, blocks, edges;
    uint32_t orders; /* size! */
    size_t words;    /* of a block's bitmap */
    unsigned passed; /* how many others a tile passes at most in one move, in the order of reading */
};

/* Fills in all but `blocks`, which takes a walk over all sets: that is pattern_space_count. False where the space is
 * too large for any machine of today: edges or blocks past 32 bits. At least two places, and at most all but one
 * tiles. */
bool pattern_space_make(const struct tiles *tiles, unsigned size, struct pattern_space *space);
void pattern_space_count(struct pattern_space *space);

/* Bytes: of the table; and what building it takes besides, once the blocks are counted (before that, at least). */
uint64_t pattern_table_bytes(const struct pattern_space *space);
uint64_t pattern_build_bytes(const struct pattern_space *space);

/* The set of a rank; the one after it; the rank of a set. */
uint64_t pattern_set(const struct pattern_space *space, uint64_t rank);
uint64_t pattern_next_set(uint64_t set);
uint64_t pattern_set_rank(const struct pattern_space *space, uint64_t set);

/* Takes a region out of the places *free: what hangs together with the least of them. Returns it. */
uint64_t pattern_take_region(const struct pattern_space *space, uint64_t *free);

/* How a turn changes the rank of an order. */
struct pattern_turns {
    /* [from][to][rank % period[the lesser of both]], and 64 more; NULL for those that no move makes */
    const int32_t *change[TILES_MAX_PATTERN][TILES_MAX_PATTERN];
    uint32_t period[TILES_MAX_PATTERN];
    int32_t *memory; /* of all of them: pattern_turns_bytes, the caller's */
};

uint64_t pattern_turns_bytes(const struct pattern_space *space);
void pattern_turns_make(const struct pattern_space *space, struct team *team, struct pattern_turns *turns);

/* -- build.c -- */

/* Builds the table of one pattern into its zeroed bytes, and adds its entries to `done`, which is what the observer has
 * been told of before. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status pattern_build(const struct tiles *tiles, const struct tiles_pattern *pattern,
                         const struct pattern_work *work, uint8_t *bytes, uint64_t *done, pdb_error *error);

/* -- choose.c -- */

/* Chooses a partition whose tables can be built within `memory`; where none can, the one that needs least. */
void patterns_choose(const struct tiles *tiles, uint64_t memory, struct tiles_patterns *patterns);

#endif
