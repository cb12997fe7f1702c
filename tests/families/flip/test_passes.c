/* test_passes.c -- all distances at once, a pass a button: against the search in layers */
#include "catalog/catalog.h"
#include "lib/families/flip/flip.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "puzzle: t\nfamily: flip\n"

/* -- against the search in layers -- */

/* The two results are the same to the last byte. */
static void expect_same(const struct solved *at_once, const struct solved *layers, const char *what)
{
    const struct retrograde_result *a = &at_once->result, *b = &layers->result;
    cr_assert(a->encoding == b->encoding, "%s: %s, not %s", what, encoding_name(a->encoding),
              encoding_name(b->encoding));
    cr_assert(a->reachable == b->reachable && a->depths == b->depths && a->hardest_kept == b->hardest_kept, "%s", what);
    cr_assert(memcmp(a->histogram, b->histogram, a->depths * sizeof *a->histogram) == 0, "%s", what);
    cr_assert(memcmp(a->hardest, b->hardest, a->hardest_kept * sizeof *a->hardest) == 0, "%s", what);
    cr_assert(at_once->memory.size == layers->memory.size && memcmp(a->bytes, b->bytes, at_once->memory.size) == 0,
              "%s", what);
}

static void compare(const struct puzzle *puzzle, bool expected_at_once, const char *what)
{
    struct solved layers, at_once;
    cr_assert(puzzle->at_once == expected_at_once, "%s", what);
    solve_by(RETROGRADE_STATES, puzzle, 1, &layers);
    for (unsigned threads = 1; threads <= 3; threads++)
        for (enum retrograde_way way = RETROGRADE_BEST; way <= RETROGRADE_PORTABLE; way++) {
            solve_by(way, puzzle, threads, &at_once);
            expect_same(&at_once, &layers, what);
            solved_free(&at_once);
        }
    solved_free(&layers);
}

static const char *const yamls[] = {
    HEAD "board: '.'\naround: plus\n",   /* a single bit */
    HEAD "board: '..'\naround: plus\n",  /* two buttons that do the same */
    HEAD "board: ../..\naround: plus\n", /* coloured: each press is a change of parity */
    HEAD "board: ../..\naround: '8'\n",
    HEAD "board: .../...\naround: '8'\n",
    HEAD "board: .../...\naround: square\n",    /* not coloured */
    HEAD "board: .../...\naround: '4'\n",       /* six buttons, a span of fewer */
    HEAD "goal: '.*./*1*'\naround: plus\n",     /* several goals */
    HEAD "goal: '****/****'\naround: plus\n",   /* all are goals */
    HEAD "goal: '.#./.../1#.'\naround: plus\n", /* walls */
    HEAD "board: ..../..../....\naround: plus\n",
    HEAD "goal: '..../.**./..../....'\naround: '8'\n",
    HEAD "board: ..../..../..../....\naround: '8'\n",
    HEAD "board: ..../..../..../....\nbuttons: [[r1c1, r2c2, r3c3], [r1c1], [r4c4, r1c1], [r1c2, r2c1], [r3c3, r4c4], "
         "[r1c1, r4c4]]\n",
    HEAD "board: ..../..../....\nvalues: 2\nbackward: true\naround: plus\n",
};

Test(flip_passes, the_same_bytes_as_in_layers)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        compare(puzzle, true, yamls[i]);
        puzzle_free(puzzle);
    }
}

Test(flip_passes, other_values_in_layers)
{
    static const char *const others[] = {HEAD "values: 3\nboard: ../..\naround: plus\n",
                                         HEAD "values: 4\nboard: .../...\naround: plus\nbackward: true\n"};
    for (size_t i = 0; i < COUNT(others); i++) {
        struct puzzle *puzzle = make_puzzle(others[i]);
        compare(puzzle, false, others[i]);
        puzzle_free(puzzle);
    }
}

Test(flip_passes, five_rows_of_four)
{
    static const char *const names[] = {"lights-out-5x4", "8-flip-4x5", "8-flip-3x7"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *puzzle = built_in(names[i]);
        compare(puzzle, true, names[i]);
        puzzle_free(puzzle);
    }
}

/* -- memory, and stopping -- */

/* A byte a state, or half of that state by state. */
Test(flip_passes, the_way_that_there_is_memory_for)
{
    struct puzzle *puzzle = make_puzzle(HEAD "board: ..../..../..../....\naround: '8'\n");
    const uint64_t best = plan_of(RETROGRADE_BEST, puzzle, 2).memory,
                   least = plan_of(RETROGRADE_STATES, puzzle, 2).memory;
    cr_assert(least < best && best - least > puzzle->states / 4);
    EXPECT_TEXT(plan_within(best, puzzle, 2).text, "all at once");
    EXPECT_TEXT(plan_within(best - 1, puzzle, 2).text, "in layers state by state");
    EXPECT_TEXT(plan_within(0, puzzle, 2).text, "in layers state by state");
    puzzle_free(puzzle);
}

static bool stop(void *context, const struct retrograde_progress *progress)
{
    struct retrograde_progress *seen = context;
    *seen = *progress;
    return false;
}

/* Stopped, the search is what it was at its beginning, in every byte that a checkpoint keeps, and goes on from
 * there. */
Test(flip_passes, a_stopped_search_begins_again)
{
    struct puzzle *puzzle = make_puzzle(HEAD "goal: '.*../..../..*./....'\naround: plus\n");
    struct solved straight;
    solve(puzzle, 1, &straight);
    struct retrograde *search;
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    struct retrograde_progress seen = {0};
    pdb_error error;
    bool done = false;
    cr_assert(retrograde_of(RETROGRADE_BEST, puzzle, 2, &search, &error) == PDB_OK);
    const size_t count = retrograde_parts(search, parts);
    uint8_t *before[RETROGRADE_PARTS_MAX];
    for (size_t i = 0; i < count; i++)
        before[i] = memcpy(checked_memory(parts[i].size, 1), parts[i].bytes, parts[i].size);
    cr_assert(retrograde_layer(search, stop, &seen, &done, &error) == PDB_INTERRUPTED &&
              error.status == PDB_INTERRUPTED);
    cr_assert(seen.depth == 1 && seen.layer == 4 && seen.reached == 4 && seen.layer_done > 0 && seen.layer_done <= 1);
    cr_assert(retrograde_parts(search, parts) == count);
    for (size_t i = 0; i < count; i++) {
        cr_assert(memcmp(parts[i].bytes, before[i], parts[i].size) == 0, "part %zu", i);
        free(before[i]);
    }
    uint64_t sizes[RETROGRADE_PARTS_MAX] = {0};
    cr_assert(retrograde_resume(search, &(pdb_status){PDB_OK}) && !retrograde_fit(search, sizes, count));
    cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK && done);
    cr_assert(retrograde_progress(search).reached == puzzle->states &&
              retrograde_progress(search).depth == straight.result.depths);
    struct retrograde_result result;
    retrograde_finish(search, &result);
    cr_assert(memcmp(result.bytes, straight.result.bytes, straight.memory.size) == 0);
    retrograde_free(search);
    solved_free(&straight);
    puzzle_free(puzzle);
}
