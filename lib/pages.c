/* pages.c -- large pieces of memory, in huge pages where the system has them */
#include "pages.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20 };

/* Less than a few huge pages gain nothing, and would be rounded up by much. */
void *pages_take(uint64_t bytes)
{
    const uint64_t unit = bytes < 4 * HUGE_PAGE ? LINE : HUGE_PAGE;
    const uint64_t size = (bytes / unit + 1) * unit;
    if (size < bytes || size > SIZE_MAX)
        return NULL;
    void *memory = aligned_alloc(unit, size);
#ifdef MADV_HUGEPAGE
    if (memory != NULL && unit == HUGE_PAGE)
        madvise(memory, size, MADV_HUGEPAGE); /* no matter if not */
#endif
    return memory;
}
