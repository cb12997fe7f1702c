/* test_solver.c -- the public interface: what a database says is what a search says, and both say what the oracle says
 *
 * Databases are made by the program itself: the environment variable PDB_GEN has its path.
 */
#include "tests/support/goat_figures.h"
#include "tests/families/slide/model.h"

#include "pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[200];

static void begin(void)
{
    make_directory(directory);
}

static void end(void)
{
    remove_directory(directory);
}

TestSuite(solver, .init = begin, .fini = end);

/* -- puzzles and databases -- */

/* The definition's text in the directory under this name, loaded as a user would. */
static pdb_puzzle *load(const char *name, const char *yaml)
{
    char path[300];
    pdb_puzzle *puzzle = NULL;
    pdb_error error;
    snprintf(path, sizeof path, "%s/%s.yaml", directory, name);
    write_file(path, yaml, strlen(yaml));
    cr_assert(pdb_puzzle_load(path, &puzzle, &error) == PDB_OK, "%s", error.message);
    return puzzle;
}

static void generate(const char *name)
{
    char command[800];
    const char *program = getenv("PDB_GEN");
    cr_assert(program != NULL, "PDB_GEN has to be the path of pdb-gen");
    snprintf(command, sizeof command, "'%s' -q -d '%s' '%s/%s.yaml'", program, directory, directory, name);
    cr_assert(system(command) == 0, "%s", command);
}

static pdb_solver *open_solver(const pdb_puzzle *puzzle, pdb_method method)
{
    const pdb_options options = {.directory = directory, .method = method, .threads = 2, .whole = true};
    pdb_solver *solver = NULL;
    pdb_error error;
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    return solver;
}

static pdb_status status_of_opening(const pdb_puzzle *puzzle, pdb_method method, pdb_error *error)
{
    const pdb_options options = {.directory = directory, .method = method};
    pdb_solver *solver;
    const pdb_status status = pdb_solver_open(puzzle, &options, &solver, error);
    if (status == PDB_OK)
        pdb_solver_close(solver);
    return status;
}

/* -- everything that a solver says, against the oracle -- */

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
    pdb_puzzle *puzzle = load("t", yaml);
    snprintf(file, sizeof file, "%s/t.pdb", directory);
    unlink(file);
    struct subject subject = {&model, oracle_solve(&model.oracle), puzzle, NULL};
    pdb_solver *search = open_solver(puzzle, PDB_AUTO);
    generate("t");
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

#define HEAD "puzzle: t\nfamily: slide\n"

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
    pdb_puzzle *puzzle = load("t", HEAD "goal: 1 2 3/4 5 .\n");
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
    pdb_puzzle *puzzle = load("t", HEAD "board: 123/456/78.\ngoal: '***/***/***'\n");
    generate("t");
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
        const pdb_options options = {.directory = directory, .method = PDB_SEARCH};
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
        const pdb_options options = {.directory = directory, .method = methods[i / 2 % 2]};
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
    pdb_puzzle *puzzle = load("t", HEAD "goal: 1 2 3/4 5 .\n");
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

/* -- opening -- */

Test(solver, methods)
{
    pdb_puzzle *puzzle = load("t", HEAD "goal: 1 2 3/4 5 .\n");
    pdb_error error;
    pdb_info info;
    EXPECT_NUMBER(status_of_opening(puzzle, PDB_DATABASE, &error), PDB_NO_DATABASE);
    EXPECT_NUMBER(error.status, PDB_NO_DATABASE);
    cr_expect(strstr(error.message, "t.pdb") != NULL, "%s", error.message);
    EXPECT_NUMBER(status_of_opening(puzzle, PDB_DATABASE, NULL), PDB_NO_DATABASE);
    EXPECT_NUMBER(status_of_opening(puzzle, PDB_AUTO, &error), PDB_OK);
    generate("t");
    pdb_solver *solver = open_solver(puzzle, PDB_SEARCH); /* even where a database is */
    pdb_solver_info(solver, &info);
    EXPECT_NUMBER(info.method, PDB_SEARCH);
    pdb_solver_close(solver);
    solver = open_solver(puzzle, PDB_DATABASE);
    pdb_solver_info(solver, &info);
    EXPECT_NUMBER(info.method, PDB_DATABASE);
    pdb_solver_close(solver);
    /* The directory that the environment names is the default. */
    cr_assert(setenv("PDB_PATH", directory, 1) == 0);
    cr_assert(pdb_solver_open(puzzle, NULL, &solver, &error) == PDB_OK, "%s", error.message);
    pdb_solver_info(solver, &info);
    EXPECT_NUMBER(info.method, PDB_DATABASE);
    pdb_solver_close(solver);
    pdb_solver_close(NULL);
    pdb_puzzle_free(puzzle);
    pdb_puzzle_free(NULL);
}

