/* test_tiles.c -- searching boards of different tiles
 *
 * Bounds and lengths are held against the distances of all boards (oracle_tiles.h); on larger boards, whatever changes
 * the search is turned on and off and must not change a length.
 */
#include "catalog/catalog.h"
#include "lib/families/slide/patterns/lookup.h"
#include "oracle_tiles.h"
#include "tests/support/pattern_bytes.h"
#include "tests/support/support.h"
#include "tile_boards.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* -- searchers -- */

/* Pattern databases of a puzzle, as its family chooses and builds them. */
struct tables {
    struct patterns patterns;
    uint8_t *bytes;
};

static void build_tables(const struct puzzle *puzzle, const char *text, uint64_t memory, struct tables *tables)
{
    const struct pattern_family *family = puzzle->family->single.patterns;
    pdb_error error;
    const pdb_status status = text != NULL ? family->read(puzzle, text, 0, &tables->patterns, &error)
                                           : family->choose(puzzle, memory, &tables->patterns, &error);
    cr_assert(status == PDB_OK, "%s", error.message);
    tables->bytes = aligned_alloc(64, (tables->patterns.bytes + 64) / 64 * 64);
    cr_assert(tables->bytes != NULL);
    memset(tables->bytes, 0, tables->patterns.bytes);
    const struct pattern_work work = {.threads = 1};
    cr_assert(family->build(puzzle, &tables->patterns, &work, tables->bytes, &error) == PDB_OK);
}

static struct searcher *make_searcher(const struct puzzle *puzzle, struct search_options options,
                                      const struct tables *tables)
{
    struct searcher *searcher = NULL;
    struct pattern_bytes bytes;
    pdb_error error;
    options.threads = options.threads == 0 ? 1 : options.threads;
    options.patterns = tables != NULL ? &tables->patterns : NULL;
    options.source = tables != NULL ? pattern_bytes_make(&bytes, tables->bytes, true) : NULL;
    cr_assert(search_create(puzzle, &options, &searcher, &error) == PDB_OK, "%s", error.message);
    return searcher;
}

/* Solves a board, its path checked by search_solve; returns the length. The caller frees *path. */
static uint32_t solve_board(const struct searcher *searcher, const uint8_t *position, uint64_t *nodes, uint8_t **path)
{
    struct search_answer answer;
    pdb_error error;
    const pdb_status status = search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, &error);
    cr_assert(status == PDB_OK, "%s", error.message);
    cr_assert(answer.bound == answer.distance);
    cr_assert((answer.path != NULL) == (answer.distance != PDB_NO_DISTANCE));
    *nodes += answer.nodes;
    *path = answer.path;
    return answer.distance;
}

static uint32_t length(const struct searcher *searcher, const uint8_t *position)
{
    uint64_t nodes = 0;
    uint8_t *path;
    const uint32_t length = solve_board(searcher, position, &nodes, &path);
    free(path);
    return length;
}

/* -- bounds and lengths against all distances -- */

/* The bound that a searcher gives a board. */
static unsigned bound(const struct searcher *searcher, const uint8_t *position)
{
    const struct tile_search *search = (const struct tile_search *)searcher;
    uint8_t tile[TILES_MAX_PLACES];
    unsigned empty = 0, sum = 0;
    for (unsigned place = 0; place < search->tiles.places; place++) {
        tile[place] = search->tiles.tile_of_symbol[position[place]];
        if (tile[place] == TILES_NO_TILE)
            empty = place;
        else
            sum += search->tiles.far[tile[place]][place];
    }
    return sum + 2 * (search->lookup != NULL ? tile_lookup_excess(search, tile, empty)
                                             : tile_lines_excess(search, tile, empty));
}

/* Holds the bound of every board against its distance; returns the sum of all bounds. */
static uint64_t compare_bounds(const struct oracle_tiles *oracle, const struct searcher *searcher)
{
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t sum = 0;
    for (uint32_t a = 0; a < oracle->arrangements; a++) {
        if (oracle->distance[a] == ORACLE_TILES_NEVER)
            continue;
        oracle_tiles_position(oracle, a, position);
        const unsigned least = bound(searcher, position);
        cr_assert(least <= oracle->distance[a], "arrangement %u: %u of %u", a, least, oracle->distance[a]);
        cr_assert((oracle->distance[a] - least) % 2 == 0);
        cr_assert((least == 0) == (oracle->distance[a] == 0));
        sum += least;
    }
    return sum;
}

