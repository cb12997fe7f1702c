/* lists.c -- layers of sliding puzzles with many pieces alike: lists of pieces
 *
 * For every class x two maps are gone through together, of the orders with x at the one place and at the other: each
 * word takes, for its own, as many of the source's bits as it has, in pieces of 64 bits at most.
 */
#include "multiset.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHAPE_CLASSES = 12, /* 12! orders are too many for a list */
    MALLOC_BYTES = 24   /* that a piece of memory takes beyond its length, at most: lists are many and small */
};

/* What lists are told apart by: counts of the classes, without those of none, in their order. */
struct list_key {
    uint8_t left[SHAPE_CLASSES];
    uint8_t kind, place, other, class;
};

struct named_list {
    struct list_key key;
    struct layer_list list;
};

struct layer_lists {
    const struct multiset_ranking *ranking;
    struct layer_maps *maps;
    uint32_t group_states;
    struct named_list **slot; /* hash table; a power of two of slots, no more than half of them taken */
    size_t slots, count;
    uint64_t bytes;
};

/* -- pieces -- */

struct placed_piece {
    struct layer_piece piece;
    uint32_t word;
};

struct list_maker {
    struct placed_piece *piece;
    size_t pieces, room;
};

static bool add_piece(struct list_maker *maker, struct layer_piece piece, uint32_t word)
{
    if (maker->pieces == maker->room) {
        const size_t room = maker->room == 0 ? 256 : 2 * maker->room;
        struct placed_piece *grown = realloc(maker->piece, room * sizeof *grown);
        if (grown == NULL)
            return false;
        maker->piece = grown;
        maker->room = room;
    }
    maker->piece[maker->pieces++] = (struct placed_piece){piece, word};
    return true;
}

/* The lowest ones of a word's bits, which are `there`. */
static uint64_t lowest(uint64_t bits, unsigned there, unsigned count)
{
    uint64_t rest = bits;
    if (there == count)
        return bits;
    while (count-- > 0)
        rest &= rest - 1;
    return bits ^ rest;
}

/* Bits of a map, or of a run of ones, that have not been taken yet: those from `at` on. */
struct source_bits {
    const uint64_t *map; /* NULL: all are ones */
    uint64_t at;
    const uint64_t *part; /* where groups begin, and where the last ends */
    unsigned slot;        /* of `at` */
};

/* The next of them, up to 64 places; there is one. They are one group's, `at` being the first of them. */
static uint64_t next_bits(struct source_bits *source)
{
    const uint64_t *map = source->map;
    uint64_t bits = UINT64_MAX;
    if (map != NULL) {
        uint64_t word = source->at / 64;
        if (map[word] >> source->at % 64 == 0) {
            do
                word++;
            while (map[word] == 0);
            source->at = 64 * word;
        }
        source->at += (unsigned)__builtin_ctzll(map[word] >> source->at % 64);
        bits = map[word] >> source->at % 64 | map[word + 1] << 1 << (63 - source->at % 64);
    }
    while (source->part[source->slot + 1] <= source->at)
        source->slot++;
    const uint64_t left = source->part[source->slot + 1] - source->at;
    return left < 64 ? bits & layer_low((unsigned)left) : bits;
}

/* The k-th bit of the words is the k-th of the source. word[] is their map; NULL: ones, as many as `states`. */
static bool pair_up(struct list_maker *maker, const uint64_t *word, uint32_t states, struct source_bits source)
{
    for (uint32_t w = 0; w < (states + 63) / 64; w++) {
        uint64_t to = word != NULL ? word[w] : layer_low(states - 64 * w);
        while (to != 0) {
            uint64_t from = next_bits(&source);
            const unsigned wanted = (unsigned)__builtin_popcountll(to), there = (unsigned)__builtin_popcountll(from),
                           taken = wanted < there ? wanted : there;
            const uint64_t given = lowest(to, wanted, taken);
            from = lowest(from, there, taken);
            const unsigned span = 63 - (unsigned)__builtin_clzll(from);
            if (!add_piece(maker,
                           (struct layer_piece){.from = from,
                                                .to = given,
                                                .source = (uint16_t)(source.at - source.part[source.slot]),
                                                .span = (uint8_t)span,
                                                .slot = (uint8_t)source.slot},
                           w))
                return false;
            to ^= given;
            source.at += span + 1;
        }
    }
    return true;
}

