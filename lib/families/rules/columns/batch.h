/* batch.h -- from keys to columns of elements, and from masks and columns to next keys: inlined into columns.c */
#ifndef FAMILIES_RULES_BATCH_H
#define FAMILIES_RULES_BATCH_H

#include "columns.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* -- keys -- */

/* Puts a digit into a column. Digits that no state has become the greatest: so a key of no state is as good as one. */
ALWAYS_INLINE void batch_put(const struct unpacked *unpacked, void *to, size_t i, uint32_t digit)
{
    const uint32_t most = (uint32_t)unpacked->range - 1;
    const uint32_t number = (digit < most ? digit : most) + (uint32_t)unpacked->lo;
    if (unpacked->width == 1)
        ((int8_t *)to)[i] = (int8_t)number;
    else if (unpacked->width == 2)
        ((int16_t *)to)[i] = (int16_t)number;
    else
        ((int32_t *)to)[i] = (int32_t)number;
}

ALWAYS_INLINE void batch_shift(const struct batch *batch, const struct unpacked *unpacked)
{
    const uint64_t *restrict key = batch->key + unpacked->word * batch->lanes;
    void *restrict to = batch_column(batch, unpacked->to);
    const struct unpacked what = *unpacked;
    const size_t lanes = batch->lanes;
    if (what.width == 1 && what.mask + 1 == (uint64_t)what.range && what.lo == 0) { /* as most are */
        for (size_t i = 0; i < lanes; i++)
            ((uint8_t *)to)[i] = (uint8_t)(key[i] >> what.shift) & (uint8_t)what.mask;
        return;
    }
    for (size_t i = 0; i < lanes; i++)
        batch_put(&what, to, i, (uint32_t)(key[i] >> what.shift & what.mask));
}

/* rest / by: `inverse` is 2^64 / by rounded down, which gives the quotient or one less. */
ALWAYS_INLINE uint64_t batch_divide(uint64_t rest, uint64_t by, uint64_t inverse)
{
    const uint64_t quotient = (uint64_t)((unsigned __int128)rest * inverse >> 64);
    return quotient + (rest - quotient * by >= by);
}

ALWAYS_INLINE void batch_divide_off(const struct batch *batch, const struct unpacked *unpacked)
{
    uint64_t *restrict rest = batch->rest + unpacked->word * batch->lanes;
    void *restrict to = batch_column(batch, unpacked->to);
    const struct unpacked what = *unpacked;
    const uint64_t range = (uint64_t)what.range, inverse = UINT64_MAX / range, gap_inverse = UINT64_MAX / what.gap;
    const size_t lanes = batch->lanes;
    for (size_t i = 0; i < lanes; i++) {
        const uint64_t from = what.gap == 1 ? rest[i] : batch_divide(rest[i], what.gap, gap_inverse);
        rest[i] = batch_divide(from, range, inverse);
        batch_put(&what, to, i, (uint32_t)(from - rest[i] * range));
    }
}

/* Words of a key. */
ALWAYS_INLINE size_t batch_words(const struct batch *batch)
{
    return batch->program->rules->layout.wide ? 2 : 1;
}

ALWAYS_INLINE void batch_unpack(const struct batch *batch)
{
    const struct code *code = batch->code;
    const bool shifts = batch->program->rules->layout.shifts;
    if (!shifts)
        memcpy(batch->rest, batch->key, batch_words(batch) * batch->lanes * sizeof *batch->rest);
    for (size_t e = 0; e < code->elements; e++)
        if (shifts)
            batch_shift(batch, &code->unpacked[e]);
        else
            batch_divide_off(batch, &code->unpacked[e]);
}

/* -- which moves hold -- */

#ifdef __x86_64__
/* The signs of 64 lanes, and a count for each that has one. */
__attribute__((target("avx2"))) static inline uint64_t batch_signs_avx2(const int8_t *mask, uint8_t *few)
{
    const __m256i low = _mm256_load_si256((const __m256i *)(const void *)mask);
    const __m256i high = _mm256_load_si256((const __m256i *)(const void *)(mask + 32));
    __m256i *count = (__m256i *)(void *)few;
    count[0] = _mm256_sub_epi8(count[0], low);
    count[1] = _mm256_sub_epi8(count[1], high);
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32 | (uint32_t)_mm256_movemask_epi8(low);
}
#endif

ALWAYS_INLINE uint64_t batch_signs(const int8_t *restrict mask, uint8_t *restrict few)
{
    uint64_t signs = 0;
    for (unsigned i = 0; i < BATCH_WORD; i++)
        few[i] = (uint8_t)(few[i] - mask[i]);
    for (unsigned i = 0; i < BATCH_WORD / 8; i++) {
        uint64_t eight;
        memcpy(&eight, mask + 8 * i, sizeof eight);
        signs |= ((eight & 0x0101010101010101) * 0x0102040810204080 >> 56) << 8 * i;
    }
    return signs;
}

