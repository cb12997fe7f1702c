/* test_slide.c -- sliding puzzles of many kinds, every state of each against the oracle
 *
 * The definitions stand here in model.h's notation. What is checked for each of them, slide_check says.
 */
#include "check.h"
#include "lib/families/slide/slide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The encodings of puzzles whose moves can be undone. */
static const unsigned undoable_encodings = 1u << ENCODING_MOD4_1BIT | 1u << ENCODING_MOD3_5PERBYTE |
                                           1u << ENCODING_MOD4_2BIT | 1u << ENCODING_MOD3_2BIT;

/* Returns the bit of the encoding that the distances are kept in, so that a test can see to it that all come up. */
static unsigned check_puzzle(const struct model_spec *spec, size_t paths)
{
    static struct model model;
    struct solved solved;
    model_begin(&model, spec);
    struct oracle_table *table = oracle_solve(&model.oracle);
    cr_assert(table != NULL && oracle_count(table) > 0, "%s", spec->goal);
    solve(model.puzzle, 2, &solved);
    slide_check(&model, table, &solved, spec->goal);
    slide_check_paths(&model, table, &solved, paths, spec->goal);
    const unsigned encoding = 1u << solved.result.encoding;
    solved_free(&solved);
    oracle_free(table);
    model_end(&model);
    return encoding;
}

#define CHECK_ALL(specs, paths)                                                                                        \
    for (size_t spec_ = 0; spec_ < COUNT(specs); spec_++)                                                              \
    check_puzzle(&(specs)[spec_], paths)

/* -- pieces of one cell, all different -- */

Test(slide, eight_puzzle)
{
    static const struct model_spec specs[] = {{.goal = "1 2 3/4 5 6/7 8 ."}};
    CHECK_ALL(specs, 2000);
}

Test(slide, eight_puzzle_blank_in_the_middle)
{
    static const struct model_spec specs[] = {{.goal = "a b c/d . e/f g h"}};
    CHECK_ALL(specs, 500);
}

Test(slide, small_rectangles)
{
    static const struct model_spec specs[] = {
        {.goal = "1 2/3 ."},         {.goal = ". 2/3 1"},         {.goal = "1 2 3/4 5 ."},
        {.goal = "1 2/3 4/. 5"},     {.goal = "1 2 3 4/5 6 7 ."}, {.goal = "8 7/6 5/. 4/3 2"},
        {.goal = "10 2 30/4 . 500"}, {.goal = "a ./. ."},         {.goal = ". ./. x"},
    };
    CHECK_ALL(specs, 3000);
}

/* Orders never change, so nearly all indices are out of reach. */
Test(slide, one_row_or_column)
{
    static const struct model_spec specs[] = {
        {.goal = "1 ."},           {.goal = ". 1"},       {.goal = "1/."},           {.goal = "1 2 3 ."},
        {.goal = "1 2 . . 3 4"},   {.goal = "1/2/./3"},   {.goal = "a . . . . . ."}, {.goal = "1 2 3 4 5 6 ."},
        {.goal = "a a . b . a a"}, {.goal = "x x y y ."}, {.goal = "1 . # 2 3 . 4"},
    };
    CHECK_ALL(specs, 3000);
}

Test(slide, walls)
{
    static const struct model_spec specs[] = {
        {.goal = "1 2 3/4 # 5/6 7 ."}, {.goal = "1 2 3/4 5 ./6 7 #"},
        {.goal = "# 2 3/4 5 6/7 1 ."}, {.goal = "1 # 3/4 5 6/7 8 ."},
        {.goal = "1 2 #/3 4 #/5 6 ."}, {.goal = "1 # #/2 # #/3 4 ."},
        {.goal = "# 1 #/2 . 3/# 4 #"}, {.goal = "1 2 # #/3 4 5 6/# # 7 ."},
        {.goal = "# 1 2/3 # ./4 5 #"}, {.goal = "1 2 3 4/# 5 # ."},
        {.goal = "# #/1 ./# #"},       {.goal = "1 . # . 2/3 4 # 5 6"},
    };
    CHECK_ALL(specs, 300);
}

/* Two rooms that no piece can leave: the blank is in one of them only, and the other never changes. */
Test(slide, rooms)
{
    static const struct model_spec specs[] = {{.goal = "1 2 # 3 4/5 . # 6 7"},
                                              {.goal = "1 . # 2 3/4 5 # . 6"},
                                              {.board = "1 . # 2 3/4 5 # . 6", .goal = "1 * # * */* * # * *"}};
    CHECK_ALL(specs, 300);
}

