/* moves.c -- the search by keys: moves that are kept while states are found, for they will be wanted as edges
 *
 * They are thrown into bins (forward/bins.h), by keys where these are bits, else by numbers: a key has the number of
 * keys that were found before it, and one more stands beside it in the table. Where keys are bits and a layer is not
 * small, its keys are looked up bin by bin once they are thrown: a thread that looks each up at once waits for lines of
 * the cache that another has just written to.
 */
#include "inner.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    STEPS = 32,
    TRIED = 64, /* moves that are tried in each step */
    AHEAD = 16  /* keys whose homes are fetched before they are wanted */
};

#define NEW   ((uint64_t)1 << 63)
#define KNOWN ((uint64_t)1 << 62)

/* -- is it worth it? -- */

/* Has each of these moves, from[i] to to[i], one that takes it back? `back` has room for all moves out of to[]. */
static bool lead_back(const struct puzzle *puzzle, const uint64_t *from, const uint64_t *to, size_t moves,
                      uint64_t *back)
{
    uint16_t count[TRIED];
    puzzle->family->packed.predecessors(puzzle, to, moves, back, count);
    for (size_t i = 0; i < moves; back += count[i++]) {
        bool found = false;
        for (size_t m = 0; m < count[i] && !found; m++)
            found = back[m] == from[i];
        if (!found)
            return false;
    }
    return true;
}

bool sparse_is_directed(const struct sparse *sparse)
{
    const struct puzzle *puzzle = sparse->search.puzzle;
    const struct worker *worker = &sparse->workers[0];
    const size_t most = TRIED < sparse->batch ? TRIED : sparse->batch;
    uint64_t *back = malloc(most * (puzzle->max_moves + 1u) * sizeof *back), state[TRIED];
    size_t states = sparse->frontier.count < most ? sparse->frontier.count : most;
    bool directed = false;
    memcpy(state, sparse->frontier.key, states * sizeof *state);
    for (unsigned step = 0; back != NULL && !directed && states > 0 && step < STEPS; step++) {
        const size_t moves = puzzle->family->packed.predecessors(puzzle, state, states, worker->next,
                                                                 worker->next_count),
                     stride = moves / most + 1;
        uint64_t from[TRIED];
        size_t tried = 0, move = 0;
        for (size_t i = 0; i < states; i++)
            for (size_t m = 0; m < worker->next_count[i]; m++, move++)
                if (move % stride == step % stride) {
                    from[tried] = state[i];
                    worker->next[tried++] = worker->next[move];
                }
        directed = !lead_back(puzzle, from, worker->next, tried, back);
        memcpy(state, worker->next, tried * sizeof *state);
        states = tried;
    }
    free(back);
    return directed;
}

/* -- beginning and ending -- */

static uint64_t moves_room(const struct sparse *sparse)
{
    return sparse->batch * (sparse->search.puzzle->max_moves + 1u);
}

uint64_t sparse_moves_bytes(const struct sparse *sparse)
{
    const uint64_t buffers = moves_room(sparse) * (sizeof(uint64_t) + sizeof(uint32_t)) + RECENT * sizeof(uint32_t);
    return sparse->moves.bin == NULL
               ? 0
               : bins_fixed(&sparse->moves) + sparse->moves.pool.bytes + sparse->search.team.threads * buffers;
}

static bool take_buffers(struct sparse *sparse)
{
    bool there = true;
    for (unsigned t = 0; t < sparse->search.team.threads; t++) {
        struct worker *worker = &sparse->workers[t];
        worker->slot = malloc(moves_room(sparse) * sizeof *worker->slot);
        worker->cost = malloc(moves_room(sparse) * sizeof *worker->cost);
        worker->recent_number = calloc(RECENT, sizeof *worker->recent_number);
        there = there && worker->slot != NULL && worker->cost != NULL && worker->recent_number != NULL;
    }
    return there;
}

void sparse_keep_no_moves(struct sparse *sparse)
{
    bins_free(&sparse->moves);
    for (unsigned t = 0; sparse->workers != NULL && t < sparse->search.team.threads; t++) {
        struct worker *worker = &sparse->workers[t];
        free(worker->slot);
        free(worker->cost);
        free(worker->recent_number);
        worker->slot = NULL;
        worker->cost = worker->recent_number = NULL;
    }
    if (sparse->kept.pass <= FINDING && sparse->search.puzzle->forward) { /* nor numbers */
        free(sparse->table.depth);
        sparse->table.depth = NULL;
        sparse->table.width = 0;
    }
}

