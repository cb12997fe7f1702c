/* test_keyed.c -- puzzles numbered by keys, and sliding pieces that travel far or along an axis, against an oracle of
 * their own
 *
 * Small definitions, which the library lays out densely, are numbered by keys besides.
 */
#include "tests/families/slide/far_model.h"

#include "pdb.h"
#include "lib/search/space/keyed.h"

#include <stdio.h>
#include <string.h>

/* -- comparing -- */

static void position_of(const struct puzzle *puzzle, const struct far_table *table, const struct far_board *board,
                        unsigned turn, uint8_t *position)
{
    char text[FAR_TEXT];
    pdb_error error;
    far_text(table, board, turn, text);
    cr_assert(puzzle_parse(puzzle, text, position, &error) == PDB_OK, "'%s': %s", text, error.message);
}

/* A state's moves, by index and by position, are those of the oracle. */
static void check_moves(const struct puzzle *space, const struct far_table *table, const struct far_board *board,
                        uint64_t index, bool positions, const char *name)
{
    static struct far_board neighbour[FAR_NEIGHBOURS];
    static uint64_t expected[FAR_NEIGHBOURS], next[FAR_NEIGHBOURS];
    uint8_t position[BOARD_MAX_CELLS];
    uint16_t count;
    const size_t moves = far_neighbours(table, board, neighbour);
    for (size_t m = 0; m < moves; m++) {
        position_of(space, table, &neighbour[m], (unsigned)m, position);
        cr_assert(space->family->position.rank(space, position, &expected[m]), "%s: a neighbour has no index", name);
    }
    cr_assert(moves <= space->max_moves, "%s: %zu moves, at most %u said", name, moves, space->max_moves);
    cr_assert(space->family->index.successors(space, &index, 1, next, &count) == count);
    cr_assert(count == moves, "%s: %u moves, not %zu", name, count, moves);
    qsort(expected, moves, sizeof *expected, compare_numbers);
    qsort(next, moves, sizeof *next, compare_numbers);
    cr_assert(memcmp(expected, next, moves * sizeof *next) == 0, "%s: other moves", name);
    if (!positions)
        return;
    pdb_moves list = {0};
    position_of(space, table, board, 1, position);
    cr_assert(space->family->position.moves(space, position, &list, NULL) == PDB_OK && list.count == moves);
    for (size_t m = 0; m < moves; m++)
        cr_assert(space->family->position.rank(space, list.move[m].board.symbol, &next[m]), "%s: %s", name,
                  list.move[m].text);
    qsort(next, moves, sizeof *next, compare_numbers);
    cr_assert(memcmp(expected, next, moves * sizeof *next) == 0, "%s: other moves of a position", name);
    pdb_moves_free(&list);
}

static void check_figures(const struct solved *solved, const struct far_table *table, const char *name)
{
    const struct retrograde_result *result = &solved->result;
    cr_assert(result->reachable == far_reachable(table), "%s: %llu reachable, not %zu", name,
              (unsigned long long)result->reachable, far_reachable(table));
    if (far_max(table) < 0)
        return;
    cr_assert(result->depths == (size_t)far_max(table) + 1, "%s: %zu depths, not %d", name, result->depths,
              far_max(table) + 1);
    for (size_t d = 0; d < result->depths; d++)
        cr_assert(result->histogram[d] == far_histogram(table)[d], "%s: distance %zu: %llu states, not %zu", name, d,
                  (unsigned long long)result->histogram[d], far_histogram(table)[d]);
}

