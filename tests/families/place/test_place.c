/* test_place.c -- values in slots: every partial assignment of many small puzzles against brute force, from a database
 * and by search */
#include "oracle.h"
#include "solutions.h"

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
