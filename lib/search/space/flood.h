/* flood.h -- the states that moves lead to from one state, wherever the goals are */
#ifndef SEARCH_SPACE_FLOOD_H
#define SEARCH_SPACE_FLOOD_H

#include "lib/puzzle.h"

struct flood {
    size_t states;
    uint64_t *state; /* indices, in the order in which they were found: the first state is the first of them */
    uint64_t *seen;  /* a bit a state of the puzzle */
};

/* Finds them, by a queue over the puzzle's successors. The caller frees *flood with flood_free, whatever the status.
 * Error: PDB_NO_MEMORY. */
pdb_status flood_from(const struct puzzle *puzzle, uint64_t start, struct flood *flood, pdb_error *error);
void flood_free(struct flood *flood);

#endif
