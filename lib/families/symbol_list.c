/* symbol_list.c -- the symbols that a definition lists */
#include "symbol_list.h"
#include "../board.h"
#include "../text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- ranges -- */

enum { DIGITS_MAX = 4 };

struct range {
    unsigned low, high; /* numbers, or letters */
    bool letters;
};

enum likeness { NO_RANGE, LIKE_A_RANGE, RANGE };

static const char blanks[] = " \t\r\n";

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) != 0;
}

/* The bytes of a number, or of one letter. */
static size_t end_bytes(const char *text)
{
    const size_t digits = strspn(text, "0123456789");
    return digits > 0 ? digits : is_letter(*text);
}

static bool is_written_well(const char *text, size_t digits)
{
    return digits <= DIGITS_MAX && (*text != '0' || digits == 1);
}

/* A range has two numbers or letters with a `-` between them and nothing else; other texts may have been meant so. */
static enum likeness read_range(const char *text, size_t length, struct range *range)
{
    const size_t low_bytes = end_bytes(text);
    const char *hyphen = text + low_bytes + strspn(text + low_bytes, blanks);
    const char *high = hyphen + (*hyphen == '-'), *end;
    high += strspn(high, blanks);
    const size_t high_bytes = end_bytes(high);
    end = high + high_bytes;
    if (low_bytes == 0 || *hyphen != '-' || high_bytes == 0 || end != text + length ||
        is_letter(*text) != is_letter(*high))
        return NO_RANGE;
    range->letters = is_letter(*text);
    range->low = range->letters ? (unsigned char)*text : (unsigned)strtoul(text, NULL, 10);
    range->high = range->letters ? (unsigned char)*high : (unsigned)strtoul(high, NULL, 10);
    const bool well = range->letters ? !islower((unsigned char)*text) == !islower((unsigned char)*high)
                                     : is_written_well(text, low_bytes) && is_written_well(high, high_bytes);
    return well && length == low_bytes + 1 + high_bytes && range->low <= range->high ? RANGE : LIKE_A_RANGE;
}

/* -- lists -- */

struct list {
    const struct node *node; /* a scalar */
    symbol_taker *take;
    void *to;
};

/* The symbols of a range; or a word as it is. */
static pdb_status take_word(const struct list *list, size_t offset, size_t length, pdb_error *error)
{
    struct range range;
    const char *word = node_text(list->node) + offset;
    const enum likeness likeness = read_range(word, length, &range);
    if (likeness == NO_RANGE)
        return list->take(list->to, list->node, offset, word, length, error);
    if (likeness == LIKE_A_RANGE)
        return node_error_at(error, list->node, offset,
                             "a range goes upward, without blanks, from one number or letter to another: 1-6, a-f");
    pdb_status status = PDB_OK;
    for (unsigned symbol = range.low; status == PDB_OK && symbol <= range.high; symbol++) {
        char text[DIGITS_MAX + 1];
        const int bytes = snprintf(text, sizeof text, range.letters ? "%c" : "%u", symbol % 10000);
        status = list->take(list->to, list->node, offset, text, (size_t)bytes, error);
    }
    return status;
}

/* A range; or words; or one word, whose characters are the symbols. */
static pdb_status take_text(const struct list *list, pdb_error *error)
{
    struct range range;
    const char *text = node_text(list->node), *word = text;
    const size_t first = board_next_word(&word), begin = (size_t)(word - text);
    size_t bytes = strlen(word);
    while (bytes > 0 && strchr(blanks, word[bytes - 1]) != NULL)
        bytes--;
    if (read_range(word, bytes, &range) != NO_RANGE)
        return take_word(list, begin, bytes, error);
    const bool one = board_is_one_word(text);
    pdb_status status = PDB_OK;
    for (size_t length = first; status == PDB_OK && length > 0; length = board_next_word(&word)) {
        const size_t offset = (size_t)(word - text);
        length = one ? utf8_length(word) : length;
        status = one ? list->take(list->to, list->node, offset, word, length, error)
                     : take_word(list, offset, length, error);
        word += length;
    }
    return status;
}

pdb_status symbol_list_read(const struct node *node, symbol_taker *take, void *to, pdb_error *error)
{
    const char *text;
    pdb_status status = PDB_OK;
    if (node_kind(node) != NODE_SEQUENCE) {
        status = node_as_text(node, &text, error);
        return status == PDB_OK ? take_text(&(struct list){node, take, to}, error) : status;
    }
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        const struct node *item = node_item(node, i);
        status = node_as_text(item, &text, error);
        if (status == PDB_OK)
            status = take_word(&(struct list){item, take, to}, 0, strlen(text), error);
    }
    return status;
}
