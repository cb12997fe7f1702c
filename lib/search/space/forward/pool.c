/* pool.c -- equal chunks of memory */
#include "pool.h"
#include "lib/memory/pages.h"

#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    HEAD = 64,                     /* bytes of a piece before its first chunk */
    SMALL = HEAD + 4 * POOL_CHUNK, /* bytes of a piece, while there are few */
    STEP = 2 << 20,                /* of a large one so many are counted at a time, which the system gives at once */
    LARGE = 8 * STEP               /* bytes of such a one */
};

struct pool_piece {
    struct pool_piece *before;
};

struct pool_chunk {
    struct pool_chunk *next;
};

static void hold(struct pool *pool)
{
    while (__atomic_exchange_n(&pool->held, 1, __ATOMIC_ACQUIRE) != 0)
        sched_yield();
}

static void let_go(struct pool *pool)
{
    __atomic_store_n(&pool->held, 0, __ATOMIC_RELEASE);
}

static bool may_take(const struct pool *pool, uint64_t bytes)
{
    return pool->bytes + bytes <= pool->most;
}

/* A piece more. */
static bool add_piece(struct pool *pool)
{
    const bool large = pool->bytes >= STEP && may_take(pool, STEP);
    const uint64_t small = may_take(pool, SMALL) ? SMALL : HEAD + POOL_CHUNK, bytes = large ? STEP : small;
    struct pool_piece *piece = !may_take(pool, bytes) ? NULL : large ? pages_take(LARGE) : malloc(small);
    if (piece == NULL)
        return false;
    piece->before = pool->pieces;
    pool->pieces = piece;
    pool->at = (uint8_t *)piece + HEAD;
    pool->left = bytes - HEAD;
    pool->more = large ? LARGE - STEP : 0;
    pool->bytes += bytes;
    return true;
}

/* Is there a fresh chunk? */
static bool has_fresh(struct pool *pool)
{
    if (pool->left >= POOL_CHUNK)
        return true;
    if (pool->more < STEP || !may_take(pool, STEP))
        return add_piece(pool);
    pool->left += STEP;
    pool->more -= STEP;
    pool->bytes += STEP;
    return true;
}

void *pool_take(struct pool *pool)
{
    hold(pool);
    struct pool_chunk *chunk = pool->given;
    if (chunk != NULL)
        pool->given = chunk->next;
    else if (has_fresh(pool)) {
        chunk = (struct pool_chunk *)(void *)pool->at;
        pool->at += POOL_CHUNK;
        pool->left -= POOL_CHUNK;
    }
    let_go(pool);
    return chunk;
}

void pool_give(struct pool *pool, void *chunk)
{
    struct pool_chunk *given = chunk;
    hold(pool);
    given->next = pool->given;
    pool->given = given;
    let_go(pool);
}

void pool_free(struct pool *pool)
{
    for (struct pool_piece *piece = pool->pieces, *before; piece != NULL; piece = before) {
        before = piece->before;
        free(piece);
    }
    *pool = (struct pool){.most = pool->most};
}
