/* home.h -- where a key belongs in a hash table
 *
 *     home of a key = hash(key) * slots / 2^64                  (D. Lemire, "Fast random integer generation in an
 *                                                                 interval", 2019)
 *
 * The home grows with the hash, whatever the number of slots.
 */
#ifndef SEARCH_SPACE_HOME_H
#define SEARCH_SPACE_HOME_H

#include <stdint.h>

static inline uint64_t home_of(uint64_t key, uint64_t slots)
{
    uint64_t hash = key * 0x9E3779B97F4A7C15;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93;
    return (uint64_t)((unsigned __int128)hash * slots >> 64);
}

#endif
