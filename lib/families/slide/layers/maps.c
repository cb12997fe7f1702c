/* maps.c -- layers of sliding puzzles with many pieces alike: which orders have a thing at a place
 *
 * A map is put together from those of the node's children, one behind the other:
 *
 *     A at place 2 of AABC   =   A at place 1 of ABC | of AAC | of AAB        behind A, behind B, behind C
 *     bits 0 ..                  . . 1 . 1 .         | 1 . 1  | 1 . 1
 *
 * Maps of nodes of up to 64 orders are words, and are remembered, as whole maps are that were asked for: by vector,
 * class and place.
 */
#include "multiset.h"

#include <stdlib.h>

struct named_map {
    uint64_t key; /* 0: none */
    union {
        uint64_t word;
        uint64_t *bitmap;
    };
};

struct map_table {
    struct named_map *slot;
    size_t slots, count; /* a power of two; no more than half of them are taken */
};

struct layer_maps {
    const struct multiset_ranking *ranking;
    struct map_table words, bitmaps;
    bool failed; /* memory was short */
};

/* -- tables -- */

static struct named_map *find_map(const struct map_table *table, uint64_t key)
{
    const uint64_t hash = key * 0x9E3779B97F4A7C15;
    size_t at = (hash ^ hash >> 32) & (table->slots - 1);
    while (table->slot[at].key != 0 && table->slot[at].key != key)
        at = (at + 1) & (table->slots - 1);
    return &table->slot[at];
}

/* A new slot; NULL where memory is short. */
static struct named_map *add_map(struct map_table *table, uint64_t key)
{
    if (2 * table->count >= table->slots) {
        struct map_table grown = {.slots = table->slots == 0 ? 256 : 2 * table->slots, .count = table->count};
        grown.slot = calloc(grown.slots, sizeof *grown.slot);
        if (grown.slot == NULL)
            return NULL;
        for (size_t i = 0; i < table->slots; i++)
            if (table->slot[i].key != 0)
                *find_map(&grown, table->slot[i].key) = table->slot[i];
        free(table->slot);
        *table = grown;
    }
    table->count++;
    struct named_map *map = find_map(table, key);
    map->key = key;
    return map;
}

/* Not 0, as something is left. */
static uint64_t key_of(uint32_t vector, unsigned class, unsigned place)
{
    return (uint64_t)vector << 32 | class << 16 | place;
}

/* -- words -- */

/* The map of a node of up to 64 orders. */
static uint64_t node_word(struct layer_maps *maps, uint32_t vector, unsigned class, unsigned place)
{
    const struct multiset_ranking *ranking = maps->ranking;
    const uint64_t *before = ranking->before + (uint64_t)vector * ranking->classes,
                   beginning = multiset_beginning(ranking, vector, class), key = key_of(vector, class, place);
    if (beginning == 0 || place == 0)
        return beginning == 0 ? 0 : layer_low((unsigned)beginning) << before[class];
    const struct named_map *known = maps->words.slots == 0 ? NULL : find_map(&maps->words, key);
    if (known != NULL && known->key == key)
        return known->word;
    uint64_t word = 0;
    for (unsigned y = 0; y < ranking->classes; y++)
        if (multiset_beginning(ranking, vector, y) > 0)
            word |= node_word(maps, vector - ranking->stride[y], class, place - 1) << before[y];
    struct named_map *map = add_map(&maps->words, key);
    if (map != NULL)
        map->word = word;
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
static void put_node(struct layer_maps *maps, uint32_t vector, unsigned class, unsigned place, uint64_t at,
                     uint64_t *bitmap)
{
    const struct multiset_ranking *ranking = maps->ranking;
    const uint64_t *before = ranking->before + (uint64_t)vector * ranking->classes;
    uint64_t left = multiset_beginning(ranking, vector, class);
    if (left == 0)
        return;
    if (ranking->orders_of[vector] <= 64) {
        put_bits(bitmap, at, node_word(maps, vector, class, place));
        return;
    }
    if (place > 0) {
        for (unsigned y = 0; y < ranking->classes; y++)
            if (multiset_beginning(ranking, vector, y) > 0)
                put_node(maps, vector - ranking->stride[y], class, place - 1, at + before[y], bitmap);
        return;
    }
    for (at += before[class]; left > 64; left -= 64, at += 64)
        put_bits(bitmap, at, UINT64_MAX);
    put_bits(bitmap, at, layer_low((unsigned)left));
}

const uint64_t *layer_map(struct layer_maps *maps, uint32_t vector, unsigned class, unsigned place)
{
    const uint64_t key = key_of(vector, class, place);
    const struct named_map *known = maps->bitmaps.slots == 0 ? NULL : find_map(&maps->bitmaps, key);
    if (known != NULL && known->key == key)
        return known->bitmap;
    uint64_t *bitmap = calloc(maps->ranking->orders_of[vector] / 64 + 2, sizeof *bitmap);
    struct named_map *map = bitmap == NULL ? NULL : add_map(&maps->bitmaps, key);
    if (map == NULL) {
        free(bitmap);
        return NULL;
    }
    map->bitmap = bitmap;
    put_node(maps, vector, class, place, 0, bitmap);
    return maps->failed ? NULL : bitmap;
}

struct layer_maps *layer_maps_new(const struct multiset_ranking *ranking)
{
    struct layer_maps *maps = calloc(1, sizeof *maps);
    if (maps != NULL)
        maps->ranking = ranking;
    return maps;
}

void layer_maps_free(struct layer_maps *maps)
{
    if (maps == NULL)
        return;
    for (size_t i = 0; i < maps->bitmaps.slots; i++)
        if (maps->bitmaps.slot[i].key != 0)
            free(maps->bitmaps.slot[i].bitmap);
    free(maps->bitmaps.slot);
    free(maps->words.slot);
    free(maps);
}
