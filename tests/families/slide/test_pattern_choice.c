/* test_pattern_choice.c -- which pattern databases boards of different tiles get: chosen for a memory, or given by a
 * definition; and boards whose states no index can number */
#include "catalog/catalog.h"
#include "lib/families/slide/tiles/tiles.h"
#include "tests/support/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define SLIDE "puzzle: test\nfamily: slide\n"

/* -- choosing -- */

static pdb_status choose_for(const char *name, uint64_t memory, struct patterns *patterns, pdb_error *error)
{
    struct puzzle *puzzle = built_in(name);
    pdb_status status = puzzle->family->single.patterns->choose(puzzle, memory, patterns, error);
    if (status == PDB_OK) {
        struct patterns again;
        cr_expect(patterns->memory <= memory && patterns->bytes < patterns->memory);
        cr_assert(puzzle->family->single.patterns->read(puzzle, patterns->text, 0, &again, error) == PDB_OK, "%s",
                  error->message);
        EXPECT_TEXT(again.text, patterns->text);
        EXPECT_TEXT(again.shape, patterns->shape);
        EXPECT_NUMBER(again.bytes, patterns->bytes);
        EXPECT_NUMBER(again.memory, patterns->memory);
        cr_expect(again.tables == patterns->tables &&
                  memcmp(again.table, patterns->table, again.tables * sizeof *again.table) == 0);
    }
    puzzle_free(puzzle);
    return status;
}

static const uint64_t mebibyte = 1 << 20;

Test(pattern_choice, chosen)
{
    static const struct {
        const char *name;
        uint64_t memory;
        const char *shape;
    } cases[] = {
        {"15-puzzle", 2048, "7-8"},     {"15-puzzle", 24 << 10, "7-8"},       {"15-puzzle", 30, "3-6-6"},
        {"15-puzzle", 3, "5-5-5"},      {"24-puzzle", 4096, "6-6-6-6"},       {"24-puzzle", 24 << 10, "6-6-6-6"},
        {"24-puzzle", 64, "4-5-5-5-5"}, {"tiles-6x6", 4096, "5-5-5-5-5-5-5"}, {"8-puzzle", 64, "8"},
    };
    struct patterns patterns;
    pdb_error error;
    for (size_t i = 0; i < COUNT(cases); i++) {
        cr_expect(choose_for(cases[i].name, cases[i].memory * mebibyte, &patterns, &error) == PDB_OK, "%s",
                  error.message);
        EXPECT_TEXT(patterns.shape, cases[i].shape);
    }
    cr_assert(choose_for("15-puzzle", 2048 * mebibyte, &patterns, &error) == PDB_OK);
    EXPECT_TEXT(patterns.text, "1 2 3 4 5 6 7 8 | 9 10 11 12 13 14 15");
    EXPECT_NUMBER(patterns.table[0].entries, 518918400); /* and half a byte each */
    EXPECT_NUMBER(patterns.table[0].bytes, 259459200);
    EXPECT_NUMBER(patterns.table[1].entries, 57657600);
    EXPECT_NUMBER(patterns.table[1].bytes, 28828800);
    cr_assert(choose_for("24-puzzle", 4096 * mebibyte, &patterns, &error) == PDB_OK);
    EXPECT_NUMBER(patterns.table[3].entries, 127512000);
    EXPECT_NUMBER(choose_for("15-puzzle", 1000, &patterns, &error), PDB_TOO_LARGE);
    cr_expect(strstr(error.message, "15-puzzle: building pattern databases 1-2-2-2-2-2-2-2 takes ") != NULL, "%s",
              error.message);
}

/* With more memory the tables only become larger. */
Test(pattern_choice, memory)
{
    static const char *const names[] = {"tiles-4x4", "tiles-5x5", "tiles-3x6", "tiles-2x8", "tiles-6x6", "tiles-8x8"};
    struct patterns patterns;
    pdb_error error;
    for (size_t i = 0; i < COUNT(names); i += short_step(2)) {
        uint64_t last = 0;
        for (uint64_t memory = 4 * mebibyte; memory <= 16384 * mebibyte; memory *= 16) {
            cr_assert(choose_for(names[i], memory, &patterns, &error) == PDB_OK, "%s: %s", names[i], error.message);
            cr_expect(patterns.bytes >= last, "%s", names[i]);
            last = patterns.bytes;
        }
    }
}

static void expect_none(const char *definition)
{
    struct puzzle *puzzle = make_puzzle(definition);
    struct patterns patterns;
    pdb_error error = {0};
    EXPECT_NUMBER(puzzle->family->single.patterns->choose(puzzle, UINT64_MAX, &patterns, &error), PDB_NO_DATABASE);
    cr_expect(strncmp(error.message, "test: ", 6) == 0, "%s", error.message);
    EXPECT_NUMBER(puzzle->family->single.patterns->read(puzzle, "1 2", 0, &patterns, &error), PDB_DAMAGED);
    puzzle_free(puzzle);
}

Test(pattern_choice, other_boards)
{
    expect_none(SLIDE "goal: 1 2 2/4 5 .\n");
    expect_none(SLIDE "goal: 1 2 3/4 . .\n");
    expect_none(SLIDE "goal: 1 2 3/4 5 .\nmetric: slide\n");
    expect_none(SLIDE "goal: 1 2 3/4 5 .\naxis: {1: horizontal}\n");
    expect_none(SLIDE "board: 1 2 3/4 5 .\ngoal: '1 2 3/* * *'\n");
    expect_none(SLIDE "goal: 1 2 x|y/4 5 .\n");
    expect_none(SLIDE "goal: ab3/45.\npieces: [ab]\n");
}

/* -- in definitions -- */

