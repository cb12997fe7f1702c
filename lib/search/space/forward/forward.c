/* forward.c -- distances over the moves kept, layer by layer */
#include "forward.h"
#include "lib/text.h"

#include <stdlib.h>

enum {
    TOGETHER = 256, /* places of a layer that are worked on together */
    WAITING = 512,
    ALONE = 4096,
    QUEUE_SHARE = 16 /* of the memory that is free, for the queue at least */
};

/* -- memory -- */

static uint64_t settled_bytes(const struct puzzle *puzzle, uint64_t places)
{
    return puzzle->max_cost > 1 ? (places / 64 + 1) * sizeof(uint64_t) : 0;
}

uint64_t forward_bytes(const struct puzzle *puzzle, uint64_t places, unsigned threads)
{
    return expander_bytes(puzzle, threads) + settled_bytes(puzzle, places) +
           threads * QUEUE_PILES * sizeof(struct pile);
}

static uint64_t distance_bytes(const struct forward *forward, unsigned width)
{
    return width * forward->distance->states;
}

/* Bytes that are taken whatever becomes of the moves. */
static uint64_t fixed_bytes(const struct forward *forward, unsigned width)
{
    const struct retrograde *search = forward->search;
    return forward->beside + retrograde_state_bytes(search->room) +
           forward_bytes(search->puzzle, forward->places.count, search->team.threads) + distance_bytes(forward, width);
}

