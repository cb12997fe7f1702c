/* rank_threads.h -- ranks (lib/comm/ranks.h) that are threads of the test
 *
 * They come together under a lock and copy each other's batches. What would leave processes waiting for ever ends the
 * test at once, with a line that says so: a rank that waits for one that has ended, or one that calls another function.
 */
#ifndef TESTS_SUPPORT_RANK_THREADS_H
#define TESTS_SUPPORT_RANK_THREADS_H

#include "lib/comm/ranks.h"

enum { RANKS_MOST = 7 };

/* Has each of `size` ranks do the work, which is given the member of this rank: one of an array of things of so many
 * bytes, each of which begins with its struct ranks. Returns when all have ended. */
void ranks_together(unsigned size, void *(*work)(void *member), void *members, size_t bytes);

#endif
