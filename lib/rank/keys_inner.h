/* keys_inner.h -- what the files of sorted tables share: keys.c makes and asks them, keys_encode.c has their bytes */
#ifndef RANK_KEYS_INNER_H
#define RANK_KEYS_INNER_H

#include "keys.h"

struct keys {
    uint64_t count;
    /* in memory: one of these */
    uint64_t *key;
    struct key_bits bits;
    /* as bytes */
    struct byte_source source;
    uint64_t offset, end;
    pdb_status *failed; /* set, atomically, once the source refused a byte, or one past the end was wanted */
};

static inline uint64_t keys_blocks(uint64_t count)
{
    return (count + KEYS_PER_BLOCK - 1) / KEYS_PER_BLOCK;
}

/* How many keys a block has. */
static inline uint64_t keys_in_block(const struct keys *keys, uint64_t block)
{
    const uint64_t left = keys->count - block * KEYS_PER_BLOCK;
    return left < KEYS_PER_BLOCK ? left : KEYS_PER_BLOCK;
}

#endif
