/* key_bits.c -- a set of keys of a small range, a bit for each key that there may be */
#include "key_bits.h"
#include "lib/memory/pages.h"

#include <stdlib.h>

enum { SHARE = 1 << 13 /* words; a stretch has a number of shares */ };

bool key_bits_create(struct key_bits *bits, uint64_t range)
{
    *bits = (struct key_bits){.word = pages_take_zeros(key_bits_bytes(range)), .range = range};
    return bits->word != NULL;
}

bool key_bits_reserve(struct key_bits *bits)
{
    const uint64_t words = key_bits_words(bits->range);
    if (bits->before == NULL)
        bits->before = pages_take(words * sizeof *bits->before);
    if (bits->base == NULL)
        bits->base = malloc((words / KEY_BITS_STRETCH + 1) * sizeof *bits->base);
    return bits->before != NULL && bits->base != NULL;
}

static uint64_t share_end(const struct key_bits *bits, uint64_t share)
{
    const uint64_t words = key_bits_words(bits->range), first = share * SHARE;
    return words - first < SHARE ? words : first + SHARE;
}

/* How many keys are in a share's words: noted before its first word. */
static void count_share(void *context, unsigned thread, uint64_t share)
{
    const struct key_bits *bits = context;
    uint32_t count = 0;
    (void)thread;
    for (uint64_t w = share * SHARE; w < share_end(bits, share); w++)
        count += (unsigned)__builtin_popcountll(bits->word[w]);
    bits->before[share * SHARE] = count;
}

/* From what is before its first word on. */
static void number_share(void *context, unsigned thread, uint64_t share)
{
    const struct key_bits *bits = context;
    uint32_t before = bits->before[share * SHARE];
    (void)thread;
    for (uint64_t w = share * SHARE; w < share_end(bits, share); w++) {
        bits->before[w] = before;
        before += (unsigned)__builtin_popcountll(bits->word[w]);
    }
}

bool key_bits_number(struct key_bits *bits, struct team *team)
{
    const uint64_t words = key_bits_words(bits->range), shares = team_shares(words, SHARE);
    if (!key_bits_reserve(bits))
        return false;
    team_run(team, shares, count_share, bits);
    bits->count = 0;
    for (uint64_t w = 0; w < words; w += SHARE) {
        uint64_t *base = &bits->base[w / KEY_BITS_STRETCH];
        const uint32_t here = bits->before[w];
        if (w % KEY_BITS_STRETCH == 0)
            *base = bits->count;
        bits->before[w] = (uint32_t)(bits->count - *base);
        bits->count += here;
    }
    team_run(team, shares, number_share, bits);
    return true;
}

void key_bits_free(struct key_bits *bits)
{
    free(bits->word);
    free(bits->before);
    free(bits->base);
    *bits = (struct key_bits){0};
}

uint64_t key_bits_at(const struct key_bits *bits, uint64_t place)
{
    uint64_t low = 0, high = key_bits_words(bits->range); /* the word is the last with no more keys before it */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (bits->base[middle / KEY_BITS_STRETCH] + bits->before[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    uint64_t word = bits->word[low];
    for (place -= bits->base[low / KEY_BITS_STRETCH] + bits->before[low]; place > 0; place--)
        word &= word - 1;
    return 64 * low + (unsigned)__builtin_ctzll(word);
}
