/* solver_claims.c -- what the name of a puzzle claims of its board, held against what a solver says (pdb.h) */
#include "lib/text.h"
#include "solver.h"

#include <stdlib.h>

/* States that were seen and whose moves are still to be made, in the order in which they were found. */
struct queue {
    uint64_t *seen; /* a bit a state */
    uint64_t *state;
    size_t count, room;
};

static bool see(struct queue *queue, uint64_t state)
{
    uint64_t *word = &queue->seen[state / 64], bit = 1ull << state % 64;
    if (*word & bit)
        return true;
    *word |= bit;
    if (queue->count == queue->room) {
        const size_t room = 2 * queue->room + 1024;
        uint64_t *states = realloc(queue->state, room * sizeof *states);
        if (states == NULL)
            return false;
        queue->state = states;
        queue->room = room;
    }
    queue->state[queue->count++] = state;
    return true;
}

static bool spread(const struct puzzle *puzzle, struct queue *queue)
{
    uint64_t *next = calloc(puzzle->max_moves + 1, sizeof *next);
    bool room = next != NULL;
    for (size_t i = 0; room && i < queue->count; i++) {
        uint16_t moves;
        const size_t count = puzzle->functions.index.successors(puzzle, &queue->state[i], 1, next, &moves);
        for (size_t n = 0; room && n < count; n++)
            room = see(queue, next[n]);
    }
    free(next);
    return room;
}

/* How many states moves lead to from a board, it included. Where they were found from this one, they are all. */
static pdb_status count_around(const pdb_solver *solver, const pdb_board *board, uint64_t *states, pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    struct queue queue = {0};
    uint64_t index;
    *states = solver->figures.states;
    if (solver->space.keyed != NULL && puzzle_sets_out(puzzle) && solver->asked->moves->named_count == 1)
        return PDB_OK;
    if (!puzzle->functions.position.rank(puzzle, board->symbol, &index))
        return error_set(error, PDB_BAD_BOARD, "%s: this board is none of its states", puzzle->name);
    queue.seen = calloc(puzzle->states / 64 + 1, sizeof *queue.seen);
    const bool room = queue.seen != NULL && see(&queue, index) && spread(puzzle, &queue);
    *states = queue.count;
    free(queue.seen);
    free(queue.state);
    return room ? PDB_OK : error_no_memory(error, "the boards around one", puzzle->states / 8);
}

pdb_status pdb_solver_claims(const pdb_solver *solver, const char *name, const pdb_board *board, uint32_t distance,
                             pdb_error *error)
{
    uint64_t claimed, claimed_states, states;
    char found[NUMBER_TEXT_MAX];
    if (!catalog_claims(name, &claimed, &claimed_states))
        return PDB_OK;
    if (distance == PDB_NO_DISTANCE)
        return error_set(error, PDB_BAD_BOARD, "the goal cannot be reached, and it is said to be %llu moves away",
                         (unsigned long long)claimed);
    if (distance != claimed)
        return error_set(error, PDB_BAD_BOARD, "the board is %u move%s from the goal, and not %llu as is said of it",
                         distance, plural(distance), (unsigned long long)claimed);
    if (claimed_states == 0 || solver->searcher != NULL) /* a search cannot count them: that is left unchecked */
        return PDB_OK;
    pdb_status status = count_around(solver, board, &states, error);
    if (status != PDB_OK || states == claimed_states)
        return status;
    return error_set(error, PDB_BAD_BOARD, "moves lead to %s boards from this one, and not to %llu as is said of it",
                     number_text(states, found), (unsigned long long)claimed_states);
}