Test(solver, too_large_to_search)
{
    pdb_puzzle *puzzle = load("t", HEAD "goal: 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 .\n");
    for (int method = PDB_AUTO; method <= PDB_SEARCH; method++) {
        const pdb_options options = {.directory = directory, .method = (pdb_method)method, .whole = true};
        pdb_error error = {.message = ""};
        pdb_solver *solver;
        EXPECT_NUMBER(pdb_solver_open(puzzle, &options, &solver, &error), PDB_NO_DATABASE);
        cr_expect(method == PDB_DATABASE ||
                      strstr(error.message, "10,461,394,944,000 states are too many to search on the spot") != NULL,
                  "%s", error.message);
    }
    pdb_puzzle_free(puzzle);
}

Test(solver, databases_of_other_definitions)
{
    pdb_puzzle *first = load("t", HEAD "goal: 1 2 3/4 5 .\n");
    generate("t");
    pdb_error error;
    /* The same looks otherwise: the database still serves. */
    pdb_puzzle *second = load(
        "t", HEAD "title: new\nglyphs: {1: x}\nboards: {start: 1 2 3 4 . 5}\ngoal: '1 2 3/4 5 .' # as before\n");
    EXPECT_NUMBER(status_of_opening(second, PDB_DATABASE, &error), PDB_OK);
    pdb_puzzle_free(second);
    /* Another goal: refused, not answered from, nor quietly searched. */
    static const char *const changed[] = {HEAD "goal: 1 2 3/4 . 5\n", HEAD "goal: 1 2 3/5 4 .\n",
                                          HEAD "goal: 1 1 3/4 5 .\n", HEAD "goal: 1 2 3/4 5 .\nalike: [1 2]\n",
                                          HEAD "goal: '1 2 3/4 5 ./# # #'\n"};
    for (size_t i = 0; i < COUNT(changed); i++) {
        second = load("t", changed[i]);
        EXPECT_NUMBER(status_of_opening(second, PDB_AUTO, &error), PDB_DAMAGED);
        cr_expect(strstr(error.message, "was made from another definition of t") != NULL, "%s", error.message);
        EXPECT_NUMBER(status_of_opening(second, PDB_DATABASE, &error), PDB_DAMAGED);
        EXPECT_NUMBER(status_of_opening(second, PDB_SEARCH, &error), PDB_OK);
        pdb_puzzle_free(second);
    }
    /* Another puzzle's file under this one's name. */
    second = load("u", "puzzle: u\nfamily: slide\ngoal: 1 2 3/4 5 .\n");
    char from[300], to[300];
    snprintf(from, sizeof from, "%s/t.pdb", directory);
    snprintf(to, sizeof to, "%s/u.pdb", directory);
    cr_assert(rename(from, to) == 0);
    EXPECT_NUMBER(status_of_opening(second, PDB_AUTO, &error), PDB_DAMAGED);
    cr_expect(strstr(error.message, "is the database of another puzzle, 't'") != NULL, "%s", error.message);
    pdb_puzzle_free(second);
    pdb_puzzle_free(first);
}

Test(solver, loading)
{
    pdb_puzzle *puzzle;
    pdb_error error;
    EXPECT_NUMBER(pdb_puzzle_load("goot", &puzzle, &error), PDB_UNKNOWN_PUZZLE);
    cr_expect(strstr(error.message, "did you mean 'goat'") != NULL, "%s", error.message);
    EXPECT_NUMBER(pdb_puzzle_load("./nowhere.yaml", &puzzle, &error), PDB_UNKNOWN_PUZZLE);
    EXPECT_NUMBER(pdb_puzzle_load("goot", &puzzle, NULL), PDB_UNKNOWN_PUZZLE);
    char path[300];
    snprintf(path, sizeof path, "%s/", directory);
    EXPECT_NUMBER(pdb_puzzle_load(path, &puzzle, &error), PDB_IO);
}
