/* test_flip.c -- puzzles of buttons against the oracle: every board of many puzzles */
#include "oracle.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NEXT = 2 * ORACLE_FLIP_BUTTONS };

/* A puzzle twice: as the library makes it from a definition, and as the oracle knows it. */
struct pair {
    char definition[8192];
    struct puzzle *puzzle;
    struct oracle_flip oracle;
};

/* -- making pairs -- */

/* The goal, rows apart by slashes: digits, '*' for an open cell, '#' for a wall; NULL is all off. */
static void begin_pair(struct pair *pair, unsigned rows, unsigned columns, unsigned values, bool backward,
                       const char *goal)
{
    char board[ORACLE_FLIP_CELLS * 2] = "", *end = board;
    oracle_flip_begin(&pair->oracle, (int)rows, (int)columns, (int)values);
    pair->oracle.backward = backward;
    for (unsigned cell = 0; cell < rows * columns; cell++) {
        const char c = goal == NULL ? '.' : goal[cell + cell / columns];
        if (cell > 0 && cell % columns == 0)
            *end++ = '/';
        *end++ = c;
        pair->oracle.goal[cell] = c == '.'   ? 0
                                  : c == '#' ? (unsigned char)ORACLE_FLIP_WALL
                                  : c == '*' ? (unsigned char)ORACLE_FLIP_ANY
                                             : (unsigned char)(c - '0');
    }
    *end = '\0';
    snprintf(pair->definition, sizeof pair->definition,
             "puzzle: test\nfamily: flip\nvalues: %u\nbackward: %s\n%s: '%s'\n", values, backward ? "true" : "false",
             goal == NULL ? "board" : "goal", board);
}

static void extend(struct pair *pair, const char *text)
{
    cr_assert(strlen(pair->definition) + strlen(text) < sizeof pair->definition);
    strcat(pair->definition, text);
}

struct pattern {
    const char *around;
    int self, orthogonal, diagonal;
};

static const struct pattern eight = {"8", 0, 1, 1}, plus = {"plus", 1, 1, 0}, four = {"4", 0, 1, 0},
                            square = {"square", 1, 1, 1}, drawn_plus = {"\".1. / 111 / .1.\"", 1, 1, 0},
                            weighted = {"1 2 1/2 (3) 2/1 2 1", 3, 2, 1}, twos = {"222/2.2/222", 0, 2, 2};

static void make_pattern_pair(struct pair *pair, unsigned rows, unsigned columns, unsigned values, bool backward,
                              const char *goal, const struct pattern *pattern)
{
    begin_pair(pair, rows, columns, values, backward, goal);
    extend(pair, "around: ");
    extend(pair, pattern->around);
    oracle_flip_add_pattern(&pair->oracle, pattern->self, pattern->orthogonal, pattern->diagonal);
    pair->puzzle = make_puzzle(pair->definition);
}

/* -- comparing -- */

/* The oracle's board of a position, and the other way round. */
static void oracle_board(const struct pair *pair, const uint8_t *position, unsigned char *board)
{
    unsigned place = 0;
    for (int cell = 0; cell < pair->oracle.rows * pair->oracle.columns; cell++)
        board[cell] = pair->oracle.goal[cell] == ORACLE_FLIP_WALL ? (unsigned char)ORACLE_FLIP_WALL : position[place++];
}

static void position_of(const struct pair *pair, const unsigned char *board, uint8_t *position)
{
    for (int cell = 0; cell < pair->oracle.rows * pair->oracle.columns; cell++)
        if (board[cell] != ORACLE_FLIP_WALL)
            *position++ = board[cell];
}

