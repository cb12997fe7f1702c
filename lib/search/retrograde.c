/* retrograde.c -- breadth-first search backward from all goals */
#include "retrograde.h"
#include "exact.h"
#include "../pages.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    FEW_CHUNKS = 8,
    ALONE = 1 << 18, /* successors of a layer that a second thread does not pay for */
    AHEAD = 16,      /* states for which memory is asked beforehand */
    BATCH_MAX = 512,
    BATCH_ROOM = 1 << 16,
    HISTOGRAM_ROOM = 1 << 16
};

/* The small part of what is kept between runs. The search itself counts indices; what it tells is counted in states. */
struct state {
    uint64_t depth;
    uint64_t layer, reached; /* indices: of the frontier, of all layers */
    uint64_t histogram[HISTOGRAM_ROOM];
};

/* Buffers of one thread: a batch of states and their predecessors. */
struct worker {
    uint64_t *state, *next;
    uint16_t *number; /* of each state: its predecessors, or its weight */
};

struct retrograde {
    const struct pdb_puzzle *puzzle;
    enum retrograde_way way;
    unsigned threads;
    uint64_t words, chunks;
    uint64_t limit;            /* of memory, in bytes */
    uint64_t *bitmaps;         /* all of them, one behind the other; NULL where moves cannot be undone */
    uint64_t *frontier, *next; /* the first two; packed distances take their place at the end */
    uint64_t *visited;
    uint64_t *low, *high;      /* planes of the residue; `high` NULL where one plane is enough */
    struct exact exact;        /* in place of bitmaps */
    uint8_t *active, *touched; /* chunks with frontier; chunks of the next layer with news */
    struct worker *workers;
    struct state *state;
    uint64_t *hardest;
};

/* -- memory -- */

/* Does the family find all distances at once? */
static bool goes_at_once(const struct pdb_puzzle *puzzle, enum retrograde_way way)
{
    return puzzle->at_once && way != RETROGRADE_STATES;
}

/* 0: none, exact distances. */
static unsigned bitmap_count(const struct pdb_puzzle *puzzle, enum retrograde_way way)
{
    return !puzzle->undoable || goes_at_once(puzzle, way) ? 0 : puzzle->coloured ? 4 : 5;
}

static uint64_t chunk_count(const struct pdb_puzzle *puzzle)
{
    return puzzle->states / (64 * RETROGRADE_CHUNK) + 1;
}

/* States in a batch: fewer where each may have many predecessors. */
static size_t batch_size(const struct pdb_puzzle *puzzle)
{
    const size_t size = BATCH_ROOM / (puzzle->max_moves + 1u);
    return size > BATCH_MAX ? BATCH_MAX : size > 0 ? size : 1;
}

static uint64_t worker_bytes(const struct pdb_puzzle *puzzle)
{
    return batch_size(puzzle) * (sizeof(uint64_t) * (1 + puzzle->max_moves) + sizeof(uint16_t));
}

static uint64_t memory(const struct pdb_puzzle *puzzle, enum retrograde_way way, unsigned threads, bool deep)
{
    const uint64_t words = chunk_count(puzzle) * RETROGRADE_CHUNK;
    const unsigned bitmaps = bitmap_count(puzzle, way);
    return (bitmaps > 0 ? bitmaps * words * sizeof(uint64_t) : exact_bytes(64 * words, deep)) +
           2 * chunk_count(puzzle) + threads * worker_bytes(puzzle) + sizeof(struct state) +
           RETROGRADE_HARDEST_MAX * sizeof(uint64_t);
}

uint64_t retrograde_memory_by(enum retrograde_way way, const struct pdb_puzzle *puzzle, unsigned threads)
{
    return memory(puzzle, way, threads, false);
}

uint64_t retrograde_memory(const struct pdb_puzzle *puzzle, unsigned threads)
{
    return retrograde_memory_by(RETROGRADE_BEST, puzzle, threads);
}

uint64_t retrograde_memory_deep(const struct pdb_puzzle *puzzle, unsigned threads)
{
    const bool grows = !puzzle->undoable && !puzzle->at_once;
    return grows ? memory(puzzle, RETROGRADE_STATES, threads, true) : retrograde_memory(puzzle, threads);
}

