/* test_layers.c -- layers made a word of states at a time: byte for byte what the search state by state finds
 *
 * That the search state by state is right, test_slide.c and test_retrograde.c say.
 */
#include "tests/support/layer_ways.h"
#include "catalog/catalog.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "puzzle: t\nfamily: slide\n"

/* One blank and several, both parities and one, an identical pair, colourings and none, walls, large pieces, boards
 * that are not all reached; five things to order (the least that there is a kernel for) up to ten. */
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

Test(layers, all_ways_find_the_same)
{
    unsigned large = 0;
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct layer_kernel *kernel = kernel_of(puzzle);
        cr_assert(kernel != NULL, "no kernel\n%s", yamls[i]);
        kernel->free(kernel);
        if (puzzle->states < 1000000 || large++ % share() == 0)
            compare_ways(puzzle, yamls[i]);
        puzzle_free(puzzle);
    }
}

/* Of more than a few states, words take less memory than states: there is no other way for the sake of memory. */
Test(layers, the_best_way_takes_the_least_memory)
{
    struct puzzle *puzzle = built_in("tiles-3x4");
    const struct retrograde_plan best = plan_of(RETROGRADE_BEST, puzzle, 1);
    cr_assert(best.memory < plan_of(RETROGRADE_STATES, puzzle, 1).memory);
    EXPECT_TEXT(best.text, "in layers by words");
    EXPECT_TEXT(plan_within(0, puzzle, 1).text, best.text);
    puzzle_free(puzzle);
}

Test(layers, goat)
{
    struct puzzle *puzzle = built_in("goat");
    compare_ways(puzzle, "goat");
    puzzle_free(puzzle);
}

/* Enough words that threads share the work. */
Test(layers, many_words)
{
    struct puzzle *puzzle = make_puzzle(HEAD "goal: 1 2 3 4/5 6 7 8/. . . .\n");
    compare_ways(puzzle, "3x4 with four blanks");
    puzzle_free(puzzle);
}

/* Too few orders to a block. */
Test(layers, puzzles_without_a_kernel)
{
    static const char *const none[] = {HEAD "goal: 1 1 1 1 1 1 2 .\n", HEAD "goal: 1 1 2 2/2 2 . .\n",
                                       HEAD "goal: 1 2 3/4 . .\n"};
    for (size_t i = 0; i < COUNT(none); i++) {
        struct puzzle *puzzle = make_puzzle(none[i]);
        cr_expect(kernel_of(puzzle) == NULL, "%s", none[i]);
        puzzle_free(puzzle);
    }
}

Test(layers, kernels_keep_their_contract)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct layer_kernel *kernel = kernel_of(puzzle);
        check_kernel(puzzle, kernel);
        kernel->free(kernel);
        puzzle_free(puzzle);
    }
}

Test(layers, stopped_and_resumed)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        if (puzzle->states < 1000000)
            stop_at_every_layer(puzzle, yamls[i]);
        puzzle_free(puzzle);
    }
}

/* -- parts that are not what they were -- */

/* The parts are told apart by their order: figures (depth, layer, reached, histogram), lists (found, how many of the
 * last layer and of the next, and which), planes. */
enum spoil {
    SPOIL_DEPTH,
    SPOIL_LAYER,
    SPOIL_REACHED,
    SPOIL_HISTOGRAM,
    SPOIL_FOUND,
    SPOIL_LIST_SHORT,
    SPOIL_LIST_ORDER,
    SPOIL_LIST_STATE,
    SPOIL_LIST_OUTSIDE,
    SPOIL_BIT_LESS,
    SPOIL_BIT_MORE,
    SPOIL_BIT_NO_STATE,
    SPOIL_BIT_TWICE,
    SPOIL_ZERO,
    SPOIL_ONES,
    SPOILS
};

static void spoil(const struct memory_part *parts, const struct layer_kernel *kernel, enum spoil how)
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
    struct puzzle *puzzle = make_puzzle(HEAD "goal: . 1 2/3 4 5\n");
    struct layer_kernel *kernel = kernel_of(puzzle);
    for (enum spoil how = 0; how < SPOILS; how++) {
        struct retrograde *search = begin_search(RETROGRADE_BEST, puzzle, 1);
        struct memory_part parts[RETROGRADE_PARTS_MAX];
        bool done = false;
        for (int layer = 0; layer < 6; layer++)
            cr_assert(retrograde_layer(search, NULL, NULL, &done, NULL) == PDB_OK && !done);
        cr_assert(retrograde_settle(search, NULL) == PDB_OK && retrograde_parts(search, parts) == 3);
        cr_assert(retrograde_resume(search, &(pdb_status){PDB_OK}));
        spoil(parts, kernel, how);
        cr_expect(!retrograde_resume(search, &(pdb_status){PDB_OK}), "spoiled in way %d", (int)how);
        retrograde_free(search);
    }
    kernel->free(kernel);
    puzzle_free(puzzle);
}
