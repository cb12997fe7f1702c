/* test_layers.c -- layers of permutations a row at a time: byte for byte what the search state by state finds
 *
 * That the search state by state is right, test_whole.c says.
 */
#include "tests/support/layer_ways.h"
#include "lib/families/permute/permute.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#define HEAD "puzzle: t\nfamily: permute\n"

#define PANCAKES_9                                                                                                     \
    HEAD "places: 1 2 3 4 5 6 7 8 9\ngenerators:\n  2: {reverse: 1 2}\n  3: {reverse: 1 2 3}\n  4: {reverse: 1 2 3 "   \
         "4}\n"                                                                                                        \
         "  5: {reverse: 1 2 3 4 5}\n  6: {reverse: 1 2 3 4 5 6}\n  7: {reverse: 1 2 3 4 5 6 7}\n"                     \
         "  8: {reverse: 1 2 3 4 5 6 7 8}\n  9: {reverse: 1 2 3 4 5 6 7 8 9}\n"

static const struct {
    enum permute_row kind;
    bool threaded; /* words enough for it: more states than others */
    const char *yaml;
} cases[] = {
    {ROW_FAR, false, PANCAKES_9},
    {ROW_FAR, false, PANCAKES_9 "board: 1 2 3 4 5 6 7 8 9\ngoal: 1 2 * * * 6 7 * *\n"},
    /* half of the orders; all goals there are */
    {ROW_FAR, false, HEAD "places: 1 2 3 4 5 6 7 8 9\ngenerators:\n  a: (1 2 3)\n  b: (3 4 5)\n  c: (5 6 7 8 9)\n"},
    {ROW_FAR, true,
     HEAD "places: 1 2 3 4 5 6 7 8 9 10 11\ngenerators:\n  a: (1 2 3 4 5 6 7 8 9 10 11)\n  b: (1 2 3)\n  c: (4 5 6)(1 "
          "9 10)\n"},
    /* the parity of a second orbit is that of the first; with a colouring by it, rows have one colour */
    {ROW_TABLE, false,
     HEAD "places: a b c/1 2 3/4 5 6/7 8 9\ngenerators:\n  a: (a b)(1 2)\n  b: (a b c)(3 4 5 6 7)\n  c: (7 8 9)\n"},
    {ROW_FAR, false,
     HEAD
     "places: a b c/1 2 3/4 5 6/7 8 9\ngenerators:\n  a: (a b)(1 2)\n  b: (b c)(3 4 5 6 7 8)\n  c: (a c)(7 8 9 1)\n"},
    /* tiles that are alike, near and far */
    {ROW_FAR, false,
     HEAD "places: 1 2 3 4 5 6 7 8 9 10\nboard: a b c d d e e f g h\ngenerators:\n  a: (1 2 3 4)\n  b: (3 4 5 6 7 8 9 "
          "10)\n"},
    /* a group that is smaller than its invariants say: most states are out of reach */
    {ROW_FAR, false,
     HEAD "places: 1 2 3/4 5 6/7 8 9\ngenerators:\n  a: (1 2 3)\n  b: (1 4 7)(2 5 8)(3 6 9)\n  c: (1 2)\n"},
    /* tables: twists by halves, alone and behind an order */
    {ROW_TABLE, false,
     HEAD
     "places: a b c d e f g h i j k l\ntwists: 2\nboard: a a a a a b b b b b b b\ngenerators:\n  one: (a+1 b+1 c+1)\n"
     "  two: (c d e f g h i j k l)\n"},
    {ROW_TABLE, false,
     HEAD "places: a b c d e f g\ntwists: 3\ngenerators:\n  U: (a b c d)\n  R: (a+2 d+1 e+2 f+1 g)\n"},
    {ROW_TABLE, false,
     HEAD "places: a b c d e f g h\ntwists: 4\ngenerators:\n  one: (a+1)(b+1)\n  two: (c+1 d+1 e+2)\n  three: (f+1 g+1 "
          "h)(a+3)\n"},
};

Test(permute_layers, all_ways_find_the_same)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct puzzle *puzzle = make_puzzle(cases[i].yaml);
        const struct permute *permute = (const struct permute *)puzzle;
        struct layer_kernel *kernel = kernel_of(puzzle);
        cr_expect(permute->row_kind == cases[i].kind, "%d\n%s", (int)permute->row_kind, cases[i].yaml);
        cr_assert(kernel != NULL, "no kernel: rows of %llu\n%s", (unsigned long long)permute->row, cases[i].yaml);
        cr_expect((puzzle->states > 8000000) == cases[i].threaded);
        kernel->free(kernel);
        compare_ways(puzzle, cases[i].yaml);
        puzzle_free(puzzle);
    }
}

