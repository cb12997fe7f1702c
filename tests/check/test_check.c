/* test_check.c -- the checker of the contract: sound puzzles pass, and a puzzle spoiled in one place is caught by the
 * right rule at the right board */
#include "lib/check/check.h"
#include "spoiled.h"
#include "catalog/catalog.h"
#include "tests/support/digraph.h"
#include "tests/support/family_search.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pdb_error error;

/* -- puzzles to spoil -- */

static const char slide_text[] =
    "puzzle: two-by-three\nfamily: slide\ngoal: |\n  1 2 3\n  4 5 .\nboards:\n  start: 5 4 . 1 2 3\n";

static const struct check_limits two_threads = {.moves = 40000000, .threads = 2};

/* The fault is caught by this rule, in words that have these in them, at the board of one of these two states. */
static void expect_caught(struct puzzle *base, struct fault fault, const char *rule, const char *words)
{
    char head[100], at[40];
    cr_assert(check_spoiled(base, fault, &two_threads, &error) == PDB_BROKEN_RULES, "fault %d at %llu was not caught",
              (int)fault.kind, (unsigned long long)fault.at);
    snprintf(head, sizeof head, "%s: %s: board ", base->name, rule);
    snprintf(at, sizeof at, "(index %llu)", (unsigned long long)fault.at);
    cr_expect(strncmp(error.message, head, strlen(head)) == 0, "fault %d: %s", (int)fault.kind, error.message);
    cr_expect(strstr(error.message, at) != NULL, "fault %d at %llu: %s", (int)fault.kind, (unsigned long long)fault.at,
              error.message);
    cr_expect(strstr(error.message, words) != NULL, "fault %d: %s", (int)fault.kind, error.message);
}

/* The first goal, and a state that is none. */
static pdb_status note_goal(void *context, const uint64_t *index, size_t count, pdb_error *ignored)
{
    (void)count;
    (void)ignored;
    *(uint64_t *)context = *index;
    return PDB_OK;
}

static uint64_t goal_of(const struct puzzle *puzzle)
{
    uint64_t goal = UINT64_MAX;
    cr_assert(puzzle->family->index.goals(puzzle, note_goal, &goal, NULL) == PDB_OK && goal != UINT64_MAX);
    return goal;
}

Test(check, wrapped_and_sound)
{
    struct puzzle *slide = make_puzzle(slide_text);
    cr_assert(check_spoiled(slide, (struct fault){.kind = SOUND}, &two_threads, &error) == PDB_OK, "%s", error.message);
    puzzle_free(slide);
}

Test(check, moves_and_inverses)
{
    struct puzzle *slide = make_puzzle(slide_text);
    for (uint64_t at = 0; at < slide->states; at += 41) {
        expect_caught(slide, (struct fault){SUCCESSOR_WRONG, at}, "moves", "of the index: 0");
        expect_caught(slide, (struct fault){SUCCESSOR_MISSING, at}, "moves", "of the index: 0");
        expect_caught(slide, (struct fault){SUCCESSOR_OUTSIDE, at}, "moves",
                      "one of the successors is 360, and there are 360 states");
        expect_caught(slide, (struct fault){MOVE_MISSING, at}, "moves", "is a successor of the index");
        expect_caught(slide, (struct fault){MOVE_UNNAMED, at}, "text", "a move has no text");
        expect_caught(slide, (struct fault){MOVE_ELSEWHERE, at}, "moves", "moves of the position that lead to board");
    }
    expect_caught(slide, (struct fault){TOTAL_WRONG, 0}, "moves", "in all are claimed");
    slide->max_moves = 2;
    cr_assert(check_spoiled(slide, (struct fault){.kind = SOUND}, &two_threads, &error) == PDB_BROKEN_RULES);
    cr_assert(strstr(error.message, "3 successors, but max_moves is 2") != NULL, "%s", error.message);
    puzzle_free(slide);
}