void sparse_keep_moves(struct sparse *sparse)
{
    const struct retrograde *search = &sparse->search;
    const struct puzzle *puzzle = search->puzzle;
    const bool bits = sparse->bits.word != NULL;
    const uint64_t numbers = search->limit / sizeof(uint64_t) + 1 < UINT32_MAX ? search->limit / sizeof(uint64_t) + 1
                                                                               : UINT32_MAX;
    sparse->kept.directed = puzzle->max_cost > 1 || sparse_is_directed(sparse);
    if (sparse->kept.directed == 0)
        return;
    if (!bins_create(&sparse->moves, search->team.threads, bits ? puzzle->states : numbers, !bits,
                     puzzle->max_cost > 1 ? puzzle->max_cost : 0, search->limit) ||
        !take_buffers(sparse) || (!bits && sparse_widen(sparse, sizeof(uint32_t), NULL) != PDB_OK)) {
        sparse_keep_no_moves(sparse);
        return;
    }
    for (uint64_t i = 0; !bits && i < sparse->frontier.count; i++)
        key_depth_set(&sparse->table, key_slot(&sparse->table, sparse->frontier.key[i], 0), (unsigned)i + 1);
}

/* -- a batch of moves -- */

static uint64_t *recent_of(const struct worker *worker, uint64_t key)
{
    return &worker->recent[key * 0x9E3779B97F4A7C15 >> (64 - RECENT_BITS)];
}

/* The slots of a worker's keys, and those that are new put there; or their numbers where they are known. Returns how
 * many are new. */
static size_t find_slots(struct sparse *sparse, struct worker *worker, size_t count)
{
    struct key_table *table = &sparse->table;
    size_t news = 0;
    for (size_t m = 0; m < count + AHEAD; m++) {
        if (m < count) {
            const uint64_t key = worker->next[m], *recent = recent_of(worker, key),
                           number = *recent == key + 1 ? worker->recent_number[recent - worker->recent] : 0;
            worker->slot[m] = number == 0 ? 0 : KNOWN | (number - 1);
            if (number == 0)
                key_prefetch(table, key);
        }
        if (m < AHEAD || worker->slot[m - AHEAD] != 0)
            continue;
        uint64_t at;
        const bool fresh = key_put(table, worker->next[m - AHEAD], 0, &at);
        worker->slot[m - AHEAD] = at | (fresh ? NEW : 0);
        news += fresh;
        __builtin_prefetch(table->depth + sizeof(uint32_t) * at, 1);
    }
    return news;
}

static void note_recent(struct worker *worker, uint64_t key, uint64_t number)
{
    uint64_t *recent = recent_of(worker, key);
    *recent = key + 1;
    worker->recent_number[recent - worker->recent] = (uint32_t)number + 1;
}

/* New keys get their numbers and become part of the next layer, from `at` on. */
static void number_new(struct sparse *sparse, struct worker *worker, size_t count, uint64_t at)
{
    uint32_t *beside = (uint32_t *)(void *)sparse->table.depth;
    const uint64_t base = sparse->numbered + sparse->frontier.count;
    for (size_t m = 0; m < count; m++)
        if ((worker->slot[m] & NEW) != 0) {
            __atomic_store_n(&beside[worker->slot[m] & ~NEW], (uint32_t)(base + at + 1), __ATOMIC_RELAXED);
            sparse->next.key[at] = worker->next[m];
            worker->slot[m] = KNOWN | (base + at++);
            note_recent(worker, worker->next[m], worker->slot[m] & ~KNOWN);
        }
}

/* The number beside a key that another thread may just have put in: then it will be there in a moment, for no thread
 * waits before its own are. */
static uint64_t wait_for_number(const uint32_t *beside)
{
    uint32_t number;
    while ((number = __atomic_load_n(beside, __ATOMIC_RELAXED)) == 0)
        sched_yield();
    return number - 1;
}

