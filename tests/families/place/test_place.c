/* test_place.c -- values in slots: every partial assignment of many small puzzles against brute force, from a database
 * and by search; the figures that are known */
#include "lib/check/check.h"
#include "oracle.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pdb_error error;
static char directory[200];

static void begin(void)
{
    make_directory(directory);
}

static void end(void)
{
    remove_directory(directory);
}

TestSuite(place, .init = begin, .fini = end);

#define PLACE "puzzle: test\nfamily: place\n"

/* ---- every partial assignment ---- */

static pdb_solver *open_solver(const pdb_puzzle *puzzle, const char *where, pdb_method method)
{
    pdb_solver *solver = NULL;
    const pdb_options options = {.directory = where, .method = method, .threads = 2};
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    return solver;
}

static size_t number_of(const pdb_solver *solver, const pdb_board *board, uint32_t distance)
{
    char text[PDB_COUNT_MAX];
    cr_assert(pdb_solver_count(solver, board, distance, text, &error) == PDB_OK, "%s", error.message);
    return strtoull(text, NULL, 10);
}

/* The next placements are those that the rules allow, in order, and those that keep solutions are as far as it has
 * empty slots. */
static void compare_moves(const struct oracle_place *oracle, int *value, uint32_t empties, const pdb_moves *moves)
{
    size_t next = 0;
    for (int slot = 0; slot < oracle->slots; slot++) {
        if (value[slot] >= 0)
            continue;
        for (int v = 0; v < oracle->values; v++) {
            value[slot] = v;
            if (oracle->rule(oracle->context, value)) {
                cr_assert(next < moves->count && moves->move[next].board.symbol[slot] == v + 1, "slot %d, value %d",
                          slot, v);
                const bool solvable = oracle_place_completions(oracle, value) > 0;
                cr_assert(moves->move[next].distance == (solvable ? empties - 1 : PDB_NO_DISTANCE), "%s",
                          moves->move[next].text);
                cr_assert(moves->move[next].optimal == solvable);
                next++;
            }
            value[slot] = -1;
        }
    }
    cr_assert(next == moves->count, "%zu moves, not %zu", moves->count, next);
}

static void compare_board(const struct oracle_place *oracle, const pdb_solver *solver, int *value)
{
    pdb_board board = {{0}};
    pdb_solution solution;
    uint32_t empties = 0;
    for (int slot = 0; slot < oracle->slots; slot++) {
        board.symbol[slot] = (uint8_t)(value[slot] + 1);
        empties += value[slot] < 0;
    }
    const size_t completions = oracle_place_completions(oracle, value);
    const uint32_t distance = completions > 0 ? empties : PDB_NO_DISTANCE;
    cr_assert(pdb_solver_solve(solver, &board, PDB_WANT_MOVES | PDB_WANT_PATH, &solution, &error) == PDB_OK, "%s",
              error.message);
    cr_assert(solution.distance == distance, "%u, not %u", solution.distance, distance);
    cr_assert(number_of(solver, &board, distance) == completions);
    if (distance != PDB_NO_DISTANCE)
        compare_moves(oracle, value, empties, &solution.moves);
    for (uint32_t i = 0; solution.path != NULL && i < distance; i++) { /* a completion */
        int slot = 0;
        while (board.symbol[slot] == solution.path[i].board.symbol[slot])
            slot++;
        value[slot] = solution.path[i].board.symbol[slot] - 1;
        board = solution.path[i].board;
    }
    if (distance != PDB_NO_DISTANCE)
        cr_assert(oracle_place_completions(oracle, value) == 1);
    pdb_solution_free(&solution);
}

/* All of them, slot after slot. Returns how many can be completed. */
static size_t compare_all(const struct oracle_place *oracle, const pdb_solver *solver)
{
    int value[ORACLE_SLOTS], copy[ORACLE_SLOTS];
    size_t completable = 0;
    for (int slot = 0; slot < ORACLE_SLOTS; slot++)
        value[slot] = -1;
    for (int slot = 0; slot < oracle->slots;) {
        memcpy(copy, value, sizeof copy);
        completable += oracle_place_completions(oracle, value) > 0;
        compare_board(oracle, solver, copy);
        for (slot = 0; slot < oracle->slots && ++value[slot] == oracle->values; slot++)
            value[slot] = -1;
    }
    return completable;
}

