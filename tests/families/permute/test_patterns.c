/* test_patterns.c -- the pattern databases of permutation puzzles: how they are chosen, written, read and given */
#include "tests/support/family_search.h"
#include "tests/support/pattern_bytes.h"
#include "tests/support/support.h"

#include "lib/families/permute/search/table.h"

#include <stdio.h>
#include <string.h>

#define PERMUTE "puzzle: test\nfamily: permute\n"
#define MIB     ((uint64_t)1 << 20)

/* A database says how many entries its tables have, which spares making small tables for that; if it is wrong, the
 * search's own, which have to be made, show it. */
Test(permute_patterns, entries_that_a_database_says)
{
    struct puzzle *cube = built_in("cube-3x3x3");
    struct patterns counted, said;
    struct pattern_bytes bytes;
    struct searcher *searcher;
    pdb_error error;
    cr_assert(permute_pattern_family.choose(cube, 64 * MIB, &counted, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(counted.tables, 1);
    for (int more = -1; more <= 1; more++) {
        cr_assert(permute_pattern_family.read(cube, counted.text, counted.table[0].entries + (uint64_t)more, &said,
                                              &error) == PDB_OK);
        cr_expect((memcmp(said.table, counted.table, sizeof said.table) == 0) == (more == 0));
        const struct search_options options = {
            .threads = 1, .patterns = &said, .source = pattern_bytes_make(&bytes, NULL, true)};
        const pdb_status status = search_make(cube->family->single.searcher, cube, &options, &searcher, &error);
        cr_expect(status == (more == 0 ? PDB_OK : PDB_DAMAGED));
        cr_expect(more == 0 || strstr(error.message, "numbers states in another way") != NULL, "%s", error.message);
        if (status == PDB_OK)
            search_free(searcher);
    }
    puzzle_free(cube);
}

Test(permute_patterns, choice)
{
    static const char *const names[] = {"diagonal-slide", "pancakes-8", "topspin-10", "cube-2x2x2", "pyraminx"};
    static const uint64_t memories[] = {64 * MIB, 100 * MIB, 1024 * MIB};
    for (size_t i = 0; i < COUNT(names) * COUNT(memories); i++) {
        struct puzzle *puzzle = built_in(names[i % COUNT(names)]);
        struct patterns patterns, again;
        pdb_error error;
        cr_assert(permute_pattern_family.choose(puzzle, memories[i / COUNT(names)], &patterns, &error) == PDB_OK);
        cr_expect(patterns.tables >= 1 && patterns.memory <= memories[i / COUNT(names)]);
        for (unsigned t = 0; t < patterns.tables; t++)
            cr_expect(patterns.table[t].entries <= puzzle->states / 16 &&
                      patterns.table[t].offset % PATTERN_TABLE_ALIGN == 0);
        cr_assert(permute_pattern_family.read(puzzle, patterns.text, 0, &again, &error) == PDB_OK);
        EXPECT_TEXT(again.text, patterns.text);
        EXPECT_TEXT(again.shape, patterns.shape);
        cr_expect(again.bytes == patterns.bytes && again.tables == patterns.tables);
        cr_expect(memcmp(again.table, patterns.table, sizeof again.table) == 0);
        cr_expect(permute_pattern_family.choose(puzzle, MIB, &patterns, &error) == PDB_TOO_LARGE);
        puzzle_free(puzzle);
    }
}

/* Large tables of puzzles whose positions have inverses are bounded, if there is room for what that takes. */
Test(permute_patterns, bounded)
{
    struct puzzle *cube = built_in("cube-3x3x3");
    struct patterns patterns, again;
    pdb_error error;
    cr_assert(permute_pattern_family.choose(cube, 2500 * MIB, &patterns, &error) == PDB_OK, "%s", error.message);
    EXPECT_TEXT(patterns.text, "(ULB URF DRB DLF) (UBR UFL DBL DFR) (BL BR FL FR) +ULB +UB ~");
    EXPECT_NUMBER(patterns.table[0].entries, 9863588700);
    EXPECT_NUMBER(patterns.bytes, 9863588700 / 256 * 64 + 64 + (9863588700 / 2048 + 1) * 8 + 16);
    cr_assert(permute_pattern_family.read(cube, patterns.text, 9863588700, &again, &error) == PDB_OK);
    EXPECT_TEXT(again.text, patterns.text);
    EXPECT_NUMBER(again.bytes, patterns.bytes);
    const uint64_t room = patterns.memory;
    cr_assert(permute_pattern_family.choose(cube, room - 1, &patterns, &error) == PDB_OK);
    EXPECT_TEXT(patterns.text, "(ULB URF DRB DLF) (UBR UFL DBL DFR) (BL BR FL FR) +ULB +UB");
    cr_assert(permute_pattern_family.choose(cube, 64 * MIB, &patterns, &error) == PDB_OK);
    cr_expect(strchr(patterns.text, '~') == NULL);
    puzzle_free(cube);
}

Test(permute_patterns, given)
{
#define RING PERMUTE "places: 1 2 3 4 5 6 7\ngenerators:\n  s: 1 2 3 4 5 6 7\n  x: (1 2)\n"
    struct puzzle *plain = make_puzzle(RING), *given = make_puzzle(RING "patterns:\n  - 3 1 2\n  - 4, 5; 6 7\n"),
                  *classes = make_puzzle(RING "patterns: (3 1) ( 5 7 6 ) 2; (4 5)\n"),
                  *one = make_puzzle(RING "patterns: 7 6\n");
    struct patterns patterns;
    pdb_error error;
    cr_expect(memcmp(plain->digest, given->digest, sizeof plain->digest) == 0);
    cr_assert(given->family->single.patterns->choose(given, 64 * MIB, &patterns, &error) == PDB_OK);
    EXPECT_TEXT(patterns.text, "1 2 3 ; 4 5 ; 6 7");
    EXPECT_TEXT(patterns.shape, "3, 2, 2");
    EXPECT_NUMBER(patterns.table[0].entries, 210);
    EXPECT_NUMBER(patterns.table[2].entries, 42);
    cr_assert(classes->family->single.patterns->choose(classes, 64 * MIB, &patterns, &error) == PDB_OK);
    EXPECT_TEXT(patterns.text, "(1 3) 2 (5 6 7) ; (4 5)");
    EXPECT_TEXT(patterns.shape, "(2) (3) 1, (2)");
    EXPECT_NUMBER(patterns.table[0].entries, 420);
    EXPECT_NUMBER(patterns.table[1].entries, 21);
    cr_assert(one->family->single.patterns->choose(one, 64 * MIB, &patterns, &error) == PDB_OK);
    EXPECT_TEXT(patterns.text, "6 7");
    static const char *const strange[] = {"",      "1 2 x", "2 1", "1  2", "1 1",      "1 | 2", "+1",
                                          "1 2 ;", "(1",    "1)",  "()",   "(1 (2) )", "(2 1)", "(1)"};
    for (size_t i = 1; i < COUNT(strange); i++)
        cr_expect(plain->family->single.patterns->read(plain, strange[i], 0, &patterns, &error) == PDB_DAMAGED, "%s",
                  strange[i]);
    puzzle_free(plain);
    puzzle_free(given);
    puzzle_free(classes);
    puzzle_free(one);
}

/* A cube, and a clock that one move turns, which no table by symmetry tells apart in little memory; or one that each
 * quarter turn of the cube turns. */
#define CUBE_AND_CLOCK(turned)                                                                                         \
    PERMUTE "places: |\n  URF UFL ULB UBR DFR DLF DBL DRB\n  UR UF UL UB DR DF DL DB\n  FR FL BL BR # # # #\n"         \
            "  c0 c1 c2 c3 c4 c5 c6 c7\n"                                                                              \
            "twists:\n  3: URF UFL ULB UBR DFR DLF DBL DRB\n  2: UR UF UL UB DR DF DL DB FR FL BL BR\nturns: all\n"    \
            "generators:\n  U: (URF UFL ULB UBR)(UR UF UL UB)" turned                                                  \
            "\n  R: (URF+2 UBR+1 DRB+2 DFR+1)(UR BR DR FR)" turned                                                     \
            "\n  F: (URF+1 DFR+2 DLF+1 UFL+2)(UF+1 FR+1 DF+1 FL+1)" turned                                             \
            "\n  D: (DFR DRB DBL DLF)(DR DB DL DF)" turned "\n  L: (UFL+1 DLF+2 DBL+1 ULB+2)(UL FL DL BL)" turned      \
            "\n  B: (ULB+1 DBL+2 DRB+1 UBR+2)(UB+1 BL+1 DB+1 BR+1)" turned "\n"
#define RING_OF_CLOCK "(c0 c1 c2 c3 c4 c5 c6 c7)"
#define CLOCK         CUBE_AND_CLOCK("") "  g: " RING_OF_CLOCK "\n"
#define TURNED_CLOCK  CUBE_AND_CLOCK(RING_OF_CLOCK)

/* What is chosen notices every move, though the table by symmetry with the most states that there is room for does not,
 * and these have twice its bytes only: else boards that some moves lead to look solved. */
Test(permute_patterns, moves_that_are_noticed)
{
    static const struct {
        const char *text;
        bool all;
    } cases[] = {{"+URF +UR", false},
                 {"+UR ; c3", false}, /* two turns flip no edge, and the sides that are looked at see no others */
                 {"(URF ULB DFR DBL) +URF +UR", false},
                 {"(URF ULB DFR DBL) +URF +UR ; c3", true},
                 {"(FR FL BL BR) +URF +UR ; c0 (c3 c4)", true},
                 {"c0 c1 c2 c3 c4 c5 c6", false},
                 {"(URF ULB DFR DBL) +UR (c0 c1 c2 c3 c4 c5 c6 c7)", false}};
    struct puzzle *clock = make_puzzle(CLOCK);
    struct permute_patterns read;
    struct patterns patterns;
    pdb_error error;
    size_t offset;
    for (size_t i = 0; i < COUNT(cases); i++) {
        bool all = !cases[i].all;
        read.count = 0;
        cr_assert(permute_parse_patterns((struct permute *)clock, cases[i].text, &read, &offset, &error) == PDB_OK);
        cr_assert(permute_notices_all((struct permute *)clock, &read, &all, &error) == PDB_OK);
        cr_expect(all == cases[i].all, "%s", cases[i].text);
    }
    bool all = false;
    read.count = 0;
    cr_assert(permute_pattern_family.choose(clock, 66 * MIB, &patterns, &error) == PDB_OK);
    cr_assert(permute_parse_patterns((struct permute *)clock, patterns.text, &read, &offset, &error) == PDB_OK);
    cr_assert(permute_notices_all((struct permute *)clock, &read, &all, &error) == PDB_OK);
    cr_expect(all && patterns.tables > 1, "%s", patterns.text);
    puzzle_free(clock);
}

/* A table by symmetry that notices every move gives way where it has less than a quarter of the bytes, and else not. */
Test(permute_patterns, little_of_the_memory)
{
    struct puzzle *clock = make_puzzle(TURNED_CLOCK);
    struct permute_patterns read = {.count = 0};
    struct patterns little, much;
    pdb_error error;
    size_t offset;
    bool all = false;
    cr_assert(permute_pattern_family.choose(clock, 60 * MIB, &little, &error) == PDB_OK);
    EXPECT_NUMBER(little.tables, 1);
    cr_assert(permute_parse_patterns((struct permute *)clock, little.text, &read, &offset, &error) == PDB_OK);
    cr_assert(permute_notices_all((struct permute *)clock, &read, &all, &error) == PDB_OK);
    cr_expect(all, "%s", little.text);
    cr_assert(permute_pattern_family.choose(clock, 80 * MIB, &much, &error) == PDB_OK);
    cr_expect(much.tables > 1 && much.bytes > 4 * little.bytes, "%s", much.text);
    puzzle_free(clock);
}

Test(permute_patterns, complaints)
{
    static const struct {
        const char *text, *begins;
    } cases[] = {
        {RING "patterns: {a: b}\n", "test.yaml:7:11: 'patterns' has to be a list"},
        {RING "patterns: []\n", "test.yaml:7:11: an empty list of patterns"},
        {RING "patterns:\n  - 1 2\n  - ''\n", "test.yaml:9:5: an empty pattern"},
        {RING "patterns:\n  - 1 2\n  - 3 8\n", "test.yaml:9:7: there is no tile '8'"},
        {RING "patterns:\n  - 1 2 1\n", "test.yaml:8:9: '1' stands twice"},
        {RING "patterns:\n  - 1 +2\n", "test.yaml:8:7: '+' is for twists"},
        {RING "patterns:\n  - 1 2 | 3\n", "test.yaml:8:9: '|' is for tables that are added"},
        {RING "patterns:\n  - ~\n  - 1 ~2\n", "test.yaml:9:7: there is no tile '~2'"},
        {RING "patterns:\n  - [1, 2]\n", "test.yaml:8:5: "},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const pdb_error error = refusal(cases[i].text, PDB_BAD_DEFINITION);
        EXPECT_BEGIN(error.message, cases[i].begins);
    }
}
