/* test_peg.c -- peg solitaire against its oracle: every board of every small board
 *
 * The oracle's jumps are those of puzzles.md, hole by hole; the library's come from the pictures of the shipped
 * definitions. So the comparison covers the pictures too.
 */
#include "tests/support/family_search.h"
#include "oracle.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char hoppers_jumps[] =
    "0:(1,2)(3,6)(5,10) 1:(3,5)(6,11)(4,7) 2:(1,0)(4,6)(7,12) 3:(6,9) 4:(6,8) 5:(3,1)(6,7)(8,11)"
    "6:(3,0)(4,2)(8,10)(9,12) 7:(4,1)(6,5)(9,11) 8:(6,4) 9:(6,3) 10:(5,0)(8,6)(11,12) 11:(8,5)(6,1)(9,7)"
    "12:(11,10)(9,6)(7,2)";

static const char triangle_21_jumps[] =
    "0:(2,4) 1:(2,3) 2:(3,5)(4,7) 3:(2,1)(5,8)(6,10) 4:(2,0)(6,9)(7,11) 5:(3,2)(6,7)(8,13)(9,15) 6:(9,14)(10,16)"
    "7:(4,2)(6,5)(10,15)(11,17) 8:(5,3)(9,10)(13,19) 9:(6,4)(10,11) 10:(6,3)(9,8) 11:(7,4)(10,9)(17,20) 12:(13,14)"
    "13:(8,5)(14,15) 14:(9,6)(13,12)(15,16) 15:(9,5)(10,7)(14,13)(16,17) 16:(10,6)(15,14)(17,18) 17:(11,7)(16,15)"
    "18:(17,16) 19:(13,8) 20:(17,11)";

static const char triangle_15_jumps[] =
    "0:(1,3)(2,5) 1:(3,6)(4,8) 2:(4,7)(5,9) 3:(1,0)(4,5)(6,10)(7,12) 4:(7,11)(8,13) 5:(2,0)(4,3)(8,12)(9,14)"
    "6:(3,1)(7,8) 7:(4,2)(8,9) 8:(4,1)(7,6) 9:(5,2)(8,7) 10:(6,3)(11,12) 11:(7,4)(12,13)"
    "12:(7,3)(8,5)(11,10)(13,14) 13:(8,4)(12,11) 14:(9,5)(13,12)";

/* -- every board against the oracle -- */

/* How many shortest solutions there are, by the family's `counted_successors`. */
static uint64_t count_solutions(const struct puzzle *puzzle, const uint8_t *distance, uint64_t state)
{
    if (distance[state] == 0)
        return 1;
    uint64_t *next = malloc(2 * puzzle->max_moves * sizeof *next), *ways = next + puzzle->max_moves, total = 0;
    const size_t count = puzzle->family->index.counted_successors(puzzle, state, next, ways);
    for (size_t i = 0; i < count; i++)
        if (distance[next[i]] == distance[state] - 1)
            total += ways[i] * count_solutions(puzzle, distance, next[i]);
    free(next);
    return total;
}

static void compare_all(const struct puzzle *puzzle, const struct oracle_peg *oracle)
{
    struct oracle_peg_table *expected = oracle_peg_solve(oracle);
    uint8_t *distance = family_distances(puzzle);
    cr_assert(puzzle->states == (uint64_t)1 << oracle->holes && !puzzle->keyed && !puzzle->undoable);
    for (uint64_t state = 0; state < puzzle->states; state++) {
        uint8_t position[BOARD_MAX_CELLS];
        uint64_t index;
        puzzle->family->position.unrank(puzzle, state, position);
        cr_assert(puzzle->family->position.rank(puzzle, position, &index) && index == state);
        cr_assert(puzzle->family->position.is_goal(puzzle, position) == oracle_peg_is_goal(oracle, position));
        const int wanted = oracle_peg_distance(expected, position);
        cr_assert(distance[state] == (wanted < 0 ? FAMILY_SEARCH_NONE : wanted), "board %llu: %u, not %d",
                  (unsigned long long)state, distance[state], wanted);
        if (state % 4099 == 0 && wanted > 0 && wanted < 6)
            cr_assert(count_solutions(puzzle, distance, state) == oracle_peg_count(expected, position));
    }
    free(distance);
    oracle_peg_free(expected);
}

