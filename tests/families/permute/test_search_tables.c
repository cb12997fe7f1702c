/* test_search_tables.c -- permutation puzzles: pattern databases against the least distance of all states that look
 * alike, and searches with tables that stay in their file, or that bound inverses
 */
#include "searchers.h"
#include "tests/support/family_search.h"
#include "tests/support/pattern_bytes.h"
#include "tests/support/support.h"

#include "lib/families/permute/search/table.h"

#include <stdlib.h>
#include <string.h>

/* -- tables -- */

/* A table has, for everything that looks alike, the least distance of the states that do: a shortest solution of the
 * relaxation, made from the goal backward, leads to one of them. With an open goal the relaxation may have more goals
 * than the puzzle's goals look like, and be nearer to one. Returns the greatest distance. */
static uint32_t compare_tables(const char *name, const char *text, unsigned threads)
{
    struct puzzle *puzzle = any_puzzle(name);
    struct permute_patterns patterns = {0};
    struct tables tables;
    uint8_t *distance = family_distances(puzzle), position[BOARD_MAX_CELLS], image[BOARD_MAX_CELLS];
    const bool open = memchr(puzzle->goal, BOARD_OPEN, puzzle->board.places) != NULL;
    uint32_t deepest = 0;
    size_t offset;
    pdb_error error;
    cr_assert(permute_pattern_family.read(puzzle, text, 0, &tables.patterns, &error) == PDB_OK, "%s", error.message);
    cr_assert(permute_parse_patterns(permute_of(puzzle), text, &patterns, &offset, &error) == PDB_OK);
    build_tables(puzzle, &tables, threads);
    for (unsigned t = 0; t < patterns.count; t += short_step(2)) {
        struct permute *relaxed;
        struct permute_table table;
        struct permute_coordinates at[PERMUTE_PARTS_MAX * BOARD_BYTE_CELLS];
        cr_assert(permute_relax(permute_of(puzzle), &patterns.pattern[t], &relaxed, &error) == PDB_OK);
        cr_assert(permute_table_make(permute_of(puzzle), &patterns.pattern[t], &table, &error) == PDB_OK);
        const uint64_t states = relaxed->puzzle.states;
        cr_assert(table.entries == tables.patterns.table[t].entries && table.entries <= states);
        cr_assert(states < puzzle->states);
        uint8_t *least = checked_memory(states, 1);
        uint64_t *like = checked_memory(puzzle->states, sizeof *like);
        memset(least, UINT8_MAX, states);
        for (uint64_t i = 0; i < puzzle->states; i++) {
            puzzle->family->position.unrank(puzzle, i, position);
            permute_relaxed_position(relaxed, position, image);
            cr_assert(relaxed->puzzle.family->position.rank(&relaxed->puzzle, image, &like[i]));
            least[like[i]] = distance[i] < least[like[i]] ? distance[i] : least[like[i]];
        }
        bool *tried = checked_memory(states, sizeof *tried);
        memset(tried, false, states * sizeof *tried);
        for (uint64_t i = 0; i < puzzle->states; i++) {
            const uint32_t least_like = least[like[i]];
            if (tried[like[i]])
                continue;
            tried[like[i]] = true;
            puzzle->family->position.unrank(puzzle, i, position);
            const bool known = permute_table_place(&table, position, at);
            const struct pattern_look look = {.bytes = tables.bytes + tables.patterns.table[t].offset};
            const uint32_t found = known ? permute_table_distance(&table, &look, at) : BOUND_NEVER;
            const uint32_t most = puzzle->undoable || least_like < PERMUTE_FAR ? least_like : PERMUTE_FAR;
            deepest = found != BOUND_NEVER && found > deepest ? found : deepest;
            cr_assert(open ? found <= most : found == (most == UINT8_MAX ? BOUND_NEVER : most),
                      "%.30s: table %u, state %llu: %u, not %u", name, t, (unsigned long long)like[i], found, most);
        }
        free(tried);
        free(like);
        free(least);
        permute_table_free(&table);
        permute_relaxed_free(relaxed);
    }
    free(tables.bytes);
    free(distance);
    puzzle_free(puzzle);
    return deepest;
}

Test(permute_search, tables)
{
    compare_tables("diagonal-slide", "1 2 3 4 ; 5 ; 2 4 6 8 9 ; 1 2 3 4 5 6 ; (1 3 7 9) (2 4 6 8)", 1);
    compare_tables("pancakes-8", "1 2 3 ; 4 5 6 7 8 ; 8", 2);
    compare_tables("pyraminx", "+UL ; UL UB UR ; UL LB RB +UL ; +U +L ; LR RB +B ; +U +UL", 2);
    compare_tables(ring_of_pairs, "a ; b d ; c e ; a b c", 1);
    compare_tables(burnt, "b ; b x ; w", 1);
    compare_tables(open_twists, "a b ; +a ; c d +a ; e f", 1);
    compare_tables(one_way, "1 2 3 ; 4 5 6 7 ; (1 2) (3 4 5)", 2);
    compare_tables(one_way_twists, "a b ; +c ; d e +a", 1);
    compare_tables(two_orbits, "a b c d e +a ; v w x y z ; a w +b ; z +d ; (a b) c (v w x) +a", 1);
    compare_tables(two_faces, "a b c d e f ; +a ; a b +f", 1);
    cr_expect(compare_tables(deep, "1 2 3 4 5 6", 1) > PERMUTE_FAR);
}

