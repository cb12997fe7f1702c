/* test_order.c -- the ranking of orders against the plainest way to do it: all sequences written down in order */
#include "lib/rank/order.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

/* -- the plain way -- */

/* The next sequence in lexicographic order; false after the last. */
static bool next_sequence(unsigned n, uint8_t *sequence)
{
    unsigned i = n;
    while (i >= 2 && sequence[i - 2] >= sequence[i - 1])
        i--;
    if (i < 2)
        return false;
    unsigned j = n - 1;
    while (sequence[j] <= sequence[i - 2])
        j--;
    uint8_t held = sequence[i - 2];
    sequence[i - 2] = sequence[j];
    sequence[j] = held;
    for (unsigned a = i - 1, b = n - 1; a < b; a++, b--) {
        held = sequence[a];
        sequence[a] = sequence[b];
        sequence[b] = held;
    }
    return true;
}

/* Of a permutation, by its cycles: n less their number. */
static unsigned cycle_parity(unsigned n, const uint8_t *permutation)
{
    bool seen[MOST] = {false};
    unsigned cycles = 0;
    for (unsigned i = 0; i < n; i++) {
        cycles += !seen[i];
        for (unsigned j = i; !seen[j]; j = permutation[j])
            seen[j] = true;
    }
    return (n - cycles) & 1;
}

static unsigned first_sequence(unsigned classes, const uint8_t *members, uint8_t *sequence)
{
    unsigned n = 0;
    for (unsigned c = 0; c < classes; c++)
        for (unsigned i = 0; i < members[c]; i++)
            sequence[n++] = (uint8_t)c;
    return n;
}

/* Takes the thing at `from` out and puts it back in at `to`. */
static void move_thing(unsigned n, const uint8_t *order, unsigned from, unsigned to, uint8_t *moved)
{
    uint8_t rest[MOST];
    unsigned left = 0, used = 0;
    for (unsigned i = 0; i < n; i++)
        if (i != from)
            rest[left++] = order[i];
    for (unsigned i = 0; i < n; i++)
        moved[i] = i == to ? order[from] : rest[used++];
}

static void check_moved(const struct order_ranking *ranking, uint64_t rank, unsigned parity, const uint8_t *order)
{
    const unsigned n = ranking->things;
    struct order_code code;
    order_decode(ranking, rank, parity, &code);
    for (unsigned from = 0; from < n; from++)
        for (unsigned to = 0; to < n; to++) {
            uint8_t moved[MOST];
            move_thing(n, order, from, to, moved);
            const uint64_t expected = order_rank(ranking, moved), actual = order_rank_moved(ranking, &code, from, to);
            cr_assert(actual == expected, "%u things, kind %d, rank %llu, %u to %u: %llu, not %llu", n,
                      (int)ranking->kind, (unsigned long long)rank, from, to, (unsigned long long)actual,
                      (unsigned long long)expected);
        }
}

/* One sequence and the rank that it has to have. */
static void check_one(const struct order_ranking *ranking, const uint8_t *sequence, unsigned parity, uint64_t rank,
                      bool moves)
{
    uint8_t again[MOST];
    const uint64_t actual = order_rank(ranking, sequence);
    cr_assert(actual == rank, "%u things, %u classes, kind %d: rank %llu, not %llu", ranking->things, ranking->classes,
              (int)ranking->kind, (unsigned long long)actual, (unsigned long long)rank);
    memset(again, 99, sizeof again);
    order_unrank(ranking, rank, parity, again);
    cr_assert(memcmp(again, sequence, ranking->things) == 0, "unrank of %llu", (unsigned long long)rank);
    if (moves && ranking->kind != ORDER_MULTISET)
        check_moved(ranking, rank, parity, sequence);
}

/* -- whole spaces -- */

static enum order_kind expected_kind(unsigned classes, const uint8_t *members, bool halved)
{
    unsigned n = 0, pairs = 0, larger = 0;
    for (unsigned c = 0; c < classes; c++) {
        n += members[c];
        pairs += members[c] == 2;
        larger += members[c] > 2;
    }
    if (larger > 0 || pairs > 1)
        return ORDER_MULTISET;
    return pairs == 1 ? ORDER_PAIR : halved && n >= 2 ? ORDER_HALVED : ORDER_DISTINCT;
}

