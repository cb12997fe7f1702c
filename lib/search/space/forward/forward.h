/* forward.h -- the room of searches that only know the moves out of a state, and of moves that cost
 *
 * Two things are needed, one after the other: all states, and which moves lead into each.
 *
 *   states    All indices are states where they are dense. Where states have keys, those are found that moves lead to
 *             from the named boards and the family's `starts` on (sparse/sparse.h); the table of keys is then complete.
 *             A state has a *place* from then on: its index, or its key's slot.
 *   moves     All states are expanded again, and their moves kept turned round (edges.h). Where every move is seen to
 *             have one that takes it back, none are kept: states with keys are measured by sparse.h as those of other
 *             puzzles are, dense ones over their successors.
 *   distances From the goals on, over the moves kept: E. W. Dijkstra's search, layer by layer, a layer being all states
 *             of one distance, with the places beyond it on piles (queue.h). Where all moves cost 1 that is
 *             breadth-first search; where they cost more, a layer may be empty.
 *
 * The distances lie in an array (exact.h), which has for a place that is not settled the least that is known so far. It
 * is all that is kept of a search besides the keys: piles and moves are made anew from it.
 *
 * How much memory the moves take, only counting them tells: a search for which there is not as much ends then.
 */
#ifndef SEARCH_SPACE_FORWARD_FORWARD_H
#define SEARCH_SPACE_FORWARD_FORWARD_H

#include "edges.h"
#include "lib/search/space/exact.h"
#include "queue.h"

/* The measuring of places. Made of zeros but for the first four; what it takes forward_free gives back. */
struct forward {
    struct retrograde *search;
    const struct key_table *table; /* where the places are; neither: they are indices */
    const struct key_bits *bits;
    struct exact *distance; /* as long as there are places, or longer */

    uint64_t beside;  /* bytes that the search takes for other things */
    uint64_t waiting; /* places that have a distance and are not settled */
    struct expander expander;
    struct edges edges;
    struct queue queue;
    uint64_t *settled; /* a bit for each place, where moves cost */
    bool ready;
};

/* Bytes that it takes whatever the moves are. */
uint64_t forward_bytes(const struct puzzle *puzzle, uint64_t places, unsigned threads);

/* Makes the edges, and layer 0 of the goals; or where `again`, takes the distances for those of a search that has come
 * as far as its state says. Errors: PDB_NO_MEMORY, PDB_TOO_LARGE, PDB_BAD_DEFINITION (no goal), PDB_INTERRUPTED without
 * words: then it may be called again. */
pdb_status forward_begin(struct forward *forward, bool again, struct watch *watch, pdb_error *error);

/* The next layer, as a way makes it. */
pdb_status forward_layer(struct forward *forward, struct watch *watch, bool *done, pdb_error *error);

void forward_free(struct forward *forward);

#endif
