/* token.c -- an expression's text as tokens */
#include "token.h"
#include "lib/text.h"
#include "names.h"
#include "term.h"

#include <ctype.h>
#include <string.h>

static const char *const signs[] = {"..", "==", "!=", "<=", ">=", "<", ">", "=", "+", "-",
                                    "*",  "/",  "%",  "(",  ")",  "[", "]", ",", NULL};

static size_t sign_length(const char *text)
{
    for (size_t i = 0; signs[i] != NULL; i++)
        if (text_begins(text, signs[i]))
            return strlen(signs[i]);
    return 0;
}

static pdb_status read_number(struct tokens *tokens, const char *at, pdb_error *error)
{
    tokens->kind = TOKEN_NUMBER;
    tokens->number = 0;
    for (; isdigit((unsigned char)at[tokens->length]); tokens->length++) {
        tokens->number = tokens->number * 10 + (at[tokens->length] - '0');
        if (tokens->number > VALUE_MOST / 10 && isdigit((unsigned char)at[tokens->length + 1]))
            return node_error_at(error, tokens->node, tokens->offset, "this number is above %d", VALUE_MOST);
    }
    if (isalpha((unsigned char)at[tokens->length]) || at[tokens->length] == '_')
        return node_error_at(error, tokens->node, tokens->offset + tokens->length,
                             "a letter follows a number: a name cannot begin with a digit");
    return PDB_OK;
}

static pdb_status read_quoted(struct tokens *tokens, const char *at, pdb_error *error)
{
    const char *end = strchr(at + 1, *at);
    if (end == NULL || end == at + 1)
        return node_error_at(error, tokens->node, tokens->offset, "expected characters of the board in quotes, as '@'");
    tokens->kind = TOKEN_QUOTED;
    tokens->offset++;
    tokens->length = (size_t)(end - at - 1);
    return PDB_OK;
}

/* Advice for what other languages write. */
static const char *advice(const char *at)
{
    if (strncmp(at, ":=", 2) == 0)
        return ": a value is given with =";
    if (*at == '.' && isdigit((unsigned char)at[1]))
        return ": numbers are whole";
    switch (*at) {
    case '!':
        return ": 'not' is written as a word, and != is unequal";
    case '&':
    case '|':
        return ": 'and' and 'or' are written as words";
    case '?':
    case ':':
        return ": a choice is written x if c else y";
    case '^':
        return ": one of two is a != b; the other one of 0 and 1 is 1 - x";
    case ';':
        return ": assignments are separated by commas";
    case '.':
    case '{':
        return ": an index stands in brackets, on[d]";
    default:
        return ": a character of the board stands in quotes of its own, \"'@'\" in YAML";
    }
}

static pdb_status read_token(struct tokens *tokens, pdb_error *error)
{
    const char *at = tokens->text + tokens->offset;
    tokens->length = 0;
    if (*at == '\0') {
        tokens->kind = TOKEN_END;
    } else if (isdigit((unsigned char)*at)) {
        return read_number(tokens, at, error);
    } else if (isalpha((unsigned char)*at) || *at == '_') {
        tokens->kind = TOKEN_NAME;
        while (isalnum((unsigned char)at[tokens->length]) || at[tokens->length] == '_')
            tokens->length++;
    } else if (*at == '\'' || *at == '"') {
        return read_quoted(tokens, at, error);
    } else {
        tokens->kind = TOKEN_SIGN;
        tokens->length = sign_length(at);
        if (tokens->length == 0)
            return node_error_at(error, tokens->node, tokens->offset, "'%.*s' has no meaning here%s",
                                 (int)utf8_length(at), at, advice(at));
    }
    return PDB_OK;
}

pdb_status tokens_next(struct tokens *tokens, pdb_error *error)
{
    tokens->offset += tokens->length + (tokens->kind == TOKEN_QUOTED);
    tokens->offset += strspn(tokens->text + tokens->offset, " \t\r\n");
    return read_token(tokens, error);
}

pdb_status tokens_begin(struct tokens *tokens, const struct node *node, pdb_error *error)
{
    *tokens = (struct tokens){.node = node, .kind = TOKEN_END};
    pdb_status status = node_as_text(node, &tokens->text, error);
    return status != PDB_OK ? status : tokens_next(tokens, error);
}

bool token_is(const struct tokens *tokens, const char *sign)
{
    return (tokens->kind == TOKEN_SIGN || tokens->kind == TOKEN_NAME) &&
           text_is(tokens->text + tokens->offset, tokens->length, sign);
}

pdb_status token_skip(struct tokens *tokens, const char *sign, bool *was, pdb_error *error)
{
    *was = token_is(tokens, sign);
    return *was ? tokens_next(tokens, error) : PDB_OK;
}

/* Advice at a token, for words and signs of two characters that other languages have. */
static const char *advice_at(const struct tokens *tokens)
{
    static const struct {
        const char *written, *advice;
    } pairs[] = {{"<>", " (unequal is !=)"},
                 {"//", " (/ rounds down; # begins a comment, behind a blank)"},
                 {"**", " (powers are written out, x * x)"},
                 {"+=", " (written out: a = a + 1)"},
                 {"-=", " (written out: a = a - 1)"},
                 {"*=", " (written out: a = a * 2)"},
                 {"/=", " (written out: a = a / 2; unequal is !=)"},
                 {"++", " (written out: a = a + 1)"}},
      words[] = {{"not", " (behind a sign in parentheses, a == (not b); behind a condition 'and not')"},
                 {"is", " (equal is ==)"},
                 {"mod", " (what a division leaves is %)"},
                 {"div", " (/ rounds down)"},
                 {"xor", " (one of two is a != b)"},
                 {"if", " (a choice is written x if c else y)"},
                 {"then", " (a choice is written x if c else y)"}};
    const char *text = tokens->text + tokens->offset;
    for (size_t i = 0; tokens->kind == TOKEN_SIGN && tokens->offset > 0 && i < sizeof pairs / sizeof *pairs; i++)
        if (text_begins(text - 1, pairs[i].written))
            return pairs[i].advice;
    for (size_t i = 0; tokens->kind == TOKEN_NAME && i < sizeof words / sizeof *words; i++)
        if (text_is(text, tokens->length, words[i].written))
            return words[i].advice;
    return "";
}

pdb_status token_unexpected(const struct tokens *tokens, const char *expected, pdb_error *error)
{
    if (tokens->kind == TOKEN_END)
        return node_error_at(error, tokens->node, tokens->offset, "expected %s, but the text ends here", expected);
    const char *text = tokens->text + tokens->offset;
    const char *word = tokens->kind == TOKEN_NAME ? name_word_meant(text, tokens->length) : NULL;
    const int shown = tokens->length < 40 ? (int)tokens->length : 40;
    if (word != NULL)
        return node_error_at(error, tokens->node, tokens->offset,
                             "expected %s, not '%.*s': words are in small letters, %s", expected, shown, text, word);
    return node_error_at(error, tokens->node, token_place(tokens), "expected %s, not '%.*s'%s", expected, shown, text,
                         advice_at(tokens));
}

pdb_status token_expect(struct tokens *tokens, const char *sign, const char *expected, pdb_error *error)
{
    return token_is(tokens, sign) ? tokens_next(tokens, error) : token_unexpected(tokens, expected, error);
}
