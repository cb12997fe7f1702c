/* test_oracle_figures.c -- the oracle for sliding-piece puzzles against what is not ours: the figures of puzzles.md,
 * and published tables. Every expectation is typed in.
 */
#include "oracle_text.h"
#include "tests/support/goat_figures.h"

#include <string.h>

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
