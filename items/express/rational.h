/* rational.h -- exact fractions in 64 bits
 *
 * A fraction is reduced, its denominator positive, and both of its numbers are at most 2^63 - 1 in size. So a product
 * of two of these numbers is below 2^126 and a sum of two products below 2^127: every step of the four operations is
 * exact in 128 bits, and what is wrong with a result shows only once it is reduced. A result that does not fit is
 * refused and never wraps.
 */
#ifndef ITEMS_EXPRESS_RATIONAL_H
#define ITEMS_EXPRESS_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

struct rational {
    int64_t numerator, denominator;
};

enum { RATIONAL_TEXT_MAX = 48 };

/* The fraction of two numbers below 2^127 in size; false where the denominator is 0 or the fraction does not fit. */
bool rational_make(__int128 numerator, __int128 denominator, struct rational *out);

/* a + b, a - b, a b, a / b; false where the result does not fit, or b is 0 in a division. */
bool rational_add(struct rational a, struct rational b, struct rational *out);
bool rational_subtract(struct rational a, struct rational b, struct rational *out);
bool rational_multiply(struct rational a, struct rational b, struct rational *out);
bool rational_divide(struct rational a, struct rational b, struct rational *out);

/* a to the power b = p/q: the p-th power of the q-th root. False where it is no fraction or does not fit, for roots of
 * negative numbers, and for 0 to a power that is not positive. */
bool rational_power(struct rational a, struct rational b, struct rational *out);

/* The square root of a number that is not negative; the factorial of a whole one. False where it is none or does not
 * fit. */
bool rational_root(struct rational a, struct rational *out);
bool rational_factorial(struct rational a, struct rational *out);

/* Less than 0, 0, more than 0, as a is less than, equal to, more than b. */
int rational_compare(struct rational a, struct rational b);
static inline bool rational_equal(struct rational a, struct rational b)
{
    return a.numerator == b.numerator && a.denominator == b.denominator;
}

/* "10", "-3", "7/2" into text[RATIONAL_TEXT_MAX]; returns text. */
const char *rational_text(struct rational a, char *text);

/* Reads a whole number, a fraction ("7/2") or a decimal number ("-0.5") that fills the text, blanks aside. False where
 * it is none; *fits is false where it is one and too large. */
bool rational_parse(const char *text, struct rational *out, bool *fits);

#endif
