/* layers.c -- breadth-first layers made a word of states at a time: the engine
 *
 * A group is passed over where it is full, where it has states of the last layer itself and moves change a colour, or
 * where no group that its neighbours lie in has a state of the last layer; a byte a group says each of these. Groups
 * are shared out among threads in chunks, ascending.
 *
 * Of every layer a list is kept, of the words that got states with the lowest indices: enough of them for
 * RETROGRADE_HARDEST_MAX states. If the layer is the deepest, those are the hardest states; if it is thin, the list is
 * all of it, and the next one is pushed from it. A chunk need not be listed once the chunks before it have given
 * enough; as threads finish in any order, "before it" is made sure by the number of the highest chunk listed so far.
 *
 * A layer that was interrupted stays half made: what it has found is counted in kept.found, and the next attempt finds
 * the rest.
 */
#include "layers_inner.h"
#include "lib/numbers.h"
#include "lib/pages.h"

#include <stdlib.h>
#include <string.h>

enum {
    CACHED_WORDS = 1 << 17, /* with fewer, planes are in the cache anyway */
    LINE_WORDS = 8,         /* of the cache */
    CHUNK_WORDS = 4096,     /* at least, of a plane, where no group is small */
    PUSH_SHARE = 64,        /* a layer is thin if it has a state for so many words of a plane, or fewer: measured */
    PUSH_MAX = 1 << 20      /* and no more than so many, for which lists have room */
};

/* -- memory -- */

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
    layers->loops = layer_loops(kernel->portable);
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

static uint64_t memory_of(const struct retrograde_plan *plan, unsigned width)
{
    struct layers layers;
    (void)width;
    return sizeof layers + lay_out(&layers, plan, NULL) + pages_bytes(plane_bytes(plan)) + plan->kernel->bytes;
}

/* Where the groups' words begin; those without states are full. */
static void number_words(struct layers *layers)
{
    const struct layer_kernel *kernel = layers->kernel;
    uint64_t word = 0;
    for (uint64_t group = 0; group < kernel->groups; group++) {
        layers->first[group] = word;
        word += (kernel->states(kernel, group) + kernel->bits - 1) / kernel->bits;
        layers->full[group] = word == layers->first[group];
    }
    layers->first[kernel->groups] = word;
}

static bool allocate(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct layers *layers = layers_of(search);
    layers->memory = calloc(1, lay_out(layers, plan, NULL));
    layers->plane = pages_take(plane_bytes(plan));
    if (layers->memory == NULL || layers->plane == NULL)
        return false;
    lay_out(layers, plan, layers->memory);
    number_words(layers);
    pages_fill(layers->plane, 0, plane_bytes(plan), &search->team);
    return true;
}

static void release(struct retrograde *search)
{
    struct layers *layers = layers_of(search);
    free(layers->plane);
    free(layers->memory);
    layers->kernel->free(layers->kernel);
}

/* -- lists of a layer's lowest states -- */

/* Groups are in the order of the indices, their words need not be: whole groups are taken, then sorted. */
size_t layers_lowest(struct layers *layers, struct layer_list *list)
{
    const struct layer_kernel *kernel = layers->kernel;
    size_t count = 0;
    uint64_t group = UINT64_MAX;
    qsort(list->entry, list->entries, sizeof *list->entry, compare_numbers); /* by their words */
    for (size_t i = 0; i < list->entries; i++) {
        const struct layer_entry *entry = &list->entry[i];
        if (entry->word / LAYER_WORDS_MAX != group && count >= RETROGRADE_HARDEST_MAX)
            break;
        group = entry->word / LAYER_WORDS_MAX;
        for (uint64_t bits = entry->bits; bits != 0; bits &= bits - 1)
            layers->lowest[count++] = kernel->index(kernel, 64 * entry->word + (unsigned)__builtin_ctzll(bits));
    }
    sort_numbers(layers->lowest, count);
    return count < RETROGRADE_HARDEST_MAX ? count : RETROGRADE_HARDEST_MAX;
}

void layers_list(const struct layers *layers, struct layer_list *list, const uint64_t *index, size_t count)
{
    list->entries = 0;
    list->states = count;
    for (size_t i = 0; i < count; i++) {
        const uint64_t address = layers->kernel->address(layers->kernel, index[i]);
        list->entry[list->entries++] = (struct layer_entry){address / 64, (uint64_t)1 << address % 64};
    }
}

