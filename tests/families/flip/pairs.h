/* pairs.h -- puzzles of buttons as the library makes them and as the oracle knows them: every board of both compared */
#ifndef TESTS_FAMILIES_FLIP_PAIRS_H
#define TESTS_FAMILIES_FLIP_PAIRS_H

#include "oracle.h"
#include "lib/puzzle.h"

/* A puzzle twice: as the library makes it from a definition, and as the oracle knows it. */
struct pair {
    char definition[8192];
    struct puzzle *puzzle;
    struct oracle_flip oracle;
};

/* The goal, rows apart by slashes: digits, '*' for an open cell, '#' for a wall; NULL is all off. The definition is
 * then extended, the oracle gets its buttons, and the caller makes the puzzle of the definition. */
void begin_pair(struct pair *pair, unsigned rows, unsigned columns, unsigned values, bool backward, const char *goal);
void extend_pair(struct pair *pair, const char *text);

struct pattern {
    const char *around;
    int self, orthogonal, diagonal;
};

static const struct pattern eight = {"8", 0, 1, 1}, plus = {"plus", 1, 1, 0}, four = {"4", 0, 1, 0},
                            square = {"square", 1, 1, 1}, drawn_plus = {"\".1. / 111 / .1.\"", 1, 1, 0},
                            weighted = {"1 2 1/2 (3) 2/1 2 1", 3, 2, 1}, twos = {"222/2.2/222", 0, 2, 2};

void make_pattern_pair(struct pair *pair, unsigned rows, unsigned columns, unsigned values, bool backward,
                       const char *goal, const struct pattern *pattern);

/* The oracle's board of a position. */
void pair_board(const struct pair *pair, const uint8_t *position, unsigned char *board);

/* Counts through all positions; false after the last. */
bool next_position(const struct puzzle *puzzle, unsigned values, uint8_t *position);

/* Every board there is: ranked exactly if it can reach the goal, as a bijection; its moves, its distance, whether it is
 * a goal. The puzzle is freed. */
void check_pair(struct pair *pair);
void check_pattern(unsigned rows, unsigned columns, unsigned values, bool backward, const char *goal,
                   const struct pattern *pattern);

#endif
