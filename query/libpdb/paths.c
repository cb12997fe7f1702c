/* paths.c -- all shortest solutions of a board, one after another
 *
 * Where the order of moves matters, they are the ways down to the goal, depth first. Many lead through the same boards,
 * so the best moves of some are remembered, in 16 MiB; nothing else is kept. Where it does not, a solution is
 * what stands on the board in the end, and the family's searcher lists those; any value of a solution can be put into
 * its slot first, so the moves of the board that was asked about have the words for all of them.
 */
#include "solver.h"
#include "lib/memory/array.h"

#include <stdlib.h>
#include <string.h>

struct listing {
    const pdb_solver *solver;
    pdb_path_visitor *visit;
    void *context;
    pdb_move *path; /* the moves so far */
    bool enough;
};

/* -- ways down to the goal -- */

/* Best moves of a board, and behind them the board, in one piece of memory; NULL: there is none. */
struct known {
    pdb_move *best;
    size_t count;
};

/* A board on the way: its best moves, of which the first `next` have been followed. */
struct level {
    pdb_moves best;
    size_t next;
};

enum { KNOWN = 1 << 12, KNOWN_BYTES = 16 << 20 };

struct descent {
    struct listing *listing;
    struct level *level;
    uint32_t reached; /* levels */
    struct known known[KNOWN];
    uint64_t left; /* bytes that these may take */
};

static pdb_status find_best(const pdb_solver *solver, const pdb_board *board, uint32_t distance, pdb_moves *moves,
                            pdb_error *error)
{
    pdb_status status = PDB_OK;
    moves->count = 0;
    if (solver->searcher == NULL) {
        status = pdb_solver_moves(solver, board, distance, moves, error);
    } else {
        status = solver->puzzle->family->position.moves(solver->puzzle, board->symbol, moves, error);
        if (status == PDB_OK)
            status = searching_best(solver, distance, moves, error);
    }
    size_t best = 0;
    for (size_t m = 0; status == PDB_OK && m < moves->count; m++)
        if (moves->move[m].optimal && best++ != m)
            moves->move[best - 1] = moves->move[m];
    if (status == PDB_OK && best == 0)
        status = error_set(error, PDB_DAMAGED, "no move leads nearer to the goal from a board at distance %u",
                           distance);
    moves->count = best;
    return status;
}

/* -- boards that are remembered -- */

static struct known *slot_of(struct descent *descent, const pdb_board *board)
{
    uint64_t hash = 0;
    for (unsigned place = 0; place < descent->listing->solver->puzzle->board.places; place++)
        hash = (hash ^ board->symbol[place]) * 0x9E3779B97F4A7C15;
    return &descent->known[(hash >> 32) % KNOWN];
}

/* Takes the best moves of a board from where they are remembered; false where they are not, or memory is short. */
static bool recall(const struct descent *descent, const struct known *known, const pdb_board *board, pdb_moves *best)
{
    const unsigned places = descent->listing->solver->puzzle->board.places;
    if (known->best == NULL || memcmp(known->best + known->count, board->symbol, places) != 0 ||
        !array_reserve(&best->move, &best->capacity, known->count, sizeof *best->move))
        return false;
    memcpy(best->move, known->best, known->count * sizeof *best->move);
    best->count = known->count;
    return true;
}

/* In place of another board's, if there is room. */
static void remember(struct descent *descent, struct known *known, const pdb_board *board, const pdb_moves *best)
{
    const unsigned places = descent->listing->solver->puzzle->board.places;
    const size_t moves = best->count * sizeof *best->move, bytes = moves + places;
    descent->left += known->best != NULL ? known->count * sizeof *known->best + places : 0;
    free(known->best);
    known->best = NULL;
    if (bytes > descent->left || (known->best = malloc(bytes)) == NULL)
        return;
    descent->left -= bytes;
    known->count = best->count;
    memcpy(known->best, best->move, moves);
    memcpy(known->best + best->count, board->symbol, places);
}

/* The board on the way at a depth is another one. */
static pdb_status arrive(struct descent *descent, uint32_t depth, const pdb_board *board, uint32_t distance,
                         pdb_error *error)
{
    struct level *level = &descent->level[depth];
    struct known *known = slot_of(descent, board);
    descent->reached = depth < descent->reached ? descent->reached : depth + 1;
    level->next = 0;
    if (recall(descent, known, board, &level->best))
        return PDB_OK;
    pdb_status status = find_best(descent->listing->solver, board, distance, &level->best, error);
    if (status == PDB_OK)
        remember(descent, known, board, &level->best);
    return status;
}