/* Every board of the oracle's table: its distance, goal or not, its index and back, its moves. */
static void check_states(const struct puzzle *space, const struct far_table *table, const struct solved *solved,
                         size_t step, const char *name)
{
    uint8_t position[BOARD_MAX_CELLS], again[BOARD_MAX_CELLS];
    size_t looked = 0, ranked = 0;
    for (size_t i = 0; i < far_count(table); i++) {
        const struct far_board board = far_board_at(table, i);
        const int expected = far_distance_at(table, i);
        uint64_t index = 0, back;
        uint32_t distance = DISTANCE_NONE;
        if (!is_shared(far_count(table), i))
            continue;
        position_of(space, table, &board, (unsigned)i, position);
        const bool has_index = space->family->position.rank(space, position, &index);
        looked++;
        ranked += has_index;
        cr_assert(!has_index || index < space->states);
        cr_assert(!has_index || distance_get(&solved->values, &index, 1, &distance, NULL) == PDB_OK);
        cr_assert(distance == (expected < 0 ? DISTANCE_NONE : (uint32_t)expected), "%s: board %zu: distance %u, not %d",
                  name, i, distance, expected);
        cr_assert(space->family->position.is_goal(space, position) == (expected == 0), "%s: board %zu: a goal or none",
                  name, i);
        if (!has_index)
            continue;
        space->family->position.unrank(space, index, again);
        cr_assert(space->family->position.check(space, again, NULL) == PDB_OK &&
                      space->family->position.rank(space, again, &back) && back == index,
                  "%s: board %zu: not its own index", name, i);
        if (i % step == 0)
            check_moves(space, table, &board, index, i % (3 * step) == 0, name);
    }
    cr_assert(ranked == looked || far_count(table) != space->states, "%s: %zu of %zu boards have an index", name,
              ranked, looked);
}

/* A puzzle of keys against the oracle's table of all boards that can be reached from its named boards. */
static void check_keyed(const struct puzzle *base, const struct far_table *table, size_t step, const char *name)
{
    struct solved solved, by_states;
    struct puzzle *space = solve_keys(base, 2, &solved);
    cr_assert((space == NULL) == (far_max(table) < 0), "%s: a goal or none", name);
    if (space == NULL)
        return;
    cr_assert(space->states == far_count(table), "%s: %llu states, not %zu", name, (unsigned long long)space->states,
              far_count(table));
    check_figures(&solved, table, name);
    check_states(space, table, &solved, step, name);
    solve(space, 2, &by_states);
    cr_assert(by_states.memory.size == solved.memory.size &&
                  memcmp(by_states.memory.bytes, solved.memory.bytes, solved.memory.size) == 0,
              "%s: other distances", name);
    solved_free(&by_states);
    solved_free(&solved);
    keyed_free(space);
}

/* Both ways to number the states, where the library chose the dense one; `step`: every how manieth state's moves are
 * looked at. */
static void check_both(const struct far_spec *spec, size_t step)
{
    const char *starts[] = {spec->board, NULL};
    struct far_table *from_start = far_solve(spec, starts), *all = far_solve(spec, NULL);
    struct puzzle *dense = far_puzzle(spec, NULL), *ranked = far_keyed_puzzle(spec, starts, false),
                  *packed = far_keyed_puzzle(spec, starts, true);
    struct solved solved;
    cr_assert(!dense->keyed);
    solve(dense, 2, &solved);
    check_figures(&solved, all, spec->board);
    check_states(dense, all, &solved, step, spec->board);
    solved_free(&solved);
    check_keyed(ranked, from_start, step, spec->board);
    check_keyed(packed, from_start, step, spec->board);
    puzzle_free(dense);
    puzzle_free(ranked);
    puzzle_free(packed);
    far_free(from_start);
    far_free(all);
}

/* -- the built-in ones -- */

static const struct far_spec klotski_slide = {.board = "A B B C/A B B C/D E E F/D G H F/I . . J",
                                              .goal = "* * * */* * * */* * * */* B B */* B B *",
                                              .large = "ABCDEF",
                                              .alike = {"ACDF", "GHIJ"},
                                              .slide = true};
static const struct far_spec rush_hour = {
    .board = "G B B . L ./G H I . L M/G H I A A M/C C C K . M/. . J K D D/E E J F F .",
    .goal = "* * * * * */* * * * * */* * * * A A/* * * * * */* * * * * */* * * * * *",
    .large = "BACDEFGHIJKLM",
    .slide = true,
    .length = true};

static void check_built_in(const char *name, const struct far_spec *spec, int start_distance)
{
    const char *starts[] = {spec->board, NULL};
    struct puzzle *base = built_in(name);
    struct far_table *table = far_solve(spec, starts);
    const struct far_board start = far_read(table, spec->board);
    cr_assert(base->keyed && base->undoable && !base->coloured);
    EXPECT_NUMBER(far_distance(table, &start), start_distance);
    fprintf(stderr, "%s: %zu boards, %zu reach a goal, %zu goals, greatest distance %d (%zu boards), start %d\n", name,
            far_count(table), far_reachable(table), far_histogram(table)[0], far_max(table),
            far_histogram(table)[far_max(table)], far_distance(table, &start));
    check_keyed(base, table, 3 * share(), name);
    puzzle_free(base);
    far_free(table);
}