Test(slide, more_blanks)
{
    static const struct model_spec specs[] = {
        {.goal = "1 2 3/4 5 ./6 7 ."},
        {.goal = "1 2 ./3 4 ./5 6 ."},
        {.goal = ". 1 2/. 3 4"},
        {.goal = "1 ./2 ./3 ."},
        {.goal = "1 . 2/. 3 ./4 . 5"},
        {.goal = "1 . ./. . ./. . ."},
        {.goal = "1 2 # ./3 . # 4/5 6 . #"},
    };
    CHECK_ALL(specs, 300);
}

/* -- pieces of one cell, some alike -- */

/* Exactly two alike, the others different: their place among the others in the board, so in the order of classes,
 * varies. */
Test(slide, one_pair)
{
    static const struct model_spec specs[] = {
        {.goal = "1 1/2 ."},     {.goal = "2 1/1 ."},           {.goal = "1 1 2/3 4 ."},       {.goal = "1 2 2/3 4 ."},
        {.goal = "1 2 3/4 4 ."}, {.goal = "1 2 1/3 . 4"},       {.goal = "1 1/. ."},           {.goal = "1 1 ."},
        {.goal = "1 . 1/2 . 3"}, {.goal = "4 . 3/. 4 ./2 1 ."}, {.goal = "1 2 3/4 # 4/5 6 ."},
    };
    CHECK_ALL(specs, 1500);
}

Test(slide, one_pair_nine_cells)
{
    static const struct model_spec specs[] = {{.goal = "1 2 3/4 5 5/6 7 ."}};
    CHECK_ALL(specs, 300);
}

Test(slide, several_groups)
{
    static const struct model_spec specs[] = {
        {.goal = "1 1 1/2 2 2/3 3 ."}, {.goal = "a a a/a a a/a a ."}, {.goal = "1 1 2/2 3 ."},
        {.goal = "1 2 1/2 3 ./4 3 4"}, {.goal = "1 1/1 ."},           {.goal = "a b b/a . a/b a b"},
        {.goal = "a a b b/. . c c"},   {.goal = "1 2 3/3 3 4/5 6 ."},
    };
    CHECK_ALL(specs, 500);
}

/* The same pieces with names of their own: a board can be written in several ways. */
Test(slide, alike_under_different_names)
{
    static const struct model_spec specs[] = {
        {.goal = "1 2 3/4 5 .", .alike = {"1 2"}},
        {.goal = "1 2 3/4 5 .", .alike = {"4 2"}},
        {.goal = "1 2 3/4 5 .", .alike = {"5 1 3", "2 4"}},
        {.goal = "1 2 3/4 5 .", .alike = {"1 2 3 4 5"}},
        {.goal = "1 1 3/4 5 .", .alike = {"1 3"}},
        {.goal = "1 1 3/3 5 .", .alike = {"3 1", "5"}},
        {.board = "1 2 3/4 5 .", .goal = "1 * */* * .", .alike = {"1 2"}},
        {.goal = "a b ./c d 1/2 3 .", .pieces = {"a/c", "b/d"}, .alike = {"a b"}},
        {.goal = "a b ./c d 1/2 3 .", .pieces = {"a/c", "b/d"}, .alike = {"b a", "1 3"}},
        {.goal = "w w x/. y y/z . .", .pieces = {"w w", "y y"}, .alike = {"w y", "x z"}},
    };
    CHECK_ALL(specs, 500);
}

/* -- pieces of several cells -- */

Test(slide, wide_tall_and_other_shapes)
{
    static const struct model_spec specs[] = {
        {.goal = "w x ./1 2 3", .pieces = {"w x"}},
        {.goal = "1 9 10 ./2 3 4 5", .pieces = {"9 10"}},
        {.goal = "w w ./1 . 2/3 4 5", .pieces = {"w w"}},
        {.goal = "t 1 ./t . 2/3 4 5", .pieces = {"t/t"}},
        {.goal = "B B 1/B B ./2 . 3", .pieces = {"B B/B B"}},
        {.goal = "L 1 2/L L ./3 . 4", .pieces = {"L ./L L"}},
        {.goal = "1 J 2/J J ./. . .", .pieces = {". J/J J"}},
        {.goal = ". 1 a/b c d/. 2 .", .pieces = {". . a/b c d"}},
        {.goal = "A 1 B/. . 2/3 . .", .pieces = {"A . B"}},       /* one piece that holds together across a gap */
        {.goal = "U 1 U/U U U/. . 2", .pieces = {"U . U/U U U"}}, /* and one that can be stood inside of */
        {.goal = "+ . ./. . .", .pieces = {"+"}},                 /* one cell, drawn all the same */
        {.goal = "x x . ./. . y y", .pieces = {"x x", "y y"}},    /* no piece of one cell */
        {.goal = "x x/. .", .pieces = {"x x"}},
        {.goal = "# x x #/. x x ./1 . . 2/# . . #", .pieces = {"x x/x x"}},
        {.goal = "T T T/1 T 2/. . 3", .pieces = {"T T T/. T ."}},
        {.goal = "w w w w/1 2 3 ./. . . .", .pieces = {"w w w w"}},
    };
    CHECK_ALL(specs, 300);
}