/* A puzzle by name, or by the text of a definition, both ways. */
static void compare_puzzle(const struct oracle_place *oracle, const char *name, const char *text)
{
    char path[300], command[700];
    pdb_puzzle *puzzle = NULL;
    snprintf(path, sizeof path, "%s/test.yaml", directory);
    if (text != NULL)
        write_file(path, text, strlen(text));
    cr_assert(pdb_puzzle_load(text != NULL ? path : name, &puzzle, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(puzzle->moves->board.places, oracle->slots);
    EXPECT_NUMBER(puzzle->moves->board.symbols, oracle->values + 1);
    snprintf(command, sizeof command, "%s -q -f -d '%s' '%s' 2>/dev/null", getenv("PDB_GEN"), directory,
             text != NULL ? path : name);
    const int made = system(command);
    EXPECT_NUMBER(made, oracle->count > 0 ? 0 : 1 << 8); /* the exit code of a puzzle without a solution is 1 */
    pdb_solver *search = open_solver(puzzle, directory, PDB_SEARCH);
    const size_t completable = compare_all(oracle, search);
    pdb_solver_close(search);
    if (oracle->count > 0) {
        pdb_solver *database = open_solver(puzzle, directory, PDB_DATABASE);
        pdb_info info;
        pdb_solver_info(database, &info);
        EXPECT_NUMBER(info.reachable, completable);
        EXPECT_NUMBER(compare_all(oracle, database), completable);
        pdb_solver_close(database);
    }
    pdb_puzzle_free(puzzle);
}

Test(place, every_partial_board_of_queens)
{
    for (int n = 1; n <= 6; n++) {
        char name[16];
        struct oracle_place oracle = {.slots = n, .values = n, .rule = oracle_queens, .context = &n};
        oracle_place_solve(&oracle, false);
        snprintf(name, sizeof name, "queens-%d", n);
        compare_puzzle(&oracle, name, NULL);
        free(oracle.solution);
    }
}

static void compare_sum(const char *equation, int base, size_t expected)
{
    char text[200];
    struct oracle_sum sum = {.equation = equation, .base = base};
    struct oracle_place oracle = {.values = base, .rule = oracle_sum, .context = &sum};
    oracle_sum_letters(&sum);
    oracle.slots = (int)strlen(sum.letters);
    oracle_place_solve(&oracle, true);
    EXPECT_NUMBER(oracle.count, expected);
    snprintf(text, sizeof text, PLACE "equation: %s\nbase: %d\n", equation, base);
    compare_puzzle(&oracle, NULL, text);
    free(oracle.solution);
}

Test(place, every_partial_board_of_sums)
{
    compare_sum("SO+SO=TOO", 10, 1);
    compare_sum("A+B=BA-C", 5, 3);
    compare_sum("AB+BC=CA", 6, 0);
    compare_sum("AB-C+D=DA", 6, 6);
    compare_sum("A+A=B", 2, 0);
    compare_sum("AB+CD=BA+DC", 5, 8);
    compare_sum("A+B=B+C", 4, 0);
    compare_sum("A+B=B+A", 4, 12);
    compare_sum("ABC+ABC=BCAA", 7, 0);
}

/* Groups of several sorts, walls, steps; a definition and the oracle's rules are made of the same lists. */
static void compare_groups(const char *board, int values, const struct oracle_groups *groups)
{
    char text[2000];
    struct oracle_place oracle = {.values = values, .rule = oracle_groups, .context = groups};
    int length = snprintf(text, sizeof text, PLACE "board: '%s'\nvalues: 0-%d\ndifferent:\n", board, values - 1);
    for (const char *c = board; *c != '\0'; c++)
        oracle.slots += *c == '.';
    for (int g = 0; g < groups->groups; g++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "  - {step: %d, slots: [",
                           groups->group[g].step);
        for (int i = 0; i < groups->group[g].slots; i++) {
            int cell = 0, row = 1, column = 1;
            for (int slot = groups->group[g].slot[i]; slot > 0 || board[cell] != '.'; cell++) {
                slot -= board[cell] == '.';
                column = board[cell] == '/' ? 1 : column + 1;
                row += board[cell] == '/';
            }
            length += snprintf(text + length, sizeof text - (size_t)length,
                               strchr(board, '/') != NULL ? "%sr%dc%d" : "%s%.0d%d", i > 0 ? ", " : "",
                               strchr(board, '/') != NULL ? row : 0,
                               strchr(board, '/') != NULL ? column : groups->group[g].slot[i] + 1);
        }
        length += snprintf(text + length, sizeof text - (size_t)length, "]}\n");
    }
    oracle_place_solve(&oracle, false);
    compare_puzzle(&oracle, NULL, text);
    free(oracle.solution);
}

Test(place, every_partial_board_of_groups)
{
    static const struct {
        const char *board;
        int slots, values;
    } boards[] = {{"../.#/..", 5, 4}, {"...../.####", 6, 3}, {"....", 4, 5}, {"#../...", 5, 4}, {".../...", 6, 2}};
    uint64_t seed = 4711;
    for (size_t b = 0; b < COUNT(boards); b++)
        for (int round = 0; round < 2; round++) {
            struct oracle_groups groups = {.groups = 1 + (int)random_below(&seed, 4)};
            for (int g = 0; g < groups.groups; g++) {
                const int most = boards[b].values < boards[b].slots ? boards[b].values : boards[b].slots;
                int order[ORACLE_SLOTS];
                groups.group[g].slots = 2 + (int)random_below(&seed, (uint64_t)most - 1);
                groups.group[g].step = (int)random_below(&seed, 5) - 2;
                for (int i = 0; i < boards[b].slots; i++)
                    order[i] = i;
                for (int i = 0; i < groups.group[g].slots; i++) {
                    const int other = i + (int)random_below(&seed, (uint64_t)(boards[b].slots - i)),
                              slot = order[other];
                    order[other] = order[i];
                    groups.group[g].slot[i] = slot;
                }
            }
            compare_groups(boards[b].board, boards[b].values, &groups);
        }
}

Test(place, every_partial_latin_square_of_order_3)
{
    struct oracle_groups groups = {.groups = 6};
    for (int g = 0; g < 6; g++) {
        groups.group[g].slots = 3;
        for (int i = 0; i < 3; i++)
            groups.group[g].slot[i] = g < 3 ? 3 * g + i : g - 3 + 3 * i;
    }
    struct oracle_place oracle = {.slots = 9, .values = 3, .rule = oracle_groups, .context = &groups};
    oracle_place_solve(&oracle, false);
    EXPECT_NUMBER(oracle.count, 12);
    compare_puzzle(&oracle, NULL, PLACE "board: .../.../...\nvalues: 1-3\ndifferent: [rows, columns]\n");
    free(oracle.solution);
}

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
