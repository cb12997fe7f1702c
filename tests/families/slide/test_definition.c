/* test_definition.c -- the mistakes that a writer of a sliding puzzle can make, and what each is told, to the column */
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

struct mistake {
    const char *yaml;
    const char *message;
};

static void expect_message(const char *yaml, pdb_status expected, const char *message)
{
    const pdb_error error = refusal(yaml, expected);
    EXPECT_TEXT(error.message, message);
}

static void expect_mistakes(const struct mistake *mistakes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect_message(mistakes[i].yaml, PDB_BAD_DEFINITION, mistakes[i].message);
}

#define EXPECT_MISTAKES(mistakes) expect_mistakes(mistakes, COUNT(mistakes))

#define HEAD "puzzle: t\nfamily: slide\n"

Test(slide_definition, common_keys)
{
    static const struct mistake mistakes[] = {
        {"family: slide\ngoal: 1 .\n", "test.yaml:1:1: the key 'puzzle' is missing in this mapping"},
        {"puzzle: t\ngoal: 1 .\n", "test.yaml:1:1: the key 'family' is missing in this mapping"},
        {"puzzle: t\nfamilly: slide\ngoal: 1 .\n", "test.yaml:2:1: unknown key 'familly': did you mean 'family'?"},
        {HEAD "gaol: 1 .\n", "test.yaml:3:1: unknown key 'gaol': did you mean 'goal'?"},
        {HEAD "goal: 1 .\nflavour: red\n",
         "test.yaml:4:1: unknown key 'flavour': the keys that can stand here are "
         "puzzle, family, title, boards, colours, legend, bars, exit, shapes, frames, board, goal, pieces, "
         "alike, glyphs, metric, axis, patterns"},
        {HEAD "goal: 1 .\ngoal: . 1\n", "test.yaml:4:1: the key 'goal' is given twice: it stands at line 3 already"},
        {"puzzle: ''\nfamily: slide\ngoal: 1 .\n",
         "test.yaml:1:9: a puzzle's name is 1 to 64 letters, digits, '.', '_' or '-', a letter or digit first: the "
         "database is named after it"},
        {"puzzle: a b\nfamily: slide\ngoal: 1 .\n",
         "test.yaml:1:9: a puzzle's name is 1 to 64 letters, digits, '.', '_' or '-', a letter or digit first: the "
         "database is named after it"},
        {"puzzle: ../goat\nfamily: slide\ngoal: 1 .\n",
         "test.yaml:1:9: a puzzle's name is 1 to 64 letters, digits, '.', '_' or '-', a letter or digit first: the "
         "database is named after it"},
        {"puzzle: -x\nfamily: slide\ngoal: 1 .\n",
         "test.yaml:1:9: a puzzle's name is 1 to 64 letters, digits, '.', '_' or '-', a letter or digit first: the "
         "database is named after it"},
        {"puzzle: é\nfamily: slide\ngoal: 1 .\n", "test.yaml:1:9: a puzzle's name is 1 to 64 letters, digits, '.', '_' "
                                                  "or '-', a letter or digit first: the database is named after it"},
        {"puzzle: a123456789012345678901234567890123456789012345678901234567890123x\nfamily: slide\ngoal: 1 .\n",
         "test.yaml:1:9: a puzzle's name is 1 to 64 letters, digits, '.', '_' or '-', a letter or digit first: the "
         "database is named after it"},
        {"puzzle: {}\nfamily: slide\ngoal: 1 .\n", "test.yaml:1:9: a text is needed here, not a mapping"},
        {HEAD "title: \"two\\nlines\"\ngoal: 1 .\n", "test.yaml:3:8: the title has to be one line"},
        {HEAD "title: []\ngoal: 1 .\n", "test.yaml:3:8: a text is needed here, not a list"},
        {HEAD "goal: 1 .\nmetric: push\n", "test.yaml:4:9: one of (step, slide) is needed here, not 'push'"},
        {HEAD "goal: 1 .\nmetric: stpe\n",
         "test.yaml:4:9: one of (step, slide) is needed here, not 'stpe': did you mean 'step'?"},
        {"- puzzle\n", "test.yaml:1:1: a definition is a mapping, lines of 'key: value', but this is a list"},
    };
    EXPECT_MISTAKES(mistakes);
}

