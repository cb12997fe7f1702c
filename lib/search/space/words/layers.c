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
 * Where the planes are cut into runs (runs.h), a layer is made slab by slab, each like a layer of its own; all that is
 * said here holds for every slab. Where they are shared out among ranks (ghosts.h), every rank makes a layer of its own
 * groups, and lists states of these; where both is so, of its own slabs.
 *
 * A layer that was interrupted stays half made: what it has found is counted in kept.found, and the next attempt finds
 * the rest.
 */
#include "inner.h"
#include "lib/numbers.h"
#include "lib/memory/pages.h"

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

/* Have all groups as many words? */
static bool even(const struct layer_kernel *kernel)
{
    return kernel->words == kernel->groups * kernel->words_max;
}

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
    layers->push_max = plan->runs != NULL || plan->ghosts != NULL ? 0 : thin < PUSH_MAX ? thin : PUSH_MAX;
    layers->self = layers;
    layers->list_enough = layers->push_max > least ? layers->push_max : least;
    /* What an interrupted attempt listed, of ranks as much as has room; enough; and as much again as a push may
     * find, or the chunks that threads may have begun before there was enough. A list is cut down where that does not
     * do. */
    const uint64_t chunk_words = layers->chunk_groups * kernel->words_max;
    layers->list_room = (plan->ghosts == NULL ? RETROGRADE_HARDEST_MAX : 0) + 2 * layers->list_enough +
                        2 * plan->threads * chunk_words;

    layers->kept = arena_take(&arena, 1, sizeof *layers->kept);
    layers->last.entry = arena_take(&arena, layers->list_room, sizeof *layers->last.entry);
    layers->next.entry = arena_take(&arena, layers->list_room, sizeof *layers->next.entry);
    /* whole groups are taken; or as many as another rank may have */
    const uint64_t group_states = (uint64_t)kernel->words_max * kernel->bits,
                   others = plan->ghosts != NULL ? RETROGRADE_HARDEST_MAX : 0;
    layers->lowest = arena_take(&arena, RETROGRADE_HARDEST_MAX + (group_states > others ? group_states : others),
                                sizeof *layers->lowest);
    layers->batch = arena_take(&arena, LAYER_PUSH_BATCH * (plan->puzzle->max_moves + 1), sizeof *layers->batch);
    layers->full = arena_take(&arena, kernel->groups, 1);
    layers->news = arena_take(&arena, kernel->groups, 1);
    layers->next_news = arena_take(&arena, kernel->groups, 1);
    layers->first = even(kernel) ? NULL : arena_take(&arena, kernel->groups + 1, sizeof *layers->first);
    if (plan->runs != NULL || plan->ghosts != NULL) /* else it lies over the planes */
        layers->packed = arena_take(&arena, plan->threads, encoding_bytes(ENCODING_MOD3_2BIT, LAYER_STRETCH_STATES));
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
    return (plan->puzzle->coloured ? 2 : 3) * sizeof(uint64_t) *
           (plan->ghosts != NULL ? plan->ghosts->own_words + 1 : plan->kernel->words);
}

static uint64_t memory_of(const struct retrograde_plan *plan, unsigned width)
{
    struct layers layers;
    (void)width;
    return sizeof layers + lay_out(&layers, plan, NULL) + ARENA_ALIGNMENT + plan->kernel->bytes +
           (plan->runs != NULL ? runs_bytes(plan->runs) : pages_bytes(plane_bytes(plan))) +
           (plan->ghosts != NULL ? ghosts_bytes(plan->ghosts) : 0) +
           (plan->ghosts != NULL && plan->runs != NULL ? ranked_window_bytes(plan) : 0);
}

static pdb_status cut(struct retrograde_plan *plan, uint64_t bytes, pdb_error *error)
{
    struct runs none = {0};
    pdb_status status = ranked_begin_runs(plan, error);
    if (status != PDB_OK)
        return status;
    struct retrograde_plan other = *plan;
    other.runs = &none;
    const uint64_t beside = memory_of(&other, 1);
    status = runs_cut(plan, bytes > beside ? bytes - beside : 0, &plan->runs, &plan->scratch_least, error);
    plan->scratch_least += plan->scratch_least > 0 ? beside : 0;
    ranked_take_runs(plan);
    return status;
}

