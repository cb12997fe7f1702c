/* neighbours.c -- a bound for stacks of pancakes and their like: tiles that are not beside their neighbours of the goal
 *
 * Take the places in reading order, and pairs of places that follow each other; the last place may have a wall behind
 * it, and the first one before it, which are its neighbours and never move. A move takes most pairs to pairs, with what
 * stands on them; the others it breaks. Where no move breaks more than one pair, the number of pairs that in a board
 * have other two tiles than any pair has in the goal falls by one a move at most: a lower bound on the distance. Where
 * besides moves can break each pair but one it is within a move or two of the distance for nearly all stacks. (No flip
 * breaks the pair of the first two pancakes.) Where they break few pairs, as in a ring that is shifted, many moves have
 * to bring tiles to where a pair can be broken: the bound is worth little there, and is not taken. Literature: M.
 * Helmert, "Landmark heuristics for the pancake problem", SoCS 2010.
 */
#include "permute.h"

#include <stdlib.h>
#include <string.h>

struct permute_neighbours {
    unsigned pairs;
    uint16_t place[BOARD_BYTE_CELLS + 1][2]; /* of each pair; the walls have the numbers behind the places' */
    uint16_t goal[BOARD_BYTE_CELLS + 2];     /* where the tile stands in the goal that has this number; walls: there */
};

static bool is_pair(const struct permute_neighbours *neighbours, unsigned a, unsigned b)
{
    for (unsigned i = 0; i < neighbours->pairs; i++)
        if ((neighbours->place[i][0] == a && neighbours->place[i][1] == b) ||
            (neighbours->place[i][0] == b && neighbours->place[i][1] == a))
            return true;
    return false;
}

static unsigned place_after(const struct permute *permute, const struct permute_move *move, unsigned place)
{
    return place < permute->puzzle.board.places ? move->to[place] : place;
}

/* Does no move break more than one pair, and is each pair but one broken by a move? */
static bool moves_break_one(const struct permute *permute, const struct permute_neighbours *neighbours)
{
    bool breaks[BOARD_BYTE_CELLS + 1] = {false};
    unsigned whole = neighbours->pairs; /* pairs that no move breaks */
    for (unsigned m = 0; m < permute->moves; m++) {
        unsigned broken = 0;
        for (unsigned i = 0; i < neighbours->pairs; i++) {
            if (is_pair(neighbours, place_after(permute, &permute->move[m], neighbours->place[i][0]),
                        place_after(permute, &permute->move[m], neighbours->place[i][1])))
                continue;
            broken++;
            whole -= !breaks[i];
            breaks[i] = true;
        }
        if (broken > 1)
            return false;
    }
    return whole <= 1;
}

static void add_pair(struct permute_neighbours *neighbours, unsigned a, unsigned b)
{
    neighbours->place[neighbours->pairs][0] = (uint16_t)a;
    neighbours->place[neighbours->pairs++][1] = (uint16_t)b;
}

/* Is every tile another one, asked for, and does none turn? */
static bool is_plain(const struct permute *permute)
{
    const struct puzzle *puzzle = &permute->puzzle;
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (puzzle->goal[place] == BOARD_OPEN || permute->modulus[place] > 1)
            return false;
    return permute->tiles == puzzle->board.places;
}

pdb_status permute_neighbours_find(const struct permute *permute, struct permute_neighbours **out, pdb_error *error)
{
    enum { AFTER = 1, BEFORE = 2 };
    static const unsigned walls[] = {AFTER, BEFORE, 0};
    const unsigned places = permute->puzzle.board.places;
    struct permute_neighbours *neighbours = calloc(1, sizeof *neighbours);
    *out = NULL;
    if (neighbours == NULL)
        return error_no_memory(error, "the neighbours", sizeof *neighbours);
    for (size_t i = 0; *out == NULL && is_plain(permute) && i < sizeof walls / sizeof *walls; i++) {
        neighbours->pairs = 0;
        for (unsigned place = 0; place + 1 < places; place++)
            add_pair(neighbours, place, place + 1);
        if (walls[i] & AFTER)
            add_pair(neighbours, places - 1, places);
        if (walls[i] & BEFORE)
            add_pair(neighbours, 0, places + 1);
        if (moves_break_one(permute, neighbours))
            *out = neighbours;
    }
    if (*out == NULL) {
        free(neighbours);
        return PDB_OK;
    }
    for (unsigned place = 0; place < places; place++)
        neighbours->goal[permute->tile_of[permute->puzzle.goal[place]]] = (uint16_t)place;
    return PDB_OK;
}

void permute_neighbours_bounds(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound)
{
    const struct permute *permute = (const struct permute *)puzzle;
    const struct permute_neighbours *neighbours = permute->neighbours;
    const unsigned places = puzzle->board.places;
    uint8_t position[BOARD_MAX_CELLS];
    for (size_t i = 0; i < count; i++) {
        puzzle->family->position.unrank(puzzle, index[i], position);
        bound[i] = 0;
        for (unsigned pair = 0; pair < neighbours->pairs; pair++) {
            unsigned home[2];
            for (unsigned end = 0; end < 2; end++) {
                const unsigned place = neighbours->place[pair][end];
                home[end] = place < places ? neighbours->goal[permute->tile_of[position[place]]] : place;
            }
            bound[i] = (uint16_t)(bound[i] + !is_pair(neighbours, home[0], home[1]));
        }
    }
}