/* A successor given twice is two moves: where positions have one, it is one too many. */
Test(check, successor_given_twice)
{
    struct puzzle *slide = make_puzzle(slide_text);
    slide->max_moves++;
    expect_caught(slide, (struct fault){SUCCESSOR_TWICE, 100}, "moves", "of the index: 2");
    slide->max_moves--;
    puzzle_free(slide);
}

Test(check, inverses_of_directed_puzzles)
{
    struct digraph *graph = digraph_random(300, 700, 2, 11, false);
    struct puzzle *puzzle = &graph->puzzle;
    cr_assert(check_spoiled(puzzle, (struct fault){.kind = SOUND}, &two_threads, &error) == PDB_OK, "%s",
              error.message);
    for (uint64_t at = 0; at < 300; at += 13) {
        if (graph->first_in[at] == graph->first_in[at + 1])
            continue;
        expect_caught(puzzle, (struct fault){PREDECESSOR_MISSING, at}, "inverses", "among the");
        expect_caught(puzzle, (struct fault){PREDECESSOR_WRONG, at}, "inverses", "among the");
    }
    puzzle->undoable = true; /* which it is not */
    cr_assert(check_spoiled(puzzle, (struct fault){.kind = SOUND}, &two_threads, &error) == PDB_BROKEN_RULES);
    cr_assert(strstr(error.message, "among the successors of that") != NULL, "%s", error.message);
    puzzle->undoable = false;
    digraph_free(graph);
}

/* An edge that predecessors know and successors do not: the position has it neither, so only the second half of the
 * rule can tell. */
Test(check, predecessor_too_many)
{
    static const uint32_t from[] = {0, 1, 2}, to[] = {1, 2, 0}, goal[] = {0};
    struct digraph *graph = digraph_create(3, from, to, 3, goal, 1, NULL);
    graph->first_out[3] = 2; /* forgets the edge from 2 to 0 */
    struct check_report report;
    cr_assert(check_puzzle(&graph->puzzle, &two_threads, &report, &error) == PDB_BROKEN_RULES);
    cr_assert_str_eq(
        error.message,
        "digraph: inverses: board 00000 (index 0): board 00002 (index 2) is 1 time among its predecessors, "
        "but it is 0 times among the successors of that");
    graph->first_out[3] = 3;
    digraph_free(graph);
}

Test(check, ranking)
{
    struct puzzle *slide = make_puzzle(slide_text);
    for (uint64_t at = 0; at < slide->states; at += 23) {
        char index[40];
        snprintf(index, sizeof index, "has the index %llu", (unsigned long long)at + 1);
        expect_caught(slide, (struct fault){RANK_NEXT, at}, "ranking", index);
        expect_caught(slide, (struct fault){RANK_NONE, at}, "ranking", "its position has no index");
        expect_caught(slide, (struct fault){CHECK_REFUSES, at}, "ranking", "is no proper position: spoiled");
        expect_caught(slide, (struct fault){UNRANK_ORDER, at}, "ranking", "its position has the index");
        expect_caught(slide, (struct fault){UNRANK_SYMBOL, at}, "ranking", "a symbol that the board does not know");
    }
    puzzle_free(slide);
}

Test(check, colours)
{
    struct puzzle *slide = make_puzzle(slide_text);
    cr_assert(slide->coloured);
    for (uint64_t at = 1; at < slide->states; at += 37) {
        if (at == goal_of(slide))
            continue;
        expect_caught(slide, (struct fault){COLOUR_SAME, at}, "colours", "and a move leads to board");
        expect_caught(slide, (struct fault){COLOUR_TWO, at}, "colours", "");
    }
    expect_caught(slide, (struct fault){COLOUR_TWO, 0}, "colours", "its colour is 2");
    puzzle_free(slide);
}