/* The neighbours of a state in both ways, as sorted indices; how many. */
static size_t oracle_next(const struct pair *pair, const uint8_t *position, bool into, uint64_t *next)
{
    unsigned char board[ORACLE_FLIP_CELLS], boards[MAX_NEXT * ORACLE_FLIP_CELLS];
    uint8_t neighbour[BOARD_MAX_CELLS];
    oracle_board(pair, position, board);
    const int count = oracle_flip_neighbours(&pair->oracle, board, into, boards);
    for (int i = 0; i < count; i++) {
        position_of(pair, boards + i * pair->oracle.rows * pair->oracle.columns, neighbour);
        cr_assert(pair->puzzle->family->position.rank(pair->puzzle, neighbour, &next[i]));
    }
    qsort(next, (size_t)count, sizeof *next, compare_numbers);
    return (size_t)count;
}

static size_t library_next(const struct pair *pair, uint64_t index, bool into, uint64_t *next)
{
    const struct puzzle *puzzle = pair->puzzle;
    uint16_t count = 0;
    size_t total = into ? puzzle->family->index.predecessors(puzzle, &index, 1, next, &count)
                        : puzzle->family->index.successors(puzzle, &index, 1, next, &count);
    cr_assert(total == count && total <= puzzle->max_moves);
    qsort(next, total, sizeof *next, compare_numbers);
    return total;
}

/* Moves out of a state and into it, and the moves for people, are the oracle's, each as often. */
static void check_moves(const struct pair *pair, uint64_t index, const uint8_t *position)
{
    uint64_t expected[MAX_NEXT], found[MAX_NEXT];
    for (int into = 0; into < 2; into++) {
        size_t count = oracle_next(pair, position, into, expected);
        cr_assert(library_next(pair, index, into, found) == count);
        cr_assert(memcmp(found, expected, count * sizeof *found) == 0);
    }
    pdb_moves moves = {0};
    pdb_error error;
    size_t count = oracle_next(pair, position, false, expected);
    cr_assert(pair->puzzle->family->position.moves(pair->puzzle, position, &moves, &error) == PDB_OK);
    cr_assert(moves.count == count);
    for (size_t i = 0; i < count; i++)
        cr_assert(pair->puzzle->family->position.rank(pair->puzzle, moves.move[i].board.symbol, &found[i]));
    qsort(found, count, sizeof *found, compare_numbers);
    cr_assert(memcmp(found, expected, count * sizeof *found) == 0);
    pdb_moves_free(&moves);
}

/* -- a plain search over the library's indices -- */

struct search {
    const struct puzzle *puzzle;
    uint64_t *queue, count;
    uint8_t *distance; /* 255: not reached */
};

static pdb_status take_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    struct search *search = context;
    for (size_t i = 0; i < count; i++) {
        cr_assert(index[i] < search->puzzle->states && search->distance[index[i]] == 255, "a goal twice");
        search->distance[index[i]] = 0;
        search->queue[search->count++] = index[i];
    }
    return PDB_OK;
}

/* Every state's distance; the queue is in order of distance. */
static struct search search_all(const struct puzzle *puzzle)
{
    enum { BATCH = 64 };
    struct search search = {
        .puzzle = puzzle, .queue = malloc(puzzle->states * sizeof *search.queue), .distance = malloc(puzzle->states)};
    uint64_t *next = malloc(BATCH * puzzle->max_moves * sizeof *next), batch;
    cr_assert(search.queue != NULL && search.distance != NULL && next != NULL);
    memset(search.distance, 255, puzzle->states);
    cr_assert(puzzle->family->index.goals(puzzle, take_goals, &search, NULL) == PDB_OK);
    for (uint64_t first = 0; first < search.count; first += batch) {
        uint16_t moves[BATCH];
        batch = search.count - first < BATCH ? search.count - first : BATCH;
        puzzle->family->index.predecessors(puzzle, search.queue + first, batch, next, moves);
        const uint64_t *into = next;
        for (uint64_t i = 0; i < batch; i++)
            for (uint16_t m = 0; m < moves[i]; m++, into++) {
                if (search.distance[*into] != 255)
                    continue;
                search.distance[*into] = (uint8_t)(search.distance[search.queue[first + i]] + 1);
                search.queue[search.count++] = *into;
            }
    }
    free(next);
    cr_assert(search.count == puzzle->states, "%llu of %llu indices reached", (unsigned long long)search.count,
              (unsigned long long)puzzle->states);
    return search;
}

