/* multiset.c -- layers of multisets: groups, their sources, states' places */
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

/* -- sources -- */

static size_t multiset_sources(const struct layer_kernel *kernel, uint64_t group, uint64_t *source)
{
    const struct multiset_layers *layers = layers_of(kernel);
    const uint64_t block = group / layers->groups;
    const uint32_t inner = (uint32_t)(group % layers->groups);
    size_t count = 0;
    for (uint32_t m = layers->first[block]; m < layers->first[block + 1]; m++) {
        const struct multiset_move *move = &layers->move[m];
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
    const uint64_t block = group / layers->groups;
    const uint32_t inner = (uint32_t)(group % layers->groups), states = multiset_group_states(layers, inner);
    memset(found, 0, (states + 63) / 64 * sizeof *found);
    for (uint32_t m = layers->first[block]; m < layers->first[block + 1]; m++) {
        const struct multiset_move *move = &layers->move[m];
        const struct multiset_ask *ask = &move->window->ask[inner];
        pull_ask(layers, ask, source, states, want, found);
        source += ask->sources;
    }
}

/* -- places -- */

static uint32_t multiset_states(const struct layer_kernel *kernel, uint64_t group)
{
    return multiset_group_states(layers_of(kernel), (uint32_t)(group % layers_of(kernel)->groups));
}

/* The group of an order, of those of its colour, and the bit in it: the order is gone through twice, to find its colour
 * and then, by that, the orders before it. */
static uint64_t coloured_address(const struct multiset_layers *layers, uint64_t rank)
{
    const struct order_tree *tree = &layers->tree;
    uint8_t order[LAYER_MAX_THINGS];
    unsigned colour = 0;
    uint32_t node;
    multiset_unrank(&tree->ranking, rank, order);
    for (unsigned place = 0; place < tree->ranking.things; place++)
        colour ^= order[place] != tree->empty ? tree->side[place] : 0;
    const uint64_t among = order_tree_rank(tree, colour, order, tree->ranking.things, &node);
    const uint32_t group = multiset_find_group(layers, colour, among);
    return layer_address(group, 0, 0) + (among - multiset_run_of(layers, group)->first[colour]);
}

static uint64_t multiset_address(const struct layer_kernel *kernel, uint64_t index)
{
    const struct multiset_layers *layers = layers_of(kernel);
    const uint64_t block = index / layers->tree.ranking.orders, rank = index % layers->tree.ranking.orders,
                   first = layer_address(block * layers->groups, 0, 0);
    if (layers->tree.shift != 0)
        return first + coloured_address(layers, rank);
    const uint32_t group = multiset_find_group(layers, 0, rank);
    return first + layer_address(group, 0, 0) + (rank - layers->run[group].index);
}

/* The rank of the order that is this bit of a group. With colours its things are found one by one: each is the last
 * class with no more orders before it, of the group's, than there are left. */
static uint64_t rank_of(const struct multiset_layers *layers, uint32_t group, uint64_t bit)
{
    const struct order_tree *tree = &layers->tree;
    uint64_t rank = multiset_run_of(layers, group)->index;
    if (tree->shift == 0)
        return rank + bit;
    for (uint32_t node = multiset_node(layers, group); node >> 1 != 0;) {
        unsigned class = tree->ranking.classes - 1;
        while (order_tree_before(tree, node, class) > bit)
            class --;
        bit -= order_tree_before(tree, node, class);
        rank += tree->ranking.before[(uint64_t)(node >> 1) * tree->ranking.classes + class];
        node = order_tree_child(tree, node, class);
    }
    return rank;
}

static uint64_t multiset_index(const struct layer_kernel *kernel, uint64_t address)
{
    const struct multiset_layers *layers = layers_of(kernel);
    const uint64_t group = address / layer_address(1, 0, 0), bit = address % layer_address(1, 0, 0);
    return group / layers->groups * layers->tree.ranking.orders +
           rank_of(layers, (uint32_t)(group % layers->groups), bit);
}

static void multiset_arrange(const struct layer_kernel *kernel, uint64_t group, const uint64_t *words, uint64_t *bitmap)
{
    uint64_t all[LAYER_WORDS_MAX];
    const struct multiset_layers *layers = layers_of(kernel);
    const uint32_t inner = (uint32_t)(group % layers->groups), states = multiset_group_states(layers, inner);
    const struct layer_list *list = multiset_run_of(layers, inner)->list[multiset_colour(layers, inner)];
    const struct layer_bits_source source = {words, 0};
    if (list == NULL)
        memcpy(bitmap, words, (states + 63) / 64 * sizeof *bitmap);
    else if (states > 0)
        layers->code->list(list, &source, memset(all, 0xFF, list->words * sizeof *all), bitmap);
}

/* -- making one -- */

static void multiset_free_layers(struct layer_kernel *kernel)
{
    struct multiset_layers *layers = (struct multiset_layers *)kernel;
    const unsigned things = layers->tree.ranking.things;
    layer_lists_free(&layers->lists);
    for (unsigned w = 0; layers->window != NULL && w < things * things; w++)
        free(layers->window[w].ask);
    order_tree_free(&layers->tree);
    free(layers->run);
    free(layers->window);
    free(layers->source);
    free(layers->first);
    free(layers->move);
    free(layers);
}

static void add_group(struct multiset_layers *layers, uint64_t states)
{
    const uint32_t words = (uint32_t)((states + 63) / 64);
    if (layers->kernel.words_max < words)
        layers->kernel.words_max = words;
    layers->words += words;
}

/* Cuts the tree below a beginning into runs; counts them where there is no room for them yet. */
static void cut(struct multiset_layers *layers, struct multiset_run run)
{
    const struct order_tree *tree = &layers->tree;
    const struct multiset_ranking *ranking = &tree->ranking;
    const uint32_t node[2] = {order_tree_node(tree, run.vector, run.colour),
                              order_tree_node(tree, run.vector, run.colour ^ 1u)};
    if (layers->runs > GROUPS_MAX)
        return;
    if (layer_is_group(tree, run.vector, layers->group_states)) {
        if (layers->run != NULL)
            layers->run[layers->runs] = run;
        layers->runs++;
        for (unsigned colour = 0; colour <= tree->shift; colour++)
            add_group(layers, tree->orders_of[node[colour]]);
        return;
    }
    for (unsigned y = 0; y < ranking->classes; y++) {
        if (multiset_beginning(ranking, run.vector, y) == 0)
            continue;
        struct multiset_run child = run;
        child.index += ranking->before[(uint64_t)run.vector * ranking->classes + y];
        for (unsigned colour = 0; colour < 2; colour++)
            child.first[colour] += order_tree_before(tree, node[colour], y);
        child.colour = (uint8_t)(run.colour ^ order_tree_flips(tree, run.vector, y));
        child.vector -= ranking->stride[y];
        cut(layers, child);
    }
}

/* The window of a move, with room for what the groups ask; NULL where memory is short, or there are too many of
 * them. */
static const struct multiset_window *find_window(struct multiset_layers *layers, const struct order_move *move)
{
    const bool changing = move->from != move->to;
    struct multiset_window *window = &layers
                                          ->window[changing ? move->from * layers->tree.ranking.things + move->to : 0];
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
static bool make_moves(struct multiset_layers *layers, const struct multiset_rules *rules)
{
    const size_t moves = rules->first[rules->blocks], things = layers->tree.ranking.things;
    struct multiset_move *next = layers->move = malloc(moves * sizeof *next + 1);
    layers->window = calloc(things * things, sizeof *layers->window);
    layers->first = malloc((rules->blocks + (size_t)1) * sizeof *layers->first);
    layers->kernel.bytes += moves * sizeof *layers->move + things * things * sizeof *layers->window +
                            (rules->blocks + (size_t)1) * sizeof *layers->first;
    if (layers->move == NULL || layers->window == NULL || layers->first == NULL)
        return false;
    memcpy(layers->first, rules->first, (rules->blocks + (size_t)1) * sizeof *layers->first);
    for (uint32_t block = 0; block < rules->blocks; block++)
        for (unsigned changing = 0; changing < 2; changing++)
            for (uint32_t m = rules->first[block]; m < rules->first[block + 1]; m++) {
                const struct order_move *move = &rules->move[m];
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
    for (uint32_t b = 0; b < layers->blocks; b++) {
        uint32_t sources = 0;
        for (uint32_t m = layers->first[b]; m < layers->first[b + 1]; m++)
            sources += layers->move[m].window->sources_max;
        if (layers->kernel.sources_max < sources)
            layers->kernel.sources_max = sources;
    }
}

/* Cuts a block into groups, of at most so many states. */
static void cut_block(struct multiset_layers *layers, uint32_t group_states)
{
    layers->group_states = group_states;
    layers->runs = 0;
    layers->words = 0;
    layers->kernel.words_max = 0;
    cut(layers, (struct multiset_run){.vector = layers->tree.ranking.whole});
}

/* The groups of a block; false where memory is short, or there are too many. */
static bool make_groups(struct multiset_layers *layers, uint32_t group_states)
{
    struct layer_kernel *kernel = &layers->kernel;
    const struct order_tree *tree = &layers->tree;
    cut_block(layers, group_states > 0 ? group_states : LAYER_GROUP_STATES);
    while (layers->runs > MANY_GROUPS && layers->group_states < LAYER_GROUP_STATES_MAX && group_states == 0)
        cut_block(layers, 2 * layers->group_states);
    layers->too_many = layers->runs > GROUPS_MAX;
    if (layers->too_many)
        return false;
    layers->run = malloc((layers->runs + 1) * sizeof *layers->run);
    if (layers->run == NULL)
        return false;
    cut_block(layers, layers->group_states);
    layers->run[layers->runs] = (struct multiset_run){
        .index = tree->ranking.orders,
        .first = {tree->orders_of[order_tree_node(tree, tree->ranking.whole, 0)],
                  tree->orders_of[order_tree_node(tree, tree->ranking.whole, 1)]}};
    layers->groups = layers->runs << tree->shift;
    kernel->bytes += (layers->runs + 1) * sizeof *layers->run;
    kernel->groups = (uint64_t)layers->blocks * layers->groups;
    kernel->words = (uint64_t)layers->blocks * layers->words;
    kernel->bits = 64;
    kernel->run = 1u << tree->shift;
    return true;
}

/* All of it; false where memory is short, or there is too much of something. */
static bool make_all(struct multiset_layers *layers, const struct multiset_rules *rules, uint32_t group_states)
{
    const enum multiset_status made = order_tree_make(&layers->tree, rules);
    layers->too_many = made == MULTISET_TOO_LARGE;
    if (made != MULTISET_OK || !make_groups(layers, group_states) || !make_moves(layers, rules))
        return false;
    layers->lists = (struct layer_lists){.maps.tree = &layers->tree, .group_states = layers->group_states};
    const bool asked = multiset_make_asks(layers);
    layer_lists_finish(&layers->lists);
    return asked;
}

pdb_status multiset_layers_make(const struct multiset_rules *rules, bool portable, uint32_t group_states,
                                struct layer_kernel **out, pdb_error *error)
{
    const long double orders = multiset_count(rules->classes, rules->members);
    *out = NULL;
    if (orders < LEAST_ORDERS || orders / LAYER_GROUP_STATES_MAX > GROUPS_MAX)
        return PDB_OK;
    struct multiset_layers *layers = calloc(1, sizeof *layers);
    if (layers == NULL)
        return error_no_memory(error, "the search", sizeof *layers);
    layers->blocks = rules->blocks;
    layers->code = layer_code(portable);
    layers->kernel = (struct layer_kernel){.portable = portable,
                                           .free = multiset_free_layers,
                                           .states = multiset_states,
                                           .address = multiset_address,
                                           .index = multiset_index,
                                           .sources = multiset_sources,
                                           .pull = multiset_pull,
                                           .arrange = multiset_arrange};
    if (!make_all(layers, rules, group_states)) {
        const bool too_many = layers->too_many;
        const uint64_t bytes = sizeof *layers + layers->kernel.bytes;
        multiset_free_layers(&layers->kernel);
        return too_many ? PDB_OK : error_no_memory(error, "the search", bytes);
    }
    count_sources(layers);
    layers->kernel.bytes += sizeof *layers + order_tree_bytes(&layers->tree) + layer_lists_bytes(&layers->lists);
    *out = &layers->kernel;
    return PDB_OK;
}