/* Goes down and back up until every way has been gone. No way has more moves than the distance. */
static pdb_status walk_down(struct descent *descent, const pdb_board *board, uint32_t distance, pdb_error *error)
{
    struct listing *listing = descent->listing;
    pdb_status status = arrive(descent, 0, board, distance, error);
    uint64_t arrivals = 0;
    uint32_t depth = 0; /* the level whose moves are followed; its number is that of the moves before it */
    while (status == PDB_OK && !listing->enough) {
        struct level *here = &descent->level[depth];
        if (here->next == here->best.count && depth == 0)
            break;
        if (here->next == here->best.count) {
            depth--;
            continue;
        }
        const pdb_move *move = &here->best.move[here->next++];
        listing->path[depth] = *move;
        if (move->distance == 0) {
            listing->enough = !listing->visit(listing->context, listing->path, depth + 1);
            continue;
        }
        status = solver_go_on(listing->solver, arrivals++, 256, error);
        if (status == PDB_OK)
            status = arrive(descent, ++depth, &move->board, move->distance, error);
    }
    return status;
}

static pdb_status list_ways(struct listing *listing, const pdb_board *board, uint32_t distance, pdb_error *error)
{
    const uint64_t memory = listing->solver->memory;
    struct descent *descent = calloc(1, sizeof *descent);
    struct level *level = calloc(distance, sizeof *level);
    pdb_status status = PDB_OK;
    if (descent == NULL || level == NULL) {
        status = error_no_memory(error, "solutions", distance * sizeof *level);
    } else {
        descent->listing = listing;
        descent->level = level;
        descent->left = memory != 0 && memory < KNOWN_BYTES ? memory : KNOWN_BYTES;
        status = walk_down(descent, board, distance, error);
        for (size_t k = 0; k < KNOWN; k++)
            free(descent->known[k].best);
        for (uint32_t d = 0; d < descent->reached; d++)
            pdb_moves_free(&level[d].best);
    }
    free(level);
    free(descent);
    return status;
}

/* -- values in slots -- */

struct filling {
    struct listing *listing;
    const pdb_board *board;
    pdb_moves moves;     /* of the board */
    const pdb_move **to; /* by place and symbol: the one that puts it there */
};

/* Makes the moves to a solution, slots in reading order. */
static bool visit_completion(void *context, const uint8_t *solution)
{
    const struct filling *filling = context;
    struct listing *listing = filling->listing;
    const struct board *shape = &listing->solver->puzzle->board;
    pdb_board board = *filling->board;
    uint32_t steps = 0, left = 0;
    for (unsigned place = 0; place < shape->places; place++)
        left += board.symbol[place] != solution[place];
    for (unsigned place = 0; place < shape->places; place++) {
        if (board.symbol[place] == solution[place])
            continue;
        pdb_move *step = &listing->path[steps++];
        *step = *filling->to[place * shape->symbols + solution[place]];
        board.symbol[place] = solution[place];
        step->board = board;
        step->distance = left - steps;
        step->optimal = true;
    }
    listing->enough = !listing->visit(listing->context, listing->path, steps);
    return !listing->enough;
}

static pdb_status list_completions(struct listing *listing, const pdb_board *board, pdb_error *error)
{
    const struct puzzle *puzzle = listing->solver->puzzle;
    const size_t entries = (size_t)puzzle->board.places * puzzle->board.symbols;
    struct filling filling = {.listing = listing, .board = board, .to = calloc(entries, sizeof *filling.to)};
    pdb_status status = filling.to != NULL ? PDB_OK : error_no_memory(error, "moves", entries * sizeof *filling.to);
    if (status == PDB_OK)
        status = puzzle->family->position.moves(puzzle, board->symbol, &filling.moves, error);
    for (size_t m = 0; status == PDB_OK && m < filling.moves.count; m++) {
        const uint8_t *to = filling.moves.move[m].board.symbol;
        unsigned place = 0;
        while (to[place] == board->symbol[place])
            place++;
        filling.to[place * puzzle->board.symbols + to[place]] = &filling.moves.move[m];
    }
    if (status == PDB_OK)
        status = searching_list(listing->solver, board, visit_completion, &filling, error);
    free((void *)filling.to);
    pdb_moves_free(&filling.moves);
    return status;
}

/* -- */

pdb_status pdb_solver_paths(const pdb_solver *solver, const pdb_board *board, uint32_t distance,
                            pdb_path_visitor *visit, void *context, pdb_error *error)
{
    struct listing listing = {.solver = solver, .visit = visit, .context = context};
    const size_t bytes = (size_t)distance * sizeof *listing.path;
    uint32_t found;
    pdb_status status = pdb_solver_distance(solver, board, 1, &found, error);
    if (status == PDB_OK && found != distance)
        return error_set(error, PDB_BAD_USAGE, "the distance of this board is not %u", distance);
    if (status != PDB_OK || distance == PDB_NO_DISTANCE)
        return status;
    if (distance == 0) { /* the board is its own solution, of no moves */
        visit(context, NULL, 0);
        return PDB_OK;
    }
    listing.path = malloc(bytes);
    if (listing.path == NULL)
        return error_no_memory(error, "a solution", bytes);
    status = solver->puzzle->unordered ? list_completions(&listing, board, error)
                                       : list_ways(&listing, board, distance, error);
    free(listing.path);
    return solver_sound(solver, status, error);
}