Test(slide_definition, families)
{
    static const char known[] = "slide, flip, walk, permute, peg, place, rules, guess, express";
    char message[500];
    static const struct mistake mistakes[] = {
        {"puzzle: t\nfamily: slid\ngoal: 1 .\n", "'slid': did you mean 'slide'?"},
        {"puzzle: t\nfamily: rubik\ngoal: 1 .\n", "'rubik'"},
        {"puzzle: t\nfamily: [slide]\ngoal: 1 .\n", "a list"},
    };
    for (size_t i = 0; i < COUNT(mistakes); i++) {
        snprintf(message, sizeof message, "test.yaml:2:9: one of (%s) is needed here, not %s", known,
                 mistakes[i].message);
        expect_message(mistakes[i].yaml, PDB_BAD_DEFINITION, message);
    }
}

Test(slide_definition, goal_and_board)
{
    static const struct mistake mistakes[] = {
        {HEAD, "test.yaml:1:1: the key 'goal' is missing in this mapping"},
        {HEAD "board: 1 .\n", "test.yaml:1:1: the key 'goal' is missing in this mapping"},
        {HEAD "goal: [1, .]\n", "test.yaml:3:7: a text is needed here, not a list"},
        {HEAD "goal: ''\n", "test.yaml:3:7: the picture is empty"},
        {HEAD "goal:\n", "test.yaml:3:6: the picture is empty"},
        {HEAD "goal: 1 2 3/4 5\n",
         "test.yaml:3:13: this row has 2 cells, the first one 3: every row must have the same number"},
        {HEAD "goal: |\n  1 2 3\n  4 5 6\n  7 8 9 .\n",
         "test.yaml:6:3: this row has 4 cells, the first one 3: every row must have the same number"},
        {HEAD "goal: 1 2/3 4\n", "test.yaml:3:7: the board has no empty cell ('.'): nothing can move"},
        {HEAD "goal: |\n  L1 L2 ##\n  R1 . ##\n", "test.yaml:4:9: '##' cannot be a symbol: write a wall as a "
                                                  "single #, an empty cell as a single ., an open "
                                                  "one as a single *"},
        {HEAD "goal: aa bb .. / cc . dd\n",
         "test.yaml:3:13: '..' cannot be a symbol: write a wall as a single #, an empty cell as a single ., an "
         "open one as a single *"},
        {HEAD "goal: 1 2/3 *\n", "test.yaml:3:13: an open cell (*) in the picture that has to show every piece: give "
                                 "the whole board under 'board'"},
        {HEAD "goal: 1 */* *\nboard: 1 2/* .\n", "test.yaml:4:12: an open cell (*) in the picture that has to show "
                                                 "every piece: give the whole board under 'board'"},
        {HEAD "goal: |\n  1 2\n  3 abcdefgh\n  4 .\n",
         "test.yaml:5:5: the symbol 'abcdefgh' has to be 1 to 7 bytes long"},
        {HEAD "board: 1 2/3 .\ngoal: 1 2 3 .\n",
         "test.yaml:4:7: the goal has 1 rows of 4 cells, the board 2 rows of 2"},
        {HEAD "board: 1 2/3 .\ngoal: 1 2/x .\n", "test.yaml:4:11: 'x' does not stand on the board"},
        {HEAD "board: 1 2/3 .\ngoal: '1 #/3 .'\n", "test.yaml:4:10: goal and board do not have the same walls (#)"},
        {HEAD "board: '1 #/3 .'\ngoal: 1 3/. .\n", "test.yaml:4:9: goal and board do not have the same walls (#)"},
        {HEAD "board: '1 #/3 .'\ngoal: 1 */3 .\n", "test.yaml:4:9: goal and board do not have the same walls (#)"},
        {HEAD "board: 1 2/3 .\ngoal: 1 2/2 .\n",
         "test.yaml:4:7: the piece '2' is there 2 times, not 1 as it has to be"},
        {HEAD "board: 1 2/3 .\ngoal: 1 2/. .\n",
         "test.yaml:4:7: the piece '3' is there 0 times, not 1 as it has to be"},
        {HEAD "board: 1 2/3 .\ngoal: 1 1/* *\n",
         "test.yaml:4:7: the piece '1' is there 2 times, not 1 as it has to be"},
        {HEAD "board: 1 2/3 .\ngoal: 1 */. .\n", "test.yaml:4:7: 2 cells are empty, not 1 as it has to be"},
    };
    EXPECT_MISTAKES(mistakes);
}

