/* test_definition.c -- puzzles of buttons: every complaint about a definition, names with a size, and the algebra */
#include "catalog/catalog.h"
#include "lib/families/flip/algebra.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* -- complaints -- */

#define HEAD "puzzle: t\nfamily: flip\n"

Test(flip_definition, mistakes_in_definitions)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {HEAD "around: 8\n", "test.yaml:1:1: there is neither a 'board'"},
        {HEAD "board: ..\n", "test.yaml:1:1: there are no buttons"},
        {HEAD "board: '##'\naround: 8\n", "test.yaml:3:8: the board is all walls"},
        {HEAD "board: .2\naround: 8\n", "test.yaml:3:9: '2' is no value of a cell: they are 0 to 1, and # is a wall"},
        {HEAD "board: ..\naround: 8\nbuttons: [11]\n", "test.yaml:5:10: 'buttons' and 'around' exclude each other"},
        {HEAD "board: ..\naround: pluss\n", "test.yaml:4:9: there is no pattern 'pluss'"},
        {HEAD "board: ..\naround: [8]\n", "test.yaml:4:9:"},
        {HEAD "board: ..\naround: 1 1\n", "test.yaml:4:9: the pattern has no middle cell"},
        {HEAD "board: ..\naround: (1) (1)\n", "test.yaml:4:13: two cells of the pattern are marked"},
        {HEAD "board: ..\naround: 1(1)1\n", "test.yaml:4:10: the pressed cell is drawn like this"},
        {HEAD "board: ..\naround: 1 (x) 1\n", "test.yaml:4:11: 'x' is no amount"},
        {HEAD "board: ..\naround: |\n  ...\n  .2.\n  ...\n", "test.yaml:6:4: a press cannot add 2"},
        {HEAD "board: ..\naround: |\n  ...\n  .#.\n  ...\n", "test.yaml:6:4: '#' is no amount"},
        {HEAD "board: ..\naround: '...'\n", "test.yaml:4:9: the pattern changes no cell"},
        {HEAD "board: ..\nvalues: 17\naround: 8\n", "test.yaml:4:9:"},
        {HEAD "board: ..\nvalues: 1\naround: 8\n", "test.yaml:4:9:"},
        {HEAD "board: ..\nbackward: yes\naround: 8\n", "test.yaml:4:11:"},
        {HEAD "goal: .3\naround: 8\n", "test.yaml:3:8: '3' is no value of a cell: they are 0 to 1"},
        {HEAD "goal: .x\naround: 8\n", "test.yaml:3:8: 'x' is no value of a cell"},
        {HEAD "board: ..\ngoal: ...\naround: 8\n",
         "test.yaml:4:7: the goal has 1 rows of 3 cells, the board 1 rows of 2"},
        {HEAD "board: .#\ngoal: '..'\naround: 8\n", "test.yaml:4:9: goal and board do not have the same walls"},
        {HEAD "board: ..\nbuttons:\n  a: .1\n  goal: 11\n",
         "test.yaml:6:3: 'goal' is a key of the definition, so it cannot be a name here: is it indented too far?"},
        {HEAD "board: ..\nbuttons: 11\n", "test.yaml:4:10: 'buttons' has to be a list"},
        {HEAD "board: ..\nbuttons: []\n", "test.yaml:4:10: 'buttons' has to be a list"},
        {HEAD "board: ..\nbuttons: [11, 111]\n",
         "test.yaml:4:15: the button is drawn with 1 rows of 3 cells, the board has 1 rows of 2"},
        {HEAD "board: ..\nbuttons: ['11', '..']\n", "test.yaml:4:17: the button changes no cell"},
        {HEAD "board: ..\nbuttons: ['11', []]\n", "test.yaml:4:17: the button changes no cell"},
        {HEAD "board: ..\nbuttons: ['1#']\n", "test.yaml:4:13: button and board do not have the same walls"},
        {HEAD "board: ..\nbuttons: ['12']\n", "test.yaml:4:13: a press cannot add 2"},
        {HEAD "board: ..\nbuttons: [{a: 11}]\n", "test.yaml:4:11: a button is a picture"},
        {HEAD "board: .#\nbuttons: [[r1c1, r1c1]]\n", "test.yaml:4:18: the cell r1c1 is listed twice"},
        {HEAD "board: .#\nbuttons: [[r1c2]]\n", "test.yaml:4:12: the cell r1c2 is a wall"},
        {HEAD "board: .#\nbuttons: [[r1c3]]\n", "test.yaml:4:12: the cell r1c3 lies past the board's edge"},
        {HEAD "board: .#\nbuttons: [[r0c1]]\n", "test.yaml:4:12: 'r0c1' is no cell"},
        {HEAD "board: .#\nbuttons: [[r1c1x]]\n", "test.yaml:4:12: 'r1c1x' is no cell"},
        {HEAD "board: .#\nbuttons: [['']]\n", "test.yaml:4:12: '' is no cell"},
        {HEAD "board: .#\nbuttons: [[r]]\n", "test.yaml:4:12: 'r' is no cell"},
        {HEAD "board: .#\nbuttons: [[1]]\n", "test.yaml:4:12: '1' is no cell"},
        {HEAD "board: ..\nbuttons: {1: 11}\n", "test.yaml:4:11: '1' is the value of a cell"},
        {HEAD "board: ..\nbuttons: {a b: 11}\n", "test.yaml:4:11: a button's name is 1 to 7 bytes"},
        {HEAD "board: ..\nbuttons: {longname: 11}\n", "test.yaml:4:11: a button's name is 1 to 7 bytes"},
        {HEAD "board: ..\naround: 8\nglyphs: {2: x}\n", "test.yaml:5:10: '2' is no value of a cell"},
        {HEAD "board: ..\naround: 8\nglyphs: {1: ''}\n", "test.yaml:5:13: a glyph has to be 1 to"},
        {HEAD "board: ..\naround: 8\nglyphs: {0: x, 1: x}\nboards:\n  start: x1\n",
         "test.yaml:7:10: cell 1: 'x' is drawn for several symbols: write the symbol itself (0 1)"},
        {HEAD "board: ..\naround: 8\nglyphs: {0: x, 1: x}\nboards:\n  start: 1x\n",
         "test.yaml:7:11: cell 2: 'x' is drawn for several symbols: write the symbol itself (0 1)"},
        {HEAD "board: ..\naround: 8\nglyphs: x\n", "test.yaml:5:9: 'glyphs' has to be a mapping"},
        {HEAD "board: ..\naround: 8\nboards: {a: '12'}\n", "test.yaml:5:"},
        {HEAD "board: ..\naruond: 8\n", "test.yaml:4:1:"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const pdb_error error = refusal(cases[i].text, PDB_BAD_DEFINITION);
        EXPECT_BEGIN(error.message, cases[i].message);
    }
}

