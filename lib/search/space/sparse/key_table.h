/* key_table.h -- the keys that a search has found, in a hash table that grows in place
 *
 * An array of slots, open addressing with linear probing. A slot holds a key plus one, 0 for free; its top bit says
 * that the state has been reached from the goals. A byte (two, four) beside each slot holds the depth at which it was.
 *
 * A key's home (home.h) grows with its hash, so the table lies in the order of the hashes, but for the few slots that
 * a key is probed past its home. Therefore a table of more slots is made of it in one pass from the back, in the same
 * memory made longer: no second table is ever there. (Keys at the very beginning, whose new home lies before their old
 * slot, wait aside.)
 *
 * Keys are below KEY_LIMIT. Threads may put and look up at the same time; growing, taking apart and freeing is for one
 * thread alone. A look-up waits for memory: callers that have many keys prefetch the homes of those to come.
 */
#ifndef SEARCH_SPACE_KEY_TABLE_H
#define SEARCH_SPACE_KEY_TABLE_H

#include "lib/search/space/home.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_LIMIT   (((uint64_t)1 << 63) - 1)
#define KEY_REACHED ((uint64_t)1 << 63)

struct key_table {
    uint64_t *slot, slots;
    uint8_t *depth; /* `width` bytes for each slot, 0 for free ones; NULL while there is none */
    unsigned width; /* 1, 2 or 4 */
};

/* The most keys that so many slots may hold. */
static inline uint64_t key_table_room(uint64_t slots)
{
    return slots - slots / 5;
}

/* The number of slots that a table of so many has when it is next made larger, for at least so many keys. */
uint64_t key_table_next(uint64_t slots, uint64_t keys);

/* Bytes of a table of so many slots. */
static inline uint64_t key_table_bytes(uint64_t slots, unsigned width)
{
    return slots * (sizeof(uint64_t) + width);
}

/* Gives the table so many slots, more than it has; one of zeros has none yet. False where memory is short: then the
 * table may only be freed. */
bool key_table_grow(struct key_table *table, uint64_t slots);

/* Gives each slot a depth of so many bytes, 0 to begin with; keeps those that are narrower. False where memory is
 * short: then it is as before. */
bool key_table_widen(struct key_table *table, unsigned width);

/* Takes the table apart: the keys move to the front of slot[], as they are, and their depths to that of depth[].
 * Returns how many there are; memory for more is given back. */
uint64_t key_table_gather(struct key_table *table);

void key_table_free(struct key_table *table);

static inline uint64_t key_home(const struct key_table *table, uint64_t key)
{
    return home_of(key, table->slots);
}

/* Fetches a key's home, and the line of the cache that most of those keys are in that are not in their home's. */
static inline void key_prefetch(const struct key_table *table, uint64_t key)
{
    const uint64_t *home = &table->slot[key_home(table, key)];
    __builtin_prefetch(home, 1);
    __builtin_prefetch(home + 6, 1);
}

/* Puts a key in, with the bits of `mark` (KEY_REACHED or 0); true if it was not there. *at is its slot. */
static inline bool key_put(struct key_table *table, uint64_t key, uint64_t mark, uint64_t *at)
{
    const uint64_t wanted = key + 1;
    for (*at = key_home(table, key);; *at = *at + 1 < table->slots ? *at + 1 : 0) {
        uint64_t there = __atomic_load_n(&table->slot[*at], __ATOMIC_RELAXED);
        if (there == 0 && __atomic_compare_exchange_n(&table->slot[*at], &there, wanted | mark, false, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED))
            return true;
        if ((there & ~KEY_REACHED) == wanted)
            return false;
    }
}

/* Marks a key as reached; true if it was there and was not. *at is its slot. */
static inline bool key_reach(struct key_table *table, uint64_t key, uint64_t *at)
{
    const uint64_t wanted = key + 1;
    for (*at = key_home(table, key);; *at = *at + 1 < table->slots ? *at + 1 : 0) {
        uint64_t there = __atomic_load_n(&table->slot[*at], __ATOMIC_RELAXED);
        if (there == wanted)
            return __atomic_compare_exchange_n(&table->slot[*at], &there, wanted | KEY_REACHED, false, __ATOMIC_RELAXED,
                                               __ATOMIC_RELAXED);
        if (there == 0 || there == (wanted | KEY_REACHED))
            return false;
    }
}

/* The slot of a key; `none` where it is not in the table. */
static inline uint64_t key_slot(const struct key_table *table, uint64_t key, uint64_t none)
{
    uint64_t at = key_home(table, key);
    while ((table->slot[at] & ~KEY_REACHED) != key + 1) {
        if (table->slot[at] == 0)
            return none;
        at = at + 1 < table->slots ? at + 1 : 0;
    }
    return at;
}

static inline bool key_is_there(const struct key_table *table, uint64_t key)
{
    if (table->slots == 0)
        return false;
    for (uint64_t at = key_home(table, key); table->slot[at] != 0; at = at + 1 < table->slots ? at + 1 : 0)
        if ((table->slot[at] & ~KEY_REACHED) == key + 1)
            return true;
    return false;
}

/* The depth beside a slot; 0 where there is none. */
static inline uint32_t key_depth(const struct key_table *table, uint64_t at)
{
    if (table->width <= 1)
        return table->width == 0 ? 0 : table->depth[at];
    return table->width == 2 ? ((const uint16_t *)(const void *)table->depth)[at]
                             : ((const uint32_t *)(const void *)table->depth)[at];
}

static inline void key_depth_set(struct key_table *table, uint64_t at, unsigned depth)
{
    if (table->width == 1)
        table->depth[at] = (uint8_t)depth;
    else if (table->width == 2)
        ((uint16_t *)(void *)table->depth)[at] = (uint16_t)depth;
    else
        ((uint32_t *)(void *)table->depth)[at] = depth;
}

#endif