/* Cuts a list down to the lowest states. */
static void shorten(struct layers *layers, struct layer_list *list)
{
    layers_list(layers, list, layers->lowest, layers_lowest(layers, list));
}

static void list_add(struct layers *layers, struct layer_list *list, uint64_t word, uint64_t bits)
{
    if (list->entries == layers->list_room)
        shorten(layers, list);
    list->entry[list->entries++] = (struct layer_entry){word, bits};
    list->states += (unsigned)__builtin_popcountll(bits);
}

/* -- pulling -- */

/* What the threads of a pull share. */
struct pull {
    struct layers *layers;
    struct watch *watch;
    uint64_t chunks;
    pthread_mutex_t list;
    uint64_t listed;  /* states that chunks have put into the list */
    uint64_t highest; /* of those chunks, plus one */
    uint64_t found;
    unsigned last, next; /* planes */
};

/* Is there enough in the list from chunks before this one? */
static bool listed_enough(const struct layers *layers, const struct pull *pull, uint64_t chunk)
{
    return __atomic_load_n(&pull->listed, __ATOMIC_ACQUIRE) >= layers->list_enough &&
           chunk >= __atomic_load_n(&pull->highest, __ATOMIC_RELAXED);
}

static void list_chunk(struct layers *layers, struct pull *pull, const struct layer_worker *worker, uint64_t chunk)
{
    struct layer_list *list = &layers->next;
    pthread_mutex_lock(&pull->list);
    const uint64_t before = list->states;
    for (size_t i = 0; i < worker->entries; i++)
        list_add(layers, list, worker->entry[i].word, worker->entry[i].bits);
    if (pull->highest < chunk + 1)
        __atomic_store_n(&pull->highest, chunk + 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&pull->listed, list->states - before, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&pull->list);
}

/* Has a group nothing to ask for, at first sight: because it is full, or because it has states of the last layer, and
 * so the wrong colour where there is a colouring? */
static bool passed_over(const struct layers *layers, uint64_t group)
{
    return layers->full[group] || (layers->planes == 2 && layers->news[group]);
}

/* Begins to fetch words into the cache. Inline, as gcc takes a function that only does this for one without effect, and
 * its calls away. */
__attribute__((always_inline)) static inline void fetch(const struct layers *layers, const uint64_t *words,
                                                        size_t count)
{
    if (layers->kernel->words < CACHED_WORDS)
        return;
    for (size_t i = 0; i < count; i += LINE_WORDS)
        __builtin_prefetch(words + i, 0, 2);
}

/* The sources of a group; false where none of them has news. */
static bool find_sources(const struct layers *layers, const struct pull *pull, struct layer_worker *worker,
                         struct layer_asking *asking)
{
    const size_t count = layers->kernel->sources(layers->kernel, asking->group, worker->source);
    bool news = false;
    for (size_t i = 0; i < count; i++) {
        const uint64_t source = worker->source[i];
        asking->source[i] = NULL;
        if (!layers->news[source])
            continue;
        asking->source[i] = layers_plane(layers, source, pull->last);
        fetch(layers, asking->source[i], layers_words(layers, source));
        news = true;
    }
    return news;
}

/* Goes on to the next group before `past` that may find something, from asking->group on, and fetches its memory: that
 * takes as long as pulling the group before it does, and is done meanwhile. */
static void look_ahead(const struct layers *layers, const struct pull *pull, struct layer_worker *worker,
                       struct layer_asking *asking, uint64_t past)
{
    while (asking->group < past && (passed_over(layers, asking->group) || !find_sources(layers, pull, worker, asking)))
        asking->group++;
    if (asking->group < past)
        fetch(layers, layers_plane(layers, asking->group, 0),
              (size_t)layers->planes * layers_words(layers, asking->group));
}

/* Puts the group's new states into their plane. Returns how many there are. */
static uint64_t take_found(struct layers *layers, const struct pull *pull, struct layer_worker *worker, uint64_t group,
                           bool list)
{
    const uint32_t words = layers_words(layers, group);
    const uint64_t count = layers->loops->add(layers_plane(layers, group, pull->next), worker->found, worker->want,
                                              words);
    for (uint32_t w = 0; list && count > 0 && w < words; w++)
        if (worker->found[w] != 0)
            worker->entry[worker->entries++] = (struct layer_entry){group * LAYER_WORDS_MAX + w, worker->found[w]};
    layers->next_news[group] |= count > 0;
    return count;
}

