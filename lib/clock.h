/* clock.h -- the time that passes, for whoever is told of work now and then */
#ifndef LIB_CLOCK_H
#define LIB_CLOCK_H

#include <stdbool.h>
#include <time.h>

/* Seconds of the monotonic clock. */
static inline double clock_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Is something due? Then it is due again so many seconds from now. What was never due is so at once, with 0. */
static inline bool clock_due(double *due, double every)
{
    const double now = clock_now();
    if (now < *due)
        return false;
    *due = now + every;
    return true;
}

#endif
