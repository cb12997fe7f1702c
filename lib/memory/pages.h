/* pages.h -- large pieces of memory, in huge pages where the system has them
 *
 * A search reads all over its memory. With pages of 4 KiB nearly every read of a large piece has the processor look up
 * where the page lies; with pages of 2 MiB hardly any.
 */
#ifndef LIB_MEMORY_PAGES_H
#define LIB_MEMORY_PAGES_H

#include "lib/team.h"

#include <stdint.h>

/* At least this many bytes, aligned to 64, their content open; the caller frees them with free. NULL where memory is
 * short. */
void *pages_take(uint64_t bytes);

/* The same for what is filled at once from end to end: in huge pages from one on, for a page fault costs more than to
 * fill a small page. May take a huge page more than pages_bytes says. */
void *pages_take_full(uint64_t bytes);

/* The same, all zeros. Pages that nobody has touched are not there yet: threads that touch them make them together. */
void *pages_take_zeros(uint64_t bytes);

/* Says of memory, or of a file that is mapped, that all of it will be read, here and there: a mere hint. Where the
 * system can, a file's pages that are not in memory yet come in huge ones then, and stay so for all who map it. */
void pages_hint(const void *memory, uint64_t bytes);

/* Makes an array of malloc's longer; NULL is one of nothing. NULL where memory is short: then the array stays. */
void *pages_lengthen(void *array, uint64_t before, uint64_t after);

/* Sets them all to a value. Fresh memory costs more than most work on it, so a team (NULL: none) touches what is large
 * together. */
void pages_fill(void *memory, uint8_t value, uint64_t bytes, struct team *team);

/* Copies bytes to where none of them are, by a team (NULL: none), for the same reason. */
void pages_copy(void *to, const void *from, uint64_t bytes, struct team *team);

/* What pages_take takes for so many bytes, at most. */
uint64_t pages_bytes(uint64_t bytes);

/* A piece of memory that is kept from one run of the program to the next, beside others. */
struct memory_part {
    void *bytes;
    uint64_t size;
};

#endif
