/* retrograde.c -- breadth-first search backward from all goals */
#include "retrograde.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 512, HISTOGRAM_ROOM = 1 << 16 };

/* The small part of what is kept between runs. */
struct state {
    uint64_t depth, reached;
    uint64_t histogram[HISTOGRAM_ROOM];
};

/* Buffers of one thread: a batch of states and their predecessors. */
struct worker {
    uint64_t *state, *next;
    uint16_t *next_count;
};

struct retrograde {
    const struct pdb_puzzle *puzzle;
    unsigned threads;
    uint64_t words, chunks;
    uint64_t *bitmaps;                  /* all of them, one behind the other */
    uint64_t *frontier, *next;          /* the first two; packed distances take their place at the end */
    uint64_t *visited;
    uint64_t *low, *high;               /* planes of the residue; `high` NULL where one plane is enough */
    uint8_t *active, *touched;          /* chunks with frontier; chunks of the next layer with news */
    struct worker *workers;
    struct state *state;
    uint64_t *hardest;
};

/* -- memory -- */

static unsigned bitmap_count(const struct pdb_puzzle *puzzle)
{
    return puzzle->coloured ? 4 : 5;
}

static uint64_t chunk_count(const struct pdb_puzzle *puzzle)
{
    return puzzle->states / (64 * RETROGRADE_CHUNK) + 1;
}

static uint64_t worker_bytes(const struct pdb_puzzle *puzzle)
{
    return BATCH * (sizeof(uint64_t) * (1 + puzzle->max_moves) + sizeof(uint16_t));
}

uint64_t retrograde_memory(const struct pdb_puzzle *puzzle, unsigned threads)
{
    return bitmap_count(puzzle) * chunk_count(puzzle) * RETROGRADE_CHUNK * sizeof(uint64_t) + 2 * chunk_count(puzzle) +
           threads * worker_bytes(puzzle) + sizeof(struct state) + RETROGRADE_HARDEST_MAX * sizeof(uint64_t);
}

static bool allocate(struct retrograde *search)
{
    const struct pdb_puzzle *puzzle = search->puzzle;
    const size_t size = search->words * sizeof(uint64_t);
    search->bitmaps = aligned_alloc(64, bitmap_count(puzzle) * size);
    search->active = calloc(2, search->chunks);
    search->state = calloc(1, sizeof *search->state);
    search->hardest = malloc(RETROGRADE_HARDEST_MAX * sizeof(uint64_t));
    search->workers = calloc(search->threads, sizeof *search->workers);
    if (!search->bitmaps || !search->active || !search->state || !search->hardest || !search->workers)
        return false;
    for (unsigned t = 0; t < search->threads; t++) {
        struct worker *worker = &search->workers[t];
        worker->state = malloc(BATCH * sizeof *worker->state);
        worker->next = malloc(BATCH * puzzle->max_moves * sizeof *worker->next + 1);
        worker->next_count = malloc(BATCH * sizeof *worker->next_count);
        if (!worker->state || !worker->next || !worker->next_count)
            return false;
    }
    search->touched = search->active + search->chunks;
    search->frontier = search->bitmaps;
    search->next = search->frontier + search->words;
    search->visited = search->next + search->words;
    search->low = search->visited + search->words;
    search->high = puzzle->coloured ? NULL : search->low + search->words;
    return true;
}

void retrograde_free(struct retrograde *search)
{
    if (search == NULL)
        return;
    for (unsigned t = 0; search->workers != NULL && t < search->threads; t++) {
        free(search->workers[t].state);
        free(search->workers[t].next);
        free(search->workers[t].next_count);
    }
    free(search->workers);
    free(search->bitmaps);
    free(search->active);
    free(search->state);
    free(search->hardest);
    free(search);
}

/* -- layers -- */

