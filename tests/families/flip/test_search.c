/* test_search.c -- shortest press sets, held against whole searches, against every press set that there is, and against
 * light chasing */
#include "lib/families/flip/flip.h"
#include "oracle.h"
#include "lib/search/board/search.h"
#include "tests/support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct searcher *make_searcher(const struct puzzle *puzzle, unsigned threads)
{
    const struct search_options options = {.threads = threads};
    struct searcher *searcher;
    pdb_error error;
    cr_assert(search_create(puzzle, &options, &searcher, &error) == PDB_OK, "%s", error.message);
    return searcher;
}

/* An assertion that costs nothing where it holds: Criterion sends a message for each of its own, and loses its way
 * after some hundred thousand. */
static void require(bool holds, const char *what, uint64_t which)
{
    if (!holds)
        cr_assert(holds, "%s (%llu)", what, (unsigned long long)which);
}

/* A shortest solution, its path walked by the rules; the caller frees answer.path. */
static struct search_answer find(const struct searcher *searcher, const uint8_t *position)
{
    struct search_answer answer;
    pdb_error error;
    if (search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, &error) != PDB_OK)
        cr_assert(false, "%s", error.message);
    require(answer.bound == answer.distance, "the bound", answer.bound);
    return answer;
}

static uint32_t distance_of(const struct searcher *searcher, const uint8_t *position)
{
    struct search_answer answer = find(searcher, position);
    free(answer.path);
    return answer.distance;
}

/* A board that some presses away from the goal: each move up to `values` - 1 times. Open cells are 0 at first. */
static void scramble(const struct puzzle *puzzle, uint64_t *seed, uint8_t *position)
{
    const struct flip *flip = (const struct flip *)puzzle;
    memcpy(position, flip->origin, puzzle->board.places);
    for (unsigned m = 0; m < flip->moves; m++) {
        const unsigned times = (unsigned)random_below(seed, flip->values);
        for (unsigned place = 0; place < puzzle->board.places; place++)
            position[place] = (uint8_t)((position[place] + times * flip_change(flip, m)[place]) % flip->values);
    }
}

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

/* -- every press set, of larger boards of two values -- */

enum { WORDS = BOARD_MAX_CELLS / 64 };

struct bits {
    uint64_t word[WORDS];
};

static bool bit(const struct bits *bits, unsigned i)
{
    return bits->word[i / 64] >> i % 64 & 1;
}

static void add_bits(struct bits *sum, const struct bits *bits)
{
    for (unsigned w = 0; w < WORDS; w++)
        sum->word[w] ^= bits->word[w];
}

static unsigned weight(const struct bits *bits)
{
    unsigned count = 0;
    for (unsigned w = 0; w < WORDS; w++)
        count += (unsigned)__builtin_popcountll(bits->word[w]);
    return count;
}

/* An equation: which buttons change the cell, and whether it has to change. */
struct equation {
    struct bits buttons;
    bool change;
};

/* The least weight of all solutions of the equations of a board, looked at one after another; UINT32_MAX where there is
 * none. */
static uint32_t lightest(const struct flip *flip, const uint8_t *position, unsigned *dimension)
{
    const unsigned cells = flip->puzzle.board.places, buttons = flip->moves;
    struct equation *row = checked_memory(cells, sizeof *row);
    struct bits x = {0}, *idle = checked_memory(buttons + 1, sizeof *idle);
    unsigned rank = 0, *pivot = checked_memory(cells, sizeof *pivot);
    bool *is_pivot = checked_memory(buttons, sizeof *is_pivot), solvable = true;
    for (unsigned i = 0; i < cells; i++) {
        row[i] = (struct equation){.change = position[i] != flip->origin[i]};
        for (unsigned j = 0; j < buttons; j++)
            row[i].buttons.word[j / 64] |= (uint64_t)(flip_change(flip, j)[i] & 1) << j % 64;
    }
    for (unsigned j = 0; j < buttons; j++) {
        unsigned found = rank;
        while (found < cells && !bit(&row[found].buttons, j))
            found++;
        is_pivot[j] = found < cells;
        if (found == cells)
            continue;
        const struct equation swap = row[found];
        row[found] = row[rank];
        row[rank] = swap;
        for (unsigned i = 0; i < cells; i++)
            if (i != rank && bit(&row[i].buttons, j)) {
                add_bits(&row[i].buttons, &swap.buttons);
                row[i].change ^= swap.change;
            }
        pivot[rank++] = j;
    }
    for (unsigned i = 0; i < cells; i++)
        solvable &= i < rank || !row[i].change;
    for (unsigned i = 0; i < rank; i++)
        x.word[pivot[i] / 64] |= (uint64_t)row[i].change << pivot[i] % 64;
    *dimension = 0;
    for (unsigned j = 0; j < buttons; j++) {
        if (is_pivot[j])
            continue;
        struct bits *vector = &idle[(*dimension)++];
        *vector = (struct bits){0};
        vector->word[j / 64] |= (uint64_t)1 << j % 64;
        for (unsigned i = 0; i < rank; i++)
            vector->word[pivot[i] / 64] |= (uint64_t)bit(&row[i].buttons, j) << pivot[i] % 64;
    }
    uint32_t best = weight(&x);
    cr_assert(*dimension <= 22);
    for (uint64_t i = 1; i >> *dimension == 0; i++) { /* a Gray code */
        add_bits(&x, &idle[__builtin_ctzll(i)]);
        const uint32_t next = weight(&x);
        best = next < best ? next : best;
    }
    free(row);
    free(idle);
    free(pivot);
    free(is_pivot);
    return solvable ? best : UINT32_MAX;
}

