/* symbol_range.c -- symbols that a definition gives as a range */
#include "symbol_range.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static bool same_case(char a, char b)
{
    const unsigned char x = (unsigned char)a, y = (unsigned char)b;
    return (islower(x) && islower(y)) || (isupper(x) && isupper(y));
}

bool symbol_range_read(const char *text, struct symbol_range *range)
{
    int end = 0;
    if (strlen(text) == 3 && text[1] == '-' && text[0] < text[2] && same_case(text[0], text[2])) {
        *range = (struct symbol_range){(unsigned char)text[0], (unsigned char)text[2], true};
        return true;
    }
    range->letters = false; /* NOLINTNEXTLINE(cert-err34-c): what is so short fits */
    return strlen(text) < 12 && sscanf(text, "%u-%u%n", &range->low, &range->high, &end) == 2 && text[end] == '\0' &&
           range->low <= range->high && range->high <= SYMBOL_RANGE_MAX;
}

/* The end of a number or of one letter, where it begins. */
static const char *end_of_symbol(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return text + (digits > 0 ? digits : (size_t)(isalpha((unsigned char)*text) != 0));
}

bool symbol_range_meant(const char *text)
{
    struct symbol_range range;
    const char *first = text + strspn(text, " "), *hyphen = end_of_symbol(first);
    hyphen += hyphen > first ? strspn(hyphen, " ") : 0;
    if (hyphen == first || *hyphen != '-' || symbol_range_read(text, &range))
        return false;
    const char *second = hyphen + 1 + strspn(hyphen + 1, " "), *end = end_of_symbol(second);
    return end > second && end[strspn(end, " \n")] == '\0';
}

void symbol_range_text(const struct symbol_range *range, unsigned symbol, char text[SYMBOL_RANGE_TEXT])
{
    snprintf(text, SYMBOL_RANGE_TEXT, range->letters ? "%c" : "%u", symbol % (SYMBOL_RANGE_MAX + 1));
}
