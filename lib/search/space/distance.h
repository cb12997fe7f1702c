/* distance.h -- distances from what is kept of them, and what follows: best moves, paths, how many paths
 *
 * Where moves can be undone, residues are kept. A residue tells which neighbours are one nearer to the goal, so walking
 * down from neighbour to neighbour and counting the steps gives the distance. Batches walk side by side, so that their
 * look-ups overlap. Where moves cannot be undone, distances themselves are kept, and are read.
 *
 * All functions are thread-safe. Besides what is said, all return the errors of the values' source, PDB_DAMAGED where
 * the residues contradict themselves, and PDB_INTERRUPTED where the values' observer said so.
 */
#ifndef SEARCH_SPACE_DISTANCE_H
#define SEARCH_SPACE_DISTANCE_H

#include "values.h"

/* Distances that were found, of some states of these values: of those that a slot is for, whichever came last. Where
 * many states are asked for their distances, one after another, their walks end where an earlier one was: then each
 * is a step or two long. It takes at most so many bytes, of which there are 16 or more. False where memory is short,
 * or a slot has no room for the names of so many states. */
struct distance_memo {
    uint64_t *slot;
    unsigned state_bits, bits; /* of a state's number, and of a slot's */
};
bool distance_memo_create(struct distance_memo *memo, const struct values *values, uint64_t bytes);
void distance_memo_free(struct distance_memo *memo);

/* The distances of `count` states; DISTANCE_NONE for those that cannot reach a goal. Errors: PDB_NO_MEMORY. */
pdb_status distance_get(const struct values *values, const uint64_t *index, size_t count, uint32_t *distance,
                        pdb_error *error);

/* Can the state reach a goal? Costs one look-up. */
pdb_status distance_exists(const struct values *values, uint64_t index, bool *exists, pdb_error *error);

/* The distances of neighbours of a state whose distance is known (and not DISTANCE_NONE): a look-up each. Neighbours
 * are one move away, in either direction where moves can be undone, else one move out of the state; then DISTANCE_NONE
 * may be among them. A move is best where the neighbour's distance is less by what the move costs. */
pdb_status distance_near(const struct values *values, uint32_t distance, const uint64_t *neighbour, size_t count,
                         uint32_t *near, pdb_error *error);

/* How many different shortest move sequences lead from a state at this distance to a goal; of those that
 * are the same moves in another order one counts, where the order does not matter (puzzle->unordered). Errors:
 * PDB_NO_MEMORY; PDB_TOO_LARGE (2^127 or more of them, or more than values->memory). */
pdb_status distance_count_paths(const struct values *values, uint64_t index, uint32_t distance,
                                unsigned __int128 *paths, pdb_error *error);

/* The same, and how many moves there are, in the mean, at the states that those paths lead through, each taken once and
 * the goals left out; where the order of moves does not matter, of the moves that come first in it. 0 for a goal. */
pdb_status distance_grade_paths(const struct values *values, uint64_t index, uint32_t distance,
                                unsigned __int128 *paths, double *branching, pdb_error *error);

#endif
