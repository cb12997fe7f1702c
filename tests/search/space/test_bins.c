/* test_bins.c -- moves come out of bins as they were thrown in, whatever their names and costs are, and their memory
 * stays within what is allowed */
#include "tests/support/support.h"

#include "lib/memory/array.h"
#include "lib/search/space/forward/bins.h"

#include <stdlib.h>
#include <string.h>

enum { STATES = 700, MOST_MOVES = 6, ROUNDS = 20, THREADS = 2 };

struct move {
    uint64_t from, to;
    uint32_t cost;
};

/* Moves that were thrown, or found in the bins. */
struct list {
    struct move *move;
    size_t count, room;
};

static void add(struct list *list, uint64_t from, uint64_t to, uint32_t cost)
{
    cr_assert(array_reserve(&list->move, &list->room, list->count + 1, sizeof *list->move));
    list->move[list->count++] = (struct move){from, to, cost};
}

static int compare(const void *left, const void *right)
{
    const struct move *a = left, *b = right;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from)
           : a->to != b->to   ? (a->to > b->to) - (a->to < b->to)
                              : (a->cost > b->cost) - (a->cost < b->cost);
}

static void expect_same(struct list *found, struct list *thrown)
{
    EXPECT_NUMBER(found->count, thrown->count);
    if (thrown->count == 0)
        return;
    qsort(found->move, found->count, sizeof *found->move, compare);
    qsort(thrown->move, thrown->count, sizeof *thrown->move, compare);
    for (size_t i = 0; i < thrown->count; i++)
        cr_assert(compare(&found->move[i], &thrown->move[i]) == 0, "move %zu", i);
}

static void find(void *context, const struct thrown *thrown)
{
    if (!thrown->source)
        add(context, thrown->from, thrown->to, thrown->cost);
}

/* A name that is near another one, or anywhere; the other one itself at times. */
static uint64_t name_near(uint64_t name, uint64_t names, uint64_t *random)
{
    const uint64_t step = random_below(random, 40), kind = random_below(random, 10);
    return kind == 0 ? random_below(random, names) : kind == 1 ? name : (name + step) % names;
}

/* Throws the moves of some states, which lie behind one another but for a few. */
static void throw_some(struct bins *bins, uint64_t names, uint32_t cost, uint64_t *random, struct list *thrown)
{
    static uint64_t from[STATES], to[STATES * MOST_MOVES];
    static uint32_t costs[STATES * MOST_MOVES];
    static uint16_t count[STATES];
    size_t moves = 0;
    uint64_t name = random_below(random, names);
    for (size_t i = 0; i < STATES; i++) {
        from[i] = name = name_near(name, names, random);
        count[i] = (uint16_t)random_below(random, MOST_MOVES + 1);
        for (size_t m = 0; m < count[i]; m++, moves++) {
            to[moves] = name_near(name, names, random);
            costs[moves] = cost == 0 ? 0 : 1 + (uint32_t)random_below(random, cost);
            if (to[moves] != from[i])
                add(thrown, from[i], to[moves], costs[moves]);
        }
    }
    bins_throw(bins, (unsigned)random_below(random, THREADS), from, STATES, count, to, cost == 0 ? NULL : costs);
}

static void try_names(uint64_t names, bool some, uint32_t cost, uint64_t seed)
{
    struct bins bins;
    struct list thrown = {0}, found = {0};
    cr_assert(bins_create(&bins, THREADS, names, some, cost, (uint64_t)1 << 32));
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct list fresh = {0}, unseen = {0};
        throw_some(&bins, names, cost, &seed, &fresh);
        for (size_t i = 0; i < fresh.count; i++)
            add(&thrown, fresh.move[i].from, fresh.move[i].to, fresh.move[i].cost);
        uint64_t moves = 0;
        for (uint64_t n = 0; n < bins.count; n++) {
            bins_visit(&bins, n, true, find, &unseen);
            bins_see(&bins, n);
            cr_assert_leq(bins_chunks(&bins, n), bins_most_chunks(&bins, bins_moves(&bins, n)));
            moves += bins_moves(&bins, n);
        }
        EXPECT_NUMBER(moves, thrown.count);
        expect_same(&unseen, &fresh);
        free(fresh.move);
        free(unseen.move);
    }
    for (uint64_t n = 0; n < bins.count; n++)
        bins_visit(&bins, n, false, find, &found);
    expect_same(&found, &thrown);
    free(found.move);
    free(thrown.move);
    bins_free(&bins);
}

Test(bins, have_what_was_thrown)
{
    static const uint64_t names[] = {2, 1000, 1 << 14, (1 << 14) + 1, 300000, (uint64_t)1 << 27, (uint64_t)3 << 32};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        try_names(names[i], false, 0, i);
        try_names(names[i], false, 300, i);
        if (names[i] < (uint64_t)1 << 28)
            try_names(names[i], true, 0, i);
    }
}

/* What finds no room is counted all the same. */
Test(bins, say_that_they_are_full)
{
    struct bins bins;
    struct list thrown = {0};
    uint64_t seed = 7, moves = 0;
    cr_assert(bins_create(&bins, THREADS, 300000, false, 0, 1 << 20));
    for (unsigned round = 0; round < 16 * ROUNDS; round++)
        throw_some(&bins, 300000, 0, &seed, &thrown);
    for (uint64_t n = 0; n < bins.count; n++)
        moves += bins_moves(&bins, n);
    cr_assert(bins.full);
    EXPECT_NUMBER(moves, thrown.count);
    cr_assert_leq(bins.pool.bytes + bins_fixed(&bins), 1 << 20);
    free(thrown.move);
    bins_free(&bins);
}

Test(bins, take_chunks_from_a_pool)
{
    enum { MOST = 500 };
    static uint8_t *chunk[MOST];
    for (uint64_t chunks = 1; chunks <= MOST; chunks += 83) {
        struct pool pool = {.most = pool_bytes(chunks)};
        uint64_t taken = 0;
        for (uint8_t *fresh; taken < MOST && (fresh = pool_take(&pool)) != NULL; taken++)
            memset(chunk[taken] = fresh, (int)(taken % 251), POOL_CHUNK);
        cr_assert_geq(taken, chunks);
        cr_assert_leq(pool.bytes, pool.most);
        for (uint64_t i = 0; i < taken; i++) /* no two have bytes in common */
            cr_assert(chunk[i][0] == i % 251 && memcmp(chunk[i], chunk[i] + 1, POOL_CHUNK - 1) == 0);
        const uint64_t bytes = pool.bytes;
        for (uint64_t i = 0; i < taken; i++)
            pool_give(&pool, chunk[i]);
        for (uint64_t i = 0; i < taken; i++)
            cr_assert(pool_take(&pool) != NULL);
        EXPECT_NUMBER(pool.bytes, bytes);
        pool_free(&pool);
    }
}
