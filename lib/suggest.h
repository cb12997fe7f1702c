/* suggest.h -- "did you mean": the nearest of a list of words */
#ifndef LIB_SUGGEST_H
#define LIB_SUGGEST_H

#include <stddef.h>

/* The word of `words` (ends with NULL) nearest to `word` by edit distance with transpositions (Damerau-Levenshtein,
 * restricted), the first of equals; NULL where none is near enough to be meant: more than a third of the longer word's
 * letters (at least 1) would have to change, or all of `word`. Words longer than 64 bytes are near to none.
 * Thread-safe. */
const char *suggest_nearest(const char *word, const char *const words[]);

#endif
