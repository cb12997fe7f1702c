/* keyed.c -- a puzzle whose indices are the places of keys in a sorted table */
#include "keyed.h"

#include <stdlib.h>

enum { BATCH = 128 };

struct keyed {
    struct puzzle puzzle; /* a copy of the base's facts, but for the states and the functions */
    const struct puzzle *base;
    struct keys *keys;
};

static const struct keyed *keyed_of(const struct puzzle *puzzle)
{
    return (const struct keyed *)puzzle;
}

/* -- positions: the base's business -- */

static pdb_status keyed_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    const struct puzzle *base = keyed_of(puzzle)->base;
    return base->family->position.check(base, position, error);
}

static bool keyed_is_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    const struct puzzle *base = keyed_of(puzzle)->base;
    return base->family->position.is_goal(base, position);
}

static pdb_status keyed_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error)
{
    const struct puzzle *base = keyed_of(puzzle)->base;
    return base->family->position.moves(base, position, moves, error);
}

static bool keyed_image(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, uint8_t *image)
{
    const struct puzzle *base = keyed_of(puzzle)->base;
    return base->family->index.image(base, position, symmetry, image);
}

static bool keyed_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct keyed *keyed = keyed_of(puzzle);
    uint64_t key;
    return keyed->base->family->position.rank(keyed->base, position, &key) && keys_find(keyed->keys, key, index);
}

/* The key at a place. A damaged or forged table may give any number: one that is out of the family's range is not
 * passed on. */
static uint64_t key_at(const struct keyed *keyed, uint64_t index)
{
    const uint64_t key = keys_at(keyed->keys, index);
    if (key < keyed->base->states)
        return key;
    keys_reject(keyed->keys, PDB_DAMAGED);
    return 0;
}

static void keyed_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct keyed *keyed = keyed_of(puzzle);
    keyed->base->family->position.unrank(keyed->base, key_at(keyed, index), position);
}

/* -- indices: to keys and back -- */

typedef size_t neighbours_function(const struct puzzle *, const uint64_t *, size_t, uint64_t *, uint16_t *);

static size_t translate(const struct keyed *keyed, neighbours_function *neighbours, const uint64_t *index, size_t count,
                        uint64_t *next, uint16_t *next_count)
{
    size_t total = 0;
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t batch = count - first < BATCH ? count - first : BATCH;
        uint64_t key[BATCH];
        for (size_t i = 0; i < batch; i++)
            key[i] = key_at(keyed, index[first + i]);
        neighbours(keyed->base, key, batch, next + total, next_count + first);
        const uint64_t *from = next + total;
        for (size_t i = first; i < first + batch; i++) {
            const size_t before = total, keys = next_count[i];
            for (size_t k = 0; k < keys; k++) {
                const uint64_t found = *from++; /* read before its place may be written to */
                total += keys_find(keyed->keys, found, &next[total]);
            }
            next_count[i] = (uint16_t)(total - before);
        }
    }
    return total;
}

static size_t keyed_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                               uint16_t *next_count)
{
    const struct keyed *keyed = keyed_of(puzzle);
    return translate(keyed, keyed->base->family->index.successors, index, count, next, next_count);
}

static size_t keyed_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                 uint16_t *next_count)
{
    const struct keyed *keyed = keyed_of(puzzle);
    return translate(keyed, keyed->base->family->index.predecessors, index, count, next, next_count);
}

static size_t keyed_costed_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                      uint32_t *cost, uint16_t *next_count)
{
    const struct keyed *keyed = keyed_of(puzzle);
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = key_at(keyed, index[i]);
        const size_t before = total;
        keyed->base->family->index.costed_successors(keyed->base, &key, 1, next + total, cost + total, &next_count[i]);
        for (size_t k = before; k < before + next_count[i]; k++) {
            cost[total] = cost[k];
            total += keys_find(keyed->keys, next[k], &next[total]);
        }
        next_count[i] = (uint16_t)(total - before);
    }
    return total;
}

static void keyed_are_goals(const struct puzzle *puzzle, const uint64_t *index, size_t count, bool *goal)
{
    const struct keyed *keyed = keyed_of(puzzle);
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = key_at(keyed, index[i]);
        keyed->base->family->index.are_goals(keyed->base, &key, 1, &goal[i]);
    }
}

typedef size_t counted_function(const struct puzzle *, uint64_t, uint64_t *, uint64_t *);

