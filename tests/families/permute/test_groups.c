/* test_groups.c -- states numbered by the group that the moves generate, where coordinates are far too many */
#include "tests/support/support.h"

#define PERMUTE "puzzle: test\nfamily: permute\n"

/* M24, as J. H. Conway gives it: its coordinates are too many for an index. */
Test(permute_groups, mathieu_twenty_four)
{
    struct puzzle *puzzle = make_puzzle(
        PERMUTE "places: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\ngenerators:\n"
                "  S: (1 24)(2 23)(3 4)(5 22)(6 11)(7 8)(9 10)(12 21)(13 14)(15 20)(16 17)(18 19)\n"
                "  R: (1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23)\n");
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 3, index;
    cr_expect(puzzle->states == 244823040, "%llu states", (unsigned long long)puzzle->states);
    for (unsigned i = 0; i < 200; i++) {
        const uint64_t state = random_below(&random, puzzle->states);
        puzzle->family->position.unrank(puzzle, state, position);
        cr_expect(puzzle->family->position.rank(puzzle, position, &index) && index == state);
        const uint8_t first = position[0];
        position[0] = position[1];
        position[1] = first; /* no element of it exchanges two and leaves the others */
        cr_expect(!puzzle->family->position.rank(puzzle, position, &index));
    }
    puzzle_free(puzzle);
}

/* A puzzle of twsearch, the Trapentrix: many tiles are alike, and yet no two elements make the same board. Which tile
 * is which has to be found out for each board. */
Test(permute_groups, trapentrix)
{
    struct puzzle *puzzle = make_puzzle(
        PERMUTE "goal: p1 p2 p3 p4 b1 b1 b1 b2 b2 b3 b3 b2 b3 b2 b2 b3 b3 b4 b4 b4 s1 s1 s1 s1 s2 s2 s3 s3 s2 s3 s2 s2 "
                "s3 s3 s4 s4 s4 s4\ngenerators:\n"
                "  L: (1 3 2)(5 11 12)(6 13 8)(7 10 9)(21 30 32)(22 33 29)(23 28 26)(24 27 25)\n"
                "  R: (2 3 4)(12 17 19)(13 20 14)(15 16 18)(26 30 37)(27 38 29)(31 33 36)(32 34 35)\n");
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 7, index;
    cr_expect(puzzle->states == 548674560, "%llu states", (unsigned long long)puzzle->states);
    for (unsigned i = 0; i < 500; i++) {
        const uint64_t state = random_below(&random, puzzle->states);
        puzzle->family->position.unrank(puzzle, state, position);
        cr_expect(puzzle->family->position.rank(puzzle, position, &index) && index == state);
    }
    puzzle_free(puzzle);
}

/* The Skewb with all eight corners turned reaches a ninth of what its coordinates number: by these, a row at a time, it
 * is solved long before an element at a time. */
Test(permute_groups, hardly_smaller)
{
    struct puzzle *puzzle = make_puzzle(PERMUTE
                                        "places: urf ubr dfr drb ufl ulb dlf dbl U D L R F B\n"
                                        "twists: {3: urf ubr dfr drb ufl ulb dlf dbl}\nturns: all\ngenerators:\n"
                                        "  URF: (urf+2)(ufl+1 dfr+1 ubr+1)(F R U)\n"
                                        "  UBR: (ubr+2)(drb+1 ulb+1 urf+1)(R B U)\n"
                                        "  DFR: (dfr+2)(dlf+1 drb+1 urf+1)(R F D)\n"
                                        "  DRB: (drb+2)(dfr+1 dbl+1 ubr+1)(B R D)\n"
                                        "  UFL: (ufl+2)(ulb+1 dlf+1 urf+1)(L F U)\n"
                                        "  ULB: (ulb+2)(dbl+1 ufl+1 ubr+1)(B L U)\n"
                                        "  DLF: (dlf+2)(ufl+1 dbl+1 dfr+1)(F L D)\n"
                                        "  DBL: (dbl+2)(dlf+1 ulb+1 drb+1)(L B D)\n");
    cr_expect(puzzle->states == 9 * 37791360, "%llu states", (unsigned long long)puzzle->states);
    puzzle_free(puzzle);
}

/* M12 with an open place in its goal, which the other eleven decide: it stays numbered by coordinates, 12! / 2. */
Test(permute_groups, open_goal)
{
    struct puzzle *puzzle = make_puzzle(PERMUTE "board: 1 2 3 4 5 6 7 8 9 10 11 12\n"
                                                "goal: 1 2 3 4 5 6 7 8 9 10 11 *\ngenerators:\n"
                                                "  reverse: (1 12)(2 11)(3 10)(4 9)(5 8)(6 7)\n"
                                                "  shuffle: (2 3 5 9 8 10 6 11 4 7 12)\n");
    cr_expect(puzzle->states == 239500800, "%llu states", (unsigned long long)puzzle->states);
    puzzle_free(puzzle);
}

/* A cycle of 30 tiles reaches 30 boards: so few that its group has one element for each. */
Test(permute_groups, one_cycle)
{
    struct puzzle *puzzle = make_puzzle(
        PERMUTE "places: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30\n"
                "generators:\n"
                "  on: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30\n");
    cr_expect(puzzle->states == 30 && puzzle->deepest == 15);
    struct solved solved;
    solve(puzzle, 1, &solved);
    cr_expect(solved.result.depths == 16 && solved.result.reachable == 30);
    solved_free(&solved);
    puzzle_free(puzzle);
}
