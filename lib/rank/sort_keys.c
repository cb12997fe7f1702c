/* sort_keys.c -- the American flag: a radix sort in place */
#include "sort_keys.h"

#include <stddef.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, FEW = 32, ALONE = 1 << 15, LARGE = 16, AHEAD = 16 };

struct item {
    uint64_t key;
    uint32_t beside;
};

struct items {
    uint64_t *key;
    uint8_t *beside;
    unsigned width;
};

static inline struct item item_at(const struct items *items, uint64_t at)
{
    struct item item = {.key = items->key[at]};
    if (items->width == 1)
        item.beside = items->beside[at];
    else if (items->width == 2)
        item.beside = ((const uint16_t *)(const void *)items->beside)[at];
    else if (items->width == 4)
        item.beside = ((const uint32_t *)(const void *)items->beside)[at];
    return item;
}

static inline void put_item(const struct items *items, uint64_t at, struct item item)
{
    items->key[at] = item.key;
    if (items->width == 1)
        items->beside[at] = (uint8_t)item.beside;
    else if (items->width == 2)
        ((uint16_t *)(void *)items->beside)[at] = (uint16_t)item.beside;
    else if (items->width == 4)
        ((uint32_t *)(void *)items->beside)[at] = item.beside;
}

static void insertion_sort(const struct items *items, uint64_t first, uint64_t end)
{
    for (uint64_t i = first + 1; i < end; i++) {
        const struct item item = item_at(items, i);
        uint64_t at = i;
        for (; at > first && items->key[at - 1] > item.key; at--)
            put_item(items, at, item_at(items, at - 1));
        put_item(items, at, item);
    }
}

static unsigned digit(uint64_t key, unsigned shift)
{
    return key >> shift & (DIGITS - 1);
}

/* Moves every item to the bucket of its digit: each cycle of the permutation is followed to its end. end[] is where
 * each bucket ends. */
static void distribute(const struct items *items, uint64_t first, uint64_t count, unsigned shift, uint64_t end[DIGITS])
{
    uint64_t begin[DIGITS], size[DIGITS] = {0};
    for (uint64_t i = first; i < first + count; i++)
        size[digit(items->key[i], shift)]++;
    uint64_t at = first;
    for (unsigned d = 0; d < DIGITS; d++) {
        begin[d] = at;
        end[d] = at += size[d];
    }
    for (unsigned d = 0; d < DIGITS; d++)
        while (begin[d] < end[d]) {
            struct item item = item_at(items, begin[d]);
            for (unsigned to = digit(item.key, shift); to != d; to = digit(item.key, shift)) {
                const struct item other = item_at(items, begin[to]);
                __builtin_prefetch(&items->key[begin[to] + AHEAD], 1);
                put_item(items, begin[to]++, item);
                item = other;
            }
            put_item(items, begin[d]++, item);
        }
}

static unsigned next_shift(unsigned shift)
{
    return shift > DIGIT_BITS ? shift - DIGIT_BITS : 0;
}

/* Sorts [first, first + count), whose keys agree in all bits from shift + DIGIT_BITS on. */
static void sort_from(const struct items *items, uint64_t first, uint64_t count, unsigned shift)
{
    if (count <= FEW) {
        insertion_sort(items, first, first + count);
        return;
    }
    uint64_t end[DIGITS];
    distribute(items, first, count, shift, end);
    for (unsigned d = 0; shift > 0 && d < DIGITS; d++) {
        const uint64_t begin = d == 0 ? first : end[d - 1];
        sort_from(items, begin, end[d] - begin, next_shift(shift));
    }
}

/* Buckets that are shared out. */
struct buckets {
    const struct items *items;
    uint64_t first, end[DIGITS], large;
    unsigned shift;
};

static uint64_t bucket_begin(const struct buckets *buckets, uint64_t d)
{
    return d == 0 ? buckets->first : buckets->end[d - 1];
}

static void sort_bucket(void *context, unsigned thread, uint64_t d)
{
    const struct buckets *buckets = context;
    const uint64_t begin = bucket_begin(buckets, d), size = buckets->end[d] - begin;
    (void)thread;
    if (size <= buckets->large)
        sort_from(buckets->items, begin, size, next_shift(buckets->shift));
}

/* The same by a team: buckets that are too large for one share are distributed once more. */
static void sort_together(const struct items *items, struct team *team, uint64_t first, uint64_t count, unsigned shift,
                          uint64_t large)
{
    struct buckets buckets = {.items = items, .first = first, .large = large, .shift = shift};
    distribute(items, first, count, shift, buckets.end);
    if (shift == 0)
        return;
    for (unsigned d = 0; d < DIGITS; d++) {
        const uint64_t begin = bucket_begin(&buckets, d), size = buckets.end[d] - begin;
        if (size > large)
            sort_together(items, team, begin, size, next_shift(shift), large);
    }
    team_run(team, DIGITS, sort_bucket, &buckets);
}

void sort_keys(uint64_t *key, uint8_t *beside, unsigned width, uint64_t count, struct team *team)
{
    const struct items items = {key, beside, width};
    uint64_t different = 0;
    for (uint64_t i = 1; i < count; i++)
        different |= key[i] ^ key[0];
    const unsigned bits = different == 0 ? 0 : 64 - (unsigned)__builtin_clzll(different);
    const unsigned shift = bits > DIGIT_BITS ? bits - DIGIT_BITS : 0;
    if (count <= ALONE)
        sort_from(&items, 0, count, shift);
    else
        sort_together(&items, team, 0, count, shift, count / LARGE);
}
