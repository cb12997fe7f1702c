/* test_search.c -- what a search says is not believed: its path is walked by the plain rules before anybody sees it
 *
 * Searchers that say what they are told to, a puzzle whose fast function lies to a real one, and a round of iterative
 * deepening that finds its solution too late.
 */
#include "tests/support/digraph.h"
#include "lib/search/board/deepen.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 6, LONGEST = 8 };

/* A searcher that has its path beforehand: the nodes of a ring, from each of which a move leads to the one before
 * it. */
struct told {
    struct searcher searcher;
    uint32_t distance;
    uint64_t node[LONGEST];
};

static pdb_status say_it(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                         search_observer *observe, void *context, struct search_answer *answer, pdb_error *error)
{
    const struct told *told = (const struct told *)searcher;
    const struct puzzle *puzzle = searcher->puzzle;
    (void)position, (void)most, (void)observe, (void)context, (void)error;
    answer->distance = answer->bound = told->distance;
    answer->path = checked_memory((told->distance + 1), puzzle->board.places);
    for (uint32_t step = 0; step <= told->distance; step++)
        puzzle->family->position.unrank(puzzle, told->node[step], answer->path + step * puzzle->board.places);
    return PDB_OK;
}

static const struct searcher_class told_class = {.solve = say_it};

Test(search, paths_are_walked_by_the_rules)
{
    static const char *const no_move = "a step that is no move",
                             *const ends = "leads from another board, or to no goal";
    static const struct {
        uint64_t from;
        uint32_t distance;
        uint64_t node[LONGEST];
        bool stray_step, stray_end, forks;
    } cases[] = {
        {3, 3, {3, 2, 1, 0}, false, false, false},
        {0, 0, {0}, false, false, false},
        {1, 7, {1, 0, 5, 4, 3, 2, 1, 0}, false, false, false}, /* is a solution, if not a shortest one */
        {3, 2, {3, 1, 0}, true, false, false},
        {3, 4, {3, 2, 2, 1, 0}, true, false, false},
        {3, 5, {3, 4, 3, 2, 1, 0}, true, false, false},
        {1, 1, {1, 5}, true, false, false},
        {3, 2, {3, 2, 1}, false, true, false},
        {3, 0, {3}, false, true, false},
        {3, 2, {2, 1, 0}, false, true, false},
        {3, 0, {0}, false, true, false},
        {3, 3, {3, 2, 1, 0}, false, false, true},
        {3, 2, {3, 2, 0}, true, false, true}, /* there is a move from 3 to 0, but not from 2 */
    };
    static const uint32_t from_node[] = {3, 3, 2, 1}, to_node[] = {2, 0, 1, 0}, goal = 0;
    struct digraph *ring = digraph_ring(NODES),
                   *forks = digraph_create(4, from_node, to_node, COUNT(to_node), &goal, 1, NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct digraph *graph = cases[i].forks ? forks : ring;
        struct told told = {{&told_class, &graph->puzzle, 1, ""}, cases[i].distance, {0}};
        struct search_answer answer;
        uint8_t from[BOARD_MAX_CELLS];
        pdb_error error = {.message = ""};
        memcpy(told.node, cases[i].node, sizeof told.node);
        graph->puzzle.family->position.unrank(&graph->puzzle, cases[i].from, from);
        const pdb_status status = search_solve(&told.searcher, from, PDB_NO_DISTANCE, NULL, NULL, &answer, &error);
        const bool stray = cases[i].stray_step || cases[i].stray_end;
        cr_expect(status == (stray ? PDB_BROKEN_RULES : PDB_OK), "case %zu: status %d", i, (int)status);
        cr_expect((answer.path == NULL) == stray, "case %zu", i);
        if (stray)
            cr_expect(strstr(error.message, cases[i].stray_step ? no_move : ends) != NULL, "case %zu: '%s'", i,
                      error.message);
        free(answer.path);
    }
    digraph_free(ring);
    digraph_free(forks);
}

/* Fast functions that agree with one another, as if a move went two nodes at once. */
static size_t step_by(uint64_t step, uint64_t states, const uint64_t *index, size_t count, uint64_t *next,
                      uint16_t *next_count)
{
    for (size_t i = 0; i < count; i++) {
        next[i] = (index[i] + step) % states;
        next_count[i] = 1;
    }
    return count;
}

static size_t two_down(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                       uint16_t *next_count)
{
    return step_by(puzzle->states - 2, puzzle->states, index, count, next, next_count);
}

static size_t two_up(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                     uint16_t *next_count)
{
    return step_by(2, puzzle->states, index, count, next, next_count);
}

/* Deepening over successors that are no moves: it sees that itself when it names them. */
Test(search, a_puzzle_that_lies_gets_no_answer)
{
    struct digraph *graph = digraph_ring(NODES);
    struct family lying = *graph->puzzle.family;
    lying.index.successors = two_down;
    lying.index.predecessors = two_up;
    graph->puzzle.family = &lying;
    const struct search_options options = {.threads = 1, .memory = 1 << 20};
    struct searcher *searcher;
    struct search_answer answer;
    uint8_t from[BOARD_MAX_CELLS];
    pdb_error error = {.message = ""};
    lying.position.unrank(&graph->puzzle, 4, from);
    cr_assert(search_create(&graph->puzzle, &options, &searcher, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(search_solve(searcher, from, PDB_NO_DISTANCE, NULL, NULL, &answer, &error), PDB_BROKEN_RULES);
    cr_expect(answer.path == NULL && strstr(error.message, "no move leads where the search went") != NULL, "'%s'",
              error.message);
    search_free(searcher);
    digraph_free(graph);
}

/* -- a round whose budget runs out just before it has a solution -- */

static pdb_status nothing_to_do(struct deepen_worker *worker, pdb_error *error)
{
    (void)worker, (void)error;
    return PDB_OK;
}

static void nothing_to_free(struct deepen_worker *worker)
{
    (void)worker;
}

static pdb_status one_root(struct deepening *deepening, size_t wanted, pdb_error *error)
{
    static const int root = 0;
    (void)wanted;
    return deepen_first_root(deepening, &root, error);
}

static void find_late(struct deepen_worker *worker)
{
    size_t root;
    cr_assert(deepen_take(worker, &root));
    worker->nodes = 2;
    cr_expect(deepen_ended(worker, root));
    deepen_found(worker, root, "late", 4);
}

Test(search, a_round_that_pauses_keeps_no_solution)
{
    static const struct deepen_class late = {.root_size = sizeof(int),
                                             .worker_size = sizeof(struct deepen_worker),
                                             .ready = nothing_to_do,
                                             .release = nothing_to_free,
                                             .roots = one_root,
                                             .search = find_late};
    static const struct puzzle puzzle = {.name = "late"};
    struct deepening deepening = {.class = &late, .puzzle = &puzzle, .threads = 1, .budget = 1};
    pdb_error error = {.message = ""};
    EXPECT_NUMBER(deepen(&deepening, PDB_NO_DISTANCE, &error), PDB_OK);
    cr_expect(deepening.paused && !deepening.solved && deepening.path == NULL);
    deepen_free(&deepening);
}
