/* test_passes.c -- all distances at once, a pass a button: against plain passes, and against the search in layers */
#include "catalog/catalog.h"
#include "lib/families/flip/flip.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "puzzle: t\nfamily: flip\n"

/* -- one pass over a tile -- */

static void plain_meet(uint8_t *tile, size_t size, size_t mask)
{
    for (size_t i = 0; i < size; i++) {
        const size_t j = i ^ mask;
        const int a = tile[i], b = tile[j];
        if (i > j)
            continue;
        if (b + 1 < a)
            tile[i] = (uint8_t)(b + 1);
        if (a + 1 < b)
            tile[j] = (uint8_t)(a + 1);
    }
}

/* Distances of all kinds, none and the greatest among them. */
static void fill_random(uint8_t *tile, size_t size, uint64_t *random)
{
    const uint64_t below = random_below(random, 2) ? 256 : 4;
    for (size_t i = 0; i < size; i++)
        tile[i] = (uint8_t)(255 - random_below(random, below));
}

Test(flip_meet, every_mask_of_small_tiles_and_some_of_large_ones)
{
    enum { MOST = 1 << 15 };
    uint8_t *tile = aligned_alloc(64, MOST), *portable = aligned_alloc(64, MOST), *plain = checked_memory(MOST, 1);
    uint64_t random = 5;
    cr_assert(tile != NULL && portable != NULL);
    for (size_t size = 64; size <= MOST; size *= 2) {
        const size_t masks = size <= 1024 ? size - 1 : 300;
        for (size_t m = 1; m <= masks; m++) {
            const size_t mask = size <= 1024 ? m : 1 + (size_t)random_below(&random, size - 1);
            fill_random(tile, size, &random);
            memcpy(portable, tile, size);
            memcpy(plain, tile, size);
            flip_meet_best()(tile, size, mask);
            flip_meet_portable(portable, size, mask);
            plain_meet(plain, size, mask);
            cr_assert(memcmp(tile, plain, size) == 0, "%zu bytes, mask %zu", size, mask);
            cr_assert(memcmp(portable, plain, size) == 0, "portable, %zu bytes, mask %zu", size, mask);
        }
    }
    free(tile);
    free(portable);
    free(plain);
}

/* -- all passes -- */

static uint64_t random_mask(uint64_t *random, unsigned bits)
{
    const uint64_t most = ((uint64_t)1 << bits) - 1;
    switch (random_below(random, 4)) {
    case 0:
        return (uint64_t)1 << random_below(random, bits); /* one bit */
    case 1:
        return most & ~(most >> (1 + random_below(random, bits))); /* high bits */
    default:
        return 1 + random_below(random, most);
    }
}

/* Any masks (alike, sums of each other), any goals. */
static void check_passes(unsigned bits, size_t masks, uint64_t goals, uint64_t *random)
{
    const size_t states = (size_t)1 << bits, size = states < FLIP_PASSES_ROOM ? FLIP_PASSES_ROOM : states;
    uint8_t *expected = checked_memory(size, 1), *distance = checked_memory(size, 1), *begin = checked_memory(size, 1);
    uint64_t *mask = checked_memory(masks + 1, sizeof *mask);
    memset(begin, 255, size);
    for (uint64_t i = 0; i < goals; i++)
        begin[random_below(random, states)] = 0;
    memcpy(expected, begin, size);
    for (size_t m = 0; m < masks; m++) {
        mask[m] = random_mask(random, bits);
        plain_meet(expected, states, mask[m]);
    }
    for (unsigned threads = 1; threads <= 3; threads++)
        for (int portable = 0; portable < 2; portable++) {
            memcpy(distance, begin, size);
            const struct flip_job job = {.bits = bits,
                                         .mask = mask,
                                         .masks = masks,
                                         .meet = portable ? flip_meet_portable : flip_meet_best(),
                                         .threads = threads,
                                         .distance = distance};
            cr_assert(flip_passes(&job));
            cr_assert(memcmp(distance, expected, size) == 0, "%u bits, %zu masks, %u threads, portable %d", bits, masks,
                      threads, portable);
        }
    free(expected);
    free(distance);
    free(begin);
    free(mask);
}

Test(flip_passes, any_number_of_bits_and_masks)
{
    static const size_t masks[] = {0, 1, 2, 7, 25, 63, 64, 65, 200};
    uint64_t random = 11;
    for (unsigned bits = 1; bits <= 18; bits++)
        for (size_t m = 0; m < COUNT(masks); m++)
            if (bits <= 14 || masks[m] == 25 || masks[m] == 65)
                check_passes(bits, masks[m], 1 + random_below(&random, 3), &random);
}

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

/* -- stopping -- */

struct seen {
    int calls, most;
    double last;
};

static bool stop_after(void *context, double done)
{
    struct seen *seen = context;
    cr_assert(done > seen->last && done <= 1);
    seen->last = done;
    return ++seen->calls < seen->most;
}

Test(flip_passes, stopped_at_once)
{
    enum { BITS = 18, MASKS = 30 };
    uint8_t *distance = checked_memory((size_t)1 << BITS, 1);
    uint64_t mask[MASKS], random = 3;
    for (size_t m = 0; m < MASKS; m++)
        mask[m] = random_mask(&random, BITS);
    struct seen seen = {.most = INT32_MAX};
    const struct flip_job job = {BITS, mask, MASKS, flip_meet_best(), 1, distance, stop_after, &seen};
    memset(distance, 255, (size_t)1 << BITS);
    cr_assert(flip_passes(&job));
    cr_assert(seen.last > 0.999 && seen.calls >= 4);
    const int all = seen.calls;
    for (int most = 1; most < all; most++) {
        seen = (struct seen){.most = most};
        cr_assert(!flip_passes(&job));
        cr_assert(seen.calls == most);
    }
    free(distance);
}

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