static struct oracle_peg oracle_of(int holes, bool sweeps, int goal_pegs, const char *jumps, const char *goal)
{
    struct oracle_peg oracle = {.holes = holes, .sweeps = sweeps, .goal_pegs = goal_pegs};
    oracle_peg_add_jumps(&oracle, jumps);
    oracle_peg_add_goal(&oracle, goal);
    return oracle;
}

Test(peg, every_board_of_hoppers)
{
    const struct oracle_peg oracle = oracle_of(13, true, -1, hoppers_jumps, "0000001000000");
    struct puzzle *puzzle = built_in("hoppers");
    compare_all(puzzle, &oracle);
    puzzle_free(puzzle);
}

Test(peg, every_board_of_triangle_15)
{
    const struct oracle_peg oracle = oracle_of(15, true, 1, triangle_15_jumps, "***************");
    struct puzzle *puzzle = built_in("triangle-15");
    compare_all(puzzle, &oracle);
    puzzle_free(puzzle);
}

Test(peg, every_board_of_triangle_21)
{
    const struct oracle_peg oracle = oracle_of(21, true, -1, triangle_21_jumps, "000000100000000000000");
    struct puzzle *puzzle = built_in("triangle-21");
    compare_all(puzzle, &oracle);
    puzzle_free(puzzle);
}

/* The jumps of a square board in all eight directions, from coordinates. */
static void add_square_jumps(struct oracle_peg *oracle, const char *const *row, int rows)
{
    int number[16][16], hole = 0;
    char text[64];
    for (int r = 0; r < rows; r++)
        for (int c = 0; row[r][c] != '\0'; c++)
            number[r][c] = row[r][c] == '#' ? -1 : hole++;
    const int columns = (int)strlen(row[0]);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++)
            for (int d = 0; d < 9; d++) {
                const int to_r = r + 2 * (d / 3 - 1), to_c = c + 2 * (d % 3 - 1);
                if (d == 4 || to_r < 0 || to_c < 0 || to_r >= rows || to_c >= columns)
                    continue;
                const int over = number[(r + to_r) / 2][(c + to_c) / 2];
                if (number[r][c] < 0 || over < 0 || number[to_r][to_c] < 0)
                    continue;
                snprintf(text, sizeof text, "%d:(%d,%d)", number[r][c], over, number[to_r][to_c]);
                oracle_peg_add_jumps(oracle, text);
            }
}

static const char *const diagonal_21_rows[] = {"#ooo#", "ooooo", "ooooo", "ooooo", "#ooo#"};

/* No figure was ever printed for it: the oracle's answer is the confirmation. */
Test(peg, every_board_of_diagonal_21)
{
    struct oracle_peg oracle = oracle_of(21, true, -1, "", "000000000010000000000");
    add_square_jumps(&oracle, diagonal_21_rows, 5);
    struct puzzle *puzzle = built_in("diagonal-21");
    compare_all(puzzle, &oracle);
    puzzle_free(puzzle);
}

/* The same boards with single jumps as moves. */
Test(peg, every_board_by_jumps)
{
    const struct oracle_peg oracle = oracle_of(13, false, -1, hoppers_jumps, "0000001000000");
    struct puzzle *puzzle = make_puzzle(
        "puzzle: p\nfamily: peg\njumps: orthogonal diagonal\nmetric: jump\ngoal: 000/00/010/00/000\n");
    compare_all(puzzle, &oracle);
    puzzle_free(puzzle);
}

/* A list of jumps that cannot all be made both ways, goals that overlap, and a number of pegs besides. */
Test(peg, every_board_of_a_list_with_goals)
{
    struct oracle_peg oracle = oracle_of(6, true, 2, "0:(1,2) 2:(3,4)(1,5) 4:(5,0) 5:(4,3)", "1****0");
    oracle_peg_add_goal(&oracle, "**1***");
    struct puzzle *puzzle = make_puzzle(
        "puzzle: p\nfamily: peg\njumps:\n  5: (4,3)\n  0: (1,2)\n  2: (3, 4), ( 1 ,5)\n  4: (5,0)\n"
        "pegs: 2\ngoal: [1****0, '**1***']\n");
    compare_all(puzzle, &oracle);
    puzzle_free(puzzle);
}