/* Every order: its rank is its place among all of them, or among those of its parity. */
static void check_space(unsigned classes, const uint8_t *members, bool halved, bool moves)
{
    struct order_ranking ranking;
    uint8_t sequence[MOST];
    uint64_t seen[2] = {0, 0};
    cr_assert(order_ranking_init(&ranking, classes, members, halved));
    const unsigned n = first_sequence(classes, members, sequence);
    EXPECT_NUMBER(ranking.kind, expected_kind(classes, members, halved));
    EXPECT_NUMBER(ranking.things, n);
    do {
        const unsigned parity = ranking.kind == ORDER_HALVED ? cycle_parity(n, sequence) : 0;
        if (ranking.kind == ORDER_HALVED || ranking.kind == ORDER_DISTINCT)
            cr_assert(order_parity(n, sequence) == cycle_parity(n, sequence));
        if (ranking.kind != ORDER_PAIR)
            check_one(&ranking, sequence, parity, seen[parity], moves);
        seen[parity]++;
    } while (next_sequence(n, sequence));
    EXPECT_NUMBER(seen[0], ranking.orders);
    if (ranking.kind == ORDER_HALVED)
        EXPECT_NUMBER(seen[1], ranking.orders);
}

/* The pair told apart, all permutations in order, the even ones counted: each stands for another order. */
static void check_pair_space(unsigned classes, const uint8_t *members, bool moves)
{
    struct order_ranking ranking;
    uint8_t permutation[MOST], sequence[MOST], class_of[MOST];
    uint64_t even = 0;
    cr_assert(order_ranking_init(&ranking, classes, members, false) && ranking.kind == ORDER_PAIR);
    const unsigned n = first_sequence(classes, members, class_of);
    for (unsigned i = 0; i < n; i++)
        permutation[i] = (uint8_t)i;
    do {
        if (cycle_parity(n, permutation) != 0)
            continue;
        for (unsigned i = 0; i < n; i++)
            sequence[i] = class_of[permutation[i]];
        check_one(&ranking, sequence, (unsigned)(even & 1), even, moves); /* the parity given does not matter */
        even++;
    } while (next_sequence(n, permutation));
    EXPECT_NUMBER(even, ranking.orders);
}

/* All ways to split n things into classes, in every order of the classes, or a share of them. */
static void check_splits(unsigned n, unsigned step)
{
    for (unsigned cuts = 0; cuts < 1u << (n - 1); cuts += step) {
        uint8_t members[MOST] = {1};
        unsigned classes = 1;
        for (unsigned i = 0; i + 1 < n; i++) {
            classes += cuts >> i & 1;
            members[classes - 1]++;
        }
        check_space(classes, members, false, true);
        check_space(classes, members, true, true);
        if (expected_kind(classes, members, false) == ORDER_PAIR)
            check_pair_space(classes, members, true);
    }
}

Test(order, all_splits_up_to_seven)
{
    for (unsigned n = 1; n <= 7; n++)
        check_splits(n, 1);
}

Test(order, all_splits_of_eight)
{
    check_splits(8, short_step(3));
}

Test(order, nothing_to_order)
{
    struct order_ranking ranking;
    uint8_t none[1] = {0};
    for (int halved = 0; halved < 2; halved++) {
        cr_assert(order_ranking_init(&ranking, 0, none, halved));
        EXPECT_NUMBER(ranking.orders, 1);
        EXPECT_NUMBER(order_rank(&ranking, none), 0);
        order_unrank(&ranking, 0, 0, none);
    }
    EXPECT_NUMBER(order_parity(0, none), 0);
}

Test(order, nine_and_ten)
{
    static const struct {
        unsigned classes;
        uint8_t members[10];
    } splits[] = {{9, {1, 1, 1, 1, 1, 1, 1, 1, 1}},
                  {8, {1, 1, 1, 2, 1, 1, 1, 1}},
                  {8, {2, 1, 1, 1, 1, 1, 1, 1}},
                  {8, {1, 1, 1, 1, 1, 1, 1, 2}},
                  {7, {2, 1, 1, 1, 2, 1, 1}},
                  {3, {3, 3, 3}},
                  {4, {1, 4, 2, 3}},
                  {9, {1, 1, 1, 1, 1, 1, 1, 1, 2}},
                  {2, {5, 5}},
                  {10, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}};
    for (size_t i = 0; i < COUNT(splits); i++) {
        check_space(splits[i].classes, splits[i].members, false, false);
        check_space(splits[i].classes, splits[i].members, true, false);
        if (expected_kind(splits[i].classes, splits[i].members, false) == ORDER_PAIR)
            check_pair_space(splits[i].classes, splits[i].members, false);
    }
}

