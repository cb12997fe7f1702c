/* test_search.c -- shortest press sets, held against whole searches; and what searchers promise */
#include "oracle.h"
#include "searching.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- whole spaces -- */

/* Distance and number of solutions of every state, or of every `every`-th, against those of a search through all of
 * them. */
static void compare_states(const struct puzzle *puzzle, const struct searcher *searcher, uint64_t every)
{
    struct solved solved;
    pdb_error error;
    solve(puzzle, 1, &solved);
    for (uint64_t index = 0; index < puzzle->states; index += every) {
        uint8_t position[BOARD_MAX_CELLS];
        uint32_t distance;
        unsigned __int128 expected = 0, count = 0;
        puzzle->family->position.unrank(puzzle, index, position);
        require(distance_get(&solved.values, &index, 1, &distance, &error) == PDB_OK, "distance_get", index);
        require(distance_of(searcher, position) == distance, "the distance of state", index);
        require(distance_count_paths(&solved.values, index, distance, &expected, &error) == PDB_OK,
                "distance_count_paths", index);
        require(searcher->class->count(searcher, position, distance, NULL, NULL, &count, &error) == PDB_OK, "count",
                index);
        require(count == expected, "the number of solutions of state", index);
    }
    solved_free(&solved);
}

/* A board has a solution if and only if it has an index. */
static void compare_solvable(const struct puzzle *puzzle, const struct searcher *searcher, uint64_t *seed)
{
    for (int i = 0; i < 100; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        uint64_t index;
        for (unsigned place = 0; place < puzzle->board.places; place++)
            position[place] = (uint8_t)random_below(seed, puzzle->board.symbols);
        require(puzzle->family->position.rank(puzzle, position, &index) ==
                    (distance_of(searcher, position) != PDB_NO_DISTANCE),
                "board", (uint64_t)i);
    }
}

static void compare(struct puzzle *puzzle, uint64_t every)
{
    uint64_t seed = 4;
    struct searcher *searcher = make_searcher(puzzle, 1);
    compare_states(puzzle, searcher, every);
    compare_solvable(puzzle, searcher, &seed);
    search_free(searcher);
    puzzle_free(puzzle);
}

Test(flip_search, built_in_boards)
{
    static const char *const kinds[] = {"8-flip", "lights-out"};
    for (size_t kind = 0; kind < COUNT(kinds); kind++)
        for (unsigned rows = 1; rows <= 4; rows++)
            for (unsigned columns = 1; columns <= 4; columns++) {
                char name[40];
                snprintf(name, sizeof name, "%s-%ux%u", kinds[kind], rows, columns);
                compare(built_in(name), rows * columns == 16 ? 5 * share() : rows * columns == 12 ? share() : 1);
            }
    compare(built_in("lights-out-4x5"), 3001);
    compare(built_in("8-flip-5x4"), 3001);
}

