/* deepen.c -- rounds, roots and threads of iterative deepening (deepen.h) */
#include "deepen.h"
#include "lib/memory/array.h"

#include <stdlib.h>
#include <string.h>

enum {
    NODES_ALONE = 1 << 16,  /* a search that has not looked at as many stays on one thread */
    ROOTS_PER_THREAD = 128, /* so that no thread waits long for the last one */
    LINE = 64               /* bytes; no two workers share a line of the cache */
};

/* -- workers -- */

static size_t worker_bytes(const struct deepening *deepening)
{
    return (deepening->class->worker_size + LINE - 1) / LINE * LINE;
}

static struct deepen_worker *worker_at(const struct deepening *deepening, unsigned number)
{
    return (struct deepen_worker *)(void *)((char *)deepening->worker + number * worker_bytes(deepening));
}

pdb_status deepen_ready(struct deepening *deepening, unsigned workers, pdb_error *error)
{
    const size_t bytes = worker_bytes(deepening) * deepening->threads;
    pdb_status status = PDB_OK;
    if (deepening->worker == NULL) {
        deepening->worker = aligned_alloc(LINE, bytes);
        if (deepening->worker == NULL)
            return error_no_memory(error, "a search", bytes);
        memset(deepening->worker, 0, bytes);
        deepening->team.threads = deepening->threads;
        pthread_mutex_init(&deepening->finding, NULL);
    }
    for (unsigned w = 0; status == PDB_OK && w < workers; w++) {
        struct deepen_worker *worker = worker_at(deepening, w);
        worker->deepening = deepening;
        worker->excess = EXCESS_NONE;
        deepening->ready = w < deepening->ready ? deepening->ready : w + 1;
        status = deepening->class->ready(worker, error);
    }
    return status;
}

void deepen_free(struct deepening *deepening)
{
    team_end(&deepening->team);
    for (unsigned w = 0; w < deepening->ready; w++)
        deepening->class->release(worker_at(deepening, w));
    free(deepening->worker);
    free(deepening->root);
    free(deepening->path);
}

/* -- roots -- */

void *deepen_add_root(struct deepening *deepening)
{
    const size_t size = deepening->class->root_size;
    const bool there = array_reserve(&deepening->root, &deepening->root_room, deepening->roots + 1, size);
    return there ? deepen_root_at(deepening, deepening->roots++) : NULL;
}

pdb_status deepen_first_root(struct deepening *deepening, const void *root, pdb_error *error)
{
    deepening->roots = 0;
    deepening->depth = 0;
    void *first = deepen_add_root(deepening);
    if (first == NULL)
        return error_no_memory(error, "a search", deepening->class->root_size);
    memcpy(first, root, deepening->class->root_size);
    return PDB_OK;
}

pdb_status deepen_grow_roots(struct deepening *deepening, size_t wanted, uint32_t rest, pdb_error *error)
{
    const size_t size = deepening->class->root_size;
    bool made = true;
    while (made && deepening->roots > 0 && deepening->roots < wanted && deepening->depth < DEEPEN_ROOT_DEPTH &&
           deepening->depth + 1 + rest < deepening->watch.limit) {
        char *const layer = deepening->root;
        const size_t count = deepening->roots;
        deepening->root = NULL;
        deepening->roots = deepening->root_room = 0;
        for (size_t i = 0; made && i < count; i++)
            made = deepening->class->expand(deepening->worker, layer + i * size);
        free(layer);
        deepening->depth++;
    }
    return made ? PDB_OK : error_no_memory(error, "a search", 2 * deepening->root_room * size);
}

/* -- what the search below roots calls -- */

static bool is_over(const struct deepening *deepening, size_t root)
{
    return root > __atomic_load_n(&deepening->winner, __ATOMIC_RELAXED) ||
           __atomic_load_n(&deepening->watch.stopped, __ATOMIC_RELAXED) ||
           __atomic_load_n(&deepening->paused, __ATOMIC_RELAXED) ||
           __atomic_load_n(&deepening->missing, __ATOMIC_RELAXED) != 0;
}

bool deepen_take(struct deepen_worker *worker, size_t *root)
{
    struct deepening *deepening = worker->deepening;
    *root = __atomic_fetch_add(&deepening->next, 1, __ATOMIC_RELAXED);
    return *root < deepening->roots && !is_over(deepening, *root);
}

