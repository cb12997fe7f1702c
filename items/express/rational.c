/* rational.c -- exact fractions in 64 bits; what the operators do, and what they undo */
#include "express.h"

#include <stdio.h>
#include <string.h>

typedef unsigned __int128 wide;

/* -- the four operations -- */

/* Greatest common divisor (binary, J. Stein 1967) of numbers that are not 0. */
static uint64_t divisor(uint64_t a, uint64_t b)
{
    const int shift = __builtin_ctzll(a | b);
    a >>= __builtin_ctzll(a);
    while (b != 0) {
        b >>= __builtin_ctzll(b);
        const uint64_t less = a < b ? a : b;
        b = a < b ? b - a : a - b;
        a = less;
    }
    return a << shift;
}

/* The same in 128 bits: divides until 64 are enough. */
static wide wide_divisor(wide a, wide b)
{
    while (b > UINT64_MAX || a > UINT64_MAX) {
        if (b == 0)
            return a;
        const wide rest = a % b;
        a = b;
        b = rest;
    }
    return b == 0 ? a : a == 0 ? b : divisor((uint64_t)a, (uint64_t)b);
}

bool rational_make(__int128 numerator, __int128 denominator, struct rational *out)
{
    if (denominator == 0)
        return false;
    const bool negative = (numerator < 0) != (denominator < 0);
    wide over = numerator < 0 ? -(wide)numerator : (wide)numerator;
    wide under = denominator < 0 ? -(wide)denominator : (wide)denominator;
    if (under != 1) {
        const wide common = wide_divisor(over, under);
        if (common > 1 && (over | under) <= UINT64_MAX) { /* a division in 64 bits is several times as quick */
            over = (uint64_t)over / (uint64_t)common;
            under = (uint64_t)under / (uint64_t)common;
        } else if (common > 1) {
            over /= common;
            under /= common;
        }
    }
    if (over > INT64_MAX || under > INT64_MAX)
        return false;
    *out = (struct rational){negative ? -(int64_t)over : (int64_t)over, (int64_t)under};
    return true;
}

bool rational_add(struct rational a, struct rational b, struct rational *out)
{
    return rational_make((__int128)a.numerator * b.denominator + (__int128)b.numerator * a.denominator,
                         (__int128)a.denominator * b.denominator, out);
}

bool rational_subtract(struct rational a, struct rational b, struct rational *out)
{
    return rational_add(a, (struct rational){-b.numerator, b.denominator}, out);
}

bool rational_multiply(struct rational a, struct rational b, struct rational *out)
{
    return rational_make((__int128)a.numerator * b.numerator, (__int128)a.denominator * b.denominator, out);
}

bool rational_divide(struct rational a, struct rational b, struct rational *out)
{
    return rational_make((__int128)a.numerator * b.denominator, (__int128)a.denominator * b.numerator, out);
}

int rational_compare(struct rational a, struct rational b)
{
    const __int128 left = (__int128)a.numerator * b.denominator, right = (__int128)b.numerator * a.denominator;
    return (left > right) - (left < right);
}

/* -- powers, roots, factorials -- */

/* False where the power is above 2^63 - 1. */
static bool whole_power(uint64_t base, uint64_t exponent, uint64_t *out)
{
    uint64_t power = 1;
    if (base <= 1 || exponent == 0) {
        *out = exponent == 0 ? 1 : base;
        return true;
    }
    for (; exponent > 0; exponent--) /* at most 63 times: the base is 2 or more */
        if (__builtin_mul_overflow(power, base, &power) || power > INT64_MAX)
            return false;
    *out = power;
    return true;
}

/* The whole root of a degree, found by halving; false where there is none. */
static bool whole_root(uint64_t of, uint64_t degree, uint64_t *root)
{
    static const uint64_t squares = 0x0202021202030213; /* bit r: a square may leave the rest r modulo 64 */
    uint64_t low = 0, high = of <= 1 || degree == 1 ? of : (uint64_t)1 << (63 / (degree < 63 ? degree : 63) + 1);
    if (degree == 2 && (squares >> (of & 63) & 1) == 0)
        return false;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        uint64_t power;
        if (!whole_power(middle, degree, &power) || power >= of)
            high = middle;
        else
            low = middle + 1;
    }
    uint64_t power;
    *root = low;
    return whole_power(low, degree, &power) && power == of;
}

