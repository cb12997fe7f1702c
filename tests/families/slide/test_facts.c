/* test_facts.c -- sliding puzzles: what is known of them beforehand, how short their keys are, and walks where there
 * are too many states to go through
 */
#include "lib/families/slide/slide.h"
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(slide, facts_of_goat)
{
    struct puzzle *puzzle = make_puzzle("puzzle: g\nfamily: slide\ngoal: 1 8 9 10/2 5 7 0/3 8 4 6\npieces: [9 10]\n");
    EXPECT_NUMBER(puzzle->states, 5443200);
    EXPECT_TEXT(puzzle->metric, "one piece by one cell");
    EXPECT_NUMBER(puzzle->undoable, true);
    EXPECT_NUMBER(puzzle->coloured, true);
    EXPECT_NUMBER(puzzle->board.places, 12);
    puzzle_free(puzzle);
}

/* Only half of the arrangements are numbered where a parity says that the others cannot be reached. */
Test(slide, indices_are_dense_where_they_can_be)
{
    static const struct {
        const char *goal;
        uint64_t states;
    } cases[] = {{"1 2 3/4 5 6/7 8 .", 181440},
                 {"1 2/3 .", 12},
                 {"1 1/2 .", 12},
                 {"1 2 3/4 5 5/6 7 .", 181440},
                 {"1 2 ./3 4 ./5 6 .", 60480}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char yaml[200];
        snprintf(yaml, sizeof yaml, "puzzle: t\nfamily: slide\ngoal: %s\n", cases[i].goal);
        struct puzzle *puzzle = make_puzzle(yaml);
        cr_expect(puzzle->states == cases[i].states, "%s: %llu states", cases[i].goal,
                  (unsigned long long)puzzle->states);
        puzzle_free(puzzle);
    }
}

/* A piece that can stand in four places takes two bits of a packed key: boards of many pieces fit into one. */
Test(slide, packed_keys_are_short)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: slide\naxis: length\nboard: AAA.../BBB...\n"
                                        "pieces: [AAA, BBB]\ngoal: ...AAA/******\n"
                                        "boards: {first: AAA.../BBB..., last: ...AAA/...BBB}\n");
    uint64_t key[2] = {0};
    pdb_error error;
    cr_assert(slide_keys_make((struct slide *)puzzle, &error) == PDB_OK && slide_settle(puzzle, &error) == PDB_OK);
    for (size_t i = 0; i < 2; i++)
        cr_assert(puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &key[i]));
    cr_expect(key[0] != key[1] && key[0] < 16 && key[1] < 16, "%#llx, %#llx", (unsigned long long)key[0],
              (unsigned long long)key[1]);
    puzzle_free(puzzle);
}

/* The 15-puzzle: too many states to go through, so walks at random, held against the rules. */
Test(slide, fifteen_puzzle_walks)
{
    static struct model model;
    static const struct model_spec spec = {.goal = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 ."};
    uint64_t random = 5;
    model_begin(&model, &spec);
    const struct puzzle *puzzle = model.puzzle;
    EXPECT_NUMBER(puzzle->states, 10461394944000); /* 16!/2 */
    unsigned char board[ORACLE_CELLS];
    memcpy(board, model.oracle.inventory, 16);
    for (int step = 0; step < 20000; step++) {
        uint8_t position[BOARD_MAX_CELLS], again[BOARD_MAX_CELLS];
        uint64_t index = 0, next[8], ranks[8];
        uint16_t count;
        struct oracle_board neighbour[8];
        model_to_position(&model, board, &random, position);
        cr_assert(puzzle->family->position.rank(puzzle, position, &index) && index < puzzle->states);
        puzzle->family->position.unrank(puzzle, index, again);
        cr_assert(memcmp(position, again, puzzle->board.places) == 0);
        puzzle->family->index.successors(puzzle, &index, 1, next, &count);
        const int neighbours = oracle_neighbours(&model.oracle, board, neighbour, 8);
        cr_assert(neighbours == count);
        for (int n = 0; n < neighbours; n++) {
            model_to_position(&model, neighbour[n].cell, &random, again);
            cr_assert(puzzle->family->position.rank(puzzle, again, &ranks[n]));
        }
        const size_t taken = (size_t)random_below(&random, (uint64_t)neighbours);
        memcpy(board, neighbour[taken].cell, 16);
        qsort(ranks, count, sizeof *ranks, compare_numbers);
        qsort(next, count, sizeof *next, compare_numbers);
        cr_assert(memcmp(ranks, next, count * sizeof *next) == 0, "step %d", step);
    }
    model_end(&model);
}
