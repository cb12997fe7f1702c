/* test_layers.c -- layers made a word of states at a time: byte for byte what the search state by state finds
 *
 * That the search state by state is right, test_slide.c and test_retrograde.c say.
 */
#include "support.h"
#include "catalog.h"
#include "search/layers.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "puzzle: t\nfamily: slide\n"

/* One blank and several, both parities and one, an identical pair, colourings and none, walls, large pieces, boards that
 * are not all reached; five things to order (the least that there is a kernel for) up to ten. */
static const char *const yamls[] = {
    HEAD "goal: 1 2 3/4 5 .\n",
    HEAD "goal: 1 2 3 . 4 5\n",
    HEAD "goal: 1 1 2 3 4 5 6 .\n",
    HEAD "board: 1 2 3/4 5 .\ngoal: '1 2 3/* 5 *'\n",
    HEAD "board: 1 2 3/4 5 .\ngoal: '* 2 */* * *'\n",
    HEAD "goal: 1 2 3 4/5 6 7 .\n",
    HEAD "goal: 1 2/3 4/5 6/7 .\n",
    HEAD "goal: 1 2/3 3/5 6/7 .\n",
    HEAD "goal: 1 2 3 4/5 6 . .\n",
    HEAD "goal: 1 2 3/4 5 6/7 8 .\n",
    HEAD "goal: 1 2 3/4 . 6/7 8 1\n",
    HEAD "goal: 1 2 3/4 5 6/7 . .\n",
    HEAD "goal: 1 2 3/4 5 1/7 . .\n",
    HEAD "goal: 1 2 3/4 5 6/. . .\n",
    HEAD "goal: 1 2 3/4 5 6/7 . .\nmetric: slide\n",
    HEAD "goal: 1 1 3/4 5 6/7 . .\nmetric: slide\n",
    HEAD "board: 1 2 3/4 5 6/7 8 .\ngoal: '* 2 3/4 5 6/* * *'\n",
    HEAD "board: 1 2 3/4 5 6/7 7 .\ngoal: '* 2 3/4 5 6/* * *'\n",
    HEAD "board: 1 2 3/4 5 6/7 7 .\ngoal: '* * */* * */* * 2'\n",
    HEAD "goal: '1 2 # 3/4 5 . 6/7 8 9 #'\n",
    HEAD "goal: '1 # 2 3/4 5 6 ./7 # 8 8'\n",
    HEAD "goal: 1 2 3 4 5/6 7 8 9 .\n",
    HEAD "goal: 1 2 3 4 5/6 7 3 9 .\n",
    HEAD "goal: 1 2/3 4/5 6/7 8/9 .\n",
    HEAD "goal: A A 1 2/A A 3 4/5 6 7 .\npieces: [A A/A A]\n",
    HEAD "goal: A A 1 2/6 5 3 4/5 7 . .\npieces: [A A]\n",
    HEAD "goal: A A 1 2/B B 3 4/5 6 7 .\npieces: [A A, B B]\n",
    HEAD "goal: A 1 2 3/A 4 5 6/. . 7 8\npieces: [A/A]\n",
    /* many alike: several groups of them, few kinds and many; all of a block in a word, in a group, in several; rings;
     * goals of several boards */
    HEAD "goal: A A B B . C B\n",
    HEAD "goal: A A B/B C C/C . .\n",
    HEAD "goal: A B A/C A B/A C .\n",
    HEAD "goal: A A B/B C C/D D .\n",
    HEAD "goal: A A/B B/C C/D D/E .\n",
    HEAD "goal: A A B B C/C D D E .\n",
    HEAD "goal: A A A B/B B C C/C D . .\n",
    HEAD "goal: 'A A A B/B B C C/D # E .'\n",
    HEAD "goal: A A A A/B B B B/C C C .\n",
    HEAD "goal: A B C A/A A A A/A A A D/A A A .\n",
    HEAD "board: A A A B/B B C C/C D D .\ngoal: 'A A * */* * * */* D * .'\n",
    HEAD "board: A A B B/B C C C/. 1 1 1\ngoal: '* * * */A * * A/* 1 * .'\nmetric: slide\n",
    HEAD "goal: 'A # B C/A B C ./D # D A'\n",
    HEAD "goal: 'A A B C #/# B C . B/D # D A E'\n",
    HEAD "goal: X X A A/B B C C/D D . .\npieces: [X X]\n",
    HEAD "goal: X A A B/X B B C/D E . E\npieces: [X/X]\n",
    HEAD "goal: X X A A/X X B B/C C D .\npieces: [X X/X X]\n",
    /* where the deepest layer is more than is listed of it */
    HEAD "board: 1 2 3/4 5 6/7 8 .\ngoal: '* * */* * */* * .'\n",
    HEAD "board: 1 2 3/4 5 6/7 8 .\ngoal: '* * */* * */* * *'\n",
};

