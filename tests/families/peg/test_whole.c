/* test_whole.c -- all distances of a peg board at once: against the oracle and the search in layers, and stopped */
#include "oracle.h"
#include "tests/support/layer_ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- random boards -- */

enum { TEXT_MAX = 8000, HOLES_MAX = 20 };

/* Jumps over any holes, so that most cannot be made both ways. */
static char *random_jumps(uint64_t *random, unsigned holes, struct oracle_peg *oracle, char *text)
{
    static const char head[] = "puzzle: p\nfamily: peg\njumps:\n";
    bool jump[HOLES_MAX][HOLES_MAX][HOLES_MAX] = {0};
    text += sprintf(text, "%s", head);
    for (uint64_t left = random_below(random, 2 * holes + 10); left > 0; left--)
        jump[random_below(random, holes)][random_below(random, holes)][random_below(random, holes)] = true;
    jump[holes - 1][0][1] = true;
    for (unsigned from = 0; from < holes; from++) {
        char list[1000], *end = list + sprintf(list, "%u: ", from);
        const char *begin = end;
        for (unsigned over = 0; over < holes; over++)
            for (unsigned to = 0; to < holes; to++)
                if (jump[from][over][to] && from != over && from != to && over != to)
                    end += sprintf(end, "(%u,%u)", over, to);
        if (end == begin)
            continue;
        oracle_peg_add_jumps(oracle, list);
        text += sprintf(text, "  %s\n", list);
    }
    return text;
}

/* One goal or two, which overlap or not, with open holes or none; and perhaps as many pegs as the first has. */
static void random_goals(uint64_t *random, unsigned holes, struct oracle_peg *oracle, char *text)
{
    const bool counted = random_below(random, 3) == 0, two = !counted && random_below(random, 2);
    char first[HOLES_MAX + 1] = "", second[HOLES_MAX + 1] = "";
    int pegs = 0;
    for (unsigned hole = 0; hole < holes; hole++) {
        first[hole] = "0010*"[random_below(random, 4 + counted)];
        second[hole] = "001*"[random_below(random, 4)];
        pegs += first[hole] == '1';
    }
    second[holes - 1] = first[holes - 1] == '1' ? '0' : '1';
    oracle_peg_add_goal(oracle, first);
    if (two)
        oracle_peg_add_goal(oracle, second);
    text += two ? sprintf(text, "goal: ['%s', '%s']\n", first, second) : sprintf(text, "goal: ['%s']\n", first);
    oracle->goal_pegs = counted ? pegs : -1;
    if (counted)
        text += sprintf(text, "pegs: %d\n", pegs);
    oracle->sweeps = random_below(random, 3) > 0;
    sprintf(text, "metric: %s\n", oracle->sweeps ? "sweep" : "jump");
}

static struct puzzle *random_board(uint64_t *random, unsigned holes, struct oracle_peg *oracle, char *text)
{
    *oracle = (struct oracle_peg){.holes = (int)holes};
    random_goals(random, holes, oracle, random_jumps(random, holes, oracle, text));
    struct puzzle *puzzle = make_puzzle(text);
    cr_assert(puzzle->at_once && puzzle->states == (uint64_t)1 << holes, "%s", text);
    return puzzle;
}

static bool go_on(void *context, double done)
{
    double *last = context;
    cr_assert(done >= *last && done <= 1);
    *last = done;
    return true;
}