Test(keyed, klotski)
{
    check_built_in("klotski", &far_klotski, 116);
}

Test(keyed, klotski_slide)
{
    check_built_in("klotski-slide", &klotski_slide, 81); /* published */
}

Test(keyed, rush_hour)
{
    check_built_in("rush-hour", &rush_hour, 51); /* what the oracle says */
}

/* -- small ones -- */

Test(keyed, pieces_of_several_cells)
{
    static const struct far_spec specs[] = {
        {.board = "A A . B/. C C B/1 . . 2", .goal = "* * * */* * * */* * A A", .large = "ABC"},
        {.board = "A A . B/. C C B/1 . . 2", .goal = "* * * */* * * */* * A A", .large = "ABC", .slide = true},
        {.board = "L . ./L L ./1 2 .", .goal = "* * */* L */1 L L", .large = "L", .slide = true},
        {.board = "U . U/U U U/. 1 .", .goal = "* * */U 1 U/U U U", .large = "U", .slide = true},
        {.board = "A B . C/A B . C/1 1 . 2",
         .goal = "* * A */* * A */2 * * *",
         .large = "ABC",
         .alike = {"ABC"},
         .slide = true},
        {.board = "A B . C/A B . C/1 3 . 2",
         .goal = "* * * A/* * * A/* 2 * .",
         .large = "ABC",
         .alike = {"CA", "31"},
         .slide = true},
        {.board = "A . B/A . B/. . 1", .goal = "B * */B * */* * 1", .large = "AB", .slide = true},
    };
    for (size_t i = 0; i < COUNT(specs); i += short_step(2))
        check_both(&specs[i], 1);
}

Test(keyed, walls)
{
    static const struct far_spec specs[] = {
        {.board = "A A . ./# 1 . #/2 . B B", .goal = "* * B B/# * * #/* * * *", .large = "AB", .slide = true},
        {.board = "A A . ./# 1 . #/2 . B B", .goal = "* * B B/# * * #/* * * *", .large = "AB"},
        {.board = "1 2 3 . ./# # 4 # #", .goal = "3 2 1 * */# # * # #", .slide = true},
        {.board = "1 . 2 # 3 . 4", .goal = "1 * * # 3 * *", .slide = true},
        {.board = "1 1 2 . ./. # # # ./2 . . . 3", .goal = "2 * * * */* # # # */* * 3 * *", .slide = true},
    };
    for (size_t i = 0; i < COUNT(specs); i++)
        check_both(&specs[i], 1);
}

/* The orders of 24 cars and the empty cells take more than 63 bits: packed keys are the keys. */
Test(keyed, more_orders_than_can_be_ranked)
{
    static const struct far_spec spec = {.board = ". F F F M D O P/N X J K M D O P/N X J K U U O P/A A . K . . . ./"
                                                  "E E I I H H T T/W W W Q B B G ./L L L Q C V G R/. S S Q C V . R",
                                         .goal = "* * * * * * * */* * * * * * * */* * * * * * * */* * * * * * A A/"
                                                 "* * * * * * * */* * * * * * * */* * * * * * * */* * * * * * * *",
                                         .large = "ABCDEFGHIJKLMNOPQRSTUVWX",
                                         .slide = true,
                                         .length = true};
    const char *starts[] = {spec.board, NULL};
    struct puzzle *puzzle = far_puzzle(&spec, starts);
    struct far_table *table = far_solve(&spec, starts);
    cr_assert(puzzle->states == INT64_MAX);
    check_keyed(puzzle, table, 20, "24 cars");

    /* No key does harm, and those of no board have no moves. */
    uint64_t random = 1, next[FAR_NEIGHBOURS];
    for (int i = 0; i < 1000; i++) {
        const uint64_t key = random_below(&random, puzzle->states);
        uint8_t position[BOARD_MAX_CELLS];
        uint64_t again;
        uint16_t moves;
        puzzle->family->index.successors(puzzle, &key, 1, next, &moves);
        puzzle->family->position.unrank(puzzle, key, position);
        cr_assert(moves == 0 || (puzzle->family->position.rank(puzzle, position, &again) && again == key));
    }

    /* A car of another column has no number in this one. */
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    cr_assert(puzzle_parse(puzzle,
                           ". F F F D M O P/N X J K D M O P/N X J K U U O P/A A . K . . . ./"
                           "E E I I H H T T/W W W Q B B G ./L L L Q C V G R/. S S Q C V . R",
                           position, &error) == PDB_BAD_BOARD);
    EXPECT_TEXT(error.message, "a piece stands where it cannot come from where it stands in the boards that t names");
    puzzle_free(puzzle);
    far_free(table);
}

