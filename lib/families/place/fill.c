/* fill.c -- backtracking over the assignments of a place puzzle
 *
 * What a filling has to know at any time are the sets that the groups have taken and the equations' sums; the values
 * left for a slot, its *domain*, are the complement of its groups' sets, each shifted by the slot's offset: some words'
 * work a slot. The next slot is one with the fewest values left, so that a dead end is seen as soon as some slot has
 * none. In a *full* group, one with as many slots as there are values, every value has to stand somewhere: one without
 * a slot is a dead end too, and one with a single slot goes there. Each complete assignment is reached once.
 */
#include "place.h"

#include <string.h>

/* -- what is known at a node -- */

/* Puts a value into an empty slot (`sign` is 1), or takes it out again (-1). Every group of the slot has its bit turned
 * over, so what is taken twice is given back. */
static inline void change(struct place_filling *filling, unsigned slot, unsigned value, int sign)
{
    const struct place *place = filling->place;
    for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
        filling->taken[place->member[m].group] ^= (place_set)1 << (value + place->member[m].offset);
    for (unsigned e = 0; e < place->equations; e++)
        filling->sum[e] += place->equation[e].coefficient[slot] * (sign * (int)value);
    filling->position[slot] = (uint8_t)(sign > 0 ? value + 1 : 0);
}

uint64_t place_domain(const struct place_filling *filling, unsigned slot)
{
    const struct place *place = filling->place;
    uint64_t domain = place->allowed[slot];
    for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
        domain &= ~(uint64_t)(filling->taken[place->member[m].group] >> place->member[m].offset);
    return domain;
}

bool place_begin(struct place_filling *filling, const struct place *place, const uint8_t *position)
{
    memset(filling, 0, sizeof *filling);
    filling->place = place;
    for (unsigned slot = 0; slot < place->slots; slot++) {
        if (position[slot] == 0) {
            filling->empty[filling->empties++] = (uint8_t)slot;
            continue;
        }
        if ((place_domain(filling, slot) >> (position[slot] - 1) & 1) == 0)
            return false;
        change(filling, slot, position[slot] - 1u, 1);
    }
    return place_equations_hold(place, position);
}

/* -- which slot is next -- */

/* The same where there are equations: they narrow the domains down, and among slots with equally few values one further
 * to the right in them is better, for its column's carry is sooner known. */
static unsigned choose_letter(const struct place_filling *filling, uint64_t *values)
{
    const struct place *place = filling->place;
    uint64_t domain[PLACE_MAX_BASE], empty = 0;
    for (unsigned i = 0; i < filling->empties; i++) {
        domain[filling->empty[i]] = place_domain(filling, filling->empty[i]);
        empty |= (uint64_t)1 << filling->empty[i];
    }
    *values = 0;
    for (unsigned e = 0; e < place->equations; e++)
        if (!place_equation_filter(&place->equation[e], empty, filling->sum[e], domain))
            return 0;
    unsigned best = 0, best_score = UINT32_MAX;
    for (unsigned i = 0; i < filling->empties; i++) {
        const unsigned slot = filling->empty[i];
        unsigned column = 0;
        while (column <= place->equation->columns && (place->equation->low[column] >> slot & 1) == 0)
            column++;
        const unsigned score = (unsigned)__builtin_popcountll(domain[slot]) * (PLACE_MAX_COLUMNS + 2) + column;
        if (score < best_score) {
            best = i;
            best_score = score;
        }
    }
    *values = domain[filling->empty[best]];
    return best;
}

/* The values that the empty slots of each group may still have: any of them, and more than one. */
struct reach {
    uint64_t once[PLACE_MAX_GROUPS], twice[PLACE_MAX_GROUPS];
};

static void note_reach(const struct place *place, unsigned slot, uint64_t domain, struct reach *reach)
{
    for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++) {
        const unsigned group = place->member[m].group;
        reach->twice[group] |= reach->once[group] & domain;
        reach->once[group] |= domain;
    }
}

static bool is_member(const struct place *place, unsigned slot, unsigned group)
{
    for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
        if (place->member[m].group == group)
            return true;
    return false;
}

/* A slot that is the only one left for some value of a full group; *values is that value, or none where a value has no
 * slot at all. False where there is neither. */
static bool find_only_slot(const struct place_filling *filling, const struct reach *reach, unsigned *at,
                           uint64_t *values)
{
    const struct place *place = filling->place;
    for (unsigned group = 0; group < place->groups; group++) {
        if (!place->full[group])
            continue;
        const uint64_t all = UINT64_MAX >> (64 - place->values), only = reach->once[group] & ~reach->twice[group];
        *at = 0;
        *values = 0;
        if ((all & ~(reach->once[group] | (uint64_t)filling->taken[group])) != 0)
            return true;
        for (; only != 0; ++*at)
            if (is_member(place, filling->empty[*at], group) &&
                (*values = place_domain(filling, filling->empty[*at]) & only & -only) != 0)
                return true;
    }
    return false;
}

unsigned place_choose(const struct place_filling *filling, uint64_t *values)
{
    const struct place *place = filling->place;
    if (place->equations > 0)
        return choose_letter(filling, values);
    struct reach reach;
    unsigned best = 0;
    int fewest = PLACE_MAX_VALUES + 1;
    memset(reach.once, 0, place->groups * sizeof *reach.once);
    memset(reach.twice, 0, place->groups * sizeof *reach.twice);
    *values = 0;
    for (unsigned i = 0; i < filling->empties; i++) {
        const uint64_t domain = place_domain(filling, filling->empty[i]);
        const int count = __builtin_popcountll(domain);
        note_reach(place, filling->empty[i], domain, &reach);
        if (count >= fewest)
            continue;
        best = i;
        fewest = count;
        *values = domain;
        if (count <= 1)
            return i;
    }
    unsigned only;
    uint64_t value;
    if (!find_only_slot(filling, &reach, &only, &value))
        return best;
    *values = value;
    return only;
}

/* -- filling -- */

bool place_fill(struct place_filling *filling)
{
    if (++filling->nodes % PLACE_PATIENCE == 0 && filling->look != NULL && !filling->look(filling, filling->context))
        return false;
    if (filling->empties == 0) {
        filling->count++;
        return filling->visit == NULL || filling->visit(filling, filling->context);
    }
    /* Which slot is next, and what it may have: nothing at a dead end. */
    uint64_t values;
    const unsigned at = place_choose(filling, &values), slot = filling->empty[at];
    /* Of the last slot every value completes the assignment; who only counts need not try them. */
    if (filling->empties == 1 && filling->visit == NULL) {
        filling->count += (unsigned)__builtin_popcountll(values);
        return true;
    }
    /* Each value is put in and all below is filled. The slot is off the list meanwhile: the last one has its place. */
    bool go_on = true;
    filling->empty[at] = filling->empty[--filling->empties];
    for (; values != 0 && go_on; values &= values - 1) {
        const unsigned value = (unsigned)__builtin_ctzll(values);
        change(filling, slot, value, 1);
        go_on = place_fill(filling);
        change(filling, slot, value, -1);
    }
    filling->empties++;
    filling->empty[at] = (uint8_t)slot;
    return go_on;
}
