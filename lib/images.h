/* images.h -- the boards that one index stands for
 *
 * Where boards that are alike by a symmetry share an index (family->index.weights), the index stands for the different
 * images of its board; elsewhere for its board alone.
 */
#ifndef LIB_IMAGES_H
#define LIB_IMAGES_H

#include "puzzle.h"

/* How many symmetries there are, the identity among them, tried on a proper position: 1 where the puzzle has no
 * weights. */
unsigned images_symmetries(const struct puzzle *puzzle, const uint8_t *position);

/* How many boards an index stands for, as its family says. */
uint64_t images_weight(const struct puzzle *puzzle, uint64_t index);

/* The k-th, from 0, of the different images of a position, in the order of the symmetries; false past the last. */
bool images_nth(const struct puzzle *puzzle, const uint8_t *position, uint64_t k, uint8_t *image);

#endif