Test(slide_definition, pieces)
{
    static const struct mistake mistakes[] = {
        {HEAD "goal: a b/1 .\npieces: a b\n",
         "test.yaml:4:9: 'pieces' has to be a list of pictures, one for each piece of several cells"},
        {HEAD "goal: a b/1 .\npieces: [[a b]]\n", "test.yaml:4:10: a text is needed here, not a list"},
        {HEAD "goal: a b/1 .\npieces:\n  - a c\n", "test.yaml:5:7: 'c' does not stand on the board"},
        {HEAD "goal: a b/1 .\npieces:\n  - 'a #'\n", "test.yaml:5:8: '#' does not stand on the board"},
        {HEAD "goal: a b/1 .\npieces: ['']\n", "test.yaml:4:10: the picture is empty"},
        {HEAD "goal: a b/1 .\npieces: ['. .']\n", "test.yaml:4:10: the piece has no cell"},
        {HEAD "goal: a b/1 .\npieces:\n  - a b\n  - a b\n",
         "test.yaml:6:5: 'a' belongs to another piece already; one that is turned or of another shape needs a symbol "
         "of its own"},
        {HEAD "goal: a b/1 .\npieces:\n  - a b\n  - 1 b\n",
         "test.yaml:6:7: 'b' belongs to another piece already; one that is turned or of another shape needs a symbol "
         "of its own"},
        {HEAD "goal: a b/1 .\npieces: [a/b]\n",
         "test.yaml:3:7: row 1, column 1: the piece that begins with 'a' is not whole: each 'a' has to stand as "
         "'pieces' draws it; one that is turned or of another shape needs a symbol of its own"},
        {HEAD "goal: b a/1 .\npieces: [a b]\n",
         "test.yaml:3:7: row 1, column 1: 'b' stands without the rest of its piece"},
        {HEAD "goal: a 1/b .\npieces: [a b]\n",
         "test.yaml:3:7: row 1, column 1: the piece that begins with 'a' is not whole: each 'a' has to stand as "
         "'pieces' draws it; one that is turned or of another shape needs a symbol of its own"},
        {HEAD "goal: a b/b .\npieces: [a b]\n",
         "test.yaml:3:11: row 2, column 1: 'b' stands without the rest of its piece"},
        {HEAD "goal: aaaaaaaaaaaaaaaaa.\npieces: [aaaaaaaaaaaaaaaaa]\n",
         "test.yaml:4:26: the piece has more than 16 cells"},
        {HEAD "board: a b/1 .\ngoal: 1 a/* *\npieces: [a b]\n",
         "test.yaml:4:9: row 1, column 2: the piece that begins with 'a' is not whole: each 'a' has to stand as "
         "'pieces' draws it; one that is turned or of another shape needs a symbol of its own"},
        {HEAD "board: a b/1 .\ngoal: a */1 .\npieces: [a b]\n",
         "test.yaml:4:7: row 1, column 1: the piece that begins with 'a' is not whole: each 'a' has to stand as "
         "'pieces' draws it; one that is turned or of another shape needs a symbol of its own"},
        {HEAD "board: a b/1 .\ngoal: '* b/1 .'\npieces: [a b]\n",
         "test.yaml:4:10: row 1, column 2: 'b' stands without the rest of its piece"},
    };
    EXPECT_MISTAKES(mistakes);
}

