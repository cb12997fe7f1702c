/* search.c -- boards of different tiles: limits, roots, threads and the answer (search.h) */
#include "search.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    WORD_LENGTH = 10, /* of the redundant ways that are left out */
    UNDO_LENGTH = 2,  /* without the machine: a move taken back at once */
    ROOTS_LEAST = 256,
    ROOTS_MOST = 16384,
    NODES_PER_ROOT = 64,  /* visited so far, for more roots to be worth making */
    NODES_ALONE = 100000, /* searches that have not visited as many stay on one thread */
};

static const double OBSERVE_EVERY = 0.02; /* seconds */

/* -- what workers ask for -- */

bool tile_job_take(struct tile_worker *worker, size_t *root)
{
    struct tile_job *job = worker->job;
    for (;;) {
        const size_t next = __atomic_fetch_add(&job->next, 1, __ATOMIC_RELAXED);
        if (next >= job->roots || next > __atomic_load_n(&job->winner, __ATOMIC_RELAXED) ||
            __atomic_load_n(&job->stopped, __ATOMIC_RELAXED))
            return false;
        const uint32_t least = job->depth + job->root[next].bound;
        *root = next;
        if (least <= job->limit)
            return true;
        const uint32_t overrun = (least - job->limit) / 2;
        worker->overrun = overrun < worker->overrun ? overrun : worker->overrun;
    }
}

