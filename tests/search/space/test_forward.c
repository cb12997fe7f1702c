/* test_forward.c -- puzzles of which only the moves out of a state are known, and moves that cost, against an obvious
 * search over the edges of directed graphs */
#include "forward_truth.h"
#include "tests/support/support.h"
#include "lib/check/check.h"
#include "lib/search/space/audit.h"
#include "lib/search/space/distance.h"
#include "lib/search/space/keyed.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static pdb_error error;

/* -- searching and comparing -- */

/* A search that came to its end. The puzzle is that of the graph, or the one with its states numbered. */
struct outcome {
    struct solved solved;
    struct puzzle *keyed;
    const struct puzzle *puzzle;
};

/* False where no goal is among the states. */
static bool solve_graph(const struct digraph *graph, unsigned threads, struct outcome *outcome)
{
    *outcome = (struct outcome){.puzzle = &graph->puzzle};
    if (graph->puzzle.keyed)
        outcome->puzzle = outcome->keyed = solve_keys(&graph->puzzle, threads, &outcome->solved);
    else
        solve(&graph->puzzle, threads, &outcome->solved);
    return outcome->puzzle != NULL;
}

static void outcome_free(struct outcome *outcome)
{
    keyed_free(outcome->keyed);
    solved_free(&outcome->solved);
}

static uint64_t index_at(const struct digraph *graph, const struct puzzle *puzzle, uint32_t node, bool *has)
{
    uint8_t position[BOARD_MAX_CELLS] = {0};
    uint64_t index = 0;
    graph->puzzle.family->position.unrank(&graph->puzzle, graph->step * node + graph->offset, position);
    *has = puzzle->family->position.rank(puzzle, position, &index);
    return index;
}

/* A node's distance, its neighbours', and the number of its cheapest ways. */
static void compare_node(const struct digraph *graph, const struct truth *truth, const struct outcome *outcome,
                         uint32_t node)
{
    const struct values *values = &outcome->solved.values;
    bool has;
    uint32_t distance, near;
    unsigned __int128 paths;
    const uint64_t index = index_at(graph, outcome->puzzle, node, &has);
    cr_assert_eq(has, truth->state[node]);
    if (!has)
        return;
    cr_assert(distance_get(values, &index, 1, &distance, &error) == PDB_OK, "%s", error.message);
    cr_assert_eq(distance, truth->distance[node]);
    if (distance == DISTANCE_NONE)
        return;
    for (uint32_t e = graph->first_out[node]; e < graph->first_out[node + 1]; e++) {
        const uint64_t next = index_at(graph, outcome->puzzle, graph->out[e], &has);
        cr_assert(has && distance_near(values, distance, &next, 1, &near, &error) == PDB_OK, "%s", error.message);
        cr_assert_eq(near, truth->distance[graph->out[e]]);
    }
    cr_assert(distance_count_paths(values, index, distance, &paths, &error) == PDB_OK, "%s", error.message);
    cr_assert_eq((uint64_t)paths, truth->ways[node]);
}

static void compare(const struct digraph *graph, const struct truth *truth, const struct outcome *outcome)
{
    const struct audit_options options = {.threads = 2};
    struct audit_report report;
    compare_figures(graph, truth, &outcome->solved.result);
    for (uint32_t node = 0; node < graph->nodes; node++)
        compare_node(graph, truth, outcome, node);
    for (size_t i = 0; i < outcome->solved.result.hardest_kept; i++) {
        uint32_t distance;
        cr_assert(distance_get(&outcome->solved.values, &outcome->solved.result.hardest[i], 1, &distance, NULL) ==
                  PDB_OK);
        cr_assert_eq(distance, truth->max);
    }
    cr_assert(audit_distances(&outcome->solved.values, &options, &report, &error) == PDB_OK, "%s", error.message);
}

static void solve_and_compare(const struct digraph *graph, unsigned threads)
{
    struct truth truth = truth_of(graph);
    bool solvable = false;
    for (size_t g = 0; g < graph->goals; g++)
        solvable |= truth.state[graph->goal[g]];
    struct outcome outcome;
    cr_assert_eq(solve_graph(graph, threads, &outcome), solvable);
    if (solvable) {
        compare(graph, &truth, &outcome);
        outcome_free(&outcome);
    }
    truth_free(&truth);
}

