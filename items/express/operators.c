/* operators.c -- what the operators do, and what they undo */
#include "express.h"

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
