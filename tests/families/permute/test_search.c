/* test_search.c -- permutation puzzles: searches against the distances of all states, pattern databases against
 * the least distance of all states that look alike, and the 3x3x3 cube against a search from both ends
 */
#include "tests/support/family_search.h"
#include "tests/support/pattern_bytes.h"
#include "tests/support/support.h"

#include "catalog/catalog.h"
#include "lib/families/permute/search/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PERMUTE "puzzle: test\nfamily: permute\n"
#define MIB     ((uint64_t)1 << 20)

/* Kinds of puzzles: tiles that are alike, open goals, moves without a way back, twists, groups smaller than their
 * parities and twists say. */
static const char *const
    ring_of_pairs = PERMUTE
    "goal: a a b b c c d e\ngenerators:\n  shift: 1 2 3 4 5 6 7 8\n  spin: {reverse: 1 2 3 4}\n",
    *const burnt = PERMUTE "board: b b w w x y z\ngoal: b b * * x * *\ngenerators:\n  f2: {reverse: 1 2}\n"
                           "  f4: {reverse: 1 2 3 4}\n  f5: {reverse: 1 2 3 4 5}\n  f7: {reverse: 1 2 3 4 5 6 7}\n",
    *const open_twists = PERMUTE "places: a b c d e f\ngoal: a b c d * *\ntwists: 2\ngenerators:\n"
                                 "  l: (a b+1 c d)\n  r: (d e+1 f)\n",
    *const one_way = PERMUTE "places: 1 2 3 4 5 6 7\nturns: forward\ngenerators:\n  a: (1 2 3 4)\n  b: (3 4 5 6 7)\n",
    *const one_way_twists = PERMUTE "places: a b c d e\ntwists: 3\nturns: forward\ngenerators:\n  u: (a b+1 c+2 d)\n"
                                    "  v: (c d+2 e)\n",
    *const two_orbits = PERMUTE "places: a b c d e / v w x y z\ntwists: {3: a b c d e}\ngenerators:\n"
                                "  u: (a b+1 c)(v w x)\n  s: (c d+2 e)(x y z)\n  t: (a+1 e)(v z)\n",
    *const deep = PERMUTE "places: 1 2 3 4 5 6 7 8\ngenerators:\n  shift: 1 2 3 4 5 6 7 8\n  swap: (1 2)\n",
    *const two_faces = PERMUTE "places: a b c d e f\ntwists: 3\nturns: all\ngenerators:\n  U: (a b c d)\n"
                               "  R: (a+2 d+1 e+2 f+1)\n",
    *const carousel = PERMUTE "places: 1 2 3 4 5 6\nturns: forward\ngenerators:\n  on: 1 2 3 4 5 6\n",
    *const pancakes_12 = PERMUTE "places: 1 2 3 4 5 6 7 8 9 10 11 12\ngenerators:\n"
                                 "  2: {reverse: 1 2}\n  3: {reverse: 1 2 3}\n  4: {reverse: 1 2 3 4}\n"
                                 "  5: {reverse: 1 2 3 4 5}\n  6: {reverse: 1 2 3 4 5 6}\n"
                                 "  7: {reverse: 1 2 3 4 5 6 7}\n  8: {reverse: 1 2 3 4 5 6 7 8}\n"
                                 "  9: {reverse: 1 2 3 4 5 6 7 8 9}\n  10: {reverse: 1 2 3 4 5 6 7 8 9 10}\n"
                                 "  11: {reverse: 1 2 3 4 5 6 7 8 9 10 11}\n"
                                 "  12: {reverse: 1 2 3 4 5 6 7 8 9 10 11 12}\n",
    *const topspin_16 = PERMUTE "places: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\ngenerators:\n"
                                "  on: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16\n  spin: {reverse: 1 2 3 4}\n",
    *const cube_3x3x3 = PERMUTE
    "places: |\n  URF UFL ULB UBR DFR DLF DBL DRB\n  UR UF UL UB DR DF DL DB\n  FR FL BL BR # # # #\n"
    "twists:\n  3: URF UFL ULB UBR DFR DLF DBL DRB\n  2: UR UF UL UB DR DF DL DB FR FL BL BR\nturns: all\n"
    "generators:\n  U: (URF UFL ULB UBR)(UR UF UL UB)\n  R: (URF+2 UBR+1 DRB+2 DFR+1)(UR BR DR FR)\n"
    "  F: (URF+1 DFR+2 DLF+1 UFL+2)(UF+1 FR+1 DF+1 FL+1)\n  D: (DFR DRB DBL DLF)(DR DB DL DF)\n"
    "  L: (UFL+1 DLF+2 DBL+1 ULB+2)(UL FL DL BL)\n  B: (ULB+1 DBL+2 DRB+1 UBR+2)(UB+1 BL+1 DB+1 BR+1)\n";

