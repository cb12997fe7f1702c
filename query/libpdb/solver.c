/* solver.c -- the public interface to answers (pdb.h) about boards
 *
 * Where all distances are known, look-ups answer (what follows from them is the business of
 * lib/search/space/distance.h); else search.c does.
 */
#include "solver.h"
#include "lib/images.h"
#include "lib/random.h"
#include "lib/text.h"
#include "lib/search/space/distance.h"
#include "lib/search/space/keyed.h"

#include <stdlib.h>
#include <string.h>

/* What a count that is wanted soon may look at. */
static const uint64_t soon_nodes_max = 1000000;

pdb_status solver_sound(const pdb_solver *solver, pdb_status status, pdb_error *error)
{
    const pdb_status failed = solver->space.keyed != NULL ? keys_failed(keyed_keys(solver->space.keyed)) : PDB_OK;
    if (failed == PDB_OK)
        return status;
    if (failed == PDB_NO_MEMORY)
        return error_set(error, failed, "not enough memory to look up keys in %s", store_file(solver->store));
    return error_set(error, PDB_DAMAGED, "%s is damaged (its table of keys): generate it again with `pdb-gen --force`",
                     store_file(solver->store));
}

pdb_status pdb_solver_covers(const pdb_solver *solver, const pdb_board *board, pdb_error *error)
{
    uint64_t index;
    if (puzzle_check_symbols(solver->asked, board, error) != PDB_OK)
        return PDB_BAD_BOARD;
    if (solver->space.keyed == NULL || !puzzle_sets_out(solver->puzzle) ||
        solver->puzzle->family->position.rank(solver->puzzle, board->symbol, &index))
        return solver_sound(solver, PDB_OK, error);
    error_set(error, PDB_BAD_BOARD,
              "no moves lead to this board from those that %s %s (start), so nothing is known of it: pdb-query "
              "--method=search answers it; or name it in a definition of your own, under 'boards'",
              solver->puzzle->name, solver->puzzle->forward ? "begins with" : "names");
    return solver_sound(solver, PDB_BAD_BOARD, error);
}

enum { BATCH = 256 };

pdb_status solver_go_on(const pdb_solver *solver, uint64_t done, unsigned between, pdb_error *error)
{
    if (done % between != between - 1 || solver->observe == NULL || solver->observe(solver->context, 0, done))
        return PDB_OK;
    return error_set(error, PDB_INTERRUPTED, "%s: interrupted while distances were looked up", solver->puzzle->name);
}

pdb_status pdb_solver_distance(const pdb_solver *solver, const pdb_board *board, size_t count, uint32_t *distance,
                               pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    pdb_status status = catalog_check_boards(solver->asked, error);
    for (size_t i = 0; solver->searcher != NULL && status == PDB_OK && i < count; i++) {
        pdb_solution solution;
        status = searching_solve(solver, &board[i], 0, &solution, error);
        distance[i] = solution.distance;
    }
    if (solver->searcher != NULL || status != PDB_OK)
        return status;
    for (size_t first = 0; first < count; first += BATCH) {
        const size_t batch = count - first < BATCH ? count - first : BATCH;
        uint64_t index[BATCH];
        uint32_t found[BATCH], *where[BATCH];
        size_t ranked = 0;
        for (size_t i = first; i < first + batch; i++) {
            if (puzzle_check_symbols(solver->asked, &board[i], error) != PDB_OK)
                return PDB_BAD_BOARD;
            distance[i] = PDB_NO_DISTANCE;
            where[ranked] = &distance[i];
            ranked += puzzle->family->position.rank(puzzle, board[i].symbol, &index[ranked]);
        }
        status = distance_get(&solver->space.values, index, ranked, found, error);
        if (status != PDB_OK)
            return solver_sound(solver, status, error);
        for (size_t i = 0; i < ranked; i++)
            *where[i] = found[i];
    }
    return solver_sound(solver, PDB_OK, error);
}