static bool allocate_bitmaps(struct retrograde *search)
{
    const unsigned count = bitmap_count(search->puzzle, search->way);
    search->bitmaps = pages_take(count * search->words * sizeof *search->bitmaps);
    if (search->bitmaps == NULL)
        return false;
#pragma omp parallel for num_threads(search->threads) if (search->chunks > FEW_CHUNKS) schedule(static)
    for (uint64_t chunk = 0; chunk < count * search->chunks; chunk++)
        memset(search->bitmaps + chunk * RETROGRADE_CHUNK, 0, RETROGRADE_CHUNK * sizeof *search->bitmaps);
    search->frontier = search->bitmaps;
    search->next = search->frontier + search->words;
    search->visited = search->next + search->words;
    search->low = search->visited + search->words;
    search->high = search->puzzle->coloured ? NULL : search->low + search->words;
    return true;
}

static bool allocate(struct retrograde *search)
{
    const struct pdb_puzzle *puzzle = search->puzzle;
    const size_t batch = batch_size(puzzle);
    search->active = calloc(2, search->chunks);
    search->state = calloc(1, sizeof *search->state);
    search->hardest = malloc(RETROGRADE_HARDEST_MAX * sizeof(uint64_t));
    search->workers = calloc(search->threads, sizeof *search->workers);
    if (!search->active || !search->state || !search->hardest || !search->workers)
        return false;
    for (unsigned t = 0; t < search->threads; t++) {
        struct worker *worker = &search->workers[t];
        worker->state = malloc(batch * sizeof *worker->state);
        worker->next = malloc(batch * puzzle->max_moves * sizeof *worker->next + 1);
        worker->number = malloc(batch * sizeof *worker->number);
        if (!worker->state || !worker->next || !worker->number)
            return false;
    }
    search->touched = search->active + search->chunks;
    return bitmap_count(puzzle, search->way) > 0 ? allocate_bitmaps(search)
                                                 : exact_create(&search->exact, 64 * search->words, search->threads);
}

void retrograde_free(struct retrograde *search)
{
    if (search == NULL)
        return;
    for (unsigned t = 0; search->workers != NULL && t < search->threads; t++) {
        free(search->workers[t].state);
        free(search->workers[t].next);
        free(search->workers[t].number);
    }
    free(search->workers);
    free(search->bitmaps);
    exact_free(&search->exact);
    free(search->active);
    free(search->state);
    free(search->hardest);
    free(search);
}

void retrograde_limit(struct retrograde *search, uint64_t bytes)
{
    search->limit = bytes;
}

/* Makes room for distances above 254. */
static pdb_status grow(struct retrograde *search, pdb_error *error)
{
    const uint64_t needed = retrograde_memory_deep(search->puzzle, search->threads);
    if (needed > search->limit)
        return error_set(error, PDB_TOO_LARGE, "distances above %d need %llu bytes of memory, %llu are allowed",
                         EXACT_NARROW_MAX, (unsigned long long)needed, (unsigned long long)search->limit);
    return exact_widen(&search->exact) ? PDB_OK : error_no_memory(error, "the search", needed);
}

bool retrograde_grow(struct retrograde *search)
{
    return search->bitmaps == NULL && !goes_at_once(search->puzzle, search->way) && grow(search, NULL) == PDB_OK;
}

/* -- layers -- */

/* Which states of a word are in the frontier; in the next layer; have been visited. */
static uint64_t frontier_word(const struct retrograde *search, uint64_t word)
{
    return search->bitmaps != NULL ? search->frontier[word] : exact_word(&search->exact, word, search->state->depth);
}

static uint64_t next_word(const struct retrograde *search, uint64_t word, uint64_t depth)
{
    return search->bitmaps != NULL ? search->next[word] : exact_word(&search->exact, word, depth);
}

static uint64_t visited_word(const struct retrograde *search, uint64_t word)
{
    return search->bitmaps != NULL ? search->visited[word] : exact_visited(&search->exact, word);
}

/* The bits of a word that stand for states: all but those past the last one. */
static uint64_t states_of_word(const struct retrograde *search, uint64_t word)
{
    const uint64_t states = search->puzzle->states, first = 64 * word;
    return first + 64 <= states ? UINT64_MAX : first >= states ? 0 : ((uint64_t)1 << (states - first)) - 1;
}

/* What a layer comes to. */
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
        uint64_t bits = next_word(search, w, depth);
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
        if (residue & 2)
            search->high[w] |= news;
    }
}

