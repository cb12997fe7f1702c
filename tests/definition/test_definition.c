/* test_definition.c -- reading definitions: what is taken, what is refused, and that every complaint points at its
 * cause
 *
 * Messages are compared whole, with file, line and column: they are what a user sees.
 */
#include "lib/definition/definition.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES(literal) literal, sizeof(literal) - 1 /* a text that may have NULs in it, and its length */

static pdb_error error;
static const char *const none[] = {NULL};

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

static struct definition *parse_bytes(const char *text, size_t length)
{
    struct definition *definition = NULL;
    pdb_status status = definition_parse("goat.yaml", text, length, &definition, &error);
    cr_assert(status == PDB_OK && definition != NULL, "%s", error.message);
    return definition;
}

static struct definition *parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

/* The text, that has to be there, under a key of the top mapping. */
static const char *top_text(const struct definition *definition, const char *key)
{
    const struct node *node = node_find(definition_root(definition), key);
    cr_assert(node != NULL && node_text(node) != NULL, "no text under %s", key);
    return node_text(node);
}

static void expect_text(const char *actual, const char *expected)
{
    cr_expect(actual != NULL && strcmp(actual, expected) == 0, "\"%s\" instead of \"%s\"", actual, expected);
}

static void expect_refused(const char *text, size_t length, const char *message)
{
    struct definition *definition = (struct definition *)&error; /* has to stay as it is */
    pdb_status status = definition_parse("goat.yaml", text, length, &definition, &error);
    cr_expect(status == PDB_BAD_DEFINITION && error.status == status, "%s: status %d", text, (int)status);
    cr_expect(definition == (struct definition *)&error);
    if (status == PDB_OK)
        definition_free(definition);
    else
        expect_text(error.message, message);
}

/* ---- the tree ---- */

Test(definition, tree)
{
    struct definition *definition = parse("b: 1\na: [x, [y], {z: 2}]\nc: {}\nd: []\n");
    const struct node *root = definition_root(definition);
    expect_text(definition_name(definition), "goat.yaml");
    cr_expect(node_kind(root) == NODE_MAPPING && node_count(root) == 4 && node_text(root) == NULL);
    expect_text(node_text(node_key(root, 0)), "b"); /* in the order of the file */
    expect_text(node_text(node_value(root, 0)), "1");
    expect_text(node_text(node_key(root, 1)), "a");
    const struct node *list = node_find(root, "a");
    cr_expect(list == node_value(root, 1));
    cr_expect(node_kind(list) == NODE_SEQUENCE && node_count(list) == 3 && node_text(list) == NULL);
    expect_text(node_text(node_item(list, 0)), "x");
    cr_expect(node_kind(node_item(list, 0)) == NODE_SCALAR && node_count(node_item(list, 0)) == 0);
    expect_text(node_text(node_item(node_item(list, 1), 0)), "y");
    expect_text(node_text(node_find(node_item(list, 2), "z")), "2");
    cr_expect(node_kind(node_find(root, "c")) == NODE_MAPPING && node_count(node_find(root, "c")) == 0);
    cr_expect(node_kind(node_find(root, "d")) == NODE_SEQUENCE && node_count(node_find(root, "d")) == 0);
    cr_expect(node_find(root, "e") == NULL && node_find(root, "") == NULL);
    cr_expect(node_find(list, "x") == NULL && node_find(node_item(list, 0), "x") == NULL, "only mappings have keys");
    definition_free(definition);
}

Test(definition, texts_of_every_style)
{
    struct definition *definition = parse(good);
    expect_text(top_text(definition, "puzzle"), "goat");
    expect_text(top_text(definition, "title"), "the sheep's \"pen\" \xE7\xBE\x8A");
    expect_text(top_text(definition, "family"), "slide");
    expect_text(top_text(definition, "goal"), "1  8  9  10\n2  5  7   0\n\n\xE7\xBE\x8A  8  4   6\n");
    expect_text(top_text(definition, "note"), "folded text");
    const struct node *boards = node_find(definition_root(definition), "boards");
    expect_text(node_text(node_find(boards, "start")), "  1 2\n 3 4");
    expect_text(node_text(node_find(boards, "none")), "");
    expect_text(node_text(node_find(boards, "long")), "one two three");
    definition_free(definition);
}

