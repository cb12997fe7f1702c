/* test_text.c -- values in slots: boards as they are typed and drawn, names, and every complaint about a definition */
#include "catalog/catalog.h"
#include "tests/support/support.h"

#include <string.h>

static pdb_error error;

#define PLACE "puzzle: test\nfamily: place\n"
#define RANGE                                                                                                          \
    "a range goes upward, without blanks and zeros in front, from one number (to 9999) or letter to another: 1-6, a-f"
#define AMONG                                                                                                          \
    "there is a range among other symbols: write out what is in it; or where it is a symbol, put it in quotes, in a "  \
    "list"

/* ---- boards as they are typed and drawn ---- */

static void expect_read(const pdb_puzzle *puzzle, const char *text, const char *board)
{
    pdb_board read;
    char written[PDB_TEXT_MAX];
    cr_assert(pdb_board_parse(puzzle, text, &read, &error) == PDB_OK, "%s: %s", text, error.message);
    pdb_board_format(puzzle, &read, written);
    EXPECT_TEXT(written, board);
}

static void expect_unread(const pdb_puzzle *puzzle, const char *text, const char *message)
{
    pdb_board read;
    cr_assert(pdb_board_parse(puzzle, text, &read, &error) == PDB_BAD_BOARD, "%s", text);
    EXPECT_TEXT(error.message, message);
}

Test(place_text, boards_typed)
{
    pdb_puzzle *queens = load_puzzle("queens-4"), *sum = load_puzzle("send-more");
    pdb_puzzle *latin = load_puzzle(PLACE "board: '..#/...'\nvalues: 0-2\ndifferent: rows\n");
    expect_read(queens, "start", "....");
    expect_read(queens, "2413", "2413");
    expect_read(queens, "2 _ 0 3", "2..3");
    expect_read(queens, ".Q../...Q/Q.../..Q.", "2413");
    expect_read(queens, "Q . . .\n. . . .\n_ _ _ _\n. . . 0\n", "1...");
    expect_read(queens, ".... .... .... ....", "....");
    expect_read(queens, "2=4 4=3", ".4.3");
    expect_read(sum, "9......2", "9......2");
    expect_read(sum, "S=9,y=2", "9......2");
    expect_read(sum, "O=0", ".....0..");
    expect_read(latin, "0.1.2", "0.#1.2"); /* 0 is a value here */
    expect_read(latin, "0.#1.2", "0.#1.2");
    expect_read(latin, "r2c3=0", "..#..0");
    expect_unread(queens, "QQ../..../..../....", "there are two Q in row 1");
    expect_unread(queens, "Q", "1 cells given, but with Q in it a board has 16 (4 rows of 4)");
    expect_unread(queens, ".Q../..X./..../....", "cell 7: 'X' is neither Q nor empty (.)");
    expect_unread(queens, "5...", "cell 1: '5...' is no symbol of this puzzle (. 1 2 3 4)");
    expect_unread(sum, "S=9 Z=1", "'Z=1': slots get their values as in S=0 (they are called S to Y)");
    expect_unread(sum, "S=9 S=8", "'S=8': this slot has a value already");
    expect_unread(sum, "S=a", "'S=a': the values are 0 to 9");
    pdb_puzzle_free(latin);
    pdb_puzzle_free(queens);
    pdb_puzzle_free(sum);
}

Test(place_text, boards_drawn)
{
    pdb_puzzle *puzzle = load_puzzle("queens-4");
    pdb_board board;
    char text[PDB_TEXT_MAX];
    cr_assert(pdb_board_parse(puzzle, "2..3", &board, &error) == PDB_OK && pdb_board_sketch(puzzle, &board, text));
    EXPECT_TEXT(text, ". Q . .\n. . . .\n. . . .\n. . Q .\n");
    pdb_puzzle_free(puzzle);
    puzzle = load_puzzle("alphametic-16:ab - ca = d + e");
    EXPECT_TEXT(pdb_puzzle_name(puzzle), "alphametic-16-AB-minus-CA-is-D-plus-E");
    cr_assert(pdb_board_parse(puzzle, "a=f d=1", &board, &error) == PDB_OK && pdb_board_sketch(puzzle, &board, text));
    EXPECT_TEXT(text, "  fB\n- Cf\n=  1\n+  E\n\nA B C D E\nf . . 1 .\n");
    pdb_puzzle_free(puzzle);
    pdb_puzzle *latin = load_puzzle(PLACE "board: ../..\nvalues: 0 1\ndifferent: rows\n");
    cr_expect(!pdb_board_sketch(latin, &board, text));
    pdb_puzzle_free(latin);
}

/* ---- names and complaints ---- */

