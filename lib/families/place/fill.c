/* fill.c -- backtracking over the assignments of a place puzzle, by masks (masks.c)
 *
 * A frame has the slots without a value and their domains. A placement's row, ANDed to the domains, makes the next
 * frame; to go back is to go on with the frame before. The next slot is one with the fewest values left, so that a dead
 * end is seen as soon as one has none. In a *full* group, one with as many slots as there are values, every value has
 * to stand somewhere: one without a slot is a dead end too, and one with a single slot goes there. Each complete
 * assignment is reached once.
 *
 * Who only counts need not go to the end: of two slots that are left, each value of the one leaves so many of the
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
        domain[frame->slot[i]] = frame->domain[i];
        empty |= (uint64_t)1 << frame->slot[i];
    }
    for (unsigned e = 0; e < place->equations; e++)
        if (!place_equation_filter(&place->equation[e], empty, frame->sum[e], domain))
            return false;
    for (unsigned i = 0; i < frame->slots; i++)
        frame->domain[i] = domain[frame->slot[i]];
    return true;
}

/* What is left with a value in a frame's last slot. False at a dead end. */
static bool narrow(const struct place_masks *masks, const struct place_frame *from, struct place_frame *to,
                   unsigned value)
{
    const struct place *place = masks->place;
    const unsigned last = from->slots - 1, slot = from->slot[last];
    const uint64_t *row = place_row(masks, slot, value);
    bool alive = true;
    for (unsigned i = 0; i < last; i++) {
        to->domain[i] = from->domain[i] & row[from->slot[i]];
        alive &= to->domain[i] != 0;
    }
    if (!alive)
        return false;
    to->slots = last;
    memcpy(to->slot, from->slot, last);
    for (unsigned e = 0; e < place->equations; e++)
        to->sum[e] = from->sum[e] + place->equation[e].coefficient[slot] * (place_sum)value;
    return place->equations == 0 || filter(place, to);
}

/* -- which slot is next -- */

static bool is_in(const struct place_masks *masks, unsigned slot, unsigned full)
{
    for (unsigned f = masks->first[slot]; f < masks->first[slot + 1]; f++)
        if (masks->full[f] == full)
            return true;
    return false;
}

/* What the slots that are left in a full group may have. */
struct reach {
    uint64_t once, twice; /* the values that one of them may have, or more; two, or more */
    int slots;
};

/* A slot that is the only one left for some value of a full group, as its place in the frame; *values is that value, or
 * none where a value has no slot at all. False where there is neither. */
static bool find_only_slot(const struct place_masks *masks, const struct place_frame *frame, unsigned *at,
                           uint64_t *values)
{
    struct reach reach[PLACE_MAX_GROUPS];
    memset(reach, 0, masks->fulls * sizeof *reach);
    for (unsigned i = 0; i < frame->slots; i++)
        for (unsigned f = masks->first[frame->slot[i]]; f < masks->first[frame->slot[i] + 1u]; f++) {
            struct reach *group = &reach[masks->full[f]];
            group->twice |= group->once & frame->domain[i];
            group->once |= frame->domain[i];
            group->slots++;
        }
    for (unsigned full = 0; full < masks->fulls; full++) {
        const uint64_t only = reach[full].once & ~reach[full].twice;
        *at = 0;
        *values = 0;
        if (__builtin_popcountll(reach[full].once) < reach[full].slots)
            return true;
        for (; only != 0; ++*at)
            if ((*values = frame->domain[*at] & only & -only) != 0 && is_in(masks, frame->slot[*at], full))
                return true;
    }
    return false;
}

/* The slot that is next, as its place in the frame, and its values, of which one is in each completion; none at a dead
 * end. */
static unsigned find_next(const struct place_masks *masks, const struct place_frame *frame, uint64_t *values)
{
    unsigned best = 0, fewest = UINT32_MAX;
    for (unsigned i = 0; i < frame->slots; i++)
        if ((frame->domain[i] & (frame->domain[i] - 1)) == 0) {
            *values = frame->domain[i];
            return i;
        }
    if (find_only_slot(masks, frame, &best, values))
        return best;
    best = 0;
    for (unsigned i = 0; i < frame->slots; i++) {
        const unsigned ways = ((unsigned)__builtin_popcountll(frame->domain[i]) << 8) + masks->column[frame->slot[i]];
        best = ways < fewest ? i : best;
        fewest = ways < fewest ? ways : fewest;
    }
    *values = frame->domain[best];
    return best;
}

