/* test_exact.c -- distances of puzzles whose moves cannot be undone, against a plain search over the edges of directed
 * graphs */
#include "exact_truth.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- tests -- */

Test(exact, random_graphs)
{
    for (uint64_t seed = 0; seed < 150; seed++) {
        const uint32_t nodes = 1 + (uint32_t)(seed * seed * 7 % 4001);
        const size_t goals = 1 + seed % 5 < nodes ? 1 + seed % 5 : 1;
        struct digraph *graph = digraph_random(nodes, nodes * (1 + seed % 4) * (4 + seed % 3) / 5, goals, seed,
                                               seed % 3 == 0);
        solve_and_compare(graph, 1 + (unsigned)(seed % 3));
        digraph_free(graph);
    }
}

/* Several chunks of 32,768 states, so that threads share the work and the packed stretches are put together. */
Test(exact, large_graphs_same_bytes_with_any_threads)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct digraph *graph = digraph_random(99991, 99991 * 3 / 2 + seed * 20000, 3, seed, false);
        struct retrograde_result one, other;
        struct retrograde *single = begin(&graph->puzzle, 1);
        go_on(single);
        retrograde_finish(single, &one);
        for (unsigned threads = 2; threads <= 5; threads += 3) {
            struct retrograde *search = begin(&graph->puzzle, threads);
            go_on(search);
            retrograde_finish(search, &other);
            cr_assert(one.encoding == other.encoding);
            cr_assert(memcmp(one.bytes, other.bytes, encoding_bytes(one.encoding, graph->nodes)) == 0);
            retrograde_free(search);
        }
        retrograde_free(single);
        solve_and_compare(graph, 2);
        digraph_free(graph);
    }
}

/* Rings around every border of the encodings: max is nodes - 1. */
Test(exact, rings)
{
    static const uint32_t nodes[] = {1, 2, 3, 4, 5, 14, 15, 16, 17, 254, 255, 256, 257, 1000, 65535, 65536, 70000};
    const size_t count = share() == 1 ? COUNT(nodes) : COUNT(nodes) - 3; /* a layer each */
    for (size_t i = 0; i < count; i++) {
        struct digraph *graph = digraph_ring(nodes[i]);
        struct truth truth = truth_of(graph);
        struct retrograde *search = begin(&graph->puzzle, 1 + i % 2);
        struct retrograde_result result;
        cr_assert_eq(truth.max, nodes[i] - 1);
        go_on(search);
        retrograde_finish(search, &result);
        compare_figures(graph, &truth, &result);
        compare_distances(graph, &truth, &result);
        compare_paths(graph, &truth, &result, nodes[i] > 1000 ? nodes[i] - 1 : nodes[i] / 3 + 1);
        retrograde_free(search);
        truth_free(&truth);
        digraph_free(graph);
    }
}

static struct retrograde *begin_within(uint64_t bytes, const struct puzzle *puzzle)
{
    struct retrograde_plan plan;
    struct retrograde *search = NULL;
    cr_assert(retrograde_plan_within(bytes, puzzle, 1, &plan, &error) == PDB_OK);
    cr_assert(retrograde_begin(&plan, &search, &error) == PDB_OK);
    return search;
}

Test(exact, grows_within_its_limit_only)
{
    struct digraph *graph = digraph_ring(1000);
    const struct retrograde_plan plan = plan_of(RETROGRADE_BEST, &graph->puzzle, 1);
    const uint64_t deep = plan.memory_deep;
    struct retrograde *search = begin_within(deep - 1, &graph->puzzle);
    bool done = false;
    cr_assert_lt(plan.memory, deep);
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    cr_assert_eq(retrograde_parts(search, parts), 2);
    cr_assert(!retrograde_fit(search, (uint64_t[]){parts[0].size, 2 * parts[1].size}, 2));
    while (retrograde_progress(search).depth < 255)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK && !done);
    cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_TOO_LARGE);
    cr_assert(strstr(error.message, "distances above 254 need") != NULL, "%s", error.message);
    retrograde_free(search);
    search = begin_within(deep, &graph->puzzle);
    go_on(search);
    struct truth truth = truth_of(graph);
    struct retrograde_result result;
    retrograde_finish(search, &result);
    compare_all(graph, &truth, &result);
    retrograde_free(search);
    truth_free(&truth);
    digraph_free(graph);
}

