/* test_search.c -- permutation puzzles: lengths of searches against the distances of all states, and the same lengths
 * whatever is turned on and off
 */
#include "searchers.h"
#include "tests/support/family_search.h"
#include "tests/support/pattern_bytes.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Besides those of searchers.h: one that only turns around, and some that are large. */
static const char *const carousel = PERMUTE "places: 1 2 3 4 5 6\nturns: forward\ngenerators:\n  on: 1 2 3 4 5 6\n";
static const char *const pancakes_12 = PERMUTE
    "places: 1 2 3 4 5 6 7 8 9 10 11 12\ngenerators:\n"
    "  2: {reverse: 1 2}\n  3: {reverse: 1 2 3}\n  4: {reverse: 1 2 3 4}\n"
    "  5: {reverse: 1 2 3 4 5}\n  6: {reverse: 1 2 3 4 5 6}\n"
    "  7: {reverse: 1 2 3 4 5 6 7}\n  8: {reverse: 1 2 3 4 5 6 7 8}\n"
    "  9: {reverse: 1 2 3 4 5 6 7 8 9}\n  10: {reverse: 1 2 3 4 5 6 7 8 9 10}\n"
    "  11: {reverse: 1 2 3 4 5 6 7 8 9 10 11}\n"
    "  12: {reverse: 1 2 3 4 5 6 7 8 9 10 11 12}\n";
static const char *const topspin_16 = PERMUTE
    "places: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\ngenerators:\n"
    "  on: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n  spin: {reverse: 1 2 3 4}\n";

/* -- whole spaces -- */

/* Searches `sample` states, or all where there are no more, and holds the lengths against the distances of all. */
static void compare_lengths(const char *name, uint64_t sample, bool no_machine)
{
    struct puzzle *puzzle = any_puzzle(name);
    struct searcher *searcher = make_searcher(puzzle, &(struct search_options){.threads = 1, .no_machine = no_machine});
    uint8_t *distance = family_distances(puzzle), position[BOARD_MAX_CELLS];
    const bool all = puzzle->states <= sample;
    uint64_t random = 2463534242;
    for (uint64_t i = 0; i < (all ? puzzle->states : sample); i++) {
        const uint64_t index = all ? i : random_below(&random, puzzle->states);
        puzzle->family->position.unrank(puzzle, index, position);
        const uint32_t length = length_of(searcher, position);
        cr_assert(length == (distance[index] == FAMILY_SEARCH_NONE ? PDB_NO_DISTANCE : distance[index]),
                  "%.30s: state %llu: %u moves, not %d", name, (unsigned long long)index, length, distance[index]);
    }
    free(distance);
    search_free(searcher);
    puzzle_free(puzzle);
}

Test(permute_search, lengths)
{
    compare_lengths("diagonal-slide", share_of(3000), false);
    compare_lengths("pancakes-8", share_of(3000), false);
    compare_lengths("pyraminx", share_of(1000), false);
    compare_lengths(ring_of_pairs, 3000 / short_step(4), false);
    compare_lengths(open_twists, 3000 / short_step(4), false);
    compare_lengths(one_way, 3000 / short_step(4), false);
    compare_lengths(deep, share_of(1000), false);
    compare_lengths(one_way_twists, 1000 / short_step(4), false);
    compare_lengths(two_orbits, 3000 / short_step(4), false);
}

/* Of some four million states each. */
Test(permute_search, lengths_in_large_spaces)
{
    compare_lengths("topspin-10", share_of(1000), false);
    compare_lengths("cube-2x2x2", share_of(1000), false);
    compare_lengths("cube-2x2x2-qtm", share_of(1000), false);
}

Test(permute_search, lengths_without_a_machine)
{
    compare_lengths("diagonal-slide", 300, true);
    compare_lengths("cube-2x2x2-qtm", 50, true);
    compare_lengths(burnt, 1000, true);
    compare_lengths(one_way, 100, true);
    compare_lengths(two_orbits, 100, true);
}

/* Where the group is smaller than parities and twists say, it is known which boards reach the goal: nothing is searched
 * without end. */
