/* test_palette.c -- which cells are one piece, which symbols one kind, and which colours they have */
#include "query/forms/palette.h"
#include "tests/support/support.h"

#include <string.h>

static const char blocks[] = "puzzle: blocks\n"
                             "family: slide\n"
                             "board: |\n"
                             "  A B B C\n"
                             "  A B B C\n"
                             "  D E E F\n"
                             "  D G H F\n"
                             "  I . . J\n"
                             "pieces: [A/A, BB/BB, C/C, D/D, EE, F/F]\n"
                             "alike: [A C D F, G H I J]\n"
                             "goal: |\n"
                             "  * * * *\n"
                             "  * * * *\n"
                             "  * * * *\n"
                             "  * B B *\n"
                             "  * B B *\n"
                             "boards: {start: ABBC/ABBC/DEEF/DGHF/I..J}\n";

/* Two pieces with one name, and a wall. */
static const char twins[] = "puzzle: twins\n"
                            "family: slide\n"
                            "board: |\n"
                            "  A A A A\n"
                            "  . b # .\n"
                            "pieces: [AA]\n"
                            "goal: |\n"
                            "  A A . b\n"
                            "  A A # .\n";

static pdb_board parse(const pdb_puzzle *puzzle, const char *text)
{
    pdb_board board;
    pdb_error error;
    cr_assert(pdb_board_parse(puzzle, text, &board, &error) == PDB_OK, "%s", error.message);
    return board;
}

static int symbol_of(const pdb_puzzle *puzzle, const char *code)
{
    for (int s = 0; s < (int)pdb_puzzle_symbols(puzzle); s++)
        if (strcmp(pdb_symbol_code(puzzle, s), code) == 0)
            return s;
    cr_assert(false, "no symbol %s", code);
    return -1;
}

/* -- pieces -- */

/* Where every piece has a letter of its own, cells are of one piece if and only if they have one letter. */
static void expect_letters(const pdb_puzzle *puzzle, const pdb_board *board)
{
    uint16_t piece[20];
    unsigned next = 0;
    pdb_board_pieces(puzzle, board, piece);
    for (unsigned a = 0; a < 20; a++) {
        const bool empty = strcmp(pdb_symbol_code(puzzle, board->symbol[a]), ".") == 0;
        cr_assert((piece[a] == PDB_NO_PIECE) == empty);
        for (unsigned b = 0; b < a && !empty; b++)
            cr_assert((piece[a] == piece[b]) == (board->symbol[a] == board->symbol[b]), "cells %u and %u", a, b);
        if (!empty)
            cr_assert(piece[a] <= next, "the numbers are in reading order");
        next += !empty && piece[a] == next;
    }
    cr_assert(next == 10);
}

Test(palette, pieces_of_several_cells_on_every_board_of_a_walk)
{
    pdb_puzzle *puzzle = load_puzzle(blocks);
    pdb_board board = parse(puzzle, "start");
    pdb_moves moves = {0};
    uint64_t state = 7;
    for (unsigned i = 0; i < 500; i++) {
        expect_letters(puzzle, &board);
        moves.count = 0;
        cr_assert(puzzle->moves->family->position.moves(puzzle->moves, board.symbol, &moves, NULL) == PDB_OK &&
                  moves.count > 0);
        board = moves.move[random_below(&state, moves.count)].board;
    }
    pdb_moves_free(&moves);
    pdb_puzzle_free(puzzle);
}

/* The pieces of a board, cell by cell: their numbers, and a dot for none. Ends the puzzle. */
static void expect_pieces(pdb_puzzle *puzzle, const char *text, const char *expected)
{
    const pdb_board board = parse(puzzle, text);
    uint16_t piece[BOARD_MAX_CELLS];
    pdb_board_pieces(puzzle, &board, piece);
    EXPECT_NUMBER(pdb_puzzle_rows(puzzle) * pdb_puzzle_columns(puzzle), strlen(expected));
    for (unsigned cell = 0; expected[cell] != '\0'; cell++)
        EXPECT_NUMBER(piece[cell], expected[cell] == '.' ? PDB_NO_PIECE : expected[cell] - '0');
    pdb_puzzle_free(puzzle);
}

