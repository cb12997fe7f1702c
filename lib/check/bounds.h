/* bounds.h -- are a puzzle's lower bounds admissible? The checker's third part */
#ifndef CHECK_BOUNDS_H
#define CHECK_BOUNDS_H

#include "check.h"

/* Goes back from the goals given, layer by layer: a state met in layer m is m moves from a goal at most, so its bound
 * is no more than m, and 0 for goals. In a space of up to some hundred thousand states all layers are whole, and m is
 * the distance; layers that are too large are thinned out. `all`: what the observer is told. Errors: PDB_BROKEN_RULES,
 * PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status bounds_check(const struct puzzle *puzzle, const struct check_limits *limits, const uint64_t *goal,
                        size_t goals, uint64_t all, pdb_error *error);

#endif
