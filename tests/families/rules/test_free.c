/* test_free.c -- free moves followed out of many states at once, against one state in the obvious way */
#include "lib/families/rules/free.h"
#include "lib/families/rules/layout.h"
#include "lib/families/rules/search/lookup.h"
#include "lib/random.h"
#include "tests/support/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 300, MOVES_MOST = 4096, AWAY = 49 /* so far apart the hash is not, free.c */ };

/* Free moves lead from most states to some 870, from others to none. */
static const char *const many_or_few =
    "puzzle: t\nfamily: rules\nstate: {a: 0..5, x: 0..29, y: 0..29}\ngoal: a == 5 and x == 1\nmoves:\n"
    "  - {name: turn, if: x > 1, do: x = 2 + (x - 1) % 28, cost: 0}\n"
    "  - {name: add, if: x > 1, do: y = (y + x) % 30, cost: 0}\n"
    "  - {name: up, if: y == 7 + 3 * a, do: 'a = a + 1, x = x / 2', cost: 1 + x}\n"
    "  - {name: down, if: a > 0, do: 'a = a - 1, x = y', cost: 2}\n"
    "  - {name: move, do: x = (x + 7) % 30, cost: 40}\n";

/* As many as there may be, one behind another; what costs something is behind the last. */
static const char
    *const one_way = "puzzle: t\nfamily: rules\nstate: {a: 0..63, b: 0..63, c: 0..2}\ngoal: c == 2 and b == 9\nmoves:\n"
                     "  - {name: p, do: a = (a + 1) % 64, cost: 0}\n"
                     "  - {name: q, if: a == 5, do: b = (b + 1) % 64, cost: 0}\n"
                     "  - {name: r, if: a == 7 and b == 9, do: 'c = c + 1, a = 0, b = 0', cost: 3}\n";

/* As many as may cost something, of each state. */
static const char *const many_that_cost =
    "puzzle: t\nfamily: rules\nstate: {a: 0..31, c: 0..31, d: 0..9}\ngoal: c == 5 and d == 7 and a == 3\nmoves:\n"
    "  - {name: p, do: a = (a + 1) % 32, cost: 0}\n"
    "  - {name: 'm {k}', for: {k: 0..31}, do: 'c = k, d = (d + a) % 10', cost: 1 + a % 3}\n";

/* Free moves lead to 64 states from one in 64; or from all others. */
static const char *const rarely = "puzzle: t\nfamily: rules\nstate: {c: 0..127, a: 0..63, b: 0..63}\n"
                                  "goal: c == 127\nmoves:\n"
                                  "  - {name: m, if: a == 0, do: b = (b + 1) % 64, cost: 0}\n"
                                  "  - {name: s, do: a = (a + 1) % 64}\n"
                                  "  - {name: r, if: b == 3, do: c = c + 1}\n";
static const char *const mostly = "puzzle: t\nfamily: rules\nstate: {c: 0..127, a: 0..63, b: 0..63}\n"
                                  "goal: c == 127\nmoves:\n"
                                  "  - {name: m, if: a != 0, do: b = (b + 1) % 64, cost: 0}\n"
                                  "  - {name: s, do: a = (a + 1) % 64}\n"
                                  "  - {name: r, if: b == 3, do: c = c + 1}\n";

static const struct rules *make(const char *text)
{
    struct puzzle *puzzle;
    pdb_error error;
    cr_assert(try_puzzle(text, &puzzle, &error) == PDB_OK, "%s", error.message);
    return (const struct rules *)puzzle;
}

static void end(const struct rules *rules)
{
    puzzle_free((struct puzzle *)(uintptr_t)rules);
}

/* -- moves and goals -- */

struct paid {
    uint64_t key;
    uint32_t cost;
};

static int compare_paid(const void *left, const void *right)
{
    const struct paid *a = left, *b = right;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->cost < b->cost ? -1 : a->cost > b->cost;
}

struct plain_moves {
    const struct rules *rules;
    struct paid paid[MOVES_MOST];
    size_t count;
};

static pdb_status take(void *context, const struct step *step, pdb_error *error)
{
    struct plain_moves *moves = context;
    (void)error;
    cr_assert(moves->count < MOVES_MOST);
    moves->paid[moves->count++] = (struct paid){layout_key(moves->rules, step->state), (uint32_t)step->cost};
    return PDB_OK;
}

