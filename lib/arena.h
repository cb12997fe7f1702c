/* arena.h -- the buffers of a piece of work, in one run of memory
 *
 * They are laid out twice by the same function: first without memory, which only counts, then in what was allocated.
 */
#ifndef LIB_ARENA_H
#define LIB_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
    uint8_t *memory;
    uint64_t used;
};

/* Room for `count` things of `size` bytes, aligned to 64 as the memory is; NULL without memory. */
static inline void *arena_take(struct arena *arena, uint64_t count, uint64_t size)
{
    void *taken = arena->memory != NULL ? arena->memory + arena->used : NULL;
    arena->used += (count * size + 63) / 64 * 64;
    return taken;
}

#endif
