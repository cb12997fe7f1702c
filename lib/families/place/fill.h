/* fill.h -- backtracking over the assignments of a place puzzle
 *
 * What a filling has to know at any time are the sets that the groups have taken and the equations' sums; the values
 * left for a slot, its *domain*, are the complement of its groups' sets, each shifted by the slot's offset: some words'
 * work a slot. The next slot is one with the fewest values left, so that a dead end is seen as soon as some slot has
 * none. In a *full* group, one with as many slots as there are values, every value has to stand somewhere: one without
 * a slot is a dead end too, and one with a single slot goes there. Each complete assignment is reached once.
 */
#ifndef FAMILIES_PLACE_FILL_H
#define FAMILIES_PLACE_FILL_H

#include "place.h"

struct place_filling {
    const struct place *place;
    uint8_t position[PLACE_MAX_SLOTS];
    unsigned empties;
    uint8_t empty[PLACE_MAX_SLOTS]; /* the slots without a value */
    place_set taken[PLACE_MAX_GROUPS];
    place_sum sum[PLACE_MAX_EQUATIONS];

    /* Called for every complete assignment, which is in `position`; false ends the filling. NULL: they are counted. */
    bool (*visit)(struct place_filling *filling, void *context);
    /* Called every PLACE_PATIENCE nodes; false ends the filling. May be NULL. */
    bool (*look)(struct place_filling *filling, void *context);
    void *context;
    uint64_t nodes; /* assignments looked at */
    unsigned __int128 count;
};

enum { PLACE_PATIENCE = 4096 };

/* Begins at a position; false where it breaks a rule. The callbacks are set by the caller afterwards. */
bool place_begin(struct place_filling *filling, const struct place *place, const uint8_t *position);

/* The values that the groups leave for a slot without a value. */
uint64_t place_domain(const struct place_filling *filling, unsigned slot);

/* The next slot, as its place in `empty`, and its values in *values: none where the assignment cannot be completed. */
unsigned place_choose(const struct place_filling *filling, uint64_t *values);

/* Goes through all completions. False where a callback ended it. */
bool place_fill(struct place_filling *filling);

#endif
