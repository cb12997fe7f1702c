/* retrograde_expand.c -- the next layer, state by state
 *
 * *Forward*: the frontier's predecessors that are new. *Backward*, once fewer states are left than the frontier has:
 * those left that have a successor in the frontier. Both find the same; backward no state is looked at twice, threads
 * write to their own chunks only, and the first successor found ends the matter. The last layers of puzzles with many
 * moves are their thickest, and are made backward.
 */
#include "retrograde_inner.h"

#include <omp.h>
#include <string.h>

enum {
    ALONE = 1 << 18, /* neighbours of a layer that a second thread does not pay for */
    AHEAD = 16       /* states for which memory is asked beforehand */
};

/* -- forward: the frontier's predecessors -- */

/* Notes that a chunk of the next layer has a state. */
static void touch(struct retrograde *search, uint64_t state)
{
    uint8_t *touched = &search->touched[state / (64 * RETROGRADE_CHUNK)];
    if (!__atomic_load_n(touched, __ATOMIC_RELAXED))
        __atomic_store_n(touched, 1, __ATOMIC_RELAXED);
}

/* Keeps those of `count` states that were neither visited nor put into the next layer yet: without a branch, as none
 * could be foretold. */
static size_t keep_new(const struct retrograde *search, uint64_t *state, size_t count)
{
    const uint64_t *visited = search->visited, *next = search->next;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            __builtin_prefetch(&visited[state[i + AHEAD] / 64]);
            __builtin_prefetch(&next[state[i + AHEAD] / 64]);
        }
        const uint64_t word = state[i] / 64;
        const uint64_t seen = visited[word] | __atomic_load_n(&next[word], __ATOMIC_RELAXED);
        state[kept] = state[i];
        kept += ~seen >> state[i] % 64 & 1;
    }
    return kept;
}

/* Puts those of `count` states that are new into the next layer's bitmap. Threads may meet in one word. */
static void put_bits(struct retrograde *search, uint64_t *state, size_t count)
{
    const size_t kept = keep_new(search, state, count);
    const bool alone = !omp_in_parallel();
    for (size_t i = 0; i < kept; i++) {
        uint64_t *word = &search->next[state[i] / 64];
        const uint64_t mask = (uint64_t)1 << state[i] % 64;
        if (alone)
            *word |= mask;
        else
            __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
        touch(search, state[i]);
    }
}

static void put_exact(struct retrograde *search, const uint64_t *state, size_t count, uint64_t depth)
{
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            exact_prefetch(&search->exact, state[i + AHEAD]);
        if (exact_put(&search->exact, state[i], depth))
            touch(search, state[i]);
    }
}

void retrograde_put(struct retrograde *search, uint64_t *state, size_t count, uint64_t depth)
{
    if (search->bitmaps == NULL)
        put_exact(search, state, count, depth);
    else
        put_bits(search, state, count);
}

static void expand_batch(struct retrograde *search, struct worker *worker, size_t count)
{
    size_t total = puzzle_predecessors(search->puzzle, worker->state, count, worker->next, worker->number);
    retrograde_put(search, worker->next, total, search->state->depth + 1);
}

/* All predecessors of one chunk's frontier. */
static void expand_chunk(struct retrograde *search, struct worker *worker, uint64_t chunk)
{
    const size_t batch = batch_size(search->puzzle);
    size_t count = 0;
    for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++)
        for (uint64_t bits = frontier_word(search, w); bits != 0; bits &= bits - 1) {
            worker->state[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
            if (count == batch) {
                expand_batch(search, worker, count);
                count = 0;
            }
        }
    expand_batch(search, worker, count);
}

/* -- backward: the states left ask their successors -- */

static bool in_frontier(const struct retrograde *search, uint64_t state)
{
    return search->bitmaps != NULL ? search->frontier[state / 64] >> state % 64 & 1
                                   : exact_is(&search->exact, state, search->state->depth);
}

/* Takes those of a batch that have a successor in the frontier into the next layer. They are of a chunk that no other
 * thread writes to. */
static void pull_batch(struct retrograde *search, struct worker *worker, size_t count)
{
    const struct puzzle *puzzle = search->puzzle;
    const uint64_t *next = worker->next;
    puzzle->family->successors(puzzle, worker->state, count, worker->next, worker->number);
    for (size_t i = 0; i < count; next += worker->number[i++]) {
        const uint64_t state = worker->state[i];
        unsigned n = 0;
        while (n < worker->number[i] && !in_frontier(search, next[n]))
            n++;
        if (n == worker->number[i])
            continue;
        if (search->bitmaps != NULL)
            search->next[state / 64] |= (uint64_t)1 << state % 64;
        else
            exact_put(&search->exact, state, search->state->depth + 1);
        search->touched[state / (64 * RETROGRADE_CHUNK)] = 1;
    }
}

/* The states of one chunk that were not visited and have a successor in the frontier. */
static void pull_chunk(struct retrograde *search, struct worker *worker, uint64_t chunk)
{
    const size_t batch = batch_size(search->puzzle);
    size_t count = 0;
    for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++)
        for (uint64_t bits = states_of_word(search, w) & ~visited_word(search, w); bits != 0; bits &= bits - 1) {
            worker->state[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
            if (count == batch) {
                pull_batch(search, worker, count);
                count = 0;
            }
        }
    pull_batch(search, worker, count);
}