/* -- moves -- */

struct listed {
    const pdb_moves *moves;
    size_t at;
};

static void compare_move(void *context, const unsigned char *board, const int *hole, int holes)
{
    struct listed *listed = context;
    char text[256], *end = text;
    cr_assert(listed->at < listed->moves->count);
    const pdb_move *move = &listed->moves->move[listed->at++];
    for (int i = 0; i < holes; i++)
        end += sprintf(end, i == 0 ? "%d" : "-%d", hole[i]);
    cr_assert(memcmp(move->board.symbol, board, 13) == 0);
    cr_assert_str_eq(move->text, text);
}

/* The chains of a position are those of the oracle, one by one; `counted_successors` counts them; and `successors` are
 * the states of `counted_successors`. */
Test(peg, moves_of_every_board)
{
    struct oracle_peg oracle = oracle_of(13, true, -1, "", "0000001000000");
    struct puzzle *puzzle = built_in("hoppers");
    uint64_t next[2048], ways[2048], reached[4096], also[2048];
    pdb_moves moves = {0};
    oracle_peg_add_jumps(&oracle,
                         "0:(1,2)(3,6)(5,10) 1:(3,5)(4,7)(6,11) 2:(1,0)(4,6)(7,12) 3:(6,9) 4:(6,8) 5:(3,1)(6,7)(8,11)"
                         "6:(3,0)(4,2)(8,10)(9,12) 7:(4,1)(6,5)(9,11) 8:(6,4) 9:(6,3) 10:(5,0)(8,6)(11,12)"
                         "11:(6,1)(8,5)(9,7) 12:(7,2)(9,6)(11,10)"); /* ascending, as moves are listed */
    cr_assert(puzzle->max_moves <= COUNT(next));
    for (uint64_t state = 0; state < puzzle->states; state++) {
        uint8_t position[BOARD_MAX_CELLS];
        uint16_t moves_out;
        size_t listed_states = 0;
        puzzle->family->position.unrank(puzzle, state, position);
        moves.count = 0;
        cr_assert(puzzle->family->position.moves(puzzle, position, &moves, NULL) == PDB_OK);
        struct listed listed = {&moves, 0};
        oracle_peg_moves(&oracle, position, compare_move, &listed);
        cr_assert(listed.at == moves.count);
        const size_t count = puzzle->family->index.counted_successors(puzzle, state, next, ways);
        cr_assert(puzzle->family->index.successors(puzzle, &state, 1, also, &moves_out) == count && moves_out == count);
        cr_assert(memcmp(next, also, count * sizeof *next) == 0);
        for (size_t i = 0; i < count; i++)
            for (uint64_t w = 0; w < ways[i]; w++)
                reached[listed_states++] = next[i];
        cr_assert(listed_states == moves.count);
        qsort(reached, listed_states, sizeof *reached, compare_numbers);
        for (size_t i = 0; i < moves.count; i++)
            cr_assert(puzzle->family->position.rank(puzzle, moves.move[i].board.symbol, &also[i]));
        qsort(also, moves.count, sizeof *also, compare_numbers);
        cr_assert(memcmp(reached, also, moves.count * sizeof *also) == 0);
    }
    pdb_moves_free(&moves);
    puzzle_free(puzzle);
}

/* How often `wanted` is among the neighbours. */
static size_t count_of(const uint64_t *next, size_t count, uint64_t wanted)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += next[i] == wanted;
    return found;
}

/* A state is among the predecessors of its successors as often as these are among its successors; and in all there are
 * as many of the ones as of the others. */
Test(peg, moves_and_their_inverses)
{
    static const char *const names[] = {"hoppers", "triangle-15"};
    for (size_t n = 0; n < COUNT(names); n++) {
        struct puzzle *puzzle = built_in(names[n]);
        uint64_t *out = malloc(2 * puzzle->max_moves * sizeof *out), *into = out + puzzle->max_moves, all_out = 0,
                 all_in = 0;
        uint16_t moves;
        for (uint64_t state = 0; state < puzzle->states; state++) {
            all_in += puzzle->family->index.predecessors(puzzle, &state, 1, into, &moves);
            const size_t count = puzzle->family->index.successors(puzzle, &state, 1, out, &moves);
            all_out += count;
            for (size_t i = 0; i < count; i++) {
                const size_t back = puzzle->family->index.predecessors(puzzle, &out[i], 1, into, &moves);
                cr_assert(count_of(into, back, state) == count_of(out, count, out[i]));
            }
        }
        cr_assert(all_in == all_out && all_in > 0);
        free(out);
        puzzle_free(puzzle);
    }
}

