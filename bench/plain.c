/* plain.c -- the plain search: a queue, and an array or a hash table of distances */
#include "measure.h"
#include "plain.h"

#include <string.h>

enum { FIRST_SLOTS = 1 << 10, UNKNOWN = UINT8_MAX };

struct plain {
    const struct puzzle *puzzle;
    uint64_t *key, keys; /* the hash table: each key plus one; NULL where states are numbered */
    uint8_t *known;      /* distances, by state or slot */
    uint64_t slots;      /* states, or slots: a power of two */
    uint64_t *queue, end;
};

/* Where a state's distance is; that of a key which is not there is free. */
static uint64_t place(const struct plain *plain, uint64_t state)
{
    if (plain->key == NULL)
        return state;
    uint64_t at = (state * 0x9E3779B97F4A7C15 >> 20) & (plain->slots - 1);
    while (plain->key[at] != 0 && plain->key[at] != state + 1)
        at = (at + 1) & (plain->slots - 1);
    return at;
}

static void make_tables(struct plain *plain, uint64_t slots)
{
    plain->slots = slots;
    plain->known = malloc(slots);
    must_system(plain->known != NULL, "malloc");
    memset(plain->known, UNKNOWN, slots);
    if (!plain->puzzle->keyed)
        return;
    plain->key = calloc(slots, sizeof *plain->key);
    must_system(plain->key != NULL, "malloc");
}

static void double_tables(struct plain *plain)
{
    const struct plain before = *plain;
    make_tables(plain, 2 * before.slots);
    plain->queue = reallocarray(before.queue, before.slots, sizeof *plain->queue);
    must_system(plain->queue != NULL, "malloc");
    for (uint64_t i = 0; i < before.slots; i++)
        if (before.key[i] != 0) {
            const uint64_t at = place(plain, before.key[i] - 1);
            plain->key[at] = before.key[i];
            plain->known[at] = before.known[i];
        }
    free(before.key);
    free(before.known);
}

static void put(struct plain *plain, uint64_t state, unsigned distance)
{
    const uint64_t at = place(plain, state);
    if (plain->known[at] != UNKNOWN)
        return;
    plain->known[at] = (uint8_t)distance;
    plain->queue[plain->end++] = state;
    if (plain->key == NULL || plain->key[at] != 0)
        return;
    plain->key[at] = state + 1;
    if (++plain->keys == plain->slots / 2)
        double_tables(plain);
}

static pdb_status put_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    for (size_t i = 0; i < count; i++)
        put(context, index[i], 0);
    return PDB_OK;
}

static size_t before_state(const struct puzzle *puzzle, uint64_t state, uint64_t *next)
{
    uint16_t count;
    return puzzle->keyed ? puzzle->family->packed.predecessors(puzzle, &state, 1, next, &count)
                         : puzzle->family->index.predecessors(puzzle, &state, 1, next, &count);
}

/* Goes through the queue to its end. */
static void run(struct plain *plain, uint64_t *next)
{
    for (uint64_t at = 0; at < plain->end; at++) {
        const uint64_t state = plain->queue[at];
        const unsigned distance = plain->known[place(plain, state)] + 1U;
        const size_t count = before_state(plain->puzzle, state, next);
        must_system(distance < UNKNOWN, "a distance above 254");
        for (size_t i = 0; i < count; i++)
            put(plain, next[i], distance);
    }
}

/* All states that moves lead to from the named boards; the goals among them are in the queue then. */
static void find_states(struct plain *plain, uint64_t *next)
{
    const struct puzzle *puzzle = plain->puzzle;
    for (size_t i = 0; i < puzzle->named_count; i++) {
        uint64_t key;
        if (puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &key))
            put(plain, key, 0);
    }
    run(plain, next);
    memset(plain->known, UNKNOWN, plain->slots);
    plain->end = 0;
    for (uint64_t i = 0; i < plain->slots; i++) {
        bool goal = false;
        const uint64_t key = plain->key[i] - 1;
        if (plain->key[i] != 0)
            puzzle->family->packed.are_goals(puzzle, &key, 1, &goal);
        if (goal)
            put(plain, key, 0);
    }
}

double plain_search(const struct puzzle *puzzle, uint64_t *states)
{
    const uint64_t slots = puzzle->keyed ? FIRST_SLOTS : puzzle->states;
    struct plain plain = {.puzzle = puzzle, .queue = calloc(slots, sizeof *plain.queue)};
    uint64_t *next = malloc((puzzle->max_moves + (size_t)1) * sizeof *next);
    must_system(plain.queue != NULL && next != NULL, "malloc");
    make_tables(&plain, slots);
    if (!puzzle->keyed)
        memset(plain.queue, 0, slots * sizeof *plain.queue); /* touched */
    const double begin = now();
    pdb_error error;
    if (puzzle->keyed && puzzle->undoable)
        find_states(&plain, next);
    else
        must(puzzle->family->index.goals(puzzle, put_goals, &plain, &error), &error);
    run(&plain, next);
    const double seconds = now() - begin;
    *states = puzzle->keyed ? plain.keys : puzzle->states;
    free(next);
    free(plain.queue);
    free(plain.key);
    free(plain.known);
    return seconds;
}
