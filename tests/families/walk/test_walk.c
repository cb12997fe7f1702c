/*
 * Walking puzzles: every state against the plain search of oracle_walk, the contract's checker over all states, the
 * figures of puzzles.md, and the complaints about definitions that are wrong.
 */
#include "tests/support/family_search.h"
#include "tests/support/layer_ways.h"
#include "oracle.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparing with the oracle ---- */

/* The position that an oracle's board is; its characters are the puzzle's codes. */
static void position_of(const struct puzzle *puzzle, const unsigned char *board, uint8_t *position)
{
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        position[place] = board_symbol(&puzzle->board, (const char *)&board[place], 1);
        cr_assert(position[place] != BOARD_OPEN);
    }
}

/* All that the oracle reached have the same distance here, and nothing else has one. */
static void compare(const struct puzzle *puzzle, const struct oracle_boards *boards, size_t expected)
{
    uint8_t *distance = family_distances(puzzle), position[BOARD_MAX_CELLS];
    uint64_t histogram[255], reached = 0;
    unsigned max = family_histogram(puzzle, distance, histogram);
    for (unsigned d = 0; d <= max; d++)
        reached += histogram[d];
    cr_expect(reached == oracle_boards_count(boards), "%zu by the oracle, %llu by the family",
              oracle_boards_count(boards), (unsigned long long)reached);
    cr_expect(expected == 0 || reached == expected, "%llu", (unsigned long long)reached);
    for (size_t i = 0; i < oracle_boards_count(boards); i++) {
        uint64_t index;
        position_of(puzzle, oracle_boards_at(boards, i), position);
        cr_assert(puzzle->family->position.rank(puzzle, position, &index));
        cr_assert(distance[index] == oracle_boards_distance_at(boards, i), "board %zu: %d, not %d", i, distance[index],
                  oracle_boards_distance_at(boards, i));
    }
    free(distance);
}

/* ---- the puzzles of puzzles.md ---- */

Test(walk, knights)
{
    static const char *const hardest[] = {"..b/.w./.b./w..", "..b/.w./.b./..w", "b../.w./.b./w..", "b../.w./.b./..w"};
    struct puzzle *puzzle = built_in("knights");
    struct oracle_walk walk = {0};
    oracle_walk_chess(&walk, 4, 3, "............", 1, 2);
    struct oracle_boards *boards = oracle_walk_solve(&walk, "w.w......b.b", "w.w......b.b");
    cr_expect(puzzle->states == 2970 && puzzle->coloured && puzzle->undoable);
    compare(puzzle, boards, 2970);
    family_check(puzzle);
    uint8_t *distance = family_distances(puzzle);
    uint64_t histogram[255];
    cr_expect(family_histogram(puzzle, distance, histogram) == 18 && histogram[18] == 4);
    cr_expect(distance[index_of(puzzle, "start")] == 16);
    for (int i = 0; i < 4; i++)
        cr_expect(distance[index_of(puzzle, hardest[i])] == 18, "%s", hardest[i]);
    free(distance);
    oracle_boards_free(boards);
    puzzle_free(puzzle);
}

/* The centre is a region of its own, so 8!/(2! 2! 4!) states; on the ring nobody overtakes anybody, which leaves 280 of
 * them. */
Test(walk, guarini)
{
    struct puzzle *puzzle = built_in("guarini");
    struct oracle_walk walk = {0};
    oracle_walk_chess(&walk, 3, 3, ".........", 1, 2);
    struct oracle_boards *boards = oracle_walk_solve(&walk, "w.w...b.b", "w.w...b.b");
    cr_expect(puzzle->states == 420 && puzzle->coloured);
    compare(puzzle, boards, 280);
    family_check(puzzle);
    uint8_t *distance = family_distances(puzzle);
    cr_expect(distance[index_of(puzzle, "start")] == 16, "Guarini's sixteen moves of 1512");
    free(distance);
    oracle_boards_free(boards);
    puzzle_free(puzzle);
}

/* ---- other boards and pieces ---- */

struct chess_case {
    const char *definition;
    int rows, columns;
    const char *picture, *goal, *pieces;
    int leap[2][2], leaps;
    bool coloured;
};

