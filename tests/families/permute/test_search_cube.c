/* test_search_cube.c -- the 3x3x3 cube as a permutation puzzle: searches against a search from both ends, boards that
 * are out of reach, and searches that are stopped
 */
#include "searchers.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static const char *const cube_3x3x3 = PERMUTE
    "places: |\n  URF UFL ULB UBR DFR DLF DBL DRB\n  UR UF UL UB DR DF DL DB\n  FR FL BL BR # # # #\n"
    "twists:\n  3: URF UFL ULB UBR DFR DLF DBL DRB\n  2: UR UF UL UB DR DF DL DB FR FL BL BR\nturns: all\n"
    "generators:\n  U: (URF UFL ULB UBR)(UR UF UL UB)\n  R: (URF+2 UBR+1 DRB+2 DFR+1)(UR BR DR FR)\n"
    "  F: (URF+1 DFR+2 DLF+1 UFL+2)(UF+1 FR+1 DF+1 FL+1)\n  D: (DFR DRB DBL DLF)(DR DB DL DF)\n"
    "  L: (UFL+1 DLF+2 DBL+1 ULB+2)(UL FL DL BL)\n  B: (ULB+1 DBL+2 DRB+1 UBR+2)(UB+1 BL+1 DB+1 BR+1)\n";

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
