/* text.c -- what people type about codes: a code, or a history of questions and answers
 *
 *     code        its symbols; blanks, commas and slashes may separate them, and have to where a symbol has several
 *                 characters
 *     history     CODE:BULLS,COWS for each question; blanks, commas, semicolons and newlines separate them
 */
#include "guess.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char between_symbols[] = " \t\r\n,/", between_items[] = " \t\r\n,;", blank[] = " \t\r\n";

enum {
    QUOTED = 60,         /* bytes of the user's text that a message repeats */
    MAX_QUESTIONS = 1000 /* of a history: each takes a look at all codes left, and nobody hears an interrupt */
};

/* -- writing -- */

void guess_code_text(const struct guess *guess, uint32_t code, char *text)
{
    uint8_t symbol[GUESS_MAX_LENGTH];
    guess_symbols(guess, code, symbol);
    *text = '\0';
    for (unsigned place = 0; place < guess->length; place++)
        text += sprintf(text, "%s%s", place == 0 || guess->together ? "" : ",", guess->symbol[symbol[place]]);
}

void guess_item_text(const struct guess *guess, const struct guess_item *item, char *text)
{
    unsigned bulls = item->answer, right = 0;
    while (bulls > right) /* guess_answer_number, backward */
        bulls -= ++right;
    guess_code_text(guess, item->question, text);
    sprintf(text + strlen(text), ":%u,%u", bulls, right - bulls);
}

/* -- codes -- */

struct span_of_text {
    const char *text;
    size_t length;
};

static int quoted(const struct span_of_text *span)
{
    size_t length = span->length < QUOTED ? span->length : QUOTED;
    while (length > 0 && length < span->length && ((unsigned char)span->text[length] & 0xC0) == 0x80)
        length--; /* a whole character */
    return (int)length;
}

unsigned guess_find_symbol(const struct guess *guess, const char *text, size_t length)
{
    unsigned s = 0;
    while (s < guess->symbols && (strlen(guess->symbol[s]) != length || memcmp(guess->symbol[s], text, length) != 0))
        s++;
    return s;
}

static pdb_status check_code(const struct guess *guess, const struct span_of_text *code, const uint8_t *symbol,
                             unsigned count, pdb_error *error)
{
    char example[GUESS_TEXT_MAX];
    guess_code_text(guess, 0, example);
    if (count != guess->length)
        return error_set(error, PDB_BAD_BOARD, "'%.*s' has %u symbol%s, and a code of %s %u, such as %s", quoted(code),
                         code->text, count, plural(count), guess->puzzle.name, guess->length, example);
    for (unsigned i = 0; i < count && !guess->repeats; i++)
        for (unsigned j = 0; j < i; j++)
            if (symbol[i] == symbol[j])
                return error_set(error, PDB_BAD_BOARD,
                                 "'%.*s' has the symbol '%s' twice: those of a code of %s are all different, as in %s",
                                 quoted(code), code->text, guess->symbol[symbol[i]], guess->puzzle.name, example);
    return PDB_OK;
}

static pdb_status parse_code(const struct guess *guess, const struct span_of_text *code, uint32_t *number,
                             pdb_error *error)
{
    uint8_t symbol[GUESS_MAX_LENGTH];
    const char *at = code->text, *end = code->text + code->length;
    unsigned count = 0;
    *number = 0;
    while (at += strspn(at, between_symbols), at < end) {
        size_t length = guess->together ? utf8_length(at) : strcspn(at, between_symbols);
        length = length < (size_t)(end - at) ? length : (size_t)(end - at);
        const unsigned s = guess_find_symbol(guess, at, length);
        if (s == guess->symbols) {
            const struct span_of_text word = {at, length};
            char all[GUESS_MAX_SYMBOLS * GUESS_SYMBOL_MAX] = "", *to = all;
            for (unsigned i = 0; i < guess->symbols; i++)
                to += sprintf(to, "%s%s", i == 0 ? "" : " ", guess->symbol[i]);
            return error_set(error, PDB_BAD_BOARD, "'%.*s' in '%.*s' is no symbol of %s: they are %s", quoted(&word),
                             at, quoted(code), code->text, guess->puzzle.name, all);
        }
        if (count < GUESS_MAX_LENGTH)
            symbol[count] = (uint8_t)s;
        count++;
        at += length;
    }
    const pdb_status status = check_code(guess, code, symbol, count, error);
    if (status == PDB_OK)
        *number = guess_number(guess, symbol);
    return status;
}

