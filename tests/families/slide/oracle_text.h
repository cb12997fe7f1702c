/* oracle_text.h -- sliding puzzles for the oracle, written down as text, and what its tables are held against
 *
 * Boards are written as text, cells separated by spaces, rows by slashes: a number is that symbol, a letter its
 * character code, '.' an empty cell, '#' a wall, '?' an open cell of a goal.
 */
#ifndef TESTS_FAMILIES_SLIDE_ORACLE_TEXT_H
#define TESTS_FAMILIES_SLIDE_ORACLE_TEXT_H

#include "oracle.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Criterion's own comparisons either do not print the two values (criterion.h) or do not compile without warnings under
 * -Wconversion (new/assert.h). `where` is a string that says which of several things it is. */
#define EXPECT_EQUAL(actual, expected, where)                                                                          \
    do {                                                                                                               \
        const long long actual_value = (long long)(actual), expected_value = (long long)(expected);                    \
        cr_expect(actual_value == expected_value, "%s: " #actual " is %lld, not %lld", where, actual_value,            \
                  expected_value);                                                                                     \
    } while (0)

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- writing puzzles down ---- */

static inline struct oracle_board board_of(const char *text)
{
    struct oracle_board board = {{0}};
    int cell = 0;
    while (*text != '\0') {
        if (*text == ' ' || *text == '/') {
            text++;
            continue;
        }
        cr_assert(cell < ORACLE_CELLS);
        if (isdigit((unsigned char)*text)) {
            char *end;
            board.cell[cell++] = (unsigned char)strtol(text, &end, 10);
            text = end;
            continue;
        }
        board.cell[cell++] = *text == '.'   ? (unsigned char)ORACLE_EMPTY
                             : *text == '#' ? (unsigned char)ORACLE_WALL
                             : *text == '?' ? (unsigned char)ORACLE_ANY
                                            : (unsigned char)*text;
        text++;
    }
    return board;
}

/* The goal may be NULL: it is added later. */
static inline void begin(struct oracle_slide *puzzle, int rows, int columns, const char *inventory, const char *goal)
{
    oracle_begin(puzzle, rows, columns, board_of(inventory).cell);
    if (goal != NULL)
        oracle_add_goal(puzzle, board_of(goal).cell);
}

/* 1x1 kinds with the symbols 1 .. count. */
static inline void add_units(struct oracle_slide *puzzle, int count)
{
    for (int symbol = 1; symbol <= count; symbol++)
        oracle_add_unit(puzzle, (unsigned char)symbol);
}

static inline int distance(const struct oracle_table *table, const char *board)
{
    return oracle_distance(table, board_of(board).cell);
}

static inline uint64_t paths(struct oracle_table *table, const char *board)
{
    return oracle_count_paths(table, board_of(board).cell);
}

static inline struct oracle_table *solve(const struct oracle_slide *puzzle)
{
    const char *problem = oracle_problem(puzzle);
    cr_assert(problem == NULL, "%s", problem);
    struct oracle_table *table = oracle_solve(puzzle);
    cr_assert(table != NULL);
    return table;
}

/* ---- comparing ---- */

struct expected {
    const char *board;
    int distance;
};

/* The table holds these boards with these distances, and no others. */
static inline void check_all(const struct oracle_table *table, const struct expected *expected, size_t count)
{
    EXPECT_EQUAL(oracle_count(table), count, "");
    for (size_t i = 0; i < count; i++)
        EXPECT_EQUAL(distance(table, expected[i].board), expected[i].distance, expected[i].board);
}

static inline void check_histogram(const struct oracle_table *table, const size_t *expected, size_t layers)
{
    cr_assert(oracle_max(table) == (int)layers - 1, "%d layers", oracle_max(table) + 1);
    for (size_t layer = 0; layer < layers; layer++)
        cr_expect(oracle_histogram(table)[layer] == expected[layer], "distance %zu: %zu boards, not %zu", layer,
                  oracle_histogram(table)[layer], expected[layer]);
}

/* The boards at the greatest distance are these, in any order. */
static inline void check_hardest(const struct oracle_table *table, const char *const *expected, size_t count)
{
    EXPECT_EQUAL(oracle_histogram(table)[oracle_max(table)], count, "");
    for (size_t i = 0; i < count; i++)
        EXPECT_EQUAL(distance(table, expected[i]), oracle_max(table), expected[i]);
}

/* What makes a table of distances right, whatever the puzzle: neighbours differ by one at most, every board but a goal
 * has a neighbour one nearer, no neighbour is missing. Also: every move can be undone, and no two moves give the same
 * board. */
static inline void check_consistent(const struct oracle_slide *puzzle, const struct oracle_table *table)
{
    const size_t size = (size_t)(puzzle->rows * puzzle->columns);
    static struct oracle_board next[ORACLE_NEIGHBOURS], back[ORACLE_NEIGHBOURS];
    for (size_t i = 0; i < oracle_count(table); i++) {
        const unsigned char *board = oracle_board(table, i);
        const int here = oracle_distance_at(table, i);
        bool sound = oracle_distance(table, board) == here, nearer = here == 0;
        int count = oracle_neighbours(puzzle, board, next, ORACLE_NEIGHBOURS);
        for (int j = 0; j < count; j++) {
            int there = oracle_distance(table, next[j].cell);
            sound = sound && there >= 0 && abs(there - here) <= 1;
            nearer = nearer || there == here - 1;
            for (int k = 0; k < j; k++)
                sound = sound && memcmp(next[j].cell, next[k].cell, size) != 0;
            int back_count = oracle_neighbours(puzzle, next[j].cell, back, ORACLE_NEIGHBOURS);
            int undone = 0;
            for (int k = 0; k < back_count; k++)
                undone += memcmp(back[k].cell, board, size) == 0;
            sound = sound && undone == 1;
        }
        cr_assert(sound && nearer, "board %zu of the table", i);
    }
}

/* Walks of exactly this many moves from the board to a goal, one by one. When the number of moves is the board's
 * distance, these are its shortest solutions. */
static inline uint64_t walks(const struct oracle_slide *puzzle, const struct oracle_table *table,
                             const unsigned char *board, int moves)
{
    if (moves == 0)
        return oracle_distance(table, board) == 0 ? 1 : 0;
    struct oracle_board next[16];
    int count = oracle_neighbours(puzzle, board, next, 16);
    cr_assert(count <= 16);
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += walks(puzzle, table, next[i].cell, moves - 1);
    return sum;
}

static inline void check_paths(const struct oracle_slide *puzzle, struct oracle_table *table, int deepest)
{
    for (size_t i = 0; i < oracle_count(table) && oracle_distance_at(table, i) <= deepest; i++) {
        const unsigned char *board = oracle_board(table, i);
        cr_assert(oracle_count_paths(table, board) == walks(puzzle, table, board, oracle_distance_at(table, i)),
                  "board %zu", i);
    }
}

/* ---- the printed figures ---- */

#endif
