/* asks.c -- layers of sliding puzzles with many pieces alike: what every group asks for every move
 *
 * A window takes the thing at the place `from` to the place `to`. With a group's beginning b of L things, and what is
 * left behind it:
 *
 *     from < L, to < L     b with the thing moved: one source, the run of bits of that beginning; no list
 *     from < L <= to       b without the thing at `from`, which is left besides now: LIST_INTO
 *     to < L <= from       b with x put in at `to`, for every class x that is left: LIST_OUT
 *     L <= from, to        b itself: LIST_INNER
 *
 * A source is the first group that has orders of that beginning, and the bit where they begin in it:
 *
 *     group 5                group 6                group 7
 *     [..........|aaaaaaaa]  [aaaaaaaaaaaaaaaaaaaa]  [aaa|.......]       sources {5, 10}, {6, 0}, {7, 0}
 */
#include "multiset.h"
#include "lib/array.h"

#include <string.h>

enum { SOURCES_MAX = 1 << 27 /* a gigabyte or so */ };

uint32_t multiset_find_group(const struct multiset_layers *layers, uint64_t rank)
{
    uint32_t low = 0, past = layers->groups;
    while (past - low > 1) {
        const uint32_t middle = low + (past - low) / 2;
        if (layers->group[middle].first <= rank)
            low = middle;
        else
            past = middle;
    }
    return low;
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
    source[layers->sources++] = (struct multiset_source){group, (uint32_t)(rank - layers->group[group].first)};
    ask->sources++;
    return true;
}

/* Asks for the orders that begin with these things: one source, or the first of several. */
static bool ask_for(struct multiset_layers *layers, struct multiset_ask *ask, const uint8_t *thing, unsigned length)
{
    uint32_t vector;
    const uint64_t rank = multiset_rank_prefix(&layers->ranking, thing, length, &vector),
                   past = rank + layers->ranking.orders_of[vector];
    uint32_t group = multiset_find_group(layers, rank);
    bool added = add_source(layers, ask, group++, rank);
    for (; added && group < layers->groups && layers->group[group].first < past; group++)
        added = add_source(layers, ask, group, layers->group[group].first);
    return added;
}

/* A group's beginning: the things that its orders have in common. */
struct beginning {
    uint8_t thing[ORDER_MAX_THINGS + 1]; /* and room for one more */
    unsigned length;
    uint32_t vector; /* what is left */
};

static bool make_ask(struct multiset_layers *layers, const struct multiset_window *window,
                     const struct beginning *beginning, struct multiset_ask *ask)
{
    const struct multiset_ranking *ranking = &layers->ranking;
    const unsigned from = window->from, to = window->to, length = beginning->length;
    const bool takes = from != to && from < length, puts = from != to && to < length; /* of the beginning's things */
    const uint8_t moved = beginning->thing[from];
    struct beginning source = *beginning;
    struct layer_list_what what = {.vector = beginning->vector};
    *ask = (struct multiset_ask){.first = layers->sources};

    /* The source begins as the group does, without the thing that goes .. */
    if (takes)
        memmove(source.thing + from, source.thing + from + 1, --source.length - from);
    /* .. and with the one that comes: that same one, or any class that is left. */
    if (puts)
        memmove(source.thing + to + 1, source.thing + to, source.length++ - to);
    for (unsigned x = 0; puts && !takes && x < ranking->classes; x++) {
        source.thing[to] = (uint8_t)x;
        if (multiset_left(ranking, beginning->vector, x) > 0 && !ask_for(layers, ask, source.thing, source.length))
            return false;
    }
    if (puts && takes)
        source.thing[to] = moved;
    if ((takes || !puts) && !ask_for(layers, ask, source.thing, source.length))
        return false;

    /* What the move does among the things behind the beginning. */
    if (from == to || (takes && puts))
        return true;
    if (puts) {
        what.kind = LIST_OUT;
        what.place = from - length;
    } else if (takes) {
        what.kind = LIST_INTO;
        what.vector += ranking->stride[moved];
        what.place = to - source.length;
        what.class = moved;
    } else {
        what.kind = LIST_INNER;
        what.place = from - length;
        what.other = to - length;
    }
    ask->list = layer_lists_get(&layers->lists, &what);
    return ask->list != NULL;
}

bool multiset_make_asks(struct multiset_layers *layers)
{
    const struct multiset_ranking *ranking = &layers->ranking;
    const unsigned windows = ranking->things * ranking->things;
    for (uint32_t g = 0; g < layers->groups; g++) {
        struct beginning beginning = {.length = ranking->things, .vector = layers->group[g].vector};
        multiset_unrank(ranking, layers->group[g].first, beginning.thing);
        for (unsigned c = 0; c < ranking->classes; c++)
            beginning.length -= multiset_left(ranking, beginning.vector, c);
        for (unsigned w = 0; w < windows; w++) {
            struct multiset_window *window = &layers->window[w];
            if (window->ask == NULL)
                continue;
            if (!make_ask(layers, window, &beginning, &window->ask[g]))
                return false;
            if (window->sources_max < window->ask[g].sources)
                window->sources_max = window->ask[g].sources;
        }
    }
    /* The array was grown by doubling: what is not needed is given back, so that the bytes told are those taken. */
    const size_t bytes = layers->sources * sizeof *layers->source;
    struct multiset_source *source = realloc(layers->source, bytes + 1);
    layers->source = source != NULL ? source : layers->source;
    layers->kernel.bytes += bytes;
    return true;
}