static void search_free(struct search *search)
{
    free(search->queue);
    free(search->distance);
}

/* Is there a colouring? Colours spread from the goals, which have 0, along moves out and in; every state is connected
 * to a goal. */
static void check_colouring(const struct pair *pair, const struct search *search)
{
    const struct puzzle *puzzle = pair->puzzle;
    uint8_t *colour = malloc(puzzle->states);
    bool possible = true;
    cr_assert(colour != NULL);
    for (uint64_t i = 0; i < puzzle->states;
         i++) /* in order of distance: from a state nearer to the goal the colour is known */
        colour[search->queue[i]] = search->distance[search->queue[i]] % 2;
    for (uint64_t index = 0; index < puzzle->states; index++) {
        uint64_t next[MAX_NEXT];
        size_t count = library_next(pair, index, false, next);
        for (size_t i = 0; i < count; i++)
            possible &= colour[index] != colour[next[i]];
    }
    cr_assert(puzzle->coloured == possible, "a colouring is %sthere", possible ? "" : "not ");
    for (uint64_t index = 0; possible && index < puzzle->states; index++) {
        uint8_t given;
        puzzle->family->index.colours(puzzle, &index, 1, &given);
        cr_assert(given == colour[index]);
    }
    free(colour);
}

/* Counts through all positions; false after the last. */
static bool next_position(const struct puzzle *puzzle, unsigned values, uint8_t *position)
{
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        if (++position[place] < values)
            return true;
        position[place] = 0;
    }
    return false;
}

/* Every board there is: ranked exactly if it can reach the goal, as a bijection; its moves, its distance, whether it is
 * a goal. */
static void check_pair(struct pair *pair)
{
    const struct puzzle *puzzle = pair->puzzle;
    struct oracle_boards *table = oracle_flip_solve(&pair->oracle);
    struct search search = search_all(puzzle);
    uint8_t position[BOARD_MAX_CELLS] = {0}, again[BOARD_MAX_CELLS];
    uint8_t *seen = calloc(puzzle->states, 1);
    uint64_t index, ranked = 0;
    cr_assert(seen != NULL);
    cr_assert(puzzle->states == oracle_boards_count(table), "%llu states, not %zu\n%s",
              (unsigned long long)puzzle->states, oracle_boards_count(table), pair->definition);
    do {
        unsigned char board[ORACLE_FLIP_CELLS];
        oracle_board(pair, position, board);
        const int distance = oracle_boards_distance(table, board);
        cr_assert(puzzle->family->position.check(puzzle, position, NULL) == PDB_OK);
        cr_assert(puzzle->family->position.is_goal(puzzle, position) == (distance == 0));
        const bool has_index = puzzle->family->position.rank(puzzle, position, &index);
        cr_assert(has_index == (distance >= 0), "reachable and refused, or the other way round\n%s", pair->definition);
        if (!has_index)
            continue;
        cr_assert(index < puzzle->states && !seen[index]);
        seen[index] = 1;
        ranked++;
        if (!is_shared(puzzle->states, index))
            continue;
        puzzle->family->position.unrank(puzzle, index, again);
        cr_assert(memcmp(position, again, puzzle->board.places) == 0);
        cr_assert(search.distance[index] == distance, "distance %d, not %d\n%s", search.distance[index], distance,
                  pair->definition);
        check_moves(pair, index, position);
    } while (next_position(puzzle, (unsigned)pair->oracle.values, position));
    cr_assert(ranked == puzzle->states);
    check_colouring(pair, &search);
    search_free(&search);
    free(seen);
    oracle_boards_free(table);
    puzzle_free(pair->puzzle);
}