/* -- answers -- */

static const char *skip(const char *at, const char *these)
{
    return at + strspn(at, these);
}

/* One or two digits. */
static bool parse_number(const char **at, unsigned *number)
{
    const char *digit = *at = skip(*at, blank);
    *number = 0;
    while (**at >= '0' && **at <= '9' && *at < digit + 3)
        *number = 10 * *number + (unsigned)(*(*at)++ - '0');
    return *at > digit && *at < digit + 3;
}

/* Reads "BULLS,COWS" at *at and leaves it behind. */
static pdb_status parse_answer(const struct guess *guess, const char *begin, const char **at, unsigned *answer,
                               pdb_error *error)
{
    unsigned bulls, cows = 0;
    bool good = parse_number(at, &bulls);
    if (good) {
        *at = skip(*at, blank);
        good = *(*at)++ == ',' && parse_number(at, &cows);
    }
    const struct span_of_text item = {begin, good ? (size_t)(*at - begin) : strcspn(begin, ";\n")};
    if (!good)
        return error_set(error, PDB_BAD_BOARD,
                         "'%.*s': after the colon come the bulls (right symbol in the right place), a comma and the "
                         "cows (right symbol in a wrong place), such as 0,2",
                         quoted(&item), item.text);
    if (bulls + cows > guess->length)
        return error_set(error, PDB_BAD_BOARD, "'%.*s': %u bulls and %u cows are more than the %u symbols of a code",
                         quoted(&item), item.text, bulls, cows, guess->length);
    if (bulls + 1 == guess->length && cows == 1)
        return error_set(error, PDB_BAD_BOARD,
                         "'%.*s' cannot be: with %u of %u symbols in the right place, the last has no wrong place left",
                         quoted(&item), item.text, bulls, guess->length);
    *answer = guess_answer_number(bulls, cows);
    return PDB_OK;
}

/* -- histories -- */

static pdb_status parse_item(const struct guess *guess, const char **at, struct guess_item *item, pdb_error *error)
{
    const char *begin = *at, *colon = strchr(begin, ':');
    if (colon == NULL) {
        const struct span_of_text rest = {begin, strlen(begin)};
        return error_set(error, PDB_BAD_BOARD,
                         "'%.*s' has no answer: a question of a history is followed by a colon, the bulls, a comma and "
                         "the cows, such as :0,2",
                         quoted(&rest), begin);
    }
    const struct span_of_text code = {begin, (size_t)(colon - begin)};
    pdb_status status = parse_code(guess, &code, &item->question, error);
    *at = colon + 1;
    return status == PDB_OK ? parse_answer(guess, begin, at, &item->answer, error) : status;
}

pdb_status guess_parse(const struct guess *guess, const char *text, struct guess_history *history, pdb_error *error)
{
    size_t most = 1;
    const char *begin = skip(text, between_items);
    for (const char *c = text; (c = strchr(c, ':')) != NULL; c++)
        most++;
    *history = (struct guess_history){0};
    if (most > MAX_QUESTIONS + 1)
        return error_set(error, PDB_BAD_BOARD, "a history has at most %d questions", MAX_QUESTIONS);
    history->item = malloc(most * sizeof *history->item);
    if (history->item == NULL)
        return error_no_memory(error, "a history", most * sizeof *history->item);
    pdb_status status = PDB_OK;
    if (most > 1 || *begin == '\0') {
        while (status == PDB_OK && *(begin = skip(begin, between_items)) != '\0')
            status = parse_item(guess, &begin, &history->item[history->count++], error);
        return status;
    }
    const struct span_of_text code = {begin, strlen(begin)};
    status = parse_code(guess, &code, &history->item[0].question, error);
    if (status != PDB_OK && strncmp(begin, "start", 5) == 0 && *skip(begin + 5, between_items) == '\0')
        return PDB_OK;
    history->is_code = true;
    history->count = 1;
    return status;
}