/* -- the figures of puzzles.md -- */

static void check_figures(const char *name, uint32_t start, const char *after_first_jump, uint64_t solutions)
{
    struct puzzle *puzzle = built_in(name);
    uint8_t *distance = family_distances(puzzle);
    cr_expect(distance[index_of(puzzle, "start")] == start, "%s: %u", name, distance[index_of(puzzle, "start")]);
    if (after_first_jump != NULL) {
        /* The first move is fixed to a jump of its own: what is left is one move shorter. */
        const uint64_t state = index_of(puzzle, after_first_jump);
        cr_expect(distance[state] == start - 1);
        cr_expect(count_solutions(puzzle, distance, state) == solutions);
    }
    free(distance);
    puzzle_free(puzzle);
}

Test(peg, figures)
{
    check_figures("hoppers", 7, "0110111111111", 18);
    check_figures("triangle-21", 12, "first-jump", 96);
}

/* -- large boards: keys -- */

static struct oracle_peg english_oracle(const char *goal)
{
    static const char *const rows[] = {"##ooo##", "##ooo##", "ooooooo", "ooooooo", "ooooooo", "##ooo##", "##ooo##"};
    struct oracle_peg oracle = {.holes = 33, .sweeps = true, .goal_pegs = -1}, all = oracle;
    add_square_jumps(&all, rows, 7);
    for (int j = 0; j < all.jumps; j++) { /* the orthogonal ones: those along a row or a column */
        int row[33], column[33], hole = 0;
        for (int r = 0; r < 7; r++)
            for (int c = 0; c < 7; c++)
                if (rows[r][c] != '#') {
                    row[hole] = r;
                    column[hole++] = c;
                }
        if (row[all.jump[j].from] == row[all.jump[j].to] || column[all.jump[j].from] == column[all.jump[j].to])
            oracle.jump[oracle.jumps++] = all.jump[j];
    }
    oracle_peg_add_goal(&oracle, goal);
    return oracle;
}

static unsigned symmetry_count(const struct puzzle *puzzle)
{
    uint8_t position[BOARD_MAX_CELLS] = {0}, image[BOARD_MAX_CELLS];
    unsigned count = 0;
    while (puzzle->family->index.image(puzzle, position, count, image))
        count++;
    return count;
}

/* All images of random boards have one key, which is one of them; there are as many different ones as `weights`
 * says. */
static void check_symmetries(const struct puzzle *puzzle, unsigned symmetries)
{
    const unsigned holes = puzzle->board.places;
    uint64_t random = 88172645463325252;
    cr_assert(puzzle->keyed && symmetry_count(puzzle) == symmetries, "%u", symmetry_count(puzzle));
    for (int round = 0; round < 2000; round++) {
        uint8_t position[BOARD_MAX_CELLS], image[BOARD_MAX_CELLS], seen[64][BOARD_MAX_CELLS];
        const uint64_t bits = next_random(&random) &
                              (round % 2 ? next_random(&random)
                                         : next_random(&random) & next_random(&random) & next_random(&random));
        uint64_t key, image_key;
        unsigned different = 0;
        uint16_t weight;
        bool met = false;
        for (unsigned hole = 0; hole < holes; hole++)
            position[hole] = bits >> hole & 1;
        cr_assert(puzzle->family->position.rank(puzzle, position, &key) && key < puzzle->states);
        for (unsigned s = 0; s < symmetries; s++) {
            unsigned known = 0;
            cr_assert(puzzle->family->index.image(puzzle, position, s, image));
            cr_assert(s > 0 || memcmp(image, position, holes) == 0);
            cr_assert(puzzle->family->position.rank(puzzle, image, &image_key) && image_key == key);
            cr_assert(puzzle->family->position.is_goal(puzzle, image) ==
                      puzzle->family->position.is_goal(puzzle, position));
            while (known < different && memcmp(seen[known], image, holes) != 0)
                known++;
            if (known == different)
                memcpy(seen[different++], image, holes);
        }
        puzzle->family->index.weights(puzzle, &key, 1, &weight);
        puzzle->family->position.unrank(puzzle, key, position);
        for (unsigned i = 0; i < different; i++)
            met |= memcmp(seen[i], position, holes) == 0;
        cr_assert(met && weight == different);
    }
}

