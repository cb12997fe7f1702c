/* batch.h -- from keys to columns of elements, and from masks and columns to next keys: inlined into columns.c */
#ifndef FAMILIES_RULES_BATCH_H
#define FAMILIES_RULES_BATCH_H

#include "columns.h"

#include <string.h>

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* -- keys -- */

/* Puts a digit into a column. Digits that no state has become the greatest: so a key of no state is as good as one. */
ALWAYS_INLINE void batch_put(const struct unpacked *unpacked, void *to, size_t i, uint64_t digit)
{
    const uint64_t most = (uint64_t)unpacked->range - 1;
    const uint32_t number = (uint32_t)(digit < most ? digit : most) + (uint32_t)unpacked->lo;
    if (unpacked->width == 1)
        ((int8_t *)to)[i] = (int8_t)number;
    else if (unpacked->width == 2)
        ((int16_t *)to)[i] = (int16_t)number;
    else
        ((int32_t *)to)[i] = (int32_t)number;
}

ALWAYS_INLINE void batch_shift(const struct batch *batch, const struct unpacked *unpacked)
{
    const uint64_t *restrict key = batch->key;
    void *restrict to = batch_column(batch, unpacked->to);
    const struct unpacked what = *unpacked;
    const size_t lanes = batch->lanes;
    for (size_t i = 0; i < lanes; i++)
        batch_put(&what, to, i, key[i] >> what.shift & what.mask);
}

/* rest / by: `inverse` is 2^64 / by rounded down, which gives the quotient or one less. */
ALWAYS_INLINE uint64_t batch_divide(uint64_t rest, uint64_t by, uint64_t inverse)
{
    const uint64_t quotient = (uint64_t)((unsigned __int128)rest * inverse >> 64);
    return quotient + (rest - quotient * by >= by);
}

ALWAYS_INLINE void batch_divide_off(const struct batch *batch, const struct unpacked *unpacked)
{
    uint64_t *restrict rest = batch->rest;
    void *restrict to = batch_column(batch, unpacked->to);
    const struct unpacked what = *unpacked;
    const uint64_t range = (uint64_t)what.range, inverse = UINT64_MAX / range, gap_inverse = UINT64_MAX / what.gap;
    const size_t lanes = batch->lanes;
    for (size_t i = 0; i < lanes; i++) {
        const uint64_t from = what.gap == 1 ? rest[i] : batch_divide(rest[i], what.gap, gap_inverse);
        rest[i] = batch_divide(from, range, inverse);
        batch_put(&what, to, i, from - rest[i] * range);
    }
}

ALWAYS_INLINE void batch_unpack(const struct batch *batch)
{
    const struct code *code = batch->code;
    const bool shifts = batch->program->rules->layout.shifts;
    if (!shifts)
        memcpy(batch->rest, batch->key, batch->lanes * sizeof *batch->rest);
    for (size_t e = 0; e < code->elements; e++)
        if (shifts)
            batch_shift(batch, &code->unpacked[e]);
        else
            batch_divide_off(batch, &code->unpacked[e]);
}

/* -- which moves hold -- */

/* The signs of 64 lanes. */
ALWAYS_INLINE uint64_t batch_signs(const int8_t *mask)
{
    uint64_t signs = 0;
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

ALWAYS_INLINE void batch_holds(const struct batch *batch, size_t move, const int8_t *restrict mask)
{
    const size_t lanes = batch->lanes, words = lanes / BATCH_WORD;
    uint64_t *restrict holds = batch->holds + move * words;
    uint8_t *restrict few = batch->few;
    for (size_t w = 0; w < words; w++)
        holds[w] = batch_signs(mask + w * BATCH_WORD);
    if (batch->count % BATCH_WORD != 0)
        holds[words - 1] &= UINT64_MAX >> (BATCH_WORD - batch->count % BATCH_WORD);
    for (size_t i = 0; i < lanes; i++)
        few[i] = (uint8_t)(few[i] - mask[i]);
    if (move % UINT8_MAX == UINT8_MAX - 1)
        batch_flush(batch);
}

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
    for (size_t k = 0; k < count; k++)
        batch->rest[k] += (uint64_t)batch_lane(column, what.width, batch->listed[k]) * what.weight;
}

/* An index beyond its array would be a condition's mistake; it does no harm. */
ALWAYS_INLINE void batch_add_indexed(const struct batch *batch, const struct move_indexed *indexed, size_t count)
{
    const void *difference = batch_column(batch, indexed->difference), *index = batch_column(batch, indexed->index);
    const struct move_indexed what = *indexed;
    const uint64_t *weight = batch->program->rules->layout.weight + what.first;
    for (size_t k = 0; k < count; k++) {
        const size_t lane = batch->listed[k];
        const uint64_t at = (uint64_t)batch_lane(index, what.index_width, lane);
        const uint64_t by = (uint64_t)batch_lane(difference, what.difference_width, lane);
        batch->rest[k] += by * weight[at < what.count ? at : what.count - 1];
    }
}

ALWAYS_INLINE void batch_move(const struct batch *batch, size_t number)
{
    const struct program_move *move = &batch->program->move[number];
    const struct program *program = batch->program;
    const size_t count = batch_list(batch, number);
    const uint64_t keep = move->keep, add = move->add;
    if (batch->cost != NULL) {
        const void *cost = batch_column(batch, move->cost.column);
        for (size_t k = 0; k < count; k++)
            batch->cost[batch->place[batch->listed[k]]] = (uint32_t)batch_lane(cost, move->cost.width,
                                                                               batch->listed[k]);
    }
    if (move->terms + move->indexed == 0) {
        for (size_t k = 0; k < count; k++) {
            const size_t lane = batch->listed[k];
            batch->next[batch->place[lane]++] = (batch->key[lane] & keep) + add;
        }
        return;
    }
    for (size_t k = 0; k < count; k++)
        batch->rest[k] = (batch->key[batch->listed[k]] & keep) + add;
    for (uint32_t i = 0; i < move->terms; i++)
        batch_add_term(batch, &program->term[move->first_term + i], count);
    for (uint32_t i = 0; i < move->indexed; i++)
        batch_add_indexed(batch, &program->indexed[move->first_indexed + i], count);
    for (size_t k = 0; k < count; k++)
        batch->next[batch->place[batch->listed[k]]++] = batch->rest[k];
}

#endif