void tile_job_found(struct tile_job *job, size_t root, const uint8_t *way)
{
    omp_set_lock(&job->lock);
    if (root < job->winner) {
        memcpy(job->way, way, job->limit - job->depth);
        __atomic_store_n(&job->winner, root, __ATOMIC_RELAXED);
    }
    omp_unset_lock(&job->lock);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Tells the observer, and stops the search if it says so. To be called with the lock. */
static void tell(struct tile_job *job)
{
    const struct search_progress progress = {job->limit, __atomic_load_n(&job->nodes, __ATOMIC_RELAXED)};
    if (!job->observe(job->context, &progress))
        __atomic_store_n(&job->stopped, true, __ATOMIC_RELAXED);
    job->observed = now();
}

bool tile_job_ended(struct tile_worker *worker, size_t root)
{
    struct tile_job *job = worker->job;
    __atomic_fetch_add(&job->nodes, worker->nodes, __ATOMIC_RELAXED);
    worker->nodes = 0;
    if (job->observe != NULL && omp_test_lock(&job->lock)) {
        if (now() - job->observed > OBSERVE_EVERY)
            tell(job);
        omp_unset_lock(&job->lock);
    }
    return __atomic_load_n(&job->stopped, __ATOMIC_RELAXED) || root > __atomic_load_n(&job->winner, __ATOMIC_RELAXED);
}

bool tile_worker_memory(struct tile_worker *worker, size_t bytes)
{
    if (bytes <= worker->bytes)
        return true;
    free(worker->memory);
    worker->memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    worker->bytes = worker->memory == NULL ? 0 : bytes;
    if (worker->memory != NULL)
        return true;
    __atomic_store_n(&worker->job->failed_for, bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&worker->job->stopped, true, __ATOMIC_RELAXED);
    return false;
}

/* -- roots -- */

static uint16_t bound_of(const struct tile_search *search, const uint8_t *tile, unsigned empty)
{
    unsigned bound = 2 * (search->lookup != NULL ? tile_lookup_excess(search, tile, empty)
                                                 : tile_lines_excess(search, tile, empty));
    for (unsigned place = 0; place < search->tiles.places; place++)
        if (place != empty)
            bound += search->tiles.far[tile[place]][place];
    return (uint16_t)bound;
}

/* The roots one move below a root; returns how many. */
static size_t expand(const struct tile_search *search, const struct tile_root *root, unsigned depth,
                     struct tile_root *next)
{
    size_t count = 0;
    for (unsigned ways = search->ways[root->state] & search->open[root->empty]; ways != 0; ways &= ways - 1) {
        const unsigned way = (unsigned)__builtin_ctz(ways);
        struct tile_root *child = &next[count++];
        *child = *root;
        child->empty = search->next[root->empty][way];
        child->tile[root->empty] = root->tile[child->empty];
        child->way[depth] = (uint8_t)way;
        child->state = machine_next(search->machine, root->state, way);
    }
    return count;
}

struct roots {
    struct tile_root *root;
    size_t count;
    unsigned depth;
};

/* Goes deeper until there are enough roots; not so deep that they could be goals. */
static pdb_status grow_roots(const struct tile_search *search, struct roots *roots, uint32_t limit, uint64_t *nodes,
                             pdb_error *error)
{
    const unsigned depth = roots->depth;
    size_t enough = *nodes / NODES_PER_ROOT;
    enough = enough < ROOTS_LEAST ? ROOTS_LEAST : enough > ROOTS_MOST ? ROOTS_MOST : enough;
    while (roots->count > 0 && roots->count < enough && roots->depth < TILES_ROOT_DEPTH && roots->depth + 1 < limit) {
        struct tile_root *next = malloc(TILES_WAYS * roots->count * sizeof *next);
        size_t count = 0;
        if (next == NULL)
            return error_no_memory(error, "a search", TILES_WAYS * roots->count * sizeof *next);
        for (size_t i = 0; i < roots->count; i++)
            count += expand(search, &roots->root[i], roots->depth, next + count);
        free(roots->root);
        *roots = (struct roots){next, count, roots->depth + 1};
    }
    for (size_t i = 0; roots->depth != depth && i < roots->count; i++, ++*nodes)
        roots->root[i].bound = bound_of(search, roots->root[i].tile, roots->root[i].empty);
    return PDB_OK;
}

/* -- limits -- */

/* Searches under one limit; returns the least overrun, UINT32_MAX where nothing was left out. */
static uint32_t run(struct tile_job *job, struct tile_worker *worker, unsigned threads)
{
    const struct tile_search *search = job->search;
    uint32_t overrun = UINT32_MAX;
    job->next = 0;
    job->winner = job->roots;
#pragma omp parallel num_threads(threads) reduction(min : overrun) if (threads > 1)
    {
        struct tile_worker *mine = &worker[omp_get_thread_num()];
        mine->job = job;
        mine->nodes = 0;
        mine->overrun = UINT32_MAX;
        if (search->lookup != NULL)
            tile_lookup_run(mine);
        else
            tile_lines_run(mine);
        __atomic_fetch_add(&job->nodes, mine->nodes, __ATOMIC_RELAXED);
        overrun = mine->overrun;
    }
    return overrun;
}

/* The positions on the way of a solution. */
static pdb_status make_path(const struct tile_job *job, const uint8_t *position, struct search_answer *answer,
                            pdb_error *error)
{
    const struct tile_search *search = job->search;
    const size_t places = search->tiles.places;
    const struct tile_root *root = &job->root[job->winner];
    const uint8_t symbol = search->searcher.puzzle->board.empty;
    const size_t bytes = (job->limit + 1) * places;
    uint8_t *path = answer->path = malloc(bytes);
    if (path == NULL)
        return error_no_memory(error, "a solution", bytes);
    answer->distance = job->limit;
    memcpy(path, position, places);
    size_t empty = (size_t)((const uint8_t *)memchr(position, symbol, places) - position);
    for (unsigned step = 0; step < job->limit; step++, path += places) {
        const unsigned way = step < job->depth ? root->way[step] : job->way[step - job->depth];
        const size_t next = search->next[empty][way];
        memcpy(path + places, path, places);
        path[places + empty] = path[next];
        path[places + next] = symbol;
        empty = next;
    }
    return PDB_OK;
}

/* Raises the limit until a solution is found, or it passes `most`. */
static pdb_status deepen(struct tile_job *job, struct roots *roots, struct tile_worker *worker, const uint8_t *position,
                         uint32_t most, struct search_answer *answer, pdb_error *error)
{
    const struct tile_search *search = job->search;
    if (roots->root->bound == 0) { /* a goal */
        job->root = roots->root;
        return make_path(job, position, answer, error);
    }
    for (job->limit = roots->root->bound; job->limit <= most;) {
        pdb_status status = grow_roots(search, roots, job->limit, &job->nodes, error);
        if (status != PDB_OK)
            return status;
        uint8_t *way = realloc(job->way, job->limit + 1);
        if (way == NULL)
            return error_no_memory(error, "a search", job->limit + 1);
        job->way = way;
        job->root = roots->root;
        job->roots = roots->count;
        job->depth = roots->depth;
        const uint32_t overrun = run(job, worker, job->nodes < NODES_ALONE ? 1 : search->threads);
        if (job->failed_for != 0)
            return error_no_memory(error, "a search", job->failed_for);
        answer->bound = job->limit;
        if (job->stopped)
            return error_set(error, PDB_INTERRUPTED, "interrupted: no solution has fewer than %u moves", job->limit);
        if (job->winner < job->roots)
            return make_path(job, position, answer, error);
        answer->bound = overrun == UINT32_MAX ? PDB_NO_DISTANCE : job->limit + 2 * overrun;
        if (overrun == UINT32_MAX)
            return PDB_OK;
        job->limit = answer->bound;
        if (job->observe != NULL)
            tell(job);
    }
    return PDB_OK;
}

static pdb_status tile_search_solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                                    search_observer *observe, void *context, struct search_answer *answer,
                                    pdb_error *error)
{
    const struct tile_search *search = (const struct tile_search *)searcher;
    struct tile_root first = {0};
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    for (unsigned place = 0; place < search->tiles.places; place++) {
        first.tile[place] = search->tiles.tile_of_symbol[position[place]];
        if (first.tile[place] == TILES_NO_TILE)
            first.empty = (uint8_t)place;
    }
    if (!tiles_parity_fits(&search->tiles, first.tile))
        return PDB_OK;
    first.bound = bound_of(search, first.tile, first.empty);
    answer->bound = first.bound;
    struct tile_job job = {.search = search, .observe = observe, .context = context, .observed = now()};
    struct roots roots = {malloc(sizeof first), 1, 0};
    struct tile_worker *worker = calloc(search->threads, sizeof *worker);
    pdb_status status = PDB_OK;
    omp_init_lock(&job.lock);
    if (roots.root == NULL || worker == NULL)
        status = error_no_memory(error, "a search", sizeof first + search->threads * sizeof *worker);
    if (status == PDB_OK) {
        *roots.root = first;
        status = deepen(&job, &roots, worker, position, most, answer, error);
    }
    answer->nodes = job.nodes;
    for (unsigned t = 0; worker != NULL && t < search->threads; t++)
        free(worker[t].memory);
    free(worker);
    free(roots.root);
    free(job.way);
    omp_destroy_lock(&job.lock);
    return status;
}

