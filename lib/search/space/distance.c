/* distance.c -- distances from what is kept of them, and what follows */
#include "distance.h"
#include "lib/memory/array.h"
#include "lib/numbers.h"
#include "lib/memory/pages.h"

#include <stdlib.h>
#include <string.h>

enum {
    WALKERS = 64, /* states that walk down side by side */
    NOTED = 32    /* the first states of a walk, whose distances are put into the memo */
};

/* Asks now and then whether to go on, where so much is done; a step or a state takes some microseconds. */
static pdb_status go_on(const struct values *values, uint64_t done, pdb_error *error)
{
    enum { BETWEEN = 1024 };
    if (done % BETWEEN != BETWEEN - 1 || values->observe == NULL || values->observe(values->context, done))
        return PDB_OK;
    return error_set(error, PDB_INTERRUPTED, "interrupted after %llu steps towards the goal", (unsigned long long)done);
}

/* -- what was found -- */

/* A slot has its state's name, and beside it the distance and 1 in the lowest bits; 0: none. */
enum { KNOWN_BITS = 25 };
_Static_assert(DISTANCE_MAX + 1 < 1 << KNOWN_BITS, "a distance finds room in a slot");

bool distance_memo_create(struct distance_memo *memo, const struct values *values, uint64_t bytes)
{
    const uint64_t states = values->puzzle->states;
    *memo = (struct distance_memo){.state_bits = 1, .bits = 1};
    while (memo->state_bits < 63 && states >> memo->state_bits != 0)
        memo->state_bits++;
    while (bytes / sizeof *memo->slot >> memo->bits > 1 && memo->bits < memo->state_bits)
        memo->bits++;
    const uint64_t size = sizeof *memo->slot << memo->bits;
    memo->slot = memo->state_bits - memo->bits + KNOWN_BITS > 64 ? NULL : pages_take(size);
    if (memo->slot != NULL) /* to read a fresh page first, and write to it then, has the system map it twice */
        pages_fill(memo->slot, 0, size, NULL);
    return memo->slot != NULL;
}

void distance_memo_free(struct distance_memo *memo)
{
    free(memo->slot);
    memo->slot = NULL;
}

/* A state's slot and name: the upper and the lower bits of what an odd factor makes of it, which is its alone. */
static uint64_t *slot_of(const struct distance_memo *memo, uint64_t state, uint64_t *name)
{
    const uint64_t mixed = state * 0x9E3779B97F4A7C15 & (((uint64_t)1 << memo->state_bits) - 1);
    const unsigned below = memo->state_bits - memo->bits;
    *name = mixed & (((uint64_t)1 << below) - 1);
    return &memo->slot[mixed >> below];
}

/* -- walking down -- */

struct walk {
    const struct values *values;
    struct distance_memo *memo;
    unsigned modulus;
    size_t walkers;
    uint64_t state[WALKERS];
    uint8_t residue[WALKERS];
    uint32_t *distance[WALKERS]; /* where each walker's result goes */
    uint8_t track[WALKERS];      /* which is the walker's, where there is a memo */
    uint64_t way[WALKERS][NOTED];
    uint16_t next_count[WALKERS];
    uint64_t *next; /* WALKERS * max_moves */
    uint8_t *next_residue;
};

static pdb_status damaged(pdb_error *error)
{
    return error_set(error, PDB_DAMAGED, "the stored distances contradict one another: generate the database again");
}

/* A walker's distance is known. */
static void note(struct walk *walk, size_t walker, uint32_t steps, uint32_t distance)
{
    const uint64_t *way = walk->way[walk->track[walker]];
    *walk->distance[walker] = distance;
    for (uint32_t i = 0; walk->memo != NULL && i < NOTED && i <= steps && i <= distance; i++) {
        uint64_t name, *slot = slot_of(walk->memo, way[i], &name);
        *slot = name << KNOWN_BITS | (distance - i + 1);
    }
}