/* -- outcomes -- */

struct outcome {
    struct retrograde *search;
    struct retrograde_result result;
};

static struct retrograde *begin(enum retrograde_way way, const struct pdb_puzzle *puzzle, unsigned threads)
{
    struct retrograde *search = NULL;
    pdb_error error;
    cr_assert(retrograde_create_by(way, puzzle, threads, &search, &error) == PDB_OK, "%s", error.message);
    return search;
}

static struct outcome run(enum retrograde_way way, const struct pdb_puzzle *puzzle, unsigned threads)
{
    struct outcome outcome = {.search = begin(way, puzzle, threads)};
    pdb_error error;
    for (bool done = false; !done;)
        cr_assert(retrograde_layer(outcome.search, NULL, NULL, &done, &error) == PDB_OK, "%s", error.message);
    retrograde_finish(outcome.search, &outcome.result);
    return outcome;
}

static bool same(const struct pdb_puzzle *puzzle, const struct retrograde_result *a, const struct retrograde_result *b)
{
    return a->encoding == b->encoding && a->reachable == b->reachable && a->depths == b->depths &&
           a->hardest_kept == b->hardest_kept &&
           memcmp(a->bytes, b->bytes, encoding_bytes(a->encoding, puzzle->states)) == 0 &&
           memcmp(a->histogram, b->histogram, a->depths * sizeof *a->histogram) == 0 &&
           memcmp(a->hardest, b->hardest, a->hardest_kept * sizeof *a->hardest) == 0;
}

static struct layer_kernel *kernel_of(const struct pdb_puzzle *puzzle)
{
    struct layer_kernel *kernel;
    cr_assert(puzzle->family->layers(puzzle, false, &kernel, NULL) == PDB_OK);
    return kernel;
}

/* Both ways of the kernel, with one thread, two and three, against the search state by state. */
static void compare_ways(const struct pdb_puzzle *puzzle, const char *what)
{
    static const enum retrograde_way ways[] = {RETROGRADE_BEST, RETROGRADE_PORTABLE};
    struct outcome expected = run(RETROGRADE_STATES, puzzle, 1);
    for (size_t w = 0; w < COUNT(ways); w++)
        for (unsigned threads = 1; threads <= 3; threads++) {
            struct outcome outcome = run(ways[w], puzzle, threads);
            cr_expect(same(puzzle, &expected.result, &outcome.result), "%s, %u threads\n%s",
                      ways[w] == RETROGRADE_BEST ? "best" : "portable", threads, what);
            retrograde_free(outcome.search);
        }
    retrograde_free(expected.search);
}

Test(layers, all_ways_find_the_same)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct pdb_puzzle *puzzle = make_puzzle(yamls[i]);
        struct layer_kernel *kernel = kernel_of(puzzle);
        cr_assert(kernel != NULL, "no kernel\n%s", yamls[i]);
        kernel->free(kernel);
        compare_ways(puzzle, yamls[i]);
        puzzle_free(puzzle);
    }
}