/* Distances of the boards that up to BATCH moves out of a board at a known distance lead to: a look-up each. */
static pdb_status fill_batch(const pdb_solver *solver, uint32_t distance, pdb_move *move, size_t count,
                             pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    uint64_t index[BATCH];
    uint32_t found[BATCH], *where[BATCH];
    size_t ranked = 0;
    for (size_t i = 0; i < count; i++) {
        move[i].distance = PDB_NO_DISTANCE;
        where[ranked] = &move[i].distance;
        if (puzzle->family->position.rank(puzzle, move[i].board.symbol, &index[ranked]))
            ranked++;
        else if (puzzle->undoable)
            return error_set(error, PDB_DAMAGED, "a move leads out of the puzzle's states");
    }
    pdb_status status = distance_near(&solver->space.values, distance, index, ranked, found, error);
    for (size_t i = 0; status == PDB_OK && i < ranked; i++)
        *where[i] = found[i];
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        move[i].optimal = (uint64_t)move[i].distance + move[i].cost == distance;
    return status;
}

/* From a board that cannot reach the goal no move leads to one that can. */
static pdb_status fill_distances(const pdb_solver *solver, uint32_t distance, const pdb_board *known, pdb_moves *moves,
                                 pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (distance == PDB_NO_DISTANCE)
        moves_forget(moves);
    if (solver->searcher != NULL && distance != PDB_NO_DISTANCE)
        return searching_moves(solver, distance, known, moves, error);
    for (size_t first = 0; distance != PDB_NO_DISTANCE && status == PDB_OK && first < moves->count; first += BATCH) {
        const size_t left = moves->count - first;
        status = fill_batch(solver, distance, moves->move + first, left < BATCH ? left : BATCH, error);
    }
    return status;
}

pdb_status solver_moves(const pdb_solver *solver, const pdb_board *board, uint32_t distance, const pdb_board *known,
                        pdb_moves *moves, pdb_error *error)
{
    moves->count = 0;
    pdb_status status = puzzle_check_symbols(solver->asked, board, error);
    if (status == PDB_OK && solver->searcher != NULL)
        status = solver->puzzle->family->position.check(solver->puzzle, board->symbol, error);
    if (status == PDB_OK)
        status = solver->puzzle->family->position.moves(solver->puzzle, board->symbol, moves, error);
    if (status == PDB_OK)
        status = fill_distances(solver, distance, known, moves, error);
    return solver_sound(solver, status, error);
}

pdb_status pdb_solver_moves(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_moves *moves,
                            pdb_error *error)
{
    return solver_moves(solver, board, distance, NULL, moves, error);
}

pdb_status pdb_solver_add_moves(const pdb_solver *solver, const pdb_board *board, pdb_solution *solution,
                                pdb_error *error)
{
    const bool known = solution->path != NULL && solution->steps > 0;
    const uint32_t step = known && solver->puzzle->unordered ? solution->steps - 1 : 0;
    return solver_moves(solver, board, solution->distance, known ? &solution->path[step].board : NULL, &solution->moves,
                        error);
}

/* The moves of a shortest solution, by look-ups, behind those of the line. */
static pdb_status walk(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_moves *line,
                       pdb_error *error)
{
    pdb_moves moves = {0};
    pdb_status status = PDB_OK;
    if (solver->memory != 0 && distance > solver->memory / sizeof *moves.move)
        return error_set(error, PDB_TOO_LARGE, "a solution of up to %u moves takes more than %llu bytes", distance,
                         (unsigned long long)solver->memory);
    while (status == PDB_OK && distance > 0) {
        status = pdb_solver_moves(solver, board, distance, &moves, error);
        size_t best = 0;
        while (status == PDB_OK && best < moves.count && !moves.move[best].optimal)
            best++;
        if (status == PDB_OK && best == moves.count)
            status = error_set(error, PDB_DAMAGED, "no move leads nearer to the goal from a board at distance %u",
                               distance);
        pdb_move *step = status == PDB_OK ? moves_add(line) : NULL;
        if (step == NULL) {
            status = status != PDB_OK ? status : error_no_memory(error, "a solution", line->count * sizeof *step);
            break;
        }
        *step = moves.move[best]; /* NOLINT(*NullDereference): `best` is one of them */
        board = &step->board;
        distance = step->distance;
        status = solver_go_on(solver, line->count, BATCH, error);
    }
    pdb_moves_free(&moves);
    return status;
}

