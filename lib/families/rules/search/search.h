/* search.h -- single boards of puzzles by rules, with costs or without, and of states of any size
 *
 * A search begins as A*: states in the order of the cost so far and a lower bound of what is left, each kept. It
 * is exact, and when no state is open any more the goal cannot be reached. (P. E. Hart, N. J. Nilsson, B. Raphael,
 * "A formal basis for the heuristic determination of minimum cost paths", 1968.) At first nothing is known of what
 * is left. The first search that is not done soon makes pattern databases (lookup.h) for all that come after it,
 * and goes on with them. When its share of the memory is full, iterative deepening goes on below the states that
 * are open then (below.c).
 *
 *   mover.c    moves out of one state
 *   met.c      the states that were met, and which are open
 *   spans.c    what can be told of values of which a part is not known
 *   project.c  the definition without some variables
 *   lookup.c   its distances as lower bounds
 *   choose.c   which variables to leave out
 *   search.c   the searcher, and the first part of a search
 *   below.c    the second part
 *   tell.c     the bounds of a board, for people
 *   count.c    how many cheapest solutions there are
 */
#ifndef FAMILIES_RULES_SEARCH_H
#define FAMILIES_RULES_SEARCH_H

#include "lookup.h"
#include "lib/search/board/search.h"
#include "met.h"

#include <pthread.h>

/* Pattern databases are made in stages: the more states a search has met, the more it is worth to work on them. */
enum { RULES_STAGES = 2 };
struct rules_stage {
    uint32_t states; /* that are met before it */
    uint64_t work;   /* lookup_work.most */
};
extern const struct rules_stage rules_stages[RULES_STAGES];

struct rules_searcher {
    struct searcher searcher;
    struct mover mover;
    uint64_t memory;
    /* Made by the first search that wants them; never changed afterwards. */
    struct made_lookups {
        pthread_mutex_t making;
        bool made;
        struct lookups lookups;
    } * stage; /* [RULES_STAGES] */
};

/* The search for one board. */
struct rules_search {
    const struct rules_searcher *searcher;
    struct search_watch watch;     /* watch.limit: no solution costs less; PDB_NO_DISTANCE: there is none */
    unsigned stages;               /* that it has come to */
    const struct lookups *lookups; /* of the last of them; NULL: of none */
    struct moving moving;
    struct met states;
    uint64_t *board; /* packed */
    uint64_t nodes;  /* not yet added to the watch's */
    bool dear;       /* states were left out for no other reason than that costs are counted below PDB_NO_DISTANCE */
    /* a solution of watch.limit: `reached`, the way to it in `states`, and the `steps` packed states after that */
    bool solved;
    uint32_t reached, steps;
    uint64_t *after;
};

extern const struct searcher_class rules_searcher_class;

/* A lower bound of what is left from a packed state. */
static inline uint32_t rules_search_bound(const struct rules_search *search, const uint64_t *packed)
{
    return search->lookups == NULL ? 0 : lookups_bound(search->lookups, packed);
}

/* No solution costs less that goes through a packed state which is reached at this cost: PDB_NO_DISTANCE where there
 * is none, or none whose cost can be counted, which is noted. */
static inline uint32_t rules_search_least(struct rules_search *search, uint64_t cost, const uint64_t *packed)
{
    const uint64_t bound = rules_search_bound(search, packed), least = cost + bound;
    if (bound == PDB_NO_DISTANCE || least < PDB_NO_DISTANCE)
        return bound == PDB_NO_DISTANCE ? PDB_NO_DISTANCE : (uint32_t)least;
    search->dear = true;
    return PDB_NO_DISTANCE;
}

/* Adds what was looked at, and asks whether to go on. PDB_INTERRUPTED. */
pdb_status rules_search_poll(struct rules_search *search, pdb_error *error);

/* Takes the pattern databases of the next stage, which are made unless they are there, when as many states are met or
 * no more can be (`full`); *news is set then. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status rules_search_stage(struct rules_search *search, bool full, bool *news, pdb_error *error);

/* Expands a state. PDB_NO_MEMORY. */
pdb_status rules_search_expand(struct rules_search *search, const uint64_t *packed, pdb_error *error);

/* No states but the board, which is open; none where a value of the position is none of the puzzle's. `extra`: as
 * for met_make. Errors: PDB_TOO_LARGE (too little memory for a search), PDB_NO_MEMORY. rules_search_end in any case. */
pdb_status rules_search_begin(struct rules_search *search, const struct searcher *searcher, const uint8_t *position,
                              uint64_t memory, size_t extra, pdb_error *error);
void rules_search_end(struct rules_search *search);

/* -- below.c -- */

/* Goes on below the open states, in rounds of growing limits, until a solution is found, there is none of up to `most`,
 * or none at all. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status rules_search_below(struct rules_search *search, uint64_t memory, uint32_t most, pdb_error *error);

/* -- tell.c -- */

/* searcher_class.tell: the bounds of the pattern databases that searches have made so far */
pdb_status rules_search_tell(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds,
                             pdb_error *error);

/* -- count.c -- */

/* searcher_class.count */
pdb_status rules_search_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                              search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error);

#endif
