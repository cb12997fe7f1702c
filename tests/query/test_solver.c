/* test_solver.c -- the public interface: what a database says is what a search says, and both say what the oracle says
 */
#include "solvers.h"
#include "tests/families/slide/model.h"
#include "tests/support/goat_figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(solver, .init = solvers_begin, .fini = solvers_end);

struct subject {
    struct model *model; /* the same puzzle as `puzzle`, which was loaded from a file */
    struct oracle_table *table;
    const pdb_puzzle *puzzle;
    const pdb_solver *solver;
};

static uint32_t oracle_says(const struct subject *subject, const pdb_board *board)
{
    unsigned char bytes[ORACLE_CELLS];
    model_to_oracle(subject->model, board->symbol, bytes);
    const int distance = oracle_distance(subject->table, bytes);
    return distance < 0 ? PDB_NO_DISTANCE : (uint32_t)distance;
}

/* Are the two boards one move of one piece apart? */
static bool one_move(const struct subject *subject, const pdb_board *from, const pdb_board *to)
{
    unsigned char a[ORACLE_CELLS], b[ORACLE_CELLS];
    struct oracle_board next[64];
    const size_t size = (size_t)(subject->model->oracle.rows * subject->model->oracle.columns);
    model_to_oracle(subject->model, from->symbol, a);
    model_to_oracle(subject->model, to->symbol, b);
    const int count = oracle_neighbours(&subject->model->oracle, a, next, 64);
    for (int i = 0; i < count; i++)
        if (memcmp(next[i].cell, b, size) == 0)
            return true;
    return false;
}

static void check_board_of(const struct subject *subject, const pdb_board *board, pdb_moves *moves)
{
    uint32_t distance = 0;
    unsigned char bytes[ORACLE_CELLS];
    struct oracle_board next[64];
    pdb_error error;
    cr_assert(pdb_solver_distance(subject->solver, board, 1, &distance, &error) == PDB_OK, "%s", error.message);
    cr_assert(distance == oracle_says(subject, board));
    model_to_oracle(subject->model, board->symbol, bytes);
    cr_assert(pdb_solver_moves(subject->solver, board, distance, moves, &error) == PDB_OK, "%s", error.message);
    cr_assert((int)moves->count == oracle_neighbours(&subject->model->oracle, bytes, next, 64));
    size_t optimal = 0;
    for (size_t i = 0; i < moves->count; i++) {
        const pdb_move *move = &moves->move[i];
        cr_assert(one_move(subject, board, &move->board));
        cr_assert(move->distance == oracle_says(subject, &move->board));
        cr_assert(move->optimal == (distance != PDB_NO_DISTANCE && distance > 0 && move->distance + 1 == distance));
        cr_assert(strncmp(move->text, move->piece, strlen(move->piece)) == 0 &&
                  strlen(move->text) > strlen(move->piece));
        for (size_t j = 0; j < i; j++)
            cr_assert(strcmp(move->text, moves->move[j].text) != 0, "two moves are called '%s'", move->text);
        optimal += move->optimal;
    }
    cr_assert((optimal > 0) == (distance != PDB_NO_DISTANCE && distance > 0));

    char count[PDB_COUNT_MAX], expected[PDB_COUNT_MAX];
    cr_assert(pdb_solver_count(subject->solver, board, distance, count, &error) == PDB_OK, "%s", error.message);
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)oracle_count_paths(subject->table, bytes));
    cr_assert(strcmp(count, expected) == 0, "%s shortest solutions, not %s", count, expected);
    if (distance == PDB_NO_DISTANCE)
        return;

    pdb_move *path = checked_memory(distance, sizeof *path);
    cr_assert(pdb_solver_path(subject->solver, board, distance, path, &error) == PDB_OK, "%s", error.message);
    const pdb_board *at = board;
    for (uint32_t i = 0; i < distance; i++) {
        cr_assert(one_move(subject, at, &path[i].board));
        cr_assert(path[i].optimal && path[i].distance == distance - i - 1);
        at = &path[i].board;
    }
    cr_assert(oracle_says(subject, at) == 0);
    free(path);
}

