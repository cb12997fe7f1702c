/* multiset.c -- layers of sliding puzzles with many pieces alike: groups, their sources, states' places */
#include "multiset.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ORDERS = 16,     /* of a block: with fewer, a search state by state is as fast */
    MANY_GROUPS = 1 << 16, /* of a block: with more, they had better be larger */
    GROUPS_MAX = 1 << 20,
    ASKS_MAX = 1 << 24
};

static const struct multiset_layers *layers_of(const struct layer_kernel *kernel)
{
    return (const struct multiset_layers *)kernel;
}

static uint32_t group_states(const struct multiset_layers *layers, uint32_t group)
{
    return (uint32_t)(layers->group[group + 1].first - layers->group[group].first);
}

/* -- sources -- */

static size_t multiset_sources(const struct layer_kernel *kernel, uint64_t group, uint64_t *source)
{
    const struct multiset_layers *layers = layers_of(kernel);
    const struct slide_block *block = &layers->slide->block[group / layers->groups];
    const uint32_t inner = (uint32_t)(group % layers->groups);
    size_t count = 0;
    for (unsigned m = 0; m < block->moves; m++) {
        const struct multiset_move *move = &layers->move[block->first_move + m];
        const struct multiset_ask *ask = &move->window->ask[inner];
        for (uint32_t s = 0; s < ask->sources; s++)
            source[count++] = (uint64_t)move->target * layers->groups + layers->source[ask->first + s].group;
    }
    return count;
}

/* -- pulling -- */

static void pull_ask(const struct multiset_layers *layers, const struct multiset_ask *ask, const uint64_t *const *word,
                     uint32_t states, const uint64_t *want, uint64_t *found)
{
    static const uint64_t nothing[LAYER_WORDS_MAX];
    struct layer_bits_source source[LAYER_SOURCES_MAX];
    bool any = false;
    for (uint32_t s = 0; s < ask->sources; s++) {
        const bool has = word[s] != NULL;
        source[s] = (struct layer_bits_source){has ? word[s] : nothing, has ? layers->source[ask->first + s].bit : 0};
        any |= has;
    }
    if (any && ask->list == NULL)
        layers->code->run(source[0], states, found);
    else if (any)
        layers->code->list(ask->list, source, want, found);
}

static void multiset_pull(const struct layer_kernel *kernel, uint64_t group, const uint64_t *const *source,
                          const uint64_t *want, uint64_t *found)
{
    const struct multiset_layers *layers = layers_of(kernel);
    const struct slide_block *block = &layers->slide->block[group / layers->groups];
    const uint32_t inner = (uint32_t)(group % layers->groups), states = group_states(layers, inner);
    memset(found, 0, (states + 63) / 64 * sizeof *found);
    for (unsigned m = 0; m < block->moves; m++) {
        const struct multiset_move *move = &layers->move[block->first_move + m];
        const struct multiset_ask *ask = &move->window->ask[inner];
        pull_ask(layers, ask, source, states, want, found);
        source += ask->sources;
    }
}

/* -- places -- */

static uint32_t multiset_states(const struct layer_kernel *kernel, uint64_t group)
{
    return group_states(layers_of(kernel), (uint32_t)(group % layers_of(kernel)->groups));
}

static uint64_t multiset_address(const struct layer_kernel *kernel, uint64_t index)
{
    const struct multiset_layers *layers = layers_of(kernel);
    const uint64_t block = index / layers->ranking.orders, rank = index % layers->ranking.orders;
    const uint32_t group = multiset_find_group(layers, rank);
    return layer_address(block * layers->groups + group, 0, 0) + (rank - layers->group[group].first);
}

static uint64_t multiset_index(const struct layer_kernel *kernel, uint64_t address)
{
    const struct multiset_layers *layers = layers_of(kernel);
    const uint64_t group = address / layer_address(1, 0, 0), bit = address % layer_address(1, 0, 0);
    return group / layers->groups * layers->ranking.orders + layers->group[group % layers->groups].first + bit;
}

