/* test_hostile.c -- definitions of any bytes: read, or refused with a complaint that has a place, and soon */
#include "parsed.h"

#include <stdio.h>

static pdb_error error;
static const char *const none[] = {NULL};

/* Any bytes are: a definition that can be walked and digested, or a complaint with a place. */
static void expect_sane(const char *text, size_t length)
{
    struct definition *definition;
    uint8_t digest[DIGEST_BYTES];
    pdb_status status = definition_parse("goat.yaml", text, length, &definition, &error);
    if (status == PDB_OK) {
        cr_expect(definition_digest(definition, none, 0, digest, &error) == PDB_OK);
        definition_free(definition);
        return;
    }
    size_t line, column;
    cr_expect(status == PDB_BAD_DEFINITION, "status %d", (int)status);
    cr_expect(sscanf(error.message, "goat.yaml:%zu:%zu: ", &line, &column) == 2, "%s", error.message);
    cr_expect(line >= 1 && line <= length + 1 && column >= 1 && column <= length + 1, "%s", error.message);
}

Test(definition, cut_anywhere)
{
    for (size_t length = 0; length < sizeof good; length++) {
        char *text = malloc(length + 1); /* exactly as large, so that a sanitizer sees a byte too many */
        cr_assert(text != NULL);
        memcpy(text, good, length);
        expect_sane(text, length);
        free(text);
    }
}

Test(definition, any_byte_changed)
{
    char text[sizeof good];
    memcpy(text, good, sizeof good);
    for (size_t i = 0; i < sizeof good - 1; i++) {
        for (int bit = 0; bit < 8; bit++) {
            text[i] = (char)(good[i] ^ 1 << bit);
            expect_sane(text, sizeof good - 1);
        }
        static const char marks[] = "\t\n\r -?:,[]{}#&*!|>'\"%@`\\\xFF";
        for (size_t mark = 0; mark < sizeof marks; mark++) { /* its NUL too */
            text[i] = marks[mark];
            expect_sane(text, sizeof good - 1);
        }
        text[i] = good[i];
    }
}

Test(definition, any_tokens_in_any_order)
{
    static const char *const tokens[] = {"a", "b: ", ": ", "- ",    "? ",    "\n",           "\n ",  "\n  ", "[",  "]",
                                         "{", "}",   ", ", "'",     "\"",    "|\n",          ">\n",  "# ",   "&x", "*x",
                                         "!", "\\",  "0",  "---\n", "...\n", "\xE7\xBE\x8A", "\r\n", "\t"};
    uint64_t random = 88172645463325252;
    for (int round = 0; round < 20000; round++) {
        char text[200] = "";
        size_t length = 0;
        while (length < sizeof text - 8) {
            next_random(&random);
            if (random >> 60 == 0)
                break;
            length += (size_t)sprintf(text + length, "%s", tokens[random % COUNT(tokens)]);
        }
        expect_sane(text, length);
    }
}

/* libyaml alone takes quadratic time or worse over some of these. */
Test(definition, much_of_the_same)
{
    static const char *const beginnings[] = {"", "a: ", "a: [", "a: {", "a: |\n ", "a: \""};
    static const char *const units[] = {
        "[", "{",  "- ",    "? ", "[a,",   "{a: ", "a: ", "\"",    "'",  "!a ",          "&a ", "*a ", ", ",
        "#", "\n", "? a\n", ": ", "- a\n", "[]\n", "{},", "---\n", "\t", "%TAG !a! b\n", "\\n", " ",   "\xC3\xA4"};
    size_t size = 1 << 18;
    char *text = malloc(size + 20);
    cr_assert(text != NULL);
    for (size_t b = 0; b < COUNT(beginnings); b++)
        for (size_t u = 0; u < COUNT(units); u++) {
            size_t length = (size_t)sprintf(text, "%s", beginnings[b]), unit = strlen(units[u]);
            for (; length < size; length += unit)
                memcpy(text + length, units[u], unit);
            expect_sane(text, length);
        }
    free(text);
}

Test(definition, many_keys)
{
    enum { KEYS = 50000 };
    char *text = malloc(KEYS * 16 + 1);
    size_t length = 0;
    cr_assert(text != NULL);
    for (int i = 0; i < KEYS; i++)
        length += (size_t)sprintf(text + length, "k%d: %d\n", (i * 7919) % KEYS, i);
    struct definition *definition = parse_bytes(text, length);
    cr_expect(node_count(definition_root(definition)) == KEYS);
    for (size_t i = 0; i < KEYS; i += 997) {
        char expected[20];
        snprintf(expected, sizeof expected, "%zu", i);
        expect_text(node_text(node_value(definition_root(definition), i)), expected);
    }
    definition_free(definition);
    length += (size_t)sprintf(text + length, "k7919: 0\n");
    expect_refused(text, length, "goat.yaml:50001:1: the key 'k7919' is given twice: it stands at line 2 already");
    free(text);
}
