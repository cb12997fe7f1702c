/* test_figures.c -- values in slots: the numbers of solutions that are known, and searches that are stopped or find
 * nothing
 */
#include "lib/check/check.h"
#include "oracle.h"
#include "solutions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pdb_error error;

/* ---- figures ---- */

/* How many solutions an empty board, or one given as text, has, by search. */
static size_t solutions(const pdb_puzzle *puzzle, const char *text, unsigned threads)
{
    const pdb_options options = {.directory = "/nonexistent", .method = PDB_SEARCH, .threads = threads};
    pdb_solver *solver;
    pdb_board board;
    uint32_t distance;
    cr_assert(pdb_board_parse(puzzle, text, &board, &error) == PDB_OK, "%s", error.message);
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    cr_assert(pdb_solver_distance(solver, &board, 1, &distance, &error) == PDB_OK, "%s", error.message);
    const size_t count = number_of(solver, &board, distance);
    cr_assert((count > 0) == (distance != PDB_NO_DISTANCE));
    pdb_solver_close(solver);
    return count;
}

static size_t solutions_of(const char *name)
{
    pdb_puzzle *puzzle = load_puzzle(name);
    const size_t count = solutions(puzzle, "start", 2);
    pdb_puzzle_free(puzzle);
    return count;
}

static size_t solutions_defined(const char *text)
{
    pdb_puzzle *puzzle = load_puzzle(text);
    const size_t count = solutions(puzzle, "start", 2);
    pdb_puzzle_free(puzzle);
    return count;
}

Test(place, queens)
{
    static const size_t known[] = {1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596};
    for (size_t n = 1; n <= COUNT(known); n++) {
        char name[16];
        snprintf(name, sizeof name, "queens-%zu", n);
        EXPECT_NUMBER(solutions_of(name), known[n - 1]);
    }
}

/* From the whole space in memory: the paths' counts, not the searcher's. */
Test(place, queens_whole)
{
    static const size_t known[] = {10, 4, 40, 92, 352};
    for (size_t n = 5; n <= 9; n++) {
        char name[16];
        pdb_solver *solver;
        pdb_board board = {{0}};
        const pdb_options options = {.directory = "/nonexistent", .whole = true, .threads = 2};
        snprintf(name, sizeof name, "queens-%zu", n);
        pdb_puzzle *puzzle = load_puzzle(name);
        cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
        pdb_info info;
        pdb_solver_info(solver, &info);
        EXPECT_NUMBER(info.histogram[0], known[n - 5]);
        EXPECT_NUMBER(info.histogram[n], 1);
        EXPECT_NUMBER(number_of(solver, &board, (uint32_t)n), known[n - 5]);
        pdb_solver_close(solver);
        pdb_puzzle_free(puzzle);
    }
}

Test(place, threads_do_not_matter)
{
    pdb_puzzle *puzzle = load_puzzle("queens-11");
    for (unsigned threads = 1; threads <= 5; threads++) {
        EXPECT_NUMBER(solutions(puzzle, "start", threads), 2680);
        size_t all = 0;
        for (int column = 1; column <= 11; column++) {
            char text[64];
            snprintf(text, sizeof text, ".,.,.,%d,.,.,.,.,.,.,.", column);
            all += solutions(puzzle, text, threads);
        }
        EXPECT_NUMBER(all, 2680);
    }
    pdb_puzzle_free(puzzle);
}

Test(place, squares)
{
    EXPECT_NUMBER(solutions_defined(PLACE "board: ..../..../..../....\nvalues: 1-4\ndifferent: [rows, columns]\n"),
                  576);
    EXPECT_NUMBER(solutions_defined(
                      PLACE "board: ...../...../...../...../.....\nvalues: a b c d e\ndifferent: [rows, columns]\n"),
                  161280);
    EXPECT_NUMBER(
        solutions_defined(PLACE "board: ..../..../..../....\nvalues: 1-4\ndifferent: [rows, columns, boxes 2x2]\n"),
        288);
    EXPECT_NUMBER(solutions_defined(PLACE "board: ....../....../....../....../....../......\nvalues: 1-6\n"
                                          "different: [rows, columns, boxes 2x3]\n"),
                  28200960);
    EXPECT_NUMBER(solutions_defined(PLACE "board: ....../....../....../....../....../......\nvalues: 1-6\n"
                                          "different: [rows, columns]\n"),
                  812851200); /* OEIS A002860 */
    /* diagonal Latin squares of order 4 and 5 (OEIS A274806) */
    EXPECT_NUMBER(
        solutions_defined(PLACE "board: ..../..../..../....\nvalues: 1-4\ndifferent: [rows, columns, diagonals]\n"),
        48);
    EXPECT_NUMBER(
        solutions_defined(PLACE
                          "board: ...../...../...../...../.....\nvalues: 1-5\ndifferent: [rows, columns, diagonals]\n"),
        960);
}

