/* numbers.h -- small arithmetic that several parts need */
#ifndef LIB_NUMBERS_H
#define LIB_NUMBERS_H

#include <stdint.h>

/* For qsort: 64-bit numbers, ascending. */
static inline int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The greatest common divisor of two numbers; 0 is divided by all. */
static inline unsigned common_divisor(unsigned a, unsigned b)
{
    while (b != 0) {
        const unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Bit i of `bits` goes to the i-th bit that is set in `mask`; what it has no bit for is dropped. */
static inline uint64_t spread_bits(uint64_t bits, uint64_t mask)
{
    uint64_t result = 0;
    for (; mask != 0 && bits != 0; mask &= mask - 1, bits >>= 1)
        if (bits & 1)
            result |= mask & -mask;
    return result;
}

#endif
