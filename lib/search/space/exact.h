/* exact.h -- the exact distances of all states while they are being found: an array, a byte a state
 *
 * Where moves cannot be undone, a state's distance says nothing of its neighbours', so there are no residues to keep:
 * the search writes the distance itself. The array is then everything at once: the visited states are those that have a
 * distance, a layer is the states that have just this one. That is 8 bits a state, for distances up to 254; 255 is
 * none. A search that goes deeper widens the array to 16 bits, which reach to 65,534, and to 32.
 *
 * Searches look at the array in words, as they look at bitmaps: 64 states at a time, bit i for state 64 w + i.
 */
#ifndef SEARCH_SPACE_EXACT_H
#define SEARCH_SPACE_EXACT_H

#include "lib/team.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct exact {
    uint64_t states; /* a multiple of 64: those past the puzzle's own never have a distance */
    unsigned width;  /* bytes of a distance: 1, 2 or 4 */
    union {
        uint8_t *narrow;
        uint16_t *wider;
        uint32_t *widest;
    };
};

/* Allocates a narrow array without distances; false where memory is short. */
bool exact_create(struct exact *exact, uint64_t states, struct team *team);
void exact_free(struct exact *exact);

/* Takes all distances away. */
void exact_clear(struct exact *exact, struct team *team);

/* Gives every distance so many bytes, more than it has. False where memory is short: the array is then as it was. */
bool exact_widen(struct exact *exact, unsigned width);

/* What no distance is written as, in so many bytes; and the greatest distance that they can take. */
static inline uint32_t exact_none(unsigned width)
{
    return UINT32_MAX >> (32 - 8 * width);
}

static inline uint64_t exact_max(unsigned width)
{
    return exact_none(width) - 1;
}

static inline void exact_prefetch(const struct exact *exact, uint64_t state)
{
    __builtin_prefetch(exact->narrow + (state << exact->width / 2));
}

/* What is written for a state. */
static inline uint32_t exact_get(const struct exact *exact, uint64_t state)
{
    if (exact->width == 1)
        return __atomic_load_n(&exact->narrow[state], __ATOMIC_RELAXED);
    return exact->width == 2 ? __atomic_load_n(&exact->wider[state], __ATOMIC_RELAXED)
                             : __atomic_load_n(&exact->widest[state], __ATOMIC_RELAXED);
}

static inline void exact_set(struct exact *exact, uint64_t state, uint64_t distance)
{
    if (exact->width == 1)
        __atomic_store_n(&exact->narrow[state], (uint8_t)distance, __ATOMIC_RELAXED);
    else if (exact->width == 2)
        __atomic_store_n(&exact->wider[state], (uint16_t)distance, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&exact->widest[state], (uint32_t)distance, __ATOMIC_RELAXED);
}

/* Gives a state that has none its distance; false where it has one. Threads may meet: all that do in one layer write
 * the same. A distance of exact_max + 1 is written as none, so the state stays as it was. */
static inline bool exact_put(struct exact *exact, uint64_t state, uint64_t distance)
{
    if (exact->width == 1) { /* as most are: decided once */
        if (__atomic_load_n(&exact->narrow[state], __ATOMIC_RELAXED) != UINT8_MAX)
            return false;
        __atomic_store_n(&exact->narrow[state], (uint8_t)distance, __ATOMIC_RELAXED);
        return true;
    }
    if (exact_get(exact, state) != exact_none(exact->width))
        return false;
    exact_set(exact, state, distance);
    return true;
}

/* Which states of a word are at a distance; which have any. */
uint64_t exact_word(const struct exact *exact, uint64_t word, uint64_t distance);
uint64_t exact_visited(const struct exact *exact, uint64_t word);

/* Lists the first states that are at a distance, `most` of them if there are so many. Returns how many. */
size_t exact_list(const struct exact *exact, uint64_t distance, uint64_t *state, size_t most);

/* Takes this distance away from the states that have it, in `words` words from `first` on. */
void exact_drop(struct exact *exact, uint64_t first, uint64_t words, uint64_t distance);

/* How many of the first `states` states of a narrow array are at each distance; count[255]: that have none. */
void exact_count(const struct exact *exact, uint64_t states, struct team *team, uint64_t count[256]);

#endif