static void compare_lightest(struct puzzle *puzzle, unsigned rounds, unsigned dimension)
{
    uint64_t seed = 9;
    struct searcher *searcher = make_searcher(puzzle, 2);
    for (unsigned round = 0; round < rounds && (round < 2 || share() == 1); round++) {
        uint8_t position[BOARD_MAX_CELLS];
        unsigned found;
        memset(position, 1, sizeof position);
        if (round > 0)
            scramble(puzzle, &seed, position);
        const uint32_t expected = lightest((const struct flip *)puzzle, position, &found);
        EXPECT_NUMBER(found, dimension);
        EXPECT_NUMBER(distance_of(searcher, position), expected);
    }
    search_free(searcher);
    puzzle_free(puzzle);
}

Test(flip_search, every_press_set)
{
    compare_lightest(built_in("8-flip-10x10"), 3, 0);
    compare_lightest(built_in("lights-out-20x20"), 3, 0);
    compare_lightest(built_in("lights-out-9x9"), 20, 8);
    compare_lightest(built_in("lights-out-19x19"), 4, 16);
    compare_lightest(built_in("8-flip-9x9"), 20, 9);
    compare_lightest(built_in("8-flip-14x29"), 4, 12);
    compare_lightest(built_in("8-flip-31x15"), 3, 15);
    compare_lightest(built_in("lights-out-32x30"), 2, 10);
    compare_lightest(make_puzzle("puzzle: t\nfamily: flip\naround: square\nboard: "
                                 "......../......../......../......../......../......../......../........\n"),
                     5, 15);
    compare_lightest(make_puzzle("puzzle: t\nfamily: flip\naround: 4\nboard: "
                                 "........../........../........../....#...../........../........../........../"
                                 "........../........../..........\n"),
                     5, 9);
}

/* More buttons than cells, without any pattern. */
Test(flip_search, more_buttons_than_cells)
{
    uint64_t seed = 31;
    for (unsigned round = 0; round < 20; round++) {
        const unsigned cells = 20 + (unsigned)random_below(&seed, 60), more = 1 + (unsigned)random_below(&seed, 12);
        char *text = checked_memory(20000, 1), *end = text + sprintf(text, "puzzle: t\nfamily: flip\nboard: ");
        const unsigned columns = cells / 2;
        end += sprintf(end, "%.*s/%.*s\nbuttons:\n", (int)columns, "..................................................",
                       (int)columns, "..................................................");
        for (unsigned button = 0; button < 2 * columns + more; button++) {
            end += sprintf(end, "  - ");
            for (unsigned cell = 0; cell < 2 * columns; cell++)
                end += sprintf(end, "%s%c", cell == columns ? "/" : "",
                               random_below(&seed, 4) == 0 || cell == button ? '1' : '.');
            *end++ = '\n';
        }
        *end = '\0';
        struct puzzle *puzzle = make_puzzle(text);
        uint8_t position[BOARD_MAX_CELLS] = {0};
        unsigned dimension;
        lightest((const struct flip *)puzzle, position, &dimension);
        compare_lightest(puzzle, 4, dimension);
        free(text);
    }
}

/* -- light chasing -- */

/* Lights Out of up to 16 columns: the first row's presses decide all others', for each row's have to put out the lights
 * above. All first rows are tried. */
static uint32_t chase(unsigned rows, unsigned columns, const uint8_t *position)
{
    const uint32_t all = ((uint32_t)1 << columns) - 1;
    uint32_t best = PDB_NO_DISTANCE;
    for (uint32_t first = 0; first <= all; first++) {
        uint32_t above = 0, presses = first, count = 0;
        for (unsigned row = 0; row < rows; row++) {
            uint32_t lights = 0;
            for (unsigned column = 0; column < columns; column++)
                lights |= (uint32_t)position[row * columns + column] << column;
            count += (uint32_t)__builtin_popcount(presses);
            lights ^= above ^ presses ^ ((presses << 1) & all) ^ presses >> 1;
            above = presses;
            presses = lights; /* what is still on is pressed in the next row */
        }
        if (presses == 0 && count < best)
            best = count;
    }
    return best;
}

Test(flip_search, light_chasing)
{
    static const unsigned sizes[][2] = {{3, 3},   {4, 4},   {5, 5},  {9, 9},  {11, 11}, {14, 14},
                                        {16, 16}, {20, 11}, {30, 5}, {32, 9}, {9, 14}};
    uint64_t seed = 17;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const unsigned rows = sizes[i][0], columns = sizes[i][1];
        char name[40];
        snprintf(name, sizeof name, "lights-out-%ux%u", rows, columns);
        struct puzzle *puzzle = built_in(name);
        struct searcher *searcher = make_searcher(puzzle, 1);
        for (int round = 0; round < 6; round++) {
            uint8_t position[BOARD_MAX_CELLS];
            memset(position, 1, sizeof position);
            if (round > 0)
                scramble(puzzle, &seed, position);
            if (round == 5)
                position[0] ^= 1; /* which a board may not survive */
            const uint32_t expected = chase(rows, columns, position), found = distance_of(searcher, position);
            cr_assert(found == expected, "%s: %u, not %u", name, found, expected);
        }
        search_free(searcher);
        puzzle_free(puzzle);
    }
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