Test(flip_search, other_definitions)
{
    static const struct {
        const char *text;
        uint64_t every;
    } cases[] = {
        {"values: 3\nboard: .../.../...\naround: plus\n", 7},
        {"values: 3\nbackward: true\ngoal: '*1*/1#1/*1*'\naround: .1./121/.1.\n", 1},
        {"values: 4\nboard: .../...\naround: plus\n", 1},
        {"values: 4\nbackward: true\nboard: .../...\naround: 222/212/222\n", 1},
        {"values: 4\nboard: ../../..\naround: 2.2/.2./2.2\n", 1}, /* all buttons have order 2 */
        {"values: 6\nboard: ../..\naround: square\n", 1},
        {"values: 6\nbackward: true\nboard: '...'\naround: '2 (3) 2'\n", 1},
        {"values: 6\nbackward: true\nboard: '.../...'\naround: '323'\n", 41},
        {"values: 8\nbackward: true\nboard: '../.#'\naround: plus\n", 1},
        {"values: 9\nboard: '...'\naround: '3 (1) 3'\n", 1},
        {"values: 10\nbackward: true\nboard: '../..'\naround: '5 (1) 2'\n", 3},
        {"goal: '1*1/*0*/1*1'\naround: 8\n", 1},
        {"goal: '***'\naround: plus\n", 1},
        {"board: ..../..../....\naround: '(1) . / . . / . 1'\n", 1},
        {"board: ...\nbuttons: [[r1c1], [r1c1], [r1c1, r1c2], [r1c2, r1c3], [r1c3], [r1c1, r1c2, r1c3], [r1c3]]\n",
         1}, /* twins */
        {"values: 4\nbackward: true\nboard: ..\nbuttons: ['1.', '3.', '2.', '12', '12', '32']\n", 1},
        {"values: 5\nboard: ..\nbuttons: ['1.', '2.', '13', '13', '42']\n", 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[600];
        snprintf(text, sizeof text, "puzzle: t\nfamily: flip\n%s", cases[i].text);
        compare(make_puzzle(text), cases[i].every);
    }
}

/* Any buttons, many of them alike or idle together, with walls and open cells. */
Test(flip_search, random_definitions)
{
    uint64_t seed = 20;
    for (int round = 0; round < 150; round++) {
        const unsigned values = 2 + (unsigned)random_below(&seed, 9);
        const unsigned cells = 1 + (unsigned)random_below(&seed, values == 2 ? 9 : values < 5 ? 5 : 3);
        const unsigned buttons = 1 + (unsigned)random_below(&seed, 10);
        char text[2000], *end = text + sprintf(text, "puzzle: t\nfamily: flip\nvalues: %u\nbackward: %s\ngoal: '",
                                               values, random_below(&seed, 2) ? "true" : "false");
        for (unsigned cell = 0; cell < cells; cell++)
            *end++ = random_below(&seed, 5) == 0 ? '*' : (char)('0' + (int)random_below(&seed, values));
        end += sprintf(end, "'\nbuttons:\n");
        for (unsigned button = 0; button < buttons; button++) {
            end += sprintf(end, "  - '");
            const unsigned sure = (unsigned)random_below(&seed, cells); /* a button has to change something */
            for (unsigned cell = 0; cell < cells; cell++)
                *end++ = cell == sure                  ? (char)('1' + (int)random_below(&seed, values - 1))
                         : random_below(&seed, 2) == 0 ? '.'
                                                       : (char)('0' + (int)random_below(&seed, values));
            end += sprintf(end, "'\n");
        }
        struct puzzle *puzzle = make_puzzle(text);
        compare(puzzle, 1 + puzzle->states / 100);
    }
}

/* The oracle, that knows no algebra: every board of a puzzle. */
Test(flip_search, oracle)
{
    struct oracle_flip oracle;
    uint8_t position[BOARD_MAX_CELLS] = {0};
    oracle_flip_begin(&oracle, 2, 4, 3);
    oracle_flip_add_pattern(&oracle, 1, 1, 0);
    struct oracle_boards *table = oracle_flip_solve(&oracle);
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: flip\nvalues: 3\nboard: ..../....\naround: plus\n");
    struct searcher *searcher = make_searcher(puzzle, 1);
    for (unsigned number = 0; number < 6561; number++) {
        for (unsigned place = 0, rest = number; place < 8; place++, rest /= 3)
            position[place] = (uint8_t)(rest % 3);
        const int distance = oracle_boards_distance(table, position);
        require(distance_of(searcher, position) == (distance < 0 ? PDB_NO_DISTANCE : (uint32_t)distance), "board",
                number);
    }
    oracle_boards_free(table);
    search_free(searcher);
    puzzle_free(puzzle);
}

/* -- the contract -- */

/* The same path, whatever the threads. */
Test(flip_search, threads)
{
    static const char *const names[] = {"8-flip-29x29", "8-flip-23x23", "lights-out-32x32", "lights-out-19x19",
                                        "8-flip-14x29"};
    uint64_t seed = 5;
    for (size_t i = share() > 1; i < COUNT(names); i += short_step(2)) { /* in short the smaller ones */
        struct puzzle *puzzle = built_in(names[i]);
        uint8_t position[BOARD_MAX_CELLS];
        scramble(puzzle, &seed, position);
        struct search_answer first = {0};
        for (unsigned threads = 1; threads <= (share() == 1 ? 4 : 2); threads++) {
            struct searcher *searcher = make_searcher(puzzle, threads);
            struct search_answer answer = find(searcher, position);
            search_free(searcher);
            if (threads == 1) {
                first = answer;
                continue;
            }
            cr_assert(answer.distance == first.distance);
            cr_assert(memcmp(answer.path, first.path, (first.distance + 1) * (size_t)puzzle->board.places) == 0);
            free(answer.path);
        }
        free(first.path);
        puzzle_free(puzzle);
    }
}

/* Lets a search look at so many nodes. */
static bool watch(void *context, const struct search_progress *progress)
{
    const uint64_t *most = context;
    return progress->nodes < *most;
}

/* A search that is stopped has proven something, the more the longer it had; limits on the length are kept. */
Test(flip_search, interrupted_and_limited)
{
    struct puzzle *puzzle = built_in("8-flip-29x29");
    struct searcher *searcher = make_searcher(puzzle, 2);
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t seed = 6;
    pdb_error error;
    scramble(puzzle, &seed, position);
    const uint32_t distance = distance_of(searcher, position);
    uint32_t before = 0;
    for (uint64_t nodes = 0; nodes < 50000; nodes += 20000) {
        struct search_answer answer;
        cr_assert(search_solve(searcher, position, PDB_NO_DISTANCE, watch, &nodes, &answer, &error) == PDB_INTERRUPTED);
        cr_assert(answer.distance == PDB_NO_DISTANCE && answer.path == NULL);
        cr_assert(answer.bound > 0 && answer.bound >= before && answer.bound <= distance, "%u of %u", answer.bound,
                  distance);
        before = nodes == 0 ? answer.bound : before;
    }
    const uint32_t apart = share() == 1 ? 2 : 1; /* from the distance */
    for (uint32_t most = distance - apart; most < distance + apart; most++) {
        struct search_answer answer;
        cr_assert(search_solve(searcher, position, most, NULL, NULL, &answer, &error) == PDB_OK);
        cr_assert(answer.distance == (most < distance ? PDB_NO_DISTANCE : distance));
        cr_assert(answer.bound == (most < distance ? most + 1 : distance));
        free(answer.path);
    }
    unsigned __int128 count;
    uint64_t none = 0;
    cr_expect(searcher->class->count(searcher, position, distance, NULL, NULL, &count, &error) == PDB_TOO_LARGE);
    cr_expect(searcher->class->count(searcher, position, distance, watch, &none, &count, &error) == PDB_INTERRUPTED);
    search_free(searcher);
    puzzle_free(puzzle);
}

Test(flip_search, methods_in_words)
{
    static const struct {
        const char *text, *method;
    } cases[] = {
        {"board: ..../..../..../....\naround: 8\n", "linear algebra: the lightest of 2^4 press sets"},
        {"board: .../.../...\naround: plus\n", "linear algebra: the only press set that there is"},
        {"board: ...../.....\nvalues: 3\naround: square\n", "linear algebra: the lightest of 3 press sets"},
        {"goal: '*'\naround: plus\n", "linear algebra: the only press set that there is"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[300];
        snprintf(text, sizeof text, "puzzle: t\nfamily: flip\n%s", cases[i].text);
        struct puzzle *puzzle = make_puzzle(text);
        struct searcher *searcher = make_searcher(puzzle, 1);
        EXPECT_TEXT(searcher->method, cases[i].method);
        search_free(searcher);
        puzzle_free(puzzle);
    }
}

/* A puzzle without indices has positions all the same. */
Test(flip_search, more_boards_than_can_be_numbered)
{
    struct puzzle *puzzle = built_in("lights-out-32x32");
    uint8_t position[BOARD_MAX_CELLS];
    char text[BOARD_TEXT_MAX];
    pdb_moves moves = {0};
    pdb_error error;
    EXPECT_NUMBER(puzzle->states, 0);
    cr_expect(puzzle->size == 0x1p1004, "%g", puzzle->size);
    cr_expect(puzzle->undoable && puzzle->max_moves == 1024);
    cr_assert(puzzle_parse(puzzle, "goal", position, &error) == PDB_OK &&
              puzzle->family->position.is_goal(puzzle, position));
    cr_assert(puzzle_parse(puzzle, "start", position, &error) == PDB_OK &&
              !puzzle->family->position.is_goal(puzzle, position));
    board_format(&puzzle->board, position, text);
    EXPECT_NUMBER(strlen(text), 1024);
    cr_assert(puzzle->family->position.moves(puzzle, position, &moves, &error) == PDB_OK);
    EXPECT_NUMBER(moves.count, 1024);
    EXPECT_TEXT(moves.move[1023].text, "press row 32, column 32");
    pdb_moves_free(&moves);
    puzzle_free(puzzle);
    puzzle = built_in(
        "8-flip-31x32"); /* 2^992, which a double can hold; ten values on 1,024 cells are too many for it */
    cr_expect(isfinite(puzzle->size) && puzzle->size > 0x1p990);
    puzzle_free(puzzle);
}
