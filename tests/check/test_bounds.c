/*
 * Lower bounds against the true distances, over whole spaces: never more than the distance, BOUND_NEVER only where
 * there is none, 0 for goals, and worth something; and the least matching that they stand on against all permutations.
 */
#include "catalog/catalog.h"
#include "lib/families/peg/peg.h"
#include "tests/support/family_search.h"
#include "lib/search/space/keyed.h"
#include "lib/search/board/matching.h"
#include "tests/support/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 100 };

/* ---- matching ---- */

/* The least of all ways to give the things from `thing` on a place, by trying every one. */
static uint32_t try_all(unsigned thing, unsigned things, unsigned places, const uint16_t *cost, unsigned taken)
{
    uint32_t least = MATCHING_NONE;
    if (thing == things)
        return 0;
    for (unsigned place = 0; place < places; place++) {
        if (taken >> place & 1 || cost[thing * places + place] == MATCHING_NEVER)
            continue;
        uint32_t rest = try_all(thing + 1, things, places, cost, taken | 1u << place);
        if (rest != MATCHING_NONE && rest + cost[thing * places + place] < least)
            least = rest + cost[thing * places + place];
    }
    return least;
}

Test(bounds, matching)
{
    uint64_t seed = 1;
    unsigned none = 0, found = 0;
    for (int round = 0; round < 20000; round++) {
        const unsigned things = (unsigned)random_below(&seed, 7),
                       places = things + (unsigned)random_below(&seed, 7 - things + 1);
        const uint64_t largest = round % 3 == 0   ? 3
                                 : round % 3 == 1 ? 40
                                                  : MATCHING_NEVER,
                       forbidden = random_below(&seed, 4);
        uint16_t cost[7 * 7 + 1];
        for (unsigned i = 0; i < things * places; i++)
            cost[i] = random_below(&seed, 5) < forbidden ? MATCHING_NEVER : (uint16_t)random_below(&seed, largest);
        const uint32_t least = try_all(0, things, places, cost, 0);
        cr_assert(matching_least(things, places, cost) == least, "round %d, %u things, %u places: %u, not %u", round,
                  things, places, matching_least(things, places, cost), least);
        *(least == MATCHING_NONE ? &none : &found) += 1;
    }
    cr_expect(none > 1000 && found > 2000, "%u %u", none, found);
}

/* Things and places on a line are matched best in their order; with a permutation hidden among dear costs, that is
 * found. */
Test(bounds, large_matchings)
{
    uint64_t seed = 2;
    for (unsigned n = 4; n <= MATCHING_MAX; n += 5) {
        static uint16_t cost[MATCHING_MAX * MATCHING_MAX];
        uint64_t thing[MATCHING_MAX], place[MATCHING_MAX];
        uint32_t sum = 0;
        for (unsigned i = 0; i < n; i++) {
            thing[i] = random_below(&seed, 60000);
            place[i] = random_below(&seed, 60000);
        }
        for (unsigned i = 0; i < n * n; i++)
            cost[i] = (uint16_t)llabs((long long)thing[i / n] - (long long)place[i % n]);
        qsort(thing, n, sizeof *thing, compare_numbers);
        qsort(place, n, sizeof *place, compare_numbers);
        for (unsigned i = 0; i < n; i++)
            sum += (uint32_t)llabs((long long)thing[i] - (long long)place[i]);
        cr_expect(matching_least(n, n, cost) == sum, "%u on a line", n);
        for (unsigned i = 0; i < n * n; i++)
            cost[i] = i % n == (i / n * 7 + 3) % n && n % 7 != 0 ? 1 : MATCHING_NEVER;
        if (n % 7 != 0)
            cr_expect(matching_least(n, n, cost) == n, "%u hidden", n);
        for (unsigned i = 0; i < n; i++)
            cost[i * n] = MATCHING_NEVER;
        cr_expect(matching_least(n, n, cost) == MATCHING_NONE, "%u and a place for nobody", n);
    }
}

/* ---- bounds ---- */

struct summary {
    double distance, bound;               /* means over the states that have a distance */
    uint64_t solvable, never, unsolvable; /* states; those of BOUND_NEVER, and those that have no distance */
};

