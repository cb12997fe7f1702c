/* test_ida.c -- the searcher for any puzzle, against the distances of whole spaces
 *
 * Every answer goes through search_solve, which walks its path by the plain rules. Distances and numbers of solutions
 * are the retrograde search's, for directed graphs those of digraph_solve.
 */
#include "tests/support/digraph.h"
#include "tests/support/support.h"

#include "lib/search/board/ida.h"
#include "lib/search/space/keyed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct searcher *make_searcher(const struct puzzle *puzzle, struct search_options options)
{
    struct searcher *searcher = NULL;
    pdb_error error;
    cr_assert(search_make(&ida_class, puzzle, &options, &searcher, &error) == PDB_OK, "%s", error.message);
    return searcher;
}

/* Solves a position that is known to be at this distance; returns the path, for the caller to free. */
static uint8_t *expect_distance(const struct searcher *searcher, const uint8_t *position, uint32_t distance)
{
    struct search_answer answer;
    pdb_error error;
    pdb_status status = search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, &error);
    cr_assert(status == PDB_OK, "%s", error.message);
    cr_assert(answer.distance == distance, "%s: %u, not %u", searcher->puzzle->name, answer.distance, distance);
    cr_assert(answer.bound == distance && (answer.path != NULL) == (distance != PDB_NO_DISTANCE));
    return answer.path;
}

static void expect_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                         unsigned __int128 expected)
{
    unsigned __int128 count;
    pdb_error error;
    cr_assert(searcher->class->count(searcher, position, distance, NULL, NULL, &count, &error) == PDB_OK, "%s",
              error.message);
    cr_assert(count == expected, "%s: %llu solutions of %u moves, not %llu", searcher->puzzle->name,
              (unsigned long long)count, distance, (unsigned long long)expected);
}

/* Every `step`-th state of a space from `first` on: distance and number of solutions. `base` has the same positions as
 * the solved puzzle: the puzzle itself, or the one with keys that it was made of. */
static void compare_states(const struct solved *solved, const struct puzzle *base, struct search_options options,
                           uint64_t first, uint64_t step)
{
    const struct puzzle *puzzle = solved->values.puzzle;
    struct searcher *searcher = make_searcher(base, options);
    pdb_error error;
    for (uint64_t index = first; index < puzzle->states; index += step) {
        uint8_t position[BOARD_MAX_CELLS];
        uint32_t distance;
        unsigned __int128 paths = 0;
        cr_assert(distance_get(&solved->values, &index, 1, &distance, &error) == PDB_OK);
        puzzle->family->position.unrank(puzzle, index, position);
        free(expect_distance(searcher, position, distance));
        if (distance == DISTANCE_NONE)
            continue;
        cr_assert(distance_count_paths(&solved->values, index, distance, &paths, &error) == PDB_OK);
        expect_count(searcher, position, distance, paths);
    }
    search_free(searcher);
}

/* A sample of about so many states by the plain search, and smaller ones with everything switched that can be. */
static void compare_puzzle(struct puzzle *puzzle, unsigned sample)
{
    struct solved solved;
    solve(puzzle, 2, &solved);
    const uint64_t step = puzzle->states / share_of(sample) + 1;
    compare_states(&solved, puzzle, (struct search_options){.threads = 1}, 0, step);
    compare_states(&solved, puzzle, (struct search_options){.threads = 2}, 1, 5 * step);
    compare_states(&solved, puzzle, (struct search_options){.threads = 3, .memory = 1 << 20}, 2, 7 * step);
    solved_free(&solved);
    puzzle_free(puzzle);
}

/* -- whole spaces, family by family -- */

Test(ida, slide)
{
    compare_puzzle(built_in("8-puzzle"), 2000);
    compare_puzzle(built_in("tiles-2x4"), 500);
}

Test(ida, walk)
{
    compare_puzzle(built_in("knights"), 3000);
    compare_puzzle(built_in("guarini"), 2000); /* 62 of 200 boards cannot reach the goal */
}

/* A way that leads in one direction only, and a place that nobody comes out of. */
Test(ida, one_way_walk)
{
    compare_puzzle(make_puzzle("puzzle: t\nfamily: walk\ngoal: 'a b . . . .'\none-way: [1 2 3 4 5 1, 3 6, 2 5, 4 1]\n"),
                   1000);
}

Test(ida, permute)
{
    compare_puzzle(built_in("pancakes-8"), 1000);
    compare_puzzle(built_in("pyraminx"), 200);
    compare_puzzle(built_in("diagonal-slide"), 200);
}

Test(ida, flip)
{
    compare_puzzle(built_in("8-flip-3x3"), 512);
    compare_puzzle(built_in("lights-out-4x4"), 300); /* a sixteenth of the boards can be put out */
}

Test(ida, peg)
{
    compare_puzzle(built_in("hoppers"), 9000);
    compare_puzzle(built_in("triangle-15"), 1500);
}

