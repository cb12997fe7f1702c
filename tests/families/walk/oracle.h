/*
 * The independent oracle for walking puzzles: a plain queue over boards, written from the rules alone and sharing
 * nothing with the library.
 *
 * The rules. Pieces stand on some places of a graph; a piece may step along an arc to an empty place, at any time. A
 * board is a byte for each place: '.' is empty, any other character a piece; pieces with one character are alike. Arcs
 * have a direction; one that can be gone both ways is two.
 */
#ifndef TESTS_FAMILIES_WALK_ORACLE_H
#define TESTS_FAMILIES_WALK_ORACLE_H

#include "tests/support/oracle_boards.h"

#include <stdbool.h>

enum { ORACLE_WALK_PLACES = 32 };

struct oracle_walk {
    int places;
    bool arc[ORACLE_WALK_PLACES][ORACLE_WALK_PLACES]; /* from, to */
};

/* The graph of a chess piece on a board: `picture` has rows * columns characters, '#' for a hole. Two places are joined
 * if they lie a rows and b columns apart, or b and a. Adds to the arcs already there, so that a king is (0, 1) and then
 * (1, 1). */
void oracle_walk_chess(struct oracle_walk *walk, int rows, int columns, const char *picture, int a, int b);

/* Every board that can reach a goal, with its distance. `goal` is a pattern, '*' for a place where anything may stand;
 * `pieces` is any board with all the pieces. */
struct oracle_boards *oracle_walk_solve(const struct oracle_walk *walk, const char *goal, const char *pieces);

#endif
