/* layer_ways.h -- searches made, stopped and compared; layer kernels against their contract, and against the search
 * state by state */
#ifndef TESTS_SUPPORT_LAYER_WAYS_H
#define TESTS_SUPPORT_LAYER_WAYS_H

#include "support.h"
#include "lib/search/space/layers.h"

/* A search that has ended, and what it found, which lives as long as it. */
struct outcome {
    struct retrograde *search;
    struct retrograde_result result;
};

struct retrograde *begin_search(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads);
struct outcome end_search(struct retrograde *search); /* all layers that are left; retrograde_free ends it */
struct outcome run_search(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads);
bool same_outcome(const struct outcome *a, const struct outcome *b);

/* Fills a new search with what is kept of this one, and ends it. */
struct retrograde *transplant(enum retrograde_way way, struct retrograde *search, const struct puzzle *puzzle,
                              unsigned threads);

/* The puzzle's kernel, which the caller frees; NULL where there is none. */
struct layer_kernel *kernel_of(const struct puzzle *puzzle);

/* Both ways of the kernel, with one thread, two and three, against the search state by state. `what` is said of a
 * difference. */
void compare_ways(const struct puzzle *puzzle, const char *what);

/* Addresses, sources, of slabs too, and the order of the indices. */
void check_kernel(const struct puzzle *puzzle, const struct layer_kernel *kernel);

/* Every layer is stopped twice, and made by three searches, of both ways in turn. */
void stop_at_every_layer(const struct puzzle *puzzle, const char *what);

#endif
