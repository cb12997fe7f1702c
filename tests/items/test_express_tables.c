/*
 * Expressions, the rest: fractions at their limits, definitions that are wrong, questions of every form, limits of
 * memory, interrupts, and bytes that are not what was built.
 */
#include "express_values.h"
#include "items/express/rational.h"
#include "oracle_express.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPRESS "puzzle: test\nfamily: express\n"

/* ---- fractions ---- */

static struct rational fraction(int64_t numerator, int64_t denominator)
{
    return (struct rational){numerator, denominator};
}

Test(express_tables, limits_of_fractions)
{
    const struct rational greatest = fraction(INT64_MAX, 1), least = fraction(-INT64_MAX, 1),
                          smallest = fraction(1, INT64_MAX);
    struct rational out;
    cr_expect(!rational_add(greatest, fraction(1, 1), &out) && !rational_subtract(least, fraction(1, 1), &out));
    cr_expect(!rational_subtract(least, greatest, &out) && !rational_add(greatest, greatest, &out));
    cr_expect(!rational_multiply(greatest, greatest, &out) && !rational_multiply(smallest, smallest, &out));
    cr_expect(!rational_divide(greatest, smallest, &out) && !rational_divide(greatest, fraction(0, 1), &out));
    cr_expect(!rational_add(smallest, fraction(1, 2), &out) && !rational_subtract(greatest, smallest, &out));
    cr_expect(rational_multiply(greatest, smallest, &out) && rational_equal(out, fraction(1, 1)));
    cr_expect(rational_add(greatest, least, &out) && rational_equal(out, fraction(0, 1)));
    cr_expect(rational_divide(least, greatest, &out) && rational_equal(out, fraction(-1, 1)));
    cr_expect(!rational_make((__int128)INT64_MAX + 1, 1, &out) && !rational_make(1, 0, &out));
    cr_expect(rational_make(((__int128)INT64_MAX + 1) * 6, -3 * ((__int128)1 << 62), &out) &&
              rational_equal(out, fraction(-4, 1)));
    cr_expect(rational_compare(smallest, fraction(0, 1)) > 0 && rational_compare(least, greatest) < 0);
    cr_expect(rational_compare(fraction(INT64_MAX - 1, INT64_MAX), fraction(INT64_MAX - 2, INT64_MAX - 1)) > 0);
}

Test(express_tables, powers_and_roots)
{
    static const struct {
        struct rational a, b;
        bool good;
        struct rational out;
    } given[] = {
        {{2, 1}, {62, 1}, true, {1ll << 62, 1}},  {{2, 1}, {63, 1}, false, {0, 1}},
        {{-2, 1}, {63, 1}, false, {0, 1}},        {{-2, 1}, {3, 1}, true, {-8, 1}},
        {{-2, 1}, {-3, 1}, true, {-1, 8}},        {{-2, 3}, {-2, 1}, true, {9, 4}},
        {{0, 1}, {5, 2}, true, {0, 1}},           {{0, 1}, {0, 1}, false, {0, 1}},
        {{0, 1}, {-1, 1}, false, {0, 1}},         {{7, 3}, {0, 1}, true, {1, 1}},
        {{-1, 1}, {INT64_MAX, 1}, true, {-1, 1}}, {{1, 1}, {-INT64_MAX, 2}, true, {1, 1}},
        {{8, 27}, {2, 3}, true, {4, 9}},          {{8, 27}, {-2, 3}, true, {9, 4}},
        {{-8, 1}, {1, 3}, false, {0, 1}},         {{2, 1}, {1, 2}, false, {0, 1}},
        {{2, 1}, {1, INT64_MAX}, false, {0, 1}},  {{1ll << 62, 1}, {1, 62}, true, {2, 1}},
        {{1, 2}, {-INT64_MAX, 1}, false, {0, 1}}, {{10, 1}, {18, 1}, true, {1000000000000000000, 1}},
        {{10, 1}, {19, 1}, false, {0, 1}},
    };
    struct rational out;
    for (size_t i = 0; i < COUNT(given); i++) {
        const bool good = rational_power(given[i].a, given[i].b, &out);
        cr_expect(good == given[i].good && (!good || rational_equal(out, given[i].out)), "power %zu", i);
    }
    for (int64_t n = 0; n < 3000000000; n = n * 3 / 2 + 1) {
        cr_expect(rational_root(fraction(n * n, 1), &out) && rational_equal(out, fraction(n, 1)), "%lld", (long long)n);
        cr_expect(n < 2 || !rational_root(fraction(n * n - 1, 1), &out));
        cr_expect(n < 1 || !rational_root(fraction(n * n + 1, 1), &out));
    }
    cr_expect(!rational_root(fraction(-4, 1), &out) && !rational_root(fraction(4, 5), &out) &&
              !rational_root(fraction(INT64_MAX, 1), &out));
    cr_expect(rational_factorial(fraction(20, 1), &out) && rational_equal(out, fraction(2432902008176640000, 1)));
    cr_expect(!rational_factorial(fraction(21, 1), &out) && !rational_factorial(fraction(-1, 1), &out) &&
              !rational_factorial(fraction(1, 2), &out));
}

