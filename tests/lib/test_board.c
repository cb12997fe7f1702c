/* test_board.c -- boards as people write them */
#include "lib/board.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct puzzle *eight(void)
{
    return make_puzzle("puzzle: e\nfamily: slide\ngoal: 1 2 3/4 5 6/7 8 .\n");
}

/* Parses a copy that ends where its memory ends, so that a sanitizer sees a step too far. */
static pdb_status parse(const struct puzzle *puzzle, const char *text, bool open, uint8_t *position, size_t *offset,
                        pdb_error *error)
{
    char *copy = strdup(text);
    cr_assert(copy != NULL);
    pdb_status status = board_parse(&puzzle->board, copy, open ? BOARD_WITH_OPEN : 0, position, offset, error);
    free(copy);
    return status;
}

/* The text is read as the board whose canonical text is given. */
static void expect_board(const struct puzzle *puzzle, const char *text, const char *canonical)
{
    uint8_t position[BOARD_MAX_CELLS];
    char formatted[BOARD_TEXT_MAX];
    pdb_error error = {.message = ""};
    const pdb_status status = parse(puzzle, text, false, position, NULL, &error);
    cr_expect(status == PDB_OK, "'%s': %s", text, error.message);
    if (status != PDB_OK)
        return;
    board_format(&puzzle->board, position, formatted);
    cr_expect(strcmp(formatted, canonical) == 0, "'%s' is read as '%s', not '%s'", text, formatted, canonical);
}

static void expect_error(const struct puzzle *puzzle, const char *text, size_t where, const char *message)
{
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error = {.message = ""};
    size_t offset = SIZE_MAX;
    cr_expect(parse(puzzle, text, false, position, &offset, &error) == PDB_BAD_BOARD && error.status == PDB_BAD_BOARD,
              "'%s'", text);
    cr_expect(strcmp(error.message, message) == 0, "'%s': '%s', not '%s'", text, error.message, message);
    cr_expect(offset == where, "'%s': byte %zu, not %zu", text, offset, where);
    cr_expect(parse(puzzle, text, false, position, NULL, NULL) == PDB_BAD_BOARD);
}

/* -- codes -- */

Test(board, one_character_a_cell)
{
    struct puzzle *puzzle = eight();
    static const char *const same[] = {"123456780",         "12345678.",         "12345678_",
                                       "1 2 3 4 5 6 7 8 0", "1,2,3,4,5,6,7,8,0", "1/2/3/4/5/6/7/8/.",
                                       "123/456/78.",       "123 456 780",       "1 2 3/4 5 6/7 8 _",
                                       "123\n456\n78.\n",   "123\r\n456\r\n780", "1\t2\t3\n4\t5\t6\n7\t8\t.",
                                       "  123456780  ",     "/123456780/",       ",,1,,2,3 , 4 / 5 6,7,8,0,",
                                       "1 23 4567 8.",      "\n\n123456780\n\n", "12345678 ."};
    for (size_t i = 0; i < COUNT(same); i++)
        expect_board(puzzle, same[i], "123456780");
    expect_board(puzzle, "0 1 2 3 4 5 6 7 8", "012345678");
    expect_board(puzzle, "_12345678", "012345678");
    puzzle_free(puzzle);
}

Test(board, letters_and_the_empty_cell)
{
    struct puzzle *puzzle = make_puzzle("puzzle: l\nfamily: slide\ngoal: b . B/. w w\n");
    static const char *const same[] = {"b.B.ww", "b0B0ww", "b_B_ww", "b . B/0 w w", "b,.,B,_,w,w"};
    for (size_t i = 0; i < COUNT(same); i++)
        expect_board(puzzle, same[i], "b.B.ww");
    puzzle_free(puzzle);
    puzzle = make_puzzle("puzzle: u\nfamily: slide\ngoal: é 羊/𝄞 .\n"); /* characters of two, three and four bytes */
    expect_board(puzzle, "é羊𝄞.", "é羊𝄞.");
    expect_board(puzzle, "é 羊/𝄞 0", "é羊𝄞.");
    expect_error(puzzle, "é羊狼.", 5, "cell 3: '狼' is no symbol of this puzzle (é 羊 𝄞 .)");
    puzzle_free(puzzle);
}

