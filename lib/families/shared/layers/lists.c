/* lists.c -- layers of multisets: lists of pieces
 *
 * For every class x two sets of orders are gone through together, those that have what the move leaves and those that
 * have what it makes: each word takes, for its own, as many of the source's bits as it has, in pieces of 64 bits at
 * most.
 */
#include "multiset.h"
#include "lib/memory/array.h"

enum {
    LIST_CLASSES = 12, /* 12! orders are too many for a list */
    MALLOC_BYTES = 24  /* that a piece of memory takes beyond its length, at most: lists are many and small */
};

/* What lists are told apart by: counts of the classes that play a part, in their order; and their numbers among these
 * instead of the classes'. */
struct list_key {
    uint8_t left[LIST_CLASSES];
    uint8_t kind, place, other, class; /* the kind, and the node's colour */
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
static unsigned find_parts(const struct layer_lists *lists, uint32_t node, uint64_t at, uint64_t *part)
{
    const struct order_tree *tree = lists->maps.tree;
    unsigned parts = 0;
    if (layer_is_group(tree, node >> tree->shift, lists->group_states)) {
        part[0] = at;
        part[1] = at + tree->orders_of[node];
        return 1;
    }
    for (unsigned y = 0; y < tree->ranking.classes; y++)
        if (order_tree_beginning(tree, node, y) > 0)
            parts += find_parts(lists, order_tree_child(tree, node, y), at + order_tree_before(tree, node, y),
                                part + parts);
    return parts;
}

/* Of a node's orders, those that have these classes at these places, one or two; all where there are none. */
struct order_set {
    uint32_t node;
    unsigned conditions, class[2], place[2];
};

/* Its map, NULL where it is all. Where there are two conditions it is *made, which the caller frees. False where memory
 * is short. */
static bool find_set(struct layer_lists *lists, const struct order_set *set, const uint64_t **map, uint64_t **made)
{
    const size_t words = lists->maps.tree->orders_of[set->node] / 64 + 2;
    const uint64_t *one[2] = {NULL, NULL};
    *made = NULL;
    for (unsigned i = 0; i < set->conditions; i++)
        if ((one[i] = layer_map(&lists->maps, set->node, set->class[i], set -> place[i])) == NULL)
            return false;
    *map = one[0];
    if (set->conditions < 2)
        return true;
    *map = *made = malloc(words * sizeof **made);
    for (size_t w = 0; *made != NULL && w < words; w++)
        (*made)[w] = one[0][w] & one[1][w];
    return *made != NULL;
}

/* Pairs two sets, of as many orders; the source's groups have slots from *slot on, which goes on behind them. */
static bool pair_sets(struct layer_lists *lists, const struct order_set *to, const struct order_set *from,
                      unsigned *slot)
{
    const uint64_t *orders_of = lists->maps.tree->orders_of;
    uint64_t part[LAYER_SOURCES_MAX + 1] = {0}, *made[2] = {NULL, NULL};
    const uint64_t *word;
    struct source_bits source = {.part = part, .first_slot = *slot};
    if (orders_of[from->node] == 0 || orders_of[to->node] == 0)
        return true;
    *slot += find_parts(lists, from->node, 0, part);
    const bool paired = find_set(lists, to, &word, &made[0]) && find_set(lists, from, &source.map, &made[1]) &&
                        pair_up(lists, word, orders_of[to->node], source);
    free(made[0]);
    free(made[1]);
    return paired;
}

/* A thing of class x is carried. */
static bool pair_carried(struct layer_lists *lists, const struct layer_list_what *what, unsigned x, unsigned *slot)
{
    struct order_set to = {what->node, 1, {x, 0}, {what->place, 0}}, from = to;
    if (what->kind == LIST_OUT)
        from = (struct order_set){.node = order_tree_child(lists->maps.tree, what->node, x)};
    else
        from.place[0] = what->other;
    return pair_sets(lists, &to, &from, slot);
}

/* A thing of class x and another, of which one is the empty place, are exchanged. */
static bool pair_exchanged(struct layer_lists *lists, const struct layer_list_what *what, unsigned x, unsigned *slot)
{
    const struct order_tree *tree = lists->maps.tree;
    uint32_t vector = what->node >> tree->shift;
    struct order_set to = {what->node, 1, {x, 0}, {what->place, 0}}, from = to;
    if (what->kind == LIST_CROSS) {
        vector += tree->ranking.stride[what->class] - tree->ranking.stride[x];
        from.class[0] = what->class;
    } else {
        to = (struct order_set){what->node, 2, {x, tree->empty}, {what->place, what->other}};
        from = (struct order_set){what->node, 2, {tree->empty, x}, {what->place, what->other}};
    }
    from.node = order_tree_node(tree, vector, what->colour);
    if (what->kind == LIST_CROSS)
        return pair_sets(lists, &to, &from, slot);
    /* The source is one group: its slot is 0, for either way and every x. */
    unsigned same[2] = {0, 0};
    const struct order_set back = {to.node, 2, {tree->empty, x}, {what->place, what->other}},
                           forth = {from.node, 2, {x, tree->empty}, {what->place, what->other}};
    return pair_sets(lists, &to, &from, &same[0]) && pair_sets(lists, &back, &forth, &same[1]);
}

/* The orders of one colour, among all. */
static bool pair_arranged(struct layer_lists *lists, const struct layer_list_what *what)
{
    const struct order_tree *tree = lists->maps.tree;
    const uint32_t vector = what->node >> tree->shift;
    const uint64_t orders = tree->ranking.orders_of[vector], part[2] = {0, tree->orders_of[what->node]};
    uint64_t *marked = calloc(orders / 64 + 1, sizeof *marked);
    if (marked == NULL)
        return false;
    order_tree_mark(tree, vector, what->node & tree->shift, 0, marked);
    const bool paired = pair_up(lists, marked, orders, (struct source_bits){.part = part});
    free(marked);
    return paired;
}

static bool pair_all(struct layer_lists *lists, const struct layer_list_what *what)
{
    const struct order_tree *tree = lists->maps.tree;
    const uint32_t vector = what->node >> tree->shift;
    unsigned slot = 0;
    if (what->kind == LIST_ARRANGE)
        return pair_arranged(lists, what);
    if (what->kind == LIST_INTO) {
        const struct order_set to = {.node = what->node},
                               from = {order_tree_node(tree, vector + tree->ranking.stride[what->class], 0),
                                       1,
                                       {what->class, 0},
                                       {what->place, 0}};
        return pair_sets(lists, &to, &from, &slot);
    }
    for (unsigned x = 0; x < tree->ranking.classes; x++) {
        if (multiset_left(&tree->ranking, vector, x) == 0)
            continue;
        bool paired = true;
        if ((what->kind == LIST_CROSS && layer_exchangeable(tree, what->class, x)) ||
            (what->kind == LIST_EXCHANGE && layer_exchangeable(tree, tree->empty, x)))
            paired = pair_exchanged(lists, what, x, &slot);
        else if (what->kind == LIST_OUT || what->kind == LIST_INNER)
            paired = pair_carried(lists, what, x, &slot);
        if (what->kind == LIST_INNER)
            slot = 0; /* the source is one group */
        if (!paired)
            return false;
    }
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
    const struct order_tree *tree = lists->maps.tree;
    const uint64_t orders = what->kind == LIST_ARRANGE ? tree->ranking.orders_of[what->node >> tree->shift]
                                                       : tree->orders_of[what->node];
    lists->pieces = 0;
    list->words = (uint32_t)((orders + 63) / 64);
    const bool made = pair_all(lists, what) && sort_pieces(lists, list);
    lists->bytes += sizeof *list + (list->words + 1) * sizeof *list->first + lists->pieces * sizeof *list->piece +
                    3 * MALLOC_BYTES;
    return made;
}

static struct list_key key_of(const struct order_tree *tree, const struct layer_list_what *what)
{
    const uint32_t vector = what->node >> tree->shift;
    const bool exchanges = tree->empty < tree->ranking.classes;
    struct list_key key = {.kind = (uint8_t)(what->kind << 1 | (what->node & tree->shift)),
                           .place = (uint8_t)what->place,
                           .other = (uint8_t)what->other};
    unsigned classes = 0, empty = 0;
    for (unsigned c = 0; c < tree->ranking.classes; c++) {
        const unsigned left = multiset_left(&tree->ranking, vector, c);
        const bool crosses = (what->kind == LIST_INTO || what->kind == LIST_CROSS) && c == what->class;
        if (crosses)
            key.class = (uint8_t)classes;
        if (exchanges && c == tree->empty)
            empty = classes;
        if (left > 0 || crosses || (exchanges && c == tree->empty))
            key.left[classes++] = (uint8_t)left;
    }
    /* An exchange across the border has one place, one among the group's two: there is room for the empty class. */
    if (what->kind == LIST_CROSS)
        key.other = (uint8_t)empty;
    else if (what->kind == LIST_EXCHANGE || what->kind == LIST_ARRANGE)
        key.class = (uint8_t)empty;
    return key;
}

const struct layer_list *layer_lists_get(struct layer_lists *lists, const struct layer_list_what *what)
{
    const struct list_key key = key_of(lists->maps.tree, what);
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
