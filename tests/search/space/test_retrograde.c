/* test_retrograde.c -- the search: any number of threads, stopped and gone on with, and how its distances are packed
 *
 * That the distances are right, test_slide.c says; here it is that they do not depend on how they came about.
 */
#include "tests/support/layer_ways.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "puzzle: t\nfamily: slide\n"

/* One puzzle for every encoding, and one of several chunks of RETROGRADE_CHUNK words. */
static const char *const yamls[] = {
    HEAD "goal: 1 2 3/4 5 .\n",                       /* mod4-1bit */
    HEAD "goal: 1 2 3 . 4 5\n",                       /* mod4-2bit */
    HEAD "board: 1 2 3/4 5 .\ngoal: '1 2 3/* 5 *'\n", /* mod3-5perbyte */
    HEAD "board: 1 2 3 .\ngoal: '* * * *'\n",         /* mod3-2bit */
    HEAD "goal: 1 2 3/4 5 6/7 8 .\n",
    HEAD "board: 1 2 3/4 5 6/7 8 .\ngoal: '* 2 3/4 5 6/* * *'\n",
    HEAD "goal: B B v/B B v/s s ./h h .\npieces: [B B/B B, v/v, h h]\n",
};

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

/* -- packed values -- */

static void plain_colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    (void)puzzle;
    for (size_t i = 0; i < count; i++)
        colour[i] = (uint8_t)((index[i] * 7 + index[i] / 3) % 2);
}

/* Distances at random (with holes where the encoding can have them), packed, and read one by one and in batches. */
static void check_packing(enum encoding encoding, uint64_t states, uint64_t *random, unsigned threads)
{
    static const struct family family = {.index = {.colours = plain_colours}};
    struct puzzle puzzle = {.family = &family, .states = states, .coloured = encoding_modulus(encoding) == 4};
    const uint64_t words = states / 64 + 1, size = encoding_bytes(encoding, states);
    const bool holes = encoding == ENCODING_MOD4_2BIT || encoding == ENCODING_MOD3_2BIT;
    uint64_t *low = checked_memory(words, 8), *high = checked_memory(words, 8), *reached = checked_memory(words, 8);
    uint64_t *index = checked_memory(states, sizeof *index);
    uint8_t *expected = checked_memory(states, 1), *residue = checked_memory(states, 1),
            *bytes = checked_memory(size + 8, 1);
    for (uint64_t i = 0; i < states; i++) {
        const uint64_t bit = (uint64_t)1 << i % 64;
        unsigned distance = (unsigned)random_below(random, 60);
        uint8_t colour;
        index[i] = i;
        plain_colours(NULL, &i, 1, &colour);
        distance -= puzzle.coloured && distance % 2 != colour ? (distance > 0 ? 1 : 0) : 0;
        if (puzzle.coloured && distance % 2 != colour)
            distance++;
        if (holes && random_below(random, 4) == 0) {
            expected[i] = RESIDUE_NONE;
            continue;
        }
        reached[i / 64] |= bit;
        expected[i] = (uint8_t)(distance % encoding_modulus(encoding));
        const unsigned written = puzzle.coloured ? distance / 2 % 2 : distance % 3;
        low[i / 64] |= (written & 1) != 0 ? bit : 0;
        high[i / 64] |= (written & 2) != 0 ? bit : 0;
    }
    memset(bytes, 0xAA, size + 8);
    struct team team = {.threads = threads};
    if (encoding == ENCODING_MOD4_1BIT) /* its plane is what is kept */
        for (uint64_t b = 0; b < size; b++)
            bytes[b] = (uint8_t)(low[b / 8] >> 8 * (b % 8));
    else
        values_pack(encoding, states, low, puzzle.coloured ? NULL : high, reached, bytes, &team);
    team_end(&team);
    for (unsigned i = 0; i < 8; i++)
        cr_assert(bytes[size + i] == 0xAA, "%s, %llu states: wrote past the end", encoding_name(encoding),
                  (unsigned long long)states);
    if (holes && states % 4 != 0)
        cr_assert(bytes[size - 1] >> 2 * (states % 4) == 0, "%s, %llu states: bits past the last",
                  encoding_name(encoding), (unsigned long long)states);
    const struct memory memory = {bytes, size};
    const struct values values = {.puzzle = &puzzle, .encoding = encoding, .source = memory_source(&memory)};
    cr_assert(values_get(&values, index, states, residue, NULL) == PDB_OK);
    cr_assert(memcmp(residue, expected, states) == 0, "%s, %llu states", encoding_name(encoding),
              (unsigned long long)states);
    for (int i = 0; i < 20; i++) {
        const uint64_t one = random_below(random, states);
        cr_assert(values_get(&values, &one, 1, residue, NULL) == PDB_OK && *residue == expected[one]);
    }
    free(low);
    free(high);
    free(reached);
    free(index);
    free(expected);
    free(residue);
    free(bytes);
}

