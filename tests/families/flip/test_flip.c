/* test_flip.c -- puzzles of buttons against the oracle: every board of many puzzles */
#include "pairs.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- every state of many puzzles -- */

Test(flip, every_board_of_two_values)
{
    for (unsigned rows = 1; rows <= 4; rows++)
        for (unsigned columns = 1; columns <= 4 && (share() == 1 || rows * columns < 16); columns++) {
            check_pattern(rows, columns, 2, false, NULL, &eight);
            check_pattern(rows, columns, 2, false, NULL, &plus);
        }
    check_pattern(3, 4, 2, false, NULL, &four);
    check_pattern(4, 3, 2, false, NULL, &square);
    check_pattern(3, 3, 2, true, NULL, &drawn_plus);
    check_pattern(1, 13, 2, false, NULL, &plus);
}

Test(flip, every_board_of_more_values)
{
    static const struct pattern *const patterns[] = {&eight, &plus, &four};
    for (size_t i = 0; i < COUNT(patterns); i += short_step(2)) {
        for (int backward = 0; backward < 2; backward++) {
            if (share() > 1 && backward == (i == 0))
                continue;
            check_pattern(3, 3, 3, backward, NULL, patterns[i]);
            check_pattern(2, 4, 3, backward, NULL, patterns[i]);
            check_pattern(2, 3, 4, backward, NULL, patterns[i]);
        }
        check_pattern(2, 3, 6, i == 0, NULL, patterns[i]);
        for (unsigned values = 5; values <= 10; values++)
            check_pattern(2, 2, values, values % 2, NULL, patterns[i]);
    }
    if (share() == 1)
        check_pattern(2, 4, 4, false, NULL, &plus);
    check_pattern(3, 2, 4, true, NULL, &weighted);
    check_pattern(3, 2, 4, true, NULL, &twos);
    check_pattern(2, 2, 8, true, NULL, &twos);
    check_pattern(3, 2, 6, false, NULL, &twos);
    check_pattern(2, 2, 10, false, NULL, &weighted);
    for (unsigned values = 11; values <= 16; values++)
        check_pattern(1, 3, values, values % 2, NULL, &plus);
}

Test(flip, every_board_with_walls_and_goals)
{
    static const char *const goals[] = {"#..#/..../.##./....", "..../.#../..1./1111", "*.../.1../..#./...*",
                                        "****/****/....#"};
    for (size_t i = 0; i < 3; i++) {
        check_pattern(4, 4, 2, false, goals[i], &plus);
        check_pattern(4, 4, 2, false, goals[i], &eight);
    }
    check_pattern(3, 3, 3, false, ".#2/1*./..#", &plus);
    check_pattern(3, 3, 3, true, "0#2/1**/..#", &eight);
    check_pattern(3, 2, 4, false, "3*/#1/2*", &plus);
    check_pattern(3, 2, 6, false, "5*/#1/2.", &twos);
    check_pattern(2, 2, 2, false, "**/**", &plus);
    check_pattern(2, 2, 2, false, "#./.#", &four);
}

/* -- lists of buttons -- */

static unsigned below(uint64_t *seed, unsigned limit)
{
    return (unsigned)random_below(seed, limit);
}

/* Buttons drawn at random on boards of up to 3 by 3 cells, with walls and open cells; no more boards than a few ten
 * thousands. */
