/* order.h -- the orders of some things, one after another */
#ifndef ITEMS_ORDER_H
#define ITEMS_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void order_exchange(uint8_t *thing, size_t i, size_t j)
{
    const uint8_t first = thing[i];
    thing[i] = thing[j];
    thing[j] = first;
}

/* The next order in lexicographic order, things that are alike not told apart; false after the last. */
static inline bool next_order(uint8_t *thing, size_t length)
{
    size_t i = length - 1, j = length - 1;
    /* The longest tail that is descending has no later order. What stands before it is exchanged for the next larger
     * thing of the tail, */
    while (i > 0 && thing[i - 1] >= thing[i])
        i--;
    if (i == 0)
        return false;
    while (thing[j] <= thing[i - 1])
        j--;
    order_exchange(thing, i - 1, j);
    /* and the tail is turned round, so that it is ascending. */
    for (j = length - 1; i < j; i++, j--)
        order_exchange(thing, i, j);
    return true;
}

#endif
