/* sort_keys.c -- a radix sort from the top, in place
 *
 * Many items are distributed by the topmost digit in which they differ, in place: the American flag. Once a bucket has
 * no more than SMALL it is sorted by its two topmost digits at once, the lower one first, from its own memory into a
 * little beside and back. What agrees in these is few, and inserted.
 */
#include "sort_keys.h"

#include <stddef.h>

enum {
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    FEW = 32,
    SMALL = 1 << 12,
    ALONE = 1 << 15,
    LARGE = 16,
    AHEAD = 16,
    SHARES = 16
};

struct item {
    uint64_t key;
    uint32_t beside;
};

struct items {
    uint64_t *key;
    uint8_t *beside;
    unsigned width;
};

/* What moves items is made anew, by inlining, for each width, and has the arrays at hand: a byte that is written might
 * else be part of where they lie. */
#define ALWAYS_INLINE __attribute__((always_inline)) static inline

ALWAYS_INLINE struct item item_at(struct items items, uint64_t at)
{
    struct item item = {.key = items.key[at]};
    if (items.width == 1)
        item.beside = items.beside[at];
    else if (items.width == 2)
        item.beside = ((const uint16_t *)(const void *)items.beside)[at];
    else if (items.width == 4)
        item.beside = ((const uint32_t *)(const void *)items.beside)[at];
    return item;
}

ALWAYS_INLINE void put_item(struct items items, uint64_t at, struct item item)
{
    items.key[at] = item.key;
    if (items.width == 1)
        items.beside[at] = (uint8_t)item.beside;
    else if (items.width == 2)
        ((uint16_t *)(void *)items.beside)[at] = (uint16_t)item.beside;
    else if (items.width == 4)
        ((uint32_t *)(void *)items.beside)[at] = item.beside;
}

ALWAYS_INLINE void insert_all(struct items items, uint64_t first, uint64_t end)
{
    for (uint64_t i = first + 1; i < end; i++) {
        const struct item item = item_at(items, i);
        uint64_t at = i;
        for (; at > first && items.key[at - 1] > item.key; at--)
            put_item(items, at, item_at(items, at - 1));
        put_item(items, at, item);
    }
}

static void insertion_sort(const struct items *items, uint64_t first, uint64_t end)
{
    if (items->width == 0)
        insert_all((struct items){items->key, NULL, 0}, first, end);
    else if (items->width == 1)
        insert_all((struct items){items->key, items->beside, 1}, first, end);
    else
        insert_all(*items, first, end);
}

static inline unsigned digit(uint64_t key, unsigned shift)
{
    return key >> shift & (DIGITS - 1);
}

/* Moves every item to the bucket of its digit: each cycle of the permutation is followed to its end. begin[] and end[]
 * are where each bucket does. */
ALWAYS_INLINE void move_all(struct items items, unsigned shift, uint64_t begin[DIGITS], const uint64_t end[DIGITS])
{
    for (unsigned d = 0; d < DIGITS; d++)
        while (begin[d] < end[d]) {
            struct item item = item_at(items, begin[d]);
            for (unsigned to = digit(item.key, shift); to != d; to = digit(item.key, shift)) {
                const struct item other = item_at(items, begin[to]);
                __builtin_prefetch(&items.key[begin[to] + AHEAD], 1);
                put_item(items, begin[to]++, item);
                item = other;
            }
            put_item(items, begin[d]++, item);
        }
}

static void move_items(const struct items *items, unsigned shift, uint64_t begin[DIGITS], const uint64_t end[DIGITS])
{
    if (items->width == 0)
        move_all((struct items){items->key, NULL, 0}, shift, begin, end);
    else if (items->width == 1)
        move_all((struct items){items->key, items->beside, 1}, shift, begin, end);
    else
        move_all(*items, shift, begin, end);
}

/* Distributes items among buckets; end[] is where each of these ends. */
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
    move_items(items, shift, begin, end);
}

static unsigned digit_shift(uint64_t different, unsigned digit_bits)
{
    const unsigned bits = different == 0 ? 0 : 64 - (unsigned)__builtin_clzll(different);
    return bits > digit_bits ? bits - digit_bits : 0;
}

/* Where the topmost digits, so many bits of them, begin in which any of the keys differ. */
static unsigned top_shift(const uint64_t *key, uint64_t count, unsigned digit_bits)
{
    uint64_t different = 0;
    for (uint64_t i = 1; i < count; i++)
        different |= key[i] ^ key[0];
    return digit_shift(different, digit_bits);
}

