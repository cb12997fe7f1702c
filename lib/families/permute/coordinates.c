/* coordinates.c -- an orbit's state: from coordinates to the classes and twists of its places, and back */
#include "permute.h"

#include <string.h>

/* -- orders -- */

uint64_t permute_rank_order(const struct permute_orbit *orbit, const uint8_t *class, uint64_t *far)
{
    uint8_t near[BOARD_MAX_CELLS], rest[BOARD_MAX_CELLS];
    unsigned left_over = 0;
    for (unsigned i = 0; i < orbit->places; i++) {
        near[i] = class[i] < orbit->split ? class[i] : (uint8_t)orbit->split;
        if (class[i] >= orbit->split)
            rest[left_over++] = (uint8_t)(class[i] - orbit->split);
    }
    *far = multiset_rank(&orbit->far, rest);
    return multiset_rank(&orbit->near, near);
}

void permute_unrank_order(const struct permute_orbit *orbit, uint64_t near, uint64_t far, uint8_t *class)
{
    uint8_t rest[BOARD_MAX_CELLS];
    unsigned left_over = 0;
    multiset_unrank(&orbit->near, near, class);
    multiset_unrank(&orbit->far, far, rest);
    for (unsigned i = 0; i < orbit->places; i++)
        if (class[i] == orbit->split)
            class[i] = (uint8_t)(orbit->split + rest[left_over++]);
}

unsigned permute_order_parity(const struct permute_orbit *orbit, uint64_t near, uint64_t far)
{
    if (orbit->near_parity != NULL)
        return orbit->near_parity[near] ^ orbit->far_parity[far];
    uint8_t class[BOARD_MAX_CELLS];
    permute_unrank_order(orbit, near, far, class);
    return order_parity(orbit->places, class);
}

/* -- twists -- */

uint64_t permute_rank_twist(const struct permute_orbit *orbit, const uint8_t *twist)
{
    const unsigned last = orbit->places - 1u;
    uint64_t rank = 0;
    if (orbit->modulus == 1)
        return 0;
    for (unsigned i = 0; i < last; i++)
        rank = rank * orbit->modulus + twist[i];
    return rank * (orbit->modulus / orbit->divisor) + twist[last] / orbit->divisor;
}

void permute_unrank_twist(const struct permute_orbit *orbit, uint64_t rank, uint8_t *twist)
{
    const unsigned last = orbit->places - 1u, steps = orbit->modulus / orbit->divisor;
    const unsigned last_step = (unsigned)(rank % steps);
    unsigned sum = 0;
    rank /= steps;
    for (unsigned i = last; i-- > 0;) {
        twist[i] = (uint8_t)(rank % orbit->modulus);
        rank /= orbit->modulus;
        sum += twist[i];
    }
    /* The last twist is its digit times the divisor, and what the sum lacks to leave the residue. */
    const unsigned lacking = (orbit->residue + orbit->divisor - sum % orbit->divisor) % orbit->divisor;
    twist[last] = (uint8_t)(last_step * orbit->divisor + lacking);
}

/* -- all of a state -- */

/* Division of short numbers is several times as fast. */
static uint64_t quotient(uint64_t a, uint64_t b)
{
    return (a | b) >> 32 == 0 ? (uint32_t)a / (uint32_t)b : a / b;
}

void permute_decode(const struct permute *permute, uint64_t index, struct permute_coordinates *at)
{
    /* The index is a number in mixed radix: of each orbit near, far and twist, the first orbit counting most. */
    for (unsigned o = 0; o < permute->moving; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        const uint64_t state = orbit->weight == 1 ? index : quotient(index, orbit->weight);
        index -= state * orbit->weight;
        const uint64_t order = orbit->twists == orbit->size ? 0
                               : orbit->twists == 1         ? state
                                                            : quotient(state, orbit->twists);
        at[o].twist = state - order * orbit->twists;
        at[o].near = orbit->far_orders == 1 ? order : quotient(order, orbit->far_orders);
        at[o].far = order - at[o].near * orbit->far_orders;
    }
    /* Of a halved orbit the far orders 2r and 2r + 1 have the number r: it is the one with which the parity comes out
     * as those of the other orbits, all before this one, say. */
    for (unsigned o = 0; o < permute->moving; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        if (!orbit->halved)
            continue;
        at[o].far *= 2;
        unsigned odd = permute_order_parity(orbit, at[o].near, at[o].far);
        for (uint32_t others = orbit->parity_of; others != 0; others &= others - 1) {
            const unsigned other = (unsigned)__builtin_ctz(others);
            odd ^= permute_order_parity(&permute->orbit[other], at[other].near, at[other].far);
        }
        at[o].far += odd;
    }
}
