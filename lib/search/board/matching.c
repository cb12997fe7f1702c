/* matching.c -- the cheapest way to give n things a place each */
#include "matching.h"

#include <stdbool.h>

enum { FORBIDDEN = 1 << 23 }; /* dearer than MATCHING_MAX costs that are not forbidden */

static uint32_t cost_of(uint16_t cost)
{
    return cost == MATCHING_NEVER ? FORBIDDEN : cost;
}

/* -- a few: every order -- */

static uint32_t least_from(unsigned things, unsigned places, const uint16_t *cost, uint64_t taken)
{
    if (things == 0)
        return 0;
    uint32_t least = FORBIDDEN;
    for (unsigned place = 0; place < places; place++) {
        if (taken >> place & 1 || cost[place] >= least)
            continue;
        const uint32_t rest = least_from(things - 1, places, cost + places, taken | (uint64_t)1 << place);
        least = cost_of(cost[place]) + rest < least ? cost_of(cost[place]) + rest : least;
    }
    return least;
}

static inline uint32_t least_of_two(const uint16_t *cost)
{
    const uint32_t straight = cost_of(cost[0]) + cost_of(cost[3]), crossed = cost_of(cost[1]) + cost_of(cost[2]);
    return straight < crossed ? straight : crossed;
}

/* -- many: augmenting paths -- */

/* Things and places are counted from 1; 0 is none. */
struct matching {
    unsigned places;
    const uint16_t *cost;
    int64_t thing_price[MATCHING_MAX + 1], place_price[MATCHING_MAX + 1];
    uint8_t thing_at[MATCHING_MAX + 1];
};

static int64_t reduced_cost(const struct matching *matching, unsigned thing, unsigned place)
{
    return (int64_t)cost_of(matching->cost[(thing - 1) * matching->places + place - 1]) - matching->thing_price[thing] -
           matching->place_price[place];
}

/* Gives one more thing a place: the things along the cheapest path to a free place move over by one. Dijkstra's
 * algorithm over places: far[p] is how much dearer the path to p makes it all. */
static void augment(struct matching *matching, unsigned thing)
{
    int64_t far[MATCHING_MAX + 1];
    uint8_t before[MATCHING_MAX + 1];
    bool done[MATCHING_MAX + 1] = {false};
    unsigned at = 0;
    matching->thing_at[0] = (uint8_t)thing;
    for (unsigned place = 1; place <= matching->places; place++)
        far[place] = INT64_MAX;
    while (matching->thing_at[at] != 0) {
        const unsigned here = matching->thing_at[at], from = at;
        int64_t step = INT64_MAX;
        done[at] = true;
        for (unsigned place = 1; place <= matching->places; place++) {
            if (done[place])
                continue;
            const int64_t reduced = reduced_cost(matching, here, place);
            if (reduced < far[place]) {
                far[place] = reduced;
                before[place] = (uint8_t)from;
            }
            if (far[place] < step) {
                step = far[place];
                at = place;
            }
        }
        for (unsigned place = 0; place <= matching->places; place++) {
            if (done[place]) {
                matching->thing_price[matching->thing_at[place]] += step;
                matching->place_price[place] -= step;
            } else {
                far[place] -= step;
            }
        }
    }
    for (; at != 0; at = before[at])
        matching->thing_at[at] = matching->thing_at[before[at]];
}

static uint32_t least_of_many(unsigned things, unsigned places, const uint16_t *cost)
{
    struct matching matching = {.places = places, .cost = cost};
    uint32_t sum = 0;
    for (unsigned thing = 1; thing <= things; thing++)
        augment(&matching, thing);
    for (unsigned place = 1; place <= places; place++)
        if (matching.thing_at[place] != 0)
            sum += cost_of(cost[(matching.thing_at[place] - 1u) * places + place - 1]);
    return sum;
}

uint32_t matching_least(unsigned things, unsigned places, const uint16_t *cost)
{
    uint32_t least;
    if (things == 2 && places == 2)
        least = least_of_two(cost);
    else if (things <= 3)
        least = least_from(things, places, cost, 0);
    else
        least = least_of_many(things, places, cost);
    return least < FORBIDDEN ? least : MATCHING_NONE;
}