/* Makes the next layer, which is not empty, the frontier at depth `depth`: visited, residues, figures. */
static void take_layer(struct retrograde *search, uint64_t depth)
{
    const bool coloured = search->high == NULL;
    const unsigned residue = coloured ? depth >> 1 & 1 : (unsigned)(depth % 3);
    uint64_t layer = 0;
#pragma omp parallel for num_threads(search->threads) schedule(static) reduction(+ : layer)
    for (uint64_t chunk = 0; chunk < search->chunks; chunk++) {
        const uint64_t first = chunk * RETROGRADE_CHUNK;
        if (search->active[chunk])
            memset(search->frontier + first, 0, RETROGRADE_CHUNK * sizeof(uint64_t));
        search->active[chunk] = search->touched[chunk];
        search->touched[chunk] = 0;
        for (uint64_t w = first; search->active[chunk] && w < first + RETROGRADE_CHUNK; w++) {
            const uint64_t news = search->next[w];
            layer += (unsigned)__builtin_popcountll(news);
            search->visited[w] |= news;
            if (residue & 1)
                search->low[w] |= news;
            if (residue & 2)
                search->high[w] |= news;
        }
    }
    uint64_t *taken = search->next;
    search->next = search->frontier;
    search->frontier = taken;
    search->state->depth = depth;
    search->state->reached += layer;
    search->state->histogram[depth] = layer;
}

/* Puts a state into the next layer. Threads may meet in one word. */
static void put(struct retrograde *search, uint64_t state)
{
    uint64_t *word = &search->next[state / 64];
    const uint64_t mask = (uint64_t)1 << state % 64;
    uint8_t *touched = &search->touched[state / (64 * RETROGRADE_CHUNK)];
    if (search->threads == 1)
        *word |= mask;
    else if (!(__atomic_load_n(word, __ATOMIC_RELAXED) & mask))
        __atomic_fetch_or(word, mask, __ATOMIC_RELAXED);
    if (!__atomic_load_n(touched, __ATOMIC_RELAXED))
        __atomic_store_n(touched, 1, __ATOMIC_RELAXED);
}

static void expand_batch(struct retrograde *search, struct worker *worker, size_t count)
{
    enum { AHEAD = 16 };
    size_t total = puzzle_predecessors(search->puzzle, worker->state, count, worker->next, worker->next_count);
    for (size_t i = 0; i < total; i++) {
        if (i + AHEAD < total)
            __builtin_prefetch(&search->visited[worker->next[i + AHEAD] / 64]);
        const uint64_t state = worker->next[i];
        if (!(search->visited[state / 64] >> state % 64 & 1))
            put(search, state);
    }
}

/* All predecessors of one chunk's frontier. */
static void expand_chunk(struct retrograde *search, struct worker *worker, uint64_t chunk)
{
    size_t count = 0;
    for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++)
        for (uint64_t bits = search->frontier[w]; bits != 0; bits &= bits - 1) {
            worker->state[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
            if (count == BATCH) {
                expand_batch(search, worker, count);
                count = 0;
            }
        }
    expand_batch(search, worker, count);
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

static void look(struct retrograde *search, struct watch *watch, uint64_t chunk)
{
    double time;
    if (watch->observer == NULL || (time = now()) < watch->due)
        return;
    watch->due = time + 0.1;
    const struct state *state = search->state;
    struct retrograde_progress progress = {.depth = state->depth + 1, .layer = state->histogram[state->depth],
                                           .reached = state->reached,
                                           .layer_done = (double)chunk / (double)search->chunks};
    if (!watch->observer(watch->context, &progress))
        __atomic_store_n(&watch->stopped, true, __ATOMIC_RELAXED);
}

/* Forgets an unfinished next layer. */
static void drop_next(struct retrograde *search)
{
    for (uint64_t chunk = 0; chunk < search->chunks; chunk++)
        if (search->touched[chunk]) {
            memset(search->next + chunk * RETROGRADE_CHUNK, 0, RETROGRADE_CHUNK * sizeof(uint64_t));
            search->touched[chunk] = 0;
        }
}

pdb_status retrograde_layer(struct retrograde *search, retrograde_observer *observer, void *context, bool *done,
                            pdb_error *error)
{
    struct state *state = search->state;
    struct watch watch = {.observer = observer, .context = context};
    if (state->depth + 1 == HISTOGRAM_ROOM)
        return error_set(error, PDB_TOO_LARGE, "distances of %d and more are not supported", HISTOGRAM_ROOM);
#pragma omp parallel num_threads(search->threads)
    {
        const int thread = omp_get_thread_num();
#pragma omp for schedule(dynamic, 1)
        for (uint64_t chunk = 0; chunk < search->chunks; chunk++) {
            if (__atomic_load_n(&watch.stopped, __ATOMIC_RELAXED) || !search->active[chunk])
                continue;
            expand_chunk(search, &search->workers[thread], chunk);
            if (thread == 0)
                look(search, &watch, chunk);
        }
    }
    if (watch.stopped) {
        drop_next(search);
        return error_set(error, PDB_INTERRUPTED, "interrupted at depth %llu", (unsigned long long)state->depth);
    }
    *done = memchr(search->touched, 1, search->chunks) == NULL;
    if (!*done)
        take_layer(search, state->depth + 1);
    return PDB_OK;
}

/* -- beginning, keeping, going on -- */

static pdb_status put_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    for (size_t i = 0; i < count; i++)
        put(context, index[i]);
    return PDB_OK;
}

