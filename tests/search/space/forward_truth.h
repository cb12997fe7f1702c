/* forward_truth.h -- what is to be found in directed graphs of which only the moves out of a state are known, or whose
 * moves cost: an obvious search over their edges
 */
#ifndef TESTS_SEARCH_SPACE_FORWARD_TRUTH_H
#define TESTS_SEARCH_SPACE_FORWARD_TRUTH_H

#include "lib/search/space/retrograde.h"
#include "tests/support/digraph.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static inline void *must(void *memory)
{
    cr_assert(memory != NULL);
    return memory;
}

/* -- what there is to be found -- */

/* Of the nodes that are states: all, or those that are reached from the starts. */
struct truth {
    bool *state;
    uint32_t *distance, states, max;
    uint64_t *ways;
};

static inline void reach(const struct digraph *graph, bool *state, uint32_t node)
{
    uint32_t *stack = must(malloc((graph->edges + 1) * sizeof *stack));
    size_t height = 0;
    if (!state[node])
        stack[height++] = node;
    state[node] = true;
    while (height > 0) {
        const uint32_t from = stack[--height];
        for (uint32_t e = graph->first_out[from]; e < graph->first_out[from + 1]; e++)
            if (!state[graph->out[e]]) {
                state[graph->out[e]] = true;
                stack[height++] = graph->out[e];
            }
    }
    free(stack);
}

static inline struct truth truth_of(const struct digraph *graph)
{
    struct truth truth = {must(calloc(graph->nodes, sizeof *truth.state)),
                          must(malloc(graph->nodes * sizeof *truth.distance)), 0, 0,
                          must(malloc(graph->nodes * sizeof *truth.ways))};
    if (graph->puzzle.max_cost > 1)
        digraph_solve_costs(graph, truth.distance, truth.ways);
    else
        digraph_solve(graph, truth.distance, truth.ways);
    for (size_t i = 0; i < graph->starts; i++)
        reach(graph, truth.state, graph->start[i]);
    for (uint32_t n = 0; n < graph->nodes; n++) {
        truth.state[n] |= !graph->puzzle.keyed;
        truth.states += truth.state[n];
        if (truth.state[n] && truth.distance[n] != UINT32_MAX && truth.distance[n] > truth.max)
            truth.max = truth.distance[n];
    }
    return truth;
}

static inline void truth_free(struct truth *truth)
{
    free(truth->state);
    free(truth->distance);
    free(truth->ways);
}

/* -- graphs -- */

/* Edges both ways between the nodes of a random graph. */
static inline struct digraph *both_ways(uint32_t nodes, size_t edges, size_t goals, uint64_t seed)
{
    struct digraph *one = digraph_random(nodes, edges, goals, seed, false);
    uint32_t *from = must(malloc(2 * edges * sizeof *from)), *to = must(malloc(2 * edges * sizeof *to));
    for (size_t e = 0; e < edges; e++) {
        from[2 * e] = to[2 * e + 1] = one->from[e];
        to[2 * e] = from[2 * e + 1] = one->to[e];
    }
    struct digraph *graph = digraph_create(nodes, from, to, 2 * edges, one->goal, one->goals, NULL);
    digraph_free(one);
    free(from);
    free(to);
    return graph;
}

static inline void compare_figures(const struct digraph *graph, const struct truth *truth,
                                   const struct retrograde_result *result)
{
    uint64_t *histogram = must(calloc(truth->max + 1u, sizeof *histogram)), reachable = 0, hardest = 0;
    for (uint32_t n = 0; n < graph->nodes; n++)
        if (truth->state[n] && truth->distance[n] != UINT32_MAX) {
            histogram[truth->distance[n]] += graph->weight != NULL ? graph->weight[n] : 1;
            reachable += graph->weight != NULL ? graph->weight[n] : 1;
            hardest += truth->distance[n] == truth->max;
        }
    cr_assert_eq(result->states, truth->states);
    cr_assert_eq(result->depths, truth->max + 1u);
    cr_assert_eq(result->reachable, reachable);
    cr_assert_eq(result->hardest_kept, hardest < RETROGRADE_HARDEST_MAX ? hardest : RETROGRADE_HARDEST_MAX);
    cr_assert(memcmp(result->histogram, histogram, (truth->max + 1u) * sizeof *histogram) == 0);
    free(histogram);
}

#endif