/* -- tests -- */

static const uint32_t max_costs[] = {1, 3, 0, 100, 2, 1000000};

Test(forward, random_graphs)
{
    for (uint64_t seed = 0; seed < 90 / short_step(5); seed++) {
        const uint32_t nodes = 1 + (uint32_t)(seed * seed * 7 % 701);
        const size_t goals = 1 + seed % 5 < nodes ? 1 + seed % 5 : 1;
        const uint32_t start[] = {nodes / 2, nodes / 3, nodes / 2, nodes - 1};
        struct digraph *graph = digraph_random(nodes, nodes * (3 + seed % 7) / 3, goals, seed, seed % 3 == 0);
        digraph_make_forward(graph, seed % 2 == 0, max_costs[seed / 2 % 6], start, seed % 2 == 0 ? 1 + seed % 4 : 0);
        if (seed % 4 == 0)
            digraph_space_keys(graph, 1 + seed % 7, seed % 7 / 2);
        solve_and_compare(graph, 1 + (unsigned)(seed % 3));
        digraph_free(graph);
    }
}

/* Every move can be taken back: where all cost the same, residues are kept of states with keys. From one goal on they
 * are found and measured at once, if the starts are among them. */
Test(forward, moves_that_are_seen_to_be_undone)
{
    for (uint64_t seed = 1; seed <= 24; seed++) {
        const uint32_t nodes = 100 + 37 * (uint32_t)seed, start[] = {1, nodes - 1};
        struct digraph *graph = both_ways(nodes, nodes * (4 + seed % 4) / 4, 1 + seed / 2 % 2, seed);
        digraph_make_forward(graph, seed % 2 == 0, seed % 3 == 0 ? 5 : 1, start, 2);
        if (seed % 4 == 0)
            digraph_space_keys(graph, 2, 1);
        struct truth truth = truth_of(graph);
        struct outcome outcome;
        if (solve_graph(graph, 1 + (unsigned)(seed % 2), &outcome)) {
            cr_assert_eq(encoding_modulus(outcome.solved.result.encoding),
                         graph->puzzle.keyed && seed % 3 != 0 ? 3 : 0);
            compare(graph, &truth, &outcome);
            outcome_free(&outcome);
        }
        truth_free(&truth);
        digraph_free(graph);
    }
}

/* A line that can be walked both ways, and one short cut that cannot be taken back, wherever it is. */
Test(forward, one_move_that_is_seen_not_to_be_undone)
{
    enum { NODES = 7, EDGES = 2 * (NODES - 1) + 1 };
    const uint32_t goal = 0, start = NODES - 1;
    for (uint32_t cut = 0; cut < 2 * NODES * NODES; cut++) {
        uint32_t from[EDGES] = {cut / 2 / NODES}, to[EDGES] = {cut / 2 % NODES};
        for (uint32_t n = 0; n + 1 < NODES; n++) {
            from[2 * n + 1] = to[2 * n + 2] = n;
            to[2 * n + 1] = from[2 * n + 2] = n + 1;
        }
        struct digraph *graph = digraph_create(NODES, from, to, EDGES, &goal, 1, NULL);
        digraph_make_forward(graph, cut % 2 == 0, 1, &start, 1);
        solve_and_compare(graph, 1);
        digraph_free(graph);
    }
}

/* Some moves twice, and back once: they are taken back all the same. */
Test(forward, moves_to_the_same_state)
{
    enum { NODES = 200, TWICE = 40, EDGES = 2 * (NODES - 1) + TWICE };
    const uint32_t goal = 0, start = NODES - 1;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t from[EDGES], to[EDGES];
        for (uint32_t n = 0; n + 1 < NODES; n++) {
            from[2 * n] = to[2 * n + 1] = n;
            to[2 * n] = from[2 * n + 1] = n + 1;
        }
        for (uint32_t e = 0; e < TWICE; e++) {
            from[2 * (NODES - 1) + e] = from[7 * e + i];
            to[2 * (NODES - 1) + e] = to[7 * e + i];
        }
        struct digraph *graph = digraph_create(NODES, from, to, EDGES, &goal, 1, NULL);
        digraph_make_forward(graph, true, 1, &start, 1);
        struct truth truth = truth_of(graph);
        struct outcome outcome;
        cr_assert(solve_graph(graph, 1 + i % 2, &outcome));
        cr_assert_eq(encoding_modulus(outcome.solved.result.encoding), 3);
        compare(graph, &truth, &outcome);
        outcome_free(&outcome);
        truth_free(&truth);
        digraph_free(graph);
    }
}

