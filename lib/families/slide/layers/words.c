/* words.c -- layers of sliding puzzles a word at a time: the words themselves
 *
 * Bits go from one word to another under two masks, in their order: closed up to the lowest places (pext), then spread
 * (pdep). Each loop is written once and compiled twice: with the processor's pext and pdep (BMI2) and vectors (AVX2),
 * and in plain C. gcc and clang put the constant functions in their place.
 */
#include "layers.h"
#include "lib/families/shared/layers/multiset.h"

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* -- bits under a mask -- */

/* The word's bits under the mask, closed up; its lowest bits, spread to the mask. */
typedef uint64_t close_up(uint64_t word, const struct layer_bits *bits);
typedef uint64_t spread(uint64_t word, const struct layer_bits *bits);

/* Six steps: in step i those bits go down by 2^i that have to. */
static inline uint64_t close_up_portable(uint64_t word, const struct layer_bits *bits)
{
    word &= bits->mask;
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t moved = word & bits->move[i];
        word = (word ^ moved) | moved >> (1u << i);
    }
    return word;
}

/* The same steps backward. */
static inline uint64_t spread_portable(uint64_t word, const struct layer_bits *bits)
{
    for (unsigned i = 6; i-- > 0;) {
        const uint64_t moved = word << (1u << i);
        word = (word & ~bits->move[i]) | (moved & bits->move[i]);
    }
    return word & bits->mask;
}

/* -- pulling a sheet -- */

ALWAYS_INLINE unsigned parity_of(const struct layer_sheet *sheet, size_t row)
{
    return sheet->parity ^ sheet->layers->row_parity[row];
}

/* A window that does not cross the border of the prefix has one slot: the loops are made for that apart. */
ALWAYS_INLINE uint64_t source_word(const struct layer_asked *asked, struct layer_source from, bool crosses)
{
    return asked->rows[crosses ? from.slot : 0][from.row];
}

ALWAYS_INLINE uint64_t permute(uint64_t word, const struct layer_permutation *permutation, close_up *closed,
                               spread *spread_to)
{
    if (permutation->pieces == 0)
        return word;
    uint64_t result = 0;
    for (unsigned piece = 0; piece < permutation->pieces; piece++)
        result |= spread_to(closed(word, &permutation->from[piece]), &permutation->to[piece]);
    return result;
}

/* The window lies in the prefix: all rows as they are. */
ALWAYS_INLINE void plain_loop(const struct layer_sheet *sheet, const uint64_t *source)
{
    const size_t rows = sheet->layers->rows;
    uint64_t *restrict found = sheet->found;
    for (size_t row = 0; row < rows; row++)
        found[row] |= source[row];
}

/* It ends in the middle: rows in another order, and of several groups if it comes from the prefix. */
ALWAYS_INLINE void rows_loop(const struct layer_sheet *sheet, const struct layer_asked *asked, bool crosses)
{
    const size_t rows = sheet->layers->rows;
    const struct layer_source *from = asked->window->source + asked->edge * rows;
    uint64_t *restrict found = sheet->found;
    for (size_t row = 0; row < rows; row++)
        found[row] |= source_word(asked, from[row], crosses);
}

/* It reaches into the low part: a word is made of five pieces of twelve bits, each from a row of its own. */
ALWAYS_INLINE void pieces_loop(const struct layer_sheet *sheet, const struct layer_asked *asked, bool crosses,
                               bool front, close_up *closed, spread *spread_to)
{
    const size_t rows = sheet->layers->rows;
    const struct layer_source *from = asked->window->source + asked->edge * rows * LAYER_LOW;
    const struct layer_bits *mask = sheet->layers->mask[asked->window->depth];
    for (size_t row = 0; row < rows; row++, from += LAYER_LOW) {
        /* Pass over words in which nothing is wanted that is not found yet. */
        if ((sheet->want[row] & ~sheet->found[row]) == 0)
            continue;
        /* Read the five words asked. While layers are thin, most are zeros. */
        uint64_t word[LAYER_LOW], any = 0, found = 0;
        for (unsigned i = 0; i < LAYER_LOW; i++)
            any |= word[i] = source_word(asked, from[i], crosses);
        if (any == 0)
            continue;
        /* Towards the front each piece is a run of the source, to be spread; towards the back it is a run of this row,
         * of bits closed up. */
        const unsigned parity = LAYER_ODD * parity_of(sheet, row);
        const struct layer_bits *spread_mask = mask + parity;
        for (unsigned i = 0; i < LAYER_LOW; i++)
            found |= front ? spread_to(word[i] >> from[i].part, &spread_mask[i])
                           : closed(word[i], &mask[from[i].part ^ parity]) << LAYER_RUN * i;
        sheet->found[row] |= found;
    }
}

