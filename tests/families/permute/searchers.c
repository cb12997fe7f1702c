#include "searchers.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

const char *const ring_of_pairs = PERMUTE
    "goal: a a b b c c d e\ngenerators:\n  shift: 1 2 3 4 5 6 7 8\n  spin: {reverse: 1 2 3 4}\n";
const char *const burnt = PERMUTE
    "board: b b w w x y z\ngoal: b b * * x * *\ngenerators:\n  f2: {reverse: 1 2}\n"
    "  f4: {reverse: 1 2 3 4}\n  f5: {reverse: 1 2 3 4 5}\n  f7: {reverse: 1 2 3 4 5 6 7}\n";
const char *const open_twists = PERMUTE "places: a b c d e f\ngoal: a b c d * *\ntwists: 2\ngenerators:\n"
                                        "  l: (a b+1 c d)\n  r: (d e+1 f)\n";
const char *const one_way = PERMUTE
    "places: 1 2 3 4 5 6 7\nturns: forward\ngenerators:\n  a: (1 2 3 4)\n  b: (3 4 5 6 7)\n";
const char *const one_way_twists = PERMUTE
    "places: a b c d e\ntwists: 3\nturns: forward\ngenerators:\n  u: (a b+1 c+2 d)\n"
    "  v: (c d+2 e)\n";
const char *const two_orbits = PERMUTE "places: a b c d e / v w x y z\ntwists: {3: a b c d e}\ngenerators:\n"
                                       "  u: (a b+1 c)(v w x)\n  s: (c d+2 e)(x y z)\n  t: (a+1 e)(v z)\n";
const char *const deep = PERMUTE "places: 1 2 3 4 5 6 7 8\ngenerators:\n  shift: 1 2 3 4 5 6 7 8\n  swap: (1 2)\n";
const char *const two_faces = PERMUTE "places: a b c d e f\ntwists: 3\nturns: all\ngenerators:\n  U: (a b c d)\n"
                                      "  R: (a+2 d+1 e+2 f+1)\n";

struct puzzle *any_puzzle(const char *name_or_text)
{
    return strchr(name_or_text, '\n') != NULL ? make_puzzle(name_or_text) : built_in(name_or_text);
}

const struct permute *permute_of(const struct puzzle *puzzle)
{
    return (const struct permute *)puzzle;
}

void build_tables(const struct puzzle *puzzle, struct tables *tables, unsigned threads)
{
    pdb_error error;
    tables->bytes = aligned_alloc(64, (tables->patterns.bytes + 63) / 64 * 64);
    memset(tables->bytes, 0, tables->patterns.bytes);
    const struct pattern_work work = {.threads = threads};
    cr_assert(permute_pattern_family.build(puzzle, &tables->patterns, &work, tables->bytes, &error) == PDB_OK, "%s",
              error.message);
}

struct searcher *make_searcher(const struct puzzle *puzzle, const struct search_options *options)
{
    struct searcher *searcher = NULL;
    pdb_error error;
    cr_assert(search_make(puzzle->family->single.searcher, puzzle, options, &searcher, &error) == PDB_OK, "%s",
              error.message);
    return searcher;
}

uint32_t solve_board(const struct searcher *searcher, const uint8_t *position, struct search_answer *answer)
{
    pdb_error error;
    cr_assert(search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, answer, &error) == PDB_OK, "%s",
              error.message);
    cr_expect(answer->bound == answer->distance);
    cr_expect((answer->path != NULL) == (answer->distance != PDB_NO_DISTANCE));
    return answer->distance;
}

uint32_t length_of(const struct searcher *searcher, const uint8_t *position)
{
    struct search_answer answer;
    const uint32_t distance = solve_board(searcher, position, &answer);
    free(answer.path);
    return distance;
}

void scramble(const struct puzzle *puzzle, unsigned moves, uint64_t *random, uint8_t *position)
{
    uint8_t next[BOARD_MAX_CELLS];
    memcpy(position, permute_of(puzzle)->board, puzzle->board.places);
    for (unsigned i = 0; i < moves; i++) {
        permute_apply(permute_of(puzzle), (unsigned)random_below(random, permute_of(puzzle)->moves), position, next);
        memcpy(position, next, puzzle->board.places);
    }
}
