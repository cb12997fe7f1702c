/* retrograde.c -- breadth-first search backward from all goals: the ways, memory, beginning, layers */
#include "lib/clock.h"
#include "lib/pages.h"
#include "layers.h"
#include "retrograde_inner.h"

#include <stdlib.h>
#include <string.h>

/* -- memory -- */

/* 0: none, exact distances. */
static unsigned bitmap_count(const struct puzzle *puzzle, enum retrograde_way way)
{
    return !puzzle->undoable || goes_at_once(puzzle, way) ? 0 : puzzle->coloured ? 4 : 5;
}

static uint64_t chunk_count(const struct puzzle *puzzle)
{
    return puzzle->states / (64 * RETROGRADE_CHUNK) + 1;
}

static uint64_t worker_bytes(const struct puzzle *puzzle)
{
    return batch_size(puzzle) * (sizeof(uint64_t) * (1 + puzzle->max_moves) + sizeof(uint16_t));
}

static uint64_t memory(const struct puzzle *puzzle, enum retrograde_way way, unsigned threads, bool deep)
{
    const uint64_t words = chunk_count(puzzle) * RETROGRADE_CHUNK;
    const unsigned bitmaps = bitmap_count(puzzle, way);
    return (bitmaps > 0 ? bitmaps * words * sizeof(uint64_t) : exact_bytes(64 * words, deep)) +
           2 * chunk_count(puzzle) + threads * worker_bytes(puzzle) + sizeof(struct search_state) +
           RETROGRADE_HARDEST_MAX * sizeof(uint64_t);
}

/* The family's layer kernel, where that is the way that the search goes; else NULL. */
static pdb_status make_kernel(const struct puzzle *puzzle, enum retrograde_way way, struct layer_kernel **kernel,
                              pdb_error *error)
{
    *kernel = NULL;
    if (way == RETROGRADE_STATES || puzzle->at_once || puzzle->family->layers == NULL)
        return PDB_OK;
    return puzzle->family->layers(puzzle, way == RETROGRADE_PORTABLE, kernel, error);
}

uint64_t retrograde_memory_by(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads)
{
    struct layer_kernel *kernel;
    if (puzzle->states == 0)
        return INT64_MAX;
    if (make_kernel(puzzle, way, &kernel, NULL) != PDB_OK || kernel == NULL)
        return memory(puzzle, way, threads, false);
    const uint64_t bytes = layers_memory(puzzle, threads, kernel);
    kernel->free(kernel);
    return bytes;
}

uint64_t retrograde_memory(const struct puzzle *puzzle, unsigned threads)
{
    return retrograde_memory_by(RETROGRADE_BEST, puzzle, threads);
}

enum retrograde_way retrograde_way_within(uint64_t bytes, const struct puzzle *puzzle, unsigned threads)
{
    const uint64_t best = retrograde_memory(puzzle, threads);
    return best <= bytes || best <= retrograde_memory_by(RETROGRADE_STATES, puzzle, threads) ? RETROGRADE_BEST
                                                                                             : RETROGRADE_STATES;
}

const char *retrograde_way_text(enum retrograde_way way, const struct puzzle *puzzle)
{
    struct layer_kernel *kernel;
    if (goes_at_once(puzzle, way))
        return "all at once";
    if (make_kernel(puzzle, way, &kernel, NULL) != PDB_OK || kernel == NULL)
        return "in layers state by state";
    kernel->free(kernel);
    return "in layers by words";
}

uint64_t retrograde_memory_deep(const struct puzzle *puzzle, unsigned threads)
{
    const bool grows = puzzle->states > 0 && !puzzle->undoable && !puzzle->at_once;
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
    const struct puzzle *puzzle = search->puzzle;
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
    layers_free(search->layers);
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
    return search->layers == NULL && search->bitmaps == NULL && !goes_at_once(search->puzzle, search->way) &&
           grow(search, NULL) == PDB_OK;
}

/* -- who is told -- */

void watch_look(struct watch *watch, const struct search_state *state, double layer_done)
{
    if (watch->observer == NULL || !clock_due(&watch->due, 0.1))
        return;
    struct retrograde_progress progress = {
        .depth = state->depth + 1, .layer = state->layer, .reached = state->reached, .layer_done = layer_done};
    if (!watch->observer(watch->context, &progress))
        __atomic_store_n(&watch->stopped, true, __ATOMIC_RELAXED);
}

/* -- goals -- */

static pdb_status put_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    for (size_t i = 0; i < count; i++) {
        uint64_t state = index[i]; /* it is the visitor's own to change */
        retrograde_put(context, &state, 1, 0);
    }
    return PDB_OK;
}

/* -- all layers at once -- */

struct at_once {
    struct retrograde *search;
    struct watch watch;
};