Test(keyed, axes)
{
    static const struct far_spec specs[] = {
        {.board = "A A . B/. C C B/1 . . 2",
         .goal = "* * A A/* * * */* * * *",
         .large = "ABC",
         .slide = true,
         .length = true},
        {.board = "A A . B/. C C B/1 . . 2", .goal = "* * A A/* * * */* * * *", .large = "ABC", .length = true},
        {.board = "A A . B/. C C B/1 . . 2",
         .goal = "* * A A/* * * */* * * *",
         .large = "ABC",
         .slide = true,
         .axis = {"A l", "B v", "1 h"}},
        {.board = "A A . B/. C C B/1 . . 2",
         .goal = "* * * B/* A A B/* * * *",
         .large = "ABC",
         .axis = {"A v", "B h", "1 v", "2 h"}},
        {.board = "1 2 ./3 . 4/5 . .", .goal = "* * */* 1 */* * *", .slide = true, .axis = {"1 h", "2 v", "3 h"}},
        {.board = "1 2 ./3 . 4/5 . .", .goal = "* * */* 2 */* * *", .axis = {"1 h", "2 v", "3 h", "4 v"}},
        {.board = "1 1 ./. . 1/2 2 .", .goal = "* 2 */* * 1/* 1 *", .slide = true, .axis = {"1 h", "2 v"}},
        {.board = "1 3 ./. . 1/2 2 .",
         .goal = "* 2 */* * 1/* 1 *",
         .slide = true,
         .alike = {"13"},
         .axis = {"1 h", "3 h", "2 v"}},
        {.board = "U . U . . ./U U U . . ./. . A A . B/C C . . . B",
         .goal = "* * * U * U/* * * U U U/* * * * * */* * * * * *",
         .large = "UABC",
         .slide = true,
         .length = true}, /* a gap along its way */
        {.board = "S S . ./S S . 1/. . # 2",
         .goal = "* * S S/* * S S/* * # *",
         .large = "S",
         .slide = true,
         .length = true},
        {.board = "S S . ./S S . 1/. . . 2",
         .goal = "* * S S/* * S S/* * * *",
         .large = "S",
         .slide = true,
         .axis = {"S h", "1 h", "2 l"}},
    };
    for (size_t i = 0; i < COUNT(specs); i += short_step(2))
        check_both(&specs[i], 1);
}

Test(keyed, blanks)
{
    static const struct far_spec specs[] = {
        {.board = "1 2 3/4 5 .", .goal = "1 2 3/4 5 .", .slide = true},
        {.board = "1 2 3/4 . .", .goal = "1 2 3/4 . .", .slide = true},
        {
            .board = "1 2 3/4 . .",
            .goal = "1 2 3/4 . .",
        },
        {.board = "1 2 3/. . .", .goal = "1 2 3/. . .", .slide = true},
        {.board = "1 2 ./3 . .", .goal = "* * 1/* * *", .slide = true},
        {.board = "1 2 3/4 5 ./6 . .", .goal = "* 2 3/4 5 */6 * *", .slide = true},
        {.board = "1 1 2 3/2 . . .", .goal = "3 * * */* * * 1", .slide = true},
        {.board = "1 2 . 3 . .", .goal = ". . . 1 2 3", .slide = true},
    };
    for (size_t i = 0; i < COUNT(specs); i += short_step(2))
        check_both(&specs[i], 5);
}

Test(keyed, eight_puzzle_with_two_blanks)
{
    static const struct far_spec spec = {.board = "1 2 3/4 5 6/7 . .", .goal = "1 2 3/4 5 6/7 . .", .slide = true};
    check_both(&spec, 50 * share());
}

/* -- puzzles at random -- */

struct drawn {
    char board[FAR_TEXT], goal[FAR_TEXT], large[8], axis[FAR_LISTS][4];
    struct far_spec spec;
};

