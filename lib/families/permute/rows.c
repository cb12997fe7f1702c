/* rows.c -- moves on indices: coordinate by coordinate, the last ones a row of states at a time
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
#include <string.h>

enum {
    TAIL_ENTRIES = 1 << 16, /* of a table: it stays in a core's second cache */
    LEAST_STATES = 8        /* of a row that pays */
};

/* -- making them -- */

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

/* -- a move on one orbit's coordinates: by tables -- */

static void add_order(const struct permute *permute, unsigned first, const struct permute_orbit *orbit,
                      const struct permute_coordinates *at, uint64_t *next)
{
    const struct permute_near *to = orbit->near_to + at->near * permute->all_moves + first;
    const uint64_t weight = orbit->twists * orbit->weight, near_weight = weight * orbit->far_orders;
    if (orbit->far_to == NULL) {
        for (unsigned m = 0; m < permute->moves; m++)
            next[m] += to[m].rank * near_weight;
        return;
    }
    const uint32_t *far_to = orbit->far_to + at->far * orbit->turns;
    const unsigned shift = orbit->halved;
    for (unsigned m = 0; m < permute->moves; m++)
        next[m] += to[m].rank * near_weight + (far_to[to[m].turn] >> shift) * weight;
}

/* -- without tables: classes and twists are spread over the places, and read again where the moves take them -- */

/* The order after a move: its near rank, and its far one in *far. */
static uint64_t order_after(const struct permute *permute, const struct permute_orbit *orbit, const uint8_t *class,
                            unsigned move, uint64_t *far)
{
    const struct permute_move *made = &permute->move[move];
    uint8_t place_class[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
    for (unsigned i = 0; i < orbit->places; i++)
        place_class[made->to[orbit->place[i]]] = class[i];
    for (unsigned i = 0; i < orbit->places; i++)
        moved[i] = place_class[orbit->place[i]];
    return permute_rank_order(orbit, moved, far);
}

static void add_order_slowly(const struct permute *permute, unsigned first, const struct permute_orbit *orbit,
                             const struct permute_coordinates *at, uint64_t *next)
{
    uint8_t class[BOARD_MAX_CELLS];
    permute_unrank_order(orbit, at->near, at->far, class);
    for (unsigned m = 0; m < permute->moves; m++) {
        uint64_t far;
        const uint64_t near = order_after(permute, orbit, class, first + m, &far);
        next[m] += permute_encode(orbit, near, far, 0);
    }
}

/* The twists after a move. */
static uint64_t twist_after(const struct permute *permute, const struct permute_orbit *orbit, uint64_t rank,
                            unsigned move)
{
    const struct permute_move *made = &permute->move[move];
    uint8_t twist[BOARD_MAX_CELLS], place_twist[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
    permute_unrank_twist(orbit, rank, twist);
    for (unsigned i = 0; i < orbit->places; i++) {
        const unsigned sum = twist[i] + (unsigned)made->twist[orbit->place[i]];
        place_twist[made->to[orbit->place[i]]] = (uint8_t)(sum >= orbit->modulus ? sum - orbit->modulus : sum);
    }
    for (unsigned i = 0; i < orbit->places; i++)
        moved[i] = place_twist[orbit->place[i]];
    return permute_rank_twist(orbit, moved);
}

/* -- a row of states: what does not depend on the place in the row -- */

/* What every move does to an orbit's order, and to its twists. */
static void add_orders(const struct permute *permute, unsigned first, const struct permute_orbit *orbit,
                       const struct permute_coordinates *at, uint64_t *next)
{
    if (orbit->near_to != NULL)
        add_order(permute, first, orbit, at, next);
    else if (orbit->size > orbit->twists)
        add_order_slowly(permute, first, orbit, at, next);
}

static void add_twists(const struct permute *permute, unsigned first, const struct permute_orbit *orbit,
                       const struct permute_coordinates *at, uint64_t *next)
{
    if (orbit->twist_to != NULL) {
        const uint32_t *to = orbit->twist_to + at->twist * permute->all_moves + first;
        for (unsigned m = 0; m < permute->moves; m++)
            next[m] += to[m] * orbit->weight;
    } else if (orbit->twists > 1) {
        for (unsigned m = 0; m < permute->moves; m++)
            next[m] += twist_after(permute, orbit, at->twist, first + m) * orbit->weight;
    }
}

/* What every move does to the coordinates of one orbit that are not the row's. */
static void add_orbit(const struct permute *permute, unsigned first, unsigned o, const struct permute_coordinates *at,
                      uint64_t *next)
{
    const struct permute_orbit *orbit = &permute->orbit[o];
    if (o > permute->tail_orbit || (o == permute->tail_orbit && permute->tail_order))
        return;
    add_orders(permute, first, orbit, at, next);
    if (o != permute->tail_orbit)
        add_twists(permute, first, orbit, at, next);
}

void permute_row_begin(const struct permute *permute, unsigned first, uint64_t index, struct permute_row_moves *row)
{
    const bool far = permute->row_kind == ROW_FAR;
    struct permute_coordinates at[BOARD_BYTE_CELLS];
    row->first = index - index % permute->row;
    permute_decode(permute, row->first, at);
    memset(row->base, 0, permute->moves * sizeof *row->base);
    for (unsigned o = 0; o < permute->moving - far; o++)
        add_orbit(permute, first, o, &at[o], row->base);
    if (!far)
        return;
    /* The near order of the last orbit, and the turns that the moves have for it. */
    const struct permute_orbit *orbit = &permute->orbit[permute->moving - 1];
    const struct permute_coordinates *last = &at[permute->moving - 1];
    const struct permute_near *to = orbit->near_to + last->near * permute->all_moves + first;
    for (unsigned m = 0; m < permute->moves; m++) {
        row->base[m] += to[m].rank * orbit->far_orders;
        row->turn[m] = to[m].turn;
    }
    row->odd = last->far & 1;
}

/* -- a batch -- */

/* The moves of a state of the row that was begun. */
static void add_place(const struct permute *permute, unsigned first, const struct permute_row_moves *row,
                      uint64_t place, uint64_t *next)
{
    if (permute->row_kind == ROW_TABLE) {
        const uint32_t *to = permute->tail_to + place * permute->all_moves + first;
        for (unsigned m = 0; m < permute->moves; m++)
            next[m] = row->base[m] + to[m];
    } else if (permute->row_kind == ROW_FAR) {
        const struct permute_orbit *orbit = &permute->orbit[permute->moving - 1];
        const uint32_t *far_to = orbit->far_to + permute_row_far(orbit, place, row->odd) * orbit->turns;
        for (unsigned m = 0; m < permute->moves; m++)
            next[m] = row->base[m] + (far_to[row->turn[m]] >> orbit->halved);
    } else {
        memcpy(next, row->base, permute->moves * sizeof *next);
    }
}

/* By the moves from number `first` on: those out of a state, or their inverses. */
static size_t neighbours(const struct permute *permute, unsigned first, const uint64_t *index, size_t count,
                         uint64_t *next, uint16_t *next_count)
{
    struct permute_row_moves row;
    for (size_t i = 0; i < count; i++, next += permute->moves) {
        if (i == 0 || index[i] - row.first >= permute->row)
            permute_row_begin(permute, first, index[i], &row);
        add_place(permute, first, &row, index[i] - row.first, next);
        next_count[i] = (uint16_t)permute->moves;
    }
    return count * permute->moves;
}

size_t permute_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                          uint16_t *next_count)
{
    return neighbours((const struct permute *)puzzle, 0, index, count, next, next_count);
}

size_t permute_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                            uint16_t *next_count)
{
    const struct permute *permute = (const struct permute *)puzzle;
    return neighbours(permute, permute->all_moves - permute->moves, index, count, next, next_count);
}

