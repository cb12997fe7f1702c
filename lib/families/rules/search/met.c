/* met.c -- the states that a search has met: a hash and a queue */
#include "met.h"
#include "lib/memory/array.h"

#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { LEAST_ROOM = 16 };

/* -- the hash -- */

uint64_t met_hash(const uint64_t *packed, unsigned words)
{
    return XXH3_64bits(packed, words * sizeof *packed);
}

/* The slot of a state: its own, or a free one. */
static uint32_t *find_slot(const struct met *states, const uint64_t *packed)
{
    const size_t bytes = states->words * sizeof *packed;
    uint64_t at = met_hash(packed, states->words) & (states->slots - 1);
    while (states->slot[at] != 0 && memcmp(met_at(states, states->slot[at] - 1), packed, bytes) != 0)
        at = (at + 1) & (states->slots - 1);
    return &states->slot[at];
}

/* Makes one of the arrays longer. */
static bool lengthen(void *array, size_t room, size_t element)
{
    void *held;
    memcpy(&held, array, sizeof held);
    void *grown = reallocarray(held, room, element);
    if (grown != NULL)
        memcpy(array, &grown, sizeof grown);
    /* cppcheck-suppress memleak; the array's pointer is `grown` now */
    return grown != NULL;
}

/* Room for so many states; at most two thirds of the slots are taken. False, and no state lost, where memory is short.
 */
static bool grow(struct met *states, uint32_t room)
{
    uint64_t slots = LEAST_ROOM;
    while (2 * slots < 3 * (uint64_t)room)
        slots *= 2;
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (slot == NULL || !lengthen(&states->word, room, states->words * sizeof *states->word) ||
        !lengthen(&states->cost, room, sizeof *states->cost) ||
        !lengthen(&states->parent, room, sizeof *states->parent) ||
        !lengthen(&states->closed, room, sizeof *states->closed)) {
        free(slot);
        return false;
    }
    free(states->slot);
    states->slot = slot;
    states->slots = slots;
    states->room = room;
    for (uint32_t state = 0; state < states->count; state++)
        *find_slot(states, met_at(states, state)) = state + 1;
    return true;
}

pdb_status met_make(struct met *states, unsigned words, uint64_t memory, size_t extra, pdb_error *error)
{
    const size_t each = words * sizeof *states->word + 2 * sizeof(uint32_t) + sizeof(bool) + 2 * sizeof *states->slot +
                        2 * sizeof *states->heap + extra;
    const uint64_t most = memory / each < UINT32_MAX / 4 ? memory / each : UINT32_MAX / 4;
    *states = (struct met){.words = words, .most = (uint32_t)most};
    if (most < LEAST_ROOM)
        return error_set(error, PDB_TOO_LARGE, "no room for the states of a search");
    return grow(states, LEAST_ROOM) ? PDB_OK : error_no_memory(error, "a search", memory);
}

void met_free(struct met *states)
{
    free(states->word);
    free(states->cost);
    free(states->parent);
    free(states->closed);
    free(states->slot);
    free(states->heap);
}

void met_clear(struct met *states)
{
    states->count = 0;
    states->queued = 0;
    memset(states->slot, 0, states->slots * sizeof *states->slot);
}

uint32_t met_find(const struct met *states, const uint64_t *packed)
{
    return *find_slot(states, packed) - 1; /* 0 - 1: MET_NONE */
}

enum met_how met_meet(struct met *states, const uint64_t *packed, uint32_t cost, uint32_t parent, uint32_t *state)
{
    uint32_t *slot = find_slot(states, packed);
    const bool new = *slot == 0;
    if (new) {
        *slot = ++states->count;
        memcpy(states->word + (size_t)(*slot - 1) * states->words, packed, states->words * sizeof *packed);
    }
    *state = *slot - 1;
    if (!new &&cost >= states->cost[*state])
        return cost == states->cost[*state] ? MET_SAME : MET_DEARER;
    states->cost[*state] = cost;
    states->parent[*state] = parent;
    states->closed[*state] = false;
    return new ? MET_NEW : MET_CHEAPER;
}

/* -- the queue: a binary heap, in which a state may stand several times -- */

/* States that were met later are deeper, as a rule: of equal priorities they come first. */
static bool is_before(struct met_entry x, struct met_entry y)
{
    return x.priority != y.priority ? x.priority < y.priority : x.state > y.state;
}

bool met_have_room(struct met *states, size_t more)
{
    const size_t queued = states->queued + more;
    if (states->count + more > states->most || queued > 2 * (size_t)states->most)
        return false;
    uint64_t room = states->room;
    while (room < states->count + more)
        room *= 2;
    room = room < states->most ? room : states->most;
    return (room == states->room || grow(states, (uint32_t)room)) &&
           array_reserve(&states->heap, &states->queue_room, queued, sizeof *states->heap);
}

void met_open(struct met *states, uint32_t state, uint32_t priority)
{
    const struct met_entry entry = {priority, state};
    size_t at = states->queued++;
    for (; at > 0 && is_before(entry, states->heap[(at - 1) / 2]); at = (at - 1) / 2)
        states->heap[at] = states->heap[(at - 1) / 2];
    states->heap[at] = entry;
}

void met_rank(struct met *states, met_priority *priority, void *context)
{
    const size_t queued = states->queued;
    states->queued = 0;
    for (size_t i = 0; i < queued; i++) {
        const uint32_t state = states->heap[i].state;
        if (states->closed[state])
            continue;
        const uint32_t least = priority(context, states->cost[state], met_at(states, state));
        if (least != MET_NONE)
            met_open(states, state, least);
    }
}

static void remove_first(struct met *states)
{
    const struct met_entry last = states->heap[--states->queued];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < states->queued; at = child) {
        child += child + 1 < states->queued && is_before(states->heap[child + 1], states->heap[child]);
        if (!is_before(states->heap[child], last))
            break;
        states->heap[at] = states->heap[child];
    }
    states->heap[at] = last;
}

uint32_t met_least(struct met *states)
{
    while (states->queued > 0 && states->closed[states->heap[0].state])
        remove_first(states);
    return states->queued > 0 ? states->heap[0].priority : MET_NONE;
}

uint32_t met_close(struct met *states, uint32_t *priority)
{
    *priority = met_least(states);
    if (states->queued == 0)
        return MET_NONE;
    const uint32_t state = states->heap[0].state;
    states->closed[state] = true;
    remove_first(states);
    return state;
}
