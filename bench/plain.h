/* plain.h -- the search that everybody would write first, to measure beside ours: a queue, and the distances of all
 * states, one state after the other, over the family's own moves
 *
 * Distances lie in an array, by the states' numbers; where states have keys, in a hash table that doubles when it is
 * half full. There, where moves can be undone, all states are found from the named boards first, and then measured from
 * the goals among them.
 */
#ifndef BENCH_PLAIN_H
#define BENCH_PLAIN_H

#include "lib/puzzle.h"

/* Searches a whole space whose moves into a state are known. Returns the seconds that it takes; *states is how many it
 * has found. */
double plain_search(const struct puzzle *puzzle, uint64_t *states);

#endif
