/* layer.c -- the search by keys: one layer, all keys one move away from the frontier that are new */
#include "inner.h"

#include <string.h>

enum {
    AHEAD = 16,          /* keys whose homes are fetched before they are wanted */
    ALONE = 4096,        /* states that a second thread does not pay for */
    MOST_LATER = 1 << 20 /* keys of moves that are looked up together, about */
};

static bool take_budget(struct sparse *sparse, size_t keys)
{
    if (__atomic_fetch_sub(&sparse->budget, (int64_t)keys, __ATOMIC_RELAXED) >= (int64_t)keys)
        return true;
    __atomic_fetch_add(&sparse->budget, (int64_t)keys, __ATOMIC_RELAXED);
    return false;
}

/* Is what is found new to the table, or only to be marked there? */
static bool adds_keys(const struct sparse *sparse)
{
    return sparse->kept.pass <= AT_ONCE || !sparse->search.undoable;
}

/* Puts `count` keys into the table, or marks them as reached; moves those that are new to the front. */
static size_t sift(struct sparse *sparse, bool add, uint64_t mark, unsigned depth, uint64_t *key, size_t count)
{
    struct key_table *table = &sparse->table;
    size_t news = 0;
    for (size_t i = 0; i < count && i < AHEAD; i++)
        key_prefetch(table, key[i]);
    for (size_t i = 0; i < count; i++) {
        uint64_t at;
        const uint64_t here = key[i];
        if (i + AHEAD < count)
            key_prefetch(table, key[i + AHEAD]);
        if (!(add ? key_put(table, here, mark, &at) : key_reach(table, here, &at)))
            continue;
        if (mark != 0)
            key_depth_set(table, at, depth);
        key[news++] = here;
    }
    return news;
}

/* The same where they are bits: into those found, or reached. Which are there is looked up first, for few are new and
 * no one can guess which. */
static size_t sift_bits(struct sparse *sparse, bool add, unsigned depth, uint64_t *key, size_t count)
{
    struct key_bits *bits = add ? &sparse->bits : &sparse->reached;
    const bool alone = sparse->search.team.threads == 1;
    size_t left = 0, news = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t here = key[i];
        if (i + AHEAD < count)
            key_bits_prefetch(bits, key[i + AHEAD]);
        key[left] = here;
        left += !key_bits_has(bits, here);
    }
    for (size_t i = 0; i < left; i++) {
        const uint64_t here = key[i];
        key[news] = here;
        news += alone ? key_bits_put_alone(bits, here) : key_bits_put(bits, here);
    }
    for (size_t i = 0; sparse->kept.pass != FINDING && i < news; i++) {
        const uint64_t at = sparse->kept.pass == AT_ONCE ? key[i] : key_bits_place(&sparse->bits, key[i]);
        sparse->table.depth[at] = (uint8_t)depth;
    }
    return news;
}

/* Moves those of a worker's keys to the front that it has not looked up a moment ago. */
static size_t leave_recent(struct worker *worker, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = worker->next[i];
        uint64_t *recent = &worker->recent[key * 0x9E3779B97F4A7C15 >> (64 - RECENT_BITS)];
        worker->next[left] = key;
        left += *recent != key + 1;
        *recent = key + 1;
    }
    return left;
}

/* Those of a worker's keys that are new become part of the next layer. There is room for all of them. */
static void settle(struct sparse *sparse, unsigned number, size_t count)
{
    struct worker *worker = &sparse->workers[number];
    const bool undoable = sparse->search.undoable || sparse->kept.pass == AT_ONCE;
    const uint64_t mark = sparse->kept.pass == FINDING ? 0 : KEY_REACHED;
    const unsigned depth = (unsigned)(sparse->search.state->depth + 1), kept = undoable ? depth % SPARSE_CYCLE : depth;
    if (sparse->moves.bin != NULL && sparse->bits.word == NULL) {
        const size_t fresh = sparse_settle_moves(sparse, number, count);
        __atomic_fetch_add(&sparse->kept.keys, fresh, __ATOMIC_RELAXED);
        __atomic_fetch_add(&sparse->budget, (int64_t)(count - fresh), __ATOMIC_RELAXED);
        return;
    }
    if (sparse->moves.bin != NULL)
        sparse_throw_keys(sparse, number);
    if (sparse->later && !__atomic_load_n(&sparse->moves.full, __ATOMIC_RELAXED))
        return;
    const size_t news = sparse->bits.word != NULL
                            ? sift_bits(sparse, adds_keys(sparse), kept, worker->next, count)
                            : sift(sparse, adds_keys(sparse), mark, kept, worker->next, leave_recent(worker, count));
    if (adds_keys(sparse))
        __atomic_fetch_add(&sparse->kept.keys, news, __ATOMIC_RELAXED);
    const uint64_t at = __atomic_fetch_add(&sparse->next.count, news, __ATOMIC_RELAXED);
    memcpy(sparse->next.key + at, worker->next, news * sizeof *worker->next);
    __atomic_fetch_add(&sparse->budget, (int64_t)(count - news), __ATOMIC_RELAXED);
}

static size_t expand_batch(const struct sparse *sparse, const struct worker *worker)
{
    const struct puzzle *puzzle = sparse->search.puzzle;
    const uint64_t *key = sparse->frontier.key + worker->first;
    if (sparse->moves.bin != NULL && puzzle->max_cost > 1)
        return puzzle->family->index.costed_successors(puzzle, key, worker->batch, worker->next, worker->cost,
                                                       worker->next_count);
    return puzzle->family->packed.predecessors(puzzle, key, worker->batch, worker->next, worker->next_count);
}

