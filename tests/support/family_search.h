/*
 * A puzzle's distances by the contract's functions on indices and nothing else: one byte an index, a plain backward
 * search. For tests that compare a family with an oracle or with published tables.
 */
#ifndef TESTS_SUPPORT_FAMILY_SEARCH_H
#define TESTS_SUPPORT_FAMILY_SEARCH_H

#include "lib/puzzle.h"

enum { FAMILY_SEARCH_NONE = 255 };

/* The distance of every index, FAMILY_SEARCH_NONE where the goal cannot be reached. The caller frees it. */
uint8_t *family_distances(const struct puzzle *puzzle);
/* How many indices have each distance 0 .. 254; returns the greatest distance. */
unsigned family_histogram(const struct puzzle *puzzle, const uint8_t *distance, uint64_t histogram[255]);
/* Runs the checker of all contracts (check.h) over every state; ends the test where it finds something. */
void family_check(const struct puzzle *puzzle);

#endif
