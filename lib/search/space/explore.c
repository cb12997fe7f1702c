/* explore.c -- all keys that a search reaches
 *
 * The hash table is an array of slots, key + 1 in each, 0 for free, with linear probing; threads insert by
 * compare-and-swap. It is at most half full, and grows (by four, all slots anew) only between pieces of work, which are
 * cut so that no piece can fill it. Keys are listed in the order in which they are found: the list is the queue. Its
 * order depends on the threads; the table that comes of it is sorted and does not.
 */
#include "explore.h"

#include "lib/text.h"

#include <omp.h>
#include <stdlib.h>

enum { BATCH = 256, FIRST_SLOTS = 1 << 10 };

struct explorer {
    const struct puzzle *puzzle;
    unsigned threads;
    uint64_t memory;
    uint64_t *slot, slots;      /* a power of two of them */
    uint64_t *key, count, room; /* the keys found, in order; the first `expanded` have been expanded */
    uint64_t expanded;
    explore_observer *observer; /* may be NULL */
    void *context;
    struct buffers {
        uint64_t *next;
        uint16_t next_count[BATCH];
    } * buffers;
};

static uint64_t hash(uint64_t key)
{
    key *= 0x9E3779B97F4A7C15;
    return key ^ key >> 32;
}

/* Puts a key into the table; true if it was not there. */
static bool insert(struct explorer *explorer, uint64_t key)
{
    const uint64_t mask = explorer->slots - 1;
    for (uint64_t at = hash(key) & mask;; at = (at + 1) & mask) {
        uint64_t there = __atomic_load_n(&explorer->slot[at], __ATOMIC_RELAXED);
        if (there == 0 && __atomic_compare_exchange_n(&explorer->slot[at], &there, key + 1, false, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED))
            return true;
        if (there == key + 1)
            return false;
    }
}

/* -- memory -- */