/* Compares the bounds of all states with their distances. `key`: of state i, or NULL where it is i. */
static struct summary compare(const struct puzzle *puzzle, const struct keys *keys, uint64_t states,
                              const uint8_t *distance)
{
    cr_assert(puzzle->family->single.bound_text != NULL);
    struct summary summary = {0};
    for (uint64_t first = 0; first < states; first += BATCH) {
        const size_t count = states - first < BATCH ? (size_t)(states - first) : BATCH;
        uint64_t index[BATCH];
        uint16_t bound[BATCH];
        for (size_t i = 0; i < count; i++)
            index[i] = keys != NULL ? keys_at(keys, first + i) : first + i;
        puzzle->family->single.bounds(puzzle, index, count, bound);
        for (size_t i = 0; i < count; i++) {
            const uint8_t true_distance = distance[first + i];
            summary.never += bound[i] == BOUND_NEVER;
            if (true_distance == FAMILY_SEARCH_NONE) {
                summary.unsolvable++;
                continue;
            }
            cr_assert(bound[i] <= true_distance, "%s: index %llu: the bound is %u, the distance %u", puzzle->name,
                      (unsigned long long)index[i], bound[i], true_distance);
            cr_assert((bound[i] == 0) == (true_distance == 0), "%s: index %llu: the bound is %u, the distance %u",
                      puzzle->name, (unsigned long long)index[i], bound[i], true_distance);
            summary.solvable++;
            summary.distance += true_distance;
            summary.bound += bound[i];
        }
    }
    summary.distance /= (double)summary.solvable;
    summary.bound /= (double)summary.solvable;
    return summary;
}

/* All states: the family's own, or those that have keys. */
static struct summary whole_space(const struct puzzle *puzzle)
{
    struct summary summary;
    if (puzzle->keyed) {
        struct puzzle *dense = explored(puzzle, 2);
        uint8_t *distance = family_distances(dense);
        summary = compare(puzzle, keyed_keys(dense), dense->states, distance);
        free(distance);
        keyed_free(dense);
    } else {
        uint8_t *distance = family_distances(puzzle);
        summary = compare(puzzle, NULL, puzzle->states, distance);
        free(distance);
    }
    fprintf(stderr, "%-20s mean bound %.3f, mean distance %.3f; never: %llu of %llu\n", puzzle->name, summary.bound,
            summary.distance, (unsigned long long)summary.never, (unsigned long long)summary.unsolvable);
    return summary;
}

/* The bound is admissible everywhere, and in the mean at least so much of the distance. */
static struct summary check_built_in(const char *name, double share)
{
    struct puzzle *puzzle = built_in(name);
    const struct summary summary = whole_space(puzzle);
    cr_expect(summary.bound >= share * summary.distance, "%s: %f of %f", name, summary.bound, summary.distance);
    puzzle_free(puzzle);
    return summary;
}

static struct summary check_text(const char *text, double share)
{
    struct puzzle *puzzle = make_puzzle(text);
    const struct summary summary = whole_space(puzzle);
    cr_expect(summary.bound >= share * summary.distance, "%f of %f\n%s", summary.bound, summary.distance, text);
    puzzle_free(puzzle);
    return summary;
}

static uint16_t bound_of(const struct puzzle *puzzle, const char *text)
{
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index;
    uint16_t bound = 0;
    pdb_error error;
    cr_assert(puzzle_parse(puzzle, text, position, &error) == PDB_OK, "%s", error.message);
    cr_assert(puzzle->family->position.rank(puzzle, position, &index), "%s", text);
    puzzle->family->single.bounds(puzzle, &index, 1, &bound);
    return bound;
}

/* ---- sliding pieces ---- */

#define SLIDE "puzzle: test\nfamily: slide\n"

Test(bounds, eight_puzzle)
{
    const struct summary summary = check_built_in("8-puzzle", 0.6);
    struct puzzle *puzzle = built_in("8-puzzle");
    cr_expect(bound_of(puzzle, "8 6 7 2 5 4 3 . 1") == 21, "the Manhattan distance of puzzles.md");
    cr_expect(summary.solvable == 181440);
    puzzle_free(puzzle);
}

Test(bounds, goat)
{
    check_built_in("goat", 0.3);
}

Test(bounds, klotski)
{
    check_built_in("klotski", 0.02);
    check_built_in("klotski-slide", 0.02);
    check_built_in("rush-hour", 0.02);
}

/* Walls make ways longer, and some places no ends; three pieces alike, two blanks. */
Test(bounds, walls_and_alike)
{
    check_text(SLIDE "goal: |\n  a b .\n  # # c\n  d e f\n", 0.3);
    check_text(SLIDE "goal: |\n  a a a b\n  c # . .\n  d b e #\n", 0.3);
    check_text(SLIDE "goal: |\n  a a a a a\n  b b b b .\n", 0.2);
}