/* One group of the next layer, in three steps: what is wanted, the states that no plane has; what is found, those of
 * them that have a neighbour in the last layer, which the kernel knows how to ask; and that goes into the next plane. A
 * group with nothing left to want is never looked at again. */
static uint64_t pull_group(struct layers *layers, const struct pull *pull, struct layer_worker *worker,
                           const struct layer_asking *asking, bool list)
{
    const struct layer_kernel *kernel = layers->kernel;
    const uint64_t group = asking->group;
    if (!layers->loops->unvisited(layers_plane(layers, group, 0), layers->planes, layers_words(layers, group),
                                  layer_low(kernel->bits), layers_last(layers, group), worker->want)) {
        layers->full[group] = 1;
        return 0;
    }
    kernel->pull(kernel, group, asking->source, worker->want, worker->found);
    return take_found(layers, pull, worker, group, list);
}

/* The groups of a chunk, one by one, those that may find something: while one is pulled, the memory of the one after it
 * is on its way. */
static uint64_t pull_chunk(struct layers *layers, struct pull *pull, struct layer_worker *worker, uint64_t chunk)
{
    const struct layer_kernel *kernel = layers->kernel;
    const uint64_t first = chunk * layers->chunk_groups, end = first + layers->chunk_groups,
                   past = end < kernel->groups ? end : kernel->groups;
    const bool list = !listed_enough(layers, pull, chunk);
    struct layer_asking *asking = &worker->asking[0], *ahead = &worker->asking[1];
    uint64_t count = 0;
    worker->entries = 0;
    asking->group = first;
    look_ahead(layers, pull, worker, asking, past);
    while (asking->group < past) {
        ahead->group = asking->group + 1;
        look_ahead(layers, pull, worker, ahead, past);
        count += pull_group(layers, pull, worker, asking, list);
        struct layer_asking *done = asking;
        asking = ahead;
        ahead = done;
    }
    if (worker->entries > 0)
        list_chunk(layers, pull, worker, chunk);
    return count;
}

static void pull_share(void *context, unsigned thread, uint64_t chunk)
{
    struct pull *pull = context;
    if (watch_stopped(pull->watch))
        return;
    const uint64_t found = pull_chunk(pull->layers, pull, &pull->layers->workers[thread], chunk);
    __atomic_fetch_add(&pull->found, found, __ATOMIC_RELAXED);
    if (thread == 0)
        watch_look(pull->watch, (double)chunk / (double)pull->chunks);
}

static void pull_layer(struct layers *layers, struct watch *watch)
{
    const uint64_t depth = layers->search.state->depth;
    struct pull pull = {.layers = layers,
                        .watch = watch,
                        .chunks = team_shares(layers->kernel->groups, layers->chunk_groups),
                        .list = PTHREAD_MUTEX_INITIALIZER,
                        .last = layers_residue(layers, depth),
                        .next = layers_residue(layers, depth + 1)};
    team_run(layers_team(layers), pull.chunks, pull_share, &pull);
    layers->kept->found += pull.found;
}

/* -- pushing -- */

/* Is the last layer thin, and all of it in the list? */
static bool thin(const struct layers *layers)
{
    return layers->last.states == layers->search.state->layer && layers->search.state->layer <= layers->push_max;
}

/* Where the state at this address is in plane 0. */
static uint64_t *place_of(const struct layers *layers, uint64_t address)
{
    const uint64_t word = address / 64;
    return layers_plane(layers, word / LAYER_WORDS_MAX, 0) + word % LAYER_WORDS_MAX;
}

/* Visits the state at this address, if it has not been visited. */
static void visit(struct layers *layers, uint64_t address, uint64_t depth)
{
    const uint64_t group = address / 64 / LAYER_WORDS_MAX, bit = (uint64_t)1 << address % 64;
    const uint32_t words = layers_words(layers, group);
    uint64_t *plane = place_of(layers, address), visited = 0;
    for (unsigned p = 0; p < layers->planes; p++)
        visited |= plane[p * words];
    if (visited & bit)
        return;
    plane[layers_residue(layers, depth) * words] |= bit;
    layers->next_news[group] = 1;
    layers->kept->found++;
    list_add(layers, &layers->next, address / 64, bit);
}