/* Several pieces of one shape with one symbol stand side by side and have to be told apart by their shape alone. */
Test(slide, large_pieces_of_one_symbol)
{
    static const struct model_spec specs[] = {
        {.goal = "v v ./v v ./1 2 .", .pieces = {"v/v"}},
        {.goal = "h h h h/. . 1 2", .pieces = {"h h"}},
        {.goal = "a b a b/. . . 1", .pieces = {"a b"}},
        {.goal = "v v v/v v v/. 1 .", .pieces = {"v/v"}},
        {.goal = "v v h h/v v . ./1 1 . .", .pieces = {"v/v", "h h"}},
    };
    CHECK_ALL(specs, 300);
}

Test(slide, klotski_like)
{
    static const struct model_spec specs[] = {
        {.goal = "B B v/B B v/s s ./h h .", .pieces = {"B B/B B", "v/v", "h h"}},
        {.board = "A B B C/D B B E/s h h s/. s s .",
         .goal = "* * * */* * * */* B B */* B B *",
         .pieces = {"B B/B B", "A/D", "C/E", "h h"},
         .alike = {"A C"}},
        {.board = "A B B C/D B B E/x h h y/. z w .",
         .goal = "* * * */* * * */* B B */* B B *",
         .pieces = {"B B/B B", "A/D", "C/E", "h h"},
         .alike = {"A C", "x y z w"}},
    };
    CHECK_ALL(specs, 300);
}

/* The one that everybody knows; 25,955 boards (OEIS and many others; the oracle's own test has the figures). */
Test(slide, klotski)
{
    static const struct model_spec spec = {.board = "A B B C/D b c E/F H I J/G s t K/u . . v",
                                           .goal = "* * * */* * * */* * * */* B B */* b c *",
                                           .pieces = {"B B/b c", "A/D", "C/E", "F/G", "J/K", "H I"},
                                           .alike = {"A C F J", "s t u v"}};
    check_puzzle(&spec, 300);
}

/* -- goals with open cells -- */

Test(slide, open_goals)
{
    static const struct model_spec specs[] = {
        {.board = "1 2 3/4 5 .", .goal = "* * */* * *"}, /* every board is one */
        {.board = "1 2 3/4 5 .", .goal = "* * */* * ."}, /* both parities */
        {.board = "1 2 3/4 5 .", .goal = "1 2 */* 5 ."}, /* two boards, one of each parity */
        {.board = "1 2 3/4 5 .",
         .goal = "1 2 3/* 5 *"}, /* the blank on cells of both colours: neighbours that are both goals */
        {.board = "1 2 3/4 5 .", .goal = "1 2 3/4 5 ."}, /* open nowhere */
        {.board = "1 2 3/4 5 .", .goal = "1 2 3/4 . 5"}, /* another board than that of the goal */
        {.board = "2 1 3/4 5 .", .goal = "1 2 3/4 5 ."}, /* the board shown cannot reach the goal */
        {.board = "1 2 3/4 5 .", .goal = "1 * */* * *"},
        {.board = "1 2 3/4 . .", .goal = "1 * */* * ."},
        {.board = "1 1 2/2 3 .", .goal = "1 * */* 3 *"},
        {.board = "1 1 2/3 4 .", .goal = "1 * */* * *"},
        {.board = "1 1 2/3 4 .", .goal = "* 2 */* * ."},
        {.board = "1 # 2/3 4 .", .goal = "* # */3 * *"},
        {.board = "1 2 . . 3 4", .goal = "* * * * * *"}, /* one row: the goals do not reach one another */
        {.board = "1 2 3 .", .goal = "* * 3 *"},
        {.board = "1 2 3 .", .goal = "* 2 * *"},
        {.board = "w w ./1 2 .", .goal = "* * */* * .", .pieces = {"w w"}},
        {.board = "w w ./1 2 .", .goal = "* * */* w w", .pieces = {"w w"}},
        {.board = "w w ./1 2 3",
         .goal = "* * */* w w",
         .pieces = {"w w"}}, /* goals that the board shown cannot reach: it stays up */
        {.board = "w w ./1 2 3", .goal = "* * */* * *", .pieces = {"w w"}}, /* two lots of blocks that do not meet */
        {.board = "v v ./v v ./1 2 .", .goal = "* * */* v */* v *", .pieces = {"v/v"}},
        {.board = "U 1 U/U U U/. . 2", .goal = "* * */* 1 */* * *", .pieces = {"U . U/U U U"}},
        {.board = "U 1 U/U U U/. . 2", .goal = "* * */U 2 U/U U U", .pieces = {"U . U/U U U"}},
    };
    CHECK_ALL(specs, 500);
}

