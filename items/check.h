/* check.h -- does a puzzle without moves keep its contract (items.h)? One checker for all families
 *
 *   building   one thread and several build the same bytes and figures, which the family accepts
 *   figures    the histogram's sum is the number of items, and the list of the hardest is in order
 *   questions  every item, asked for by its text, has a distance
 *   histogram  these distances are those of the histogram, and the hardest items are those listed
 *   texts      no two items have the same
 *
 * Of more than 100,000 items some, evenly spaced, are asked for, up to that many.
 */
#ifndef ITEMS_CHECK_H
#define ITEMS_CHECK_H

#include "items.h"

/* Called now and then, by the calling thread, with the items asked of all (0: not known yet); false stops the check. */
typedef bool items_check_observer(void *context, uint64_t done, uint64_t all);

struct items_check_limits {
    unsigned threads;
    uint64_t memory;                /* bytes that building may take */
    items_check_observer *observer; /* may be NULL */
    void *context;
};

/* Checks a puzzle; *asked is how many items were asked for, *all whether these are all there are. Errors:
 * PDB_BROKEN_RULES (the message names the rule, and what was found), PDB_NO_MEMORY, PDB_INTERRUPTED, and whatever else
 * the family's own functions return. */
pdb_status items_check(const struct items_puzzle *puzzle, const struct items_check_limits *limits, uint64_t *asked,
                       bool *all, pdb_error *error);

#endif
