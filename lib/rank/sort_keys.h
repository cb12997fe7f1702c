/* sort_keys.h -- sorting very many keys in their own memory, with the bytes that belong to each */
#ifndef RANK_SORT_KEYS_H
#define RANK_SORT_KEYS_H

#include "lib/team.h"

#include <stdint.h>

/* Sorts the keys, ascending, and moves the `width` bytes (0, 1, 2 or 4) that lie beside each along with it: those of
 * key[i] at beside[width * i]. A radix sort from the top, in place (P. M. McIlroy, K. Bostic, M. D. McIlroy,
 * "Engineering radix sort", 1993: the American flag), by a team (NULL: alone): many items are distributed by all of
 * it, then buckets are shared out. */
void sort_keys(uint64_t *key, uint8_t *beside, unsigned width, uint64_t count, struct team *team);

#endif