static void make_random_pair(struct pair *pair, uint64_t *seed)
{
    const unsigned values = 2 + below(seed, 9);
    unsigned rows, columns;
    double boards;
    do {
        rows = 1 + below(seed, 3);
        columns = 1 + below(seed, 3);
        boards = 1;
        for (unsigned cell = 0; cell < rows * columns; cell++)
            boards *= values;
    } while (boards > 20000);
    char goal[32] = "", *end = goal;
    for (unsigned cell = 0; cell < rows * columns; cell++) {
        const uint32_t kind = cell == 0 ? 9 : below(seed, 10);
        if (cell > 0 && cell % columns == 0)
            *end++ = '/';
        const char digit = (char)('0' + below(seed, values));
        *end++ = (char)(kind == 0 ? '#' : kind == 1 ? '*' : digit);
    }
    *end = '\0';
    begin_pair(pair, rows, columns, values, below(seed, 2), goal);
    extend_pair(pair, "buttons:\n");
    const unsigned buttons = 1 + below(seed, 6),
                   step = 1 + below(seed, 3); /* multiples of a divisor are the hard ones */
    for (unsigned b = 0; b < buttons; b++) {
        unsigned char amount[ORACLE_FLIP_CELLS] = {0};
        char picture[64] = "- \"", *at = picture + 3;
        for (unsigned cell = 0; cell < rows * columns; cell++) {
            const bool wall = pair->oracle.goal[cell] == ORACLE_FLIP_WALL;
            if (!wall && below(seed, 2) == 0)
                amount[cell] = (unsigned char)(step * (below(seed, values)) % values);
            if (cell > 0 && cell % columns == 0)
                *at++ = '/';
            *at++ = wall ? '#' : (char)('0' + amount[cell]);
        }
        if (strpbrk(picture + 3, "123456789") == NULL) { /* a button has to change something */
            amount[0] = 1;
            picture[3] = '1';
        }
        strcpy(at, "\"\n");
        extend_pair(pair, picture);
        oracle_flip_add_button(&pair->oracle, amount);
    }
    pair->puzzle = make_puzzle(pair->definition);
}

Test(flip, every_board_of_random_buttons)
{
    static struct pair pair;
    uint64_t seed = 20240229;
    for (unsigned round = 0; round < 300; round++) {
        make_random_pair(&pair, &seed);
        check_pair(&pair);
    }
}

Test(flip, buttons_by_name_and_by_cell)
{
    static struct pair pair;
    static const unsigned char corners[] = {1, 0, 1, 1, 0, 1}, left[] = {1, 0, 0, 1, 0, 0};
    begin_pair(&pair, 2, 3, 3, true, "00#/000");
    extend_pair(&pair, "buttons:\n  all: [r1c1, r2c1, r2c3]\n  left: 1.#/1..\n");
    unsigned char amount[6];
    memcpy(amount, corners, sizeof amount);
    amount[2] = 0;
    oracle_flip_add_button(&pair.oracle, amount);
    oracle_flip_add_button(&pair.oracle, left);
    pair.puzzle = make_puzzle(pair.definition);
    pdb_moves moves = {0};
    pdb_error error;
    const uint8_t position[5] = {0};
    cr_assert(pair.puzzle->family->position.moves(pair.puzzle, position, &moves, &error) == PDB_OK);
    static const char *const texts[] = {"press all", "press all backward", "press left", "press left backward"};
    cr_assert(moves.count == COUNT(texts));
    for (size_t i = 0; i < COUNT(texts); i++) {
        cr_expect_str_eq(moves.move[i].text, texts[i]);
        cr_expect_str_eq(moves.move[i].piece, i < 2 ? "all" : "left");
    }
    pdb_moves_free(&moves);
    check_pair(&pair);
}

Test(flip, a_press_says_where)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: flip\nboard: ./#/.\naround: plus\n");
    struct puzzle *listed = make_puzzle("puzzle: t\nfamily: flip\nboard: ...\nbuttons: ['11.', '.11']\n");
    const uint8_t position[3] = {0};
    pdb_moves moves = {0};
    cr_assert(puzzle->family->position.moves(puzzle, position, &moves, NULL) == PDB_OK);
    cr_assert(listed->family->position.moves(listed, position, &moves, NULL) == PDB_OK);
    cr_assert(moves.count == 4);
    cr_expect_str_eq(moves.move[1].text, "press row 3, column 1");
    cr_expect_str_eq(moves.move[1].piece, "r3c1");
    cr_expect_str_eq(moves.move[3].text, "press button 2");
    cr_expect_str_eq(moves.move[3].piece, "b2");
    pdb_moves_free(&moves);
    puzzle_free(puzzle);
    puzzle_free(listed);
}