/* -- a state that is kept as its coordinates -- */

void permute_steps(const struct permute *permute, const struct permute_coordinates *at, uint64_t *next)
{
    memset(next, 0, permute->moves * sizeof *next);
    for (unsigned o = 0; o < permute->moving; o++) {
        add_orders(permute, 0, &permute->orbit[o], &at[o], next);
        add_twists(permute, 0, &permute->orbit[o], &at[o], next);
    }
}

void permute_step(const struct permute *permute, const struct permute_coordinates *at, unsigned move,
                  struct permute_coordinates *after)
{
    for (unsigned o = 0; o < permute->moving; o++, at++, after++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        *after = *at;
        if (orbit->near_to != NULL) {
            const struct permute_near *to = &orbit->near_to[at->near * permute->all_moves + move];
            after->near = to->rank;
            if (orbit->far_to != NULL)
                after->far = orbit->far_to[at->far * orbit->turns + to->turn];
        } else if (orbit->size > orbit->twists) {
            uint8_t class[BOARD_MAX_CELLS];
            permute_unrank_order(orbit, at->near, at->far, class);
            after->near = order_after(permute, orbit, class, move, &after->far);
        }
        if (orbit->twist_to != NULL)
            after->twist = orbit->twist_to[at->twist * permute->all_moves + move];
        else if (orbit->twists > 1)
            after->twist = twist_after(permute, orbit, at->twist, move);
    }
}
