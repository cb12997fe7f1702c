/* test_picture.c -- pictures in definitions, and what YAML makes of them */
#include "lib/definition/picture.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

struct drawn {
    struct definition *definition;
    struct picture picture;
};

static pdb_status draw(const char *yaml, struct drawn *drawn, pdb_error *error)
{
    const pdb_status status = definition_parse("p.yaml", yaml, strlen(yaml), &drawn->definition, error);
    cr_assert(status == PDB_OK, "%s", error->message);
    return picture_read(node_find(definition_root(drawn->definition), "p"), &drawn->picture, error);
}

static void expect_picture(const char *yaml, unsigned rows, unsigned columns, const char *const *cells)
{
    struct drawn drawn;
    pdb_error error = {.message = ""};
    cr_assert(draw(yaml, &drawn, &error) == PDB_OK, "%s: %s", yaml, error.message);
    cr_assert(drawn.picture.rows == rows && drawn.picture.columns == columns, "%s: %u rows of %u", yaml,
              drawn.picture.rows, drawn.picture.columns);
    for (unsigned i = 0; i < rows * columns; i++)
        cr_expect(strlen(cells[i]) == drawn.picture.cell[i].length &&
                      memcmp(cells[i], drawn.picture.text + drawn.picture.cell[i].offset, strlen(cells[i])) == 0,
                  "%s: cell %u", yaml, i);
    definition_free(drawn.definition);
}

static void expect_no_picture(const char *yaml, const char *message)
{
    struct drawn drawn;
    pdb_error error = {.message = ""};
    cr_expect(draw(yaml, &drawn, &error) == PDB_BAD_DEFINITION, "%s", yaml);
    EXPECT_TEXT(error.message, message);
    definition_free(drawn.definition);
}

Test(picture, read)
{
    static const char *const four[] = {"1", "2", "3", "."}, *const long_codes[] = {"10", "2", "3", "x.y"};
    static const char *const same[] = {
        "p: 12/3.",         "p: 1 2/3 .",        "p: '1,2/3,.'",  "p: |\n  1 2\n  3 .\n", "p: |\n  12\n\n  3.\n",
        "p: \"1 2\\n3 .\"", "p: ' 1  2 / 3 . '", "p: '/12//3./'", "p: 1, 2/3, .",         "p: |-\n  12\n  3."};
    for (size_t i = 0; i < COUNT(same); i++)
        expect_picture(same[i], 2, 2, four);
    expect_picture("p: |\n  10 2\n  3  x.y\n", 2, 2, long_codes);
    expect_picture("p: 10,2/3 x.y", 2, 2, long_codes);
    expect_picture("p: 羊狼/é.", 2, 2, (const char *const[]){"羊", "狼", "é", "."});
    expect_picture("p: 1/2", 2, 1, four);
    expect_picture("p: 1", 1, 1, four);
    expect_no_picture("p: ''", "p.yaml:1:4: the picture is empty");
    expect_no_picture("p: ' / '", "p.yaml:1:4: the picture is empty");
    expect_no_picture("p: [1 2]", "p.yaml:1:4: a text is needed here, not a list");
    expect_no_picture("p: 12/345/67",
                      "p.yaml:1:7: this row has 3 cells, the first one 2: every row must have the same number");
    expect_no_picture("p: |\n  1 2\n  3 4\n    5\n",
                      "p.yaml:4:5: this row has 1 cell, the first one 2: every row must have the same number");
    expect_no_picture("p: |\n  1 2 3 # top\n  4 5 .\n",
                      "p.yaml:3:3: this row has 3 cells, the first one 5: every row must "
                      "have the same number (a # is a wall, with what is behind it)");
    expect_no_picture("p: 123456789012345678901234567890123456789012345678901234567890ABCDE",
                      "p.yaml:1:68: a row has at most 64 cells: break it into rows");
    expect_no_picture("p: "
                      "1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/"
                      "1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/2",
                      "p.yaml:1:132: a board has at most 64 rows");
}

struct changed {
    const char *yaml, *place;
};

static void expect_changed(const struct changed *changed, size_t count, const char *message)
{
    for (size_t i = 0; i < count; i++) {
        char expected[300];
        snprintf(expected, sizeof expected, "p.yaml:%s: %s", changed[i].place, message);
        expect_no_picture(changed[i].yaml, expected);
    }
}