/* Farther ones take searches without the machine long. (Around a wall there are some of 127 moves.) */
enum { FAR = 56 };

/* Lengths of one board out of `every`, those that cannot be solved among them. */
static void compare_lengths(const struct oracle_tiles *oracle, const struct searcher *searcher, uint32_t every)
{
    uint8_t position[BOARD_MAX_CELLS];
    for (uint32_t a = 0; a < oracle->arrangements; a += every) {
        if (oracle->distance[a] != ORACLE_TILES_NEVER && oracle->distance[a] > FAR)
            continue;
        oracle_tiles_position(oracle, a, position);
        const uint32_t found = length(searcher, position),
                       expected = oracle->distance[a] == ORACLE_TILES_NEVER ? PDB_NO_DISTANCE : oracle->distance[a];
        cr_assert(found == expected, "%s, arrangement %u: %u, not %u", searcher->method, a, found, expected);
    }
}

/* Everything that can be turned on and off. `text` names patterns. */
static void compare_all(const char *definition, const char *text, uint32_t every)
{
    struct puzzle *puzzle = make_puzzle(definition);
    struct oracle_tiles oracle;
    struct tables tables;
    oracle_tiles_make(&oracle, puzzle);
    build_tables(puzzle, text, 1 << 24, &tables);
    for (unsigned variant = 0; variant < 8; variant++) {
        const struct search_options options = {.no_machine = variant & 1, .no_symmetries = variant >> 1 & 1};
        if ((variant & 6) == 2)
            continue; /* without tables there are no images */
        struct searcher *searcher = make_searcher(puzzle, options, variant & 4 ? &tables : NULL);
        compare_lengths(&oracle, searcher, every);
        if (!options.no_machine)
            compare_bounds(&oracle, searcher);
        search_free(searcher);
    }
    free(tables.bytes);
    oracle_tiles_free(&oracle);
    puzzle_free(puzzle);
}

Test(tiles, eight)
{
    compare_all(EIGHT, "1 2 3 4 | 5 6 7 8", 331);
}

Test(tiles, two_by_four)
{
    compare_all(TWO_BY_FOUR, "1 3 5 | 2 4 6 7", 31);
}

Test(tiles, empty_centre)
{
    compare_all(CENTRE, "1 2 3 5 | 4 6 7 8", 331);
}

Test(tiles, two_partitions)
{
    compare_all(CENTRE, "1 2 3 4 | 5 6 7 8 ; 1 4 6 | 2 7 8 | 3 5", 331);
}

Test(tiles, without_corners)
{
    compare_all(CORNERS, "1 2 3 4 | 5 6 7 8 9", 9001);
}

Test(tiles, around_a_wall)
{
    compare_all(AROUND, "1 2 5 8 | 3 4 6 7 9", 7001);
}

/* Images and a second partition only ever raise the bound, and do raise it. */
Test(tiles, images_raise_bounds)
{
    struct puzzle *puzzle = make_puzzle(EIGHT);
    struct oracle_tiles oracle;
    struct tables one, two;
    oracle_tiles_make(&oracle, puzzle);
    build_tables(puzzle, "1 2 3 4 | 5 6 7 8", 0, &one);
    build_tables(puzzle, "1 2 3 4 | 5 6 7 8 ; 1 2 4 5 | 3 6 7 8", 0, &two);
    struct searcher *plain = make_searcher(puzzle, (struct search_options){.no_symmetries = true}, &one),
                    *images = make_searcher(puzzle, (struct search_options){0}, &one),
                    *partitions = make_searcher(puzzle, (struct search_options){0}, &two);
    const uint64_t first = compare_bounds(&oracle, plain), second = compare_bounds(&oracle, images),
                   third = compare_bounds(&oracle, partitions);
    cr_expect(first < second && second < third);
    EXPECT_TEXT(plain->method, "pattern databases 4-4");
    EXPECT_TEXT(images->method, "pattern databases 4-4 and 1 reflection");
    search_free(plain);
    search_free(images);
    search_free(partitions);
    free(one.bytes);
    free(two.bytes);
    oracle_tiles_free(&oracle);
    puzzle_free(puzzle);
}