static struct puzzle *any_puzzle(const char *name_or_text)
{
    return strchr(name_or_text, '\n') != NULL ? make_puzzle(name_or_text) : built_in(name_or_text);
}

static const struct permute *permute_of(const struct puzzle *puzzle)
{
    return (const struct permute *)puzzle;
}

/* -- searchers, with all that can be turned on and off -- */

struct tables {
    struct patterns patterns;
    uint8_t *bytes;
};

static void build_tables(const struct puzzle *puzzle, struct tables *tables, unsigned threads)
{
    pdb_error error;
    tables->bytes = aligned_alloc(64, (tables->patterns.bytes + 63) / 64 * 64);
    memset(tables->bytes, 0, tables->patterns.bytes);
    const struct pattern_work work = {.threads = threads};
    cr_assert(permute_pattern_family.build(puzzle, &tables->patterns, &work, tables->bytes, &error) == PDB_OK, "%s",
              error.message);
}

static struct searcher *make_searcher(const struct puzzle *puzzle, const struct search_options *options)
{
    struct searcher *searcher = NULL;
    pdb_error error;
    cr_assert(search_make(puzzle->family->single.searcher, puzzle, options, &searcher, &error) == PDB_OK, "%s",
              error.message);
    return searcher;
}

static uint32_t solve_board(const struct searcher *searcher, const uint8_t *position, struct search_answer *answer)
{
    pdb_error error;
    cr_assert(search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, answer, &error) == PDB_OK, "%s",
              error.message);
    cr_expect(answer->bound == answer->distance);
    cr_expect((answer->path != NULL) == (answer->distance != PDB_NO_DISTANCE));
    return answer->distance;
}

static uint32_t length_of(const struct searcher *searcher, const uint8_t *position)
{
    struct search_answer answer;
    const uint32_t distance = solve_board(searcher, position, &answer);
    free(answer.path);
    return distance;
}

static void scramble(const struct puzzle *puzzle, unsigned moves, uint64_t *random, uint8_t *position)
{
    uint8_t next[BOARD_MAX_CELLS];
    memcpy(position, permute_of(puzzle)->board, puzzle->board.places);
    for (unsigned i = 0; i < moves; i++) {
        permute_apply(permute_of(puzzle), (unsigned)random_below(random, permute_of(puzzle)->moves), position, next);
        memcpy(position, next, puzzle->board.places);
    }
}

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

Test(permute_search, smaller_group_of_alike_tiles)
{
    struct puzzle *puzzle = make_puzzle(PERMUTE "goal: a a b b c\ngenerators:\n  shift: 1 2 3 4 5\n");
    struct searcher *searcher;
    pdb_error error;
    cr_expect(search_make(puzzle->family->single.searcher, puzzle, &(struct search_options){.threads = 1}, &searcher,
                          &error) == PDB_NO_DATABASE);
    puzzle_free(puzzle);
}

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
    static const struct {
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

/* -- the 3x3x3 cube -- */

enum { CUBE = 20 };

/* Boards of one depth, sorted, each once. */
struct layer {
    size_t count;
    uint8_t (*board)[CUBE];
};

static int compare_boards(const void *a, const void *b)
{
    return memcmp(a, b, CUBE);
}

/* All boards one move from those of a layer. */
static struct layer next_layer(const struct permute *cube, const struct layer *layer)
{
    struct layer next = {0, checked_memory(layer->count * cube->moves, CUBE)};
    for (size_t i = 0; i < layer->count; i++)
        for (unsigned m = 0; m < cube->moves; m++)
            permute_apply(cube, m, layer->board[i], next.board[next.count++]);
    qsort(next.board, next.count, CUBE, compare_boards);
    size_t kept = 0;
    for (size_t i = 0; i < next.count; i++)
        if (i == 0 || compare_boards(next.board[i], next.board[kept - 1]) != 0)
            memmove(next.board[kept++], next.board[i], CUBE);
    next.count = kept;
    return next;
}

static bool layers_meet(const struct layer *a, const struct layer *b)
{
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        const int order = compare_boards(a->board[i], b->board[j]);
        if (order == 0)
            return true;
        i += order < 0;
        j += order > 0;
    }
    return false;
}

