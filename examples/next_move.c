/* next_move.c -- the best next move of a board:  next_move goat start
 *
 *     cc next_move.c $(pkg-config --cflags --libs pdb) -o next_move
 */
#include <pdb.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    pdb_puzzle *puzzle = NULL;
    pdb_solver *solver = NULL;
    pdb_board board;
    pdb_solution solution = {0};
    pdb_error error;
    if (argc != 3) {
        fputs("usage: next_move PUZZLE BOARD\n", stderr);
        return 2;
    }
    pdb_status status = pdb_puzzle_load(argv[1], &puzzle, &error);
    if (status == PDB_OK)
        status = pdb_solver_open(puzzle, NULL, &solver, &error); /* the database, or else a search */
    if (status == PDB_OK)
        status = pdb_board_parse(puzzle, argv[2], &board, &error);
    if (status == PDB_OK)
        status = pdb_solver_solve(solver, &board, PDB_WANT_PATH, &solution, &error);
    if (status != PDB_OK)
        fprintf(stderr, "next_move: %s\n", error.message);
    else if (solution.distance == PDB_NO_DISTANCE)
        puts("the goal cannot be reached");
    else if (solution.distance == 0)
        puts("this is the goal");
    else
        printf("%u move%s from the goal; move %s\n", (unsigned)solution.distance, solution.distance == 1 ? "" : "s",
               solution.path[0].text);
    pdb_solution_free(&solution);
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
    return status != PDB_OK;
}
