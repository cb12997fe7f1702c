/* words.h -- what is done to the words of a row, by known means
 *
 * Most rows are of one or two words, and a loop over those costs more than what it does. So what takes a number of
 * words or `struct row_means` is inlined into a function that knows them: loops are unrolled and choices are gone.
 */
#ifndef FAMILIES_SLIDE_ROWS_WORDS_H
#define FAMILIES_SLIDE_ROWS_WORDS_H

#include "rows.h"

#define ROWS_INLINE __attribute__((always_inline)) static inline

/* The statement DO(words), made anew for each number of words that there is. */
#define ROWS_BY_WORDS(words, DO)                                                                                       \
    switch (words) {                                                                                                   \
    case 1:                                                                                                            \
        DO(1);                                                                                                         \
        break;                                                                                                         \
    case 2:                                                                                                            \
        DO(2);                                                                                                         \
        break;                                                                                                         \
    case 3:                                                                                                            \
        DO(3);                                                                                                         \
        break;                                                                                                         \
    case 4:                                                                                                            \
        DO(4);                                                                                                         \
        break;                                                                                                         \
    case 5:                                                                                                            \
        DO(5);                                                                                                         \
        break;                                                                                                         \
    case 6:                                                                                                            \
        DO(6);                                                                                                         \
        break;                                                                                                         \
    case 7:                                                                                                            \
        DO(7);                                                                                                         \
        break;                                                                                                         \
    default:                                                                                                           \
        DO(ROW_WORDS_MAX);                                                                                             \
    }

ROWS_INLINE void row_copy(unsigned words, uint64_t *row, const uint64_t *other)
{
    for (unsigned w = 0; w < words; w++)
        row[w] = other[w];
}

ROWS_INLINE void row_fill(unsigned words, uint64_t *row, uint64_t word)
{
    for (unsigned w = 0; w < words; w++)
        row[w] = word;
}

/* Adds the bits of another row; returns those that are new, of all words together. */
ROWS_INLINE uint64_t row_or(unsigned words, uint64_t *row, const uint64_t *other)
{
    uint64_t news = 0;
    for (unsigned w = 0; w < words; w++) {
        news |= other[w] & ~row[w];
        row[w] |= other[w];
    }
    return news;
}

/* Keeps the bits that another row has, too; returns what there are, of all words together. */
ROWS_INLINE uint64_t row_and(unsigned words, uint64_t *row, const uint64_t *other)
{
    uint64_t any = 0;
    for (unsigned w = 0; w < words; w++)
        any |= row[w] &= other[w];
    return any;
}

ROWS_INLINE const uint64_t *rows_class_at(const struct slide_rows *rows, unsigned words, unsigned class, unsigned cell)
{
    return rows->class_at + (size_t)(class * rows->cells + cell) * words;
}

/* Keeps the orders that have these cells empty, where the larger pieces leave the cells `free`. */
ROWS_INLINE void row_keep_empty(const struct slide_rows *rows, unsigned words, uint64_t free, uint64_t cells,
                                uint64_t *row)
{
    for (; cells != 0; cells &= cells - 1) {
        const unsigned cell = (unsigned)__builtin_popcountll(free & ((cells & -cells) - 1));
        row_and(words, row, rows_class_at(rows, words, 0, cell));
    }
}

/* -- the bits of states[] that are under from[], to under to[], in their sequence; out[] may be states[] -- */

ROWS_INLINE void row_carry_plain(unsigned words, const uint64_t *states, const uint64_t *from, const uint64_t *to,
                                 uint64_t *out)
{
    unsigned at = 0;
    uint64_t places = to[0], moved[ROW_WORDS_MAX] = {0};
    for (unsigned w = 0; w < words; w++)
        for (uint64_t left = from[w]; left != 0; left &= left - 1) {
            while (places == 0 && at + 1 < words)
                places = to[++at];
            if ((states[w] & left & -left) != 0)
                moved[at] |= places & -places;
            places &= places - 1;
        }
    row_copy(words, out, moved);
}

#ifdef __x86_64__
#include <immintrin.h>

#define ROWS_QUICK __attribute__((target("avx2,bmi,bmi2,popcnt")))

ROWS_QUICK static inline void row_carry_quick(unsigned words, const uint64_t *states, const uint64_t *from,
                                              const uint64_t *to, uint64_t *out)
{
    if (words <= 2) {
        unsigned __int128 bits = _pext_u64(states[0], from[0]);
        if (words == 2)
            bits |= (unsigned __int128)_pext_u64(states[1], from[1]) << __builtin_popcountll(from[0]);
        out[0] = _pdep_u64((uint64_t)bits, to[0]);
        if (words == 2)
            out[1] = _pdep_u64((uint64_t)(bits >> __builtin_popcountll(to[0])), to[1]);
        return;
    }
    uint64_t stream[ROW_WORDS_MAX + 1] = {0};
    unsigned at = 0;
    for (unsigned w = 0; w < words; w++) {
        const uint64_t bits = _pext_u64(states[w], from[w]);
        stream[at / 64] |= bits << at % 64;
        stream[at / 64 + 1] |= bits >> 1 >> (63 - at % 64);
        at += (unsigned)__builtin_popcountll(from[w]);
    }
    at = 0;
    for (unsigned w = 0; w < words; w++) {
        const uint64_t bits = stream[at / 64] >> at % 64 | stream[at / 64 + 1] << 1 << (63 - at % 64);
        out[w] = _pdep_u64(bits, to[w]);
        at += (unsigned)__builtin_popcountll(to[w]);
    }
}
#else
#define ROWS_QUICK
#endif

ROWS_INLINE void row_carry(struct row_means means, const uint64_t *states, const uint64_t *from, const uint64_t *to,
                           uint64_t *out)
{
#ifdef __x86_64__
    if (means.quick) {
        row_carry_quick(means.words, states, from, to, out);
        return;
    }
#endif
    row_carry_plain(means.words, states, from, to, out);
}

#endif
