/* test_boards.c -- the public interface: random boards, the hardest ones, counts and moves by every method; and that
 * boards are values
 */
#include "solvers.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(solver, .init = solvers_begin, .fini = solvers_end);

/* -- random boards -- */

/* Chi-squared over all 360 boards, and over one layer; the bound is five deviations above the mean. */
static void check_uniform(const pdb_solver *solver, const pdb_puzzle *puzzle, uint32_t at, size_t boards)
{
    enum { EACH = 60, MOST = 400 };
    char text[MOST][PDB_MAX_PLACES];
    size_t drawn[MOST] = {0}, kinds = 0;
    cr_assert(boards <= MOST);
    for (uint64_t seed = 0; seed < EACH * boards; seed++) {
        pdb_board board;
        uint32_t distance;
        char one[PDB_TEXT_MAX];
        cr_assert(pdb_solver_random(solver, at, seed, &board, &distance, NULL) == PDB_OK);
        pdb_board_format(puzzle, &board, one);
        size_t k = 0;
        while (k < kinds && strcmp(text[k], one) != 0)
            k++;
        if (k == kinds) {
            cr_assert(kinds < boards);
            snprintf(text[kinds++], sizeof text[0], "%.200s", one);
        }
        drawn[k]++;
    }
    cr_expect(kinds == boards, "%zu boards of %zu", kinds, boards);
    double squares = 0;
    for (size_t k = 0; k < kinds; k++)
        squares += ((double)drawn[k] - EACH) * ((double)drawn[k] - EACH) / EACH;
    const double mean = (double)boards - 1;
    cr_expect(boards == 1 || (squares - mean) * (squares - mean) < 25 * 2 * mean || squares < mean,
              "%zu boards at %u: chi-squared %g", boards, at, squares);
}

Test(solver, random_boards_are_equally_likely)
{
    pdb_puzzle *puzzle = load_text("t", HEAD "goal: 1 2 3/4 5 .\n");
    pdb_solver *solver = open_solver(puzzle, PDB_SEARCH);
    pdb_info info;
    pdb_solver_info(solver, &info);
    EXPECT_NUMBER(info.reachable, 360);
    check_uniform(solver, puzzle, PDB_NO_DISTANCE, 360);
    for (uint32_t d = 0; d <= info.max; d++)
        check_uniform(solver, puzzle, d, (size_t)info.histogram[d]);
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
}

/* More hardest boards than are listed: the first ten thousand can be asked for, and any may come up at random. */
Test(solver, more_hardest_boards_than_are_kept)
{
    pdb_puzzle *puzzle = load_text("t", HEAD "board: 123/456/78.\ngoal: '***/***/***'\n");
    generate_database("t");
    for (int method = PDB_DATABASE; method <= PDB_SEARCH; method++) {
        pdb_solver *solver = open_solver(puzzle, (pdb_method)method);
        pdb_info info;
        pdb_board board;
        pdb_error error;
        uint32_t distance;
        pdb_solver_info(solver, &info);
        EXPECT_NUMBER(info.hardest, 362880); /* 9!, all of them goals */
        EXPECT_NUMBER(info.max, 0);
        EXPECT_NUMBER(pdb_solver_hardest(solver, 9999, &board, &error), PDB_OK);
        EXPECT_NUMBER(pdb_solver_hardest(solver, 10000, &board, &error), PDB_BAD_USAGE);
        EXPECT_TEXT(error.message, "only the first 10000 of the hardest boards are kept");
        EXPECT_NUMBER(pdb_solver_hardest(solver, 362880, &board, &error), PDB_BAD_USAGE);
        EXPECT_TEXT(error.message, "there are only 362880 hardest boards");
        EXPECT_NUMBER(pdb_solver_random(solver, 0, 5, &board, &distance, &error), PDB_OK);
        EXPECT_NUMBER(distance, 0);
        pdb_solver_close(solver);
    }
    pdb_puzzle_free(puzzle);
}