/* Takes the slot that is next to the end of the frame. */
static uint64_t choose(const struct place_masks *masks, struct place_frame *frame)
{
    uint64_t values;
    const unsigned at = find_next(masks, frame, &values), last = frame->slots - 1;
    const uint8_t slot = frame->slot[at];
    const uint64_t domain = frame->domain[at];
    frame->slot[at] = frame->slot[last];
    frame->domain[at] = frame->domain[last];
    frame->slot[last] = slot;
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
        const unsigned value = (unsigned)__builtin_ctzll(left), slot = frame->slot[frame->slots - 1];
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
    const size_t slots = masks->place->slots, frames = slots + 1;
    const size_t bytes = sizeof(struct place_filling) +
                         frames * (sizeof(struct place_frame) + slots * (sizeof(uint64_t) + sizeof(uint8_t)));
    struct place_filling *filling = malloc(bytes);
    if (filling == NULL) {
        error_no_memory(error, "assignments", bytes);
        return NULL;
    }
    *filling = (struct place_filling){.masks = masks};
    uint64_t *domain = (uint64_t *)(filling->frame + frames);
    for (size_t f = 0; f < frames; f++) {
        filling->frame[f].domain = domain + f * slots;
        filling->frame[f].slot = (uint8_t *)(domain + frames * slots) + f * slots;
    }
    return filling;
}

bool place_begin(struct place_filling *filling, const uint8_t *position)
{
    const struct place_masks *masks = filling->masks;
    const struct place *place = masks->place;
    struct place_frame *frame = filling->frame;
    uint64_t domain[PLACE_MAX_SLOTS];
    memcpy(filling->position, position, place->slots);
    memcpy(domain, place->allowed, place->slots * sizeof *domain);
    memset(frame->sum, 0, sizeof frame->sum);
    filling->nodes = frame->slots = 0;
    for (unsigned slot = 0; slot < place->slots; slot++) {
        if (position[slot] == 0)
            continue;
        const unsigned value = position[slot] - 1u;
        const uint64_t *row = place_row(masks, slot, value);
        if ((domain[slot] >> value & 1) == 0)
            return false;
        for (unsigned other = 0; other < place->slots; other++)
            domain[other] &= row[other];
        for (unsigned e = 0; e < place->equations; e++)
            frame->sum[e] += place->equation[e].coefficient[slot] * (place_sum)value;
    }
    filling->nodes = 1;
    for (unsigned slot = 0; slot < place->slots; slot++) {
        if (position[slot] != 0)
            continue;
        if (domain[slot] == 0)
            return false;
        frame->slot[frame->slots] = (uint8_t)slot;
        frame->domain[frame->slots++] = domain[slot];
    }
    return place->equations == 0 || filter(place, frame);
}

/* Counts the completions of a frame with two slots: all there are, for groups are all that has to be kept. */
static void count_two(struct place_filling *filling, const struct place_frame *frame)
{
    for (uint64_t left = frame->domain[0]; left != 0; left &= left - 1, filling->nodes++) {
        const uint64_t *row = place_row(filling->masks, frame->slot[0], (unsigned)__builtin_ctzll(left));
        filling->count += (unsigned)__builtin_popcountll(frame->domain[1] & row[frame->slot[1]]);
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
    uint8_t *symbol = &filling->position[frame->slot[frame->slots - 1]];
    for (; left != 0; left &= left - 1) {
        const unsigned value = (unsigned)__builtin_ctzll(left);
        if (++filling->nodes >= filling->due) {
            filling->due = filling->nodes + PLACE_PATIENCE;
            if (filling->look != NULL && !filling->look(filling, filling->context))
                return false;
        }
        *symbol = (uint8_t)(value + 1);
        if (narrow(masks, frame, frame + 1, value) && !fill(filling, frame + 1))
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
