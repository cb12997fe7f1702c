/* test_masks.c -- all distances at once, a pass a mask: against plain passes */
#include "lib/search/space/masks/masks.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* -- one pass over a tile -- */

static void plain_meet(uint8_t *tile, size_t size, size_t mask)
{
    for (size_t i = 0; i < size; i++) {
        const size_t j = i ^ mask;
        const int a = tile[i], b = tile[j];
        if (i > j)
            continue;
        if (b + 1 < a)
            tile[i] = (uint8_t)(b + 1);
        if (a + 1 < b)
            tile[j] = (uint8_t)(a + 1);
    }
}

/* Distances of all kinds, none and the greatest among them. */
static void fill_random(uint8_t *tile, size_t size, uint64_t *random)
{
    const uint64_t below = random_below(random, 2) ? 256 : 4;
    for (size_t i = 0; i < size; i++)
        tile[i] = (uint8_t)(255 - random_below(random, below));
}

Test(masks, every_mask_of_small_tiles_and_some_of_large_ones)
{
    enum { MOST = 1 << 15 };
    uint8_t *tile = aligned_alloc(64, MOST), *portable = aligned_alloc(64, MOST), *plain = checked_memory(MOST, 1);
    uint64_t random = 5;
    cr_assert(tile != NULL && portable != NULL);
    for (size_t size = 64; size <= MOST; size *= 2) {
        const size_t masks = size <= 1024 ? size - 1 : 300;
        for (size_t m = 1; m <= masks; m++) {
            const size_t mask = size <= 1024 ? m : 1 + (size_t)random_below(&random, size - 1);
            fill_random(tile, size, &random);
            memcpy(portable, tile, size);
            memcpy(plain, tile, size);
            masks_meet_best()(tile, size, mask);
            masks_meet_portable(portable, size, mask);
            plain_meet(plain, size, mask);
            cr_assert(memcmp(tile, plain, size) == 0, "%zu bytes, mask %zu", size, mask);
            cr_assert(memcmp(portable, plain, size) == 0, "portable, %zu bytes, mask %zu", size, mask);
        }
    }
    free(tile);
    free(portable);
    free(plain);
}

/* -- all passes -- */

static uint64_t random_mask(uint64_t *random, unsigned bits)
{
    const uint64_t most = ((uint64_t)1 << bits) - 1;
    switch (random_below(random, 4)) {
    case 0:
        return (uint64_t)1 << random_below(random, bits); /* one bit */
    case 1:
        return most & ~(most >> (1 + random_below(random, bits))); /* high bits */
    default:
        return 1 + random_below(random, most);
    }
}

/* Any masks (alike, sums of each other), any goals. */
static void check_passes(unsigned bits, size_t masks, uint64_t goals, uint64_t *random)
{
    const size_t states = (size_t)1 << bits, size = states < MASKS_ROOM ? MASKS_ROOM : states;
    uint8_t *expected = checked_memory(size, 1), *distance = checked_memory(size, 1), *begin = checked_memory(size, 1);
    uint64_t *mask = checked_memory(masks + 1, sizeof *mask);
    memset(begin, 255, size);
    for (uint64_t i = 0; i < goals; i++)
        begin[random_below(random, states)] = 0;
    memcpy(expected, begin, size);
    for (size_t m = 0; m < masks; m++) {
        mask[m] = random_mask(random, bits);
        plain_meet(expected, states, mask[m]);
    }
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct team team = {.threads = threads};
        for (int portable = 0; portable < 2; portable++) {
            memcpy(distance, begin, size);
            const struct masks_job job = {.bits = bits,
                                          .mask = mask,
                                          .masks = masks,
                                          .meet = masks_meet_of(portable),
                                          .team = &team,
                                          .distance = distance};
            cr_assert(masks_pass(&job));
            cr_assert(memcmp(distance, expected, size) == 0, "%u bits, %zu masks, %u threads, portable %d", bits, masks,
                      threads, portable);
        }
        team_end(&team);
    }
    free(expected);
    free(distance);
    free(begin);
    free(mask);
}

Test(masks, any_number_of_bits_and_masks)
{
    static const size_t masks[] = {0, 1, 2, 7, 25, 63, 64, 65, 200};
    uint64_t random = 11;
    for (unsigned bits = 1; bits <= 18; bits++)
        for (size_t m = 0; m < COUNT(masks); m++)
            if (bits <= 14 || masks[m] == 25 || masks[m] == 65)
                check_passes(bits, masks[m], 1 + random_below(&random, 3), &random);
}

/* -- a pass between two arrays -- */

Test(masks, two_arrays_meet_as_the_halves_of_one)
{
    enum { MOST = 1 << 17 };
    uint8_t *both = aligned_alloc(64, MOST), *plain = checked_memory(MOST, 1), *begin = checked_memory(MOST, 1);
    uint64_t random = 7;
    struct team team = {.threads = 2};
    cr_assert(both != NULL);
    for (size_t size = 64; size <= MOST / 2; size *= 2)
        for (unsigned m = 0; m < 80; m++) {
            const size_t mask = m < 64 ? m : (size_t)random_below(&random, size);
            fill_random(begin, 2 * size, &random);
            memcpy(plain, begin, 2 * size);
            plain_meet(plain, 2 * size, size | mask);
            for (int portable = 0; portable < 2; portable++) {
                memcpy(both, begin, 2 * size);
                masks_pass_between(both, both + size, size, mask, masks_meet_of(portable), portable ? NULL : &team);
                cr_assert(memcmp(both, plain, 2 * size) == 0, "2 x %zu bytes, mask %zu, portable %d", size, mask,
                          portable);
            }
        }
    team_end(&team);
    free(both);
    free(plain);
    free(begin);
}

/* -- stopping -- */

struct seen {
    int calls, most;
    double last;
};

static bool stop_after(void *context, double done)
{
    struct seen *seen = context;
    cr_assert(done > seen->last && done <= 1);
    seen->last = done;
    return ++seen->calls < seen->most;
}

Test(masks, stopped_at_once)
{
    enum { BITS = 18, MASKS = 30 };
    uint8_t *distance = checked_memory((size_t)1 << BITS, 1);
    uint64_t mask[MASKS], random = 3;
    for (size_t m = 0; m < MASKS; m++)
        mask[m] = random_mask(&random, BITS);
    struct seen seen = {.most = INT32_MAX};
    const struct masks_job job = {BITS, mask, MASKS, masks_meet_best(), NULL, distance, stop_after, &seen};
    memset(distance, 255, (size_t)1 << BITS);
    cr_assert(masks_pass(&job));
    cr_assert(seen.last > 0.999 && seen.calls >= 4);
    const int all = seen.calls;
    for (int most = 1; most < all; most++) {
        seen = (struct seen){.most = most};
        cr_assert(!masks_pass(&job));
        cr_assert(seen.calls == most);
    }
    free(distance);
}