/* Makes the next layer, which is not empty, the frontier at depth `depth`: visited, residues, figures. */
static void take_layer(struct retrograde *search, uint64_t depth)
{
    uint64_t indices = 0, states = 0;
#pragma omp parallel for num_threads(search->threads) if (search->chunks > FEW_CHUNKS) schedule(static)                  \
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

/* Puts those of `count` states that are new into the next layer, at depth `depth`; changes the list. */
static void put_new(struct retrograde *search, uint64_t *state, size_t count, uint64_t depth)
{
    if (search->bitmaps == NULL)
        put_exact(search, state, count, depth);
    else
        put_bits(search, state, count);
}

static void expand_batch(struct retrograde *search, struct worker *worker, size_t count)
{
    size_t total = puzzle_predecessors(search->puzzle, worker->state, count, worker->next, worker->number);
    put_new(search, worker->next, total, search->state->depth + 1);
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

/* -- backward: the states not visited ask their successors -- */

static bool in_frontier(const struct retrograde *search, uint64_t state)
{
    return search->bitmaps != NULL ? search->frontier[state / 64] >> state % 64 & 1
                                   : exact_is(&search->exact, state, search->state->depth);
}

/* Takes those of a batch that have a successor in the frontier into the next layer. They are of a chunk that no other
 * thread writes to. */
static void pull_batch(struct retrograde *search, struct worker *worker, size_t count)
{
    const struct pdb_puzzle *puzzle = search->puzzle;
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

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The observer and when it is due. */
struct watch {
    retrograde_observer *observer;
    void *context;
    double due;
    bool stopped; /* set by the calling thread, read by all */
};

/* Looks up from the layer, or all layers, of which a share is done. */
static void look(struct retrograde *search, struct watch *watch, double done)
{
    double time;
    if (watch->observer == NULL || (time = now()) < watch->due)
        return;
    watch->due = time + 0.1;
    const struct state *state = search->state;
    struct retrograde_progress progress = {
        .depth = state->depth + 1, .layer = state->layer, .reached = state->reached, .layer_done = done};
    if (!watch->observer(watch->context, &progress))
        __atomic_store_n(&watch->stopped, true, __ATOMIC_RELAXED);
}

/* Forgets an unfinished next layer. */
static void drop_next(struct retrograde *search)
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

/* The deepest layer that there is room for. */
static uint64_t deepest(const struct retrograde *search)
{
    return search->bitmaps != NULL ? HISTOGRAM_ROOM - 1 : exact_max(&search->exact);
}

/* States that the next layer is made from: the frontier, or, where fewer are left than that, those not visited. The
 * latter cost no more each, and half of their successors need not be looked at. */
static uint64_t layer_work(const struct retrograde *search, bool *pull)
{
    const uint64_t left = search->puzzle->states - search->state->reached;
    *pull = left < search->state->layer;
    return *pull ? left : search->state->layer;
}

/* Puts the predecessors of the whole frontier into the next layer, whose depth may be one more than the deepest. */
static pdb_status expand(struct retrograde *search, retrograde_observer *observer, void *context, bool *empty,
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
            if (__atomic_load_n(&watch.stopped, __ATOMIC_RELAXED) || (!pull && !search->active[chunk]))
                continue;
            (pull ? pull_chunk : expand_chunk)(search, &search->workers[thread], chunk);
            if (thread == 0)
                look(search, &watch, (double)chunk / (double)search->chunks);
        }
    }
    *empty = memchr(search->touched, 1, search->chunks) == NULL;
    if (!watch.stopped)
        return PDB_OK;
    drop_next(search);
    return error_set(error, PDB_INTERRUPTED, "interrupted at depth %llu", (unsigned long long)search->state->depth);
}

/* -- all layers at once -- */

static pdb_status put_goals(void *context, const uint64_t *index, size_t count, pdb_error *error);

struct at_once {
    struct retrograde *search;
    struct watch watch;
};

static bool look_at_once(void *context, double done)
{
    struct at_once *at_once = context;
    look(at_once->search, &at_once->watch, done);
    return !at_once->watch.stopped;
}

/* What is known once every state has its distance. */
static void take_all(struct retrograde *search)
{
    struct state *state = search->state;
    exact_count(&search->exact, search->puzzle->states, search->threads, state->histogram);
    state->reached = search->puzzle->states - state->histogram[UINT8_MAX];
    state->histogram[UINT8_MAX] = 0;
    while (state->histogram[state->depth + 1] > 0)
        state->depth++;
    state->layer = state->histogram[state->depth];
}

/* The family finds all distances; stopped, the search is at its beginning again. */
static pdb_status find_at_once(struct retrograde *search, retrograde_observer *observer, void *context,
                               pdb_error *error)
{
    const struct pdb_puzzle *puzzle = search->puzzle;
    struct at_once at_once = {search, {.observer = observer, .context = context}};
    const bool portable = search->way == RETROGRADE_PORTABLE;
    if (puzzle->family->distances(puzzle, portable, search->threads, search->exact.narrow, look_at_once, &at_once)) {
        take_all(search);
        return PDB_OK;
    }
    exact_clear(&search->exact, search->threads);
    pdb_status status = puzzle->family->goals(puzzle, put_goals, search, error);
    return status != PDB_OK ? status : error_set(error, PDB_INTERRUPTED, "interrupted at depth 0");
}

pdb_status retrograde_layer(struct retrograde *search, retrograde_observer *observer, void *context, bool *done,
                            pdb_error *error)
{
    if (goes_at_once(search->puzzle, search->way)) {
        pdb_status status = find_at_once(search, observer, context, error);
        *done = status == PDB_OK;
        return status;
    }
    const uint64_t depth = search->state->depth + 1;
    bool empty;
    pdb_status status = expand(search, observer, context, &empty, error);
    if (status == PDB_OK && !empty && depth > deepest(search)) {
        drop_next(search);
        if (depth > EXACT_WIDE_MAX)
            return error_set(error, PDB_TOO_LARGE, "distances of %llu and more are not supported",
                             (unsigned long long)depth);
        status = grow(search, error);
        if (status == PDB_OK)
            status = expand(search, observer, context, &empty, error);
    }
    if (status != PDB_OK)
        return status;
    *done = empty;
    if (!empty)
        take_layer(search, depth);
    return PDB_OK;
}

/* -- beginning, keeping, going on -- */

static pdb_status put_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    for (size_t i = 0; i < count; i++) {
        uint64_t state = index[i]; /* it is the visitor's own to change */
        put_new(context, &state, 1, 0);
    }
    return PDB_OK;
}

