/* definition.c -- reads what digits there are and what may be done with them */
#include "express.h"
#include "lib/suggest.h"

#include <stdio.h>

enum { WORD_MAX = 64 };

/* 'digits': each is one character, with or without blanks and commas between them, but not both ways at once: `25 3` is
 * meant to have a number of two digits, and there are none. */
static pdb_status read_digits(const struct node *node, char digits[EXPRESS_MAX_DIGITS + 1], pdb_error *error)
{
    const char *text;
    size_t count = 0;
    pdb_status status = node_as_text(node, &text, error);
    if (status != PDB_OK)
        return status;
    const char *const blanks = " ,\t\n";
    const bool apart = text[strcspn(text, blanks)] != '\0';
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr(blanks, *c) != NULL)
            continue;
        if (apart && c > text && strchr(blanks, c[-1]) == NULL)
            return node_error_at(error, node, (size_t)(c - text),
                                 "a number of several digits cannot be given: digits stand alone (2 5), and 'join' "
                                 "makes numbers of them");
        if (*c < '0' || *c > '9')
            return node_error_at(error, node, (size_t)(c - text), "only digits 0 to 9 are expected here: 4 4 4 4");
        if (count == EXPRESS_MAX_DIGITS)
            return node_error_at(error, node, (size_t)(c - text), "there may be at most %d digits", EXPRESS_MAX_DIGITS);
        digits[count++] = *c;
    }
    digits[count] = '\0';
    return count > 0 ? PDB_OK : node_error(error, node, "there is no digit here: 4 4 4 4");
}

static pdb_status read_operator(struct express *express, const struct node *node, size_t offset, const char *word,
                                pdb_error *error)
{
    for (unsigned o = 0; o < EXPRESS_OPERATORS; o++) {
        if (strcmp(word, express_words[o]) != 0)
            continue;
        if (express->allowed[o])
            return node_error_at(error, node, offset, "the operator '%s' is given twice", word);
        express->allowed[o] = true;
        return PDB_OK;
    }
    const char *nearest = suggest_nearest(word, express_words);
    if (nearest != NULL)
        return node_error_at(error, node, offset, "there is no operator '%s': did you mean '%s'?", word, nearest);
    return node_error_at(error, node, offset,
                         "there is no operator '%s', but + - * / power root factorial negate join decimal", word);
}

/* Words with blanks or commas between them. */
static pdb_status read_words(struct express *express, const struct node *node, pdb_error *error)
{
    static const char between[] = " ,\t\n";
    const char *text;
    pdb_status status = node_as_text(node, &text, error);
    for (size_t at = 0; status == PDB_OK; at += strcspn(text + at, between)) {
        char word[WORD_MAX];
        at += strspn(text + at, between);
        if (text[at] == '\0')
            return PDB_OK;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(text + at, between), text + at);
        status = read_operator(express, node, at, word, error);
    }
    return status;
}

/* 'operators': such words, or a list of them; without it, the four operations and joining. */
static pdb_status read_operators(struct express *express, const struct node *node, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (node != NULL && node_kind(node) != NODE_SEQUENCE)
        return read_words(express, node, error);
    for (size_t i = 0; node != NULL && status == PDB_OK && i < node_count(node); i++)
        status = read_words(express, node_item(node, i), error);
    for (unsigned o = EXPRESS_ADD; node == NULL && o <= EXPRESS_DIVIDE; o++)
        express->allowed[o] = true;
    express->allowed[EXPRESS_JOIN] |= node == NULL;
    return status;
}

/* A key with two choices; *second is set where the second one is chosen. */
static pdb_status read_choice(const struct node *node, const char *const choices[], bool *second, pdb_error *error)
{
    unsigned choice = 0;
    pdb_status status = node != NULL ? node_as_choice(node, choices, &choice, error) : PDB_OK;
    *second = choice == 1;
    return status;
}

pdb_status express_read(const struct definition *definition, struct express *express, pdb_error *error)
{
    static const char *const orders[] = {"any", "kept", NULL}, *const uses[] = {"all", "fewest", NULL};
    const struct node *root = definition_root(definition), *node, *use = node_find(root, "use");
    char digits[EXPRESS_MAX_DIGITS + 1];
    pdb_status status = node_require(root, "digits", &node, error);
    if (status == PDB_OK)
        status = read_digits(node, digits, error);
    if (status == PDB_OK)
        status = read_operators(express, node_find(root, "operators"), error);
    if (status == PDB_OK)
        status = read_choice(node_find(root, "order"), orders, &express->kept, error);
    if (status == PDB_OK)
        status = read_choice(use, uses, &express->fewest, error);
    if (status != PDB_OK)
        return status;
    if (express->fewest && strspn(digits, (char[]){digits[0], '\0'}) != strlen(digits))
        return node_error(error, use, "the fewest digits can be asked for where all of them are alike: 4 4 4 4 4");
    if (!express->kept)
        express_sort_digits(digits);
    return express_parts_make(express, digits, error);
}
