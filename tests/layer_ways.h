/* layer_ways.h -- layer kernels against their contract, and against the search state by state */
#ifndef PDB_TESTS_LAYER_WAYS_H
#define PDB_TESTS_LAYER_WAYS_H

#include "support.h"
#include "search/layers.h"

struct retrograde *begin_search(enum retrograde_way way, const struct pdb_puzzle *puzzle, unsigned threads);

/* The puzzle's kernel, which the caller frees; NULL where there is none. */
struct layer_kernel *kernel_of(const struct pdb_puzzle *puzzle);

/* Both ways of the kernel, with one thread, two and three, against the search state by state. `what` is said of a
 * difference. */
void compare_ways(const struct pdb_puzzle *puzzle, const char *what);

/* Addresses, sources and the order of the indices. */
void check_kernel(const struct pdb_puzzle *puzzle, const struct layer_kernel *kernel);

/* Every layer is stopped twice, and made by three searches, of both ways in turn. */
void stop_at_every_layer(const struct pdb_puzzle *puzzle, const char *what);

#endif