/* YAML takes a wall behind a space for the beginning of a comment. */
Test(picture, with_comments_for_walls)
{
    static const char *const four[] = {"1", "2", "3", "."};
    static const char *const commented[] = {"p: 1 2/3 . # as it is sold",
                                            "p: 12/3.\t#the goal: both rows full",
                                            "p: '1 2/3 .' # 1 2",
                                            "p: |\n  1 2\n  3 .\n# 1 2\n",
                                            "p: 12/3. # a b easy",
                                            "p: 12/3.\n# a b\n",
                                            "p: 1 2/3 . # 1 x 2",
                                            "p: 12/3. # ok",
                                            "p: 1 2/3 ./ # two rows",
                                            "p:\n  # the goal\n  12/3.\n  # no more\n",
                                            "p: # two rows, and a blank\n  12/3.\nq:\n  # 1 2\n",
                                            "p: 12/3.\n  # or 21 / .3 once\n",
                                            "p: 1 2/3 .\n  # 2 1 / . 3\n",
                                            "p: 12/3./ # 2x3",
                                            "p: 12/3./ # end",
                                            "# 1 2\np: 12/3.\n# 1 2\n"};
    for (size_t i = 0; i < COUNT(commented); i++)
        expect_picture(commented[i], 2, 2, four);
    expect_picture("p: 1#2/#3.", 2, 3, (const char *const[]){"1", "#", "2", "#", "3", "."});
    static const char *const prose[] = {"1234567. # tiles",
                                        "1234567. # in order",
                                        "1234567. # ok",
                                        "1234567. # 3",
                                        "1234567. # 3x1",
                                        "# the goal\n  1234567.",
                                        "# 8\n  1234567.\n  # start below",
                                        "1234567. # off / on"};
    for (size_t i = 0; i < COUNT(prose); i++) {
        char yaml[100];
        snprintf(yaml, sizeof yaml, "p: %s", prose[i]);
        expect_picture(yaml, 1, 8, (const char *const[]){"1", "2", "3", "4", "5", "6", "7", "."});
    }
    expect_picture("p: UFR UFL # top\n", 1, 2, (const char *const[]){"UFR", "UFL"});
    expect_picture("p: UFR UFL / # the top\n", 1, 2, (const char *const[]){"UFR", "UFL"});
    expect_picture("p: # 2x2\n  12/3.\n", 2, 2, four);
    expect_picture("p: 1 . # from left to right", 1, 2, (const char *const[]){"1", "."});
    expect_picture("q: [{p: 1}, 2] # 3\np: 1 .\nr: # 1\n", 1, 2, (const char *const[]){"1", "."});
    static const struct changed cut[] = {
        {"p: 1 2 # / 3 . #", "1:8"},
        {"p: 1 2 #", "1:8"},
        {"p: 1 2/3 #\nq: 1", "1:10"},
        {"p: 1 2/3 . / # #\nq: 1", "1:14"},
        {"p: é 9 # 10 é .", "1:8"},
        {"p: 12 / #34567/...", "1:9"},
        {"p: 1 2 / #", "1:10"},
        {"p: AAA # / . BBB CCC", "1:8"},
        {"q:\r\n  p: 5\r\np: 12 # é\r\nr: 5", "3:7"},
        {"p: #../...", "1:4"},
        {"p: # 1 2\n  3 4 .\n", "1:4"},
        {"p:\n  # # 1 2\n  3 4 5 .\n", "2:3"},
        {"p:\r\n\r\n  # 1 # /\r\n  2 3 . /\r\n  # 4 5\r\n", "3:3"},
        {"p:\n  1 2 3 /\n  4 5 . /\n  # 6 7\nq: 5\n", "4:3"},
        {"p:\n  1 2 3 /\n  4 5 . /\n\n# not this\n  # 6 7", "6:3"},
        {"p:\n  1 2 3 /\n  4 . #\n", "3:7"},
        {"p: 1 2 . /\n  # 3 4 / 5 6 7\n", "2:3"},
        {"p: # 3 4 / 5 6 7 /\n  1 2 .\n", "1:4"},
        {"p: 12./\n  #34/567\n", "2:3"},
        {"p: AAA BBB . / # CCC DDD", "1:16"},
        {"\"p\" : é\n    12/ # 3\n", "2:9"},
    };
    expect_changed(
        cut, COUNT(cut),
        "a '#' behind a space begins a comment, and this one looks like a part of the picture: put the picture "
        "in quotes, or its lines below a '|'");
}