static void run_chess_case(const struct chess_case *given)
{
    struct puzzle *puzzle = make_puzzle(given->definition);
    struct oracle_walk walk = {0};
    for (int l = 0; l < given->leaps; l++)
        oracle_walk_chess(&walk, given->rows, given->columns, given->picture, given->leap[l][0], given->leap[l][1]);
    struct oracle_boards *boards = oracle_walk_solve(&walk, given->goal, given->pieces);
    cr_expect(puzzle->coloured == given->coloured);
    compare(puzzle, boards, 0);
    family_check(puzzle);
    oracle_boards_free(boards);
    puzzle_free(puzzle);
}

#define WALK "puzzle: test\nfamily: walk\n"

Test(walk, kings_around_a_hole)
{
    run_chess_case(&(struct chess_case){WALK "piece: king\ngoal: |\n  a b c\n  . # .\n  . d .\n",
                                        3,
                                        3,
                                        "....#....",
                                        "abc...d.",
                                        "abc...d.",
                                        {{0, 1}, {1, 1}},
                                        2,
                                        false});
}

/* Six tiles and an empty cell that move like rooks by one: the sliding puzzle. */
Test(walk, rooks_by_one)
{
    run_chess_case(&(struct chess_case){WALK "piece: rook by one\ngoal: 'a b c/d e f/. # g'\n",
                                        3,
                                        3,
                                        ".......#.",
                                        "abcdef.g",
                                        "abcdef.g",
                                        {{0, 1}},
                                        1,
                                        true});
}

/* Bishops stay on their colour: two regions; with an open cell on each they are one, and then pieces of one kind may be
 * on either. */
Test(walk, bishops_on_both_colours)
{
    run_chess_case(&(struct chess_case){WALK "piece: bishop by one\ngoal: a b ./. . c/. a .\n",
                                        3,
                                        3,
                                        ".........",
                                        "ab...c.a.",
                                        "ab...c.a.",
                                        {{1, 1}},
                                        1,
                                        true});
}

Test(walk, bishops_open)
{
    run_chess_case(&(struct chess_case){WALK
                                        "piece: bishop by one\nboard: a b ./. . c/. a .\ngoal: '* * ./. . c/. a .'\n",
                                        3,
                                        3,
                                        ".........",
                                        "**...c.a.",
                                        "ab...c.a.",
                                        {{1, 1}},
                                        1,
                                        true});
}

Test(walk, open_goal_on_one_side)
{
    run_chess_case(&(struct chess_case){
        WALK
        "piece: knight\nboard: |\n  b . b\n  . . .\n  w . w\n  . c .\ngoal: |\n  w * w\n  * . *\n  * . *\n  . * .\n",
        4,
        3,
        "............",
        "w*w*.**.*.*.",
        "b.b...w.w.c.",
        {{1, 2}},
        1,
        false});
}

Test(walk, a_leaper_of_ones_own)
{
    run_chess_case(&(struct chess_case){WALK "piece: [1, 3]\ngoal: |\n  a . . b\n  . . . .\n  . . . .\n  c . . .\n",
                                        4,
                                        4,
                                        "................",
                                        "a..b........c...",
                                        "a..b........c...",
                                        {{1, 3}},
                                        1,
                                        true});
}

/* ---- graphs ---- */

static void run_graph(const char *definition, const struct oracle_walk *walk, const char *goal, const char *pieces,
                      bool undoable, bool coloured)
{
    struct puzzle *puzzle = make_puzzle(definition);
    struct oracle_boards *boards = oracle_walk_solve(walk, goal, pieces);
    cr_expect(puzzle->undoable == undoable && puzzle->coloured == coloured);
    compare(puzzle, boards, 0);
    family_check(puzzle);
    oracle_boards_free(boards);
    puzzle_free(puzzle);
}

static void join(struct oracle_walk *walk, const char *chain, bool both)
{
    for (const char *c = chain; c[1] != '\0'; c++) {
        walk->arc[c[0] - 'a'][c[1] - 'a'] = true;
        if (both)
            walk->arc[c[1] - 'a'][c[0] - 'a'] = true;
    }
}

/* A theta graph: a ring of seven with an eighth place across. */
Test(walk, theta)
{
    struct oracle_walk walk = {.places = 7};
    join(&walk, "abcdefa", true);
    join(&walk, "agd", true);
    run_graph(WALK "places: a b c d e f g\ngoal: p q r s t u .\nedges:\n  - a b c d e f a\n  - [a, g, d]\n", &walk,
              "pqrstu.", "pqrstu.", true, false);
}

