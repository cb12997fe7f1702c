/* check.h -- a solved sliding puzzle held against the oracle */
#ifndef TESTS_FAMILIES_SLIDE_CHECK_H
#define TESTS_FAMILIES_SLIDE_CHECK_H

#include "model.h"

/* Everything that can be held against the oracle's table, and against itself: for every index that it has the position
 * that it says, for every position that it is a state and has the moves and the distance that the oracle says; goals,
 * colours, figures. `name` is for messages. */
void slide_check(const struct model *model, const struct oracle_table *table, const struct solved *solved,
                 const char *name);
/* A part of that: the figures, the goals, and the distance of every board that the oracle knows. */
void slide_check_distances(const struct model *model, const struct oracle_table *table, const struct solved *solved,
                           const char *name);
/* Holds the number of shortest solutions of boards of the table against the oracle's: every board if there are at most
 * `most`, else `most` of them. */
void slide_check_paths(const struct model *model, struct oracle_table *table, const struct solved *solved, size_t most,
                       const char *name);

#endif
