/* asks.c -- layers of multisets: what every group asks for every move
 *
 * With a group's beginning b of L things, and what is left behind it, a window that carries the thing at the place
 * `from` to the place `to` asks for
 *
 *     from < L, to < L     b with the thing moved: one source, the run of bits of that beginning; no list
 *     from < L <= to       b without the thing at `from`, which is left besides now: LIST_INTO
 *     to < L <= from       b with x put in at `to`, for every class x that is left: LIST_OUT
 *     L <= from, to        b itself: LIST_INNER
 *
 * and one that exchanges the things at two places, from < to, for
 *
 *     to < L               b with the two exchanged, if one is empty: one source, no list
 *     from < L <= to       b with x at `from`, for every x that may be exchanged with what is there: LIST_CROSS
 *     L <= from            b itself: LIST_EXCHANGE
 *
 * A source is the first group that has orders of that beginning, and the bit where they begin in it:
 *
 *     group 5                group 6                group 7
 *     [..........|aaaaaaaa]  [aaaaaaaaaaaaaaaaaaaa]  [aaa|.......]       sources {5, 10}, {6, 0}, {7, 0}
 */
#include "multiset.h"
#include "lib/memory/array.h"

#include <string.h>

enum {
    SOURCES_MAX = 1 << 27, /* a gigabyte or so */
    LISTS_MIN = 1 << 26    /* bytes of lists that any puzzle may have */
};

/* Lists may take what the search's four planes do: where they would be more, as where every place is joined to many
 * others, a search without them takes less memory and begins sooner. */
static bool lists_too_large(const struct multiset_layers *layers)
{
    return layers->lists.bytes > LISTS_MIN + (uint64_t)layers->blocks * layers->tree.ranking.orders / 2;
}

uint32_t multiset_find_group(const struct multiset_layers *layers, unsigned colour, uint64_t rank)
{
    uint32_t low = 0, past = layers->runs;
    while (past - low > 1) {
        const uint32_t middle = low + (past - low) / 2;
        if (layers->run[middle].first[colour] <= rank)
            low = middle;
        else
            past = middle;
    }
    return low << layers->tree.shift | colour;
}

static bool add_source(struct multiset_layers *layers, struct multiset_ask *ask, uint32_t group, uint64_t rank)
{
    layers->too_many = ask->sources == LAYER_SOURCES_MAX || layers->sources == SOURCES_MAX;
    if (layers->too_many)
        return false;
    struct multiset_source *source = array_grow(layers->source, layers->sources, sizeof *source);
    if (source == NULL)
        return false;
    layers->source = source;
    source[layers->sources++] = (struct multiset_source){
        group, (uint32_t)(rank - multiset_run_of(layers, group)->first[multiset_colour(layers, group)])};
    ask->sources++;
    return true;
}

/* Asks for the orders of a colour that begin with these things: one source, or the first of several. */
static bool ask_for(struct multiset_layers *layers, struct multiset_ask *ask, unsigned colour, const uint8_t *thing,
                    unsigned length)
{
    uint32_t node;
    const uint64_t rank = order_tree_rank(&layers->tree, colour, thing, length, &node),
                   past = rank + layers->tree.orders_of[node];
    if (rank == past)
        return true;
    uint32_t group = multiset_find_group(layers, colour, rank);
    const uint32_t next = 1u << layers->tree.shift;
    bool added = add_source(layers, ask, group, rank);
    for (group += next; added && group < layers->groups; group += next) {
        const uint64_t first = multiset_run_of(layers, group)->first[colour];
        if (first >= past)
            break;
        if (multiset_group_states(layers, group) > 0)
            added = add_source(layers, ask, group, first);
    }
    return added;
}

/* A group's beginning: the things that its orders have in common; their colour, and what is left. */
struct beginning {
    uint8_t thing[LAYER_MAX_THINGS + 1]; /* and room for one more */
    unsigned length, colour;
    uint32_t node;
};

/* A thing is carried. */
static bool ask_carried(struct multiset_layers *layers, const struct multiset_window *window,
                        const struct beginning *beginning, struct multiset_ask *ask, struct layer_list_what *what)
{
    const struct multiset_ranking *ranking = &layers->tree.ranking;
    const unsigned from = window->from, to = window->to, length = beginning->length;
    const bool takes = from < length, puts = to < length; /* of the beginning's things */
    const uint8_t moved = beginning->thing[from];
    struct beginning source = *beginning;

    /* The source begins as the group does, without the thing that goes .. */
    if (takes)
        memmove(source.thing + from, source.thing + from + 1, --source.length - from);
    /* .. and with the one that comes: that same one, or any class that is left. */
    if (puts)
        memmove(source.thing + to + 1, source.thing + to, source.length++ - to);
    for (unsigned x = 0; puts && !takes && x < ranking->classes; x++) {
        source.thing[to] = (uint8_t)x;
        if (multiset_left(ranking, beginning->node, x) > 0 && !ask_for(layers, ask, 0, source.thing, source.length))
            return false;
    }
    if (puts && takes)
        source.thing[to] = moved;
    if ((takes || !puts) && !ask_for(layers, ask, 0, source.thing, source.length))
        return false;

    /* What the move does among the things behind the beginning. */
    what->kind = puts ? LIST_OUT : takes ? LIST_INTO : LIST_INNER;
    what->place = takes ? to - source.length : from - length;
    what->other = takes || puts ? 0 : to - length;
    what->class = takes ? moved : 0;
    return true;
}

