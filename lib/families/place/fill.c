/* fill.c -- backtracking over the assignments of a place puzzle, by masks (masks.c)
 *
 * A frame has the variables that are not settled and their domains. A placement narrows them for the next frame: its
 * row is ANDed to the domains, and what it settles falls off the list. To go back is to go on with the frame before.
 * The next slot is one with the fewest values left, so that a dead end is seen as soon as one has none; or one that is
 * the last for some value of its group. Each complete assignment is reached once.
 *
 * Most placements end at once, for some slot has no value left: slots alone are looked at before a frame is made. And
 * who only counts need not go to the end: of two slots that are left, each value of the one leaves so many of the
 * other.
 *
 * Equations narrow their letters' domains further, in each frame (equation.c). Among slots with equally few values one
 * further to the right in the first equation is better, for its column's carry is sooner known.
 */
#include "place.h"

#include <stdlib.h>
#include <string.h>

/* -- frames -- */

/* Narrows the letters' domains down to what the equations leave of them. False where one has nothing left. */
static bool filter(const struct place *place, struct place_frame *frame)
{
    uint64_t domain[PLACE_MAX_BASE], empty = 0;
    for (unsigned i = 0; i < frame->slots; i++) {
        domain[frame->variable[i]] = frame->domain[i];
        empty |= (uint64_t)1 << frame->variable[i];
    }
    for (unsigned e = 0; e < place->equations; e++)
        if (!place_equation_filter(&place->equation[e], empty, frame->sum[e], domain))
            return false;
    for (unsigned i = 0; i < frame->slots; i++)
        frame->domain[i] = domain[frame->variable[i]];
    return true;
}

/* What is left after a placement; `to` may be `from`. False at a dead end. */
static bool narrow(const struct place_masks *masks, const struct place_frame *from, struct place_frame *to,
                   unsigned slot, unsigned value)
{
    const struct place *place = masks->place;
    const uint64_t *row = place_row(masks, slot, value);
    const unsigned slots = from->slots, variables = from->variables;
    unsigned count = 0;
    bool alive = true;
    for (unsigned i = 0; i < slots; i++) {
        const uint16_t x = from->variable[i];
        to->variable[count] = x;
        to->domain[count] = from->domain[i] & row[x];
        alive &= to->domain[count] != 0;
        count += x != slot;
    }
    to->slots = count;
    for (unsigned i = slots; i < variables; i++) {
        const uint16_t x = from->variable[i];
        to->variable[count] = x;
        to->domain[count] = from->domain[i] & row[x];
        alive &= to->domain[count] != 0 || row[x] == 0;
        count += row[x] != 0;
    }
    to->variables = count;
    for (unsigned e = 0; e < place->equations; e++)
        to->sum[e] = from->sum[e] + place->equation[e].coefficient[slot] * (place_sum)value;
    return alive && (place->equations == 0 || filter(place, to));
}

/* Does a placement in the last slot leave all others something? */
static inline bool leaves_all(const struct place_frame *frame, const uint64_t *row)
{
    bool alive = true;
    for (unsigned i = 0; i + 1 < frame->slots; i++)
        alive &= (frame->domain[i] & row[frame->variable[i]]) != 0;
    return alive;
}

/* The slot that is the only one left for a value of a group, as its place in the frame, and the value in *values. False
 * where there is none. */
static bool find_only_slot(const struct place_masks *masks, const struct place_frame *frame, unsigned *at,
                           uint64_t *values)
{
    const unsigned slots = masks->place->slots;
    for (unsigned i = frame->slots; i < frame->variables; i++) {
        if ((frame->domain[i] & (frame->domain[i] - 1)) != 0)
            continue;
        const unsigned group = (frame->variable[i] - slots) / masks->place->values,
                       way = group * masks->place->values + (unsigned)__builtin_ctzll(frame->domain[i]);
        *values = (uint64_t)1 << (frame->variable[i] - slots) % masks->place->values;
        for (*at = 0; frame->variable[*at] != masks->slot_of[way];)
            ++*at;
        return true;
    }
    return false;
}

/* Takes the slot that is next to the end of the slots; its values, of which one is in each completion. */
static uint64_t choose(const struct place_masks *masks, struct place_frame *frame)
{
    const unsigned last = frame->slots - 1;
    unsigned at = 0, fewest = UINT32_MAX;
    for (unsigned i = 0; i <= last; i++) {
        const unsigned ways = ((unsigned)__builtin_popcountll(frame->domain[i]) << 8) +
                              masks->column[frame->variable[i]];
        at = ways < fewest ? i : at;
        fewest = ways < fewest ? ways : fewest;
    }
    uint64_t values = frame->domain[at];
    if (fewest >> 8 > 1 && find_only_slot(masks, frame, &at, &values))
        values &= frame->domain[at];
    const uint16_t slot = frame->variable[at];
    const uint64_t domain = frame->domain[at];
    frame->variable[at] = frame->variable[last];
    frame->domain[at] = frame->domain[last];
    frame->variable[last] = slot;
    frame->domain[last] = domain;
    return values;
}

/* -- options -- */

/* Are the completions with one value in a slot as many as those with another? So where the rules, and all that slots
 * may still have, look the same with the values exchanged, or with all values in the reverse order. */
