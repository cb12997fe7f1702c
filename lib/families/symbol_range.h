/* symbol_range.h -- symbols that a definition gives as a range: 1-9, 10-15, a-f */
#ifndef FAMILIES_SYMBOL_RANGE_H
#define FAMILIES_SYMBOL_RANGE_H

#include <stdbool.h>

enum { SYMBOL_RANGE_MAX = 9999, SYMBOL_RANGE_TEXT = 5 };

struct symbol_range {
    unsigned low, high; /* numbers to SYMBOL_RANGE_MAX, or letters */
    bool letters;
};

/* Is the text a range of whole numbers, or of letters that are all small or all capitals? */
bool symbol_range_read(const char *text, struct symbol_range *range);

/* Is it none, and yet two numbers or two letters with a `-` between them: 6-1, 1 - 6, A-z? */
bool symbol_range_meant(const char *text);

/* One of its symbols, low to high, as text. */
void symbol_range_text(const struct symbol_range *range, unsigned symbol, char text[SYMBOL_RANGE_TEXT]);

#endif
