/* test_values.c -- what is read from a definition: places that complaints point at, typed values, the digest
 *
 * Messages are compared whole, with file, line and column: they are what a user sees.
 */
#include "lib/definition/definition.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

static pdb_error error;
static const char *const none[] = {NULL};

static struct definition *parse(const char *text)
{
    struct definition *definition = NULL;
    cr_assert(definition_parse("goat.yaml", text, strlen(text), &definition, &error) == PDB_OK, "%s", error.message);
    return definition;
}

/* ---- places ---- */

static void expect_place(const struct node *node, size_t offset, const char *place)
{
    char expected[100];
    cr_expect(node_error_at(&error, node, offset, "%s %d", "here", 7) == PDB_BAD_DEFINITION);
    snprintf(expected, sizeof expected, "goat.yaml:%s: here 7", place);
    EXPECT_TEXT(error.message, expected);
}

Test(definition_values, places_of_nodes)
{
    struct definition *definition = parse(
        "a: 1\r\n\r\n# x\r\n\xE7\xBE\x8A: [b, '\xC3\xA4', {c:\r\n   d}]\r\ne:\r\nf:\r\n  - g\r\n");
    const struct node *root = definition_root(definition), *list = node_value(root, 1);
    cr_expect(node_error(&error, root, "%s", "here") == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:1:1: here");
    cr_expect(node_error(NULL, root, "%s", "here") == PDB_BAD_DEFINITION);
    expect_place(root, 5, "1:1"); /* no scalar: its beginning */
    expect_place(node_key(root, 1), 0, "4:1");
    expect_place(list, 1, "4:4");
    expect_place(node_item(list, 0), 0, "4:5");
    expect_place(node_item(list, 1), 0, "4:9");
    expect_place(node_item(list, 2), 0, "4:13");
    expect_place(node_find(node_item(list, 2), "c"), 0, "5:4");
    expect_place(node_find(root, "e"), 0, "6:3"); /* no value: right after the colon */
    expect_place(node_find(root, "f"), 0, "8:3");
    expect_place(node_item(node_find(root, "f"), 0), 0, "8:5");
    definition_free(definition);
}

Test(definition_values, places_in_texts_of_one_line)
{
    struct definition *definition = parse(
        "plain: a\xC3\xA4\xE7\xBE\x8Ax\nsingle: 'a b'\n? \"double\"  \n: \"a\\\\ \xC3\xA4\"\nescaped: \"a\\tb\"\n"
        "doubled: 'it''s'\nempty: ''\n");
    const struct node *root = definition_root(definition);
    const struct node *plain = node_find(root, "plain");
    expect_place(plain, 0, "1:8");
    expect_place(plain, 1, "1:9");
    expect_place(plain, 2, "1:9"); /* inside a character: its beginning */
    expect_place(plain, 3, "1:10");
    expect_place(plain, 6, "1:11");
    expect_place(plain, 7, "1:12"); /* the end */
    expect_place(plain, 99, "1:12");
    expect_place(node_find(root, "single"), 0, "2:10");
    expect_place(node_find(root, "single"), 2, "2:12");
    expect_place(node_key(root, 2), 3, "3:7");
    expect_place(node_find(root, "double"), 2, "4:3"); /* escapes: the beginning */
    expect_place(node_find(root, "escaped"), 2, "5:10");
    expect_place(node_find(root, "doubled"), 4, "6:10");
    expect_place(node_find(root, "empty"), 0, "7:9");
    definition_free(definition);
}

Test(definition_values, places_in_joined_lines)
{
    struct definition *definition = parse(
        "plain: a \xC3\xA4\n  bc  \n\n  d\nfolded: >- # comment\n   a b\n\n   c\n    > d\nquoted: \"a\n  b\\tc\"\n"
        "single: 'a\n b''c'\nlast: >\r\n  x\r\n  y\r\n");
    const struct node *root = definition_root(definition);
    const struct node *plain = node_find(root, "plain"); /* "a \u00E4 bc\nd" */
    expect_place(plain, 0, "1:8");
    expect_place(plain, 2, "1:10");
    expect_place(plain, 3, "1:10");
    expect_place(plain, 4, "1:11"); /* where a line ends: right behind it */
    expect_place(plain, 5, "2:3");
    expect_place(plain, 6, "2:4");
    expect_place(plain, 8, "4:3");
    expect_place(plain, 9, "4:4"); /* the end */
    expect_place(plain, 99, "4:4");
    const struct node *folded = node_find(root, "folded"); /* "a b\nc\n > d" */
    EXPECT_TEXT(node_text(folded), "a b\nc\n > d");
    expect_place(folded, 0, "6:4");
    expect_place(folded, 2, "6:6");
    expect_place(folded, 4, "8:4");
    expect_place(folded, 7, "9:5");
    expect_place(folded, 9, "9:7");
    expect_place(node_find(root, "quoted"), 2, "11:3");
    expect_place(node_find(root, "quoted"), 4, "10:9"); /* behind an escape: the beginning */
    expect_place(node_find(root, "single"), 2, "13:2");
    expect_place(node_find(root, "single"), 4, "12:9");
    expect_place(node_find(root, "last"), 2, "16:3");
    expect_place(node_find(root, "last"), 4, "16:4");
    definition_free(definition);
}

/* An escape stands for one character and is two; where nothing is written there is nothing to point to. */
Test(definition_values, places_in_joined_lines_with_escapes_or_nothing)
{
    struct definition *definition = parse("double: \"a\n \\\\\\\\ b\"\nsingle: 'a\n '''''\nends: \"a\r\n\t\\\\\"\r"
                                          "indented: >2-  # '>'\n   a\n\n  b\nempty: >\nblank: >+\n\n\n? key\n  two\n: "
                                          "1\nwrapped: \"a\\\n  b\"\nend: >-");
    const struct node *root = definition_root(definition), *twice = node_find(root, "double"),
                      *indented = node_find(root, "indented");
    EXPECT_TEXT(node_text(twice), "a \\\\ b"); /* two, each written twice */
    expect_place(twice, 0, "1:10");
    expect_place(twice, 2, "1:9");
    expect_place(twice, 3, "1:9");
    expect_place(twice, 5, "1:9");
    EXPECT_TEXT(node_text(node_find(root, "single")), "a ''");
    expect_place(node_find(root, "single"), 3, "3:9");
    expect_place(node_find(root, "single"), 4, "3:9");
    expect_place(node_find(root, "ends"), 3, "5:7");
    EXPECT_TEXT(node_text(indented), " a\n\nb");
    expect_place(indented, 1, "8:4");
    expect_place(indented, 4, "10:3");
    expect_place(node_find(root, "empty"), 0, "11:8");
    expect_place(node_find(root, "blank"), 0, "12:8");
    expect_place(node_find(root, "blank"), 2, "12:8");
    expect_place(node_key(root, 6), 4, "16:3");
    expect_place(node_find(root, "wrapped"), 1, "18:10");
    expect_place(node_find(root, "end"), 0, "20:6");
    definition_free(definition);
}

Test(definition_values, places_in_literal_blocks)
{
    struct definition *definition = parse(
        "a: | # comment\n  1 \xE7\xBE\x8A 3\n\n    4 5\nb:\n  - |2+\n      x\n\n\nc: |-\n\n \xC3\xA4z\n\nd: |\n  e");
    const struct node *root = definition_root(definition);
    const struct node *a = node_find(root, "a"); /* "1 G 3\n\n  4 5\n", the G of three bytes */
    expect_place(a, 0, "2:3");
    expect_place(a, 2, "2:5");
    expect_place(a, 6, "2:7");
    expect_place(a, 7, "2:8"); /* the row's end */
    expect_place(a, 8, "3:1"); /* the empty row */
    expect_place(a, 9, "4:3");
    expect_place(a, 11, "4:5");
    expect_place(a, 13, "4:7");
    expect_place(a, 14, "4:8");
    expect_place(a, 15, "4:8"); /* the text's end: still the last row's */
    expect_place(a, 99, "4:8");
    const struct node *b = node_item(node_find(root, "b"), 0); /* "  x\n\n\n" */
    expect_place(b, 0, "7:5");
    expect_place(b, 2, "7:7");
    expect_place(b, 4, "8:1");
    expect_place(b, 6, "9:1");
    const struct node *c = node_find(root, "c"); /* "\näz" */
    expect_place(c, 0, "11:1");
    expect_place(c, 1, "12:2");
    expect_place(c, 3, "12:3");
    expect_place(c, 4, "12:4");
    expect_place(node_find(root, "d"), 0, "15:3");
    expect_place(node_find(root, "d"), 1, "15:4");
    definition_free(definition);
}

/* Where lines begin in a text with any kind of line end; NULL if there are not as many. */
static const char *line_of(const char *text, size_t line)
{
    while (--line > 0) {
        text += strcspn(text, "\r\n");
        if (*text == '\0')
            return NULL;
        text += text[0] == '\r' && text[1] == '\n' ? 2 : 1;
    }
    return text;
}

/* Every byte of a text that is not spread over lines or escaped is found where the complaint about it points. */
static void expect_every_byte_found(const char *source, const struct node *node, size_t *found)
{
    for (size_t i = 0; i < node_count(node); i++) {
        bool mapping = node_kind(node) == NODE_MAPPING;
        if (mapping)
            expect_every_byte_found(source, node_key(node, i), found);
        expect_every_byte_found(source, mapping ? node_value(node, i) : node_item(node, i), found);
    }
    const char *text = node_text(node);
    for (size_t offset = 0; text != NULL && text[offset] != '\0'; offset++) {
        size_t line = 0, column = 0;
        node_error_at(&error, node, offset, "x");
        cr_assert(sscanf(error.message, "goat.yaml:%zu:%zu: x", &line, &column) == 2);
        const char *at = line_of(source, line);
        cr_assert(at != NULL, "%s", error.message);
        while (--column > 0)
            do
                at++;
            while (((unsigned char)*at & 0xC0) == 0x80);
        bool same = text[offset] == '\n' ? *at == '\r' || *at == '\n' : *at == text[offset];
        cr_expect(same || ((unsigned char)text[offset] & 0xC0) == 0x80, "%s points at '%c', not at '%c'", error.message,
                  *at, text[offset]);
        *found += same;
    }
}

Test(definition_values, every_byte_is_found_with_every_line_end)
{
    static const char *const line_ends[] = {"\n", "\r\n", "\r"};
    static const char template[] =
        "a: |~  1 2\xC3\xA4 3~~   4~b: x y~c: 'z'~'d e': [\"\xE7\xBE\x8A!\", f]~g:~  - |1~    h~   i~# end~j: |+~ k~ ~";
    for (size_t end = 0; end < COUNT(line_ends); end++) {
        char source[2 * sizeof template];
        size_t length = 0, found = 0;
        for (const char *c = template; *c != '\0'; c++)
            length += (size_t)sprintf(source + length, "%.*s", *c == '~' ? 2 : 1, *c == '~' ? line_ends[end] : c);
        struct definition *definition = parse(source);
        expect_every_byte_found(source, definition_root(definition), &found);
        cr_expect(found > 30, "%zu", found);
        definition_free(definition);
    }
}

/* ---- typed values ---- */

static const struct node *only_value(const struct definition *definition)
{
    return node_value(definition_root(definition), 0);
}

Test(definition_values, texts)
{
    struct definition *definition = parse("a: b\nc: []\nd: {}\n");
    const struct node *root = definition_root(definition);
    const char *text = NULL;
    cr_expect(node_as_text(node_find(root, "a"), &text, &error) == PDB_OK);
    EXPECT_TEXT(text, "b");
    cr_expect(node_as_text(node_find(root, "c"), &text, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:2:4: a text is needed here, not a list");
    cr_expect(node_as_text(node_find(root, "d"), &text, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:3:4: a text is needed here, not a mapping");
    EXPECT_TEXT(text, "b");
    definition_free(definition);
}

Test(definition_values, integers)
{
    static const struct {
        const char *text;
        int64_t min, max, value;
    } taken[] = {
        {"a: 0", 0, 0, 0},
        {"a: 12", -20, 12, 12},
        {"a: -12", -12, 20, -12},
        {"a: '7'", 0, 9, 7},
        {"a: \"7\"", 0, 9, 7},
        {"a: 9223372036854775807", INT64_MIN, INT64_MAX, INT64_MAX},
        {"a: -9223372036854775808", INT64_MIN, INT64_MAX, INT64_MIN},
    };
    for (size_t i = 0; i < COUNT(taken); i++) {
        struct definition *definition = parse(taken[i].text);
        int64_t value = 99;
        cr_expect(node_as_integer(only_value(definition), taken[i].min, taken[i].max, &value, &error) == PDB_OK, "%s",
                  taken[i].text);
        cr_expect(value == taken[i].value, "%s: %lld", taken[i].text, (long long)value);
        definition_free(definition);
    }
    static const char *const wrong[] = {"13",
                                        "-13",
                                        "010",
                                        "00",
                                        "-0",
                                        "+1",
                                        "0x1",
                                        "1_0",
                                        "1e1",
                                        "1.0",
                                        "1:3",
                                        "one",
                                        "-",
                                        "- 1",
                                        "1 2",
                                        "\xEF\xBC\x91",
                                        "9223372036854775808",
                                        "-9223372036854775809",
                                        "99999999999999999999999999"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char text[100], expected[200];
        snprintf(text, sizeof text, "a: '%s'", wrong[i]);
        snprintf(expected, sizeof expected,
                 "goat.yaml:1:4: a whole number from -12 to 12, in plain decimal digits, is needed here, not '%s'",
                 wrong[i]);
        struct definition *definition = parse(text);
        int64_t value = 99;
        cr_expect(node_as_integer(only_value(definition), -12, 12, &value, &error) == PDB_BAD_DEFINITION && value == 99,
                  "%s", wrong[i]);
        EXPECT_TEXT(error.message, expected);
        definition_free(definition);
    }
    struct definition *definition = parse("a: #1\nb: [1]");
    int64_t value;
    cr_expect(node_as_integer(only_value(definition), INT64_MIN, INT64_MAX, &value, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(
        error.message,
        "goat.yaml:1:3: a whole number from -9223372036854775808 to 9223372036854775807, in plain decimal digits, "
        "is needed here, but there is nothing");
    cr_expect(node_as_integer(node_find(definition_root(definition), "b"), 1, 2, &value, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message,
                "goat.yaml:2:4: a whole number from 1 to 2, in plain decimal digits, is needed here, not a list");
    definition_free(definition);
}

Test(definition_values, bools)
{
    static const char *const wrong[] = {"yes", "no", "on", "off",  "True", "TRUE",  "False",
                                        "1",   "0",  "~",  "null", "y",    "truer", "true\tx"};
    bool value = false;
    struct definition *definition = parse("a: true\nb: 'false'\nc:\n");
    const struct node *root = definition_root(definition);
    cr_expect(node_as_bool(node_find(root, "a"), &value, &error) == PDB_OK && value);
    cr_expect(node_as_bool(node_find(root, "b"), &value, &error) == PDB_OK && !value);
    cr_expect(node_as_bool(node_find(root, "c"), &value, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:3:3: true or false is needed here, but there is nothing");
    cr_expect(node_as_bool(root, &value, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:1:1: true or false is needed here, not a mapping");
    definition_free(definition);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        char text[50];
        snprintf(text, sizeof text, "a: %s", wrong[i]);
        definition = parse(text);
        cr_expect(node_as_bool(only_value(definition), &value, &error) == PDB_BAD_DEFINITION, "%s", wrong[i]);
        definition_free(definition);
    }
}

Test(definition_values, choices)
{
    static const char *const choices[] = {"row", "column", "both", NULL};
    struct definition *definition = parse("z: row\na: both\nb: colum\nc: xyz\nd:\ne: [row]\nf: a long text\n  with row "
                                          "in it, over more lines than one\n");
    const struct node *root = definition_root(definition);
    unsigned choice = 99;
    cr_expect(node_as_choice(node_value(root, 0), choices, &choice, &error) == PDB_OK && choice == 0);
    cr_expect(node_as_choice(node_find(root, "a"), choices, &choice, &error) == PDB_OK && choice == 2);
    cr_expect(node_as_choice(node_find(root, "b"), choices, &choice, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message,
                "goat.yaml:3:4: one of (row, column, both) is needed here, not 'colum': did you mean 'column'?");
    cr_expect(node_as_choice(node_find(root, "c"), choices, &choice, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:4:4: one of (row, column, both) is needed here, not 'xyz'");
    cr_expect(node_as_choice(node_find(root, "d"), choices, &choice, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:5:3: one of (row, column, both) is needed here, but there is nothing");
    cr_expect(node_as_choice(node_find(root, "e"), choices, &choice, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:6:4: one of (row, column, both) is needed here, not a list");
    cr_expect(node_as_choice(node_find(root, "f"), choices, &choice, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(
        error.message,
        "goat.yaml:7:4: one of (row, column, both) is needed here, not 'a long text with row in it, over more li...'");
    cr_expect(choice == 2);
    definition_free(definition);
}

Test(definition_values, known_keys)
{
    static const char *const known[] = {"puzzle", "goal", "boards", NULL};
    struct definition *definition = parse(
        "goal: 1\nboards: {gaol: 1}\nx: {\xE7\xBE\x8A\xE7\xBE\x8A\xE7\xBE\x8A\xE7\xBE\x8A: 1}\ny: z\n");
    const struct node *root = definition_root(definition);
    cr_expect(node_check_keys(node_find(root, "boards"), known, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:2:10: unknown key 'gaol': did you mean 'goal'?");
    cr_expect(node_check_keys(node_find(root, "x"), known, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:3:5: unknown key '\xE7\xBE\x8A\xE7\xBE\x8A\xE7\xBE\x8A\xE7\xBE\x8A': the "
                               "keys that can stand here are puzzle, goal, boards");
    cr_expect(node_check_keys(root, known, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:3:1: unknown key 'x': the keys that can stand here are puzzle, goal, boards");
    cr_expect(node_check_keys(node_find(root, "y"), known, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:4:4: a mapping is needed here, not 'z'");
    definition_free(definition);
    definition = parse("boards: 1\ngoal: 2\n");
    cr_expect(node_check_keys(definition_root(definition), known, &error) == PDB_OK);
    definition_free(definition);
}

Test(definition_values, required_keys)
{
    struct definition *definition = parse("a: {b: 1}\nc: [b]\n");
    const struct node *root = definition_root(definition), *value = NULL;
    cr_expect(node_require(node_find(root, "a"), "b", &value, &error) == PDB_OK && value != NULL);
    EXPECT_TEXT(node_text(value), "1");
    cr_expect(node_require(node_find(root, "a"), "d", &value, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:1:4: the key 'd' is missing in this mapping");
    cr_expect(node_require(node_find(root, "c"), "b", &value, &error) == PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "goat.yaml:2:4: a mapping with the key 'b' is needed here, not a list");
    EXPECT_TEXT(node_text(value), "1");
    definition_free(definition);
}

/* ---- the digest ---- */

struct digest_text {
    char hex[2 * DIGEST_BYTES + 1];
};

static struct digest_text digest_except(const char *text, const char *const except[])
{
    struct definition *definition = parse(text);
    uint8_t digest[DIGEST_BYTES];
    struct digest_text result;
    cr_assert(definition_digest(definition, except, 0, digest, &error) == PDB_OK);
    for (size_t i = 0; i < DIGEST_BYTES; i++)
        snprintf(result.hex + 2 * i, 3, "%02x", digest[i]);
    definition_free(definition);
    return result;
}

static struct digest_text digest_of(const char *text)
{
    return digest_except(text, none);
}

Test(definition_values, digest_is_of_what_is_said)
{
    static const char *const same[] = {
        "a: 1\nb: [x, {c: d, e: f}]\ng: |\n  1 2\n  3 4\n",
        "g: |\n       1 2\n       3 4\nb: [x, {e: f, c: d}]\na: 1\n",
        "# a comment\n\"a\": '1'\n\nb:\n- x\n- c: d\n  e: f\ng: \"1 2\\n3 4\\n\"\n",
        "a: 1\r\nb: [x, {c: d, e: f}]\r\ng: |\r\n  1 2\r\n  3 4\r\n",
        "\xEF\xBB\xBF{b: [x, {c: d, 'e': f}], g: \"1 2\\n\\\n  3 4\\n\", a: 1}",
    };
    struct digest_text first = digest_of(same[0]);
    for (size_t i = 1; i < COUNT(same); i++)
        EXPECT_TEXT(digest_of(same[i]).hex, first.hex);
    /* It is part of every database: it must be the same on every machine, with every version. */
    EXPECT_TEXT(first.hex, "fddcf3b40312f0aa059c20f0927c98f3");
}

Test(definition_values, digest_tells_everything_apart)
{
    static const char *const different[] = {
        "{}",
        "a:",
        "a: 1",
        "a: 2",
        "b: 1",
        "a: ' 1'",
        "a: [1]",
        "a: [[1]]",
        "a: {1: ''}",
        "a: {1: 1}",
        "a: []",
        "a: {}",
        "a: [1, '']",
        "a: ['', 1]",
        "a: ['']",
        "a: ['', '']",
        "a: [12]",
        "a: [1, 2]",
        "a: [2, 1]",
        "a: [[1], 2]",
        "a: [[1, 2]]",
        "a: [1, [2]]",
        "a: {b: c, d: e}",
        "a: {b: d, c: e}",
        "a: {b: c}\nd: e",
        "a: {b: ''}\nd: e",
        "a: |\n  1\n",
        "a: |+\n  1\n\n",
        "a: s",
        "a: \xC3\xA4",
        "a: a\xCC\x88",
        "1: a",
        "a: '1'\nb: ''",
        "a: true",
        "a: yes",
    };
    struct digest_text digest[COUNT(different)];
    for (size_t i = 0; i < COUNT(different); i++) {
        digest[i] = digest_of(different[i]);
        for (size_t j = 0; j < i; j++)
            cr_expect(strcmp(digest[i].hex, digest[j].hex) != 0, "%s and %s", different[i], different[j]);
    }
}

Test(definition_values, digest_leaves_out_what_it_is_told)
{
    static const char *const looks[] = {"title", "glyphs", NULL};
    struct digest_text plain = digest_except("goal: 1\n", looks);
    EXPECT_TEXT(plain.hex, digest_of("goal: 1\n").hex);
    EXPECT_TEXT(digest_except("title: x\ngoal: 1\nglyphs: {a: b}\n", looks).hex, plain.hex);
    EXPECT_TEXT(digest_except("{}", looks).hex, digest_except("title: x", looks).hex);
    cr_expect(strcmp(digest_of("title: x\ngoal: 1\n").hex, plain.hex) != 0);
    cr_expect(strcmp(digest_except("goal: {title: x}", looks).hex, digest_except("goal: {}", looks).hex) != 0,
              "only at the top");
}
