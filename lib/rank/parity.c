/* parity.c -- Gaussian elimination modulo 2 */
#include "parity.h"

struct parity_equation parity_reduce(const struct parity_equations *equations, uint64_t bits, bool sum)
{
    for (unsigned e = 0; e < equations->count; e++)
        if (bits & parity_pivot(equations, e)) {
            bits ^= equations->equation[e].bits;
            sum ^= equations->equation[e].sum;
        }
    return (struct parity_equation){bits, sum};
}

void parity_add(struct parity_equations *equations, uint64_t bits, bool sum)
{
    const struct parity_equation added = parity_reduce(equations, bits, sum);
    if (added.bits == 0) {
        equations->contradiction |= added.sum;
        return;
    }
    /* Its lowest bit becomes a pivot. Only equations whose own pivot is lower have this bit, so they keep theirs. */
    for (unsigned e = 0; e < equations->count; e++)
        if (equations->equation[e].bits & added.bits & -added.bits) {
            equations->equation[e].bits ^= added.bits;
            equations->equation[e].sum ^= added.sum;
        }
    equations->equation[equations->count++] = added;
}

uint64_t parity_solution(const struct parity_equations *equations)
{
    uint64_t solution = 0;
    for (unsigned e = 0; e < equations->count; e++)
        if (equations->equation[e].sum)
            solution |= parity_pivot(equations, e);
    return solution;
}