/* -- the layer -- */

void retrograde_drop(struct retrograde *search)
{
    for (uint64_t chunk = 0; chunk < search->chunks; chunk++) {
        if (!search->touched[chunk])
            continue;
        if (search->bitmaps != NULL)
            memset(search->next + chunk * RETROGRADE_CHUNK, 0, RETROGRADE_CHUNK * sizeof(uint64_t));
        else
            exact_drop(&search->exact, chunk * RETROGRADE_CHUNK, RETROGRADE_CHUNK, search->state->depth + 1);
        search->touched[chunk] = 0;
    }
}

/* States that the next layer is made from: the frontier, or, where fewer are left than that, those not visited. The
 * latter cost no more each, and half of their successors need not be looked at. */
static uint64_t layer_work(const struct retrograde *search, bool *pull)
{
    const uint64_t left = search->puzzle->states - search->state->reached;
    *pull = left < search->state->layer;
    return *pull ? left : search->state->layer;
}

pdb_status retrograde_expand(struct retrograde *search, retrograde_observer *observer, void *context, bool *empty,
                             pdb_error *error)
{
    struct watch watch = {.observer = observer, .context = context};
    bool pull;
    const uint64_t work = layer_work(search, &pull) * search->puzzle->max_moves;
#pragma omp parallel num_threads(search->threads) if (work > ALONE)
    {
        const int thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
        for (uint64_t chunk = 0; chunk < search->chunks; chunk++) {
            if (watch_stopped(&watch) || (!pull && !search->active[chunk]))
                continue;
            (pull ? pull_chunk : expand_chunk)(search, &search->workers[thread], chunk);
            if (thread == 0)
                watch_look(&watch, search->state, (double)chunk / (double)search->chunks);
        }
    }
    *empty = memchr(search->touched, 1, search->chunks) == NULL;
    if (!watch.stopped)
        return PDB_OK;
    retrograde_drop(search);
    return error_set(error, PDB_INTERRUPTED, "interrupted at depth %llu", (unsigned long long)search->state->depth);
}

/* -- what a layer has found -- */

struct tally {
    uint64_t indices, states;
};

/* The weights of a batch, added up. */
static uint64_t weigh(const struct retrograde *search, const struct worker *worker, size_t count)
{
    uint64_t sum = 0;
    search->puzzle->family->weights(search->puzzle, worker->state, count, worker->number);
    for (size_t i = 0; i < count; i++)
        sum += worker->number[i];
    return sum;
}

/* What the next layer, at this depth, has in one chunk. */
static struct tally count_chunk(const struct retrograde *search, const struct worker *worker, uint64_t chunk,
                                uint64_t depth)
{
    const bool weighted = search->puzzle->family->weights != NULL;
    const size_t batch = batch_size(search->puzzle);
    struct tally tally = {0};
    size_t count = 0;
    for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++) {
        uint64_t bits = search->bitmaps != NULL ? search->next[w] : exact_word(&search->exact, w, depth);
        tally.indices += (unsigned)__builtin_popcountll(bits);
        for (; weighted && bits != 0; bits &= bits - 1) {
            worker->state[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
            if (count == batch) {
                tally.states += weigh(search, worker, count);
                count = 0;
            }
        }
    }
    if (!weighted)
        tally.states = tally.indices;
    else if (count > 0)
        tally.states += weigh(search, worker, count);
    return tally;
}

/* The bitmaps of one chunk when the next layer becomes the frontier. */
static void take_bitmaps(struct retrograde *search, uint64_t chunk, uint64_t depth)
{
    const unsigned residue = search->high == NULL ? depth >> 1 & 1 : (unsigned)(depth % 3);
    const uint64_t first = chunk * RETROGRADE_CHUNK;
    if (search->active[chunk])
        memset(search->frontier + first, 0, RETROGRADE_CHUNK * sizeof(uint64_t));
    for (uint64_t w = first; search->touched[chunk] && w < first + RETROGRADE_CHUNK; w++) {
        const uint64_t news = search->next[w];
        search->visited[w] |= news;
        if (residue & 1)
            search->low[w] |= news;
        if (residue & 2) /* NOLINTNEXTLINE(*NullDereference): without `high` the residue is 0 or 1 */
            search->high[w] |= news;
    }
}

void retrograde_take(struct retrograde *search, uint64_t depth)
{
    uint64_t indices = 0, states = 0;
#pragma omp parallel for num_threads(search->threads) if (search->chunks > FEW_CHUNKS) schedule(static) \
    reduction(+ : indices, states)
    for (uint64_t chunk = 0; chunk < search->chunks; chunk++) {
        if (search->touched[chunk]) {
            struct tally tally = count_chunk(search, &search->workers[omp_get_thread_num()], chunk, depth);
            indices += tally.indices;
            states += tally.states;
        }
        if (search->bitmaps != NULL)
            take_bitmaps(search, chunk, depth);
        search->active[chunk] = search->touched[chunk];
        search->touched[chunk] = 0;
    }
    uint64_t *taken = search->next;
    search->next = search->frontier;
    search->frontier = taken;
    search->state->depth = depth;
    search->state->layer = indices;
    search->state->reached += indices;
    search->state->histogram[depth] = states;
}
