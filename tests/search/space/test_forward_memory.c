/* test_forward_memory.c -- searches of directed graphs by the moves out of a state: they keep to their memory, and go
 * on where they were stopped */
#include "forward_truth.h"
#include "tests/support/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static pdb_error error;

/* -- memory -- */

/* A search that may take so many bytes; NULL where it takes more from the beginning. */
static struct retrograde *begin_within(const struct puzzle *puzzle, uint64_t bytes, unsigned threads)
{
    struct retrograde_plan plan;
    struct retrograde *search = NULL;
    cr_assert(retrograde_plan_within(bytes, puzzle, threads, &plan, &error) == PDB_OK);
    if (plan.memory <= bytes)
        cr_assert(retrograde_begin(&plan, &search, &error) == PDB_OK, "%s", error.message);
    retrograde_plan_free(&plan);
    return search;
}

/* The status of a search that may take so many bytes; what it took, and a sum over what it found. */
static pdb_status solve_within(const struct digraph *graph, uint64_t bytes, uint64_t *memory, uint64_t *sum)
{
    struct retrograde_result result;
    struct retrograde *search = begin_within(&graph->puzzle, bytes, 2);
    if (search == NULL)
        return PDB_TOO_LARGE;
    pdb_status status = PDB_OK;
    for (bool done = false; status == PDB_OK && !done;)
        status = retrograde_layer(search, NULL, NULL, &done, &error);
    if (status == PDB_OK) {
        retrograde_finish(search, &result);
        cr_assert_leq(result.memory, bytes);
        *memory = result.memory;
        *sum = result.depths;
        for (uint64_t i = 0; i < encoding_bytes(result.encoding, result.states); i++)
            *sum = (*sum ^ result.bytes[i]) * 0x100000001B3;
        for (size_t i = 0; i < result.depths; i++)
            *sum = (*sum ^ result.histogram[i]) * 0x100000001B3;
    }
    retrograde_free(search);
    return status;
}

Test(forward, keeps_to_its_memory)
{
    const uint32_t start = 3;
    for (unsigned i = 0; i < 6; i += short_step(3)) {
        struct digraph *graph = digraph_random(20000, 40000, 3, i < 4 ? 70 + i : 62 + 2 * i, false);
        digraph_make_forward(graph, i % 2 == 0 || i > 3, i < 2 ? 1 : 300, &start, 1);
        if (i > 3)
            digraph_space_keys(graph, i == 4 ? 3 : 90, 1);
        uint64_t memory = 0, sum = 0, taken = 0, other = 0;
        cr_assert(solve_within(graph, UINT64_MAX, &memory, &sum) == PDB_OK, "%s", error.message);
        unsigned refused = 0, solved = 0;
        for (uint64_t bytes = memory / 16; bytes < memory; bytes += memory / 16) {
            const pdb_status status = solve_within(graph, bytes, &taken, &other);
            cr_assert(status == PDB_TOO_LARGE || (status == PDB_OK && other == sum), "%s", error.message);
            refused += status == PDB_TOO_LARGE;
            solved += status == PDB_OK;
        }
        cr_assert(refused > 0 && solved > 3);
        cr_assert(solve_within(graph, memory + memory / 2, &taken, &other) == PDB_OK, "%s", error.message);
        cr_assert_eq(other, sum);
        digraph_free(graph);
    }
}

/* -- stopping and going on -- */

static bool stop(void *context, const struct retrograde_progress *progress)
{
    (void)context, (void)progress;
    return false;
}

/* A new search with the parts of another one. */
static struct retrograde *revive(const struct puzzle *puzzle, struct retrograde *search, unsigned threads,
                                 uint64_t bytes)
{
    struct memory_part from[RETROGRADE_PARTS_MAX], to[RETROGRADE_PARTS_MAX];
    uint64_t size[RETROGRADE_PARTS_MAX];
    struct retrograde *revived = begin_within(puzzle, bytes, threads);
    const size_t parts = retrograde_parts(search, from);
    for (size_t i = 0; i < parts; i++)
        size[i] = from[i].size;
    cr_assert(retrograde_fit(revived, size, parts));
    cr_assert_eq(retrograde_parts(revived, to), parts);
    for (size_t i = 0; i < parts; i++) {
        cr_assert_eq(from[i].size, to[i].size);
        if (to[i].size > 0)
            memcpy(to[i].bytes, from[i].bytes, to[i].size);
    }
    cr_assert(retrograde_resume(revived, &(pdb_status){PDB_OK}));
    return revived;
}

/* After every layer (of many: every so many) the search is stopped in the next one, kept, revived and goes on. */
static void stop_everywhere(const struct digraph *graph, unsigned stride, uint64_t bytes)
{
    struct truth truth = truth_of(graph);
    struct retrograde *search = begin_within(&graph->puzzle, bytes, 2);
    struct retrograde_result result;
    unsigned layer = 0;
    cr_assert(search != NULL);
    for (bool done = false; !done; layer++) {
        if (layer % stride == 0) {
            pdb_status status = retrograde_layer(search, stop, NULL, &done, &error);
            cr_assert(status == PDB_INTERRUPTED || status == PDB_OK, "%s", error.message);
            struct retrograde *revived = revive(&graph->puzzle, search, 1 + layer % 2, bytes);
            retrograde_free(search);
            search = revived;
        }
        if (!done)
            cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK, "%s", error.message);
    }
    retrograde_finish(search, &result);
    compare_figures(graph, &truth, &result);
    retrograde_free(search);
    truth_free(&truth);
}

Test(forward, goes_on_where_it_was_stopped)
{
    const uint32_t start = 3;
    for (unsigned i = 0; i < 10; i++) {
        struct digraph *graph = i % 8 < 4 ? digraph_random(3000, 6000, 3, i < 4 ? 17 + i : 1 + 2 * i, i == 1)
                                          : both_ways(3000, 4000, i == 7 ? 1 : 2, i < 6 ? i : 4);
        digraph_make_forward(graph, i % 2 == 0 || i > 5, i == 2 || i == 3 || i == 9 ? 40 : 1, &start, 1);
        if (i > 5) /* i > 7: a table at first, then bits */
            digraph_space_keys(graph, i > 7 ? 400 : 4, 3);
        stop_everywhere(graph, i == 2 || i == 3 || i == 9 ? 5 : 1, UINT64_MAX);
        uint64_t memory = 0, sum;
        if (i < 4 || i > 7) { /* and without room for the moves */
            cr_assert(solve_within(graph, UINT64_MAX, &memory, &sum) == PDB_OK);
            while (solve_within(graph, memory * 7 / 8, &memory, &sum) == PDB_OK)
                ;
            stop_everywhere(graph, 1, memory);
        }
        digraph_free(graph);
    }
}
