/* choose.c -- chooses a partition of the tiles of any board
 *
 * The sizes. A table of more tiles gives more than two of fewer, and its size grows so fast that only the largest size
 * counts: the partition has as many patterns as can be of the largest size whose tables can be built in the memory
 * given and are no more than KEPT_MOST bytes together; what is left over makes the last pattern. So the 15-puzzle has
 * 7-8 (and 6-6-3 and 5-5-5 in small memories), the 24-puzzle 6-6-6-6: those of the literature.
 *
 * The tiles. A table knows of conflicts between its own tiles only, and tiles come into conflict whose goals are near
 * each other. So the sum of the distances between goal places, over all pairs that are in one pattern, is made small by
 * exchanging tiles of different patterns while that helps, from the reading order first and then from many orders at
 * random. Of several best partitions the first one in lexicographic order is taken, so that all follows from the board.
 */
#include "lib/random.h"
#include "patterns.h"

#include <string.h>

enum { STARTS = 200, SIZE_MOST = 8, SIZE_LEAST = 2 };

static const uint64_t kept_most = UINT64_C(1) << 30;

/* -- sizes -- */

/* Can patterns of this size be built? The blocks, which take time to count, are counted where it is not plain
 * without. */
static bool fits(const struct tiles *tiles, unsigned size, uint64_t memory)
{
    const unsigned rest = tiles->tiles % size;
    struct pattern_space space, rest_space;
    if (!pattern_space_make(tiles, size, &space))
        return false;
    uint64_t kept = tiles->tiles / size * (pattern_table_bytes(&space) + PATTERN_TABLE_ALIGN);
    if (rest > 0 && pattern_space_make(tiles, rest, &rest_space))
        kept += pattern_table_bytes(&rest_space);
    if (kept > kept_most || kept + pattern_build_bytes(&space) > memory)
        return false;
    pattern_space_count(&space);
    return kept + pattern_build_bytes(&space) <= memory;
}

/* -- tiles -- */

/* A partition: which pattern each tile is in. */
struct grouping {
    uint8_t group[TILES_MAX_PLACES];
    unsigned cost;
};

static unsigned between(const struct tiles *tiles, unsigned a, unsigned b)
{
    return tiles->far[a][tiles->goal_place[b]];
}

/* How near a tile is to all of a group. */
static unsigned near_group(const struct tiles *tiles, const struct grouping *grouping, unsigned tile, unsigned group)
{
    unsigned sum = 0;
    for (unsigned t = 0; t < tiles->tiles; t++)
        sum += grouping->group[t] == group ? between(tiles, tile, t) : 0;
    return sum;
}

/* Exchanges two tiles where that makes the sum smaller. */
static bool exchange(const struct tiles *tiles, struct grouping *grouping, unsigned a, unsigned b)
{
    const uint8_t of_a = grouping->group[a], of_b = grouping->group[b];
    if (of_a == of_b)
        return false;
    const unsigned before = near_group(tiles, grouping, a, of_a) + near_group(tiles, grouping, b, of_b);
    const unsigned after = near_group(tiles, grouping, a, of_b) + near_group(tiles, grouping, b, of_a) -
                           2 * between(tiles, a, b);
    if (after >= before)
        return false;
    grouping->group[a] = of_b;
    grouping->group[b] = of_a;
    return true;
}

static void improve(const struct tiles *tiles, struct grouping *grouping)
{
    bool better = true;
    while (better) {
        better = false;
        for (unsigned a = 0; a < tiles->tiles; a++)
            for (unsigned b = 0; b < a; b++)
                better |= exchange(tiles, grouping, a, b);
    }
    grouping->cost = 0;
    for (unsigned t = 0; t < tiles->tiles; t++)
        grouping->cost += near_group(tiles, grouping, t, grouping->group[t]);
}

/* Numbers the groups by their first tiles. */
static void number_groups(const struct tiles *tiles, struct grouping *grouping)
{
    uint8_t number[TILES_MAX_PLACES], groups = 0;
    memset(number, UINT8_MAX, sizeof number);
    for (unsigned t = 0; t < tiles->tiles; t++) {
        uint8_t *of = &number[grouping->group[t]];
        *of = *of == UINT8_MAX ? groups++ : *of;
        grouping->group[t] = *of;
    }
}

static void shuffle(uint8_t *group, unsigned count, uint64_t *seed)
{
    for (unsigned i = count; i > 1; i--) {
        const uint64_t other = random_below(seed, i);
        const uint8_t swapped = group[i - 1];
        group[i - 1] = group[other];
        group[other] = swapped;
    }
}

void patterns_choose(const struct tiles *tiles, uint64_t memory, struct tiles_patterns *patterns)
{
    unsigned size = tiles->tiles < SIZE_MOST ? tiles->tiles : SIZE_MOST;
    while (size > SIZE_LEAST && !fits(tiles, size, memory))
        size--;
    struct grouping best = {.cost = UINT32_MAX}, tried;
    uint64_t seed = 1;
    for (unsigned start = 0; start < STARTS; start++) {
        for (unsigned t = 0; t < tiles->tiles; t++)
            tried.group[t] = (uint8_t)(t / size);
        if (start > 0)
            shuffle(tried.group, tiles->tiles, &seed);
        improve(tiles, &tried);
        number_groups(tiles, &tried);
        if (tried.cost < best.cost || (tried.cost == best.cost && memcmp(tried.group, best.group, tiles->tiles) < 0))
            best = tried;
    }
    *patterns = (struct tiles_patterns){.partitions = 1};
    for (uint8_t t = 0; t < tiles->tiles; t++) {
        struct tiles_pattern *pattern = &patterns->pattern[best.group[t]];
        pattern->tile[pattern->size++] = t;
        patterns->patterns = best.group[t] + 1u > patterns->patterns ? best.group[t] + 1u : patterns->patterns;
    }
    patterns->first[1] = (uint8_t)patterns->patterns;
}