Test(board, codes_of_several_characters)
{
    struct puzzle *puzzle = built_in("goat");
    static const char text[] = "1,8,9,10,2,0,7,5,3,8,4,6";
    expect_board(puzzle, text, text);
    expect_board(puzzle, "1 8 9 10 / 2 0 7 5 / 3 8 4 6", text);
    expect_board(puzzle, "1 8 9 10\n2 . 7 5\n3 8 4 6\n", text);
    expect_board(puzzle, " 1,8,9,10/2,_,7,5/3,8,4,6 ", text);
    expect_error(puzzle, "18910", 0,
                 "cell 1: '18910' is no symbol of this puzzle (1 8 9 10 2 5 7 3 4 6 0); cells are set apart by blanks "
                 "or commas");
    puzzle_free(puzzle);
}

/* -- pictures, as pdb-query prints them -- */

Test(board, pictures_of_goat)
{
    struct puzzle *puzzle = built_in("goat");
    static const char start[] = "1,8,9,10,2,0,7,5,3,8,4,6";
    expect_board(puzzle, "    ┌ ─ ┐   \n    │ □ ∥ 羊\n    └ ─ ┘ 狼\n",
                 start); /* as it comes: the blank half is spaces */
    expect_board(puzzle, "    ┌ ─ ┐  \n    │ □ ∥ 羊\n    └ ─ ┘ 狼\n", start);
    expect_board(puzzle, "┌ ─ ┐\n│ □ ∥ 羊\n└ ─ ┘ 狼", start);
    expect_board(puzzle, "┌─┐/│□∥羊/└─┘狼", start);
    expect_board(puzzle, "┌─┐│□∥羊└─┘狼", start);
    expect_board(puzzle, "┌─┐ │.∥羊 └─┘狼", start); /* the empty cell in any of its ways */
    expect_board(puzzle, "┌─┐│0∥羊└─┘狼", start);
    expect_board(puzzle, "┌─┐ 10 │□∥羊└─┘狼", start); /* codes among glyphs, the blank half said */
    expect_board(puzzle, "1 ─ ┐ 2 □ 7 羊 └ 8 4 狼", start);
    expect_board(puzzle, "1 8 9 10 │□∥羊└─┘狼", start);
    /* After the code 9 nothing may be left out. */
    expect_error(puzzle, "1 8 9 2 0 7 5 3 8 4 6", 0, "11 cells given, but the board has 12 (3 rows of 4)");
    expect_board(puzzle, "  狼┐   ┌\n  ∥ 羊│ ─\n  ┘ ─ └ □\n", "6,9,10,1,7,5,2,8,4,8,3,0");
    expect_board(puzzle, "□ ∥ ┐   \n狼┘ │ ┌ \n羊─ └ ─ \n", "0,7,9,10,6,4,2,1,5,8,3,8");
    puzzle_free(puzzle);
}

/* A wide piece anywhere: its blank half at the end of the board, or before a wall, too. */
Test(board, blank_halves_anywhere)
{
    struct puzzle *puzzle = make_puzzle(
        "puzzle: p\nfamily: slide\ngoal: '1 9 10 #/2 . . ./3 # 9 10'\npieces: [9 10]\nglyphs: {9: ┐, 10: ' '}\n");
    static const char goal[] = "1,9,10,#,2,0,0,0,3,#,9,10";
    expect_board(puzzle, "1 ┐   #\n2 . . .\n3 # ┐  \n", goal);
    expect_board(puzzle, "1 ┐ # 2 . . . 3 # ┐", goal);
    expect_board(puzzle, "1┐#2...3#┐", goal);
    expect_board(puzzle, "1┐2...3┐", goal); /* walls left out as well */
    expect_board(puzzle, "1 ┐ 10 # 2 . . . 3 # ┐ 10", goal);
    expect_error(puzzle, "1 9 10 # 2 . . . 3 # 9", 0,
                 "11 cells given, but the board has 12 with its walls (3 rows of 4)");
    puzzle_free(puzzle);
}

