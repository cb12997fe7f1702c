/* search.h -- searching boards of different tiles: the parts to one another
 *
 *   search.c   the searcher: roots of the iterative deepening (lib/search/board/deepen.h), and the answer
 *   lines.c    the search below a root with linear conflicts
 *   lanes.c    the search below a root with pattern databases; lib/families/slide/patterns/lookup.c finds their entries
 *   redundant.c    which sequences of moves may be left out
 *
 * All bounds here are sum of far + 2 * excess. A move changes the sum by one, so that of the moves that a board may
 * still make under a limit, `left`, and its sum of far only half the difference matters, its *room*: it falls by one
 * when a tile moves away from its goal, stays as it is when one moves nearer, and a board is passed on if its excess is
 * no more than its room. Where no moves are left such a board is the goal: its sum of far is 0.
 *
 * Parity has been looked at before, so bound and distance are both even or both odd.
 */
#ifndef FAMILIES_SLIDE_TILES_SEARCH_H
#define FAMILIES_SLIDE_TILES_SEARCH_H

#include "lib/search/board/deepen.h"
#include "lib/search/board/machine.h"
#include "tiles.h"

enum {
    TILES_UP, /* moves of the empty cell: as slide->neighbour has them */
    TILES_LEFT,
    TILES_RIGHT,
    TILES_DOWN,
    TILES_MOVES,
    TILES_REDUNDANT_MAX = 10,
    TILES_POLL_NODES = 1 << 16 /* nodes between two calls of deepen_ended: about a millisecond */
};

struct tile_root {
    uint8_t tile[TILES_MAX_PLACES]; /* on each place; anything on the empty one */
    uint8_t empty;
    uint8_t move[DEEPEN_ROOT_DEPTH]; /* that led here */
    uint16_t bound;
    uint32_t state; /* of the machine */
};

struct tile_lines;
struct tile_lookup;

struct tile_search {
    struct searcher searcher;
    struct tiles tiles;
    struct machine *machine;
    uint8_t *moves;                              /* bits: the moves that the machine lets pass in each of its states */
    uint8_t open[TILES_MAX_PLACES];              /* bits: the moves there are from each place */
    uint8_t next[TILES_MAX_PLACES][TILES_MOVES]; /* where they lead */
    uint8_t away[TILES_MAX_PLACES][TILES_MAX_PLACES]; /* [tile][place] bits: the moves of the empty cell onto this place
                                                         that take the tile on it farther away from its goal */
    struct tile_lines *lines;                         /* one of these two is there */
    struct tile_lookup *lookup;
};

/* The search for one board. */
struct tile_job {
    struct deepening deepening;
    const struct tile_search *search;
};

static inline const struct tile_search *tile_search_of(const struct deepening *deepening)
{
    return ((const struct tile_job *)deepening)->search;
}

/* -- search.c: for struct deepen_class -- */

pdb_status tile_roots(struct deepening *deepening, size_t wanted, pdb_error *error);
bool tile_expand(struct deepen_worker *worker, const void *root);
/* The next root to search below, one whose bound is within the limit; NULL where there is none. */
const struct tile_root *tile_take(struct deepen_worker *worker, size_t *number);

/* -- redundant.c -- */

/* The machine of the redundant sequences of 2 .. `length` moves, TILES_REDUNDANT_MAX at most. Error: PDB_NO_MEMORY. */
pdb_status tiles_redundant(unsigned length, struct machine **out, pdb_error *error);

/* -- lines.c -- */

pdb_status tile_lines_create(const struct tiles *tiles, struct tile_lines **out, pdb_error *error);
/* The excess of a board. */
unsigned tile_lines_excess(const struct tile_search *search, const uint8_t *tile, unsigned empty);
extern const struct deepen_class tile_lines_class;

/* -- lib/families/slide/patterns/lookup.c, lanes.c -- */

pdb_status tile_lookup_create(const struct tiles *tiles, const struct search_options *options, struct tile_lookup **out,
                              pdb_error *error);
void tile_lookup_free(struct tile_lookup *lookup);
unsigned tile_lookup_excess(const struct tile_search *search, const uint8_t *tile, unsigned empty);
/* What every sum says of a board whose sum of far is `far`, by the tiles of its patterns. PDB_NO_MEMORY. */
pdb_status tile_lookup_tell(const struct tile_search *search, const uint8_t *tile, unsigned empty, uint32_t far,
                            pdb_bounds *bounds, pdb_error *error);
extern const struct deepen_class tile_lookup_class;
/* How many images of a board are looked up besides itself, and whether all of them are reflections. */
unsigned tile_lookup_images(const struct tile_lookup *lookup, bool *reflections);

#endif