Test(definition, scalars_are_text_and_nothing_else)
{
    struct definition *definition = parse(
        "a: 010\nb: yes\nc: ~\nd: null\ne: 0x10\nf: 1:30\ng: 2001-01-01\nh: .inf\n<<: x\n");
    expect_text(top_text(definition, "a"), "010");
    expect_text(top_text(definition, "b"), "yes");
    expect_text(top_text(definition, "c"), "~");
    expect_text(top_text(definition, "d"), "null");
    expect_text(top_text(definition, "e"), "0x10");
    expect_text(top_text(definition, "f"), "1:30");
    expect_text(top_text(definition, "g"), "2001-01-01");
    expect_text(top_text(definition, "h"), ".inf");
    expect_text(top_text(definition, "<<"), "x");
    definition_free(definition);
}

Test(definition, line_ends_and_byte_order_mark)
{
    static const char *const texts[] = {
        "a: |\n  x\n\n  y\nb: 1\n",           "a: |\r\n  x\r\n\r\n  y\r\nb: 1\r\n",
        "a: |\r  x\r\r  y\rb: 1\r",           "\xEF\xBB\xBF\x61: |\n  x\n\n  y\nb: 1", /* \x61 is a */
        "---\na: |\n  x\n\n  y\nb: 1\n...\n", "# first\n\n--- # second\na: |\n  x\n\n  y\n\n# third\n\nb: 1 # fourth\n",
    };
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct definition *definition = parse(texts[i]);
        cr_expect(node_count(definition_root(definition)) == 2);
        expect_text(top_text(definition, "a"), "x\n\ny\n");
        expect_text(top_text(definition, "b"), "1");
        definition_free(definition);
    }
}

Test(definition, nothing_depends_on_what_the_caller_does_with_the_text)
{
    char name[] = "goat.yaml", text[] = "a: b";
    struct definition *definition = NULL;
    cr_assert(definition_parse(name, text, 4, &definition, NULL) == PDB_OK);
    memset(name, 'x', sizeof name - 1);
    memset(text, 'x', sizeof text - 1);
    expect_text(definition_name(definition), "goat.yaml");
    expect_text(top_text(definition, "a"), "b");
    definition_free(definition);
    definition_free(NULL);
}

/* ---- what is refused ---- */

#define MAPPING_BROKEN                                                                                                 \
    "this does not go on with the mapping: check its indentation, and what is left over after a quotation mark or a "  \
    "bracket "
#define COLON_BROKEN                                                                                                   \
    "no ':' can stand here: check this line's indentation and the space after the ':' before it; a text with ': ' in " \
    "it needs quotes"
#define COLON_MISSING                                                                                                  \
    "a ':' is missing after this key; or this is a text that should go on from the line before, then indent it deeper"
#define QUOTE_BROKEN   "the quotation mark that begins this text has no partner that ends it"
#define NO_MAPPING     "a definition is a mapping, lines of 'key: value', but this is "
#define TAB            "a tab cannot indent a line: use spaces"
#define BRACKET_BROKEN "a value is missing here: is there a bracket or a comma too many, or a bracket too few?"

