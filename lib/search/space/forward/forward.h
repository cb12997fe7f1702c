/* forward.h -- the room of searches that only know the moves out of a state, and of moves that cost
 *
 * Two things are needed, one after the other: all states, and which moves lead into each.
 *
 *   states    All indices are states where they are dense. Where states have keys, those are found that moves lead to
 *             from the named boards and the family's `starts` on (sparse/sparse.h); what they are found in is then
 *             complete. A state has a *place* from then on (expand.h).
 *   moves     Turned round, and kept (edges.h): while states are found, where that has memory, else all states are
 *             expanded again. Where every move is seen to have one that takes it back, none are kept: states with keys
 *             are measured by sparse.h as those of other puzzles are, dense ones over their successors.
 *   distances From the goals on, over the moves kept: E. W. Dijkstra's search, layer by layer, a layer being all states
 *             of one distance, with the places beyond it on piles (queue.h). Where all moves cost 1 that is
 *             breadth-first search; where they cost more, a layer may be empty.
 *
 * Where there is no memory for the moves, or for the piles, distances are found without them, which may take as many
 * expansions of all states as there are layers (sweep.c).
 *
 * The distances lie in an array (exact.h), which has for a place that is not settled the least that is known so far. It
 * is all that is kept of a search besides the keys: piles and moves are made anew from it.
 */
#ifndef SEARCH_SPACE_FORWARD_FORWARD_H
#define SEARCH_SPACE_FORWARD_FORWARD_H

#include "edges.h"
#include "lib/search/space/exact.h"
#include "queue.h"

/* The measuring of places. Made of zeros but for the first five; what it takes forward_free gives back. */
struct forward {
    struct retrograde *search;
    struct places places;
    struct exact *distance; /* as long as there are places, or longer */
    struct bins *found;     /* all moves as they were thrown while the states were found; NULL or none: they were not */
    uint64_t beside;        /* bytes that the search takes for other things, these moves left out */

    uint64_t goals;
    uint64_t waiting; /* places that have a distance and are not settled */
    struct expander expander;
    struct edges edges;
    struct queue queue;
    uint64_t *settled; /* a bit for each place, where moves cost */
    bool ready;

    bool sweeping, wider; /* without edges; a distance wants to be wider */
    uint64_t sweeps;      /* states that are no farther away than there were sweeps are settled */
    uint64_t changes;     /* distances that came down in this one */
};

/* Bytes that it takes whatever the moves are. */
uint64_t forward_bytes(const struct puzzle *puzzle, uint64_t places, unsigned threads);

/* How far the measuring is, which is kept with the distances. */
enum begun { FORWARD_NOT_BEGUN, FORWARD_IN_LAYERS, FORWARD_IN_SWEEPS };

/* Makes the edges, and layer 0 of the goals; or takes the distances for those of a search that has come as far as its
 * state says. Errors: PDB_NO_MEMORY, PDB_TOO_LARGE, PDB_BAD_DEFINITION (no goal), PDB_INTERRUPTED without
 * words: then it may be called again. */
pdb_status forward_begin(struct forward *forward, enum begun begun, struct watch *watch, pdb_error *error);

/* What is to be kept of a search that has begun. */
static inline enum begun forward_begun(const struct forward *forward)
{
    return forward->sweeping ? FORWARD_IN_SWEEPS : FORWARD_IN_LAYERS;
}

/* The next layer, as a way makes it. */
pdb_status forward_layer(struct forward *forward, struct watch *watch, bool *done, pdb_error *error);

void forward_free(struct forward *forward);

/* -- forward.c and sweep.c for one another -- */

/* Notes that so many bytes are taken for edges and queue beside all others. PDB_TOO_LARGE: they are not allowed. */
pdb_status forward_charge(struct forward *forward, unsigned width, uint64_t bytes, pdb_error *error);

/* About how many bytes it would take with edges; 0 where nobody has counted them. */
uint64_t forward_wanted(const struct forward *forward);

/* Gives a place a distance that it can take, if that is less than what it has. */
enum outcome { FORWARD_KEPT, FORWARD_LOWERED, FORWARD_REACHED };
enum outcome forward_lower(struct exact *exact, uint64_t place, uint32_t distance);

/* From now on without edges. */
void forward_begin_sweeps(struct forward *forward);

/* One sweep. Once nothing changes the distances are right, and *done is set. */
pdb_status forward_sweep(struct forward *forward, struct watch *watch, bool *done, pdb_error *error);

/* Counts the states of each distance, as many as each index stands for. */
void forward_count(struct forward *forward);

#endif