Test(bounds, large_pieces)
{
    check_text(SLIDE "pieces: [AA, B/B]\ngoal: |\n  A A B .\n  c d B .\n  c e f #\n", 0.3);
    check_text(SLIDE "pieces: [AA, CC]\nalike:\n  - A C\ngoal: |\n  A A C C\n  . . d d\n  . e f #\n", 0.2);
}

/* Some pieces are named, others of the kind are free; empty cells are named too; pieces have to leave what the goal
 * wants empty. */
Test(bounds, open_goals)
{
    check_text(SLIDE "board: |\n  a a a b\n  c d . .\n  a b e #\ngoal: |\n  a * * *\n  * * b *\n  . a . #\n", 0.2);
    check_text(
        SLIDE
        "pieces: [AA, B/B]\nboard: |\n  A A B .\n  c d B .\n  c e f #\ngoal: |\n  * * * *\n  * * * .\n  * A A #\n",
        0.1);
    check_text(SLIDE "board: |\n  a a a\n  a . .\n  . . .\ngoal: |\n  . . *\n  . * *\n  a * *\n", 0.2);
}

Test(bounds, slide_metric_and_axes)
{
    check_text(SLIDE "metric: slide\ngoal: |\n  a b c\n  d # .\n  e f .\n", 0.2);
    check_text(SLIDE "metric: slide\naxis: length\npieces: [AA, BB, C/C, D/D]\nboard: |\n  A A C .\n  B B C .\n  . D . "
                     ".\n  . D . .\n"
                     "goal: |\n  * * * *\n  * * B B\n  * D * *\n  * D * *\n",
               0);
    check_text(SLIDE "axis: length\npieces: [AA, BB, C/C, D/D]\nboard: |\n  A A C .\n  B B C .\n  . D . .\n  . D . .\n"
                     "goal: |\n  * * * *\n  * * B B\n  * * * *\n  * * * *\n",
               0.2);
    check_text(SLIDE "axis: {a: horizontal, b: vertical}\ngoal: |\n  a c b\n  . c d\n  a . b\n", 0.2);
}

/* More pieces alike than are matched, all but a few of them free to end anywhere: no more than the length of a walk
 * from a goal. */
Test(bounds, many_alike)
{
    struct puzzle *puzzle = make_puzzle(
        "puzzle: test\nfamily: walk\npiece: rook by one\n"
        "board: |\n  a a a a a a a a a a a a a a a a a a a a\n  a a a a a a a a a a a a a a a a a a a a\n"
        "  a a a a a a a a a a a a a a a a a a a a\n  a a a a a a a a a a . . . . . . . . . .\n"
        "goal: |\n  . * * * * * * * * * * * * * * * * * * *\n  * * * * * * * * * * * * * * * * * * * *\n"
        "  * * * * * * * * * * * * * * * * * * * *\n  a . . . . . . . * * * * * * * * * * * a\n");
    uint64_t seed = 3, at, *next = checked_memory(puzzle->max_moves, sizeof *next);
    uint8_t position[BOARD_MAX_CELLS] = {0};
    uint16_t count, bound;
    for (unsigned p = 0; p < puzzle->board.places; p++)
        position[p] = p == 0 || (p > 60 && p < 68) || p == 40 || p == 41 ? puzzle->board.empty
                                                                         : board_symbol(&puzzle->board, "a", 1);
    cr_assert(puzzle->family->position.is_goal(puzzle, position) &&
              puzzle->family->position.rank(puzzle, position, &at));
    unsigned most = 0;
    for (unsigned step = 0; step < 5000; step++) {
        puzzle->family->single.bounds(puzzle, &at, 1, &bound);
        cr_assert(bound <= step, "%u after %u steps", bound, step);
        most = bound > most ? bound : most;
        puzzle->family->index.successors(puzzle, &at, 1, next, &count);
        at = next[random_below(&seed, count)];
    }
    cr_expect(most > 5, "%u", most);
    free(next);
    puzzle_free(puzzle);
}

/* ---- walking pieces ---- */

#define WALK "puzzle: test\nfamily: walk\n"

Test(bounds, knights)
{
    check_built_in("knights", 0.4);
    check_built_in("guarini", 0.3);
}

Test(bounds, walks)
{
    check_text(WALK "piece: king\ngoal: |\n  a b c\n  . # .\n  . d .\n", 0.3);
    check_text(WALK "piece: bishop by one\nboard: a b ./. . c/. a .\ngoal: '* * ./. . c/. a .'\n", 0.3);
    check_text(
        WALK
        "piece: knight\nboard: |\n  b . b\n  . . .\n  w . w\n  . c .\ngoal: |\n  w * w\n  * . *\n  * . *\n  . * .\n",
        0.3);
}

