/* slide_layer_lists.c -- layers of sliding puzzles with many pieces alike: lists of pieces
 *
 * Going down two trees at once gives runs of bits, in ascending order on both sides as long as the class x that moves
 * is the same; so every run either goes on with the piece made last or begins one.
 */
#include "slide_layer_multiset.h"

#include <stdlib.h>
#include <string.h>

enum { SHAPE_CLASSES = 12 /* 12! orders are too many for a list */ };

/* What lists are told apart by: counts of the classes, without those of none, in their order. */
struct list_key {
    uint8_t left[SHAPE_CLASSES];
    uint8_t kind, before, passed, class;
};

struct named_list {
    struct list_key key;
    struct layer_list list;
};

struct layer_lists {
    const struct multiset_ranking *ranking;
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
    const struct multiset_ranking *ranking;
    bool out;       /* x comes to the front: the words are those of the orders that have it behind */
    unsigned class; /* x */
    bool open;      /* the last piece may be gone on with */
    uint8_t slot;
    const uint64_t *part; /* where the source's groups begin, LIST_INTO; NULL: all of it is one */
    struct placed_piece *piece;
    size_t pieces, room;
    bool failed; /* memory is short */
};

static struct placed_piece *begin_piece(struct list_maker *maker, uint64_t dest, uint64_t source)
{
    if (maker->pieces == maker->room) {
        const size_t room = maker->room == 0 ? 256 : 2 * maker->room;
        struct placed_piece *grown = realloc(maker->piece, room * sizeof *grown);
        if (grown == NULL) {
            maker->failed = true;
            return NULL;
        }
        maker->piece = grown;
        maker->room = room;
    }
    maker->open = true;
    maker->piece[maker->pieces] = (struct placed_piece){{.source = (uint16_t)source, .slot = maker->slot},
                                                        (uint32_t)(dest / 64)};
    return &maker->piece[maker->pieces++];
}

/* Does the last piece serve for these bits as well? */
static bool goes_on(const struct list_maker *maker, uint64_t dest, uint64_t source, unsigned bits)
{
    if (!maker->open)
        return false;
    const struct placed_piece *last = &maker->piece[maker->pieces - 1];
    return last->word == dest / 64 && last->piece.slot == maker->slot && source + bits - last->piece.source <= 64;
}

/* Bits of the source, in a row, go to bits in a row. */
static void add_run(struct list_maker *maker, uint64_t dest, uint64_t source, uint64_t length)
{
    while (length > 0 && !maker->failed) {
        const unsigned room = 64 - dest % 64, bits = length < room ? (unsigned)length : room;
        struct placed_piece *placed = goes_on(maker, dest, source, bits) ? &maker->piece[maker->pieces - 1]
                                                                         : begin_piece(maker, dest, source);
        if (placed == NULL)
            return;
        struct layer_piece *piece = &placed->piece;
        piece->from |= layer_low(bits) << (source - piece->source);
        piece->to |= layer_low(bits) << dest % 64;
        piece->span = (uint8_t)(source + bits - 1 - piece->source);
        dest += bits;
        source += bits;
        length -= bits;
    }
}

/* -- two trees at once -- */

/* The orders of `vector` that have x at place j, the node's first bit being `at`, belong to the orders without that x,
 * from `front` on. */
static void follow(struct list_maker *maker, uint32_t vector, unsigned j, uint64_t front, uint64_t at)
{
    const struct multiset_ranking *ranking = maker->ranking;
    const uint32_t without = vector - ranking->stride[maker->class];
    const uint64_t *before = ranking->before + (uint64_t)vector * ranking->classes,
                   *before_without = ranking->before + (uint64_t)without * ranking->classes;
    if (j > 0) {
        for (unsigned y = 0; y < ranking->classes; y++)
            if (multiset_beginning(ranking, without, y) > 0)
                follow(maker, vector - ranking->stride[y], j - 1, front + before_without[y], at + before[y]);
        return;
    }
    at += before[maker->class];
    if (maker->out) {
        add_run(maker, at, front, ranking->orders_of[without]);
        return;
    }
    if (maker->part != NULL) {
        uint8_t slot = 0;
        while (maker->part[slot + 1] <= at)
            slot++;
        maker->slot = slot;
        at -= maker->part[slot];
    }
    add_run(maker, front, at, ranking->orders_of[without]);
}