/* -- making one -- */

static const char *tile_search_method(const struct searcher *searcher)
{
    return ((const struct tile_search *)searcher)->method;
}

static void tile_search_free(struct searcher *searcher)
{
    struct tile_search *search = (struct tile_search *)searcher;
    machine_free(search->machine);
    tile_lines_free(search->lines);
    tile_lookup_free(search->lookup);
    free(search->ways);
    free(search);
}

static const struct searcher_class tile_searcher = {
    .solve = tile_search_solve,
    .method = tile_search_method,
    .free = tile_search_free,
};

/* Where the empty cell's ways lead, and which of them take a tile farther away. */
static void find_ways(struct tile_search *search)
{
    const struct tiles *tiles = &search->tiles;
    for (unsigned from = 0; from < tiles->places; from++)
        for (unsigned way = 0; way < TILES_WAYS; way++) {
            const uint16_t to = tiles->slide->neighbour[from][way];
            if (to == BOARD_NO_PLACE)
                continue;
            search->open[from] |= (uint8_t)(1u << way);
            search->next[from][way] = (uint8_t)to;
            for (unsigned tile = 0; tile < tiles->tiles; tile++)
                if (tiles->far[tile][from] > tiles->far[tile][to])
                    search->away[tile][to] |= (uint8_t)(1u << way);
        }
}

/* The machine, and the ways that it lets pass as bits. */
static pdb_status make_machine(struct tile_search *search, unsigned length, pdb_error *error)
{
    pdb_status status = tiles_learn_words(length, &search->machine, error);
    if (status != PDB_OK)
        return status;
    const uint32_t states = search->machine->states;
    search->ways = calloc(states, 1);
    if (search->ways == NULL)
        return error_no_memory(error, "the machine of redundant moves", states);
    for (uint32_t state = 0; state < states; state++)
        for (unsigned way = 0; way < TILES_WAYS; way++)
            if (machine_next(search->machine, state, way) != MACHINE_NEVER)
                search->ways[state] |= (uint8_t)(1u << way);
    return PDB_OK;
}

static void name_method(struct tile_search *search, const struct search_options *options)
{
    const struct board *board = &search->tiles.slide->puzzle.board;
    if (search->lookup == NULL) {
        strcpy(search->method, board->places == board->rows * board->columns
                                   ? "Manhattan distance and linear conflicts"
                                   : "distances of single tiles and linear conflicts");
        return;
    }
    bool reflections;
    const unsigned images = tile_lookup_images(search->lookup, &reflections);
    const int length = snprintf(search->method, sizeof search->method, "pattern databases %.80s",
                                options->patterns->shape);
    if (images > 0)
        snprintf(search->method + length, sizeof search->method - (size_t)length, " and %u %s%s", images,
                 reflections ? "reflection" : "image", plural(images));
}

pdb_status slide_searcher(const struct puzzle *puzzle, const struct search_options *options, struct searcher **out,
                          pdb_error *error)
{
    struct tile_search *search = calloc(1, sizeof *search);
    *out = NULL;
    if (search == NULL)
        return error_no_memory(error, "a search", sizeof *search);
    search->searcher = (struct searcher){&tile_searcher, puzzle};
    search->threads = options->threads;
    pdb_status status = PDB_OK;
    if (!tiles_make((const struct slide *)puzzle, &search->tiles))
        status = error_set(error, PDB_NO_DATABASE, "%s: not a board of different tiles and one empty cell",
                           puzzle->name);
    else if (!tiles_reach_all(&search->tiles))
        status = error_set(error, PDB_NO_DATABASE,
                           "%s: its board is a ring, or falls apart without one of its cells: which boards reach the "
                           "goal is no question of parity there",
                           puzzle->name);
    if (status == PDB_OK)
        status = make_machine(search, options->no_machine ? UNDO_LENGTH : WORD_LENGTH, error);
    if (status == PDB_OK)
        status = options->patterns != NULL ? tile_lookup_create(&search->tiles, options, &search->lookup, error)
                                           : tile_lines_create(&search->tiles, &search->lines, error);
    if (status != PDB_OK) {
        tile_search_free(&search->searcher);
        return status;
    }
    find_ways(search);
    name_method(search, options);
    *out = &search->searcher;
    return PDB_OK;
}
