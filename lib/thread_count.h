/* thread_count.h -- how many threads can be had */
#ifndef LIB_THREAD_COUNT_H
#define LIB_THREAD_COUNT_H

/* How many threads may work at the same time, at most `wanted` (0: one for every core), at least 1, the calling one among
 * them. Where the system refuses a thread (a limit on processes or on memory), OpenMP's runtime ends the process; so it is
 * tried out before, by starting them all. Thread-safe. */
unsigned threads_available(unsigned wanted);

#endif