pdb_status pdb_solver_path(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_move *path,
                           pdb_error *error)
{
    pdb_solution solution = {.distance = distance};
    pdb_moves line = {0};
    pdb_status status = catalog_check_boards(solver->asked, error);
    if (status == PDB_OK && solver->searcher != NULL) { /* a search finds distance and path in one */
        status = searching_solve(solver, board, PDB_WANT_PATH, &solution, error);
        line = (pdb_moves){.count = solution.steps, .move = solution.path};
        solution.path = NULL;
    } else if (status == PDB_OK) {
        status = walk(solver, board, distance, &line, error);
    }
    if (status == PDB_OK && solution.distance != distance)
        status = error_set(error, PDB_BAD_USAGE, "the distance of this board is not %u", distance);
    if (status == PDB_OK && line.count > 0)
        memcpy(path, line.move, line.count * sizeof *path);
    pdb_solution_free(&solution);
    pdb_moves_free(&line);
    return status;
}

pdb_status pdb_solver_solve(const pdb_solver *solver, const pdb_board *board, unsigned want, pdb_solution *solution,
                            pdb_error *error)
{
    *solution = (pdb_solution){.distance = PDB_NO_DISTANCE};
    if (solver->searcher != NULL)
        return searching_solve(solver, board, want, solution, error);
    pdb_status status = pdb_solver_distance(solver, board, 1, &solution->distance, error);
    if (status == PDB_OK && (want & PDB_WANT_MOVES) != 0)
        status = pdb_solver_moves(solver, board, solution->distance, &solution->moves, error);
    if (status != PDB_OK || (want & PDB_WANT_PATH) == 0 || solution->distance == PDB_NO_DISTANCE)
        return status;
    pdb_moves line = {0};
    status = walk(solver, board, solution->distance, &line, error);
    if (status == PDB_OK && line.count == 0 && moves_add(&line) == NULL) /* a path there is, of no moves */
        status = error_no_memory(error, "a solution", sizeof *line.move);
    solution->path = line.move;
    solution->steps = solution->distance > 0 ? (uint32_t)line.count : 0;
    return status;
}

void pdb_solution_free(pdb_solution *solution)
{
    pdb_moves_free(&solution->moves);
    free(solution->path);
    solution->path = NULL;
}

/* `most`: how many boards a search may look at, before it gives up with an empty text. */
static pdb_status count(const pdb_solver *solver, const pdb_board *board, uint32_t distance, uint64_t most, char *text,
                        pdb_error *error)
{
    uint64_t index;
    unsigned __int128 paths = 0;
    if (puzzle_check_symbols(solver->asked, board, error) != PDB_OK)
        return PDB_BAD_BOARD;
    if (solver->searcher != NULL &&
        solver->puzzle->family->position.check(solver->puzzle, board->symbol, error) != PDB_OK)
        return PDB_BAD_BOARD;
    if (solver->searcher != NULL && distance != PDB_NO_DISTANCE)
        return searching_count(solver, board, distance, most, text, error);
    if (distance != PDB_NO_DISTANCE && solver->puzzle->family->position.rank(solver->puzzle, board->symbol, &index)) {
        pdb_status status = distance_count_paths(&solver->space.values, index, distance, &paths, error);
        if (status != PDB_OK)
            return status;
    }
    digits_text(paths, text);
    return solver_sound(solver, PDB_OK, error);
}

pdb_status pdb_solver_count(const pdb_solver *solver, const pdb_board *board, uint32_t distance, char *text,
                            pdb_error *error)
{
    return count(solver, board, distance, UINT64_MAX, text, error);
}

pdb_status pdb_solver_count_soon(const pdb_solver *solver, const pdb_board *board, uint32_t distance, char *text,
                                 pdb_error *error)
{
    return count(solver, board, distance, soon_nodes_max, text, error);
}

/* -- about all boards: the hardest ones, and some at random -- */