/* 'different' as a list of slots is one group, and values may be a range of letters. */
Test(place, ways_to_write)
{
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: 1-3\ndifferent: [1, 2, 3]\n"), 6);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: 1-3\ndifferent: [1, 3]\n"), 18);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: 1-3\ndifferent: [1 2, 2 3]\n"), 12);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: A-D\ndifferent: 1 2 3\n"), 24);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: A-D\ndifferent:\n  - slots: [1, 2]\n  - 2 3\n"), 36);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: 1-3\ndifferent: [1 2, [3]]\n"), 18);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: |\n  1-3\ndifferent: all\n"), 6);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: [1-4]\ndifferent: all\n"), 24);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: '1-4,'\ndifferent: all\n"), 24);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: ['1-4']\ndifferent: all\n"), 24);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: 0-0 0-1 1-1 1-0\ndifferent: all\n"), 24);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: [a-b, b-c, c-a]\ndifferent: all\n"), 6);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: [x, '1-2', '2-9']\ndifferent: all\n"), 6);
    EXPECT_NUMBER(solutions_defined(PLACE "board: '...'\nvalues: [A-1, A-2, x-ray]\ndifferent: all\n"), 6);
    EXPECT_NUMBER(solutions_defined(PLACE "equation: |\n  SEND + MORE = MONEY\n\n"), 1);
    EXPECT_NUMBER(solutions_defined(PLACE "equation: SEND + MORE = MONEY\ndifferent: [S, E, N, D, M, O, R, Y]\n"), 1);
}

/* An easy 9x9 grid: one solution, checked group by group; with a clue taken out there are more; with a wrong one
 * none. */
Test(place, sudoku)
{
    pdb_puzzle *puzzle = load_puzzle(
        PLACE "board: |\n  .........\n  .........\n  .........\n  .........\n  .........\n  .........\n  .........\n"
              "  .........\n  .........\nvalues: 1-9\ndifferent: [rows, columns, boxes 3x3]\nboards:\n  start: |\n"
              "    53..7....\n    6..195...\n    .98....6.\n    8...6...3\n    4..8.3..1\n    7...2...6\n"
              "    .6....28.\n    ...419..5\n    ....8..79\n");
    cr_expect(puzzle->states == 0 && puzzle->size > 1e80);
    EXPECT_NUMBER(solutions(puzzle, "start", 2), 1);
    EXPECT_NUMBER(solutions(puzzle, "r1c1=5 r1c2=5", 1), 0);
    /* one that is hard where slots are filled in order */
    EXPECT_NUMBER(solutions(puzzle,
                            "......... .....3.85 ..1.2.... ...5.7... ..4...1.. .9....... 5......73 ..2.1.... ....4...9",
                            1),
                  1);
    EXPECT_NUMBER(solutions(puzzle,
                            "534678912/672195348/198342567/859761423/426853791/713924856/961537284/287419635/345286179",
                            1),
                  1);
    EXPECT_NUMBER(solutions(puzzle,
                            "534678912/672195348/198342567/859761423/426853791/713924856/961537284/287419635/345286197",
                            1),
                  0);
    pdb_puzzle_free(puzzle);
}

Test(place, send_more)
{
    pdb_puzzle *puzzle = load_puzzle("send-more");
    pdb_board board;
    char text[PDB_TEXT_MAX];
    pdb_solver *solver = open_solver(puzzle, "/nonexistent", PDB_SEARCH);
    pdb_move path[8];
    cr_assert(pdb_board_parse(puzzle, "start", &board, &error) == PDB_OK);
    cr_assert(pdb_solver_path(solver, &board, 8, path, &error) == PDB_OK, "%s", error.message);
    pdb_board_format(puzzle, &path[7].board, text);
    EXPECT_TEXT(text, "95671082"); /* SENDMORY */
    EXPECT_NUMBER(solutions(puzzle, "start", 2), 1);
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
}

/* Sums against brute force, from the empty board alone: larger ones. */
Test(place, sums)
{
    static const struct {
        const char *equation;
        int base;
        size_t known;
    } sums[] = {
        {"SEND+MORE=MONEY", 10, 1}, {"TWO+TWO=FOUR", 10, 7}, {"SEND+MORE=MONEY", 9, 0}, {"EAT+THAT=APPLE", 10, 1},
        {"ABC+DEF=GHI", 9, 0},      {"ABC+DEF=GHI", 10, 0},  {"A+B+C=DE", 12, 0},       {"AB+CD=EF", 11, 0},
        {"SEND-MORE=MONEY", 10, 0}, {"X+Y=Z", 36, 0}};
    for (size_t i = 0; i < COUNT(sums); i += short_step(3)) {
        char text[200];
        struct oracle_sum sum = {.equation = sums[i].equation, .base = sums[i].base};
        struct oracle_place oracle = {.values = sums[i].base, .rule = oracle_sum, .context = &sum};
        oracle_sum_letters(&sum);
        oracle.slots = (int)strlen(sum.letters);
        oracle_place_solve(&oracle, true);
        snprintf(text, sizeof text, PLACE "equation: %s\nbase: %d\n", sums[i].equation, sums[i].base);
        cr_expect(solutions_defined(text) == oracle.count, "%s to the base %d: %zu, not %zu", sums[i].equation,
                  sums[i].base, solutions_defined(text), oracle.count);
        if (sums[i].known > 0)
            EXPECT_NUMBER(oracle.count, sums[i].known);
        free(oracle.solution);
    }
}