/* A number of any size up to 2^63 - 1: small ones as often as large ones. */
static int64_t some_number(uint64_t *state)
{
    return (int64_t)(next_random(state) >> (1 + random_below(state, 63)));
}

/* What fits agrees with the oracle's arithmetic, and what does not fit is refused by both. */
Test(express_tables, random_fractions)
{
    uint64_t state = 6;
    unsigned refused = 0;
    for (int i = 0; i < 200000; i++) {
        struct rational a, b, out;
        struct oracle_fraction expected;
        char text[200], digits[200];
        unsigned operators;
        if (!rational_make(some_number(&state), some_number(&state), &a) ||
            !rational_make(some_number(&state), some_number(&state), &b))
            continue;
        const int which = i % 4;
        const bool good = which == 0   ? rational_add(a, b, &out)
                          : which == 1 ? rational_subtract(a, b, &out)
                          : which == 2 ? rational_multiply(a, b, &out)
                                       : rational_divide(a, b, &out);
        snprintf(text, sizeof text, "(%lld / %lld) %c (%lld / %lld)", (long long)a.numerator, (long long)a.denominator,
                 "+-*/"[which], (long long)b.numerator, (long long)b.denominator);
        const bool fits = oracle_evaluate(text, &expected, &operators, digits);
        cr_assert(good == fits, "%s", text);
        cr_assert(!good || (out.numerator == expected.over && out.denominator == expected.under), "%s", text);
        refused += !good;
    }
    cr_expect(refused > 10000 && refused < 190000, "%u", refused);
}

/* ---- questions ---- */

Test(express_tables, questions)
{
    static const struct {
        const char *question, *value;
        bool made;
    } good[] = {{"10", "10", true},
                {" 10\n", "10", true},
                {"+10", "10", true},
                {"-3", "-3", true},
                {"7/2", "7/2", true},
                {"14 / 4", "7/2", true},
                {"3.5", "7/2", true},
                {"3.50", "7/2", true},
                {"-.0625", "-1/16", false},
                {"-15/4", "-15/4", true},
                {"-3.75", "-15/4", true},
                {"11", "11", false},
                {"000", "0", true},
                {"0/5", "0", true},
                {"1000000000000000000/2", "500000000000000000", false},
                {"9223372036854775807", "9223372036854775807", false},
                {"0.1000000000000000000000000", "1/10", true}};
    static const char *const bad[] = {"",
                                      " ",
                                      "x",
                                      "start",
                                      "goal",
                                      "4 4",
                                      "1/0",
                                      "1/",
                                      "/2",
                                      ".",
                                      "-",
                                      "--1",
                                      "1e3",
                                      "1.5/2",
                                      "1/2/3",
                                      "1/-2",
                                      "٤",
                                      "9223372036854775808",
                                      "99999999999999999999999999999999999999999999",
                                      "0.00000000000000000000000000000000000000001",
                                      "1/99999999999999999999999999999999999999",
                                      "1/9223372036854775808"};
    struct values_made made = built_in_values("four-fours");
    for (size_t i = 0; i < COUNT(good); i++) {
        pdb_reply reply = ask_value(&made, good[i].question, PDB_WANT_PATH | PDB_WANT_COUNT);
        EXPECT_TEXT(fact_text(&reply, "value"), good[i].value);
        cr_expect((reply.distance != PDB_NO_DISTANCE) == good[i].made, "%s", good[i].question);
        cr_expect((find_fact(&reply, "expression") != NULL) == good[i].made &&
                  (find_fact(&reply, "reason") != NULL) != good[i].made);
        reply_clear(&reply);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        pdb_reply reply = {.distance = PDB_NO_DISTANCE};
        pdb_error error;
        cr_expect(made.family->ask(made.puzzle, &made.items, bad[i], 0, &reply, &error) == PDB_BAD_BOARD, "'%s'",
                  bad[i]);
        cr_expect(is_utf8_line(error.message) && reply.count == 0, "%s", error.message);
        reply_clear(&reply);
    }
    forget_values(&made);
}