uint64_t solver_hardest_kept(const pdb_solver *solver)
{
    const struct store_header *figures = &solver->figures;
    uint64_t boards = 0;
    for (size_t i = 0; i < figures->hardest_kept; i++)
        boards += images_weight(solver->puzzle, figures->hardest_states[i]);
    return boards;
}

pdb_status pdb_solver_hardest(const pdb_solver *solver, uint64_t i, pdb_board *board, pdb_error *error)
{
    const uint64_t all = solver->figures.hardest;
    if (catalog_check_boards(solver->asked, error) != PDB_OK)
        return PDB_BAD_BOARD;
    if (solver->searcher != NULL)
        return searching_refuse(solver, error);
    if (i >= all)
        return error_set(error, PDB_BAD_USAGE, "there are only %llu hardest boards", (unsigned long long)all);
    /* The i-th, from 0, of the boards that the listed states stand for. */
    const struct puzzle *puzzle = solver->puzzle;
    const struct store_header *figures = &solver->figures;
    uint8_t position[BOARD_MAX_CELLS];
    size_t state = 0;
    for (uint64_t weight; state < figures->hardest_kept; state++, i -= weight)
        if (i < (weight = images_weight(puzzle, figures->hardest_states[state])))
            break;
    if (state < figures->hardest_kept) {
        memset(board, 0, sizeof *board);
        puzzle->family->position.unrank(puzzle, figures->hardest_states[state], position);
        if (images_nth(puzzle, position, i, board->symbol))
            return solver_sound(solver, PDB_OK, error);
    }
    return error_set(error, PDB_BAD_USAGE, "only the first %llu of the hardest boards are kept",
                     (unsigned long long)solver_hardest_kept(solver));
}

/* -- random boards -- */

/* Can a state be at this distance? False after a look-up; true where only its exact distance can tell. */
static pdb_status may_be_at(const pdb_solver *solver, uint64_t index, uint32_t wanted, bool *may, pdb_error *error)
{
    const unsigned modulus = encoding_modulus(solver->space.values.encoding);
    uint8_t residue;
    *may = true;
    if (modulus == 0)
        return PDB_OK;
    pdb_status status = values_get(&solver->space.values, &index, 1, &residue, error);
    *may = status == PDB_OK && residue != RESIDUE_NONE && (wanted == PDB_NO_DISTANCE || residue == wanted % modulus);
    return status;
}

/* Draws states until one is at the wanted distance. One that stands for fewer boards than another is taken that much
 * more rarely. After a hundred times as many draws as it takes in the mean, which no luck explains, the figures are
 * wrong. */
static pdb_status draw(const pdb_solver *solver, uint32_t wanted, uint64_t *seed, uint64_t *index, uint32_t *distance,
                       pdb_error *error)
{
    uint8_t position[BOARD_MAX_CELLS];
    solver->puzzle->family->position.unrank(solver->puzzle, 0, position);
    const unsigned symmetries = images_symmetries(solver->puzzle, position);
    const struct store_header *figures = &solver->figures;
    const uint64_t wanted_boards = wanted == PDB_NO_DISTANCE ? figures->reachable : figures->histogram[wanted];
    const double most = 100 * (1 + (double)solver->puzzle->states * symmetries / (double)wanted_boards);
    for (uint64_t draws = 0, walks = 0; (double)draws < most; draws++) {
        bool may;
        *index = random_below(seed, solver->puzzle->states);
        pdb_status status = solver_go_on(solver, draws, 64 * BATCH, error);
        if (status == PDB_OK)
            status = may_be_at(solver, *index, wanted, &may, error);
        if (status == PDB_OK && may)
            status = solver_go_on(solver, walks++, BATCH, error);
        if (status == PDB_OK && may)
            status = distance_get(&solver->space.values, index, 1, distance, error);
        if (status != PDB_OK)
            return status;
        if (!may || *distance == PDB_NO_DISTANCE || (wanted != PDB_NO_DISTANCE && *distance != wanted))
            continue;
        if (symmetries == 1 || random_below(seed, symmetries) < images_weight(solver->puzzle, *index))
            return PDB_OK;
    }
    return error_set(error, PDB_DAMAGED,
                     "%s: the distances do not agree with the histogram: generate the database again",
                     solver->puzzle->name);
}

