/* test_opening.c -- the public interface: which puzzles are loaded, and which solvers opened, and what is said else */
#include "solvers.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TestSuite(solver, .init = solvers_begin, .fini = solvers_end);

Test(solver, methods)
{
    pdb_puzzle *puzzle = load_text("t", HEAD "goal: 1 2 3/4 5 .\n");
    pdb_error error;
    pdb_info info;
    EXPECT_NUMBER(status_of_opening(puzzle, PDB_DATABASE, &error), PDB_NO_DATABASE);
    EXPECT_NUMBER(error.status, PDB_NO_DATABASE);
    cr_expect(strstr(error.message, "t.pdb") != NULL, "%s", error.message);
    EXPECT_NUMBER(status_of_opening(puzzle, PDB_DATABASE, NULL), PDB_NO_DATABASE);
    EXPECT_NUMBER(status_of_opening(puzzle, PDB_AUTO, &error), PDB_OK);
    generate_database("t");
    pdb_solver *solver = open_solver(puzzle, PDB_SEARCH); /* even where a database is */
    pdb_solver_info(solver, &info);
    EXPECT_NUMBER(info.method, PDB_SEARCH);
    pdb_solver_close(solver);
    solver = open_solver(puzzle, PDB_DATABASE);
    pdb_solver_info(solver, &info);
    EXPECT_NUMBER(info.method, PDB_DATABASE);
    pdb_solver_close(solver);
    /* The directory that the environment names is the default. */
    cr_assert(setenv("PDB_PATH", solvers_directory, 1) == 0);
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
    pdb_puzzle *puzzle = load_text("t", HEAD "goal: 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 .\n");
    for (int method = PDB_AUTO; method <= PDB_SEARCH; method++) {
        const pdb_options options = {.directory = solvers_directory, .method = (pdb_method)method, .whole = true};
        pdb_error error = {.message = ""};
        pdb_solver *solver;
        EXPECT_NUMBER(pdb_solver_open(puzzle, &options, &solver, &error), PDB_NO_DATABASE);
        cr_expect(method == PDB_DATABASE ||
                      strstr(error.message, "10,461,394,944,000 states are too many to search on the spot") != NULL,
                  "%s", error.message);
    }
    pdb_puzzle_free(puzzle);
}

/* By keys, by words and all at once. */
Test(solver, too_little_memory_to_search)
{
    static const char *const names[] = {"english-33", "goat", "lights-out"};
    static const uint64_t memory[] = {1, 20000, 100000};
    for (size_t i = 0; i < COUNT(names) * COUNT(memory); i++) {
        const pdb_options options = {.directory = "/nonexistent", .whole = true, .memory = memory[i % COUNT(memory)]};
        pdb_error error = {.message = ""};
        pdb_puzzle *puzzle;
        pdb_solver *solver;
        cr_assert(pdb_puzzle_load(names[i / COUNT(memory)], &puzzle, &error) == PDB_OK, "%s", error.message);
        EXPECT_NUMBER(pdb_solver_open(puzzle, &options, &solver, &error), PDB_NO_DATABASE);
        cr_expect(strstr(error.message, "of memory at least, and") != NULL, "%s", error.message);
        pdb_puzzle_free(puzzle);
    }
}

Test(solver, databases_of_other_definitions)
{
    pdb_puzzle *first = load_text("t", HEAD "goal: 1 2 3/4 5 .\n");
    generate_database("t");
    pdb_error error;
    /* The same looks otherwise: the database still serves. */
    pdb_puzzle *second = load_text(
        "t", HEAD "title: new\nglyphs: {1: x}\nboards: {start: 1 2 3 4 . 5}\ngoal: '1 2 3/4 5 .' # as before\n");
    EXPECT_NUMBER(status_of_opening(second, PDB_DATABASE, &error), PDB_OK);
    pdb_puzzle_free(second);
    /* Another goal: refused, not answered from, nor quietly searched. */
    static const char *const changed[] = {HEAD "goal: 1 2 3/4 . 5\n", HEAD "goal: 1 2 3/5 4 .\n",
                                          HEAD "goal: 1 1 3/4 5 .\n", HEAD "goal: 1 2 3/4 5 .\nalike: [1 2]\n",
                                          HEAD "goal: '1 2 3/4 5 ./# # #'\n"};
    for (size_t i = 0; i < COUNT(changed); i++) {
        second = load_text("t", changed[i]);
        EXPECT_NUMBER(status_of_opening(second, PDB_AUTO, &error), PDB_DAMAGED);
        cr_expect(strstr(error.message, "was made from another definition of t") != NULL, "%s", error.message);
        EXPECT_NUMBER(status_of_opening(second, PDB_DATABASE, &error), PDB_DAMAGED);
        EXPECT_NUMBER(status_of_opening(second, PDB_SEARCH, &error), PDB_OK);
        pdb_puzzle_free(second);
    }
    /* Another puzzle's file under this one's name. */
    second = load_text("u", "puzzle: u\nfamily: slide\ngoal: 1 2 3/4 5 .\n");
    char from[300], to[300];
    snprintf(from, sizeof from, "%s/t.pdb", solvers_directory);
    snprintf(to, sizeof to, "%s/u.pdb", solvers_directory);
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
    snprintf(path, sizeof path, "%s/", solvers_directory);
    EXPECT_NUMBER(pdb_puzzle_load(path, &puzzle, &error), PDB_IO);
}
