/* search.c -- answers where not all distances are known: every board is searched */
#include "solver.h"
#include "lib/search/board/bounds.h"
#include "lib/search/board/ida.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The caller's observer, as the search knows one. */
static bool observe(void *context, const struct search_progress *progress)
{
    const pdb_solver *solver = context;
    return solver->observe == NULL || solver->observe(solver->context, progress->limit, progress->nodes);
}

/* A context is not const, but `observe` takes it for what it is. */
static void *context_of(const pdb_solver *solver)
{
    return (void *)(uintptr_t)solver;
}

/* One search, and what to say of one that was stopped. */
static pdb_status search(const pdb_solver *solver, const uint8_t *position, uint32_t most, struct search_answer *answer,
                         pdb_error *error)
{
    char nodes[NUMBER_TEXT_MAX];
    pdb_status status = search_solve(solver->searcher, position, most, observe, context_of(solver), answer, error);
    if (status != PDB_INTERRUPTED)
        return status;
    return error_set(error, status,
                     solver->puzzle->max_cost > 1
                         ? "%s: interrupted: no solution costs less than %u (%s boards looked at)"
                         : "%s: interrupted: no solution under %u moves (%s boards looked at)",
                     solver->puzzle->name, answer->bound, number_text(answer->nodes, nodes));
}

/* The cheapest of the moves that lead to a position; NULL where none does. */
static const pdb_move *cheapest(const pdb_moves *moves, const uint8_t *to, size_t places)
{
    const pdb_move *least = NULL;
    for (size_t m = 0; m < moves->count; m++)
        if (memcmp(moves->move[m].board.symbol, to, places) == 0 &&
            (least == NULL || moves->move[m].cost < least->cost))
            least = &moves->move[m];
    return least;
}

/* The moves along a path of positions. search_solve has made sure that each step is one. */
static pdb_status take_path(const pdb_solver *solver, const struct search_answer *answer, pdb_move **out,
                            pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    const size_t places = puzzle->board.places, bytes = ((size_t)answer->steps + 1) * sizeof **out;
    pdb_moves moves = {0};
    pdb_move *path = *out = malloc(bytes);
    pdb_status status = path != NULL ? PDB_OK : error_no_memory(error, "a solution", bytes);
    uint32_t distance = answer->distance;
    for (uint32_t step = 0; status == PDB_OK && step < answer->steps; step++) {
        const uint8_t *from = answer->path + step * places, *to = from + places;
        moves.count = 0;
        status = puzzle->family->position.moves(puzzle, from, &moves, error);
        const pdb_move *taken = status == PDB_OK ? cheapest(&moves, to, places) : NULL;
        if (taken == NULL)
            break;
        distance -= taken->cost;
        path[step] = *taken;
        path[step].distance = distance;
        path[step].optimal = true;
    }
    pdb_moves_free(&moves);
    return status;
}

/* All moves, and where they lead. A shortest solution, if it was found, tells one of them beforehand. */
static pdb_status take_moves(const pdb_solver *solver, const pdb_board *board, const struct search_answer *answer,
                             pdb_solution *solution, pdb_error *error)
{
    const size_t places = solver->puzzle->board.places;
    pdb_board known = {0};
    const bool is_known = answer->path != NULL && answer->steps > 0;
    if (is_known)
        memcpy(known.symbol, answer->path + (solver->puzzle->unordered ? answer->steps : 1) * places, places);
    return solver_moves(solver, board, answer->distance, is_known ? &known : NULL, &solution->moves, error);
}

pdb_status searching_solve(const pdb_solver *solver, const pdb_board *board, unsigned want, pdb_solution *solution,
                           pdb_error *error)
{
    struct search_answer answer = {.path = NULL};
    *solution = (pdb_solution){.distance = PDB_NO_DISTANCE};
    pdb_status status = puzzle_check_symbols(solver->asked, board, error);
    if (status == PDB_OK)
        status = solver->puzzle->family->position.check(solver->puzzle, board->symbol, error);
    if (status == PDB_OK)
        status = search(solver, board->symbol, PDB_NO_DISTANCE, &answer, error);
    if (status != PDB_OK)
        return status;
    solution->distance = answer.distance;
    solution->nodes = answer.nodes;
    if (answer.path != NULL && (want & PDB_WANT_PATH) != 0)
        status = take_path(solver, &answer, &solution->path, error);
    solution->steps = solution->path != NULL ? answer.steps : 0;
    if (status == PDB_OK && (want & PDB_WANT_MOVES) != 0)
        status = take_moves(solver, board, &answer, solution, error);
    free(answer.path);
    return status;
}