static bool root_of_degree(struct rational a, uint64_t degree, struct rational *out)
{
    uint64_t over, under;
    if (a.numerator < 0 || !whole_root((uint64_t)a.denominator, degree, &under) ||
        !whole_root((uint64_t)a.numerator, degree, &over))
        return false;
    *out = (struct rational){(int64_t)over, (int64_t)under};
    return true;
}

bool rational_power(struct rational a, struct rational b, struct rational *out)
{
    const uint64_t exponent = (uint64_t)(b.numerator < 0 ? -b.numerator : b.numerator);
    uint64_t over, under;
    if (a.numerator == 0 && b.numerator <= 0)
        return false;
    if (b.denominator > 1 && !root_of_degree(a, (uint64_t)b.denominator, &a))
        return false;
    if (!whole_power((uint64_t)(a.numerator < 0 ? -a.numerator : a.numerator), exponent, &over) ||
        !whole_power((uint64_t)a.denominator, exponent, &under))
        return false;
    const int64_t sign = a.numerator < 0 && exponent % 2 == 1 ? -1 : 1;
    *out = b.numerator < 0 ? (struct rational){sign * (int64_t)under, (int64_t)over}
                           : (struct rational){sign * (int64_t)over, (int64_t)under};
    return true;
}

bool rational_root(struct rational a, struct rational *out)
{
    return root_of_degree(a, 2, out);
}

bool rational_factorial(struct rational a, struct rational *out)
{
    int64_t product = 1;
    if (a.denominator != 1 || a.numerator < 0 || a.numerator > 20) /* 21! is above 2^63 */
        return false;
    for (int64_t factor = 2; factor <= a.numerator; factor++)
        product *= factor;
    *out = (struct rational){product, 1};
    return true;
}

/* -- text -- */

const char *rational_text(struct rational a, char *text)
{
    if (a.denominator == 1)
        snprintf(text, RATIONAL_TEXT_MAX, "%lld", (long long)a.numerator);
    else
        snprintf(text, RATIONAL_TEXT_MAX, "%lld/%lld", (long long)a.numerator, (long long)a.denominator);
    return text;
}

static const char *blanks(const char *text)
{
    return text + strspn(text, " \t\r\n");
}

/* Appends the digits at *text to *number; returns how many there are. */
static unsigned read_digits(const char **text, __int128 *number, bool *fits)
{
    unsigned digits = 0;
    for (; **text >= '0' && **text <= '9'; digits++, (*text)++) {
        *number = 10 * *number + (**text - '0');
        if (*number > (__int128)INT64_MAX * 1000000000) /* far too large, also for what is reduced */
            *fits = false, *number = 0;
    }
    return digits;
}

bool rational_parse(const char *text, struct rational *out, bool *fits)
{
    __int128 over = 0, under = 1;
    const char *c = blanks(text);
    const bool negative = *c == '-';
    *fits = true;
    *out = (struct rational){0, 1};
    c += *c == '-' || *c == '+';
    unsigned digits = read_digits(&c, &over, fits);
    if (*c == '.') {
        c++;
        const unsigned decimals = read_digits(&c, &over, fits);
        digits += decimals;
        *fits &= decimals <= 28; /* more zeros than that do not fit, whatever is before them */
        for (unsigned i = 0; i < decimals && *fits; i++)
            under *= 10;
    } else if (digits > 0 && *blanks(c) == '/') {
        c = blanks(blanks(c) + 1);
        under = 0;
        if (read_digits(&c, &under, fits) == 0 || (under == 0 && *fits))
            return false;
    }
    if (digits == 0 || *blanks(c) != '\0')
        return false;
    *fits = *fits && rational_make(negative ? -over : over, under, out);
    return true;
}

/* -- operators (express.h) -- */

