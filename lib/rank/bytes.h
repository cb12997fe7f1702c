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

/* Bytes in memory, as the context of a source: reading them cannot fail. */
struct byte_run {
    const uint8_t *bytes;
    uint64_t count;
};

static inline const uint8_t *byte_run_at(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    const struct byte_run *bytes = context;
    (void)error;
    *run = bytes->count - offset;
    return bytes->bytes + offset;
}

#endif
