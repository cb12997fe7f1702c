/* sweep.c -- distances where there is no memory for the moves
 *
 * All states are expanded again and again, and each has its distance brought down to what its moves say, until nothing
 * changes (R. Bellman, "On a routing problem", 1958). What a state is told within a sweep counts in it. After k sweeps
 * distances up to k are right, for they are reached by no more moves: such states are passed over.
 */
#include "forward.h"

#include <stdlib.h>

struct sweeping {
    struct forward *forward;
    struct watch *watch;
    uint64_t runs;
};

/* Leaves those on the desk that are not settled. */
static void leave_open(const struct forward *forward, struct desk *desk)
{
    size_t open = 0;
    for (size_t i = 0; i < desk->states; i++) {
        const uint32_t distance = exact_get(forward->distance, desk->place[i]);
        desk->index[open] = desk->index[i];
        desk->place[open] = desk->place[i];
        open += distance > forward->sweeps || distance == exact_none(forward->distance->width);
    }
    desk->states = open;
}

static void sweep_run(void *context, unsigned thread, uint64_t run)
{
    struct sweeping *sweeping = context;
    struct forward *forward = sweeping->forward;
    const struct expander *expander = &forward->expander;
    struct exact *distance = forward->distance;
    struct desk *desk = &expander->desk[thread];
    const uint64_t none = exact_none(distance->width);
    uint64_t changes = 0;
    bool wider = false;
    if (watch_stopped(sweeping->watch))
        return;
    expander_take(expander, desk, run);
    leave_open(forward, desk);
    expander_expand(expander, desk);
    for (size_t move = 0; move < desk->moves; move++)
        exact_prefetch(distance, desk->next[move]);
    size_t move = 0;
    for (size_t i = 0; i < desk->states; i++) {
        uint64_t least = UINT64_MAX;
        for (size_t m = 0; m < desk->next_count[i]; m++, move++) {
            const uint64_t next = exact_get(distance, desk->next[move]),
                           sum = next + (desk->cost == NULL ? 1 : desk->cost[move]);
            least = next != none && sum < least ? sum : least;
        }
        wider |= least >= none && least != UINT64_MAX && exact_get(distance, desk->place[i]) == none;
        changes += least < none && forward_lower(distance, desk->place[i], (uint32_t)least) != FORWARD_KEPT;
    }
    if (changes > 0)
        __atomic_fetch_add(&forward->changes, changes, __ATOMIC_RELAXED);
    if (wider)
        __atomic_store_n(&forward->wider, true, __ATOMIC_RELAXED);
    if (thread == 0)
        watch_look(sweeping->watch, (double)run / (double)sweeping->runs);
}

void forward_begin_sweeps(struct forward *forward)
{
    forward->search->sweeping = true;
    forward->search->sweeps = 0;
    forward->search->wanted = forward_wanted(forward);
    edges_free(&forward->edges);
    queue_free(&forward->queue);
    forward->queue = (struct queue){0};
    forward->sweeping = true;
    forward->sweeps = 0;
    forward->search->state->depth = 0;
    forward->search->state->reached = forward->search->state->layer = forward->goals;
}

/* -- the end -- */

static void count_run(void *context, unsigned thread, uint64_t run)
{
    const struct sweeping *sweeping = context;
    const struct forward *forward = sweeping->forward;
    const struct expander *expander = &forward->expander;
    const struct puzzle *puzzle = expander->puzzle;
    struct desk *desk = &expander->desk[thread];
    uint16_t *weight = desk->next_count;
    expander_take(expander, desk, run);
    if (puzzle->family->index.weights != NULL)
        puzzle->family->index.weights(puzzle, desk->index, desk->states, weight);
    for (size_t i = 0; i < desk->states; i++) {
        const uint32_t distance = exact_get(forward->distance, desk->place[i]);
        if (distance != exact_none(forward->distance->width))
            __atomic_fetch_add(&forward->search->state->histogram[distance],
                               puzzle->family->index.weights != NULL ? weight[i] : 1, __ATOMIC_RELAXED);
    }
}

void forward_count(struct forward *forward)
{
    struct sweeping sweeping = {.forward = forward};
    struct search_state *state = forward->search->state;
    memset(state->histogram, 0, (state->depth + 1) * sizeof *state->histogram);
    team_run(&forward->search->team, expander_runs(&forward->expander), count_run, &sweeping);
}

/* All distances are right: so are depth and counts. */
static pdb_status end_sweeps(struct forward *forward, pdb_error *error)
{
    struct retrograde *search = forward->search;
    const struct exact *distance = forward->distance;
    const uint32_t none = exact_none(distance->width);
    uint64_t reached = 0, last = 0;
    uint32_t depth = 0;
    for (uint64_t place = 0; place < forward->places.count; place++) {
        const uint32_t at = exact_get(distance, place);
        if (at == none)
            continue;
        reached++;
        last = at > depth ? 1 : last + (at == depth);
        depth = at > depth ? at : depth;
    }
    pdb_status status = retrograde_deepen(search, depth, error);
    if (status != PDB_OK)
        return status;
    search->state->depth = depth;
    search->state->reached = reached;
    search->state->layer = last;
    forward_count(forward);
    return PDB_OK;
}

pdb_status forward_sweep(struct forward *forward, struct watch *watch, bool *done, pdb_error *error)
{
    struct sweeping sweeping = {forward, watch, expander_runs(&forward->expander)};
    struct exact *distance = forward->distance;
    pdb_status status = PDB_OK;
    forward->changes = 0;
    forward->wider = false;
    team_run(&forward->search->team, sweeping.runs, sweep_run, &sweeping);
    if (watch_stopped(watch))
        return PDB_INTERRUPTED;
    forward->search->sweeps = ++forward->sweeps;
    if (forward->wider && distance->width == 4)
        return retrograde_deepen(forward->search, UINT32_MAX, error);
    if (forward->wider) {
        status = forward_charge(forward, 2 * distance->width, 0, error);
        if (status == PDB_OK && !exact_widen(distance, 2 * distance->width))
            status = error_no_memory(error, "the distances", 2 * distance->width * distance->states);
        return status;
    }
    *done = forward->changes == 0;
    forward->search->sweeping = !*done;
    return *done ? end_sweeps(forward, error) : PDB_OK;
}