Test(permute_layers, puzzles_without_a_kernel)
{
    static const char *const none[] = {
        /* rows of both colours; moves that cannot be undone; rows too short; single states */
        HEAD "places: 1 2 3 4 5 6 7 8 9\ngenerators:\n  a: (1 2)\n  b: (2 3)\n  c: (1 9 8 7 6 5 4 3)\n",
        HEAD "places: 1 2 3 4 5 6 7 8\nturns: forward\ngenerators:\n  a: (1 2 3 4)\n  b: (3 4 5 6 7 8)\n  c: (2 8)\n",
        HEAD "places: 1 2 3 4\ngenerators:\n  a: (1 2 3)\n  b: (1 4)\n",
        HEAD "places: 1 2 3/4 5 6\ngenerators:\n  a: (1 2 3)\n  b: (4 5)(1 2)\n",
        HEAD "places: 1\ntwists: 2\ngenerators:\n  a: (1+1)\n",
    };
    for (size_t i = 0; i < COUNT(none); i++) {
        struct puzzle *puzzle = make_puzzle(none[i]);
        cr_expect(kernel_of(puzzle) == NULL, "%s", none[i]);
        puzzle_free(puzzle);
    }
}

Test(permute_layers, kernels_keep_their_contract)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct puzzle *puzzle = make_puzzle(cases[i].yaml);
        struct layer_kernel *kernel = kernel_of(puzzle);
        check_kernel(puzzle, kernel);
        kernel->free(kernel);
        puzzle_free(puzzle);
    }
}

Test(permute_layers, stopped_and_resumed)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct puzzle *puzzle = make_puzzle(cases[i].yaml);
        if (puzzle->states < 1000000)
            stop_at_every_layer(puzzle, cases[i].yaml);
        puzzle_free(puzzle);
    }
}

/* What the C library knows of the arrays is a little more than what they were asked for. */
static void counts_its_bytes(const struct permute *permute)
{
    const uint64_t counted = permute_tables_bytes(permute);
    uint64_t taken = malloc_usable_size(permute->orbit) + malloc_usable_size(permute->tail_to);
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        void *const arrays[] = {orbit->near_to,        orbit->far_to,        orbit->near_parity, orbit->far_parity,
                                orbit->near.orders_of, orbit->far.orders_of, orbit->twist_to};
        for (size_t i = 0; i < COUNT(arrays); i++)
            taken += malloc_usable_size(arrays[i]);
    }
    const uint64_t rounding = 4096 * (2 + 7 * (uint64_t)permute->orbits); /* a page an array */
    cr_expect(counted <= taken && taken <= counted + rounding, "%llu counted, %llu taken", (unsigned long long)counted,
              (unsigned long long)taken);
}

Test(permute_layers, tables_count_their_bytes)
{
    static const char *const names[] = {"cube-2x2x2", "pyraminx", "skewb", "topspin-10", "pancakes-8"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *puzzle = built_in(names[i]);
        counts_its_bytes((const struct permute *)puzzle);
        puzzle_free(puzzle);
    }
}

/* Orders whose moves have no tables get larger ones for a search through all states: they number states as before, and
 * so rows are found. (That all distances come out, tests/cli/figures/test_figures.py says.) */
Test(permute_layers, larger_tables)
{
    char path[4096];
    uint64_t random = 11, next[2][PERMUTE_MAX_MOVES];
    uint16_t count;
    pdb_error error;
    snprintf(path, sizeof path, "%s/puzzles/dino.yaml", getenv("PDB_EXAMPLES"));
    struct puzzle *puzzle = built_in(path);
    struct permute *permute = (struct permute *)puzzle, *enlarged;
    cr_assert(permute->row_kind == ROW_STATE);
    cr_assert(permute_enlarge(permute, UINT64_MAX, &enlarged, &error) == PDB_OK && enlarged != NULL);
    cr_expect(enlarged->row_kind == ROW_FAR && enlarged->puzzle.states == puzzle->states);
    for (unsigned i = 0; i < 20000; i++) {
        const uint64_t state = random_below(&random, puzzle->states);
        permute_successors(puzzle, &state, 1, next[0], &count);
        permute_successors(&enlarged->puzzle, &state, 1, next[1], &count);
        cr_assert_arr_eq(next[0], next[1], permute->moves * sizeof *next[0]);
    }
    const uint64_t bytes = permute_tables_bytes(enlarged);
    cr_expect(bytes > 16 << 20 && bytes > permute_tables_bytes(permute));
    counts_its_bytes(enlarged);
    struct permute *none;
    cr_expect(permute_enlarge(enlarged, UINT64_MAX, &none, &error) == PDB_OK && none == NULL);
    permute_enlarged_free(enlarged);
    cr_expect(permute_enlarge(permute, bytes - 1, &none, &error) == PDB_OK && none == NULL, "not made within less");
    cr_assert(permute_enlarge(permute, bytes + bytes / 8, &enlarged, &error) == PDB_OK && enlarged != NULL);
    cr_expect(permute_tables_bytes(enlarged) == bytes);
    permute_enlarged_free(enlarged);
    struct layer_kernel *kernel = kernel_of(puzzle);
    cr_assert(kernel != NULL && kernel->bytes > 16 << 20);
    kernel->free(kernel);
    puzzle_free(puzzle);
}

/* Of many states. */
Test(permute_layers, rows_take_less_memory_than_states)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct puzzle *puzzle = make_puzzle(cases[i].yaml);
        if (puzzle->states > 8000000)
            cr_expect(plan_of(RETROGRADE_BEST, puzzle, 2).memory < plan_of(RETROGRADE_STATES, puzzle, 2).memory, "%s",
                      cases[i].yaml);
        puzzle_free(puzzle);
    }
}
