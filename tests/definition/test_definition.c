/* test_definition.c -- reading definitions: what is taken, what is refused, and that every complaint points at its
 * cause
 *
 * Messages are compared whole, with file, line and column: they are what a user sees.
 */
#include "parsed.h"

#include <stdio.h>

static pdb_error error;

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
    "this does not go on with the mapping: check its indentation, and what is left over after a quote or bracket "
#define COLON_BROKEN                                                                                                   \
    "no ':' can stand here: check this line's indentation and the space after the ':' before it; a text with ': ' in " \
    "it needs quotes"
#define COLON_MISSING                                                                                                  \
    "a ':' is missing after this key; or this is a text that should go on from the line before, then indent it deeper"
#define QUOTE_BROKEN   "the quotation mark that begins this text has no partner that ends it"
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
    {BYTES("a: ? b\n"), "goat.yaml:1:4: no '?' can be here: put the text in quotes"},
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

Test(definition, size_has_a_limit)
{
    char *text = padded(DEFINITION_MAX_BYTES + 1);
    definition_free(parse_bytes(text, DEFINITION_MAX_BYTES));
    expect_refused(text, DEFINITION_MAX_BYTES + 1,
                   "goat.yaml:1:1: this is too long: a definition has at most 1048576 bytes");
    free(text);
}