Test(bounds, one_way_walks)
{
    check_text(WALK "places: a b c/d e f\ngoal: x y ./. . z\nedges:\n  - b e\none-way:\n  - a b c d e f a\n", 0.3);
    const struct summary street = check_text(
        WALK "places: a b c d e\nboard: x y . . .\ngoal: '* * * * x'\nedges: [a b c d]\none-way: [d e]\n", 0.3);
    cr_expect(street.never > 0 && street.never <= street.unsolvable, "the wrong piece at the end of the street");
}

/* ---- pegs ---- */

#define PEG "puzzle: test\nfamily: peg\n"

Test(bounds, peg_boards)
{
    const struct summary hoppers = check_built_in("hoppers", 0.3), triangle = check_built_in("triangle-15", 0.2);
    cr_expect(hoppers.never > 0 && triangle.never > 0);
}

Test(bounds, triangle_21)
{
    const struct summary summary = check_built_in("triangle-21", 0.3);
    cr_expect(summary.never * 2 > summary.unsolvable);
}

Test(bounds, diagonal_21)
{
    check_built_in("diagonal-21", 0.3);
}

/* Jumps one by one: where all goals have so many pegs, the bound is the distance. */
Test(bounds, single_jumps)
{
    const struct summary one = check_text(
        PEG "metric: jump\njumps: triangular\npegs: 1\nboard: |2\n      1\n     1 1\n    1 1 1\n   1 1 1 1\n", 1);
    cr_expect(one.bound == one.distance);
    check_text(PEG "metric: jump\njumps: orthogonal\nboard: |\n  1 1 1 1\n  1 1 1 1\n  1 1 1 1\ngoal:\n  - '* 0 0 0/* "
                   "1 0 0/* 0 0 0'\n  - '0 0 0 0/0 0 0 0/1 1 0 *'\n",
               0.6);
}

/* Goals with pegs that stay, with open holes, with a number of pegs besides; several of them. */
Test(bounds, peg_goals)
{
    check_text(PEG "jumps: orthogonal\ngoal: |\n  1 0 0 1\n  0 0 0 0\n  0 1 0 0\n  1 0 0 1\n", 0.2);
    check_text(PEG "jumps: orthogonal\ngoal: |\n  1 * 0 *\n  0 0 0 0\n  0 * * 0\n  0 0 0 1\n", 0.2);
    check_text(PEG "jumps: [orthogonal, diagonal]\npegs: 2\ngoal: |\n  * * * *\n  * 0 0 *\n  0 * * *\n", 0.2);
    check_text(PEG "jumps: orthogonal\npegs: 3\nboard: |\n  1 1 1 1 1\n  1 1 1 1 1\n  1 1 1 1 1\n", 0.1);
    check_text(PEG "jumps: orthogonal\nboard: |\n  1 1 1 1\n  1 1 1 1\n  1 1 1 1\n  1 1 1 1\ngoal:\n"
                   "  - 1 0 0 0/0 0 0 0/0 0 0 0/0 0 0 *\n  - 0 1 0 0/0 0 0 0/0 * 0 0/0 0 0 0\n  - 1 1 1 1/0 0 0 0/0 0 "
                   "0 0/0 0 0 0\n",
               0.2);
}

/* Lists of jumps: some go one way only, some holes only take pegs, or give them, or have no jump at all. */
Test(bounds, peg_lists)
{
    uint64_t seed = 5;
    double bound = 0;
    for (int round = 0; round < 60; round++) {
        const unsigned holes = 5 + (unsigned)random_below(&seed, 6);
        char text[4096];
        int length = sprintf(text, PEG "%sboard: ", round % 3 == 0 ? "metric: jump\n" : "");
        for (unsigned h = 0; h < holes; h++)
            text[length++] = '1';
        length += sprintf(text + length, "\ngoal: ");
        for (unsigned h = 0; h < holes; h++)
            text[length++] = "000011*"[random_below(&seed, 7)];
        length += sprintf(text + length, "\njumps:\n");
        for (unsigned h = 0; h < holes; h++) {
            const unsigned count = (unsigned)random_below(&seed, 4);
            if (count > 0 || h == 0)
                length += sprintf(text + length, "  %u:", h);
            unsigned before = holes * holes;
            for (unsigned j = 0; j < count || (h == 0 && j == 0); j++) {
                const unsigned over = (h + 1 + (unsigned)random_below(&seed, holes - 1)) % holes;
                unsigned to = (unsigned)random_below(&seed, holes);
                while (to == h || to == over)
                    to = (to + 1) % holes;
                if (over * holes + to != before)
                    length += sprintf(text + length, " (%u,%u)", over, to);
                before = over * holes + to;
            }
            if (count > 0 || h == 0)
                length += sprintf(text + length, "\n");
        }
        struct puzzle *puzzle = NULL;
        pdb_error error;
        if (try_puzzle(text, &puzzle, &error) != PDB_OK)
            continue; /* a jump listed twice */
        uint8_t *distance = family_distances(puzzle);
        const struct summary summary = compare(puzzle, NULL, puzzle->states, distance);
        bound += summary.bound;
        free(distance);
        puzzle_free(puzzle);
    }
    cr_expect(bound > 20, "%f", bound);
}

