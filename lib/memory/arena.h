/* arena.h -- the buffers of a piece of work, in one run of memory
 *
 * They are laid out twice by the same function: first without memory, which only counts, then in what was allocated.
 */
#ifndef LIB_MEMORY_ARENA_H
#define LIB_MEMORY_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena {
    uint8_t *memory;
    uint64_t used;
};

enum { ARENA_ALIGNMENT = 64 }; /* a line of the cache */

/* Where an arena may begin in memory (not NULL) that has ARENA_ALIGNMENT bytes more than it needs. */
static inline uint8_t *arena_begin(uint8_t *memory)
{
    return memory + (0 - (uintptr_t)memory) % ARENA_ALIGNMENT;
}

/* Room for `count` things of `size` bytes, aligned as the memory is, to ARENA_ALIGNMENT at most; NULL without
 * memory. */
static inline void *arena_take(struct arena *arena, uint64_t count, uint64_t size)
{
    void *taken = arena->memory != NULL ? arena->memory + arena->used : NULL;
    arena->used += (count * size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
    return taken;
}

#endif
