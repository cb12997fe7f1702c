/* bins.h -- moves on their way to being edges, thrown into bins by where they lead
 *
 * A bin has the moves into 2^bits states whose names lie behind one another, as they came: each the lowest bits of the
 * name of the state that it leads to, the name of the one that it is out of, and what it costs, if it does. A name is
 * any number that a state is known by. Each thread has chunks of its own in each bin. So a bin that is turned into
 * edges (edges.h) stays near, and no thread meets another there.
 */
#ifndef SEARCH_SPACE_FORWARD_BINS_H
#define SEARCH_SPACE_FORWARD_BINS_H

#include "pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BIN_BITS = 14 /* at least */ };

struct bin_chunk {
    struct bin_chunk *before;
    uint8_t *end; /* of its moves, once another one is begun */
    uint8_t byte[];
};

/* What a thread has in a bin. */
struct bin {
    struct bin_chunk *chunk;
    uint8_t *at, *limit;
    uint64_t moves; /* thrown, those that were not kept among them */

    const struct bin_chunk *seen; /* up to `seen_to` in this chunk they have been gone through */
    const uint8_t *seen_to;
};

struct bins {
    unsigned threads, bits, from_width, cost_width; /* bytes of name and lowest bits, and of a cost */
    uint64_t count, first, kept; /* bins; only the moves of `kept` of them are kept, from `first` on */
    struct pool pool;            /* of chunks */
    bool full;                   /* a move was not kept: no chunk was left */
    struct bin *bin;             /* `count` of each thread; NULL: there are no bins */
};

/* Bins for names below `names`, some 2^10 of them at most, for each thread is in all of them. `some`: only the lowest
 * names will be there, nobody knows how many, so bins are small. The greatest cost is `cost` (0: there are none). False
 * where memory is short, or names are too long. */
bool bins_create(struct bins *bins, unsigned threads, uint64_t names, bool some, uint32_t cost, uint64_t most);
void bins_free(struct bins *bins);

/* Gives the chunks of one bin back to the pool; of all. */
void bins_empty(struct bins *bins, uint64_t number);
void bins_clear(struct bins *bins);

/* Bytes that the bins take beside chunks. */
static inline uint64_t bins_fixed(const struct bins *bins)
{
    return bins->threads * bins->count * sizeof(struct bin);
}

/* Bytes of a move. */
static inline unsigned bins_width(const struct bins *bins)
{
    return bins->from_width + bins->cost_width;
}

/* How many moves a chunk has room for. Behind the last one are eight bytes more, for what is written in whole words. */
static inline uint64_t bins_room(const struct bins *bins)
{
    return (POOL_CHUNK - sizeof(struct bin_chunk) - 2 * sizeof(uint64_t)) / bins_width(bins);
}

/* How many moves were thrown into a bin. */
uint64_t bins_moves(const struct bins *bins, uint64_t number);

/* Throws the moves of some states, next_count[i] of them of state from[i], but for those that lead to where they come
 * from. `cost` may be NULL. */
void bins_throw(struct bins *bins, unsigned thread, const uint64_t *from, size_t states, const uint16_t *next_count,
                const uint64_t *to, const uint32_t *cost);

/* Where the moves of one of a bin's chunks end. */
static inline const uint8_t *bins_end(const struct bin *bin, const struct bin_chunk *chunk)
{
    return chunk == bin->chunk ? bin->at : chunk->end;
}

/* Where those of a chunk begin that have not been gone through; the chunks before `seen` have none. And all have. */
static inline const uint8_t *bins_unseen(const struct bin *bin, const struct bin_chunk *chunk)
{
    return chunk == bin->seen ? bin->seen_to : chunk->byte;
}

static inline void bins_see(struct bin *bin)
{
    bin->seen = bin->chunk;
    bin->seen_to = bin->at;
}

/* A move of a bin. */
struct thrown {
    uint64_t from, to;
    uint32_t cost;
};

/* Where it leads. */
static inline uint64_t bins_to(const struct bins *bins, uint64_t number, const uint8_t *at)
{
    uint64_t move;
    memcpy(&move, at, sizeof move);
    return (move & (((uint64_t)1 << bins->bits) - 1)) | number << bins->bits;
}

static inline struct thrown bins_move(const struct bins *bins, uint64_t number, const uint8_t *at)
{
    struct thrown thrown;
    uint64_t move;
    memcpy(&move, at, sizeof move);
    memcpy(&thrown.cost, at + bins->from_width, sizeof thrown.cost);
    thrown.to = (move & (((uint64_t)1 << bins->bits) - 1)) | number << bins->bits;
    thrown.from = (move & UINT64_MAX >> (64 - 8 * bins->from_width)) >> bins->bits;
    thrown.cost = bins->cost_width == 0 ? 0 : thrown.cost & UINT32_MAX >> (32 - 8 * bins->cost_width);
    return thrown;
}

#endif
