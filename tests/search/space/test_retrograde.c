/* test_retrograde.c -- the search: any number of threads, stopped and gone on with, and the memory that it takes
 *
 * That the distances are right, test_slide.c says; here it is that they do not depend on how they came about.
 */
#include "encoding_puzzles.h"
#include "tests/support/layer_ways.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* The ways to make layers that these tests try: by the family's kernel, and state by state. test_layers.c holds the one
 * against the other. */
static const enum retrograde_way ways[] = {RETROGRADE_BEST, RETROGRADE_STATES};

Test(retrograde, threads_make_no_difference)
{
    static const unsigned threads[] = {1, 2, 3, 8};
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct outcome first = run_search(RETROGRADE_STATES, puzzle, 1);
        for (size_t w = 0; w < COUNT(ways); w++)
            for (size_t t = 0; t < COUNT(threads); t++) {
                struct outcome other = run_search(ways[w], puzzle, threads[t]);
                cr_expect(same_outcome(&first, &other), "%u threads\n%s", threads[t], yamls[i]);
                retrograde_free(other.search);
            }
        retrograde_free(first.search);
        puzzle_free(puzzle);
    }
}

/* -- stopping and going on -- */

struct seen {
    int calls;
    struct retrograde_progress last;
};

static bool stop(void *context, const struct retrograde_progress *progress)
{
    struct seen *seen = context;
    seen->calls++;
    seen->last = *progress;
    return false;
}

static bool go_on(void *context, const struct retrograde_progress *progress)
{
    stop(context, progress);
    return true;
}

/* Before every layer it is stopped once in the middle, and every layer is made by a search of its own. */
static void stop_and_resume_at_every_layer(enum retrograde_way way)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct outcome straight = run_search(way, puzzle, 1);
        struct retrograde *search = begin_search(way, puzzle, 1);
        uint64_t sum = 0;
        for (bool done = false; !done;) {
            struct seen seen = {0};
            pdb_error error;
            const uint64_t depth = retrograde_progress(search).depth - 1;
            sum += straight.result.histogram[depth];
            cr_assert(retrograde_progress(search).reached == sum, "way %d puzzle %zu depth %llu: %llu, not %llu",
                      (int)way, i, (unsigned long long)depth, (unsigned long long)retrograde_progress(search).reached,
                      (unsigned long long)sum);
            /* One thread looks after every chunk that it has worked on, and the first time at once. */
            cr_assert(retrograde_layer(search, stop, &seen, &done, &error) == PDB_INTERRUPTED &&
                      error.status == PDB_INTERRUPTED);
            cr_assert(seen.calls == 1 && seen.last.depth == depth + 1 &&
                      seen.last.layer == straight.result.histogram[depth] && seen.last.reached == sum &&
                      seen.last.layer_done >= 0 && seen.last.layer_done <= 1);
            cr_assert(retrograde_progress(search).depth - 1 == depth && retrograde_progress(search).reached == sum);
            if (depth % 2 == 0)
                search = transplant(way, search, puzzle, 1 + (unsigned)depth % 3);
            cr_assert(retrograde_layer(search, go_on, &seen, &done, &error) == PDB_OK);
            search = transplant(way, search, puzzle, 1);
        }
        cr_assert(sum == straight.result.reachable && retrograde_progress(search).depth == straight.result.depths);
        const struct outcome pieced = end_search(search);
        cr_expect(same_outcome(&straight, &pieced), "%s", yamls[i]);
        retrograde_free(pieced.search);
        retrograde_free(straight.search);
        puzzle_free(puzzle);
    }
}

Test(retrograde, stopped_and_resumed_at_every_layer)
{
    for (size_t w = 0; w < COUNT(ways); w++)
        stop_and_resume_at_every_layer(ways[w]);
}

/* Several threads: the observer is the calling thread's and may come too late for a layer, but whenever it stops one,
 * the outcome is the same. */
static void stop_with_threads(enum retrograde_way way)
{
    struct puzzle *puzzle = make_puzzle(yamls[5]);
    struct outcome straight = run_search(way, puzzle, 1);
    struct retrograde *search = begin_search(way, puzzle, 4);
    int stopped = 0;
    for (bool done = false; !done;) {
        struct seen seen = {0};
        pdb_error error;
        const pdb_status status = retrograde_layer(search, stop, &seen, &done, &error);
        cr_assert((status == PDB_INTERRUPTED) == (seen.calls > 0));
        stopped += seen.calls > 0;
        if (status == PDB_INTERRUPTED)
            cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK);
        else
            cr_assert(status == PDB_OK);
    }
    const struct outcome pieced = end_search(search);
    cr_expect(same_outcome(&straight, &pieced) && stopped > 0);
    retrograde_free(pieced.search);
    retrograde_free(straight.search);
    puzzle_free(puzzle);
}