/* Values that are all alike, as many as there are bits in a word. Of counts above 2^127 only --count says that they are
 * too large. */
Test(place, many_alike)
{
    char board[320], text[800], row[3 * 64 + 1], count[PDB_COUNT_MAX] = "x";
    int length = 0, values = 0;
    for (int slot = 0; slot < 64; slot++) {
        length += snprintf(board + length, sizeof board - (size_t)length, ". ");
        values += snprintf(row + values, sizeof row - (size_t)values, "%d ", slot + 10);
    }
    snprintf(text, sizeof text, PLACE "board: '%s'\nvalues: %s\ndifferent: all\n", board, row);
    pdb_puzzle *puzzle = load_puzzle(text);
    length = 0;
    for (int slot = 1; slot <= 54; slot++)
        length += snprintf(board + length, sizeof board - (size_t)length, "%d ", slot + 19);
    snprintf(board + length, sizeof board - (size_t)length, ". . . . . . . . . .");
    EXPECT_NUMBER(solutions(puzzle, board, 2), 3628800);
    pdb_solver *solver = open_solver(puzzle, "/nonexistent", PDB_SEARCH);
    const pdb_board empty = {{0}};
    EXPECT_NUMBER(pdb_solver_count(solver, &empty, 64, count, &error), PDB_TOO_LARGE);
    EXPECT_NUMBER(pdb_solver_count_soon(solver, &empty, 64, count, &error), PDB_OK);
    EXPECT_TEXT(count, "");
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
}

/* Two equations about the same letters. */
Test(place, several_equations)
{
    size_t count = 0;
    for (int ab = 10; ab < 100; ab++)
        for (int c = 0; c < 10; c++) {
            const int a = ab / 10, b = ab % 10, d = (ab + c) / 10, e = a + c;
            if (ab + c >= 100 || (ab + c) % 10 != a || e >= 10)
                continue;
            count += a != b && a != c && a != d && a != e && b != c && b != d && b != e && c != d && c != e && d != e;
        }
    EXPECT_NUMBER(count, 8);
    EXPECT_NUMBER(solutions_defined(PLACE "equation: [AB + C = DA, A + C = E]\n"), count);
    EXPECT_NUMBER(solutions_defined(PLACE "equation: [AB + C = DA, A + C = E, E + B = A]\n"), 0);
}

/* ---- searching ---- */

static bool refuse(void *context, uint32_t bound, uint64_t nodes)
{
    (void)bound;
    (void)nodes;
    ++*(unsigned *)context;
    return false;
}

Test(place, interrupted)
{
    pdb_puzzle *puzzle = load_puzzle("queens-20");
    pdb_solver *solver;
    pdb_board board = {{0}};
    char text[PDB_COUNT_MAX] = "x";
    unsigned asked = 0;
    pdb_options options = {.directory = "/nonexistent", .threads = 3, .observe = refuse, .context = &asked};
    cr_expect(puzzle->states == 0);
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK);
    cr_expect(pdb_solver_count(solver, &board, 20, text, &error) == PDB_INTERRUPTED && asked > 0, "%s", error.message);
    pdb_solver_close(solver);
    options.observe = NULL;
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK);
    cr_assert(pdb_solver_count_soon(solver, &board, 20, text, &error) == PDB_OK);
    EXPECT_TEXT(text, "");
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
}

/* The contract's checker, with numbers and without, with solutions and without. */
Test(place, contract)
{
    static const char *const names[] = {"queens-1",  "queens-3",  "queens-6",
                                        "queens-20", "send-more", "alphametic:TWO+TWO=FOUR"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *puzzle = built_in(names[i]);
        struct check_limits limits = check_defaults(2);
        struct check_report report;
        limits.moves = 400000 / share();
        pdb_status status = check_puzzle(puzzle, &limits, &report, &error);
        cr_expect(status == PDB_OK && report.states > 0 && report.moves > 0, "%s: %s", names[i], error.message);
        puzzle_free(puzzle);
    }
}

/* A puzzle with no solution has nothing to keep, and says so. */
Test(place, no_solution)
{
    static const char *const names[] = {"queens-2", "queens-3", "alphametic:AA+AA=A"};
    for (size_t i = 0; i < COUNT(names); i++) {
        pdb_puzzle *puzzle = load_puzzle(names[i]);
        pdb_solver *solver;
        const pdb_options options = {.directory = "/nonexistent", .whole = true};
        cr_expect(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_UNREACHABLE &&
                  strstr(error.message, "has no solution") != NULL);
        EXPECT_NUMBER(error_exit_code(error.status), 1);
        pdb_puzzle_free(puzzle);
        EXPECT_NUMBER(solutions_of(names[i]), 0);
    }
}
