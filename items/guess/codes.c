/* codes.c -- codes: their numbers, their bits, and the answers to questions (guess.h) */
#include "guess.h"

#include <stdlib.h>
#include <string.h>

/* -- numbers -- */

uint64_t guess_count_codes(unsigned symbols, unsigned length, bool repeats)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < length; i++) {
        const uint64_t choices = repeats ? symbols : i < symbols ? symbols - i : 0;
        if (__builtin_mul_overflow(count, choices, &count))
            return UINT64_MAX;
    }
    return count;
}

void guess_symbols(const struct guess *guess, uint32_t code, uint8_t *symbol)
{
    uint64_t tails = guess->codes, used = 0;
    for (unsigned place = 0; place < guess->length; place++) {
        /* NOLINTNEXTLINE(*DivideZero): where symbols do not repeat there are as many as a code is long, or more */
        tails /= guess->repeats ? guess->symbols : guess->symbols - place;
        unsigned which = (unsigned)(code / tails), s = 0;
        code = (uint32_t)(code % tails);
        for (;; s++) /* the `which`-th symbol that is free */
            if ((used >> s & 1) == 0 && which-- == 0)
                break;
        symbol[place] = (uint8_t)s;
        if (!guess->repeats)
            used |= (uint64_t)1 << s;
    }
}

uint32_t guess_number(const struct guess *guess, const uint8_t *symbol)
{
    uint64_t tails = guess->codes, number = 0, used = 0;
    for (unsigned place = 0; place < guess->length; place++) {
        const uint64_t below = ((uint64_t)1 << symbol[place]) - 1;
        tails /= guess->repeats ? guess->symbols : guess->symbols - place;
        number += tails * (symbol[place] - (unsigned)__builtin_popcountll(used & below));
        if (!guess->repeats)
            used |= (uint64_t)1 << symbol[place];
    }
    return (uint32_t)number;
}

/* -- bits -- */

pdb_status guess_codes_make(struct guess *guess, pdb_error *error)
{
    uint8_t symbol[GUESS_MAX_LENGTH];
    guess->codes = (uint32_t)guess_count_codes(guess->symbols, guess->length, guess->repeats);
    guess->answers = guess_answer_number(guess->length, 0) + 1;
    guess->words = (guess->symbols * guess->length + 63) / 64;
    const size_t size = (size_t)guess->codes * 2 * guess->words * sizeof *guess->bits;
    guess->bits = malloc(size);
    if (guess->bits == NULL)
        return error_no_memory(error, "the codes", size);
    for (uint32_t code = 0; code < guess->codes; code++) {
        uint64_t *bits = guess->bits + (size_t)code * 2 * guess->words;
        uint8_t times[GUESS_MAX_SYMBOLS] = {0};
        guess_symbols(guess, code, symbol);
        memset(bits, 0, 2 * guess->words * sizeof *bits);
        for (unsigned place = 0; place < guess->length; place++) {
            const unsigned s = symbol[place], there = place * guess->symbols + s;
            const unsigned often = times[s]++ * guess->symbols + s;
            bits[there / 64] |= (uint64_t)1 << there % 64;
            bits[guess->words + often / 64] |= (uint64_t)1 << often % 64;
        }
    }
    return PDB_OK;
}

/* -- answers -- */

static inline __attribute__((always_inline)) unsigned answer_of(const uint64_t *question, const uint64_t *code,
                                                                unsigned words)
{
    int bulls = 0, right = 0;
    for (unsigned w = 0; w < words; w++) {
        bulls += __builtin_popcountll(question[w] & code[w]);
        right += __builtin_popcountll(question[words + w] & code[words + w]);
    }
    return guess_answer_number((unsigned)bulls, (unsigned)(right - bulls));
}

static inline __attribute__((always_inline)) void all_answers(const struct guess *guess, uint32_t question,
                                                              const uint32_t *codes, size_t count, uint8_t *answer)
{
    const size_t stride = 2 * (size_t)guess->words;
    const uint64_t *bits = guess->bits, *asked = bits + question * stride;
    if (guess->words == 1) {
        for (size_t i = 0; i < count; i++)
            answer[i] = (uint8_t)answer_of(asked, bits + 2 * (size_t)codes[i], 1);
        return;
    }
    for (size_t i = 0; i < count; i++)
        answer[i] = (uint8_t)answer_of(asked, bits + stride * codes[i], guess->words);
}

#ifdef __x86_64__
__attribute__((target("popcnt"))) static void all_answers_popcnt(const struct guess *guess, uint32_t question,
                                                                 const uint32_t *codes, size_t count, uint8_t *answer)
{
    all_answers(guess, question, codes, count, answer);
}
#endif

void guess_answers(const struct guess *guess, uint32_t question, const uint32_t *codes, size_t count, uint8_t *answer)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt")) {
        all_answers_popcnt(guess, question, codes, count, answer);
        return;
    }
#endif
    all_answers(guess, question, codes, count, answer);
}

unsigned guess_answer(const struct guess *guess, uint32_t question, uint32_t code)
{
    const size_t stride = 2 * (size_t)guess->words;
    return answer_of(guess->bits + question * stride, guess->bits + code * stride, guess->words);
}

void guess_divide(const struct guess *guess, uint32_t question, uint32_t *codes, size_t count, uint32_t *spare,
                  uint32_t *begin)
{
    enum { BATCH = 1024 };
    uint8_t answer[BATCH];
    uint32_t next[GUESS_MAX_ANSWERS];
    memset(begin, 0, (guess->answers + 1) * sizeof *begin);
    for (size_t done = 0; done < count; done += BATCH) {
        const size_t batch = count - done < BATCH ? count - done : BATCH;
        guess_answers(guess, question, codes + done, batch, answer);
        for (size_t i = 0; i < batch; i++)
            begin[answer[i] + 1]++;
    }
    for (unsigned a = 0; a < guess->answers; a++) {
        next[a] = begin[a];
        begin[a + 1] += begin[a];
    }
    memcpy(spare, codes, count * sizeof *spare);
    for (size_t done = 0; done < count; done += BATCH) {
        const size_t batch = count - done < BATCH ? count - done : BATCH;
        guess_answers(guess, question, spare + done, batch, answer);
        for (size_t i = 0; i < batch; i++)
            codes[next[answer[i]]++] = spare[done + i];
    }
}