static void check_pattern(unsigned rows, unsigned columns, unsigned values, bool backward, const char *goal,
                          const struct pattern *pattern)
{
    static struct pair pair;
    make_pattern_pair(&pair, rows, columns, values, backward, goal, pattern);
    if (values == 2 || backward)
        cr_assert(pair.puzzle->undoable);
    check_pair(&pair);
}

/* -- every state of many puzzles -- */

Test(flip, every_board_of_two_values)
{
    for (unsigned rows = 1; rows <= 4; rows++)
        for (unsigned columns = 1; columns <= 4 && (share() == 1 || rows * columns < 16); columns++) {
            check_pattern(rows, columns, 2, false, NULL, &eight);
            check_pattern(rows, columns, 2, false, NULL, &plus);
        }
    check_pattern(3, 4, 2, false, NULL, &four);
    check_pattern(4, 3, 2, false, NULL, &square);
    check_pattern(3, 3, 2, true, NULL, &drawn_plus);
    check_pattern(1, 13, 2, false, NULL, &plus);
}

Test(flip, every_board_of_more_values)
{
    static const struct pattern *const patterns[] = {&eight, &plus, &four};
    for (size_t i = 0; i < COUNT(patterns); i += short_step(2)) {
        for (int backward = 0; backward < 2; backward++) {
            if (share() > 1 && backward == (i == 0))
                continue;
            check_pattern(3, 3, 3, backward, NULL, patterns[i]);
            check_pattern(2, 4, 3, backward, NULL, patterns[i]);
            check_pattern(2, 3, 4, backward, NULL, patterns[i]);
        }
        check_pattern(2, 3, 6, i == 0, NULL, patterns[i]);
        for (unsigned values = 5; values <= 10; values++)
            check_pattern(2, 2, values, values % 2, NULL, patterns[i]);
    }
    if (share() == 1)
        check_pattern(2, 4, 4, false, NULL, &plus);
    check_pattern(3, 2, 4, true, NULL, &weighted);
    check_pattern(3, 2, 4, true, NULL, &twos);
    check_pattern(2, 2, 8, true, NULL, &twos);
    check_pattern(3, 2, 6, false, NULL, &twos);
    check_pattern(2, 2, 10, false, NULL, &weighted);
    for (unsigned values = 11; values <= 16; values++)
        check_pattern(1, 3, values, values % 2, NULL, &plus);
}

Test(flip, every_board_with_walls_and_goals)
{
    static const char *const goals[] = {"#..#/..../.##./....", "..../.#../..1./1111", "*.../.1../..#./...*",
                                        "****/****/....#"};
    for (size_t i = 0; i < 3; i++) {
        check_pattern(4, 4, 2, false, goals[i], &plus);
        check_pattern(4, 4, 2, false, goals[i], &eight);
    }
    check_pattern(3, 3, 3, false, ".#2/1*./..#", &plus);
    check_pattern(3, 3, 3, true, "0#2/1**/..#", &eight);
    check_pattern(3, 2, 4, false, "3*/#1/2*", &plus);
    check_pattern(3, 2, 6, false, "5*/#1/2.", &twos);
    check_pattern(2, 2, 2, false, "**/**", &plus);
    check_pattern(2, 2, 2, false, "#./.#", &four);
}

/* -- lists of buttons -- */

static unsigned below(uint64_t *seed, unsigned limit)
{
    return (unsigned)random_below(seed, limit);
}

/* Buttons drawn at random on boards of up to 3 by 3 cells, with walls and open cells; no more boards than a few ten
 * thousands. */
