/* perimeter.h -- all states within some number of moves of a few states: forward from a board, or backward from the
 * goals
 *
 * A breadth-first search that stops where its caller likes, and can tell the distance of every state it found. The
 * perimeter around the goals turns an iterative deepening into a search that has to come only so near: J. F.
 * Dillenburg, P. C. Nelson, "Perimeter search" (1994). One that is complete (no state is left to find) is a proof
 * besides: from a state outside no goal can be reached, or, forward, a goal outside cannot be reached.
 */
#ifndef SEARCH_BOARD_PERIMETER_H
#define SEARCH_BOARD_PERIMETER_H

#include "search.h"
#include "visited.h"

/* The states at the radius. */
struct perimeter_layer {
    uint64_t *state;
    size_t count, room;
};

struct perimeter {
    const struct puzzle *puzzle;
    bool backward;
    uint32_t radius;       /* every state within so many moves is in it */
    bool complete;         /* no state is further away */
    bool full;             /* it cannot grow: memory */
    uint64_t states;       /* within the radius */
    struct visited number; /* of each state its distance; those past the radius don't count */
    struct perimeter_layer layer;
    uint64_t layer_max; /* states that one may have */
    uint64_t previous;  /* the states of the layer before it */
    uint64_t generated; /* by the last perimeter_grow: neighbours of the layer that it began with */
};

/* An empty perimeter. Errors: PDB_TOO_LARGE (memory), PDB_NO_MEMORY. The caller frees it with perimeter_free, which
 * takes one that was only zeroed too. */
pdb_status perimeter_create(struct perimeter *perimeter, const struct puzzle *puzzle, bool backward, uint64_t memory,
                            pdb_error *error);
void perimeter_free(struct perimeter *perimeter);

/* Adds states to begin with. Error: PDB_TOO_LARGE (no room: the perimeter is of no use). */
pdb_status perimeter_begin(struct perimeter *perimeter, const uint64_t *state, size_t count, pdb_error *error);

/* What one more layer is likely to take: states in all, or neighbours to look at, four of which count as a state. */
double perimeter_estimate(const struct perimeter *perimeter);

/* One more layer, or `complete` or `full` is set. `watch` (NULL: none) is asked whether to go on; what is generated is
 * not added to its nodes. Errors: PDB_INTERRUPTED, PDB_NO_MEMORY. */
pdb_status perimeter_grow(struct perimeter *perimeter, struct search_watch *watch, pdb_error *error);
/* Layers until the next would have more than so many states, or there are no more. */
pdb_status perimeter_grow_to(struct perimeter *perimeter, uint64_t states, struct search_watch *watch,
                             pdb_error *error);

/* Is the state within the radius (then *distance is how far)? Thread-safe while the perimeter does not grow. */
bool perimeter_find(const struct perimeter *perimeter, uint64_t state, uint32_t *distance);

#endif