/* Any picture: a narrow glyph with a space after it, a wide one (three bytes of UTF-8 from U+4E00 on) alone. */
Test(board, any_picture_of_goat_is_read_back)
{
    struct puzzle *puzzle = built_in("goat");
    uint64_t random = 3;
    for (int i = 0; i < 3000; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        char picture[200] = "", canonical[BOARD_TEXT_MAX];
        puzzle->family->position.unrank(puzzle, random_below(&random, puzzle->states), position);
        board_format(&puzzle->board, position, canonical);
        for (unsigned cell = 0; cell < 12; cell++) {
            const char *glyph = puzzle->board.symbol[position[cell]].glyph;
            const bool wide = strcmp(glyph, "羊") == 0 || strcmp(glyph, "狼") == 0;
            strcat(strcat(picture, glyph), wide ? "" : i % 2 == 0 ? " " : "");
            strcat(picture, cell % 4 != 3 ? "" : i % 3 == 0 ? "\n" : "/");
        }
        expect_board(puzzle, picture, canonical);
    }
    puzzle_free(puzzle);
}

/* -- walls -- */

Test(board, walls)
{
    struct puzzle *puzzle = make_puzzle("puzzle: w\nfamily: slide\ngoal: '1 2 3/# 4 #/5 6 .'\n");
    static const char *const same[] = {"123#4#560", "123 #4# 56.", "1 2 3/4/5 6 _",
                                       "1234560",   "123/4/56.",   "1,2,3,#,4,#,5,6,0"};
    for (size_t i = 0; i < COUNT(same); i++)
        expect_board(puzzle, same[i], "123#4#560");
    expect_error(puzzle, "12#34#560", 0, "cell 3 (row 1, column 3) is no wall of this board");
    expect_error(puzzle, "123#46#50", 0, "cell 6 (row 2, column 3) has to be a wall (#)");
    expect_error(puzzle, "123#4560", 0, "8 cells given, but the board has 9 with its walls (3 rows of 3)");
    expect_error(puzzle, "123456", 0, "6 cells given, but the board has 7 (3 rows of 3, walls among them)");
    expect_error(puzzle, "#########", 0, "cell 1 (row 1, column 1) is no wall of this board");
    puzzle_free(puzzle);
    puzzle = eight();
    expect_error(puzzle, "12345678#", 0, "cell 9 (row 3, column 3) is no wall of this board");
    puzzle_free(puzzle);
}

/* board.h: `.`, `_` and `0` are the empty cell unless they are some other symbol's code, and `#` is a wall, whatever is
 * drawn for the pieces. */
Test(board, glyphs_that_mean_something_else)
{
    static const char *const glyphs[] = {".", "_", "0"};
    for (size_t i = 0; i < COUNT(glyphs); i++) {
        char yaml[200], text[20];
        struct puzzle *puzzle = NULL;
        snprintf(yaml, sizeof yaml, "puzzle: g\nfamily: slide\ngoal: ab/cx/d.\nglyphs: {a: '%s'}\n", glyphs[i]);
        if (try_puzzle(yaml, &puzzle, NULL) != PDB_OK)
            continue; /* refused: as good */
        snprintf(text, sizeof text, "a b c x d %s", glyphs[i]);
        expect_board(puzzle, text, "abcxd.");
        puzzle_free(puzzle);
    }
    struct puzzle *puzzle = NULL;
    if (try_puzzle("puzzle: g\nfamily: slide\ngoal: '1 # 2/3 4 .'\nglyphs: {3: '#'}\n", &puzzle, NULL) == PDB_OK) {
        expect_board(puzzle, "1 # 2/3 4 .", "1#2340");
        puzzle_free(puzzle);
    }
}

/* -- mistakes -- */

Test(board, too_few_and_too_many_cells)
{
    struct puzzle *puzzle = built_in("goat");
    expect_error(puzzle, "1,8,9,10,2,0,7,5,3,8,4", 0, "11 cells given, but the board has 12 (3 rows of 4)");
    expect_error(puzzle, "1,8,9,10,2,0,7,5,3,8,4,6,6", 0, "13 cells given, but the board has 12 (3 rows of 4)");
    expect_error(puzzle, "", 0, "0 cells given, but the board has 12 (3 rows of 4)");
    expect_error(puzzle, " ,/\n", 0, "0 cells given, but the board has 12 (3 rows of 4)");
    puzzle_free(puzzle);
    puzzle = eight();
    expect_error(puzzle, "12345678", 0, "8 cells given, but the board has 9 (3 rows of 3)");
    expect_error(puzzle, "1234567800", 0, "10 cells given, but the board has 9 (3 rows of 3)");
    char *many = checked_memory(100001, 1); /* far more than any board has */
    memset(many, '1', 100000);
    expect_error(puzzle, many, 0, "100000 cells given, but the board has 9 (3 rows of 3)");
    free(many);
    puzzle_free(puzzle);
}