/* Of more than a few states, words take less memory than states: there is no other way for the sake of memory. */
Test(layers, the_best_way_takes_the_least_memory)
{
    struct pdb_puzzle *puzzle;
    cr_assert(catalog_load("tiles-3x4", &puzzle, NULL) == PDB_OK);
    cr_assert(retrograde_memory(puzzle, 1) < retrograde_memory_by(RETROGRADE_STATES, puzzle, 1));
    cr_assert(retrograde_way_within(0, puzzle, 1) == RETROGRADE_BEST);
    puzzle_free(puzzle);
}

Test(layers, goat)
{
    struct pdb_puzzle *puzzle;
    cr_assert(catalog_load("goat", &puzzle, NULL) == PDB_OK);
    compare_ways(puzzle, "goat");
    puzzle_free(puzzle);
}

/* Enough words that threads share the work. */
Test(layers, many_words)
{
    struct pdb_puzzle *puzzle = make_puzzle(HEAD "goal: 1 2 3 4/5 6 7 8/. . . .\n");
    compare_ways(puzzle, "3x4 with four blanks");
    puzzle_free(puzzle);
}

/* Too few orders to a block. */
Test(layers, puzzles_without_a_kernel)
{
    static const char *const none[] = {HEAD "goal: 1 1 1 1 1 1 2 .\n", HEAD "goal: 1 1 2 2/2 2 . .\n", HEAD "goal: 1 2 3/4 . .\n"};
    for (size_t i = 0; i < COUNT(none); i++) {
        struct pdb_puzzle *puzzle = make_puzzle(none[i]);
        cr_expect(kernel_of(puzzle) == NULL, "%s", none[i]);
        puzzle_free(puzzle);
    }
}

/* -- the kernel's contract -- */

/* Which bits of a group's word are states. */
static uint64_t states_of(const struct layer_kernel *kernel, uint64_t group, uint64_t word)
{
    const uint64_t states = kernel->states(kernel, group), before = word * kernel->bits;
    return states <= before ? 0 : layer_low((unsigned)(states - before < kernel->bits ? states - before : kernel->bits));
}

/* Groups take the indices one after another; every index has an address of its own, in its group, among the bits that are
 * states'. */
static void check_addresses(const struct pdb_puzzle *puzzle, const struct layer_kernel *kernel)
{
    uint64_t index = 0, words = 0;
    for (uint64_t group = 0; group < kernel->groups; group++) {
        const uint64_t past = index + kernel->states(kernel, group);
        const uint32_t size = (kernel->states(kernel, group) + kernel->bits - 1) / kernel->bits;
        uint64_t seen[LAYER_WORDS_MAX] = {0};
        cr_assert(past > index && size <= kernel->words_max && kernel->words_max <= LAYER_WORDS_MAX);
        for (; index < past; index++) {
            const uint64_t address = kernel->address(kernel, index), word = address / 64, bit = (uint64_t)1 << address % 64;
            cr_assert(kernel->index(kernel, address) == index);
            cr_assert(word / LAYER_WORDS_MAX == group);
            cr_assert((bit & states_of(kernel, group, word % LAYER_WORDS_MAX)) != 0);
            cr_assert((seen[word % LAYER_WORDS_MAX] & bit) == 0);
            seen[word % LAYER_WORDS_MAX] |= bit;
        }
        words += size;
    }
    cr_assert(index == puzzle->states && words == kernel->words);
}

static uint64_t group_of(const struct layer_kernel *kernel, uint64_t index)
{
    return kernel->address(kernel, index) / 64 / LAYER_WORDS_MAX;
}

/* The neighbours of a state lie in its group's sources. */
static void check_sources(const struct pdb_puzzle *puzzle, const struct layer_kernel *kernel, uint64_t index)
{
    uint64_t *source = checked_memory(kernel->sources_max, sizeof *source),
             *next = checked_memory(puzzle->max_moves, sizeof *next);
    uint16_t count;
    const size_t sources = kernel->sources(kernel, group_of(kernel, index), source);
    cr_assert(sources <= kernel->sources_max);
    puzzle->family->successors(puzzle, &index, 1, next, &count);
    for (unsigned i = 0; i < count; i++) {
        bool found = false;
        for (size_t s = 0; s < sources; s++)
            found |= source[s] == group_of(kernel, next[i]);
        cr_assert(found);
    }
    free(source);
    free(next);
}

