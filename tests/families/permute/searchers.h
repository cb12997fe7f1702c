/* searchers.h -- permutation puzzles of many kinds, and searchers of them with all that can be turned on and off: for
 * the tests of searches and of their tables */
#ifndef TESTS_FAMILIES_PERMUTE_SEARCHERS_H
#define TESTS_FAMILIES_PERMUTE_SEARCHERS_H

#include "lib/families/permute/search/search.h"

#define PERMUTE "puzzle: test\nfamily: permute\n"
#define MIB     ((uint64_t)1 << 20)

/* Kinds of puzzles: tiles that are alike, open goals, moves without a way back, twists, groups smaller than their
 * parities and twists say. */
extern const char *const ring_of_pairs,
    *const burnt, *const open_twists, *const one_way, *const one_way_twists, *const two_orbits, *const deep,
                                                                                                    *const two_faces;

/* By its name, or of a definition's text. */
struct puzzle *any_puzzle(const char *name_or_text);

const struct permute *permute_of(const struct puzzle *puzzle);

/* Pattern databases, and their bytes, which build_tables allocates and the caller frees. */
struct tables {
    struct patterns patterns;
    uint8_t *bytes;
};

void build_tables(const struct puzzle *puzzle, struct tables *tables, unsigned threads);

struct searcher *make_searcher(const struct puzzle *puzzle, const struct search_options *options);

/* Solves a board; returns the length. The caller frees the answer's path. */
uint32_t solve_board(const struct searcher *searcher, const uint8_t *position, struct search_answer *answer);
uint32_t length_of(const struct searcher *searcher, const uint8_t *position);

/* A board so many random moves from the definition's. */
void scramble(const struct puzzle *puzzle, unsigned moves, uint64_t *random, uint8_t *position);

#endif