static void make_random_pair(struct pair *pair, uint64_t *seed)
{
    const unsigned values = 2 + below(seed, 9);
    unsigned rows, columns;
    double boards;
    do {
        rows = 1 + below(seed, 3);
        columns = 1 + below(seed, 3);
        boards = 1;
        for (unsigned cell = 0; cell < rows * columns; cell++)
            boards *= values;
    } while (boards > 20000);
    char goal[32] = "", *end = goal;
    for (unsigned cell = 0; cell < rows * columns; cell++) {
        const uint32_t kind = cell == 0 ? 9 : below(seed, 10);
        if (cell > 0 && cell % columns == 0)
            *end++ = '/';
        const char digit = (char)('0' + below(seed, values));
        *end++ = (char)(kind == 0 ? '#' : kind == 1 ? '*' : digit);
    }
    *end = '\0';
    begin_pair(pair, rows, columns, values, below(seed, 2), goal);
    extend(pair, "buttons:\n");
    const unsigned buttons = 1 + below(seed, 6),
                   step = 1 + below(seed, 3); /* multiples of a divisor are the hard ones */
    for (unsigned b = 0; b < buttons; b++) {
        unsigned char amount[ORACLE_FLIP_CELLS] = {0};
        char picture[64] = "- \"", *at = picture + 3;
        for (unsigned cell = 0; cell < rows * columns; cell++) {
            const bool wall = pair->oracle.goal[cell] == ORACLE_FLIP_WALL;
            if (!wall && below(seed, 2) == 0)
                amount[cell] = (unsigned char)(step * (below(seed, values)) % values);
            if (cell > 0 && cell % columns == 0)
                *at++ = '/';
            *at++ = wall ? '#' : (char)('0' + amount[cell]);
        }
        if (strpbrk(picture + 3, "123456789") == NULL) { /* a button has to change something */
            amount[0] = 1;
            picture[3] = '1';
        }
        strcpy(at, "\"\n");
        extend(pair, picture);
        oracle_flip_add_button(&pair->oracle, amount);
    }
    pair->puzzle = make_puzzle(pair->definition);
}

Test(flip, every_board_of_random_buttons)
{
    static struct pair pair;
    uint64_t seed = 20240229;
    for (unsigned round = 0; round < 300; round++) {
        make_random_pair(&pair, &seed);
        check_pair(&pair);
    }
}

Test(flip, buttons_by_name_and_by_cell)
{
    static struct pair pair;
    static const unsigned char corners[] = {1, 0, 1, 1, 0, 1}, left[] = {1, 0, 0, 1, 0, 0};
    begin_pair(&pair, 2, 3, 3, true, "00#/000");
    extend(&pair, "buttons:\n  all: [r1c1, r2c1, r2c3]\n  left: 1.#/1..\n");
    unsigned char amount[6];
    memcpy(amount, corners, sizeof amount);
    amount[2] = 0;
    oracle_flip_add_button(&pair.oracle, amount);
    oracle_flip_add_button(&pair.oracle, left);
    pair.puzzle = make_puzzle(pair.definition);
    pdb_moves moves = {0};
    pdb_error error;
    const uint8_t position[5] = {0};
    cr_assert(pair.puzzle->family->position.moves(pair.puzzle, position, &moves, &error) == PDB_OK);
    static const char *const texts[] = {"press all", "press all backward", "press left", "press left backward"};
    cr_assert(moves.count == COUNT(texts));
    for (size_t i = 0; i < COUNT(texts); i++) {
        cr_expect_str_eq(moves.move[i].text, texts[i]);
        cr_expect_str_eq(moves.move[i].piece, i < 2 ? "all" : "left");
    }
    pdb_moves_free(&moves);
    check_pair(&pair);
}

Test(flip, a_press_says_where)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: flip\nboard: ./#/.\naround: plus\n");
    struct puzzle *listed = make_puzzle("puzzle: t\nfamily: flip\nboard: ...\nbuttons: ['11.', '.11']\n");
    const uint8_t position[3] = {0};
    pdb_moves moves = {0};
    cr_assert(puzzle->family->position.moves(puzzle, position, &moves, NULL) == PDB_OK);
    cr_assert(listed->family->position.moves(listed, position, &moves, NULL) == PDB_OK);
    cr_assert(moves.count == 4);
    cr_expect_str_eq(moves.move[1].text, "press row 3, column 1");
    cr_expect_str_eq(moves.move[1].piece, "r3c1");
    cr_expect_str_eq(moves.move[3].text, "press button 2");
    cr_expect_str_eq(moves.move[3].piece, "b2");
    pdb_moves_free(&moves);
    puzzle_free(puzzle);
    puzzle_free(listed);
}

