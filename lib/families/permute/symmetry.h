/* symmetry.h -- the symmetries of a permutation puzzle
 *
 * A symmetry renames places, tiles and moves so that the puzzle stays what it is: what a move does to a position, the
 * renamed move does to the renamed position, and goals are renamed to goals. So a position and its image are equally
 * far from the goal. On places it is
 *
 *     tile a, turned by t, on place p    ->    tile[a], turned by factor * t + offset[p] + shift[a], on place[p]
 *
 * with a factor that belongs to the orbit: -1 where a reflection turns the other way round. The cube has 48 of them.
 *
 * They are found, not written down: see symmetry.c.
 */
#ifndef FAMILIES_PERMUTE_SYMMETRY_H
#define FAMILIES_PERMUTE_SYMMETRY_H

#include "permute.h"

enum { PERMUTE_SYMMETRIES_MAX = 480 };

struct permute_symmetry {
    uint8_t place[BOARD_BYTE_CELLS], factor[BOARD_BYTE_CELLS], offset[BOARD_BYTE_CELLS]; /* by place */
    uint8_t tile[BOARD_MAX_SYMBOLS], shift[BOARD_MAX_SYMBOLS];                           /* by tile */
    uint8_t move[PERMUTE_MAX_MOVES];
};

struct permute_symmetries {
    bool all;       /* there are no others, and they are a group */
    unsigned count; /* at least 1: number 0 is the identity */
    struct permute_symmetry symmetry[];
};

/* The kind of what moves[count] do one after the other: the same of what they are renamed to by any symmetry. */
uint64_t permute_kind(const struct permute *permute, const unsigned *moves, unsigned count);

/* Finds the symmetries: all of them, or PERMUTE_SYMMETRIES_MAX where there are more, or as many as are found in some
 * 20 milliseconds. The caller frees them with free. Error: PDB_NO_MEMORY. */
pdb_status permute_symmetries_find(const struct permute *permute, struct permute_symmetries **out, pdb_error *error);

/* Can places be renamed so that each move m becomes move[m] (each one once)? Tiles and goals are not looked at. True
 * also where that takes too long to be told. */
bool permute_places_follow(const struct permute *permute, const uint8_t *move);

/* The image of a position. */
void permute_symmetry_image(const struct permute *permute, const struct permute_symmetry *symmetry,
                            const uint8_t *position, uint8_t *image);

#endif
