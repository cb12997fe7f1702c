/* words.c -- layers of sliding puzzles a word at a time: the words themselves
 *
 * Each loop is written once and compiled twice: with the processor's pext and pdep (BMI2) and vectors (AVX2), and in
 * plain C, where closing a mask's bits up takes six steps. gcc and clang put the constant functions in their place.
 */
#include "layers.h"

#include <string.h>

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* -- bits under a mask -- */

/* The word's bits under the mask, closed up; its lowest bits, spread to the mask. */
typedef uint64_t close_up(uint64_t word, const struct layer_bits *bits);
typedef uint64_t spread(uint64_t word, const struct layer_bits *bits);

static inline uint64_t close_up_portable(uint64_t word, const struct layer_bits *bits)
{
    word &= bits->mask;
    for (unsigned i = 0; i < 6; i++) {
        const uint64_t moved = word & bits->move[i];
        word = (word ^ moved) | moved >> (1u << i);
    }
    return word;
}

static inline uint64_t spread_portable(uint64_t word, const struct layer_bits *bits)
{
    for (unsigned i = 6; i-- > 0;) {
        const uint64_t moved = word << (1u << i);
        word = (word & ~bits->move[i]) | (moved & bits->move[i]);
    }
    return word & bits->mask;
}

/* -- the loops -- */

ALWAYS_INLINE unsigned parity_of(const struct layer_sheet *sheet, size_t row)
{
    return sheet->parity ^ sheet->layers->row_parity[row];
}

