/* exact.h -- the exact distances of all states while they are being found: an array, a byte a state
 *
 * Where moves cannot be undone, a state's distance says nothing of its neighbours', so there are no residues to keep:
 * the search writes the distance itself. The array is then everything at once: the visited states are those that have a
 * distance, a layer is the states that have just this one. That is 8 bits a state, for distances up to 254; 255 is
 * none. A search that goes deeper widens the array to 16 bits, which reach to 65,534.
 *
 * Searches look at the array in words, as they look at bitmaps: 64 states at a time, bit i for state 64 w + i.
 */
#ifndef SEARCH_SPACE_EXACT_H
#define SEARCH_SPACE_EXACT_H

#include "lib/team.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { EXACT_NARROW_MAX = 254, EXACT_WIDE_MAX = 65534 };

struct exact {
    uint64_t states; /* a multiple of 64: those past the puzzle's own never have a distance */
    bool wide;
    union {
        uint8_t *narrow;
        uint16_t *wider;
    };
};

/* Bytes of an array for this many states. */
uint64_t exact_bytes(uint64_t states, bool wide);

/* Allocates a narrow array without distances; false where memory is short. */
bool exact_create(struct exact *exact, uint64_t states, struct team *team);
void exact_free(struct exact *exact);

/* Takes all distances away. */
void exact_clear(struct exact *exact, struct team *team);

/* Widens the array, if it is not wide yet. False where memory is short: it is then as it was. */
bool exact_widen(struct exact *exact);

/* Makes an array narrow that has no distance above 254, if it is wide. */
void exact_narrow(struct exact *exact);

/* The greatest distance that the array can take. */
static inline uint64_t exact_max(const struct exact *exact)
{
    return exact->wide ? EXACT_WIDE_MAX : EXACT_NARROW_MAX;
}

static inline void exact_prefetch(const struct exact *exact, uint64_t state)
{
    __builtin_prefetch(exact->narrow + (exact->wide ? 2 * state : state));
}

/* Is a state at a distance? */
static inline bool exact_is(const struct exact *exact, uint64_t state, uint64_t distance)
{
    return exact->wide ? __atomic_load_n(&exact->wider[state], __ATOMIC_RELAXED) == distance
                       : __atomic_load_n(&exact->narrow[state], __ATOMIC_RELAXED) == distance;
}

/* Gives a state that has none its distance; false where it has one. Threads may meet: all that do in one layer write
 * the same. A distance of exact_max + 1 is written as none, so the state stays as it was. */
static inline bool exact_put(struct exact *exact, uint64_t state, uint64_t distance)
{
    if (exact->wide) {
        if (__atomic_load_n(&exact->wider[state], __ATOMIC_RELAXED) != UINT16_MAX)
            return false;
        __atomic_store_n(&exact->wider[state], (uint16_t)distance, __ATOMIC_RELAXED);
    } else {
        if (__atomic_load_n(&exact->narrow[state], __ATOMIC_RELAXED) != UINT8_MAX)
            return false;
        __atomic_store_n(&exact->narrow[state], (uint8_t)distance, __ATOMIC_RELAXED);
    }
    return true;
}

/* Which states of a word are at a distance; which have any. */
uint64_t exact_word(const struct exact *exact, uint64_t word, uint64_t distance);
uint64_t exact_visited(const struct exact *exact, uint64_t word);

/* The first state from `from` on that is at a distance; exact->states where there is none. */
uint64_t exact_next(const struct exact *exact, uint64_t from, uint64_t distance);

/* Takes this distance away from the states that have it, in `words` words from `first` on. */
void exact_drop(struct exact *exact, uint64_t first, uint64_t words, uint64_t distance);

/* How many of the first `states` states of a narrow array are at each distance; count[255]: that have none. */
void exact_count(const struct exact *exact, uint64_t states, struct team *team, uint64_t count[256]);

#endif