/* As many buttons as there may be, and one more. */
Test(flip_definition, many_buttons)
{
    enum { MOST = 1024 };
    const char *begin = HEAD "board: ..\nbuttons: [";
    char *text = checked_memory(strlen(begin) + 4 * (MOST + 2), 1);
    for (unsigned count = MOST; count <= MOST + 1; count++) {
        char *end = stpcpy(text, begin);
        for (unsigned i = 0; i < count; i++)
            end = stpcpy(end, i % 2 == 0 ? "11, " : "10, ");
        strcpy(end, "]\n");
        struct puzzle *puzzle = NULL;
        pdb_error error = {.message = ""};
        EXPECT_NUMBER(try_puzzle(text, &puzzle, &error), count <= MOST ? PDB_OK : PDB_BAD_DEFINITION);
        cr_expect(count <= MOST || strstr(error.message, "1025 buttons: at most 1024") != NULL, "%s", error.message);
        if (puzzle != NULL)
            puzzle_free(puzzle);
    }
    free(text);
}

Test(flip_definition, too_many_states)
{
    struct puzzle *puzzle;
    puzzle = built_in("8-flip-10x10");
    cr_expect(puzzle->states == 0 && puzzle->size == 0x1p100);
    puzzle_free(puzzle);
    puzzle = built_in("lights-out-16x16"); /* of 2^256 boards one in 2^8 can be solved */
    cr_expect(puzzle->states == 0 && puzzle->size == 0x1p248);
    puzzle_free(puzzle);
    puzzle = built_in("lights-out-6x10"); /* as large as an index allows, or nearly */
    cr_expect(puzzle->states == (uint64_t)1 << 60);
    uint8_t position[BOARD_MAX_CELLS], again[BOARD_MAX_CELLS];
    for (uint64_t index = 1; index < puzzle->states; index = index * 5 + 3) {
        uint64_t found;
        puzzle->family->position.unrank(puzzle, index, position);
        cr_assert(puzzle->family->position.rank(puzzle, position, &found) && found == index);
        puzzle->family->position.unrank(puzzle, found, again);
        cr_assert(memcmp(position, again, 60) == 0);
    }
    puzzle_free(puzzle);
}