static const struct {
    const char *text;
    size_t length;
    const char *message;
} refused[] = {
    /* not one mapping */
    {BYTES(""), "goat.yaml:1:1: " NO_MAPPING "empty"},
    {BYTES("# nothing\n"), "goat.yaml:1:1: " NO_MAPPING "empty"},
    {BYTES("\xEF\xBB\xBF"), "goat.yaml:1:1: " NO_MAPPING "empty"},
    {BYTES("---\n"), "goat.yaml:2:1: " NO_MAPPING "none"},
    {BYTES("\n goat\n"), "goat.yaml:2:2: " NO_MAPPING "none"},
    {BYTES("key:value\n"), "goat.yaml:1:1: " NO_MAPPING "none"},
    {BYTES("- a\n- b\n"), "goat.yaml:1:1: " NO_MAPPING "a list"},
    {BYTES("a: 1\n---\nb: 2\n"), "goat.yaml:2:1: a second document begins here: a definition is only one"},
    {BYTES("a: 1\n...\n---\n"), "goat.yaml:3:1: a second document begins here: a definition is only one"},
    {BYTES("a: 1\n...\nb: 2\n"),
     "goat.yaml:3:1: this does not belong to the mapping above, which has ended: begin all its keys in one column"},
    {BYTES("  a: 1\nb: 2\n"),
     "goat.yaml:2:1: this does not belong to the mapping above, which has ended: begin all its keys in one column"},

    /* keys */
    {BYTES("a: 1\nb: 2\n\n\"a\": 3\n"), "goat.yaml:4:1: the key 'a' is given twice: it stands at line 1 already"},
    {BYTES("a:\n  - {x: 1, \xC3\xA4: 2, x: 3}\n"),
     "goat.yaml:2:18: the key 'x' is given twice: it stands at line 2 already"},
    {BYTES("? a\n? a\n"), "goat.yaml:2:3: the key 'a' is given twice: it stands at line 1 already"},
    {BYTES("{'': 1, \"\": 2}"), "goat.yaml:1:9: the key '' is given twice: it stands at line 1 already"},
    {BYTES("an unusually long key with more than forty letters: 1\nan unusually long key with more than forty letters: "
           "2\n"),
     "goat.yaml:2:1: the key 'an unusually long key with more than for...' is given twice: it stands at line 1 "
     "already"},
    {BYTES("a:\n  [b]: 1\n"), "goat.yaml:2:3: a key has to be a text, but this is a list"},
    {BYTES("{a: 1}: 2\n"), "goat.yaml:1:1: a key has to be a text, but this is a mapping"},
    {BYTES("? - b\n: 1\n"), "goat.yaml:1:3: a key has to be a text, but this is a list"},

    /* characters */
    {BYTES("a: \xFF\n"), "goat.yaml:1:4: the byte 0xFF is not UTF-8 here: save the file as UTF-8"},
    {BYTES("\xC3\xA4: \xE7\xBE\x8A\xC3\n"), "goat.yaml:1:5: the byte 0xC3 is not UTF-8 here: save the file as UTF-8"},
    {BYTES("a: 1\nb: \xE7\xBE"), "goat.yaml:2:4: the byte 0xE7 is not UTF-8 here: save the file as UTF-8"},
    {BYTES("a: \xC0\x80"), "goat.yaml:1:4: the byte 0xC0 is not UTF-8 here: save the file as UTF-8"},
    {BYTES("a: \xE0\x80\x80"), "goat.yaml:1:4: the byte 0xE0 is not UTF-8 here: save the file as UTF-8"},
    {BYTES("a: \xED\xA0\x80"), "goat.yaml:1:4: the byte 0xED is not UTF-8 here: save the file as UTF-8"},
    {BYTES("a: \xF4\x90\x80\x80"), "goat.yaml:1:4: the byte 0xF4 is not UTF-8 here: save the file as UTF-8"},
    {BYTES("a: \x80"), "goat.yaml:1:4: the byte 0x80 is not UTF-8 here: save the file as UTF-8"},
    {BYTES("\xFF\xFE"
           "a\0:\0"),
     "goat.yaml:1:1: the byte 0xFF is not UTF-8 here: save the file as UTF-8"},
    {BYTES("a: b\0c"), "goat.yaml:1:5: the character U+0000 cannot stand in a definition"},
    {BYTES("a: 1\r\n# \x1B[31m\r\n"), "goat.yaml:2:3: the character U+001B cannot stand in a definition"},
    {BYTES("a: \x7F"), "goat.yaml:1:4: the character U+007F cannot stand in a definition"},
    {BYTES("a: \xC2\x85"), "goat.yaml:1:4: the character U+0085 cannot stand in a definition"},
    {BYTES("a: x\xE2\x80\xA8"), "goat.yaml:1:5: the character U+2028 cannot stand in a definition"},
    {BYTES("a: x\xE2\x80\xAE"), "goat.yaml:1:5: the character U+202E cannot stand in a definition"},
    {BYTES("a: \xE2\x80\x8E"), "goat.yaml:1:4: the character U+200E cannot stand in a definition"},
    {BYTES("a: \"\\u2067\""),
     "goat.yaml:1:4: an escape in this text stands for U+2067, a character that cannot stand in a definition"},
    {BYTES("a: \xEF\xBB\xBF"), "goat.yaml:1:4: the character U+FEFF cannot stand in a definition"},
    {BYTES("a: \xEF\xBF\xBF"), "goat.yaml:1:4: the character U+FFFF cannot stand in a definition"},
    {BYTES("\xC3\xA4: \"x\\0y\""),
     "goat.yaml:1:4: an escape in this text stands for U+0000, a character that cannot stand in a definition"},
    {BYTES("a: \"\\e[31m\""),
     "goat.yaml:1:4: an escape in this text stands for U+001B, a character that cannot stand in a definition"},
    {BYTES("a: \"\\r\""),
     "goat.yaml:1:4: an escape in this text stands for U+000D, a character that cannot stand in a definition"},
    {BYTES("\"\\x9b\": 1"),
     "goat.yaml:1:1: an escape in this text stands for U+009B, a character that cannot stand in a definition"},

    /* what we have no use for */
    {BYTES("%YAML 1.1\n---\na: 1\n"), "goat.yaml:1:1: a line cannot begin with '%': a definition has no directives"},
    {BYTES("# x\r\n%TAG ! x\r\n"), "goat.yaml:2:1: a line cannot begin with '%': a definition has no directives"},
    {BYTES("a: &x 1\n"),
     "goat.yaml:1:4: a text that begins with '&' needs quotes around it (a definition has no anchors)"},
    {BYTES("a: &x\n  b: 1\n"),
     "goat.yaml:1:4: a text that begins with '&' needs quotes around it (a definition has no anchors)"},
    {BYTES("&x a: 1\n"),
     "goat.yaml:1:1: a text that begins with '&' needs quotes around it (a definition has no anchors)"},
    {BYTES("a: &\n"),
     "goat.yaml:1:4: a text that begins with '&' needs quotes around it (a definition has no anchors)"},
    {BYTES("a: &x [*x]\n"),
     "goat.yaml:1:4: a text that begins with '&' needs quotes around it (a definition has no anchors)"},
    {BYTES("\xC3\xA4: *x\n"),
     "goat.yaml:1:4: a text that begins with '*' needs quotes around it (a definition has no aliases), "
     "or, if this is a board, '|' behind its key"},
    {BYTES("goal: * 1 2\n"),
     "goat.yaml:1:7: a text that begins with '*' needs quotes around it (a definition has no aliases), "
     "or, if this is a board, '|' behind its key"},
    {BYTES("*x : 1\n"),
     "goat.yaml:1:1: a text that begins with '*' needs quotes around it (a definition has no aliases), "
     "or, if this is a board, '|' behind its key"},
    {BYTES("a: !!int 1\n"),
     "goat.yaml:1:4: a text that begins with '!' needs quotes around it (a definition has no tags)"},
    {BYTES("a: !!str 1\n"),
     "goat.yaml:1:4: a text that begins with '!' needs quotes around it (a definition has no tags)"},
    {BYTES("a: ! 1\n"), "goat.yaml:1:4: a text that begins with '!' needs quotes around it (a definition has no tags)"},
    {BYTES("a: !x!y 1\n"),
     "goat.yaml:1:4: a text that begins with '!' needs quotes around it (a definition has no tags)"},
    {BYTES("a: !<\n"), "goat.yaml:1:4: a text that begins with '!' needs quotes around it (a definition has no tags)"},
    {BYTES("--- !!map\na: 1\n"),
     "goat.yaml:1:5: a text that begins with '!' needs quotes around it (a definition has no tags)"},
    {BYTES("a: !!seq [1]\n"),
     "goat.yaml:1:4: a text that begins with '!' needs quotes around it (a definition has no tags)"},
    {BYTES("a: @b\n"), "goat.yaml:1:4: a text that begins with '@' needs quotes around it"},
    {BYTES("a: `b`\n"), "goat.yaml:1:4: a text that begins with '`' needs quotes around it"},
    {BYTES("a: %b\n"), "goat.yaml:1:4: a text that begins with '%' needs quotes around it"},

    /* mistakes in YAML */
    {BYTES("a:\n\tb: 1\n"), "goat.yaml:2:1: " TAB},
    {BYTES("\ta: 1\n"), "goat.yaml:1:1: " TAB},
    {BYTES("a:\n  b: 1\n\tc: 2\n"), "goat.yaml:3:1: " TAB},
    {BYTES("a: |\n\tb\n"), "goat.yaml:2:1: " TAB},
    {BYTES("a: 1\nb 2\nc: 3\n"), "goat.yaml:2:1: " COLON_MISSING},
    {BYTES("\xE7\xBE\x8A: 1\n\n# x\nb\n"), "goat.yaml:4:1: " COLON_MISSING},
    {BYTES("a: \"b\nc: 2\n"), "goat.yaml:1:4: " QUOTE_BROKEN},
    {BYTES("\xC3\xA4: 'b\nc: 2\n"), "goat.yaml:1:4: " QUOTE_BROKEN},
    {BYTES("a: \"b\n---\nc\"\n"), "goat.yaml:1:4: " QUOTE_BROKEN},
    {BYTES("a: \"C:\\games\"\n"), "goat.yaml:1:7: this is no escape that YAML knows: write '\\\\' for a backslash, or "
                                  "put the text in single quotes"},
    {BYTES("a: \"\\u12\"\n"), "goat.yaml:1:7: did not find expected hexdecimal number, while parsing a quoted scalar"},
    {BYTES("a: \"\\uD800\"\n"),
     "goat.yaml:1:7: found invalid Unicode character escape code, while parsing a quoted scalar"},
    {BYTES("a: b: c\n"), "goat.yaml:1:5: " COLON_BROKEN},
    {BYTES("title: \xE7\xBE\x8A: the goat\n"), "goat.yaml:1:9: " COLON_BROKEN},
    {BYTES("a: 1\n  b: 2\n"), "goat.yaml:2:4: " COLON_BROKEN},
    {BYTES("a:\n  b: 1\n c: 2\n"), "goat.yaml:3:2: " MAPPING_BROKEN "(the mapping begins at line 1, column 1)"},
    {BYTES("x: 0\na:\n  b: \"c\" d\n"), "goat.yaml:3:10: " MAPPING_BROKEN "(the mapping begins at line 3, column 3)"},
    {BYTES("a: 'it's'\n"), "goat.yaml:1:8: " MAPPING_BROKEN "(the mapping begins at line 1, column 1)"},
    {BYTES("a: |\n  x\n y\n"), "goat.yaml:3:2: " MAPPING_BROKEN "(the mapping begins at line 1, column 1)"},
    {BYTES("a: 1\n- 2\n"), "goat.yaml:2:1: " MAPPING_BROKEN "(the mapping begins at line 1, column 1)"},
    {BYTES("a:\n  - b\n  c: d\n"),
     "goat.yaml:3:3: this does not go on with the list: its items begin with '- ', all in one column "
     "(the list begins at line 2, column 3)"},
    {BYTES("a: [1, 2\nb: 3\n"), "goat.yaml:2:2: a ',' is missing here, or the ']' that ends the list, or quotes around "
                                "a '#' (the list begins at line 1, column 4)"},
    {BYTES("a: {x: 1\n"), "goat.yaml:2:1: a ',' is missing here, or the '}' that ends the mapping, or quotes around a "
                          "'[' (the mapping begins at line 1, column 4)"},
    {BYTES("a: ]\n"), "goat.yaml:1:4: " BRACKET_BROKEN},
    {BYTES("a: [1,\n"), "goat.yaml:2:1: " BRACKET_BROKEN},
    {BYTES("a: [1,, 2]\n"), "goat.yaml:1:7: " BRACKET_BROKEN},
    {BYTES("a: - b\n"),
     "goat.yaml:1:4: a list cannot begin here: put each '- ' item on a line of its own, below the key; a text "
     "that begins with '- ' needs quotes"},
    {BYTES("a: | 1 2 3\n"), "goat.yaml:1:6: the text of a '|' or '>' begins on the line below it"},
    {BYTES("a: |0\n x\n"), "goat.yaml:1:5: found an indentation indicator equal to 0, while scanning a block scalar"},
    {BYTES("a: ? b\n"), "goat.yaml:1:4: mapping keys are not allowed in this context"},
};

