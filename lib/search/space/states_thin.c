/* states_thin.c -- thin layers, state by state: a layer costs what it holds
 *
 * A pass over chunks costs a few microseconds for each that has a state; a puzzle that is one long cycle has a layer
 * for every state. So a frontier with few neighbours is a list of states. It is in no bitmap then (of distances in an
 * array nothing needs to be taken back), no chunk is active, and of its predecessors those that are new are visited at
 * once and listed. A thin layer is made in one go, of a millisecond at most: it is stopped before it begins or not at
 * all.
 */
#include "states.h"

#include <string.h>

enum { AHEAD = 16 /* states for which memory is asked beforehand */ };

/* Is every list long enough for a layer's neighbours? */
static bool is_thin(const struct states *states)
{
    return states->search.state->layer <= THIN_ROOM / (states->search.puzzle->max_moves + 1u);
}

void states_list(struct states *states)
{
    states->thin = is_thin(states);
    states->listed = 0;
    for (uint64_t chunk = 0; states->thin && chunk < states->chunks; chunk++) {
        if (!states->active[chunk])
            continue;
        states->active[chunk] = 0;
        for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++) {
            for (uint64_t bits = frontier_word(states, w); bits != 0; bits &= bits - 1)
                states->list[states->listed++] = 64 * w + (unsigned)__builtin_ctzll(bits);
            if (states->bitmaps != NULL)
                states->frontier[w] = 0;
        }
    }
}

void states_spread(struct states *states)
{
    for (size_t i = 0; states->thin && i < states->listed; i++) {
        const uint64_t state = states->list[i];
        states->active[state / CHUNK_STATES] = 1;
        if (states->bitmaps != NULL)
            states->frontier[state / 64] |= (uint64_t)1 << state % 64;
    }
    states->thin = false;
}

/* Visits a state that has not been visited. */
static bool visit(struct states *states, uint64_t state, uint64_t depth)
{
    const uint64_t word = state / 64, bit = (uint64_t)1 << state % 64;
    if (states->bitmaps == NULL)
        return exact_put(&states->exact, state, depth);
    if (states->visited[word] & bit)
        return false;
    mark_states(states, word, bit, depth);
    return true;
}

pdb_status states_push(struct states *states, struct watch *watch, bool *empty)
{
    const struct puzzle *puzzle = states->search.puzzle;
    const struct worker *worker = &states->workers[0];
    const size_t batch = batch_size(puzzle);
    watch_look(watch, 0);
    if (watch->stopped)
        return PDB_INTERRUPTED;
    states->found = 0;
    for (size_t first = 0; first < states->listed; first += batch) {
        const size_t left = states->listed - first;
        const size_t total = puzzle->family->index.predecessors(
            puzzle, states->list + first, left < batch ? left : batch, worker->next, worker->number);
        for (size_t i = 0; i < total; i++) {
            if (i + AHEAD < total && states->bitmaps != NULL)
                __builtin_prefetch(&states->visited[worker->next[i + AHEAD] / 64]);
            else if (i + AHEAD < total)
                exact_prefetch(&states->exact, worker->next[i + AHEAD]);
            states->next_list[states->found] = worker->next[i];
            states->found += visit(states, worker->next[i], states->search.state->depth + 1);
        }
    }
    *empty = states->found == 0;
    return PDB_OK;
}

void states_take_list(struct states *states, uint64_t depth)
{
    const struct puzzle *puzzle = states->search.puzzle;
    const size_t batch = batch_size(puzzle);
    uint64_t *list = states->list, boards = 0;
    states->list = states->next_list;
    states->next_list = list;
    states->listed = states->found;
    if (puzzle->family->index.weights == NULL)
        boards = states->listed;
    else
        for (size_t first = 0; first < states->listed; first += batch) {
            const size_t left = states->listed - first;
            boards += states_weigh(states, &states->workers[0], states->list + first, left < batch ? left : batch);
        }
    states_note(states, depth, states->listed, boards);
    if (!is_thin(states))
        states_spread(states);
}
