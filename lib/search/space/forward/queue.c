/* queue.c -- the places whose distance is not settled */
#include "queue.h"

#include <stdlib.h>

enum { FIRST_ROOM = 64 };

bool queue_create(struct queue *queue, unsigned threads, uint64_t most)
{
    *queue = (struct queue){.threads = threads, .most = most, .pile = calloc(threads, sizeof *queue->pile)};
    return queue->pile != NULL;
}

void queue_free(struct queue *queue)
{
    for (unsigned t = 0; queue->pile != NULL && t < queue->threads; t++)
        for (unsigned p = 0; p < QUEUE_PILES; p++)
            free(queue->pile[t][p].place);
    free(queue->pile);
    queue->pile = NULL;
}

bool queue_grow(struct queue *queue, struct pile *pile)
{
    const uint64_t room = pile->room == 0 ? FIRST_ROOM : pile->room + pile->room / 2,
                   more = (room - pile->room) * sizeof *pile->place;
    uint64_t *grown = NULL;
    if (__atomic_add_fetch(&queue->bytes, more, __ATOMIC_RELAXED) <= queue->most)
        grown = realloc(pile->place, room * sizeof *grown);
    if (grown == NULL) {
        __atomic_fetch_sub(&queue->bytes, more, __ATOMIC_RELAXED);
        __atomic_store_n(&queue->full, true, __ATOMIC_RELAXED);
        return false;
    }
    pile->place = grown;
    pile->room = room;
    return true;
}