/* Where the groups of a node begin, and where the last one ends. Returns how many there are. */
static unsigned find_parts(const struct layer_lists *lists, uint32_t vector, uint64_t at, uint64_t *part)
{
    const struct multiset_ranking *ranking = lists->ranking;
    const uint64_t *before = ranking->before + (uint64_t)vector * ranking->classes;
    unsigned parts = 0;
    if (ranking->orders_of[vector] <= lists->group_states) {
        part[0] = at;
        part[1] = at + ranking->orders_of[vector];
        return 1;
    }
    for (unsigned y = 0; y < ranking->classes; y++)
        if (multiset_beginning(ranking, vector, y) > 0)
            parts += find_parts(lists, vector - ranking->stride[y], at + before[y], part + parts);
    return parts;
}

/* x of the words goes to the source's front: all of it, in a slot of its own. */
static bool pair_out(struct list_maker *maker, const struct layer_lists *lists, const struct layer_list_what *what,
                     unsigned class, unsigned slot)
{
    const struct multiset_ranking *ranking = lists->ranking;
    uint64_t part[LAYER_SOURCES_MAX + 1] = {0};
    const uint64_t *word = layer_map(lists->maps, what->vector, class, what->place);
    part[slot + 1] = ranking->orders_of[what->vector - ranking->stride[class]];
    return word != NULL && pair_up(maker, word, (uint32_t)ranking->orders_of[what->vector],
                                   (struct source_bits){.part = part, .slot = slot});
}

/* x is at a place of the source, and all words have it before them. */
static bool pair_into(struct list_maker *maker, const struct layer_lists *lists, const struct layer_list_what *what)
{
    const struct multiset_ranking *ranking = lists->ranking;
    uint64_t part[LAYER_SOURCES_MAX + 1];
    const uint64_t *source = layer_map(lists->maps, what->vector, what->class, what->place);
    find_parts(lists, what->vector, 0, part);
    return source != NULL &&
           pair_up(maker, NULL, (uint32_t)ranking->orders_of[what->vector - ranking->stride[what->class]],
                   (struct source_bits){.map = source, .part = part});
}

static bool pair_inner(struct list_maker *maker, const struct layer_lists *lists, const struct layer_list_what *what,
                       unsigned class)
{
    const uint64_t orders = lists->ranking->orders_of[what->vector], part[] = {0, orders};
    const uint64_t *word = layer_map(lists->maps, what->vector, class, what->place),
                   *source = layer_map(lists->maps, what->vector, class, what->other);
    return word != NULL && source != NULL &&
           pair_up(maker, word, (uint32_t)orders, (struct source_bits){.map = source, .part = part});
}

static bool pair_all(struct list_maker *maker, const struct layer_lists *lists, const struct layer_list_what *what)
{
    bool made = true;
    unsigned slot = 0;
    if (what->kind == LIST_INTO)
        return pair_into(maker, lists, what);
    for (unsigned x = 0; made && x < lists->ranking->classes; x++)
        if (multiset_left(lists->ranking, what->vector, x) > 0)
            made = what->kind == LIST_OUT ? pair_out(maker, lists, what, x, slot++) : pair_inner(maker, lists, what, x);
    return made;
}

/* -- lists -- */

/* Sorts the pieces by their words. */
static bool sort_pieces(const struct list_maker *maker, struct layer_list *list)
{
    list->first = calloc(list->words + 1, sizeof *list->first);
    list->piece = malloc(maker->pieces * sizeof *list->piece + 1);
    if (list->first == NULL || list->piece == NULL)
        return false;
    for (size_t i = 0; i < maker->pieces; i++)
        list->first[maker->piece[i].word + 1]++;
    for (uint32_t w = 0; w < list->words; w++)
        list->first[w + 1] += list->first[w];
    for (size_t i = 0; i < maker->pieces; i++)
        list->piece[list->first[maker->piece[i].word]++] = maker->piece[i].piece;
    for (uint32_t w = list->words; w > 0; w--) /* each has advanced to where the next begins */
        list->first[w] = list->first[w - 1];
    list->first[0] = 0;
    return true;
}

