/* pages.c -- large pieces of memory, in huge pages where the system has them */
#include "pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20, STRETCH = 1 << 16 };

/* Less than a few huge pages gain nothing, and would be rounded up by much. */
static uint64_t unit_of(uint64_t bytes)
{
    return bytes < 4 * HUGE_PAGE ? LINE : HUGE_PAGE;
}

uint64_t pages_bytes(uint64_t bytes)
{
    return bytes + 2 * unit_of(bytes); /* rounded up, and aligned */
}

void *pages_take(uint64_t bytes)
{
    const uint64_t unit = unit_of(bytes);
    const uint64_t size = (bytes / unit + 1) * unit;
    if (size < bytes || size > SIZE_MAX)
        return NULL;
    void *memory = aligned_alloc(unit, size);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && unit == HUGE_PAGE)
        madvise(memory, size, MADV_HUGEPAGE); /* a hint only */
#endif
    return memory;
}

void pages_fill(void *memory, uint8_t value, uint64_t bytes, unsigned threads)
{
#pragma omp parallel for num_threads(threads) if (bytes >= HUGE_PAGE) schedule(static)
    for (uint64_t first = 0; first < bytes; first += STRETCH)
        memset((uint8_t *)memory + first, value, bytes - first < STRETCH ? bytes - first : STRETCH);
}
