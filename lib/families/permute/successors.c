/* successors.c -- moves on indices: coordinate by coordinate, the last ones a row of states at a time */
#include "permute.h"

#include <string.h>

/* A run of permute's moves: those out of a state, or their inverses. */
struct moves {
    const struct permute *permute;
    unsigned first, count;
};

/* -- by tables -- */

static void add_order(const struct moves *moves, const struct permute_orbit *orbit,
                      const struct permute_coordinates *at, uint64_t *next)
{
    const unsigned all_moves = moves->permute->all_moves;
    const struct permute_near *to = orbit->near_to + at->near * all_moves + moves->first;
    const uint64_t weight = orbit->twists * orbit->weight, near_weight = weight * orbit->far_orders;
    if (orbit->far_to == NULL) {
        for (unsigned m = 0; m < moves->count; m++)
            next[m] += to[m].rank * near_weight;
        return;
    }
    const uint32_t *far_to = orbit->far_to + at->far * orbit->turns;
    const unsigned shift = orbit->halved;
    for (unsigned m = 0; m < moves->count; m++)
        next[m] += to[m].rank * near_weight + (far_to[to[m].turn] >> shift) * weight;
}

static void add_twist(const struct moves *moves, const struct permute_orbit *orbit,
                      const struct permute_coordinates *at, uint64_t *next)
{
    const uint32_t *to = orbit->twist_to + at->twist * moves->permute->all_moves + moves->first;
    for (unsigned m = 0; m < moves->count; m++)
        next[m] += to[m] * orbit->weight;
}

/* -- without tables: classes and twists are spread over the places, and read again where the moves take them -- */

static void add_order_slowly(const struct moves *moves, const struct permute_orbit *orbit,
                             const struct permute_coordinates *at, uint64_t *next)
{
    uint8_t class[BOARD_MAX_CELLS], place_class[BOARD_MAX_CELLS];
    permute_unrank_order(orbit, at->near, at->far, class);
    for (unsigned m = 0; m < moves->count; m++) {
        const struct permute_move *move = &moves->permute->move[moves->first + m];
        uint8_t moved[BOARD_MAX_CELLS];
        uint64_t far;
        for (unsigned i = 0; i < orbit->places; i++)
            place_class[move->to[orbit->place[i]]] = class[i];
        for (unsigned i = 0; i < orbit->places; i++)
            moved[i] = place_class[orbit->place[i]];
        const uint64_t near = permute_rank_order(orbit, moved, &far);
        next[m] += permute_encode(orbit, near, far, 0);
    }
}

static void add_twist_slowly(const struct moves *moves, const struct permute_orbit *orbit,
                             const struct permute_coordinates *at, uint64_t *next)
{
    uint8_t twist[BOARD_MAX_CELLS], place_twist[BOARD_MAX_CELLS];
    permute_unrank_twist(orbit, at->twist, twist);
    for (unsigned m = 0; m < moves->count; m++) {
        const struct permute_move *move = &moves->permute->move[moves->first + m];
        uint8_t moved[BOARD_MAX_CELLS];
        for (unsigned i = 0; i < orbit->places; i++) {
            const unsigned sum = twist[i] + (unsigned)move->twist[orbit->place[i]];
            place_twist[move->to[orbit->place[i]]] = (uint8_t)(sum >= orbit->modulus ? sum - orbit->modulus : sum);
        }
        for (unsigned i = 0; i < orbit->places; i++)
            moved[i] = place_twist[orbit->place[i]];
        next[m] += permute_rank_twist(orbit, moved) * orbit->weight;
    }
}

/* -- a row of states (rows.c): what does not depend on the place in the row -- */

/* What every move does to the coordinates of one orbit that are not the row's. */
static void add_orbit(const struct moves *moves, unsigned o, const struct permute_coordinates *at, uint64_t *next)
{
    const struct permute *permute = moves->permute;
    const struct permute_orbit *orbit = &permute->orbit[o];
    if (o > permute->tail_orbit || (o == permute->tail_orbit && permute->tail_order))
        return;
    if (orbit->near_to != NULL)
        add_order(moves, orbit, &at[o], next);
    else if (orbit->size > orbit->twists)
        add_order_slowly(moves, orbit, &at[o], next);
    if (o == permute->tail_orbit)
        return;
    if (orbit->twist_to != NULL)
        add_twist(moves, orbit, &at[o], next);
    else if (orbit->twists > 1)
        add_twist_slowly(moves, orbit, &at[o], next);
}

