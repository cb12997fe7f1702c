/* team.h -- threads that share out a piece of work
 *
 * A run of work is cut into shares, which are numbered and taken one after another: by the calling thread, and by each
 * worker that gets a processor meanwhile. The run is over when no share is left and those taken are done. So where
 * other programs keep the processors busy, a worker that has not woken is not waited for, and the caller may do all
 * alone; it waits for a worker only that is within a share, which should therefore be small: some 10 to 1000
 * microseconds.
 *
 * Threads are started by the first run that has shares for them; as many as the system gives, which may be none.
 * Between runs they look out for the next one for 100 microseconds, then sleep; at once where they are more than the
 * processors. A system may wake a worker on the processor of the thread that calls it, though another is idle, and
 * leave both there for milliseconds; so a worker that finds another thread of the run where it is goes to a processor
 * that has none.
 */
#ifndef LIB_TEAM_H
#define LIB_TEAM_H

#include "error.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { THREADS_MAX = 1024, TEAM_PROCESSORS = 1024 /* those behind are not told apart */ };

/* How many threads a user's wish means: 0 is one for every core that the process may run on; at most THREADS_MAX. */
unsigned team_threads(unsigned wanted);

/* Does a share. The caller of team_run is thread 0; all numbers are less than the team's `threads`. */
typedef void team_work(void *context, unsigned thread, uint64_t share);

/* Made as {.threads = N}; the rest is team.c's own. One of zeros works without workers. */
struct team {
    unsigned threads; /* at most, the caller's among them */

    bool complete; /* no more workers are to be started */
    bool patient;  /* there are processors enough to look out for work before sleeping */
    bool over;
    unsigned workers, numbered;
    pthread_t worker[THREADS_MAX - 1];

    team_work *work;
    void *context;
    uint64_t shares, next; /* of the run; the first that nobody has taken */
    uint32_t run;          /* counts runs; workers sleep on it */
    uint32_t inside;       /* workers in the run, and whether others may still join; the caller sleeps on it */
    uint64_t taken[TEAM_PROCESSORS / 64]; /* a bit for each processor that one of the run's threads is on */
};

/* Does all shares, from 0 on in the order of their numbers, at several at a time. By the calling thread alone where
 * there is no team (NULL) or one share. A share must not run its own team; what it writes the caller sees. */
void team_run(struct team *team, uint64_t shares, team_work *work, void *context);

/* Ends the threads. The team may run again. */
void team_end(struct team *team);

/* The same with a team for this one piece of work. */
void team_once(unsigned threads, uint64_t shares, team_work *work, void *context);

/* What is told of shares that fail: the error of the one with the least number. Made as {.lock =
 * PTHREAD_MUTEX_INITIALIZER}. */
struct team_failure {
    pthread_mutex_t lock;
    uint64_t end; /* the share's number plus one; 0: none has failed */
    pdb_error error;
};

void team_fail(struct team_failure *failure, uint64_t share, const pdb_error *error);

/* Has one up to this share failed? It may be asked meanwhile. */
static inline bool team_failed(const struct team_failure *failure, uint64_t share)
{
    return __atomic_load_n(&failure->end, __ATOMIC_RELAXED) - 1 <= share;
}

/* After the run: PDB_OK, or the error. */
pdb_status team_outcome(const struct team_failure *failure, pdb_error *error);

/* How many shares of `size` things `count` things are. */
static inline uint64_t team_shares(uint64_t count, uint64_t size)
{
    return count / size + (count % size != 0);
}

#endif
