/* oracle_guess.h -- codes and answers, as plainly as can be: words of digits, compared place by place
 *
 * Shares nothing with lib/families/guess*: codes are listed by counting upward, answers found by crossing out.
 */
#ifndef TESTS_ITEMS_ORACLE_GUESS_H
#define TESTS_ITEMS_ORACLE_GUESS_H

#include <stdbool.h>
#include <stddef.h>

enum { ORACLE_LENGTH_MAX = 16 };

struct oracle_code {
    unsigned char symbol[ORACLE_LENGTH_MAX];
};

struct oracle_codes {
    unsigned symbols, length;
    bool repeats;
    size_t count;
    struct oracle_code *code; /* in lexicographic order */
};

/* All codes; the caller frees codes->code. */
void oracle_codes_list(unsigned symbols, unsigned length, bool repeats, struct oracle_codes *codes);

void oracle_answer(unsigned length, const struct oracle_code *question, const struct oracle_code *code, unsigned *bulls,
                   unsigned *cows);

/* How many questions the strategy needs for a code that always asks the first code that agrees with all answers. */
unsigned oracle_first(const struct oracle_codes *codes, size_t code);

/* The same for the strategies that weigh every question: the largest class is the least, or the entropy is the greatest
 * (by products in floating point, for up to some hundred codes). Of equals one that agrees, then the first one. `left`
 * are the codes left, by number: the question's number. */
size_t oracle_minimax(const struct oracle_codes *codes, const size_t *left, size_t count);
size_t oracle_entropy(const struct oracle_codes *codes, const size_t *left, size_t count);

#endif