/* A walker has come to a state after so many steps. Does it go on? Where another one was, the distance is known. */
static bool arrive(struct walk *walk, size_t walker, uint32_t steps, uint64_t state)
{
    if (walk->memo == NULL)
        return true;
    uint64_t name;
    const uint64_t known = *slot_of(walk->memo, state, &name);
    if (steps < NOTED)
        walk->way[walk->track[walker]][steps] = state;
    const uint64_t distance = steps + (known & ((1 << KNOWN_BITS) - 1)) - 1;
    if (known == 0 || known >> KNOWN_BITS != name || distance > DISTANCE_MAX)
        return true;
    note(walk, walker, steps, (uint32_t)distance);
    return false;
}

/* One step down for every walker; those who find nobody nearer are at a goal, and leave. */
static pdb_status step(struct walk *walk, uint32_t steps, pdb_error *error)
{
    const struct values *values = walk->values;
    size_t total = values->puzzle->family->index.successors(values->puzzle, walk->state, walk->walkers, walk->next,
                                                            walk->next_count);
    pdb_status status = values_get(values, walk->next, total, walk->next_residue, error);
    if (status != PDB_OK)
        return status;
    size_t stay = 0, first = 0;
    for (size_t i = 0; i < walk->walkers; first += walk->next_count[i++]) {
        const unsigned nearer = (walk->residue[i] + walk->modulus - 1) % walk->modulus;
        const size_t end = first + walk->next_count[i];
        size_t found = first;
        while (found < end && walk->next_residue[found] != nearer)
            found++;
        if (found < end) {
            if (!arrive(walk, i, steps + 1, walk->next[found]))
                continue;
            walk->state[stay] = walk->next[found];
            walk->residue[stay] = (uint8_t)nearer;
            walk->track[stay] = walk->track[i];
            walk->distance[stay++] = walk->distance[i];
        } else if (walk->residue[i] == 0) {
            note(walk, i, steps, steps);
        } else {
            return damaged(error); /* neither a goal nor beside anything nearer */
        }
    }
    walk->walkers = stay;
    return PDB_OK;
}

/* Residues that contradict one another may lead around without end. */
static pdb_status walk_down(struct walk *walk, pdb_error *error)
{
    const uint64_t states = walk->values->puzzle->states, depths = walk->values->depths;
    const uint64_t most = (depths != 0 && depths < states ? depths : states) - 1;
    pdb_status status = PDB_OK;
    for (uint32_t steps = 0; status == PDB_OK && walk->walkers > 0; steps++) {
        status = steps > most ? damaged(error) : step(walk, steps, error);
        if (status == PDB_OK)
            status = go_on(walk->values, steps, error);
    }
    return status;
}

pdb_status distance_get(const struct values *values, const uint64_t *index, size_t count, uint32_t *distance,
                        pdb_error *error)
{
    if (encoding_modulus(values->encoding) == 0)
        return values_get_exact(values, index, count, distance, error);
    const size_t room = WALKERS * (size_t)values->puzzle->max_moves;
    struct walk walk;
    walk.values = values;
    walk.memo = values->memo;
    walk.modulus = encoding_modulus(values->encoding);
    walk.next = malloc(room * (sizeof *walk.next + sizeof *walk.next_residue) + 1);
    if (walk.next == NULL)
        return error_no_memory(error, "a walk to the goal", room * (sizeof *walk.next + 1));
    walk.next_residue = (uint8_t *)(walk.next + room);
    pdb_status status = PDB_OK;
    for (size_t first = 0; status == PDB_OK && first < count; first += WALKERS) {
        const size_t batch = count - first < WALKERS ? count - first : WALKERS;
        uint8_t residue[WALKERS];
        status = values_get(values, index + first, batch, residue, error);
        walk.walkers = 0;
        for (size_t i = first; status == PDB_OK && i < first + batch; i++) {
            distance[i] = DISTANCE_NONE;
            if (residue[i - first] == RESIDUE_NONE)
                continue;
            walk.state[walk.walkers] = index[i];
            walk.residue[walk.walkers] = residue[i - first];
            walk.track[walk.walkers] = (uint8_t)walk.walkers;
            walk.distance[walk.walkers] = &distance[i];
            walk.walkers += arrive(&walk, walk.walkers, 0, index[i]);
        }
        if (status == PDB_OK)
            status = walk_down(&walk, error);
    }
    free(walk.next);
    return status;
}