/* The distance between two boards by a search from both ends, up to 8. */
static uint32_t between(const struct permute *cube, const uint8_t *from, const uint8_t *to)
{
    struct layer a = {1, checked_memory(1, CUBE)}, b = {1, checked_memory(1, CUBE)};
    uint32_t distance = 0;
    memcpy(a.board[0], from, CUBE);
    memcpy(b.board[0], to, CUBE);
    for (; distance <= 8 && !layers_meet(&a, &b); distance++) {
        struct layer *side = distance % 2 == 0 ? &a : &b, next = next_layer(cube, side);
        free(side->board);
        *side = next;
    }
    free(a.board);
    free(b.board);
    return distance;
}

static void make_moves(const struct puzzle *cube, const char *names, uint8_t *position)
{
    uint8_t next[BOARD_MAX_CELLS];
    for (size_t length; (length = board_next_word(&names)) > 0; names += length) {
        unsigned m = 0;
        while (strlen(permute_of(cube)->move[m].text) != length ||
               memcmp(permute_of(cube)->move[m].text, names, length) != 0)
            cr_assert(++m < permute_of(cube)->moves, "no move %s", names);
        permute_apply(permute_of(cube), m, position, next);
        memcpy(position, next, cube->board.places);
    }
}

/* The definition is a cube: faces of order 4, opposite ones commute, R U has order 105, and the sequence that is known
 * to turn all edges over does nothing else. */
Test(permute_search, cube_is_one)
{
    static const char *const nothing[] = {"U U U U", "R R R R", "F F F F",   "D D D D",   "L L L L",  "B B B B",
                                          "U2 U2",   "R R'",    "U D U' D'", "R L R' L'", "F B F' B'"};
    struct puzzle *cube = make_puzzle(cube_3x3x3);
    uint8_t position[BOARD_MAX_CELLS];
    EXPECT_NUMBER(cube->states, 0);
    cr_expect(cube->size > 4.32520e19 && cube->size < 4.32521e19, "%g", cube->size);
    memcpy(position, cube->goal, CUBE);
    for (size_t i = 0; i < COUNT(nothing); i++) {
        make_moves(cube, nothing[i], position);
        cr_expect(memcmp(position, cube->goal, CUBE) == 0, "%s", nothing[i]);
    }
    for (unsigned n = 1; n <= 105; n++) {
        make_moves(cube, "R U", position);
        cr_expect((memcmp(position, cube->goal, CUBE) == 0) == (n == 105));
    }
    make_moves(cube, "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2", position);
    for (unsigned place = 0; place < CUBE; place++) {
        cr_expect(permute_of(cube)->tile_of[position[place]] == permute_of(cube)->tile_of[cube->goal[place]]);
        EXPECT_NUMBER(permute_of(cube)->twist_of[position[place]], place < 8 ? 0 : 1);
    }
    puzzle_free(cube);
}

Test(permute_search, cube)
{
    struct puzzle *cube = make_puzzle(cube_3x3x3);
    struct searcher *searcher = make_searcher(cube, &(struct search_options){.threads = 2});
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 362436069;
    for (unsigned moves = 0; moves <= 8; moves++)
        for (unsigned i = 0; i < 2; i++) {
            scramble(cube, moves, &random, position);
            const uint32_t length = length_of(searcher, position);
            cr_expect(length <= moves);
            cr_expect(length == between(permute_of(cube), position, cube->goal), "%u moves", length);
        }
    search_free(searcher);
    puzzle_free(cube);
}