/* Those that keep residues; test_exact.c has the others. */
enum { RESIDUE_ENCODINGS = ENCODING_MOD3_2BIT + 1 };

Test(values, packed_and_read)
{
    static const uint64_t sizes[] = {1,   2,   3,   4,   5,   6,   7,   8,    9,    10,   11,    15,
                                     16,  17,  31,  32,  33,  59,  60,  61,   63,   64,   65,    66,
                                     127, 128, 129, 191, 192, 193, 320, 1000, 4095, 4096, 40001, 655367};
    uint64_t random = 17;
    for (enum encoding encoding = 0; encoding <= ENCODING_MOD3_2BIT; encoding++)
        for (size_t i = 0; i < COUNT(sizes); i++)
            check_packing(encoding, sizes[i], &random, 1 + (unsigned)i % 3);
}

Test(values, layout_of_the_bytes)
{
    /* values.h: state i is digit i % 5 of byte i / 5; two bits a state, the first the lowest. Residues here: 1 2 0 1 2
     * | 2 1. */
    const uint64_t low = 0x49, high = 0x32, reached = 0x7F;
    uint8_t bytes[2];
    values_pack(ENCODING_MOD3_5PERBYTE, 7, &low, &high, &reached, bytes, NULL);
    EXPECT_NUMBER(bytes[0], 1 + 2 * 3 + 0 * 9 + 1 * 27 + 2 * 81);
    EXPECT_NUMBER(bytes[1], 2 + 1 * 3);
    const uint64_t some = 0x5F; /* the sixth is out of reach: 1 2 0 1 | 2 none 1 */
    values_pack(ENCODING_MOD3_2BIT, 7, &low, &high, &some, bytes, NULL);
    EXPECT_NUMBER(bytes[0], 1 + 2 * 4 + 0 * 16 + 1 * 64);
    EXPECT_NUMBER(bytes[1], 2 + 3 * 4 + 1 * 16);
}

Test(values, names_and_sizes)
{
    static const char *const names[RESIDUE_ENCODINGS] = {"mod4-1bit", "mod3-5perbyte", "mod4-2bit", "mod3-2bit"};
    static const unsigned modulus[RESIDUE_ENCODINGS] = {4, 3, 4, 3}, per_byte[RESIDUE_ENCODINGS] = {8, 5, 4, 4};
    for (enum encoding encoding = 0; encoding <= ENCODING_MOD3_2BIT; encoding++) {
        enum encoding found = ENCODINGS;
        EXPECT_TEXT(encoding_name(encoding), names[encoding]);
        cr_expect(encoding_by_name(names[encoding], &found) && found == encoding);
        EXPECT_NUMBER(encoding_modulus(encoding), modulus[encoding]);
        for (uint64_t states = 0; states < 100; states++) {
            uint64_t bytes = 0;
            while (bytes * per_byte[encoding] < states)
                bytes++;
            EXPECT_NUMBER(encoding_bytes(encoding, states), bytes);
        }
        EXPECT_NUMBER(encoding_bytes(encoding, UINT64_MAX),
                      UINT64_MAX / per_byte[encoding] + (UINT64_MAX % per_byte[encoding] != 0));
    }
    enum encoding none;
    cr_expect(!encoding_by_name("mod5", &none) && !encoding_by_name("", &none));
}