pdb_status retrograde_create_by(enum retrograde_way way, const struct pdb_puzzle *puzzle, unsigned threads,
                                struct retrograde **out, pdb_error *error)
{
    struct retrograde *search = calloc(1, sizeof *search);
    if (search == NULL)
        return error_no_memory(error, "the search", sizeof *search);
    search->puzzle = puzzle;
    search->way = way;
    search->threads = threads;
    search->chunks = chunk_count(puzzle);
    search->words = search->chunks * RETROGRADE_CHUNK;
    search->limit = UINT64_MAX;
    pdb_status status = allocate(search)
                            ? puzzle->family->goals(puzzle, put_goals, search, error)
                            : error_no_memory(error, "the search", retrograde_memory_by(way, puzzle, threads));
    if (status == PDB_OK && memchr(search->touched, 1, search->chunks) == NULL)
        status = error_set(error, PDB_BAD_DEFINITION, "%s: no state fits the goal", puzzle->name);
    if (status != PDB_OK) {
        retrograde_free(search);
        return status;
    }
    take_layer(search, 0);
    *out = search;
    return PDB_OK;
}

pdb_status retrograde_create(const struct pdb_puzzle *puzzle, unsigned threads, struct retrograde **out,
                             pdb_error *error)
{
    return retrograde_create_by(RETROGRADE_BEST, puzzle, threads, out, error);
}

uint64_t retrograde_depth(const struct retrograde *search)
{
    return search->state->depth;
}

uint64_t retrograde_reached(const struct retrograde *search)
{
    return search->state->reached;
}

size_t retrograde_parts(struct retrograde *search, struct retrograde_part parts[RETROGRADE_PARTS_MAX])
{
    const uint64_t size = search->words * sizeof(uint64_t);
    size_t count = 0;
    parts[count++] = (struct retrograde_part){search->state, sizeof *search->state};
    if (search->bitmaps == NULL) {
        parts[count++] = (struct retrograde_part){search->exact.narrow,
                                                  exact_bytes(64 * search->words, search->exact.wide)};
        return count;
    }
    parts[count++] = (struct retrograde_part){search->frontier, size};
    parts[count++] = (struct retrograde_part){search->visited, size};
    parts[count++] = (struct retrograde_part){search->low, size};
    if (search->high != NULL)
        parts[count++] = (struct retrograde_part){search->high, size};
    return count;
}

