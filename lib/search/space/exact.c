/* exact.c -- the exact distances of all states while they are being found */
#include "exact.h"
#include "lib/memory/pages.h"

#include <stdlib.h>
#include <string.h>

enum { STRETCH = 1 << 20 };

bool exact_create(struct exact *exact, uint64_t states, struct team *team)
{
    *exact = (struct exact){.states = states, .width = 1, .narrow = pages_take(states)};
    if (exact->narrow == NULL)
        return false;
    exact_clear(exact, team);
    return true;
}

void exact_clear(struct exact *exact, struct team *team)
{
    pages_fill(exact->narrow, UINT8_MAX, exact->width * exact->states, team);
}

void exact_free(struct exact *exact)
{
    free(exact->narrow);
    exact->narrow = NULL;
}

bool exact_widen(struct exact *exact, unsigned width)
{
    const unsigned before = exact->width;
    uint8_t *grown = realloc(exact->narrow, width * exact->states + 1);
    if (grown == NULL)
        return false;
    exact->narrow = grown;
    exact->width = width;
    /* In place, the last first: what is written lies at or behind what is still to be read. */
    for (uint64_t state = exact->states; state-- > 0;) {
        uint32_t distance = 0;
        memcpy(&distance, grown + before * state, before); /* the lowest bytes come first */
        exact_set(exact, state, distance == exact_none(before) ? UINT32_MAX : distance);
    }
    return true;
}

/* Eight bytes in one load, whatever they are stored as; other threads may be storing some of them. */
typedef uint64_t __attribute__((may_alias)) eight_bytes;

/* Eight states of a narrow array: bit i where byte i of `bytes` is `byte`. Exact for every byte, unlike the shorter
 * tests for a zero byte (H. S. Warren, Hacker's Delight, 2nd edition, 6-1). */
static uint64_t equal_bytes(const uint8_t *bytes, uint8_t byte)
{
    const uint64_t low7 = 0x7F7F7F7F7F7F7F7F;
    uint64_t x = __atomic_load_n((const eight_bytes *)bytes, __ATOMIC_RELAXED) ^ byte * 0x0101010101010101u;
    x = ~(((x & low7) + low7) | x | low7);       /* the top bit of every byte that was equal */
    return (x >> 7) * 0x0102040810204080u >> 56; /* gathered into one byte */
}

uint64_t exact_word(const struct exact *exact, uint64_t word, uint64_t distance)
{
    uint64_t bits = 0;
    if (exact->width > 1)
        for (unsigned i = 0; i < 64; i++)
            bits |= (uint64_t)(exact_get(exact, 64 * word + i) == distance) << i;
    else
        for (unsigned i = 0; i < 64; i += 8)
            bits |= equal_bytes(exact->narrow + 64 * word + i, (uint8_t)distance) << i;
    return bits;
}

uint64_t exact_visited(const struct exact *exact, uint64_t word)
{
    return ~exact_word(exact, word, exact_none(exact->width));
}

/* The first state from `from` on that is at a distance; exact->states where there is none. */
static uint64_t next_at(const struct exact *exact, uint64_t from, uint64_t distance)
{
    if (exact->width > 1) {
        while (from < exact->states && exact_get(exact, from) != distance)
            from++;
        return from;
    }
    const uint8_t *found = memchr(exact->narrow + from, (int)distance, exact->states - from);
    return found == NULL ? exact->states : (uint64_t)(found - exact->narrow);
}

size_t exact_list(const struct exact *exact, uint64_t distance, uint64_t *state, size_t most)
{
    size_t count = 0;
    for (uint64_t i = next_at(exact, 0, distance); i < exact->states && count < most;
         i = next_at(exact, i + 1, distance))
        state[count++] = i;
    return count;
}

void exact_drop(struct exact *exact, uint64_t first, uint64_t words, uint64_t distance)
{
    for (uint64_t word = first; word < first + words; word++)
        for (uint64_t bits = exact_word(exact, word, distance); bits != 0; bits &= bits - 1)
            exact_set(exact, 64 * word + (unsigned)__builtin_ctzll(bits), UINT32_MAX);
}

/* Four counters of each distance, for states side by side are often equally far, and one counter would wait for
 * itself. */
static void count_bytes(const uint8_t *narrow, uint64_t states, uint64_t count[256])
{
    uint32_t counter[4][256] = {0};
    uint64_t i = 0;
    for (; i + 4 <= states; i += 4)
        for (unsigned c = 0; c < 4; c++)
            counter[c][narrow[i + c]]++;
    for (; i < states; i++)
        counter[0][narrow[i]]++;
    for (unsigned d = 0; d < 256; d++)
        __atomic_fetch_add(&count[d], (uint64_t)counter[0][d] + counter[1][d] + counter[2][d] + counter[3][d],
                           __ATOMIC_RELAXED);
}

struct counting {
    const uint8_t *narrow;
    uint64_t states, *count;
};

static void count_stretch(void *context, unsigned thread, uint64_t stretch)
{
    const struct counting *counting = context;
    const uint64_t first = stretch * STRETCH, left = counting->states - first;
    (void)thread;
    count_bytes(counting->narrow + first, left < STRETCH ? left : STRETCH, counting->count);
}

void exact_count(const struct exact *exact, uint64_t states, struct team *team, uint64_t count[256])
{
    struct counting counting = {exact->narrow, states, count};
    memset(count, 0, 256 * sizeof *count);
    team_run(team, team_shares(states, STRETCH), count_stretch, &counting);
}