/* Below a '|' there are no comments. */
Test(picture, with_walls_for_comments)
{
    static const struct changed prose[] = {{"p: |\n  # the goal\n  1 2 3\n  4 5 .\n", "2:3"},
                                           {"p: |\n  10 2 3\n  4 5 .\n  # two, more\n", "4:3"}};
    expect_changed(prose, COUNT(prose),
                   "below a '|' a # is a wall, and this looks like a comment: write it above the key");
    static const char *const walls[] = {"#", "AB", "CD", "EF", "G", "."};
    expect_picture("p: |\n  # AB CD\n  EF G .\n", 2, 3, walls);
    expect_picture("p: '# AB CD/EF G .'\n", 2, 3, walls);
    expect_picture("p: |\n  # A B\n", 1, 3, (const char *const[]){"#", "A", "B"});
    expect_picture("p: |\n  # 10 20\n  1 2 3\n", 2, 3, (const char *const[]){"#", "10", "20", "1", "2", "3"});
    expect_no_picture("p: # 1 2 / 3 .\n",
                      "p.yaml:1:4: a '#' behind a space begins a comment, and this one looks like a "
                      "part of the picture: put the picture in quotes, or its lines below a '|'");
}

/* It joins lines that are not below a '|'. */
Test(picture, joined_into_one_row)
{
    static const char *const four[] = {"1", "2", "3", "."};
    static const char *const rows[] = {
        "p:\n  12/\n  3.\n",      "p: >\n  12 /\n  3. /\n", "p: '12/\n  3.'\n",
        "p: >\n  12\n\n  3.\n",   "p:\n  12/3.\n",          "p:\n\n  12\n  /\n  3.\n",
        "p: >-\n  12/3.\n\n\n  ", "p: '12/3.\n\n  '\n",     "p: >+ # two rows\n  12/3.\n\n"};
    for (size_t i = 0; i < COUNT(rows); i++)
        expect_picture(rows[i], 2, 2, four);
    expect_picture("p: >\n  12\n", 1, 2, four);
    struct drawn long_row; /* a text that is too long for a line is broken, by PyYAML for one */
    pdb_error error = {.message = ""};
    cr_assert(draw("p: 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29\n  30 31 .\n", &long_row, &error) ==
                  PDB_OK,
              "%s", error.message);
    EXPECT_NUMBER(long_row.picture.rows, 1);
    EXPECT_NUMBER(long_row.picture.columns, 23);
    definition_free(long_row.definition);
    expect_picture("p: >\n  12\n    3.\n", 2, 2, four); /* deeper lines are not folded */
    /* a program breaks lines where no word fits in, and they may come out alike by chance */
    struct drawn broken;
    char words[200] = "p: ", *word = words + 3;
    for (int i = 10; i < 64; i++)
        word = stpcpy(word, (char[]){(char)('0' + i / 10), (char)('0' + i % 10), i == 36 ? '\n' : ' ',
                                     i == 36 ? ' ' : '\0', '\0'});
    cr_assert(draw(words, &broken, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(broken.picture.columns, 54);
    definition_free(broken.definition);
    static const struct changed joined[] = {
        {"p:\n  1 . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n"
         "  . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .\n",
         "2:3"},
        {"p:\n  1 2 3 4/\n  5 6\n  7 8/9 a b c", "2:3"},
        {"p:\n  1 2\n  3 .\n", "2:3"},
        {"p: 12\n  3.\n", "1:4"},
        {"p: >\n  12\n  3.\n", "1:4"},
        {"q: 5\np: '12\n  3.'\n", "2:4"},
        {"p: \"12\\\n  3.\"\n", "1:4"},
        {"p: >\n\n  12\n  3.\n\n", "1:4"},
        {"p: >+\r\n  12\r\n  3./\r\n", "1:4"},
        {"p: 12/\n  34\n  56", "1:4"},
        {"p: 羊羊羊羊羊羊羊羊羊羊羊羊羊羊羊羊羊羊羊\n  ..", "1:4"},
    };
    expect_changed(
        joined, COUNT(joined),
        "YAML joins lines of this picture into one row: put them below a '|', without quotes; or if they are "
        "one row, on one line");
}

Test(picture, largest)
{
    for (unsigned rows = 4; rows <= 64; rows *= 2) {
        char yaml[800] = "p: ";
        for (unsigned row = 0; row < rows; row++) {
            for (unsigned column = 0; column < 256 / rows; column++)
                strcat(yaml, "a");
            strcat(yaml, "/");
        }
        struct drawn drawn;
        pdb_error error;
        cr_assert(draw(yaml, &drawn, &error) == PDB_OK, "%s", error.message);
        EXPECT_NUMBER(drawn.picture.rows * drawn.picture.columns, 256);
        definition_free(drawn.definition);
        strcat(yaml, "a");
        cr_assert(draw(yaml, &drawn, &error) == PDB_BAD_DEFINITION);
        definition_free(drawn.definition);
    }
}
