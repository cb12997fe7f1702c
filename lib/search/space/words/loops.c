/* loops.c -- the loops over a group's words that the engine runs itself, compiled for vectors and in plain C */
#include "inner.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

ALWAYS_INLINE bool unvisited_loop(const uint64_t *const planes_of[3], unsigned planes, size_t words, uint64_t full,
                                  uint64_t last, uint64_t *restrict want)
{
    const uint64_t *plane = planes_of[0], *second = planes_of[1], *third = planes_of[planes - 1];
    const size_t end = words - 1;
    uint64_t any = want[end] = last & ~(plane[end] | second[end] | third[end]);
    if (planes == 2)
        for (size_t w = 0; w < end; w++)
            any |= want[w] = full & ~(plane[w] | second[w]);
    else
        for (size_t w = 0; w < end; w++)
            any |= want[w] = full & ~(plane[w] | second[w] | third[w]);
    return any != 0;
}

ALWAYS_INLINE uint64_t add_loop(uint64_t *restrict plane, uint64_t *restrict found, const uint64_t *restrict want,
                                size_t words)
{
    uint64_t count = 0;
    for (size_t w = 0; w < words; w++)
        plane[w] |= found[w] &= want[w];
    for (size_t w = 0; w < words; w++)
        count += (unsigned)__builtin_popcountll(found[w]);
    return count;
}

static bool unvisited_portable(const uint64_t *const plane[3], unsigned planes, uint32_t words, uint64_t full,
                               uint64_t last, uint64_t *want)
{
    return unvisited_loop(plane, planes, words, full, last, want);
}

static uint64_t add_portable(uint64_t *plane, uint64_t *found, const uint64_t *want, uint32_t words)
{
    return add_loop(plane, found, want, words);
}

static const struct layer_loops in_plain_c = {unvisited_portable, add_portable};

#ifdef __x86_64__
#define AVX2 __attribute__((target("avx2,popcnt")))

AVX2 static bool unvisited_avx2(const uint64_t *const plane[3], unsigned planes, uint32_t words, uint64_t full,
                                uint64_t last, uint64_t *want)
{
    return unvisited_loop(plane, planes, words, full, last, want);
}

AVX2 static uint64_t add_avx2(uint64_t *plane, uint64_t *found, const uint64_t *want, uint32_t words)
{
    return add_loop(plane, found, want, words);
}

static const struct layer_loops with_avx2 = {unvisited_avx2, add_avx2};
#endif

const struct layer_loops *layer_loops(bool portable)
{
#ifdef __x86_64__
    if (!portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt"))
        return &with_avx2;
#endif
    (void)portable;
    return &in_plain_c;
}
