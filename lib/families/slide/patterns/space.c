/* space.c -- the sets of places that a pattern can stand on, their regions, and how many there are */
#include "table.h"

uint64_t pattern_set(const struct pattern_space *space, uint64_t rank)
{
    uint64_t set = 0;
    unsigned place = space->places;
    for (unsigned left = space->size; left > 0; left--) {
        while (space->ways[--place][left] > rank)
            ;
        rank -= space->ways[place][left];
        set |= UINT64_C(1) << place;
    }
    return set;
}

/* R. W. Gosper's step (HAKMEM, item 175): the next number with as many ones. */
uint64_t pattern_next_set(uint64_t set)
{
    const uint64_t low = set & -set, ripple = set + low;
    return ripple | (ripple ^ set) >> 2 >> __builtin_ctzll(low);
}

uint64_t pattern_set_rank(const struct pattern_space *space, uint64_t set)
{
    uint64_t rank = 0;
    for (unsigned i = 1; set != 0; set &= set - 1)
        rank += space->ways[__builtin_ctzll(set)][i++];
    return rank;
}

uint64_t pattern_region(const struct pattern_space *space, uint64_t free, unsigned place)
{
    uint64_t region = UINT64_C(1) << place, border = region;
    while (border != 0) {
        const uint64_t more = space->beside[__builtin_ctzll(border)] & free & ~region;
        border = (border & (border - 1)) | more;
        region |= more;
    }
    return region;
}

/* Pascal's triangle. */
static void count_ways(struct pattern_space *space)
{
    for (unsigned n = 0; n <= TILES_MAX_PLACES; n++) {
        space->ways[n][0] = 1;
        for (unsigned k = 1; n > 0 && k <= TILES_MAX_PATTERN; k++)
            space->ways[n][k] = space->ways[n - 1][k - 1] + space->ways[n - 1][k];
    }
}

static void find_places(const struct slide *slide, struct pattern_space *space)
{
    const struct board *board = &slide->puzzle.board;
    for (unsigned place = 0; place < space->places; place++) {
        for (unsigned d = 0; d < 4; d++)
            if (slide->neighbour[place][d] != BOARD_NO_PLACE)
                space->beside[place] |= UINT64_C(1) << slide->neighbour[place][d];
        const unsigned cell = board->cell[place];
        if ((cell / board->columns + cell % board->columns) % 2 != 0)
            space->dark |= UINT64_C(1) << place;
        const unsigned below = slide->neighbour[place][3];
        if (below != BOARD_NO_PLACE && below - place - 1 > space->passed)
            space->passed = below - place - 1;
    }
    if (space->passed > space->size - 1)
        space->passed = space->size - 1;
}

bool pattern_space_make(const struct tiles *tiles, unsigned size, struct pattern_space *space)
{
    *space = (struct pattern_space){.places = tiles->places, .size = size, .orders = 1};
    for (unsigned i = 2; i <= size; i++)
        space->orders *= i;
    space->words = (space->orders + 63) / 64;
    find_places(tiles->slide, space);
    count_ways(space);
    /* A move leads along a pair of neighbours: a tile on the one place, the other one free, k-1 tiles elsewhere. */
    uint64_t pairs = 0;
    for (unsigned place = 0; place < space->places; place++)
        pairs += (unsigned)__builtin_popcountll(space->beside[place]);
    space->sets = space->ways[space->places][size];
    space->edges = pairs * space->ways[space->places - 2][size - 1];
    /* NOLINTNEXTLINE(*DivideZero): a board has places */
    return space->edges <= UINT32_MAX && space->sets <= UINT32_MAX / space->places;
}

void pattern_space_count(struct pattern_space *space)
{
    const uint64_t all = UINT64_MAX >> (64 - space->places);
    uint64_t set = pattern_set(space, 0);
    space->blocks = 0;
    for (uint64_t rank = 0; rank < space->sets; rank++, set = pattern_next_set(set))
        for (uint64_t left = all & ~set; left != 0; space->blocks++)
            left &= ~pattern_region(space, left, (unsigned)__builtin_ctzll(left));
}

uint64_t pattern_table_bytes(const struct pattern_space *space)
{
    return (space->sets * space->orders + 1) / 2;
}
