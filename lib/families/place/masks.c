/* masks.c -- the rules of a place puzzle as masks: what a placement leaves of all domains
 *
 * A search settles *variables*. Each slot is one, which gets a value; and each value of a full group, where every value
 * has to stand somewhere, is one, which gets a slot of the group. A variable's *domain* is a word: the values that a
 * slot may still have, a bit each, or the slots that a value may still stand in, bit i for the group's slot number i.
 *
 * A placement, a value in a slot, has a row of words, one a variable, to be ANDed to the domains: 0 where it settles
 * the value of a group. That no other word is 0 is made sure of here: a placement that leaves a variable nothing can
 * stand in no solution, and is taken out of the domains for good.
 *
 * Symmetries of the rules are found by comparing rows: values that may be exchanged, and put in the reverse order.
 */
#include "place.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_MOST_BYTES = 1 << 26 }; /* above this values of groups are no variables */

/* What is needed only while rows are made. */
struct groups {
    uint16_t first[PLACE_MAX_GROUPS + 1];                       /* group g has the slots first[g] .. */
    uint8_t slot[PLACE_MAX_MEMBERS], offset[PLACE_MAX_MEMBERS]; /* .. first[g + 1] - 1 of these */
    uint16_t value[PLACE_MAX_GROUPS];                           /* a full group's first variable, else 0 */
    uint8_t bit[PLACE_MAX_MEMBERS];                             /* a member's number in its group */
};

/* The slots of each group, in order, and the variables of full ones. */
static void list_groups(struct place_masks *masks, struct groups *groups)
{
    const struct place *place = masks->place;
    unsigned members = 0;
    for (unsigned group = 0; group < place->groups; group++) {
        groups->first[group] = (uint16_t)members;
        for (unsigned slot = 0; slot < place->slots; slot++)
            for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
                if (place->member[m].group == group) {
                    groups->bit[m] = (uint8_t)(members - groups->first[group]);
                    groups->slot[members] = (uint8_t)slot;
                    groups->offset[members++] = place->member[m].offset;
                }
        if (!place->full[group] || !masks->values_too)
            continue;
        groups->value[group] = (uint16_t)masks->variables;
        memcpy(masks->slot_of + masks->variables - place->slots, groups->slot + groups->first[group], place->values);
        masks->variables += place->values;
    }
    groups->first[place->groups] = (uint16_t)members;
}

/* Takes a placement out of domains, or out of a row. */
static void rule_out(const struct place *place, const struct groups *groups, uint64_t *domain, unsigned slot,
                     unsigned value)
{
    domain[slot] &= ~((uint64_t)1 << value);
    for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
        if (groups->value[place->member[m].group] != 0)
            domain[groups->value[place->member[m].group] + value] &= ~((uint64_t)1 << groups->bit[m]);
}

/* Makes the row of a placement. False where it leaves some variable nothing. */
static bool make_row(const struct place_masks *masks, const struct groups *groups, unsigned slot, unsigned value)
{
    const struct place *place = masks->place;
    uint64_t *row = masks->row + ((size_t)slot * place->values + value) * masks->variables;
    bool possible = true;
    memset(row, 0xff, masks->variables * sizeof *row);
    for (unsigned other = 0; other < place->values; other++)
        if (other != value)
            rule_out(place, groups, row, slot, other);
    for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++) {
        const unsigned group = place->member[m].group;
        for (unsigned i = groups->first[group]; i < groups->first[group + 1]; i++) {
            const unsigned other = value + place->member[m].offset - groups->offset[i]; /* wraps round below 0 */
            if (groups->slot[i] != slot && other < place->values)
                rule_out(place, groups, row, groups->slot[i], other);
        }
    }
    for (unsigned x = 0; x < masks->variables; x++)
        possible &= (row[x] & masks->domain[x]) != 0;
    for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
        if (groups->value[place->member[m].group] != 0)
            row[groups->value[place->member[m].group] + value] = 0;
    return possible;
}

static void make_rows(struct place_masks *masks, const struct groups *groups)
{
    const struct place *place = masks->place;
    uint64_t possible[PLACE_MAX_SLOTS];
    memset(masks->domain, 0xff, masks->variables * sizeof *masks->domain);
    for (unsigned x = place->slots; x < masks->variables; x++)
        masks->domain[x] >>= 64 - place->values;
    for (unsigned slot = 0; slot < place->slots; slot++) {
        masks->domain[slot] = UINT64_MAX >> (64 - place->values);
        for (unsigned value = 0; value < place->values; value++)
            if ((place->allowed[slot] >> value & 1) == 0)
                rule_out(place, groups, masks->domain, slot, value);
    }
    for (unsigned slot = 0; slot < place->slots; slot++) {
        possible[slot] = 0;
        for (unsigned value = 0; value < place->values; value++)
            possible[slot] |= (uint64_t)make_row(masks, groups, slot, value) << value;
    }
    for (unsigned slot = 0; slot < place->slots; slot++)
        for (uint64_t left = masks->domain[slot] & ~possible[slot]; left != 0; left &= left - 1)
            rule_out(place, groups, masks->domain, slot, (unsigned)__builtin_ctzll(left));
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

pdb_status place_masks_make(const struct place *place, struct place_masks **out, pdb_error *error)
{
    const size_t placements = (size_t)place->slots * place->values;
    size_t variables = place->slots;
    for (unsigned group = 0; group < place->groups; group++)
        variables += place->full[group] ? place->values : 0;
    const bool values_too = placements * variables * sizeof(uint64_t) <= ROWS_MOST_BYTES;
    variables = values_too ? variables : place->slots;
    const size_t bytes = sizeof(struct place_masks) + (placements + 1) * variables * sizeof(uint64_t) + variables;
    struct place_masks *masks = *out = malloc(bytes);
    struct groups *groups = calloc(1, sizeof *groups);
    if (masks == NULL || groups == NULL) {
        free(masks), free(groups);
        *out = NULL;
        return error_no_memory(error, "the rules as masks", bytes + sizeof *groups);
    }
    *masks = (struct place_masks){.place = place, .variables = place->slots, .values_too = values_too};
    masks->domain = (uint64_t *)(masks + 1);
    masks->row = masks->domain + variables;
    masks->slot_of = (uint8_t *)(masks->row + placements * variables);
    for (unsigned slot = 0; slot < place->slots && place->equations > 0; slot++)
        while (masks->column[slot] <= place->equation->columns &&
               (place->equation->low[masks->column[slot]] >> slot & 1) == 0)
            masks->column[slot]++;
    list_groups(masks, groups);
    make_rows(masks, groups);
    find_symmetries(masks);
    free(groups);
    return PDB_OK;
}
