/* far_model.h -- oracle_far's puzzles, as the library gets them: a definition from a far_spec, and its states found */
#ifndef TESTS_FAMILIES_SLIDE_FAR_MODEL_H
#define TESTS_FAMILIES_SLIDE_FAR_MODEL_H

#include "oracle_far.h"
#include "tests/support/support.h"

/* The puzzle with these named boards (ending with NULL, the first is `start`; NULL: none). */
struct puzzle *far_puzzle(const struct far_spec *spec, const char *const *starts);

/* The same, its states numbered by keys whatever the library thinks best: packed ones where they can be, or ranks. */
struct puzzle *far_keyed_puzzle(const struct far_spec *spec, const char *const *starts, bool packed);

/* The built-in Klotski. */
extern const struct far_spec far_klotski;

#endif
