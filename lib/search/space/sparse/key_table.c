/* key_table.c -- the hash table of keys: growing in place, and taking apart */
#include "key_table.h"
#include "lib/memory/array.h"
#include "lib/memory/pages.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 10, LARGE = 1 << 21 };

/* Small tables grow fast, large ones by a quarter, so that little memory is idle. */
uint64_t key_table_next(uint64_t slots, uint64_t keys)
{
    slots = slots == 0 ? FIRST_SLOTS : slots;
    while (key_table_room(slots) < keys)
        slots = slots < LARGE ? 4 * slots : slots + slots / 4;
    return slots;
}

/* Makes an array longer; what is new is zero. */
static bool lengthen(void **array, uint64_t before, uint64_t after)
{
    char *longer = pages_lengthen(*array, before, after);
    if (longer == NULL)
        return false;
    *array = longer;
    memset(longer + before, 0, after - before);
    return true;
}

/* A key that is out of the table while it grows. */
struct aside {
    uint64_t slot;
    uint32_t depth;
};

static void put_back(struct key_table *table, const struct aside *key)
{
    uint64_t at;
    key_put(table, (key->slot & ~KEY_REACHED) - 1, key->slot & KEY_REACHED, &at);
    if (table->width > 0)
        key_depth_set(table, at, key->depth);
}

/* Finds the free slot for a key in the part of the table from `first` on, which is in its new order. False where it
 * has to wait: its home lies before that, or the table ends before a slot is free. */
static bool find_place(const struct key_table *table, uint64_t key, uint64_t first, uint64_t *place)
{
    *place = key_home(table, key);
    if (*place < first)
        return false;
    while (*place < table->slots && table->slot[*place] != 0)
        ++*place;
    return *place < table->slots;
}

/* From the back, every key moves to where it belongs now; those before slot `i` have not been moved yet. */
static bool spread(struct key_table *table, uint64_t before)
{
    struct aside *aside = NULL;
    size_t waiting = 0, room = 0;
    for (uint64_t i = before; i-- > 0;) {
        const struct aside key = {.slot = table->slot[i], .depth = key_depth(table, i)};
        uint64_t place;
        if (key.slot == 0)
            continue;
        table->slot[i] = 0;
        if (table->width > 0)
            key_depth_set(table, i, 0);
        if (find_place(table, (key.slot & ~KEY_REACHED) - 1, i, &place)) {
            table->slot[place] = key.slot;
            if (table->width > 0)
                key_depth_set(table, place, key.depth);
            continue;
        }
        if (!array_reserve(&aside, &room, waiting + 1, sizeof *aside)) {
            free(aside);
            return false;
        }
        aside[waiting++] = key;
    }
    for (size_t i = 0; i < waiting; i++)
        put_back(table, &aside[i]);
    free(aside);
    return true;
}

bool key_table_grow(struct key_table *table, uint64_t slots)
{
    const uint64_t before = table->slots;
    void *slot = table->slot, *depth = table->depth;
    const bool longer = lengthen(&slot, before * sizeof *table->slot, slots * sizeof *table->slot) &&
                        (table->width == 0 || lengthen(&depth, before * table->width, slots * table->width));
    table->slot = slot;
    table->depth = depth;
    if (!longer)
        return false;
    table->slots = slots;
    return spread(table, before);
}

bool key_table_widen(struct key_table *table, unsigned width)
{
    void *depth = table->depth;
    const unsigned before = table->width;
    if (!lengthen(&depth, table->slots * before, table->slots * width))
        return false;
    table->depth = depth;
    /* In place, the last first: what is written lies at or behind what is still to be read. */
    for (uint64_t i = table->slots; before > 0 && i-- > 0;) {
        const uint32_t narrow = key_depth(table, i);
        memcpy(table->depth + width * i, &narrow, width);
    }
    table->width = width;
    return true;
}

/* Gives back what lies behind so many bytes of an array, more than 0. */
static void *shorten(void *array, uint64_t bytes)
{
    void *shorter = realloc(array, bytes);
    if (shorter == NULL)
        return array;
    return shorter;
}

uint64_t key_table_gather(struct key_table *table)
{
    uint64_t keys = 0;
    for (uint64_t i = 0; i < table->slots; i++) {
        if (table->slot[i] == 0)
            continue;
        table->slot[keys] = table->slot[i];
        if (table->width > 0)
            key_depth_set(table, keys, key_depth(table, i));
        keys++;
    }
    if (keys > 0)
        table->slot = shorten(table->slot, keys * sizeof *table->slot);
    if (keys > 0 && table->width > 0)
        table->depth = shorten(table->depth, keys * table->width);
    return keys;
}

void key_table_free(struct key_table *table)
{
    free(table->slot);
    free(table->depth);
    *table = (struct key_table){0};
}
