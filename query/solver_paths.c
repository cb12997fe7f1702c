/* solver_paths.c -- all shortest solutions of a board, one after another
 *
 * Where the order of moves matters, they are the ways down to the goal, depth first. Many lead through the same boards,
 * so the best moves of some boards at each depth are remembered; nothing else is kept. Where it does not, a solution is
 * what stands on the board in the end, and the family's searcher lists those; any value of a solution can be put into
 * its slot first, so the moves of the board that was asked about have the words for all of them.
 */
#include "solver.h"

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

/* A board that was on the way, and its best moves; as long as it has none, there was no board. */
struct known {
    pdb_board board;
    pdb_moves best;
};

/* The board on the way at a depth: the first `next` of its best moves have been followed. It stays known until there is
 * another one at that depth. */
struct level {
    const pdb_moves *best;
    size_t next;
};

struct descent {
    struct listing *listing;
    struct level *level;
    struct known *known; /* `slots` of each depth */
    size_t slots;
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

/* The board on the way at a depth is another one. */
static pdb_status arrive(struct descent *descent, uint32_t depth, const pdb_board *board, uint32_t distance,
                         pdb_error *error)
{
    const pdb_solver *solver = descent->listing->solver;
    const unsigned places = solver->puzzle->board.places;
    uint64_t hash = 0;
    for (unsigned place = 0; place < places; place++)
        hash = (hash ^ board->symbol[place]) * 0x9E3779B97F4A7C15;
    struct known *known = &descent->known[depth * descent->slots + (hash >> 32) % descent->slots];
    descent->level[depth] = (struct level){&known->best, 0};
    if (known->best.count > 0 && memcmp(known->board.symbol, board->symbol, places) == 0)
        return PDB_OK;
    known->board = *board;
    return find_best(solver, board, distance, &known->best, error);
}

/* Goes down and back up until every way has been gone. No way has more moves than the distance. */
static pdb_status walk_down(struct descent *descent, const pdb_board *board, uint32_t distance, pdb_error *error)
{
    struct listing *listing = descent->listing;
    pdb_status status = arrive(descent, 0, board, distance, error);
    uint32_t depth = 0; /* the level whose moves are followed; its number is that of the moves before it */
    for (uint64_t done = 0; status == PDB_OK && !listing->enough; done++) {
        struct level *here = &descent->level[depth];
        if (here->next == here->best->count && depth == 0)
            break;
        if (here->next == here->best->count) {
            depth--;
            continue;
        }
        const pdb_move *move = &here->best->move[here->next++];
        listing->path[depth] = *move;
        if (move->distance == 0) {
            listing->enough = !listing->visit(listing->context, listing->path, depth + 1);
            continue;
        }
        status = solver_go_on(listing->solver, done, 256, error);
        if (status == PDB_OK)
            status = arrive(descent, ++depth, &move->board, move->distance, error);
    }
    return status;
}

static pdb_status list_ways(struct listing *listing, const pdb_board *board, uint32_t distance, pdb_error *error)
{
    enum { KNOWN = 1 << 12 };
    struct descent descent = {.listing = listing, .slots = distance < KNOWN ? KNOWN / distance : 1};
    const size_t boards = distance * descent.slots;
    pdb_status status;
    descent.level = calloc(distance, sizeof *descent.level);
    descent.known = calloc(boards, sizeof *descent.known);
    status = descent.level != NULL && descent.known != NULL
                 ? walk_down(&descent, board, distance, error)
                 : error_no_memory(error, "solutions", boards * sizeof *descent.known);
    for (size_t i = 0; descent.known != NULL && i < boards; i++)
        pdb_moves_free(&descent.known[i].best);
    free(descent.known);
    free(descent.level);
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