Test(retrograde, stopped_with_threads)
{
    for (size_t w = 0; w < COUNT(ways); w++)
        stop_with_threads(ways[w]);
}

/* -- layers of one state or two -- */

/* Cycles side by side that turn together are one cycle, as long as the product of their lengths, which are primes. */
#define CYCLES "puzzle: t\nfamily: permute\ngoal: A a B b b C c c c c D d d d d d d E e e e e e e e e e e"
#define TURN                                                                                                           \
    "\ngenerators:\n  turn: ['(1 2)', '(3 4 5)', '(6 7 8 9 10)', '(11 12 13 14 15 16 17)', "                           \
    "'(18 19 20 21 22 23 24 25 26 27 28)'"

static const struct {
    const char *yaml;
    uint64_t states;
    bool both; /* moves can be undone */
} cycles[] = {
    {CYCLES TURN "]\n", 2310, true},
    {CYCLES TURN "]\nturns: forward\n", 2310, false},
    {CYCLES " F f f f f f f f f f f f f G g g g g g g g g g g g g g g g g" TURN
            ", '(29 30 31 32 33 34 35 36 37 38 39 40 41)', "
            "'(42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58)']\nturns: forward\n",
     510510, false},
};

/* Every distance but the last has one state, or two, one on either side. A search goes on in another one four times. */
static void search_cycle(size_t i, enum retrograde_way way, const struct puzzle *puzzle)
{
    const uint64_t all = cycles[i].states, farthest = cycles[i].both ? all / 2 : all - 1;
    struct retrograde *search = begin_search(way, puzzle, 2);
    pdb_error error;
    for (bool done = false; !done;) {
        if (retrograde_progress(search).depth % (farthest / 4) == 0)
            search = transplant(way, search, puzzle, 1);
        cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK, "%s", error.message);
    }
    const struct outcome outcome = end_search(search);
    cr_expect(outcome.result.depths == farthest + 1 && outcome.result.reachable == all);
    cr_expect(outcome.result.hardest_kept == 1);
    for (uint64_t d = 0; d <= farthest; d++)
        cr_assert_eq(outcome.result.histogram[d], !cycles[i].both || d == 0 || d == farthest ? 1 : 2);
    retrograde_free(search);
}

Test(retrograde, long_cycles)
{
    for (size_t i = 0; i < COUNT(cycles); i++) {
        struct puzzle *puzzle = make_puzzle(cycles[i].yaml);
        cr_assert(puzzle->states == cycles[i].states && puzzle->undoable == cycles[i].both);
        cr_assert_eq(puzzle->deepest, cycles[i].both ? cycles[i].states / 2 : cycles[i].states - 1);
        for (size_t w = 0; w < (cycles[i].both ? COUNT(ways) : 1); w++)
            search_cycle(i, ways[w], puzzle);
        puzzle_free(puzzle);
    }
}

/* Distances that cannot be kept: refused before the search where they are known, else once they are met. */
Test(retrograde, too_deep)
{
    struct puzzle *puzzle = make_puzzle(cycles[0].yaml);
    struct memory_part part[RETROGRADE_PARTS_MAX];
    struct retrograde_plan plan;
    pdb_error error;
    bool done;
    struct retrograde *search = begin_search(RETROGRADE_BEST, puzzle, 1);
    retrograde_parts(search, part);
    const uint64_t depth = DISTANCE_MAX + 1; /* it comes first in what is kept */
    memcpy(part[0].bytes, &depth, sizeof depth);
    cr_expect_eq(retrograde_layer(search, NULL, NULL, &done, &error), PDB_TOO_LARGE);
    EXPECT_TEXT(error.message,
                "t: it has distances of 16777216 and more, and the greatest that can be kept is 16777215; pdb-query "
                "--method=search looks for those of single boards");
    retrograde_free(search);
    puzzle->deepest = DISTANCE_MAX;
    cr_expect_eq(retrograde_plan(RETROGRADE_BEST, puzzle, 1, &plan, &error), PDB_OK);
    retrograde_plan_free(&plan);
    puzzle->deepest = DISTANCE_MAX + 1;
    cr_expect_eq(retrograde_plan(RETROGRADE_BEST, puzzle, 1, &plan, &error), PDB_TOO_LARGE);
    puzzle_free(puzzle);
}

/* -- parts that are not what they were -- */

enum spoil {
    SPOIL_FRONTIER_BIT,
    SPOIL_VISITED_BIT,
    SPOIL_DEPTH,
    SPOIL_REACHED,
    SPOIL_HISTOGRAM,
    SPOIL_ZERO_STATE,
    SPOIL_ONES,
    SPOIL_MOVED_FRONTIER,
    SPOIL_OUTSIDE
};

/* Of a search state by state. The parts are told apart by their order: state (depth, reached, histogram), frontier,
 * visited, residues. */