/* -- too large to go through -- */

/* The Lehmer rank by its definition: how many permutations begin alike and go on with something smaller. */
static uint64_t plain_rank(unsigned n, const uint8_t *permutation)
{
    uint64_t rank = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t smaller = 0;
        for (unsigned value = 0; value < permutation[i]; value++) {
            bool used = false;
            for (unsigned j = 0; j < i; j++)
                used |= permutation[j] == value;
            smaller += !used;
        }
        rank = rank * (n - i) + smaller;
    }
    return rank;
}

static void shuffle(unsigned n, uint8_t *things, uint64_t *random)
{
    for (unsigned i = n; i > 1; i--) {
        const unsigned j = (unsigned)random_below(random, i);
        const uint8_t held = things[i - 1];
        things[i - 1] = things[j];
        things[j] = held;
    }
}

static void check_permutation(unsigned n, const uint8_t *permutation, bool moves)
{
    static const uint8_t ones[MOST] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct order_ranking distinct, halved;
    const unsigned parity = cycle_parity(n, permutation);
    const uint64_t rank = plain_rank(n, permutation);
    cr_assert(order_ranking_init(&distinct, n, ones, false) && distinct.kind == ORDER_DISTINCT);
    cr_assert(order_ranking_init(&halved, n, ones, true) && halved.kind == ORDER_HALVED);
    EXPECT_NUMBER(order_parity(n, permutation), parity);
    check_one(&distinct, permutation, parity, rank, moves);
    check_one(&halved, permutation, parity, rank / 2, moves);
    for (unsigned pair = 0; pair + 1 < n; pair++) {
        uint8_t members[MOST], order[MOST], told_apart[MOST];
        struct order_ranking ranking;
        memset(members, 1, sizeof members);
        members[pair] = 2;
        cr_assert(order_ranking_init(&ranking, n - 1, members, false) && ranking.kind == ORDER_PAIR);
        for (unsigned i = 0; i < n; i++) {
            order[i] = (uint8_t)(permutation[i] - (permutation[i] > pair));
            told_apart[i] = permutation[i];
            if (parity == 1 && (permutation[i] == pair || permutation[i] == pair + 1))
                told_apart[i] = (uint8_t)(2 * pair + 1 - permutation[i]);
        }
        check_one(&ranking, order, 0, plain_rank(n, told_apart) / 2, moves && pair % 3 == 0);
    }
}

/* Up to 16 labels fit a word, above that they do not: both sides of the border. */
Test(order, eleven_to_twenty)
{
    uint64_t random = 12345;
    for (unsigned n = 11; n <= ORDER_MAX_LEHMER; n++) {
        uint8_t permutation[MOST];
        for (unsigned i = 0; i < n; i++)
            permutation[i] = (uint8_t)i;
        check_permutation(n, permutation, true);
        for (unsigned i = 0; i < n; i++)
            permutation[i] = (uint8_t)(n - 1 - i);
        check_permutation(n, permutation, true);
        for (unsigned i = 0; i < n; i++) /* first digits as large as can be, the last 0, and the other way round */
            permutation[i] = (uint8_t)(i < n / 2 ? n - 1 - i : i - n / 2);
        check_permutation(n, permutation, true);
        for (int i = 0; i < 60; i++) {
            shuffle(n, permutation, &random);
            check_permutation(n, permutation, i < 12);
        }
    }
}

/* Orders of many things: there and back, and ranks in the order of the sequences. */
static void check_many(unsigned classes, const uint8_t *members)
{
    struct order_ranking ranking;
    uint8_t first[ORDER_MAX_THINGS], last[ORDER_MAX_THINGS], order[ORDER_MAX_THINGS], again[ORDER_MAX_THINGS],
        before[ORDER_MAX_THINGS];
    uint64_t random = 99 + classes, rank_before = 0;
    cr_assert(order_ranking_init(&ranking, classes, members, true) && ranking.kind == ORDER_MULTISET);
    const unsigned n = first_sequence(classes, members, first);
    for (unsigned i = 0; i < n; i++)
        last[n - 1 - i] = first[i];
    EXPECT_NUMBER(order_rank(&ranking, first), 0);
    EXPECT_NUMBER(order_rank(&ranking, last), ranking.orders - 1);
    order_unrank(&ranking, ranking.orders - 1, 1, order);
    cr_expect(memcmp(order, last, n) == 0);
    memcpy(order, first, n);
    memcpy(before, first, n);
    for (int i = 0; i < 300; i++) {
        if (i < 100)
            cr_assert(next_sequence(n, order) && order_rank(&ranking, order) == (uint64_t)i + 1);
        else
            shuffle(n, order, &random);
        const uint64_t rank = order_rank(&ranking, order);
        cr_assert(rank < ranking.orders);
        const int sequences = memcmp(before, order, n);
        cr_assert((sequences < 0) == (rank_before < rank) && (sequences == 0) == (rank_before == rank));
        order_unrank(&ranking, rank, 0, again);
        cr_assert(memcmp(order, again, n) == 0);
        memcpy(before, order, n);
        rank_before = rank;
    }
}