/* Where the groups' words begin; those without states are full. */
static void number_words(struct layers *layers)
{
    const struct layer_kernel *kernel = layers->kernel;
    uint64_t word = 0;
    for (uint64_t group = 0; group < kernel->groups; group++) {
        const uint64_t words = (kernel->states(kernel, group) + kernel->bits - 1) / kernel->bits;
        if (layers->first != NULL)
            layers->first[group] = word;
        word += words;
        layers->full[group] = words == 0;
    }
    if (layers->first != NULL)
        layers->first[kernel->groups] = word;
}

static bool allocate(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct layers *layers = layers_of(search);
    layers->memory = calloc(1, lay_out(layers, plan, NULL) + ARENA_ALIGNMENT);
    layers->runs = plan->runs;
    layers->ghosts = plan->ghosts;
    if (plan->runs == NULL)
        layers->plane = pages_take(plane_bytes(plan));
    if (layers->memory == NULL || (plan->runs == NULL && layers->plane == NULL))
        return false;
    lay_out(layers, plan, arena_begin(layers->memory));
    number_words(layers);
    if (plan->runs != NULL)
        return runs_begin(plan->runs, &plan->scratch);
    if (plan->ghosts != NULL && !ghosts_begin(plan->ghosts, layers->first))
        return false;
    pages_fill(layers->plane, 0, plane_bytes(plan), &search->team);
    return true;
}

static void release(struct retrograde *search)
{
    struct layers *layers = layers_of(search);
    free(layers->plane);
    runs_free(layers->runs);
    ghosts_free(layers->ghosts);
    free(layers->memory);
    layers->kernel->free(layers->kernel);
}

/* -- pulling -- */

/* What the threads of a pull share. */
struct pull {
    struct layers *layers;
    struct watch *watch;
    uint64_t first, past; /* groups */
    uint64_t chunks;
    struct layer_share share;
    pthread_mutex_t list;
    uint64_t listed;  /* states that chunks have put into the list */
    uint64_t highest; /* of those chunks, plus one */
    uint64_t found;
    unsigned last, next; /* planes */
};

/* Is there enough in the list from chunks before this one, or from groups before its own? */
static bool listed_enough(const struct layers *layers, const struct pull *pull, uint64_t chunk)
{
    const uint64_t groups = __atomic_load_n(&layers->listed_groups, __ATOMIC_RELAXED);
    if (groups > 0 && pull->first + chunk * layers->chunk_groups >= groups)
        return true;
    return __atomic_load_n(&pull->listed, __ATOMIC_ACQUIRE) >= layers->list_enough &&
           chunk >= __atomic_load_n(&pull->highest, __ATOMIC_RELAXED);
}