Test(express_tables, nearest)
{
    struct values_made made = built_in_values("four-fours");
    pdb_reply reply = ask_value(&made, "11", 0);
    EXPECT_TEXT(fact_text(&reply, "reason"), "no expression of the digits 4444 has this value");
    EXPECT_TEXT(fact_text(&reply, "below"), "10");
    EXPECT_TEXT(fact_text(&reply, "above"), "12");
    reply_clear(&reply);
    reply = ask_value(&made, "5000", 0);
    EXPECT_TEXT(fact_text(&reply, "below"), "4444");
    cr_expect(find_fact(&reply, "above") == NULL);
    reply_clear(&reply);
    reply = ask_value(&made, "-5000", 0);
    cr_expect(find_fact(&reply, "below") == NULL && find_fact(&reply, "above") != NULL);
    reply_clear(&reply);
    forget_values(&made);
    made = make_values(EXPRESS "digits: 4 4 4\nuse: fewest\noperators: + *\n");
    reply = ask_value(&made, "13", 0); /* 4 8 12 16 20 32 64 */
    EXPECT_TEXT(fact_text(&reply, "reason"), "no expression of up to 3 digits 4 has this value");
    EXPECT_TEXT(fact_text(&reply, "below"), "12");
    EXPECT_TEXT(fact_text(&reply, "above"), "16");
    reply_clear(&reply);
    forget_values(&made);
}

/* ---- definitions ---- */

Test(express_tables, complaints)
{
    static const struct {
        const char *yaml, *message;
    } given[] = {
        {"operators: + -", "test.yaml:1:1: the key 'digits' is missing in this mapping"},
        {"digits: ''", "test.yaml:3:9: there is no digit here: 4 4 4 4"},
        {"digits: 4 4 x", "test.yaml:3:13: only digits 0 to 9 are expected here: 4 4 4 4"},
        {"digits: 25 3", "test.yaml:3:10: a number of several digits cannot be given: digits stand alone (2 5), and "
                         "'join' makes numbers of them"},
        {"digits: 4444444444444", "test.yaml:3:21: there may be at most 12 digits"},
        {"digits: 44\noperators: + mod",
         "test.yaml:4:14: there is no operator 'mod', but + - * / power root factorial negate join decimal"},
        {"digits: 44\noperators: joins +", "test.yaml:4:12: there is no operator 'joins': did you mean 'join'?"},
        {"digits: 44\noperators: + +", "test.yaml:4:14: the operator '+' is given twice"},
        {"digits: 44\norder: ani", "test.yaml:4:8: one of (any, kept) is needed here, not 'ani': did you mean 'any'?"},
        {"digits: 4 5\nuse: fewest",
         "test.yaml:4:6: the fewest digits can be asked for where all of them are alike: 4 4 4 4 4"},
        {"digit: 4", "test.yaml:3:1: unknown key 'digit': did you mean 'digits'?"},
    };
    for (size_t i = 0; i < COUNT(given); i++) {
        char yaml[300];
        snprintf(yaml, sizeof yaml, EXPRESS "%s\n", given[i].yaml);
        const pdb_error error = refusal(yaml, PDB_BAD_DEFINITION);
        EXPECT_TEXT(error.message, given[i].message);
    }
}

