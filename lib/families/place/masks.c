/* masks.c -- the rules of a place puzzle as masks: what a placement leaves of the other slots' values
 *
 * A slot's *domain* is a word, a bit for each value that it may still have. A placement, a value in a slot, has a row
 * of words, one a slot, to be ANDed to the domains; its own slot keeps the value.
 *
 * Symmetries of the rules are found by comparing rows: values that may be exchanged, and put in the reverse order.
 */
#include "place.h"

#include <stdlib.h>
#include <string.h>

/* -- rows -- */

/* Takes out of the rows of a slot's placements what a group that it is in forbids another slot. */
static void forbid(struct place_masks *masks, unsigned slot, unsigned offset, unsigned other, unsigned other_offset)
{
    const unsigned values = masks->place->values;
    for (unsigned value = 0; value < values; value++) {
        const unsigned same = value + offset - other_offset; /* wraps round below 0 */
        if (same < values)
            masks->row[((size_t)slot * values + value) * masks->place->slots + other] &= ~((uint64_t)1 << same);
    }
}

static void make_rows(struct place_masks *masks)
{
    const struct place *place = masks->place;
    memset(masks->row, 0xff, (size_t)place->slots * place->values * place->slots * sizeof *masks->row);
    for (unsigned slot = 0; slot < place->slots; slot++)
        for (unsigned other = 0; other < place->slots; other++)
            for (unsigned m = place->first[slot]; m < place->first[slot + 1] && other != slot; m++)
                for (unsigned n = place->first[other]; n < place->first[other + 1]; n++)
                    if (place->member[m].group == place->member[n].group)
                        forbid(masks, slot, place->member[m].offset, other, place->member[n].offset);
}

/* -- symmetries -- */

uint64_t place_mirror(const struct place *place, uint64_t domain)
{
    uint64_t mirrored = 0;
    for (; domain != 0; domain &= domain - 1)
        mirrored |= (uint64_t)1 << (place->values - 1 - (unsigned)__builtin_ctzll(domain));
    return mirrored;
}

/* Compares what the placements of two slots rule out of one another. Two slots rule out nothing or equal values: they
 * do so however values are exchanged. */
static void compare_pair(struct place_masks *masks, unsigned slot, unsigned other)
{
    const struct place *place = masks->place;
    const uint64_t all = UINT64_MAX >> (64 - place->values);
    const bool differ = (~place_row(masks, slot, 0)[other] & all) != 0;
    for (unsigned value = 0; value < place->values; value++) {
        const uint64_t out = ~place_row(masks, slot, value)[other] & all,
                       mirrored = ~place_row(masks, slot, place->values - 1 - value)[other] & all;
        masks->alike &= out == (uint64_t)differ << value;
        masks->mirrored &= out == place_mirror(place, mirrored);
    }
}

static void find_symmetries(struct place_masks *masks)
{
    masks->alike = masks->mirrored = masks->place->equations == 0;
    for (unsigned slot = 0; slot < masks->place->slots; slot++)
        for (unsigned other = 0; other < masks->place->slots && (masks->alike || masks->mirrored); other++)
            if (other != slot)
                compare_pair(masks, slot, other);
}

/* -- making them -- */

/* The full groups of each slot, numbered anew. */
static void list_full_groups(struct place_masks *masks)
{
    const struct place *place = masks->place;
    uint16_t number[PLACE_MAX_GROUPS];
    for (unsigned group = 0; group < place->groups; group++) {
        number[group] = (uint16_t)masks->fulls;
        masks->fulls += place->full[group];
    }
    unsigned count = 0;
    for (unsigned slot = 0; slot < place->slots; slot++) {
        masks->first[slot] = (uint16_t)count;
        for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
            if (place->full[place->member[m].group])
                masks->full[count++] = number[place->member[m].group];
    }
    masks->first[place->slots] = (uint16_t)count;
}

pdb_status place_masks_make(const struct place *place, struct place_masks **out, pdb_error *error)
{
    const size_t bytes = sizeof(struct place_masks) +
                         (size_t)place->slots * place->values * place->slots * sizeof(uint64_t);
    struct place_masks *masks = *out = malloc(bytes);
    if (masks == NULL)
        return error_no_memory(error, "the rules as masks", bytes);
    *masks = (struct place_masks){.place = place};
    for (unsigned slot = 0; slot < place->slots && place->equations > 0; slot++)
        while (masks->column[slot] <= place->equation->columns &&
               (place->equation->low[masks->column[slot]] >> slot & 1) == 0)
            masks->column[slot]++;
    list_full_groups(masks);
    make_rows(masks);
    find_symmetries(masks);
    return PDB_OK;
}