Test(slide_definition, alike)
{
    static const struct mistake mistakes[] = {
        {HEAD "goal: 1 2/3 .\nalike: 1 2\n",
         "test.yaml:4:8: 'alike' has to be a list, each entry naming pieces that are interchangeable: [a b, c d]"},
        {HEAD "goal: 1 2/3 .\nalike: [{1: 2}]\n", "test.yaml:4:9: a text is needed here, not a mapping"},
        {HEAD "goal: 1 2/3 .\nalike: [1, 2]\n",
         "test.yaml:4:8: no pieces are alike here: those that are stand in one entry, as in [a b, c d]"},
        {HEAD "goal: 1 2/3 .\nalike:\n  - 1 4\n", "test.yaml:5:7: no piece begins with '4'"},
        {HEAD "goal: 1 2/3 .\nalike:\n  - 1 .\n", "test.yaml:5:7: no piece begins with '.'"},
        {HEAD "goal: 1 2/3 .\nalike:\n  - 12\n", "test.yaml:5:5: no piece begins with '12'"},
        {HEAD "goal: 1 2/3 .\nalike:\n  - 1 2\n  - 3 2\n", "test.yaml:6:7: '2' is listed as alike already"},
        {HEAD "goal: 1 2/3 .\nalike:\n  - 1 1\n", "test.yaml:5:7: '1' is listed as alike already"},
        {HEAD "goal: a b/1 .\npieces: [a b]\nalike:\n  - a 1\n",
         "test.yaml:6:7: '1' has another shape than 'a' (or the same, turned), so they are not alike"},
        {HEAD "goal: a b .\naxis: {a: horizontal}\nalike: [a b]\n",
         "test.yaml:5:11: 'b' moves along another axis than 'a', so they are not alike"},
        {HEAD "goal: a b .\naxis: sideways\n", "test.yaml:4:7: one of (length) is needed here, not 'sideways'"},
        {HEAD "goal: a b .\naxis: {c: horizontal}\n", "test.yaml:4:8: no piece begins with 'c'"},
        {HEAD "goal: a b .\naxis: {a: diagonal}\n",
         "test.yaml:4:11: one of (free, horizontal, vertical, length) is needed here, not 'diagonal'"},
        {HEAD "goal: a b/1 .\npieces: [a b]\nalike:\n  - 1 b\n", "test.yaml:6:7: no piece begins with 'b'"},
        {HEAD "goal: a b c/1 . d/. . .\npieces: [a b, c/d]\nalike: [a c]\n",
         "test.yaml:5:11: 'c' has another shape than 'a' (or the same, turned), so they are not alike"},
    };
    EXPECT_MISTAKES(mistakes);
}

Test(slide_definition, glyphs)
{
    static const char limits[] = "a glyph has to be 1 to 15 bytes long, without separators in it (or one space)";
    static const struct mistake mistakes[] = {
        {HEAD "goal: 1 2/3 .\nglyphs: [x]\n",
         "test.yaml:4:9: 'glyphs' has to be a mapping from symbols to what is drawn for them"},
        {HEAD "goal: 1 2/3 .\nglyphs:\n  4: x\n", "test.yaml:5:3: '4' does not stand on the board"},
        {HEAD "goal: 1 2/3 .\nglyphs:\n  1: [x]\n", "test.yaml:5:6: a text is needed here, not a list"},
        {HEAD "goal: 1 2/3 .\nglyphs:\n  .: x\n  1: 0\n",
         "test.yaml:6:6: '0' is read as another symbol, so a picture with this glyph could not be read back"},
        {HEAD "goal: 1 2/3 .\nglyphs: {1: 2, 2: 1}\n",
         "test.yaml:4:13: '2' is read as another symbol, so a picture with this glyph could not be read back"},
        {HEAD "goal: 1 2/3 .\nglyphs: {1: .}\n",
         "test.yaml:4:13: '.' is read as another symbol, so a picture with this glyph could not be read back"},
    };
    EXPECT_MISTAKES(mistakes);
    static const char *const bad[] = {"''", "abcdefghijklmnop", "羊羊羊羊羊羊", "a b", "'a,b'", "a/b", "\"a\\tb\""};
    for (size_t i = 0; i < COUNT(bad); i++) {
        char yaml[200], message[200];
        snprintf(yaml, sizeof yaml, HEAD "goal: 1 2/3 .\nglyphs:\n  1: %s\n", bad[i]);
        snprintf(message, sizeof message, "test.yaml:5:6: %s", limits);
        expect_message(yaml, PDB_BAD_DEFINITION, message);
    }
    static const char *const good[] = {"abcdefghijklmno", "羊羊羊羊羊", "' '", "é", "'#'", "1"};
    for (size_t i = 0; i < COUNT(good); i++) {
        char yaml[200];
        snprintf(yaml, sizeof yaml, HEAD "goal: 1 2/3 .\nglyphs:\n  1: %s\n  .: x\n", good[i]);
        puzzle_free(make_puzzle(yaml));
    }
}