/* Random states, some of them twice, so many at once; then each by itself. */
static void compare(const char *text, size_t states)
{
    static struct plain_moves moves;
    const struct rules *rules = make(text);
    const size_t room = states * rules->puzzle.max_moves;
    uint64_t random = 7, key[STATES], *next = calloc(room, sizeof *next);
    uint32_t *cost = calloc(room, sizeof *cost);
    struct paid *found = calloc(rules->puzzle.max_moves, sizeof *found);
    uint16_t next_count[STATES];
    int32_t state[RULES_MAX_ELEMENTS];
    bool goal[STATES];
    size_t at = 0;
    cr_assert(next != NULL && cost != NULL && found != NULL && states <= STATES && rules->free);
    for (size_t i = 0; i < states; i++) {
        memset(state, 0, sizeof state);
        for (uint32_t e = 0; e < rules->elements; e++)
            state[e] = (int32_t)random_below(&random, (uint64_t)rules->element[e].hi + 1);
        key[i] = i > AWAY && i % 2 == 0 ? key[i - AWAY] : layout_key(rules, state);
    }
    const size_t all = free_successors(rules, key, states, next, cost, next_count);
    free_goals(rules, key, states, goal);
    for (size_t i = 0; i < states; at += next_count[i++]) {
        layout_state(rules, key[i], state);
        moves = (struct plain_moves){.rules = rules};
        cr_assert(free_steps_visit(rules, state, take, &moves, NULL) == PDB_OK);
        cr_assert_eq(moves.count, next_count[i], "state %zu: %zu moves, and %u", i, moves.count, next_count[i]);
        for (size_t m = 0; m < moves.count; m++)
            found[m] = (struct paid){next[at + m], cost[at + m]};
        qsort(found, moves.count, sizeof *found, compare_paid);
        qsort(moves.paid, moves.count, sizeof *moves.paid, compare_paid);
        for (size_t m = 0; m < moves.count; m++)
            cr_assert(compare_paid(&found[m], &moves.paid[m]) == 0, "state %zu, move %zu", i, m);
        cr_assert_eq(goal[i], free_is_goal(rules, state));
    }
    cr_assert_eq(at, all);
    free(next);
    free(cost);
    free(found);
    end(rules);
}

Test(rules_free, many_states_at_once)
{
    compare(many_or_few, 100);
    compare(one_way, 12);
    compare(many_that_cost, 60);
    compare(rarely, STATES);
    compare(mostly, STATES);
}

/* Damaged databases may give keys that are no state's: a variable of three values has two bits. Free moves lead from
 * them to more states than from any that is one. */
Test(rules_free, keys_of_no_state)
{
    static const char text[] = "puzzle: t\nfamily: rules\nstate: {'v[0..6]': 0..2, d: 0..1}\ngoal: d == 1\nmoves:\n"
                               "  - {name: 'm {i}', for: {i: 0..6}, do: 'v[i] = (v[i] + 1) % 3', cost: 0}\n"
                               "  - {name: r, do: d = 1 - d}\n";
    const struct rules *rules = make(text);
    const unsigned most = rules->puzzle.max_moves;
    cr_assert(rules->layout.shifts);
    for (uint64_t back = 1; back < 100; back += 7) {
        const uint64_t key[2] = {rules->layout.keys - back, 0};
        uint64_t *next = malloc(2 * most * sizeof *next); /* what is written behind it, sanitizers find */
        uint16_t next_count[2];
        bool goal[2];
        cr_assert(next != NULL);
        const size_t all = free_successors(rules, key, 2, next, NULL, next_count);
        cr_assert(next_count[0] <= most && next_count[1] == 2187 && all == next_count[0] + (size_t)2187);
        free_goals(rules, key, 2, goal);
        cr_assert(!goal[1]);
        free(next);
    }
    end(rules);
}

/* -- work -- */

Test(rules_free, states_in_the_mean)
{
    const struct {
        const char *text;
        double mean;
    } cases[] = {{rarely, (63 + 64) / 64.0}, {mostly, (63 * 64 + 1) / 64.0}, {one_way, 4096}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rules *rules = make(cases[i].text);
        const double mean = free_states(rules);
        cr_assert(mean > cases[i].mean * 0.7 && mean < cases[i].mean * 1.4, "%zu: %f, not %f", i, mean, cases[i].mean);
        end(rules);
    }
}

/* Each of 64 x 64 states is the work of 64. */
Test(rules_free, tables_are_the_work_of_all_states_that_are_met)
{
    enum { EACH = 64, STATES_ALL = 64 * EACH, ALL = STATES_ALL * EACH };
    const struct rules *rules = make("puzzle: t\nfamily: rules\nstate: {a: 0..63, c: 0..63}\ngoal: c == 63\nmoves:\n"
                                     "  - {name: p, do: a = (a + 1) % 64, cost: 0}\n"
                                     "  - {name: r, if: a == 7, do: c = c + 1}\n");
    const uint64_t kept = 3;
    struct lookup_work work = {.memory = (uint64_t)64 << 20, .most = ALL};
    struct mover mover = {0};
    struct needs needs = {0};
    struct lookup lookup;
    pdb_error error;
    cr_assert(mover_make(rules, &mover, &error) == PDB_OK && needs_make(rules, &needs, &error) == PDB_OK);
    cr_assert(lookup_make(&mover, &needs, &kept, &work, &lookup, &error) == PDB_OK, "%s", error.message);
    cr_assert(lookup.entries == STATES_ALL && lookup.work >= ALL - STATES_ALL + FREE_SAMPLES * EACH);
    lookup_free(&lookup);
    work.most = ALL - STATES_ALL - 1;
    cr_assert_eq(lookup_make(&mover, &needs, &kept, &work, &lookup, &error), PDB_NO_DATABASE);
    cr_assert(lookup.entry == NULL && lookup.work >= (uint64_t)FREE_SAMPLES * EACH && lookup.work < ALL / 8);
    lookup_free(&lookup);
    mover_free(&mover);
    needs_free(&needs);
    end(rules);
}