static void check_info(const struct subject *subject, pdb_method method, const char *file)
{
    pdb_info info;
    pdb_solver_info(subject->solver, &info);
    const size_t *histogram = oracle_histogram(subject->table);
    cr_assert(info.method == method && info.states == pdb_puzzle_states(subject->puzzle));
    cr_assert(info.reachable == oracle_count(subject->table) && info.max == (uint32_t)oracle_max(subject->table));
    cr_assert(info.hardest == histogram[info.max]);
    for (uint32_t d = 0; d <= info.max; d++)
        cr_assert(info.histogram[d] == histogram[d]);
    cr_assert(strlen(info.definition) == 32 && strspn(info.definition, "0123456789abcdef") == 32);
    if (method == PDB_SEARCH) {
        cr_assert(info.file == NULL && info.generator == NULL && *info.content == '\0');
        return;
    }
    cr_assert(info.file != NULL && strcmp(info.file, file) == 0, "%s", info.file);
    FILE *opened = fopen(info.file, "r");
    cr_assert(opened != NULL && fseek(opened, 0, SEEK_END) == 0 && (uint64_t)ftell(opened) == info.file_bytes);
    fclose(opened);
    cr_assert(strcmp(info.generator, PDB_VERSION) == 0 && strlen(info.content) == 32);
}

static void check_hardest(const struct subject *subject)
{
    pdb_info info;
    pdb_board board, before = {{0}};
    pdb_error error;
    pdb_solver_info(subject->solver, &info);
    for (uint64_t i = 0; i < info.hardest && i < 10000; i++) {
        cr_assert(pdb_solver_hardest(subject->solver, i, &board, &error) == PDB_OK, "%s", error.message);
        cr_assert(oracle_says(subject, &board) == info.max);
        cr_assert(i == 0 || memcmp(&before, &board, sizeof board) != 0);
        before = board;
    }
    cr_assert(pdb_solver_hardest(subject->solver, info.hardest, &board, &error) == PDB_BAD_USAGE &&
              error.status == PDB_BAD_USAGE);
    cr_assert(pdb_solver_hardest(subject->solver, UINT64_MAX, &board, NULL) == PDB_BAD_USAGE);
}

/* Every distance; one seed one board. */
static void check_random(const struct subject *subject, const pdb_solver *other)
{
    pdb_info info;
    pdb_error error;
    pdb_solver_info(subject->solver, &info);
    for (uint32_t wanted = 0; wanted <= info.max + 1; wanted++) {
        const uint32_t at = wanted > info.max ? PDB_NO_DISTANCE : wanted;
        for (uint64_t seed = 0; seed < (share() == 1 ? 4 : 1); seed++) {
            pdb_board board, again, elsewhere;
            uint32_t distance = 999, distance_again = 998, distance_elsewhere = 997;
            cr_assert(pdb_solver_random(subject->solver, at, seed, &board, &distance, &error) == PDB_OK, "%s",
                      error.message);
            cr_assert(oracle_says(subject, &board) == distance && (at == PDB_NO_DISTANCE || distance == at));
            cr_assert(pdb_solver_random(subject->solver, at, seed, &again, &distance_again, &error) == PDB_OK);
            cr_assert(memcmp(&board, &again, sizeof board) == 0 && distance == distance_again);
            cr_assert(pdb_solver_random(other, at, seed, &elsewhere, &distance_elsewhere, &error) == PDB_OK);
            cr_assert(memcmp(&board, &elsewhere, sizeof board) == 0 && distance == distance_elsewhere);
        }
    }
    pdb_board board;
    uint32_t distance;
    cr_assert(pdb_solver_random(subject->solver, info.max + 1, 1, &board, &distance, &error) == PDB_BAD_USAGE);
    cr_assert(pdb_solver_random(subject->solver, 1000000, 1, &board, &distance, NULL) == PDB_BAD_USAGE);
}

