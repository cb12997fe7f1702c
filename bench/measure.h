/* measure.h -- what every benchmark needs: clocks, an end where something fails, and the way figures are printed
 *
 * A figure is a line of four fields, "table | row | column | figure". bench/update-table makes tables of Markdown of
 * them: so programs may print figures in any order, and several programs may fill one row.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "catalog/catalog.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

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

/* A built-in puzzle with moves, to be freed with puzzle_free. */
static inline struct puzzle *load_moves(const char *name)
{
    pdb_puzzle *puzzle;
    pdb_error error;
    must(catalog_load(name, &puzzle, &error), &error);
    struct puzzle *moves = puzzle->moves;
    free(puzzle);
    return moves;
}

static inline void must_system(bool done, const char *what)
{
    if (done)
        return;
    perror(what);
    exit(EXIT_FAILURE);
}

/* All threads that there are. */
static inline unsigned all_threads(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 1 ? (unsigned)cores : 1;
}

/* The name of the column for so many threads. */
static inline const char *threads_column(unsigned threads, char text[32])
{
    snprintf(text, 32, "%u thread%s", threads, threads == 1 ? "" : "s");
    return text;
}

/* Prints a figure. */
__attribute__((format(printf, 4, 5))) static inline void say(const char *table, const char *row, const char *column,
                                                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s | %s | %s | ", table, row, column);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

#endif
