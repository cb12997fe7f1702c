/* suggest.c -- "did you mean": the nearest of a list of words */
#include "suggest.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_WORD = 64 };

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Letters inserted, left out, replaced, or swapped with their neighbour, to make b of a. Only the last three rows of
 * the classic table are kept. */
static unsigned edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][MAX_WORD + 1];
    unsigned *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= b_length; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned replaced = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        unsigned *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[b_length];
}

/* How many changes still leave one word a misspelling of the other. */
static unsigned tolerance(size_t a_length, size_t b_length)
{
    size_t longer = a_length > b_length ? a_length : b_length;
    return longer < 3 ? 1 : (unsigned)(longer / 3);
}

const char *suggest_nearest(const char *word, const char *const words[])
{
    size_t length = strlen(word);
    const char *nearest = NULL;
    unsigned smallest = UINT_MAX;
    if (length > MAX_WORD)
        return NULL;
    for (size_t i = 0; words[i] != NULL; i++) {
        size_t other = strlen(words[i]);
        if (other > MAX_WORD)
            continue;
        unsigned distance = edit_distance(word, length, words[i], other);
        const bool kept = distance < length; /* something of the word is: 'x' is no '+' */
        if (kept && distance <= tolerance(length, other) && distance < smallest) {
            smallest = distance;
            nearest = words[i];
        }
    }
    return nearest;
}