Test(board, unknown_symbols)
{
    struct puzzle *puzzle = eight();
    expect_error(puzzle, "12345678x", 8, "cell 9: 'x' is no symbol of this puzzle (1 2 3 4 5 6 7 8 0)");
    expect_error(puzzle, "1 2 3 4 9 6 7 8 0", 8, "cell 5: '9' is no symbol of this puzzle (1 2 3 4 5 6 7 8 0)");
    expect_error(puzzle, "-1 2 3 4 5 6 7 8 0", 0, "cell 1: '-1' is no symbol of this puzzle (1 2 3 4 5 6 7 8 0)");
    expect_error(puzzle, "1;2;3;4;5;6;7;8;0", 1, "cell 2: ';' is no symbol of this puzzle (1 2 3 4 5 6 7 8 0)");
    expect_error(puzzle, "12345678*", 8, "cell 9: '*' (an open cell) is allowed in a goal only");
    expect_error(puzzle, "1 2 羊", 4, "cell 3: '羊' is no symbol of this puzzle (1 2 3 4 5 6 7 8 0)");
    puzzle_free(puzzle);
}

Test(board, cut_characters)
{
    static const char *const texts[] = {"\xE7\xBE", "\xE7",     "\xF0\x9D\x84", "1\xE7\xBE", "\xC3",
                                        "\x80\x80", "\xFF\xFE", "\xE7\xBE 1",   "┌\xE7"};
    struct puzzle *puzzles[] = {eight(), built_in("goat")};
    for (size_t p = 0; p < COUNT(puzzles); p++) {
        for (size_t i = 0; i < COUNT(texts); i++) {
            uint8_t position[BOARD_MAX_CELLS];
            pdb_error error = {.message = ""};
            size_t offset = SIZE_MAX;
            cr_expect(parse(puzzles[p], texts[i], false, position, &offset, &error) == PDB_BAD_BOARD);
            cr_expect(offset < strlen(texts[i]) && strstr(error.message, "is no symbol of this puzzle") != NULL, "%s",
                      error.message);
        }
        puzzle_free(puzzles[p]);
    }
}

/* pdb.h: a message is one line of UTF-8, whatever was typed. */
Test(board, messages_are_utf8)
{
    struct puzzle *puzzle = eight();
    static const char *const texts[] = {"\xE7\xBE", "1 2 \xFF", "羊羊羊羊羊羊羊羊羊羊羊羊羊羊羊羊",
                                        "xééééééééééééééééééééééééééééé"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        uint8_t position[BOARD_MAX_CELLS];
        pdb_error error = {.message = ""};
        cr_expect(parse(puzzle, texts[i], false, position, NULL, &error) == PDB_BAD_BOARD);
        cr_expect(is_utf8_line(error.message), "%zu: '%s'", i, error.message);
    }
    puzzle_free(puzzle);
}

/* Texts made of pieces that mean something, in any order: read or refused, never anything worse. */
Test(board, texts_at_random)
{
    static const char *const bits[] = {"1", "8", "9",  "10", "0", ".",  "_", "#",   "*",    " ",
                                       ",", "/", "\n", "┌",  "┐", "羊", "□", "─",   "\xE7", "\x80",
                                       "x", "2", "5",  "7",  "3", "4",  "6", "\x01"};
    struct puzzle *puzzles[] = {eight(), built_in("goat"),
                                make_puzzle("puzzle: w\nfamily: slide\ngoal: '1 2 3/# 4 #/5 6 .'\n")};
    uint64_t random = 8;
    int good = 0;
    for (int i = 0; i < 60000; i++) {
        const struct puzzle *puzzle = puzzles[i % 3];
        char text[400] = "";
        const uint64_t length = random_below(&random, 30), kinds = i % 2 == 0 ? 6 : COUNT(bits);
        for (uint64_t j = 0; j < length; j++)
            strcat(text, bits[random_below(&random, kinds)]);
        uint8_t position[BOARD_MAX_CELLS];
        pdb_error error = {.message = ""};
        size_t offset = 0;
        memset(position, 254, sizeof position);
        const pdb_status status = parse(puzzle, text, i % 5 == 0, position, &offset, &error);
        good += status == PDB_OK;
        if (status == PDB_OK)
            for (unsigned p = 0; p < puzzle->board.places; p++)
                cr_assert(position[p] < puzzle->board.symbols || (i % 5 == 0 && position[p] == BOARD_OPEN), "%s", text);
        else
            cr_assert(status == PDB_BAD_BOARD && *error.message != '\0' && offset <= strlen(text), "%s", text);
    }
    cr_expect(good > 100, "%d", good);
    for (size_t p = 0; p < COUNT(puzzles); p++)
        puzzle_free(puzzles[p]);
}

