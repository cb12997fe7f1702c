/* test_oracle.c -- the oracle for sliding-piece puzzles against boards small enough to be done by hand, and what it
 * refuses. Every expectation is typed in; the comment says how it was worked out.
 */
#include "oracle_text.h"

#include <string.h>

Test(oracle_slide, two_by_two)
{
    static const struct expected all[] = {{"1 2/3 .", 0}, {"1 ./3 2", 1}, {". 1/3 2", 2}, {"3 1/. 2", 3},
                                          {"3 1/2 .", 4}, {"3 ./2 1", 5}, {". 3/2 1", 6}, {"1 2/. 3", 1},
                                          {". 2/1 3", 2}, {"2 ./1 3", 3}, {"2 3/1 .", 4}, {"2 3/. 1", 5}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 2, 2, "1 2/3 .", "1 2/3 .");
    add_units(&puzzle, 3);
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    check_histogram(table, (const size_t[]){1, 2, 2, 2, 2, 2, 1}, 7);
    EXPECT_EQUAL(paths(table, "1 2/3 ."), 1, "");
    EXPECT_EQUAL(paths(table, "3 ./2 1"), 1, "");
    EXPECT_EQUAL(paths(table, ". 3/2 1"), 2, "once round either way");
    EXPECT_EQUAL(distance(table, "2 1/3 ."), -1, "the other way round the ring");
    EXPECT_EQUAL(paths(table, "2 1/3 ."), 0, "");
    cr_expect(oracle_board(table, 12) == NULL);
    EXPECT_EQUAL(oracle_distance_at(table, 12), -1, "");
    oracle_free(table);
}

/* A corridor with a bend: two tiles cannot pass each other. */
Test(oracle_slide, wall_in_the_corner)
{
    static const struct expected all[] = {{"1 2/. #", 0}, {". 2/1 #", 1}, {"2 ./1 #", 2}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 2, 2, "1 2/. #", "1 2/. #");
    add_units(&puzzle, 2);
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    oracle_free(table);
}

/* A ring of eight cells round a wall, seven tiles: the blank goes round, and each time round shifts the tiles by one
 * place, so the boards form a ring of 8 * 7 = 56. */
Test(oracle_slide, wall_in_the_middle)
{
    static struct oracle_slide puzzle;
    begin(&puzzle, 3, 3, "1 2 3/7 # 4/. 6 5", "1 2 3/7 # 4/. 6 5");
    add_units(&puzzle, 7);
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(oracle_count(table), 56, "");
    cr_assert(oracle_max(table) == 28);
    for (int layer = 0; layer <= 28; layer++)
        EXPECT_EQUAL(oracle_histogram(table)[layer], layer == 0 || layer == 28 ? 1 : 2, "");
    EXPECT_EQUAL(distance(table, "7 1 2/6 # 3/. 5 4"), 8, "once round");
    EXPECT_EQUAL(distance(table, "2 3 4/1 # 5/. 7 6"), 8, "once round the other way");
    check_consistent(&puzzle, table);
    oracle_free(table);
}

/* Two tiles and two blanks on 2x2, a ring of four cells. Unroll the ring: tile 1 at a, tile 2 at b, a < b < a + 4; each
 * move changes one of them by one; moving both by 4 gives the same board. From (0, 1) that makes min(|a| + |b - 1|, |a
 * - 4| + |b - 5|). */
Test(oracle_slide, two_blanks)
{
    static const struct expected all[] = {{"1 2/. .", 0}, {"1 ./. 2", 1}, {"1 ./2 .", 2}, {". 1/. 2", 2},
                                          {". 1/2 .", 3}, {"2 1/. .", 4}, {". ./2 1", 4}, {"2 ./. 1", 3},
                                          {". 2/. 1", 2}, {"2 ./1 .", 2}, {". 2/1 .", 1}, {". ./1 2", 2}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 2, 2, "1 2/. .", "1 2/. .");
    add_units(&puzzle, 2);
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    EXPECT_EQUAL(paths(table, ". 1/. 2"), 1, "tile 1 must wait for tile 2");
    EXPECT_EQUAL(paths(table, ". ./1 2"), 2, "either tile first");
    oracle_free(table);
}

