/* test_definition.c -- what a definition of peg solitaire may say: pictures, and mistakes; and boards as texts */
#include "tests/support/family_search.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- texts -- */

Test(peg, texts)
{
    struct puzzle *puzzle = built_in("hoppers");
    uint8_t position[BOARD_MAX_CELLS];
    char text[BOARD_TEXT_MAX];
    static const char *const same[] = {"start",
                                       "1111110111111",
                                       "111/11/101/11/111",
                                       "● ● ●  ● ●  ● ○ ●  ● ●  ● ● ●",
                                       "111,11,1.1,11,111",
                                       "1#1#1#1#1#1#_#1#1#1#1#1#1",
                                       "111 11 1_1 11 111"};
    for (size_t i = 0; i < COUNT(same); i++) {
        pdb_error error = {0};
        cr_assert(puzzle_parse(puzzle, same[i], position, &error) == PDB_OK, "%s: %s", same[i], error.message);
        board_format(&puzzle->board, position, text);
        cr_expect_str_eq(text, "1111110111111");
    }
    cr_expect(puzzle_parse(puzzle, "111111011111", position, NULL) == PDB_BAD_BOARD);
    cr_expect(puzzle_parse(puzzle, "111111211111", position, NULL) == PDB_BAD_BOARD);
    board_format(&puzzle->board, puzzle->goal, text);
    cr_expect_str_eq(text, "0000001000000");
    puzzle_free(puzzle);
}

/* Pictures that mean the same board. */
Test(peg, pictures)
{
    static const char *const alike[] = {
        "jumps: triangular\npegs: 1\nboard: |\n  o\n",
        "jumps: triangular\npegs: 1\nboard: 1/11/111\n",
        "jumps: [triangular]\npegs: 1\nboard: |\n  1\n  1 1\n  1 1 1\n",
        "jumps: triangular\npegs: 1\nboard: |2\n      1\n    1   1\n  1   1   1\n",
        "jumps: diagonal orthogonal\npegs: 1\nboard: |\n  #.#.#\n  ##.##\n  #####\n",
        "jumps:\n  0: (1,3) (2,5)\n  3: (1,0) (4,5)\n  5: (2,0)(4,3)\npegs: 1\nboard: 000000\n",
        "jumps: triangular\npegs: 1\nboard: |\n  #1#\n  #11#\n  111\n",
        "glyphs: {1: x, 0: o}\njumps: triangular\npegs: 1\nboard: |\n  x\n  oo\n  x x x\n",
    };
    uint8_t expected[64];
    for (size_t i = 1; i < COUNT(alike); i++) {
        char text[500];
        struct puzzle *puzzle = NULL;
        pdb_error error = {0};
        snprintf(text, sizeof text, "puzzle: p\nfamily: peg\n%s", alike[i]);
        const pdb_status status = try_puzzle(text, &puzzle, &error);
        if (i == 4) { /* too small a board to jump on */
            cr_expect(status == PDB_BAD_DEFINITION && strstr(error.message, "no jump is possible") != NULL);
            continue;
        }
        cr_assert(status == PDB_OK, "%zu: %s", i, error.message);
        uint8_t *distance = family_distances(puzzle);
        cr_assert(puzzle->states == 64);
        if (i == 1)
            memcpy(expected, distance, sizeof expected);
        cr_expect(memcmp(expected, distance, sizeof expected) == 0, "picture %zu", i);
        free(distance);
        puzzle_free(puzzle);
    }
}

/* Comments beside pictures, and pictures with one gap throughout. */
Test(peg, prose_beside_pictures)
{
    static const char *const rows[] = {"1/11/111  # five rows",
                                       "1/11/111 # 6",
                                       "1/11/111 # a b c d",
                                       "# a triangle\n  1/11/111",
                                       "|\n  1\n  1 1\n  1 1 1",
                                       "|2\n        1\n      1   1\n    1   1   1",
                                       "1/1,1/1,1,1",
                                       "1, / 1, 1 / 1,1,1",
                                       "1/11/111\n  # and/or"};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char yaml[200];
        snprintf(yaml, sizeof yaml, "puzzle: p\nfamily: peg\njumps: triangular\npegs: 1\nboard: %s\n", rows[i]);
        struct puzzle *puzzle = make_puzzle(yaml);
        EXPECT_NUMBER(puzzle->board.places, 6);
        puzzle_free(puzzle);
    }
}

