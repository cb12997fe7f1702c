/* patterns.c -- counting the entries of pattern databases */
#include "patterns.h"

#include "lib/team.h"

enum { SHARE = 1 << 20, BYTES = 256 };

struct counting {
    const uint8_t *bytes;
    unsigned bits;
    uint64_t whole; /* bytes that are full of entries */
    uint64_t *count;
};

static void add_entries(const struct counting *counting, unsigned byte, unsigned entries, uint64_t times)
{
    for (unsigned i = 0; i < entries; i++)
        __atomic_fetch_add(&counting->count[byte >> i * counting->bits & ((1u << counting->bits) - 1)], times,
                           __ATOMIC_RELAXED);
}

/* Counts bytes: there are few sorts of them. By turns in two places, for equal ones often follow one another. */
static void count_share(void *context, unsigned thread, uint64_t share)
{
    const struct counting *counting = context;
    const uint64_t begin = share * SHARE, end = counting->whole - begin < SHARE ? counting->whole : begin + SHARE;
    uint32_t sort[2][BYTES] = {0};
    (void)thread;
    for (uint64_t i = begin; i < end; i++)
        sort[i % 2][counting->bytes[i]]++;
    for (unsigned byte = 0; byte < BYTES; byte++)
        add_entries(counting, byte, 8 / counting->bits, (uint64_t)sort[0][byte] + sort[1][byte]);
}

void patterns_count(const uint8_t *bytes, unsigned bits, uint64_t entries, struct team *team, uint64_t *count)
{
    const uint64_t whole = entries * bits / 8;
    struct counting counting = {bytes, bits, whole, count};
    team_run(team, team_shares(whole, SHARE), count_share, &counting);
    if (entries * bits % 8 != 0)
        add_entries(&counting, bytes[whole], (unsigned)(entries % (8 / bits)), 1);
}
