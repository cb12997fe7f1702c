/* jobs.h -- work that takes long, away from the threads that answer at once
 *
 * Searches, and puzzles that are solved in memory, are jobs: a few threads do them in the order in which they came,
 * each for so many seconds at most. A job that has to open a solver waits while another one opens one of the same
 * puzzle, and lets those behind it pass. Too many that wait are refused.
 */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include "puzzles.h"

#include <stdatomic.h>

struct job {
    void (*run)(struct job *job);
    struct offered *offered;
    bool opens;       /* a solver; `run` says so by jobs_opened when that is done, or failed */
    unsigned seconds; /* that it may take, where that is less than for all jobs; else 0 */
    struct job *next;
};

struct jobs {
    pthread_t *thread;
    unsigned threads;
    unsigned seconds; /* that a job may take */
    pthread_key_t deadline;
    pthread_mutex_t lock;
    pthread_cond_t change;
    struct job *first; /* of those that wait */
    unsigned waiting;
    bool stops;          /* under the lock */
    atomic_bool hurries; /* whatever is under way is to end */
};

/* Starts the threads. Errors: PDB_NO_MEMORY, PDB_IO. */
pdb_status jobs_start(struct jobs *jobs, unsigned threads, unsigned seconds, pdb_error *error);
/* Has what is left of the jobs done, in a hurry, and ends the threads. Also where jobs_start failed. */
void jobs_stop(struct jobs *jobs);

/* From now on `job` is the threads', until its `run` is called; false: too many wait. */
bool jobs_add(struct jobs *jobs, struct job *job);

/* The solver that a job was to open is opened, or cannot be. */
void jobs_opened(struct jobs *jobs, struct job *job);

/* A pdb_observer whose context is a struct jobs: stops what takes too long. Threads that do no jobs are let be. */
bool jobs_observe(void *context, uint32_t bound, uint64_t nodes);

#endif
