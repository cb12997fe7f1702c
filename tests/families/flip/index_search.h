/* index_search.h -- a plain search over the library's indices, of a puzzle all of whose states can reach the goal */
#ifndef TESTS_FAMILIES_FLIP_INDEX_SEARCH_H
#define TESTS_FAMILIES_FLIP_INDEX_SEARCH_H

#include "lib/puzzle.h"

struct index_search {
    const struct puzzle *puzzle;
    uint64_t *queue, count;
    uint8_t *distance; /* 255: not reached */
};

/* Every state's distance; the queue is in order of distance. */
struct index_search index_search_all(const struct puzzle *puzzle);
void index_search_free(struct index_search *search);

#endif
