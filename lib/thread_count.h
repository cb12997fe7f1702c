/* thread_count.h -- how many threads can be had */
#ifndef LIB_THREAD_COUNT_H
#define LIB_THREAD_COUNT_H

#include "team.h"

/* How many threads may work at the same time, at most `wanted` (0: one for every core that the process may run on) and
 * THREADS_MAX, at least 1, the calling one among them. Where the system refuses a thread (a limit on processes),
 * OpenMP's runtime ends the process; so it is tried out before, by starting them all. It is no promise: others may take
 * what there is. Thread-safe. */
unsigned threads_available(unsigned wanted);

#endif