const char *retrograde_layout(const struct retrograde *search)
{
    if (search->bitmaps == NULL)
        return search->exact.wide ? "exact distances, 16 bits" : "exact distances, 8 bits";
    return search->high == NULL ? "bitmaps, modulo 4" : "bitmaps, modulo 3";
}

bool retrograde_resume(struct retrograde *search)
{
    const struct state *state = search->state;
    uint64_t sum = 0, layer = 0, visited = 0;
    uint64_t stray = 0; /* bits of the frontier that were not visited, or of no state */
    if (state->depth > deepest(search))
        return false;
    for (uint64_t d = 0; d <= state->depth; d++)
        sum += state->histogram[d];
    for (uint64_t chunk = 0; chunk < search->chunks; chunk++) {
        uint64_t before = layer;
        for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++) {
            const uint64_t seen = visited_word(search, w), front = frontier_word(search, w);
            stray |= (front & ~seen) | (seen & ~states_of_word(search, w));
            layer += (unsigned)__builtin_popcountll(front);
            visited += (unsigned)__builtin_popcountll(seen);
        }
        search->active[chunk] = layer != before;
    }
    const bool weighted = search->puzzle->family->weights != NULL;
    return stray == 0 && visited == state->reached && layer == state->layer &&
           (weighted ? sum >= visited : sum == visited);
}

/* -- the end -- */

/* The deepest layer is still the frontier. */
static size_t list_hardest_bits(struct retrograde *search)
{
    size_t count = 0;
    for (uint64_t w = 0; w < search->words; w++)
        for (uint64_t bits = search->frontier[w]; bits != 0; bits &= bits - 1) {
            if (count == RETROGRADE_HARDEST_MAX)
                return count;
            search->hardest[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
        }
    return count;
}

static size_t list_hardest(struct retrograde *search)
{
    const struct exact *exact = &search->exact;
    size_t count = 0;
    if (search->bitmaps != NULL)
        return list_hardest_bits(search);
    for (uint64_t state = 0; count < RETROGRADE_HARDEST_MAX; state++) {
        state = exact_next(exact, state, search->state->depth);
        if (state == exact->states)
            break;
        search->hardest[count++] = state;
    }
    return count;
}

/* The encoding's bytes, in the search's own memory. */
static const uint8_t *pack(struct retrograde *search, enum encoding encoding)
{
    const uint64_t states = search->puzzle->states;
    if (encoding == ENCODING_EXACT_16BIT)
        return search->exact.narrow; /* as it is */
    if (search->bitmaps == NULL) {
        exact_narrow(&search->exact);
        values_pack_distances(encoding, states, search->exact.narrow, search->threads);
        return search->exact.narrow;
    }
    if (encoding == ENCODING_MOD4_1BIT)
        return (const uint8_t *)search->low;
    /* Frontier and next layer are free now, two bits a state: room for every other encoding. */
    uint8_t *packed = (uint8_t *)search->bitmaps;
    values_pack(encoding, states, search->low, search->high, search->visited, packed, search->threads);
    return packed;
}

void retrograde_finish(struct retrograde *search, struct retrograde_result *result)
{
    const struct state *state = search->state;
    const bool all = state->reached == search->puzzle->states;
    if (!search->puzzle->undoable)
        result->encoding = encoding_exact(state->depth);
    else if (search->puzzle->coloured)
        result->encoding = all ? ENCODING_MOD4_1BIT : ENCODING_MOD4_2BIT;
    else
        result->encoding = all ? ENCODING_MOD3_5PERBYTE : ENCODING_MOD3_2BIT;
    result->reachable = 0;
    for (uint64_t depth = 0; depth <= state->depth; depth++)
        result->reachable += state->histogram[depth];
    result->depths = state->depth + 1;
    result->histogram = state->histogram;
    result->hardest_kept = list_hardest(search);
    result->hardest = search->hardest;
    result->bytes = pack(search, result->encoding);
}