/* The same with two tiles alike: the six ways to choose two cells. */
Test(oracle_slide, alike_tiles)
{
    static const struct expected all[] = {{"1 1/. .", 0}, {"1 ./. 1", 1}, {". 1/1 .", 1},
                                          {"1 ./1 .", 2}, {". 1/. 1", 2}, {". ./1 1", 2}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 2, 2, "1 1/. .", "1 1/. .");
    add_units(&puzzle, 1);
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    EXPECT_EQUAL(paths(table, ". ./1 1"), 2, "");
    oracle_free(table);
}

/* A wide piece moves onto a cell that it occupies itself; and down only where both cells are empty. */
Test(oracle_slide, wide_piece)
{
    static const struct expected all[] = {{"9 10 ./. . #", 0}, {". 9 10/. . #", 1}, {". . ./9 10 #", 1}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 2, 3, "9 10 ./. . #", "9 10 ./. . #");
    oracle_add_block(&puzzle, 1, 2, (const unsigned char[]){9, 10});
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    oracle_free(table);
}

/* A piece whose second cell lies left of its first, and whose bounding box has an empty corner that others may use. */
Test(oracle_slide, bent_piece)
{
    static const struct expected all[] = {
        {"1 b ./c d .", 0}, {"1 . b/. c d", 1}, {". 1 b/. c d", 2}, {". . b/1 c d", 2}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 2, 3, "1 b ./c d .", "1 b ./c d .");
    add_units(&puzzle, 1);
    puzzle.kinds++;
    puzzle.kind[1] = (struct oracle_piece_kind){
        .cells = 3, .row = {0, 1, 1}, .column = {0, -1, 0}, .symbol = {'b', 'c', 'd'}};
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    EXPECT_EQUAL(distance(table, ". b ./c d 1"), -1, "the tile on the other side");
    oracle_free(table);
}

/* Pieces written with one letter throughout, two of a kind side by side: still cut in one way, and no pair moves as
 * one. */
Test(oracle_slide, one_letter_for_a_piece)
{
    static const struct expected all[] = {{"A A A A .", 0}, {"A A . A A", 1}, {". A A A A", 2}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 1, 5, "A A A A .", "A A A A .");
    oracle_add_block(&puzzle, 1, 2, (const unsigned char *)"AA");
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    oracle_free(table);
}

/* Tile 1 in its corner, the rest open: 3! goals, three on each of the two rings of twelve (see two_by_two), next to one
 * another. Nine boards are left on each ring: 2, 2, 2, 2 and 1 in the middle. */
Test(oracle_slide, open_goal)
{
    static struct oracle_slide puzzle;
    begin(&puzzle, 2, 2, "1 2/3 .", "1 ?/? ?");
    add_units(&puzzle, 3);
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(oracle_count(table), 24, "");
    check_histogram(table, (const size_t[]){6, 4, 4, 4, 4, 2}, 6);
    EXPECT_EQUAL(distance(table, "1 3/2 ."), 0, "the other ring's goal");
    EXPECT_EQUAL(distance(table, ". 3/2 1"), 5, "");
    EXPECT_EQUAL(paths(table, ". 3/2 1"), 2, "");
    EXPECT_EQUAL(paths(table, "3 ./2 1"), 1, "to the nearest goal, not on through it");
    check_consistent(&puzzle, table);
    check_paths(&puzzle, table, 5);
    oracle_free(table);
}

/* Half of a wide piece named in the goal: its other half follows, and the tile may be on either side of it. */
Test(oracle_slide, open_goal_with_a_wide_piece)
{
    static const struct expected all[] = {{"1 9 10 .", 0}, {"1 . 9 10", 1}, {". 1 9 10", 2},
                                          {". 9 10 1", 0}, {"9 10 . 1", 1}, {"9 10 1 .", 2}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 1, 4, "9 10 1 .", "? 9 ? ?");
    add_units(&puzzle, 1);
    oracle_add_block(&puzzle, 1, 2, (const unsigned char[]){9, 10});
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    oracle_free(table);
}

