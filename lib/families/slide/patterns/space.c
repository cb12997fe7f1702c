/* space.c -- the space of a pattern: sets of places, their regions, how many there are, and turns of orders */
#include "patterns.h"

/* -- sets and regions -- */

uint64_t pattern_set(const struct pattern_space *space, uint64_t rank)
{
    uint64_t set = 0;
    unsigned place = space->places;
    for (unsigned left = space->size; left > 0; left--) {
        while (space->choose[--place][left] > rank)
            ;
        rank -= space->choose[place][left];
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
        rank += space->choose[__builtin_ctzll(set)][i++];
    return rank;
}

uint64_t pattern_take_region(const struct pattern_space *space, uint64_t *free)
{
    uint64_t region = *free & -*free, border = region;
    while (border != 0) {
        const uint64_t more = space->beside[__builtin_ctzll(border)] & *free & ~region;
        border = (border & (border - 1)) | more;
        region |= more;
    }
    *free &= ~region;
    return region;
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
    for (unsigned n = 0; n <= TILES_MAX_PLACES; n++) { /* Pascal's triangle */
        space->choose[n][0] = 1;
        for (unsigned k = 1; n > 0 && k <= TILES_MAX_PATTERN; k++)
            space->choose[n][k] = space->choose[n - 1][k - 1] + space->choose[n - 1][k];
    }
    /* A move leads along a pair of neighbours: a tile on the one place, the other one free, k-1 tiles elsewhere. */
    uint64_t pairs = 0;
    for (unsigned place = 0; place < space->places; place++)
        pairs += (unsigned)__builtin_popcountll(space->beside[place]);
    space->sets = space->choose[space->places][size];
    space->edges = pairs * space->choose[space->places - 2][size - 1];
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
            pattern_take_region(space, &left);
}

uint64_t pattern_table_bytes(const struct pattern_space *space)
{
    return (space->sets * space->orders + 1) / 2;
}

/* -- turns: what a move does to the rank of an order --
 *
 * The tile at one position goes to another, and of the Lehmer digits only those between the two change. So by how much
 * a rank changes depends on its last digits alone, from the first of the two positions on, and a table of these is
 * enough. It is read for 64 ranks on from any: it has the last 5 digits at least (5! > 64), and goes on past its
 * end. */

enum { LEAST_DIGITS = 5, READ_ON = 64 };

/* The last digits that the table for turns from position `first` on has. */
static unsigned digits_of(unsigned size, unsigned first)
{
    return size - first > LEAST_DIGITS ? size - first : size < LEAST_DIGITS ? size : LEAST_DIGITS;
}

/* After how many ranks it begins anew. */
static uint32_t period_of(unsigned size, unsigned first)
{
    uint32_t product = 1;
    for (unsigned i = 2; i <= digits_of(size, first); i++)
        product *= i;
    return product;
}

uint64_t pattern_turns_bytes(const struct pattern_space *space)
{
    uint64_t bytes = 0;
    for (unsigned first = 0; first < space->size; first++)
        bytes += 2 * space->passed * (period_of(space->size, first) + READ_ON) * sizeof(int32_t);
    return bytes;
}

static void make_turn(unsigned size, unsigned from, unsigned to, int32_t *change)
{
    const uint8_t members[TILES_MAX_PATTERN] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const unsigned digits = digits_of(size, from < to ? from : to), skipped = size - digits;
    struct order_ranking ranking;
    order_ranking_init(&ranking, digits, members, false);
    const uint32_t period = (uint32_t)ranking.orders;
    for (uint32_t rank = 0; rank < period; rank++) {
        struct order_code code;
        order_decode(&ranking, rank, 0, &code);
        change[rank] = (int32_t)order_rank_moved(&ranking, &code, from - skipped, to - skipped) - (int32_t)rank;
    }
    for (uint32_t rank = period; rank < period + READ_ON; rank++)
        change[rank] = change[rank - period];
}

/* A table for each two positions; NULL where none is wanted. */
struct making {
    unsigned size;
    int32_t *change[TILES_MAX_PATTERN * TILES_MAX_PATTERN];
};

static void make_pair(void *context, unsigned thread, uint64_t pair)
{
    const struct making *making = context;
    (void)thread;
    if (making->change[pair] != NULL)
        make_turn(making->size, (unsigned)pair / making->size, (unsigned)pair % making->size, making->change[pair]);
}

void pattern_turns_make(const struct pattern_space *space, struct team *team, struct pattern_turns *turns)
{
    const unsigned size = space->size;
    struct making making = {.size = size};
    int32_t *next = turns->memory;
    for (unsigned from = 0; from < size; from++)
        for (unsigned to = 0; to < size; to++) {
            const unsigned first = from < to ? from : to;
            turns->period[first] = period_of(size, first);
            if (from == to || from + to - 2 * first > space->passed)
                continue;
            turns->change[from][to] = making.change[from * size + to] = next;
            next += turns->period[first] + READ_ON;
        }
    team_run(team, (uint64_t)size * size, make_pair, &making);
}
