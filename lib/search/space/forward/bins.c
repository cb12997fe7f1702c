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
    const unsigned name = bits_of(names - 1), bits = !some && name > BIN_BITS + MANY_BITS ? name - MANY_BITS : BIN_BITS;
    *bins = (struct bins){.threads = threads,
                          .bits = bits,
                          .from_width = (name + bits + 7) / 8,
                          .cost_width = (bits_of(cost) + 7) / 8,
                          .count = ((names - 1) >> bits) + 1};
    bins->kept = bins->count;
    if (name + bits > 64 || bins_fixed(bins) > most)
        return false;
    bins->pool.most = most - bins_fixed(bins);
    bins->bin = calloc(threads * bins->count, sizeof *bins->bin);
    return bins->bin != NULL;
}

static void empty(struct bins *bins, struct bin *bin)
{
    for (struct bin_chunk *chunk = bin->chunk, *before; chunk != NULL; chunk = before) {
        before = chunk->before;
        pool_give(&bins->pool, chunk);
    }
    *bin = (struct bin){.moves = bin->moves};
}

void bins_empty(struct bins *bins, uint64_t number)
{
    for (unsigned t = 0; t < bins->threads; t++)
        empty(bins, &bins->bin[t * bins->count + number]);
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

uint64_t bins_moves(const struct bins *bins, uint64_t number)
{
    uint64_t moves = 0;
    for (unsigned t = 0; t < bins->threads; t++)
        moves += bins->bin[t * bins->count + number].moves;
    return moves;
}

/* Makes room for one more. False: the bins are full from now on. */
static bool grow(struct bins *bins, struct bin *bin)
{
    struct bin_chunk *chunk = pool_take(&bins->pool);
    if (chunk == NULL) {
        __atomic_store_n(&bins->full, true, __ATOMIC_RELAXED);
        return false;
    }
    if (bin->chunk != NULL)
        bin->chunk->end = bin->at;
    chunk->before = bin->chunk;
    bin->chunk = chunk;
    bin->at = chunk->byte;
    bin->limit = chunk->byte + bins_room(bins) * bins_width(bins);
    return true;
}

void bins_throw(struct bins *bins, unsigned thread, const uint64_t *from, size_t states, const uint16_t *next_count,
                const uint64_t *to, const uint32_t *cost)
{
    const unsigned bits = bins->bits, width = bins_width(bins), from_width = bins->from_width;
    const uint64_t low = ((uint64_t)1 << bits) - 1, first = bins->first, kept = bins->kept;
    struct bin *const row = &bins->bin[thread * bins->count], *bin = row;
    /* Most moves lead to where the one before did: what changes all the time is near. */
    uint8_t *at = bin->at, *limit = bin->limit;
    uint64_t moves = bin->moves;
    for (size_t i = 0, move = 0; i < states; i++)
        for (size_t end = move + next_count[i]; move < end; move++) {
            const uint64_t number = to[move] >> bits, record = (to[move] & low) | from[i] << bits;
            if (&row[number] != bin) {
                bin->at = at;
                bin->moves = moves;
                bin = &row[number];
                at = bin->at;
                limit = bin->limit;
                moves = bin->moves;
            }
            if (to[move] == from[i])
                continue;
            moves++;
            if (at == limit) {
                bin->at = at;
                if (number - first >= kept || !grow(bins, bin))
                    continue;
                at = bin->at;
                limit = bin->limit;
            }
            memcpy(at, &record, sizeof record); /* there is room behind the last one for all of it */
            if (cost != NULL)
                memcpy(at + from_width, &cost[move], sizeof *cost);
            at += width;
        }
    bin->at = at;
    bin->moves = moves;
}