Test(permute_search, smaller_groups)
{
    compare_lengths(burnt, 2000, false);
    compare_lengths(two_faces, 3000, false);
    compare_lengths(carousel, 3000, false);
}

/* Tiles that are alike: which of them is which, a walk through the group decides. */
Test(permute_search, smaller_groups_of_alike_tiles)
{
    compare_lengths(PERMUTE "goal: a a b b c\ngenerators:\n  shift: 1 2 3 4 5\n", 100, false);
    compare_lengths(PERMUTE "board: a a b b c d e e\ngoal: a a b b c d * *\ngenerators:\n  l: (1 2 3 4)(5 6 7 8)\n  r: "
                            "(1 5)(2 6)(3 7)(4 8)\n",
                    3000, false);
    compare_lengths(PERMUTE "goal: a a b b+1 c c+1\ntwists: 2\ngenerators:\n  on: (1 2+1 3 4 5 6)\n", 3000, false);
}

/* -- with and without: the same lengths -- */

static void compare_options(const char *name, unsigned boards, unsigned moves, uint64_t memory)
{
    struct puzzle *puzzle = any_puzzle(name);
    struct tables tables;
    struct pattern_bytes memory_bytes, file;
    pdb_error error;
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 521288629;
    cr_assert(permute_pattern_family.choose(puzzle, memory, &tables.patterns, &error) == PDB_OK, "%s", error.message);
    cr_assert(tables.patterns.memory <= memory);
    build_tables(puzzle, &tables, 2);
    const struct search_options kept = {
        .threads = 1, .patterns = &tables.patterns, .source = pattern_bytes_make(&memory_bytes, tables.bytes, false)};
    struct search_options kept_threads = kept, in_file = kept, no_symmetries = kept, no_machine = kept;
    in_file.source = pattern_bytes_make(&file, tables.bytes, true);
    kept_threads.threads = 2;
    no_symmetries.no_symmetries = true;
    no_machine.no_machine = true;
    struct searcher *searchers[] = {
        make_searcher(puzzle, &(struct search_options){.threads = 1}),
        make_searcher(puzzle, &(struct search_options){.threads = 3}),
        make_searcher(puzzle, &kept),
        make_searcher(puzzle, &kept_threads),
        make_searcher(puzzle, &in_file),
        make_searcher(puzzle, &no_symmetries),
        make_searcher(puzzle, &no_machine),
    };
    for (unsigned b = 0; b < share_of(boards); b++) {
        struct search_answer answer[COUNT(searchers)];
        scramble(puzzle, moves, &random, position);
        for (unsigned s = 0; s < COUNT(searchers); s++)
            cr_assert(solve_board(searchers[s], position, &answer[s]) == answer[0].distance);
        cr_expect(answer[0].distance <= moves || !puzzle->undoable);
        const size_t bytes = (answer[0].distance + 1) * puzzle->board.places;
        for (unsigned s = 1; s + 1 < COUNT(searchers); s++)
            cr_expect(memcmp(answer[0].path, answer[s].path, bytes) == 0, "board %u: another path", b);
        for (unsigned s = 0; s < COUNT(searchers); s++)
            free(answer[s].path);
    }
    const bool looked_at = file.looks > 0; /* neighbours that are counted do without tables */
    cr_expect((looked_at || name == pancakes_12) && file.loads <= 1, "%s", name);
    pattern_bytes_make(&file, tables.bytes, true);
    file.damaged = true;
    struct search_answer none;
    const pdb_status status = search_solve(searchers[4], position, PDB_NO_DISTANCE, NULL, NULL, &none, &error);
    cr_expect(status == (looked_at ? PDB_DAMAGED : PDB_OK), "%s: %d", name, status);
    free(none.path);
    for (unsigned s = 0; s < COUNT(searchers); s++)
        search_free(searchers[s]);
    free(tables.bytes);
    puzzle_free(puzzle);
}

Test(permute_search, options)
{
    compare_options("diagonal-slide", 300, 50, 64 * MIB);
    compare_options("cube-2x2x2-qtm", 100, 50, 64 * MIB);
    compare_options(open_twists, 300, 50, 64 * MIB);
    compare_options(one_way, 30, 12, 64 * MIB);
    compare_options(pancakes_12, 20, 100, 64 * MIB);
    compare_options(topspin_16, 20, 16, 64 * MIB);
}