ALWAYS_INLINE void batch_flush(const struct batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        batch->next_count[i] = (uint16_t)(batch->next_count[i] + batch->few[i]);
    memset(batch->few, 0, batch->lanes);
}

ALWAYS_INLINE void batch_end_of_holds(const struct batch *batch, size_t move)
{
    const size_t words = batch->lanes / BATCH_WORD;
    if (batch->count % BATCH_WORD != 0)
        batch->holds[move * words + words - 1] &= UINT64_MAX >> (BATCH_WORD - batch->count % BATCH_WORD);
    if (move % UINT8_MAX == UINT8_MAX - 1)
        batch_flush(batch);
}

ALWAYS_INLINE void batch_holds(const struct batch *batch, size_t move, const int8_t *mask)
{
    const size_t words = batch->lanes / BATCH_WORD;
    for (size_t w = 0; w < words; w++)
        batch->holds[move * words + w] = batch_signs(mask + w * BATCH_WORD, batch->few + w * BATCH_WORD);
    batch_end_of_holds(batch, move);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void batch_holds_avx2(const struct batch *batch, size_t move, const int8_t *mask)
{
    const size_t words = batch->lanes / BATCH_WORD;
    for (size_t w = 0; w < words; w++)
        batch->holds[move * words + w] = batch_signs_avx2(mask + w * BATCH_WORD, batch->few + w * BATCH_WORD);
    batch_end_of_holds(batch, move);
}
#endif

/* Every state's next keys stand after those of the state before it. */
ALWAYS_INLINE void batch_counted(struct batch *batch)
{
    batch_flush(batch);
    uint32_t made = 0;
    for (size_t i = 0; i < batch->count; i++) {
        batch->place[i] = made;
        made += batch->next_count[i];
    }
    batch->made = made;
}

ALWAYS_INLINE bool batch_skips(const struct batch *batch, size_t move)
{
    const size_t words = batch->lanes / BATCH_WORD;
    uint64_t any = 0;
    for (size_t w = 0; w < words; w++)
        any |= batch->holds[move * words + w];
    return any == 0;
}

/* -- next keys -- */

/* Lists the lanes where a move holds. */
ALWAYS_INLINE size_t batch_list(const struct batch *batch, size_t move)
{
    const size_t words = batch->lanes / BATCH_WORD;
    size_t count = 0;
    for (size_t w = 0; w < words; w++)
        for (uint64_t left = batch->holds[move * words + w]; left != 0; left &= left - 1)
            batch->listed[count++] = (uint16_t)(w * BATCH_WORD + (unsigned)__builtin_ctzll(left));
    return count;
}

ALWAYS_INLINE int64_t batch_lane(const void *column, uint8_t width, size_t i)
{
    return width == 1   ? ((const int8_t *)column)[i]
           : width == 2 ? ((const int16_t *)column)[i]
                        : ((const int32_t *)column)[i];
}

ALWAYS_INLINE void batch_add_term(const struct batch *batch, const struct move_term *term, size_t count)
{
    const void *column = batch_column(batch, term->column);
    const struct move_term what = *term;
    uint64_t *rest = batch->rest + what.word * batch->lanes;
    for (size_t k = 0; k < count; k++)
        rest[k] += (uint64_t)batch_lane(column, what.width, batch->listed[k]) * what.weight;
}

/* An index beyond its array would be a condition's mistake; it does no harm. */
ALWAYS_INLINE void batch_add_indexed(const struct batch *batch, const struct move_indexed *indexed, size_t count)
{
    const void *difference = batch_column(batch, indexed->difference), *index = batch_column(batch, indexed->index);
    const struct move_indexed what = *indexed;
    const uint64_t *weight = batch->program->rules->layout.weight + what.first;
    const uint8_t *word = batch_words(batch) > 1 ? batch->program->rules->layout.word + what.first : NULL;
    for (size_t k = 0; k < count; k++) {
        const size_t lane = batch->listed[k];
        const uint64_t at = (uint64_t)batch_lane(index, what.index_width, lane);
        const uint64_t by = (uint64_t)batch_lane(difference, what.difference_width, lane);
        const uint64_t element = at < what.count ? at : what.count - 1;
        batch->rest[word == NULL ? k : k + word[element] * batch->lanes] += by * weight[element];
    }
}

enum { BYTES_MOST = 2 /* terms and indexed, each */ };

/* The parts of a move whose columns are of bytes. */
struct batch_bytes {
    const int8_t *term[BYTES_MOST], *difference[BYTES_MOST], *index[BYTES_MOST];
    uint64_t term_weight[BYTES_MOST], most[BYTES_MOST]; /* the greatest index */
    const uint64_t *weight[BYTES_MOST];                 /* by the index */
};

/* Has a move few parts, and are they of bytes? */
ALWAYS_INLINE bool batch_is_of_bytes(const struct batch *batch, const struct program_move *move,
                                     struct batch_bytes *bytes)
{
    const struct program *program = batch->program;
    bool of_bytes = move->terms <= BYTES_MOST && move->indexed <= BYTES_MOST;
    for (uint32_t i = 0; of_bytes && i < move->terms; i++) {
        const struct move_term *term = &program->term[move->first_term + i];
        bytes->term[i] = batch_column(batch, term->column);
        bytes->term_weight[i] = term->weight;
        of_bytes = term->width == 1;
    }
    for (uint32_t i = 0; of_bytes && i < move->indexed; i++) {
        const struct move_indexed *indexed = &program->indexed[move->first_indexed + i];
        bytes->difference[i] = batch_column(batch, indexed->difference);
        bytes->index[i] = batch_column(batch, indexed->index);
        bytes->weight[i] = program->rules->layout.weight + indexed->first;
        bytes->most[i] = indexed->count - (uint64_t)1;
        of_bytes = indexed->difference_width == 1 && indexed->index_width == 1;
    }
    return of_bytes;
}

/* The next keys of such a move, with so many parts. */
ALWAYS_INLINE void batch_bytes_move(const struct batch *batch, const struct program_move *move, size_t number,
                                    const struct batch_bytes *of, uint32_t terms, uint32_t indexed)
{
    const size_t words = batch->lanes / BATCH_WORD;
    const uint64_t keep = move->keep[0], add = move->add[0], *holds = batch->holds + number * words;
    const struct batch_bytes bytes = *of;
    const uint64_t *key = batch->key;
    uint64_t *next = batch->next;
    uint32_t *place = batch->place;
    for (size_t w = 0; w < words; w++)
        for (uint64_t left = holds[w]; left != 0; left &= left - 1) {
            const size_t lane = w * BATCH_WORD + (unsigned)__builtin_ctzll(left);
            uint64_t made = (key[lane] & keep) + add;
            for (uint32_t i = 0; i < terms; i++)
                made += (uint64_t)(int64_t)bytes.term[i][lane] * bytes.term_weight[i];
            for (uint32_t i = 0; i < indexed; i++) {
                const uint64_t at = (uint64_t)(int64_t)bytes.index[i][lane];
                made += (uint64_t)(int64_t)bytes.difference[i][lane] *
                        bytes.weight[i][at <= bytes.most[i] ? at : bytes.most[i]];
            }
            next[place[lane]++] = made;
        }
}

/* With the usual numbers of parts known to the compiler. */
ALWAYS_INLINE void batch_few_parts(const struct batch *batch, const struct program_move *move, size_t number,
                                   const struct batch_bytes *bytes)
{
    if (move->indexed == 0 && move->terms == 0)
        batch_bytes_move(batch, move, number, bytes, 0, 0);
    else if (move->indexed == 0 && move->terms == 1)
        batch_bytes_move(batch, move, number, bytes, 1, 0);
    else
        batch_bytes_move(batch, move, number, bytes, move->terms, move->indexed);
}

/* What a move leaves of a word, and what it adds everywhere. */
ALWAYS_INLINE void batch_keep(const struct batch *batch, size_t word, uint64_t keep, uint64_t add, size_t count)
{
    const uint64_t *key = batch->key + word * batch->lanes;
    uint64_t *rest = batch->rest + word * batch->lanes;
    for (size_t k = 0; k < count; k++)
        rest[k] = (key[batch->listed[k]] & keep) + add;
}

ALWAYS_INLINE void batch_move(const struct batch *batch, size_t number)
{
    const struct program_move *move = &batch->program->move[number];
    const struct program *program = batch->program;
    const size_t words = batch_words(batch);
    const bool wide = words > 1;
    struct batch_bytes bytes;
    if (batch->cost == NULL && batch->move == NULL && !wide && batch_is_of_bytes(batch, move, &bytes)) {
        batch_few_parts(batch, move, number, &bytes);
        return;
    }
    const size_t count = batch_list(batch, number);
    if (batch->cost != NULL) {
        const void *cost = batch_column(batch, move->cost.column);
        for (size_t k = 0; k < count; k++)
            batch->cost[batch->place[batch->listed[k]]] = (uint32_t)batch_lane(cost, move->cost.width,
                                                                               batch->listed[k]);
    }
    for (size_t k = 0; k < count && batch->move != NULL; k++)
        batch->move[batch->place[batch->listed[k]]] = (uint32_t)number;
    for (size_t w = 0; w < words; w++)
        batch_keep(batch, w, move->keep[w], move->add[w], count);
    for (uint32_t i = 0; i < move->terms; i++)
        batch_add_term(batch, &program->term[move->first_term + i], count);
    for (uint32_t i = 0; i < move->indexed; i++)
        batch_add_indexed(batch, &program->indexed[move->first_indexed + i], count);
    for (size_t k = 0; k < count && !wide; k++)
        batch->next[batch->place[batch->listed[k]]++] = batch->rest[k];
    for (size_t k = 0; k < count && wide; k++) {
        const size_t place = batch->place[batch->listed[k]]++;
        batch->next[2 * place] = batch->rest[k];
        batch->next[2 * place + 1] = batch->rest[batch->lanes + k];
    }
}

#endif
