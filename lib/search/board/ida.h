/* ida.h -- the searcher for any puzzle: iterative deepening A* over the contract's successors and bounds
 *
 * R. E. Korf, "Depth-first iterative-deepening: an optimal admissible tree search" (1985), with a table of visited
 * states and a perimeter around the goals. It works on indices or on keys alike, with the family's bound or without
 * one.
 *
 * What it does with a board goes through stages, each for a search that has outgrown the one before (ida.c): more
 * states around the goals are listed, the states around the board are listed too, and all threads join in.
 *
 * Why the answers are right stands in ida_round.h.
 */
#ifndef SEARCH_BOARD_IDA_H
#define SEARCH_BOARD_IDA_H

#include "search.h"

/* Makes one. The puzzle, whose states must be numbered (by indices or keys), must outlive it. Error: PDB_NO_MEMORY. The
 * caller frees it with search_free. */
pdb_status ida_create(const struct puzzle *puzzle, const struct search_options *options, struct searcher **out,
                      pdb_error *error);

#endif