/* The 8-puzzle's board with two tiles free: both parities, so all 362,880 arrangements. */
Test(slide, open_goal_of_nine_cells)
{
    static const struct model_spec spec = {.board = "1 2 3/4 5 6/7 8 .", .goal = "* * 3/4 5 6/7 8 ."};
    check_puzzle(&spec, 300);
}

Test(slide, every_encoding_comes_up)
{
    static const struct model_spec specs[] = {{.goal = "1 2/3 ."},
                                              {.goal = "1 2 3 ."},
                                              {.board = "1 2 3/4 5 .", .goal = "1 2 3/* 5 *"},
                                              {.board = "1 2 3 .", .goal = "* * * *"},
                                              {.board = "1 2 3 .", .goal = "1 2 * *"}};
    unsigned encodings = 0;
    for (size_t i = 0; i < COUNT(specs); i++)
        encodings |= check_puzzle(&specs[i], 100);
    EXPECT_NUMBER(encodings, undoable_encodings);
}

/* -- puzzles at random -- */

/* A board of random size with walls, pieces of one cell and of several, some alike, and a goal with some cells open: at
 * most ten cells and six pieces of one cell, so that no puzzle has more than 151,200 boards. */
struct drawn {
    char board[200], goal[200], picture[4][40], alike[40];
    struct model_spec spec;
};

static void draw(struct drawn *drawn, uint64_t *random)
{
    static const struct {
        int cells, row[4], column[4];
        const char *picture;
    } shapes[] = {{2, {0, 0}, {0, 1}, "%s %s"},
                  {2, {0, 1}, {0, 0}, "%s/%s"},
                  {3, {0, 1, 1}, {0, 0, 1}, "%s ./%s %s"},
                  {3, {0, 0, 1}, {0, 1, 0}, "%s %s/%s ."},
                  {3, {0, 1, 1}, {0, -1, 0}, ". %s/%s %s"},
                  {4, {0, 0, 1, 1}, {0, 1, 0, 1}, "%s %s/%s %s"}};
    memset(drawn, 0, sizeof *drawn);
    const int rows = 1 + (int)random_below(random, 3), columns = 2 + (int)random_below(random, rows == 1   ? 5
                                                                                               : rows == 2 ? 4
                                                                                                           : 2);
    char cell[12][4];
    int cells = rows * columns, units = 0, pieces = 0;
    for (int i = 0; i < cells; i++)
        strcpy(cell[i], random_below(random, 8) == 0 ? "#" : ".");
    const int large = (int)random_below(random, 3);
    for (int p = 0; p < large; p++) {
        const size_t s = (size_t)random_below(random, COUNT(shapes));
        const int at = (int)random_below(random, (uint64_t)cells);
        bool fits = true;
        for (int c = 0; c < shapes[s].cells; c++) {
            const int row = at / columns + shapes[s].row[c], column = at % columns + shapes[s].column[c];
            fits &= row < rows && column >= 0 && column < columns &&
                    strcmp(cell[(row * columns + column) % cells], ".") == 0;
        }
        if (!fits)
            continue;
        char letter[2] = {(char)('A' + pieces), '\0'};
        for (int c = 0; c < shapes[s].cells; c++)
            strcpy(cell[(at / columns + shapes[s].row[c]) * columns + at % columns + shapes[s].column[c]], letter);
        char *end = drawn->picture[pieces];
        for (const char *f = shapes[s].picture; *f != '\0'; f++) {
            *end++ = *f == '%' ? *letter : *f;
            f += *f == '%';
        }
        drawn->spec.pieces[pieces] = drawn->picture[pieces];
        pieces++;
    }
    const int blanks = 1 + (int)random_below(random, 2), names = 1 + (int)random_below(random, 7);
    int left = 0;
    for (int i = 0; i < cells; i++)
        left += strcmp(cell[i], ".") == 0;
    for (int i = 0; left > blanks && units < 6; i = (i + 5) % cells)
        if (strcmp(cell[i], ".") == 0) {
            cell[i][0] = (char)('1' + (names == 7 ? units : (int)random_below(random, (uint64_t)names)));
            units++;
            left--;
        } else if (random_below(random, 4) == 0) {
            i = (i + 1) % cells;
        }
    const uint64_t openness = random_below(random, 3);
    for (int i = 0; i < cells; i++) {
        const char *separator = i == 0 ? "" : i % columns == 0 ? "/" : " ";
        strcat(strcat(drawn->board, separator), cell[i]);
        const bool open = cell[i][0] != '#' && !(cell[i][0] >= 'A' && cell[i][0] <= 'Z') &&
                          random_below(random, 4) < openness;
        strcat(strcat(drawn->goal, separator), open ? "*" : cell[i]);
    }
    drawn->spec.board = drawn->board;
    drawn->spec.goal = drawn->goal;
    if (strchr(drawn->board, '1') != NULL && strchr(drawn->board, '3') != NULL && random_below(random, 2) == 0) {
        strcpy(drawn->alike, "3 1");
        drawn->spec.alike[0] = drawn->alike;
    }
}

