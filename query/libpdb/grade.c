/* grade.c -- how hard a board is, where all distances are known */
#include "solver.h"
#include "lib/search/space/distance.h"
#include "lib/text.h"

/* How many moves there are, and how many lead away. */
static pdb_status grade_moves(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_grade *grade,
                              pdb_error *error)
{
    pdb_moves moves = {0};
    pdb_status status = pdb_solver_moves(solver, board, distance, &moves, error);
    grade->moves = moves.count;
    for (size_t m = 0; m < moves.count; m++)
        grade->away += moves.move[m].distance == PDB_NO_DISTANCE || moves.move[m].distance > distance;
    pdb_moves_free(&moves);
    return status;
}

pdb_status pdb_solver_grade(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_grade *grade,
                            pdb_error *error)
{
    unsigned __int128 paths = 0;
    uint64_t index;
    *grade = (pdb_grade){0};
    pdb_status status = puzzle_check_symbols(solver->asked, board, error);
    if (status == PDB_OK && solver->searcher != NULL)
        status = searching_refuse(solver, error);
    if (status == PDB_OK)
        status = grade_moves(solver, board, distance, grade, error);
    if (status == PDB_OK && distance != PDB_NO_DISTANCE &&
        solver->puzzle->family->position.rank(solver->puzzle, board->symbol, &index))
        status = distance_grade_paths(&solver->space.values, index, distance, &paths, &grade->branching, error);
    digits_text(paths, grade->count);
    return solver_sound(solver, status, error);
}