/* Sorts items by two digits: from `items` to `beside` by the lower one, and back by the upper one. */
ALWAYS_INLINE void move_twice(struct items items, struct items beside, uint64_t count, unsigned shift)
{
    uint32_t low[DIGITS] = {0}, high[DIGITS] = {0};
    for (uint64_t i = 0; i < count; i++) {
        low[digit(items.key[i], shift)]++;
        high[digit(items.key[i], shift + DIGIT_BITS)]++;
    }
    for (uint32_t d = 0, below_low = 0, below_high = 0; d < DIGITS; d++) {
        const uint32_t in_low = low[d], in_high = high[d];
        low[d] = below_low;
        high[d] = below_high;
        below_low += in_low;
        below_high += in_high;
    }
    for (uint64_t i = 0; i < count; i++)
        put_item(beside, low[digit(items.key[i], shift)]++, item_at(items, i));
    for (uint64_t i = 0; i < count; i++)
        put_item(items, high[digit(beside.key[i], shift + DIGIT_BITS)]++, item_at(beside, i));
}

static void sort_from(const struct items *items, uint64_t first, uint64_t count);

/* Sorts no more than SMALL items: by two digits, and what agrees in these by itself. */
static void sort_small(const struct items *items, uint64_t first, uint64_t count)
{
    uint64_t key[SMALL];
    _Alignas(uint32_t) uint8_t beside[SMALL * sizeof(uint32_t)];
    uint8_t *at = items->width == 0 ? NULL : items->beside + first * items->width;
    const struct items from = {items->key + first, at, items->width};
    const unsigned shift = top_shift(from.key, count, 2 * DIGIT_BITS);
    if (items->width == 0)
        move_twice((struct items){from.key, NULL, 0}, (struct items){key, NULL, 0}, count, shift);
    else if (items->width == 1)
        move_twice((struct items){from.key, from.beside, 1}, (struct items){key, beside, 1}, count, shift);
    else
        move_twice(from, (struct items){key, beside, items->width}, count, shift);
    for (uint64_t i = 0, end; shift > 0 && i < count; i = end) {
        for (end = i + 1; end < count && from.key[end] >> shift == from.key[i] >> shift;)
            end++;
        if (end - i > 1)
            sort_from(items, first + i, end - i);
    }
}

static void sort_from(const struct items *items, uint64_t first, uint64_t count)
{
    if (count <= FEW) {
        insertion_sort(items, first, first + count);
        return;
    }
    if (count <= SMALL) {
        sort_small(items, first, count);
        return;
    }
    uint64_t end[DIGITS];
    const unsigned shift = top_shift(items->key + first, count, DIGIT_BITS);
    distribute(items, first, count, shift, end);
    for (unsigned d = 0; shift > 0 && d < DIGITS; d++) {
        const uint64_t begin = d == 0 ? first : end[d - 1];
        if (end[d] - begin > 1)
            sort_from(items, begin, end[d] - begin);
    }
}

/* -- by a team -- */

/* What is distributed together. Each share has a part of every bucket, in which it puts what of its parts belongs
 * there, as long as there is room; so all that is not in its bucket then lies behind what is, in each part. Of each
 * bucket that is brought together at the bucket's end, and moved by one thread: for keys in no order it is little
 * (M. Cho et al., "PARADIS: an efficient parallel algorithm for in-place radix sort", 2015). */
struct spreading {
    const struct items *items;
    uint64_t first, count, shares, different; /* bits in which keys differ */
    unsigned shift;
    uint64_t begin[DIGITS], end[DIGITS]; /* of what is not in its bucket */
    uint64_t (*part)[DIGITS];            /* of each share: keys of each digit; then where what is not in place begins */
};

static uint64_t part_begin(uint64_t begin, uint64_t end, uint64_t share, uint64_t shares)
{
    return begin + (end - begin) / shares * share + (share < (end - begin) % shares ? share : (end - begin) % shares);
}

static void differ_share(void *context, unsigned thread, uint64_t share)
{
    struct spreading *spreading = context;
    const uint64_t first = spreading->first, past = first + spreading->count, *key = spreading->items->key;
    const uint64_t end = part_begin(first, past, share + 1, spreading->shares);
    uint64_t different = 0;
    (void)thread;
    for (uint64_t i = part_begin(first, past, share, spreading->shares); i < end; i++)
        different |= key[i] ^ key[first];
    __atomic_fetch_or(&spreading->different, different, __ATOMIC_RELAXED);
}

static void count_share(void *context, unsigned thread, uint64_t share)
{
    struct spreading *spreading = context;
    const uint64_t first = spreading->first, past = first + spreading->count;
    const uint64_t end = part_begin(first, past, share + 1, spreading->shares);
    uint64_t *size = spreading->part[share];
    (void)thread;
    for (unsigned d = 0; d < DIGITS; d++)
        size[d] = 0;
    for (uint64_t i = part_begin(first, past, share, spreading->shares); i < end; i++)
        size[digit(spreading->items->key[i], spreading->shift)]++;
}

/* Follows the items of the parts, each to a place in the part of its bucket, as long as that has one. begin[] becomes
 * where what is not in place begins. */
