/* toy_enumeration.h -- a family of puzzles without moves, for tests: the numbers 1 .. n, each as far as it has ones in
 * binary
 *
 * A question is a number, or summands "+1 +2", which make one question together. 0 makes sense and has no answer.
 */
#ifndef TESTS_ITEMS_TOY_ENUMERATION_H
#define TESTS_ITEMS_TOY_ENUMERATION_H

#include "items/items.h"

extern const struct items_family toy_family;

/* The puzzle of 1 .. n, by the name "toy". Nothing in it has to be freed. A family that is not NULL is used instead. */
struct items_puzzle toy_puzzle(uint64_t n, const struct items_family *family);

/* How many ones a number has. */
unsigned toy_ones(uint64_t number);

#endif
