/* array.h -- arrays that grow by one element at a time */
#ifndef LIB_ARRAY_H
#define LIB_ARRAY_H

#include <stdbool.h>
#include <stdlib.h>

/* Room for one more element of an array that holds `count` and is as long as the least power of two that they fit into
 * (NULL: 0). The array, moved if it had to grow; NULL, and the array as it was, where memory is short. */
static inline void *array_grow(void *array, size_t count, size_t element)
{
    const bool full = (count & (count - 1)) == 0;
    return full ? reallocarray(array, count == 0 ? 1 : 2 * count, element) : array;
}

#endif
