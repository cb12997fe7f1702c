/* layers_memory.c -- breadth-first layers made a word of states at a time: what they take of memory */
#include "lib/pages.h"
#include "layers_inner.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_WORDS = 4096, /* at least, of a plane, where no group is small */
    PUSH_SHARE = 64,    /* a layer is thin if it has a state for so many words of a plane, or fewer: measured */
    PUSH_MAX = 1 << 20  /* and no more than so many, for which lists have room */
};

/* What the search is made of: sizes, and where its buffers lie. Returns their bytes. */
static uint64_t lay_out(struct layers *layers, const struct retrograde_plan *plan, uint8_t *memory)
{
    const struct layer_kernel *kernel = plan->kernel;
    const uint64_t states = plan->puzzle->states,
                   least = states < RETROGRADE_HARDEST_MAX ? states : RETROGRADE_HARDEST_MAX,
                   thin = kernel->words / PUSH_SHARE;
    struct arena arena = {.memory = memory};
    layers->kernel = plan->kernel;
    layers->planes = plan->puzzle->coloured ? 2 : 3;
    layers->words = layer_words(kernel->portable);
    layers->chunk_groups = (CHUNK_WORDS + kernel->words_max - 1) / kernel->words_max;
    layers->push_max = thin < PUSH_MAX ? thin : PUSH_MAX;
    layers->list_enough = layers->push_max > least ? layers->push_max : least;
    /* What an interrupted attempt listed; enough; and as much again as a push may find, or the chunks that threads may
     * have begun before there was enough. A list is cut down where that does not do. */
    const uint64_t chunk_words = layers->chunk_groups * kernel->words_max;
    layers->list_room = RETROGRADE_HARDEST_MAX + 2 * layers->list_enough + 2 * plan->threads * chunk_words;

    layers->kept = arena_take(&arena, 1, sizeof *layers->kept);
    layers->last.entry = arena_take(&arena, layers->list_room, sizeof *layers->last.entry);
    layers->next.entry = arena_take(&arena, layers->list_room, sizeof *layers->next.entry);
    /* whole groups are taken */
    layers->lowest = arena_take(&arena, RETROGRADE_HARDEST_MAX + (uint64_t)kernel->words_max * kernel->bits,
                                sizeof *layers->lowest);
    layers->batch = arena_take(&arena, LAYER_PUSH_BATCH * (plan->puzzle->max_moves + 1), sizeof *layers->batch);
    layers->full = arena_take(&arena, kernel->groups, 1);
    layers->news = arena_take(&arena, kernel->groups, 1);
    layers->next_news = arena_take(&arena, kernel->groups, 1);
    layers->first = arena_take(&arena, kernel->groups + 1, sizeof *layers->first);
    layers->workers = arena_take(&arena, plan->threads, sizeof *layers->workers);
    for (unsigned t = 0; t < plan->threads; t++) {
        struct layer_worker none, *worker = memory != NULL ? &layers->workers[t] : &none;
        worker->source = arena_take(&arena, kernel->sources_max, sizeof *worker->source);
        for (unsigned i = 0; i < 2; i++)
            worker->asking[i].source = arena_take(&arena, kernel->sources_max, sizeof *worker->asking[i].source);
        worker->entry = arena_take(&arena, chunk_words, sizeof *worker->entry);
        worker->stretch.bitmap = arena_take(&arena, 1, layers_stretch_bytes(plan->puzzle));
    }
    return arena.used;
}

static uint64_t plane_bytes(const struct retrograde_plan *plan)
{
    return (plan->puzzle->coloured ? 2 : 3) * plan->kernel->words * sizeof(uint64_t);
}

uint64_t layers_memory(const struct retrograde_plan *plan, bool deep)
{
    struct layers layers;
    (void)deep;
    return sizeof layers + lay_out(&layers, plan, NULL) + pages_bytes(plane_bytes(plan)) + plan->kernel->bytes;
}

/* Where the groups' words begin. */
static void number_words(struct layers *layers)
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
    layers->memory = calloc(1, lay_out(layers, plan, NULL));
    layers->plane = pages_take(plane_bytes(plan));
    if (layers->memory == NULL || layers->plane == NULL)
        return false;
    lay_out(layers, plan, layers->memory);
    number_words(layers);
    pages_fill(layers->plane, 0, plane_bytes(plan), plan->threads);
    return true;
}

void layers_release(struct retrograde *search)
{
    struct layers *layers = layers_of(search);
    free(layers->plane);
    free(layers->memory);
    layers->kernel->free(layers->kernel);
}