/* All boards of the table in calls of many, and some of them in every respect; then shuffled ones, most of them out of
 * reach. */
static void check_solver(struct subject *subject, size_t most)
{
    const size_t boards = oracle_count(subject->table);
    uint64_t random = 31;
    pdb_error error;
    pdb_moves moves = {0};
    pdb_board *board = checked_memory(boards, sizeof *board);
    uint32_t *distance = checked_memory(boards, sizeof *distance);
    for (size_t i = 0; i < boards; i++)
        model_to_position(subject->model, oracle_board(subject->table, i), &random, board[i].symbol);
    cr_assert(pdb_solver_distance(subject->solver, board, boards, distance, &error) == PDB_OK, "%s", error.message);
    for (size_t i = 0; i < boards; i++)
        cr_assert(distance[i] == (uint32_t)oracle_distance_at(subject->table, i));
    for (size_t i = 0; i < (boards < most ? boards : most); i++)
        check_board_of(subject, &board[boards <= most ? i : random_below(&random, boards)], &moves);
    for (int i = 0; i < 50; i++) {
        pdb_board shuffled = board[random_below(&random, boards)];
        const unsigned places = subject->puzzle->moves->board.places;
        for (unsigned p = places - 1; p > 0 && subject->model->spec.pieces[0] == NULL; p--) {
            const unsigned q = (unsigned)random_below(&random, p + 1);
            const uint8_t held = shuffled.symbol[p];
            shuffled.symbol[p] = shuffled.symbol[q];
            shuffled.symbol[q] = held;
        }
        check_board_of(subject, &shuffled, &moves);
    }
    pdb_moves_free(&moves);
    cr_assert(moves.count == 0 && moves.capacity == 0 && moves.move == NULL);
    free(board);
    free(distance);
}

/* One puzzle: solved in memory, and from a database. */
static void check_both(const char *yaml, const struct model_spec *spec, size_t most)
{
    static struct model model;
    char file[300];
    model_begin(&model, spec);
    pdb_puzzle *puzzle = load_text("t", yaml);
    snprintf(file, sizeof file, "%s/t.pdb", solvers_directory);
    unlink(file);
    struct subject subject = {&model, oracle_solve(&model.oracle), puzzle, NULL};
    pdb_solver *search = open_solver(puzzle, PDB_AUTO);
    generate_database("t");
    pdb_solver *database = open_solver(puzzle, PDB_AUTO);
    subject.solver = search;
    check_info(&subject, PDB_SEARCH, NULL);
    check_hardest(&subject);
    check_random(&subject, database);
    check_solver(&subject, most);
    subject.solver = database;
    check_info(&subject, PDB_DATABASE, file);
    check_hardest(&subject);
    check_random(&subject, search);
    check_solver(&subject, most);
    pdb_info ours, theirs;
    pdb_solver_info(search, &ours);
    pdb_solver_info(database, &theirs);
    cr_assert(strcmp(ours.definition, theirs.definition) == 0 && strcmp(ours.encoding, theirs.encoding) == 0);
    pdb_solver_close(search);
    pdb_solver_close(database);
    pdb_puzzle_free(puzzle);
    oracle_free(subject.table);
    model_end(&model);
}

Test(solver, all_encodings)
{
    check_both(HEAD "goal: 1 2 3/4 5 .\n", &(struct model_spec){.goal = "1 2 3/4 5 ."}, 400);
    check_both(HEAD "goal: 1 2 3 . 4 5\n", &(struct model_spec){.goal = "1 2 3 . 4 5"}, 400);
    check_both(HEAD "board: 1 2 3/4 5 .\ngoal: '1 2 3/* 5 *'\n",
               &(struct model_spec){.board = "1 2 3/4 5 .", .goal = "1 2 3/* 5 *"}, 400);
    check_both(HEAD "board: 1 2 3 .\ngoal: '* 2 * *'\n", &(struct model_spec){.board = "1 2 3 .", .goal = "* 2 * *"},
               400);
}

