/*
 * Expressions in the slowest and plainest way: every order of the digits, every way to write numbers of them and to put
 * operators between, one tree after another, as text; and an evaluator of such texts. Nothing is shared with the
 * family: fractions are of __int128 and reduced by Euclid's rule.
 */
#ifndef TESTS_ITEMS_ORACLE_EXPRESS_H
#define TESTS_ITEMS_ORACLE_EXPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle_fraction {
    __int128 over, under;
};

/* How many expressions have a value, and the least number of operators in one. */
struct oracle_value {
    struct oracle_fraction value;
    uint64_t count;
    unsigned operators;
};

struct oracle_values {
    struct oracle_value *value;
    size_t count, capacity;
};

/* All values of the digits, sorted. Operators by letters: + - * / ^, r root, ! factorial, n negation, j joining, .
 * decimal point. With `any`, the digits come in any order. Values of more than 63 bits, within an expression too, are
 * left out. */
void oracle_express(const char *digits, bool any, const char *operators, struct oracle_values *values);
void oracle_express_free(struct oracle_values *values);

int oracle_compare(const void *a, const void *b); /* of struct oracle_value, by value */

/* What a text is worth, how many operators it has, and its digits in their order. Binds as usual: ! first, then ^, a
 * minus sign, * and /, + and -; from the left. False where the text is no expression. */
bool oracle_evaluate(const char *text, struct oracle_fraction *value, unsigned *operators, char *digits);

#endif
