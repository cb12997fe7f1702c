/* bytes.h -- a long run of bytes that somebody else keeps */
#ifndef RANK_BYTES_H
#define RANK_BYTES_H

#include "lib/error.h"

/* Where bytes are. `at` returns the address of the byte at `offset`, with *run (at least 1) bytes behind one another
 * from there on; NULL with *error filled. Thread-safe. */
struct byte_source {
    const uint8_t *(*at)(const void *context, uint64_t offset, uint64_t *run, pdb_error *error);
    const void *context;
};

#endif
