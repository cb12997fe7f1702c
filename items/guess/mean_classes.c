/* mean_classes.c -- what every question does to a set of few codes, for many questions at a time
 *
 * The answer of question q to code c is that of c to q. So the answers of a row of questions to one code lie side by
 * side in the table, and classes are counted for a block of questions at once, a byte for each: the processor counts
 * for 16 or 32 questions with one instruction.
 */
#include "strategy.h"

#include <string.h>

typedef uint8_t lanes __attribute__((vector_size(32)));

enum { LANES = sizeof(lanes) };

/* The answers of the block's questions to each code: in the table, or worked out. */
struct rows {
    const uint8_t *row[GUESS_MAX_COUNTED];
    uint8_t answer[GUESS_MAX_COUNTED][GUESS_BLOCK];
};

typedef void counter(const struct rows *rows, size_t count, unsigned answers, struct guess_block *block);

static inline __attribute__((always_inline)) void take_size(const lanes *size, uint8_t *out, lanes *classes,
                                                            lanes *largest)
{
    const lanes more = (lanes)(*size > *largest);
    *largest = (*size & more) | (*largest & ~more);
    *classes -= (lanes)(*size != 0);
    memcpy(out, size, sizeof *size);
}

/* Four answers at a time, so that a row is read for four. There is room for some answers too many, which never come. */
static inline __attribute__((always_inline)) void count_block(const struct rows *rows, size_t count, unsigned answers,
                                                              struct guess_block *block)
{
    for (unsigned part = 0; part < GUESS_BLOCK; part += LANES) {
        lanes classes = {0}, largest = {0};
        for (unsigned a = 0; a < answers; a += 4) {
            const lanes same = (lanes){0} + (uint8_t)a;
            lanes first = {0}, second = {0}, third = {0}, fourth = {0};
            for (size_t i = 0; i < count; i++) {
                lanes answer;
                memcpy(&answer, rows->row[i] + part, sizeof answer);
                first -= (lanes)(answer == same); /* true is -1 */
                second -= (lanes)(answer == same + 1);
                third -= (lanes)(answer == same + 2);
                fourth -= (lanes)(answer == same + 3);
            }
            take_size(&first, block->size[a] + part, &classes, &largest);
            take_size(&second, block->size[a + 1] + part, &classes, &largest);
            take_size(&third, block->size[a + 2] + part, &classes, &largest);
            take_size(&fourth, block->size[a + 3] + part, &classes, &largest);
        }
        memcpy(block->classes + part, &classes, sizeof classes);
        memcpy(block->largest + part, &largest, sizeof largest);
    }
}

static void count_portable(const struct rows *rows, size_t count, unsigned answers, struct guess_block *block)
{
    count_block(rows, count, answers, block);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void count_avx2(const struct rows *rows, size_t count, unsigned answers,
                                                       struct guess_block *block)
{
    count_block(rows, count, answers, block);
}
#endif

static void count_with(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                       counter *counts, struct guess_block *block)
{
    const struct guess *guess = weigher->guess;
    const uint32_t questions = guess->codes - first < GUESS_BLOCK ? guess->codes - first : GUESS_BLOCK;
    const bool whole = weigher->table != NULL && questions == GUESS_BLOCK;
    struct rows rows;
    uint32_t question[GUESS_BLOCK];
    for (uint32_t i = 0; i < questions; i++)
        question[i] = first + i;
    for (size_t i = 0; i < count; i++) {
        rows.row[i] = whole ? weigher->table + (size_t)set[i] * guess->codes + first : rows.answer[i];
        if (!whole) {
            memset(rows.answer[i], 0, sizeof rows.answer[i]);
            guess_answers(guess, set[i], question, questions, rows.answer[i]);
        }
    }
    counts(&rows, count, guess->answers, block);
}

void guess_block_count_portable(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                                struct guess_block *block)
{
    count_with(weigher, set, count, first, count_portable, block);
}

void guess_block_count(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                       struct guess_block *block)
{
    counter *counts = count_portable;
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        counts = count_avx2;
#endif
    count_with(weigher, set, count, first, counts, block);
}