static pdb_status too_large(const struct explorer *explorer, pdb_error *error)
{
    char found[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
    return error_set(error, PDB_TOO_LARGE, "%s: %s states were found, and more do not fit in %s of memory",
                     explorer->puzzle->name, number_text(explorer->count, found), size_text(explorer->memory, allowed));
}

/* Room for `more` keys beyond those there are. */
static pdb_status reserve(struct explorer *explorer, uint64_t more, pdb_error *error)
{
    const uint64_t needed = explorer->count + more;
    if (needed > explorer->room) {
        uint64_t room = explorer->room * 3 / 2 > needed ? explorer->room * 3 / 2 : needed;
        if ((room + explorer->slots) * sizeof(uint64_t) > explorer->memory)
            return too_large(explorer, error);
        uint64_t *grown = realloc(explorer->key, room * sizeof *grown);
        if (grown == NULL)
            return error_no_memory(error, "keys", room * sizeof *grown);
        explorer->key = grown;
        explorer->room = room;
    }
    if (2 * needed <= explorer->slots)
        return PDB_OK;
    uint64_t slots = explorer->slots;
    while (slots < 2 * needed)
        slots *= 4;
    if ((explorer->room + slots) * sizeof(uint64_t) > explorer->memory)
        return too_large(explorer, error);
    free(explorer->slot);
    explorer->slot = calloc(slots, sizeof *explorer->slot);
    if (explorer->slot == NULL)
        return error_no_memory(error, "the table of keys", slots * sizeof *explorer->slot);
    explorer->slots = slots;
#pragma omp parallel for num_threads(explorer->threads) schedule(static)
    for (uint64_t i = 0; i < explorer->count; i++)
        insert(explorer, explorer->key[i]);
    return PDB_OK;
}

/* -- where to set out from -- */

static pdb_status observe(const struct explorer *explorer, pdb_error *error)
{
    if (explorer->observer == NULL || explorer->observer(explorer->context, explorer->count, explorer->expanded))
        return PDB_OK;
    return error_set(error, PDB_INTERRUPTED, "%s: interrupted while its states were looked for",
                     explorer->puzzle->name);
}

static pdb_status add_keys(void *context, const uint64_t *key, size_t count, pdb_error *error)
{
    struct explorer *explorer = context;
    pdb_status status = reserve(explorer, count, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        if (insert(explorer, key[i])) /* NOLINTNEXTLINE(*NullDereference): reserve made room */
            explorer->key[explorer->count++] = key[i];
    return status == PDB_OK && (count == 0 || explorer->count % BATCH == 0) ? observe(explorer, error) : status;
}

static pdb_status add_origins(struct explorer *explorer, pdb_error *error)
{
    const struct puzzle *puzzle = explorer->puzzle;
    pdb_status status = PDB_OK;
    if (!puzzle->undoable) {
        status = puzzle->family->index.goals(puzzle, add_keys, explorer, error);
        if (status == PDB_OK && explorer->count == 0 && puzzle->unordered)
            return error_set(error, PDB_UNREACHABLE, "%s has no solution, so there is nothing to keep", puzzle->name);
        return status;
    }
    for (size_t i = 0; status == PDB_OK && i < puzzle->named_count; i++) {
        uint64_t key;
        if (puzzle->family->position.rank(puzzle, puzzle->named[i].position, &key))
            status = add_keys(explorer, &key, 1, error);
    }
    if (status == PDB_OK && explorer->count == 0)
        return error_set(
            error, PDB_TOO_LARGE,
            "%s: its states are too many to number, and there is no board to set out from: name one under 'boards'",
            puzzle->name);
    return status;
}

/* -- the search -- */

/* Expands keys [first, end), which may find at most as many as there is room for. */
static void expand_piece(struct explorer *explorer, uint64_t first, uint64_t end)
{
    const struct puzzle *puzzle = explorer->puzzle;
#pragma omp parallel for num_threads(explorer->threads) schedule(dynamic, 1) if (end - first > BATCH)
    for (uint64_t begin = first; begin < end; begin += BATCH) {
        struct buffers *buffers = &explorer->buffers[omp_get_thread_num()];
        const size_t batch = end - begin < BATCH ? end - begin : BATCH;
        size_t total = puzzle->family->index.predecessors(puzzle, explorer->key + begin, batch, buffers->next,
                                                          buffers->next_count);
        for (size_t i = 0; i < total; i++)
            if (insert(explorer, buffers->next[i])) {
                uint64_t at = __atomic_fetch_add(&explorer->count, 1, __ATOMIC_RELAXED);
                explorer->key[at] = buffers->next[i];
            }
    }
}

static pdb_status expand_all(struct explorer *explorer, pdb_error *error)
{
    const uint64_t max_moves = explorer->puzzle->max_moves + 1;
    while (explorer->expanded < explorer->count) {
        /* As much as surely finds no more than what is there already, so that the table at most doubles for it. */
        uint64_t piece = explorer->count / max_moves + 1;
        const uint64_t least = (uint64_t)BATCH * explorer->threads;
        piece = piece > least ? piece : least;
        const uint64_t left = explorer->count - explorer->expanded;
        piece = piece < left ? piece : left;
        pdb_status status = reserve(explorer, piece * max_moves, error);
        if (status != PDB_OK)
            return status;
        expand_piece(explorer, explorer->expanded, explorer->expanded + piece);
        explorer->expanded += piece;
        status = observe(explorer, error);
        if (status != PDB_OK)
            return status;
    }
    return PDB_OK;
}

/* Bytes of one thread's buffer. */
static uint64_t buffer_bytes(const struct puzzle *puzzle)
{
    return BATCH * (uint64_t)(puzzle->max_moves + 1) * sizeof(uint64_t);
}

static bool allocate(struct explorer *explorer)
{
    explorer->slots = FIRST_SLOTS;
    explorer->slot = calloc(explorer->slots, sizeof *explorer->slot);
    explorer->buffers = calloc(explorer->threads, sizeof *explorer->buffers);
    if (explorer->slot == NULL || explorer->buffers == NULL)
        return false;
    for (unsigned t = 0; t < explorer->threads; t++) {
        explorer->buffers[t].next = malloc(buffer_bytes(explorer->puzzle));
        if (explorer->buffers[t].next == NULL)
            return false;
    }
    return true;
}

pdb_status explore(const struct puzzle *puzzle, unsigned threads, uint64_t memory, explore_observer *observer,
                   void *context, struct keys **out, pdb_error *error)
{
    struct explorer explorer = {
        .puzzle = puzzle, .threads = threads, .memory = memory, .observer = observer, .context = context};
    const uint64_t buffers = threads * buffer_bytes(puzzle);
    if (buffers > memory)
        return too_large(&explorer, error);
    explorer.memory -= buffers;
    pdb_status status = allocate(&explorer) ? PDB_OK : error_no_memory(error, "the table of keys", explorer.slots * 8);
    if (status == PDB_OK)
        status = add_origins(&explorer, error);
    if (status == PDB_OK)
        status = expand_all(&explorer, error);
    free(explorer.slot);
    for (unsigned t = 0; explorer.buffers != NULL && t < threads; t++)
        free(explorer.buffers[t].next);
    free(explorer.buffers);
    if (status == PDB_OK)
        return keys_take(explorer.key, explorer.count, out, error);
    free(explorer.key);
    return status;
}