static bool make_list(struct layer_lists *lists, const struct layer_list_what *what, struct layer_list *list)
{
    const struct multiset_ranking *ranking = lists->ranking;
    struct list_maker maker = {0};
    const uint32_t vector = what->kind == LIST_INTO ? what->vector - ranking->stride[what->class] : what->vector;
    list->words = (uint32_t)((ranking->orders_of[vector] + 63) / 64);
    const bool made = pair_all(&maker, lists, what) && sort_pieces(&maker, list);
    lists->bytes += sizeof(struct named_list) + (list->words + 1) * sizeof *list->first +
                    maker.pieces * sizeof *list->piece + 3 * MALLOC_BYTES;
    free(maker.piece);
    return made;
}

static struct list_key key_of(const struct multiset_ranking *ranking, const struct layer_list_what *what)
{
    struct list_key key = {.kind = (uint8_t)what->kind, .place = (uint8_t)what->place, .other = (uint8_t)what->other};
    unsigned classes = 0;
    for (unsigned c = 0; c < ranking->classes; c++) {
        const unsigned left = multiset_left(ranking, what->vector, c);
        if (what->kind == LIST_INTO && c == what->class)
            key.class = (uint8_t)classes;
        if (left > 0)
            key.left[classes++] = (uint8_t)left;
    }
    return key;
}

static struct named_list **find_slot(struct named_list **slot, size_t slots, const struct list_key *key)
{
    const uint8_t *bytes = (const uint8_t *)key;
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (size_t i = 0; i < sizeof *key; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    size_t at = (hash ^ hash >> 32) & (slots - 1);
    while (slot[at] != NULL && memcmp(&slot[at]->key, key, sizeof *key) != 0)
        at = (at + 1) & (slots - 1);
    return &slot[at];
}

static bool grow(struct layer_lists *lists)
{
    const size_t slots = lists->slots == 0 ? 64 : 2 * lists->slots;
    struct named_list **slot = calloc(slots, sizeof *slot);
    if (slot == NULL)
        return false;
    for (size_t i = 0; i < lists->slots; i++)
        if (lists->slot[i] != NULL)
            *find_slot(slot, slots, &lists->slot[i]->key) = lists->slot[i];
    free(lists->slot);
    lists->slot = slot;
    lists->slots = slots;
    return true;
}

const struct layer_list *layer_lists_get(struct layer_lists *lists, const struct layer_list_what *what)
{
    if (2 * lists->count >= lists->slots && !grow(lists))
        return NULL;
    const struct list_key key = key_of(lists->ranking, what);
    struct named_list **slot = find_slot(lists->slot, lists->slots, &key);
    if (*slot != NULL)
        return &(*slot)->list;
    struct named_list *named = calloc(1, sizeof *named);
    if (named == NULL)
        return NULL;
    named->key = key;
    *slot = named;
    lists->count++;
    return make_list(lists, what, &named->list) ? &named->list : NULL;
}

struct layer_lists *layer_lists_new(const struct multiset_ranking *ranking, struct layer_maps *maps,
                                    uint32_t group_states)
{
    struct layer_lists *lists = calloc(1, sizeof *lists);
    if (lists == NULL)
        return NULL;
    lists->ranking = ranking;
    lists->maps = maps;
    lists->group_states = group_states;
    return lists;
}

void layer_lists_free(struct layer_lists *lists)
{
    if (lists == NULL)
        return;
    for (size_t i = 0; i < lists->slots; i++)
        if (lists->slot[i] != NULL) {
            free(lists->slot[i]->list.first);
            free(lists->slot[i]->list.piece);
            free(lists->slot[i]);
        }
    free(lists->slot);
    free(lists);
}

uint64_t layer_lists_bytes(const struct layer_lists *lists)
{
    return sizeof *lists + lists->slots * sizeof *lists->slot + lists->bytes;
}
