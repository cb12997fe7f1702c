/* tiles.c -- a board of different tiles with one empty cell, in the numbers that searches use */
#include "tiles.h"

#include <string.h>

/* Moves of a piece alone from every place to one: breadth first over the neighbouring places, but for one (or
 * BOARD_NO_PLACE). Returns how many places it can come from, the goal counted. */
static unsigned find_far(const struct slide *slide, uint8_t goal, unsigned without, uint8_t far[TILES_MAX_PLACES])
{
    uint8_t queue[TILES_MAX_PLACES];
    unsigned head = 0, tail = 0;
    memset(far, UINT8_MAX, TILES_MAX_PLACES);
    far[goal] = 0;
    queue[tail++] = goal;
    while (head < tail) {
        const uint8_t place = queue[head++];
        for (unsigned d = 0; d < 4; d++) {
            const uint16_t next = slide->neighbour[place][d];
            if (next == BOARD_NO_PLACE || next == without || far[next] != UINT8_MAX)
                continue;
            far[next] = (uint8_t)(far[place] + 1);
            queue[tail++] = (uint8_t)next;
        }
    }
    return tail;
}

/* One-cell pieces only, no two alike, free to move one step at a time, and a goal without open cells. */
static bool all_different(const struct slide *slide)
{
    if (slide->kinds != slide->units || slide->empties != 1 || slide->far_moves)
        return false;
    for (unsigned k = 0; k < slide->kinds; k++)
        if (slide->kind[k].count != 1 || slide->kind[k].axis != SLIDE_FREE)
            return false;
    for (unsigned place = 0; place < slide->puzzle.board.places; place++)
        if (slide->goal[place] == SLIDE_OPEN)
            return false;
    return true;
}

bool tiles_make(const struct slide *slide, struct tiles *tiles)
{
    const struct board *board = &slide->puzzle.board;
    if (board->places > TILES_MAX_PLACES || !all_different(slide))
        return false;
    *tiles = (struct tiles){.slide = slide, .places = board->places};
    memset(tiles->tile_of_symbol, TILES_NO_TILE, sizeof tiles->tile_of_symbol);
    for (uint8_t place = 0; place < board->places; place++) {
        const uint8_t symbol = slide->puzzle.goal[place];
        if (slide->goal[place] == SLIDE_EMPTY) {
            tiles->goal_empty = place;
            continue;
        }
        find_far(slide, place, BOARD_NO_PLACE, tiles->far[tiles->tiles]);
        tiles->goal_place[tiles->tiles] = place;
        tiles->symbol_of[tiles->tiles] = symbol;
        tiles->tile_of_symbol[symbol] = (uint8_t)tiles->tiles++;
    }
    for (unsigned place = 0; place < tiles->places && tiles->tiles > 0; place++)
        if (tiles->far[0][place] == UINT8_MAX)
            return false; /* a board in several parts */
    return true;
}

bool tiles_parity_fits(const struct tiles *tiles, const uint8_t *tile)
{
    uint8_t at[TILES_MAX_PLACES]; /* where the tile on each place belongs */
    unsigned parity = 0, empty = 0;
    bool seen[TILES_MAX_PLACES] = {false};
    for (unsigned place = 0; place < tiles->places; place++) {
        at[place] = tile[place] == TILES_NO_TILE ? tiles->goal_empty : tiles->goal_place[tile[place]];
        empty = tile[place] == TILES_NO_TILE ? place : empty;
    }
    for (unsigned place = 0; place < tiles->places; place++)
        for (unsigned p = place; !seen[p]; p = at[p]) {
            seen[p] = true;
            parity ^= at[p] != place; /* a cycle of n places is n - 1 exchanges */
        }
    /* Every move is one exchange and takes the empty cell to a cell of the other colour. */
    const struct board *board = &tiles->slide->puzzle.board;
    const unsigned from = board->cell[empty], to = board->cell[tiles->goal_empty];
    const unsigned steps = from / board->columns + from % board->columns + to / board->columns + to % board->columns;
    return (parity & 1) == (steps & 1);
}

bool tiles_reach_all(const struct tiles *tiles)
{
    uint8_t far[TILES_MAX_PLACES];
    unsigned joined = 0;
    if (tiles->places < 3)
        return false;
    for (unsigned place = 0; place < tiles->places; place++) {
        if (find_far(tiles->slide, place == 0, place, far) != tiles->places - 1)
            return false;
        for (unsigned d = 0; d < 4; d++)
            joined += tiles->slide->neighbour[place][d] != BOARD_NO_PLACE;
    }
    return joined > 2 * tiles->places; /* a ring has just two neighbours to each */
}
