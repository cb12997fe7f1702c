/* test_rows.c -- moves on indices, a row of states at a time, against moves on boards, in any order of the states */
#include "catalog/catalog.h"
#include "lib/families/permute/search/search.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define HEAD "puzzle: t\nfamily: permute\n"

/* The board after a move, or the one that the move comes from. */
static void apply(const struct permute *permute, const struct permute_move *move, const uint8_t *position,
                  uint8_t *moved)
{
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned tile = permute->tile_of[position[place]],
                       twist = permute->twist_of[position[place]] + move->twist[place];
        moved[move->to[place]] = permute->symbol_of[tile][twist % permute->modulus[place]];
    }
}

/* The same by coordinates: the indices that all moves lead to, and what each makes of the coordinates. */
static void check_steps(const struct permute *permute, uint64_t index, const uint64_t *expected)
{
    struct permute_coordinates at[BOARD_BYTE_CELLS], after[BOARD_BYTE_CELLS];
    uint64_t *next = checked_memory(permute->moves, sizeof *next);
    permute_decode(permute, index, at);
    permute_steps(permute, at, next);
    cr_assert_arr_eq(next, expected, permute->moves * sizeof *next);
    for (unsigned m = 0; m < permute->moves; m++) {
        uint64_t reached = 0;
        permute_step(permute, at, m, after);
        for (unsigned o = 0; o < permute->moving; o++)
            reached += permute_encode(&permute->orbit[o], after[o].near, after[o].far, after[o].twist);
        cr_assert(reached == expected[m], "index %llu, move %u", (unsigned long long)index, m);
    }
    free(next);
}

