/*
 * The oracle for sliding-piece puzzles is itself checked here, against what is not ours: the figures of puzzles.md,
 * published tables, and boards small enough to be done by hand. Every expectation is typed in; where one was worked out
 * by hand, the comment says how.
 *
 * Boards are written as text, cells separated by spaces, rows by slashes: a number is that symbol, a letter its
 * character code, '.' an empty cell, '#' a wall, '?' an open cell of a goal.
 */
#include "tests/support/goat_figures.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
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

static struct oracle_board board_of(const char *text)
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
static void begin(struct oracle_slide *puzzle, int rows, int columns, const char *inventory, const char *goal)
{
    oracle_begin(puzzle, rows, columns, board_of(inventory).cell);
    if (goal != NULL)
        oracle_add_goal(puzzle, board_of(goal).cell);
}

/* 1x1 kinds with the symbols 1 .. count. */
static void add_units(struct oracle_slide *puzzle, int count)
{
    for (int symbol = 1; symbol <= count; symbol++)
        oracle_add_unit(puzzle, (unsigned char)symbol);
}

static int distance(const struct oracle_table *table, const char *board)
{
    return oracle_distance(table, board_of(board).cell);
}

static uint64_t paths(struct oracle_table *table, const char *board)
{
    return oracle_count_paths(table, board_of(board).cell);
}

static struct oracle_table *solve(const struct oracle_slide *puzzle)
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
static void check_all(const struct oracle_table *table, const struct expected *expected, size_t count)
{
    EXPECT_EQUAL(oracle_count(table), count, "");
    for (size_t i = 0; i < count; i++)
        EXPECT_EQUAL(distance(table, expected[i].board), expected[i].distance, expected[i].board);
}

static void check_histogram(const struct oracle_table *table, const size_t *expected, size_t layers)
{
    cr_assert(oracle_max(table) == (int)layers - 1, "%d layers", oracle_max(table) + 1);
    for (size_t layer = 0; layer < layers; layer++)
        cr_expect(oracle_histogram(table)[layer] == expected[layer], "distance %zu: %zu boards, not %zu", layer,
                  oracle_histogram(table)[layer], expected[layer]);
}

/* The boards at the greatest distance are these, in any order. */
static void check_hardest(const struct oracle_table *table, const char *const *expected, size_t count)
{
    EXPECT_EQUAL(oracle_histogram(table)[oracle_max(table)], count, "");
    for (size_t i = 0; i < count; i++)
        EXPECT_EQUAL(distance(table, expected[i]), oracle_max(table), expected[i]);
}

/* What makes a table of distances right, whatever the puzzle: neighbours differ by one at most, every board but a goal
 * has a neighbour one nearer, no neighbour is missing. Also: every move can be undone, and no two moves give the same
 * board. */
static void check_consistent(const struct oracle_slide *puzzle, const struct oracle_table *table)
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
static uint64_t walks(const struct oracle_slide *puzzle, const struct oracle_table *table, const unsigned char *board,
                      int moves)
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

static void check_paths(const struct oracle_slide *puzzle, struct oracle_table *table, int deepest)
{
    for (size_t i = 0; i < oracle_count(table) && oracle_distance_at(table, i) <= deepest; i++) {
        const unsigned char *board = oracle_board(table, i);
        cr_assert(oracle_count_paths(table, board) == walks(puzzle, table, board, oracle_distance_at(table, i)),
                  "board %zu", i);
    }
}

/* ---- the printed figures ---- */

static void goat(struct oracle_slide *puzzle)
{
    begin(puzzle, 3, 4, goat_goal, goat_goal);
    add_units(puzzle, 8);
    oracle_add_block(puzzle, 1, 2, (const unsigned char[]){9, 10});
}

Test(oracle_slide, goat)
{
    static struct oracle_slide puzzle;
    goat(&puzzle);
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(oracle_count(table), 5443200, "");
    check_histogram(table, goat_histogram, COUNT(goat_histogram));
    check_hardest(table, goat_hardest, COUNT(goat_hardest));
    EXPECT_EQUAL(distance(table, goat_start), 20, "");
    /* The wide piece one row down: a full board, but one that the wide piece cannot get to. */
    EXPECT_EQUAL(distance(table, "1 8 7 0/2 5 9 10/3 8 4 6"), -1, "");
    oracle_free(table);
}

/* The door goes right or the wolf up; the wide piece would need two empty cells to come down. */
Test(oracle_slide, goat_first_moves)
{
    static struct oracle_slide puzzle;
    goat(&puzzle);
    struct oracle_board next[8];
    cr_assert(oracle_neighbours(&puzzle, puzzle.goal[0], next, 8) == 2);
    struct oracle_board door = board_of("1 8 9 10/2 5 . 7/3 8 4 6"), wolf = board_of("1 8 9 10/2 5 7 6/3 8 4 .");
    bool door_first = memcmp(&next[0], &door, sizeof door) == 0;
    EXPECT_EQUAL(memcmp(&next[door_first ? 0 : 1], &door, sizeof door), 0, "");
    EXPECT_EQUAL(memcmp(&next[door_first ? 1 : 0], &wolf, sizeof wolf), 0, "");
    /* With no room to write, the number is still told. */
    EXPECT_EQUAL(oracle_neighbours(&puzzle, puzzle.goal[0], NULL, 0), 2, "");
}