/* ---- building ---- */

static pdb_status build(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory, items_observer *observe,
                        void *context, struct items *items, pdb_error *error)
{
    return puzzle->family->build(puzzle, threads, memory, observe, context, items, error);
}

Test(express_tables, no_item)
{
    struct items_puzzle *puzzle = make_items(EXPRESS "digits: 4 4\noperators: root\n");
    struct items items;
    pdb_error error;
    cr_expect(build(puzzle, 1, PLENTY, NULL, NULL, &items, &error) == PDB_BAD_DEFINITION, "%s", error.message);
    items_free(&items);
    items_puzzle_free(puzzle);
}

Test(express_tables, same_bytes)
{
    struct items_puzzle *puzzle = make_items(EXPRESS
                                             "digits: 1 2 3 4\noperators: join decimal + - * / power root factorial\n");
    struct items first, other;
    pdb_error error;
    cr_assert(build(puzzle, 1, PLENTY, NULL, NULL, &first, &error) == PDB_OK, "%s", error.message);
    for (unsigned threads = 2; threads <= 8; threads *= 2) {
        cr_assert(build(puzzle, threads, PLENTY, NULL, NULL, &other, &error) == PDB_OK, "%s", error.message);
        cr_expect(first.size == other.size && memcmp(first.bytes, other.bytes, first.size) == 0);
        items_free(&other);
    }
    items_free(&first);
    items_puzzle_free(puzzle);
}

/* Whatever the memory, it is enough or a clear refusal. */
Test(express_tables, memory)
{
    struct items_puzzle *puzzle = make_items(EXPRESS "digits: 4 4 4 4 4\noperators: join + - * / power\n");
    unsigned enough = 0, refused = 0;
    for (uint64_t memory = 16; memory <= PLENTY; memory *= 2) {
        struct items items;
        pdb_error error;
        const pdb_status status = build(puzzle, 1, memory, NULL, NULL, &items, &error);
        cr_assert(status == PDB_OK || status == PDB_TOO_LARGE, "%s", error.message);
        cr_expect(status == PDB_OK || (is_utf8_line(error.message) && strstr(error.message, "memory") != NULL), "%s",
                  error.message);
        cr_expect(status == PDB_OK || enough == 0, "less was enough");
        enough += status == PDB_OK;
        refused += status != PDB_OK;
        items_free(&items);
    }
    cr_expect(enough > 5 && refused > 5, "%u %u", enough, refused);
    items_puzzle_free(puzzle);
}

/* More expressions of a value than 64 bits count: no memory would help, and no number wraps. */
Test(express_tables, too_many_to_count)
{
    struct items_puzzle *puzzle = make_items(EXPRESS "digits: 000000111111\noperators: + - * negate factorial\n");
    struct items items;
    pdb_error error;
    cr_expect(build(puzzle, 1, PLENTY, NULL, NULL, &items, &error) == PDB_TOO_LARGE);
    cr_expect(strstr(error.message, "one has 2^64 expressions or more, too many to count: take fewer digits") != NULL,
              "%s", error.message);
    cr_expect(strstr(error.message, "memory") == NULL, "%s", error.message);
    items_free(&items);
    items_puzzle_free(puzzle);
}

struct watch {
    unsigned calls, stop_at;
    double last;
};

static bool observe(void *context, double done)
{
    struct watch *watch = context;
    cr_expect(done >= watch->last - 1e-9 && done <= 1 + 1e-9, "%f after %f", done, watch->last);
    watch->last = done;
    return ++watch->calls != watch->stop_at;
}