/* A window that does not cross the border of the prefix has one slot: the loops are made for that apart. */
ALWAYS_INLINE uint64_t source_word(const uint64_t *const *source, struct layer_source from, bool crosses)
{
    return source[crosses ? from.slot : 0][from.row];
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

ALWAYS_INLINE void plain_loop(const struct layer_sheet *sheet, const uint64_t *source)
{
    const size_t rows = sheet->layers->rows;
    uint64_t *restrict found = sheet->found;
    for (size_t row = 0; row < rows; row++)
        found[row] |= source[row];
}

ALWAYS_INLINE void rows_loop(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                             const uint64_t *const *source, bool crosses)
{
    const size_t rows = sheet->layers->rows;
    const struct layer_source *from = window->source + edge * rows;
    uint64_t *restrict found = sheet->found;
    for (size_t row = 0; row < rows; row++)
        found[row] |= source_word(source, from[row], crosses);
}

ALWAYS_INLINE void rows_by_kind(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                                const uint64_t *const *source)
{
    if (window->crosses)
        rows_loop(sheet, window, edge, source, true);
    else
        rows_loop(sheet, window, edge, source, false);
}

/* Towards the front: each piece is a run of the source. While layers are thin, most words asked are zeros. */
ALWAYS_INLINE void front_loop(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                              const uint64_t *const *source, bool crosses, spread *spread_to)
{
    const size_t rows = sheet->layers->rows;
    const struct layer_source *from = window->source + edge * rows * LAYER_LOW;
    const struct layer_bits *masks = sheet->layers->mask[window->depth];
    for (size_t row = 0; row < rows; row++, from += LAYER_LOW) {
        if ((sheet->want[row] & ~sheet->found[row]) == 0)
            continue;
        const struct layer_bits *mask = masks + LAYER_ODD * parity_of(sheet, row);
        uint64_t word[LAYER_LOW], any = 0, found = 0;
        for (unsigned i = 0; i < LAYER_LOW; i++)
            any |= word[i] = source_word(source, from[i], crosses);
        if (any == 0)
            continue;
        for (unsigned i = 0; i < LAYER_LOW; i++)
            found |= spread_to(word[i] >> from[i].part, &mask[i]);
        sheet->found[row] |= found;
    }
}

/* Towards the back: each piece is a run of the row. */
ALWAYS_INLINE void back_loop(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                             const uint64_t *const *source, bool crosses, close_up *closed)
{
    const size_t rows = sheet->layers->rows;
    const struct layer_source *from = window->source + edge * rows * LAYER_LOW;
    const struct layer_bits *mask = sheet->layers->mask[window->depth];
    for (size_t row = 0; row < rows; row++, from += LAYER_LOW) {
        if ((sheet->want[row] & ~sheet->found[row]) == 0)
            continue;
        const unsigned parity = LAYER_ODD * parity_of(sheet, row);
        uint64_t word[LAYER_LOW], any = 0, found = 0;
        for (unsigned i = 0; i < LAYER_LOW; i++)
            any |= word[i] = source_word(source, from[i], crosses);
        if (any == 0)
            continue;
        for (unsigned i = 0; i < LAYER_LOW; i++)
            found |= closed(word[i], &mask[from[i].part ^ parity]) << LAYER_RUN * i;
        sheet->found[row] |= found;
    }
}

ALWAYS_INLINE void pieces_loop(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                               const uint64_t *const *source, close_up *closed, spread *spread_to)
{
    const bool front = window->from > window->to;
    if (front && window->crosses)
        front_loop(sheet, window, edge, source, true, spread_to);
    else if (front)
        front_loop(sheet, window, edge, source, false, spread_to);
    else if (window->crosses)
        back_loop(sheet, window, edge, source, true, closed);
    else
        back_loop(sheet, window, edge, source, false, closed);
}

ALWAYS_INLINE void bits_loop(const struct layer_sheet *sheet, const struct layer_window *window, const uint64_t *source,
                             close_up *closed, spread *spread_to)
{
    for (size_t row = 0; row < sheet->layers->rows; row++)
        if ((sheet->want[row] & ~sheet->found[row]) != 0 && source[row] != 0)
            sheet->found[row] |= permute(source[row], &window->permutation[parity_of(sheet, row)], closed, spread_to);
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

static void plain_portable(const struct layer_sheet *sheet, const uint64_t *source)
{
    plain_loop(sheet, source);
}

static void rows_portable(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                          const uint64_t *const *source)
{
    rows_by_kind(sheet, window, edge, source);
}

static void pieces_portable(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                            const uint64_t *const *source)
{
    pieces_loop(sheet, window, edge, source, close_up_portable, spread_portable);
}

static void bits_portable(const struct layer_sheet *sheet, const struct layer_window *window, const uint64_t *source)
{
    bits_loop(sheet, window, source, close_up_portable, spread_portable);
}

static void relabel_portable(const struct layer_sheet *sheet, unsigned pair, const uint64_t *source)
{
    relabel_loop(sheet, pair, source, close_up_portable, spread_portable);
}

static const struct layer_code in_plain_c = {plain_portable, rows_portable, pieces_portable, bits_portable,
                                             relabel_portable};

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

BMI2 static void plain_bmi2(const struct layer_sheet *sheet, const uint64_t *source)
{
    plain_loop(sheet, source);
}

BMI2 static void rows_bmi2(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                           const uint64_t *const *source)
{
    rows_by_kind(sheet, window, edge, source);
}

BMI2 static void pieces_bmi2(const struct layer_sheet *sheet, const struct layer_window *window, unsigned edge,
                             const uint64_t *const *source)
{
    pieces_loop(sheet, window, edge, source, close_up_bmi2, spread_bmi2);
}

BMI2 static void bits_bmi2(const struct layer_sheet *sheet, const struct layer_window *window, const uint64_t *source)
{
    bits_loop(sheet, window, source, close_up_bmi2, spread_bmi2);
}

BMI2 static void relabel_bmi2(const struct layer_sheet *sheet, unsigned pair, const uint64_t *source)
{
    relabel_loop(sheet, pair, source, close_up_bmi2, spread_bmi2);
}

static const struct layer_code with_bmi2 = {plain_bmi2, rows_bmi2, pieces_bmi2, bits_bmi2, relabel_bmi2};

bool slide_layer_fast_bmi2(void)
{
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx2") && !__builtin_cpu_is("znver1") &&
           !__builtin_cpu_is("znver2");
}

const struct layer_code *slide_layer_code(bool portable)
{
    return !portable && slide_layer_fast_bmi2() ? &with_bmi2 : &in_plain_c;
}
#else
const struct layer_code *slide_layer_code(bool portable)
{
    (void)portable;
    return &in_plain_c;
}
#endif
