/* rows.c -- the last coordinates of the index, so that moves can be made a row of states at a time
 *
 * Searches ask for the moves of runs of states whose indices are close to each other. Those of a *row*, consecutive
 * indices, differ in the last coordinates only; what moves do to all others is worked out once a row. A move takes the
 * row to another, and the places in the row
 *
 *     - where these coordinates are changed by moves each for itself: by a table of all of them together (ROW_TABLE),
 *
 *         tail_to[place][move]
 *
 *     - where it is the far orders of the last orbit: by the turn that the row's near order has for the move (ROW_FAR),
 *
 *         far_to[far][turn]
 *
 *     - where neither serves: a row is a single state (ROW_STATE).
 */
#include "permute.h"

#include <stdlib.h>

enum {
    TAIL_ENTRIES = 1 << 14, /* of a table: it stays in a core's first caches */
    LEAST_STATES = 8        /* of a row that pays */
};

static bool fits(const struct permute *permute, uint64_t states)
{
    return permute->row * states * permute->all_moves <= TAIL_ENTRIES;
}

/* Takes the last coordinates into the row, as long as a table has room and moves change them each for itself: twists
 * that have a table, and orders without a far part. (The parity of an order matters to far orders of later orbits only,
 * and those in the row have none.) */
static void choose_tail(struct permute *permute)
{
    permute->row = 1;
    permute->tail_orbit = permute->moving;
    permute->tail_order = true;
    for (unsigned o = permute->moving; o-- > 0 && permute->tail_order;) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        const uint64_t orders = orbit->size / orbit->twists;
        if ((orbit->twists > 1 && orbit->twist_to == NULL) || !fits(permute, orbit->twists))
            return;
        permute->row *= orbit->twists;
        permute->tail_orbit = o;
        permute->tail_order = orders == 1 || (orbit->near_to != NULL && orbit->far_to == NULL && fits(permute, orders));
        if (permute->tail_order)
            permute->row *= orders;
    }
}

/* The place in the row that a move leads to from another. */
static uint32_t tail_next(const struct permute *permute, uint64_t place, unsigned move)
{
    uint64_t next = 0;
    for (unsigned o = permute->tail_orbit; o < permute->moving; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        const uint64_t twist = place / orbit->weight % orbit->twists, order = place / orbit->weight / orbit->twists;
        if (orbit->twist_to != NULL)
            next += orbit->twist_to[twist * permute->all_moves + move] * orbit->weight;
        if (orbit->near_to != NULL && (o > permute->tail_orbit || permute->tail_order))
            next += orbit->near_to[order % (orbit->size / orbit->twists) * permute->all_moves + move].rank *
                    orbit->twists * orbit->weight;
    }
    return (uint32_t)next;
}

static pdb_status make_tail(struct permute *permute, pdb_error *error)
{
    const size_t entries = (size_t)permute->row * permute->all_moves;
    permute->tail_to = malloc(entries * sizeof *permute->tail_to);
    if (permute->tail_to == NULL)
        return error_no_memory(error, "the moves' tables", entries * sizeof *permute->tail_to);
    for (uint64_t place = 0; place < permute->row; place++)
        for (unsigned m = 0; m < permute->all_moves; m++)
            permute->tail_to[place * permute->all_moves + m] = tail_next(permute, place, m);
    return PDB_OK;
}

pdb_status permute_rows_make(struct permute *permute, pdb_error *error)
{
    permute->row_kind = ROW_STATE;
    permute->row = 1;
    if (permute->moving == 0)
        return PDB_OK;
    choose_tail(permute);
    if (permute->row >= LEAST_STATES) {
        permute->row_kind = ROW_TABLE;
        return make_tail(permute, error);
    }
    const struct permute_orbit *last = &permute->orbit[permute->moving - 1];
    const bool far = last->twists == 1 && last->far_to != NULL && last->far_orders >= LEAST_STATES;
    permute->row_kind = far ? ROW_FAR : ROW_STATE;
    permute->row = far ? last->far_orders : 1;
    permute->tail_orbit = permute->moving;
    return PDB_OK;
}

void permute_rows_free(struct permute *permute)
{
    free(permute->tail_to);
    permute->tail_to = NULL;
}