/* What is said of a board at a distance where the rest of the answer was stopped: "15-puzzle: 57 moves from the goal;
 * interrupted while ...". */
static pdb_status stopped(const pdb_solver *solver, uint32_t distance, const char *rest, pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    const bool costs = puzzle->max_cost > 1;
    return error_set(error, PDB_INTERRUPTED, "%s: %s%u %s; interrupted while %s", puzzle->name,
                     costs ? "a cost of " : "", distance,
                     puzzle->unordered ? "slots empty"
                     : costs           ? "from the goal"
                                       : "moves from the goal",
                     rest);
}

/* Is a board at most so far from the goal? Then its distance is stored. (Nobody sees the path, so nobody checks it.) */
static pdb_status search_up_to(const pdb_solver *solver, const pdb_board *board, uint32_t most, uint32_t *distance,
                               pdb_error *error)
{
    struct search_answer answer = {.path = NULL};
    pdb_status status = solver->searcher->class->solve(solver->searcher, board->symbol, most, observe,
                                                       context_of(solver), &answer, error);
    *distance = answer.distance;
    free(answer.path);
    return status;
}

/* The distance of a board that a move leads to from one at `distance`. Where moves can be undone it is one more, one
 * less, or, where no colouring forbids it, the same: a short search decides. */
static pdb_status search_near(const pdb_solver *solver, const pdb_board *board, uint32_t distance, uint32_t *near,
                              pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    if (!puzzle->undoable)
        return search_up_to(solver, board, PDB_NO_DISTANCE, near, error);
    *near = PDB_NO_DISTANCE;
    pdb_status status = PDB_OK;
    if (distance > 0)
        status = search_up_to(solver, board, distance - 1, near, error);
    if (status == PDB_OK && *near == PDB_NO_DISTANCE && !puzzle->coloured)
        status = search_up_to(solver, board, distance, near, error);
    if (status == PDB_OK && *near == PDB_NO_DISTANCE)
        *near = distance + 1;
    return status;
}

/* Notes the moves that lead towards a solution: those whose boards are a part of it. */
static void take_solution(const pdb_solver *solver, uint32_t distance, const uint8_t *solution, pdb_moves *moves)
{
    const struct board *board = &solver->puzzle->board;
    for (size_t m = 0; m < moves->count; m++) {
        const uint8_t *symbol = moves->move[m].board.symbol;
        unsigned place = 0;
        while (place < board->places && (symbol[place] == board->empty || symbol[place] == solution[place]))
            place++;
        if (place < board->places)
            continue;
        moves->move[m].distance = distance - 1;
        moves->move[m].optimal = true;
    }
}

/* One move where the order of moves does not matter: each solution that is found settles one for every slot. */
static pdb_status unordered_move(const pdb_solver *solver, uint32_t distance, size_t m, pdb_moves *moves,
                                 pdb_error *error)
{
    struct search_answer answer = {.path = NULL};
    if (moves->move[m].optimal)
        return PDB_OK;
    pdb_status status = solver->searcher->class->solve(solver->searcher, moves->move[m].board.symbol, PDB_NO_DISTANCE,
                                                       observe, context_of(solver), &answer, error);
    if (status == PDB_OK && answer.path != NULL)
        take_solution(solver, distance, answer.path + answer.distance * solver->puzzle->board.places, moves);
    free(answer.path);
    return status;
}

static pdb_status ordered_move(const pdb_solver *solver, uint32_t distance, const pdb_board *known, pdb_move *move,
                               const pdb_moves *moves, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (known != NULL && memcmp(&move->board, known, sizeof *known) == 0)
        move->distance = distance - cheapest(moves, known->symbol, solver->puzzle->board.places)->cost;
    else
        status = search_near(solver, &move->board, distance, &move->distance, error);
    move->optimal = status == PDB_OK && (uint64_t)move->distance + move->cost == distance;
    return status;
}

pdb_status searching_moves(const pdb_solver *solver, uint32_t distance, const pdb_board *known, pdb_moves *moves,
                           pdb_error *error)
{
    const bool unordered = solver->puzzle->unordered;
    char rest[96];
    pdb_status status = PDB_OK;
    size_t done = 0;
    moves_forget(moves);
    if (unordered && known != NULL)
        take_solution(solver, distance, known->symbol, moves);
    while (status == PDB_OK && done < moves->count) {
        status = unordered ? unordered_move(solver, distance, done, moves, error)
                           : ordered_move(solver, distance, known, &moves->move[done], moves, error);
        done += status == PDB_OK;
    }
    if (status != PDB_INTERRUPTED)
        return status;
    snprintf(rest, sizeof rest, "its moves were looked into, %zu of %zu", done, moves->count);
    return stopped(solver, distance, rest, error);
}

