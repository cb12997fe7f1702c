/* ranks_alone.h -- what one process finds, which ranks (rank_threads.h) are held against */
#ifndef TESTS_SUPPORT_RANKS_ALONE_H
#define TESTS_SUPPORT_RANKS_ALONE_H

#include "tests/support/support.h"

/* Of keys, with the puzzle that they number. */
struct alone {
    struct solved solved;
    struct puzzle *keyed;
};

/* False where no goal is among the states: then there is nothing to free. */
bool alone_solve(const struct puzzle *puzzle, struct alone *alone);
void alone_free(struct alone *alone);

/* How many things differ in an outcome, keys included, as only rank 0 has it: all bytes in their order, and some out of
 * it. */
uint64_t alone_compare(const struct alone *alone, struct retrograde *search, const struct retrograde_result *result);

/* Names of built-in puzzles, NULL at the end. Boards of numbered tiles, with and without large pieces; walks, whose
 * groups are of different sizes; permutations. */
extern const char *const ranks_by_words[];

/* Keys: by rows, by keys, with and without moves that can be undone, grade by grade, of one goal that there are very
 * many of, of rules; indices: all at once, whose moves cannot be undone, and of rules. */
extern const char *const ranks_one_by_one[];

#endif