static void spoil(struct memory_part *parts, const struct puzzle *puzzle, enum spoil how)
{
    uint64_t *state = parts[0].bytes, *frontier = parts[1].bytes, *visited = parts[2].bytes;
    uint64_t word = 0;
    while (frontier[word] == 0)
        word++;
    const uint64_t lowest = frontier[word] & -frontier[word];
    switch (how) {
    case SPOIL_FRONTIER_BIT:
        frontier[word] &= ~lowest;
        break;
    case SPOIL_VISITED_BIT:
        visited[word] &= ~lowest;
        break;
    case SPOIL_DEPTH:
        state[0] = UINT64_MAX / 2;
        break;
    case SPOIL_REACHED:
        state[1]++;
        break;
    case SPOIL_HISTOGRAM:
        state[2 + state[0]]++;
        break;
    case SPOIL_ZERO_STATE:
        memset(state, 0, parts[0].size);
        break;
    case SPOIL_ONES:
        memset(parts[0].bytes, 0xFF, parts[0].size);
        break;
    case SPOIL_MOVED_FRONTIER: /* as many as before, but one that was never visited */
        frontier[word] &= ~lowest;
        for (uint64_t i = 0; i < puzzle->states; i++)
            if (!(visited[i / 64] >> i % 64 & 1)) {
                frontier[i / 64] |= (uint64_t)1 << i % 64;
                break;
            }
        break;
    case SPOIL_OUTSIDE: /* the last bit of the bitmaps stands for no state */
        frontier[word] &= ~lowest;
        visited[word] &= ~lowest;
        frontier[parts[1].size / 8 - 1] |= (uint64_t)1 << 63;
        visited[parts[1].size / 8 - 1] |= (uint64_t)1 << 63;
        break;
    }
}

static bool resumes_when_spoiled(enum spoil how)
{
    struct puzzle *puzzle = make_puzzle(yamls[0]);
    struct retrograde *search = begin_search(RETROGRADE_STATES, puzzle, 1);
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    pdb_error error;
    bool done = false;
    for (int layer = 0; layer < 8; layer++)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK && !done);
    retrograde_parts(search, parts);
    cr_assert(retrograde_resume(search, &(pdb_status){PDB_OK}));
    spoil(parts, puzzle, how);
    const bool resumes = retrograde_resume(search, &(pdb_status){PDB_OK});
    retrograde_free(search);
    puzzle_free(puzzle);
    return resumes;
}

Test(retrograde, spoiled_parts)
{
    for (enum spoil how = 0; how < SPOIL_MOVED_FRONTIER; how++)
        cr_expect(!resumes_when_spoiled(how), "spoiled in way %d", (int)how);
}

/* "Checks what it can": that the frontier has been visited, and that no bit stands for no state (a family may be asked
 * only about states). */
Test(retrograde, spoiled_bitmaps_of_the_right_counts)
{
    cr_expect(!resumes_when_spoiled(SPOIL_MOVED_FRONTIER), "a frontier that has not been visited");
    cr_expect(!resumes_when_spoiled(SPOIL_OUTSIDE), "a bit past the last state");
}

/* -- memory -- */

static size_t allocated(void)
{
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* What is said to be needed is what is taken, but for small change: the allocator's own, and what it had set aside. */
static void check_memory(enum retrograde_way way, const char *yaml, unsigned threads)
{
    struct puzzle *puzzle = make_puzzle(yaml);
    struct outcome first = run_search(way, puzzle, threads); /* the threads' own memory is there now */
    retrograde_free(first.search);
    const size_t before = allocated();
    struct retrograde *search = begin_search(way, puzzle, threads);
    const size_t begun = allocated() - before;
    end_search(search);
    const size_t ended = allocated() - before;
    const uint64_t said = plan_of(way, puzzle, threads).memory;
    if (before != 0 || begun != 0) { /* a sanitizer's malloc knows no mallinfo */
        cr_expect(begun <= said + 4096 && said <= begun + 16384, "%zu bytes taken, %llu said\n%s", begun,
                  (unsigned long long)said, yaml);
        cr_expect(ended <= begun + 4096, "%zu bytes taken at the end, %zu at the beginning", ended, begun);
    }
    retrograde_free(search);
    puzzle_free(puzzle);
}

Test(retrograde, memory_is_known_before)
{
    for (size_t w = 0; w < COUNT(ways); w++)
        for (size_t i = 0; i < COUNT(yamls); i++)
            for (unsigned threads = 1; threads <= 8; threads *= 2)
                check_memory(ways[w], yamls[i], threads);
    for (size_t w = 0; w < COUNT(ways); w++) /* all distances at once */
        check_memory(ways[w], "puzzle: t\nfamily: flip\nboard: ..../..../..../....\naround: plus\n", 2);
}
