/* lists.c -- layers of sliding puzzles with many pieces alike: lists of pieces
 *
 * For every class x two maps are gone through together, of the orders with x at the one place and at the other: each
 * word takes, for its own, as many of the source's bits as it has, in pieces of 64 bits at most.
 */
#include "multiset.h"
#include "lib/array.h"

enum {
    SHAPE_CLASSES = 12, /* 12! orders are too many for a list */
    MALLOC_BYTES = 24   /* that a piece of memory takes beyond its length, at most: lists are many and small */
};

/* What lists are told apart by: counts of the classes, without those of none, in their order. */
struct list_key {
    uint8_t left[SHAPE_CLASSES];
    uint8_t kind, place, other, class;
};

struct placed_piece {
    struct layer_piece piece;
    uint32_t word;
};

/* -- pieces -- */

static bool add_piece(struct layer_lists *lists, struct layer_piece piece, uint32_t word)
{
    if (!array_reserve(&lists->piece, &lists->room, lists->pieces + 1, sizeof *lists->piece))
        return false;
    lists->piece[lists->pieces++] = (struct placed_piece){piece, word};
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
    unsigned group;       /* of `at` */
    unsigned first_slot;  /* that of group 0 */
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
    while (source->part[source->group + 1] <= source->at)
        source->group++;
    const uint64_t left = source->part[source->group + 1] - source->at;
    return left < 64 ? bits & layer_low((unsigned)left) : bits;
}

/* Pairs the bits of a list's words with those of its source in their order: the k-th order with a thing at the one
 * place comes from the k-th with it at the other. word[] are the words' map; NULL: ones, as many as `states`. */
static bool pair_up(struct layer_lists *lists, const uint64_t *word, uint64_t states, struct source_bits source)
{
    for (uint32_t w = 0; w < (states + 63) / 64; w++) {
        uint64_t to = word != NULL ? word[w] : layer_low(states - 64 * w < 64 ? (unsigned)(states - 64 * w) : 64);
        while (to != 0) {
            /* A piece takes what both have left: bits that this word wants, and bits within 64 of the source. */
            uint64_t from = next_bits(&source);
            const unsigned wanted = (unsigned)__builtin_popcountll(to), there = (unsigned)__builtin_popcountll(from),
                           taken = wanted < there ? wanted : there;
            const uint64_t given = lowest(to, wanted, taken);
            from = lowest(from, there, taken);
            const unsigned span = 63 - (unsigned)__builtin_clzll(from);
            if (!add_piece(lists,
                           (struct layer_piece){.from = from,
                                                .to = given,
                                                .source = (uint16_t)(source.at - source.part[source.group]),
                                                .span = (uint8_t)span,
                                                .slot = (uint8_t)(source.first_slot + source.group)},
                           w))
                return false;
            /* Both go on behind it. */
            to ^= given;
            source.at += span + 1;
        }
    }
    return true;
}