Test(ida, peg_figures)
{
    static const struct {
        const char *puzzle, *board;
        uint32_t distance;
        unsigned count;
    } figures[] = {
        {"triangle-21", "start", 12, 192}, {"triangle-21", "first-jump", 11, 96}, {"hoppers", "start", 7, 72}};
    for (size_t i = 0; i < COUNT(figures); i++) {
        struct puzzle *puzzle = built_in(figures[i].puzzle);
        struct searcher *searcher = make_searcher(puzzle, (struct search_options){.threads = 2});
        uint8_t position[BOARD_MAX_CELLS];
        pdb_error error;
        cr_assert(puzzle_parse(puzzle, figures[i].board, position, &error) == PDB_OK);
        free(expect_distance(searcher, position, figures[i].distance));
        expect_count(searcher, position, figures[i].distance, figures[i].count);
        search_free(searcher);
        puzzle_free(puzzle);
    }
}

/* All boards at the greatest distance, and a sample of the others; without its bound too. */
Test(ida, goat)
{
    struct puzzle *puzzle = built_in("goat");
    struct solved solved;
    solve(puzzle, 2, &solved);
    compare_states(&solved, puzzle, (struct search_options){.threads = 2}, 1, puzzle->states / 100);
    struct family without = *puzzle->family;
    without.single.bounds = NULL;
    const struct family *family = puzzle->family;
    for (int bound = 0; bound < 2; bound++) {
        struct searcher *searcher = make_searcher(puzzle, (struct search_options){.threads = 2});
        cr_assert(solved.result.hardest_kept == 7);
        for (size_t i = 0; i < solved.result.hardest_kept; i++) {
            uint8_t position[BOARD_MAX_CELLS];
            family->position.unrank(puzzle, solved.result.hardest[i], position);
            free(expect_distance(searcher, position, 52));
        }
        search_free(searcher);
        puzzle->family = &without;
    }
    puzzle->family = family;
    solved_free(&solved);
    puzzle_free(puzzle);
}

/* -- keys -- */

static void compare_keyed(const char *name, unsigned sample)
{
    struct solved solved;
    struct puzzle *base = built_in(name), *puzzle = solve_keys(base, 2, &solved);
    compare_states(&solved, base, (struct search_options){.threads = 2}, 0, puzzle->states / share_of(sample));
    solved_free(&solved);
    keyed_free(puzzle);
    puzzle_free(base);
}

Test(ida, keyed)
{
    compare_keyed("rush-hour", 40);
    compare_keyed("klotski", 15);
}

/* -- graphs: directed, weighted, with loops, with states that lead nowhere -- */

static void compare_graph(struct digraph *graph, struct search_options options, uint32_t step)
{
    uint32_t *distance = checked_memory(graph->nodes, sizeof *distance);
    uint64_t *ways = checked_memory(graph->nodes, sizeof *ways);
    struct searcher *searcher = make_searcher(&graph->puzzle, options);
    digraph_solve(graph, distance, ways);
    for (uint32_t node = 0; node < graph->nodes; node += step) {
        uint8_t position[BOARD_MAX_CELLS];
        graph->puzzle.family->position.unrank(&graph->puzzle, node, position);
        free(expect_distance(searcher, position, distance[node]));
        if (distance[node] != UINT32_MAX && !options.no_table)
            expect_count(searcher, position, distance[node], ways[node]);
    }
    search_free(searcher);
    free(distance);
    free(ways);
    digraph_free(graph);
}

Test(ida, graphs)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        const uint32_t nodes = 50 + 97 * (uint32_t)seed;
        compare_graph(digraph_random(nodes, nodes * (1 + seed % 4), 1 + seed % 3, seed, seed % 3 == 0),
                      (struct search_options){.threads = 1}, 1);
    }
    compare_graph(digraph_random(90000, 120000, 2, 5, false), (struct search_options){.threads = 2}, 199);
    compare_graph(digraph_random(90000, 120000, 2, 6, false), (struct search_options){.threads = 2, .memory = 1 << 18},
                  1999);
}

/* As long as solutions get. */
Test(ida, ring)
{
    compare_graph(digraph_ring(5000), (struct search_options){.threads = 2}, 333);
    compare_graph(digraph_ring(1), (struct search_options){.threads = 2}, 1);
    compare_graph(digraph_ring(400), (struct search_options){.threads = 2, .memory = 1 << 13}, 39);
}

/* -- options -- */

/* Without a table, with one that holds next to nothing, with any number of threads: the same path. */
Test(ida, paths)
{
    static const struct search_options options[] = {{.threads = 1},
                                                    {.threads = 2},
                                                    {.threads = 3},
                                                    {.threads = 1, .no_table = true},
                                                    {.threads = 2, .no_table = true},
                                                    {.threads = 2, .memory = 1 << 14},
                                                    {.threads = 1, .memory = 1000},
                                                    {.threads = 3, .memory = 1 << 18}};
    struct puzzle *puzzle = built_in("8-puzzle");
    uint64_t random = 77;
    for (int board = 0; board < 12; board++) {
        uint8_t position[BOARD_MAX_CELLS], *first = NULL;
        struct search_answer answer;
        pdb_error error;
        puzzle->family->position.unrank(puzzle, random_below(&random, puzzle->states), position);
        for (size_t i = 0; i < COUNT(options); i++) {
            struct searcher *searcher = make_searcher(puzzle, options[i]);
            cr_assert(search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, &error) == PDB_OK, "%s",
                      error.message);
            cr_expect(first == NULL ||
                          memcmp(answer.path, first, (answer.distance + (size_t)1) * puzzle->board.places) == 0,
                      "options %zu", i);
            free(first);
            first = answer.path;
            search_free(searcher);
        }
        free(first);
    }
    puzzle_free(puzzle);
}