static bool look_at_once(void *context, double done)
{
    struct at_once *at_once = context;
    watch_look(&at_once->watch, at_once->search->state, done);
    return !at_once->watch.stopped;
}

/* What is known once every state has its distance. */
static void take_all(struct retrograde *search)
{
    struct search_state *state = search->state;
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
    const struct puzzle *puzzle = search->puzzle;
    struct at_once at_once = {search, {.observer = observer, .context = context}};
    const bool portable = search->way == RETROGRADE_PORTABLE;
    if (puzzle->family->distances(puzzle, portable, search->threads, search->exact.narrow, look_at_once, &at_once)) {
        take_all(search);
        return PDB_OK;
    }
    exact_clear(&search->exact, search->threads);
    memset(search->touched, 0, search->chunks);
    pdb_status status = puzzle->family->goals(puzzle, put_goals, search, error);
    return status != PDB_OK ? status : error_set(error, PDB_INTERRUPTED, "interrupted at depth 0");
}

/* -- layer by layer -- */

pdb_status retrograde_layer(struct retrograde *search, retrograde_observer *observer, void *context, bool *done,
                            pdb_error *error)
{
    if (search->layers != NULL)
        return layers_next(search->layers, observer, context, done, error);
    if (goes_at_once(search->puzzle, search->way)) {
        pdb_status status = find_at_once(search, observer, context, error);
        *done = status == PDB_OK;
        return status;
    }
    const uint64_t depth = search->state->depth + 1;
    bool empty;
    pdb_status status = retrograde_expand(search, observer, context, &empty, error);
    if (status == PDB_OK && !empty && depth > deepest_layer(search)) {
        retrograde_drop(search);
        if (depth > EXACT_WIDE_MAX)
            return error_set(error, PDB_TOO_LARGE, "distances of %llu and more are not supported",
                             (unsigned long long)depth);
        status = grow(search, error);
        if (status == PDB_OK)
            status = retrograde_expand(search, observer, context, &empty, error);
    }
    if (status != PDB_OK)
        return status;
    *done = empty;
    if (!empty)
        retrograde_take(search, depth);
    return PDB_OK;
}

/* -- beginning -- */

/* A search state by state, or all at once. */
static pdb_status begin(struct retrograde *search, pdb_error *error)
{
    const struct puzzle *puzzle = search->puzzle;
    search->chunks = chunk_count(puzzle);
    search->words = search->chunks * RETROGRADE_CHUNK;
    search->limit = UINT64_MAX;
    if (!allocate(search))
        return error_no_memory(error, "the search", memory(puzzle, search->way, search->threads, false));
    pdb_status status = puzzle->family->goals(puzzle, put_goals, search, error);
    if (status == PDB_OK && memchr(search->touched, 1, search->chunks) == NULL)
        status = error_set(error, PDB_BAD_DEFINITION, "%s: no state fits the goal", puzzle->name);
    if (status == PDB_OK)
        retrograde_take(search, 0);
    return status;
}

pdb_status retrograde_create_by(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads,
                                struct retrograde **out, pdb_error *error)
{
    struct layer_kernel *kernel;
    *out = NULL;
    if (puzzle->states == 0)
        return error_set(error, PDB_TOO_LARGE, "%s: it has too many states to be numbered", puzzle->name);
    struct retrograde *search = calloc(1, sizeof *search);
    if (search == NULL)
        return error_no_memory(error, "the search", sizeof *search);
    search->puzzle = puzzle;
    search->way = way;
    search->threads = threads;
    pdb_status status = make_kernel(puzzle, way, &kernel, error);
    if (status == PDB_OK)
        status = kernel != NULL ? layers_create(puzzle, threads, kernel, &search->layers, error) : begin(search, error);
    if (status != PDB_OK) {
        retrograde_free(search);
        return status;
    }
    *out = search;
    return PDB_OK;
}

pdb_status retrograde_create(const struct puzzle *puzzle, unsigned threads, struct retrograde **out, pdb_error *error)
{
    return retrograde_create_by(RETROGRADE_BEST, puzzle, threads, out, error);
}

static const struct search_state *state_of(const struct retrograde *search)
{
    return search->layers != NULL ? layers_state(search->layers) : search->state;
}

uint64_t retrograde_depth(const struct retrograde *search)
{
    return state_of(search)->depth;
}

uint64_t retrograde_reached(const struct retrograde *search)
{
    return state_of(search)->reached;
}

struct retrograde_progress retrograde_progress(const struct retrograde *search)
{
    const struct search_state *state = state_of(search);
    return (struct retrograde_progress){.depth = state->depth + 1, .layer = state->layer, .reached = state->reached};
}

pdb_status retrograde_interrupted(const struct retrograde *search, pdb_error *error)
{
    return error_set(error, PDB_INTERRUPTED, "interrupted at depth %llu", (unsigned long long)retrograde_depth(search));
}