static void expect_name(const char *word, const char *name)
{
    struct puzzle *puzzle = built_in(word);
    EXPECT_TEXT(puzzle->name, name);
    puzzle_free(puzzle);
}

Test(place_text, names)
{
    expect_name("queens-64", "queens-64");
    expect_name("alphametic:SEND+MORE=MONEY", "alphametic-SEND-plus-MORE-is-MONEY");
    expect_name("alphametic: send + More = money", "alphametic-SEND-plus-MORE-is-MONEY");
    expect_name("alphametic-12:A+B=C-D", "alphametic-12-A-plus-B-is-C-minus-D");
    /* too long for a name: these differ in their last letter only */
    struct puzzle *one = built_in("alphametic:ABCDEFGHIJ+BCDEFGHIJA+CDEFGHIJAB=DEFGHIJABCD");
    struct puzzle *other = built_in("alphametic:ABCDEFGHIJ+BCDEFGHIJA+CDEFGHIJAB=DEFGHIJABCE");
    cr_expect(strcmp(one->name, other->name) != 0 && strlen(one->name) == PUZZLE_NAME_MAX &&
              strncmp(one->name, other->name, 31) == 0);
    cr_expect(strncmp(one->name, "alphametic-ABCDEFGHIJ-plus-", 27) == 0, "%s", one->name);
    puzzle_free(one);
    puzzle_free(other);
}

/* However an equation is typed, its database is the same. */
Test(place_text, one_equation)
{
    struct puzzle *one = built_in("alphametic:TWO+TWO=FOUR"), *other = built_in("alphametic: two + two =four");
    struct puzzle *third = built_in("alphametic-11:TWO+TWO=FOUR");
    cr_expect(memcmp(one->digest, other->digest, DIGEST_BYTES) == 0 &&
              memcmp(one->digest, third->digest, DIGEST_BYTES) != 0);
    puzzle_free(one);
    puzzle_free(other);
    puzzle_free(third);
}

Test(place_text, refused_names)
{
    static const char *const words[][2] = {
        {"queens-0", "queens-0: the size is 1 to 64"},
        {"queens-65", "queens-65: the size is 1 to 64"},
        {"queens-8x8", "unknown puzzle 'queens-8x8': its size is one number, as in queens-8"},
        {"alphametic:A+B", "unknown puzzle 'alphametic:A+B': an equation has words of letters, + and -, and one =, as "
                           "in alphametic:SEND+MORE=MONEY"},
        {"alphametic:A+1=B", "unknown puzzle 'alphametic:A+1=B': an equation has words of letters, + and -, and one =, "
                             "as in alphametic:SEND+MORE=MONEY"},
        {"alphametic:A B=C", "unknown puzzle 'alphametic:A B=C': an equation has words of letters, + and -, and one =, "
                             "as in alphametic:SEND+MORE=MONEY"},
        {"alphametic:A+=B", "alphametic:A+=B: a word of the letters A to Z has to stand here"},
        {"alphametic-37:A=B",
         "alphametic-37:A=B: a whole number from 2 to 36, in plain decimal digits, is needed here, not '37'"},
        {"alphametic:ABCDEF+GHIJK=L",
         "alphametic:ABCDEF+GHIJK=L: there are 12 different letters, and numbers to the base 10 have only 10 digits"},
        {"alphametic-3:AB=CD",
         "alphametic-3:AB=CD: there are 4 different letters, and numbers to the base 3 have only 3 digits"},
    };
    for (size_t i = 0; i < COUNT(words); i++) {
        pdb_puzzle *puzzle;
        pdb_status status = catalog_load(words[i][0], &puzzle, &error);
        cr_expect(status != PDB_OK && error_exit_code(status) == 2);
        EXPECT_TEXT(error.message, words[i][1]);
    }
}