/* A byte a state and a fixed part: what the design promises. */
Test(exact, memory_is_a_byte_a_state)
{
    struct digraph *small = digraph_ring(1), *large = digraph_ring(99999);
    const struct retrograde_plan least = plan_of(RETROGRADE_BEST, &small->puzzle, 1),
                                 plan = plan_of(RETROGRADE_BEST, &large->puzzle, 1);
    cr_assert_leq(plan.memory - least.memory, 99999 + 65536);
    cr_assert_leq(plan.memory_deep - plan.memory, 3 * (99999 + 65536)); /* four bytes for distances above 65,534 */
    digraph_free(small);
    digraph_free(large);
}

Test(exact, no_goal)
{
    struct digraph *graph = digraph_create(5, NULL, NULL, 0, NULL, 0, NULL);
    struct retrograde *search;
    cr_assert(retrograde_of(RETROGRADE_BEST, &graph->puzzle, 1, &search, &error) == PDB_BAD_DEFINITION);
    cr_assert_str_eq(error.message, "digraph: no state fits the goal");
    digraph_free(graph);
}

/* -- the public answers -- */

static pdb_solver *solver_of(struct puzzle *puzzle)
{
    static const pdb_options options = {.method = PDB_SEARCH, .whole = true};
    pdb_solver *solver;
    static pdb_puzzle asked; /* outlives the solver */
    asked = catalog_with_moves(puzzle);
    cr_assert(pdb_solver_open(&asked, &options, &solver, &error) == PDB_OK, "%s", error.message);
    return solver;
}

static pdb_board board_of(const struct digraph *graph, uint32_t node)
{
    pdb_board board = {0};
    graph->puzzle.family->position.unrank(&graph->puzzle, node, board.symbol);
    return board;
}

static uint32_t node_of(const struct digraph *graph, const pdb_board *board)
{
    uint64_t index;
    cr_assert(graph->puzzle.family->position.rank(&graph->puzzle, board->symbol, &index));
    return (uint32_t)index;
}

static void check_answers(const struct digraph *graph, const struct truth *truth, const pdb_solver *solver,
                          uint32_t node)
{
    pdb_board board = board_of(graph, node);
    pdb_moves moves = {0};
    uint32_t distance;
    cr_assert(pdb_solver_distance(solver, &board, 1, &distance, &error) == PDB_OK);
    cr_assert_eq(distance, truth->distance[node]);
    cr_assert(pdb_solver_moves(solver, &board, distance, &moves, &error) == PDB_OK, "%s", error.message);
    cr_assert_eq(moves.count, graph->first_out[node + 1] - graph->first_out[node]);
    for (size_t m = 0; m < moves.count; m++) {
        const uint32_t to = truth->distance[node_of(graph, &moves.move[m].board)];
        cr_assert_eq(moves.move[m].distance, to);
        cr_assert_eq(moves.move[m].optimal, distance != UINT32_MAX && distance > 0 && to == distance - 1);
    }
    pdb_moves_free(&moves);
    if (distance == UINT32_MAX)
        return;
    pdb_move *path = must(calloc(distance + 1u, sizeof *path));
    char count[PDB_COUNT_MAX], expected[PDB_COUNT_MAX];
    cr_assert(pdb_solver_path(solver, &board, distance, path, &error) == PDB_OK, "%s", error.message);
    for (uint32_t i = 0; i < distance; i++)
        cr_assert_eq(truth->distance[node_of(graph, &path[i].board)], distance - 1 - i);
    free(path);
    cr_assert(pdb_solver_count(solver, &board, distance, count, &error) == PDB_OK);
    snprintf(expected, sizeof expected, "%llu", (unsigned long long)truth->ways[node]);
    cr_assert_str_eq(count, expected);
}

