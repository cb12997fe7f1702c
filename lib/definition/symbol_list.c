/* symbol_list.c -- the symbols that a definition lists */
#include "symbol_list.h"
#include "lib/board.h"
#include "lib/text.h"

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

/* What is read, and who takes it. */
struct list {
    const struct node *node;
    symbol_taker *take;
    void *to;
};

static pdb_status take_range(const struct list *list, size_t offset, size_t length, pdb_error *error)
{
    struct range range;
    if (read_range(node_text(list->node) + offset, length, &range) != RANGE)
        return node_error_at(error, list->node, offset,
                             "a range goes upward, without blanks and zeros in front, from one number (to 9999) or "
                             "letter to another: 1-6, a-f");
    pdb_status status = PDB_OK;
    for (unsigned symbol = range.low; status == PDB_OK && symbol <= range.high; symbol++) {
        char text[DIGITS_MAX + 1];
        const int bytes = snprintf(text, sizeof text, range.letters ? "%c" : "%u", symbol % 10000);
        status = list->take(list->to, list->node, offset, text, (size_t)bytes, error);
    }
    return status;
}

/* Several symbols may look like ranges, as dominoes do: 0-0, 0-1, 1-1. Then all do: a few among others are ranges. */
struct looks {
    bool symbols, numbers, letters;
};

static pdb_status take_symbol(const struct list *list, size_t offset, size_t length, struct looks *looks,
                              pdb_error *error)
{
    struct range range;
    const char *symbol = node_text(list->node) + offset;
    const bool plain = node_is_quoted(list->node) || read_range(symbol, length, &range) == NO_RANGE;
    *(plain ? &looks->symbols : range.letters ? &looks->letters : &looks->numbers) = true;
    if (looks->symbols + looks->numbers + looks->letters > 1)
        return node_error_at(error, list->node, offset,
                             "there is a range among other symbols: write out what is in it; or where it is a symbol, "
                             "put it in quotes, in a list");
    return list->take(list->to, list->node, offset, symbol, length, error);
}

/* A range; or words; or one word, whose characters are the symbols. */
static pdb_status take_text(const struct list *list, pdb_error *error)
{
    struct range range;
    struct looks looks = {0};
    const char *text = node_text(list->node), *word = text;
    size_t length = board_next_word(&word), bytes = strlen(word);
    while (bytes > 0 && strchr(" ,/\t\r\n", word[bytes - 1]) != NULL)
        bytes--;
    if (read_range(word, bytes, &range) != NO_RANGE)
        return take_range(list, (size_t)(word - text), bytes, error);
    const bool one = board_is_one_word(text);
    pdb_status status = PDB_OK;
    for (; status == PDB_OK && length > 0; length = board_next_word(&word)) {
        const size_t offset = (size_t)(word - text);
        length = one ? utf8_length(word) : length;
        status = one ? list->take(list->to, list->node, offset, word, length, error)
                     : take_symbol(list, offset, length, &looks, error);
        word += length;
    }
    return status;
}

pdb_status symbol_list_read(const struct node *node, symbol_taker *take, void *to, pdb_error *error)
{
    const char *text;
    struct range range;
    struct looks looks = {0};
    pdb_status status = PDB_OK;
    if (node_kind(node) != NODE_SEQUENCE) {
        status = node_as_text(node, &text, error);
        return status == PDB_OK ? take_text(&(struct list){node, take, to}, error) : status;
    }
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        const struct list list = {node_item(node, i), take, to};
        status = node_as_text(list.node, &text, error);
        if (status != PDB_OK)
            break;
        /* Alone it is a range even in quotes: those do not count for the definition's digest. */
        status = node_count(node) == 1 && read_range(text, strlen(text), &range) != NO_RANGE
                     ? take_range(&list, 0, strlen(text), error)
                     : take_symbol(&list, 0, strlen(text), &looks, error);
    }
    return status;
}
