/* test_many.c -- puzzles from text in memory, all boards of a distance part by part, and distances of boards in arrays
 *
 * What is asked in bulk is held against what is asked board by board, and against the histogram.
 */
#include "tests/support/support.h"

#include "pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of holes, mirrored: one state stands for two boards. */
#define MIRRORED "puzzle: row\nfamily: peg\njumps: orthogonal\ngoal: .............1.............\n"

static pdb_puzzle *load(const char *name_or_text)
{
    pdb_puzzle *puzzle = NULL;
    pdb_error error;
    const pdb_status status = strchr(name_or_text, '\n') == NULL
                                  ? pdb_puzzle_load(name_or_text, &puzzle, &error)
                                  : pdb_puzzle_read(name_or_text, strlen(name_or_text), NULL, &puzzle, &error);
    cr_assert(status == PDB_OK, "%s", error.message);
    return puzzle;
}

static pdb_solver *open_whole(const pdb_puzzle *puzzle)
{
    const pdb_options options = {.directory = "/nonexistent", .whole = true, .threads = 2};
    pdb_solver *solver = NULL;
    pdb_error error;
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    return solver;
}

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(pdb_board));
}

/* All boards at a distance, taken `room` at a time; the caller frees them. */
static pdb_board *boards_at(const pdb_solver *solver, uint32_t distance, size_t room, size_t *all)
{
    pdb_board *boards = malloc(sizeof *boards), *some = malloc(room * sizeof *some);
    cr_assert(boards != NULL && some != NULL);
    *all = 0;
    for (uint64_t place = 0; place != PDB_ALL_BOARDS;) {
        size_t count = SIZE_MAX;
        cr_assert(pdb_solver_boards(solver, distance, &place, some, room, &count, NULL) == PDB_OK);
        cr_assert(count <= room);
        boards = realloc(boards, (*all + count + 1) * sizeof *boards);
        cr_assert(boards != NULL);
        memcpy(boards + *all, some, count * sizeof *some);
        *all += count;
    }
    free(some);
    return boards;
}

/* Each board once, at this distance both one by one and in an array, and the same however many are taken at a time. */
static void check_distance(const pdb_puzzle *puzzle, const pdb_solver *solver, uint32_t distance, uint64_t expected)
{
    const size_t places = pdb_puzzle_places(puzzle);
    size_t count, again;
    pdb_board *boards = boards_at(solver, distance, 700, &count), *few = boards_at(solver, distance, 3, &again);
    cr_assert(count == expected && again == count, "%zu and %zu at %u, not %llu", count, again, distance,
              (unsigned long long)expected);
    cr_expect(memcmp(boards, few, count * sizeof *boards) == 0);
    uint8_t *symbols = malloc(count * places + 1);
    uint32_t *each = malloc((count + 1) * sizeof *each), *row = malloc((count + 1) * sizeof *row);
    cr_assert(symbols != NULL && each != NULL && row != NULL);
    for (size_t i = 0; i < count; i++)
        memcpy(symbols + i * places, boards[i].symbol, places);
    cr_assert(pdb_solver_distance(solver, boards, count, each, NULL) == PDB_OK);
    cr_assert(pdb_solver_distances(solver, symbols, count, row, NULL) == PDB_OK);
    for (size_t i = 0; i < count; i++)
        cr_assert(each[i] == distance && row[i] == distance);
    qsort(boards, count, sizeof *boards, compare);
    for (size_t i = 1; i < count; i++)
        cr_assert(compare(&boards[i - 1], &boards[i]) != 0, "a board twice");
    free(boards);
    free(few);
    free(symbols);
    free(each);
    free(row);
}

Test(many, boards_of_every_distance)
{
    static const char *const puzzles[] = {"guarini", "knights", "hoppers", "wolf-goat-cabbage", "queens-5", MIRRORED};
    for (size_t i = 0; i < COUNT(puzzles); i++) {
        pdb_puzzle *puzzle = load(puzzles[i]);
        pdb_solver *solver = open_whole(puzzle);
        pdb_info info;
        pdb_solver_info(solver, &info);
        for (uint32_t d = 0; d <= info.max; d++)
            check_distance(puzzle, solver, d, info.histogram[d]);
        check_distance(puzzle, solver, info.max + 1, 0);
        pdb_solver_close(solver);
        pdb_puzzle_free(puzzle);
    }
}