Test(exact, public_answers)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct digraph *graph = digraph_random(500, 900, 3, seed, false);
        struct truth truth = truth_of(graph);
        pdb_solver *solver = solver_of(&graph->puzzle);
        pdb_info info;
        pdb_solver_info(solver, &info);
        for (uint32_t node = 0; node < graph->nodes; node++)
            check_answers(graph, &truth, solver, node);
        for (uint32_t wanted = 0; wanted <= truth.max; wanted++) {
            pdb_board board;
            uint32_t distance;
            cr_assert(pdb_solver_random(solver, wanted, seed, &board, &distance, &error) == PDB_OK);
            cr_assert(distance == wanted && truth.distance[node_of(graph, &board)] == wanted);
            cr_assert(pdb_solver_random(solver, PDB_NO_DISTANCE, wanted, &board, &distance, &error) == PDB_OK);
            cr_assert_eq(truth.distance[node_of(graph, &board)], distance);
        }
        for (uint64_t i = 0; i < info.hardest; i++) {
            pdb_board board;
            cr_assert(pdb_solver_hardest(solver, i, &board, &error) == PDB_OK);
            cr_assert_eq(truth.distance[node_of(graph, &board)], truth.max);
        }
        pdb_solver_close(solver);
        truth_free(&truth);
        digraph_free(graph);
    }
}

/* One board at each distance among twenty thousand is found by reading, not by drawing. */
Test(exact, random_board_at_a_rare_distance)
{
    struct digraph *graph = digraph_ring(20000);
    pdb_solver *solver = solver_of(&graph->puzzle);
    for (uint32_t wanted = 0; wanted < 20000; wanted += 1111) {
        pdb_board board;
        uint32_t distance;
        cr_assert(pdb_solver_random(solver, wanted, wanted, &board, &distance, &error) == PDB_OK, "%s", error.message);
        cr_assert(distance == wanted && node_of(graph, &board) == wanted);
    }
    pdb_solver_close(solver);
    digraph_free(graph);
}

/* Every state that can reach the goal comes up, and about as often as any other. */
Test(exact, random_boards_are_equally_likely)
{
    struct digraph *graph = digraph_random(60, 110, 2, 3, false);
    struct truth truth = truth_of(graph);
    pdb_solver *solver = solver_of(&graph->puzzle);
    unsigned times[60] = {0}, reachable = 0;
    enum { DRAWS = 60000 };
    for (uint64_t seed = 0; seed < DRAWS; seed++) {
        pdb_board board;
        uint32_t distance;
        cr_assert(pdb_solver_random(solver, PDB_NO_DISTANCE, seed, &board, &distance, &error) == PDB_OK);
        times[node_of(graph, &board)]++;
    }
    for (uint32_t n = 0; n < 60; n++)
        reachable += truth.distance[n] != UINT32_MAX;
    for (uint32_t n = 0; n < 60; n++) {
        const unsigned expected = truth.distance[n] != UINT32_MAX ? DRAWS / reachable : 0;
        cr_assert(times[n] >= expected * 8 / 10 && times[n] <= expected * 12 / 10, "node %u: %u of %u", n, times[n],
                  expected);
    }
    pdb_solver_close(solver);
    truth_free(&truth);
    digraph_free(graph);
}

/* Crossings that double the ways, then four ways with 2^126 each that meet: 2^128 is not taken for 0. */
Test(exact, more_ways_than_can_be_counted)
{
    enum { CROSSINGS = 126, LAST = 3 * CROSSINGS, NODES = LAST + 6, EDGES = 4 * CROSSINGS + 8 };
    for (unsigned fork = 1; fork <= 4; fork += 3) {
        uint32_t from[EDGES], to[EDGES];
        const uint32_t goal = NODES - 1;
        size_t edges = 0;
        for (uint32_t node = 0; node < LAST; node += 3)
            for (uint32_t way = 1; way <= 2; way++) {
                from[edges] = node, to[edges++] = node + way;
                from[edges] = node + way, to[edges++] = node + 3;
            }
        for (uint32_t way = 1; way <= fork; way++) {
            from[edges] = LAST, to[edges++] = LAST + way;
            from[edges] = LAST + way, to[edges++] = goal;
        }
        struct digraph *graph = digraph_create(NODES, from, to, edges, &goal, 1, NULL);
        struct retrograde *search = begin(&graph->puzzle, 1);
        struct retrograde_result result;
        unsigned __int128 paths = 0;
        go_on(search);
        retrograde_finish(search, &result);
        const struct values values = values_of(&graph->puzzle, &result);
        const pdb_status status = distance_count_paths(&values, 0, 2 * CROSSINGS + 2, &paths, &error);
        cr_expect_eq(status, fork == 1 ? PDB_OK : PDB_TOO_LARGE);
        cr_expect(fork > 1 || paths == (unsigned __int128)1 << CROSSINGS);
        retrograde_free(search);
        digraph_free(graph);
    }
}
