/* test_definition.c -- definitions of permutation puzzles: ways to write them, boards that have no index or are
 * refused, and the complaints about definitions that are wrong
 */
#include "tests/support/support.h"

#include <string.h>

#define PERMUTE "puzzle: test\nfamily: permute\n"

/* ---- boards without an index ---- */

/* Parses a board; on success *ranked says whether it has an index. */
static pdb_status read_as(const struct puzzle *puzzle, const char *text, bool *ranked, pdb_error *error)
{
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index;
    pdb_status status = puzzle_parse(puzzle, text, position, error);
    if (status == PDB_OK)
        *ranked = puzzle->family->position.rank(puzzle, position, &index);
    return status;
}

/* Having no index proves that the goal cannot be reached. Other tiles in an orbit than the definition's board has there
 * prove it only where the goal's closed cells ask for what is missing: else the board is refused. */
Test(permute, boards_without_an_index)
{
#define OPEN                 PERMUTE "board: D A E E\ngoal: '* A E *'\ngenerators:\n  g0: (4 3 2)\n  g1: (3 2)\n"
#define TWISTED              PERMUTE "board: A B A B\ngoal: '* * * *'\ntwists: 4\ngenerators:\n  g: (4 1+2 2)\n"
#define TIED_GOAL(goal)      PERMUTE "places: 1 2 3 4 5 6 7 8\ngoal: '" goal "'\ngenerators: {g: (1 2 3), h: (4 5)}\n"
#define REFUSED(tile, place) "the generators never bring this '" tile "' to place " place " from the definition's board"
    static const struct {
        const char *definition, *board;
        const char *refused; /* how the complaint begins; NULL: the board is taken */
        bool ranked;
    } cases[] = {
        {OPEN, "D E A E", NULL, true},
        {OPEN, "E A E D", REFUSED("E", "1"), false}, /* it is a goal even */
        {OPEN, "E E A D", REFUSED("E", "1"), false},
        {OPEN, "A E D E", NULL, false},         /* no A where the goal wants it */
        {TWISTED, "A+3 B+2 A B+1", NULL, true}, /* every sum of twists is a goal's */
        {TWISTED, "B A+3 B+2 A+1", REFUSED("B", "3"), false},
        {TWISTED, "A+1 A B B", REFUSED("A", "2"), false},
        /* closed goals: other tiles, a parity, a sum of twists */
        {PERMUTE "goal: D A E E\ngenerators:\n  g0: (4 3 2)\n  g1: (3 2)\n", "E A E D", NULL, false},
        {PERMUTE "places: 1 2 3\ngenerators:\n  g: (1 2 3)\n", "2 1 3", NULL, false},
        {PERMUTE "goal: A B A B\ntwists: 4\ngenerators:\n  g: (4 1+2 2)\n", "A+1 B A B", NULL, false},
        {PERMUTE "goal: A B A B\ntwists: 4\ngenerators:\n  g: (4 1+2 2)\n", "B A+3 B+2 A+1", NULL, false},
        /* open and closed orbits side by side: the closed ones' tiles and parity prove it, whatever stands in the open
         * ones */
        {TIED_GOAL("1 2 3 4 5 6 * *"), "1 2 3 4 5 6 8 7", REFUSED("8", "7"), false},
        {TIED_GOAL("1 2 3 4 5 6 * *"), "2 3 1 5 4 6 8 7", REFUSED("8", "7"), false},
        {TIED_GOAL("1 2 3 4 5 6 * *"), "2 1 3 5 4 6 8 7", NULL, false},
        {TIED_GOAL("1 2 3 4 5 6 * *"), "2 1 3 4 5 6 7 8", NULL, false},
        {TIED_GOAL("1 2 3 4 5 6 * *"), "1 2 3 4 5 7 6 8", NULL, false},
        {TIED_GOAL("1 * * 4 5 6 7 8"), "2 1 3 4 5 6 7 8", NULL, true},
        {TIED_GOAL("1 * * 4 5 * 7 8"), "1 2 6 4 5 3 7 8", REFUSED("6", "3"), false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct puzzle *puzzle = make_puzzle(cases[i].definition);
        pdb_error error = {0};
        bool ranked = false;
        pdb_status status = read_as(puzzle, cases[i].board, &ranked, &error);
        cr_expect(status == (cases[i].refused != NULL ? PDB_BAD_BOARD : PDB_OK), "%zu: status %d: %s", i, (int)status,
                  error.message);
        cr_expect(ranked == cases[i].ranked, "%zu", i);
        if (cases[i].refused != NULL)
            cr_expect(strstr(error.message, cases[i].refused) != NULL, "%zu: %s", i, error.message);
        puzzle_free(puzzle);
    }
}

/* Lists whose entries are cycles, or one cycle, and boards without a goal whose tiles are no places. */
Test(permute, ways_to_write)
{
    static const char *const definitions[] = {
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: (1 2 3)(4 5 6)\n",
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: [(1 2 3), (4 5 6)]\n",
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: [[1 2 3], [4, 5, 6]]\n",
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: |\n    (1 2 3)\n    (4 5 6)\n",
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: [(1 2 3), [4, 5, 6]]\n",
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: (1 2 3)\n  b: |\n\n    4 5 6\n",
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: {cycles: [(1 2 3) (4 5 6)]}\nboard: 1 2 3/4 5 6\n",
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: {cycles: [(1 2 3) (4 5 6)]}\nboard: 9 2 3/4 5 1\n",
        PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: {cycles: [(1 2 3) (4 5 6)]}\nboard: 1 1 2/4 5 6\n",
    };
    for (size_t i = 0; i < COUNT(definitions); i++) {
        struct puzzle *puzzle = make_puzzle(definitions[i]);
        EXPECT_NUMBER(puzzle->states, 9);
        puzzle_free(puzzle);
    }
}

/* ---- complaints ---- */

Test(permute, complaints)
{
    static const struct {
        const char *definition;
        pdb_status status;
        const char *begins;
    } cases[] = {
        {PERMUTE "generators: {a: 1 2}\n", PDB_BAD_DEFINITION, "test.yaml:1:1: a permutation puzzle needs its places"},
        {PERMUTE "places: 1 2 3\n", PDB_BAD_DEFINITION, "test.yaml:1:1: "},
        {PERMUTE "places: 1 2 3\ngenerators: []\n", PDB_BAD_DEFINITION,
         "test.yaml:4:13: 'generators' has to be a mapping"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1 2 1)\n", PDB_BAD_DEFINITION, "test.yaml:5:11: '1' stands twice"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1 2)(3 2)\n", PDB_BAD_DEFINITION,
         "test.yaml:5:14: '2' stands twice"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: [1, 2, 2]\n", PDB_BAD_DEFINITION,
         "test.yaml:5:13: '2' stands twice"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: {reverse: 1 2 1}\n", PDB_BAD_DEFINITION,
         "test.yaml:5:20: '1' stands twice"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1 2 4)\n", PDB_BAD_DEFINITION,
         "test.yaml:5:11: there is no place '4'"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1 2 3\n", PDB_BAD_DEFINITION,
         "test.yaml:5:12: a parenthesis is missing"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1 2) 3\n", PDB_BAD_DEFINITION,
         "test.yaml:5:12: this place stands outside"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1 2))\n", PDB_BAD_DEFINITION, "test.yaml:5:11: this parenthesis"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: ()\n", PDB_BAD_DEFINITION, "test.yaml:5:7: this cycle is empty"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1)\n", PDB_BAD_DEFINITION, "test.yaml:5:8: a cycle of one place"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1+1 2)\n", PDB_BAD_DEFINITION,
         "test.yaml:5:7: this place has no twist"},
        {PERMUTE "places: 1 2 3\ntwists: 3\ngenerators:\n  a: (1+3 2)\n", PDB_BAD_DEFINITION,
         "test.yaml:6:7: the twist has to be"},
        {PERMUTE "places: 1 2 3\ntwists: {3: 1 2}\ngenerators:\n  a: (1 2 3)\n", PDB_BAD_DEFINITION,
         "test.yaml:6:3: this takes a tile from"},
        {PERMUTE "places: 1 2 3\ntwists: 17\ngenerators:\n  a: (1 2 3)\n", PDB_BAD_DEFINITION, "test.yaml:4:9: "},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: (1 2 3)\n  b: (1 3 2)\n", PDB_BAD_DEFINITION,
         "test.yaml:6:3: 'b' does the same as 'a''"},
        {PERMUTE "places: 1 2 3\nturns: twice\ngenerators:\n  a: (1 2 3)\n", PDB_BAD_DEFINITION, "test.yaml:4:8: "},
        {PERMUTE "places: 1 2 3\ngoal: 1 2 2\ngenerators:\n  a: (1 2 3)\nboard: 1 2 3\n", PDB_BAD_DEFINITION,
         "test.yaml:4:11: the goal has more of '2'"},
        {PERMUTE "places: 1 2/3 4\ngoal: 3 2/1 4\nboard: 1 2/3 4\ngenerators:\n  a: (1 2)\n", PDB_BAD_DEFINITION,
         "test.yaml:4:7: the goal has more of '3'"},
        {PERMUTE "goal: 1 * 3\ngenerators:\n  a: (1 2 3)\n", PDB_BAD_DEFINITION, "test.yaml:3:9: an open cell"},
        {PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a:\n    - 1 2 3\n    - 4 5 6\n", PDB_BAD_DEFINITION,
         "test.yaml:6:7: several places in an entry of a list of places"},
        {PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: [1, 2 3]\n", PDB_BAD_DEFINITION,
         "test.yaml:5:10: several places in an entry of a list of places"},
        {PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: |\n    1 2 3\n    4 5 6\n", PDB_BAD_DEFINITION,
         "test.yaml:6:10: a cycle stands in one line"},
        {PERMUTE "places: 1 2 3 4\nturns: all\ngenerators:\n  x: (1 2 3 4)\n  x2: (1 2)\n", PDB_BAD_DEFINITION,
         "test.yaml:7:3: two different moves would be called 'x2'"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  x: (1 2 3)\n  x': (1 2)\n", PDB_BAD_DEFINITION,
         "test.yaml:6:3: two different moves would be called 'x''"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  x / x: (1 2 3)\n", PDB_BAD_DEFINITION,
         "test.yaml:5:3: two different moves would be called 'x'"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  x / y / z: (1 2 3)\n", PDB_BAD_DEFINITION,
         "test.yaml:5:3: a generator has one name, or two with one / between them"},
        {PERMUTE "places: 1 1+1 2\ntwists: 2\ngenerators:\n  x: (1+1)\n", PDB_BAD_DEFINITION,
         "test.yaml:3:9: the place '1+1' cannot be called so beside 'twists'"},
        {PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: [3, 4, (1 2)]\n", PDB_BAD_DEFINITION,
         "test.yaml:5:13: a list has either places in it, or cycles: this is a cycle, the first entry is none"},
        {PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: [[1, 2], 3, 4]\n", PDB_BAD_DEFINITION,
         "test.yaml:5:15: a list has either places in it, or cycles: this is a place, the first entry is none"},
        {PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: 1 2 3 / 4 5 6\n", PDB_BAD_DEFINITION,
         "test.yaml:5:12: a cycle stands in one line"},
        {PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: {reverse: [1 2, 3 4]}\n", PDB_BAD_DEFINITION,
         "test.yaml:5:17: several places in an entry of a list of places"},
        {PERMUTE "places: 1 2 3/4 5 6\ngenerators:\n  a: {reverse: 1 2 3/4 5 6}\n", PDB_BAD_DEFINITION,
         "test.yaml:5:21: a list of places is one row"},
        {PERMUTE "places: 1 2 3\ngenerators:\n  a: 1 2 3\n  goal: 1 3 2\n", PDB_BAD_DEFINITION,
         "test.yaml:6:3: 'goal' is a key of the definition"},
        {PERMUTE "places: 1 2 3\nboard: 2 1 3\ngenerators:\n  a: 1 2 3\n", PDB_BAD_DEFINITION,
         "test.yaml:4:8: without a goal the tiles belong to the places that they are called after"},
        {PERMUTE "board: 3 1 2\ngenerators:\n  a: 1 2 3\n", PDB_BAD_DEFINITION, "test.yaml:3:8: without a goal"},
        {PERMUTE "places: 1 2 3 4\ngoal: b b * *\ngenerators:\n  a: 1 2 3 4\n", PDB_BAD_DEFINITION,
         "test.yaml:4:7: there is no tile 'b' on the board, for none is drawn: give every tile under 'board'"},
        {OPEN "boards:\n  start: E A E D\n", PDB_BAD_DEFINITION, "test.yaml:9:10: " REFUSED("E", "1")},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const pdb_error error = refusal(cases[i].definition, cases[i].status);
        EXPECT_BEGIN(error.message, cases[i].begins);
    }
}