void deepen_found(struct deepen_worker *worker, size_t root, const void *path, size_t bytes)
{
    struct deepening *deepening = worker->deepening;
    pthread_mutex_lock(&deepening->finding);
    if (root < deepening->winner) {
        void *kept = realloc(deepening->path, bytes + 1);
        if (kept != NULL) {
            memcpy(kept, path, bytes);
            deepening->path = kept;
            __atomic_store_n(&deepening->winner, root, __ATOMIC_RELAXED);
        } else {
            deepen_no_memory(deepening, bytes);
        }
    }
    pthread_mutex_unlock(&deepening->finding);
}

bool deepen_has_solution(const struct deepening *deepening)
{
    return __atomic_load_n(&deepening->winner, __ATOMIC_RELAXED) != deepening->roots;
}

bool deepen_ended(struct deepen_worker *worker, size_t root)
{
    struct deepening *deepening = worker->deepening;
    search_watch_add(&deepening->watch, worker->nodes);
    worker->nodes = 0;
    /* A solution that is known outlasts the budget: what is left to search lies before it. */
    if (deepening->budget != 0 && __atomic_load_n(&deepening->watch.nodes, __ATOMIC_RELAXED) > deepening->budget &&
        !deepen_has_solution(deepening))
        __atomic_store_n(&deepening->paused, true, __ATOMIC_RELAXED);
    return is_over(deepening, root);
}

void deepen_stop(struct deepening *deepening)
{
    __atomic_store_n(&deepening->watch.stopped, true, __ATOMIC_RELAXED);
}

void deepen_no_memory(struct deepening *deepening, size_t bytes)
{
    __atomic_store_n(&deepening->missing, bytes, __ATOMIC_RELAXED);
}

/* -- rounds -- */

void deepen_raise(struct deepening *deepening, uint32_t limit)
{
    if (deepening->puzzle->coloured && limit != PDB_NO_DISTANCE)
        limit += (limit ^ deepening->colour) & 1;
    if (limit > deepening->watch.limit)
        deepening->watch.limit = limit;
}

/* What the threads of a round have found. */
static pdb_status conclude(struct deepening *deepening, unsigned threads, pdb_error *error)
{
    struct search_watch *watch = &deepening->watch;
    uint32_t excess = EXCESS_NONE;
    for (unsigned t = 0; t < threads; t++) {
        const struct deepen_worker *worker = worker_at(deepening, t);
        watch->nodes += worker->nodes;
        excess = worker->excess < excess ? worker->excess : excess;
    }
    if (deepening->missing != 0)
        return error_no_memory(error, "a search", deepening->missing);
    if (watch->stopped)
        return error_set(error, PDB_INTERRUPTED, "%s: interrupted: no solution is shorter than %u moves",
                         deepening->puzzle->name, watch->limit);
    if (deepening->paused) { /* what another thread found meanwhile need not be the first: it is looked for again */
        free(deepening->path);
        deepening->path = NULL;
        return PDB_OK;
    }
    deepening->solved = deepening->winner < deepening->roots;
    if (!deepening->solved)
        deepen_raise(deepening, excess == EXCESS_NONE ? PDB_NO_DISTANCE : watch->limit + excess);
    deepening->paused = deepening->budget != 0 && watch->nodes > deepening->budget;
    return PDB_OK;
}

static void search_below(void *context, unsigned thread, uint64_t number)
{
    const struct deepening *deepening = context;
    (void)thread;
    deepening->class->search(worker_at(deepening, (unsigned)number));
}

static pdb_status search_round(struct deepening *deepening, pdb_error *error)
{
    const unsigned threads = deepening->watch.nodes < NODES_ALONE ? 1 : deepening->threads;
    pdb_status status = deepen_ready(deepening, threads, error);
    for (unsigned t = 0; status == PDB_OK && t < threads; t++)
        worker_at(deepening, t)->nodes = 0;
    if (status == PDB_OK)
        status = deepening->class->roots(deepening, threads > 1 ? threads * (size_t)ROOTS_PER_THREAD : 1, error);
    if (status != PDB_OK)
        return status;
    deepening->next = 0;
    deepening->winner = deepening->roots;
    team_run(&deepening->team, threads, search_below, deepening);
    return conclude(deepening, threads, error);
}

pdb_status deepen(struct deepening *deepening, uint32_t most, pdb_error *error)
{
    pdb_status status = PDB_OK;
    deepening->paused = false;
    while (status == PDB_OK && !deepening->solved && !deepening->paused && deepening->watch.limit != PDB_NO_DISTANCE &&
           deepening->watch.limit <= most)
        status = search_round(deepening, error);
    return status;
}
