/* test_visited.c -- the table of visited states against a plain array, and perimeters against distances */
#include "tests/support/digraph.h"
#include "tests/support/support.h"

#include "catalog/catalog.h"
#include "lib/search/board/perimeter.h"
#include "lib/search/board/visited.h"

#include <stdlib.h>
#include <string.h>

static void make_table(struct visited *visited, uint64_t states, uint64_t memory)
{
    pdb_error error;
    cr_assert(visited_create(visited, states, memory, &error) == PDB_OK, "%s", error.message);
}

/* States of many widths, sparse and dense: none is taken for another, none is lost. */
Test(visited, exact)
{
    enum { KEPT = 3000 };
    uint64_t random = 3, *state = checked_memory(KEPT, sizeof *state);
    for (unsigned width = 1; width <= 64; width++) {
        struct visited visited;
        make_table(&visited, width == 64 ? 0 : (uint64_t)1 << width, 1 << 26);
        const uint64_t mask = UINT64_MAX >> (64 - width);
        size_t kept = 0;
        for (int tries = 0; tries < 2 * KEPT && kept < KEPT; tries++) {
            uint32_t number;
            /* half of them differ in the lowest bits only */
            const uint64_t some = (tries % 2 == 0 ? next_random(&random) : (uint64_t)tries) & mask;
            const bool there = visited_find(&visited, some, &number);
            bool expected = false;
            for (size_t i = 0; i < kept && !expected; i++)
                expected = state[i] == some;
            cr_assert(there == expected, "width %u", width);
            cr_assert(visited_add(&visited, some, (uint32_t)kept) == (there ? VISITED_THERE : VISITED_ADDED));
            if (!there)
                state[kept++] = some;
        }
        for (size_t i = 0; i < kept; i++) {
            uint32_t number = UINT32_MAX;
            cr_assert(visited_find(&visited, state[i], &number) && number == i, "width %u", width);
        }
        visited_clear(&visited);
        for (size_t i = 0; i < kept; i++) {
            uint32_t number;
            cr_assert(!visited_find(&visited, state[i], &number));
        }
        visited_free(&visited);
    }
    free(state);
}

/* As full as it gets: all that was added is there, and nothing else. */
Test(visited, full)
{
    enum { STATES = 1 << 20 };
    struct visited visited;
    uint8_t *expected = checked_memory(STATES, 1);
    uint64_t random = 11;
    uint32_t number;
    make_table(&visited, STATES, 1 << 18);
    for (;;) {
        const uint64_t state = random_below(&random, STATES);
        const enum visited_added added = visited_add(&visited, state, (uint32_t)(state % 200));
        if (added == VISITED_FULL)
            break;
        cr_assert((added == VISITED_THERE) == expected[state]);
        expected[state] = 1;
    }
    for (uint64_t state = 0; state < STATES; state++) {
        const bool there = visited_find(&visited, state, &number);
        cr_assert(there == expected[state] && (!there || number == state % 200));
    }
    visited_free(&visited);
    free(expected);
}

/* A number is refused only where one as large was entered before, whatever was lost. */
Test(visited, raises)
{
    enum { STATES = 60000 };
    uint16_t *entered = checked_memory(STATES, sizeof *entered);
    uint64_t random = 5;
    static const uint64_t memory[] = {1 << 11, 1 << 14, 1 << 26};
    for (size_t m = 0; m < COUNT(memory); m++) {
        struct visited visited;
        unsigned lost = 0;
        make_table(&visited, STATES, memory[m]);
        memset(entered, 0, STATES * sizeof *entered); /* the number, plus 1 */
        for (int i = 0; i < 500000; i++) {
            const uint64_t state = random_below(&random, STATES);
            const uint32_t number = (uint32_t)random_below(&random, 300);
            const bool fresh = visited_raise(&visited, state, number);
            cr_assert(fresh || entered[state] >= number + 1);
            lost += fresh && entered[state] >= number + 1;
            if (fresh && entered[state] < number + 1)
                entered[state] = (uint16_t)(number + 1);
        }
        cr_expect(memory[m] == 1 << 26 ? lost < 100 : lost > 10000, "%u",
                  lost); /* a bucket may be full before the table is */
        cr_expect(((uint64_t)VISITED_WAYS << visited.bucket_bits) * sizeof(uint64_t) <= memory[m]);
        visited_free(&visited);
    }
    free(entered);
}