Test(definition, refused)
{
    for (size_t i = 0; i < COUNT(refused); i++)
        expect_refused(refused[i].text, refused[i].length, refused[i].message);
}

Test(definition, refusal_needs_no_error)
{
    struct definition *definition = NULL;
    cr_expect(definition_parse("goat.yaml", "a", 1, &definition, NULL) == PDB_BAD_DEFINITION);
    cr_expect(definition_read("/nonexistent", &definition, NULL) == PDB_IO);
    cr_expect(definition == NULL);
}

Test(definition, long_name_leaves_room_for_the_complaint)
{
    char name[2000], expected[1000];
    struct definition *definition;
    memset(name, 'd', sizeof name);
    strcpy(name + sizeof name - sizeof "/goat.yaml", "/goat.yaml");
    cr_assert(definition_parse(name, "a: *", 4, &definition, &error) == PDB_BAD_DEFINITION);
    snprintf(expected, sizeof expected,
             "...%s:1:4: a text that begins with '*' needs quotes around it (a definition has no aliases), "
             "or, if this is a board, '|' behind its key",
             name + strlen(name) - 300);
    expect_text(error.message, expected);
}

Test(definition, nesting_has_a_limit)
{
    struct definition *definition = parse("a: [[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]");
    const struct node *node = node_find(definition_root(definition), "a");
    for (int depth = 2; depth < 16; depth++)
        node = node_item(node, 0);
    expect_text(node_text(node_item(node, 0)), "x");
    definition_free(definition);
    expect_refused(BYTES("a: [[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]"),
                   "goat.yaml:1:19: this is nested deeper than 16 levels");
    expect_refused(BYTES("- - - - - - - - - - - - - - - - a: b"), "goat.yaml:1:1: " NO_MAPPING "a list");
    expect_refused(BYTES("a:\n - - - - - - - - - - - - - - - b: 1\n"),
                   "goat.yaml:2:32: this is nested deeper than 16 levels");
}