static void multiset_arrange(const struct layer_kernel *kernel, uint64_t group, const uint64_t *words, uint64_t *bitmap)
{
    memcpy(bitmap, words, (multiset_states(kernel, group) + 63) / 64 * sizeof *bitmap);
}

/* -- making one -- */

static void multiset_free_layers(struct layer_kernel *kernel)
{
    struct multiset_layers *layers = (struct multiset_layers *)kernel;
    layer_lists_free(&layers->lists);
    for (unsigned w = 0; layers->window != NULL && w < layers->ranking.things * layers->ranking.things; w++)
        free(layers->window[w].ask);
    multiset_free(&layers->ranking);
    free(layers->group);
    free(layers->window);
    free(layers->source);
    free(layers->move);
    free(layers);
}

/* Cuts the tree below a node into groups; counts them where there is no room for them yet. */
static void cut(struct multiset_layers *layers, uint32_t vector, uint64_t first)
{
    const struct multiset_ranking *ranking = &layers->ranking;
    if (layers->groups > GROUPS_MAX)
        return;
    if (ranking->orders_of[vector] <= layers->group_states) {
        const uint32_t words = (uint32_t)((ranking->orders_of[vector] + 63) / 64);
        if (layers->group != NULL)
            layers->group[layers->groups] = (struct multiset_group){first, vector};
        if (layers->kernel.words_max < words)
            layers->kernel.words_max = words;
        layers->words += words;
        layers->groups++;
        return;
    }
    for (unsigned y = 0; y < ranking->classes; y++)
        if (multiset_beginning(ranking, vector, y) > 0)
            cut(layers, vector - ranking->stride[y], first + ranking->before[(uint64_t)vector * ranking->classes + y]);
}

/* The window of a move, with room for what the groups ask; NULL where memory is short, or there are too many of
 * them. */
static const struct multiset_window *find_window(struct multiset_layers *layers, const struct slide_move *move)
{
    const bool changing = move->from != move->to;
    struct multiset_window *window = &layers->window[changing ? move->from * layers->ranking.things + move->to : 0];
    if (window->ask != NULL)
        return window;
    layers->asks += layers->groups;
    layers->too_many = layers->asks > ASKS_MAX;
    if (!layers->too_many)
        window->ask = malloc(layers->groups * sizeof *window->ask);
    window->from = changing ? move->from : 0;
    window->to = changing ? move->to : 0;
    layers->kernel.bytes += layers->groups * sizeof *window->ask;
    return window->ask != NULL ? window : NULL;
}

/* The moves of all blocks, in each block those that leave the order alone first, and the windows. */
static bool make_moves(struct multiset_layers *layers)
{
    const struct slide *slide = layers->slide;
    const struct slide_block *last = &slide->block[slide->blocks - 1], *block = slide->block;
    const size_t moves = last->first_move + last->moves, windows = (size_t)slide->ordered * slide->ordered;
    struct multiset_move *next = layers->move = malloc(moves * sizeof *next + 1);
    layers->window = calloc(windows, sizeof *layers->window);
    layers->kernel.bytes += moves * sizeof *layers->move + windows * sizeof *layers->window;
    if (layers->move == NULL || layers->window == NULL)
        return false;
    for (; block <= last; block++)
        for (unsigned changing = 0; changing < 2; changing++)
            for (unsigned m = 0; m < block->moves; m++) {
                const struct slide_move *move = &slide->move[block->first_move + m];
                if ((move->from != move->to) != changing)
                    continue;
                *next = (struct multiset_move){move->target, find_window(layers, move)};
                if (next++->window == NULL)
                    return false;
            }
    return true;
}

