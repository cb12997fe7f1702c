/* bounds.c -- are a puzzle's lower bounds admissible?
 *
 * The layers are sorted lists. Where moves can be undone, the neighbours of a layer lie in it, in the one before or in
 * the one after; so taking these two out leaves the next. Where they cannot, states of earlier layers may come again,
 * which costs time and is no mistake. The work is limited: by the moves followed.
 */
#include "rules.h"
#include "lib/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { LAYER_MAX = 1 << 16, LAYER_ROOM = 4 * LAYER_MAX };

struct layer {
    uint64_t *state; /* ascending */
    size_t count;
};

struct layers {
    const struct puzzle *puzzle;
    struct layer before, here, next;
    uint16_t far;  /* of `here` from the goals */
    uint64_t left; /* moves that may still be followed */
};

/* Sorts the next layer and leaves out what is there twice or has been before; then every second state until no more
 * than `most` are left. */
static void settle(struct layers *layers, size_t most)
{
    struct layer *next = &layers->next;
    size_t kept = 0;
    next->count = sort_unique_numbers(next->state, next->count);
    for (size_t i = 0; i < next->count; i++)
        if (!is_among_sorted(layers->here.state, layers->here.count, next->state[i]) &&
            !is_among_sorted(layers->before.state, layers->before.count, next->state[i]))
            next->state[kept++] = next->state[i];
    for (; kept > most; kept = (kept + 1) / 2)
        for (size_t i = 0; i < (kept + 1) / 2; i++)
            next->state[i] = next->state[2 * i];
    next->count = kept;
}

static pdb_status check_layer(const struct layers *layers, pdb_error *error)
{
    const struct puzzle *puzzle = layers->puzzle;
    for (size_t first = 0; first < layers->here.count; first += RULES_RUN) {
        const size_t left = layers->here.count - first, count = left < RULES_RUN ? left : RULES_RUN;
        const uint64_t *state = layers->here.state + first;
        uint16_t bound[RULES_RUN];
        puzzle->family->single.bounds(puzzle, state, count, bound);
        for (size_t i = 0; i < count; i++)
            if (bound[i] > layers->far && bound[i] == BOUND_NEVER)
                return rules_broken(puzzle, error, "bounds", state[i],
                                    "its bound says that no goal can be reached, and one is %u moves away",
                                    layers->far);
            else if (bound[i] > layers->far)
                return rules_broken(puzzle, error, "bounds", state[i], "its bound is %u, and a goal is %u moves away",
                                    bound[i], layers->far);
    }
    return PDB_OK;
}

/* The states one move before those of this layer. */
static pdb_status find_next(struct layers *layers, const struct check_limits *limits, uint64_t all, pdb_error *error)
{
    const struct puzzle *puzzle = layers->puzzle;
    struct layer *next = &layers->next;
    next->count = 0;
    for (size_t i = 0; i < layers->here.count && layers->left > 0; i++) {
        uint16_t count;
        uint64_t *found = next->state + next->count;
        puzzle->family->index.predecessors(puzzle, &layers->here.state[i], 1, found, &count);
        for (unsigned n = 0; n < count; n++)
            if (found[n] < puzzle->states)
                next->state[next->count++] = found[n];
        layers->left -= layers->left > count ? count + 1u : layers->left;
        if (next->count > LAYER_ROOM)
            settle(layers, LAYER_ROOM / 2);
        if (i % RULES_RUN == 0 && limits->observer != NULL && !limits->observer(limits->context, all, all))
            return error_set(error, PDB_INTERRUPTED, "%s: interrupted", puzzle->name);
    }
    settle(layers, LAYER_MAX);
    return PDB_OK;
}

static pdb_status go_back(struct layers *layers, const struct check_limits *limits, uint64_t all, pdb_error *error)
{
    pdb_status status = check_layer(layers, error);
    while (status == PDB_OK && layers->here.count > 0 && layers->left > 0 && layers->far < BOUND_NEVER - 1) {
        status = find_next(layers, limits, all, error);
        const struct layer oldest = layers->before;
        layers->before = layers->here;
        layers->here = layers->next;
        layers->next = oldest;
        layers->far++;
        if (status == PDB_OK)
            status = check_layer(layers, error);
    }
    return status;
}

pdb_status rules_check_bounds(const struct puzzle *puzzle, const struct check_limits *limits, const uint64_t *goal,
                              size_t goals, uint64_t all, pdb_error *error)
{
    const size_t room = LAYER_ROOM + (size_t)puzzle->max_moves + RULES_SLACK + 1;
    struct layers layers = {.puzzle = puzzle, .left = limits->moves / 32 + 1}; /* sorting makes each of them dear */
    uint64_t *memory = malloc(3 * room * sizeof *memory);
    if (memory == NULL)
        return error_no_memory(error, "the states near the goals", 3 * room * sizeof *memory);
    layers.before.state = memory;
    layers.here.state = memory + room;
    layers.next.state = memory + 2 * room;
    for (size_t g = 0; g < goals; g += goals / LAYER_MAX + 1)
        layers.here.state[layers.here.count++] = goal[g];
    pdb_status status = go_back(&layers, limits, all, error);
    free(memory);
    return status;
}
