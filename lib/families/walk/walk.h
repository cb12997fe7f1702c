/* walk.h -- pieces that walk on a graph: the family's parts to one another
 *
 * Here lives how such a puzzle is read (definition.c), split and numbered (regions.c), its moves (walk.c), and how they
 * look to the layer kernel that families share (layers.c). Nothing here knows other families, how a space is searched
 * beyond that kernel, or what a database looks like.
 *
 * Pieces stand on some of the places of a graph; any piece may step along an arc to an empty place, at any time. Pieces
 * with one symbol are alike, and the empty places are one more kind of thing: a state is an order of a multiset
 * (lib/rank/multiset.h), and a step exchanges a piece with an empty place.
 *
 * Pieces never leave a connected part of the graph. The places are therefore split into *regions*: every connected part
 * whose goal is given cell by cell is a region of its own, with the goal's pieces in it (the centre of a 3x3 board,
 * which no knight reaches, always stays as it is); all parts with an open cell in their goal are one region together,
 * with the rest of the pieces. The places are listed region by region, in reading order inside each; a place's number
 * in this list is its *slot*.
 *
 *     index = sum over the regions of (rank of the order in the region) * weight
 *
 * Regions that can be ordered in one way only come last and take no part. Where the goal's boards do not reach every
 * order (four knights on a ring never overtake each other), the others simply have no distance.
 *
 * Where the graph has two sides and every arc leads from one to the other, each move changes the number of pieces on
 * the second side by one: its parity, seen from the goal, is the colouring, if all goals agree on it.
 */
#ifndef FAMILIES_WALK_WALK_H
#define FAMILIES_WALK_WALK_H

#include "lib/puzzle.h"
#include "lib/rank/multiset.h"
#include "lib/families/shared/places.h"
#include "lib/families/shared/assignment.h"

struct walk_region {
    uint16_t first, slots;
    struct multiset_ranking ranking;
    uint64_t weight;
    uint8_t symbol[BOARD_MAX_CELLS];     /* of each class */
    uint8_t class_of[BOARD_MAX_SYMBOLS]; /* WALK_NO_CLASS where no such piece is in the region */
    uint16_t members[BOARD_MAX_CELLS];   /* things of each class */
    uint16_t classes;
    uint8_t empty; /* the class of empty places; WALK_NO_CLASS where there are none */
};

enum { WALK_NO_CLASS = 255 };

/* The arcs out of each slot (or, turned round, into it): to[first[s] .. first[s+1]-1]. */
struct walk_arcs {
    uint32_t first[BOARD_MAX_CELLS + 1];
    uint16_t *to;
};

struct walk {
    struct puzzle puzzle;
    struct place_names names;
    bool named;                                 /* the definition gives the places' names */
    bool graph;                                 /* and edges, so that the board means nothing without them */
    bool arc[BOARD_MAX_CELLS][BOARD_MAX_CELLS]; /* by places: from, to */
    uint16_t count[BOARD_MAX_SYMBOLS];          /* pieces of each symbol, empty places among them */

    uint16_t place_of[BOARD_MAX_CELLS], slot_of[BOARD_MAX_CELLS];
    unsigned regions, moving; /* the first `moving` regions have more than one order */
    struct walk_region *region;
    struct walk_arcs out, in;      /* by slots */
    uint8_t side[BOARD_MAX_CELLS]; /* of each slot, where the puzzle is coloured */
    uint8_t goal_colour;           /* parity of the pieces on side 1 in a goal */
    struct assignment assignment;  /* of positions: the bounds */
};

/* -- definition.c -- */

/* Reads the definition into the board, names, arcs, counts and the goal's pattern. */
pdb_status walk_read(const struct definition *definition, struct walk *walk, pdb_error *error);

/* -- regions.c -- */

/* Splits the places into regions and makes everything of *walk from place_of on but `assignment`. */
pdb_status walk_regions_make(struct walk *walk, pdb_error *error);
void walk_regions_free(struct walk *walk);

/* The region's order in a position: classes by slot. False where the region has other pieces than the goals. */
bool walk_region_order(const struct walk *walk, const struct walk_region *region, const uint8_t *position,
                       uint8_t *order);

/* -- layers.c -- */

/* As the contract's `layers`. */
pdb_status walk_layers_make(const struct puzzle *puzzle, bool portable, uint64_t memory, struct layer_kernel **out,
                            pdb_error *error);

#endif
