/* places.c -- the states that a rank owns: where they are, and how far */
#include "owned.h"

uint64_t owned_place(const struct owned *owned, uint64_t state)
{
    return owned->dense ? state - owned->first : key_slot(&owned->table, state, 0);
}

uint64_t owned_state(const struct owned *owned, uint64_t place)
{
    return owned->dense ? owned->first + place : (owned->table.slot[place] & ~KEY_REACHED) - 1;
}

bool owned_distance(const struct owned *owned, uint64_t place, uint32_t *distance)
{
    if (!owned->dense) {
        *distance = key_depth(&owned->table, place);
        return (owned->table.slot[place] & KEY_REACHED) != 0;
    }
    *distance = exact_get(&owned->exact, place);
    return *distance != exact_none(owned->exact.width);
}

bool owned_lower(struct owned *owned, uint64_t place, uint32_t distance)
{
    uint32_t there;
    const bool had = owned_distance(owned, place, &there);
    if (had && there <= distance)
        return false;
    if (owned->dense)
        exact_set(&owned->exact, place, distance);
    else {
        owned->table.slot[place] |= KEY_REACHED;
        key_depth_set(&owned->table, place, distance);
    }
    return !had;
}

/* The next index at the layer's distance. */
static bool next_index(struct owned *owned, uint64_t *place)
{
    while (owned->cursor < owned->places) {
        const uint64_t word = owned->cursor / 64, shift = owned->cursor % 64,
                       bits = exact_word(&owned->exact, word, owned->search.state->depth) >> shift;
        if (bits != 0) {
            *place = owned->cursor + (unsigned)__builtin_ctzll(bits);
            owned->cursor = *place + 1;
            return true;
        }
        owned->cursor += 64 - shift;
    }
    return false;
}

bool owned_next(struct owned *owned, bool all, uint64_t *place)
{
    const struct key_table *table = &owned->table;
    const uint64_t depth = owned->search.state->depth;
    if (owned->dense && !all)
        return next_index(owned, place);
    while (owned->cursor < owned->places) {
        *place = owned->cursor++;
        if (owned->dense || (all && table->slot[*place] != 0) ||
            (!all && key_depth(table, *place) == depth && (table->slot[*place] & KEY_REACHED) != 0))
            return true;
    }
    return false;
}

size_t owned_take(struct owned *owned, bool all, uint64_t *state, size_t most)
{
    uint64_t place;
    size_t count = 0;
    if (!all && is_listed(owned)) {
        for (; count < most && owned->cursor < listed_keys(owned); count++)
            state[count] = owned->list.key[owned->list.first + owned->cursor++];
        return count;
    }
    while (count < most && owned_next(owned, all, &place))
        state[count++] = owned_state(owned, place);
    return count;
}
