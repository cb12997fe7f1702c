/* test_key_table.c -- the hash table of keys against a sorted list, however it grows; and the sort of what it holds */
#include "tests/support/support.h"

#include "lib/rank/sort_keys.h"
#include "lib/search/space/sparse/key_table.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 30000 };

/* Bytes of a depth. */
static const unsigned widths[] = {0, 1, 2, 4};

/* Keys of several kinds: in a row, far apart, alike in their low bits, random; the least and the greatest there are. */
static uint64_t sample(unsigned kind, uint64_t i, uint64_t *random)
{
    switch (kind) {
    case 0:
        return i;
    case 1:
        return KEY_LIMIT - 1 - i;
    case 2:
        return i << 40;
    default:
        return next_random(random) % KEY_LIMIT;
    }
}

struct entry {
    uint64_t key; /* first: they are sorted by it */
    unsigned depth;
    bool reached;
};

/* Every key that was put in is there, with its mark and its depth, and no other. */
static void check_table(struct key_table *table, const struct entry *entry, size_t count)
{
    uint64_t keys = 0;
    for (uint64_t at = 0; at < table->slots; at++)
        keys += table->slot[at] != 0;
    cr_assert_eq(keys, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t at;
        cr_assert(key_is_there(table, entry[i].key));
        cr_assert(!key_put(table, entry[i].key, 0, &at));
        cr_assert_eq((table->slot[at] & KEY_REACHED) != 0, entry[i].reached);
        if (table->width == 1)
            cr_assert_eq(table->depth[at], entry[i].depth);
        else if (table->width == 2)
            cr_assert_eq(((const uint16_t *)(const void *)table->depth)[at], entry[i].depth);
    }
}

static void fill(unsigned kind, unsigned width, uint64_t grown_by)
{
    struct key_table table = {0};
    struct entry *entry = checked_memory(KEYS, sizeof *entry);
    uint64_t random = 88172645463325252 + kind;
    size_t count = 0;
    cr_assert(key_table_grow(&table, 7));
    if (width > 0)
        cr_assert(key_table_widen(&table, 1));
    for (uint64_t i = 0; i < KEYS; i++) {
        const uint64_t depths = table.width < 2 ? 250 : table.width == 2 ? 60000 : 1 << 24;
        const struct entry new = {sample(kind, i, &random), (unsigned)random_below(&random, depths),
                                  random_below(&random, 2)};
        uint64_t at;
        if (key_table_room(table.slots) <= count)
            cr_assert(key_table_grow(&table, table.slots + table.slots / grown_by + 1));
        if (!key_put(&table, new.key, 0, &at))
            continue;
        if (new.reached) {
            cr_assert(key_reach(&table, new.key, &at) && !key_reach(&table, new.key, &at));
        }
        if (width > 0)
            key_depth_set(&table, at, new.depth);
        entry[count++] = new;
        if (i == KEYS / 3 && width >= 2)
            cr_assert(key_table_widen(&table, 2));
        if (i == 2 * (KEYS / 3) && width == 4)
            cr_assert(key_table_widen(&table, 4));
    }
    check_table(&table, entry, count);
    uint64_t at;
    for (size_t i = 0; i < 1000; i++) {
        const uint64_t other = next_random(&random) % KEY_LIMIT;
        bool there = false;
        for (size_t e = 0; e < count && !there; e++)
            there = entry[e].key == other;
        cr_assert(key_is_there(&table, other) == there && (there || !key_reach(&table, other, &at)));
    }
    free(entry);
    key_table_free(&table);
}

Test(key_table, grows_in_place)
{
    for (unsigned kind = 0; kind < 4; kind++)
        for (unsigned w = kind % short_step(2); w < COUNT(widths); w += short_step(2)) {
            fill(kind, widths[w], 1);
            fill(kind, widths[w], 4);
        }
}

/* The next size has room, is never much more than that, and a large table grows by a quarter. */
Test(key_table, sizes)
{
    uint64_t slots = 0;
    for (uint64_t keys = 1; keys < (uint64_t)1 << 40; keys += keys / 3 + 1) {
        const uint64_t before = slots;
        slots = key_table_next(slots, keys);
        cr_assert(key_table_room(slots) >= keys && slots >= before);
        cr_assert(slots < 1 << 23 || slots <= 2 * keys, "%llu slots for %llu keys", (unsigned long long)slots,
                  (unsigned long long)keys);
    }
}

/* Taken apart and sorted, with what lies beside: as qsort has it. */
static void sort_kind(unsigned kind, unsigned width, size_t count, unsigned threads)
{
    uint64_t *key = checked_memory(count + 1, sizeof *key), random = 362436069 + kind;
    uint8_t *beside = checked_memory(count + 1, 4);
    struct entry *expected = checked_memory(count + 1, sizeof *expected);
    for (size_t i = 0; i < count; i++)
        key[i] = sample(kind, random_below(&random, count), &random);
    if (threads % 2 == 0) { /* the parts that threads have of a bucket are all others' */
        qsort(key, count, sizeof *key, compare_numbers);
        for (size_t i = 0; i < count / 2; i++) {
            const uint64_t held = key[i];
            key[i] = key[count - 1 - i];
            key[count - 1 - i] = held;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned depth = (unsigned)(key[i] * 0x9E3779B97F4A7C15 >> (64 - 8 * width) % 64);
        expected[i] = (struct entry){.key = key[i], .depth = width == 0 ? 0 : depth};
        if (width == 1)
            beside[i] = (uint8_t)depth;
        else if (width == 2)
            ((uint16_t *)(void *)beside)[i] = (uint16_t)depth;
        else if (width == 4)
            ((uint32_t *)(void *)beside)[i] = depth;
    }
    qsort(expected, count, sizeof *expected, compare_numbers);
    struct team team = {.threads = threads};
    sort_keys(key, beside, width, count, &team);
    team_end(&team);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(key[i], expected[i].key, "kind %u, width %u, %zu keys: number %zu", kind, width, count, i);
        if (width == 1)
            cr_assert_eq(beside[i], (uint8_t)expected[i].depth);
        else if (width == 2)
            cr_assert_eq(((const uint16_t *)(const void *)beside)[i], (uint16_t)expected[i].depth);
        else if (width == 4)
            cr_assert_eq(((const uint32_t *)(const void *)beside)[i], expected[i].depth);
    }
    free(key);
    free(beside);
    free(expected);
}

Test(key_table, sort)
{
    static const size_t counts[] = {0, 1, 2, 33, 1000, 5000, 200000};
    for (unsigned kind = 0; kind < 4; kind++)
        for (unsigned w = 0; w < COUNT(widths); w++)
            for (size_t i = 0; i < COUNT(counts); i++)
                sort_kind(kind, widths[w], counts[i], 1 + ((unsigned)i + kind + w) % 4);
}