/* Neighbours are counted where moves can part each pair of them but the first, and only there; and what counts them has
 * no pattern databases. */
Test(permute_search, neighbours)
{
    const struct {
        const char *puzzle;
        bool counted;
    } known[] = {
        {"pancakes-8", true},
        {pancakes_12, true},
        {PERMUTE "places: 1 2 3 4 5\ngenerators:\n  a: {reverse: 4 5}\n  b: {reverse: 3 4 5}\n  c: {reverse: 2 3 4 5}\n"
                 "  d: {reverse: 1 2 3 4 5}\n",
         true},
        {PERMUTE "places: 1 2 3 4 5 6 7 8\ngenerators:\n  a: {reverse: 1 2}\n  b: {reverse: 1 2 3 4 5 6 7 8}\n", false},
        {PERMUTE "places: 1 2 3 4 5\ngenerators:\n  a: {reverse: 1 2}\n  b: {reverse: 1 2 3}\n"
                 "  c: {reverse: 1 2 3 4 5}\n",
         false},
        {"topspin-10", false},
        {topspin_16, false},
        {deep, false},
        {PERMUTE "places: 1 2 3 4 5\ngoal: 1 2 3 4 4\ngenerators:\n  a: {reverse: 1 2}\n  b: {reverse: 1 2 3}\n"
                 "  c: {reverse: 1 2 3 4}\n  d: {reverse: 1 2 3 4 5}\n",
         false},
        {PERMUTE "places: 1 2 3 4 5\ngenerators:\n  a: {reverse: 1 2}\n  b: {reverse: 1 2 3}\n"
                 "  c: {reverse: 1 2 3 4}\n  d: {reverse: 1 2 3 4 5}\npatterns: 1 2 3\n",
         false},
    };
    for (size_t i = 0; i < COUNT(known); i++) {
        struct puzzle *puzzle = any_puzzle(known[i].puzzle);
        cr_expect((puzzle->family->single.bounds != NULL) == known[i].counted, "%zu", i);
        cr_expect((puzzle->family->single.patterns == NULL) == known[i].counted, "%zu", i);
        puzzle_free(puzzle);
    }
}

/* A puzzle of one generator whose powers only come round after 223,092,870 of them: its relaxations are less deep, and
 * it is searched. */
Test(permute_search, long_period)
{
    char text[2000], *end = text;
    static const unsigned cycles[] = {2, 3, 5, 7, 11, 13, 17, 19, 23};
    end += sprintf(end, "puzzle: period\nfamily: permute\nplaces: |");
    for (size_t c = 0, places = 0; c < COUNT(cycles); c++)
        for (unsigned i = 0; i < cycles[c]; i++)
            end += sprintf(end, "%sp%u_%u", places++ % 25 == 0 ? "\n  " : " ", cycles[c], i); /* 100 in all */
    end += sprintf(end, "\nturns: both\ngenerators:\n  x: ");
    for (size_t c = 0; c < COUNT(cycles); c++) {
        for (unsigned i = 0; i < cycles[c]; i++)
            end += sprintf(end, "%sp%u_%u", i > 0 ? " " : "(", cycles[c], i);
        end += sprintf(end, ")");
    }
    sprintf(end, "\n");
    struct puzzle *puzzle = make_puzzle(text);
    struct searcher *searcher = make_searcher(puzzle, &(struct search_options){.threads = 1});
    struct search_answer answer;
    uint8_t position[BOARD_MAX_CELLS], next[BOARD_MAX_CELLS];
    memcpy(position, puzzle->goal, puzzle->board.places);
    for (unsigned i = 0; i < 3; i++) {
        permute_apply(permute_of(puzzle), 0, position, next);
        memcpy(position, next, puzzle->board.places);
    }
    EXPECT_NUMBER(solve_board(searcher, position, &answer), 3);
    free(answer.path);
    search_free(searcher);
    puzzle_free(puzzle);
}
