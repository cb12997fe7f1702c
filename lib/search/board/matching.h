/* matching.h -- the cheapest way to give n things a place each
 *
 * The assignment problem: a cost for every thing and place, each place for at most one thing, the least sum. Three
 * things or fewer are tried in every order; more are placed one by one along the shortest augmenting path, with a
 * potential for every thing and place under which no cost is negative (n * n * places steps at most).
 *
 * Literature: H. W. Kuhn, "The Hungarian method for the assignment problem", Naval Research Logistics Quarterly 2,
 * 1955; R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
 * problems", Computing 38, 1987.
 */
#ifndef SEARCH_BOARD_MATCHING_H
#define SEARCH_BOARD_MATCHING_H

#include <stdint.h>

enum { MATCHING_MAX = 64 }; /* places */

/* The cost of what is forbidden. */
#define MATCHING_NEVER UINT16_MAX
/* There is no matching without anything forbidden in it. */
#define MATCHING_NONE UINT32_MAX

/* The least cost of giving each of `things` (at most `places`, which are at most MATCHING_MAX) a place of its own;
 * cost[thing * places + place]. MATCHING_NONE where there is no way to. */
uint32_t matching_least(unsigned things, unsigned places, const uint16_t *cost);

#endif