/* -- mistakes -- */

Test(peg, mistakes)
{
    static const struct {
        const char *definition; /* from line 3 on */
        const char *message;
    } mistakes[] = {
        {"goal: 001\n", "test.yaml:1:1: "},
        {"jumps: orthogonal\n", "test.yaml:1:1: the definition has no 'goal'"},
        {"jumps: orthogonal\npegs: 1\n", "test.yaml:1:1: the definition has no 'board'"},
        {"jumps: orthogonal\npegs: 2\ngoal: 010\n",
         "test.yaml:5:7: 'pegs' says that a goal has 2 of them, but this one has 1"},
        {"jumps: orthogonal\npegs: 1\ngoal: 1*1\n",
         "test.yaml:5:7: 'pegs' says that a goal has 1 of them, but this one has at least 2"},
        {"jumps: orthogonal\npegs: 4\nboard: 000\n", "test.yaml:4:7: "},
        {"jumps: sideways\ngoal: 010\n", "test.yaml:3:8: 'sideways' is no direction"},
        {"jumps: orthogonal, up\ngoal: 010\n", "test.yaml:3:20: 'up' is no direction"},
        {"jumps: [orthogonal, [diagonal]]\ngoal: 010\n", "test.yaml:3:21: "},
        {"jumps: ' '\ngoal: 010\n", "test.yaml:3:8: 'jumps' names no direction"},
        {"jumps: {}\ngoal: 010\n", "test.yaml:3:8: no jump is possible"},
        {"jumps:\n  0: (1,2) (1,3)\ngoal: 010\n", "test.yaml:4:15: there is no hole 3: the board's holes are 0 to 2"},
        {"jumps:\n  0: (1,2) (1,2)\ngoal: 010\n", "test.yaml:4:12: the jump from 0 over 1 to 2 is listed twice"},
        {"jumps:\n  0: (1,0)\ngoal: 010\n", "test.yaml:4:6: a jump needs three different holes"},
        {"jumps:\n  0: 1-2\ngoal: 010\n", "test.yaml:4:6: a '(' should stand here"},
        {"jumps:\n  0: (1-2)\ngoal: 010\n", "test.yaml:4:8: a ',' should stand here"},
        {"jumps:\n  0: (1,x)\ngoal: 010\n", "test.yaml:4:9: a hole's number"},
        {"jumps:\n  0: (1,2\ngoal: 010\n", "test.yaml:4:10: a ')' should stand here"},
        {"jumps:\n  3: (1,2)\ngoal: 010\n", "test.yaml:4:3: "},
        {"jumps: orthogonal\ngoal: |\n  0x0\n", "test.yaml:5:4: 'x' is no cell of a peg board"},
        {"jumps: orthogonal\ngoal: []\n", "test.yaml:4:7: "},
        {"jumps: orthogonal\ngoal: ' '\n", "test.yaml:4:7: the picture is empty"},
        {"jumps: orthogonal\ngoal: . 1 . # / . . .\n", "test.yaml:4:13: a '#' behind a space begins a comment, and "
                                                       "this one looks like a part of the picture: put the "
                                                       "picture in quotes, or its lines below a '|'"},
        {"jumps: orthogonal\ngoal:\n  # # 0 0 1 # #\n  0 0 0 0 0 0 0 /\n  # # 0 0 0 # #\n", "test.yaml:5:3: a '#'"},
        {"jumps: orthogonal\ngoal:\n  . 1\n  . .\n", "test.yaml:5:3: YAML joins lines of this picture into one row: "
                                                     "put them below a '|', without quotes; or if they "
                                                     "are one row, on one line"},
        {"jumps: orthogonal\ngoal:\n  0 1 0 /\n  0 0 0\n  0 0 0 /\n  0 0 0\n", "test.yaml:5:3: YAML joins lines"},
        {"jumps: orthogonal\npegs: 1\nboard: |\n  1 1 1 1 1\n  1 1   1 1\n  1 1 1 1 1\n",
         "test.yaml:7:9: this cell is not as far from the one before it as others are: blanks are no part of the "
         "board, # is a cell without a hole"},
        {"jumps: orthogonal\npegs: 1\nboard: |\n  1 1 1\n  1   1\n  1 1 1\n",
         "test.yaml:7:7: this cell is not as far from the one before it"},
        {"jumps: orthogonal\ngoal:\n  1 / 1 1\n  1 1 1 / 1 1 1 .\n", "test.yaml:5:3: YAML joins lines"},
        {"jumps: orthogonal\ngoal:\n    1\n  1   1\n", "test.yaml:5:5: YAML joins lines"},
        {"jumps: orthogonal\ngoal: 1 1 1 /\n  # 1 . / 1 1 1\n", "test.yaml:5:3: a '#'"},
        {"jumps: orthogonal\ngoal: 1,,1,1\n", "test.yaml:4:12: this cell is not as far"},
        {"jumps: orthogonal\ngoal: 00 0\n", "test.yaml:4:10: this cell is not as far from the one before it"},
        {"jumps: orthogonal\npegs: 1\nboard: .../...\ngoal: ../../1.\n",
         "test.yaml:6:7: row 1 has 2 cells, but that of the board has 3"},
        {"jumps: orthogonal\ngoal: [010, 010]\n", "test.yaml:4:13: this goal is listed twice"},
        {"jumps: orthogonal\ngoal: [010, 0100]\n", "test.yaml:4:13: 4 cells given"},
        {"jumps: orthogonal\ngoal: 010\nmetric: slide\n", "test.yaml:5:9: "},
        {"jumps: orthogonal\ngoal: 010\nglyphs: {2: x}\n", "test.yaml:5:10: '2' is no symbol"},
        {"jumps: orthogonal\ngoal: 010\nglyphs: {1: '○'}\n",
         "test.yaml:5:9: pegs and holes have to be drawn differently"},
        {"jumps: orthogonal\ngoal: 010\nboards: {start: 01}\n", "test.yaml:5:17: 2 cells given"},
        {"jumps: orthogonal\ngoal: 0000000000000000/0000000000000000/0000000000000000/0000000000000000/"
         "0000000000000000/0000000000000000/0000000000000000/0000000000000000/00\n",
         "test.yaml:4:143: the board has more than 128 holes"},
        {"jumps: triangular\ngoal: 000000000000000000000000000000000000\n", "test.yaml:4:7: the board is too large"},
        {"jumps: orthogonal\nboard: 0000000/0000000\ngoal: '0*0'\n", "test.yaml:5:8: 3 cells given"},
        {"jumps: orthogonal\nmetric: jump\nboard: 000000/000000/000000/000000/000000\npegs: 15\n",
         "test.yaml: 1.55e+08 boards fit the goal"},
        {"jumps: [orthogonal, diagonal]\ngoal: 000000/000000/000000/000000/000000/000000/000000\n",
         "test.yaml: a board of this puzzle may have more than 65535 different sweeps: choose 'metric: jump'"},
    };
    for (size_t i = 0; i < COUNT(mistakes); i++) {
        char text[1000];
        snprintf(text, sizeof text, "puzzle: p\nfamily: peg\n%s", mistakes[i].definition);
        /* What cannot be made for its size alone has no place in the text. */
        const bool sound = strncmp(mistakes[i].message, "test.yaml: ", 11) == 0;
        const pdb_error error = refusal(text, sound ? PDB_TOO_LARGE : PDB_BAD_DEFINITION);
        EXPECT_BEGIN(error.message, mistakes[i].message);
    }
}