/* One corner turned, one edge turned over, two tiles exchanged: known at once to be out of reach. */
Test(permute_search, cube_out_of_reach)
{
    static const char *const texts[] = {
        "URF+1 UFL ULB UBR DFR DLF DBL DRB UR UF UL UB DR DF DL DB FR FL BL BR",
        "URF UFL ULB UBR DFR DLF DBL DRB UR UF UL UB DR DF+1 DL DB FR FL BL BR",
        "UFL URF ULB UBR DFR DLF DBL DRB UR UF UL UB DR DF DL DB FR FL BL BR",
        "URF UFL ULB UBR DFR DLF DBL DRB UR UF UL UB DR DF DL DB FR FL BR BL",
    };
    struct puzzle *cube = make_puzzle(cube_3x3x3);
    struct searcher *searcher = make_searcher(cube, &(struct search_options){.threads = 1});
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    for (size_t i = 0; i < COUNT(texts); i++) {
        cr_assert(puzzle_parse(cube, texts[i], position, &error) == PDB_OK, "%s", error.message);
        cr_expect(length_of(searcher, position) == PDB_NO_DISTANCE, "%s", texts[i]);
    }
    search_free(searcher);
    puzzle_free(cube);
}

/* -- being stopped -- */

static bool stop_at_once(void *context, const struct search_progress *progress)
{
    *(uint32_t *)context = progress->limit;
    return false;
}

static bool stop_building(void *context, uint64_t done)
{
    return *(uint64_t *)context = done, false;
}

Test(permute_search, interrupted)
{
    struct puzzle *cube = make_puzzle(cube_3x3x3);
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 88675123, done = 0;
    pdb_error error;
    scramble(cube, 60, &random, position);
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        struct searcher *searcher = make_searcher(cube, &(struct search_options){.threads = threads});
        struct search_answer answer;
        uint32_t limit = 0;
        cr_expect(search_solve(searcher, position, PDB_NO_DISTANCE, stop_at_once, &limit, &answer, &error) ==
                  PDB_INTERRUPTED);
        cr_expect(answer.path == NULL && answer.distance == PDB_NO_DISTANCE && answer.bound == limit && limit > 0);
        cr_expect(answer.nodes > 0);
        cr_expect(search_solve(searcher, position, 6, NULL, NULL, &answer, &error) == PDB_OK);
        cr_expect(answer.path == NULL && answer.distance == PDB_NO_DISTANCE && answer.bound > 6);
        search_free(searcher);
    }
    struct tables tables;
    cr_assert(cube->family->single.patterns->choose(cube, 80 * MIB, &tables.patterns, &error) == PDB_OK);
    tables.bytes = calloc(1, tables.patterns.bytes);
    const struct pattern_work work = {.threads = 2, .observe = stop_building, .context = &done};
    cr_expect(cube->family->single.patterns->build(cube, &tables.patterns, &work, tables.bytes, &error) ==
              PDB_INTERRUPTED);
    cr_expect(done > 0);
    free(tables.bytes);
    puzzle_free(cube);
}

/* -- tables that cannot be read into memory -- */

static bool stop_after_three(void *context, const struct search_progress *progress)
{
    (void)progress;
    return ++*(unsigned *)context < 3;
}

/* A long search goes on in the file where tables are not read: there is no memory for them now, somebody else is
 * reading them, or they are larger than what is allowed. It can be stopped when they are. */
Test(permute_search, tables_that_stay_in_their_file)
{
    struct puzzle *cube = built_in("cube-3x3x3");
    struct tables tables;
    struct pattern_bytes file;
    struct search_answer answer[4];
    pdb_error error;
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t random = 362436069;
    unsigned asked = 0;
    cr_assert(permute_pattern_family.choose(cube, 64 * MIB, &tables.patterns, &error) == PDB_OK, "%s", error.message);
    build_tables(cube, &tables, 2);
    const struct search_options options = {
        .threads = 2, .patterns = &tables.patterns, .source = pattern_bytes_make(&file, tables.bytes, true)};
    struct searcher *searcher = make_searcher(cube, &options);
    for (answer[0].nodes = 0; answer[0].nodes < 1 << 19; free(answer[0].path)) { /* a board far enough away */
        scramble(cube, 12, &random, position);
        solve_board(searcher, position, &answer[0]);
    }
    for (unsigned run = 0; run < COUNT(answer); run++) { /* it lacks memory more and more often, in the end for good */
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
    pattern_bytes_make(&file, tables.bytes, true);
    scramble(cube, 60, &random, position);
    cr_expect(search_solve(searcher, position, PDB_NO_DISTANCE, stop_after_three, &asked, answer, &error) ==
              PDB_INTERRUPTED);
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
