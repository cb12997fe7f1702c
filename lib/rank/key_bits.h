/* key_bits.h -- a set of keys of a small range, a bit for each key that there may be
 *
 * Once it is complete it can be numbered: a key's place is the number of keys in the set below it, as in a sorted
 * table.
 */
#ifndef RANK_KEY_BITS_H
#define RANK_KEY_BITS_H

#include "lib/team.h"

#include <stdbool.h>
#include <stdint.h>

enum { KEY_BITS_STRETCH = 1 << 20 /* words: places are counted in 32 bits from the beginning of each */ };

struct key_bits {
    uint64_t *word, range; /* keys are below the range; NULL: there is no set */
    uint64_t count;        /* of keys, once numbered */
    uint32_t *before;      /* keys in the words of its stretch before each; NULL: not numbered */
    uint64_t *base;        /* keys before each stretch */
};

static inline uint64_t key_bits_words(uint64_t range)
{
    return range / 64 + 1;
}

/* Bytes of a set, and what numbering it takes beside them. */
static inline uint64_t key_bits_bytes(uint64_t range)
{
    return key_bits_words(range) * sizeof(uint64_t);
}

static inline uint64_t key_bits_number_bytes(uint64_t range)
{
    return key_bits_words(range) * sizeof(uint32_t) + (key_bits_words(range) / KEY_BITS_STRETCH + 1) * sizeof(uint64_t);
}

/* An empty set; memory to number it. False where that is short. */
bool key_bits_create(struct key_bits *bits, uint64_t range);
bool key_bits_reserve(struct key_bits *bits);

/* Numbers a set, by a team (NULL: alone). It may have been numbered before; false where memory is short, which it is
 * not once it was reserved. */
bool key_bits_number(struct key_bits *bits, struct team *team);
void key_bits_free(struct key_bits *bits);

static inline void key_bits_prefetch(const struct key_bits *bits, uint64_t key)
{
    __builtin_prefetch(&bits->word[key / 64], 1);
}

static inline bool key_bits_has(const struct key_bits *bits, uint64_t key)
{
    return (__atomic_load_n(&bits->word[key / 64], __ATOMIC_RELAXED) >> key % 64 & 1) != 0;
}

/* Puts a key in; true if it was not there. Threads may do so together. */
static inline bool key_bits_put(struct key_bits *bits, uint64_t key)
{
    const uint64_t bit = (uint64_t)1 << key % 64;
    return !key_bits_has(bits, key) && (__atomic_fetch_or(&bits->word[key / 64], bit, __ATOMIC_RELAXED) & bit) == 0;
}

/* The same for one thread alone. */
static inline bool key_bits_put_alone(struct key_bits *bits, uint64_t key)
{
    uint64_t *word = &bits->word[key / 64], before = *word;
    *word = before | (uint64_t)1 << key % 64;
    return (before >> key % 64 & 1) == 0;
}

/* The number of keys below one, of a set that is numbered. */
static inline uint64_t key_bits_place(const struct key_bits *bits, uint64_t key)
{
    const uint64_t word = key / 64, below = bits->word[word] & (((uint64_t)1 << key % 64) - 1);
    return bits->base[word / KEY_BITS_STRETCH] + bits->before[word] + (unsigned)__builtin_popcountll(below);
}

/* The key at a place, of a set that is numbered. */
uint64_t key_bits_at(const struct key_bits *bits, uint64_t place);

/* The first key from `from` on, which is not above the range; the range where there is none. */
static inline uint64_t key_bits_next(const struct key_bits *bits, uint64_t from)
{
    const uint64_t words = key_bits_words(bits->range);
    uint64_t at = from / 64, word = at < words ? bits->word[at] >> from % 64 : 0;
    if (word != 0)
        return from + (unsigned)__builtin_ctzll(word);
    while (word == 0 && ++at < words)
        word = bits->word[at];
    return word == 0 ? bits->range : 64 * at + (unsigned)__builtin_ctzll(word);
}

#endif