Test(walk, one_way_ring)
{
    struct oracle_walk walk = {.places = 6};
    join(&walk, "abcdef", false);
    join(&walk, "fa", false);
    join(&walk, "be", true);
    run_graph(WALK "places: a b c/d e f\ngoal: x y ./. . z\nedges:\n  - b e\none-way:\n  - a b c d e f a\n", &walk,
              "xy...z", "xy...z", false, false);
}

/* Dead ends: a piece that has gone down the one-way street never comes back, so not every state has a way. */
Test(walk, one_way_street)
{
    struct oracle_walk walk = {.places = 5};
    join(&walk, "abcd", true);
    join(&walk, "de", false);
    run_graph(WALK "places: a b c d e\nboard: x y . . .\ngoal: '* * * * x'\nedges: [a b c d]\none-way: [d e]\n", &walk,
              "****x", "xy...", false, false);
}

/* ---- layers by words ---- */

/* Regions beside the last one are blocks; open goals have no colouring, or one; of eight pieces on a board of sixteen
 * places an exchange may be asked of several groups. */
Test(walk, layers_by_words)
{
    static const char *const yamls[] = {
        "puzzle: t\nfamily: walk\npiece: knight\ngoal: w . w/. . ./. . ./b . b\n",
        "puzzle: t\nfamily: walk\npiece: king\nboard: a b . ./a . . ./b c . .\ngoal: '* * . ./a . . ./* c . *'\n",
        "puzzle: t\nfamily: walk\npiece: bishop by one\ngoal: a . b/. . ./a b ./. . c\n",
        "puzzle: t\nfamily: walk\npiece: [1, 1]\nboard: a . b ./. . . c/a b . c\ngoal: '* . * ./. . . */* b . *'\n",
        "puzzle: t\nfamily: walk\npiece: rook by one\ngoal: a b c/d . e/f f f\n"};
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct layer_kernel *kernel = kernel_of(puzzle);
        cr_assert(kernel != NULL && kernel->run == (puzzle->coloured ? 2 : 1), "%s", yamls[i]);
        if (puzzle->states < 5000) {
            check_kernel(puzzle, kernel);
            stop_at_every_layer(puzzle, yamls[i]);
        }
        kernel->free(kernel);
        compare_ways(puzzle, yamls[i]);
        puzzle_free(puzzle);
    }
}

/* Nothing takes a move along a one-way edge back. */
Test(walk, no_layers_by_words)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: walk\ngoal: a b . . . . .\nedges: [1 2 3 4 5 6 7]\n"
                                        "one-way: [7 1]\n");
    cr_expect(kernel_of(puzzle) == NULL);
    puzzle_free(puzzle);
}

/* A grid of 32 x 32, as a board and as a graph in rows of 64: one piece goes from corner to corner. */
Test(walk, a_thousand_places)
{
    enum { SIDE = 32, PLACES = SIDE * SIDE };
    char *text = malloc(100000), *end = text;
    cr_assert(text != NULL);
    end += sprintf(end, "puzzle: t\nfamily: walk\ngoal: |\n");
    for (unsigned place = 0; place < PLACES; place++)
        end += sprintf(end, "%s%c%s", place % 64 == 0 ? "  " : "", place == 0 ? 'A' : '.',
                       place % 64 == 63 ? "\n" : "");
    end += sprintf(end, "edges:\n");
    for (unsigned place = 0; place < PLACES; place++) {
        if (place % SIDE + 1 < SIDE)
            end += sprintf(end, "  - %u %u\n", place + 1, place + 2);
        if (place + SIDE < PLACES)
            end += sprintf(end, "  - %u %u\n", place + 1, place + 1 + SIDE);
    }
    struct puzzle *puzzle = make_puzzle(text);
    EXPECT_NUMBER(puzzle->states, PLACES);
    family_check(puzzle);
    uint8_t *distance = family_distances(puzzle), position[BOARD_MAX_CELLS];
    for (uint64_t index = 0; index < PLACES; index++) {
        unsigned place = 0;
        puzzle->family->position.unrank(puzzle, index, position);
        while (position[place] == puzzle->board.empty)
            place++;
        cr_assert(distance[index] == place % SIDE + place / SIDE, "place %u: %u", place, distance[index]);
    }
    free(distance);
    free(text);
    puzzle_free(puzzle);
}