/* How many solutions there are, found state by state among all and by a search for each board. */
Test(solver, searches_count_what_whole_spaces_count)
{
    static const char *const names[] = {"tiles-2x3", "lights-out-3x3", "queens-5", "knights"};
    for (size_t i = 0; i < COUNT(names); i++) {
        pdb_puzzle *puzzle = load_puzzle(names[i]);
        const pdb_options options = {.directory = solvers_directory, .method = PDB_SEARCH};
        pdb_solver *whole = open_solver(puzzle, PDB_SEARCH), *searcher;
        pdb_error error;
        cr_assert(pdb_solver_open(puzzle, &options, &searcher, &error) == PDB_OK, "%s", error.message);
        for (uint64_t seed = 1; seed <= 5; seed++) {
            char count[PDB_COUNT_MAX], expected[PDB_COUNT_MAX];
            uint32_t distance;
            pdb_board board;
            cr_assert(pdb_solver_random(whole, PDB_NO_DISTANCE, seed, &board, &distance, &error) == PDB_OK);
            cr_assert(pdb_solver_count(whole, &board, distance, expected, &error) == PDB_OK, "%s", error.message);
            cr_assert(pdb_solver_count(searcher, &board, distance, count, &error) == PDB_OK, "%s", error.message);
            EXPECT_TEXT(count, expected);
        }
        pdb_solver_close(searcher);
        pdb_solver_close(whole);
        pdb_puzzle_free(puzzle);
    }
}

/* Moves that are added to a solution, with its path or without, are those of one that was found with them. */
Test(solver, moves_added_to_a_solution)
{
    static const char *const names[] = {"tiles-2x3", "lights-out-3x3",   "queens-5",
                                        "knights",   "jugs-8-5-3:4-4-0", "bridge-1-2-5-10"};
    static const pdb_method methods[] = {PDB_AUTO, PDB_SEARCH};
    for (size_t i = 0; i < 4 * COUNT(names); i++) {
        const unsigned want = i % 2 == 0 ? PDB_WANT_PATH : 0;
        pdb_puzzle *puzzle = load_puzzle(names[i / 4]);
        const pdb_options options = {.directory = solvers_directory, .method = methods[i / 2 % 2]};
        pdb_solver *solver;
        pdb_board board;
        pdb_error error;
        pdb_solution all, parts;
        cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
        cr_assert(pdb_board_parse(puzzle, "start", &board, &error) == PDB_OK, "%s", error.message);
        cr_assert(pdb_solver_solve(solver, &board, want | PDB_WANT_MOVES, &all, &error) == PDB_OK);
        cr_assert(pdb_solver_solve(solver, &board, want, &parts, &error) == PDB_OK);
        cr_assert(parts.moves.count == 0 && (parts.path == NULL) == (want == 0) && (all.path == NULL) == (want == 0));
        cr_assert(pdb_solver_add_moves(solver, &board, &parts, &error) == PDB_OK, "%s", error.message);
        cr_assert(parts.distance == all.distance && parts.moves.count == all.moves.count && all.moves.count > 0);
        for (size_t m = 0; m < all.moves.count; m++)
            cr_assert(memcmp(&parts.moves.move[m], &all.moves.move[m], sizeof *all.moves.move) == 0, "%s of %s",
                      all.moves.move[m].text, names[i / 4]);
        pdb_solution_free(&parts);
        pdb_solution_free(&all);
        pdb_solver_close(solver);
        pdb_puzzle_free(puzzle);
    }
}

/* -- boards are values -- */

/* pdb.h: "a plain value, to be copied and compared at will". Two solvers' boards, one from a text and one from a move,
 * are the same bytes. */
Test(solver, boards_can_be_compared)
{
    pdb_puzzle *puzzle = load_text("t", HEAD "goal: 1 2 3/4 5 .\n");
    pdb_solver *solver = open_solver(puzzle, PDB_SEARCH);
    pdb_moves moves = {0};
    pdb_board board;
    char text[PDB_TEXT_MAX];
    /* Memory that is used again does not come as zeros. */
    void *used = malloc(8 * sizeof(pdb_move));
    memset(used, 0x5A, 8 * sizeof(pdb_move));
    free(used);
    cr_assert(pdb_board_parse(puzzle, "goal", &board, NULL) == PDB_OK);
    cr_assert(pdb_solver_moves(solver, &board, 0, &moves, NULL) == PDB_OK && moves.count == 2);
    for (size_t i = 0; i < moves.count; i++) {
        pdb_board parsed;
        pdb_board_format(puzzle, &moves.move[i].board, text);
        cr_assert(pdb_board_parse(puzzle, text, &parsed, NULL) == PDB_OK);
        cr_expect(memcmp(&parsed, &moves.move[i].board, sizeof parsed) == 0,
                  "the move '%s' leads to a board with other bytes than its text gives", moves.move[i].text);
    }
    pdb_moves_free(&moves);
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
}
