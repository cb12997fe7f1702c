/* allocations.c -- memory that runs out on request */
#include "allocations.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* -- what is held -- */

enum { SLOTS = 1 << 18 };

struct piece {
    void *address; /* NULL: a free slot */
    uint64_t serial;
    size_t bytes;
    void *caller;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct piece pieces[SLOTS]; /* a hash table, linear probing */
static size_t live;
static uint64_t serial;
static uint64_t until_failure; /* allocations, the failing one included; 0: none fails */
static bool go_on_failing;
static uint64_t failures;
static _Thread_local bool thread_spared;

static size_t slot_of(const void *address)
{
    return (size_t)((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15u >> 46;
}

static void note(void *address, size_t bytes, void *caller)
{
    if (address == NULL || address == MAP_FAILED)
        return;
    pthread_mutex_lock(&lock);
    size_t at = slot_of(address);
    while (pieces[at].address != NULL)
        at = (at + 1) % SLOTS;
    pieces[at] = (struct piece){address, ++serial, bytes, caller};
    if (++live > SLOTS / 2)
        abort();
    pthread_mutex_unlock(&lock);
}

/* What moves into a gap are pieces that were pushed past it. */
static void close_gap(size_t gap)
{
    for (size_t at = (gap + 1) % SLOTS; pieces[at].address != NULL; at = (at + 1) % SLOTS) {
        const size_t home = slot_of(pieces[at].address);
        if ((at - home) % SLOTS < (at - gap) % SLOTS)
            continue;
        pieces[gap] = pieces[at];
        pieces[at].address = NULL;
        gap = at;
    }
}

static void forget(const void *address)
{
    if (address == NULL)
        return;
    pthread_mutex_lock(&lock);
    size_t at = slot_of(address);
    while (pieces[at].address != NULL && pieces[at].address != address)
        at = (at + 1) % SLOTS;
    if (pieces[at].address != NULL) { /* else a shared library allocated it */
        pieces[at].address = NULL;
        live--;
        close_gap(at);
    }
    pthread_mutex_unlock(&lock);
}

/* Is it this one's turn to fail? */
static bool fails(void)
{
    if (thread_spared)
        return false;
    pthread_mutex_lock(&lock);
    bool now = until_failure == 1;
    if (until_failure > 1 || (now && !go_on_failing))
        until_failure--;
    failures += now;
    pthread_mutex_unlock(&lock);
    if (now)
        errno = ENOMEM;
    return now;
}

void allocations_fail(uint64_t n, bool all_after)
{
    until_failure = n;
    go_on_failing = all_after;
    failures = 0;
}

void allocations_spare(bool spared)
{
    thread_spared = spared;
}

uint64_t allocations_stop(void)
{
    until_failure = 0;
    return failures;
}

size_t allocations_live(void)
{
    return live;
}

uint64_t allocations_serial(void)
{
    return serial;
}

bool allocations_leaked(uint64_t since, uint64_t *which, size_t *bytes, void **caller)
{
    for (size_t at = 0; at < SLOTS; at++)
        if (pieces[at].address != NULL && pieces[at].serial > since) {
            *which = pieces[at].serial - since;
            *bytes = pieces[at].bytes;
            *caller = pieces[at].caller;
            return true;
        }
    return false;
}

/* -- the calls: __wrap_X is called for X, __real_X is X -- */

#define CALLER __builtin_return_address(0)

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    void *memory = fails() ? NULL : __real_malloc(size);
    note(memory, size, CALLER);
    return memory;
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    void *memory = fails() ? NULL : __real_calloc(count, size);
    note(memory, count * size, CALLER);
    return memory;
}

void *__real_realloc(void *old, size_t size);
static void *reallocate(void *old, size_t size, void *caller)
{
    if (fails())
        return NULL;
    forget(old); /* first: another thread may be given its address at once */
    void *memory = __real_realloc(old, size);
    note(memory != NULL ? memory : old, size, caller);
    return memory;
}

void *__wrap_realloc(void *old, size_t size);
void *__wrap_realloc(void *old, size_t size)
{
    return reallocate(old, size, CALLER);
}

void *__wrap_reallocarray(void *old, size_t count, size_t size);
void *__wrap_reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return reallocate(old, bytes, CALLER);
}

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    void *memory = fails() ? NULL : __real_aligned_alloc(alignment, size);
    note(memory, size, CALLER);
    return memory;
}

int __real_posix_memalign(void **out, size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size)
{
    const int result = fails() ? ENOMEM : __real_posix_memalign(out, alignment, size);
    if (result == 0)
        note(*out, size, CALLER);
    return result;
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    char *copy = fails() ? NULL : __real_strdup(text);
    note(copy, strlen(text) + 1, CALLER);
    return copy;
}

char *__real_strndup(const char *text, size_t most);
char *__wrap_strndup(const char *text, size_t most);
char *__wrap_strndup(const char *text, size_t most)
{
    char *copy = fails() ? NULL : __real_strndup(text, most);
    note(copy, most, CALLER);
    return copy;
}

int __real_vasprintf(char **out, const char *format, va_list arguments);
int __wrap_vasprintf(char **out, const char *format, va_list arguments);
int __wrap_vasprintf(char **out, const char *format, va_list arguments)
{
    const int length = fails() ? -1 : __real_vasprintf(out, format, arguments);
    if (length >= 0)
        note(*out, (size_t)length + 1, CALLER);
    return length;
}

int __wrap_asprintf(char **out, const char *format, ...);
int __wrap_asprintf(char **out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = fails() ? -1 : __real_vasprintf(out, format, arguments);
    va_end(arguments);
    if (length >= 0)
        note(*out, (size_t)length + 1, CALLER);
    return length;
}

/* What _FORTIFY_SOURCE makes of them. */
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...);
int __wrap___asprintf_chk(char **out, int flag, const char *format, ...)
{
    va_list arguments;
    (void)flag;
    va_start(arguments, format);
    const int length = fails() ? -1 : __real_vasprintf(out, format, arguments);
    va_end(arguments);
    if (length >= 0)
        note(*out, (size_t)length + 1, CALLER);
    return length;
}

void __real_free(void *memory);
void __wrap_free(void *memory);
void __wrap_free(void *memory)
{
    forget(memory);
    __real_free(memory);
}

void *__real_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset);
void *__wrap_mmap(void *address, size_t length, int protection, int flags, int file, off_t offset)
{
    void *memory = fails() ? MAP_FAILED : __real_mmap(address, length, protection, flags, file, offset);
    note(memory, length, CALLER);
    return memory;
}

int __real_munmap(void *address, size_t length);
int __wrap_munmap(void *address, size_t length);
int __wrap_munmap(void *address, size_t length)
{
    forget(address);
    return __real_munmap(address, length);
}
