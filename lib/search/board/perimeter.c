/* perimeter.c -- all states within some number of moves of a few states
 *
 * Of a layer only its states are listed, and of all others only their number is kept (visited.h). A layer for which
 * there is no room leaves numbers past the radius behind, which are not looked at.
 */
#include "perimeter.h"

#include <stdlib.h>

enum { BATCH_NEIGHBOURS = 1 << 12, BATCH_MAX = 256 };

pdb_status ball_create(struct ball *ball, const struct puzzle *puzzle, bool backward, uint64_t memory, pdb_error *error)
{
    /* Half for the numbers, a quarter for each of two lists. */
    *ball = (struct ball){.puzzle = puzzle, .backward = backward, .room_max = memory / 4 / sizeof *ball->layer};
    return visited_create(&ball->number, puzzle->states, memory / 2, error);
}

void ball_free(struct ball *ball)
{
    visited_free(&ball->number);
    free(ball->layer);
    ball->layer = NULL;
}

/* A list of states that grows. */
struct list {
    uint64_t *state;
    uint64_t count, room;
};

/* Appends; false at `most`, or where memory is short. */
static bool append(struct list *list, uint64_t state, uint64_t most)
{
    if (list->count == list->room) {
        uint64_t room = list->room < 64 ? 64 : 2 * list->room;
        room = room < most ? room : most;
        uint64_t *grown = room > list->count ? realloc(list->state, room * sizeof *grown) : NULL;
        if (grown == NULL)
            return false;
        list->state = grown;
        list->room = room;
    }
    list->state[list->count++] = state;
    return true;
}

/* Adds states at a distance, those that are new to the list too. False where there is no room. */
static bool add(struct ball *ball, struct list *list, const uint64_t *state, size_t count, uint32_t distance)
{
    for (size_t i = 0; i < count; i++)
        visited_prefetch(&ball->number, state[i]);
    for (size_t i = 0; i < count; i++) {
        const enum visited_added added = visited_add(&ball->number, state[i], distance);
        if (added == VISITED_FULL || (added == VISITED_ADDED && !append(list, state[i], ball->room_max)))
            return false;
    }
    return true;
}

static void take_list(struct ball *ball, const struct list *list)
{
    ball->layer = list->state;
    ball->count = list->count;
    ball->room = list->room;
}

pdb_status ball_begin(struct ball *ball, const uint64_t *state, size_t count, pdb_error *error)
{
    struct list list = {ball->layer, ball->count, ball->room};
    const bool added = add(ball, &list, state, count, 0);
    take_list(ball, &list);
    ball->states = ball->count;
    return added ? PDB_OK : error_set(error, PDB_TOO_LARGE, "%s: too many goals to list", ball->puzzle->name);
}

double ball_estimate(const struct ball *ball)
{
    const double growth = ball->previous > 0 ? (double)ball->count / (double)ball->previous : 1;
    const double states = (double)ball->states + (double)ball->count * growth,
                 neighbours = (double)ball->generated * growth * growth;
    return states > neighbours / 4 ? states : neighbours / 4;
}

/* The neighbours of up to `batch` states of the layer. */
static size_t neighbours(const struct ball *ball, uint64_t first, size_t batch, uint64_t *next)
{
    uint16_t next_count[BATCH_MAX];
    if (ball->backward)
        return puzzle_predecessors(ball->puzzle, ball->layer + first, batch, next, next_count);
    return ball->puzzle->family->successors(ball->puzzle, ball->layer + first, batch, next, next_count);
}

pdb_status ball_grow(struct ball *ball, ball_observer *observe, void *context, pdb_error *error)
{
    const size_t moves = ball->puzzle->max_moves + (size_t)1;
    size_t batch = BATCH_NEIGHBOURS / moves;
    batch = batch == 0 ? 1 : batch < BATCH_MAX ? batch : BATCH_MAX;
    uint64_t *next = malloc(batch * moves * sizeof *next);
    if (next == NULL)
        return error_no_memory(error, "neighbours", batch * moves * sizeof *next);
    struct list list = {0};
    uint64_t generated = 0;
    pdb_status status = PDB_OK;
    for (uint64_t first = 0; status == PDB_OK && !ball->full && first < ball->count; first += batch) {
        const uint64_t left = ball->count - first;
        const size_t total = neighbours(ball, first, left < batch ? (size_t)left : batch, next);
        ball->full = !add(ball, &list, next, total, ball->radius + 1);
        generated += total;
        if (observe != NULL && !observe(context, total))
            status = error_set(error, PDB_INTERRUPTED, "%s: interrupted", ball->puzzle->name);
    }
    free(next);
    if (status != PDB_OK || ball->full) {
        ball->full = true;
        free(list.state);
        return status;
    }
    ball->complete = list.count == 0;
    if (ball->complete) {
        free(list.state);
        return PDB_OK;
    }
    free(ball->layer);
    ball->previous = ball->count;
    ball->generated = generated;
    take_list(ball, &list);
    ball->states += list.count;
    ball->radius++;
    return PDB_OK;
}

bool ball_find(const struct ball *ball, uint64_t state, uint32_t *distance)
{
    return visited_find(&ball->number, state, distance) && *distance <= ball->radius;
}
