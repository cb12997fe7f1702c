/* test_program.c -- programs over columns: random graphs and moves, against one state and one node at a time */
#include "lib/families/rules/columns/program.h"
#include "lib/random.h"
#include "random_rules.h"
#include "tests/support/support.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 700 };

static void random_state(uint64_t *random, const struct rules *rules, int32_t *state)
{
    memset(state, 0, ELEMENTS_MAX * sizeof *state);
    const bool ends = random_below(random, 4) == 0;
    for (uint32_t e = 0; e < rules->elements; e++) {
        const struct rules_element *element = &rules->element[e];
        const uint64_t count = (uint64_t)((int64_t)element->hi - element->lo) + 1;
        const uint64_t few = count > 30 && random_below(random, 2) ? 30 : count;
        state[e] = (int32_t)(element->lo + (int64_t)random_below(random, few));
        if (ends)
            state[e] = random_below(random, 2) ? element->lo : element->hi;
    }
}

struct answers {
    uint64_t *next;
    uint32_t *cost;
    uint16_t count[STATES];
    bool goal[STATES];
    size_t made;
};

static void ask(const struct program *program, const uint64_t *key, size_t count, struct answers *answers)
{
    const size_t room = STATES * (size_t)program_max_moves(program) + 1;
    answers->next = calloc(room, sizeof *answers->next);
    answers->cost = calloc(room, sizeof *answers->cost);
    cr_assert(answers->next != NULL && answers->cost != NULL);
    answers->made = program_successors(program, key, count, answers->next, answers->cost, answers->count);
    uint64_t *again = calloc(room, sizeof *again);
    uint16_t counts[STATES];
    cr_assert_eq(program_successors(program, key, count, again, NULL, counts), answers->made);
    cr_assert_eq(memcmp(again, answers->next, answers->made * sizeof *again), 0);
    cr_assert_eq(memcmp(counts, answers->count, count * sizeof *counts), 0);
    free(again);
    program_goals(program, key, count, answers->goal);
}

static void free_answers(struct answers *answers)
{
    free(answers->next);
    free(answers->cost);
}

/* All of a state's moves, one after another; returns how many. */
static size_t compare(const struct rules *rules, const int32_t *state, const struct answers *answers, size_t i,
                      size_t at)
{
    static int64_t value[NODES_MAX + MOVES_MAX];
    size_t moves = 0;
    for (uint32_t n = 0; n < rules->dag.count; n++)
        value[n] = oracle_rules_value(rules, state, value, n);
    for (size_t m = 0; m < rules->ground.moves; m++) {
        int32_t after[ELEMENTS_MAX];
        memcpy(after, state, sizeof after);
        if (!oracle_rules_move(rules, &rules->ground.move[m], value, after))
            continue;
        cr_assert_lt(moves, answers->count[i], "move %zu of state %zu is missing", m, i);
        cr_assert_eq(answers->next[at + moves], oracle_rules_key(rules, after), "move %zu of state %zu", m, i);
        cr_assert_eq(answers->cost[at + moves], value[rules->ground.move[m].cost]);
        moves++;
    }
    cr_assert_eq(moves, answers->count[i], "state %zu", i);
    cr_assert_eq(answers->goal[i], oracle_rules_holds(value[rules->ground.goal]));
    return moves;
}

static size_t compare_all(uint64_t *random, const struct rules *rules, bool portable)
{
    static int32_t state[STATES][ELEMENTS_MAX];
    uint64_t key[STATES];
    struct program *program;
    struct answers answers;
    pdb_error error;
    const size_t count = 1 + random_below(random, random_below(random, 3) ? 100 : STATES);
    cr_assert_eq(program_make(rules, portable, &program, &error), PDB_OK, "%s", error.message);
    cr_assert_leq(program_max_moves(program), rules->ground.moves);
    for (size_t i = 0; i < count; i++) {
        random_state(random, rules, state[i]);
        key[i] = oracle_rules_key(rules, state[i]);
        cr_assert_lt(key[i], rules->layout.keys);
    }
    ask(program, key, count, &answers);
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        at += compare(rules, state[i], &answers, i, at);
    cr_assert_eq(at, answers.made);
    free_answers(&answers);
    program_free(program);
    return at;
}

/* Keys that may be no state's: both programs make of them the same, and it is keys. */
static void compare_any_keys(uint64_t *random, const struct rules *rules)
{
    uint64_t key[STATES];
    struct program *program[2];
    struct answers answers[2];
    for (size_t i = 0; i < STATES; i++)
        key[i] = random_below(random, rules->layout.keys);
    for (unsigned portable = 0; portable < 2; portable++) {
        cr_assert_eq(program_make(rules, portable, &program[portable], NULL), PDB_OK);
        ask(program[portable], key, STATES, &answers[portable]);
    }
    cr_assert_eq(answers[0].made, answers[1].made);
    cr_assert_eq(memcmp(answers[0].next, answers[1].next, answers[0].made * sizeof *key), 0);
    cr_assert_eq(memcmp(answers[0].count, answers[1].count, sizeof answers[0].count), 0);
    cr_assert_eq(memcmp(answers[0].goal, answers[1].goal, sizeof answers[0].goal), 0);
    for (size_t i = 0; i < answers[0].made; i++)
        cr_assert_lt(answers[0].next[i], rules->layout.keys);
    for (unsigned portable = 0; portable < 2; portable++) {
        program_free(program[portable]);
        free_answers(&answers[portable]);
    }
}

static void try_many(uint64_t seed, unsigned definitions)
{
    struct random_rules *made = calloc(1, sizeof *made);
    struct rules *rules = calloc(1, sizeof *rules);
    cr_assert(made != NULL && rules != NULL);
    made->rules = rules;
    size_t moves = 0;
    for (unsigned i = 0; i < definitions; i++) {
        uint64_t random = seed * 1000000 + i;
        random_rules(&random, made);
        moves += compare_all(&random, rules, i % 2);
        if (i % 8 == 0)
            compare_any_keys(&random, rules);
    }
    cr_assert_gt(moves, 100 * (size_t)definitions, "%zu moves", moves);
    free(rules);
    free(made);
}

Test(program, random_definitions)
{
    try_many(1, 500);
}

Test(program, more_random_definitions)
{
    try_many(2, share_of(3500));
}