Test(forward, large_graphs_same_bytes_with_any_threads)
{
    const uint32_t start = 3;
    for (unsigned i = 0; i < 6; i++) {
        struct digraph *graph = i < 5 ? digraph_random(60000, 120000, 3, 7 + i, false) : both_ways(60000, 90000, 2, 7);
        digraph_make_forward(graph, i % 2 == 0 || i == 5, i == 2 || i == 3 ? 9 : 1, &start, 1);
        if (i >= 4) /* a table at first, then bits */
            digraph_space_keys(graph, 17, 5);
        struct outcome one, other;
        cr_assert(solve_graph(graph, 1, &one));
        for (unsigned threads = 2; threads <= 5; threads += 3) {
            cr_assert(solve_graph(graph, threads, &other));
            const struct retrograde_result *a = &one.solved.result, *b = &other.solved.result;
            cr_assert(a->encoding == b->encoding && a->states == b->states && a->hardest_kept == b->hardest_kept);
            cr_assert(memcmp(a->bytes, b->bytes, encoding_bytes(a->encoding, a->states)) == 0);
            cr_assert(memcmp(a->hardest, b->hardest, a->hardest_kept * sizeof *a->hardest) == 0);
            outcome_free(&other);
        }
        if (i < 2 || i > 3) {
            struct truth truth = truth_of(graph);
            compare_figures(graph, &truth, &one.solved.result);
            truth_free(&truth);
        }
        outcome_free(&one);
        digraph_free(graph);
    }
}

/* Around the borders of what a byte, and two, can hold. */
Test(forward, rings)
{
    static const uint32_t nodes[] = {1, 2, 253, 254, 255, 256, 257, 1300};
    for (size_t i = 0; i < 4 * COUNT(nodes); i++) {
        const uint32_t start = 0;
        struct digraph *graph = digraph_ring(nodes[i / 4]);
        digraph_make_forward(graph, i % 2 == 0, i % 4 < 2 ? 1 : 120, &start, 1);
        solve_and_compare(graph, 1 + i % 2);
        digraph_free(graph);
    }
}

/* A state with as many moves as there may be, most of them to the same states, at different costs; and back. */
Test(forward, very_many_moves)
{
    enum { NODES = 700, MOVES = 60000 };
    uint32_t *from = must(calloc(MOVES + NODES, sizeof *from)), *to = must(calloc(MOVES + NODES, sizeof *to));
    const uint32_t goal = NODES - 1, start = 0;
    for (uint32_t e = 0; e < MOVES; e++)
        to[e] = e * 2654435761u % (NODES / 2);
    for (uint32_t n = 0; n < NODES; n++) {
        from[MOVES + n] = n;
        to[MOVES + n] = n + 1 < NODES ? n + 1 : 0;
    }
    for (unsigned i = 0; i < 6; i += short_step(5)) {
        struct digraph *graph = digraph_create(NODES, from, to, MOVES + NODES, &goal, 1, NULL);
        digraph_make_forward(graph, i % 3 > 0, i < 3 ? 1 : 1000, &start, 1);
        if (i % 3 == 1)
            digraph_space_keys(graph, 3, 2);
        solve_and_compare(graph, 1 + i % 2);
        digraph_free(graph);
    }
    free(from);
    free(to);
}

Test(forward, costs_above_all_distances)
{
    const uint32_t start = 0;
    struct digraph *graph = digraph_ring(5);
    struct retrograde_plan plan;
    digraph_make_forward(graph, true, DISTANCE_MAX + 1u, &start, 1);
    cr_assert(retrograde_plan(RETROGRADE_BEST, &graph->puzzle, 1, &plan, &error) == PDB_TOO_LARGE);
    cr_assert(strstr(error.message, "moves cost up to 16777216") != NULL, "%s", error.message);
    digraph_free(graph);
}

