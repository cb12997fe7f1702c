/* places.h -- what the families share whose boards have named places: shape, names, glyphs
 *
 * A definition may call its places by names, drawn as a picture under 'places'; without it they are called 1, 2, 3, .. in reading order. Lists of places are
 * written "a b c" or [a, b, c].
 */
#ifndef FAMILIES_PLACES_H
#define FAMILIES_PLACES_H

#include "../picture.h"

struct place_names {
    char name[BOARD_MAX_CELLS][SYMBOL_CODE_MAX];
};

/* Gives a board the shape of a picture: rows, columns, walls (#) and places. Errors: PDB_BAD_DEFINITION (nothing but walls). */
pdb_status places_lay_out(const struct picture *picture, struct board *board, pdb_error *error);

/* Reads a picture that has to have the board's shape and walls; `what` names it in a complaint ("the goal"). */
pdb_status places_read_picture(const struct node *node, const char *what, const struct board *board,
                               struct picture *picture, pdb_error *error);

/* Reads the names of a board's places; numbers them where `node` is NULL. */
pdb_status places_read_names(const struct node *node, const struct board *board, struct place_names *names, pdb_error *error);

/* The place with this name, or BOARD_NO_PLACE; the same with a complaint at the byte `offset` of a node. */
uint16_t places_find(const struct board *board, const struct place_names *names, const char *name, size_t length);
pdb_status places_require(const struct board *board, const struct place_names *names, const struct node *node,
                          size_t offset, size_t length, uint16_t *place, pdb_error *error);

/* A list of places, in a scalar or a sequence, and where each stands, for complaints. */
struct place_list {
    unsigned count;
    uint16_t place[2 * BOARD_MAX_CELLS];
    const struct node *node[2 * BOARD_MAX_CELLS];
    size_t offset[2 * BOARD_MAX_CELLS];
};

pdb_status places_read_list(const struct node *node, const struct board *board, const struct place_names *names,
                            struct place_list *list, pdb_error *error);

/* Reads 'glyphs', a mapping from symbols to what is drawn for them, and finishes the board's symbols (board_finish). `node` may be NULL. */
pdb_status places_read_glyphs(const struct node *node, struct board *board, pdb_error *error);

#endif
