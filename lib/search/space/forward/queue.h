/* queue.h -- the places whose distance is not settled, in piles by how far off it is
 *
 * A place at distance v lies, while layer d is being made, on the pile of the highest bit in which v and d differ,
 * counted from 1; on pile 0 if v is d. When d grows by one, to d + 1, its bits up to number t = ctz(d + 1) change: the
 * piles up to t are empty, and those on pile t + 1 are dealt out anew, to piles 0 .. t. So a place changes piles no
 * more often than a cost has bits, whatever the costs are, and where all are 1 a pile is moved whole. (R. K. Ahuja,
 * K. Mehlhorn, J. B. Orlin, R. E. Tarjan, "Faster algorithms for the shortest path problem", 1990: the radix heap; its
 * minimum goes up by one here.)
 *
 * Each thread has piles of its own to put places on. A place that comes nearer is put anew and stays where it was: who
 * takes it up looks at its distance.
 */
#ifndef SEARCH_SPACE_FORWARD_QUEUE_H
#define SEARCH_SPACE_FORWARD_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

enum { QUEUE_PILES = 34 };

struct pile {
    uint64_t *place, count, room;
};

struct queue {
    unsigned threads;
    struct pile (*pile)[QUEUE_PILES]; /* of each thread */
    uint64_t most;                    /* bytes that all piles may take */
    uint64_t bytes;                   /* and do */
    bool full;                        /* a place was not put: no more bytes are allowed, or memory is short */
};

/* Zeros but for `most`. False where memory is short. */
bool queue_create(struct queue *queue, unsigned threads, uint64_t most);
void queue_free(struct queue *queue);

static inline unsigned queue_pile(uint64_t depth, uint64_t distance)
{
    return depth == distance ? 0 : 64 - (unsigned)__builtin_clzll(depth ^ distance);
}

/* Makes room for one more. False: the queue is full from now on. */
bool queue_grow(struct queue *queue, struct pile *pile);

static inline void queue_put(struct queue *queue, unsigned thread, unsigned pile, uint64_t place)
{
    struct pile *on = &queue->pile[thread][pile];
    if (on->count < on->room || queue_grow(queue, on))
        on->place[on->count++] = place;
}

#endif
