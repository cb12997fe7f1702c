/* wide.c -- states with wide keys: the contract's functions on them */
#include "wide.h"
#include "layout.h"
#include "lib/families/rules/columns/program.h"
#include "starts.h"
#include "symmetry.h"

#include <string.h>

static const struct rules *rules_of(const struct puzzle *puzzle)
{
    return (const struct rules *)puzzle;
}

/* Keys become the least of their images'. */
static void canonize(const struct rules *rules, struct wide_key *key, size_t count)
{
    for (size_t i = 0; rules->symmetry != NULL && i < count; i++)
        key[i] = symmetry_wide_least(rules->symmetry, key[i]);
}

static bool rank(const struct puzzle *puzzle, const uint8_t *position, struct wide_key *key)
{
    const struct rules *rules = rules_of(puzzle);
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element;
    if (!layout_read(rules, position, state, &element))
        return false;
    *key = layout_wide_key(rules, state);
    canonize(rules, key, 1);
    return true;
}

static void unrank(const struct puzzle *puzzle, struct wide_key key, uint8_t *position)
{
    const struct rules *rules = rules_of(puzzle);
    int32_t state[RULES_MAX_ELEMENTS];
    layout_wide_state(rules, key, state);
    layout_show(rules, state, position);
}

static size_t successors(const struct puzzle *puzzle, const struct wide_key *key, size_t count, struct wide_key *next,
                         uint32_t *cost, uint16_t *next_count)
{
    const struct rules *rules = rules_of(puzzle);
    const size_t all = program_successors(rules->program, key->word, count, next->word, cost, next_count);
    canonize(rules, next, all);
    return all;
}

static void goals(const struct puzzle *puzzle, const struct wide_key *key, size_t count, bool *goal)
{
    const struct rules *rules = rules_of(puzzle);
    program_goals(rules->program, key->word, count, goal);
    symmetry_hold(rules, key->word, count);
}

static void weights(const struct puzzle *puzzle, const struct wide_key *key, size_t count, uint16_t *weight)
{
    for (size_t i = 0; i < count; i++)
        weight[i] = (uint16_t)symmetry_wide_weight(rules_of(puzzle)->symmetry, key[i]);
}

struct starting {
    const struct rules *rules;
    wide_visitor *visit;
    void *context;
};

static pdb_status tell_starts(void *context, const struct wide_key *start, size_t count, pdb_error *error)
{
    const struct starting *starting = context;
    struct wide_key key[STARTS_RUN];
    memcpy(key, start, count * sizeof *key);
    canonize(starting->rules, key, count);
    return starting->visit(starting->context, key, count, error);
}

static pdb_status starts(const struct puzzle *puzzle, wide_visitor *visit, void *context, pdb_error *error)
{
    struct starting starting = {rules_of(puzzle), visit, context};
    return starts_visit(starting.rules, tell_starts, &starting, error);
}

struct wide_functions wide_functions_of(const struct rules *rules)
{
    return (struct wide_functions){.rank = rank,
                                   .unrank = unrank,
                                   .successors = successors,
                                   .are_goals = goals,
                                   .starts = starts,
                                   .weights = rules->symmetry != NULL ? weights : NULL};
}
