/* project.h -- a definition with some elements of the state left out
 *
 * What is left is a definition of its own, over the elements that are kept, of which every state stands for all states
 * of the whole that agree with it in these. Whatever may hold counts as holding (spans.h), and an assignment to an
 * element left out is left out. So every move of the whole is a move of what is left that costs no more, or changes
 * nothing there, and every goal is a goal: distances in what is left are lower bounds of those in the whole. (J. C.
 * Culberson, J. Schaeffer, "Pattern databases", 1998; S. Edelkamp, "Planning with pattern databases", 2001.)
 *
 * A move that assigns what depends on elements left out becomes several, one for each of their values or, where these
 * are too many, of the assigned element's.
 */
#ifndef FAMILIES_RULES_PROJECT_H
#define FAMILIES_RULES_PROJECT_H

#include "spans.h"

/* Makes out->dag, ground, layout and element of the elements in the set `kept`; the rest of *out, zeroed before, is
 * left alone. Keys are sums of products, and all of them are states. *work is how many values may be worked out
 * for it, and then how many were. Errors: PDB_NO_DATABASE (that is not enough, or there would be too many moves, or
 * none), PDB_NO_MEMORY. project_free in any case. */
pdb_status project(const struct needs *needs, const uint64_t *kept, uint64_t *work, struct rules *out,
                   pdb_error *error);
void project_free(struct rules *out);

/* How many values an element may have, by its range. */
static inline uint64_t project_range(const struct rules *rules, uint32_t element)
{
    return (uint64_t)((int64_t)rules->element[element].hi - rules->element[element].lo + 1);
}

static inline bool set_has(const uint64_t *set, uint32_t element)
{
    return set[element / 64] >> element % 64 & 1;
}

#endif