Test(place_text, complaints)
{
    static const char *const cases[][2] = {
        {PLACE "board: '...'\nvalues: 1-3\n",
         "test.yaml:1:1: nothing says which values go together: give 'different' or 'equation'"},
        {PLACE "values: 1-3\ndifferent: all\n", "test.yaml:1:1: the key 'board' is missing in this mapping"},
        {PLACE "board: '...'\ndifferent: all\n", "test.yaml:1:1: the key 'values' is missing in this mapping"},
        {PLACE "board: '...'\nvalues: 1-65\ndifferent: all\n", "test.yaml:4:9: there are more than 64 values"},
        {PLACE "board: '...'\nvalues: a b a\ndifferent: all\n", "test.yaml:4:13: 'a' is there twice"},
        {PLACE "board: '...'\nvalues: a . c\ndifferent: all\n", "test.yaml:4:11: '.' is an empty slot"},
        {PLACE "board: '...'\nvalues: 1-2\ndifferent: all\n",
         "test.yaml:5:12: 3 slots cannot be different from one another with 2 values"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent: boxes 2x2\n",
         "test.yaml:5:12: boxes of 2 rows and 2 columns do not fill a board of 1 x 3"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent: boxes\n",
         "test.yaml:5:12: boxes are written ROWSxCOLUMNS, as in 'boxes 3x3'"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent: diagonals\n",
         "test.yaml:5:12: only a square board has diagonals"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent:\n  - 1 2 1\n", "test.yaml:6:9: '1' is there twice"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent:\n  - 1 4\n",
         "test.yaml:6:7: there is no place '4': they are called 1, .. 3"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent:\n  - {slots: all, step: 64}\n",
         "test.yaml:6:13: values and steps together pass 128"},
        {PLACE "board: '...'\nvalues: 1 - 3\ndifferent: all\n", "test.yaml:4:9: " RANGE},
        {PLACE "board: '...'\nvalues: [x]\ndifferent: 1 2\n",
         "test.yaml:5:12: 2 slots cannot be different from one another with 1 value"},
        {PLACE "board: '...'\nvalues: [5-2]\ndifferent: all\n", "test.yaml:4:10: " RANGE},
        {PLACE "board: '...'\nvalues: [1-3, 5]\ndifferent: all\n", "test.yaml:4:15: " AMONG},
        {PLACE "board: '...'\nvalues: [1-3, '5']\ndifferent: all\n", "test.yaml:4:16: " AMONG},
        {PLACE "board: '...'\nvalues: 7 1-3\ndifferent: all\n", "test.yaml:4:11: " AMONG},
        {PLACE "board: '...'\nvalues: 1-3 a-c\ndifferent: all\n", "test.yaml:4:13: " AMONG},
        {PLACE "board: '...'\nvalues: 1-3, 5 - 6\ndifferent: all\n", "test.yaml:4:14: " AMONG},
        {PLACE "board: '...'\nvalues: 01-03\ndifferent: all\n", "test.yaml:4:9: " RANGE},
        {PLACE "board: '...'\nvalues: 1- 3\ndifferent: all\n", "test.yaml:4:9: " RANGE},
        {PLACE "board: '...'\nvalues: 1-10000\ndifferent: all\n", "test.yaml:4:9: " RANGE},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent: 1\n", "test.yaml:5:12: a group has two slots or more"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent: [1 2, 3]\n", "test.yaml:5:18: a group has two slots or more"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent:\n", "test.yaml:5:11: a group has two slots or more"},
        {PLACE "board: .../...\nvalues: 1-6\nplaces: abc/def\ndifferent: |\n  a b c\n  d e f\n",
         "test.yaml:7:8: a list of places is one row: a second one is another entry"},
        {PLACE "board: .../...\nvalues: 1-6\ndifferent: [row, column]\n",
         "test.yaml:5:12: these are no places: did you mean 'rows'?"},
        {PLACE "equation: |\n  A + B = C\n  B + B = A\n",
         "test.yaml:4:12: an equation has one line: several are a list, each an entry"},
        {PLACE "board: ../..\nvalues: 1-3\ndifferent: rows\nmark: Q\n",
         "test.yaml:6:7: a mark is for a board of one row: it becomes a row of the picture for each slot"},
        {PLACE "equation: A + B\n", "test.yaml:3:11: an equation has a = in it: SEND + MORE = MONEY"},
        {PLACE "equation: A + = B\n", "test.yaml:3:15: a word of the letters A to Z has to stand here"},
        {PLACE "equation: A = B = C\n",
         "test.yaml:3:17: words are joined by + and -, and one = stands between two of them"},
        {PLACE "equation: A = B\nbase: 1\n",
         "test.yaml:4:7: a whole number from 2 to 36, in plain decimal digits, is needed here, not '1'"},
        {PLACE "equation: A = B\nvalues: 1-3\n",
         "test.yaml:4:9: an equation has its letters for slots and the digits for values: no 'values' beside it"},
        {PLACE "board: '...'\nvalues: 1-3\ndifferent: all\nbase: 3\n",
         "test.yaml:6:7: 'base' is for an 'equation', and there is none"},
        {PLACE "equation: ABCDEFGHIJABCDEFGHIJABCDEFGHIJABCDEFGHIJ = B\n",
         "test.yaml:3:11: this word is too long for numbers to the base 10"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const pdb_error refused = refusal(cases[i][0], PDB_BAD_DEFINITION);
        EXPECT_TEXT(refused.message, cases[i][1]);
    }
}
