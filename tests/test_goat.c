/* test_goat.c -- Goat: every state against the oracle, and the printed figures (puzzles.md) */
#include "slide_model.h"

#include "catalog.h"

#include <stdlib.h>
#include <string.h>

static const char goal[] = "1 8 9 10/2 5 7 ./3 8 4 6", start[] = "1 8 9 10/2 . 7 5/3 8 4 6";

/* puzzles.md, section 1. */
static const uint64_t printed_histogram[] = {
    1,      2,      3,      7,      13,     20,     37,     57,     103,    161,    273,    414,    693,    1057,
    1737,   2584,   4162,   6181,   9774,   14242,  21637,  30774,  45069,  61806,  86121,  113434, 149621, 187650,
    232743, 276099, 321314, 360502, 392621, 413094, 417811, 409576, 382164, 346339, 297291, 247704, 194081, 147352,
    104416, 70454,  43976,  25441,  13330,  5904,   2408,   717,    194,    29,     7};
static const char *const printed_hardest[] = {
    "6 7 9 10/4 5 3 1/. 8 2 8", "6 9 10 1/7 5 2 8/4 8 3 .", "7 6 9 10/4 5 1 ./8 3 2 8", ". 7 9 10/6 4 2 8/8 5 3 1",
    "6 7 9 10/4 5 2 8/. 8 3 1", ". 7 9 10/6 4 2 1/5 8 3 8", "7 6 9 10/4 5 2 1/. 8 3 8"};

static uint32_t distance_of(const struct model *model, const struct solved *solved, const char *text, uint64_t *index)
{
    unsigned char board[ORACLE_CELLS];
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 1;
    uint32_t distance = DISTANCE_NONE;
    model_board(model, text, board);
    model_to_position(model, board, &random, position);
    cr_assert(model->puzzle->family->rank(model->puzzle, position, index), "%s", text);
    cr_assert(distance_get(&solved->values, index, 1, &distance, NULL) == PDB_OK);
    return distance;
}

static void check_paths_of(const struct model *model, struct oracle_table *table, const struct solved *solved,
                           const char *text)
{
    unsigned char board[ORACLE_CELLS];
    uint64_t index;
    unsigned __int128 paths = 0;
    const uint32_t distance = distance_of(model, solved, text, &index);
    model_board(model, text, board);
    cr_assert(distance_count_paths(&solved->values, index, distance, &paths, NULL) == PDB_OK);
    cr_expect(paths == oracle_count_paths(table, board), "%s: %llu shortest solutions", text,
              (unsigned long long)paths);
}

Test(goat, every_state)
{
    static const struct model_spec spec = {.goal = goal, .pieces = {"9 10"}};
    static struct model model;
    struct solved solved;
    model_begin(&model, &spec);
    struct oracle_table *table = oracle_solve(&model.oracle);
    solve(model.puzzle, 2, &solved);

    EXPECT_NUMBER(model.puzzle->states, 5443200);
    EXPECT_NUMBER(solved.result.reachable, 5443200);
    EXPECT_NUMBER(solved.result.encoding, ENCODING_MOD4_1BIT);
    cr_assert(solved.result.depths == COUNT(printed_histogram));
    for (size_t d = 0; d < COUNT(printed_histogram); d++)
        cr_expect(solved.result.histogram[d] == printed_histogram[d], "distance %zu", d);

    uint64_t index;
    EXPECT_NUMBER(distance_of(&model, &solved, start, &index), 20);
    check_paths_of(&model, table, &solved, start);
    check_paths_of(&model, table, &solved, goal);
    cr_assert(solved.result.hardest_kept == COUNT(printed_hardest));
    for (size_t i = 0; i < COUNT(printed_hardest); i++) {
        EXPECT_NUMBER(distance_of(&model, &solved, printed_hardest[i], &index), 52);
        bool listed = false;
        for (size_t j = 0; j < solved.result.hardest_kept; j++)
            listed |= solved.result.hardest[j] == index;
        cr_expect(listed, "%s", printed_hardest[i]);
        check_paths_of(&model, table, &solved, printed_hardest[i]);
    }
    model_check(&model, table, &solved, "goat");
    model_check_paths(&model, table, &solved, 1000, "goat");
    solved_free(&solved);
    oracle_free(table);
    model_end(&model);
}

/* The shipped definition says the same as the one above. */
Test(goat, shipped_definition)
{
    struct pdb_puzzle *puzzle;
    pdb_error error;
    struct solved solved;
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index;
    uint32_t distance;
    cr_assert(catalog_load("goat", &puzzle, &error) == PDB_OK, "%s", error.message);
    solve(puzzle, 1, &solved);
    cr_assert(solved.result.depths == COUNT(printed_histogram));
    for (size_t d = 0; d < COUNT(printed_histogram); d++)
        cr_expect(solved.result.histogram[d] == printed_histogram[d], "distance %zu", d);
    cr_assert(puzzle_parse(puzzle, "start", position, &error) == PDB_OK &&
              puzzle->family->rank(puzzle, position, &index));
    cr_assert(distance_get(&solved.values, &index, 1, &distance, &error) == PDB_OK);
    EXPECT_NUMBER(distance, 20);
    cr_assert(puzzle_parse(puzzle, "hardest", position, &error) == PDB_OK &&
              puzzle->family->rank(puzzle, position, &index));
    cr_assert(distance_get(&solved.values, &index, 1, &distance, &error) == PDB_OK);
    EXPECT_NUMBER(distance, 52);
    solved_free(&solved);
    puzzle_free(puzzle);
}

/* "The same board with only the sheep's cell and the door's fixed": the search starts from every board that matches. */
Test(goat, only_sheep_and_door_fixed)
{
    static const struct model_spec spec = {.board = goal, .goal = "* * * */* 5 7 */* * * *", .pieces = {"9 10"}};
    static struct model model;
    struct solved solved;
    model_begin(&model, &spec);
    struct oracle_table *table = oracle_solve(&model.oracle);
    solve(model.puzzle, 2, &solved);
    model_check_distances(&model, table, &solved, "goat, open");
    model_check_paths(&model, table, &solved, 300, "goat, open");
    solved_free(&solved);
    oracle_free(table);
    model_end(&model);
}