Test(walk, move_text)
{
    struct puzzle *puzzle = built_in("knights"),
                  *graph = make_puzzle(WALK "places: in out\ngoal: x .\nedges: [in out]\n");
    uint8_t position[BOARD_MAX_CELLS];
    pdb_moves moves = {0};
    cr_assert(puzzle_parse(puzzle, "start", position, NULL) == PDB_OK);
    cr_assert(puzzle->family->position.moves(puzzle, position, &moves, NULL) == PDB_OK);
    cr_assert(moves.count == 8);
    cr_expect_str_eq(moves.move[0].text, "b from row 1 column 1 to row 2 column 3");
    cr_expect_str_eq(moves.move[0].piece, "b");
    moves.count = 0;
    cr_assert(puzzle_parse(graph, "goal", position, NULL) == PDB_OK);
    cr_assert(graph->family->position.moves(graph, position, &moves, NULL) == PDB_OK);
    cr_expect_str_eq(moves.move[0].text, "x from in to out");
    free(moves.move);
    puzzle_free(puzzle);
    puzzle_free(graph);
}

/* ---- complaints ---- */

Test(walk, complaints)
{
    static const struct {
        const char *definition;
        pdb_status status;
        const char *begins;
    } cases[] = {
        {WALK "goal: a .\n", PDB_BAD_DEFINITION, "test.yaml:1:1: nothing says how pieces move"},
        {WALK "piece: knight\n", PDB_BAD_DEFINITION, "test.yaml:1:1: "},
        {WALK "piece: dragon\ngoal: a .\n", PDB_BAD_DEFINITION, "test.yaml:3:8: "},
        {WALK "piece: knight\ngoal: a .\n", PDB_BAD_DEFINITION, "test.yaml:3:8: no piece can move"},
        {WALK "piece: [1]\ngoal: a .\n", PDB_BAD_DEFINITION, "test.yaml:3:8: a leap has two numbers"},
        {WALK "piece: king\ngoal: a b\n", PDB_BAD_DEFINITION, "test.yaml:4:7: the board has no empty place"},
        {WALK "piece: king\ngoal: . .\n", PDB_BAD_DEFINITION, "test.yaml:4:7: there is no piece"},
        {WALK "piece: king\ngoal: a . *\n", PDB_BAD_DEFINITION, "test.yaml:4:11: an open cell"},
        {WALK "piece: king\nboard: a . b\ngoal: a . a\n", PDB_BAD_DEFINITION,
         "test.yaml:5:11: the goal has more of 'a'"},
        {WALK "piece: king\nboard: a . b\ngoal: a . c\n", PDB_BAD_DEFINITION,
         "test.yaml:5:11: 'c' does not stand on the board"},
        {WALK "piece: king\nboard: a . b\ngoal: a .\n", PDB_BAD_DEFINITION,
         "test.yaml:5:7: the goal: 1 rows of 2 cells"},
        {WALK "goal: a . b\nedges:\n  - 1 2\n  - 2 4\n", PDB_BAD_DEFINITION, "test.yaml:6:7: there is no place '4'"},
        {WALK "goal: a . b\nedges:\n  - 2 2\n", PDB_BAD_DEFINITION, "test.yaml:5:7: this edge joins '2' to itself"},
        {WALK "goal: a . b\nedges:\n  - |\n    1 2\n    2 3\n", PDB_BAD_DEFINITION,
         "test.yaml:6:8: a list of places is one row"},
        {WALK "goal: a . b\nedges:\n  - 1 2 / 2 3\n", PDB_BAD_DEFINITION, "test.yaml:5:9: a list of places is one row"},
        {WALK "goal: a . b\nedges: [[1 2, 2 3]]\n", PDB_BAD_DEFINITION,
         "test.yaml:4:10: several places in an entry of a list of places"},
        {WALK "goal: a . b\nedges:\n  - [2]\n", PDB_BAD_DEFINITION, "test.yaml:5:5: an edge joins two places"},
        {WALK "goal: a . b\nplaces: x y x\nedges:\n  - x y\n", PDB_BAD_DEFINITION,
         "test.yaml:4:13: there are two places called 'x'"},
        {WALK "piece: king\nboard: a . b\ngoal: a . b\nboards:\n  start: a a .\n", PDB_BAD_DEFINITION,
         "test.yaml:7:10: 2 of 'a'"},
        {WALK "piece: king\ngoal: |\n  a b c d e f g h\n  i j k l m n o p\n  q r s t u v w x\n  y z A B C D E .\n",
         PDB_TOO_LARGE, "test.yaml: the pieces can stand in more than 10^35 ways"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const pdb_error error = refusal(cases[i].definition, cases[i].status);
        EXPECT_BEGIN(error.message, cases[i].begins);
    }
}
