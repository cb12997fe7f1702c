/* progress.h -- how far a search for a board has got, on standard error */
#ifndef QUERY_PROGRESS_H
#define QUERY_PROGRESS_H

#include "common/progress_line.h"
#include "pdb.h"

#include <pthread.h>

struct query_progress {
    const pdb_puzzle *puzzle;  /* for the caller to fill in before anything is searched */
    struct progress_line line; /* redrawn on a terminal, else one for each step */
    uint32_t step;             /* the bound, or the per cent, that was shown last */
    double until;              /* by lib/clock.h, the searches stop; INFINITY: never */
    uint32_t distance;         /* of the board whose moves are looked into; PDB_NO_DISTANCE while it is searched for */
    pthread_mutex_t lock;      /* of the line and the step, where threads search side by side */
};

void query_progress_begin(struct query_progress *progress, enum progress_wish wish);

/* A pdb_observer whose context is a struct query_progress. Stops the search when the user wants that, or time is up.
 * Thread-safe: while one thread shows the line, the others go on without it. */
bool query_progress_observe(void *context, uint32_t bound, uint64_t nodes);

/* Takes the line away. */
void query_progress_end(struct query_progress *progress);

#endif