Test(express_tables, interrupts)
{
    struct items_puzzle *puzzle = make_items(
        EXPRESS "digits: 4 4 4 4 4\noperators: join decimal + - * / power root factorial\n");
    struct watch watch = {0};
    struct items items;
    pdb_error error;
    cr_assert(build(puzzle, 1, PLENTY, observe, &watch, &items, &error) == PDB_OK, "%s", error.message);
    items_free(&items);
    const unsigned calls = watch.calls;
    cr_expect(calls > 20 && watch.last > 0.5, "%u calls, up to %f", calls, watch.last);
    const unsigned stops = share() == 1 ? 20 : 2;
    for (unsigned stop_at = 1; stop_at <= calls; stop_at += 1 + calls / stops) {
        watch = (struct watch){.stop_at = stop_at};
        cr_assert(build(puzzle, 1, PLENTY, observe, &watch, &items, &error) == PDB_INTERRUPTED);
        EXPECT_NUMBER(watch.calls, stop_at);
        items_free(&items);
    }
    items_puzzle_free(puzzle);
}

/* ---- the figures ---- */

Test(express_tables, figures)
{
    static const char *const yaml[] = {EXPRESS "digits: 1 3 4 6\n", EXPRESS "digits: 4 4 4 4 4\nuse: fewest\n"};
    for (size_t y = 0; y < COUNT(yaml); y++) {
        struct values_made made = make_values(yaml[y]);
        uint64_t histogram[UINT8_MAX] = {0}, sum = 0, hardest = 0;
        for (uint64_t i = 0; i < made.items.count; i++) {
            char text[PDB_TEXT_MAX];
            made.family->item(made.puzzle, &made.items, i, text);
            pdb_reply reply = ask_value(&made, text, 0);
            histogram[reply.distance]++;
            if (reply.distance + 1 == made.items.depths) {
                cr_expect(hardest < made.items.hardest_kept && made.items.hardest[hardest] == i, "%s", text);
                hardest++;
            }
            reply_clear(&reply);
        }
        for (size_t d = 0; d < made.items.depths; d++) {
            EXPECT_NUMBER(made.items.histogram[d], histogram[d]);
            sum += histogram[d];
        }
        EXPECT_NUMBER(sum, made.items.count);
        EXPECT_NUMBER(made.items.hardest_kept, hardest);
        forget_values(&made);
    }
}

/* ---- bytes from elsewhere ---- */

/* A copy at the end of a piece of memory of its own, so that a sanitizer sees a step too far. */
static struct items copy_of(const struct items *items)
{
    struct items copy = *items;
    copy.bytes = checked_memory(1, items->size);
    copy.histogram = checked_memory(items->depths, sizeof *copy.histogram);
    copy.hardest = checked_memory(items->hardest_kept, sizeof *copy.hardest);
    memcpy(copy.bytes, items->bytes, items->size);
    memcpy(copy.histogram, items->histogram, items->depths * sizeof *copy.histogram);
    memcpy(copy.hardest, items->hardest, items->hardest_kept * sizeof *copy.hardest);
    return copy;
}

/* Asks for some items of what was accepted: an answer, or a word about the damage. */
static void ask_around(const struct values_made *made, const struct items *items, int times, uint64_t *state)
{
    while (times-- > 0) {
        char text[PDB_TEXT_MAX];
        pdb_reply reply = {.distance = PDB_NO_DISTANCE};
        pdb_error error;
        made->family->item(made->puzzle, items, random_below(state, items->count), text);
        const pdb_status status = made->family->ask(made->puzzle, items, text, PDB_WANT_PATH | PDB_WANT_COUNT, &reply,
                                                    &error);
        cr_expect(status == PDB_OK || status == PDB_DAMAGED, "%s: %s", text, error.message);
        reply_clear(&reply);
    }
}

static void try_damaged(const struct values_made *made, const struct items *items, int times, uint64_t *state,
                        unsigned *accepted)
{
    pdb_error error;
    const pdb_status status = made->family->accept(made->puzzle, items, &error);
    cr_assert(status == PDB_OK || (status == PDB_DAMAGED && is_utf8_line(error.message)), "%d", status);
    if (status != PDB_OK)
        return;
    ++*accepted;
    ask_around(made, items, times, state);
}