/* It lies in the low part: the bits of each word change places. */
ALWAYS_INLINE void bits_loop(const struct layer_sheet *sheet, const struct layer_asked *asked, close_up *closed,
                             spread *spread_to)
{
    const struct layer_permutation *permutation = asked->window->permutation;
    const uint64_t *source = asked->rows[0];
    for (size_t row = 0; row < sheet->layers->rows; row++)
        if ((sheet->want[row] & ~sheet->found[row]) != 0 && source[row] != 0)
            sheet->found[row] |= permute(source[row], &permutation[parity_of(sheet, row)], closed, spread_to);
}

ALWAYS_INLINE void pull_by_kind(const struct layer_sheet *sheet, const struct layer_asked *asked, close_up *closed,
                                spread *spread_to)
{
    const struct layer_window *window = asked->window;
    const bool front = window->from > window->to;
    if (window->kind == WINDOW_PLAIN)
        plain_loop(sheet, asked->rows[0]);
    else if (window->kind == WINDOW_BITS)
        bits_loop(sheet, asked, closed, spread_to);
    else if (window->kind == WINDOW_ROWS && window->crosses)
        rows_loop(sheet, asked, true);
    else if (window->kind == WINDOW_ROWS)
        rows_loop(sheet, asked, false);
    else if (front && window->crosses)
        pieces_loop(sheet, asked, true, true, closed, spread_to);
    else if (front)
        pieces_loop(sheet, asked, false, true, closed, spread_to);
    else if (window->crosses)
        pieces_loop(sheet, asked, true, false, closed, spread_to);
    else
        pieces_loop(sheet, asked, false, false, closed, spread_to);
}

ALWAYS_INLINE void relabel_loop(const struct layer_sheet *sheet, unsigned pair, const uint64_t *source,
                                close_up *closed, spread *spread_to)
{
    const struct slide_layers *layers = sheet->layers;
    for (size_t row = 0; row < layers->rows; row++) {
        const unsigned from = layers->relabel_row[pair][row];
        sheet->found[row] = from < RELABEL_LOW
                                ? source[from]
                                : permute(source[row], &layers->relabel_bits[from - RELABEL_LOW][parity_of(sheet, row)],
                                          closed, spread_to);
    }
}

/* -- in plain C -- */

static void pull_portable(const struct layer_sheet *sheet, const struct layer_asked *asked)
{
    pull_by_kind(sheet, asked, close_up_portable, spread_portable);
}

static void relabel_portable(const struct layer_sheet *sheet, unsigned pair, const uint64_t *source)
{
    relabel_loop(sheet, pair, source, close_up_portable, spread_portable);
}

static const struct sheet_code in_plain_c = {pull_portable, relabel_portable};

/* -- with BMI2 and AVX2 -- */

#ifdef __x86_64__
#include <immintrin.h>

#define BMI2 __attribute__((target("bmi2,avx2")))

BMI2 static inline uint64_t close_up_bmi2(uint64_t word, const struct layer_bits *bits)
{
    return _pext_u64(word, bits->mask);
}

BMI2 static inline uint64_t spread_bmi2(uint64_t word, const struct layer_bits *bits)
{
    return _pdep_u64(word, bits->mask);
}

BMI2 static void pull_bmi2(const struct layer_sheet *sheet, const struct layer_asked *asked)
{
    pull_by_kind(sheet, asked, close_up_bmi2, spread_bmi2);
}

BMI2 static void relabel_bmi2(const struct layer_sheet *sheet, unsigned pair, const uint64_t *source)
{
    relabel_loop(sheet, pair, source, close_up_bmi2, spread_bmi2);
}

static const struct sheet_code with_bmi2 = {pull_bmi2, relabel_bmi2};
#endif

const struct sheet_code *slide_layer_code(bool portable)
{
#ifdef __x86_64__
    if (!portable && layer_bmi2())
        return &with_bmi2;
#endif
    (void)portable;
    return &in_plain_c;
}
