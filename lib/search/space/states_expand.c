/* states_expand.c -- the next layer, state by state
 *
 * *Forward*: the frontier's predecessors that are new. *Backward*, once fewer states are left than the frontier has:
 * those left that have a successor in the frontier. Both find the same; backward no state is looked at twice, threads
 * write to their own chunks only, and the first successor found decides. The last layers of puzzles with many moves are
 * their thickest, and are made backward.
 *
 * Either way a thread takes one chunk after another, gathers states of it until a batch is full, has the family list
 * all their neighbours in one call, and then goes through that list. Memory is asked for some states ahead, as nearly
 * every neighbour lies in a place of its own.
 */
#include "states.h"

#include <string.h>

enum {
    CHUNK_BYTES = RETROGRADE_CHUNK * sizeof(uint64_t),
    ALONE = 1 << 18,   /* neighbours of a layer that a second thread does not pay for */
    TAKEN_CHUNKS = 32, /* that are counted together */
    AHEAD = 16         /* states for which memory is asked beforehand */
};

/* -- forward: the frontier's predecessors -- */

/* Notes that the chunk of a state of the next layer has news. Most often it has some already, and reading is cheaper
 * than writing to what other threads read. */
static void touch(struct states *states, uint64_t state)
{
    uint8_t *touched = &states->touched[state / CHUNK_STATES];
    if (!__atomic_load_n(touched, __ATOMIC_RELAXED))
        __atomic_store_n(touched, 1, __ATOMIC_RELAXED);
}

/* Keeps those of `count` states that were neither visited nor put into the next layer yet. Each is written to the end
 * of what is kept, which then grows by 1 or by 0: no branch, as none could be foretold. */
static size_t keep_new(const struct states *states, uint64_t *state, size_t count)
{
    const uint64_t *visited = states->visited, *next = states->next;
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

/* Puts those of `count` states that are new into the next layer's bitmap. Two threads may find the same state, or two
 * states of one word, at the same time: the bit is set in one step then, and set twice is set. */
static void put_bits(struct states *states, uint64_t *state, size_t count)
{
    const size_t kept = keep_new(states, state, count);
    for (size_t i = 0; i < kept; i++) {
        uint64_t *word = &states->next[state[i] / 64];
        const uint64_t mask = (uint64_t)1 << state[i] % 64;
        if (states->shared)
            __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
        else
            *word |= mask;
        touch(states, state[i]);
    }
}

static void put_exact(struct states *states, const uint64_t *state, size_t count, uint64_t depth)
{
    struct exact exact = states->exact; /* stays in registers */
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            exact_prefetch(&exact, state[i + AHEAD]);
        if (exact_put(&exact, state[i], depth))
            touch(states, state[i]);
    }
}

void states_put(struct states *states, uint64_t *state, size_t count, uint64_t depth)
{
    if (states->bitmaps == NULL)
        put_exact(states, state, count, depth);
    else
        put_bits(states, state, count);
}

static void expand_batch(struct states *states, struct worker *worker, size_t count)
{
    size_t total = states->search.puzzle->family->index.predecessors(states->search.puzzle, worker->state, count,
                                                                     worker->next, worker->number);
    states_put(states, worker->next, total, states->search.state->depth + 1);
}

/* -- backward: the states left ask their successors -- */

/* Puts those of a batch that have a successor in the frontier into the next layer. They are of a chunk that no other
 * thread writes to, so nothing has to be done in one step. */
static void pull_batch(struct states *states, struct worker *worker, size_t count)
{
    const struct retrograde *search = &states->search;
    const uint64_t *next = worker->next;
    search->puzzle->family->index.successors(search->puzzle, worker->state, count, worker->next, worker->number);
    for (size_t i = 0; i < count; next += worker->number[i++]) { /* on to the next state's successors */
        const uint64_t state = worker->state[i];
        unsigned n = 0;
        while (n < worker->number[i] && !in_frontier(states, next[n]))
            n++;
        if (n == worker->number[i])
            continue;
        if (states->bitmaps != NULL)
            states->next[state / 64] |= (uint64_t)1 << state % 64;
        else
            exact_put(&states->exact, state, search->state->depth + 1);
        states->touched[state / CHUNK_STATES] = 1;
    }
}

/* -- the layer -- */

/* One chunk, a batch of states at a time: forward those of the frontier, backward those not visited. */
static void work_chunk(struct states *states, struct worker *worker, uint64_t chunk, bool pull)
{
    const size_t batch = batch_size(states->search.puzzle);
    size_t count = 0;
    for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++) {
        uint64_t bits = pull ? states_of_word(states, w) & ~visited_word(states, w) : frontier_word(states, w);
        for (; bits != 0; bits &= bits - 1) { /* the lowest is done */
            worker->state[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
            if (count == batch) {
                (pull ? pull_batch : expand_batch)(states, worker, count);
                count = 0;
            }
        }
    }
    (pull ? pull_batch : expand_batch)(states, worker, count);
}

void states_drop(struct states *states)
{
    for (uint64_t chunk = 0; chunk < states->chunks; chunk++) {
        if (!states->touched[chunk])
            continue;
        if (states->bitmaps != NULL)
            memset(states->next + chunk * RETROGRADE_CHUNK, 0, CHUNK_BYTES);
        else
            exact_drop(&states->exact, chunk * RETROGRADE_CHUNK, RETROGRADE_CHUNK, states->search.state->depth + 1);
        states->touched[chunk] = 0;
    }
}