static const char *const damaged[] = {
    EXPRESS "digits: 4 4 4 4\n", EXPRESS "digits: 1 2 3\noperators: join decimal + - * / power root factorial negate\n",
    EXPRESS "digits: 4 4 4 4 4\nuse: fewest\n",
    EXPRESS "digits: 0 1 0 1\norder: kept\noperators: ['*', -, power, /]\n"};

Test(express_tables, damage)
{
    uint64_t state = 99;
    unsigned accepted = 0;
    const unsigned rounds = share() == 1 ? 1000 : 200;
    for (size_t d = 0; d < COUNT(damaged); d++) {
        struct values_made made = make_values(damaged[d]);
        for (unsigned round = 0; round < rounds; round++) {
            struct items copy = copy_of(&made.items);
            for (uint64_t flips = 1 + random_below(&state, 3); flips > 0; flips--)
                copy.bytes[random_below(&state, copy.size)] ^= (uint8_t)(1 << random_below(&state, 8));
            try_damaged(&made, &copy, 5, &state, &accepted);
            items_free(&copy);
        }
        forget_values(&made);
    }
    cr_expect(accepted > rounds / 10, "%u", accepted);
}

Test(express_tables, other_lengths)
{
    for (size_t d = 0; d < COUNT(damaged); d++) {
        struct values_made made = make_values(damaged[d]);
        for (uint64_t size = 0; size < made.items.size; size += 1 + size / 50) {
            struct items copy = copy_of(&made.items);
            pdb_error error;
            uint8_t *shorter = realloc(copy.bytes, size + 1);
            cr_assert(shorter != NULL);
            copy.bytes = shorter;
            copy.size = size;
            cr_expect(made.family->accept(made.puzzle, &copy, &error) == PDB_DAMAGED);
            items_free(&copy);
        }
        struct items copy = copy_of(&made.items);
        pdb_error error;
        copy.count++;
        cr_expect(made.family->accept(made.puzzle, &copy, &error) == PDB_DAMAGED);
        copy.count--;
        copy.histogram[copy.depths - 1]++;
        cr_expect(made.family->accept(made.puzzle, &copy, &error) == PDB_DAMAGED);
        copy.histogram[copy.depths - 1]--;
        copy.hardest[0]++;
        cr_expect(made.family->accept(made.puzzle, &copy, &error) == PDB_DAMAGED);
        copy.hardest[0]--;
        cr_expect(made.family->accept(made.puzzle, &copy, &error) == PDB_OK);
        items_free(&copy);
        forget_values(&made);
    }
}

/* Tables that are in order and say nothing true: all numbers of operators 0, all numbers of expressions huge. */
Test(express_tables, forged)
{
    uint64_t state = 5;
    for (size_t d = 0; d < COUNT(damaged); d++) {
        struct values_made made = make_values(damaged[d]);
        struct items copy = copy_of(&made.items);
        unsigned accepted = 0;
        uint64_t rows = 0, heads = copy.size % 25 / 8; /* as many parts as make it come out: 25 a row and 8 a part */
        while (memcpy(&rows, copy.bytes + 8 * (heads > 0 ? heads - 1 : 0), 8), 8 * heads + 25 * rows != copy.size)
            heads++;
        memset(copy.bytes + copy.size - rows, 0, rows);
        memset(copy.bytes + 8 * heads + 16 * rows, 0x7F, 8 * rows);
        if (strstr(damaged[d], "fewest") == NULL) {
            copy.depths = 1;
            copy.histogram[0] = copy.count;
            free(copy.hardest);
            copy.hardest = checked_memory(copy.count, sizeof *copy.hardest);
            for (copy.hardest_kept = 0; copy.hardest_kept < copy.count; copy.hardest_kept++)
                copy.hardest[copy.hardest_kept] = copy.hardest_kept;
        }
        try_damaged(&made, &copy, 1, &state, &accepted);
        EXPECT_NUMBER(accepted, 1);
        items_free(&copy);
        forget_values(&made);
    }
}