struct expansion {
    struct sparse *sparse;
    struct watch *watch;
};

/* A worker's part of a piece of work: what it could not settle the last time, then batches of the frontier, until there
 * are none, or no room is left, or the watch has been stopped. */
static void work(void *context, unsigned thread, uint64_t number)
{
    const struct expansion *expansion = context;
    struct sparse *sparse = expansion->sparse;
    struct worker *worker = &sparse->workers[number];
    struct watch *watch = expansion->watch;
    const struct parts *parts = sparse->search.puzzle->parts;
    const uint64_t all = sparse->frontier.count;
    if (worker->pending > 0) {
        if (!take_budget(sparse, worker->pending))
            return;
        settle(sparse, (unsigned)number, worker->pending);
        worker->pending = 0;
    }
    while (worker->again || !watch_stopped(watch)) {
        const uint64_t first = worker->again
                                   ? worker->first
                                   : __atomic_fetch_add(&sparse->kept.expanded, sparse->batch, __ATOMIC_RELAXED);
        if (first >= all)
            return;
        worker->first = first;
        worker->batch = all - first < sparse->batch ? all - first : sparse->batch;
        const size_t count = expand_batch(sparse, worker);
        worker->again = parts != NULL && parts_full(parts);
        if (worker->again)
            return;
        if (sums_moves(sparse))
            edges_sum(&sparse->kept.sum, sparse->kept.pass != AT_ONCE, sparse->frontier.key + first, worker->batch,
                      worker->next, worker->next_count);
        if (!take_budget(sparse, count)) {
            worker->pending = count;
            return;
        }
        settle(sparse, (unsigned)number, count);
        if (thread != 0)
            continue;
        sparse->search.states = __atomic_load_n(&sparse->kept.keys, __ATOMIC_RELAXED);
        watch_look(watch, (double)first / (double)all);
    }
}

/* Room for what waits, and a share more; where keys are looked up later, for some moves of those that are left. */
static pdb_status reserve(struct sparse *sparse, pdb_error *error)
{
    const uint64_t left = sparse->frontier.count - sparse->kept.expanded;
    const bool grows = adds_keys(sparse);
    uint64_t needed = SPARE;
    for (unsigned t = 0; t < sparse->search.team.threads; t++)
        needed += sparse->workers[t].pending;
    if (sparse->moves.bin != NULL && sparse->bits.word != NULL)
        needed += 3 * left < MOST_LATER ? 3 * left : MOST_LATER;
    pdb_status status = sparse_reserve_list(sparse, &sparse->next, needed, error);
    if (status == PDB_OK)
        status = sparse_reserve_parts(sparse, error);
    if (status == PDB_OK && grows)
        status = sparse_reserve_table(sparse, needed, error);
    sparse->budget = (int64_t)(sparse->next.room - sparse->next.count);
    const int64_t slots = (int64_t)(key_table_room(sparse->table.slots) - sparse->kept.keys);
    if (grows && sparse->bits.word == NULL && slots < sparse->budget)
        sparse->budget = slots;
    return status;
}

/* Moves are kept only where nothing else wants the memory. */
static pdb_status make_room(struct sparse *sparse, pdb_error *error)
{
    if (sparse->moves.full || sparse->kept.keys >= UINT32_MAX)
        sparse_keep_no_moves(sparse);
    pdb_status status = reserve(sparse, error);
    if (status != PDB_OK && sparse->moves.bin != NULL) {
        sparse_keep_no_moves(sparse);
        status = reserve(sparse, error);
    }
    sparse->moves.pool.most = sparse->moves.pool.bytes + sparse_left(sparse);
    return status;
}

/* Does any thread from this one on have something that waits for room? */
static bool is_waiting(const struct sparse *sparse, unsigned first)
{
    for (unsigned t = first; t < sparse->search.team.threads; t++)
        if (sparse->workers[t].pending > 0 || sparse->workers[t].again)
            return true;
    return false;
}

/* While threads add to it, the table of high parts stays as large as it is. */
static void hold_parts(const struct sparse *sparse, bool held)
{
    if (sparse->search.puzzle->parts != NULL)
        parts_hold(sparse->search.puzzle->parts, held);
}

pdb_status sparse_expand(struct sparse *sparse, struct watch *watch, pdb_error *error)
{
    struct expansion expansion = {sparse, watch};
    sparse->numbered = sparse->kept.keys - sparse->frontier.count - sparse->next.count;
    while (is_waiting(sparse, 0) || (sparse->kept.expanded < sparse->frontier.count && !watch_stopped(watch))) {
        const uint64_t left = sparse->frontier.count - sparse->kept.expanded;
        const bool alone = left <= ALONE && !is_waiting(sparse, 1);
        pdb_status status = make_room(sparse, error);
        if (status != PDB_OK)
            return status;
        sparse->later = sparse->moves.bin != NULL && sparse->bits.word != NULL && !alone;
        hold_parts(sparse, true);
        team_run(&sparse->search.team, alone ? 1 : sparse->search.team.threads, work, &expansion);
        hold_parts(sparse, false);
        if (sparse->later)
            sparse_find_thrown(sparse);
        if (sparse->kept.expanded > sparse->frontier.count)
            sparse->kept.expanded = sparse->frontier.count;
    }
    return sparse->kept.expanded < sparse->frontier.count ? PDB_INTERRUPTED : PDB_OK;
}
