/*
 * Permutation puzzles: every state against the plain search of oracle_permute, the contract's checker over all states,
 * the figures of puzzles.md and published tables.
 */
#include "tests/support/family_search.h"
#include "oracle.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERMUTE "puzzle: test\nfamily: permute\n"

/* ---- comparing with the oracle: tile t is called names[t], its twist w is "+w" ---- */

static void position_of(const struct puzzle *puzzle, const char *const names[], const unsigned char *board,
                        uint8_t *position)
{
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        char code[16];
        int length = board[place] % 16 == 0
                         ? snprintf(code, sizeof code, "%s", names[board[place] / 16])
                         : snprintf(code, sizeof code, "%s+%d", names[board[place] / 16], board[place] % 16);
        position[place] = board_symbol(&puzzle->board, code, (size_t)length);
        cr_assert(position[place] != BOARD_OPEN, "%s", code);
    }
}

static void compare(const struct puzzle *puzzle, const char *const names[], const struct oracle_boards *boards)
{
    uint8_t *distance = family_distances(puzzle), position[BOARD_MAX_CELLS];
    uint64_t histogram[255], reached = 0;
    unsigned max = family_histogram(puzzle, distance, histogram);
    for (unsigned d = 0; d <= max; d++)
        reached += histogram[d];
    cr_expect(puzzle->deepest == 0 || puzzle->deepest == max);
    cr_expect(reached == oracle_boards_count(boards), "%zu by the oracle, %llu by the family",
              oracle_boards_count(boards), (unsigned long long)reached);
    for (size_t i = 0; i < oracle_boards_count(boards); i++) {
        uint64_t index;
        if (!is_shared(puzzle->states, i))
            continue;
        position_of(puzzle, names, oracle_boards_at(boards, i), position);
        cr_assert(puzzle->family->position.rank(puzzle, position, &index));
        cr_assert(distance[index] == oracle_boards_distance_at(boards, i), "board %zu: %d, not %d", i, distance[index],
                  oracle_boards_distance_at(boards, i));
    }
    free(distance);
}

