/* bins.c -- moves on their way to being edges */
#include "bins.h"

#include <stdlib.h>

enum { MANY_BITS = 10 };

static unsigned bits_of(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

bool bins_create(struct bins *bins, unsigned threads, uint64_t names, bool some, uint32_t cost, uint64_t most)
{
    const unsigned name = bits_of(names - 1), bits = some                          ? SOME_BITS
                                                     : name > BIN_BITS + MANY_BITS ? name - MANY_BITS
                                                                                   : BIN_BITS;
    *bins = (struct bins){.threads = threads,
                          .bits = bits,
                          .from_width = (name + bits + 7) / 8,
                          .cost_width = (bits_of(cost) + 7) / 8,
                          .item = cost > 0    ? 0
                                  : bits < 16 ? 2
                                  : bits < 32 ? 4
                                              : 0,
                          .count = ((names - 1) >> bits) + 1};
    bins->kept = bins->count;
    if (name + bits > 64 || bins_fixed(bins) > most)
        return false;
    bins->pool.most = most - bins_fixed(bins);
    bins->bin = calloc(threads * bins->count, sizeof *bins->bin);
    return bins->bin != NULL;
}

static void empty(struct bins *bins, struct stream *stream)
{
    for (struct bin_chunk *chunk = stream->chunk, *before; chunk != NULL; chunk = before) {
        before = chunk->before;
        pool_give(&bins->pool, chunk);
    }
    *stream = (struct stream){0};
}

void bins_empty(struct bins *bins, uint64_t number)
{
    for (unsigned t = 0; t < bins->threads; t++) {
        empty(bins, &bins->bin[t * bins->count + number].near);
        empty(bins, &bins->bin[t * bins->count + number].far);
    }
}

void bins_clear(struct bins *bins)
{
    for (uint64_t number = 0; bins->bin != NULL && number < bins->count; number++)
        bins_empty(bins, number);
    bins->full = false;
}

void bins_free(struct bins *bins)
{
    pool_free(&bins->pool);
    free(bins->bin);
    *bins = (struct bins){0};
}

/* -- what there is of them -- */

uint64_t bins_moves(const struct bins *bins, uint64_t number)
{
    uint64_t moves = 0;
    for (unsigned t = 0; t < bins->threads; t++)
        moves += bins->bin[t * bins->count + number].moves;
    return moves;
}

static uint64_t chunks_of(const struct stream *stream)
{
    uint64_t chunks = 0;
    for (const struct bin_chunk *chunk = stream->chunk; chunk != NULL; chunk = chunk->before)
        chunks++;
    return chunks;
}

uint64_t bins_chunks(const struct bins *bins, uint64_t number)
{
    uint64_t chunks = 0;
    for (unsigned t = 0; t < bins->threads; t++)
        chunks += chunks_of(&bins->bin[t * bins->count + number].near) +
                  chunks_of(&bins->bin[t * bins->count + number].far);
    return chunks;
}

/* Each item may have a source; a chunk of items may have no room for two at its end; and no thread's last is full. */
uint64_t bins_most_chunks(const struct bins *bins, uint64_t moves)
{
    const unsigned width = bins_width(bins), items = 2 * bins->item;
    return moves / (bins_room(width) / width) + (items == 0 ? 0 : moves / (bins_room(items) / items - 1)) +
           2 * bins->threads;
}

static void see(const struct stream *stream)
{
    if (stream->chunk != NULL)
        stream->chunk->seen = stream->at;
}

void bins_see(struct bins *bins, uint64_t number)
{
    for (unsigned t = 0; t < bins->threads; t++) {
        see(&bins->bin[t * bins->count + number].near);
        see(&bins->bin[t * bins->count + number].far);
    }
}

/* -- throwing -- */

/* Room for one more in a stream that has none, of a bin that is kept. False: the bins are full from now on. */
static bool grow(struct bins *bins, uint64_t number, struct stream *stream, unsigned width)
{
    if (number - bins->first >= bins->kept)
        return false;
    struct bin_chunk *chunk = pool_take(&bins->pool);
    if (chunk == NULL) {
        __atomic_store_n(&bins->full, true, __ATOMIC_RELAXED);
        return false;
    }
    if (stream->chunk != NULL)
        stream->chunk->end = stream->at;
    chunk->before = stream->chunk;
    chunk->seen = NULL;
    stream->chunk = chunk;
    stream->at = chunk->byte;
    stream->limit = chunk->byte + bins_room(width);
    return true;
}

static inline void throw_far(struct bins *bins, struct bin *row, uint64_t from, uint64_t to, const uint32_t *cost)
{
    const unsigned bits = bins->bits, width = bins_width(bins);
    const uint64_t number = to >> bits, record = (to & (((uint64_t)1 << bits) - 1)) | from << bits;
    struct bin *bin = &row[number];
    struct stream *far = &bin->far;
    bin->moves++;
    if (far->at == far->limit && !grow(bins, number, far, width))
        return;
    memcpy(far->at, &record, sizeof record); /* there is room behind the last one for all of it */
    if (cost != NULL)
        memcpy(far->at + bins->from_width, cost, sizeof *cost);
    far->at += width;
}

/* The end of the items of one bin, while they are thrown: near, for it changes with each. */
struct throwing {
    struct bin *bin;
    uint8_t *at, *limit;
    uint64_t moves;
};

ALWAYS_INLINE void go_to(struct throwing *throwing, struct bin *bin)
{
    throwing->bin->near.at = throwing->at;
    throwing->bin->moves += throwing->moves;
    *throwing = (struct throwing){bin, bin->near.at, bin->near.limit, 0};
}

/* A chunk more for the items of a bin; where there is none they are dropped. */
static bool begin_chunk(struct bins *bins, struct bin *row, struct bin *bin, uint8_t *at, unsigned item)
{
    bin->near.at = at;
    return grow(bins, (uint64_t)(bin - row), &bin->near, item);
}

/* A state's moves into its own bin become items. The source is taken back where there are none. */
ALWAYS_INLINE void throw_state(struct bins *bins, struct bin *row, struct throwing *here, uint64_t from,
                               const uint64_t *to, size_t count, unsigned item)
{
    const unsigned bits = bins->bits;
    const uint64_t flag = (uint64_t)1 << (8 * item - 1), low = ((uint64_t)1 << bits) - 1, source = (from & low) | flag;
    if (here->limit - here->at < 2 * (ptrdiff_t)item) {
        begin_chunk(bins, row, here->bin, here->at, item);
        here->at = here->bin->near.at;
        here->limit = here->bin->near.limit - here->at < 2 * (ptrdiff_t)item ? here->at : here->bin->near.limit;
    }
    uint8_t *begun = here->at;
    if (here->at != here->limit) {
        memcpy(here->at, &source, item);
        here->at += item;
    }
    for (size_t m = 0; m < count; m++) {
        const uint64_t there = to[m] & low;
        if (to[m] == from)
            continue;
        if ((to[m] ^ from) >> bits != 0) {
            throw_far(bins, row, from, to[m], NULL);
            continue;
        }
        here->moves++;
        if (here->at == here->limit) {
            if (!begin_chunk(bins, row, here->bin, here->at, item))
                continue;
            begun = NULL;
            here->at = here->bin->near.at;
            here->limit = here->bin->near.limit;
            memcpy(here->at, &source, item);
            here->at += item;
        }
        memcpy(here->at, &there, item);
        here->at += item;
    }
    here->at = begun != NULL && here->at == begun + item ? begun : here->at;
}

ALWAYS_INLINE void throw_states(struct bins *bins, struct bin *row, const uint64_t *from, size_t states,
                                const uint16_t *next_count, const uint64_t *to, unsigned item)
{
    const unsigned bits = bins->bits;
    struct throwing here = {.bin = row, .at = row->near.at, .limit = row->near.limit};
    for (size_t i = 0; i < states; to += next_count[i++]) {
        if (&row[from[i] >> bits] != here.bin)
            go_to(&here, &row[from[i] >> bits]);
        throw_state(bins, row, &here, from[i], to, next_count[i], item);
    }
    go_to(&here, row);
}

void bins_throw(struct bins *bins, unsigned thread, const uint64_t *from, size_t states, const uint16_t *next_count,
                const uint64_t *to, const uint32_t *cost)
{
    struct bin *row = &bins->bin[thread * bins->count];
    if (bins->item == 2)
        throw_states(bins, row, from, states, next_count, to, 2);
    else if (bins->item == 4)
        throw_states(bins, row, from, states, next_count, to, 4);
    for (size_t i = 0, move = 0; bins->item == 0 && i < states; i++)
        for (size_t end = move + next_count[i]; move < end; move++)
            if (to[move] != from[i])
                throw_far(bins, row, from[i], to[move], cost == NULL ? NULL : &cost[move]);
}