Test(palette, pieces_that_share_a_name_are_told_apart_and_walls_are_none)
{
    expect_pieces(load_puzzle(twins), "AAAA/.b#.", "0011.2..");
}

Test(palette, without_large_pieces_each_cell_is_one)
{
    expect_pieces(load_puzzle("guarini"), "start", "0.1...2.3");
}

Test(palette, kinds)
{
    pdb_puzzle *puzzle = load_puzzle(blocks);
    const char *const expected[][2] = {{"C", "A"}, {"F", "A"}, {"J", "G"}, {"B", "B"}, {"E", "E"}};
    for (unsigned i = 0; i < COUNT(expected); i++)
        EXPECT_NUMBER(pdb_symbol_kind(puzzle, symbol_of(puzzle, expected[i][0])), symbol_of(puzzle, expected[i][1]));
    EXPECT_NUMBER(pdb_symbol_kind(puzzle, symbol_of(puzzle, ".")), -1);
    EXPECT_NUMBER(pdb_symbol_kind(puzzle, -1), -1);
    pdb_puzzle_free(puzzle);
    puzzle = load_puzzle("puzzle: p\nfamily: permute\ngoal: a b c\ntwists: 3\ngenerators: {m: (1+1 2+2 3)}\n");
    EXPECT_NUMBER(pdb_symbol_kind(puzzle, symbol_of(puzzle, "b+2")), symbol_of(puzzle, "b"));
    EXPECT_NUMBER(pdb_symbol_kind(puzzle, symbol_of(puzzle, "b")), symbol_of(puzzle, "b"));
    pdb_puzzle_free(puzzle);
    puzzle = load_puzzle("goat");
    EXPECT_NUMBER(pdb_symbol_kind(puzzle, symbol_of(puzzle, "10")), symbol_of(puzzle, "9"));
    pdb_puzzle_free(puzzle);
}

/* -- colours -- */

static uint32_t colour_of(const pdb_puzzle *puzzle, const char *code)
{
    struct palette palette;
    palette_begin(&palette, puzzle);
    return palette_colour(&palette, symbol_of(puzzle, code));
}

/* Has what is empty no colour, and all else one, that of its kind? */
static void expect_consistent(const pdb_puzzle *puzzle)
{
    struct palette palette;
    palette_begin(&palette, puzzle);
    EXPECT_NUMBER(palette_colour(&palette, -1), PALETTE_NONE);
    for (int s = 0; s < (int)pdb_puzzle_symbols(puzzle); s++) {
        const int kind = pdb_symbol_kind(puzzle, s);
        const uint32_t colour = palette_colour(&palette, s);
        cr_expect((colour == PALETTE_NONE) == (kind < 0) && colour == palette_colour(&palette, kind), "%s: %s",
                  pdb_puzzle_name(puzzle), pdb_symbol_code(puzzle, s));
    }
}

Test(palette, every_sort_of_puzzle_has_colours)
{
    static const char *const names[] = {
        "goat",    "15-puzzle", "rush-hour", "klotski",   "cube-3x3x3", "pyraminx",   "pancakes-8", "lights-out",
        "hoppers", "knights",   "queens-6",  "send-more", "tiles-8x8",  "topspin-10", "english-33", "mastermind"};
    for (unsigned i = 0; i < COUNT(names); i++) {
        pdb_puzzle *puzzle = load_puzzle(names[i]);
        expect_consistent(puzzle);
        pdb_puzzle_free(puzzle);
    }
}

Test(palette, tiles_have_the_colour_of_their_goal_row)
{
    pdb_puzzle *puzzle = load_puzzle("15-puzzle");
    EXPECT_NUMBER(colour_of(puzzle, "1"), colour_of(puzzle, "4"));
    EXPECT_NUMBER(colour_of(puzzle, "13"), colour_of(puzzle, "15"));
    cr_expect(colour_of(puzzle, "4") != colour_of(puzzle, "5") && colour_of(puzzle, "1") != colour_of(puzzle, "13"));
    pdb_puzzle_free(puzzle);
    puzzle = load_puzzle("puzzle: row\nfamily: slide\ngoal: 123.\n"); /* a single row: columns count */
    cr_expect(colour_of(puzzle, "1") != colour_of(puzzle, "2"));
    pdb_puzzle_free(puzzle);
}