static const char *const numbers[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"};

/* The board with tile p on place p, untwisted. */
static void in_order(int places, unsigned char *board)
{
    for (int p = 0; p < places; p++)
        board[p] = (unsigned char)(16 * p);
}

/* Adds a cycle as a move, with its inverse. */
static void add_both(struct oracle_permute *permute, int length, const int *places, const int *twist)
{
    int move = oracle_permute_add(permute);
    oracle_permute_cycle(permute, move, length, places, twist);
    oracle_permute_add_inverse(permute, move);
}

/* Compares a puzzle with the oracle's, solved from the boards given, and has all states checked. */
static void run(struct puzzle *puzzle, const struct oracle_permute *permute, const char *const names[], int goals,
                const unsigned char *goal, uint64_t states)
{
    struct oracle_boards *boards = oracle_permute_solve(permute, goals, goal);
    cr_expect(puzzle->states == states, "%llu states", (unsigned long long)puzzle->states);
    compare(puzzle, names, boards);
    family_check(puzzle);
    oracle_boards_free(boards);
    puzzle_free(puzzle);
}

/* ---- diagonal slide ---- */

/* puzzles.md section 5: every example of a shift. */
Test(permute, diagonal_shifts)
{
    static const struct {
        const char *text, *board;
    } expected[] = {
        {"column up", "153486729"},
        {"column down", "183426759"},
        {"row left", "123564789"},
        {"row right", "123645789"},
        {"diagonal 1-5-9 to the upper left", "523496781"},
        {"diagonal 1-5-9 to the lower right", "923416785"},
        {"diagonal 3-5-7 to the upper right", "125476389"},
        {"diagonal 3-5-7 to the lower left", "127436589"},
    };
    struct puzzle *puzzle = built_in("diagonal-slide");
    uint8_t position[BOARD_MAX_CELLS];
    char text[BOARD_TEXT_MAX];
    pdb_moves moves = {0};
    cr_assert(puzzle_parse(puzzle, "1 2 3/4 5 6/7 8 9", position, NULL) == PDB_OK);
    cr_assert(puzzle->family->position.moves(puzzle, position, &moves, NULL) == PDB_OK);
    cr_assert(moves.count == COUNT(expected));
    for (size_t e = 0; e < COUNT(expected); e++) {
        bool found = false;
        for (size_t m = 0; m < moves.count; m++) {
            if (strcmp(moves.move[m].text, expected[e].text) != 0)
                continue;
            found = true;
            board_format(&puzzle->board, moves.move[m].board.symbol, text);
            cr_expect_str_eq(text, expected[e].board);
        }
        cr_expect(found, "no move '%s'", expected[e].text);
    }
    free(moves.move);
    puzzle_free(puzzle);
}

static void diagonal_oracle(struct oracle_permute *permute)
{
    static const int line[4][3] = {{3, 4, 5}, {1, 4, 7}, {0, 4, 8}, {2, 4, 6}};
    *permute = (struct oracle_permute){.places = 9};
    for (int l = 0; l < 4; l++)
        add_both(permute, 3, line[l], NULL);
}

/* The question of puzzles.md, answered by the family and by the plain search. */
Test(permute, diagonal_slide)
{
    struct puzzle *puzzle = built_in("diagonal-slide");
    struct oracle_permute permute;
    unsigned char goal[9], question[9];
    diagonal_oracle(&permute);
    in_order(9, goal);
    for (int p = 0; p < 9; p++)
        question[p] = (unsigned char)(16 * (8 - p));
    struct oracle_boards *boards = oracle_permute_solve(&permute, 1, goal);
    uint8_t *distance = family_distances(puzzle);
    const int answer = oracle_boards_distance(boards, question);
    cr_expect(answer > 0 && distance[index_of(puzzle, "987/654/321")] == answer);
    free(distance);
    oracle_boards_free(boards);
    run(puzzle, &permute, numbers, 1, goal, 181440);
}

/* ---- published tables ---- */

static void check_table(const char *name, uint64_t states, const uint64_t *expected, unsigned depths)
{
    struct puzzle *puzzle = built_in(name);
    uint8_t *distance = family_distances(puzzle);
    uint64_t histogram[255];
    cr_expect(puzzle->states == states, "%s: %llu", name, (unsigned long long)puzzle->states);
    cr_expect(family_histogram(puzzle, distance, histogram) == depths - 1, "%s", name);
    for (unsigned d = 0; d < depths; d++)
        cr_expect(histogram[d] == expected[d], "%s: %llu at %u, not %llu", name, (unsigned long long)histogram[d], d,
                  (unsigned long long)expected[d]);
    free(distance);
    puzzle_free(puzzle);
}

Test(permute, cube_half_turns)
{
    static const uint64_t table[] = {1, 9, 54, 321, 1847, 9992, 50136, 227536, 870072, 1887748, 623800, 2644};
    check_table("cube-2x2x2", 3674160, table, COUNT(table));
}

Test(permute, cube_quarter_turns)
{
    static const uint64_t table[] = {1,      6,      27,     120,     534,    2256,  8969, 33058,
                                     114149, 360508, 930588, 1350852, 782536, 90280, 276};
    check_table("cube-2x2x2-qtm", 3674160, table, COUNT(table));
}

Test(permute, pyraminx)
{
    static const uint64_t table[] = {1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32};
    check_table("pyraminx", 933120, table, COUNT(table));
}

/* Eight pancakes, each move the reversal of a beginning of the row; every state against the plain search. */
Test(permute, pancakes)
{
    struct oracle_permute permute = {.places = 8};
    unsigned char goal[8];
    for (int turned = 2; turned <= 8; turned++) {
        int move = oracle_permute_add(&permute);
        for (int p = 0; p < turned; p++)
            permute.to[move][p] = turned - 1 - p;
    }
    in_order(8, goal);
    run(built_in("pancakes-8"), &permute, numbers, 1, goal, 40320);
}

/* TopSpin with ten tiles: a ring that shifts both ways and a turntable of four; every state against the plain
 * search. */
Test(permute, topspin)
{
    static const char *const names[] = {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    static const int ring[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct oracle_permute permute = {.places = 10};
    unsigned char goal[10];
    add_both(&permute, 10, ring, NULL);
    int spin = oracle_permute_add(&permute);
    for (int p = 0; p < 4; p++)
        permute.to[spin][p] = 3 - p;
    in_order(10, goal);
    struct puzzle *puzzle = built_in("topspin-10");
    struct oracle_boards *boards = oracle_permute_solve(&permute, 1, goal);
    cr_expect(puzzle->states == 3628800);
    compare(puzzle, names, boards);
    oracle_boards_free(boards);
    puzzle_free(puzzle);
}

/* ---- small puzzles, every state ---- */

/* The corners that two faces of a cube move. They reach a sixth of the orders only, which no parity tells: the others
 * have no distance. */
Test(permute, two_faces_of_the_cube)
{
    static const int u[] = {0, 1, 2, 3}, r[] = {0, 3, 4, 5}, twist[] = {2, 1, 2, 1};
    static const char *const names[] = {"a", "b", "c", "d", "e", "f"};
    struct oracle_permute permute = {.places = 6, .modulus = {3, 3, 3, 3, 3, 3}};
    unsigned char goal[6];
    add_both(&permute, 4, u, NULL);
    add_both(&permute, 4, r, twist);
    in_order(6, goal);
    run(make_puzzle(PERMUTE "places: a b c d e f\ntwists: 3\ngenerators:\n  U: (a b c d)\n  R: (a+2 d+1 e+2 f+1)\n"),
        &permute, names, 1, goal, 720 * 243);
}

/* Only forward: predecessors are other states than successors. A cycle of five and a swap: all of 5!. */
Test(permute, forward_only)
{
    static const int ring[] = {0, 1, 2, 3, 4}, pair[] = {0, 1};
    struct oracle_permute permute = {.places = 5};
    unsigned char goal[5];
    oracle_permute_cycle(&permute, oracle_permute_add(&permute), 5, ring, NULL);
    oracle_permute_cycle(&permute, oracle_permute_add(&permute), 2, pair, NULL);
    in_order(5, goal);
    struct puzzle *puzzle = make_puzzle(
        PERMUTE "places: 1 2 3 4 5\nturns: forward\ngenerators:\n  ring: 1 2 3 4 5\n  swap: [1, 2]\n");
    cr_expect(!puzzle->undoable);
    run(puzzle, &permute, numbers, 1, goal, 120);
}

/* One generator: all states are a cycle, and its length is known. A cycle of three that twists one tile comes round
 * after nine moves, after three where tiles are alike and untwisted. */
Test(permute, one_generator)
{
    static const int ring[] = {0, 1, 2}, pair[] = {3, 4}, once[] = {0, 1, 0}, none[] = {0, 0, 0};
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    static const struct {
        const char *yaml;
        bool both, twisted;
        unsigned char goal[5];
        unsigned deepest;
    } cases[] = {
        {"twists: {3: a b c}\ngenerators:\n  turn: (a b+1 c)(d e)\n", true, true, {0, 16, 32, 48, 64}, 9},
        {"twists: {3: a b c}\nturns: forward\ngenerators:\n  turn: (a b+1 c)(d e)\n",
         false,
         true,
         {0, 16, 32, 48, 64},
         17},
        {"goal: a b b d d\nturns: forward\ngenerators:\n  turn: (a b c)(d e)\n", false, false, {0, 16, 16, 48, 48}, 2},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct oracle_permute permute = {.places = 5, .modulus = {3, 3, 3}};
        char yaml[200];
        const int move = oracle_permute_add(&permute);
        oracle_permute_cycle(&permute, move, 3, ring, cases[i].twisted ? once : none);
        oracle_permute_cycle(&permute, move, 2, pair, NULL);
        if (cases[i].both)
            oracle_permute_add_inverse(&permute, move);
        snprintf(yaml, sizeof yaml, PERMUTE "places: a b c d e\n%s", cases[i].yaml);
        struct puzzle *puzzle = make_puzzle(yaml);
        cr_expect(puzzle->deepest == cases[i].deepest, "%zu: %u", i, (unsigned)puzzle->deepest);
        run(puzzle, &permute, names, 1, cases[i].goal, puzzle->states);
    }
}

/* Two orbits whose parities go together, a colouring from them, and a goal that is not in order. */
Test(permute, tied_parities)
{
    static const int a[] = {0, 1, 2, 3}, b[] = {4, 5, 6, 7}, c[] = {0, 1}, d[] = {4, 5};
    struct oracle_permute permute = {.places = 8};
    int first = oracle_permute_add(&permute);
    oracle_permute_cycle(&permute, first, 4, a, NULL);
    oracle_permute_cycle(&permute, first, 4, b, NULL);
    oracle_permute_add_inverse(&permute, first);
    int second = oracle_permute_add(&permute);
    oracle_permute_cycle(&permute, second, 2, c, NULL);
    oracle_permute_cycle(&permute, second, 2, d, NULL);
    static const unsigned char goal[] = {16, 0, 32, 48, 64, 80, 112, 96};
    struct puzzle *puzzle = make_puzzle(PERMUTE "places: 1 2 3 4/5 6 7 8\ngoal: 2 1 3 4/5 6 8 7\ngenerators:\n  "
                                                "turn: (1 2 3 4)(5 6 7 8)\n  swap: (1 2)(5 6)\n");
    cr_expect(puzzle->coloured);
    run(puzzle, &permute, numbers, 1, goal, 288);
}

/* Tiles that look alike. */
Test(permute, identical_tiles)
{
    static const int top[] = {0, 1, 2, 5, 4, 3}, left[] = {0, 1, 4, 3};
    static const char *const names[] = {"r", "g", "b"};
    static const unsigned char goal[] = {0, 0, 16, 16, 32, 32};
    struct oracle_permute permute = {.places = 6};
    add_both(&permute, 6, top, NULL);
    add_both(&permute, 4, left, NULL);
    run(make_puzzle(PERMUTE "goal: r r g/g b b\ngenerators:\n  ring: 1 2 3 6 5 4\n  square: (1 2 5 4)\n"), &permute,
        names, 1, goal, 90);
}

/* Twists modulo 4 whose sum changes by twos: only even sums are numbered. The sum modulo 2 is always the goal's. */
Test(permute, twists_by_twos)
{
    static const int ring[] = {0, 1, 2}, once[] = {1, 1, 0}, one[] = {0}, twice[] = {2};
    static const char *const names[] = {"a", "b", "c"};
    static const unsigned char goal[] = {1, 16, 32};
    struct oracle_permute permute = {.places = 3, .modulus = {4, 4, 4}};
    add_both(&permute, 3, ring, once);
    oracle_permute_cycle(&permute, oracle_permute_add(&permute), 1, one, twice);
    run(make_puzzle(
            PERMUTE
            "places: a b c\ngoal: a+1 b c\ntwists: {4: a b c}\ngenerators:\n  ring: (a+1 b+1 c)\n  half: (a+2)\n"),
        &permute, names, 1, goal, 3 * 16 * 2);
}

/* A colouring by the twists alone: every move flips an odd number of coins. */
Test(permute, coins)
{
    static const int first[] = {0}, flip[] = {1}, ring[] = {0, 1, 2}, all[] = {1, 1, 1};
    static const char *const names[] = {"c"};
    static const unsigned char goal[] = {1, 0, 0};
    struct oracle_permute permute = {.places = 3, .modulus = {2, 2, 2}};
    oracle_permute_cycle(&permute, oracle_permute_add(&permute), 1, first, flip);
    add_both(&permute, 3, ring, all);
    struct puzzle *puzzle = make_puzzle(
        PERMUTE "goal: c+1 c c\ntwists: 2\ngenerators:\n  flip: (1+1)\n  ring: (1+1 2+1 3+1)\n");
    cr_expect(puzzle->coloured);
    run(puzzle, &permute, names, 1, goal, 8);
}

/* Open cells: two tiles in either order, so both parities are goals; the third orbit is asked for nothing at all. */
Test(permute, open_goal)
{
    static const int a[] = {0, 1, 2}, b[] = {1, 2, 3}, c[] = {4, 5};
    struct oracle_permute permute = {.places = 6};
    unsigned char goal[4][6];
    int move;
    add_both(&permute, 3, a, NULL);
    move = oracle_permute_add(&permute);
    oracle_permute_cycle(&permute, move, 3, b, NULL);
    oracle_permute_cycle(&permute, move, 2, c, NULL);
    oracle_permute_add_inverse(&permute, move);
    for (int g = 0; g < 4; g++) {
        in_order(6, goal[g]);
        if (g & 1)
            goal[g][2] = 48, goal[g][3] = 32;
        if (g & 2)
            goal[g][4] = 80, goal[g][5] = 64;
    }
    run(make_puzzle(PERMUTE "places: 1 2 3/4 5 6\ngoal: '1 2 */* * *'\ngenerators:\n  a: (1 2 3)\n  b: (2 3 4)(5 6)\n"),
        &permute, numbers, 4, goal[0], 48);
}

/* All powers of a turn of five are single moves: every state is as far as its places say. */
Test(permute, all_powers)
{
    static const int ring[] = {0, 1, 2, 3, 4}, cut[] = {0, 1, 2};
    struct oracle_permute permute = {.places = 5};
    unsigned char goal[5];
    for (int power = 1; power < 5; power++) {
        int move = oracle_permute_add(&permute);
        for (int p = 0; p < 5; p++)
            permute.to[move][ring[p]] = ring[(p + power) % 5];
    }
    add_both(&permute, 3, cut, NULL);
    in_order(5, goal);
    struct puzzle *puzzle = make_puzzle(
        PERMUTE "places: 1 2 3 4 5\nturns: all\ngenerators:\n  r: (1 2 3 4 5)\n  cut: (1 2 3)\n");
    cr_expect(puzzle->max_moves == 6);
    run(puzzle, &permute, numbers, 1, goal, 60);
}

/* A larger orbit, split into near and far orders, against the plain search: 9 tiles in two rings that share two places
 * (181,440 even or all orders). */
Test(permute, split_orbit)
{
    static const int left[] = {0, 1, 2, 3, 4}, right[] = {3, 4, 5, 6, 7, 8};
    struct oracle_permute permute = {.places = 9};
    unsigned char goal[9];
    add_both(&permute, 5, left, NULL);
    add_both(&permute, 6, right, NULL);
    in_order(9, goal);
    run(make_puzzle(PERMUTE "places: 1 2 3 4 5 6 7 8 9\ngenerators:\n  left: 1 2 3 4 5\n  right: 4 5 6 7 8 9\n"),
        &permute, numbers, 1, goal, 362880);
}

/* An orbit that has one state to each state of the others: its order follows from their parities. */
Test(permute, an_orbit_that_follows_others)
{
    struct puzzle *puzzle = make_puzzle("puzzle: two\nfamily: permute\nplaces: 1 2 3/4 5 6\n"
                                        "generators:\n  a: (1 2 3)\n  b: (4 5)(1 2)\n");
    for (uint64_t state = 0; state < puzzle->states; state++) {
        uint8_t position[BOARD_MAX_CELLS];
        uint64_t index = UINT64_MAX;
        puzzle->family->position.unrank(puzzle, state, position);
        cr_assert(puzzle->family->position.rank(puzzle, position, &index));
        cr_assert_eq(index, state);
    }
    cr_assert_eq(puzzle->states, 6);
    puzzle_free(puzzle);
}

/* Too large for tables: the successors found by taking states apart are those of the positions. The orders of 12 tiles,
 * and their twists. */
Test(permute, without_tables)
{
    struct puzzle *puzzle = make_puzzle(PERMUTE "places: a b c d e f g h i j k l\ntwists: 3\ngenerators:\n  one: "
                                                "(a+1 c+1 e+1 g i k)(b d f h j l)\n  two: (a+1 b c+2 d e f g)\n"
                                                "  three: (l k+1 j a d+2)\n  four: (b f+2 g+1 k)(a h)\n  five: "
                                                "(c l+1 i e+2)(b j g)\n  six: (a g b h c i d j e k f l)\n"
                                                "  seven: (a l b k c j)\n  eight: (d i e h)(f+1 g+2 a)\n");
    uint64_t random = 88172645463325252u, index, back, *next = calloc(puzzle->max_moves, sizeof *next);
    uint16_t count;
    uint8_t position[BOARD_MAX_CELLS];
    pdb_moves moves = {0};
    for (int i = 0; i < 2000; i++) {
        index = random_below(&random, puzzle->states);
        puzzle->family->position.unrank(puzzle, index, position);
        cr_assert(puzzle->family->position.rank(puzzle, position, &back) && back == index);
        moves.count = 0;
        cr_assert(puzzle->family->position.moves(puzzle, position, &moves, NULL) == PDB_OK);
        cr_assert(puzzle->family->index.successors(puzzle, &index, 1, next, &count) == moves.count);
        for (size_t m = 0; m < moves.count; m++) {
            cr_assert(puzzle->family->position.rank(puzzle, moves.move[m].board.symbol, &back));
            cr_assert(back == next[m]);
        }
    }
    free(moves.move);
    free(next);
    puzzle_free(puzzle);
}

/* ---- groups that are far smaller than coordinates: states numbered by the group ---- */

/* The Mathieu group M12, by a reversal of twelve cards and a shuffle (J. H. Conway, N. J. A. Sloane, "Sphere packings,
 * lattices and groups", chapter 11): 95,040 of 12!/2 orders. */
Test(permute, mathieu_twelve)
{
    static const int shuffled[] = {1, 2, 4, 8, 7, 9, 5, 10, 3, 6, 11};
    struct oracle_permute permute = {.places = 12};
    unsigned char goal[12];
    const int reversal = oracle_permute_add(&permute);
    for (int p = 0; p < 6; p++)
        oracle_permute_cycle(&permute, reversal, 2, (int[]){p, 11 - p}, NULL);
    add_both(&permute, 11, shuffled, NULL);
    in_order(12, goal);
    run(make_puzzle(PERMUTE "places: 1 2 3 4 5 6 7 8 9 10 11 12\ngenerators:\n"
                            "  reverse: (1 12)(2 11)(3 10)(4 9)(5 8)(6 7)\n"
                            "  shuffle: (2 3 5 9 8 10 6 11 4 7 12)\n"),
        &permute, numbers, 1, goal, 95040);
}

/* Four orbits of five that the moves treat alike, one with twists and one with two tiles that are. */
Test(permute, tied_orbits)
{
    static const int once[] = {1, 0, 0, 0, 0}, second[] = {0, 1};
    static const unsigned char goal[] = {0, 16, 32, 48, 64, 0, 16, 32, 48, 64, 0, 0, 16, 32, 48, 0, 16, 32, 48, 64};
    struct oracle_permute permute = {.places = 20};
    for (int p = 15; p < 20; p++)
        permute.modulus[p] = 3;
    const int ring = oracle_permute_add(&permute);
    for (int o = 0; o < 4; o++)
        oracle_permute_cycle(&permute, ring, 5, (int[]){5 * o, 5 * o + 1, 5 * o + 2, 5 * o + 3, 5 * o + 4},
                             o == 3 ? once : NULL);
    oracle_permute_add_inverse(&permute, ring);
    const int swap = oracle_permute_add(&permute);
    for (int o = 0; o < 4; o++)
        oracle_permute_cycle(&permute, swap, 2, (int[]){5 * o, 5 * o + 1}, o == 3 ? second : NULL);
    oracle_permute_add_inverse(&permute, swap);
    run(make_puzzle(PERMUTE "goal: 1 2 3 4 5/1 2 3 4 5/1 1 2 3 4/1 2 3 4 5\ntwists: {3: 16 17 18 19 20}\ngenerators:\n"
                            "  ring: (1 2 3 4 5)(6 7 8 9 10)(11 12 13 14 15)(16+1 17 18 19 20)\n"
                            "  swap: (1 2)(6 7)(11 12)(16 17+1)\n"),
        &permute, numbers, 1, goal, 120 * 243);
}