Test(order, many_things)
{
    check_many(3, (const uint8_t[]){10, 10, 10});
    check_many(6, (const uint8_t[]){3, 3, 3, 3, 3, 3});
    check_many(5, (const uint8_t[]){5, 1, 4, 1, 4});
    check_many(2, (const uint8_t[]){254, 1});
    check_many(2, (const uint8_t[]){3, 252});
    check_many(3, (const uint8_t[]){100, 2, 5});
    check_many(2, (const uint8_t[]){33, 33});
    check_many(12, (const uint8_t[]){2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1});
    check_many(4, (const uint8_t[]){4, 4, 4, 4});
}

/* -- limits -- */

/* The number of orders, or 0 for 2^63 or more, from factorials' prime factors: no step that could overflow unseen. */
static uint64_t plain_orders(unsigned classes, const uint8_t *members)
{
    int exponent[256] = {0};
    unsigned n = 0;
    for (unsigned c = 0; c < classes; c++) {
        n += members[c];
        for (unsigned i = 2; i <= members[c]; i++)
            exponent[i]--;
    }
    for (unsigned i = 2; i <= n; i++)
        exponent[i]++;
    for (unsigned i = 255; i >= 2; i--)
        for (unsigned p = 2; p < i; p++)
            if (i % p == 0) {
                exponent[p] += exponent[i];
                exponent[i / p] += exponent[i];
                exponent[i] = 0;
                break;
            }
    unsigned __int128 product = 1;
    for (unsigned p = 2; p < 256; p++)
        for (int e = 0; e < exponent[p]; e++)
            if ((product *= p) >> 63)
                return 0;
    return (uint64_t)product;
}

Test(order, number_of_orders_and_its_limit)
{
    static const uint8_t ones[MOST] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    static const uint8_t first_pair[MOST] = {2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct order_ranking ranking;
    cr_expect(order_ranking_init(&ranking, 20, ones, false));
    EXPECT_NUMBER(ranking.orders, 2432902008176640000); /* 20! */
    cr_expect(order_ranking_init(&ranking, 20, ones, true));
    EXPECT_NUMBER(ranking.orders, 1216451004088320000);
    cr_expect(!order_ranking_init(&ranking, 21, ones, false));
    cr_expect(!order_ranking_init(&ranking, 21, ones, true));
    cr_expect(order_ranking_init(&ranking, 19, first_pair, false) && ranking.kind == ORDER_PAIR);
    cr_expect(!order_ranking_init(&ranking, 20, first_pair, false));
    uint64_t random = 1;
    int refused = 0, taken = 0;
    for (int i = 0; i < 20000; i++) {
        uint8_t members[MOST];
        const unsigned classes = 1 + (unsigned)random_below(&random, 20),
                       most = 1 + (unsigned)random_below(&random, 40);
        unsigned n = 0;
        for (unsigned c = 0; c < classes; c++)
            n += members[c] = (uint8_t)(1 + random_below(&random, most));
        if (n > ORDER_MAX_THINGS)
            continue;
        const uint64_t orders = plain_orders(classes, members);
        const bool good = order_ranking_init(&ranking, classes, members, false);
        cr_assert(good == (orders != 0) && (!good || ranking.orders == orders), "%u things", n);
        refused += !good;
        taken += good;
    }
    cr_expect(refused > 1000 && taken > 1000, "%d refused, %d taken", refused, taken);
    /* 66 over 33 is the last such binomial below 2^63. */
    cr_expect(order_ranking_init(&ranking, 2, (const uint8_t[]){33, 33}, false));
    EXPECT_NUMBER(ranking.orders, 7219428434016265740);
    cr_expect(!order_ranking_init(&ranking, 2, (const uint8_t[]){34, 33}, false));
    cr_expect(!order_ranking_init(&ranking, 2, (const uint8_t[]){33, 34}, false));
}
