/* layers_memory.c -- breadth-first layers made a word of states at a time: what they take of memory */
#include "lib/pages.h"
#include "layers_inner.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_WORDS = 4096,    /* at least, of a plane, where no group is small */
    PUSH_SHARE = 64,       /* a layer is thin if it has a state for so many words of a plane, or fewer: measured */
    PUSH_MAX = 1 << 20,    /* and no more than so many, for which lists have room */
    MANY_BYTES = 16 << 20, /* from here on threads touch memory together */
    TOUCH = 1 << 16        /* bytes that a thread touches at once */
};

unsigned layers_plane_count(const struct puzzle *puzzle)
{
    return puzzle->coloured ? 2 : 3;
}

uint64_t layers_chunk_groups(const struct layer_kernel *kernel)
{
    return (CHUNK_WORDS + kernel->words_max - 1) / kernel->words_max;
}

/* Words of a chunk, at most. */
static uint64_t chunk_words(const struct layer_kernel *kernel)
{
    return layers_chunk_groups(kernel) * kernel->words_max;
}

static uint64_t plane_bytes(const struct puzzle *puzzle, const struct layer_kernel *kernel)
{
    return layers_plane_count(puzzle) * kernel->words * sizeof(uint64_t);
}

uint64_t layers_push_max(const struct layer_kernel *kernel)
{
    const uint64_t states = kernel->words / PUSH_SHARE;
    return states < PUSH_MAX ? states : PUSH_MAX;
}

uint64_t layers_list_enough(const struct puzzle *puzzle, const struct layer_kernel *kernel)
{
    const uint64_t thin = layers_push_max(kernel), all = puzzle->states,
                   least = all < RETROGRADE_HARDEST_MAX ? all : RETROGRADE_HARDEST_MAX;
    return thin > least ? thin : least;
}

/* Entries of a list: what an interrupted attempt listed; enough; and as much again as a push may find, or the chunks that
 * threads may have begun before there was enough. It is cut down where that does not do. */
uint64_t layers_list_room(const struct puzzle *puzzle, unsigned threads, const struct layer_kernel *kernel)
{
    return RETROGRADE_HARDEST_MAX + 2 * layers_list_enough(puzzle, kernel) + 2 * threads * chunk_words(kernel);
}

static uint64_t worker_bytes(const struct puzzle *puzzle, const struct layer_kernel *kernel)
{
    return sizeof(struct layer_worker) + 3 * (kernel->sources_max + 1) * sizeof(uint64_t) +
           chunk_words(kernel) * sizeof(struct layer_entry) + layers_stretch_bytes(puzzle);
}

/* Of layers->lowest: whole groups are taken. */
static uint64_t lowest_room(const struct layer_kernel *kernel)
{
    return RETROGRADE_HARDEST_MAX + (uint64_t)kernel->words_max * kernel->bits;
}

uint64_t layers_memory(const struct retrograde_plan *plan, bool deep)
{
    const struct puzzle *puzzle = plan->puzzle;
    const struct layer_kernel *kernel = plan->kernel;
    (void)deep;
    return pages_bytes(plane_bytes(puzzle, kernel)) + LAYER_MARKS * kernel->groups +
           (kernel->groups + 1) * sizeof(uint64_t) + plan->threads * worker_bytes(puzzle, kernel) +
           2 * layers_list_room(puzzle, plan->threads, kernel) * sizeof(struct layer_entry) +
           sizeof(struct layers_kept) + sizeof(struct layers) +
           (lowest_room(kernel) + LAYER_PUSH_BATCH * (puzzle->max_moves + 1)) * sizeof(uint64_t) + kernel->bytes;
}

/* Fresh memory costs more than the search on it: threads touch it together. */
static bool allocate_planes(struct layers *layers)
{
    const uint64_t bytes = plane_bytes(layers->search.puzzle, layers->kernel);
    layers->plane = pages_take(bytes);
    if (layers->plane == NULL)
        return false;
#pragma omp parallel for num_threads(layers->search.threads) if (bytes >= MANY_BYTES) schedule(static)
    for (uint64_t first = 0; first < bytes; first += TOUCH)
        memset((uint8_t *)layers->plane + first, 0, bytes - first < TOUCH ? bytes - first : TOUCH);
    return true;
}

static bool allocate_workers(struct layers *layers)
{
    const struct layer_kernel *kernel = layers->kernel;
    layers->workers = calloc(layers->search.threads, sizeof *layers->workers);
    for (unsigned t = 0; layers->workers != NULL && t < layers->search.threads; t++) {
        struct layer_worker *worker = &layers->workers[t];
        worker->source = malloc(kernel->sources_max * sizeof *worker->source + 1);
        for (unsigned i = 0; i < 2; i++)
            worker->asking[i].source = malloc(kernel->sources_max * sizeof *worker->asking[i].source + 1);
        worker->entry = malloc(chunk_words(kernel) * sizeof *worker->entry);
        worker->stretch.bitmap = malloc(layers_stretch_bytes(layers->search.puzzle));
        if (!worker->source || !worker->asking[0].source || !worker->asking[1].source || !worker->entry ||
            !worker->stretch.bitmap)
            return false;
    }
    return layers->workers != NULL;
}

/* Where the groups' words begin. */
static void lay_out(struct layers *layers)
{
    const struct layer_kernel *kernel = layers->kernel;
    uint64_t word = 0;
    for (uint64_t group = 0; group < kernel->groups; group++) {
        layers->first[group] = word;
        word += (kernel->states(kernel, group) + kernel->bits - 1) / kernel->bits;
    }
    layers->first[kernel->groups] = word;
}

bool layers_allocate(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct layers *layers = layers_of(search);
    const struct layer_kernel *kernel = plan->kernel;
    layers->kernel = plan->kernel;
    layers->planes = layers_plane_count(plan->puzzle);
    layers->words = layer_words(kernel->portable);
    layers->list_room = layers_list_room(plan->puzzle, plan->threads, kernel);
    layers->kept = calloc(1, sizeof *layers->kept);
    layers->last.entry = malloc(layers->list_room * sizeof *layers->last.entry);
    layers->next.entry = malloc(layers->list_room * sizeof *layers->next.entry);
    layers->lowest = malloc(lowest_room(kernel) * sizeof *layers->lowest);
    layers->batch = malloc(LAYER_PUSH_BATCH * (plan->puzzle->max_moves + 1) * sizeof *layers->batch);
    layers->marks = calloc(LAYER_MARKS, kernel->groups);
    layers->first = malloc((kernel->groups + 1) * sizeof *layers->first);
    if (!layers->kept || !layers->last.entry || !layers->next.entry || !layers->lowest || !layers->batch ||
        !layers->marks || !layers->first)
        return false;
    layers->full = layers->marks;
    layers->news = layers->full + kernel->groups;
    layers->next_news = layers->news + kernel->groups;
    lay_out(layers);
    return allocate_workers(layers) && allocate_planes(layers);
}

void layers_release(struct retrograde *search)
{
    struct layers *layers = layers_of(search);
    for (unsigned t = 0; layers->workers != NULL && t < search->threads; t++) {
        free(layers->workers[t].source);
        free(layers->workers[t].asking[0].source);
        free(layers->workers[t].asking[1].source);
        free(layers->workers[t].entry);
        free(layers->workers[t].stretch.bitmap);
    }
    free(layers->workers);
    free(layers->plane);
    free(layers->marks);
    free(layers->first);
    free(layers->batch);
    free(layers->lowest);
    free(layers->next.entry);
    free(layers->last.entry);
    free(layers->kept);
    layers->kernel->free(layers->kernel);
}
