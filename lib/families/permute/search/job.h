/* job.h -- the family's searcher, and a search for one board: searcher.c sets it out, search.c does it */
#ifndef FAMILIES_PERMUTE_SEARCH_JOB_H
#define FAMILIES_PERMUTE_SEARCH_JOB_H

#include "lib/search/board/deepen.h"
#include "inverse.h"

struct permute_searcher {
    struct searcher base;
    const struct permute *permute;
    struct permute_views views;
    struct permute_inverse *inverse; /* NULL: inverses are not looked up */
    struct machine *machine;
    struct permute_group *group; /* NULL: everything that fits can be reached */
    uint64_t quick_nodes;        /* of a search that looks tables up in their file */
};

/* The search for one board. */
struct permute_job {
    struct deepening deepening;
    const struct permute_searcher *searcher;
    const uint8_t *position;
    struct permute_coordinates *at; /* the first node */
    uint16_t far[PERMUTE_VIEWS_MAX];
    struct pattern_look look[PERMUTE_VIEWS_MAX];
};

extern const struct deepen_class permute_deepen_class; /* of jobs */

#endif