Test(palette, kinds_differ_and_lines_are_one)
{
    pdb_puzzle *puzzle = load_puzzle("goat");
    EXPECT_NUMBER(colour_of(puzzle, "1"), colour_of(puzzle, "9"));
    EXPECT_NUMBER(colour_of(puzzle, "1"), colour_of(puzzle, "10"));
    EXPECT_NUMBER(colour_of(puzzle, "1"), colour_of(puzzle, "8"));
    cr_expect(colour_of(puzzle, "5") != colour_of(puzzle, "6") && colour_of(puzzle, "1") != colour_of(puzzle, "5") &&
              colour_of(puzzle, "6") != colour_of(puzzle, "7") && colour_of(puzzle, "1") != colour_of(puzzle, "7"));
    pdb_puzzle_free(puzzle);
    puzzle = load_puzzle("rush-hour");
    for (const char *a = "ABCGHIKLM"; *a != '\0'; a++)
        for (const char *b = "ABCGHIKLM"; b < a && *b != *a; b++)
            cr_expect(colour_of(puzzle, (char[]){*a, '\0'}) != colour_of(puzzle, (char[]){*b, '\0'}), "%c %c", *a, *b);
    pdb_puzzle_free(puzzle);
}

/* Given colours are left to those that they are given to: nothing else is like one. */
Test(palette, given_colours_are_not_used_again)
{
    pdb_puzzle *puzzle = load_puzzle("puzzle: p\nfamily: slide\naxis: length\nboard: aabbc/ddee./ff...\n"
                                     "goal: '*****/*****/***ff'\npieces: [aa, bb, dd, ee, ff]\n"
                                     "colours: {b: '#88ccee', d: '#d0c878'}\n");
    const char *const codes[] = {"a", "b", "c", "d", "e", "f"};
    EXPECT_NUMBER(colour_of(puzzle, "b"), 0x88CCEE);
    EXPECT_NUMBER(colour_of(puzzle, "d"), 0xD0C878); /* near 0xDDCC77, the second of the program's own */
    for (unsigned i = 0; i < COUNT(codes); i++)
        for (unsigned j = 0; j < i; j++)
            cr_expect(colour_of(puzzle, codes[i]) != colour_of(puzzle, codes[j]), "%s %s", codes[i], codes[j]);
    for (unsigned i = 0; i < COUNT(codes); i++)
        cr_expect(colour_of(puzzle, codes[i]) != 0xDDCC77);
    pdb_puzzle_free(puzzle);
}

#define FOUR_PLACES "puzzle: four\nfamily: permute\nplaces: a b c d\ngenerators: {turn: a b c d}\n"

Test(palette, names_of_colours)
{
    pdb_puzzle *puzzle = load_puzzle(FOUR_PLACES "goal: Red blue black white\n");
    const uint32_t red = colour_of(puzzle, "Red"), blue = colour_of(puzzle, "blue");
    cr_expect((red >> 16) > (red & 255) && (blue >> 16) < (blue & 255));
    cr_expect(palette_ink(colour_of(puzzle, "black")) == 0xFFFFFF && palette_ink(colour_of(puzzle, "white")) == 0);
    pdb_puzzle_free(puzzle);
    puzzle = load_puzzle(FOUR_PLACES "goal: red blue Tom bleu\ncolours: {blue: '#010203'}\n");
    cr_expect(colour_of(puzzle, "red") == red && colour_of(puzzle, "blue") == 0x010203);
    cr_expect(colour_of(puzzle, "Tom") != colour_of(puzzle, "bleu") && colour_of(puzzle, "bleu") != blue);
    pdb_puzzle_free(puzzle);
}