Test(check, goals)
{
    struct puzzle *slide = make_puzzle(slide_text);
    const uint64_t goal = goal_of(slide), other = goal == 7 ? 8 : 7;
    cr_assert(check_spoiled(slide, (struct fault){.kind = GOAL_MISSING}, &two_threads, &error) == PDB_BROKEN_RULES);
    cr_assert_str_eq(error.message, "two-by-three: goals: no state fits the goal");
    expect_caught(slide, (struct fault){GOAL_TWICE, goal}, "goals", "it is visited twice");
    expect_caught(slide, (struct fault){GOAL_EXTRA, other}, "goals", "visited as a goal, but is none");
    expect_caught(slide, (struct fault){GOAL_DENIED, goal}, "goals", "visited as a goal, but is none");
    expect_caught(slide, (struct fault){GOAL_CLAIMED, other}, "goals", "it is a goal, but was not visited as one");
    expect_caught(slide, (struct fault){GOAL_OUTSIDE, slide->states}, "goals",
                  "it is visited, and there are 360 states");
    puzzle_free(slide);
}

Test(check, symmetry)
{
    struct puzzle *peg = built_in("english-33");
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t start;
    uint16_t count;
    uint64_t *next = malloc(peg->max_moves * sizeof *next);
    cr_assert(peg->family->index.weights != NULL && next != NULL);
    cr_assert(puzzle_parse(peg, "start", position, &error) == PDB_OK, "%s", error.message);
    cr_assert(peg->family->position.rank(peg, position, &start));
    peg->family->index.successors(peg, &start, 1, next, &count);
    const struct check_limits limits = {.moves = 20000, .threads = 2};
    cr_assert(check_spoiled(peg, (struct fault){.kind = SOUND}, &limits, &error) == PDB_OK, "%s", error.message);
    cr_assert(check_spoiled(peg, (struct fault){WEIGHT_MORE, next[0]}, &limits, &error) == PDB_BROKEN_RULES);
    cr_assert(strstr(error.message, "its weight is 5, but it has 4 different images") != NULL, "%s", error.message);
    cr_assert(check_spoiled(peg, (struct fault){IMAGE_WRONG, next[0]}, &limits, &error) == PDB_BROKEN_RULES);
    cr_assert(strstr(error.message, "its weight is 4, but it has 1 different images") != NULL, "%s", error.message);
    free(next);
    puzzle_free(peg);
}

/* A bound of one more than the distance is caught at every state, where moves can be undone and where they cannot; the
 * distance itself is not. */
static void check_bounds_of(struct puzzle *puzzle, uint64_t stride)
{
    uint8_t *distance = family_distances(puzzle);
    unsigned never = 0;
    for (uint64_t at = 0; at < puzzle->states; at += stride) {
        const uint16_t true_distance = distance[at];
        if (true_distance == FAMILY_SEARCH_NONE) { /* nobody walks there, so anything passes */
            never++;
            continue;
        }
        char words[100];
        spoiled_bound = true_distance;
        cr_assert(check_spoiled(puzzle, (struct fault){BOUND_OTHER, at}, &two_threads, &error) == PDB_OK, "%s",
                  error.message);
        spoiled_bound = (uint16_t)(true_distance + 1);
        snprintf(words, sizeof words, "its bound is %u, and a goal is %u moves away", spoiled_bound, true_distance);
        expect_caught(puzzle, (struct fault){BOUND_OTHER, at}, "bounds", words);
        spoiled_bound = BOUND_NEVER;
        expect_caught(puzzle, (struct fault){BOUND_OTHER, at}, "bounds",
                      "its bound says that no goal can be reached, and one is");
    }
    cr_expect(never < puzzle->states);
    free(distance);
}

Test(check, bounds)
{
    struct puzzle *slide = make_puzzle(slide_text),
                  *peg = make_puzzle("puzzle: small\nfamily: peg\njumps: orthogonal\ngoal: 1 0 0/0 0 0/0 0 *\n");
    check_bounds_of(slide, 17);
    check_bounds_of(peg, 1);
    puzzle_free(slide);
    puzzle_free(peg);
}

