/* distance.h -- exact distances from residues, and what follows from them: best moves, paths, how many paths
 *
 * A residue tells which neighbours are one nearer to the goal, so walking down from neighbour to neighbour and counting the steps gives the distance. Batches
 * walk side by side, so that their look-ups overlap.
 *
 * All functions are thread-safe. Besides what is said, all return the errors of the values' source, and PDB_DAMAGED where the residues contradict themselves.
 */
#ifndef SEARCH_DISTANCE_H
#define SEARCH_DISTANCE_H

#include "values.h"

enum { DISTANCE_NONE = UINT32_MAX }; /* the goal cannot be reached */

/* The distances of `count` states; DISTANCE_NONE for those that cannot reach a goal. Errors: PDB_NO_MEMORY. */
pdb_status distance_get(const struct values *values, const uint64_t *index, size_t count, uint32_t *distance,
                        pdb_error *error);

/* The distances of neighbours (one move away, in either direction) of a state whose distance is known: a look-up each. */
pdb_status distance_near(const struct values *values, uint32_t distance, const uint64_t *neighbour, size_t count,
                         uint32_t *near, pdb_error *error);

/* How many different shortest move sequences lead from a state at this distance to a goal. Errors: PDB_NO_MEMORY; PDB_TOO_LARGE (2^127 or more of them). */
pdb_status distance_count_paths(const struct values *values, uint64_t index, uint32_t distance, unsigned __int128 *paths,
                                pdb_error *error);

#endif
