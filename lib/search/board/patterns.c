/* patterns.c -- what tables of all families share */
#include "patterns.h"

#include <stdlib.h>
#include <sys/mman.h>

uint8_t *patterns_allocate(uint64_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    madvise(memory, bytes, MADV_HUGEPAGE); /* look-ups are at random: large pages halve their cost */
    return memory;
}

void patterns_free_bytes(uint8_t *memory, uint64_t bytes)
{
    if (memory != NULL)
        munmap(memory, bytes);
}

const char *patterns_encoding(unsigned bits)
{
    return bits == 2 ? "patterns-2bit" : "patterns-4bit";
}