Test(forward, no_goal_is_found)
{
    const uint32_t from = 0, to = 1, goal = 2;
    struct digraph *graph = digraph_create(3, &from, &to, 1, &goal, 1, NULL);
    digraph_make_forward(graph, true, 1, &from, 1);
    solve_and_compare(graph, 1);
    digraph_free(graph);
}

/* -- the public answers -- */

static void check_path(const struct digraph *graph, const pdb_board *board, const pdb_solution *solution)
{
    uint64_t index;
    uint32_t sum = 0;
    cr_assert(graph->puzzle.family->position.rank(&graph->puzzle, board->symbol, &index));
    uint32_t node = (uint32_t)(index / graph->step);
    for (uint32_t i = 0; i < solution->steps; i++) {
        uint32_t least = UINT32_MAX;
        cr_assert(graph->puzzle.family->position.rank(&graph->puzzle, solution->path[i].board.symbol, &index));
        for (uint32_t e = graph->first_out[node]; e < graph->first_out[node + 1]; e++)
            if (graph->out[e] == index / graph->step && digraph_cost(graph, e) < least)
                least = digraph_cost(graph, e);
        cr_assert_eq(solution->path[i].cost, least);
        sum += least;
        node = (uint32_t)(index / graph->step);
    }
    cr_assert_eq(sum, solution->distance);
}

Test(forward, public_answers)
{
    for (unsigned i = 0; i < 8; i++) {
        const pdb_options options = {.method = PDB_SEARCH, .whole = true};
        const uint32_t start[] = {3, 4, 0};
        struct digraph *graph = digraph_random(300, 700, 3, 170 + i, false);
        digraph_make_forward(graph, i % 2 == 0, max_costs[i % 6], start, 3);
        if (i == 4)
            digraph_space_keys(graph, 3, 1);
        struct truth truth = truth_of(graph);
        pdb_solver *solver;
        pdb_puzzle asked = catalog_with_moves(&graph->puzzle);
        cr_assert(pdb_solver_open(&asked, &options, &solver, &error) == PDB_OK, "%s", error.message);
        for (uint32_t node = 0; node < graph->nodes; node++) {
            pdb_board board = {0};
            pdb_solution solution;
            graph->puzzle.family->position.unrank(&graph->puzzle, graph->step * node + graph->offset, board.symbol);
            cr_assert_eq(pdb_solver_covers(solver, &board, NULL) == PDB_OK, truth.state[node]);
            if (!truth.state[node])
                continue;
            cr_assert(pdb_solver_solve(solver, &board, PDB_WANT_PATH | PDB_WANT_MOVES, &solution, &error) == PDB_OK);
            cr_assert_eq(solution.distance, truth.distance[node]);
            for (size_t m = 0; m < solution.moves.count; m++) {
                const pdb_move *move = &solution.moves.move[m];
                const uint32_t e = graph->first_out[node] + (uint32_t)m;
                cr_assert_eq(move->cost, digraph_cost(graph, e));
                cr_assert_eq(move->distance,
                             solution.distance == PDB_NO_DISTANCE ? PDB_NO_DISTANCE : truth.distance[graph->out[e]]);
                cr_assert_eq(move->optimal,
                             move->distance != PDB_NO_DISTANCE && move->distance + move->cost == solution.distance);
            }
            if (solution.distance != PDB_NO_DISTANCE)
                check_path(graph, &board, &solution);
            pdb_solution_free(&solution);
        }
        pdb_solver_close(solver);
        truth_free(&truth);
        digraph_free(graph);
    }
}

/* -- the rules -- */

Test(forward, check_holds_costs_together)
{
    const struct check_limits limits = {.moves = 100000, .threads = 1};
    const uint32_t start = 3;
    struct check_report report;
    for (unsigned i = 0; i < 8; i++) {
        struct digraph *graph = digraph_random(300, 700, 3, 70 + i, false);
        digraph_make_forward(graph, i % 2 == 0, i < 4 ? 1 : 7, &start, 1);
        cr_assert(check_puzzle(&graph->puzzle, &limits, &report, &error) == PDB_OK, "%s", error.message);
        if (i >= 4) {
            graph->wrong_costs = true;
            cr_assert(check_puzzle(&graph->puzzle, &limits, &report, &error) == PDB_BROKEN_RULES);
            cr_assert(strstr(error.message, "costs:") != NULL, "%s", error.message);
        }
        digraph_free(graph);
    }
}