static bool are_alike(const struct place_masks *masks, const struct place_frame *frame, unsigned value, unsigned other)
{
    bool alike = masks->alike, mirrored = masks->mirrored && value + other + 1 == masks->place->values;
    for (unsigned i = 0; i < frame->slots && (alike || mirrored); i++) {
        alike &= ((frame->domain[i] >> value ^ frame->domain[i] >> other) & 1) == 0;
        mirrored = mirrored && frame->domain[i] == place_mirror(masks->place, frame->domain[i]);
    }
    return alike || mirrored;
}

unsigned place_options(struct place_filling *filling, struct place_option option[PLACE_MAX_VALUES])
{
    const struct place_masks *masks = filling->masks;
    struct place_frame *frame = filling->frame;
    unsigned count = 0;
    for (uint64_t left = choose(masks, frame); left != 0; left &= left - 1) {
        const unsigned value = (unsigned)__builtin_ctzll(left), slot = frame->variable[frame->slots - 1];
        unsigned o = 0;
        while (o < count && !are_alike(masks, frame, option[o].value, value))
            o++;
        if (o == count)
            option[count++] = (struct place_option){slot, value, 0};
        option[o].times++;
    }
    return count;
}

/* -- filling -- */

struct place_filling *place_filling_make(const struct place_masks *masks, pdb_error *error)
{
    const size_t frames = masks->place->slots + 1u, variables = masks->variables;
    const size_t bytes = sizeof(struct place_filling) +
                         frames * (sizeof(struct place_frame) + variables * (sizeof(uint64_t) + sizeof(uint16_t)));
    struct place_filling *filling = malloc(bytes);
    if (filling == NULL) {
        error_no_memory(error, "assignments", bytes);
        return NULL;
    }
    *filling = (struct place_filling){.masks = masks};
    uint64_t *domain = (uint64_t *)(filling->frame + frames);
    for (size_t f = 0; f < frames; f++) {
        filling->frame[f].domain = domain + f * variables;
        filling->frame[f].variable = (uint16_t *)(domain + frames * variables) + f * variables;
    }
    return filling;
}

bool place_begin(struct place_filling *filling, const uint8_t *position)
{
    const struct place_masks *masks = filling->masks;
    const struct place *place = masks->place;
    struct place_frame *frame = filling->frame;
    memcpy(filling->position, position, place->slots);
    memcpy(frame->domain, masks->domain, masks->variables * sizeof *frame->domain);
    memset(frame->sum, 0, sizeof frame->sum);
    frame->slots = place->slots;
    frame->variables = masks->variables;
    for (unsigned x = 0; x < masks->variables; x++)
        frame->variable[x] = (uint16_t)x;
    filling->nodes = 1;
    bool alive = place->equations == 0 || filter(place, frame);
    for (unsigned x = 0; x < masks->variables; x++)
        alive = alive && frame->domain[x] != 0;
    for (unsigned slot = 0, i = 0; slot < place->slots && alive; slot++) {
        if (position[slot] == 0) {
            i++; /* the slot's place in the list */
            continue;
        }
        filling->nodes = frame->domain[i] >> (position[slot] - 1) & 1;
        alive = filling->nodes == 1 && narrow(masks, frame, frame, slot, position[slot] - 1u);
    }
    return alive;
}

/* Counts the completions of a frame with two slots: all there are, for groups are all that has to be kept. */
static void count_two(struct place_filling *filling, const struct place_frame *frame)
{
    for (uint64_t left = frame->domain[0]; left != 0; left &= left - 1, filling->nodes++) {
        const uint64_t *row = place_row(filling->masks, frame->variable[0], (unsigned)__builtin_ctzll(left));
        filling->count += (unsigned)__builtin_popcountll(frame->domain[1] & row[frame->variable[1]]);
    }
}

static bool fill(struct place_filling *filling, struct place_frame *frame)
{
    const struct place_masks *masks = filling->masks;
    if (frame->slots == 0) {
        filling->count++;
        return filling->visit == NULL || filling->visit(filling, filling->context);
    }
    if (filling->visit == NULL && frame->slots == 1) {
        filling->count += (unsigned)__builtin_popcountll(frame->domain[0]);
        return true;
    }
    if (filling->visit == NULL && frame->slots == 2 && masks->place->equations == 0) {
        count_two(filling, frame);
        return true;
    }
    uint64_t left = choose(masks, frame);
    const unsigned slot = frame->variable[frame->slots - 1];
    for (; left != 0; left &= left - 1) {
        const unsigned value = (unsigned)__builtin_ctzll(left);
        if (++filling->nodes >= filling->due) {
            filling->due = filling->nodes + PLACE_PATIENCE;
            if (filling->look != NULL && !filling->look(filling, filling->context))
                return false;
        }
        if (!leaves_all(frame, place_row(masks, slot, value)))
            continue;
        filling->position[slot] = (uint8_t)(value + 1);
        if (narrow(masks, frame, frame + 1, slot, value) && !fill(filling, frame + 1))
            return false;
    }
    return true;
}

bool place_fill(struct place_filling *filling)
{
    filling->due = PLACE_PATIENCE;
    filling->count = 0;
    return fill(filling, filling->frame);
}
