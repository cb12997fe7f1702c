/* test_directions.c -- the search in layers, forward from the frontier and backward from what is left, against a plain
 * queue over indices
 *
 * All is done state by state, whatever the family may do better. Puzzles here are large enough for several threads, and
 * thick in their last layers, so that both directions are taken.
 */
#include "catalog/catalog.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define PERMUTE "puzzle: t\nfamily: permute\n"

static const char *const yamls[] = {
    /* modulo 3, five to a byte */
    PERMUTE
    "places: 1 2 3 4 5 6 7 8 9\ngenerators:\n  a: {reverse: 1 2}\n  b: {reverse: 1 2 3}\n  c: {reverse: 1 2 3 4}\n"
    "  d: {reverse: 1 2 3 4 5}\n  e: {reverse: 1 2 3 4 5 6}\n  f: {reverse: 1 2 3 4 5 6 7}\n  g: {reverse: 1 2 3 4 5 6 "
    "7 8}\n"
    "  h: {reverse: 1 2 3 4 5 6 7 8 9}\n",
    /* coloured */
    PERMUTE "places: 1 2 3 4 5 6 7 8 9\ngenerators:\n  a: (1 2)\n  b: (2 3)\n  c: (3 4)\n  d: (4 5)\n  e: (5 6)\n  f: "
            "(6 7)\n  g: (7 8)\n  h: (8 9)\n",
    /* modulo 3, with indices that are never reached: the moves keep pairs together */
    PERMUTE "places: 1 2 3 4 5 6 7 8\ngenerators:\n  a: (1 3)(2 4)\n  b: (3 5)(4 6)\n  c: (5 7)(6 8)\n  d: (1 2)\n",
    /* several goals */
    PERMUTE
    "places: 1 2 3 4 5 6 7 8 9\ngoal: '1 2 3 4 5 6 * * *'\nturns: all\ngenerators:\n  a: 1 2 3 4 5\n  b: 4 5 6 7 8 9\n",
    /* moves that cannot be undone */
    PERMUTE
    "places: 1 2 3 4 5 6 7 8 9\nturns: forward\ngenerators:\n  a: 1 2 3 4 5\n  b: 4 5 6 7 8 9\n  c: (1 9)(2 8 4)\n",
    "puzzle: t\nfamily: flip\nvalues: 3\nboard: ..../..../....\naround: plus\n",
};

/* -- the queue -- */

struct queue {
    uint8_t *distance; /* 255: none */
    uint64_t *state, count;
};

static pdb_status add_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct queue *queue = context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        queue->distance[index[i]] = 0;
        queue->state[queue->count++] = index[i];
    }
    return PDB_OK;
}

/* The distances of all states, a byte each; the caller frees them. */
static uint8_t *plain_distances(const struct puzzle *puzzle)
{
    struct queue queue = {checked_memory(puzzle->states, 1), checked_memory(puzzle->states, sizeof(uint64_t)), 0};
    uint64_t *next = checked_memory(puzzle->max_moves, sizeof *next);
    memset(queue.distance, 255, puzzle->states);
    cr_assert(puzzle->family->index.goals(puzzle, add_goals, &queue, NULL) == PDB_OK);
    for (uint64_t i = 0; i < queue.count; i++) {
        uint16_t number;
        puzzle->family->index.predecessors(puzzle, &queue.state[i], 1, next, &number);
        for (unsigned n = 0; n < number; n++)
            if (queue.distance[next[n]] == 255) {
                queue.distance[next[n]] = (uint8_t)(queue.distance[queue.state[i]] + 1);
                queue.state[queue.count++] = next[n];
            }
    }
    free(queue.state);
    free(next);
    return queue.distance;
}

/* -- comparing -- */

static void compare(const struct puzzle *puzzle, const struct solved *solved, const uint8_t *expected)
{
    enum { BATCH = 4096 };
    const struct retrograde_result *result = &solved->result;
    uint64_t count[256] = {0}, index[BATCH], hardest = 0;
    uint32_t distance[BATCH];
    for (uint64_t first = 0; first < puzzle->states; first += BATCH) {
        const size_t batch = puzzle->states - first < BATCH ? (size_t)(puzzle->states - first) : BATCH;
        for (size_t i = 0; i < batch; i++)
            index[i] = first + i;
        cr_assert(distance_get(&solved->values, index, batch, distance, NULL) == PDB_OK);
        for (size_t i = 0; i < batch; i++) {
            const uint8_t right = expected[first + i];
            cr_assert(distance[i] == (right == 255 ? DISTANCE_NONE : right), "index %llu",
                      (unsigned long long)index[i]);
            count[right]++;
            if (right == result->depths - 1 && hardest < result->hardest_kept)
                cr_assert(result->hardest[hardest++] == index[i]);
        }
    }
    cr_assert(result->reachable == puzzle->states - count[255] && count[result->depths] == 0);
    cr_assert(memcmp(result->histogram, count, result->depths * sizeof *count) == 0);
}

static void check(const struct puzzle *puzzle, const char *what)
{
    uint8_t *expected = plain_distances(puzzle);
    struct solved one, other;
    solve_by(RETROGRADE_STATES, puzzle, 1, &one);
    compare(puzzle, &one, expected);
    for (unsigned threads = share() == 1 ? 2 : 3; threads <= 3; threads++) {
        solve_by(RETROGRADE_STATES, puzzle, threads, &other);
        cr_assert(other.memory.size == one.memory.size &&
                      memcmp(other.memory.bytes, one.memory.bytes, one.memory.size) == 0,
                  "%u threads\n%s", threads, what);
        solved_free(&other);
    }
    solved_free(&one);
    free(expected);
}

Test(directions, every_distance)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        if (share() > 1 && (i == 0 || i == 3)) /* in short without the largest two */
            continue;
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        check(puzzle, yamls[i]);
        puzzle_free(puzzle);
    }
}

Test(directions, built_in_puzzles)
{
    static const char *const names[] = {"diagonal-slide", "pyraminx", "8-puzzle", "guarini", "hoppers"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *puzzle = built_in(names[i]);
        check(puzzle, names[i]);
        puzzle_free(puzzle);
    }
}

/* -- stopping -- */

static bool stop(void *context, const struct retrograde_progress *progress)
{
    int *calls = context;
    cr_assert(progress->layer_done >= 0 && progress->layer_done <= 1);
    ++*calls;
    return false;
}

/* Every layer is stopped before it is made, whichever way: nothing of it stays. */
Test(directions, stopped_at_every_layer)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct solved straight;
        struct retrograde *search;
        struct retrograde_result result;
        pdb_error error;
        int calls = 0, layers = 0;
        solve(puzzle, 1, &straight);
        cr_assert(retrograde_of(RETROGRADE_STATES, puzzle, 1, &search, &error) == PDB_OK);
        for (bool done = false; !done; layers++) {
            const pdb_status status = retrograde_layer(search, stop, &calls, &done, &error);
            cr_assert(status == PDB_INTERRUPTED ||
                      (status == PDB_OK && retrograde_progress(search).reached == straight.result.reachable));
            cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK);
        }
        cr_assert(calls >= layers - 1 && layers > 3);
        retrograde_finish(search, &result);
        cr_assert(memcmp(result.bytes, straight.memory.bytes, straight.memory.size) == 0, "%s", yamls[i]);
        retrograde_free(search);
        solved_free(&straight);
        puzzle_free(puzzle);
    }
}
