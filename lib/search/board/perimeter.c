/* perimeter.c -- all states within some number of moves of a few states
 *
 * Of a layer only its states are listed, and of all others only their number is kept (visited.h). A layer for which
 * there is no room leaves numbers past the radius behind, which are not looked at.
 */
#include "perimeter.h"

#include <stdlib.h>

enum { BATCH_NEIGHBOURS = 1 << 12, BATCH_MAX = 256 };

pdb_status perimeter_create(struct perimeter *perimeter, const struct puzzle *puzzle, bool backward, uint64_t memory,
                            pdb_error *error)
{
    /* Half for the numbers, a quarter for each of two lists. */
    *perimeter = (struct perimeter){
        .puzzle = puzzle, .backward = backward, .room_max = memory / 4 / sizeof *perimeter->layer};
    return visited_create(&perimeter->number, puzzle->states, memory / 2, error);
}

void perimeter_free(struct perimeter *perimeter)
{
    visited_free(&perimeter->number);
    free(perimeter->layer);
    perimeter->layer = NULL;
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
static bool add(struct perimeter *perimeter, struct list *list, const uint64_t *state, size_t count, uint32_t distance)
{
    for (size_t i = 0; i < count; i++)
        visited_prefetch(&perimeter->number, state[i]);
    for (size_t i = 0; i < count; i++) {
        const enum visited_added added = visited_add(&perimeter->number, state[i], distance);
        if (added == VISITED_FULL || (added == VISITED_ADDED && !append(list, state[i], perimeter->room_max)))
            return false;
    }
    return true;
}

static void take_list(struct perimeter *perimeter, const struct list *list)
{
    perimeter->layer = list->state;
    perimeter->count = list->count;
    perimeter->room = list->room;
}

pdb_status perimeter_begin(struct perimeter *perimeter, const uint64_t *state, size_t count, pdb_error *error)
{
    struct list list = {perimeter->layer, perimeter->count, perimeter->room};
    const bool added = add(perimeter, &list, state, count, 0);
    take_list(perimeter, &list);
    perimeter->states = perimeter->count;
    return added ? PDB_OK : error_set(error, PDB_TOO_LARGE, "%s: too many goals to list", perimeter->puzzle->name);
}

double perimeter_estimate(const struct perimeter *perimeter)
{
    const double growth = perimeter->previous > 0 ? (double)perimeter->count / (double)perimeter->previous : 1;
    const double states = (double)perimeter->states + (double)perimeter->count * growth,
                 neighbours = (double)perimeter->generated * growth * growth;
    return states > neighbours / 4 ? states : neighbours / 4;
}

/* The neighbours of up to `batch` states of the layer. */
static size_t neighbours(const struct perimeter *perimeter, uint64_t first, size_t batch, uint64_t *next)
{
    uint16_t next_count[BATCH_MAX];
    if (perimeter->backward)
        return perimeter->puzzle->family->index.predecessors(perimeter->puzzle, perimeter->layer + first, batch, next,
                                                             next_count);
    return perimeter->puzzle->family->index.successors(perimeter->puzzle, perimeter->layer + first, batch, next,
                                                       next_count);
}

pdb_status perimeter_grow(struct perimeter *perimeter, struct search_watch *watch, pdb_error *error)
{
    const size_t moves = perimeter->puzzle->max_moves + (size_t)1;
    size_t batch = BATCH_NEIGHBOURS / moves;
    batch = batch == 0 ? 1 : batch < BATCH_MAX ? batch : BATCH_MAX;
    uint64_t *next = malloc(batch * moves * sizeof *next);
    if (next == NULL)
        return error_no_memory(error, "neighbours", batch * moves * sizeof *next);
    struct list list = {0};
    pdb_status status = PDB_OK;
    perimeter->generated = 0;
    for (uint64_t first = 0; status == PDB_OK && !perimeter->full && first < perimeter->count; first += batch) {
        const uint64_t left = perimeter->count - first;
        const size_t total = neighbours(perimeter, first, left < batch ? (size_t)left : batch, next);
        perimeter->full = !add(perimeter, &list, next, total, perimeter->radius + 1);
        perimeter->generated += total;
        if (watch != NULL && !search_watch_add(watch, 0))
            status = error_set(error, PDB_INTERRUPTED, "%s: interrupted", perimeter->puzzle->name);
    }
    free(next);
    perimeter->full = perimeter->full || status != PDB_OK;
    perimeter->complete = !perimeter->full && list.count == 0;
    if (perimeter->full || perimeter->complete) {
        free(list.state);
        return status;
    }
    free(perimeter->layer);
    perimeter->previous = perimeter->count;
    take_list(perimeter, &list);
    perimeter->states += list.count;
    perimeter->radius++;
    return PDB_OK;
}

pdb_status perimeter_grow_to(struct perimeter *perimeter, uint64_t states, struct search_watch *watch, pdb_error *error)
{
    pdb_status status = PDB_OK;
    while (status == PDB_OK && !perimeter->complete && !perimeter->full &&
           perimeter_estimate(perimeter) <= (double)states)
        status = perimeter_grow(perimeter, watch, error);
    return status;
}

bool perimeter_find(const struct perimeter *perimeter, uint64_t state, uint32_t *distance)
{
    return visited_find(&perimeter->number, state, distance) && *distance <= perimeter->radius;
}
