/* solutions.h -- solvers of puzzles of slots, and how many solutions they know of */
#ifndef TESTS_FAMILIES_PLACE_SOLUTIONS_H
#define TESTS_FAMILIES_PLACE_SOLUTIONS_H

#include "tests/support/support.h"

#include <stdlib.h>

#define PLACE "puzzle: test\nfamily: place\n"

static inline pdb_solver *open_solver(const pdb_puzzle *puzzle, const char *where, pdb_method method)
{
    pdb_solver *solver = NULL;
    pdb_error error;
    const pdb_options options = {.directory = where, .method = method, .threads = 2};
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    return solver;
}

static inline size_t number_of(const pdb_solver *solver, const pdb_board *board, uint32_t distance)
{
    char text[PDB_COUNT_MAX];
    pdb_error error;
    cr_assert(pdb_solver_count(solver, board, distance, text, &error) == PDB_OK, "%s", error.message);
    return strtoull(text, NULL, 10);
}

#endif