Test(pattern_choice, from_a_definition)
{
    struct puzzle *puzzle = make_puzzle(SLIDE "goal: 1 2 3/4 5 6/7 8 .\npatterns: [8 7|6,5 4, 1 2 3]\n");
    struct puzzle *one = make_puzzle(SLIDE "goal: 1 2 3/4 5 6/7 8 .\npatterns: 1|2 4;5\n");
    struct puzzle *none = make_puzzle(SLIDE "goal: 1 2 3/4 5 6/7 8 .\n");
    struct patterns patterns;
    pdb_error error;
    cr_assert(puzzle->family->single.patterns->choose(puzzle, mebibyte, &patterns, &error) == PDB_OK, "%s",
              error.message);
    EXPECT_TEXT(patterns.text, "7 8 | 6; 4 5; 1 2 3");
    EXPECT_TEXT(patterns.shape, "1-2, 2, 3");
    EXPECT_NUMBER(patterns.tables, 4);
    EXPECT_NUMBER(puzzle->family->single.patterns->choose(puzzle, 100, &patterns, &error), PDB_TOO_LARGE);
    cr_assert(one->family->single.patterns->choose(one, mebibyte, &patterns, &error) == PDB_OK, "%s", error.message);
    EXPECT_TEXT(patterns.text, "1 | 2 4; 5");
    cr_expect(memcmp(puzzle->digest, none->digest, DIGEST_BYTES) == 0, "patterns change no distance");
    puzzle_free(puzzle);
    puzzle_free(one);
    puzzle_free(none);
}

#define EIGHT   SLIDE "goal: 1 2 3/4 5 6/7 8 .\npatterns:"
#define FIFTEEN SLIDE "goal: 1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 .\npatterns:"

Test(pattern_choice, mistakes_in_definitions)
{
    static const struct {
        const char *definition, *message;
    } cases[] = {
        {EIGHT "\n  - 1 2 9 | 4\n", "test.yaml:5:9: there is no tile '9'"},
        {EIGHT "\n  - 1 2 0 | 4\n", "test.yaml:5:9: there is no tile '0'"},
        {EIGHT "\n  - 1 2\n  - 1 2 | 4 1\n", "test.yaml:6:13: '1' is in this partition already"},
        {EIGHT "\n  - 1 2 | 4 4\n", "test.yaml:5:13: '4' is in this partition already"},
        {EIGHT "\n  - 1 2 |\n", "test.yaml:5:10: a pattern without tiles"},
        {EIGHT "\n  - 1 || 2\n", "test.yaml:5:8: a pattern without tiles"},
        {EIGHT "\n  - 1;; 2\n", "test.yaml:5:7: a pattern without tiles"},
        {EIGHT " ''\n", "test.yaml:4:12: a pattern without tiles"},
        {EIGHT " []\n", "test.yaml:4:11: 'patterns' has to be a list of partitions, as '1 2 3 | 4 5 6'"},
        {EIGHT " {a: 1 2}\n", "test.yaml:4:11: 'patterns' has to be a list of partitions, as '1 2 3 | 4 5 6'"},
        {EIGHT " [[1, 2]]\n", "test.yaml:4:12: "},
        {FIFTEEN " 1 2 3 4 5 6 7 8 9 10\n", "test.yaml:4:29: a pattern has at most 9 tiles"},
        {FIFTEEN " 1|2|3|4|5|6|7|8|9|10|11|12;1|2|3|4|5|6|7|8|9|10|11|12;1|2|3|4|5|6|7|8|9\n",
         "test.yaml:4:80: more than 32 patterns"},
        {SLIDE "goal: 1 2 2/4 5 .\npatterns: 1 4\n", "test.yaml:4:11: pattern databases are for boards with"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const pdb_error error = refusal(cases[i].definition, PDB_BAD_DEFINITION);
        EXPECT_BEGIN(error.message, cases[i].message);
    }
}

/* -- puzzles whose states have no numbers -- */

/* Every board that the puzzles of tiles name can reach the goal. */
Test(pattern_choice, named_boards)
{
    static const char *const names[] = {"8-puzzle", "15-puzzle", "24-puzzle"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *puzzle = built_in(names[i]);
        struct tiles tiles;
        cr_assert(tiles_make((const struct slide *)puzzle, &tiles) && puzzle->named_count > 0);
        for (size_t n = 0; n < puzzle->named_count; n++) {
            uint8_t tile[TILES_MAX_PLACES];
            for (unsigned place = 0; place < tiles.places; place++)
                tile[place] = tiles.tile_of_symbol[puzzle->named[n].position[place]];
            cr_expect(tiles_parity_fits(&tiles, tile), "%s of %s", puzzle->named[n].name, names[i]);
        }
        puzzle_free(puzzle);
    }
}

Test(pattern_choice, unnumbered)
{
    struct puzzle *puzzle = built_in("24-puzzle");
    uint8_t position[BOARD_MAX_CELLS];
    pdb_moves moves = {0};
    pdb_error error;
    EXPECT_NUMBER(puzzle->states, 0);
    cr_expect(puzzle->size > 7.755e24 && puzzle->size < 7.756e24, "25!/2, not %g", puzzle->size);
    cr_assert(puzzle_parse(puzzle, "goal", position, &error) == PDB_OK);
    cr_expect(puzzle->family->position.is_goal(puzzle, position));
    cr_assert(puzzle->family->position.moves(puzzle, position, &moves, &error) == PDB_OK);
    EXPECT_NUMBER(moves.count, 2);
    EXPECT_TEXT(moves.move[0].text, "20 down");
    struct retrograde_plan plan;
    cr_expect(retrograde_plan(RETROGRADE_BEST, puzzle, 1, &plan, &error) == PDB_TOO_LARGE);
    pdb_moves_free(&moves);
    puzzle_free(puzzle);
}
