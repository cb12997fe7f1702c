/* parity.h -- linear equations modulo 2 in up to 64 unknowns, solved as they are added
 *
 * An equation is the unknowns whose sum it gives, a bit each, and that sum. The equations kept are in reduced echelon
 * form: the lowest bit of each, its *pivot*, is in no other one. What they are does not depend on the order in which
 * equations were added.
 */
#ifndef RANK_PARITY_H
#define RANK_PARITY_H

#include <stdbool.h>
#include <stdint.h>

struct parity_equation {
    uint64_t bits;
    bool sum;
};

struct parity_equations { /* begins as zeros */
    unsigned count;
    bool contradiction; /* an equation without unknowns says that 0 is 1 */
    struct parity_equation equation[64];
};

static inline uint64_t parity_pivot(const struct parity_equations *equations, unsigned e)
{
    return equations->equation[e].bits & -equations->equation[e].bits;
}

/* What an equation says besides those known: no pivot is left in it. */
struct parity_equation parity_reduce(const struct parity_equations *equations, uint64_t bits, bool sum);

void parity_add(struct parity_equations *equations, uint64_t bits, bool sum);

/* The solution in which all unknowns but the pivots are 0, where there is no contradiction. */
uint64_t parity_solution(const struct parity_equations *equations);

#endif