Test(flip, a_pattern_with_a_marked_cell)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: flip\nboard: \"....\"\naround: (1) . 1\n");
    const uint8_t position[4] = {0};
    pdb_moves moves = {0};
    static const uint8_t expected[4][4] = {{1, 0, 1, 0}, {0, 1, 0, 1}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    cr_assert(puzzle->family->position.moves(puzzle, position, &moves, NULL) == PDB_OK);
    for (size_t i = 0; i < 4; i++)
        cr_expect(memcmp(moves.move[i].board.symbol, expected[i], 4) == 0);
    pdb_moves_free(&moves);
    puzzle_free(puzzle);
}

/* Pressing one way only is undoable where the opposite is a button too, or where a press undoes itself. */
Test(flip, undoable)
{
    static const struct {
        const char *rest;
        bool undoable;
    } cases[] = {
        {"values: 2\nboard: ..\nbuttons: [1., 11]\n", true},
        {"values: 3\nboard: ..\nbuttons: [1., 11]\n", false},
        {"values: 3\nboard: ..\nbuttons: [1., 2.]\n", true},
        {"values: 3\nboard: ..\nbuttons: [1., 2., 1.]\n", true},
        {"values: 4\nboard: ..\nbuttons: [2., 22]\n", true},
        {"values: 4\nboard: ..\nbuttons: [2., 12]\n", false},
        {"values: 4\nboard: ..\nbuttons: [2., 12]\nbackward: true\n", true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[200];
        snprintf(text, sizeof text, "puzzle: t\nfamily: flip\n%s", cases[i].rest);
        struct puzzle *puzzle = make_puzzle(text);
        cr_expect(puzzle->undoable == cases[i].undoable, "%s", cases[i].rest);
        puzzle_free(puzzle);
    }
}

/* -- the whole way, through the public interface -- */

/* Every board's distance from a search in each of the encodings that values need: with a colouring, without one, where
 * moves cannot be undone. */
static void check_solver(unsigned rows, unsigned columns, unsigned values, bool backward, const char *goal,
                         const struct pattern *pattern)
{
    static struct pair pair;
    const pdb_options options = {.method = PDB_SEARCH, .whole = true, .threads = 2};
    pdb_solver *solver;
    pdb_error error;
    make_pattern_pair(&pair, rows, columns, values, backward, goal, pattern);
    const pdb_puzzle puzzle = catalog_with_moves(pair.puzzle);
    cr_assert(pdb_solver_open(&puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    struct oracle_boards *table = oracle_flip_solve(&pair.oracle);
    pdb_board board = {{0}};
    do {
        unsigned char same[ORACLE_FLIP_CELLS];
        uint32_t distance;
        oracle_board(&pair, board.symbol, same);
        const int expected = oracle_boards_distance(table, same);
        cr_assert(pdb_solver_distance(solver, &board, 1, &distance, &error) == PDB_OK, "%s", error.message);
        cr_assert(distance == (expected < 0 ? PDB_NO_DISTANCE : (uint32_t)expected), "%u, not %d\n%s", distance,
                  expected, pair.definition);
    } while (next_position(pair.puzzle, values, board.symbol));
    oracle_boards_free(table);
    pdb_solver_close(solver);
    puzzle_free(pair.puzzle);
}

Test(flip, solver)
{
    check_solver(3, 4, 2, false, NULL, &plus);
    check_solver(3, 3, 2, false, NULL, &eight);
    check_solver(3, 3, 2, false, "*1#/.../..*", &plus);
    check_solver(3, 3, 3, false, NULL, &plus);
    check_solver(3, 3, 3, true, "*1#/2../..*", &plus);
    check_solver(2, 3, 4, false, NULL, &eight);
    check_solver(2, 2, 6, true, NULL, &plus);
}

/* -- figures -- */

/* Every state of a built-in puzzle (of a large one, every fifth) against every set of presses. */
static void check_press_sets(const char *name, unsigned rows, unsigned columns, const struct pattern *pattern,
                             uint64_t histogram[256])
{
    struct puzzle *puzzle = built_in(name);
    struct oracle_flip oracle;
    oracle_flip_begin(&oracle, (int)rows, (int)columns, 2);
    oracle_flip_add_pattern(&oracle, pattern->self, pattern->orthogonal, pattern->diagonal);
    unsigned char *least = malloc((size_t)1 << rows * columns);
    cr_assert(least != NULL);
    oracle_flip_press_sets(&oracle, least);
    uint64_t reachable = 0;
    for (uint64_t board = 0; board < (uint64_t)1 << rows * columns; board++)
        reachable += least[board] != 255;
    cr_assert(puzzle->states == reachable, "%s: %llu states", name, (unsigned long long)puzzle->states);
    struct search search = search_all(puzzle);
    for (uint64_t index = 0; index < puzzle->states; index++)
        histogram[search.distance[index]]++;
    const uint64_t step = puzzle->states > 10000000 ? 5 : 1;
    for (uint64_t index = 0; index < puzzle->states; index += step) {
        if (!is_shared(puzzle->states, index / step))
            continue;
        uint8_t position[BOARD_MAX_CELLS];
        uint32_t board = 0;
        puzzle->family->position.unrank(puzzle, index, position);
        for (unsigned place = 0; place < rows * columns; place++)
            board |= (uint32_t)position[place] << place;
        cr_assert(search.distance[index] == least[board], "%s: board %x: %d, not %d", name, board,
                  search.distance[index], least[board]);
    }
    search_free(&search);
    free(least);
    puzzle_free(puzzle);
}

/* The figures are those of the page on Lights Out by J. Scherphuis. */
Test(flip, lights_out)
{
    static const uint64_t expected[256] = {1,      25,      300,     2300,    12650,   53130,  176176, 467104,
                                           982335, 1596279, 1935294, 1684446, 1004934, 383670, 82614,  7350};
    uint64_t histogram[256] = {0};
    check_press_sets("lights-out", 5, 5, &plus, histogram);
    for (size_t i = 0; i < 256; i++)
        cr_expect(histogram[i] == expected[i], "distance %zu: %llu", i, (unsigned long long)histogram[i]);
}

Test(flip, eight_flip_of_many_sizes)
{
    for (unsigned rows = 2; rows <= 5; rows++)
        for (unsigned columns = 2; columns <= 5 - (rows == 5); columns++) {
            char name[32];
            uint64_t histogram[256] = {0};
            snprintf(name, sizeof name, "8-flip-%ux%u", rows, columns);
            check_press_sets(name, rows, columns, &eight, histogram);
        }
}

Test(flip, eight_flip_5x5)
{
    uint64_t histogram[256] = {0};
    check_press_sets("8-flip-5x5", 5, 5, &eight, histogram);
}

/* The question of puzzles.md: 4 by 4, all on. */
Test(flip, eight_flip_all_on)
{
    struct puzzle *puzzle = built_in("8-flip");
    struct oracle_flip oracle;
    static unsigned char least[1 << 16];
    oracle_flip_begin(&oracle, 4, 4, 2);
    oracle_flip_add_pattern(&oracle, 0, 1, 1);
    oracle_flip_press_sets(&oracle, least);
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index;
    pdb_error error;
    cr_assert(puzzle_parse(puzzle, "start", position, &error) == PDB_OK);
    for (unsigned place = 0; place < 16; place++)
        cr_assert(position[place] == 1);
    cr_assert(puzzle->family->position.rank(puzzle, position, &index));
    struct search search = search_all(puzzle);
    cr_expect(search.distance[index] == least[0xFFFF], "%d presses, not %d", search.distance[index], least[0xFFFF]);
    search_free(&search);
    puzzle_free(puzzle);
}