Test(flip, a_pattern_with_a_marked_cell)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: flip\nboard: \"....\"\naround: (1) . 1\n");
    const uint8_t position[4] = {0};
    pdb_moves moves = {0};
    static const uint8_t expected[4][4] = {{1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    cr_assert(puzzle->family->position.moves(puzzle, position, &moves, NULL) == PDB_OK);
    for (size_t i = 0; i < 4; i++)
        cr_expect(memcmp(moves.move[i].board.symbol, expected[i], 4) == 0);
    pdb_moves_free(&moves);
    puzzle_free(puzzle);
}

/* Pressing one way only is undoable where the opposite is a button too, or where a press undoes itself. */
Test(flip, undoable)
{
    static const struct {
        const char *rest;
        bool undoable;
    } cases[] = {
        {"values: 2\nboard: ..\nbuttons: [1., 11]\n", true},
        {"values: 3\nboard: ..\nbuttons: [1., 11]\n", false},
        {"values: 3\nboard: ..\nbuttons: [1., 2.]\n", true},
        {"values: 3\nboard: ..\nbuttons: [1., 2., 1.]\n", true},
        {"values: 4\nboard: ..\nbuttons: [2., 22]\n", true},
        {"values: 4\nboard: ..\nbuttons: [2., 12]\n", false},
        {"values: 4\nboard: ..\nbuttons: [2., 12]\nbackward: true\n", true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[200];
        snprintf(text, sizeof text, "puzzle: t\nfamily: flip\n%s", cases[i].rest);
        struct puzzle *puzzle = make_puzzle(text);
        cr_expect(puzzle->undoable == cases[i].undoable, "%s", cases[i].rest);
        puzzle_free(puzzle);
    }
}

/* -- the whole way, through the public interface -- */

/* Every board's distance from a search in each of the encodings that values need: with a colouring, without one, where
 * moves cannot be undone. */
static void check_solver(unsigned rows, unsigned columns, unsigned values, bool backward, const char *goal,
                         const struct pattern *pattern)
{
    static struct pair pair;
    const pdb_options options = {.method = PDB_SEARCH, .whole = true, .threads = 2};
    pdb_solver *solver;
    pdb_error error;
    make_pattern_pair(&pair, rows, columns, values, backward, goal, pattern);
    const pdb_puzzle puzzle = catalog_with_moves(pair.puzzle);
    cr_assert(pdb_solver_open(&puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    struct oracle_boards *table = oracle_flip_solve(&pair.oracle);
    pdb_board board = {{0}};
    do {
        unsigned char same[ORACLE_FLIP_CELLS];
        uint32_t distance;
        pair_board(&pair, board.symbol, same);
        const int expected = oracle_boards_distance(table, same);
        cr_assert(pdb_solver_distance(solver, &board, 1, &distance, &error) == PDB_OK, "%s", error.message);
        cr_assert(distance == (expected < 0 ? PDB_NO_DISTANCE : (uint32_t)expected), "%u, not %d\n%s", distance,
                  expected, pair.definition);
    } while (next_position(pair.puzzle, values, board.symbol));
    oracle_boards_free(table);
    pdb_solver_close(solver);
    puzzle_free(pair.puzzle);
}

Test(flip, solver)
{
    check_solver(3, 4, 2, false, NULL, &plus);
    check_solver(3, 3, 2, false, NULL, &eight);
    check_solver(3, 3, 2, false, "*1#/.../..*", &plus);
    check_solver(3, 3, 3, false, NULL, &plus);
    check_solver(3, 3, 3, true, "*1#/2../..*", &plus);
    check_solver(2, 3, 4, false, NULL, &eight);
    check_solver(2, 2, 6, true, NULL, &plus);
}