/* A board of up to 12 cells with walls, pieces of one cell and of several, some bound to an axis; its goal is one of
 * its arrangements, with cells open. */
static void draw(struct drawn *drawn, uint64_t *random)
{
    static const int shape[][3][2] = {
        {{0, 1}}, {{1, 0}}, {{1, 0}, {1, 1}}, {{0, 1}, {1, 0}}, {{0, 1}, {1, 0}, {1, 1}}, {{0, 1}, {0, 2}}};
    memset(drawn, 0, sizeof *drawn);
    const int rows = 2 + (int)random_below(random, 2), columns = 3 + (int)random_below(random, rows == 2 ? 3 : 2),
              cells = rows * columns;
    char cell[FAR_CELLS];
    int larges = 0, units = 0, axes = 0;
    for (int i = 0; i < cells; i++)
        cell[i] = random_below(random, 10) == 0 ? '#' : '.';
    for (int p = 0; p < 3; p++) {
        const int s = (int)random_below(random, COUNT(shape)), at = (int)random_below(random, (uint64_t)cells);
        int used[4] = {at}, count = 1;
        bool fits = cell[at] == '.';
        for (int c = 0; c < 3 && (shape[s][c][0] != 0 || shape[s][c][1] != 0); c++) {
            const int row = at / columns + shape[s][c][0], column = at % columns + shape[s][c][1];
            fits &= row < rows && column < columns && cell[(row * columns + column) % cells] == '.';
            used[count++] = (row * columns + column) % cells;
        }
        for (int c = 0; fits && c < count; c++)
            cell[used[c]] = (char)('A' + larges);
        if (fits)
            drawn->large[larges] = (char)('A' + larges);
        larges += fits;
    }
    const int wanted = (int)random_below(random, 5), names = 1 + (int)random_below(random, 4);
    for (int tries = 0; tries < 40 && units < wanted; tries++) {
        const int at = (int)random_below(random, (uint64_t)cells);
        if (cell[at] != '.')
            continue;
        cell[at] = (char)('1' + (int)random_below(random, (uint64_t)names));
        units++;
    }
    for (int i = 0; i < cells; i++) {
        drawn->board[2 * i] = cell[i];
        drawn->board[2 * i + 1] = i + 1 == cells ? '\0' : (i + 1) % columns == 0 ? '/' : ' ';
    }
    drawn->spec = (struct far_spec){
        .board = drawn->board, .goal = drawn->goal, .large = drawn->large, .slide = random_below(random, 4) != 0};
    drawn->spec.length = random_below(random, 4) == 0;
    for (const char *letter = "ABC1234"; !drawn->spec.length && *letter != '\0'; letter++)
        if (strchr(drawn->board, *letter) != NULL && random_below(random, 3) == 0) {
            snprintf(drawn->axis[axes], sizeof drawn->axis[axes], "%c %c", *letter, "hvl"[random_below(random, 3)]);
            drawn->spec.axis[axes] = drawn->axis[axes];
            axes++;
        }
    /* The goal: any arrangement. The oracle wants some goal meanwhile. */
    strcpy(drawn->goal, drawn->board);
    struct far_table *all = far_solve(&drawn->spec, NULL);
    const struct far_board board = far_board_at(all, (size_t)random_below(random, far_count(all)));
    far_text(all, &board, 0, drawn->goal);
    far_free(all);
    const uint64_t openness = random_below(random, 4);
    for (const char *letter = "ABC"; *letter != '\0'; letter++)
        if (random_below(random, 3) < openness)
            for (char *c = drawn->goal; *c != '\0'; c++)
                *c = *c == *letter ? '*' : *c;
    for (char *c = drawn->goal; *c != '\0'; c++)
        if (((*c >= '1' && *c <= '9') || *c == '.') && random_below(random, 3) < openness)
            *c = '*';
}

Test(keyed, puzzles_at_random)
{
    static struct drawn drawn;
    uint64_t random = 20261121;
    const int drawings = share() == 1 ? 150 : 40;
    int checked = 0;
    for (int i = 0; i < drawings; i++) {
        draw(&drawn, &random);
        if (strchr(drawn.board, '.') == NULL || strspn(drawn.board, ".#/ ") == strlen(drawn.board))
            continue;
        check_both(&drawn.spec, 3);
        checked++;
    }
    cr_expect(checked > drawings / 3 * 2, "%d puzzles", checked);
}