/* How many states the next layer is made from. Those not visited cost no more each than the frontier's, and half of
 * their successors need not be looked at. */
static uint64_t layer_work(const struct retrograde *search, bool *pull)
{
    const uint64_t left = search->puzzle->states - search->state->reached;
    *pull = left < search->state->layer;
    return *pull ? left : search->state->layer;
}

struct expansion {
    struct states *states;
    struct watch *watch;
    bool pull;
};

static void expand_chunk(void *context, unsigned thread, uint64_t chunk)
{
    const struct expansion *expansion = context;
    struct states *states = expansion->states;
    if (watch_stopped(expansion->watch) || (!expansion->pull && !states->active[chunk]))
        return;
    work_chunk(states, &states->workers[thread], chunk, expansion->pull);
    if (thread == 0)
        watch_look(expansion->watch, (double)chunk / (double)states->chunks);
}

pdb_status states_expand(struct states *states, struct watch *watch, bool *empty)
{
    struct expansion expansion = {.states = states, .watch = watch};
    const uint64_t work = layer_work(&states->search, &expansion.pull) * states->search.puzzle->max_moves;
    states->shared = work > ALONE && states->search.team.threads > 1;
    team_run(states->shared ? &states->search.team : NULL, states->chunks, expand_chunk, &expansion);
    states->shared = false;
    *empty = memchr(states->touched, 1, states->chunks) == NULL;
    if (!watch->stopped)
        return PDB_OK;
    states_drop(states);
    return PDB_INTERRUPTED;
}

/* -- the next layer becomes the frontier -- */

uint64_t states_weigh(const struct states *states, const struct worker *worker, const uint64_t *state, size_t count)
{
    const struct puzzle *puzzle = states->search.puzzle;
    uint64_t sum = 0;
    puzzle->family->index.weights(puzzle, state, count, worker->number);
    for (size_t i = 0; i < count; i++)
        sum += worker->number[i];
    return sum;
}

void states_note(struct states *states, uint64_t depth, uint64_t indices, uint64_t boards)
{
    struct search_state *state = states->search.state;
    state->depth = depth;
    state->layer = indices;
    state->reached += indices;
    state->histogram[depth] = boards;
}

/* Adds up what the next layer, at this depth, has in one chunk: indices, and the boards that they stand for. */
static void count_chunk(const struct states *states, const struct worker *worker, uint64_t chunk, uint64_t depth,
                        uint64_t *indices, uint64_t *boards)
{
    const struct puzzle *puzzle = states->search.puzzle;
    const bool weighted = puzzle->family->index.weights != NULL;
    const size_t batch = batch_size(puzzle);
    size_t count = 0;
    for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++) {
        uint64_t bits = next_word(states, w, depth);
        *indices += (unsigned)__builtin_popcountll(bits);
        if (!weighted)
            *boards += (unsigned)__builtin_popcountll(bits);
        for (; weighted && bits != 0; bits &= bits - 1) {
            worker->state[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
            if (count == batch) {
                *boards += states_weigh(states, worker, worker->state, count);
                count = 0;
            }
        }
    }
    if (count > 0)
        *boards += states_weigh(states, worker, worker->state, count);
}

/* The bitmaps of one chunk. The old frontier's is cleared, where it has anything: it becomes the next layer's. */
static void take_bitmaps(struct states *states, uint64_t chunk, uint64_t depth)
{
    const uint64_t first = chunk * RETROGRADE_CHUNK;
    if (states->active[chunk])
        memset(states->frontier + first, 0, CHUNK_BYTES);
    for (uint64_t w = first; states->touched[chunk] && w < first + RETROGRADE_CHUNK; w++)
        mark_states(states, w, states->next[w], depth);
}

struct taking {
    struct states *states;
    uint64_t depth, indices, boards;
};

/* TAKEN_CHUNKS of them. */
static void take_chunks(void *context, unsigned thread, uint64_t share)
{
    struct taking *taking = context;
    struct states *states = taking->states;
    const uint64_t first = share * TAKEN_CHUNKS;
    uint64_t indices = 0, boards = 0;
    for (uint64_t chunk = first; chunk < first + TAKEN_CHUNKS && chunk < states->chunks; chunk++) {
        if (states->touched[chunk])
            count_chunk(states, &states->workers[thread], chunk, taking->depth, &indices, &boards);
        if (states->bitmaps != NULL)
            take_bitmaps(states, chunk, taking->depth);
        states->active[chunk] = states->touched[chunk];
        states->touched[chunk] = 0;
    }
    __atomic_fetch_add(&taking->indices, indices, __ATOMIC_RELAXED);
    __atomic_fetch_add(&taking->boards, boards, __ATOMIC_RELAXED);
}

void states_take(struct states *states, uint64_t depth)
{
    struct taking taking = {.states = states, .depth = depth};
    team_run(&states->search.team, team_shares(states->chunks, TAKEN_CHUNKS), take_chunks, &taking);
    /* Distances in an array need no more: what has this depth is the frontier. Bitmaps change places. */
    uint64_t *taken = states->next;
    states->next = states->frontier;
    states->frontier = taken;
    states_note(states, depth, taking.indices, taking.boards);
    states_list(states);
}