/* The same for all windows that begin `before` places behind the node's beginning, inside one run of bits. */
static void follow_inner(struct list_maker *maker, uint32_t vector, unsigned before, unsigned passed, uint64_t at)
{
    const struct multiset_ranking *ranking = maker->ranking;
    const uint64_t *first = ranking->before + (uint64_t)vector * ranking->classes;
    if (before == 0) {
        if (multiset_beginning(ranking, vector, maker->class) > 0)
            follow(maker, vector, passed, at + first[maker->class], at);
        return;
    }
    for (unsigned y = 0; y < ranking->classes; y++)
        if (multiset_beginning(ranking, vector, y) > 0)
            follow_inner(maker, vector - ranking->stride[y], before - 1, passed, at + first[y]);
}

/* Where the groups of a node begin, and where the last one ends. Returns how many there are. */
static unsigned find_parts(const struct multiset_ranking *ranking, uint32_t vector, uint64_t at, uint64_t *part)
{
    unsigned parts = 0;
    if (ranking->orders_of[vector] <= LAYER_GROUP_STATES) {
        part[0] = at;
        part[1] = at + ranking->orders_of[vector];
        return 1;
    }
    for (unsigned y = 0; y < ranking->classes; y++)
        if (multiset_beginning(ranking, vector, y) > 0)
            parts += find_parts(ranking, vector - ranking->stride[y],
                                at + ranking->before[(uint64_t)vector * ranking->classes + y], part + parts);
    return parts;
}

static bool follow_all(struct list_maker *maker, const struct layer_list_what *what)
{
    const struct multiset_ranking *ranking = maker->ranking;
    uint64_t part[LAYER_SOURCES_MAX + 1];
    maker->out = what->kind == LIST_OUT || what->kind == LIST_INNER_OUT;
    if (what->kind == LIST_INTO) {
        find_parts(ranking, what->vector, 0, part);
        maker->part = part;
        maker->class = what->class;
        follow(maker, what->vector, what->passed, 0, 0);
        return !maker->failed;
    }
    for (maker->class = 0; maker->class < ranking->classes; maker->class ++) {
        if (multiset_left(ranking, what->vector, maker->class) == 0)
            continue;
        maker->open = false;
        if (what->kind == LIST_OUT) {
            follow(maker, what->vector, what->passed, 0, 0);
            maker->slot++;
        } else
            follow_inner(maker, what->vector, what->before, what->passed, 0);
    }
    return !maker->failed;
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
    for (uint32_t w = list->words; w > 0; w--) /* each has come to where the next begins */
        list->first[w] = list->first[w - 1];
    list->first[0] = 0;
    return true;
}

static bool make_list(struct layer_lists *lists, const struct layer_list_what *what, struct layer_list *list)
{
    const struct multiset_ranking *ranking = lists->ranking;
    struct list_maker maker = {.ranking = ranking};
    const uint32_t vector = what->kind == LIST_INTO ? what->vector - ranking->stride[what->class] : what->vector;
    list->words = (uint32_t)((ranking->orders_of[vector] + 63) / 64);
    const bool made = follow_all(&maker, what) && sort_pieces(&maker, list);
    lists->bytes += sizeof(struct named_list) + (list->words + 1) * sizeof *list->first +
                    maker.pieces * sizeof *list->piece;
    free(maker.piece);
    return made;
}

static struct list_key key_of(const struct multiset_ranking *ranking, const struct layer_list_what *what)
{
    struct list_key key = {
        .kind = (uint8_t)what->kind, .before = (uint8_t)what->before, .passed = (uint8_t)what->passed};
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

struct layer_lists *layer_lists_new(const struct multiset_ranking *ranking)
{
    struct layer_lists *lists = calloc(1, sizeof *lists);
    if (lists != NULL)
        lists->ranking = ranking;
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