/* A search large enough that its threads share it out. */
Test(ida, paths_of_threads)
{
    struct puzzle *puzzle = built_in("goat");
    enum { SEARCHES = 6 };
    const unsigned searches = share() == 1 ? SEARCHES : 3, step = short_step(2); /* with one thread and three */
    uint8_t position[BOARD_MAX_CELLS], *path[SEARCHES];
    pdb_error error;
    cr_assert(puzzle_parse(puzzle, "hardest", position, &error) == PDB_OK);
    for (unsigned i = 0; i < searches; i += step) {
        struct searcher *searcher = make_searcher(
            puzzle, (struct search_options){.threads = i % 3 + 1, .memory = i < 3 ? 0 : 1 << 25});
        path[i] = expect_distance(searcher, position, 52);
        cr_expect(memcmp(path[i], path[0], 53 * puzzle->board.places) == 0, "%u", i);
        search_free(searcher);
    }
    for (unsigned i = 0; i < searches; i += step)
        free(path[i]);
    puzzle_free(puzzle);
}

/* A solution may be asked for only up to a length; what is then known is that there is none shorter than `bound`. */
Test(ida, most)
{
    struct puzzle *puzzle = built_in("8-puzzle");
    struct searcher *searcher = make_searcher(puzzle, (struct search_options){.threads = 1});
    uint8_t position[BOARD_MAX_CELLS];
    struct search_answer answer;
    pdb_error error;
    cr_assert(puzzle_parse(puzzle, "867254301", position, &error) == PDB_OK);
    const uint32_t distance = 31;
    for (uint32_t most = 0; most <= distance + 1; most++) {
        cr_assert(search_solve(searcher, position, most, NULL, NULL, &answer, &error) == PDB_OK);
        EXPECT_NUMBER(answer.distance, most < distance ? PDB_NO_DISTANCE : distance);
        cr_expect(answer.bound > most || answer.bound == distance);
        cr_expect(answer.bound <= distance);
        free(answer.path);
    }
    search_free(searcher);
    puzzle_free(puzzle);
}

struct patience {
    unsigned calls, stop_at;
    uint32_t limit;
};

static bool watch(void *context, const struct search_progress *progress)
{
    struct patience *patience = context;
    cr_expect(progress->limit >= patience->limit);
    patience->limit = progress->limit;
    return ++patience->calls < patience->stop_at;
}

Test(ida, interrupted)
{
    struct puzzle *puzzle = built_in("english-33");
    uint8_t position[BOARD_MAX_CELLS];
    struct search_answer answer;
    unsigned __int128 count;
    pdb_error error;
    cr_assert(puzzle_parse(puzzle, "start", position, &error) == PDB_OK);
    for (unsigned stop_at = 1; stop_at <= 10; stop_at += 3) {
        struct searcher *searcher = make_searcher(puzzle, (struct search_options){.threads = 1 + stop_at % 2});
        struct patience patience = {.stop_at = stop_at};
        cr_assert(search_solve(searcher, position, PDB_NO_DISTANCE, watch, &patience, &answer, &error) ==
                  PDB_INTERRUPTED);
        cr_expect(answer.distance == PDB_NO_DISTANCE && answer.path == NULL && answer.bound == patience.limit &&
                  answer.bound <= 18);
        cr_expect(patience.calls == stop_at, "called after it said stop");
        patience = (struct patience){.stop_at = stop_at};
        cr_assert(searcher->class->count(searcher, position, 18, watch, &patience, &count, &error) == PDB_INTERRUPTED);
        search_free(searcher);
    }
    puzzle_free(puzzle);
}

Test(ida, method)
{
    struct puzzle *puzzle = built_in("goat");
    struct family family = *puzzle->family;
    const struct family *own = puzzle->family;
    puzzle->family = &family;
    family.single.bounds = NULL;
    struct searcher *searcher = make_searcher(puzzle, (struct search_options){.threads = 1});
    EXPECT_TEXT(searcher->method, "iterative deepening without a bound");
    search_free(searcher);
    family.single.bounds = own->single.bounds;
    family.single.bound_text = "a crystal ball";
    searcher = make_searcher(puzzle, (struct search_options){.threads = 1});
    EXPECT_TEXT(searcher->method,
                family.single.bounds == NULL ? "iterative deepening without a bound" : "IDA* with a crystal ball");
    search_free(searcher);
    puzzle->family = own;
    puzzle_free(puzzle);
}
