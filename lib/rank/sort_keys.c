/* sort_keys.c -- splits in two, down to what fits into a cache, and a radix sort there
 *
 * Items are split by a key near their middle, in place and without a branch that no one can guess, until a piece has no
 * more than SMALL. That is sorted by its digits, the lower ones first, between its own memory and a little beside. Keys
 * are far from evenly spread, so it takes as many digits, from the top, as tell nearly all of its keys apart; what
 * agrees in these is few, and inserted.
 *
 * What lies beside the keys is put into bits that they leave free, where there are enough, and taken out in the end.
 */
#include "sort_keys.h"

#include <stddef.h>
#include <string.h>

enum {
    DIGIT_BITS = 8,
    DIGITS = 1 << DIGIT_BITS,
    DIGITS_MAX = 64 / DIGIT_BITS,
    FEW = 24,
    SMALL = 1 << 12,
    ALONE = 1 << 15,
    SHARE = 1 << 15,
    SAMPLE = 31,
    PIECES = 256,
    PIECES_A_THREAD = 16
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

/* What moves items is made anew, by inlining, for those that are keys alone, as nearly all are. */
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

static struct items items_from(struct items items, uint64_t first)
{
    return (struct items){items.key + first, items.width == 0 ? NULL : items.beside + first * items.width, items.width};
}

/* -- few items -- */

ALWAYS_INLINE void insert_all(struct items items, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        const struct item item = item_at(items, i);
        uint64_t at = i;
        for (; at > 0 && items.key[at - 1] > item.key; at--)
            put_item(items, at, item_at(items, at - 1));
        put_item(items, at, item);
    }
}

/* How many items have each digit of their keys, counted from the least key; returns how many digits there are. */
static unsigned count_digits(const uint64_t *key, uint64_t count, uint64_t *least, uint32_t size[DIGITS_MAX][DIGITS])
{
    uint64_t most = *least = key[0];
    for (uint64_t i = 1; i < count; i++) {
        *least = key[i] < *least ? key[i] : *least;
        most = key[i] > most ? key[i] : most;
    }
    unsigned digits = 0;
    while (digits < DIGITS_MAX && (most - *least) >> digits * DIGIT_BITS != 0)
        digits++;
    memset(size, 0, digits * sizeof size[0]);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t left = key[i] - *least;
        for (unsigned d = 0; d < digits; d++, left >>= DIGIT_BITS)
            size[d][left % DIGITS]++;
    }
    return digits;
}

/* How many values a digit has, as it were: one in so many pairs of items agrees in it. */
static double spread(const uint32_t size[DIGITS], uint64_t count)
{
    uint64_t pairs = 0;
    for (unsigned d = 0; d < DIGITS; d++)
        pairs += (uint64_t)size[d] * size[d];
    return (double)count * (double)count / (double)pairs;
}

ALWAYS_INLINE void move_by_digit(struct items from, struct items to, uint64_t count, uint64_t least, unsigned shift,
                                 uint32_t size[DIGITS])
{
    for (uint32_t d = 0, below = 0; d < DIGITS; d++) {
        const uint32_t here = size[d];
        size[d] = below;
        below += here;
    }
    for (uint64_t i = 0; i < count; i++)
        put_item(to, size[(from.key[i] - least) >> shift & (DIGITS - 1)]++, item_at(from, i));
}

static void sort_small(struct items items, uint64_t count);

/* Sorts no more than SMALL items. */
ALWAYS_INLINE void sort_by_digits(struct items items, uint64_t count)
{
    uint64_t key[SMALL], least;
    _Alignas(uint32_t) uint8_t beside[SMALL * sizeof(uint32_t)];
    uint32_t size[DIGITS_MAX][DIGITS];
    struct items from = items, to = {key, beside, items.width};
    const unsigned digits = count_digits(items.key, count, &least, size);
    unsigned low = digits;
    for (double apart = 1; low > 0 && apart < (double)count; low--)
        apart *= spread(size[low - 1], count);
    for (unsigned d = low; d < digits; d++) {
        const struct items other = from;
        move_by_digit(from, to, count, least, d * DIGIT_BITS, size[d]);
        from = to;
        to = other;
    }
    for (uint64_t i = 0; from.key != items.key && i < count; i++)
        put_item(items, i, item_at(from, i));
    for (uint64_t i = 0, end; low > 0 && i < count; i = end) {
        const uint64_t digits_here = (items.key[i] - least) >> low * DIGIT_BITS;
        for (end = i + 1; end < count && (items.key[end] - least) >> low * DIGIT_BITS == digits_here;)
            end++;
        if (end - i > 1)
            sort_small(items_from(items, i), end - i);
    }
}

static void sort_small(struct items items, uint64_t count)
{
    if (items.width == 0 && count <= FEW)
        insert_all((struct items){items.key, NULL, 0}, count);
    else if (count <= FEW)
        insert_all(items, count);
    else if (items.width == 0)
        sort_by_digits((struct items){items.key, NULL, 0}, count);
    else
        sort_by_digits(items, count);
}

/* -- many -- */

/* Moves items whose keys are below a key to the front; returns how many they are. */
ALWAYS_INLINE uint64_t move_all_below(struct items items, uint64_t count, uint64_t pivot)
{
    uint64_t below = 0;
    for (uint64_t i = 0; i < count; i++) {
        const struct item item = item_at(items, i);
        put_item(items, i, item_at(items, below));
        put_item(items, below, item);
        below += item.key < pivot;
    }
    return below;
}

