#include "oracle_express.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fractions ---- */

static const __int128 greatest = INT64_MAX;

static __int128 size(__int128 number)
{
    return number < 0 ? -number : number;
}

static bool reduce(__int128 over, __int128 under, struct oracle_fraction *out)
{
    __int128 a = size(over), b = size(under);
    if (under == 0)
        return false;
    while (b != 0) {
        __int128 rest = a % b;
        a = b;
        b = rest;
    }
    if (under < 0)
        a = -a;
    out->over = over / a;
    out->under = under / a;
    return size(out->over) <= greatest && out->under <= greatest;
}

static bool whole_power(__int128 base, __int128 exponent, __int128 *out)
{
    *out = 1;
    if (base == 0 || base == 1)
        *out = exponent == 0 ? 1 : base;
    if (base == 0 || base == 1)
        return true;
    for (; exponent > 0; exponent--)
        if ((*out *= base) > greatest)
            return false;
    return true;
}

/* Counts upward in steps that get smaller; false where there is no whole root. */
static bool whole_root(__int128 of, __int128 degree, __int128 *out)
{
    *out = 0;
    for (__int128 step = (__int128)1 << 62; step > 0; step /= 2) {
        __int128 power;
        if (whole_power(*out + step, degree, &power) && power <= of)
            *out += step;
    }
    __int128 power;
    return whole_power(*out, degree, &power) && power == of;
}

static bool root(struct oracle_fraction a, __int128 degree, struct oracle_fraction *out)
{
    return a.over >= 0 && whole_root(a.over, degree, &out->over) && whole_root(a.under, degree, &out->under);
}

static bool power(struct oracle_fraction a, struct oracle_fraction b, struct oracle_fraction *out)
{
    if (a.over == 0 && b.over <= 0)
        return false;
    if (b.under != 1 && !root(a, b.under, &a))
        return false;
    const bool negative = a.over < 0 && size(b.over) % 2 == 1;
    __int128 over, under;
    if (!whole_power(size(a.over), size(b.over), &over) || !whole_power(a.under, size(b.over), &under))
        return false;
    return b.over >= 0 ? reduce(negative ? -over : over, under, out) : reduce(negative ? -under : under, over, out);
}

static bool binary(char operator, struct oracle_fraction a, struct oracle_fraction b, struct oracle_fraction *out)
{
    switch (operator) {
    case '+':
        return reduce(a.over * b.under + b.over * a.under, a.under * b.under, out);
    case '-':
        return reduce(a.over * b.under - b.over * a.under, a.under * b.under, out);
    case '*':
        return reduce(a.over * b.over, a.under * b.under, out);
    case '/':
        return b.over != 0 && reduce(a.over * b.under, a.under * b.over, out);
    default:
        return power(a, b, out);
    }
}

static bool factorial(struct oracle_fraction a, struct oracle_fraction *out)
{
    if (a.under != 1 || a.over < 0)
        return false;
    *out = (struct oracle_fraction){1, 1};
    for (__int128 i = 2; i <= a.over; i++)
        if ((out->over *= i) > greatest)
            return false;
    return true;
}

static bool is(struct oracle_fraction a, int number)
{
    return a.over == number && a.under == 1;
}

/* ---- all expressions ---- */

struct expression {
    struct oracle_fraction value;
    unsigned operators;
};

struct expressions {
    struct expression *expression;
    size_t count, capacity;
};

/* An expression, and all that the operators on one value make of it. */
static void add(struct expressions *list, const char *operators, struct expression new)
{
    struct oracle_fraction made;
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 16;
        list->expression = realloc(list->expression, list->capacity * sizeof new);
        if (list->expression == NULL)
            abort();
    }
    list->expression[list->count++] = new;
    if (strchr(operators, 'r') && new.value.over > 0 && !is(new.value, 1) && root(new.value, 2, &made))
        add(list, operators, (struct expression){made, new.operators + 1});
    if (strchr(operators, '!') && !is(new.value, 1) && !is(new.value, 2) && factorial(new.value, &made))
        add(list, operators, (struct expression){made, new.operators + 1});
    if (strchr(operators, 'n') && new.value.over > 0) {
        made = (struct oracle_fraction){-new.value.over, new.value.under};
        add(list, operators, (struct expression){made, new.operators + 1});
    }
}