Test(visited, limits)
{
    struct visited visited;
    pdb_error error;
    uint32_t number;
    cr_expect(visited_create(&visited, 0, visited_least(0) - 1, &error) == PDB_TOO_LARGE);
    cr_expect(visited_create(&visited, 100, 0, &error) == PDB_TOO_LARGE);
    make_table(&visited, 0, visited_least(0));
    cr_expect(visited_raise(&visited, UINT64_MAX, VISITED_MAX) && !visited_raise(&visited, UINT64_MAX, VISITED_MAX));
    cr_expect(visited_find(&visited, UINT64_MAX, &number) && number == VISITED_MAX);
    /* larger numbers are not kept: what was not kept must not be refused */
    cr_expect(visited_raise(&visited, UINT64_MAX, VISITED_MAX + 1) &&
              visited_raise(&visited, UINT64_MAX, VISITED_MAX + 1));
    cr_expect(visited_add(&visited, 7, VISITED_MAX + 1) == VISITED_FULL && !visited_find(&visited, 7, &number));
    visited_free(&visited);
    make_table(&visited, 1 << 20, 1 << 11);
    enum visited_added added = VISITED_ADDED;
    uint64_t state = 0;
    for (; added == VISITED_ADDED; state++)
        added = visited_add(&visited, state, 1);
    cr_expect(added == VISITED_FULL && state > 200 && state <= 256);
    visited_free(&visited);
    make_table(&visited, (uint64_t)1 << 40, 1 << 19);
    uint64_t random = 9, kept = 0;
    while (visited_add(&visited, next_random(&random) >> 24, 1) == VISITED_ADDED)
        kept++;
    cr_expect(kept > (1 << 16) * 3 / 4, "%llu of 65536", (unsigned long long)kept);
    visited_free(&visited);
    make_table(&visited, 1, 1 << 20);
    cr_expect(visited_add(&visited, 0, 5) == VISITED_ADDED && visited_add(&visited, 0, 6) == VISITED_THERE);
    visited_free(&visited);
}

static pdb_status begin_with(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    return perimeter_begin(context, index, count, error);
}

/* After each layer a perimeter around the goals has just the states within its radius. */
static void compare_perimeter(const struct puzzle *puzzle, uint64_t memory)
{
    struct solved solved;
    struct perimeter perimeter;
    pdb_error error;
    uint32_t *distance = checked_memory(puzzle->states, sizeof *distance), there;
    uint64_t *index = checked_memory(puzzle->states, sizeof *index);
    solve(puzzle, 1, &solved);
    for (uint64_t i = 0; i < puzzle->states; i++)
        index[i] = i;
    cr_assert(distance_get(&solved.values, index, puzzle->states, distance, &error) == PDB_OK);
    cr_assert(perimeter_create(&perimeter, puzzle, true, memory, &error) == PDB_OK);
    cr_assert(puzzle->family->index.goals(puzzle, begin_with, &perimeter, &error) == PDB_OK);
    while (!perimeter.complete && !perimeter.full) {
        uint64_t within = 0;
        cr_assert(perimeter_grow(&perimeter, NULL, &error) == PDB_OK);
        for (uint64_t i = 0; i < puzzle->states; i++) {
            const bool found = perimeter_find(&perimeter, i, &there);
            cr_assert(found == (distance[i] <= perimeter.radius) && (!found || there == distance[i]));
            within += found;
        }
        cr_assert(perimeter.states == within);
    }
    cr_expect(perimeter.complete == (memory > 1 << 20));
    cr_expect(!perimeter.complete || perimeter.radius == solved.result.depths - 1);
    perimeter_free(&perimeter);
    solved_free(&solved);
    free(distance);
    free(index);
}

Test(perimeter, around_goals)
{
    static const uint64_t memory[] = {1 << 26, 1 << 13};
    for (size_t m = 0; m < COUNT(memory); m++) {
        struct puzzle *puzzle = built_in("knights");
        compare_perimeter(puzzle, memory[m]);
        puzzle_free(puzzle);
        puzzle = built_in("hoppers");
        compare_perimeter(puzzle, memory[m]);
        puzzle_free(puzzle);
        struct digraph *graph = digraph_random(9000, 14000, 3, 8, false);
        compare_perimeter(&graph->puzzle, memory[m]);
        digraph_free(graph);
    }
}

static bool refuse(void *context, const struct search_progress *progress)
{
    (void)context;
    (void)progress;
    return false;
}

/* Forward: what moves lead to from a state, the other way round of a ring. */
Test(perimeter, forward)
{
    struct digraph *graph = digraph_ring(100);
    struct perimeter perimeter;
    pdb_error error;
    const uint64_t begin = 60;
    uint32_t distance;
    cr_assert(perimeter_create(&perimeter, &graph->puzzle, false, 1 << 20, &error) == PDB_OK);
    cr_assert(perimeter_begin(&perimeter, &begin, 1, &error) == PDB_OK);
    for (int layer = 0; layer < 5; layer++)
        cr_assert(perimeter_grow(&perimeter, NULL, &error) == PDB_OK);
    cr_expect(perimeter_find(&perimeter, 55, &distance) && distance == 5 &&
              !perimeter_find(&perimeter, 54, &distance) && !perimeter_find(&perimeter, 61, &distance));
    struct search_watch watch = {.observe = refuse};
    cr_expect(perimeter_grow(&perimeter, &watch, &error) == PDB_INTERRUPTED);
    cr_expect(perimeter.full && perimeter.radius == 5 && !perimeter_find(&perimeter, 54, &distance));
    perimeter_free(&perimeter);
    digraph_free(graph);
}
