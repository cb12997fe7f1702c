/* starts.h -- the states that a definition says to begin with */
#ifndef FAMILIES_RULES_STARTS_H
#define FAMILIES_RULES_STARTS_H

#include "rules.h"

enum { STARTS_RUN = 256 };

/* Visits the keys of all starts in which `keep` holds, STARTS_RUN at most at a time; a run may be empty. Keys that are
 * not wide stand in word 0. They are not those of images. Stops at, and returns, the first status that is not PDB_OK.
 */
pdb_status starts_visit(const struct rules *rules, wide_visitor *visit, void *context, pdb_error *error);

/* The first state of all starts in which `keep` holds. False where there is none; *all, whether all were looked at:
 * not where that would take long. */
bool starts_find(const struct rules *rules, int32_t *state, bool *all);

#endif