pdb_status searching_best(const pdb_solver *solver, uint32_t distance, pdb_moves *moves, pdb_error *error)
{
    pdb_status status = PDB_OK;
    moves_forget(moves);
    for (size_t m = 0; status == PDB_OK && m < moves->count; m++) {
        pdb_move *move = &moves->move[m];
        if (move->cost <= distance)
            status = search_up_to(solver, &move->board, distance - move->cost, &move->distance, error);
        move->optimal = status == PDB_OK && (uint64_t)move->distance + move->cost == distance;
    }
    return status;
}

pdb_status searching_list(const pdb_solver *solver, const pdb_board *board,
                          bool (*visit)(void *visiting, const uint8_t *solution), void *visiting, pdb_error *error)
{
    const struct search_listing listing = {
        .observe = observe, .context = context_of(solver), .visit = visit, .visiting = visiting};
    const struct search_options options = {.threads = 1};
    const struct puzzle *shown = solver->asked
                                     ->shown; /* in a database a puzzle with keys is another, without a search */
    struct searcher *lister;
    pdb_status status = search_make(shown->family->single.searcher, shown, &options, &lister, error);
    if (status != PDB_OK)
        return status;
    status = lister->class->list(lister, board->symbol, &listing, error);
    search_free(lister);
    if (status == PDB_INTERRUPTED)
        return error_set(error, status, "%s: interrupted while solutions were listed", solver->puzzle->name);
    return status;
}

/* A count that is not to look at more than so many boards. */
struct limited {
    const pdb_solver *solver;
    uint64_t most;
    bool passed;
};

static bool observe_count(void *context, const struct search_progress *progress)
{
    struct limited *limited = context;
    limited->passed = progress->nodes > limited->most;
    return !limited->passed && observe(context_of(limited->solver), progress);
}

/* A family's own search may not be one that counts; the one over the contract always can, where there are indices. */
static pdb_status count_by_contract(const pdb_solver *solver, const uint8_t *position, uint32_t distance,
                                    struct limited *limited, unsigned __int128 *count, pdb_error *error)
{
    const struct search_options options = {.threads = 1};
    struct searcher *counter;
    if (solver->puzzle->states == 0)
        return error_set(error, PDB_NO_DATABASE, "%s: solutions of puzzles with so many states are not counted",
                         solver->puzzle->name);
    pdb_status status = search_make(&ida_class, solver->puzzle, &options, &counter, error);
    if (status != PDB_OK)
        return status;
    status = counter->class->count(counter, position, distance, observe_count, limited, count, error);
    search_free(counter);
    return status;
}

pdb_status searching_count(const pdb_solver *solver, const pdb_board *board, uint32_t distance, uint64_t most,
                           char *text, pdb_error *error)
{
    const struct searcher *searcher = solver->searcher;
    struct limited limited = {.solver = solver, .most = most};
    unsigned __int128 count = 0;
    pdb_status status = searcher->class->count == NULL
                            ? count_by_contract(solver, board->symbol, distance, &limited, &count, error)
                            : searcher->class->count(searcher, board->symbol, distance, observe_count, &limited, &count,
                                                     error);
    *text = '\0';
    if ((status == PDB_INTERRUPTED && limited.passed) || (status == PDB_TOO_LARGE && most < UINT64_MAX))
        return PDB_OK;
    if (status == PDB_INTERRUPTED)
        return stopped(solver, distance, "solutions were counted", error);
    if (status == PDB_OK)
        digits_text(count, text);
    return status;
}

pdb_status searching_refuse(const pdb_solver *solver, pdb_error *error)
{
    return error_set(error, PDB_NO_DATABASE, "%s: not all distances are known, boards are searched one by one",
                     solver->puzzle->name);
}

/* -- the bounds that a search begins with -- */

pdb_status pdb_solver_bounds(const pdb_solver *solver, const pdb_board *board, pdb_bounds *bounds, pdb_error *error)
{
    const struct search_options options = {.threads = solver->threads, .memory = solver->memory};
    struct searcher *searcher = NULL;
    *bounds = (pdb_bounds){0};
    pdb_status status = puzzle_check_board(solver->asked, board, error);
    if (status == PDB_OK && solver->searcher == NULL) /* nothing is searched: one is made to be asked */
        status = search_create(solver->asked->shown, &options, &searcher, error);
    if (status == PDB_OK)
        status = bounds_tell(searcher != NULL ? searcher : solver->searcher, board->symbol, bounds, error);
    search_free(searcher);
    return status;
}

void pdb_bounds_free(pdb_bounds *bounds)
{
    bounds_free(bounds);
}