/* -- larger boards: what changes the search changes no length -- */

static void scramble(const struct tiles *tiles, unsigned moves, uint64_t *seed, uint8_t *position)
{
    unsigned empty = tiles->goal_empty, before = empty;
    memcpy(position, tiles->slide->puzzle.goal, tiles->places);
    while (moves > 0) {
        const unsigned next = tiles->slide->neighbour[empty][random_below(seed, 4)];
        if (next == BOARD_NO_PLACE || next == before)
            continue;
        position[empty] = position[next];
        position[next] = tiles->slide->puzzle.board.empty;
        before = empty;
        empty = next;
        moves--;
    }
}

enum { VARIANTS = 6 };

/* Solves scrambles in every form; the machine must not make a search larger. */
static void compare_variants(const char *name, uint64_t memory, unsigned boards, unsigned moves)
{
    struct puzzle *puzzle = built_in(name);
    struct searcher *searcher[VARIANTS];
    struct tables tables;
    struct tiles tiles;
    uint64_t seed = 1, nodes[VARIANTS] = {0};
    cr_assert(tiles_make((const struct slide *)puzzle, &tiles));
    build_tables(puzzle, NULL, memory, &tables);
    for (unsigned v = 0; v < VARIANTS; v++)
        searcher[v] = make_searcher(
            puzzle,
            (struct search_options){.threads = 1 + v % 3, .no_machine = v == 1 || v == 4, .no_symmetries = v == 5},
            v >= 3 ? &tables : NULL);
    for (unsigned b = 0; b < share_of(boards); b++) {
        uint8_t position[BOARD_MAX_CELLS];
        uint32_t first = 0;
        scramble(&tiles, moves, &seed, position);
        for (unsigned v = 0; v < VARIANTS; v++) {
            uint8_t *path;
            const uint32_t found = solve_board(searcher[v], position, &nodes[v], &path);
            first = v == 0 ? found : first;
            cr_assert(found == first && found <= moves, "%s, board %u: %u by search 0, %u by %u", name, b, first, found,
                      v);
            free(path);
        }
    }
    cr_expect(nodes[0] < nodes[1] && nodes[3] < nodes[4] && nodes[3] < nodes[0]);
    for (unsigned v = 0; v < VARIANTS; v++)
        search_free(searcher[v]);
    free(tables.bytes);
    puzzle_free(puzzle);
}

Test(tiles, variants_3x4)
{
    compare_variants("tiles-3x4", 1 << 24, 1000, 50);
}

Test(tiles, variants_4x4)
{
    compare_variants("15-puzzle", 1 << 25, 600, 40);
}

Test(tiles, variants_2x8)
{
    compare_variants("tiles-2x8", 1 << 25, 600, 36);
}

Test(tiles, variants_5x5)
{
    compare_variants("24-puzzle", 1 << 27, 600, 36);
}

/* Large boards, and lines too long for conflicts. */
Test(tiles, large_boards)
{
    static const char *const name[] = {"tiles-7x7", "tiles-8x8", "tiles-3x9"};
    for (size_t n = 0; n < COUNT(name); n++) {
        struct puzzle *puzzle = built_in(name[n]);
        struct searcher *searcher = make_searcher(puzzle, (struct search_options){0}, NULL);
        struct tiles tiles;
        uint64_t seed = 5;
        cr_assert(tiles_make((const struct slide *)puzzle, &tiles));
        for (unsigned b = 0; b < 100; b++) {
            uint8_t position[BOARD_MAX_CELLS];
            scramble(&tiles, 30, &seed, position);
            cr_assert(length(searcher, position) <= 30);
        }
        search_free(searcher);
        puzzle_free(puzzle);
    }
}