/* Back from the goal by sweeps; the board is a key that stands for eight. */
Test(bounds, english)
{
    struct puzzle *puzzle = built_in("english-33");
    uint64_t seed = 6, goal = (uint64_t)1 << 16, *next = checked_memory(puzzle->max_moves, sizeof *next);
    double sum = 0, steps = 0;
    for (unsigned round = 0; round < 2000; round++) {
        uint64_t at = goal;
        for (unsigned step = 0;; step++) {
            uint16_t count, bound;
            puzzle->family->single.bounds(puzzle, &at, 1, &bound);
            cr_assert(bound <= step && (bound == 0) == (step == 0), "%u after %u sweeps", bound, step);
            sum += bound;
            steps += step;
            puzzle->family->index.predecessors(puzzle, &at, 1, next, &count);
            if (count == 0)
                break;
            at = next[random_below(&seed, count)];
        }
    }
    fprintf(stderr, "english-33           mean bound %.3f of %.3f sweeps back\n", sum, steps);
    cr_expect(sum > 0.3 * steps, "%f of %f", sum, steps);
    cr_expect(bound_of(puzzle, "start") >= 12, "%u: eight corners, and four regions of three holes",
              bound_of(puzzle, "start"));
    free(next);
    puzzle_free(puzzle);
}

/* The rules of families/peg/sets.c, jump by jump. */
static bool is_region(const struct peg *peg, uint64_t set)
{
    for (unsigned j = 0; j < peg->jumps; j++)
        if (set >> peg->jump[j].over & 1 && !(set >> peg->jump[j].from & 1) && !(set >> peg->jump[j].to & 1))
            return false;
    return true;
}

static bool is_pagoda(const struct peg *peg, uint64_t set)
{
    for (unsigned j = 0; j < peg->jumps; j++)
        if ((set >> peg->jump[j].from & 1) + (set >> peg->jump[j].over & 1) < (set >> peg->jump[j].to & 1))
            return false;
    return true;
}

/* Every set of the search keeps its rule; none is missing among the regions of up to PEG_MAX_REGION holes. */
Test(bounds, peg_sets)
{
    static const char *const names[] = {"hoppers",     "triangle-15", "triangle-21",
                                        "diagonal-21", "english-33",  "french-37"};
    for (size_t n = 0; n < COUNT(names); n++) {
        struct puzzle *puzzle = built_in(names[n]);
        const struct peg *peg = (const struct peg *)puzzle;
        uint64_t region[PEG_MAX_REGIONS], pagoda[PEG_MAX_PAGODAS];
        const unsigned regions = peg_find_regions(peg, region);
        for (unsigned r = 0; r < regions; r++)
            cr_assert(is_region(peg, region[r]) && __builtin_popcountll(region[r]) <= PEG_MAX_REGION, "%s", names[n]);
        for (uint64_t set = 1; puzzle->states <= 1 << 21 && set < puzzle->states; set++) {
            unsigned inside = 0;
            if (__builtin_popcountll(set) > PEG_MAX_REGION || !is_region(peg, set))
                continue;
            while (inside < regions && (region[inside] & ~set) != 0)
                inside++;
            cr_assert(inside < regions, "%s: %llx", names[n], (unsigned long long)set);
        }
        for (unsigned hole = 0; hole < peg->holes; hole++) {
            const unsigned pagodas = peg_find_pagodas(peg, hole, PEG_MAX_PAGODAS, pagoda);
            cr_expect(pagodas > 0, "%s: %u", names[n], hole);
            for (unsigned p = 0; p < pagodas; p++)
                cr_assert(is_pagoda(peg, pagoda[p]) && pagoda[p] >> hole & 1, "%s", names[n]);
        }
        puzzle_free(puzzle);
    }
}