pdb_status distance_exists(const struct values *values, uint64_t index, bool *exists, pdb_error *error)
{
    uint32_t distance = DISTANCE_NONE;
    uint8_t residue = RESIDUE_NONE;
    pdb_status status = encoding_modulus(values->encoding) == 0 ? values_get_exact(values, &index, 1, &distance, error)
                                                                : values_get(values, &index, 1, &residue, error);
    *exists = distance != DISTANCE_NONE || residue != RESIDUE_NONE;
    return status;
}

/* -- neighbours -- */

/* Where a move leads the goal is nearer by what the move costs, at most. */
static pdb_status near_exact(const struct values *values, uint32_t distance, const uint64_t *neighbour, size_t count,
                             uint32_t *near, pdb_error *error)
{
    const uint32_t cost = puzzle_max_cost(values->puzzle), least = distance > cost ? distance - cost : 0;
    pdb_status status = values_get_exact(values, neighbour, count, near, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        if (near[i] < least)
            return damaged(error);
    return status;
}

pdb_status distance_near(const struct values *values, uint32_t distance, const uint64_t *neighbour, size_t count,
                         uint32_t *near, pdb_error *error)
{
    if (encoding_modulus(values->encoding) == 0)
        return near_exact(values, distance, neighbour, count, near, error);
    const unsigned modulus = encoding_modulus(values->encoding);
    uint8_t residue[256];
    for (size_t first = 0; first < count; first += sizeof residue) {
        const size_t batch = count - first < sizeof residue ? count - first : sizeof residue;
        pdb_status status = values_get(values, neighbour + first, batch, residue, error);
        if (status != PDB_OK)
            return status;
        for (size_t i = 0; i < batch; i++) {
            if (residue[i] == RESIDUE_NONE)
                return damaged(error); /* every move can be undone: a neighbour reaches the goal too */
            /* 0, 1 or, for -1, modulus-1 */
            const unsigned ahead = (residue[i] + modulus - distance % modulus) % modulus;
            if (ahead > 1 && (ahead < modulus - 1 || distance == 0))
                return damaged(error);
            near[first + i] = ahead <= 1 ? distance + ahead : distance - 1;
        }
    }
    return PDB_OK;
}

/* -- counting paths -- */

/* A state of the layer at hand and how many shortest paths lead to it from the start. */
struct arrival {
    uint64_t state;
    unsigned __int128 count;
};

struct layer {
    size_t count, room;
    struct arrival *arrival;
};

static bool add_arrival(struct layer *layer, struct arrival arrival)
{
    const bool there = array_reserve(&layer->arrival, &layer->room, layer->count + 1, sizeof arrival);
    if (there)
        layer->arrival[layer->count++] = arrival;
    return there;
}

/* Adds up the paths to each state; false if one count passes 2^127. */
static bool merge_arrivals(struct layer *layer)
{
    size_t kept = 0;
    if (layer->count > 0)
        qsort(layer->arrival, layer->count, sizeof *layer->arrival, compare_numbers); /* by their states */
    for (size_t i = 0; i < layer->count; i++) {
        if (kept > 0 && layer->arrival[kept - 1].state == layer->arrival[i].state)
            layer->arrival[kept - 1].count += layer->arrival[i].count;
        else
            layer->arrival[kept++] = layer->arrival[i];
        if (layer->arrival[kept - 1].count >> 127)
            return false;
    }
    layer->count = kept;
    return true;
}

/* The neighbours of a state: how many moves lead to each, and how far it is from the goal; and how many states were
 * looked at so far, with how many moves in all. */
struct fan {
    uint64_t *next, *moves;
    uint32_t *near;
    double states, all_moves;
};

static pdb_status too_many_paths(pdb_error *error)
{
    return error_set(error, PDB_TOO_LARGE, "2^127 or more shortest paths");
}

/* May it have so many states to remember, of `size` bytes each? */
static pdb_status check_memory(const struct values *values, size_t states, size_t size, pdb_error *error)
{
    if (values->memory == 0 || states <= values->memory / size)
        return PDB_OK;
    return error_set(error, PDB_TOO_LARGE, "counting the shortest paths takes more than %llu bytes",
                     (unsigned long long)values->memory);
}

/* The states one nearer than a layer at this distance. `done` counts states. */
static pdb_status nearer_layer(const struct values *values, uint32_t distance, const struct layer *layer,
                               struct layer *nearer, struct fan *fan, uint64_t *done, pdb_error *error)
{
    enum { LOOSE = 1 << 16 }; /* arrivals that are put up with before those at one state are added up */
    size_t merged = 0;
    for (size_t i = 0; i < layer->count; i++) {
        const size_t count = values->puzzle->family->index.branches(values->puzzle, layer->arrival[i].state, fan->next,
                                                                    fan->moves);
        pdb_status status = distance_near(values, distance, fan->next, count, fan->near, error);
        if (status == PDB_OK)
            status = go_on(values, (*done)++, error);
        if (status == PDB_OK)
            status = check_memory(values, layer->room + nearer->room, sizeof *nearer->arrival, error);
        if (status != PDB_OK)
            return status;
        fan->states++;
        for (size_t n = 0; n < count; n++) {
            fan->all_moves += (double)fan->moves[n];
            struct arrival arrival = {.state = fan->next[n]};
            if (fan->near[n] >= distance)
                continue;
            if (__builtin_mul_overflow(layer->arrival[i].count, fan->moves[n], &arrival.count) || arrival.count >> 127)
                return too_many_paths(error);
            if (!add_arrival(nearer, arrival))
                return error_no_memory(error, "the shortest paths", 2 * nearer->room * sizeof *nearer->arrival);
        }
        if (nearer->count > 2 * merged + LOOSE) { /* so they take no more than a few times what they come to */
            if (!merge_arrivals(nearer))
                return too_many_paths(error);
            merged = nearer->count;
        }
    }
    return merge_arrivals(nearer) ? PDB_OK : too_many_paths(error);
}

/* -- counting paths of moves that cost -- */

/* States that ways have come to, in a heap, the farthest from the goal on top and a state's ways side by side. */
struct coming {
    uint32_t distance;
    uint64_t state;
    unsigned __int128 count;
};

struct heap {
    size_t count, room;
    struct coming *coming;
};

static bool is_before(const struct coming *a, const struct coming *b)
{
    return a->distance != b->distance ? a->distance > b->distance : a->state < b->state;
}

static bool heap_put(struct heap *heap, struct coming coming)
{
    if (!array_reserve(&heap->coming, &heap->room, heap->count + 1, sizeof coming))
        return false;
    size_t at = heap->count++;
    for (; at > 0 && is_before(&coming, &heap->coming[(at - 1) / 2]); at = (at - 1) / 2)
        heap->coming[at] = heap->coming[(at - 1) / 2];
    heap->coming[at] = coming;
    return true;
}

static struct coming heap_take(struct heap *heap)
{
    const struct coming top = heap->coming[0], last = heap->coming[--heap->count];
    size_t at = 0;
    for (size_t below; (below = 2 * at + 1) < heap->count; at = below) {
        below += below + 1 < heap->count && is_before(&heap->coming[below + 1], &heap->coming[below]);
        if (!is_before(&heap->coming[below], &last))
            break;
        heap->coming[at] = heap->coming[below];
    }
    heap->coming[at] = last;
    return top;
}

/* The ways to a state go on over its best moves. */
static pdb_status move_on(const struct values *values, const struct coming *from, struct heap *heap, struct fan *fan,
                          pdb_error *error)
{
    uint32_t *cost = (uint32_t *)(void *)fan->moves;
    uint16_t count;
    values->puzzle->family->index.costed_successors(values->puzzle, &from->state, 1, fan->next, cost, &count);
    pdb_status status = near_exact(values, from->distance, fan->next, count, fan->near, error);
    fan->states++;
    fan->all_moves += count;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        if (fan->near[i] != DISTANCE_NONE && fan->near[i] + cost[i] == from->distance &&
            !heap_put(heap, (struct coming){fan->near[i], fan->next[i], from->count}))
            status = error_no_memory(error, "the shortest paths", 2 * heap->room * sizeof *heap->coming);
    return status;
}

static pdb_status count_costed(const struct values *values, uint64_t index, uint32_t distance, struct fan *fan,
                               unsigned __int128 *paths, pdb_error *error)
{
    struct heap heap = {0};
    uint64_t done = 0;
    pdb_status status = heap_put(&heap, (struct coming){distance, index, 1})
                            ? PDB_OK
                            : error_no_memory(error, "the shortest paths", sizeof *heap.coming);
    *paths = 0;
    while (status == PDB_OK && heap.count > 0) {
        struct coming from = heap_take(&heap);
        while (heap.count > 0 && heap.coming->state == from.state && from.count >> 127 == 0)
            from.count += heap_take(&heap).count;
        if (from.distance == 0)
            *paths += from.count;
        if (from.count >> 127 || *paths >> 127)
            status = too_many_paths(error);
        else if (from.distance > 0)
            status = move_on(values, &from, &heap, fan, error);
        if (status == PDB_OK)
            status = go_on(values, done++, error);
        if (status == PDB_OK)
            status = check_memory(values, heap.room, sizeof *heap.coming, error);
    }
    free(heap.coming);
    return status;
}

/* -- either -- */

static pdb_status count_plain(const struct values *values, uint64_t index, uint32_t distance, struct fan *fan,
                              unsigned __int128 *paths, pdb_error *error)
{
    struct layer layer = {0}, nearer = {0};
    uint64_t done = 0;
    pdb_status status = add_arrival(&layer, (struct arrival){index, 1})
                            ? PDB_OK
                            : error_no_memory(error, "the shortest paths", sizeof *layer.arrival);
    for (; status == PDB_OK && distance > 0; distance--) {
        nearer.count = 0;
        status = nearer_layer(values, distance, &layer, &nearer, fan, &done, error);
        struct layer swapped = layer;
        layer = nearer;
        nearer = swapped;
    }
    *paths = 0;
    for (size_t i = 0; status == PDB_OK && i < layer.count; i++)
        *paths += layer.arrival[i].count;
    if (status == PDB_OK && *paths >> 127)
        status = too_many_paths(error);
    free(layer.arrival);
    free(nearer.arrival);
    return status;
}

pdb_status distance_grade_paths(const struct values *values, uint64_t index, uint32_t distance,
                                unsigned __int128 *paths, double *branching, pdb_error *error)
{
    struct fan fan = {0};
    const size_t room = values->puzzle->max_moves + 1, bytes = room * (2 * sizeof *fan.next + sizeof *fan.near);
    fan.next = malloc(bytes);
    if (fan.next == NULL)
        return error_no_memory(error, "the shortest paths", bytes);
    fan.moves = fan.next + room;
    fan.near = (uint32_t *)(fan.moves + room);
    pdb_status status = (values->puzzle->max_cost > 1 ? count_costed : count_plain)(values, index, distance, &fan,
                                                                                    paths, error);
    *branching = fan.states > 0 ? fan.all_moves / fan.states : 0;
    free(fan.next);
    return status;
}

pdb_status distance_count_paths(const struct values *values, uint64_t index, uint32_t distance,
                                unsigned __int128 *paths, pdb_error *error)
{
    double branching;
    return distance_grade_paths(values, index, distance, paths, &branching, error);
}