/* -- distances from residues that contradict themselves -- */

/* Every byte of a finished search turned over, one at a time: a wrong distance may come out of it, but nothing that
 * hangs or steps outside, and a distance that comes out is one that the walk really found. */
Test(distance, spoiled_values)
{
    for (size_t i = 0; i < 4; i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct solved solved;
        solve(puzzle, 1, &solved);
        uint8_t *bytes = checked_memory(solved.memory.size, 1);
        memcpy(bytes, solved.memory.bytes, solved.memory.size);
        struct memory memory = {bytes, solved.memory.size};
        struct values values = {.puzzle = puzzle, .encoding = solved.values.encoding, .source = memory_source(&memory)};
        int damaged = 0;
        for (uint64_t b = 0; b < memory.size; b++) {
            bytes[b] ^= 0xFF;
            for (uint64_t index = 0; index < puzzle->states; index++) {
                uint32_t distance = 0;
                pdb_error error = {.message = ""};
                const pdb_status status = distance_get(&values, &index, 1, &distance, &error);
                cr_assert(status == PDB_OK || (status == PDB_DAMAGED && *error.message != '\0'));
                cr_assert(status != PDB_OK || distance == DISTANCE_NONE || distance < puzzle->states);
                damaged += status == PDB_DAMAGED;
            }
            bytes[b] ^= 0xFF;
        }
        cr_expect(damaged > 0 || i == 3, "%s",
                  yamls[i]); /* where every board is a goal, a wrong residue may be one that says "none" */
        free(bytes);
        solved_free(&solved);
        puzzle_free(puzzle);
    }
}

static const uint8_t *no_bytes(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    (void)context;
    (void)offset;
    (void)run;
    error_set(error, PDB_DAMAGED, "page 3 is damaged");
    return NULL;
}

Test(distance, errors_of_the_source)
{
    struct puzzle *puzzle = make_puzzle(yamls[0]);
    const struct values values = {.puzzle = puzzle, .encoding = ENCODING_MOD4_1BIT, .source = {no_bytes, NULL}};
    const uint64_t index[3] = {1, 2, 3};
    uint32_t distance[3];
    unsigned __int128 paths;
    pdb_error error = {.message = ""};
    EXPECT_NUMBER(distance_get(&values, index, 3, distance, &error), PDB_DAMAGED);
    EXPECT_TEXT(error.message, "page 3 is damaged");
    EXPECT_NUMBER(distance_get(&values, index, 3, distance, NULL), PDB_DAMAGED);
    EXPECT_NUMBER(distance_get(&values, index, 0, distance, &error), PDB_OK);
    EXPECT_NUMBER(distance_near(&values, 5, index, 3, distance, &error), PDB_DAMAGED);
    EXPECT_NUMBER(distance_count_paths(&values, 1, 5, &paths, &error), PDB_DAMAGED);
    puzzle_free(puzzle);
}

/* A neighbour's residue says which of d-1, d and d+1 it is at; anything else is damage. */
Test(distance, near)
{
    for (size_t i = 0; i < 6; i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct solved solved;
        solve(puzzle, 1, &solved);
        uint64_t *next = checked_memory(puzzle->max_moves, sizeof *next), random = 5;
        uint32_t *near = checked_memory(puzzle->max_moves, sizeof *near),
                 *exact = checked_memory(puzzle->max_moves, sizeof *exact);
        unsigned looked_at = 0;
        for (int n = 0; n < 2000; n++) {
            const uint64_t index = random_below(&random, puzzle->states);
            uint32_t distance;
            uint16_t count;
            cr_assert(distance_get(&solved.values, &index, 1, &distance, NULL) == PDB_OK);
            if (distance == DISTANCE_NONE)
                continue;
            puzzle->family->index.successors(puzzle, &index, 1, next, &count);
            cr_assert(distance_get(&solved.values, next, count, exact, NULL) == PDB_OK);
            cr_assert(distance_near(&solved.values, distance, next, count, near, NULL) == PDB_OK);
            cr_assert(memcmp(near, exact, count * sizeof *near) == 0);
            looked_at += count > 0;
        }
        cr_expect(looked_at > 0, "no board with a distance was met\n%s", yamls[i]);
        free(next);
        free(near);
        free(exact);
        solved_free(&solved);
        puzzle_free(puzzle);
    }
}

