/* far_model.h -- oracle_far's puzzles, as the library gets them: a definition from a far_spec, and its states found */
#ifndef TESTS_FAMILIES_SLIDE_FAR_MODEL_H
#define TESTS_FAMILIES_SLIDE_FAR_MODEL_H

#include "oracle_far.h"
#include "tests/support/support.h"

enum { EXPLORE_PLENTY = 1 << 30 /* bytes */ };

/* The puzzle with these named boards (ending with NULL, the first is `start`; NULL: none). */
struct puzzle *far_puzzle(const struct far_spec *spec, const char *const *starts);

/* The same, its states numbered by keys whatever the library thinks best. */
struct puzzle *far_keyed_puzzle(const struct far_spec *spec, const char *const *starts);

/* What keyed_create makes of a puzzle of keys, its states found by so many threads. To be freed with keyed_free, before
 * the puzzle. */
struct puzzle *explored(const struct puzzle *base, unsigned threads);

#endif
