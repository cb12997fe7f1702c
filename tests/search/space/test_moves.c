/* test_moves.c -- moves that are kept while states are found, whose keys are looked up bin by bin: what is found is the
 * same however many of them there is room for */
#include "tests/support/digraph.h"
#include "tests/support/support.h"
#include "lib/search/space/sparse/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Only of many moves there are more than keys that are bits leave room for; and only many keys are looked up later. */
enum { STARTS = 6000, NODES = 2 * STARTS, MOVES = 50 /* of each start, to starts */ };

/* What became of the moves: given up in a layer, whose keys were looked up later, at once, or both; or kept. */
enum fate { REFUSED, GIVEN_UP, KEPT };

static pdb_error error;

static bool stop(void *context, const struct retrograde_progress *progress)
{
    (void)context, (void)progress;
    return false;
}

/* NULL where it takes more from the beginning. */
static struct retrograde *begin_within(const struct puzzle *puzzle, uint64_t bytes, unsigned threads)
{
    struct retrograde_plan plan;
    struct retrograde *search = NULL;
    cr_assert(retrograde_plan_within(bytes, puzzle, threads, &plan, &error) == PDB_OK, "%s", error.message);
    if (plan.memory <= bytes)
        cr_assert(retrograde_begin(&plan, &search, &error) == PDB_OK, "%s", error.message);
    retrograde_plan_free(&plan);
    return search;
}

/* Searches within so many bytes; `stopping`: each layer is interrupted, and goes on. */
static enum fate expect(const struct digraph *graph, const struct retrograde_result *expected, uint64_t bytes,
                        unsigned threads, bool stopping)
{
    struct retrograde *search = begin_within(&graph->puzzle, bytes, threads);
    struct retrograde_result result;
    pdb_status status = search == NULL ? PDB_TOO_LARGE : PDB_OK;
    bool kept = false, given_up = false;
    for (bool done = false, again = false; status != PDB_TOO_LARGE && !done; again = stopping && !again) {
        status = retrograde_layer(search, stopping && !again ? stop : NULL, NULL, &done, &error);
        cr_assert(status == PDB_OK || status == PDB_TOO_LARGE || (status == PDB_INTERRUPTED && stopping && !again),
                  "%s", error.message);
        given_up |= kept && sparse_of(search)->kept.pass == FINDING && sparse_of(search)->moves.bin == NULL;
        kept = sparse_of(search)->moves.bin != NULL;
    }
    if (status == PDB_OK) {
        retrograde_finish(search, &result);
        cr_assert_leq(result.memory, bytes);
        cr_assert_eq(result.states, expected->states);
        cr_assert_eq(result.reachable, expected->reachable);
        cr_assert(result.encoding == expected->encoding && result.depths == expected->depths);
        cr_assert(memcmp(result.histogram, expected->histogram, expected->depths * sizeof *expected->histogram) == 0);
        cr_assert(memcmp(result.bytes, expected->bytes, encoding_bytes(expected->encoding, expected->states)) == 0);
    }
    retrograde_free(search);
    return status != PDB_OK ? REFUSED : given_up ? GIVEN_UP : KEPT;
}

/* What is found without bounds is what the edges say; where moves cost, test_forward.c looks at that. */
static void check_histogram(const struct digraph *graph, const struct retrograde_result *result)
{
    uint32_t *distance = checked_memory(NODES, sizeof *distance);
    uint64_t *ways = checked_memory(NODES, sizeof *ways),
             *histogram = checked_memory(result->depths, sizeof *histogram);
    digraph_solve(graph, distance, ways);
    cr_assert_eq(result->states, NODES);
    for (uint32_t n = 0; n < NODES; n++) {
        cr_assert_lt(distance[n], result->depths);
        histogram[distance[n]]++;
    }
    cr_assert(memcmp(result->histogram, histogram, result->depths * sizeof *histogram) == 0);
    free(distance);
    free(ways);
    free(histogram);
}

/* Within more and more bytes, until all moves are kept, from the least on in which keys are bits from the beginning. */
static void expect_within(const struct digraph *graph, const struct retrograde_result *expected, unsigned threads,
                          unsigned *given_up)
{
    const uint64_t step = (1 << 18) * short_step(2);
    unsigned count[KEPT + 1] = {0};
    for (uint64_t bytes = 1024 * key_bits_bytes(graph->puzzle.states); count[KEPT] == 0; bytes += step)
        count[expect(graph, expected, bytes, threads, bytes / step % 2 == 0)]++;
    fprintf(stderr, "%u threads: %u times refused, %u times given up\n", threads, count[REFUSED], count[GIVEN_UP]);
    *given_up += count[GIVEN_UP];
}

/* Of the moves of each start one alone leads to a node that is none; whoever overlooks that move loses the node. */
static struct digraph *make_graph(uint32_t max_cost, uint64_t step)
{
    enum { EDGES = STARTS * (MOVES + 2) };
    static uint32_t start[STARTS], from[EDGES], to[EDGES];
    const uint32_t goal = 1;
    uint64_t random = 20261126;
    size_t edges = 0;
    for (uint32_t i = 0; i < STARTS; i++) {
        const uint32_t other = 2 * i + 1;
        start[i] = 2 * i;
        for (unsigned m = 0; m < MOVES + 2; m++, edges++) {
            from[edges] = m < MOVES + 1 ? 2 * i : other;
            to[edges] = m == 17 ? other : 2 * (uint32_t)random_below(&random, STARTS);
        }
    }
    struct digraph *graph = digraph_create(NODES, from, to, EDGES, &goal, 1, NULL);
    digraph_make_forward(graph, true, max_cost, start, STARTS);
    digraph_space_keys(graph, step, step / 2);
    return graph;
}

Test(moves, become_too_many_in_a_layer)
{
    for (unsigned i = 0; i < 2; i++) {
        struct digraph *graph = i == 0 ? make_graph(1, 1) : make_graph(300, 2);
        struct retrograde_result whole;
        bool done = false;
        unsigned given_up = 0;
        struct retrograde *search = begin_within(&graph->puzzle, UINT64_MAX, 1);
        while (!done)
            cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK, "%s", error.message);
        retrograde_finish(search, &whole);
        if (i == 0)
            check_histogram(graph, &whole);
        for (unsigned threads = 1; threads <= 3; threads += short_step(2))
            expect_within(graph, &whole, threads, &given_up);
        cr_expect(given_up > 1);
        retrograde_free(search);
        digraph_free(graph);
    }
}
