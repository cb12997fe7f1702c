/* oracle_guess.c -- codes and answers, as plainly as can be */
#include "oracle_guess.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool all_different(const struct oracle_code *code, unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        for (unsigned j = 0; j < i; j++)
            if (code->symbol[i] == code->symbol[j])
                return false;
    return true;
}

void oracle_codes_list(unsigned symbols, unsigned length, bool repeats, struct oracle_codes *codes)
{
    struct oracle_code code = {{0}};
    unsigned place;
    *codes = (struct oracle_codes){symbols, length, repeats, 0, NULL};
    do {
        if (repeats || all_different(&code, length)) {
            codes->code = realloc(codes->code, (codes->count + 1) * sizeof code);
            if (codes->code == NULL)
                abort();
            codes->code[codes->count++] = code;
        }
        for (place = length; place > 0 && ++code.symbol[place - 1] == symbols; place--)
            code.symbol[place - 1] = 0;
    } while (place > 0);
}

void oracle_answer(unsigned length, const struct oracle_code *question, const struct oracle_code *code, unsigned *bulls,
                   unsigned *cows)
{
    bool asked[ORACLE_LENGTH_MAX] = {false}, there[ORACLE_LENGTH_MAX] = {false}; /* crossed out */
    *bulls = *cows = 0;
    for (unsigned i = 0; i < length; i++)
        if (question->symbol[i] == code->symbol[i]) {
            asked[i] = there[i] = true;
            ++*bulls;
        }
    for (unsigned i = 0; i < length; i++)
        for (unsigned j = 0; j < length && !asked[i]; j++)
            if (!there[j] && question->symbol[i] == code->symbol[j]) {
                asked[i] = there[j] = true;
                ++*cows;
            }
}

static unsigned answer_number(const struct oracle_codes *codes, size_t question, size_t code)
{
    unsigned bulls, cows;
    oracle_answer(codes->length, &codes->code[question], &codes->code[code], &bulls, &cows);
    return bulls * (ORACLE_LENGTH_MAX + 1) + cows;
}

unsigned oracle_first(const struct oracle_codes *codes, size_t code)
{
    size_t asked[1000];
    unsigned count = 0;
    for (size_t candidate = 0;; candidate++) {
        bool agrees = true;
        for (unsigned i = 0; i < count && agrees; i++)
            agrees = answer_number(codes, asked[i], candidate) == answer_number(codes, asked[i], code);
        if (!agrees)
            continue;
        asked[count++] = candidate;
        if (candidate == code)
            return count;
    }
}

enum { ANSWERS = (ORACLE_LENGTH_MAX + 1) * (ORACLE_LENGTH_MAX + 1) };

/* The size of the largest class; or the product of n^n over the classes' sizes n, whose logarithm is what entropy is
 * about. */
static long double worth(const struct oracle_codes *codes, size_t question, const size_t *left, size_t count,
                         bool entropy)
{
    size_t size[ANSWERS] = {0}, largest = 0;
    long double product = 1;
    for (size_t i = 0; i < count; i++)
        size[answer_number(codes, question, left[i])]++;
    for (size_t a = 0; a < ANSWERS; a++) {
        largest = size[a] > largest ? size[a] : largest;
        for (size_t i = 0; i < size[a]; i++)
            product *= (long double)size[a];
    }
    return entropy ? product : (long double)largest;
}

static size_t best(const struct oracle_codes *codes, const size_t *left, size_t count, bool entropy)
{
    size_t question = 0;
    long double least = INFINITY;
    for (size_t i = 0; i < count + codes->count; i++) {
        const size_t candidate = i < count ? left[i] : i - count;
        const long double found = worth(codes, candidate, left, count, entropy);
        if (found < least * (1 - 1e-12L)) {
            least = found;
            question = candidate;
        }
    }
    return question;
}

size_t oracle_minimax(const struct oracle_codes *codes, const size_t *left, size_t count)
{
    return best(codes, left, count, false);
}

size_t oracle_entropy(const struct oracle_codes *codes, const size_t *left, size_t count)
{
    return best(codes, left, count, true);
}