/* The same path whatever the threads, in searches that are long enough to be shared out. */
Test(tiles, threads)
{
    struct puzzle *puzzle = built_in("15-puzzle");
    struct tables tables;
    build_tables(puzzle, NULL, 1 << 22, &tables);
    static const char *const board[] = {"5,10,14,4,6,12,11,1,9,.,15,7,13,2,8,3",
                                        "6,1,15,8,5,10,13,.,3,4,2,7,14,9,11,12",
                                        "1,6,10,8,14,12,4,2,13,11,3,5,9,7,15,."}; /* of R. Korf's, 41 and 42 moves */
    for (unsigned b = 0; b < COUNT(board); b++)
        for (unsigned table = 0; table < 2; table++) {
            uint8_t position[BOARD_MAX_CELLS], *first = NULL;
            uint32_t expected = 0;
            pdb_error error;
            if (puzzle_parse(puzzle, board[b], position, &error) != PDB_OK)
                cr_assert_fail("%s", error.message);
            for (unsigned threads = 1; threads <= 3; threads++) {
                struct searcher *searcher = make_searcher(puzzle, (struct search_options){.threads = threads},
                                                          table ? &tables : NULL);
                uint64_t nodes = 0;
                uint8_t *path;
                const uint32_t found = solve_board(searcher, position, &nodes, &path);
                expected = threads == 1 ? found : expected;
                cr_expect(found == expected);
                if (threads == 1)
                    first = path;
                else if (path != NULL)
                    cr_expect(memcmp(path, first, (found + 1) * 16) == 0);
                if (threads > 1)
                    free(path);
                search_free(searcher);
            }
            free(first);
        }
    free(tables.bytes);
    puzzle_free(puzzle);
}

/* With and without the processor's instructions for bits: the same boards. */
Test(tiles, plain_instructions)
{
    struct puzzle *puzzle = built_in("15-puzzle");
    struct tables tables;
    struct tiles tiles;
    uint64_t seed = 3;
    cr_assert(tiles_make((const struct slide *)puzzle, &tiles));
    build_tables(puzzle, NULL, 1 << 25, &tables);
    struct searcher *plain = make_searcher(puzzle, (struct search_options){0}, &tables),
                    *other = make_searcher(puzzle, (struct search_options){0}, &tables);
    ((struct tile_search *)plain)->lookup->plain = true;
    for (unsigned b = 0; b < 200; b++) {
        uint8_t position[BOARD_MAX_CELLS], *path[2];
        uint64_t nodes[2] = {0};
        scramble(&tiles, 50, &seed, position);
        const uint32_t found = solve_board(plain, position, &nodes[0], &path[0]);
        cr_assert(solve_board(other, position, &nodes[1], &path[1]) == found && nodes[0] == nodes[1]);
        cr_assert(memcmp(path[0], path[1], (found + 1) * tiles.places) == 0);
        free(path[0]);
        free(path[1]);
    }
    search_free(plain);
    search_free(other);
    free(tables.bytes);
    puzzle_free(puzzle);
}

/* -- what a search says when it is not let run -- */

static bool count_down(void *context, const struct search_progress *progress)
{
    int *left = context;
    cr_assert(progress->limit > 0);
    return --*left > 0;
}

Test(tiles, interrupted)
{
    struct puzzle *puzzle = built_in("24-puzzle");
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    cr_assert(puzzle_parse(puzzle, "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 .", position,
                           &error) == PDB_OK);
    for (unsigned threads = 1; threads <= 2; threads++)
        for (int calls = 1; calls <= 9; calls += 4) {
            struct searcher *searcher = make_searcher(puzzle, (struct search_options){.threads = threads}, NULL);
            const unsigned least = bound(searcher, position);
            struct search_answer answer;
            int left = calls;
            cr_assert(search_solve(searcher, position, PDB_NO_DISTANCE, count_down, &left, &answer, &error) ==
                      PDB_INTERRUPTED);
            cr_expect(left == 0);
            cr_expect(answer.distance == PDB_NO_DISTANCE && answer.path == NULL && answer.nodes > 0);
            cr_expect(answer.bound > least && answer.bound % 2 == least % 2);
            search_free(searcher);
        }
    puzzle_free(puzzle);
}

/* Up to `most` moves: the answer is the distance, or that it is more than `most`. */
Test(tiles, most)
{
    struct puzzle *puzzle = make_puzzle(EIGHT);
    struct searcher *searcher = make_searcher(puzzle, (struct search_options){0}, NULL);
    struct oracle_tiles oracle;
    oracle_tiles_make(&oracle, puzzle);
    for (uint32_t a = 0; a < oracle.arrangements; a += 3001) {
        const uint8_t distance = oracle.distance[a];
        uint8_t position[BOARD_MAX_CELLS];
        oracle_tiles_position(&oracle, a, position);
        for (uint32_t most = 0; distance != ORACLE_TILES_NEVER && most < 33; most += 3) {
            struct search_answer answer;
            cr_assert(search_solve(searcher, position, most, NULL, NULL, &answer, NULL) == PDB_OK);
            cr_expect(answer.distance == (distance <= most ? distance : PDB_NO_DISTANCE));
            cr_expect(answer.bound <= distance && (distance <= most || answer.bound > most));
            free(answer.path);
        }
    }
    oracle_tiles_free(&oracle);
    search_free(searcher);
    puzzle_free(puzzle);
}