/* The neighbours of a batch. Their words are asked for before they are needed. */
static void push_batch(struct layers *layers, size_t count)
{
    const struct layer_kernel *kernel = layers->kernel;
    uint16_t number[LAYER_PUSH_BATCH];
    uint64_t *next = layers->batch + LAYER_PUSH_BATCH;
    const size_t total = layers->search.puzzle->family->index.predecessors(layers->search.puzzle, layers->batch, count,
                                                                           next, number);
    for (size_t i = 0; i < total; i++) {
        next[i] = kernel->address(kernel, next[i]);
        const uint64_t *plane = place_of(layers, next[i]);
        for (unsigned p = 0; p < layers->planes; p++)
            __builtin_prefetch(plane + p * layers_words(layers, next[i] / 64 / LAYER_WORDS_MAX));
    }
    for (size_t i = 0; i < total; i++)
        visit(layers, next[i], layers->search.state->depth + 1);
}

/* From a list of the last layer's states: their neighbours, a batch of states at a time. */
static void push_layer(struct layers *layers, struct watch *watch)
{
    const struct layer_kernel *kernel = layers->kernel;
    const struct layer_list *list = &layers->last;
    size_t count = 0;
    for (size_t i = 0; i < list->entries && !watch->stopped; i++)
        for (uint64_t bits = list->entry[i].bits; bits != 0; bits &= bits - 1) {
            layers->batch[count++] = kernel->index(kernel, 64 * list->entry[i].word + (unsigned)__builtin_ctzll(bits));
            if (count == LAYER_PUSH_BATCH) {
                push_batch(layers, count);
                count = 0;
                watch_look(watch, (double)i / (double)list->entries);
            }
        }
    push_batch(layers, count);
    watch_look(watch, 1);
}

/* -- layers -- */

/* Makes what was found, which is not nothing, the last layer. */
static void take_layer(struct layers *layers, uint64_t depth)
{
    struct search_state *state = layers->search.state;
    const bool was_thin = thin(layers);
    state->depth = depth;
    state->layer = layers->kept->found;
    state->reached += layers->kept->found;
    state->histogram[depth] = layers->kept->found;
    layers->kept->found = 0;
    const struct layer_list list = layers->last;
    layers->last = layers->next;
    layers->next = (struct layer_list){.entry = list.entry};
    uint8_t *news = layers->news;
    layers->news = layers->next_news;
    layers->next_news = news;
    if (was_thin) /* a layer costs what it holds */
        for (size_t i = 0; i < list.entries; i++)
            news[list.entry[i].word / LAYER_WORDS_MAX] = 0;
    else
        memset(news, 0, layers->kernel->groups);
}

static pdb_status next_layer(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    struct layers *layers = layers_of(search);
    (void)error;
    if (thin(layers))
        push_layer(layers, watch);
    else
        pull_layer(layers, watch);
    if (watch->stopped) {
        shorten(layers, &layers->next);
        return PDB_INTERRUPTED;
    }
    *done = layers->kept->found == 0;
    if (!*done)
        take_layer(layers, search->state->depth + 1);
    return PDB_OK;
}

static pdb_status visit_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct layers *layers = context;
    (void)error;
    for (size_t i = 0; i < count; i++)
        visit(layers, layers->kernel->address(layers->kernel, index[i]), 0);
    return PDB_OK;
}

static pdb_status take_goals(struct retrograde *search, pdb_error *error)
{
    pdb_status status = search->puzzle->family->index.goals(search->puzzle, visit_goals, search, error);
    if (status == PDB_OK)
        take_layer(layers_of(search), 0);
    return status;
}

const struct way way_by_words = {.text = "in layers by words",
                                 .layout = "groups of planes",
                                 .size = sizeof(struct layers),
                                 .memory = memory_of,
                                 .allocate = allocate,
                                 .release = release,
                                 .goals = take_goals,
                                 .layer = next_layer,
                                 .parts = layers_parts,
                                 .resume = layers_resume,
                                 .finish = layers_finish};