/* Keys: goals are not listed, but walks come by some. */
Test(check, bounds_of_keys)
{
    struct puzzle *keyed;
    const struct check_limits limits = {.moves = 200000, .threads = 2};
    keyed = make_puzzle("puzzle: dominoes\nfamily: slide\npieces: [AA, B/B, CC, D/D]\n"
                        "board: |\n  A A B . .\n  . . B . .\n  . C C . .\n  . D . . .\n  . D . . .\n"
                        "goal: |\n  A A * * *\n  * * * * *\n  * * * * *\n  * * * * *\n  * * * * *\n"
                        "boards:\n  start: ..B../..B../.CC../AAD../..D..\n");
    cr_assert(keyed->keyed && keyed->undoable);
    cr_expect(check_spoiled(keyed, (struct fault){.kind = SOUND}, &limits, &error) == PDB_OK, "%s", error.message);
    const uint8_t *start = keyed->named[0].position;
    uint64_t key;
    cr_assert(keyed->family->position.rank(keyed, start, &key));
    expect_caught(keyed, (struct fault){PACKED_MISSING, key}, "packed keys", "and not the same");
    expect_caught(keyed, (struct fault){PACKED_NEXT, key}, "packed keys", "its packed key means key");
    cr_expect(check_spoiled(keyed, (struct fault){.kind = BOUND_GOALS}, &limits, &error) == PDB_BROKEN_RULES);
    cr_expect(strstr(error.message, "its bound is 1, and a goal is 0 moves away") != NULL, "%s", error.message);
    puzzle_free(keyed);
}

/* A puzzle with too many moves to look at all: the sample is the same with any number of threads, and finds what is
 * wrong everywhere. */
Test(check, sample)
{
    struct digraph *graph = digraph_random(50000, 100000, 2, 12, false);
    struct check_report one, two;
    struct check_limits limits = {.moves = 20000, .threads = 1};
    cr_assert(check_puzzle(&graph->puzzle, &limits, &one, &error) == PDB_OK, "%s", error.message);
    limits.threads = 2;
    cr_assert(check_puzzle(&graph->puzzle, &limits, &two, &error) == PDB_OK, "%s", error.message);
    cr_assert(!one.all && one.states > 100 && one.states < 25000);
    cr_assert(one.states == two.states && one.moves == two.moves);
    graph->puzzle.undoable = true;
    cr_assert(check_puzzle(&graph->puzzle, &limits, &two, &error) == PDB_BROKEN_RULES);
    digraph_free(graph);
}

/* The same complaint with any number of threads. */
Test(check, first_failure)
{
    struct puzzle *slide = make_puzzle(slide_text);
    pdb_error first;
    for (unsigned threads = 1; threads <= 4; threads++) {
        const struct check_limits limits = {.moves = 40000000, .threads = threads};
        cr_assert(check_spoiled(slide, (struct fault){COLOUR_SAME, 300}, &limits, &error) == PDB_BROKEN_RULES);
        if (threads == 1)
            first = error;
        cr_assert_str_eq(error.message, first.message);
    }
    puzzle_free(slide);
}

static bool stop(void *context, uint64_t done, uint64_t all)
{
    (void)done;
    (void)all;
    ++*(int *)context;
    return false;
}

Test(check, interruption)
{
    struct puzzle *slide = make_puzzle(slide_text);
    struct check_report report;
    int calls = 0;
    const struct check_limits limits = {.moves = 40000000, .threads = 1, .observer = stop, .context = &calls};
    cr_assert(check_puzzle(slide, &limits, &report, &error) == PDB_INTERRUPTED);
    cr_assert_eq(calls, 1);
    puzzle_free(slide);
}

/* Every built-in puzzle keeps the contract; the large ones on a sample. Those without moves, some of which take long to
 * build, are the business of test_checker.c. */
Test(check, built_in_puzzles)
{
    for (size_t i = 0; catalog_names[i] != NULL; i++) {
        pdb_puzzle *puzzle = load_puzzle(catalog_names[i]);
        struct check_report report;
        const struct check_limits limits = {.moves = 1000000 / share(), .threads = 2};
        if (puzzle->moves != NULL) {
            cr_expect(check_puzzle(puzzle->moves, &limits, &report, &error) == PDB_OK, "%s", error.message);
            cr_expect(report.states > 0);
        }
        pdb_puzzle_free(puzzle);
    }
}