/* Histogram: OEIS A089473; the second hardest board stands there too. */
Test(oracle_slide, eight_puzzle)
{
    static const size_t histogram[] = {1,     2,     4,     8,     16,    20,   39,   62,   116,   152,   286,
                                       396,   748,   1024,  1893,  2512,  4485, 5638, 9529, 10878, 16993, 17110,
                                       23952, 20224, 24047, 15578, 14560, 6274, 3910, 760,  221,   2};
    static const char *const hardest[] = {"8 6 7/2 5 4/3 . 1", "6 4 7/8 5 ./3 2 1"};
    static struct oracle_slide puzzle;
    begin(&puzzle, 3, 3, "1 2 3/4 5 6/7 8 .", "1 2 3/4 5 6/7 8 .");
    add_units(&puzzle, 8);
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(oracle_count(table), 181440, "");
    check_histogram(table, histogram, COUNT(histogram));
    check_hardest(table, hardest, COUNT(hardest));
    EXPECT_EQUAL(distance(table, "2 1 3/4 5 6/7 8 ."), -1, "");
    check_consistent(&puzzle, table);
    check_paths(&puzzle, table, 9);
    oracle_free(table);
}

/* The blank in the middle of the goal: OEIS A089474. */
Test(oracle_slide, eight_puzzle_blank_in_the_middle)
{
    static const size_t histogram[] = {1,     4,     8,     8,     16,    32,   60,   72,    136,   200,   376,
                                       512,   964,   1296,  2368,  3084,  5482, 6736, 11132, 12208, 18612, 18444,
                                       24968, 19632, 22289, 13600, 11842, 4340, 2398, 472,   148};
    static struct oracle_slide puzzle;
    begin(&puzzle, 3, 3, "1 2 3/4 . 5/6 7 8", "1 2 3/4 . 5/6 7 8");
    add_units(&puzzle, 8);
    struct oracle_table *table = solve(&puzzle);
    check_histogram(table, histogram, COUNT(histogram));
    oracle_free(table);
}

/* Klotski, also called Huarong Dao: pieces of 2x2, 2x1, 1x2 and 1x1, two empty cells. Published: 65,880 full boards,
 * 25,955 of them connected with the start; 116 steps of one cell until the large piece stands at the exit. */
static const char klotski_start[] = "V B B V/v B B v/V H h V/v S S v/S . . S";

static void klotski(struct oracle_slide *puzzle, const char *goal)
{
    begin(puzzle, 5, 4, klotski_start, goal);
    oracle_add_block(puzzle, 2, 2, (const unsigned char *)"BBBB");
    oracle_add_block(puzzle, 2, 1, (const unsigned char *)"Vv");
    oracle_add_block(puzzle, 1, 2, (const unsigned char *)"Hh");
    oracle_add_unit(puzzle, 'S');
}

Test(oracle_slide, klotski_all_boards)
{
    static struct oracle_slide puzzle;
    klotski(&puzzle, "? ? ? ?/? ? ? ?/? ? ? ?/? ? ? ?/? ? ? ?");
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(oracle_count(table), 65880, "");
    EXPECT_EQUAL(oracle_max(table), 0, "");
    oracle_free(table);
}

Test(oracle_slide, klotski_from_the_start)
{
    static struct oracle_slide puzzle;
    klotski(&puzzle, klotski_start);
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(oracle_count(table), 25955, "");
    check_consistent(&puzzle, table);
    check_paths(&puzzle, table, 6);

    /* The nearest board with the large piece at the exit, found from the other end. */
    int nearest = -1;
    for (size_t i = 0; i < oracle_count(table) && nearest < 0; i++)
        if (oracle_board(table, i)[17] == 'B' && oracle_board(table, i)[18] == 'B')
            nearest = oracle_distance_at(table, i);
    EXPECT_EQUAL(nearest, 116, "");
    oracle_free(table);
}

Test(oracle_slide, klotski_to_the_exit)
{
    static struct oracle_slide puzzle;
    klotski(&puzzle, "? ? ? ?/? ? ? ?/? ? ? ?/? B B ?/? B B ?");
    struct oracle_table *table = solve(&puzzle);
    EXPECT_EQUAL(distance(table, klotski_start), 116, "");
    check_consistent(&puzzle, table);
    oracle_free(table);
}

/* ---- by hand ---- */

/* Three tiles on 2x2: the blank can only go round, so the boards form a ring of twelve, written out here both ways from
 * the goal. */
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