static void list_chunk(struct layers *layers, struct pull *pull, const struct layer_worker *worker, uint64_t chunk)
{
    uint64_t states = 0;
    pthread_mutex_lock(&pull->list);
    for (size_t i = 0; i < worker->entries; i++)
        states += layers_list_add(layers, &layers->next, worker->entry[i].word, worker->entry[i].bits);
    if (pull->highest < chunk + 1)
        __atomic_store_n(&pull->highest, chunk + 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&pull->listed, states, __ATOMIC_RELEASE);
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
    const uint64_t *const source = worker->source, **const words = asking->source;
    const struct layer_view last = layers_view(layers, pull->last);
    const uint8_t *const has_news = layers->news;
    bool news = false;
    for (size_t i = 0; i < count; i++) {
        words[i] = has_news[source[i]] ? layers_seen(&last, source[i]) : NULL;
        if (words[i] == NULL)
            continue;
        fetch(layers, words[i], layers_words(layers, source[i]));
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
    if (asking->group < past && layers->kernel->words >= CACHED_WORDS)
        for (unsigned p = 0; p < layers->planes; p++)
            fetch(layers, layers_plane(layers, asking->group, p), layers_words(layers, asking->group));
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
    const uint64_t *const plane[3] = {layers_plane(layers, group, 0), layers_plane(layers, group, 1),
                                      layers_plane(layers, group, layers->planes - 1)};
    if (!layers->loops->unvisited(plane, layers->planes, layers_words(layers, group), layer_low(kernel->bits),
                                  layers_last(layers, group), worker->want)) {
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
    const uint64_t first = pull->first + chunk * layers->chunk_groups, end = first + layers->chunk_groups,
                   past = end < pull->past ? end : pull->past;
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
        watch_look(pull->watch, pull->share.before + pull->share.size * (double)chunk / (double)pull->chunks);
}

uint64_t layers_pull(struct layers *layers, uint64_t first, uint64_t past, struct watch *watch,
                     const struct layer_share *share)
{
    const uint64_t depth = layers->search.state->depth;
    struct pull pull = {.layers = layers,
                        .watch = watch,
                        .first = first,
                        .past = past,
                        .chunks = team_shares(past - first, layers->chunk_groups),
                        .share = *share,
                        .list = PTHREAD_MUTEX_INITIALIZER,
                        .last = layers_residue(layers, depth),
                        .next = layers_residue(layers, depth + 1)};
    team_run(layers_team(layers), pull.chunks, pull_share, &pull);
    return pull.found;
}

/* -- pushing -- */

/* Is the last layer thin, and all of it in the list? */
static bool thin(const struct layers *layers)
{
    return layers->last.states == layers->search.state->layer && layers->search.state->layer <= layers->push_max;
}

/* The word of this number in a plane. */
static uint64_t *word_of(const struct layers *layers, uint64_t word, unsigned plane)
{
    return layers_plane(layers, word / LAYER_WORDS_MAX, plane) + word % LAYER_WORDS_MAX;
}

void layers_visit(struct layers *layers, uint64_t address, uint64_t depth)
{
    const uint64_t bit = (uint64_t)1 << address % 64;
    uint64_t visited = 0;
    for (unsigned p = 0; p < layers->planes; p++)
        visited |= *word_of(layers, address / 64, p);
    if (visited & bit)
        return;
    *word_of(layers, address / 64, layers_residue(layers, depth)) |= bit;
    layers->next_news[address / 64 / LAYER_WORDS_MAX] = 1;
    layers->kept->found++;
    layers_list_add(layers, &layers->next, address / 64, bit);
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
        for (unsigned p = 0; p < layers->planes; p++)
            __builtin_prefetch(word_of(layers, next[i] / 64, p));
    }
    for (size_t i = 0; i < total; i++)
        layers_visit(layers, next[i], layers->search.state->depth + 1);
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
    layers->listed_groups = 0;
    uint8_t *news = layers->news;
    layers->news = layers->next_news;
    layers->next_news = news;
    if (was_thin) /* a layer costs what it holds */
        for (size_t i = 0; i < list.entries; i++)
            news[list.entry[i].word / LAYER_WORDS_MAX] = 0;
    else
        memset(news, 0, layers->kernel->groups);
    if (layers->runs != NULL)
        runs_take_layer(layers->runs);
}

static pdb_status next_layer(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    struct layers *layers = layers_of(search);
    pdb_status status = PDB_OK;
    bool whole = true;
    if (layers->runs != NULL)
        status = (layers->ghosts != NULL ? shared_layer : runs_layer)(layers, watch, &whole, error);
    else if (layers->ghosts != NULL)
        ranked_layer(layers, watch);
    else if (thin(layers))
        push_layer(layers, watch);
    else
        layers->kept->found += layers_pull(layers, 0, layers->kernel->groups, watch, &(struct layer_share){0, 1});
    if (status == PDB_OK && watch->stopped)
        status = PDB_INTERRUPTED;
    if (status != PDB_OK) {
        layers_shorten(layers, &layers->next);
        return status;
    }
    *done = whole && layers->kept->found == 0;
    if (whole && !*done)
        take_layer(layers, search->state->depth + 1);
    return PDB_OK;
}

static pdb_status visit_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct layers *layers = context;
    if (layers->runs != NULL)
        return runs_goals(layers, index, count, error);
    if (layers->ghosts != NULL) {
        ranked_goals(layers, index, count);
        return PDB_OK;
    }
    for (size_t i = 0; i < count; i++)
        layers_visit(layers, layers->kernel->address(layers->kernel, index[i]), 0);
    return PDB_OK;
}

static pdb_status take_goals(struct retrograde *search, pdb_error *error)
{
    pdb_status status = retrograde_goals(search, visit_goals, search, error);
    struct layers *layers = layers_of(search);
    ranked_sum(layers, &layers->kept->found, 1);
    if (status == PDB_OK)
        take_layer(layers, 0);
    return status;
}

const struct way way_by_words = {.text = "in layers by words",
                                 .layout = "groups of planes",
                                 .size = sizeof(struct layers),
                                 .memory = memory_of,
                                 .cut = cut,
                                 .share_out = ranked_share_out,
                                 .allocate = allocate,
                                 .release = release,
                                 .goals = take_goals,
                                 .layer = next_layer,
                                 .parts = layers_parts,
                                 .resume = layers_resume,
                                 .settle = layers_settle,
                                 .kept = layers_kept,
                                 .crowded = layers_crowded,
                                 .hand_out = layers_hand_out,
                                 .move = ranked_move,
                                 .serve = ranked_serve,
                                 .finish = layers_finish};
