/* wide_key.h -- a key of up to 128 bits */
#ifndef RANK_WIDE_KEY_H
#define RANK_WIDE_KEY_H

#include <stdint.h>

struct wide_key {
    uint64_t word[2]; /* the more significant first */
};

#endif