static uint64_t move_below(struct items items, uint64_t count, uint64_t pivot)
{
    return items.width == 0 ? move_all_below((struct items){items.key, NULL, 0}, count, pivot)
                            : move_all_below(items, count, pivot);
}

/* The same for a key near the middle. None are below where all keys are the same. */
static uint64_t split(struct items items, uint64_t count)
{
    uint64_t sample[SAMPLE];
    for (uint64_t i = 0; i < SAMPLE; i++)
        sample[i] = items.key[count / SAMPLE * i];
    insert_all((struct items){sample, NULL, 0}, SAMPLE);
    const uint64_t pivot = sample[SAMPLE / 2];
    uint64_t below = move_below(items, count, pivot);
    if (below == 0 && pivot < UINT64_MAX) /* it is the least */
        below = move_below(items, count, pivot + 1);
    return below < count ? below : 0;
}

static void sort_from(struct items items, uint64_t count)
{
    while (count > SMALL) {
        const uint64_t below = split(items, count);
        if (below == 0)
            return;
        sort_from(items, below);
        items = items_from(items, below);
        count -= below;
    }
    sort_small(items, count);
}

/* -- by a team -- */

/* Items in pieces, the keys of each below those of the next: each begins `step` behind the one before in begin[]. */
struct pieces {
    struct items items;
    unsigned step;
    uint64_t begin[PIECES + 1];
};

static void split_piece(void *context, unsigned thread, uint64_t piece)
{
    struct pieces *pieces = context;
    uint64_t *begin = &pieces->begin[piece * pieces->step];
    const uint64_t count = begin[pieces->step] - begin[0];
    (void)thread;
    begin[pieces->step / 2] = begin[0] + (count > SMALL ? split(items_from(pieces->items, begin[0]), count) : 0);
}

static void sort_piece(void *context, unsigned thread, uint64_t piece)
{
    const struct pieces *pieces = context;
    const uint64_t *begin = &pieces->begin[piece * pieces->step];
    (void)thread;
    sort_from(items_from(pieces->items, begin[0]), begin[pieces->step] - begin[0]);
}

static void sort_pieces(struct items items, uint64_t count, struct team *team)
{
    struct pieces pieces = {.items = items, .step = PIECES};
    const unsigned wanted = team == NULL || team->threads == 1 ? 1 : PIECES_A_THREAD * team->threads;
    pieces.begin[PIECES] = count;
    for (; pieces.step > 1 && PIECES / pieces.step < wanted; pieces.step /= 2)
        team_run(team, PIECES / pieces.step, split_piece, &pieces);
    team_run(team, PIECES / pieces.step, sort_piece, &pieces);
}

/* -- what lies beside -- */

struct packing {
    struct items items;
    uint64_t count, keys, beside; /* all bits that any has */
    unsigned bits;                /* of what lies beside */
};

static uint64_t end_of(const struct packing *packing, uint64_t share)
{
    return packing->count - share * SHARE < SHARE ? packing->count : (share + 1) * SHARE;
}

static void look_share(void *context, unsigned thread, uint64_t share)
{
    struct packing *packing = context;
    const struct items items = packing->items;
    const uint64_t end = end_of(packing, share);
    uint64_t keys = 0, beside = 0;
    (void)thread;
    for (uint64_t i = share * SHARE; i < end; i++) {
        const struct item item = item_at(items, i);
        keys |= item.key;
        beside |= item.beside;
    }
    __atomic_fetch_or(&packing->keys, keys, __ATOMIC_RELAXED);
    __atomic_fetch_or(&packing->beside, beside, __ATOMIC_RELAXED);
}

static void pack_share(void *context, unsigned thread, uint64_t share)
{
    const struct packing *packing = context;
    const struct items items = packing->items;
    const uint64_t end = end_of(packing, share);
    const unsigned bits = packing->bits;
    (void)thread;
    for (uint64_t i = share * SHARE; i < end; i++) {
        const struct item item = item_at(items, i);
        items.key[i] = item.key << bits | item.beside;
    }
}

static void unpack_share(void *context, unsigned thread, uint64_t share)
{
    const struct packing *packing = context;
    const struct items items = packing->items;
    const uint64_t end = end_of(packing, share);
    const unsigned bits = packing->bits;
    (void)thread;
    for (uint64_t i = share * SHARE; i < end; i++) {
        const uint64_t key = items.key[i], beside = key & (((uint64_t)1 << bits) - 1);
        put_item(items, i, (struct item){key >> bits, (uint32_t)beside});
    }
}

void sort_keys(uint64_t *key, uint8_t *beside, unsigned width, uint64_t count, struct team *team)
{
    struct packing packing = {.items = {key, beside, width}, .count = count};
    struct team *several = count > ALONE ? team : NULL;
    const uint64_t shares = width == 0 ? 0 : team_shares(count, SHARE);
    team_run(several, shares, look_share, &packing);
    while (packing.beside >> packing.bits != 0)
        packing.bits++;
    if (packing.keys >> (63 - packing.bits) > 1) { /* keys that leave too few bits free */
        sort_pieces(packing.items, count, several);
        return;
    }
    team_run(several, shares, pack_share, &packing);
    sort_pieces((struct items){key, NULL, 0}, count, several);
    team_run(several, shares, unpack_share, &packing);
}
