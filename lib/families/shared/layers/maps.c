/* maps.c -- layers of multisets: which orders have a thing at a place
 *
 * A map is put together from those of the node's children, one behind the other:
 *
 *     A at place 2 of AABC   =   A at place 1 of ABC | of AAC | of AAB        behind A, behind B, behind C
 *     bits 0 ..                  . . 1 . 1 .         | 1 . 1  | 1 . 1
 *
 * Maps of nodes of up to 64 orders are words, and are remembered, as whole maps are that were asked for: by node, class
 * and place.
 */
#include "multiset.h"

#include <stdlib.h>
#include <string.h>

/* -- tables -- */

static struct layer_entry *find_entry(const struct layer_table *table, const uint64_t key[2])
{
    const uint64_t mixed = (key[0] * 0x9E3779B97F4A7C15 ^ key[1]) * 0x9E3779B97F4A7C15;
    size_t at = (mixed ^ mixed >> 32) & (table->slots - 1);
    while (table->slot[at].key[0] != 0 && (table->slot[at].key[0] != key[0] || table->slot[at].key[1] != key[1]))
        at = (at + 1) & (table->slots - 1);
    return &table->slot[at];
}

struct layer_entry *layer_table_entry(struct layer_table *table, const uint64_t key[2])
{
    if (2 * table->count >= table->slots) {
        struct layer_table grown = {.slots = table->slots == 0 ? 256 : 2 * table->slots, .count = table->count};
        grown.slot = calloc(grown.slots, sizeof *grown.slot);
        if (grown.slot == NULL)
            return NULL;
        for (size_t i = 0; i < table->slots; i++)
            if (table->slot[i].key[0] != 0)
                *find_entry(&grown, table->slot[i].key) = table->slot[i];
        free(table->slot);
        *table = grown;
    }
    struct layer_entry *entry = find_entry(table, key);
    table->count += entry->key[0] == 0;
    memcpy(entry->key, key, sizeof entry->key);
    return entry;
}

/* That of a map; not the key of a free entry, as something is left. */
static struct layer_entry *map_entry(struct layer_table *table, uint32_t node, unsigned class, unsigned place)
{
    return layer_table_entry(table, (const uint64_t[]){node, (uint64_t) class << 32 | place});
}

/* -- words -- */

/* Has a node anything left of a class? */
static bool has_left(const struct order_tree *tree, uint32_t node, unsigned class)
{
    return multiset_beginning(&tree->ranking, node >> tree->shift, class) > 0;
}

/* The map of a node of up to 64 orders. */
static uint64_t node_word(struct layer_maps *maps, uint32_t node, unsigned class, unsigned place)
{
    const struct order_tree *tree = maps->tree;
    if (place == 0)
        return layer_low((unsigned)order_tree_beginning(tree, node, class))
               << order_tree_before(tree, node, class) % 64;
    if (!has_left(tree, node, class))
        return 0;
    const struct layer_entry *known = map_entry(&maps->words, node, class, place);
    if (known != NULL && known->word != 0)
        return known->word;
    uint64_t word = 0;
    for (unsigned y = 0; y < tree->ranking.classes; y++)
        if (order_tree_beginning(tree, node, y) > 0)
            word |= node_word(maps, order_tree_child(tree, node, y), class, place - 1)
                    << order_tree_before(tree, node, y);
    struct layer_entry *entry = map_entry(&maps->words, node, class, place); /* it may have moved */
    if (entry != NULL)
        entry->word = word;
    else
        maps->failed = true;
    return word;
}

/* -- bitmaps -- */

/* Up to 64 bits, from bit `at` on. */
static void put_bits(uint64_t *bitmap, uint64_t at, uint64_t bits)
{
    bitmap[at / 64] |= bits << at % 64;
    bitmap[at / 64 + 1] |= bits >> 1 >> (63 - at % 64);
}

/* The map of a node whose first order is bit `at`. */
static void put_node(struct layer_maps *maps, uint32_t node, unsigned class, unsigned place, uint64_t at,
                     uint64_t *bitmap)
{
    const struct order_tree *tree = maps->tree;
    if (tree->orders_of[node] <= 64) {
        put_bits(bitmap, at, node_word(maps, node, class, place));
        return;
    }
    if (place > 0) {
        if (!has_left(tree, node, class))
            return;
        for (unsigned y = 0; y < tree->ranking.classes; y++)
            if (order_tree_beginning(tree, node, y) > 0)
                put_node(maps, order_tree_child(tree, node, y), class, place - 1, at + order_tree_before(tree, node, y),
                         bitmap);
        return;
    }
    uint64_t left = order_tree_beginning(tree, node, class);
    for (at += order_tree_before(tree, node, class); left > 64; left -= 64, at += 64)
        put_bits(bitmap, at, UINT64_MAX);
    put_bits(bitmap, at, layer_low((unsigned)left));
}

const uint64_t *layer_map(struct layer_maps *maps, uint32_t node, unsigned class, unsigned place)
{
    struct layer_entry *entry = map_entry(&maps->bitmaps, node, class, place);
    if (entry == NULL || entry->pointer != NULL)
        return entry == NULL ? NULL : entry->pointer;
    entry->pointer = calloc(maps->tree->orders_of[node] / 64 + 2, sizeof(uint64_t));
    if (entry->pointer != NULL)
        put_node(maps, node, class, place, 0, entry->pointer);
    return maps->failed ? NULL : entry->pointer;
}

void layer_maps_free(struct layer_maps *maps)
{
    for (size_t i = 0; i < maps->bitmaps.slots; i++)
        free(maps->bitmaps.slot[i].pointer);
    free(maps->bitmaps.slot);
    free(maps->words.slot);
    *maps = (struct layer_maps){0};
}
