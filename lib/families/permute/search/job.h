/* job.h -- the family's searcher, and a search for one board: searcher.c sets it out, search.c does it, reading.c
 * has tables read for it, alike.c merges its roots */
#ifndef FAMILIES_PERMUTE_SEARCH_JOB_H
#define FAMILIES_PERMUTE_SEARCH_JOB_H

#include "lib/search/board/deepen.h"
#include "inverse.h"
#include "lib/families/permute/group.h"

struct permute_searcher {
    struct searcher base;
    const struct permute *permute;
    struct permute_views views;
    struct permute_inverse *inverse; /* NULL: inverses are not looked up */
    struct machine *machine;
    struct permute_group *group; /* NULL: everything that fits can be reached */
    uint64_t patience;           /* nodes: after so many, tables that lie in a file are read into memory */
    bool merges;                 /* roots that are alike */
};

/* A node where a thread begins: the moves to it. */
struct permute_root {
    uint32_t state; /* of the machine */
    uint8_t path[DEEPEN_ROOT_DEPTH];
};

/* The search for one board. */
struct permute_job {
    struct deepening deepening;
    const struct permute_searcher *searcher;
    const uint8_t *position;
    struct permute_coordinates *at; /* the first node */
    uint16_t far[PERMUTE_VIEWS_MAX];
    struct pattern_look look[PERMUTE_VIEWS_MAX]; /* where these were looked up */
    uint64_t patience;                           /* nodes: when tables are read, if they can be */
    const struct permute_symmetry **alike;       /* that leave the board as it is; NULL: roots are not merged */
    unsigned alikes;
};

extern const struct deepen_class permute_deepen_class; /* of jobs */

/* -- reading.c -- */

/* Called now and then by each thread, with where it looks tables up: has them read once the job is long, and tells look
 * where they are then; what was sent for in the file is the same in memory. Where the file turns out to be damaged the
 * search ends, and its source knows why. */
void permute_read_tables(struct permute_job *job, struct pattern_look *look);

/* -- alike.c -- */

/* Finds the symmetries that leave the job's board as it is. Error: PDB_NO_MEMORY. */
pdb_status permute_alike_find(struct permute_job *job, pdb_error *error);

/* Goes deeper from the first root, a few moves at most, and leaves out roots that others stand for. Error:
 * PDB_NO_MEMORY. */
pdb_status permute_alike_roots(struct permute_job *job, pdb_error *error);

#endif