/* A definition of exactly `length` bytes, most of them a comment. The caller frees it. */
static char *padded(size_t length)
{
    char *text = malloc(length + 1);
    cr_assert(text != NULL);
    memset(text, '#', length);
    memcpy(text, "a: b\n", 5);
    text[length] = '\0';
    return text;
}

Test(definition, size_has_a_limit)
{
    char *text = padded(DEFINITION_MAX_BYTES + 1);
    definition_free(parse_bytes(text, DEFINITION_MAX_BYTES));
    expect_refused(text, DEFINITION_MAX_BYTES + 1,
                   "goat.yaml:1:1: this is too long: a definition has at most 1048576 bytes");
    free(text);
}

/* ---- hostile input ---- */

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

/* ---- files ---- */

static char directory[200], path[300];

static void begin(void)
{
    make_directory(directory);
    snprintf(path, sizeof path, "%s/goat.yaml", directory);
}

static void end(void)
{
    remove_directory(directory);
}

TestSuite(definition_file, .init = begin, .fini = end);

static void expect_unreadable(const char *reason)
{
    struct definition *definition;
    char expected[1000];
    cr_expect(definition_read(path, &definition, &error) == PDB_IO);
    snprintf(expected, sizeof expected, "cannot read '%s': %s", path, reason);
    expect_text(error.message, expected);
}