/* All expressions of a run of digits, one behind another: none is counted together with another. */
static struct expressions run(const char *digits, size_t length, const char *operators)
{
    struct expressions list = {0};
    __int128 joined = 0, unit = 1;
    for (size_t i = 0; i < length; i++)
        joined = 10 * joined + (digits[i] - '0');
    for (size_t decimals = 0; decimals <= length; decimals++, unit *= 10) {
        struct expression number = {.operators = 0};
        if (length > 1 && !strchr(operators, 'j'))
            continue;
        if (decimals > 0 && !strchr(operators, '.'))
            continue;
        if (length - decimals > 1 && length > decimals && digits[0] == '0')
            continue;
        if (reduce(joined, unit, &number.value))
            add(&list, operators, number);
    }
    for (size_t cut = 1; cut < length; cut++) {
        struct expressions left = run(digits, cut, operators), right = run(digits + cut, length - cut, operators);
        for (size_t i = 0; i < left.count; i++)
            for (size_t j = 0; j < right.count; j++)
                for (const char *o = "+-*/^"; *o != '\0'; o++) {
                    struct expression made = {.operators = left.expression[i].operators +
                                                           right.expression[j].operators + 1};
                    if (strchr(operators, *o) &&
                        binary(*o, left.expression[i].value, right.expression[j].value, &made.value))
                        add(&list, operators, made);
                }
        free(left.expression);
        free(right.expression);
    }
    return list;
}

int oracle_compare(const void *a, const void *b)
{
    const struct oracle_fraction x = ((const struct oracle_value *)a)->value,
                                 y = ((const struct oracle_value *)b)->value;
    const __int128 left = x.over * y.under, right = y.over * x.under;
    return (left > right) - (left < right);
}

static void gather(struct oracle_values *values, const struct expressions *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (values->count == values->capacity) {
            values->capacity = 2 * values->capacity + 16;
            values->value = realloc(values->value, values->capacity * sizeof *values->value);
            if (values->value == NULL)
                abort();
        }
        values->value[values->count++] = (struct oracle_value){list->expression[i].value, 1,
                                                               list->expression[i].operators};
    }
}

/* Puts equal values together. */
static void unite(struct oracle_values *values)
{
    size_t kept = 0;
    qsort(values->value, values->count, sizeof *values->value, oracle_compare);
    for (size_t i = 0; i < values->count; i++) {
        struct oracle_value *last = kept > 0 ? &values->value[kept - 1] : NULL;
        if (last == NULL || oracle_compare(last, &values->value[i]) != 0) {
            values->value[kept++] = values->value[i];
        } else {
            last->count += values->value[i].count;
            if (values->value[i].operators < last->operators)
                last->operators = values->value[i].operators;
        }
    }
    values->count = kept;
}

/* Every order of the digits from `at` on, each once: a digit stands at a place once only. */
static void orders(char *digits, size_t at, const char *operators, struct oracle_values *values)
{
    if (digits[at] == '\0') {
        struct expressions list = run(digits, at, operators);
        gather(values, &list);
        free(list.expression);
        return;
    }
    bool used[128] = {false};
    for (size_t i = at; digits[i] != '\0'; i++) {
        const char here = digits[at], there = digits[i];
        if (used[(int)there])
            continue;
        used[(int)there] = true;
        digits[at] = there;
        digits[i] = here;
        orders(digits, at + 1, operators, values);
        digits[i] = there;
        digits[at] = here;
    }
}

void oracle_express(const char *digits, bool any, const char *operators, struct oracle_values *values)
{
    char copy[32];
    *values = (struct oracle_values){0};
    snprintf(copy, sizeof copy, "%s", digits);
    if (any) {
        orders(copy, 0, operators, values);
    } else {
        struct expressions list = run(copy, strlen(copy), operators);
        gather(values, &list);
        free(list.expression);
    }
    unite(values);
}

