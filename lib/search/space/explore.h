/* explore.h -- all keys that a search reaches: the states of a puzzle without a dense ranking
 *
 * A plain breadth-first search over keys in a hash table. Where moves can be undone it sets out from the named boards
 * and follows moves: the states that can be reached from them. Where they cannot it sets out from the goals and follows
 * moves backward: the states that can reach a goal, all of them.
 */
#ifndef SEARCH_SPACE_EXPLORE_H
#define SEARCH_SPACE_EXPLORE_H

#include "lib/puzzle.h"
#include "lib/rank/keys.h"

/* Called now and then, by the calling thread, with the keys found and those expanded so far; false stops the search. */
typedef bool explore_observer(void *context, uint64_t found, uint64_t expanded);

/* The table of keys of a keyed puzzle. `memory` is the most that may be used, in bytes. Errors: PDB_TOO_LARGE (memory;
 * or no board to set out from), PDB_NO_MEMORY, PDB_INTERRUPTED, PDB_UNREACHABLE (puzzle->unordered, and there is no
 * goal). */
pdb_status explore(const struct puzzle *puzzle, unsigned threads, uint64_t memory, explore_observer *observer,
                   void *context, struct keys **out, pdb_error *error);

#endif