/* The place is that of the cell in the named board, whatever the board's layout. */
Test(slide_definition, named_boards)
{
    static const struct mistake mistakes[] = {
        {HEAD "goal: 1 2/3 .\nboards: [x]\n", "test.yaml:4:9: 'boards' has to be a mapping from names to boards, lines "
                                              "of 'name: board' with a space behind the "
                                              "':'"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: [1]\n", "test.yaml:5:10: a text is needed here, not a list"},
        {HEAD "goal: 1 2/3 .\nboards:\n  goal: 1 2/3 .\n", "test.yaml:5:3: 'goal' cannot be a board's name"},
        {HEAD "goal: 1 2/3 .\nboards:\n  -: 1 2/3 .\n", "test.yaml:5:3: '-' cannot be a board's name"},
        {HEAD "goal: 1 2/3 .\nboards:\n  321.: 1 2/3 .\n",
         "test.yaml:5:3: '321.' cannot be a board's name: it is a board of this puzzle itself"},
        {HEAD "goal: 1 2/3 .\nboards:\n  a b: 1 2/3 .\n", "test.yaml:5:3: 'a b' cannot be a board's name"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: 1 2/x .\n",
         "test.yaml:5:14: cell 3: 'x' is no symbol of this puzzle (1 2 3 0)"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: |\n    1 2\n    3 x\n",
         "test.yaml:7:7: cell 4: 'x' is no symbol of this puzzle (1 2 3 0)"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: '12x.'\n",
         "test.yaml:5:13: cell 3: 'x' is no symbol of this puzzle (1 2 3 0)"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: '12*.'\n",
         "test.yaml:5:13: cell 3: '*' (an open cell) is allowed in a goal only"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: 1 2 3\n",
         "test.yaml:5:10: 3 cells given, but the board has 4 (2 rows of 2)"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: 1/2 3 .\n",
         "test.yaml:5:10: row 1 has 1 cell, but that of the board has 2"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: |\n    1 2\n    3\n    .\n",
         "test.yaml:7:5: row 2 has 1 cell, but that of the board has 2"},
        {HEAD "goal: '1 2 #/3 . 4'\nboards:\n  start: |\n    1 2 #\n    3 .\n    4\n",
         "test.yaml:7:5: row 2 has 2 cells, but that of the board has 3 with its walls"},
        {HEAD "goal: '1 2 #/3 . 4'\nboards:\n  start: |\n    1 2 3\n    . 4\n",
         "test.yaml:6:5: row 1 has 3 cells, but that of the board has 2"},
        {HEAD "goal: '1 2 #/3 . 4'\nboards:\n  start: |\n    2 1 # # # #\n",
         "test.yaml:6:5: cell 4 (row 2, column 1) is no wall of this board"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: 1 2 # / 3 .\n",
         "test.yaml:5:14: a '#' behind a space begins a comment, and this one looks like a part of the picture: put "
         "the picture in quotes, or its lines below a '|'"},
        {HEAD "goal: 1 2/3 .\nboards:\n  start: 1 2/2 .\n",
         "test.yaml:5:10: the piece '2' is there 2 times, not 1 as it has to be"},
        {HEAD "goal: a b/1 .\npieces: [a b]\nboards:\n  other: 1 a/b .\n",
         "test.yaml:6:10: row 1, column 2: the piece that begins with 'a' is not whole: each 'a' has to stand as "
         "'pieces' draws it; one that is turned or of another shape needs a symbol of its own"},
    };
    EXPECT_MISTAKES(mistakes);
}

/* The rows of a named board are the board's where it has several, with or without walls. */
Test(slide_definition, rows_of_named_boards)
{
    static const char *const same[] = {"'2 1 # 3 . 4'", "2 1 3 . 4",       "2 1/3 . 4",  "|\n    2 1\n    3 . 4",
                                       "'2 1 #/3 . 4'", "'2 1 #/3 . 4//'", "/2 1/3 . 4", "|\n    21#\n\n    3.4\n"};
    struct puzzle *puzzle[COUNT(same)];
    for (size_t i = 0; i < COUNT(same); i++) {
        char yaml[200];
        snprintf(yaml, sizeof yaml, HEAD "goal: '1 2 #/3 . 4'\nboards:\n  start: %s\n", same[i]);
        puzzle[i] = make_puzzle(yaml);
        cr_expect(memcmp(puzzle[0]->named[0].position, puzzle[i]->named[0].position, 5) == 0, "%s", same[i]);
    }
    for (size_t i = 0; i < COUNT(same); i++)
        puzzle_free(puzzle[i]);
    puzzle_free(make_puzzle(HEAD "goal: 1 2/3 .\nalike: [1 2, 3]\n"));
    expect_message(HEAD "goal: 1 2/3 .\nboards:\n  start: 12.2 # 21\n", PDB_BAD_DEFINITION,
                   "test.yaml:5:10: the piece '2' is there 2 times, not 1 as it has to be");
}

Test(slide_definition, too_large)
{
    char yaml[4000] = HEAD "goal: ";
    for (int i = 0; i < 17; i++)
        strcat(yaml, "aaaaaaaaaaaaaaa./");
    expect_message(yaml, PDB_BAD_DEFINITION,
                   "test.yaml:3:7: the board is too large: 17 rows of 16 cells are 272, and it may have 256 at most");
    expect_message(HEAD "goal: .1111111111111111111111111111111111111111111111111111111111111111\n", PDB_BAD_DEFINITION,
                   "test.yaml:3:71: a row has at most 64 cells: break it into rows");
    expect_message(HEAD "goal: a a c d e/f g h i j/k l m n o/p q r s t/u v w x .\n", PDB_TOO_LARGE,
                   "test.yaml: more than 9,223,372,036,854,775,807 states: too many to number; name a board in "
                   "'boards', and those that moves lead to from there may be few enough");
    /* 129 different pieces */
    strcpy(yaml, HEAD "goal: |\n");
    for (int i = 0; i < 130; i++) {
        char cell[20];
        snprintf(cell, sizeof cell, "%s%d%s", i % 13 == 0 ? "  " : " ", i, i % 13 == 12 ? "\n" : "");
        strcat(yaml, cell);
    }
    expect_message(yaml, PDB_BAD_DEFINITION, "test.yaml:3:7: more than 128 kinds of pieces");
    /* Every way to place the blanks is a block: 2 on 49 cells are 1,176, but 12 on 25 are 5,200,300, too many to lay
     * out: those states have keys. */
    struct puzzle *puzzle = make_puzzle(HEAD "goal: aaaaaaa/aaaaaaa/aaaaaaa/aaaaaaa/aaaaaaa/aaaaaaa/aaaaa..\n");
    EXPECT_NUMBER(puzzle->states, 1176);
    EXPECT_NUMBER(puzzle->keyed, false);
    puzzle_free(puzzle);
    puzzle = make_puzzle(HEAD "board: aaaaa/aaaaa/aaa../...../.....\ngoal: '*****/*****/*****/*****/*****'\n");
    EXPECT_NUMBER(puzzle->keyed, true);
    puzzle_free(puzzle);
}

/* Every complaint about a definition says where in it. */
Test(slide_definition, complaints_without_an_obvious_place)
{
    pdb_error error;
    struct puzzle *puzzle;
    char yaml[8000] = HEAD "goal: |\n";
    /* 250 different symbols leave none for the empty cell. */
    for (int i = 0; i < 256; i++) {
        char cell[20];
        snprintf(cell, sizeof cell, "%s%d%s", i % 16 == 0 ? "  " : " ", i < 251 ? i : 0, i % 16 == 15 ? "\n" : "");
        strcat(yaml, cell);
    }
    cr_expect(try_puzzle(yaml, &puzzle, &error) == PDB_BAD_DEFINITION);
    cr_expect(strncmp(error.message, "test.yaml:", 10) == 0, "'%s'", error.message);
    /* A goal that leaves the wide piece no room: its two rooms are one cell each. */
    cr_expect(try_puzzle(HEAD "board: a a ./. . .\ngoal: '* . */. * .'\npieces: [a a]\n", &puzzle, &error) ==
              PDB_BAD_DEFINITION);
    cr_expect(strncmp(error.message, "test.yaml:", 10) == 0, "'%s'", error.message);
}

/* What is right however it is laid out: the same puzzle, with the same digest. */
Test(slide_definition, layouts_of_one_puzzle)
{
    static const char *const same[] = {
        HEAD "goal: |\n  1 9 10\n  2 . 3\npieces:\n  - 9 10\n",
        HEAD "goal: |\n  1 9 10\n  2 . 3\npieces: [9 10]\ntitle: one\nglyphs: {1: x}\nboards: {start: 1 9 10 . 2 3}\n",
        "pieces: ['9 10'] # comment\ngoal: |\n  1 9 10\n  2 . 3\nfamily: slide\npuzzle: \"t\"\n",
        "\xEF\xBB\xBFpuzzle: t\r\nfamily: slide\r\ngoal: |\r\n  1 9 10\r\n  2 . 3\r\npieces:\r\n  - 9 10\r\n",
    };
    uint8_t digest[DIGEST_BYTES];
    for (size_t i = 0; i < COUNT(same); i++) {
        struct puzzle *puzzle = make_puzzle(same[i]);
        if (i == 0)
            memcpy(digest, puzzle->digest, sizeof digest);
        cr_expect(memcmp(digest, puzzle->digest, sizeof digest) == 0, "layout %zu", i);
        puzzle_free(puzzle);
    }
    static const char *const others[] = {HEAD "goal: |\n  1 9 10\n  2 3 .\npieces:\n  - 9 10\n",
                                         HEAD "goal: |\n  1 9 10\n  2 . 3\n",
                                         "puzzle: u\nfamily: slide\ngoal: |\n  1 9 10\n  2 . 3\npieces:\n  - 9 10\n"};
    for (size_t i = 0; i < COUNT(others); i++) {
        struct puzzle *puzzle = make_puzzle(others[i]);
        cr_expect(memcmp(digest, puzzle->digest, sizeof digest) != 0, "other %zu", i);
        puzzle_free(puzzle);
    }
}

Test(slide_definition, symbols_and_glyphs)
{
    struct puzzle *puzzle = make_puzzle(
        HEAD
        "title: A title\ngoal: |\n  1 9 10\n  2 . 3\npieces:\n  - 9 10\nglyphs:\n  .: □\n  9: ┐\n  10: ' '\n  2: 羊\n");
    const struct board *board = &puzzle->board;
    EXPECT_TEXT(puzzle->title, "A title");
    EXPECT_TEXT(puzzle->name, "t");
    EXPECT_NUMBER(board->symbols, 6);
    EXPECT_TEXT(board->symbol[board->empty].code, "0"); /* among numbers the empty cell is 0 */
    EXPECT_TEXT(board->symbol[board->empty].glyph, "□");
    EXPECT_TEXT(board->symbol[board_symbol(board, "2", 1)].glyph, "羊");
    EXPECT_TEXT(board->symbol[board_symbol(board, "3", 1)].glyph, "3");
    EXPECT_NUMBER(board->compact, false);
    EXPECT_NUMBER(board->glyph_compact, true);
    EXPECT_NUMBER(board->symbol[board_symbol(board, "9", 1)].blank_next, board_symbol(board, "10", 2));
    puzzle_free(puzzle);
    puzzle = make_puzzle(HEAD "goal: a b ./c . d\n");
    EXPECT_TEXT(puzzle->title, "");
    EXPECT_TEXT(puzzle->board.symbol[puzzle->board.empty].code, "."); /* among letters it is a point */
    EXPECT_NUMBER(puzzle->board.compact, true);
    puzzle_free(puzzle);
}