Test(peg, symmetries)
{
    static const struct {
        const char *definition;
        unsigned symmetries;
    } puzzles[] = {
        {"jumps: orthogonal\ngoal: |\n  ##...##\n  ##...##\n  .......\n  ...1...\n  .......\n  ##...##\n  ##...##\n",
         8},
        {"jumps: orthogonal\ngoal: |\n  ##.1.##\n  ##...##\n  .......\n  .......\n  .......\n  ##...##\n  ##...##\n",
         2},
        {"jumps: orthogonal\ngoal: |\n  ##1..##\n  ##...##\n  .......\n  .......\n  .......\n  ##...##\n  ##...##\n",
         1},
        {"jumps: orthogonal\npegs: 1\nboard: |\n  ##1..##\n  ##...##\n  .......\n  .......\n  .......\n  ##...##\n  "
         "##...##\n",
         8},
        {"jumps: triangular\npegs: 1\nboard: 0/00/000/0000/00000/000000/0000000\n", 6},
        {"jumps: orthogonal diagonal\nmetric: jump\ngoal: 000000/000000/001000/000000/000000\n", 2},
        {"jumps: orthogonal diagonal\nmetric: jump\ngoal: 000000/000000/******/000000/000000\n", 4},
    };
    for (size_t i = 0; i < COUNT(puzzles); i++) {
        char text[1000];
        snprintf(text, sizeof text, "puzzle: p\nfamily: peg\n%s", puzzles[i].definition);
        struct puzzle *puzzle = make_puzzle(text);
        check_symmetries(puzzle, puzzles[i].symmetries);
        puzzle_free(puzzle);
    }
}

static pdb_status keep_goal(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    cr_assert(count == 1);
    *(uint64_t *)context = *index;
    return PDB_OK;
}

static size_t unique(uint64_t *key, size_t count)
{
    size_t kept = 0;
    qsort(key, count, sizeof *key, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || key[kept - 1] != key[i])
            key[kept++] = key[i];
    return kept;
}

/* Layers of keys backward from the centre of the English board: what is new in a layer is exactly that far away, as
 * forward tries say. Boards of few pegs only, for the tries' sake. */
Test(peg, english_backward)
{
    enum { ROOM = 1 << 16, DEPTHS = 4, PEGS = 8 };
    struct puzzle *puzzle = built_in("english-33");
    char goal[34] = "000000000000000000000000000000000";
    goal[16] = '1';
    const struct oracle_peg oracle = english_oracle(goal);
    uint64_t *all = malloc(ROOM * sizeof *all), *next = malloc(puzzle->max_moves * sizeof *next);
    size_t count = 1, first = 0;
    cr_assert(oracle.jumps == 76 && puzzle->family->index.goals(puzzle, keep_goal, all, NULL) == PDB_OK);
    for (int depth = 1; depth <= DEPTHS; depth++) {
        size_t found = count;
        for (size_t i = first; i < count; i++) {
            uint16_t moves;
            const size_t total = puzzle->family->index.predecessors(puzzle, &all[i], 1, next, &moves);
            for (size_t m = 0; m < total; m++)
                if (__builtin_popcountll(next[m]) <= PEGS && count_of(all, count, next[m]) == 0) {
                    cr_assert(found < ROOM);
                    all[found++] = next[m];
                }
        }
        first = count;
        count += unique(all + count, found - count);
        for (size_t i = first; i < count; i += 1 + (count - first) / 100) {
            uint8_t position[BOARD_MAX_CELLS];
            puzzle->family->position.unrank(puzzle, all[i], position);
            cr_assert(oracle_peg_try(&oracle, position) == depth);
        }
    }
    cr_assert(count > 100);
    free(all);
    free(next);
    puzzle_free(puzzle);
}