static size_t translate_counted(const struct keyed *keyed, counted_function *counted, uint64_t key, uint64_t *next,
                                uint64_t *moves)
{
    const size_t count = counted(keyed->base, key, next, moves);
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        moves[kept] = moves[i];
        kept += keys_find(keyed->keys, next[i], &next[kept]);
    }
    return kept;
}

static size_t keyed_counted_successors(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *moves)
{
    const struct keyed *keyed = keyed_of(puzzle);
    return translate_counted(keyed, keyed->base->family->index.counted_successors, key_at(keyed, index), next, moves);
}

static size_t keyed_branches(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *moves)
{
    const struct keyed *keyed = keyed_of(puzzle);
    return translate_counted(keyed, keyed->base->family->index.branches, key_at(keyed, index), next, moves);
}

/* Calls a function of the base that gives a small number for each of a batch of keys. */
static void keyed_weights(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *weight)
{
    const struct keyed *keyed = keyed_of(puzzle);
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = key_at(keyed, index[i]);
        keyed->base->family->index.weights(keyed->base, &key, 1, &weight[i]);
    }
}

static void keyed_colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    const struct keyed *keyed = keyed_of(puzzle);
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = key_at(keyed, index[i]);
        keyed->base->family->index.colours(keyed->base, &key, 1, &colour[i]);
    }
}

/* -- goals -- */

struct goal_visit {
    const struct keyed *keyed;
    goal_visitor *visit;
    void *context;
};

static pdb_status visit_goal_keys(void *context, const uint64_t *key, size_t count, pdb_error *error)
{
    const struct goal_visit *goals = context;
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        uint64_t index;
        if (keys_find(goals->keyed->keys, key[i], &index))
            status = goals->visit(goals->context, &index, 1, error);
    }
    return status;
}

static pdb_status keyed_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct keyed *keyed = keyed_of(puzzle);
    const struct puzzle *base = keyed->base;
    if (!puzzle_sets_out(base)) {
        struct goal_visit goals = {.keyed = keyed, .visit = visit, .context = context};
        return base->family->index.goals(base, visit_goal_keys, &goals, error);
    }
    pdb_status status = PDB_OK;
    for (uint64_t index = 0; status == PDB_OK && index < puzzle->states; index++) {
        bool goal;
        keyed_are_goals(puzzle, &index, 1, &goal);
        if (goal)
            status = visit(context, &index, 1, error);
    }
    return status;
}

/* -- making one -- */

static const struct family keyed_family = {
    .name = "keyed",
    .summary = "a puzzle numbered by a table of keys",
    .position = {.check = keyed_check,
                 .is_goal = keyed_is_goal,
                 .moves = keyed_moves,
                 .rank = keyed_rank,
                 .unrank = keyed_unrank},
    .index = {.successors = keyed_successors,
              .predecessors = keyed_predecessors,
              .costed_successors = keyed_costed_successors,
              .goals = keyed_goals,
              .are_goals = keyed_are_goals,
              .colours = keyed_colours,
              .counted_successors = keyed_counted_successors,
              .branches = keyed_branches,
              .weights = keyed_weights,
              .image = keyed_image},
};

pdb_status keyed_create(const struct puzzle *base, struct keys *keys, struct puzzle **out, pdb_error *error)
{
    struct keyed *keyed = malloc(sizeof *keyed);
    if (keyed == NULL) {
        keys_free(keys);
        return error_no_memory(error, "the puzzle", sizeof *keyed);
    }
    keyed->puzzle = *base;
    puzzle_use(&keyed->puzzle, &keyed_family);
    struct index_functions *index = &keyed->puzzle.functions.index;
    index->chains = base->family->index.chains;
    if (base->family->index.weights == NULL) {
        index->weights = NULL;
        index->image = NULL;
    }
    keyed->puzzle.states = keys_count(keys);
    keyed->puzzle.keyed = false;
    keyed->base = base;
    keyed->keys = keys;
    *out = &keyed->puzzle;
    return PDB_OK;
}

void keyed_free(struct puzzle *puzzle)
{
    if (puzzle == NULL)
        return;
    keys_free(((struct keyed *)puzzle)->keys);
    free(puzzle);
}

const struct keys *keyed_keys(const struct puzzle *puzzle)
{
    return keyed_of(puzzle)->keys;
}
