/* solver_boards.c -- the public interface to answers (pdb.h) about all boards: the hardest ones, and some at random */
#include "solver.h"
#include "lib/images.h"
#include "lib/random.h"
#include "lib/search/space/distance.h"

#include <string.h>

enum { BATCH = 256 };

/* How many of the hardest boards are kept. */
static uint64_t hardest_boards_kept(const pdb_solver *solver)
{
    const struct store_header *figures = &solver->figures;
    uint64_t boards = 0;
    for (size_t i = 0; i < figures->hardest_kept; i++)
        boards += images_weight(solver->puzzle, figures->hardest_states[i]);
    return boards;
}

/* The i-th, from 0, of the boards that the listed hardest states stand for; false past the last. */
static bool hardest_board(const pdb_solver *solver, uint64_t i, pdb_board *board)
{
    const struct puzzle *puzzle = solver->puzzle;
    uint8_t position[BOARD_MAX_CELLS];
    size_t state = 0;
    for (uint64_t weight; state < solver->figures.hardest_kept; state++, i -= weight)
        if (i < (weight = images_weight(puzzle, solver->figures.hardest_states[state])))
            break;
    if (state == solver->figures.hardest_kept)
        return false;
    memset(board, 0, sizeof *board);
    puzzle->family->position.unrank(puzzle, solver->figures.hardest_states[state], position);
    return images_nth(puzzle, position, i, board->symbol);
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
    if (hardest_board(solver, i, board))
        return solver_sound(solver, PDB_OK, error);
    return error_set(error, PDB_BAD_USAGE, "only the first %llu of the hardest boards are kept",
                     (unsigned long long)hardest_boards_kept(solver));
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
    for (uint64_t draws = 0; (double)draws < most; draws++) {
        bool may;
        *index = random_below(seed, solver->puzzle->states);
        pdb_status status = may_be_at(solver, *index, wanted, &may, error);
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
        pdb_status status = distance_get(&solver->space.values, some, count, distance, error);
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

/* Is a distance rare enough for that? */
static bool is_rare(const pdb_solver *solver, uint32_t wanted)
{
    return encoding_modulus(solver->space.values.encoding) == 0 && wanted != PDB_NO_DISTANCE &&
           solver->figures.histogram[wanted] < solver->puzzle->states / 4096;
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
    if (distance_or_none == figures->depths - 1 && hardest_boards_kept(solver) == figures->hardest) {
        *distance = distance_or_none;
        return pdb_solver_hardest(solver, random_below(&seed, figures->hardest), board, error);
    }
    *distance = distance_or_none;
    pdb_status status = is_rare(solver, distance_or_none)
                            ? pick(solver, distance_or_none, &seed, &index, error)
                            : draw(solver, distance_or_none, &seed, &index, distance, error);
    if (status != PDB_OK)
        return status;
    memset(board, 0, sizeof *board);
    puzzle->family->position.unrank(puzzle, index, position);
    images_nth(puzzle, position, random_below(&seed, images_weight(puzzle, index)), board->symbol);
    return solver_sound(solver, PDB_OK, error);
}
