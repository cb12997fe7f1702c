/* array.h -- arrays that grow */
#ifndef LIB_MEMORY_ARRAY_H
#define LIB_MEMORY_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Room for one more element of an array that holds `count` and is as long as the least power of two that they fit into
 * (NULL: 0). The array, moved if it had to grow; NULL, and the array as it was, where memory is short. */
static inline void *array_grow(void *array, size_t count, size_t element)
{
    const bool full = (count & (count - 1)) == 0;
    return full ? reallocarray(array, count == 0 ? 1 : 2 * count, element) : array;
}

/* The same for `needed` elements of an array that may be emptied and filled again: it has room for *room, and `array`
 * is the address of the pointer to it. False, and the array as it was, where memory is short. */
static inline bool array_reserve(void *array, size_t *room, size_t needed, size_t element)
{
    void *held;
    if (needed <= *room)
        return true;
    memcpy(&held, array, sizeof held);
    void *grown = reallocarray(held, 2 * needed, element);
    if (grown == NULL)
        return false;
    memcpy(array, &grown, sizeof grown);
    *room = 2 * needed;
    /* cppcheck-suppress memleak; the array's pointer is `grown` now */
    return true;
}

#endif