/* -- puzzles' boards: names, and proper positions only -- */

static void expect_refused(const struct puzzle *puzzle, const char *text, const char *message)
{
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error = {.message = ""};
    cr_expect(puzzle_parse(puzzle, text, position, &error) == PDB_BAD_BOARD);
    cr_expect(strcmp(error.message, message) == 0, "'%s': '%s', not '%s'", text, error.message, message);
}

Test(board, names)
{
    struct puzzle *puzzle = built_in("goat");
    static const char *const pairs[][2] = {{"start", "1,8,9,10,2,0,7,5,3,8,4,6"},
                                           {"goal", "1,8,9,10,2,5,7,0,3,8,4,6"},
                                           {"hardest", "6,7,9,10,4,5,2,8,0,8,3,1"}};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        uint8_t position[BOARD_MAX_CELLS];
        char text[BOARD_TEXT_MAX];
        cr_assert(puzzle_parse(puzzle, pairs[i][0], position, NULL) == PDB_OK);
        board_format(&puzzle->board, position, text);
        EXPECT_TEXT(text, pairs[i][1]);
    }
    puzzle_free(puzzle);
    puzzle = eight();
    expect_refused(puzzle, "start",
                   "e has no board named 'start': give a board, or name one so in its definition ('boards')");
    puzzle_free(puzzle);
    puzzle = make_puzzle("puzzle: o\nfamily: slide\nboard: 12/3.\ngoal: 1*/**\n");
    expect_refused(puzzle, "goal", "the goal of o is no single board: it leaves something open");
    puzzle_free(puzzle);
}

Test(board, improper_positions)
{
    struct puzzle *puzzle = built_in("goat");
    expect_refused(puzzle, "1,8,10,9,2,0,7,5,3,8,4,6", "row 1, column 3: '10' stands without the rest of its piece");
    expect_refused(puzzle, "1,8,9,2,10,0,7,5,3,8,4,6",
                   "row 1, column 3: the piece that begins with '9' is not whole: each '9' has to stand as 'pieces' "
                   "draws it; one that is turned or of another shape needs a symbol of its own");
    expect_refused(puzzle, "1,8,7,9,10,0,2,5,3,8,4,6",
                   "row 1, column 4: the piece that begins with '9' is not whole: each '9' has to stand as 'pieces' "
                   "draws it; one that is turned or of another shape needs a symbol of its own");
    expect_refused(puzzle, "1,8,9,10,2,0,7,5,3,8,4,4", "the piece '4' is there 2 times, not 1 as it has to be");
    expect_refused(puzzle, "1,8,9,10,2,0,7,5,3,0,4,6", "the piece '8' is there 1 time, not 2 as it has to be");
    expect_refused(puzzle, "9,10,9,10,2,0,7,5,3,8,4,6", "the piece '9' is there 2 times, not 1 as it has to be");
    puzzle_free(puzzle);
}

Test(board, any_position_is_written_and_read)
{
    static const char *const yamls[] = {
        "puzzle: a\nfamily: slide\ngoal: 1 2 3/4 5 6/7 8 .\n",
        "puzzle: b\nfamily: slide\ngoal: 1 8 9 10/2 5 7 0/3 8 4 6\npieces: [9 10]\n",
        ("puzzle: c\nfamily: slide\ngoal: 'A B B C/D B B E/F H I J/G s t K/u . . v'\n"
         "pieces: [B B/B B, A/D, C/E, F/G, J/K, H I]\nalike: [A C F J, s t u v]\n"),
        "puzzle: d\nfamily: slide\ngoal: '# 11 12/13 . 14/15 # .'\n",
        "puzzle: e\nfamily: slide\ngoal: 'é 羊 #/𝄞 . ü'\n",
    };
    uint64_t random = 11;
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        for (int n = 0; n < 2000; n++) {
            uint8_t position[BOARD_MAX_CELLS], again[BOARD_MAX_CELLS];
            char text[BOARD_TEXT_MAX];
            puzzle->family->position.unrank(puzzle, random_below(&random, puzzle->states), position);
            board_format(&puzzle->board, position, text);
            cr_assert(puzzle_parse(puzzle, text, again, NULL) == PDB_OK, "%s", text);
            cr_assert(memcmp(position, again, puzzle->board.places) == 0, "%s", text);
        }
        puzzle_free(puzzle);
    }
}