static void count_sources(struct multiset_layers *layers)
{
    const struct slide *slide = layers->slide;
    for (uint32_t b = 0; b < slide->blocks; b++) {
        uint32_t sources = 0;
        for (unsigned m = 0; m < slide->block[b].moves; m++)
            sources += layers->move[slide->block[b].first_move + m].window->sources_max;
        if (layers->kernel.sources_max < sources)
            layers->kernel.sources_max = sources;
    }
}

/* Cuts a block into groups, of at most so many states. */
static void cut_block(struct multiset_layers *layers, uint32_t group_states)
{
    layers->group_states = group_states;
    layers->groups = 0;
    layers->words = 0;
    layers->kernel.words_max = 0;
    cut(layers, layers->ranking.whole, 0);
}

/* The groups of a block; false where memory is short, or there are too many. */
static bool make_groups(struct multiset_layers *layers, uint32_t group_states)
{
    struct layer_kernel *kernel = &layers->kernel;
    cut_block(layers, group_states > 0 ? group_states : LAYER_GROUP_STATES);
    while (layers->groups > MANY_GROUPS && layers->group_states < LAYER_GROUP_STATES_MAX && group_states == 0)
        cut_block(layers, 2 * layers->group_states);
    layers->too_many = layers->groups > GROUPS_MAX;
    if (layers->too_many)
        return false;
    layers->group = malloc((layers->groups + 1) * sizeof *layers->group);
    if (layers->group == NULL)
        return false;
    cut_block(layers, layers->group_states);
    layers->group[layers->groups].first = layers->ranking.orders;
    kernel->bytes += (layers->groups + 1) * sizeof *layers->group;
    kernel->groups = (uint64_t)layers->slide->blocks * layers->groups;
    kernel->words = (uint64_t)layers->slide->blocks * layers->words;
    kernel->bits = 64;
    return true;
}

/* All of it; false where memory is short, or there is too much of something. */
static bool make_all(struct multiset_layers *layers, uint32_t group_states)
{
    const struct order_ranking *order = &layers->slide->order;
    uint16_t members[ORDER_MAX_THINGS];
    for (unsigned c = 0; c < order->classes; c++)
        members[c] = order->members[c];
    const enum multiset_status ranked = multiset_init(&layers->ranking, order->classes, members);
    layers->too_many = ranked == MULTISET_TOO_LARGE;
    if (ranked != MULTISET_OK || !make_groups(layers, group_states) || !make_moves(layers))
        return false;
    layers->lists = (struct layer_lists){.maps.ranking = &layers->ranking, .group_states = layers->group_states};
    const bool made = multiset_make_asks(layers);
    layer_lists_finish(&layers->lists);
    return made;
}

pdb_status slide_layer_multiset_make(const struct slide *slide, bool portable, uint32_t group_states,
                                     struct layer_kernel **out, pdb_error *error)
{
    *out = NULL;
    if (slide->order.orders < LEAST_ORDERS || slide->order.orders / LAYER_GROUP_STATES_MAX > GROUPS_MAX)
        return PDB_OK;
    struct multiset_layers *layers = calloc(1, sizeof *layers);
    if (layers == NULL)
        return error_no_memory(error, "the search", sizeof *layers);
    layers->slide = slide;
    layers->code = slide_layer_code(portable);
    layers->kernel = (struct layer_kernel){.portable = portable,
                                           .free = multiset_free_layers,
                                           .states = multiset_states,
                                           .address = multiset_address,
                                           .index = multiset_index,
                                           .sources = multiset_sources,
                                           .pull = multiset_pull,
                                           .arrange = multiset_arrange};
    if (!make_all(layers, group_states)) {
        const bool too_many = layers->too_many;
        const uint64_t bytes = sizeof *layers + layers->kernel.bytes;
        multiset_free_layers(&layers->kernel);
        return too_many ? PDB_OK : error_no_memory(error, "the search", bytes);
    }
    count_sources(layers);
    layers->kernel.bytes += sizeof *layers + multiset_bytes(&layers->ranking) + layer_lists_bytes(&layers->lists);
    *out = &layers->kernel;
    return PDB_OK;
}