/* The contract's function, on memory that holds anything. */
static void compare_boards(const struct puzzle *puzzle, const struct oracle_peg *oracle, const char *text)
{
    struct oracle_peg_table *expected = oracle_peg_solve(oracle);
    const size_t size = puzzle->states < 64 ? 64 : puzzle->states;
    uint8_t *distance = checked_memory(size, 1), *wanted = checked_memory(size, 1);
    uint8_t *scratch = checked_memory(puzzle->scratch, 1);
    double last = 0;
    memset(wanted, UINT8_MAX, size);
    for (uint64_t state = 0; state < puzzle->states; state++) {
        uint8_t board[BOARD_MAX_CELLS];
        puzzle->family->position.unrank(puzzle, state, board);
        wanted[state] = (uint8_t)oracle_peg_distance(expected, board); /* -1: 255 */
    }
    for (size_t i = 0; i < size; i++)
        distance[i] = wanted[i] == 0 ? 0 : UINT8_MAX;
    for (uint64_t i = 0; i < puzzle->scratch; i++)
        scratch[i] = (uint8_t)(i * i >> 8);
    cr_assert(puzzle->family->space.distances(puzzle, false, 2, distance, scratch, go_on, &last));
    cr_assert(memcmp(distance, wanted, size) == 0, "%s", text);
    free(distance);
    free(wanted);
    free(scratch);
    oracle_peg_free(expected);
}

Test(peg_whole, random_boards_as_the_oracle_has_them)
{
    char text[TEXT_MAX];
    struct oracle_peg oracle;
    uint64_t random = 22;
    for (unsigned round = 0; round < 200; round++) {
        struct puzzle *puzzle = random_board(&random, 3 + round % 8, &oracle, text);
        compare_boards(puzzle, &oracle, text);
        puzzle_free(puzzle);
    }
}

/* Boards of one group of blocks, of some, and of more than a share has. */
Test(peg_whole, random_boards_as_in_layers)
{
    char text[TEXT_MAX];
    struct oracle_peg oracle;
    uint64_t random = 9;
    for (unsigned holes = 11; holes <= 17; holes++)
        for (unsigned round = 0; round < 20 - holes; round++) {
            struct puzzle *puzzle = random_board(&random, holes, &oracle, text);
            compare_ways(puzzle, text);
            puzzle_free(puzzle);
        }
}

/* -- stopping, memory -- */

static bool stop(void *context, const struct retrograde_progress *progress)
{
    (void)context;
    return progress->layer_done < 0;
}

static bool stop_after(void *context, double done)
{
    int *left = context;
    return --*left > 0 && done <= 1;
}

/* Wherever it is stopped, it is so at once, and the search begins anew. */
Test(peg_whole, stopped)
{
    struct puzzle *puzzle = built_in("triangle-15");
    struct outcome straight = run_search(RETROGRADE_STATES, puzzle, 1);
    uint8_t *distance = checked_memory(puzzle->states, 1), *scratch = checked_memory(puzzle->scratch, 1);
    for (int calls = 1; calls <= 15; calls++) {
        int left = calls;
        cr_assert(!puzzle->family->space.distances(puzzle, false, 1, distance, scratch, stop_after, &left));
        cr_assert(left == 0);
    }
    struct retrograde *search = begin_search(RETROGRADE_BEST, puzzle, 2);
    bool done = false;
    pdb_error error;
    cr_assert(retrograde_layer(search, stop, NULL, &done, &error) == PDB_INTERRUPTED && !done);
    struct outcome again = end_search(search);
    cr_assert(same_outcome(&again, &straight));
    retrograde_free(again.search);
    retrograde_free(straight.search);
    free(distance);
    free(scratch);
    puzzle_free(puzzle);
}

/* A byte for the distances and others for the bits of each board, or a byte and a bit. */
Test(peg_whole, the_way_that_there_is_memory_for)
{
    struct puzzle *puzzle = built_in("triangle-15");
    const uint64_t best = plan_of(RETROGRADE_BEST, puzzle, 2).memory,
                   least = plan_of(RETROGRADE_STATES, puzzle, 2).memory;
    cr_assert(least < best && best - least > 2 * puzzle->states);
    EXPECT_TEXT(plan_within(best, puzzle, 2).text, "all at once");
    EXPECT_TEXT(plan_within(best - 1, puzzle, 2).text, "in layers state by state");
    puzzle_free(puzzle);
}