/* -- symbols -- */

Test(board, adding_symbols)
{
    static struct board board;
    pdb_error error;
    uint8_t symbol;
    EXPECT_NUMBER(board_add_symbol(&board, "abcdefgXX", 7, &symbol, &error), PDB_OK); /* 7 bytes are the most */
    EXPECT_NUMBER(symbol, 0);
    EXPECT_TEXT(board.symbol[0].code, "abcdefg");
    EXPECT_TEXT(board.symbol[0].glyph, "abcdefg");
    EXPECT_NUMBER(board_add_symbol(&board, "abcdefgh", 8, &symbol, &error), PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "the symbol 'abcdefgh' has to be 1 to 7 bytes long");
    EXPECT_NUMBER(board_add_symbol(&board, "", 0, &symbol, &error), PDB_BAD_DEFINITION);
    EXPECT_NUMBER(board_add_symbol(&board, "#", 1, &symbol, &error), PDB_BAD_DEFINITION);
    EXPECT_NUMBER(board_add_symbol(&board, "*", 1, &symbol, &error), PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "'*' cannot be a symbol: # is a wall and * an open cell");
    EXPECT_NUMBER(board_add_symbol(&board, "a/b", 3, &symbol, &error), PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "'a/b' cannot be a symbol: blanks, commas and / stand between cells");
    for (unsigned i = 1; i < BOARD_MAX_SYMBOLS; i++) {
        char code[8];
        snprintf(code, sizeof code, "s%u", i);
        EXPECT_NUMBER(board_add_symbol(&board, code, strlen(code), &symbol, &error), PDB_OK);
    }
    EXPECT_NUMBER(board_add_symbol(&board, "one", 3, &symbol, &error), PDB_BAD_DEFINITION);
    EXPECT_TEXT(error.message, "more than 250 different symbols");
    EXPECT_NUMBER(board_symbol(&board, "s249", 4), 249);
    EXPECT_NUMBER(board_symbol(&board, "s24", 3), 24);
    EXPECT_NUMBER(board_symbol(&board, "s250", 4), BOARD_OPEN);
    EXPECT_NUMBER(board_symbol(&board, "s", 1), BOARD_OPEN);
}

Test(board, one_word)
{
    static const char *const one[] = {"a", " a", "ab ", "  9\n"}, *const none[] = {"", " ", "a b", "a,b"};
    for (size_t i = 0; i < COUNT(one); i++)
        cr_expect(board_is_one_word(one[i]), "'%s'", one[i]);
    for (size_t i = 0; i < COUNT(none); i++)
        cr_expect(!board_is_one_word(none[i]), "'%s'", none[i]);
}

/* Pieces are numbered on the places there are, and nothing is written behind them. */
Test(board, pieces_of_all_places)
{
    static const char *const names[] = {"lights-out", "pancakes-8", "8-puzzle", "triangle-15", "klotski"};
    for (size_t n = 0; n < COUNT(names); n++) {
        struct puzzle *puzzle = built_in(names[n]);
        uint16_t piece[BOARD_MAX_CELLS + 1];
        memset(piece, 0xA5, sizeof piece);
        const uint8_t *position = puzzle->named[0].position;
        puzzle->family->position.pieces(puzzle, position, piece);
        for (unsigned place = 0; place < puzzle->board.places; place++)
            cr_expect((piece[place] == PDB_NO_PIECE) == (position[place] == puzzle->board.empty), "%s, place %u",
                      names[n], place);
        cr_expect(piece[puzzle->board.places] == 0xA5A5, "%s", names[n]);
        puzzle_free(puzzle);
    }
}
