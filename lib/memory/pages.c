/* pages.c -- large pieces of memory, in huge pages where the system has them */
#include "pages.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20, SMALL_PART = 1 << 18 };

/* Less than a few huge pages gain nothing, and would be rounded up by much. */
static uint64_t unit_of(uint64_t bytes)
{
    return bytes < 4 * HUGE_PAGE ? LINE : HUGE_PAGE;
}

uint64_t pages_bytes(uint64_t bytes)
{
    return bytes + 2 * unit_of(bytes); /* rounded up, and aligned */
}

/* From the page on where it begins: a mapping of which a part is treated differently cannot be made longer, and realloc
 * copies it. */
static void advise(const void *memory, uint64_t bytes, int advice)
{
    union {
        const void *whole;
        char *bytes; /* it is their pages that are spoken of, not what they hold */
    } first = {.whole = memory};
    const uint64_t before = (uintptr_t)memory % (uintptr_t)sysconf(_SC_PAGESIZE);
    madvise(first.bytes - before, bytes + before, advice);
}

static void ask_for_huge(const void *memory, uint64_t bytes)
{
#ifdef MADV_HUGEPAGE
    advise(memory, bytes, MADV_HUGEPAGE);
#else
    (void)memory, (void)bytes;
#endif
}

void pages_hint(const void *memory, uint64_t bytes)
{
    if (unit_of(bytes) == HUGE_PAGE)
        ask_for_huge(memory, bytes);
}

static void *take(uint64_t bytes, uint64_t unit)
{
    const uint64_t size = (bytes / unit + 1) * unit;
    if (size < bytes || size > SIZE_MAX)
        return NULL;
    void *memory = aligned_alloc(unit, size);
    if (memory != NULL && unit == HUGE_PAGE)
        ask_for_huge(memory, size);
    return memory;
}

void *pages_take(uint64_t bytes)
{
    return take(bytes, unit_of(bytes));
}

void *pages_take_full(uint64_t bytes)
{
    return take(bytes, bytes < HUGE_PAGE ? LINE : HUGE_PAGE);
}

/* The system gives large pieces, and they are zeros. */
void *pages_take_zeros(uint64_t bytes)
{
    void *memory = calloc(1, bytes);
    if (memory != NULL)
        pages_hint(memory, bytes);
    return memory;
}

/* Where an array was moved its pages may have been cut up, and are put together anew (MADV_COLLAPSE of Linux 6.1, for
 * which the C library may have no name). */
static void join(const void *array, uint64_t bytes)
{
    enum { COLLAPSE = 25 };
    pages_hint(array, bytes);
    advise(array, bytes, COLLAPSE);
}

/* What becomes large is copied into huge pages at once, not into small ones first. */
void *pages_lengthen(void *array, uint64_t before, uint64_t after)
{
    if (after > SIZE_MAX)
        return NULL;
    const bool copied = before > 0 && unit_of(before) == LINE && unit_of(after) == HUGE_PAGE;
    void *longer = copied ? pages_take(after) : realloc(array, after);
    if (longer == NULL)
        return NULL;
    if (copied) {
        memcpy(longer, array, before);
        free(array);
    } else if (unit_of(after) == HUGE_PAGE) {
        join(longer, after);
    }
    return longer;
}

struct fill {
    uint8_t *memory, value;
    uint64_t bytes;
};

static void fill_page(void *context, unsigned thread, uint64_t page)
{
    const struct fill *fill = context;
    const uint64_t first = page * HUGE_PAGE, left = fill->bytes - first;
    (void)thread;
    memset(fill->memory + first, fill->value, left < HUGE_PAGE ? left : HUGE_PAGE);
}

void pages_fill(void *memory, uint8_t value, uint64_t bytes, struct team *team)
{
    struct fill fill = {memory, value, bytes};
    team_run(team, team_shares(bytes, HUGE_PAGE), fill_page, &fill);
}

/* In parts of a huge page where there are some, for each should be touched by one thread. */
struct copy {
    uint8_t *to;
    const uint8_t *from;
    uint64_t bytes, part;
};

static void copy_part(void *context, unsigned thread, uint64_t part)
{
    const struct copy *copy = context;
    const uint64_t first = part * copy->part, left = copy->bytes - first;
    (void)thread;
    memcpy(copy->to + first, copy->from + first, left < copy->part ? left : copy->part);
}

void pages_copy(void *to, const void *from, uint64_t bytes, struct team *team)
{
    struct copy copy = {to, from, bytes, unit_of(bytes) == HUGE_PAGE ? HUGE_PAGE : SMALL_PART};
    team_run(team, team_shares(bytes, copy.part), copy_part, &copy);
}
