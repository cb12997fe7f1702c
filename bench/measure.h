/* measure.h -- what every benchmark needs: clocks, and an end where something fails */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "pdb.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Seconds of a clock. */
static inline double clock_now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds of the monotonic clock. */
static inline double now(void)
{
    return clock_now(CLOCK_MONOTONIC);
}

/* A benchmark that meets an error says which, and ends. */
static inline void must(pdb_status status, const pdb_error *error)
{
    if (status == PDB_OK)
        return;
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, error->message);
    exit(EXIT_FAILURE);
}

#endif
