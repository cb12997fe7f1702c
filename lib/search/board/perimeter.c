/* perimeter.c -- all states within some number of moves of a few states
 *
 * Of a layer only its states are listed, and of all others only their number is kept (visited.h). A layer for which
 * there is no room leaves numbers past the radius behind, which are not looked at.
 */
#include "perimeter.h"
#include "lib/memory/array.h"

#include <stdlib.h>

enum { BATCH_NEIGHBOURS = 1 << 12, BATCH_MAX = 256 };

pdb_status perimeter_create(struct perimeter *perimeter, const struct puzzle *puzzle, bool backward, uint64_t memory,
                            pdb_error *error)
{
    /* Half for the numbers, a quarter for each of two lists. */
    *perimeter = (struct perimeter){
        .puzzle = puzzle, .backward = backward, .layer_max = memory / 4 / sizeof *perimeter->layer.state};
    return visited_create(&perimeter->number, puzzle->states, memory / 2, error);
}

void perimeter_free(struct perimeter *perimeter)
{
    visited_free(&perimeter->number);
    free(perimeter->layer.state);
    perimeter->layer.state = NULL;
}

/* Adds states at a distance, those that are new to the layer too. False where there is no room. */
static bool add(struct perimeter *perimeter, struct perimeter_layer *layer, const uint64_t *state, size_t count,
                uint32_t distance)
{
    for (size_t i = 0; i < count; i++)
        visited_prefetch(&perimeter->number, state[i]);
    for (size_t i = 0; i < count; i++) {
        const enum visited_added added = visited_add(&perimeter->number, state[i], distance);
        if (added == VISITED_THERE)
            continue;
        if (added == VISITED_FULL || layer->count == perimeter->layer_max ||
            !array_reserve(&layer->state, &layer->room, layer->count + 1, sizeof *state))
            return false;
        layer->state[layer->count++] = state[i];
    }
    return true;
}

pdb_status perimeter_begin(struct perimeter *perimeter, const uint64_t *state, size_t count, pdb_error *error)
{
    const bool added = add(perimeter, &perimeter->layer, state, count, 0);
    perimeter->states = perimeter->layer.count;
    return added ? PDB_OK : error_set(error, PDB_TOO_LARGE, "%s: too many goals to list", perimeter->puzzle->name);
}

double perimeter_estimate(const struct perimeter *perimeter)
{
    const double count = (double)perimeter->layer.count;
    const double growth = perimeter->previous > 0 ? count / (double)perimeter->previous : 1;
    const double states = (double)perimeter->states + count * growth,
                 neighbours = (double)perimeter->generated * growth * growth;
    return states > neighbours / 4 ? states : neighbours / 4;
}

pdb_status perimeter_grow(struct perimeter *perimeter, struct search_watch *watch, pdb_error *error)
{
    const struct index_functions *index = &perimeter->puzzle->family->index;
    const size_t moves = perimeter->puzzle->max_moves + (size_t)1;
    size_t batch = BATCH_NEIGHBOURS / moves;
    batch = batch == 0 ? 1 : batch < BATCH_MAX ? batch : BATCH_MAX;
    uint64_t *next = malloc(batch * moves * sizeof *next);
    if (next == NULL)
        return error_no_memory(error, "neighbours", batch * moves * sizeof *next);
    struct perimeter_layer layer = {0};
    pdb_status status = PDB_OK;
    perimeter->generated = 0;
    for (uint64_t first = 0; status == PDB_OK && !perimeter->full && first < perimeter->layer.count; first += batch) {
        const uint64_t left = perimeter->layer.count - first;
        uint16_t next_count[BATCH_MAX];
        const size_t total = (perimeter->backward ? index->predecessors : index->successors)(
            perimeter->puzzle, perimeter->layer.state + first, left < batch ? (size_t)left : batch, next, next_count);
        perimeter->full = !add(perimeter, &layer, next, total, perimeter->radius + 1);
        perimeter->generated += total;
        if (watch != NULL && !search_watch_add(watch, 0))
            status = error_set(error, PDB_INTERRUPTED, "%s: interrupted", perimeter->puzzle->name);
    }
    free(next);
    perimeter->full = perimeter->full || status != PDB_OK;
    perimeter->complete = !perimeter->full && layer.count == 0;
    if (perimeter->full || perimeter->complete) {
        free(layer.state);
        return status;
    }
    free(perimeter->layer.state);
    perimeter->previous = perimeter->layer.count;
    perimeter->layer = layer;
    perimeter->states += layer.count;
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