pdb_status retrograde_create(const struct pdb_puzzle *puzzle, unsigned threads, struct retrograde **out, pdb_error *error)
{
    struct retrograde *search = calloc(1, sizeof *search);
    if (search == NULL)
        return error_no_memory(error, "the search", sizeof *search);
    search->puzzle = puzzle;
    search->threads = threads;
    search->chunks = chunk_count(puzzle);
    search->words = search->chunks * RETROGRADE_CHUNK;
    if (!allocate(search)) {
        retrograde_free(search);
        return error_no_memory(error, "the search", retrograde_memory(puzzle, threads));
    }
    const uint64_t words = bitmap_count(puzzle) * search->words;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint64_t chunk = 0; chunk < words / RETROGRADE_CHUNK; chunk++)
        memset(search->bitmaps + chunk * RETROGRADE_CHUNK, 0, RETROGRADE_CHUNK * sizeof(uint64_t));
    pdb_status status = puzzle->family->goals(puzzle, put_goals, search, error);
    if (status != PDB_OK) {
        retrograde_free(search);
        return status;
    }
    take_layer(search, 0);
    *out = search;
    return PDB_OK;
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
    parts[count++] = (struct retrograde_part){search->frontier, size};
    parts[count++] = (struct retrograde_part){search->visited, size};
    parts[count++] = (struct retrograde_part){search->low, size};
    if (search->high != NULL)
        parts[count++] = (struct retrograde_part){search->high, size};
    return count;
}

const char *retrograde_layout(const struct retrograde *search)
{
    return search->high == NULL ? "bitmaps, modulo 4" : "bitmaps, modulo 3";
}

bool retrograde_resume(struct retrograde *search)
{
    const struct state *state = search->state;
    uint64_t sum = 0, layer = 0, visited = 0;
    if (state->depth >= HISTOGRAM_ROOM)
        return false;
    for (uint64_t d = 0; d <= state->depth; d++)
        sum += state->histogram[d];
    for (uint64_t chunk = 0; chunk < search->chunks; chunk++) {
        uint64_t before = layer;
        for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++) {
            layer += (unsigned)__builtin_popcountll(search->frontier[w]);
            visited += (unsigned)__builtin_popcountll(search->visited[w]);
        }
        search->active[chunk] = layer != before;
    }
    return sum == state->reached && visited == sum && layer == state->histogram[state->depth];
}

/* -- the end -- */

/* The deepest layer is still the frontier. */
static size_t list_hardest(struct retrograde *search)
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

void retrograde_finish(struct retrograde *search, struct retrograde_result *result)
{
    const uint64_t states = search->puzzle->states;
    const bool all = search->state->reached == states, coloured = search->high == NULL;
    result->encoding = coloured ? (all ? ENCODING_MOD4_1BIT : ENCODING_MOD4_2BIT)
                                : (all ? ENCODING_MOD3_5PERBYTE : ENCODING_MOD3_2BIT);
    result->reachable = search->state->reached;
    result->depths = search->state->depth + 1;
    result->histogram = search->state->histogram;
    result->hardest_kept = list_hardest(search);
    result->hardest = search->hardest;
    result->bytes = (const uint8_t *)search->low;
    if (result->encoding == ENCODING_MOD4_1BIT)
        return;
    /* Frontier and next layer are free now, two bits a state: room for every other encoding. */
    uint8_t *packed = (uint8_t *)search->bitmaps;
    values_pack(result->encoding, states, search->low, search->high, search->visited, packed, search->threads);
    result->bytes = packed;
}
