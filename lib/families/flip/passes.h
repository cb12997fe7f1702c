/* passes.h -- all distances of a board of two values at once, without layers: a pass a button
 *
 * With two values a press is an XOR of the index with the button's mask, presses commute, and pressing twice is doing
 * nothing. So a shortest way presses some buttons once each, in any order, and the buttons may be decided one after
 * another: with d_b the distances that the first b buttons allow,
 *
 *     d_0[s] = 0 for goals, else none          d_b[s] = min(d_(b-1)[s], d_(b-1)[s ^ mask_b] + 1)
 *
 * The pair s, s ^ mask is changed without a look at anything else, so a pass is done in place, and after the last
 * button all distances are known. (It is the fast Walsh-Hadamard transform with (min, +) for (+, *).)
 *
 * Passes that went over the whole array one by one would wait for memory. But a pass may as well be done on any part of
 * the array that is closed under its mask, and several passes one after another on a part closed under all of their
 * masks. Such a part is a *tile*:
 *
 *                   row number, bits - row bits                place in a row
 *     index     b b b b b b b b b b b b b b b b  |  l l l l l l l l l      rows lie in memory as they are
 *     tile      base ^ (any sum of a few rows)   |  anything
 *     in tile            c c c c c c             |  l l l l l l l l l      c: which sum
 *
 * Masks are taken in *groups* whose row numbers span at most TILE_BITS - ROW_BITS dimensions. A basis in reduced
 * echelon form makes the coordinates c of a sum just its bits at the pivots. The rows of a tile are copied together
 * (apart as they lie, by powers of two, they would fight for the same few lines of the cache), every mask becomes a
 * short one on the tile's own index, and all passes of the group are done before the rows are copied back. Bases are
 * the row numbers with zeros at the pivots, so tiles are numbered, and shared out among threads.
 *
 * Inside a tile the high bits of a mask pair up blocks of bytes, the low ones reorder bytes in a block: meet.c.
 */
#ifndef FAMILIES_FLIP_PASSES_H
#define FAMILIES_FLIP_PASSES_H

#include "lib/puzzle.h"

enum {
    /* the array is a multiple of this long; what lies past its states is 255 and stays so */
    FLIP_PASSES_ROOM = 64,
    FLIP_PASSES_MASKS = 1024
};

/* One pass over a tile of `size` bytes (a power of two, 64 at least, aligned to 64): each byte i becomes the less of
 * itself and byte i ^ mask plus one; 255 is none and stays so. mask < size is not 0. */
typedef void flip_meet(uint8_t *tile, size_t size, size_t mask);

/* -- meet.c -- */
flip_meet flip_meet_portable;
flip_meet *flip_meet_best(void); /* the quickest on this machine */

/* All passes, of up to FLIP_PASSES_MASKS masks that are not 0 and have `bits` bits, over an array of 2^bits distances,
 * where a goal has 0 and all else 255. False where the observer stopped it: the array is of no use then. */
bool flip_passes(unsigned bits, const uint64_t *mask, size_t masks, flip_meet *meet, unsigned threads,
                 uint8_t *distance, distances_observer *observer, void *context);

#endif