/* Things are exchanged. */
static bool ask_exchanged(struct multiset_layers *layers, const struct multiset_window *window,
                          const struct beginning *beginning, struct multiset_ask *ask, struct layer_list_what *what)
{
    const struct order_tree *tree = &layers->tree;
    const unsigned one = window->from, other = window->to, length = beginning->length,
                   colour = beginning->colour ^ tree->side[one] ^ tree->side[other];
    struct beginning source = *beginning;
    if (other < length) {
        if (!layer_exchangeable(tree, source.thing[one], source.thing[other]))
            return true;
        source.thing[one] = beginning->thing[other];
        source.thing[other] = beginning->thing[one];
        return ask_for(layers, ask, colour, source.thing, length);
    }
    what->class = beginning->thing[one];
    for (unsigned x = 0; one < length && x < tree->ranking.classes; x++) {
        source.thing[one] = (uint8_t)x;
        if (layer_exchangeable(tree, what->class, x) &&
            multiset_left(&tree->ranking, beginning->node >> tree->shift, x) > 0 &&
            !ask_for(layers, ask, colour, source.thing, length))
            return false;
    }
    if (one < length) {
        what->kind = LIST_CROSS;
        what->place = other - length;
        what->colour = (beginning->node ^ tree->side[other]) & tree->shift;
        return true;
    }
    what->kind = LIST_EXCHANGE;
    what->place = one - length;
    what->other = other - length;
    what->colour = (beginning->node ^ tree->side[one] ^ tree->side[other]) & tree->shift;
    return ask_for(layers, ask, colour, source.thing, length);
}

static bool make_ask(struct multiset_layers *layers, const struct multiset_window *window,
                     const struct beginning *beginning, struct multiset_ask *ask)
{
    const unsigned from = window->from, to = window->to, length = beginning->length;
    struct layer_list_what what = {.node = beginning->node};
    *ask = (struct multiset_ask){.first = layers->sources};
    if (from == to)
        return ask_for(layers, ask, beginning->colour, beginning->thing, length);
    if (!(layers->tree.empty == LAYER_NO_CLASS ? ask_carried : ask_exchanged)(layers, window, beginning, ask, &what))
        return false;
    if ((from < length && to < length) || ask->sources == 0)
        return true;
    ask->list = layer_lists_get(&layers->lists, &what);
    return ask->list != NULL;
}

/* What the group of a run and a colour asks. */
static bool make_group(struct multiset_layers *layers, uint32_t group, struct beginning *beginning)
{
    const unsigned windows = layers->tree.ranking.things * layers->tree.ranking.things;
    layers->too_many = lists_too_large(layers);
    if (layers->too_many)
        return false;
    beginning->colour = multiset_colour(layers, group);
    beginning->node = multiset_node(layers, group);
    for (unsigned w = 0; w < windows; w++) {
        struct multiset_window *window = &layers->window[w];
        if (window->ask == NULL)
            continue;
        if (!make_ask(layers, window, beginning, &window->ask[group]))
            return false;
        if (window->sources_max < window->ask[group].sources)
            window->sources_max = window->ask[group].sources;
    }
    if (layers->tree.shift == 0)
        return true;
    struct multiset_run *run = &layers->run[group >> 1];
    run->list[beginning->colour] = layer_lists_get(
        &layers->lists, &(struct layer_list_what){.kind = LIST_ARRANGE, .node = beginning->node});
    return run->list[beginning->colour] != NULL;
}

bool multiset_make_asks(struct multiset_layers *layers)
{
    const struct multiset_ranking *ranking = &layers->tree.ranking;
    struct beginning beginning = {.length = 0};
    for (uint32_t group = 0; group < layers->groups; group++) {
        const struct multiset_run *run = multiset_run_of(layers, group);
        beginning.length = ranking->things;
        multiset_unrank(ranking, run->index, beginning.thing);
        for (unsigned c = 0; c < ranking->classes; c++)
            beginning.length -= multiset_left(ranking, run->vector, c);
        if (!make_group(layers, group, &beginning))
            return false;
    }
    /* The array was grown by doubling: what is not needed is given back, so that the bytes told are those taken. */
    const size_t bytes = layers->sources * sizeof *layers->source;
    struct multiset_source *source = realloc(layers->source, bytes + 1);
    layers->source = source != NULL ? source : layers->source;
    layers->kernel.bytes += bytes;
    return true;
}