ALWAYS_INLINE void move_in_parts(struct items items, unsigned shift, uint64_t begin[DIGITS], const uint64_t end[DIGITS])
{
    for (unsigned d = 0; d < DIGITS; d++)
        for (uint64_t at = begin[d]; at < end[d]; at++) {
            struct item item = item_at(items, at);
            unsigned to = digit(item.key, shift);
            for (; to != d && begin[to] < end[to]; to = digit(item.key, shift)) {
                const struct item other = item_at(items, begin[to]);
                __builtin_prefetch(&items.key[begin[to] + AHEAD], 1);
                put_item(items, begin[to]++, item);
                item = other;
            }
            if (to == d) {
                put_item(items, at, item_at(items, begin[d]));
                put_item(items, begin[d]++, item);
            } else
                put_item(items, at, item);
        }
}

static void move_share(void *context, unsigned thread, uint64_t share)
{
    const struct spreading *spreading = context;
    const struct items *items = spreading->items;
    uint64_t begin[DIGITS], end[DIGITS];
    (void)thread;
    for (unsigned d = 0; d < DIGITS; d++) {
        begin[d] = part_begin(spreading->begin[d], spreading->end[d], share, spreading->shares);
        end[d] = part_begin(spreading->begin[d], spreading->end[d], share + 1, spreading->shares);
    }
    if (items->width == 0)
        move_in_parts((struct items){items->key, NULL, 0}, spreading->shift, begin, end);
    else if (items->width == 1)
        move_in_parts((struct items){items->key, items->beside, 1}, spreading->shift, begin, end);
    else
        move_in_parts(*items, spreading->shift, begin, end);
    for (unsigned d = 0; d < DIGITS; d++)
        spreading->part[share][d] = begin[d];
}

/* Brings what is not in its bucket to the bucket's end. */
static void mend_bucket(void *context, unsigned thread, uint64_t d)
{
    struct spreading *spreading = context;
    const struct items items = *spreading->items;
    const uint64_t begin = spreading->begin[d], end = spreading->end[d];
    uint64_t tail = end;
    (void)thread;
    for (uint64_t share = 0; share < spreading->shares; share++) {
        const uint64_t past = part_begin(begin, end, share + 1, spreading->shares);
        for (uint64_t at = spreading->part[share][d]; at < past && at < tail; at++) {
            while (--tail > at && digit(items.key[tail], spreading->shift) != d)
                ;
            const struct item item = item_at(items, at);
            put_item(items, at, item_at(items, tail));
            put_item(items, tail, item);
        }
    }
    spreading->begin[d] = tail;
}

/* Distributes items as distribute() does, by what they differ in; returns the digit's shift. */
static unsigned spread(const struct items *items, struct team *team, uint64_t first, uint64_t count,
                       uint64_t end[DIGITS])
{
    uint64_t part[SHARES][DIGITS];
    struct spreading spreading = {.items = items, .first = first, .count = count, .part = part};
    spreading.shares = team->threads < SHARES ? team->threads : SHARES;
    team_run(team, spreading.shares, differ_share, &spreading);
    spreading.shift = digit_shift(spreading.different, DIGIT_BITS);
    team_run(team, spreading.shares, count_share, &spreading);
    for (unsigned d = 0; d < DIGITS; d++) {
        spreading.begin[d] = first;
        for (uint64_t share = 0; share < spreading.shares; share++)
            first += part[share][d];
        spreading.end[d] = end[d] = first;
    }
    team_run(team, spreading.shares, move_share, &spreading);
    team_run(team, DIGITS, mend_bucket, &spreading);
    move_items(items, spreading.shift, spreading.begin, end);
    return spreading.shift;
}

/* Buckets that are shared out. */
struct buckets {
    const struct items *items;
    uint64_t first, end[DIGITS], large;
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
        sort_from(buckets->items, begin, size);
}

/* The same by a team: buckets that are too large for one share are distributed once more. */
static void sort_together(const struct items *items, struct team *team, uint64_t first, uint64_t count, uint64_t large)
{
    struct buckets buckets = {.items = items, .first = first, .large = large};
    unsigned shift;
    if (team != NULL && team->threads > 1 && count > ALONE)
        shift = spread(items, team, first, count, buckets.end);
    else {
        shift = top_shift(items->key + first, count, DIGIT_BITS);
        distribute(items, first, count, shift, buckets.end);
    }
    if (shift == 0)
        return;
    for (unsigned d = 0; d < DIGITS; d++) {
        const uint64_t begin = bucket_begin(&buckets, d), size = buckets.end[d] - begin;
        if (size > large)
            sort_together(items, team, begin, size, large);
    }
    team_run(team, DIGITS, sort_bucket, &buckets);
}

void sort_keys(uint64_t *key, uint8_t *beside, unsigned width, uint64_t count, struct team *team)
{
    const struct items items = {key, beside, width};
    if (count <= ALONE)
        sort_from(&items, 0, count);
    else
        sort_together(&items, team, 0, count, count / LARGE);
}