/* Successors and predecessors of a batch by index are those of its boards. */
static void check_batch(const struct puzzle *puzzle, const uint64_t *index, size_t count)
{
    const struct permute *permute = (const struct permute *)puzzle;
    uint64_t *next = checked_memory(count * permute->moves, sizeof *next);
    uint16_t *number = checked_memory(count, sizeof *number);
    for (unsigned first = 0; first < permute->all_moves; first += permute->moves) {
        const bool back = first > 0;
        const size_t all = (back ? puzzle->family->index.predecessors
                                 : puzzle->family->index.successors)(puzzle, index, count, next, number);
        cr_assert(all == count * permute->moves);
        for (size_t i = 0; i < count; i++) {
            uint8_t position[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
            uint64_t expected;
            cr_assert(number[i] == permute->moves);
            if (!back)
                check_steps(permute, index[i], next + i * permute->moves);
            puzzle->family->position.unrank(puzzle, index[i], position);
            for (unsigned m = 0; m < permute->moves; m++) {
                apply(permute, &permute->move[first + m], position, moved);
                cr_assert(puzzle->family->position.rank(puzzle, moved, &expected));
                cr_assert(next[i * permute->moves + m] == expected, "index %llu, move %u", (unsigned long long)index[i],
                          first + m);
            }
        }
    }
    free(next);
    free(number);
}

/* States in ascending order, without gaps and with them, in descending order, and anyhow. */
static void check_orders(const struct puzzle *puzzle)
{
    enum { BATCH = 500 };
    uint64_t index[BATCH], random = 7;
    for (int round = 0; round < 24; round++) {
        const size_t count = puzzle->states < BATCH ? (size_t)puzzle->states : BATCH;
        uint64_t at = random_below(&random, puzzle->states - count + 1);
        for (size_t i = 0; i < count; i++) {
            index[i] = round % 4 == 3 ? random_below(&random, puzzle->states) : at;
            at = round % 4 == 1 ? (at + random_below(&random, 40)) % puzzle->states : at + 1;
        }
        for (size_t i = 0; round % 4 == 2 && i < count / 2; i++) {
            const uint64_t swapped = index[i];
            index[i] = index[count - 1 - i];
            index[count - 1 - i] = swapped;
        }
        check_batch(puzzle, index, count);
    }
}

static const struct {
    enum permute_row kind;
    uint64_t row; /* 0: any */
    const char *yaml;
} cases[] = {
    /* all of a small order in one table */
    {ROW_TABLE, 120, HEAD "places: 1 2 3 4 5\ngenerators:\n  a: (1 2 3)\n  b: (3 4 5 2)\n"},
    {ROW_TABLE, 30, HEAD "places: 1 2 3 4 5\nboard: a a b b c\ngenerators:\n  a: (1 2 3)\n  b: (3 4 5 2)\n"},
    /* twists alone, and an order with them; two orbits */
    {ROW_TABLE, 0, HEAD "places: a b c d e f\ntwists: 3\ngenerators:\n  U: (a b c d)\n  R: (a+2 d+1 e+2 f+1)\n"},
    {ROW_TABLE, 0,
     HEAD "places: a b c\ngoal: a+1 b c\ntwists: {4: a b c}\nturns: forward\ngenerators:\n  ring: (a+1 b+1 c)\n  half: "
          "(a+2)\n"},
    {ROW_STATE, 1, HEAD "places: 1 2 3/4 5 6\ngenerators:\n  a: (1 2 3)\n  b: (4 5)(1 2)\n"},
    /* orbits whose parity is another's, one of them with a single state */
    {ROW_TABLE, 0,
     HEAD "places: 1 2 3 4/5 6 7 8\ngenerators:\n  turn: (1 2 3 4)(5 6 7 8)\n  swap: (1 2)(5 6)\n  more: (1 3 2)\n"},
    {ROW_FAR, 360,
     HEAD "places: 1 2 3 4 5 6 7 8 9 A B C D E F G H I\ngenerators:\n"
          "  a: (1 2 3 4 5 6 7 8 9)(A B C D E F G H I)\n  b: (1 2)(A B)\n  c: (1 3 2)\n"},
    /* far orders, of half an orbit, of all of one, and of one with tiles that are alike */
    {ROW_FAR, 0, HEAD "places: 1 2 3 4 5 6 7 8 9\ngenerators:\n  a: (1 2 3)\n  b: (3 4 5)\n  c: (5 6 7 8 9)\n"},
    {ROW_FAR, 0,
     HEAD "places: 1 2 3 4 5 6 7 8\nturns: forward\ngenerators:\n  a: (1 2 3 4)\n  b: (3 4 5 6 7 8)\n  c: (2 8)\n"},
    {ROW_FAR, 0,
     HEAD "places: 1 2 3 4 5 6 7 8 9 10\nboard: a a b c d e f f g g\ngenerators:\n  a: (1 2 3 4)\n  b: (3 4 5 6 7 8 9 "
          "10)\n"},
    /* twists too many for a table */
    {ROW_STATE, 0,
     HEAD "places: a b c d e f g h i j k l\ntwists: 3\ngenerators:\n  one: (a+1 c+1 e+1 g i k)(b d f h j l)\n  two: "
          "(a+1 b c+2 d e f g)\n"},
};

Test(permute_rows, every_kind)
{
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct puzzle *puzzle = make_puzzle(cases[i].yaml);
        const struct permute *permute = (const struct permute *)puzzle;
        cr_expect(permute->row_kind == cases[i].kind, "%d\n%s", (int)permute->row_kind, cases[i].yaml);
        cr_expect(cases[i].row == 0 || cases[i].row == permute->row, "%llu\n%s", (unsigned long long)permute->row,
                  cases[i].yaml);
        cr_expect(puzzle->states % permute->row == 0 && (permute->tail_to != NULL) == (permute->row_kind == ROW_TABLE));
        check_orders(puzzle);
        puzzle_free(puzzle);
    }
}

Test(permute_rows, built_in_puzzles)
{
    static const char *const names[] = {"pancakes-8", "diagonal-slide", "topspin-10",
                                        "cube-2x2x2", "cube-2x2x2-qtm", "pyraminx"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *puzzle = built_in(names[i]);
        cr_expect(((const struct permute *)puzzle)->row_kind != ROW_STATE, "%s", names[i]);
        check_orders(puzzle);
        puzzle_free(puzzle);
    }
}

/* A relaxation is a copy of the puzzle, with rows of its own: counted, made and freed beside the puzzle's. */
Test(permute_rows, relaxations)
{
    struct puzzle *puzzle = built_in("cube-2x2x2");
    struct permute_pattern pattern = {0};
    pdb_error error;
    const struct permute *permute = (const struct permute *)puzzle;
    for (unsigned apart = 0; apart < 4; apart++) {
        struct permute *relaxed;
        long double count;
        pattern.class[apart] = (uint8_t)++pattern.classes;
        pattern.turns[apart] = apart % 2 == 0;
        cr_assert(permute_relaxed_count(permute, &pattern, &count, &error) == PDB_OK);
        cr_assert(permute_relax(permute, &pattern, &relaxed, &error) == PDB_OK);
        cr_assert((long double)relaxed->puzzle.states == count && relaxed->tail_to != permute->tail_to);
        check_orders(&relaxed->puzzle);
        permute_relaxed_free(relaxed);
    }
    check_orders(puzzle);
    puzzle_free(puzzle);
}