/* Where distances are read and few boards are at the wanted one, reading them all beats drawing: takes one of those
 * boards by its number. */
static pdb_status pick(const pdb_solver *solver, uint32_t wanted, uint64_t *seed, uint64_t *index, pdb_error *error)
{
    const uint64_t states = solver->puzzle->states;
    uint64_t left = random_below(seed, solver->figures.histogram[wanted]), some[BATCH];
    uint32_t distance[BATCH];
    for (uint64_t first = 0; first < states; first += BATCH) {
        const size_t count = states - first < BATCH ? (size_t)(states - first) : BATCH;
        for (size_t i = 0; i < count; i++)
            some[i] = first + i;
        pdb_status status = solver_go_on(solver, first / BATCH, BATCH, error);
        if (status == PDB_OK)
            status = distance_get(&solver->space.values, some, count, distance, error);
        if (status != PDB_OK)
            return status;
        for (size_t i = 0; i < count; i++) {
            const uint64_t weight = distance[i] == wanted ? images_weight(solver->puzzle, some[i]) : 0;
            *index = some[i];
            if (left < weight)
                return PDB_OK;
            left -= weight;
        }
    }
    return error_set(error, PDB_DAMAGED, "fewer boards are at distance %u than the histogram says", wanted);
}

/* Where boards are searched: draws one by its number, and searches for its distance. */
static pdb_status search_random(const pdb_solver *solver, uint64_t seed, pdb_board *board, uint32_t *distance,
                                pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    pdb_status status = PDB_OK;
    if (puzzle->states == 0 || puzzle->keyed || puzzle->family->index.weights != NULL)
        return error_set(error, PDB_NO_DATABASE, "%s: its states are not numbered, so none can be drawn at random",
                         puzzle->name);
    *distance = PDB_NO_DISTANCE;
    while (status == PDB_OK && *distance == PDB_NO_DISTANCE) {
        memset(board, 0, sizeof *board);
        puzzle->family->position.unrank(puzzle, random_below(&seed, puzzle->states), board->symbol);
        status = pdb_solver_distance(solver, board, 1, distance, error);
    }
    return status;
}

pdb_status pdb_solver_random(const pdb_solver *solver, uint32_t distance_or_none, uint64_t seed, pdb_board *board,
                             uint32_t *distance, pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    const struct store_header *figures = &solver->figures;
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index;
    if (catalog_check_boards(solver->asked, error) != PDB_OK)
        return PDB_BAD_BOARD;
    if (solver->searcher != NULL)
        return distance_or_none == PDB_NO_DISTANCE ? search_random(solver, seed, board, distance, error)
                                                   : searching_refuse(solver, error);
    if (distance_or_none != PDB_NO_DISTANCE &&
        (distance_or_none >= figures->depths || figures->histogram[distance_or_none] == 0))
        return error_set(error, PDB_BAD_USAGE, "no board is at distance %u: the hardest are at %zu", distance_or_none,
                         figures->depths - 1);
    if (distance_or_none == figures->depths - 1 && solver_hardest_kept(solver) == figures->hardest) {
        *distance = distance_or_none;
        return pdb_solver_hardest(solver, random_below(&seed, figures->hardest), board, error);
    }
    const bool rare = encoding_modulus(solver->space.values.encoding) == 0 && distance_or_none != PDB_NO_DISTANCE &&
                      figures->histogram[distance_or_none] < puzzle->states / 4096;
    *distance = distance_or_none;
    pdb_status status = rare ? pick(solver, distance_or_none, &seed, &index, error)
                             : draw(solver, distance_or_none, &seed, &index, distance, error);
    if (status != PDB_OK)
        return status;
    memset(board, 0, sizeof *board);
    puzzle->family->position.unrank(puzzle, index, position);
    images_nth(puzzle, position, random_below(&seed, images_weight(puzzle, index)), board->symbol);
    return solver_sound(solver, PDB_OK, error);
}