/* What was found before changes nothing, however many states share a slot. */
Test(distance, of_states_whose_neighbours_were_asked_for)
{
    for (size_t i = 0; i < 6; i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct solved solved;
        struct distance_memo memo;
        solve(puzzle, 1, &solved);
        for (unsigned bits = 1; bits <= 9; bits += 4) {
            cr_assert(distance_memo_create(&memo, &solved.values, sizeof(uint64_t) << bits));
            cr_assert(memo.bits == bits || (memo.bits < bits && puzzle->states >> memo.bits == 0));
            struct values remembering = solved.values;
            remembering.memo = &memo;
            uint64_t index[100], random = bits;
            uint32_t distance[100], found[100];
            for (int n = 0; n < 100; n++) {
                for (size_t k = 0; k < 100; k++)
                    index[k] = random_below(&random, puzzle->states);
                cr_assert(distance_get(&solved.values, index, 100, distance, NULL) == PDB_OK);
                cr_assert(distance_get(&remembering, index, 100, found, NULL) == PDB_OK);
                cr_assert(memcmp(found, distance, sizeof found) == 0, "%s", yamls[i]);
            }
            distance_memo_free(&memo);
        }
        solved_free(&solved);
        puzzle_free(puzzle);
    }
}

static bool observe_nothing(const void *context, uint64_t done)
{
    (void)context;
    return done < 1;
}

/* Twelve lamps, each with a switch of its own: 12! ways, over all 4,096 states. */
Test(distance, counting_is_stopped_and_limited)
{
    struct puzzle *puzzle = make_puzzle("puzzle: lamps\nfamily: flip\naround: plus\n"
                                        "board: \".#.#.#.#.#.#.#.#.#.#.#.\"\n");
    struct solved solved;
    const uint64_t index = index_of(puzzle, "111111111111");
    unsigned __int128 paths;
    pdb_error error;
    solve(puzzle, 1, &solved);
    cr_assert(distance_count_paths(&solved.values, index, 12, &paths, NULL) == PDB_OK);
    EXPECT_NUMBER(paths, 479001600);
    struct values values = solved.values;
    values.observe = observe_nothing;
    EXPECT_NUMBER(distance_count_paths(&values, index, 12, &paths, &error), PDB_INTERRUPTED);
    values.observe = NULL;
    values.memory = 10000;
    EXPECT_NUMBER(distance_count_paths(&values, index, 12, &paths, &error), PDB_TOO_LARGE);
    solved_free(&solved);
    puzzle_free(puzzle);
}

/* One piece on an otherwise empty board goes from corner to corner in as many shortest ways as there are lattice
 * paths. */
Test(distance, number_of_paths_on_an_empty_board)
{
    static const struct {
        const char *goal, *from;
        uint64_t paths, distance;
    } cases[] = {
        {"a.../..../....", "..../..../...a", 10, 5}, /* 5 over 2 */
        {"a......./......../......../......../......../......../......../........",
         "......../......../......../......../......../......../......../.......a", 3432, 14}, /* 14 over 7 */
        {"a...............................................................",
         "...............................................................a", 1, 63},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char yaml[300];
        strcat(strcat(strcpy(yaml, HEAD "goal: "), cases[i].goal), "\n");
        struct puzzle *puzzle = make_puzzle(yaml);
        struct solved solved;
        const uint64_t index = index_of(puzzle, cases[i].from);
        uint32_t distance;
        unsigned __int128 paths;
        solve(puzzle, 1, &solved);
        cr_assert(distance_get(&solved.values, &index, 1, &distance, NULL) == PDB_OK);
        EXPECT_NUMBER(distance, cases[i].distance);
        cr_assert(distance_count_paths(&solved.values, index, distance, &paths, NULL) == PDB_OK);
        EXPECT_NUMBER(paths, cases[i].paths);
        solved_free(&solved);
        puzzle_free(puzzle);
    }
}
