/* key_bits.c -- a set of keys of a small range, a bit for each key that there may be */
#include "key_bits.h"
#include "lib/pages.h"

#include <stdlib.h>

enum { LARGE = 1 << 22 };

bool key_bits_create(struct key_bits *bits, uint64_t range)
{
    const uint64_t bytes = key_bits_bytes(range);
    *bits = (struct key_bits){.range = range};
    bits->word = bytes < LARGE ? calloc(1, bytes) : pages_take(bytes);
    if (bits->word != NULL && bytes >= LARGE)
        pages_fill(bits->word, 0, bytes, NULL);
    return bits->word != NULL;
}

bool key_bits_number(struct key_bits *bits)
{
    const uint64_t words = key_bits_words(bits->range);
    uint64_t count = 0;
    if (bits->before == NULL)
        bits->before = malloc(words * sizeof *bits->before);
    if (bits->base == NULL)
        bits->base = malloc((words / KEY_BITS_STRETCH + 1) * sizeof *bits->base);
    if (bits->before == NULL || bits->base == NULL)
        return false;
    for (uint64_t w = 0; w < words; w++) {
        uint64_t *base = &bits->base[w / KEY_BITS_STRETCH];
        if (w % KEY_BITS_STRETCH == 0)
            *base = count;
        bits->before[w] = (uint32_t)(count - *base);
        count += (unsigned)__builtin_popcountll(bits->word[w]);
    }
    bits->count = count;
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
