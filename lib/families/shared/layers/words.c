/* words.c -- layers of multisets: the words themselves
 *
 * Bits go from one word to another under two masks, in their order: closed up to the lowest places (pext), then spread
 * (pdep). Each loop is written once and compiled twice: with the processor's pext and pdep (BMI2) and vectors (AVX2),
 * and in plain C. gcc and clang put the constant functions in their place.
 */
#include "multiset.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* The word's bits under a mask to those under another, which has as many. */
typedef uint64_t transfer(uint64_t word, uint64_t from, uint64_t to);

/* Bit by bit: the lowest of `from` goes to the lowest of `to`. */
static inline uint64_t transfer_portable(uint64_t word, uint64_t from, uint64_t to)
{
    uint64_t result = 0;
    for (; (word & from) != 0; to &= to - 1, from &= from - 1)
        if (word & from & -from)
            result |= to & -to;
    return result;
}

/* 64 bits from a bit on; what lies behind `span` further ones is anything, but is not read beyond their word. */
ALWAYS_INLINE uint64_t bits_from(struct layer_bits_source source, unsigned from, unsigned span)
{
    const unsigned bit = source.bit + from, shift = bit % 64;
    return source.word[bit / 64] >> shift | source.word[(bit + span) / 64] << 1 << (63 - shift);
}

/* What a piece does, with the source's bits from its `source` on, which begin anywhere in a word:
 *
 *     source      ..|a b c d e f g h ..      64 bits, from two words
 *     from          |1 . 1 1 . . 1 . ..
 *     closed up     |a c d g                 pext
 *     to            |. 1 . . 1 1 . 1 ..
 *     found    |=   |. a . . c d . g ..      pdep
 */
ALWAYS_INLINE void list_loop(const struct layer_list *list, const struct layer_bits_source *source,
                             const uint64_t *want, uint64_t *found, transfer *transferred)
{
    for (uint32_t w = 0; w < list->words; w++) {
        if ((want[w] & ~found[w]) == 0)
            continue;
        uint64_t word = 0;
        for (uint32_t i = list->first[w]; i < list->first[w + 1]; i++) {
            const struct layer_piece *piece = &list->piece[i];
            word |= transferred(bits_from(source[piece->slot], piece->source, piece->span), piece->from, piece->to);
        }
        found[w] |= word;
    }
}

ALWAYS_INLINE void run_loop(struct layer_bits_source source, uint32_t states, uint64_t *restrict found)
{
    const uint64_t *word = source.word + source.bit / 64;
    const unsigned shift = source.bit % 64;
    const uint32_t last = (states - 1) / 64;
    for (uint32_t w = 0; shift == 0 && w < last; w++)
        found[w] |= word[w];
    for (uint32_t w = 0; shift != 0 && w < last; w++)
        found[w] |= word[w] >> shift | word[w + 1] << (64 - shift);
    found[last] |= bits_from(source, 64 * last, (states - 1) % 64);
}

/* -- in plain C -- */

static void list_portable(const struct layer_list *list, const struct layer_bits_source *source, const uint64_t *want,
                          uint64_t *found)
{
    list_loop(list, source, want, found, transfer_portable);
}

static void run_portable(struct layer_bits_source source, uint32_t states, uint64_t *found)
{
    run_loop(source, states, found);
}

static const struct layer_code in_plain_c = {list_portable, run_portable};

/* -- with BMI2 and AVX2 -- */

#ifdef __x86_64__
#include <immintrin.h>

#define BMI2 __attribute__((target("bmi2,avx2")))

BMI2 static inline uint64_t transfer_bmi2(uint64_t word, uint64_t from, uint64_t to)
{
    return _pdep_u64(_pext_u64(word, from), to);
}

BMI2 static void list_bmi2(const struct layer_list *list, const struct layer_bits_source *source, const uint64_t *want,
                           uint64_t *found)
{
    list_loop(list, source, want, found, transfer_bmi2);
}

BMI2 static void run_bmi2(struct layer_bits_source source, uint32_t states, uint64_t *found)
{
    run_loop(source, states, found);
}

static const struct layer_code with_bmi2 = {list_bmi2, run_bmi2};
#endif

bool layer_bmi2(void)
{
#ifdef __x86_64__
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2"); /* which have pext and pdep, but a hundred times slower */
#else
    return false;
#endif
}

const struct layer_code *layer_code(bool portable)
{
#ifdef __x86_64__
    if (!portable && layer_bmi2())
        return &with_bmi2;
#endif
    (void)portable;
    return &in_plain_c;
}
