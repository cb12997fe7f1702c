/* boards.c -- answers about boards: what is found out about one, those of the command line, the hardest ones, a random
 * one */
#include "answer.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

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

static pdb_status count(const struct session *session, struct finding *finding, pdb_error *error)
{
    return session->options->count
               ? pdb_solver_count(session->solver, &finding->board, finding->solution.distance, finding->count, error)
               : PDB_OK;
}

pdb_status finding_solve(const struct session *session, struct finding *finding, pdb_error *error)
{
    /* Where boards are searched, the distances of all moves cost a search each: they are left out where a solution is
     * shown, or one best move, or a picture drawn. */
    const struct options *options = session->options;
    const bool line = (options->path && !options->json) || options->svg, hint = options->question == ASK_HINT;
    const unsigned path = options->path || (session->searches && hint) ? PDB_WANT_PATH : 0;
    const unsigned want = session->searches && (line || hint) ? path : path | PDB_WANT_MOVES;
    pdb_solution_free(&finding->solution);
    pdb_status status = pdb_solver_solve(session->solver, &finding->board, want, &finding->solution, error);
    return status != PDB_OK ? status : count(session, finding, error);
}

pdb_status finding_complete(const struct session *session, struct finding *finding, pdb_error *error)
{
    pdb_solution *solution = &finding->solution;
    const uint32_t distance = solution->distance;
    pdb_status status = pdb_solver_moves(session->solver, &finding->board, distance, &solution->moves, error);
    free(solution->path);
    solution->path = NULL;
    solution->steps = 0;
    if (status == PDB_OK)
        status = count(session, finding, error);
    if (status != PDB_OK || !session->options->path || distance == PDB_NO_DISTANCE)
        return status;
    solution->path = calloc((size_t)distance + 1, sizeof *solution->path);
    if (solution->path == NULL)
        return error_no_memory(error, "a solution", distance * sizeof *solution->path);
    status = pdb_solver_path(session->solver, &finding->board, distance, solution->path, error);
    while (status == PDB_OK && solution->steps < distance &&
           (solution->steps == 0 || solution->path[solution->steps - 1].distance > 0))
        solution->steps++;
    return status;
}

pdb_status finding_count_soon(const struct session *session, struct finding *finding, pdb_error *error)
{
    if (session->options->count || !pdb_puzzle_unordered(session->puzzle))
        return PDB_OK;
    return pdb_solver_count_soon(session->solver, &finding->board, finding->solution.distance, finding->count, error);
}

const pdb_move *finding_best(const struct finding *finding)
{
    const pdb_solution *solution = &finding->solution;
    if (solution->path != NULL && solution->steps > 0)
        return &solution->path[0];
    for (size_t i = 0; i < solution->moves.count; i++)
        if (solution->moves.move[i].optimal)
            return &solution->moves.move[i];
    return NULL;
}

/* -- the command line -- */

/* A single board may have been typed without quotes, cell by cell or row by row: if the first word is no board, but all
 * of them together are, that is what was meant; and if the first is much shorter than a board, that is what the
 * complaint is about. */
static pdb_status read_joined(const struct session *session, pdb_board *board, pdb_error *error)
{
    const struct options *options = session->options;
    char joined[PDB_TEXT_MAX], goal[PDB_TEXT_MAX];
    size_t length = 0;
    pdb_error cause;
    for (int i = 0; i < options->boards && length < sizeof joined; i++)
        length += (size_t)snprintf(joined + length, sizeof joined - length, "%s ", options->board[i]);
    if (options->boards == 1 || length >= sizeof joined)
        return PDB_BAD_BOARD;
    const pdb_status status = board_read(session, joined, board, &cause);
    pdb_puzzle_goal(session->puzzle, goal);
    if (status != PDB_OK && (status != PDB_BAD_BOARD || 2 * strlen(options->board[0]) <= strlen(goal)))
        *error = cause;
    return status;
}

pdb_status boards_read(const struct session *session, pdb_board **boards, int *count, pdb_error *error)
{
    const int given = session->options->boards;
    *count = given > 0 ? given : 1;
    *boards = calloc((size_t)*count, sizeof **boards);
    if (*boards == NULL)
        return error_no_memory(error, "the boards", (size_t)*count * sizeof **boards);
    pdb_status status = given == 0 ? board_read(session, "start", *boards, error) : PDB_OK;
    for (int i = 0; status == PDB_OK && i < given; i++) {
        status = board_read(session, session->options->board[i], &(*boards)[i], error);
        if (status != PDB_BAD_BOARD || i > 0)
            continue;
        status = read_joined(session, *boards, error);
        *count = 1;
        return status;
    }
    return status;
}