/* The lowest index of a group. */
static uint64_t first_of(const struct layer_kernel *kernel, uint64_t group)
{
    uint64_t index = kernel->index(kernel, layer_address(group, 0, 0));
    while (index > 0 && group_of(kernel, index - 1) == group)
        index--;
    return index;
}

/* A group's bits in the order of the indices. */
static void check_arranging(const struct layer_kernel *kernel, uint64_t group, uint64_t *random)
{
    uint64_t words[LAYER_WORDS_MAX] = {0}, bitmap[LAYER_WORDS_MAX], expected[LAYER_WORDS_MAX] = {0};
    const uint64_t first = first_of(kernel, group);
    const uint32_t states = kernel->states(kernel, group);
    for (uint32_t i = 0; i < states; i++)
        if (next_random(random) >> 20 & 1) {
            const uint64_t address = kernel->address(kernel, first + i);
            words[address / 64 % LAYER_WORDS_MAX] |= (uint64_t)1 << address % 64;
            expected[i / 64] |= (uint64_t)1 << i % 64;
        }
    kernel->arrange(kernel, group, words, bitmap);
    cr_assert(memcmp(bitmap, expected, (states + 63) / 64 * sizeof *bitmap) == 0);
}

Test(layers, kernels_keep_their_contract)
{
    uint64_t random = 11;
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct pdb_puzzle *puzzle = make_puzzle(yamls[i]);
        struct layer_kernel *kernel = kernel_of(puzzle);
        if (puzzle->states < 1000000)
            check_addresses(puzzle, kernel);
        for (int n = 0; n < 200; n++)
            check_sources(puzzle, kernel, random_below(&random, puzzle->states));
        for (int n = 0; n < 5; n++)
            check_arranging(kernel, random_below(&random, kernel->groups), &random);
        kernel->free(kernel);
        puzzle_free(puzzle);
    }
}

/* -- stopping and going on -- */

/* Stops at the second look, so that some of a layer has been made by then. */
static bool stop_soon(void *context, const struct retrograde_progress *progress)
{
    (void)progress;
    return ++*(int *)context < 2;
}

/* Fills a new search with what is kept of this one, and ends it. */
static struct retrograde *transplant(enum retrograde_way way, struct retrograde *search, const struct pdb_puzzle *puzzle)
{
    struct retrograde_part from[RETROGRADE_PARTS_MAX], to[RETROGRADE_PARTS_MAX];
    struct retrograde *fresh = begin(way, puzzle, 2);
    const size_t count = retrograde_parts(search, from);
    cr_assert(retrograde_parts(fresh, to) == count);
    for (size_t i = 0; i < count; i++) {
        cr_assert(from[i].size == to[i].size);
        memcpy(to[i].bytes, from[i].bytes, from[i].size);
    }
    retrograde_free(search);
    cr_assert(retrograde_resume(fresh));
    return fresh;
}

/* Every layer is stopped twice, and made by three searches, of both ways in turn. */
static void stop_at_every_layer(const struct pdb_puzzle *puzzle, const char *what)
{
    struct outcome expected = run(RETROGRADE_STATES, puzzle, 1);
    struct retrograde *search = begin(RETROGRADE_BEST, puzzle, 1);
    pdb_error error;
    for (bool done = false; !done;) {
        for (int stops = 0; stops < 2; stops++) {
            int looks = stops; /* the second time it stops at once */
            const pdb_status status = retrograde_layer(search, stop_soon, &looks, &done, &error);
            cr_assert(status == PDB_INTERRUPTED || status == PDB_OK);
            if (status == PDB_OK)
                break;
            search = transplant(stops == 0 ? RETROGRADE_PORTABLE : RETROGRADE_BEST, search, puzzle);
        }
        if (!done)
            cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK);
    }
    struct retrograde_result result;
    retrograde_finish(search, &result);
    cr_expect(same(puzzle, &expected.result, &result), "%s", what);
    retrograde_free(search);
    retrograde_free(expected.search);
}