Test(flip_definition, names_with_a_size)
{
    static const struct {
        const char *name, *message;
    } wrong[] = {
        {"8-flip-0x3", "8-flip-0x3: rows and columns are 1 to 64"},
        {"8-flip-3x65", "8-flip-3x65: rows and columns are 1 to 64"},
        {"lights-out-99999999999x1", "lights-out-99999999999x1: rows and columns are 1 to 64"},
        {"8-flip-33x32", "8-flip-33x32: a board has at most 1024 cells, and this one would have 1056"},
        {"8-flip-3", "unknown puzzle '8-flip-3': a size is written ROWSxCOLUMNS"},
        {"8-flip-3x", "unknown puzzle '8-flip-3x': a size is written ROWSxCOLUMNS"},
        {"8-flip-3x4x5", "unknown puzzle '8-flip-3x4x5': a size is written ROWSxCOLUMNS"},
        {"8-flip-03x4", "unknown puzzle '8-flip-03x4': a size is written ROWSxCOLUMNS"},
        {"lights-out-x", "unknown puzzle 'lights-out-x': did you mean 'lights-out'?"},
        {"8-flip-3x3.yaml", "there is no file '8-flip-3x3.yaml'"},
    };
    pdb_puzzle *none;
    pdb_error error;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        cr_expect(catalog_load(wrong[i].name, &none, &error) == PDB_UNKNOWN_PUZZLE);
        EXPECT_BEGIN(error.message, wrong[i].message);
    }
    struct puzzle *puzzle = built_in("lights-out-2x7");
    cr_expect_str_eq(puzzle->name, "lights-out-2x7");
    cr_expect(puzzle->board.rows == 2 && puzzle->board.columns == 7);
    puzzle_free(puzzle);
}

/* -- algebra -- */

/* A span's own vectors have their digits back; a vector outside has none. */
Test(flip_definition, spans_of_many_vectors)
{
    uint64_t seed = 7;
    for (unsigned round = 0; round < 200 / short_step(20); round++) {
        const unsigned modulus = 2 + (unsigned)random_below(&seed, 9),
                       length = 1 + (unsigned)random_below(&seed, SPAN_MAX_LENGTH);
        const size_t count = 1 + random_below(&seed, 40);
        uint8_t *generators = checked_memory(count, length), sum[SPAN_MAX_LENGTH] = {0};
        uint8_t digits[SPAN_MAX_DIGITS], back[SPAN_MAX_LENGTH];
        struct span span;
        for (size_t i = 0; i < count * length; i++)
            generators[i] = (uint8_t)random_below(&seed, modulus);
        cr_assert(span_make(&span, modulus, length, 0, generators, count, NULL) == PDB_OK);
        for (size_t g = 0; g < count; g++)
            for (unsigned i = 0, times = (unsigned)random_below(&seed, modulus); i < length; i++)
                sum[i] = (uint8_t)((sum[i] + times * generators[g * length + i]) % modulus);
        cr_assert(span_digits(&span, sum, digits));
        for (unsigned j = 0; j < span.digits; j++)
            cr_assert(digits[j] < span.digit[j].radix);
        span_vector(&span, digits, back);
        cr_assert(memcmp(sum, back, length) == 0);
        if (count < length) { /* fewer generators than entries do not make every unit vector */
            bool all = true;
            for (unsigned i = 0; i < length; i++) {
                uint8_t unit[SPAN_MAX_LENGTH] = {0};
                unit[i] = 1;
                all &= span_digits(&span, unit, digits);
            }
            cr_assert(!all);
        }
        span_free(&span);
        free(generators);
    }
}