/* The same bytes from one thread and from several. */
Test(permute_search, tables_do_not_depend_on_threads)
{
    struct puzzle *puzzle = any_puzzle("topspin-10");
    struct tables one, three;
    pdb_error error;
    cr_assert(permute_pattern_family.choose(puzzle, 200 * MIB, &one.patterns, &error) == PDB_OK, "%s", error.message);
    three = one;
    build_tables(puzzle, &one, 1);
    build_tables(puzzle, &three, 3);
    cr_expect(memcmp(one.bytes, three.bytes, one.patterns.bytes) == 0);
    free(one.bytes);
    free(three.bytes);
    puzzle_free(puzzle);
}

/* -- tables that cannot be read into memory -- */

static bool stop_while_reading(void *context, const struct search_progress *progress)
{
    const struct pattern_bytes *file = context;
    (void)progress;
    return !__atomic_load_n(&file->loading, __ATOMIC_RELAXED);
}

/* A long search goes on in the file where tables are not read: there is no memory for them now, somebody else is
 * reading them, or they are larger than what is allowed. It can be stopped while they are read, and ends soon where the
 * file turns out to be damaged, when it is looked up and when it is read. */
Test(permute_search, tables_that_stay_in_their_file)
{
    struct puzzle *cube = built_in("cube-3x3x3");
    struct tables tables;
    struct pattern_bytes file;
    struct search_answer answer[4];
    pdb_error error;
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 362436069;
    cr_assert(permute_pattern_family.choose(cube, 64 * MIB, &tables.patterns, &error) == PDB_OK, "%s", error.message);
    build_tables(cube, &tables, 2);
    const struct search_options options = {
        .threads = 2, .patterns = &tables.patterns, .source = pattern_bytes_make(&file, tables.bytes, true)};
    struct searcher *searcher = make_searcher(cube, &options);
    for (answer[0].nodes = 0; answer[0].nodes < 1 << 20; free(answer[0].path)) { /* a board far enough away */
        scramble(cube, 12, &random, position);
        solve_board(searcher, position, &answer[0]);
    }
    for (unsigned run = 0; run < COUNT(answer); run++) { /* it lacks memory never, a few times, for good */
        pattern_bytes_make(&file, tables.bytes, true);
        file.lacks = run < 2 ? 3 * run : UINT16_MAX;
        file.source.too_large = run == 3;
        solve_board(searcher, position, &answer[run]);
        cr_expect(answer[run].distance == answer[0].distance);
        cr_expect(memcmp(answer[run].path, answer[0].path, (answer[0].distance + 1) * cube->board.places) == 0);
        EXPECT_NUMBER(file.loads, run < 2);
        cr_expect(run != 2 || file.lacks < UINT16_MAX - 3);
        cr_expect(run != 3 || file.lacks == UINT16_MAX);
    }
    for (unsigned run = 0; run < COUNT(answer); run++)
        free(answer[run].path);
    scramble(cube, 60, &random, position);
    for (unsigned run = 0; run < 4; run++) {
        pattern_bytes_make(&file, tables.bytes, true);
        file.slow = run == 0;
        file.torn = run == 1;
        file.sound_looks = run > 1 ? 1000 : 0;
        file.lacks = run == 2 ? UINT16_MAX : 0;
        file.source.too_large = run == 3;
        cr_expect(search_solve(searcher, position, PDB_NO_DISTANCE, stop_while_reading, &file, answer, &error) ==
                  (run == 0 ? PDB_INTERRUPTED : PDB_DAMAGED));
        cr_expect(file.loads == 0 && answer[0].nodes < 1 << 18);
    }
    search_free(searcher);
    free(tables.bytes);
    puzzle_free(cube);
}

/* -- inverses -- */

/* With a bounded table, in memory or in its file, boards have the same lengths as with a plain one of the same pattern,
 * also near the goal, and fewer boards are looked at; paths do not depend on threads. */
Test(permute_search, inverses)
{
    struct puzzle *cube = built_in("cube-3x3x3");
    struct tables tables[2];
    struct pattern_bytes source[3];
    struct searcher *searcher[3];
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 362436069, nodes[2] = {0};
    pdb_error error;
    for (unsigned t = 0; t < 2; t++) {
        cr_assert(permute_pattern_family.read(cube, t == 0 ? "(BL BR FL FR) +ULB" : "(BL BR FL FR) +ULB ~", 0,
                                              &tables[t].patterns, &error) == PDB_OK);
        build_tables(cube, &tables[t], 1 + t);
    }
    for (unsigned s = 0; s < 3; s++) { /* the last one has no memory for its tables */
        const struct tables *asked = &tables[s > 0];
        searcher[s] = make_searcher(
            cube, &(struct search_options){.threads = s == 1 ? 3 : 1,
                                           .patterns = &asked->patterns,
                                           .source = pattern_bytes_make(&source[s], asked->bytes, s == 2)});
    }
    source[2].lacks = UINT16_MAX;
    for (unsigned i = 0; i < 44; i++) {
        struct search_answer answer[3];
        scramble(cube, i / 4, &random, position);
        for (unsigned s = 0; s < 3; s++) {
            solve_board(searcher[s], position, &answer[s]);
            cr_assert(answer[s].distance == answer[0].distance && answer[s].distance <= i / 4);
        }
        cr_assert(memcmp(answer[1].path, answer[2].path, (answer[1].distance + 1) * cube->board.places) == 0);
        nodes[0] += answer[0].nodes;
        nodes[1] += answer[2].nodes;
        for (unsigned s = 0; s < 3; s++)
            free(answer[s].path);
    }
    cr_expect(nodes[1] < nodes[0], "%llu and %llu", (unsigned long long)nodes[0], (unsigned long long)nodes[1]);
    for (unsigned s = 0; s < 3; s++)
        search_free(searcher[s]);
    for (unsigned t = 0; t < 2; t++)
        free(tables[t].bytes);
    puzzle_free(cube);
}