pdb_status forward_charge(struct forward *forward, unsigned width, uint64_t bytes, pdb_error *error)
{
    struct retrograde *search = forward->search;
    const uint64_t all = fixed_bytes(forward, width) + bytes;
    if (all > search->limit) {
        char states[NUMBER_TEXT_MAX], need[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
        return error_set(error, PDB_TOO_LARGE, "%s: its %s states need %s of memory, %s are allowed",
                         search->puzzle->name, number_text(search->states, states), size_text(all, need),
                         size_text(search->limit, allowed));
    }
    search->memory = all > search->memory ? all : search->memory;
    return PDB_OK;
}

/* Bytes of edges and queue. */
static uint64_t moves_bytes(const struct forward *forward)
{
    return (forward->edges.piece == NULL ? 0 : edges_taken(&forward->edges)) + forward->queue.bytes;
}

/* They are made of as much again. */
uint64_t forward_wanted(const struct forward *forward)
{
    const uint64_t moves = 2 * edges_needed(&forward->edges);
    return forward->edges.count == 0
               ? 0
               : fixed_bytes(forward, forward->distance->width) + moves + moves / (QUEUE_SHARE - 1);
}

/* Room for distances that a layer at this depth may give. */
static pdb_status widen(struct forward *forward, uint64_t depth, pdb_error *error)
{
    struct exact *distance = forward->distance;
    unsigned width = distance->width;
    while (width < 4 && depth + puzzle_max_cost(forward->search->puzzle) > exact_max(width))
        width *= 2;
    if (width == distance->width)
        return PDB_OK;
    pdb_status status = forward_charge(forward, width, moves_bytes(forward), error);
    if (status == PDB_OK && !exact_widen(distance, width))
        status = error_no_memory(error, "the distances", distance_bytes(forward, width));
    return status;
}

void forward_free(struct forward *forward)
{
    expander_free(&forward->expander);
    edges_free(&forward->edges);
    queue_free(&forward->queue);
    free(forward->settled);
    forward->settled = NULL;
    forward->ready = forward->sweeping = false;
}

/* -- distances come down -- */

/* No distance is all ones, and so is greater than any. */
static inline enum outcome lower_narrow(uint8_t *at, uint8_t distance)
{
    uint8_t there = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (distance < there)
        if (__atomic_compare_exchange_n(at, &there, distance, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return there == UINT8_MAX ? FORWARD_REACHED : FORWARD_LOWERED;
    return FORWARD_KEPT;
}

static inline enum outcome lower_wider(uint16_t *at, uint16_t distance)
{
    uint16_t there = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (distance < there)
        if (__atomic_compare_exchange_n(at, &there, distance, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return there == UINT16_MAX ? FORWARD_REACHED : FORWARD_LOWERED;
    return FORWARD_KEPT;
}

static inline enum outcome lower_widest(uint32_t *at, uint32_t distance)
{
    uint32_t there = __atomic_load_n(at, __ATOMIC_RELAXED);
    while (distance < there)
        if (__atomic_compare_exchange_n(at, &there, distance, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return there == UINT32_MAX ? FORWARD_REACHED : FORWARD_LOWERED;
    return FORWARD_KEPT;
}

enum outcome forward_lower(struct exact *exact, uint64_t place, uint32_t distance)
{
    if (exact->width == 1)
        return lower_narrow(&exact->narrow[place], (uint8_t)distance);
    return exact->width == 2 ? lower_wider(&exact->wider[place], (uint16_t)distance)
                             : lower_widest(&exact->widest[place], distance);
}

/* What a thread does with a part of the layer at `depth`. */
struct relaxing {
    struct forward *forward;
    struct watch *watch;
    const struct pile *layer;
    uint32_t depth;
    size_t together;
};

/* Places one move before the layer, and how far they are over it. */
struct reached {
    size_t count;
    uint64_t place[WAITING];
    uint32_t distance[WAITING];
};

/* The moves into a place will be asked for. */
static inline void want(struct forward *forward, uint64_t place)
{
    if (forward->edges.piece != NULL)
        edges_want(&forward->edges, place);
}

static void settle(const struct relaxing *relaxing, unsigned thread, struct reached *reached)
{
    struct forward *forward = relaxing->forward;
    uint64_t news = 0;
    for (size_t i = 0; i < reached->count; i++) {
        const enum outcome outcome = forward_lower(forward->distance, reached->place[i], reached->distance[i]);
        if (outcome != FORWARD_KEPT) {
            queue_put(&forward->queue, thread, queue_pile(relaxing->depth, reached->distance[i]), reached->place[i]);
            want(forward, reached->place[i]);
        }
        news += outcome == FORWARD_REACHED;
    }
    if (news > 0)
        __atomic_fetch_add(&forward->waiting, news, __ATOMIC_RELAXED);
    reached->count = 0;
}

static inline void reach(const struct relaxing *relaxing, unsigned thread, struct reached *reached, uint64_t place,
                         uint32_t cost)
{
    exact_prefetch(relaxing->forward->distance, place);
    reached->place[reached->count] = place;
    reached->distance[reached->count++] = relaxing->depth + (cost == 0 ? 1 : cost);
    if (reached->count == WAITING)
        settle(relaxing, thread, reached);
}

static void relax_over_edges(const struct relaxing *relaxing, unsigned thread, const uint64_t *place, size_t count,
                             struct reached *reached)
{
    const struct edges *edges = &relaxing->forward->edges;
    uint64_t begin[TOGETHER], end[TOGETHER];
    for (size_t i = 0; i < count; i++)
        __builtin_prefetch(edges_from(edges->from, place[i]));
    for (size_t i = 0; i < count; i++) {
        begin[i] = edges_begin(edges, place[i]);
        end[i] = edges_end(edges, place[i]);
        if (begin[i] < end[i])
            __builtin_prefetch(edges_record(edges->piece, edges->width, begin[i]));
    }
    for (size_t i = 0; i < count; i++)
        for (uint64_t edge = begin[i]; edge < end[i]; edge++) {
            uint32_t cost;
            const uint64_t from = edges_get(edges, edge, &cost);
            reach(relaxing, thread, reached, from, cost);
        }
}

/* Where every move can be taken back: over the moves out of the places, which are indices. */
static void relax_over_moves(const struct relaxing *relaxing, unsigned thread, const uint64_t *place, size_t count,
                             struct reached *reached)
{
    const struct expander *expander = &relaxing->forward->expander;
    struct desk *desk = &expander->desk[thread];
    memcpy(desk->index, place, count * sizeof *place);
    desk->states = count;
    expander_expand(expander, desk);
    for (size_t move = 0; move < desk->moves; move++)
        reach(relaxing, thread, reached, desk->next[move], 1);
}

static void relax(void *context, unsigned thread, uint64_t share)
{
    const struct relaxing *relaxing = context;
    const struct pile *layer = relaxing->layer;
    const uint64_t first = share * relaxing->together, left = layer->count - first;
    const size_t count = left < relaxing->together ? (size_t)left : relaxing->together;
    struct reached reached;
    reached.count = 0;
    if (watch_stopped(relaxing->watch))
        return;
    (relaxing->forward->edges.mirrored ? relax_over_moves : relax_over_edges)(relaxing, thread, layer->place + first,
                                                                              count, &reached);
    settle(relaxing, thread, &reached);
    if (thread == 0)
        watch_look(relaxing->watch, (double)first / (double)layer->count);
}

/* Where the queue has no room it goes on without it. */
static pdb_status queue_status(struct forward *forward, pdb_error *error)
{
    if (!forward->queue.full)
        return forward_charge(forward, forward->distance->width, moves_bytes(forward), error);
    forward_begin_sweeps(forward);
    return PDB_OK;
}

/* All moves into the layer. Stopped, it does so anew the next time, and comes to the same. */
static pdb_status relax_layer(struct forward *forward, struct watch *watch, pdb_error *error)
{
    const size_t run = forward->expander.run;
    struct relaxing relaxing = {.forward = forward,
                                .watch = watch,
                                .depth = (uint32_t)forward->search->state->depth,
                                .together = run < TOGETHER ? run : TOGETHER};
    pdb_status status = widen(forward, relaxing.depth, error);
    if (status == PDB_OK)
        status = edges_turn(&forward->edges, &forward->search->team, forward->search->puzzle, error);
    for (unsigned t = 0; status == PDB_OK && t < forward->queue.threads; t++) {
        relaxing.layer = &forward->queue.pile[t][0];
        team_run(relaxing.layer->count > ALONE ? &forward->search->team : NULL,
                 team_shares(relaxing.layer->count, relaxing.together), relax, &relaxing);
    }
    if (status == PDB_OK)
        status = queue_status(forward, error);
    return status == PDB_OK && watch_stopped(watch) ? PDB_INTERRUPTED : status;
}

/* -- from layer to layer -- */

/* A part of a pile that is dealt out anew for the layer at `depth`. */
struct dealing {
    struct forward *forward;
    const struct pile *pile;
    uint32_t depth;
};

/* Is a place not on pile 0 yet? */
static bool claim(struct forward *forward, uint64_t place)
{
    const uint64_t bit = (uint64_t)1 << (place % 64);
    return (__atomic_fetch_or(&forward->settled[place / 64], bit, __ATOMIC_RELAXED) & bit) == 0;
}

static void deal(void *context, unsigned thread, uint64_t share)
{
    const struct dealing *dealing = context;
    struct forward *forward = dealing->forward;
    const uint64_t first = share * TOGETHER, left = dealing->pile->count - first, *place = dealing->pile->place + first;
    const size_t count = left < TOGETHER ? (size_t)left : TOGETHER;
    for (size_t i = 0; i < count; i++)
        exact_prefetch(forward->distance, place[i]);
    for (size_t i = 0; i < count; i++) {
        const uint32_t distance = exact_get(forward->distance, place[i]);
        if (distance > dealing->depth || (distance == dealing->depth && claim(forward, place[i])))
            queue_put(&forward->queue, thread, queue_pile(dealing->depth, distance), place[i]);
    }
}

/* What is on pile 0 becomes what is at this depth, the one after the last. */
static void turn(struct forward *forward, uint32_t depth)
{
    struct queue *queue = &forward->queue;
    const unsigned pile = 1 + (unsigned)__builtin_ctz(depth);
    for (unsigned t = 0; t < queue->threads; t++)
        queue->pile[t][0].count = 0;
    for (unsigned t = 0; t < queue->threads; t++) {
        struct pile *next = &queue->pile[t][pile], first = queue->pile[t][0];
        struct dealing dealing = {forward, next, depth};
        if (forward->settled == NULL) { /* all on it are at this depth, each once */
            queue->pile[t][0] = *next;
            *next = first;
            continue;
        }
        team_run(next->count > ALONE ? &forward->search->team : NULL, team_shares(next->count, TOGETHER), deal,
                 &dealing);
        next->count = 0;
    }
}

static void note_layer(struct forward *forward, uint64_t depth)
{
    struct search_state *state = forward->search->state;
    state->depth = depth;
    state->layer = 0;
    state->histogram[depth] = 0;
    for (unsigned t = 0; t < forward->queue.threads; t++) {
        const struct pile *pile = &forward->queue.pile[t][0];
        state->layer += pile->count;
        state->histogram[depth] += pile->count;
    }
}

pdb_status forward_layer(struct forward *forward, struct watch *watch, bool *done, pdb_error *error)
{
    struct search_state *state = forward->search->state;
    if (forward->sweeping)
        return forward_sweep(forward, watch, done, error);
    pdb_status status = relax_layer(forward, watch, error);
    if (status != PDB_OK || forward->sweeping)
        return status;
    *done = forward->waiting == 0;
    if (*done) {
        if (forward->search->puzzle->family->index.weights != NULL)
            forward_count(forward);
        return PDB_OK;
    }
    turn(forward, (uint32_t)state->depth + 1);
    note_layer(forward, state->depth + 1);
    state->reached += state->layer;
    forward->waiting -= state->layer;
    return queue_status(forward, error);
}

/* -- the beginning -- */

struct beginning {
    struct forward *forward;
    struct watch *watch;
    uint64_t reached;
};

/* Puts a place on its pile, where there are piles. */
static void put(struct forward *forward, unsigned thread, uint64_t place, uint32_t distance)
{
    const uint64_t depth = forward->search->state->depth;
    if (distance == depth && forward->settled != NULL)
        claim(forward, place);
    if (distance >= depth && !forward->edges.too_many) {
        queue_put(&forward->queue, thread, queue_pile(depth, distance), place);
        want(forward, place);
    }
}

/* The goals among a run of places get the distance 0, and are all that has one. */
static void put_goals(void *context, unsigned thread, uint64_t run)
{
    struct beginning *beginning = context;
    struct forward *forward = beginning->forward;
    const struct expander *expander = &forward->expander;
    struct desk *desk = &expander->desk[thread];
    uint64_t goals = 0;
    expander_take(expander, desk, run);
    expander->puzzle->family->index.are_goals(expander->puzzle, desk->index, desk->states, desk->goal);
    for (size_t i = 0; i < desk->states; i++)
        if (desk->goal[i]) {
            goals++;
            exact_set(forward->distance, desk->place[i], 0);
            put(forward, thread, desk->place[i], 0);
        }
    __atomic_fetch_add(&beginning->reached, goals, __ATOMIC_RELAXED);
    __atomic_fetch_add(&forward->goals, goals, __ATOMIC_RELAXED);
}

/* Places of a run that have a distance and are not settled are put on piles; so are those of the layer. */
static void put_reached(void *context, unsigned thread, uint64_t run)
{
    struct beginning *beginning = context;
    struct forward *forward = beginning->forward;
    const struct expander *expander = &forward->expander;
    struct desk *desk = &expander->desk[thread];
    const uint64_t depth = forward->search->state->depth;
    uint64_t waiting = 0, reached = 0, goals = 0;
    expander_take(expander, desk, run);
    for (size_t i = 0; i < desk->states; i++) {
        const uint64_t place = desk->place[i];
        const uint32_t distance = exact_get(forward->distance, place);
        if (distance == exact_none(forward->distance->width))
            continue;
        goals += distance == 0;
        reached += distance <= depth;
        waiting += distance > depth;
        put(forward, thread, place, distance);
    }
    __atomic_fetch_add(&forward->waiting, waiting, __ATOMIC_RELAXED);
    __atomic_fetch_add(&beginning->reached, reached, __ATOMIC_RELAXED);
    __atomic_fetch_add(&forward->goals, goals, __ATOMIC_RELAXED);
}

/* Takes the memory that is known. */
static pdb_status allocate(struct forward *forward, pdb_error *error)
{
    struct retrograde *search = forward->search;
    const struct puzzle *puzzle = search->puzzle;
    const uint64_t settled = settled_bytes(puzzle, forward->places.count);
    pdb_status status = forward_charge(forward, forward->distance->width, 0, error);
    if (status != PDB_OK)
        return status;
    if (settled > 0) {
        forward->settled = pages_take(settled);
        if (forward->settled == NULL)
            return error_no_memory(error, "the distances", settled);
        pages_fill(forward->settled, 0, settled, &search->team);
    }
    return expander_create(&forward->expander, puzzle, &forward->places, search->team.threads)
               ? PDB_OK
               : error_no_memory(error, "the moves of states", expander_bytes(puzzle, search->team.threads));
}

/* The edges, with some room left for the queue; and the queue. */
static pdb_status take_moves(struct forward *forward, struct watch *watch, pdb_error *error)
{
    struct retrograde *search = forward->search;
    const unsigned width = forward->distance->width;
    const uint64_t room = search->limit - fixed_bytes(forward, width);
    struct bins *found = forward->found != NULL && forward->found->bin != NULL ? forward->found : NULL;
    pdb_status status = edges_make(&forward->edges, &forward->expander, found, &search->team, watch,
                                   room - room / QUEUE_SHARE, error);
    if (status == PDB_OK)
        status = forward_charge(forward, width, moves_bytes(forward), error);
    if (status == PDB_OK && !queue_create(&forward->queue, search->team.threads, room - moves_bytes(forward)))
        status = error_no_memory(error, "the states of a layer", search->team.threads * sizeof *forward->queue.pile);
    return status;
}

pdb_status forward_begin(struct forward *forward, enum begun begun, struct watch *watch, pdb_error *error)
{
    struct retrograde *search = forward->search;
    struct beginning beginning = {.forward = forward, .watch = watch};
    forward_free(forward);
    forward->waiting = forward->goals = 0;
    pdb_status status = allocate(forward, error);
    if (status == PDB_OK && begun != FORWARD_IN_SWEEPS)
        status = take_moves(forward, watch, error);
    if (status != PDB_OK)
        return status;
    forward->edges.too_many |= begun == FORWARD_IN_SWEEPS;
    const uint64_t runs = expander_runs(&forward->expander);
    team_run(&search->team, runs, begun == FORWARD_NOT_BEGUN ? put_goals : put_reached, &beginning);
    if (begun != FORWARD_NOT_BEGUN && beginning.reached != search->state->reached)
        return error_set(error, PDB_DAMAGED, "%s: the checkpoint contradicts itself", search->puzzle->name);
    note_layer(forward, search->state->depth);
    search->state->reached = beginning.reached;
    if (forward->edges.too_many)
        forward_begin_sweeps(forward);
    status = queue_status(forward, error);
    if (status != PDB_OK)
        return status;
    forward->ready = true;
    return beginning.reached == 0 ? retrograde_no_goal(search, error) : PDB_OK;
}
