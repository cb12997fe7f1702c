/* columns.c -- what instructions do, in plain C that compilers make vectors of, and once more for AVX2 */
#include "batch.h"

#define AVX2 "avx2,bmi,bmi2,popcnt"

#define LANE     int8_t
#define UNSIGNED uint8_t
#define NONE     INT8_MIN
#define NAME(x)  byte_##x
#include "lanes.h"
#undef LANE
#undef UNSIGNED
#undef NONE
#undef NAME

#define LANE     int16_t
#define UNSIGNED uint16_t
#define NONE     INT16_MIN
#define NAME(x)  half_##x
#include "lanes.h"
#undef LANE
#undef UNSIGNED
#undef NONE
#undef NAME

#define LANE     int32_t
#define UNSIGNED uint32_t
#define NONE     INT32_MIN
#define NAME(x)  word_##x
#include "lanes.h"
#undef LANE
#undef UNSIGNED
#undef NONE
#undef NAME

ALWAYS_INLINE void widen(const struct batch *batch, const struct instruction *step)
{
    void *to = batch_column(batch, step->to);
    const void *from = batch_column(batch, step->a);
    const int8_t *restrict byte = from;
    const int16_t *restrict half = from;
    int16_t *restrict to_half = to;
    int32_t *restrict to_word = to;
    const size_t lanes = batch->lanes;
    if (step->width == 2)
        for (size_t i = 0; i < lanes; i++)
            /* NOLINTNEXTLINE(*narrowing-conversions): it fits into the lane that was chosen for it */
            to_half[i] = byte[i] == INT8_MIN ? INT16_MIN : byte[i];
    else if (step->from == 1)
        for (size_t i = 0; i < lanes; i++)
            to_word[i] = byte[i] == INT8_MIN ? INT32_MIN : byte[i];
    else
        for (size_t i = 0; i < lanes; i++)
            to_word[i] = half[i] == INT16_MIN ? INT32_MIN : half[i];
}

#ifdef __x86_64__
enum { MOST_PARTS = 4 };

/* A table of up to MOST_PARTS * 16 bytes: each part gives its bytes where the index is in it, and 0 elsewhere. */
__attribute__((target("avx2"))) static void look_up_avx2(const struct lookup_table *table, int8_t *to,
                                                         const int8_t *index, size_t lanes)
{
    const uint32_t parts = (table->count + 15) / 16;
    const __m256i none = _mm256_set1_epi8(INT8_MIN), part = _mm256_set1_epi8(16), within = _mm256_set1_epi8(0x70);
    __m256i number[MOST_PARTS];
    for (uint32_t p = 0; p < parts; p++) {
        const __m128i *from = (const __m128i *)table->lane + p;
        number[p] = _mm256_xor_si256(_mm256_broadcastsi128_si256(_mm_loadu_si128(from)), none);
    }
    for (size_t i = 0; i < lanes; i += sizeof none) {
        __m256i at = _mm256_load_si256((const __m256i *)(const void *)(index + i)), found = none;
        for (uint32_t p = 0; p < parts; p++) {
            const __m256i in_part = _mm256_adds_epu8(at, within); /* the sign is set beyond it */
            found = _mm256_xor_si256(found, _mm256_shuffle_epi8(number[p], in_part));
            at = _mm256_sub_epi8(at, part);
        }
        _mm256_store_si256((__m256i *)(void *)(to + i), found);
    }
}
#endif

/* The instruction to go on with. */
ALWAYS_INLINE const struct instruction *step_of(struct batch *batch, const struct instruction *step)
{
    switch (step->op) {
    case STEP_HOLDS:
#ifdef __x86_64__
        if (batch->program->avx2) {
            batch_holds_avx2(batch, (size_t)step->number, batch_column(batch, step->a));
            break;
        }
#endif
        batch_holds(batch, (size_t)step->number, batch_column(batch, step->a));
        break;
    case STEP_COUNTED:
        batch_counted(batch);
        break;
    case STEP_SKIP:
        return step + 1 + (batch_skips(batch, (size_t)step->number) ? step->to : 0);
    case STEP_MOVE:
        batch_move(batch, (size_t)step->number);
        break;
    default: { /* STEP_GOAL */
        const int8_t *mask = batch_column(batch, step->a);
        for (size_t i = 0; i < batch->count; i++)
            batch->goal[i] = mask[i] != 0;
    }
    }
    return step + 1;
}

typedef void run_step(const struct batch *batch, const struct instruction *step);

/* With what runs an instruction on lanes of 1, 2 and 4 bytes. */
ALWAYS_INLINE void run(struct batch *batch, run_step *byte, run_step *half, run_step *word)
{
    const struct code *code = batch->code;
    const struct instruction *end = code->instruction + code->count;
    batch_unpack(batch);
    for (const struct instruction *step = code->instruction; step < end;) {
        if (step->op >= VALUE_OPS) {
            step = step_of(batch, step);
            continue;
        }
#ifdef __x86_64__
        if (step->op == VALUE_LOOKUP && step->width == 1 && batch->program->avx2 &&
            batch->program->table[step->b].count <= MOST_PARTS * 16) {
            look_up_avx2(&batch->program->table[step->b], batch_column(batch, step->to), batch_column(batch, step->a),
                         batch->lanes);
            step++;
            continue;
        }
#endif
        if (step->op == VALUE_WIDEN)
            widen(batch, step);
        else if (step->width == 1)
            byte(batch, step);
        else if (step->width == 2)
            half(batch, step);
        else
            word(batch, step);
        step++;
    }
}

static void run_portable(struct batch *batch)
{
    run(batch, byte_portable, half_portable, word_portable);
}

#ifdef __x86_64__
__attribute__((target(AVX2))) static void run_avx2(struct batch *batch)
{
    run(batch, byte_avx2, half_avx2, word_avx2);
}
#endif

void columns_run(struct batch *batch)
{
#ifdef __x86_64__
    if (batch->program->avx2) {
        run_avx2(batch);
        return;
    }
#endif
    run_portable(batch);
}