/* A name is its whole kind's: turned tiles, pieces that are alike, the cells of a piece. A label has no ground. */
Test(palette, names_of_kinds)
{
    static const struct {
        const char *yaml, *named, *other;
    } kinds[] = {
        {"puzzle: p\nfamily: permute\ngoal: red b c\ntwists: 3\ngenerators: {m: (1+1 2+2 3)}\n", "red", "red+2"},
        {"puzzle: p\nfamily: slide\ngoal: tom red . b\nalike: [tom red]\n", "red", "tom"},
        {"puzzle: p\nfamily: slide\nboard: red b c .\npieces: [red b]\ngoal: '* red b *'\n", "red", "b"},
    };
    for (unsigned i = 0; i < COUNT(kinds); i++) {
        pdb_puzzle *puzzle = load_puzzle(kinds[i].yaml);
        EXPECT_NUMBER(colour_of(puzzle, kinds[i].named), 0xCC3344);
        EXPECT_NUMBER(colour_of(puzzle, kinds[i].other), 0xCC3344);
        expect_consistent(puzzle);
        pdb_puzzle_free(puzzle);
    }
    pdb_puzzle *puzzle = load_puzzle("puzzle: p\nfamily: slide\ngoal: red b . c\nshapes: {red: label}\n");
    EXPECT_NUMBER(colour_of(puzzle, "red"), PALETTE_NONE);
    pdb_puzzle_free(puzzle);
}

Test(palette, initials_of_colours)
{
    pdb_puzzle *puzzle = load_puzzle("knights");
    cr_expect(palette_ink(colour_of(puzzle, "b")) == 0xFFFFFF && palette_ink(colour_of(puzzle, "w")) == 0);
    pdb_puzzle_free(puzzle);
    puzzle = load_puzzle(FOUR_PLACES "board: r b w r\ngoal: r r b w\n");
    const uint32_t blue = colour_of(puzzle, "b"), red = colour_of(puzzle, "r");
    cr_expect((blue & 255) > (blue >> 16) && (red & 255) < (red >> 16));
    pdb_puzzle_free(puzzle);
}

/* -- screens -- */

/* The lightness that the rules for web pages compare (WCAG 2, relative luminance), with a gamma of 2, which is near
 * enough. */
static double luminance(uint32_t colour)
{
    double light[3];
    for (unsigned i = 0; i < 3; i++) {
        const double value = (double)(colour >> (16 - 8 * i) & 255) / 255;
        light[i] = value * value;
    }
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
}

static double contrast(uint32_t a, uint32_t b)
{
    const double x = luminance(a), y = luminance(b);
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

Test(palette, colours_can_be_told_apart_and_read_on)
{
    /* eighteen places in a row: every colour that there is */
    pdb_puzzle *puzzle = load_puzzle("puzzle: row\n"
                                     "family: permute\n"
                                     "places: a b c d e f g h i j k l m n o p q r\n"
                                     "generators: {turn: a b c d e f g h i j k l m n o p q r}\n");
    struct palette palette;
    palette_begin(&palette, puzzle);
    for (int a = 0; a < 18; a++) {
        const uint32_t colour = palette_colour(&palette, a);
        cr_expect(contrast(colour, palette_ink(colour)) >= 4.5, "%06X: %.1f", colour,
                  contrast(colour, palette_ink(colour)));
        for (int b = 0; b < a; b++)
            cr_expect(palette_xterm(colour) != palette_xterm(palette_colour(&palette, b)), "%d and %d", a, b);
    }
    pdb_puzzle_free(puzzle);
}

Test(palette, the_nearest_of_the_256)
{
    static const struct {
        uint32_t colour;
        unsigned number;
    } expected[] = {{0x000000, 16},  {0xFFFFFF, 231}, {0xFF0000, 196}, {0x5F87AF, 67},
                    {0x808080, 244}, {0x121212, 233}, {0xD8AFD6, 182}};
    for (unsigned i = 0; i < COUNT(expected); i++)
        EXPECT_NUMBER(palette_xterm(expected[i].colour), expected[i].number);
}
