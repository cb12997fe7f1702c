/* answer.c -- what was found out about one board */
#include "answer.h"
#include "../lib/error.h"

#include <stdlib.h>

const char *method_name(const struct session *session)
{
    pdb_info info;
    pdb_solver_info(session->solver, &info);
    return info.method == PDB_DATABASE ? "db" : "search";
}

pdb_status board_read(const struct session *session, const char *text, pdb_board *board, pdb_error *error)
{
    pdb_status status = pdb_board_parse(session->puzzle, text, board, error);
    return status != PDB_OK ? status : pdb_solver_covers(session->solver, board, error);
}

pdb_status finding_complete(const struct session *session, struct finding *finding, pdb_error *error)
{
    const pdb_solver *solver = session->solver;
    const uint32_t distance = finding->distance;
    pdb_status status = pdb_solver_moves(solver, &finding->board, distance, &finding->moves, error);
    free(finding->path);
    finding->path = NULL;
    if (status == PDB_OK && session->options->count)
        status = pdb_solver_count(solver, &finding->board, distance, finding->count, error);
    if (status != PDB_OK || !session->options->path || distance == PDB_NO_DISTANCE)
        return status;
    finding->path = calloc((size_t)distance + 1, sizeof *finding->path);
    if (finding->path == NULL)
        return error_no_memory(error, "a solution", distance * sizeof *finding->path);
    return pdb_solver_path(solver, &finding->board, distance, finding->path, error);
}

void finding_free(struct finding *finding)
{
    pdb_moves_free(&finding->moves);
    free(finding->path);
    finding->path = NULL;
}