Test(solver, eight_puzzle)
{
    check_both(HEAD "goal: 123/456/78.\n", &(struct model_spec){.goal = "1 2 3/4 5 6/7 8 ."}, share_of(1000));
}

Test(solver, pieces_of_many_kinds)
{
    check_both(HEAD "board: A B B C/D B B E/s h h s/. s s .\ngoal: '* * * */* * * */* B B */* B B *'\n"
                    "pieces: [B B/B B, A/D, C/E, h h]\nalike: [A C]\n",
               &(struct model_spec){.board = "A B B C/D B B E/s h h s/. s s .",
                                    .goal = "* * * */* * * */* B B */* B B *",
                                    .pieces = {"B B/B B", "A/D", "C/E", "h h"},
                                    .alike = {"A C"}},
               300);
    check_both(HEAD "goal: '1 1 2/3 # 2/4 . 2'\n", &(struct model_spec){.goal = "1 1 2/3 # 2/4 . 2"}, 300);
}

/* -- Goat, as shipped -- */

Test(solver, goat)
{
    pdb_puzzle *puzzle = load_puzzle("goat");
    pdb_error error;
    pdb_board board;
    uint32_t distance;
    char text[PDB_TEXT_MAX];
    EXPECT_TEXT(pdb_puzzle_name(puzzle), "goat");
    cr_expect(*pdb_puzzle_title(puzzle) != '\0');
    EXPECT_TEXT(pdb_puzzle_metric(puzzle), "one piece by one cell");
    EXPECT_NUMBER(pdb_puzzle_states(puzzle), 5443200);
    EXPECT_NUMBER(pdb_puzzle_rows(puzzle), 3);
    EXPECT_NUMBER(pdb_puzzle_columns(puzzle), 4);
    EXPECT_NUMBER(pdb_puzzle_symbols(puzzle), 11);
    pdb_puzzle_goal(puzzle, text);
    EXPECT_TEXT(text, "1,8,9,10,2,5,7,0,3,8,4,6");
    cr_assert(pdb_board_parse(puzzle, "start", &board, &error) == PDB_OK);
    pdb_board_format(puzzle, &board, text);
    EXPECT_TEXT(text, "1,8,9,10,2,0,7,5,3,8,4,6");
    EXPECT_TEXT(pdb_symbol_code(puzzle, pdb_board_at(puzzle, &board, 1, 3)), "5");
    EXPECT_TEXT(pdb_symbol_glyph(puzzle, pdb_board_at(puzzle, &board, 1, 3)), "羊");
    EXPECT_TEXT(pdb_symbol_code(puzzle, -1), "#");

    pdb_solver *solver = open_solver(puzzle, PDB_SEARCH);
    cr_assert(pdb_solver_distance(solver, &board, 1, &distance, &error) == PDB_OK);
    EXPECT_NUMBER(distance, 20);
    unsigned found = 0;
    for (uint64_t i = 0; i < 7; i++) {
        cr_assert(pdb_solver_hardest(solver, i, &board, &error) == PDB_OK);
        for (size_t j = 0; j < COUNT(goat_hardest); j++) {
            pdb_board printed;
            cr_assert(pdb_board_parse(puzzle, goat_hardest[j], &printed, &error) == PDB_OK, "%s", error.message);
            found |= (unsigned)(memcmp(&printed, &board, sizeof board) == 0) << j;
        }
    }
    EXPECT_NUMBER(found, 127);
    cr_expect(pdb_solver_hardest(solver, 7, &board, &error) == PDB_BAD_USAGE);
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
}
