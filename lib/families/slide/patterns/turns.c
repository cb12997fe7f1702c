/* turns.c -- what a move does to the rank of an order: the tile at one position goes to another
 *
 * Of the Lehmer digits only those between the two positions change. So by how much a rank changes depends on its last
 * digits alone, from the first of the two positions on, and a table of these is enough. It is read for 64 ranks on from
 * any: it has the last 5 digits at least (5! > 64), and goes on past its end.
 */
#include "table.h"

#include <stdlib.h>

enum { LEAST_DIGITS = 5, READ_ON = 64 };

/* The last digits that the table for turns from position `first` on has. */
static unsigned digits_of(unsigned size, unsigned first)
{
    return size - first > LEAST_DIGITS ? size - first : size < LEAST_DIGITS ? size : LEAST_DIGITS;
}

static uint32_t factorial(unsigned n)
{
    uint32_t product = 1;
    for (unsigned i = 2; i <= n; i++)
        product *= i;
    return product;
}

static size_t table_bytes(unsigned size, unsigned first)
{
    return (factorial(digits_of(size, first)) + READ_ON) * sizeof(int32_t);
}

uint64_t pattern_turns_bytes(const struct pattern_space *space)
{
    uint64_t bytes = 0;
    for (unsigned first = 0; first < space->size; first++)
        bytes += 2 * space->passed * table_bytes(space->size, first);
    return bytes;
}

bool pattern_turns_allocate(const struct pattern_space *space, struct pattern_turns *turns)
{
    bool all = true;
    for (unsigned from = 0; from < space->size; from++)
        for (unsigned to = 0; to < space->size; to++)
            if (from != to && (from < to ? to - from : from - to) <= space->passed)
                all &= (turns->change[from][to] = malloc(table_bytes(space->size, from < to ? from : to))) != NULL;
    return all;
}

void pattern_turns_free(struct pattern_turns *turns)
{
    for (unsigned from = 0; from < TILES_MAX_PATTERN; from++)
        for (unsigned to = 0; to < TILES_MAX_PATTERN; to++)
            free(turns->change[from][to]);
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

void pattern_turns_make(const struct pattern_space *space, unsigned threads, struct pattern_turns *turns)
{
    const unsigned size = space->size;
    for (unsigned first = 0; first < size; first++)
        turns->period[first] = factorial(digits_of(size, first));
#pragma omp parallel for num_threads(threads) schedule(dynamic)
    for (unsigned pair = 0; pair < size * size; pair++)
        if (turns->change[pair / size][pair % size] != NULL)
            make_turn(size, pair / size, pair % size, turns->change[pair / size][pair % size]);
}
