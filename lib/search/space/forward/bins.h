/* bins.h -- moves on their way to being edges, thrown into bins by where they lead
 *
 * A bin has the moves into 2^bits states whose names lie behind one another, as they came. A name is any number that
 * a state is known by. A move is the lowest bits of the name of the state that it leads to, the name of the one that it
 * is out of, and what it costs, if it does. Where all cost the same, moves that lead into the bin that they are out of,
 * as most may do, are *items* of two or four bytes: the lowest bits of a state's name with the highest bit of the item
 * set, a source, and then those of each state that moves out of it lead to.
 *
 * Each thread has chunks of its own in each bin. So a bin that is turned into edges (edges.h) stays near, and no thread
 * meets another there.
 */
#ifndef SEARCH_SPACE_FORWARD_BINS_H
#define SEARCH_SPACE_FORWARD_BINS_H

#include "pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BIN_BITS = 14 /* at least */, SOME_BITS = 15 /* where only some of the names will be there */ };

/* Lines are fetched so far ahead of what is read, for another thread may have written them. */
enum { BIN_LINE = 64, BIN_AHEAD = 8 * BIN_LINE };

struct bin_chunk {
    struct bin_chunk *before;
    uint8_t *end;        /* of its moves, once another one is begun */
    const uint8_t *seen; /* up to here they have been gone through, as have the chunks before; NULL: that is open */
    uint8_t byte[];
};

/* Moves one after another, in chunks. */
struct stream {
    struct bin_chunk *chunk;
    uint8_t *at, *limit;
};

/* What a thread has in a bin: items, and other moves. */
struct bin {
    struct stream near, far;
    uint64_t moves; /* thrown, those that were not kept among them */
};

struct bins {
    unsigned threads, bits, from_width, cost_width; /* bytes of name and lowest bits, and of a cost */
    unsigned item;                                  /* bytes of an item; 0: there are none */
    uint64_t count, first, kept; /* bins; only the moves of `kept` of them are kept, from `first` on */
    struct pool pool;            /* of chunks */
    bool full;                   /* a move was not kept: no chunk was left */
    struct bin *bin;             /* `count` of each thread; NULL: there are no bins */
};

/* Bins for names below `names`, some 2^10 of them at most, for each thread is in all of them; more where only the
 * lowest names will be there, nobody knows how many (`some`), so that bins are small. The greatest cost is `cost`
 * (0: there are none). False where memory is short, or names are too long. */
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

/* Bytes of a move that is no item. */
static inline unsigned bins_width(const struct bins *bins)
{
    return bins->from_width + bins->cost_width;
}

/* Bytes of moves in a chunk. Behind them are eight bytes more, for what is written in whole words. */
static inline uint64_t bins_room(unsigned width)
{
    return (POOL_CHUNK - sizeof(struct bin_chunk) - 2 * sizeof(uint64_t)) / width * width;
}

/* Chunks that one bin has; and those that so many moves may take. */
uint64_t bins_chunks(const struct bins *bins, uint64_t number);
uint64_t bins_most_chunks(const struct bins *bins, uint64_t moves);

/* How many moves were thrown into a bin. */
uint64_t bins_moves(const struct bins *bins, uint64_t number);

/* Throws the moves of some states, next_count[i] of them of state from[i], but for those that lead to where they come
 * from. `cost` may be NULL. */
void bins_throw(struct bins *bins, unsigned thread, const uint64_t *from, size_t states, const uint16_t *next_count,
                const uint64_t *to, const uint32_t *cost);

/* A move of a bin. Or a source, among items: a state that leads to itself, as it were. */
struct thrown {
    uint64_t from, to;
    uint32_t cost;
    bool source;
};

typedef void bins_visitor(void *context, const struct thrown *thrown);

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

ALWAYS_INLINE void bins_visit_items(const uint8_t *at, const uint8_t *end, uint64_t first, unsigned item,
                                    bins_visitor *visit, void *context)
{
    const uint64_t flag = (uint64_t)1 << (8 * item - 1);
    struct thrown thrown = {.from = first};
    while (at < end) {
        const uint8_t *stop = end - at < BIN_LINE ? end : at + BIN_LINE;
        __builtin_prefetch(at + BIN_AHEAD);
        for (; at < stop; at += item) {
            uint64_t here = 0;
            memcpy(&here, at, item); /* the lowest bytes come first */
            thrown.source = (here & flag) != 0;
            thrown.to = first | (here & (flag - 1));
            thrown.from = thrown.source ? thrown.to : thrown.from;
            visit(context, &thrown);
        }
    }
}

ALWAYS_INLINE void bins_visit_others(const struct bins *bins, const uint8_t *at, const uint8_t *end, uint64_t first,
                                     bins_visitor *visit, void *context)
{
    const unsigned bits = bins->bits, from_width = bins->from_width, cost_width = bins->cost_width;
    struct thrown thrown = {.source = false};
    for (; at < end; at += from_width + cost_width) {
        uint64_t move;
        uint32_t cost;
        memcpy(&move, at, sizeof move);
        memcpy(&cost, at + from_width, sizeof cost);
        thrown.to = first | (move & (((uint64_t)1 << bits) - 1));
        thrown.from = (move & UINT64_MAX >> (64 - 8 * from_width)) >> bits;
        thrown.cost = cost_width == 0 ? 0 : cost & UINT32_MAX >> (32 - 8 * cost_width);
        visit(context, &thrown);
    }
}

/* Visits the moves of a stream, or those that have not been gone through. */
ALWAYS_INLINE void bins_visit_stream(const struct bins *bins, const struct stream *stream, uint64_t first,
                                     unsigned item, bool unseen, bins_visitor *visit, void *context)
{
    for (const struct bin_chunk *chunk = stream->chunk; chunk != NULL; chunk = chunk->before) {
        const bool last = unseen && chunk->seen != NULL;
        const uint8_t *at = last ? chunk->seen : chunk->byte, *end = chunk == stream->chunk ? stream->at : chunk->end;
        if (item != 0)
            bins_visit_items(at, end, first, item, visit, context);
        else
            bins_visit_others(bins, at, end, first, visit, context);
        if (last)
            return;
    }
}

/* Visits the moves of a bin, and sources; or those that have not been gone through. */
ALWAYS_INLINE void bins_visit(const struct bins *bins, uint64_t number, bool unseen, bins_visitor *visit, void *context)
{
    const uint64_t first = number << bins->bits;
    for (unsigned t = 0; t < bins->threads; t++) {
        const struct bin *bin = &bins->bin[t * bins->count + number];
        if (bins->item == 2)
            bins_visit_stream(bins, &bin->near, first, 2, unseen, visit, context);
        else
            bins_visit_stream(bins, &bin->near, first, 4, unseen, visit, context);
        bins_visit_stream(bins, &bin->far, first, 0, unseen, visit, context);
    }
}

/* All moves of a bin have been gone through. */
void bins_see(struct bins *bins, uint64_t number);

#endif
