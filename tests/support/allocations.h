/* allocations.h -- memory that runs out on request
 *
 * A test program that is linked with tests/support/allocations.c and the linker's --wrap (tests/meson.build) has every
 * call of malloc and its like, in pdb and in the libraries that are linked statically into it, go through here. The
 * n-th from now on can be made to fail, and what is not given back is known. Shared libraries (Criterion's) are not
 * touched.
 */
#ifndef TESTS_SUPPORT_ALLOCATIONS_H
#define TESTS_SUPPORT_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From now on the n-th allocation fails, n counted from 1; or that one and all that follow it. */
void allocations_fail(uint64_t n, bool all_after);

/* In this thread none fails from now on, nor is one counted; or they do and are again. */
void allocations_spare(bool spared);

/* None fails any more. Returns how many failed. */
uint64_t allocations_stop(void);

/* How many pieces of memory are held that were got through here. */
size_t allocations_live(void);

/* Names one of those that were got since `since` (a value of allocations_serial) for a message: which call it was, and
 * how many bytes; false where there is none. */
uint64_t allocations_serial(void);
bool allocations_leaked(uint64_t since, uint64_t *serial, size_t *bytes, void **caller);

#endif