Test(slide, puzzles_at_random)
{
    static struct drawn drawn;
    uint64_t random = 20240607;
    const int drawings = share() == 1 ? 260 : 60;
    int checked = 0;
    unsigned encodings = 0;
    for (int i = 0; i < drawings; i++) {
        draw(&drawn, &random);
        if (strchr(drawn.board, '.') == NULL || strspn(drawn.board, ".#/ ") == strlen(drawn.board))
            continue; /* nothing can move, or nothing is there */
        encodings |= check_puzzle(&drawn.spec, 20);
        checked++;
    }
    cr_expect(checked > drawings * 3 / 4, "%d puzzles", checked);
    EXPECT_NUMBER(encodings, undoable_encodings);
}

/* -- boards from which the goal cannot be reached -- */

/* Shuffles of the pieces, among them many that no moves lead to: whatever the oracle does not know has no index or no
 * distance. */
static void check_shuffles(const struct model_spec *spec, int tries)
{
    static struct model model;
    struct solved solved;
    uint64_t random = 4711;
    int unreachable = 0;
    model_begin(&model, spec);
    struct oracle_table *table = oracle_solve(&model.oracle);
    solve(model.puzzle, 1, &solved);
    const unsigned places = model.puzzle->board.places;
    for (int i = 0; i < tries; i++) {
        unsigned char board[ORACLE_CELLS];
        uint8_t position[BOARD_MAX_CELLS];
        uint64_t index;
        uint32_t distance = DISTANCE_NONE;
        model_board(&model, spec->board != NULL ? spec->board : spec->goal, board);
        model_to_position(&model, board, &random, position);
        for (unsigned p = places - 1; p > 0; p--) {
            const unsigned q = (unsigned)random_below(&random, p + 1);
            const uint8_t held = position[p];
            position[p] = position[q];
            position[q] = held;
        }
        cr_assert(model.puzzle->family->position.check(model.puzzle, position, NULL) == PDB_OK);
        model_to_oracle(&model, position, board);
        const int expected = oracle_distance(table, board);
        if (model.puzzle->family->position.rank(model.puzzle, position, &index))
            cr_assert(distance_get(&solved.values, &index, 1, &distance, NULL) == PDB_OK);
        unreachable += expected < 0;
        cr_assert(distance == (expected < 0 ? DISTANCE_NONE : (uint32_t)expected), "%s: try %d", spec->goal, i);
    }
    cr_expect(unreachable > 0 && unreachable < tries, "%s: %d of %d boards unreachable", spec->goal, unreachable,
              tries);
    solved_free(&solved);
    oracle_free(table);
    model_end(&model);
}

Test(slide, shuffled_boards)
{
    static const struct model_spec specs[] = {{.goal = "1 2 3/4 5 6/7 8 ."},   {.goal = "1 2/3 ."},
                                              {.goal = "1 2 3 . 4"},           {.goal = "1 2 3/4 # 5/6 7 ."},
                                              {.goal = "1 . # 2 3/4 5 # . 6"}, {.goal = "1 1 2 . 2"}};
    for (size_t i = 0; i < COUNT(specs); i++)
        check_shuffles(&specs[i], 3000);
}
