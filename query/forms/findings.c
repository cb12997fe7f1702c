/* findings.c -- what is found out about a board, a question, the hardest boards */
#include "forms.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

void asked_begin(struct asked *asked, const pdb_puzzle *puzzle, const pdb_solver *solver)
{
    pdb_info info;
    asked->puzzle = puzzle;
    asked->solver = solver;
    asked_info(asked, &info);
    asked->searches = info.search != NULL;
    asked->bounds_only = asked->bounds && asked->searches && !asked->path && asked->paths == 0 && !asked->count &&
                         asked->hint == 0 && asked->form != FORM_SVG;
}

void asked_info(const struct asked *asked, pdb_info *info)
{
    if (asked->solver != NULL)
        pdb_solver_info(asked->solver, info);
    else
        *info = (pdb_info){.method = PDB_SEARCH, .states = pdb_puzzle_states(asked->puzzle)};
}

const char *method_name(const struct asked *asked)
{
    pdb_info info;
    asked_info(asked, &info);
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

pdb_status board_read(const struct asked *asked, const char *text, pdb_board *board, pdb_error *error)
{
    pdb_status status = pdb_board_parse(asked->puzzle, text, board, error);
    return status != PDB_OK || asked->solver == NULL ? status : pdb_solver_covers(asked->solver, board, error);
}

void finding_free(struct finding *finding)
{
    pdb_solution_free(&finding->solution);
    free(finding->first);
    finding->first = NULL;
    pdb_bounds_free(&finding->bounds);
}

/* How many solutions begin with each move. */
static pdb_status count_first(const struct asked *asked, struct finding *finding, pdb_error *error)
{
    const pdb_moves *moves = &finding->solution.moves;
    free(finding->first);
    finding->first = calloc(moves->count + 1, sizeof *finding->first);
    pdb_status status = finding->first != NULL ? PDB_OK : error_no_memory(error, "counts", moves->count);
    for (size_t i = 0; status == PDB_OK && i < moves->count; i++) {
        const pdb_move *move = &moves->move[i];
        strcpy(finding->first[i], "0"); /* NOLINT(*NullDereference): the status says that it is there */
        if (move->optimal)
            status = pdb_solver_count(asked->solver, &move->board, move->distance, finding->first[i], error);
    }
    return status;
}

/* What else is asked for about a board whose distance is known. */
static pdb_status look_closer(const struct asked *asked, struct finding *finding, pdb_error *error)
{
    pdb_status status = PDB_OK;
    pdb_bounds_free(&finding->bounds);
    if (asked->bounds)
        status = pdb_solver_bounds(asked->solver, &finding->board, &finding->bounds, error);
    if (status == PDB_OK && asked->count && *finding->count == '\0')
        status = pdb_solver_count(asked->solver, &finding->board, finding->solution.distance, finding->count, error);
    return status == PDB_OK && asked->first ? count_first(asked, finding, error) : status;
}

/* The bounds, and no distance but where they show that there is none. */
static pdb_status find_bounds(const struct asked *asked, struct finding *finding, pdb_error *error)
{
    const pdb_status status = look_closer(asked, finding, error);
    finding->solution.distance = PDB_NO_DISTANCE;
    finding->unsolved = true;
    for (size_t i = 0; i < finding->bounds.count; i++)
        if (finding->bounds.bound[i].value == PDB_NO_DISTANCE)
            finding->unsolved = false;
    return status;
}

/* Are the distances of all moves wanted? Where boards are searched, they cost a search each: they are left out where a
 * solution is shown, or one best move, or a picture drawn. */
static bool wants_moves(const struct asked *asked)
{
    const bool paths = asked->path || asked->paths > 0;
    const bool line = ((paths && asked->form != FORM_JSON) || asked->form == FORM_SVG) && !asked->first;
    return !asked->searches || !(line || asked->hint != 0);
}

/* The distance, and a path if it is asked for, and `more`. */
static pdb_status solve(const struct asked *asked, struct finding *finding, unsigned more, pdb_error *error)
{
    const unsigned path = asked->path || (asked->searches && asked->hint != 0) ? PDB_WANT_PATH : 0;
    pdb_solution_free(&finding->solution);
    *finding->count = '\0';
    finding->unmoved = false;
    if (asked->bounds_only)
        return find_bounds(asked, finding, error);
    return pdb_solver_solve(asked->solver, &finding->board, path | more, &finding->solution, error);
}

pdb_status finding_begin(const struct asked *asked, struct finding *finding, pdb_error *error)
{
    /* a search knows a path, which tells one of the moves beforehand */
    return solve(asked, finding, asked->searches && wants_moves(asked) ? PDB_WANT_PATH : 0, error);
}

pdb_status finding_end(const struct asked *asked, struct finding *finding, pdb_error *error)
{
    pdb_solution *solution = &finding->solution;
    pdb_status status = PDB_OK;
    if (asked->bounds_only)
        return PDB_OK;
    if (wants_moves(asked))
        status = pdb_solver_add_moves(asked->solver, &finding->board, solution, error);
    finding->unmoved = status != PDB_OK;
    if (!asked->path && asked->hint == 0) {
        free(solution->path);
        solution->path = NULL;
        solution->steps = 0;
    }
    return status != PDB_OK ? status : look_closer(asked, finding, error);
}

pdb_status finding_solve(const struct asked *asked, struct finding *finding, pdb_error *error)
{
    const pdb_status status = solve(asked, finding, wants_moves(asked) ? PDB_WANT_MOVES : 0, error);
    return status != PDB_OK || asked->bounds_only ? status : look_closer(asked, finding, error);
}

pdb_status finding_complete(const struct asked *asked, struct finding *finding, pdb_error *error)
{
    pdb_solution *solution = &finding->solution;
    const uint32_t distance = solution->distance;
    pdb_status status = pdb_solver_moves(asked->solver, &finding->board, distance, &solution->moves, error);
    free(solution->path);
    solution->path = NULL;
    solution->steps = 0;
    if (status == PDB_OK)
        status = look_closer(asked, finding, error);
    if (status != PDB_OK || !asked->path || distance == PDB_NO_DISTANCE)
        return status;
    solution->path = calloc((size_t)distance + 1, sizeof *solution->path);
    if (solution->path == NULL)
        return error_no_memory(error, "a solution", distance * sizeof *solution->path);
    status = pdb_solver_path(asked->solver, &finding->board, distance, solution->path, error);
    while (status == PDB_OK && solution->steps < distance &&
           (solution->steps == 0 || solution->path[solution->steps - 1].distance > 0))
        solution->steps++;
    return status;
}

pdb_status finding_count_soon(const struct asked *asked, struct finding *finding, pdb_error *error)
{
    if (*finding->count != '\0' || !pdb_puzzle_unordered(asked->puzzle))
        return PDB_OK;
    return pdb_solver_count_soon(asked->solver, &finding->board, finding->solution.distance, finding->count, error);
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

pdb_status finding_typed(const struct asked *asked, const struct finding *finding, char *typed[2], pdb_error *error)
{
    const pdb_solution *solution = &finding->solution;
    pdb_status status = PDB_OK;
    typed[0] = typed[1] = NULL;
    for (int back = 0; status == PDB_OK && back < 2; back++)
        status = pdb_path_format(asked->puzzle, solution->path, solution->steps, back == 1, &typed[back], error);
    return status;
}

pdb_status question_ask(const struct asked *asked, const char *question, pdb_reply *reply, pdb_error *error)
{
    const unsigned want = (asked->path ? PDB_WANT_PATH : 0) | (asked->count ? PDB_WANT_COUNT : 0);
    return pdb_solver_ask(asked->solver, question, want, reply, error);
}

/* -- the hardest -- */

/* The next one of them, into its place. */
static pdb_status take_hardest(const struct asked *asked, struct hardest *hardest, pdb_error *error)
{
    char text[PDB_TEXT_MAX];
    if (hardest->board != NULL)
        return pdb_solver_hardest(asked->solver, hardest->count, &hardest->board[hardest->count], error);
    pdb_status status = pdb_solver_hardest_item(asked->solver, hardest->count, text, error);
    if (status == PDB_OK && (hardest->item[hardest->count] = strdup(text)) == NULL)
        status = error_no_memory(error, "the hardest", strlen(text) + 1);
    return status;
}

pdb_status hardest_find(const struct asked *asked, uint64_t most, struct hardest *hardest, pdb_error *error)
{
    pdb_info info;
    asked_info(asked, &info);
    const size_t count = info.hardest < most ? (size_t)info.hardest : (size_t)most;
    *hardest = (struct hardest){0};
    if (pdb_puzzle_enumerated(asked->puzzle))
        hardest->item = calloc(count + 1, sizeof *hardest->item);
    else
        hardest->board = calloc(count + 1, sizeof *hardest->board);
    if (hardest->board == NULL && hardest->item == NULL)
        return error_no_memory(error, "the hardest", (count + 1) * sizeof *hardest->board);
    pdb_status status = PDB_OK;
    while (status == PDB_OK && hardest->count < count) {
        status = take_hardest(asked, hardest, error);
        hardest->count += status == PDB_OK;
    }
    /* where no more are kept, as many as there are will do */
    return status == PDB_BAD_USAGE && hardest->count > 0 ? PDB_OK : status;
}

void hardest_free(struct hardest *hardest)
{
    for (size_t i = 0; hardest->item != NULL && i < hardest->count; i++)
        free(hardest->item[i]);
    free(hardest->item);
    free(hardest->board);
}
