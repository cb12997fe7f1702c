/* random.h -- numbers that look random and follow from a seed
 *
 * splitmix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators" (2014).
 */
#ifndef LIB_RANDOM_H
#define LIB_RANDOM_H

#include <stdint.h>

/* The next of the sequence whose state is *seed. */
static inline uint64_t random_next(uint64_t *seed)
{
    uint64_t x = *seed += 0x9E3779B97F4A7C15;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

/* Equally likely among 0 .. below-1: numbers from the incomplete last round are thrown away. */
static inline uint64_t random_below(uint64_t *seed, uint64_t below)
{
    const uint64_t rounds = UINT64_MAX - UINT64_MAX % below; /* NOLINT(*DivideZero): `below` is not 0 */
    uint64_t x;
    do
        x = random_next(seed);
    while (x >= rounds);
    return x % below;
}

#endif
