/* numbers.h -- small arithmetic and sorted numbers, which several parts need */
#ifndef LIB_NUMBERS_H
#define LIB_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* For qsort: 64-bit numbers, ascending; and structs that begin with the number that they are sorted by. */
static inline int compare_numbers(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static inline void sort_numbers(uint64_t *number, size_t count)
{
    if (count > 0)
        qsort(number, count, sizeof *number, compare_numbers);
}

/* Sorts them, and keeps one of each. Returns how many there are now. */
static inline size_t sort_unique_numbers(uint64_t *number, size_t count)
{
    size_t kept = 0;
    sort_numbers(number, count);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || number[kept - 1] != number[i])
            number[kept++] = number[i];
    return kept;
}

static inline bool is_among_sorted(const uint64_t *sorted, size_t count, uint64_t number)
{
    return count > 0 && bsearch(&number, sorted, count, sizeof number, compare_numbers) != NULL;
}

/* The place of a number that is among them. */
static inline uint64_t place_among_sorted(const uint64_t *sorted, size_t count, uint64_t number)
{
    const uint64_t *found = (const uint64_t *)bsearch(&number, sorted, count, sizeof number, compare_numbers);
    return found == NULL ? 0 : (uint64_t)(found - sorted);
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
