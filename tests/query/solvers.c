#include "solvers.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char solvers_directory[200];

void solvers_begin(void)
{
    make_directory(solvers_directory);
}

void solvers_end(void)
{
    remove_directory(solvers_directory);
}

pdb_puzzle *load_text(const char *name, const char *yaml)
{
    char path[300];
    pdb_puzzle *puzzle = NULL;
    pdb_error error;
    snprintf(path, sizeof path, "%s/%s.yaml", solvers_directory, name);
    write_file(path, yaml, strlen(yaml));
    cr_assert(pdb_puzzle_load(path, &puzzle, &error) == PDB_OK, "%s", error.message);
    return puzzle;
}

void generate_database(const char *name)
{
    char command[800];
    const char *program = getenv("PDB_GEN");
    cr_assert(program != NULL, "PDB_GEN has to be the path of pdb-gen");
    snprintf(command, sizeof command, "'%s' -q -d '%s' '%s/%s.yaml'", program, solvers_directory, solvers_directory,
             name);
    cr_assert(system(command) == 0, "%s", command);
}

pdb_solver *open_solver(const pdb_puzzle *puzzle, pdb_method method)
{
    const pdb_options options = {.directory = solvers_directory, .method = method, .threads = 2, .whole = true};
    pdb_solver *solver = NULL;
    pdb_error error;
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    return solver;
}

pdb_status status_of_opening(const pdb_puzzle *puzzle, pdb_method method, pdb_error *error)
{
    const pdb_options options = {.directory = solvers_directory, .method = method};
    pdb_solver *solver;
    const pdb_status status = pdb_solver_open(puzzle, &options, &solver, error);
    if (status == PDB_OK)
        pdb_solver_close(solver);
    return status;
}
