/* pool.h -- equal chunks of memory, of which many are taken, given back and taken again
 *
 * They come from the system many at a time and go back there all at once, so that neither it nor malloc is asked for
 * each: first some of 64 KiB, then huge pages (lib/memory/pages.h). What is counted is what was taken from the system.
 */
#ifndef SEARCH_SPACE_FORWARD_POOL_H
#define SEARCH_SPACE_FORWARD_POOL_H

#include <stdint.h>

/* A power of two and some bytes more, for what is read and written in whole words, or stands in front. */
enum { POOL_CHUNK_BITS = 14, POOL_CHUNK = (1 << POOL_CHUNK_BITS) + 64 };

struct pool_piece;
struct pool_chunk;

/* Made of zeros but for `most`. */
struct pool {
    uint64_t most, bytes;      /* that may be taken from the system, and are */
    struct pool_chunk *given;  /* back: to be taken again */
    struct pool_piece *pieces; /* from the system, the last one first */
    uint8_t *at;               /* the next chunk in the last one, */
    uint64_t left, more;       /* the bytes from there on that are counted, and those behind them */
    uint32_t held;             /* a thread is at it */
};

/* So many bytes are enough for so many chunks. */
static inline uint64_t pool_bytes(uint64_t chunks)
{
    return chunks * (POOL_CHUNK + 128);
}

/* A chunk of POOL_CHUNK bytes; NULL where no more may be taken, or memory is short. Any thread may ask, and give. */
void *pool_take(struct pool *pool);
void pool_give(struct pool *pool, void *chunk);

/* Frees all chunks. */
void pool_free(struct pool *pool);

#endif