/* The near order of the last orbit, and the turns that the moves have for it. */
static void begin_far(const struct moves *moves, const struct permute_coordinates *at, struct permute_row_moves *row)
{
    const struct permute *permute = moves->permute;
    const struct permute_orbit *orbit = &permute->orbit[permute->moving - 1];
    const struct permute_near *to = orbit->near_to + at->near * permute->all_moves + moves->first;
    for (unsigned m = 0; m < moves->count; m++) {
        row->base[m] += to[m].rank * orbit->far_orders;
        row->turn[m] = to[m].turn;
    }
    row->odd = at->far & 1;
}

static void begin_row(const struct moves *moves, uint64_t index, struct permute_row_moves *row)
{
    const struct permute *permute = moves->permute;
    const bool far = permute->row_kind == ROW_FAR;
    struct permute_coordinates at[BOARD_BYTE_CELLS];
    row->first = index - index % permute->row;
    permute_decode(permute, row->first, at);
    memset(row->base, 0, moves->count * sizeof *row->base);
    for (unsigned o = 0; o < permute->moving - far; o++)
        add_orbit(moves, o, at, row->base);
    if (far)
        begin_far(moves, &at[permute->moving - 1], row);
}

void permute_row_begin(const struct permute *permute, uint64_t index, struct permute_row_moves *row)
{
    const struct moves moves = {.permute = permute, .first = 0, .count = permute->moves};
    begin_row(&moves, index, row);
}

/* -- a state of a row -- */

static void add_tail(const struct moves *moves, const struct permute_row_moves *row, uint64_t place, uint64_t *next)
{
    const uint32_t *to = moves->permute->tail_to + place * moves->permute->all_moves + moves->first;
    for (unsigned m = 0; m < moves->count; m++)
        next[m] = row->base[m] + to[m];
}

static void add_far(const struct moves *moves, const struct permute_row_moves *row, uint64_t place, uint64_t *next)
{
    const struct permute_orbit *orbit = &moves->permute->orbit[moves->permute->moving - 1];
    const uint64_t far = permute_row_far(orbit, place, row->odd);
    const uint32_t *far_to = orbit->far_to + far * orbit->turns;
    for (unsigned m = 0; m < moves->count; m++)
        next[m] = row->base[m] + (far_to[row->turn[m]] >> orbit->halved);
}

/* -- a batch -- */

static size_t neighbours(const struct moves *moves, const uint64_t *index, size_t count, uint64_t *next,
                         uint16_t *next_count)
{
    const struct permute *permute = moves->permute;
    struct permute_row_moves row;
    for (size_t i = 0; i < count; i++, next += moves->count) {
        if (i == 0 || index[i] - row.first >= permute->row)
            begin_row(moves, index[i], &row);
        if (permute->row_kind == ROW_TABLE)
            add_tail(moves, &row, index[i] - row.first, next);
        else if (permute->row_kind == ROW_FAR)
            add_far(moves, &row, index[i] - row.first, next);
        else
            memcpy(next, row.base, moves->count * sizeof *next);
        next_count[i] = (uint16_t)moves->count;
    }
    return count * moves->count;
}

size_t permute_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                          uint16_t *next_count)
{
    const struct permute *permute = (const struct permute *)puzzle;
    const struct moves moves = {.permute = permute, .first = 0, .count = permute->moves};
    return neighbours(&moves, index, count, next, next_count);
}

size_t permute_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                            uint16_t *next_count)
{
    const struct permute *permute = (const struct permute *)puzzle;
    const struct moves moves = {
        .permute = permute, .first = permute->all_moves - permute->moves, .count = permute->moves};
    return neighbours(&moves, index, count, next, next_count);
}