/* Keys, a list of the hardest, more states than one call looks at. */
Test(many, boards_of_large_spaces)
{
    static const struct {
        const char *puzzle;
        uint32_t distance, count; /* known by figures, or counted by presses: 20 buttons, two of them */
    } cases[] = {{"klotski", 12, 0}, {"lights-out-4x5", 2, 190}, {"goat", 52, 7}};
    for (size_t i = 0; i < (share() > 1 ? 2 : COUNT(cases)); i++) { /* in short two: by keys, by words */
        pdb_puzzle *puzzle = load(cases[i].puzzle);
        pdb_solver *solver = open_whole(puzzle);
        pdb_info info;
        pdb_solver_info(solver, &info);
        check_distance(puzzle, solver, cases[i].distance, info.histogram[cases[i].distance]);
        cr_expect(cases[i].count == 0 || info.histogram[cases[i].distance] == cases[i].count);
        pdb_solver_close(solver);
        pdb_puzzle_free(puzzle);
    }
}

Test(many, arrays)
{
    pdb_puzzle *puzzle = load("8-puzzle");
    pdb_solver *solver = open_whole(puzzle);
    pdb_error error;
    uint32_t distance[600];
    uint8_t symbols[600][9];
    pdb_board start, swapped;
    cr_assert(pdb_puzzle_places(puzzle) == 9);
    cr_assert(pdb_board_parse(puzzle, "start", &start, NULL) == PDB_OK);
    cr_assert(pdb_board_parse(puzzle, "213456780", &swapped, NULL) == PDB_OK);
    for (size_t i = 0; i < 600; i++)
        memcpy(symbols[i], i % 2 == 0 ? start.symbol : swapped.symbol, 9);
    cr_assert(pdb_solver_distances(solver, symbols[0], 600, distance, &error) == PDB_OK, "%s", error.message);
    for (size_t i = 0; i < 600; i++)
        cr_assert(distance[i] == (i % 2 == 0 ? 31 : PDB_NO_DISTANCE));
    EXPECT_NUMBER(pdb_solver_distances(solver, symbols[0], 0, NULL, &error), PDB_OK);
    symbols[513][4] = symbols[513][5]; /* a tile twice */
    EXPECT_NUMBER(pdb_solver_distances(solver, symbols[0], 600, distance, &error), PDB_BAD_BOARD);
    cr_expect(strncmp(error.message, "board 513 of the array: ", 24) == 0, "%s", error.message);
    symbols[300][0] = 200;
    EXPECT_NUMBER(pdb_solver_distances(solver, symbols[0], 600, distance, &error), PDB_BAD_BOARD);
    EXPECT_TEXT(error.message, "board 300 of the array: this is no board of 8-puzzle: it has a symbol number 200");
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
}

Test(many, refused)
{
    pdb_puzzle *puzzle = load("24-puzzle"), *codes = load("mastermind-6x4");
    pdb_options options = {.directory = "/nonexistent"};
    pdb_solver *solver;
    pdb_error error;
    pdb_board board;
    uint64_t place = 0;
    size_t count;
    uint8_t none = 0;
    uint32_t distance;
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(pdb_solver_boards(solver, 3, &place, &board, 1, &count, &error), PDB_NO_DATABASE);
    pdb_solver_close(solver);
    cr_assert(pdb_solver_open(codes, &options, &solver, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(pdb_puzzle_places(codes), 0);
    EXPECT_NUMBER(pdb_solver_boards(solver, 3, &place, &board, 1, &count, &error), PDB_BAD_BOARD);
    EXPECT_NUMBER(pdb_solver_distances(solver, &none, 1, &distance, &error), PDB_BAD_BOARD);
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
    pdb_puzzle_free(codes);
}

Test(many, text_in_memory)
{
    static const char text[] = "puzzle: small\nfamily: slide\ngoal: 123/45.\nand what lies behind it";
    pdb_puzzle *puzzle = NULL;
    pdb_error error;
    const size_t length = (size_t)(strstr(text, "and what") - text);
    cr_assert(pdb_puzzle_read(text, length, NULL, &puzzle, &error) == PDB_OK, "%s", error.message);
    EXPECT_TEXT(pdb_puzzle_name(puzzle), "small");
    EXPECT_NUMBER(pdb_puzzle_states(puzzle), 360);
    pdb_puzzle_free(puzzle);
    EXPECT_NUMBER(pdb_puzzle_read("family: slide\n", 14, "my text", &puzzle, &error), PDB_BAD_DEFINITION);
    cr_expect(strncmp(error.message, "my text:1:1: ", 13) == 0, "%s", error.message);
    EXPECT_NUMBER(pdb_puzzle_read("puzzle: [\n", 10, NULL, &puzzle, &error), PDB_BAD_DEFINITION);
    cr_expect(strncmp(error.message, "definition:", 11) == 0, "%s", error.message);
    EXPECT_NUMBER(pdb_puzzle_read("", 0, NULL, &puzzle, NULL), PDB_BAD_DEFINITION);
}