/* -- answers -- */

static pdb_status find(const struct session *session, struct finding *finding, pdb_status *worst, pdb_error *error)
{
    pdb_status status = finding_solve(session, finding, error);
    if (status == PDB_OK && !session->options->json)
        status = finding_count_soon(session, finding, error);
    if (status == PDB_OK && finding->solution.distance == PDB_NO_DISTANCE)
        *worst = PDB_UNREACHABLE;
    return status;
}

static pdb_status answer_board(const struct session *session, const pdb_board *board, pdb_status *worst,
                               pdb_error *error)
{
    const bool hint = session->options->question == ASK_HINT;
    struct finding finding = {.board = *board};
    pdb_status status = find(session, &finding, worst, error);
    query_progress_end(session->progress);
    if (status == PDB_OK && session->options->json)
        status = hint ? json_hint(session, &finding, stdout, error) : json_finding(session, &finding, stdout, error);
    else if (status == PDB_OK)
        (hint ? text_hint : text_finding)(session, &finding, stdout);
    pdb_solution_free(&finding.solution);
    return status;
}

/* All boards in one picture. */
static pdb_status draw_findings(const struct session *session, const pdb_board *boards, size_t count, pdb_status *worst,
                                pdb_error *error)
{
    struct finding *findings = calloc(count, sizeof *findings);
    if (findings == NULL)
        return error_no_memory(error, "the boards", count * sizeof *findings);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        findings[i].board = boards[i];
        status = find(session, &findings[i], worst, error);
    }
    query_progress_end(session->progress);
    if (status == PDB_OK)
        status = svg_findings(session, findings, count, stdout, error);
    for (size_t i = 0; i < count; i++)
        pdb_solution_free(&findings[i].solution);
    free(findings);
    return status;
}

/* One answer after another, or all in one picture. */
static pdb_status answer_all(const struct session *session, const pdb_board *boards, size_t count, pdb_status *worst,
                             pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (session->options->svg)
        return draw_findings(session, boards, count, worst, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        if (i > 0 && !session->options->json)
            putchar('\n');
        status = answer_board(session, &boards[i], worst, error);
    }
    return status;
}

pdb_status boards_answer(const struct session *session, pdb_status *worst, pdb_error *error)
{
    pdb_board *boards;
    int count = 0;
    pdb_status status = boards_read(session, &boards, &count, error);
    if (status == PDB_OK)
        status = answer_all(session, boards, (size_t)count, worst, error);
    free(boards);
    return status;
}

/* -- the puzzle as a whole -- */

pdb_status boards_hardest(const struct session *session, pdb_status *worst, pdb_error *error)
{
    pdb_info info;
    pdb_solver_info(session->solver, &info);
    size_t count = info.hardest < session->options->hardest ? (size_t)info.hardest : (size_t)session->options->hardest;
    pdb_board *boards = calloc(count + 1, sizeof *boards);
    if (boards == NULL)
        return error_no_memory(error, "the hardest boards", count * sizeof *boards);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        status = pdb_solver_hardest(session->solver, i, &boards[i], error);
        if (status == PDB_BAD_USAGE && i > 0) { /* no more are kept: as many as there are will do */
            count = i;
            status = PDB_OK;
        }
    }
    if (status == PDB_OK && (session->options->path || session->options->count))
        status = answer_all(session, boards, count, worst, error);
    else if (status == PDB_OK && session->options->svg)
        status = svg_hardest(session, boards, count, stdout, error);
    else if (status == PDB_OK && session->options->json)
        status = json_hardest(session, boards, NULL, count, stdout, error);
    else if (status == PDB_OK)
        text_hardest(session, boards, count, stdout);
    free(boards);
    return status;
}

pdb_status boards_random(const struct session *session, uint64_t seed, pdb_error *error)
{
    const struct options *options = session->options;
    struct finding finding = {0};
    char text[PDB_TEXT_MAX];
    pdb_status status = pdb_solver_random(session->solver, options->distance, seed, &finding.board,
                                          &finding.solution.distance, error);
    query_progress_end(session->progress);
    if (status != PDB_OK)
        return status;
    if (options->svg)
        return svg_findings(session, &finding, 1, stdout, error);
    pdb_board_format(session->puzzle, &finding.board, text);
    if (options->json)
        return json_random(session, text, finding.solution.distance, stdout, error);
    text_random(session, &finding, text, stdout);
    return PDB_OK;
}
