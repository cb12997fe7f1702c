/* test_goat.c -- Goat: every state against the oracle, and the printed figures (puzzles.md) */
#include "tests/support/goat_figures.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>

static uint32_t distance_of(const struct model *model, const struct solved *solved, const char *text, uint64_t *index)
{
    unsigned char board[ORACLE_CELLS];
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 1;
    uint32_t distance = DISTANCE_NONE;
    model_board(model, text, board);
    model_to_position(model, board, &random, position);
    cr_assert(model->puzzle->family->position.rank(model->puzzle, position, index), "%s", text);
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

static void check_histogram(const struct solved *solved)
{
    cr_assert(solved->result.depths == COUNT(goat_histogram));
    for (size_t d = 0; d < COUNT(goat_histogram); d++)
        cr_expect(solved->result.histogram[d] == goat_histogram[d], "distance %zu", d);
}

Test(goat, every_state)
{
    static const struct model_spec spec = {.goal = goat_goal, .pieces = {"9 10"}};
    static struct model model;
    struct solved solved;
    model_begin(&model, &spec);
    struct oracle_table *table = oracle_solve(&model.oracle);
    solve(model.puzzle, 2, &solved);

    EXPECT_NUMBER(model.puzzle->states, 5443200);
    EXPECT_NUMBER(solved.result.reachable, 5443200);
    EXPECT_NUMBER(solved.result.encoding, ENCODING_MOD4_1BIT);
    check_histogram(&solved);

    uint64_t index;
    EXPECT_NUMBER(distance_of(&model, &solved, goat_start, &index), 20);
    check_paths_of(&model, table, &solved, goat_start);
    check_paths_of(&model, table, &solved, goat_goal);
    cr_assert(solved.result.hardest_kept == COUNT(goat_hardest));
    for (size_t i = 0; i < COUNT(goat_hardest); i++) {
        EXPECT_NUMBER(distance_of(&model, &solved, goat_hardest[i], &index), 52);
        bool listed = false;
        for (size_t j = 0; j < solved.result.hardest_kept; j++)
            listed |= solved.result.hardest[j] == index;
        cr_expect(listed, "%s", goat_hardest[i]);
        check_paths_of(&model, table, &solved, goat_hardest[i]);
    }
    slide_check(&model, table, &solved, "goat");
    slide_check_paths(&model, table, &solved, 1000, "goat");
    solved_free(&solved);
    oracle_free(table);
    model_end(&model);
}

/* The shipped definition says the same as the one above. */
Test(goat, shipped_definition)
{
    struct puzzle *puzzle = built_in("goat");
    struct solved solved;
    solve(puzzle, 1, &solved);
    check_histogram(&solved);
    const uint64_t boards[] = {index_of(puzzle, "start"), index_of(puzzle, "hardest")};
    uint32_t distance[2];
    cr_assert(distance_get(&solved.values, boards, 2, distance, NULL) == PDB_OK);
    EXPECT_NUMBER(distance[0], 20);
    EXPECT_NUMBER(distance[1], 52);
    solved_free(&solved);
    puzzle_free(puzzle);
}