Test(definition_file, is_read)
{
    struct definition *definition = NULL;
    write_file(path, good, sizeof good - 1);
    cr_assert(definition_read(path, &definition, &error) == PDB_OK, "%s", error.message);
    expect_text(definition_name(definition), path);
    expect_text(top_text(definition, "puzzle"), "goat");
    definition_free(definition);
}

Test(definition_file, with_a_mistake)
{
    struct definition *definition;
    char expected[1000];
    write_file(path, BYTES("a: 1\nb: \xFF\n"));
    cr_expect(definition_read(path, &definition, &error) == PDB_BAD_DEFINITION);
    snprintf(expected, sizeof expected, "%s:2:4: the byte 0xFF is not UTF-8 here: save the file as UTF-8", path);
    expect_text(error.message, expected);
    write_file(path, "", 0);
    cr_expect(definition_read(path, &definition, &error) == PDB_BAD_DEFINITION);
    snprintf(expected, sizeof expected, "%s:1:1: " NO_MAPPING "empty", path);
    expect_text(error.message, expected);
}

Test(definition_file, size_has_a_limit)
{
    struct definition *definition;
    char *text = padded(DEFINITION_MAX_BYTES + 1);
    char expected[1000];
    write_file(path, text, DEFINITION_MAX_BYTES);
    cr_assert(definition_read(path, &definition, &error) == PDB_OK);
    definition_free(definition);
    write_file(path, text, DEFINITION_MAX_BYTES + 1);
    free(text);
    snprintf(expected, sizeof expected, "%s:1:1: this is too long: a definition has at most 1048576 bytes", path);
    cr_expect(definition_read(path, &definition, &error) == PDB_BAD_DEFINITION);
    expect_text(error.message, expected);
    cr_assert(truncate(path, (off_t)1 << 40) == 0 || truncate(path, 1 << 30) == 0); /* sparse: not read to its end */
    cr_expect(definition_read(path, &definition, &error) == PDB_BAD_DEFINITION);
    expect_text(error.message, expected);
}

Test(definition_file, that_is_none)
{
    expect_unreadable("No such file or directory");
    cr_assert(mkdir(path, 0700) == 0);
    expect_unreadable("it is a directory, not a definition file");
    cr_assert(rmdir(path) == 0 && mkfifo(path, 0600) == 0);
    expect_unreadable("it is no regular file"); /* and does not wait for a writer */
    cr_assert(unlink(path) == 0 && symlink("/dev/zero", path) == 0);
    expect_unreadable("it is no regular file");
    cr_assert(unlink(path) == 0 && symlink("goat.yaml", path) == 0);
    expect_unreadable("Too many levels of symbolic links");
}

Test(definition_file, that_is_not_ours)
{
    write_file(path, BYTES("a: b\n"));
    cr_assert(chmod(path, 0) == 0);
    if (geteuid() != 0) /* root may read everything */
        expect_unreadable("Permission denied");
}