/* A goal, and boards of the other parity. */
Test(tiles, at_once)
{
    struct puzzle *puzzle = built_in("24-puzzle");
    struct searcher *searcher = make_searcher(puzzle, (struct search_options){0}, NULL);
    uint8_t position[BOARD_MAX_CELLS];
    struct search_answer answer;
    cr_assert(puzzle_parse(puzzle, "goal", position, NULL) == PDB_OK);
    cr_assert(search_solve(searcher, position, 0, NULL, NULL, &answer, NULL) == PDB_OK);
    cr_expect(answer.distance == 0 && answer.bound == 0 && answer.path != NULL);
    free(answer.path);
    const uint8_t first = position[0];
    position[0] = position[1];
    position[1] = first;
    cr_assert(search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, NULL) == PDB_OK);
    cr_expect(answer.distance == PDB_NO_DISTANCE && answer.bound == PDB_NO_DISTANCE && answer.path == NULL);
    EXPECT_TEXT(searcher->method, "Manhattan distance and linear conflicts");
    search_free(searcher);
    puzzle_free(puzzle);
}

/* Boards where parity does not decide what can be reached are left to other searches; the others are not: held against
 * all distances. */
Test(tiles, boards_that_parity_decides)
{
    static const struct {
        const char *definition;
        bool decides;
    } board[] = {
        {SLIDE "goal: 1 2 3 4 .\n", false},
        {SLIDE "goal: 1 2/3 .\n", false},
        {SLIDE "goal: '1 2 3/4 # 5/6 7 .'\n", false},       /* a ring */
        {SLIDE "goal: '1 2 3/4 . 5/6 # #'\n", false},       /* a dead end */
        {SLIDE "goal: '1 2 # 3/4 5 6 7/8 9 # .'\n", false}, /* two squares joined by a bridge */
        {SLIDE "goal: '1 2 #/3 4 5/# 6 .'\n", false},       /* two squares with a cell in common */
        {SLIDE "goal: 1 2 3/4 5 .\n", true},
        {SLIDE "goal: '1 2 3/4 5 6/# 7 .'\n", true},
        {SLIDE "goal: '1 2 3 4/5 # # 6/7 8 9 .'\n", false},
    };
    for (size_t b = 0; b < COUNT(board); b++) {
        struct puzzle *puzzle = make_puzzle(board[b].definition);
        struct tiles tiles;
        struct oracle_tiles oracle;
        uint8_t position[BOARD_MAX_CELLS];
        uint32_t reached = 0;
        cr_assert(tiles_make((const struct slide *)puzzle, &tiles));
        cr_expect(tiles_reach_all(&tiles) == board[b].decides, "%s", board[b].definition);
        if (!board[b].decides) {
            struct searcher *searcher;
            const struct search_options options = {.threads = 1};
            pdb_error error;
            cr_expect(search_make(&tile_searcher, puzzle, &options, &searcher, &error) == PDB_NO_DATABASE);
        } else {
            oracle_tiles_make(&oracle, puzzle);
            for (uint32_t a = 0; a < oracle.arrangements; a++) {
                uint8_t tile[TILES_MAX_PLACES];
                oracle_tiles_position(&oracle, a, position);
                for (unsigned place = 0; place < tiles.places; place++)
                    tile[place] = tiles.tile_of_symbol[position[place]];
                reached += oracle.distance[a] != ORACLE_TILES_NEVER;
                cr_assert(tiles_parity_fits(&tiles, tile) == (oracle.distance[a] != ORACLE_TILES_NEVER));
            }
            cr_expect(2 * reached == oracle.arrangements);
            oracle_tiles_free(&oracle);
        }
        puzzle_free(puzzle);
    }
}