/* An empty cell asked for, a wall passed over, and two goals that both fit one board. */
Test(oracle_slide, several_goals)
{
    static const struct expected all[] = {{". 1 # .", 0}, {"1 . # .", 0}, {". . # 1", 0}};
    static struct oracle_slide puzzle;
    begin(&puzzle, 1, 4, ". . # 1", "? ? ? .");
    add_units(&puzzle, 1);
    oracle_add_goal(&puzzle, board_of("? . # ?").cell);
    struct oracle_table *table = solve(&puzzle);
    check_all(table, all, COUNT(all));
    oracle_free(table);
}

/* A goal that the inventory's pieces cannot make. */
Test(oracle_slide, goal_that_nothing_fits)
{
    static struct oracle_slide puzzle;
    begin(&puzzle, 1, 3, "1 . .", "1 1 ?");
    add_units(&puzzle, 1);
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(oracle_count(table), 0, "");
    EXPECT_EQUAL(oracle_max(table), -1, "");
    EXPECT_EQUAL(distance(table, "1 . ."), -1, "");
    EXPECT_EQUAL(paths(table, "1 . ."), 0, "");
    oracle_free(table);
}

/* Three tiles at one end of a line with n blanks: to get all to the far end, each takes n steps, and none may catch up
 * with the one before it. The orders in which that can be done are the standard fillings of a 3 x n rectangle, counted
 * by the hook formula. With n = 3 that is 9! / (5 4 3 4 3 2 3 2 1) = 42; with n = 30, about 10^38, more than a count
 * can hold. */
Test(oracle_slide, many_paths)
{
    static struct oracle_slide puzzle;
    begin(&puzzle, 1, 6, "1 2 3 . . .", "1 2 3 . . .");
    add_units(&puzzle, 3);
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(distance(table, ". . . 1 2 3"), 9, "");
    EXPECT_EQUAL(paths(table, ". . . 1 2 3"), 42, "");
    oracle_free(table);

    begin(&puzzle, 1, 33, "1 2 3", "1 2 3 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .");
    add_units(&puzzle, 3);
    table = solve(&puzzle);
    EXPECT_EQUAL(oracle_count(table), 5456, "33 choose 3");
    EXPECT_EQUAL(oracle_max(table), 90, "");
    EXPECT_EQUAL(oracle_count_paths(table, oracle_board(table, 5455)), UINT64_MAX, "");
    oracle_free(table);
}

/* ---- what is refused ---- */

static void check_refused(const struct oracle_slide *puzzle, const char *what, const char *expected)
{
    const char *problem = oracle_problem(puzzle);
    cr_expect(problem != NULL && strcmp(problem, expected) == 0, "%s: %s, not %s", what,
              problem != NULL ? problem : "no problem", expected);
    cr_expect(oracle_solve(puzzle) == NULL, "%s", what);
}