Test(layers, stopped_and_resumed)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct pdb_puzzle *puzzle = make_puzzle(yamls[i]);
        if (puzzle->states < 1000000)
            stop_at_every_layer(puzzle, yamls[i]);
        puzzle_free(puzzle);
    }
}

/* -- parts that are not what they were -- */

/* The parts are told apart by their order: figures (depth, layer, reached, histogram), lists (found, how many of the last
 * layer and of the next, and which), planes. */
enum spoil { SPOIL_DEPTH, SPOIL_LAYER, SPOIL_REACHED, SPOIL_HISTOGRAM, SPOIL_FOUND, SPOIL_LIST_SHORT, SPOIL_LIST_ORDER, SPOIL_LIST_STATE,
             SPOIL_LIST_OUTSIDE, SPOIL_BIT_LESS, SPOIL_BIT_MORE, SPOIL_BIT_NO_STATE, SPOIL_BIT_TWICE, SPOIL_ZERO, SPOIL_ONES, SPOILS };

static void spoil(const struct retrograde_part *parts, const struct layer_kernel *kernel, enum spoil how)
{
    uint64_t *state = parts[0].bytes, *list = parts[1].bytes, *plane = parts[2].bytes;
    uint64_t *last = list + 3, empty = 0, filled = 0, swapped;
    while ((plane[empty] & layer_low(kernel->bits)) == layer_low(kernel->bits))
        empty++;
    while (plane[filled] == 0)
        filled++;
    switch (how) {
    case SPOIL_DEPTH:
        state[0] += 70000;
        break;
    case SPOIL_LAYER:
        state[1]++;
        break;
    case SPOIL_REACHED:
        state[2]++;
        break;
    case SPOIL_HISTOGRAM:
        state[3 + state[0] - 1]++;
        break;
    case SPOIL_FOUND:
        list[0]++;
        break;
    case SPOIL_LIST_SHORT:
        list[1]--;
        break;
    case SPOIL_LIST_ORDER:
        swapped = last[0];
        last[0] = last[1];
        last[1] = swapped;
        break;
    case SPOIL_LIST_STATE: /* the goal is in another plane */
        last[0] = 0;
        break;
    case SPOIL_LIST_OUTSIDE:
        last[list[1] - 1] = UINT64_MAX;
        break;
    case SPOIL_BIT_LESS:
        plane[filled] &= plane[filled] - 1;
        break;
    case SPOIL_BIT_MORE:
        plane[empty] |= plane[empty] + 1;
        break;
    case SPOIL_BIT_NO_STATE:
        plane[filled] = (plane[filled] & (plane[filled] - 1)) | ~layer_low(kernel->bits);
        break;
    case SPOIL_BIT_TWICE: /* moved into the other plane, where others are */
        plane[kernel->words_max] |= plane[0];
        break;
    case SPOIL_ZERO:
        memset(state, 0, parts[0].size);
        break;
    default:
        memset(state, 0xFF, parts[0].size);
        break;
    }
}

Test(layers, spoiled_parts)
{
    struct pdb_puzzle *puzzle = make_puzzle(HEAD "goal: . 1 2/3 4 5\n");
    struct layer_kernel *kernel = kernel_of(puzzle);
    for (enum spoil how = 0; how < SPOILS; how++) {
        struct retrograde *search = begin(RETROGRADE_BEST, puzzle, 1);
        struct retrograde_part parts[RETROGRADE_PARTS_MAX];
        bool done = false;
        for (int layer = 0; layer < 6; layer++)
            cr_assert(retrograde_layer(search, NULL, NULL, &done, NULL) == PDB_OK && !done);
        cr_assert(retrograde_parts(search, parts) == 3);
        cr_assert(retrograde_resume(search));
        spoil(parts, kernel, how);
        cr_expect(!retrograde_resume(search), "spoiled in way %d", (int)how);
        retrograde_free(search);
    }
    kernel->free(kernel);
    puzzle_free(puzzle);
}