/* Where the groups of a node begin, and where the last one ends. Returns how many there are. */
static unsigned find_parts(const struct layer_lists *lists, uint32_t vector, uint64_t at, uint64_t *part)
{
    const struct multiset_ranking *ranking = lists->maps.ranking;
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

/* The pieces for one class x, from the maps that say where words and source have it. */
static bool pair_class(struct layer_lists *lists, const struct layer_list_what *what, unsigned x, unsigned slot)
{
    const uint64_t orders = lists->maps.ranking->orders_of[what->vector],
                   begun = lists->maps.ranking
                               ->orders_of[what->vector - lists->maps.ranking->stride[x]]; /* with an x */
    uint64_t part[LAYER_SOURCES_MAX + 1];
    const uint64_t *at = layer_map(&lists->maps, what->vector, x, what->place), *other = NULL;
    if (what->kind == LIST_INNER)
        other = layer_map(&lists->maps, what->vector, x, what->other);
    if (at == NULL || (what->kind == LIST_INNER && other == NULL))
        return false;
    part[0] = 0;
    part[1] = what->kind == LIST_OUT ? begun : orders;
    switch (what->kind) {
    case LIST_OUT: /* to the source's front: it is all of the source */
        return pair_up(lists, at, orders, (struct source_bits){.part = part, .first_slot = slot});
    case LIST_INTO: /* from before all of the words; the source may be several groups */
        find_parts(lists, what->vector, 0, part);
        return pair_up(lists, NULL, begun, (struct source_bits){.map = at, .part = part});
    default:
        return pair_up(lists, at, orders, (struct source_bits){.map = other, .part = part});
    }
}

static bool pair_all(struct layer_lists *lists, const struct layer_list_what *what)
{
    unsigned slot = 0;
    if (what->kind == LIST_INTO)
        return pair_class(lists, what, what->class, 0);
    for (unsigned x = 0; x < lists->maps.ranking->classes; x++)
        if (multiset_left(lists->maps.ranking, what->vector, x) > 0 && !pair_class(lists, what, x, slot++))
            return false;
    return true;
}

/* -- lists -- */

/* Sorts the pieces by their words. */
static bool sort_pieces(const struct layer_lists *lists, struct layer_list *list)
{
    list->first = calloc(list->words + 1, sizeof *list->first);
    list->piece = malloc(lists->pieces * sizeof *list->piece + 1);
    if (list->first == NULL || list->piece == NULL)
        return false;
    for (size_t i = 0; i < lists->pieces; i++)
        list->first[lists->piece[i].word + 1]++;
    for (uint32_t w = 0; w < list->words; w++)
        list->first[w + 1] += list->first[w];
    for (size_t i = 0; i < lists->pieces; i++)
        list->piece[list->first[lists->piece[i].word]++] = lists->piece[i].piece;
    for (uint32_t w = list->words; w > 0; w--) /* each has advanced to where the next begins */
        list->first[w] = list->first[w - 1];
    list->first[0] = 0;
    return true;
}

static bool make_list(struct layer_lists *lists, const struct layer_list_what *what, struct layer_list *list)
{
    const struct multiset_ranking *ranking = lists->maps.ranking;
    const uint32_t vector = what->kind == LIST_INTO ? what->vector - ranking->stride[what->class] : what->vector;
    lists->pieces = 0;
    list->words = (uint32_t)((ranking->orders_of[vector] + 63) / 64);
    const bool made = pair_all(lists, what) && sort_pieces(lists, list);
    lists->bytes += sizeof *list + (list->words + 1) * sizeof *list->first + lists->pieces * sizeof *list->piece +
                    3 * MALLOC_BYTES;
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

const struct layer_list *layer_lists_get(struct layer_lists *lists, const struct layer_list_what *what)
{
    const struct list_key key = key_of(lists->maps.ranking, what);
    uint64_t words[2];
    _Static_assert(sizeof words == sizeof key, "a key is two words");
    memcpy(words, &key, sizeof words);
    struct layer_entry *entry = layer_table_entry(&lists->table, words);
    if (entry == NULL || entry->pointer != NULL)
        return entry == NULL ? NULL : entry->pointer;
    struct layer_list *list = entry->pointer = calloc(1, sizeof *list);
    return list != NULL && make_list(lists, what, list) ? list : NULL;
}

void layer_lists_finish(struct layer_lists *lists)
{
    layer_maps_free(&lists->maps);
    free(lists->piece);
    lists->piece = NULL;
}

void layer_lists_free(struct layer_lists *lists)
{
    layer_lists_finish(lists);
    for (size_t i = 0; i < lists->table.slots; i++) {
        struct layer_list *list = lists->table.slot[i].pointer;
        if (list == NULL)
            continue;
        free(list->first);
        free(list->piece);
        free(list);
    }
    free(lists->table.slot);
}

uint64_t layer_lists_bytes(const struct layer_lists *lists)
{
    return lists->table.slots * sizeof *lists->table.slot + lists->bytes;
}
