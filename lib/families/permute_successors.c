/* permute_successors.c -- moves on indices: coordinate by coordinate, a row of a table at a time */
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

/* -- a batch -- */

static size_t neighbours(const struct moves *moves, const uint64_t *index, size_t count, uint64_t *next,
                         uint16_t *next_count)
{
    const struct permute *permute = moves->permute;
    struct permute_coordinates at[BOARD_BYTE_CELLS];
    memset(next, 0, count * moves->count * sizeof *next);
    for (size_t i = 0; i < count; i++, next += moves->count) {
        permute_decode(permute, index[i], at);
        for (unsigned o = 0; o < permute->moving; o++) {
            const struct permute_orbit *orbit = &permute->orbit[o];
            if (orbit->near_to != NULL)
                add_order(moves, orbit, &at[o], next);
            else if (orbit->size > orbit->twists)
                add_order_slowly(moves, orbit, &at[o], next);
            if (orbit->twist_to != NULL)
                add_twist(moves, orbit, &at[o], next);
            else if (orbit->twists > 1)
                add_twist_slowly(moves, orbit, &at[o], next);
        }
        next_count[i] = (uint16_t)moves->count;
    }
    return count * moves->count;
}

size_t permute_successors(const struct pdb_puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                          uint16_t *next_count)
{
    const struct permute *permute = (const struct permute *)puzzle;
    const struct moves moves = {.permute = permute, .first = 0, .count = permute->moves};
    return neighbours(&moves, index, count, next, next_count);
}

size_t permute_predecessors(const struct pdb_puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                            uint16_t *next_count)
{
    const struct permute *permute = (const struct permute *)puzzle;
    const struct moves moves = {
        .permute = permute, .first = permute->all_moves - permute->moves, .count = permute->moves};
    return neighbours(&moves, index, count, next, next_count);
}
