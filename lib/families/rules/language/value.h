/* value.h -- what is particular about the numbers of the language */
#ifndef FAMILIES_RULES_VALUE_H
#define FAMILIES_RULES_VALUE_H

#include "term.h"

/* Rounds down. */
static inline int64_t value_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0)); /* NOLINT(*DivideZero): nobody divides by 0 */
}

static inline int64_t value_remainder(int64_t a, int64_t b)
{
    return a - b * value_divide(a, b);
}

/* The lesser or greater of two, passing over what is none. */
static inline int32_t value_nearer(int32_t a, int32_t b, bool least)
{
    if (a == RULES_NONE || b == RULES_NONE)
        return a == RULES_NONE ? b : a;
    return (a < b) == least ? a : b;
}

#endif