Test(oracle_slide, refused)
{
    static const char cut[] = "the inventory cannot be cut into pieces of the kinds given";
    static struct oracle_slide puzzle;
    begin(&puzzle, 0, 3, "", "");
    check_refused(&puzzle, "no rows", "the board has no cells or too many");

    begin(&puzzle, 9, 8, "", "");
    check_refused(&puzzle, "too large", "the board has no cells or too many");

    begin(&puzzle, 1, 3, "1 . .", NULL);
    add_units(&puzzle, 1);
    check_refused(&puzzle, "no goal", "no goal or too many");

    begin(&puzzle, 1, 3, "1 2 .", "1 ? ?");
    add_units(&puzzle, 1);
    check_refused(&puzzle, "a symbol without a kind", cut);

    begin(&puzzle, 1, 3, "1 ? .", "1 ? ?");
    add_units(&puzzle, 1);
    check_refused(&puzzle, "an open cell in the inventory", cut);

    begin(&puzzle, 1, 3, "1 . .", "2 ? ?");
    add_units(&puzzle, 1);
    check_refused(&puzzle, "a goal's symbol without a kind", "a goal has a symbol that no kind has");

    begin(&puzzle, 1, 3, "1 . .", "# ? ?");
    add_units(&puzzle, 1);
    check_refused(&puzzle, "a goal's wall where there is none", "a goal's walls are not the inventory's");

    begin(&puzzle, 1, 3, "1 1 .", "1 1 .");
    add_units(&puzzle, 1);
    oracle_add_block(&puzzle, 1, 2, (const unsigned char[]){1, 1});
    check_refused(&puzzle, "two kinds with one symbol", "two kinds share a symbol");

    begin(&puzzle, 1, 4, "9 . 10 .", "9 10 . .");
    oracle_add_block(&puzzle, 1, 2, (const unsigned char[]){9, 10});
    check_refused(&puzzle, "a piece torn apart", cut);

    begin(&puzzle, 2, 2, ". 9/10 .", "9 10/. .");
    oracle_add_block(&puzzle, 1, 2, (const unsigned char[]){9, 10});
    check_refused(&puzzle, "a piece around the edge", cut);

    begin(&puzzle, 1, 3, "A A A", "A A ?");
    oracle_add_block(&puzzle, 1, 2, (const unsigned char *)"AA");
    check_refused(&puzzle, "one piece and a half", cut);

    begin(&puzzle, 2, 3, ". A A/A A A", "? ? ?/? ? ?");
    puzzle.kinds = 1;
    puzzle.kind[0] = (struct oracle_piece_kind){
        .cells = 3, .row = {0, 1, 1}, .column = {0, -1, 0}, .symbol = {'A', 'A', 'A'}};
    check_refused(&puzzle, "two pieces on one cell", cut);

    begin(&puzzle, 1, 3, "1 . .", "1 ? ?");
    add_units(&puzzle, 1);
    oracle_add_unit(&puzzle, ORACLE_ANY);
    check_refused(&puzzle, "a symbol that means something else", "a kind uses a symbol that means something else");

    begin(&puzzle, 1, 3, "1 . .", "1 ? ?");
    add_units(&puzzle, ORACLE_KINDS + 1);
    check_refused(&puzzle, "too many kinds", "too many kinds of piece");

    begin(&puzzle, 3, 3, "", "? ? ?/? ? ?/? ? ?");
    oracle_add_block(&puzzle, 3, 3, (const unsigned char *)"ABCDEFGHI");
    check_refused(&puzzle, "a piece of nine cells", "a kind of piece has no cells or too many");

    begin(&puzzle, 1, 3, "1 . .", "1 ? ?");
    add_units(&puzzle, 1);
    puzzle.kind[0] = (struct oracle_piece_kind){.cells = 2, .row = {0, 0}, .column = {0, -1}, .symbol = {1, 2}};
    check_refused(&puzzle, "cells out of reading order", "a kind's cells are not in reading order");
}

/* Boards that are none: no neighbours, and no distance. */
Test(oracle_slide, strange_boards)
{
    static struct oracle_slide puzzle;
    begin(&puzzle, 1, 4, "9 10 . #", "9 10 . #");
    oracle_add_block(&puzzle, 1, 2, (const unsigned char[]){9, 10});
    struct oracle_table *table = solve(&puzzle);
    static const char *const strange[] = {"9 . 10 #", "10 9 . #", "9 10 . .", "9 10 # #", "9 10 5 #", ". . 9 #"};
    struct oracle_board next[4];
    for (size_t i = 0; i < COUNT(strange); i++) {
        EXPECT_EQUAL(oracle_neighbours(&puzzle, board_of(strange[i]).cell, next, 4), -1, strange[i]);
        EXPECT_EQUAL(distance(table, strange[i]), -1, strange[i]);
    }
    oracle_free(table);
    oracle_free(NULL);
}