const char *const express_words[EXPRESS_OPERATORS + 1] = {[EXPRESS_ADD] = "+",
                                                          [EXPRESS_SUBTRACT] = "-",
                                                          [EXPRESS_MULTIPLY] = "*",
                                                          [EXPRESS_DIVIDE] = "/",
                                                          [EXPRESS_POWER] = "power",
                                                          [EXPRESS_ROOT] = "root",
                                                          [EXPRESS_FACTORIAL] = "factorial",
                                                          [EXPRESS_NEGATE] = "negate",
                                                          [EXPRESS_JOIN] = "join",
                                                          [EXPRESS_DECIMAL] = "decimal"};

static const struct rational one = {1, 1};

static struct rational negative(struct rational a)
{
    return (struct rational){-a.numerator, a.denominator};
}

bool express_binary(enum express_operator operator, struct rational a, struct rational b, struct rational *out)
{
    switch (operator) {
    case EXPRESS_ADD:
        return rational_add(a, b, out);
    case EXPRESS_SUBTRACT:
        return rational_subtract(a, b, out);
    case EXPRESS_MULTIPLY:
        return rational_multiply(a, b, out);
    case EXPRESS_DIVIDE:
        return rational_divide(a, b, out);
    default:
        return rational_power(a, b, out);
    }
}

bool express_unary(enum express_operator operator, struct rational a, struct rational *out)
{
    switch (operator) {
    case EXPRESS_ROOT:
        return a.numerator > 0 && !rational_equal(a, one) && rational_root(a, out);
    case EXPRESS_FACTORIAL:
        return a.numerator != 1 && a.numerator != 2 && rational_factorial(a, out);
    default:
        *out = negative(a);
        return a.numerator > 0;
    }
}

/* The whole number, not 1 or 2, whose factorial this is. */
static bool factorial_of(struct rational value, struct rational *from)
{
    for (int64_t n = 0; n <= 20; n++) {
        struct rational product;
        *from = (struct rational){n, 1};
        if (n != 1 && n != 2 && rational_factorial(*from, &product) && rational_equal(product, value))
            return true;
    }
    return false;
}

unsigned express_unary_from(enum express_operator operator, struct rational value, struct rational *from)
{
    switch (operator) {
    case EXPRESS_ROOT:
        return value.numerator > 0 && !rational_equal(value, one) && rational_multiply(value, value, from);
    case EXPRESS_FACTORIAL:
        return factorial_of(value, from);
    default:
        *from = negative(value);
        return value.numerator < 0;
    }
}

/* a to the power `right` is the value: a is the value to the power 1/right, or that with a minus sign. */
static unsigned base_of(struct rational value, struct rational right, struct rational left[2])
{
    const struct rational size = value.numerator < 0 ? negative(value) : value;
    struct rational inverse;
    if (right.numerator == 0)
        return rational_equal(value, one) ? EXPRESS_ANY : 0;
    if (value.numerator == 0) {
        left[0] = value;
        return 1;
    }
    if (!rational_divide(one, right, &inverse) || !rational_power(size, inverse, &left[0]))
        return 0;
    left[1] = negative(left[0]);
    return 2;
}

unsigned express_left_operand(enum express_operator operator, struct rational value, struct rational right,
                              struct rational left[2])
{
    switch (operator) {
    case EXPRESS_ADD:
        return rational_subtract(value, right, left);
    case EXPRESS_SUBTRACT:
        return rational_add(value, right, left);
    case EXPRESS_MULTIPLY:
        if (right.numerator == 0)
            return value.numerator == 0 ? EXPRESS_ANY : 0;
        return rational_divide(value, right, left);
    case EXPRESS_DIVIDE:
        return rational_multiply(value, right, left);
    default:
        return base_of(value, right, left);
    }
}

unsigned express_right_operand(enum express_operator operator, struct rational value, struct rational left,
                               struct rational right[2])
{
    switch (operator) {
    case EXPRESS_SUBTRACT:
        return rational_subtract(left, value, right);
    case EXPRESS_DIVIDE:
        if (left.numerator == 0)
            return value.numerator == 0 ? EXPRESS_ANY : 0;
        return rational_divide(left, value, right);
    default: /* the operands may be exchanged */
        return express_left_operand(operator, value, left, right);
    }
}