void oracle_express_free(struct oracle_values *values)
{
    free(values->value);
}

/* ---- the evaluator ---- */

struct reader {
    const char *at;
    unsigned operators;
    char *digits;
    bool good;
};

static struct oracle_fraction read_sum(struct reader *reader);

/* The next character that is no blank. */
static char next(struct reader *reader)
{
    while (*reader->at == ' ')
        reader->at++;
    return *reader->at;
}

static void expect(struct reader *reader, char what)
{
    reader->good &= next(reader) == what;
    reader->at += *reader->at != '\0';
}

static struct oracle_fraction read_atom(struct reader *reader)
{
    struct oracle_fraction value = {0, 1};
    if (next(reader) == '(') {
        reader->at++;
        value = read_sum(reader);
        expect(reader, ')');
        return value;
    }
    if (strncmp(reader->at, "sqrt(", 5) == 0) {
        struct oracle_fraction of;
        reader->at += 5;
        of = read_sum(reader);
        expect(reader, ')');
        reader->operators++;
        reader->good &= root(of, 2, &value);
        return value;
    }
    const char *begin = reader->at;
    bool behind = false;
    reader->good &= isdigit((unsigned char)*begin) || *begin == '.';
    for (; isdigit((unsigned char)*reader->at) || (*reader->at == '.' && !behind); reader->at++) {
        behind |= *reader->at == '.';
        if (*reader->at == '.')
            continue;
        *reader->digits++ = *reader->at;
        value.over = 10 * value.over + (*reader->at - '0');
        if (behind)
            value.under *= 10;
    }
    reader->good &= reader->at[-1] != '.';
    reader->good &= reduce(value.over, value.under, &value);
    return value;
}

static struct oracle_fraction read_postfix(struct reader *reader)
{
    struct oracle_fraction value = read_atom(reader);
    for (unsigned times = 0; next(reader) == '!'; times++) {
        reader->at++;
        reader->operators++;
        reader->good &= times == 0 && factorial(value, &value); /* 4!! would be a double factorial */
    }
    return value;
}

static struct oracle_fraction read_power(struct reader *reader)
{
    struct oracle_fraction value = read_postfix(reader);
    if (next(reader) != '^')
        return value;
    reader->at++;
    reader->operators++;
    struct oracle_fraction exponent = read_postfix(reader);
    reader->good &= next(reader) != '^' && power(value, exponent, &value); /* a ^ b ^ c is read in two ways by people */
    return value;
}

static struct oracle_fraction read_signed(struct reader *reader)
{
    if (next(reader) != '-')
        return read_power(reader);
    reader->at++;
    reader->operators++;
    struct oracle_fraction value = read_power(reader);
    value.over = -value.over;
    return value;
}

static struct oracle_fraction read_product(struct reader *reader)
{
    struct oracle_fraction value = read_signed(reader);
    while (next(reader) == '*' || next(reader) == '/') {
        const char operator= * reader->at++;
        reader->operators++;
        reader->good &= next(reader) != '-'; /* 4 * -4 wants parentheses */
        struct oracle_fraction right = read_signed(reader);
        reader->good = reader->good && binary(operator, value, right, &value);
    }
    return value;
}

static struct oracle_fraction read_sum(struct reader *reader)
{
    struct oracle_fraction value = read_product(reader);
    while (next(reader) == '+' || next(reader) == '-') {
        const char operator= * reader->at++;
        reader->operators++;
        reader->good &= next(reader) != '-';
        struct oracle_fraction right = read_product(reader);
        reader->good = reader->good && binary(operator, value, right, &value);
    }
    return value;
}

bool oracle_evaluate(const char *text, struct oracle_fraction *value, unsigned *operators, char *digits)
{
    struct reader reader = {.at = text, .digits = digits, .good = true};
    *value = read_sum(&reader);
    *reader.digits = '\0';
    *operators = reader.operators;
    return reader.good && next(&reader) == '\0';
}
