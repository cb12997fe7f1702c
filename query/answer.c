/* answer.c -- what was found out about one board */
#include "answer.h"
#include "lib/error.h"

#include <stdlib.h>

void session_info(const struct session *session, pdb_info *info)
{
    if (session->solver != NULL)
        pdb_solver_info(session->solver, info);
    else
        *info = (pdb_info){.method = PDB_SEARCH, .states = pdb_puzzle_states(session->puzzle)};
}

const char *method_name(const struct session *session)
{
    pdb_info info;
    session_info(session, &info);
    return info.method == PDB_DATABASE ? "db" : "search";
}

double mean_distance(const pdb_info *info)
{
    double sum = 0;
    for (uint32_t d = 0; d <= info->max; d++)
        sum += (double)d * (double)info->histogram[d];
    return sum / (double)info->reachable;
}

uint32_t median_distance(const pdb_info *info)
{
    uint32_t median = 0;
    uint64_t within = info->histogram[0];
    while (median < info->max && within < info->reachable - within)
        within += info->histogram[++median];
    return median;
}

pdb_status board_read(const struct session *session, const char *text, pdb_board *board, pdb_error *error)
{
    pdb_status status = pdb_board_parse(session->puzzle, text, board, error);
    return status != PDB_OK ? status : pdb_solver_covers(session->solver, board, error);
}

/* What is asked for. Where boards are searched, the distances of all moves cost a search each: they are left out where
 * a solution is shown, or one best move, or a picture drawn. */
static unsigned wanted(const struct session *session)
{
    const struct options *options = session->options;
    const bool line = (options->path && !options->json) || options->svg, hint = options->question == ASK_HINT;
    const unsigned path = options->path || (session->searches && hint) ? PDB_WANT_PATH : 0;
    return session->searches && (line || hint) ? path : path | PDB_WANT_MOVES;
}

static pdb_status count(const struct session *session, struct finding *finding, pdb_error *error)
{
    return session->options->count
               ? pdb_solver_count(session->solver, &finding->board, finding->solution.distance, finding->count, error)
               : PDB_OK;
}

pdb_status finding_solve(const struct session *session, struct finding *finding, pdb_error *error)
{
    pdb_solution_free(&finding->solution);
    pdb_status status = pdb_solver_solve(session->solver, &finding->board, wanted(session), &finding->solution, error);
    return status != PDB_OK ? status : count(session, finding, error);
}

pdb_status finding_complete(const struct session *session, struct finding *finding, pdb_error *error)
{
    pdb_solution *solution = &finding->solution;
    const uint32_t distance = solution->distance;
    pdb_status status = pdb_solver_moves(session->solver, &finding->board, distance, &solution->moves, error);
    free(solution->path);
    solution->path = NULL;
    if (status == PDB_OK)
        status = count(session, finding, error);
    if (status != PDB_OK || !session->options->path || distance == PDB_NO_DISTANCE)
        return status;
    solution->path = calloc((size_t)distance + 1, sizeof *solution->path);
    if (solution->path == NULL)
        return error_no_memory(error, "a solution", distance * sizeof *solution->path);
    return pdb_solver_path(session->solver, &finding->board, distance, solution->path, error);
}

pdb_status finding_count_soon(const struct session *session, struct finding *finding, pdb_error *error)
{
    if (session->options->count || !pdb_puzzle_unordered(session->puzzle))
        return PDB_OK;
    return pdb_solver_count_soon(session->solver, &finding->board, finding->solution.distance, finding->count, error);
}

void finding_free(struct finding *finding)
{
    pdb_solution_free(&finding->solution);
}

const pdb_move *finding_best(const struct finding *finding)
{
    const pdb_solution *solution = &finding->solution;
    if (solution->path != NULL && solution->distance > 0)
        return &solution->path[0];
    for (size_t i = 0; i < solution->moves.count; i++)
        if (solution->moves.move[i].optimal)
            return &solution->moves.move[i];
    return NULL;
}