/* What a worker's moves cost; NULL: 1 each. */
static const uint32_t *costs_of(const struct sparse *sparse, const struct worker *worker)
{
    return sparse->search.puzzle->max_cost > 1 ? worker->cost : NULL;
}

size_t sparse_settle_moves(struct sparse *sparse, unsigned thread, size_t count)
{
    struct worker *worker = &sparse->workers[thread];
    const uint32_t *beside = (const uint32_t *)(const void *)sparse->table.depth;
    const size_t news = find_slots(sparse, worker, count);
    uint64_t from[BATCH_MAX];
    number_new(sparse, worker, count, __atomic_fetch_add(&sparse->next.count, news, __ATOMIC_RELAXED));
    for (size_t m = 0; m < count; m++) {
        uint64_t to = worker->slot[m];
        if ((to & KNOWN) == 0) {
            to = wait_for_number(&beside[to]);
            note_recent(worker, worker->next[m], to);
        }
        worker->slot[m] = to & ~KNOWN;
    }
    for (size_t i = 0; i < worker->batch; i++)
        from[i] = sparse->numbered + worker->first + i;
    bins_throw(&sparse->moves, thread, from, worker->batch, worker->next_count, worker->slot, costs_of(sparse, worker));
    return news;
}

void sparse_throw_keys(struct sparse *sparse, unsigned thread)
{
    const struct worker *worker = &sparse->workers[thread];
    bins_throw(&sparse->moves, thread, sparse->frontier.key + worker->first, worker->batch, worker->next_count,
               worker->next, costs_of(sparse, worker));
}

/* -- keys of moves in bins -- */

/* Of keys those that are new become part of the next layer. They were not there when they were looked up, but one may
 * have come twice. */
static void add_to_next(struct sparse *sparse, uint64_t *key, size_t count)
{
    size_t news = 0;
    for (size_t i = 0; i < count; i++) {
        key[news] = key[i];
        news += key_bits_put_alone(&sparse->bits, key[i]);
    }
    const uint64_t at = __atomic_fetch_add(&sparse->next.count, news, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sparse->kept.keys, news, __ATOMIC_RELAXED);
    memcpy(sparse->next.key + at, key, news * sizeof *key);
}

/* Keys that were not there when they were looked up. What changes with each move is apart, so that it stays near. */
struct finding {
    struct sparse *sparse;
    struct key_bits bits;
    uint64_t *key;
    size_t *count;
};

/* A source is there. */
ALWAYS_INLINE void find_move(void *context, const struct thrown *move)
{
    const struct finding *finding = context;
    finding->key[*finding->count] = move->to;
    *finding->count += !key_bits_has(&finding->bits, move->to);
    if (*finding->count == BATCH_MAX) {
        add_to_next(finding->sparse, finding->key, BATCH_MAX);
        *finding->count = 0;
    }
}

/* A bin's keys have words of their own: they are near, and no other thread's. Which are there is looked up first, for
 * to put them in at once would be to wait each time for the word that was just written. */
static void find_in_bin(void *context, unsigned thread, uint64_t number)
{
    struct sparse *sparse = context;
    uint64_t key[BATCH_MAX];
    size_t count = 0;
    struct finding finding = {sparse, sparse->bits, key, &count};
    (void)thread;
    bins_visit(&sparse->moves, number, true, find_move, &finding);
    bins_see(&sparse->moves, number);
    if (count > 0)
        add_to_next(sparse, key, count);
}

void sparse_find_thrown(struct sparse *sparse)
{
    team_run(&sparse->search.team, sparse->moves.count, find_in_bin, sparse);
}

/* -- numbers for all -- */

pdb_status sparse_number_table(struct sparse *sparse, pdb_error *error)
{
    struct key_table *table = &sparse->table;
    if (sparse->kept.keys >= UINT32_MAX)
        return error_set(error, PDB_TOO_LARGE, "%s: it has more than %u states", sparse->search.puzzle->name,
                         UINT32_MAX - 1);
    pdb_status status = table->width == 4 ? PDB_OK : sparse_widen(sparse, 4, error);
    unsigned number = 0;
    for (uint64_t i = 0; status == PDB_OK && i < table->slots; i++)
        if (table->slot[i] != 0)
            key_depth_set(table, i, ++number);
    return status;
}
