/* exact_truth.h -- searches of directed graphs, whose moves cannot be undone, and what is to be found: by a plain
 * search over their edges
 */
#ifndef TESTS_SEARCH_SPACE_EXACT_TRUTH_H
#define TESTS_SEARCH_SPACE_EXACT_TRUTH_H

#include "tests/support/digraph.h"
#include "tests/support/support.h"
#include "lib/search/space/distance.h"
#include "lib/search/space/retrograde.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static pdb_error error;

static inline void *must(void *memory)
{
    cr_assert(memory != NULL);
    return memory;
}

/* -- running searches -- */

static inline struct retrograde *begin(const struct puzzle *puzzle, unsigned threads)
{
    struct retrograde *search;
    cr_assert(retrograde_of(RETROGRADE_BEST, puzzle, threads, &search, &error) == PDB_OK, "%s", error.message);
    return search;
}

static inline void go_on(struct retrograde *search)
{
    for (bool done = false; !done;)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK, "%s", error.message);
}

static inline const uint8_t *byte_at(const void *context, uint64_t offset, uint64_t *run, pdb_error *ignored)
{
    (void)ignored;
    *run = 1;
    return (const uint8_t *)context + offset;
}

static inline struct values values_of(const struct puzzle *puzzle, const struct retrograde_result *result)
{
    return (struct values){.puzzle = puzzle, .encoding = result->encoding, .source = {byte_at, result->bytes}};
}

/* The name of the encoding for distances up to max, by its definition: the least of 1, 2, 4, 8, 16, 32 bits with max +
 * 2 values. */
static inline const char *expected_encoding(uint64_t max)
{
    return max + 2 <= 2       ? "exact-1bit"
           : max + 2 <= 4     ? "exact-2bit"
           : max + 2 <= 16    ? "exact-4bit"
           : max + 2 <= 256   ? "exact-8bit"
           : max + 2 <= 65536 ? "exact-16bit"
                              : "exact-32bit";
}

/* -- comparing -- */

struct truth {
    uint32_t *distance;
    uint64_t *ways;
    uint32_t max;
};

static inline struct truth truth_of(const struct digraph *graph)
{
    struct truth truth = {must(malloc(graph->nodes * sizeof *truth.distance)),
                          must(malloc(graph->nodes * sizeof *truth.ways)), 0};
    digraph_solve(graph, truth.distance, truth.ways);
    for (uint32_t n = 0; n < graph->nodes; n++)
        if (truth.distance[n] != UINT32_MAX && truth.distance[n] > truth.max)
            truth.max = truth.distance[n];
    return truth;
}

static inline void truth_free(struct truth *truth)
{
    free(truth->distance);
    free(truth->ways);
}

static inline void compare_figures(const struct digraph *graph, const struct truth *truth,
                                   const struct retrograde_result *result)
{
    uint64_t *histogram = must(calloc(truth->max + 1u, sizeof *histogram)), reachable = 0;
    size_t hardest = 0;
    for (uint32_t n = 0; n < graph->nodes; n++) {
        const uint64_t weight = graph->weight != NULL ? graph->weight[n] : 1;
        if (truth->distance[n] == UINT32_MAX)
            continue;
        histogram[truth->distance[n]] += weight;
        reachable += weight;
        if (truth->distance[n] != truth->max)
            continue;
        if (hardest < RETROGRADE_HARDEST_MAX)
            cr_assert(hardest < result->hardest_kept && result->hardest[hardest] == n);
        hardest++;
    }
    cr_assert_str_eq(encoding_name(result->encoding), expected_encoding(truth->max));
    cr_assert_eq(result->depths, truth->max + 1u);
    cr_assert_eq(result->reachable, reachable);
    cr_assert_eq(result->hardest_kept, hardest < RETROGRADE_HARDEST_MAX ? hardest : RETROGRADE_HARDEST_MAX);
    cr_assert(memcmp(result->histogram, histogram, (truth->max + 1u) * sizeof *histogram) == 0);
    free(histogram);
}

static inline void compare_distances(const struct digraph *graph, const struct truth *truth,
                                     const struct retrograde_result *result)
{
    const struct values values = values_of(&graph->puzzle, result);
    uint64_t *index = must(malloc(graph->nodes * sizeof *index));
    uint32_t *distance = must(malloc(graph->nodes * sizeof *distance));
    for (uint32_t n = 0; n < graph->nodes; n++)
        index[n] = n;
    cr_assert(distance_get(&values, index, graph->nodes, distance, &error) == PDB_OK);
    cr_assert(memcmp(distance, truth->distance, graph->nodes * sizeof *distance) == 0);
    free(index);
    free(distance);
}

/* Neighbours' distances, and how many shortest paths there are, of every `stride`-th node. */
static inline void compare_paths(const struct digraph *graph, const struct truth *truth,
                                 const struct retrograde_result *result, uint32_t stride)
{
    const struct values values = values_of(&graph->puzzle, result);
    for (uint32_t n = 0; n < graph->nodes; n += stride) {
        unsigned __int128 paths;
        if (truth->distance[n] == UINT32_MAX)
            continue;
        for (uint32_t e = graph->first_out[n]; e < graph->first_out[n + 1]; e++) {
            uint64_t next = graph->out[e];
            uint32_t near;
            cr_assert(distance_near(&values, truth->distance[n], &next, 1, &near, &error) == PDB_OK, "%s",
                      error.message);
            cr_assert_eq(near, truth->distance[next]);
        }
        cr_assert(distance_count_paths(&values, n, truth->distance[n], &paths, &error) == PDB_OK, "%s", error.message);
        cr_assert_eq((uint64_t)paths, truth->ways[n]);
    }
}

static inline void compare_all(const struct digraph *graph, const struct truth *truth,
                               const struct retrograde_result *result)
{
    compare_figures(graph, truth, result);
    compare_distances(graph, truth, result);
    compare_paths(graph, truth, result, graph->nodes / 100 + 1);
}

static inline void solve_and_compare(const struct digraph *graph, unsigned threads)
{
    struct truth truth = truth_of(graph);
    struct retrograde *search = begin(&graph->puzzle, threads);
    struct retrograde_result result;
    go_on(search);
    retrograde_finish(search, &result);
    compare_all(graph, &truth, &result);
    retrograde_free(search);
    truth_free(&truth);
}

#endif
