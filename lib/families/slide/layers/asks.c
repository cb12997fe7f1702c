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

#include <stdlib.h>
#include <string.h>

enum { ASKS_MAX = 1 << 24, SOURCES_MAX = 1 << 27 /* a gigabyte or so */ };

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
    if (layers->sources == layers->room) {
        const uint32_t room = layers->room == 0 ? 256 : 2 * layers->room;
        struct multiset_source *grown = realloc(layers->source, room * sizeof *grown);
        if (grown == NULL)
            return false;
        layers->source = grown;
        layers->room = room;
    }
    layers->source[layers->sources++] = (struct multiset_source){group, (uint32_t)(rank - layers->group[group].first)};
    ask->sources++;
    return true;
}

/* A group's beginning: the things that its orders have in common. */
struct beginning {
    uint8_t thing[ORDER_MAX_THINGS + 1]; /* and room for one more */
    unsigned length;
    uint32_t vector; /* what is left */
};

/* With the thing at `from` taken out. */
static struct beginning taken_out(const struct beginning *beginning, unsigned from)
{
    struct beginning other = *beginning;
    other.length--;
    memmove(other.thing + from, other.thing + from + 1, other.length - from);
    return other;
}

/* With a thing put in at `to`. */
static struct beginning put_in(const struct beginning *beginning, unsigned to, uint8_t thing)
{
    struct beginning other = *beginning;
    other.length++;
    memmove(other.thing + to + 1, other.thing + to, beginning->length - to);
    other.thing[to] = thing;
    return other;
}

/* The source that begins so: one, or the first of several. */
static bool ask_for(struct multiset_layers *layers, struct multiset_ask *ask, const struct beginning *beginning)
{
    uint32_t vector;
    const uint64_t rank = multiset_rank_prefix(&layers->ranking, beginning->thing, beginning->length, &vector),
                   past = rank + layers->ranking.orders_of[vector];
    uint32_t group = multiset_find_group(layers, rank);
    bool added = add_source(layers, ask, group++, rank);
    for (; added && group < layers->groups && layers->group[group].first < past; group++)
        added = add_source(layers, ask, group, layers->group[group].first);
    return added;
}

/* A thing of the group goes into its beginning: every class that there may be. */
static bool make_out(struct multiset_layers *layers, const struct multiset_window *window,
                     const struct beginning *beginning, struct multiset_ask *ask)
{
    for (unsigned x = 0; x < layers->ranking.classes; x++) {
        const struct beginning other = put_in(beginning, window->to, (uint8_t)x);
        if (multiset_left(&layers->ranking, beginning->vector, x) > 0 && !ask_for(layers, ask, &other))
            return false;
    }
    const struct layer_list_what what = {
        .kind = LIST_OUT, .vector = beginning->vector, .place = window->from - beginning->length};
    ask->list = layer_lists_get(layers->lists, &what);
    return ask->list != NULL;
}

/* A thing of its beginning goes into the group. */
static bool make_into(struct multiset_layers *layers, const struct multiset_window *window,
                      const struct beginning *beginning, struct multiset_ask *ask)
{
    const unsigned x = beginning->thing[window->from];
    const struct beginning other = taken_out(beginning, window->from);
    const struct layer_list_what what = {.kind = LIST_INTO,
                                         .vector = beginning->vector + layers->ranking.stride[x],
                                         .place = window->to - other.length,
                                         .class = x};
    if (!ask_for(layers, ask, &other))
        return false;
    ask->list = layer_lists_get(layers->lists, &what);
    return ask->list != NULL;
}

static bool make_inner(struct multiset_layers *layers, const struct multiset_window *window,
                       const struct beginning *beginning, struct multiset_ask *ask)
{
    const struct layer_list_what what = {.kind = LIST_INNER,
                                         .vector = beginning->vector,
                                         .place = window->from - beginning->length,
                                         .other = window->to - beginning->length};
    ask->list = layer_lists_get(layers->lists, &what);
    return ask->list != NULL && ask_for(layers, ask, beginning);
}

static bool make_ask(struct multiset_layers *layers, const struct multiset_window *window,
                     const struct beginning *beginning, struct multiset_ask *ask)
{
    const unsigned from = window->from, to = window->to, length = beginning->length;
    *ask = (struct multiset_ask){.first = layers->sources};
    if (from == to)
        return ask_for(layers, ask, beginning);
    if (from < length && to < length) {
        const struct beginning taken = taken_out(beginning, from), other = put_in(&taken, to, beginning->thing[from]);
        return ask_for(layers, ask, &other);
    }
    if (to < length)
        return make_out(layers, window, beginning, ask);
    return from < length ? make_into(layers, window, beginning, ask) : make_inner(layers, window, beginning, ask);
}

bool multiset_make_asks(struct multiset_layers *layers)
{
    const struct multiset_ranking *ranking = &layers->ranking;
    const size_t asks = (size_t)layers->windows * layers->groups;
    layers->too_many = asks > ASKS_MAX;
    if (layers->too_many)
        return false;
    layers->ask = malloc(asks * sizeof *layers->ask + 1);
    if (layers->ask == NULL)
        return false;
    for (uint32_t g = 0; g < layers->groups; g++) {
        struct beginning beginning = {.length = ranking->things, .vector = layers->group[g].vector};
        multiset_unrank(ranking, layers->group[g].first, beginning.thing);
        for (unsigned c = 0; c < ranking->classes; c++)
            beginning.length -= multiset_left(ranking, beginning.vector, c);
        for (uint32_t w = 0; w < layers->windows; w++) {
            struct multiset_window *window = &layers->window[w];
            struct multiset_ask *ask = &layers->ask[(size_t)w * layers->groups + g];
            if (!make_ask(layers, window, &beginning, ask))
                return false;
            if (window->sources_max < ask->sources)
                window->sources_max = ask->sources;
        }
    }
    layers->kernel.bytes += asks * sizeof *layers->ask + layers->room * sizeof *layers->source;
    return true;
}
