/* symmetries.h -- relabellings that leave a puzzle as it is
 *
 * A symmetry takes places to places and symbols to symbols, so that every move becomes a move of the same cost and
 * every goal a goal: boards that are alike by one are as far from the goal. A family finds its own (index.image), or it
 * says whether one that turns or mirrors the board as it is drawn is a symmetry (position.keeps), which is exact. All
 * of them together, the identity first, are a group.
 */
#ifndef LIB_SYMMETRIES_H
#define LIB_SYMMETRIES_H

#include "puzzle.h"

enum { SYMMETRIES_OF_A_BOARD = 8 };

struct symmetries {
    unsigned count;                                     /* 1: none but the identity is known */
    bool by_family;                                     /* index.image has them */
    struct relabelling symmetry[SYMMETRIES_OF_A_BOARD]; /* else */
};

/* Finds those of a puzzle as its family made it. */
void symmetries_find(const struct puzzle *puzzle, struct symmetries *found);

/* The image of a proper position under symmetry number 0 .. count-1, with the pieces that are alike named in any order;
 * the puzzle may be the same, numbered otherwise. */
void symmetries_image(const struct puzzle *puzzle, const struct symmetries *symmetries, unsigned number,
                      const uint8_t *position, uint8_t *image);

#endif
