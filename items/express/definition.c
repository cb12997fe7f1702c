/* definition.c -- reads what digits there are and what may be done with them, and lays out the parts of the digits, and
 * the ways to split each in two (express.h) */
#include "express.h"
#include "lib/suggest.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORD_MAX = 64 };

/* -- parts -- */

static int compare_digits(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

void express_sort_digits(char *digits)
{
    qsort(digits, strlen(digits), 1, compare_digits);
}

static int compare_parts(const void *a, const void *b)
{
    const struct express_part *left = a, *right = b;
    return left->length != right->length ? left->length - right->length : strcmp(left->digits, right->digits);
}

/* Picks the digits that the bits of a mask choose. */
static void pick(const char *digits, unsigned mask, char *picked)
{
    for (; *digits != '\0'; digits++, mask >>= 1)
        if (mask & 1)
            *picked++ = *digits;
    *picked = '\0';
}

/* Is this mask the only one to stand for what it picks? With the order kept it picks a run; else, of digits that are
 * alike, the first ones. */
static bool is_part(const struct express *express, const char *digits, unsigned mask)
{
    if (express->kept) {
        const unsigned run = mask >> __builtin_ctz(mask);
        return (run & (run + 1)) == 0;
    }
    for (unsigned i = 1; digits[i] != '\0'; i++)
        if (digits[i] == digits[i - 1] && (mask >> (i - 1) & 3) == 2)
            return false;
    return true;
}

static void list_parts(struct express *express, const char *digits)
{
    const unsigned whole = (1u << strlen(digits)) - 1;
    unsigned count = 0, kept = 0;
    for (unsigned mask = 1; mask <= whole; mask++) {
        struct express_part *part = &express->part[count];
        if (!is_part(express, digits, mask))
            continue;
        pick(digits, mask, part->digits);
        part->length = (uint8_t)strlen(part->digits);
        count++;
    }
    qsort(express->part, count, sizeof *express->part, compare_parts);
    for (unsigned i = 0; i < count; i++) /* runs in different places may read the same */
        if (i == 0 || compare_parts(&express->part[i], &express->part[kept - 1]) != 0)
            express->part[kept++] = express->part[i];
    express->parts = kept;
}

static uint16_t part_of(const struct express *express, const char *digits, unsigned mask)
{
    struct express_part wanted;
    pick(digits, mask, wanted.digits);
    wanted.length = (uint8_t)strlen(wanted.digits);
    const struct express_part *found = bsearch(&wanted, express->part, express->parts, sizeof wanted, compare_parts);
    return (uint16_t)(found - express->part);
}

/* Writes a part's splits where *split is, unless that is NULL; returns how many there are. */
static uint32_t split_part(const struct express *express, const struct express_part *part, struct express_split *split)
{
    const unsigned whole = (1u << part->length) - 1;
    uint32_t count = 0;
    for (unsigned mask = 1; mask < whole; mask++) {
        const bool prefix = (mask & (mask + 1)) == 0;
        if (express->kept ? !prefix : !is_part(express, part->digits, mask))
            continue;
        if (split != NULL)
            split[count] = (struct express_split){part_of(express, part->digits, mask),
                                                  part_of(express, part->digits, whole & ~mask)};
        count++;
    }
    return count;
}

/* Makes the parts of these digits, given in order, and their splits. PDB_NO_MEMORY. */
static pdb_status make_parts(struct express *express, const char *digits, pdb_error *error)
{
    const size_t most = (size_t)1 << strlen(digits);
    express->part = calloc(most, sizeof *express->part);
    if (express->part == NULL)
        return error_no_memory(error, "the parts of the digits", most * sizeof *express->part);
    list_parts(express, digits);
    uint32_t splits = 0;
    for (unsigned p = 0; p < express->parts; p++) {
        express->part[p].first_split = splits;
        express->part[p].splits = split_part(express, &express->part[p], NULL);
        splits += express->part[p].splits;
    }
    express->split = calloc(splits + 1, sizeof *express->split);
    if (express->split == NULL)
        return error_no_memory(error, "the splits of the digits", splits * sizeof *express->split);
    for (unsigned p = 0; p < express->parts; p++)
        split_part(express, &express->part[p], express->split + express->part[p].first_split);
    return PDB_OK;
}

bool express_number_allowed(const struct express *express, const char *digits, unsigned decimals)
{
    const size_t length = strlen(digits);
    return (length == 1 || express->allowed[EXPRESS_JOIN]) && (decimals == 0 || express->allowed[EXPRESS_DECIMAL]) &&
           (length <= decimals + 1 || digits[0] != '0');
}

/* -- keys -- */

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

pdb_status express_create(const struct definition *definition, struct items_puzzle *puzzle, pdb_error *error)
{
    struct express *express = (struct express *)puzzle;
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
    puzzle->unit = express->fewest ? "digit" : "operator";
    return make_parts(express, digits, error);
}
