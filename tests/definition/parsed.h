/* parsed.h -- a definition with some of everything, and texts that are parsed or refused */
#ifndef TESTS_DEFINITION_PARSED_H
#define TESTS_DEFINITION_PARSED_H

#include "lib/definition/definition.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define BYTES(literal) literal, sizeof(literal) - 1 /* a text that may have NULs in it, and its length */
#define NO_MAPPING     "a definition is a mapping, lines of 'key: value', but this is "

/* With some of everything that is allowed. */
static const char good[] = "# Goat and more\n"
                           "puzzle: goat\n"
                           "title: \"the sheep's \\\"pen\\\" \\u7f8a\"\n"
                           "family: 'slide' # a comment\n"
                           "\n"
                           "goal: |\n"
                           "  1  8  9  10\n"
                           "  2  5  7   0\n"
                           "\n"
                           "  \xE7\xBE\x8A  8  4   6\n"
                           "note: >-\n"
                           "   folded\n"
                           "   text\n"
                           "pieces:\n"
                           "  - 9 10\n"
                           "  - [1, '2', {a: b}]\n"
                           "glyphs: {0: \xE2\x96\xA1, 10: \" \", x: \"\\\\\"}\n"
                           "boards:\n"
                           "    start: |2-\n"
                           "        1 2\n"
                           "       3 4\n"
                           "    none:\n"
                           "    long: one two\n"
                           "      three\n";

static inline struct definition *parse_bytes(const char *text, size_t length)
{
    struct definition *definition = NULL;
    pdb_error error;
    pdb_status status = definition_parse("goat.yaml", text, length, &definition, &error);
    cr_assert(status == PDB_OK && definition != NULL, "%s", error.message);
    return definition;
}

static inline struct definition *parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

/* The text, that has to be there, under a key of the top mapping. */
static inline const char *top_text(const struct definition *definition, const char *key)
{
    const struct node *node = node_find(definition_root(definition), key);
    cr_assert(node != NULL && node_text(node) != NULL, "no text under %s", key);
    return node_text(node);
}

static inline void expect_text(const char *actual, const char *expected)
{
    cr_expect(actual != NULL && strcmp(actual, expected) == 0, "\"%s\" instead of \"%s\"", actual, expected);
}

static inline void expect_refused(const char *text, size_t length, const char *message)
{
    pdb_error error;
    struct definition *definition = (struct definition *)&error; /* has to stay as it is */
    pdb_status status = definition_parse("goat.yaml", text, length, &definition, &error);
    cr_expect(status == PDB_BAD_DEFINITION && error.status == status, "%s: status %d", text, (int)status);
    cr_expect(definition == (struct definition *)&error);
    if (status == PDB_OK)
        definition_free(definition);
    else
        expect_text(error.message, message);
}

/* A definition of exactly `length` bytes, most of them a comment. The caller frees it. */
static inline char *padded(size_t length)
{
    char *text = malloc(length + 1);
    cr_assert(text != NULL);
    memset(text, '#', length);
    memcpy(text, "a: b\n", 5);
    text[length] = '\0';
    return text;
}

#endif
