/* inverse.h -- the inverse of a position, which is as far from the goal: more for a search to look up
 *
 * Where all tiles are different and the goal is known, a position says what moves have done to the goal, an element of
 * a group. Where each move is undone by a move, undoing a solution solves the inverse of the element, and the other way
 * round: both positions are equally far from the goal. But a pattern sees something else of each, so that its table has
 * two things to say, one of them about the inverse.
 *
 * A move that is made in a position is made at the other end of its inverse: what a pattern sees of that changes
 * altogether, and so does its distance in the pattern. So only bounded tables (table.h) are asked, and coordinates are
 * worked out anew for each node. That is quick where they are sums: a tile with the place h that is now on the place x,
 * twisted by t, means that the tile of x is on h in the inverse, twisted by -t, whatever the others are; h, x and t
 * together say what the tile adds to each coordinate. Orders of an orbit's tiles are no sums, but their digits are, the
 * class of the tile on each place in base of the classes, and a table knows which order has these digits.
 *
 * A *slot* is a place with a twist. A position is kept as the slot of each tile.
 */
#ifndef FAMILIES_PERMUTE_SEARCH_INVERSE_H
#define FAMILIES_PERMUTE_SEARCH_INVERSE_H

#include "views.h"

enum { PERMUTE_SUMS_MAX = 64 };

/* Where a part's state is in the sums: one of them is what its twists add up to, others are digits of an order. */
struct permute_inverse_part {
    unsigned sum, orders;
    struct permute_digits {
        unsigned sum;
        const uint32_t *order; /* [digits]: what the order adds to the state */
    } digits[PERMUTE_PARTS_MAX];
};

/* A view, by way of whose symmetry the inverse is looked at. */
struct permute_inverse_view {
    unsigned view; /* its number */
    const struct permute_table *table;
    struct permute_inverse_part part[PERMUTE_PARTS_MAX];
};

struct permute_inverse {
    unsigned tiles, slots, sums, views;
    uint8_t *moved;                                             /* [move * slots + slot] */
    uint32_t *share;                                            /* [(tile * slots + slot) * sums + sum]: what it adds */
    uint8_t slot_of[BOARD_BYTE_CELLS][PERMUTE_MAX_TWIST];       /* by place and twist */
    uint8_t home[BOARD_MAX_SYMBOLS], turned[BOARD_MAX_SYMBOLS]; /* by tile: its place in the goal, its twist there */
    unsigned orders;
    uint32_t *order[PERMUTE_VIEWS_MAX]; /* of the digits of all tables */
    struct permute_inverse_view view[PERMUTE_VIEWS_MAX];
};

/* The states of a table's parts. */
struct permute_inverse_states {
    uint32_t state[PERMUTE_PARTS_MAX];
};

/* Have positions inverses, and are a pattern's coordinates sums? Error: PDB_NO_MEMORY. */
pdb_status permute_inverse_exists(const struct permute *permute, const struct permute_pattern *pattern, bool *exists,
                                  pdb_error *error);

/* *out: NULL where positions have no inverses, no table is bounded, or coordinates are no sums. The views must outlive
 * it. Error: PDB_NO_MEMORY. The caller frees *out with permute_inverse_free (which takes NULL too). */
pdb_status permute_inverse_make(const struct permute_views *views, struct permute_inverse **out, pdb_error *error);
void permute_inverse_free(struct permute_inverse *inverse);

/* The slots of a position's tiles, slot[inverse->tiles], and what they are after a move. */
void permute_inverse_place(const struct permute_inverse *inverse, const struct permute *permute,
                           const uint8_t *position, uint8_t *slot);
static inline void permute_inverse_step(const struct permute_inverse *inverse, const uint8_t *slot, unsigned move,
                                        uint8_t *after)
{
    const uint8_t *moved = inverse->moved + move * inverse->slots;
    for (unsigned t = 0; t < inverse->tiles; t++)
        after[t] = moved[slot[t]];
}

/* What the views see of the inverse, states[inverse->views]. */
void permute_inverse_look(const struct permute_inverse *inverse, const uint8_t *slot,
                          struct permute_inverse_states *states);
/* The entry of such states: table->class_of[states->state[0]] is looked up for it. */
uint64_t permute_inverse_entry(const struct permute_table *table, const struct permute_inverse_states *states);

#endif
