/*
 * The independent oracle for permutation puzzles: a plain queue over boards, written from the rules alone and sharing
 * nothing with the library.
 *
 * The rules. A board has a tile on every place, with a twist from 0 on. A move sends the tile on place p to to[p] and
 * turns it by twist[p]. In a board's bytes a tile t with twist w is 16 * t + w; tiles with one number are alike.
 */
#ifndef TESTS_FAMILIES_PERMUTE_ORACLE_H
#define TESTS_FAMILIES_PERMUTE_ORACLE_H

#include "tests/support/oracle_boards.h"

enum { ORACLE_PERMUTE_PLACES = 32, ORACLE_PERMUTE_MOVES = 32 };

struct oracle_permute {
    int places, moves;
    int modulus[ORACLE_PERMUTE_PLACES]; /* twists on this place count modulo this; 0 as 1 */
    int to[ORACLE_PERMUTE_MOVES][ORACLE_PERMUTE_PLACES];
    int twist[ORACLE_PERMUTE_MOVES][ORACLE_PERMUTE_PLACES];
};

/* Adds a move that leaves everything where it is, and returns its number; then cycles are put into it: places[0] to
 * places[1] and so on, twist[i] for the tile that arrives at places[i]. `twist` may be NULL. */
int oracle_permute_add(struct oracle_permute *permute);
void oracle_permute_cycle(struct oracle_permute *permute, int move, int length, const int *places, const int *twist);
/* Adds the inverse of a move. */
void oracle_permute_add_inverse(struct oracle_permute *permute, int move);

/* Every board from which one of the goals can be reached, with its distance. Each goal is `places` bytes. */
struct oracle_boards *oracle_permute_solve(const struct oracle_permute *permute, int goals, const unsigned char *goal);

#endif
