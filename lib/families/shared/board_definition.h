/* board_definition.h -- the room of what several families share: here, what every one reads of a board in its
 * definition
 *
 *   places.h      names of places, and lists of them
 *   assignment.h  the bound by cheapest assignment
 *   layers/       layers of the orders of alike things, by words
 *
 * Each stands for itself and knows no family: what only one family needs stands in that family's room, and what needs
 * no definition and no board (ranks, matching) in lib/rank and lib/search.
 */
#ifndef FAMILIES_SHARED_BOARD_DEFINITION_H
#define FAMILIES_SHARED_BOARD_DEFINITION_H

#include "lib/definition/picture.h"

/* Gives a board the shape of a picture: rows, columns, walls (#) and places. `most` is how many cells the family can
 * take. Errors: PDB_BAD_DEFINITION (nothing but walls, or too many cells). */
pdb_status board_lay_out(const struct picture *picture, unsigned most, struct board *board, pdb_error *error);

/* Does a picture have the board's shape and walls? `name` is what complaints call it ("goal"), and `has` how they begin
 * to tell its size: "the goal has" 2 rows of 3 cells, .. */
pdb_status board_check_shape(const struct picture *picture, const char *name, const char *has,
                             const struct board *board, pdb_error *error);

/* Reads a picture that has to have them. */
pdb_status board_read_picture(const struct node *node, const char *name, const char *has, const struct board *board,
                              struct picture *picture, pdb_error *error);

/* What is particular about a family's glyphs. */
struct glyph_rules {
    const char *keys;     /* what 'glyphs' "has to be a mapping from" */
    const char *stranger; /* what a key is that is no symbol's code: it "does not stand on the board" */
    bool solid;           /* none may be blank, or be taken for a wall or an open cell */
};

/* Reads 'glyphs', where the definition has it, a mapping from symbols to what is drawn for them, and finishes the
 * board's symbols (board_finish). `rules` is NULL where nothing is particular. */
pdb_status board_read_glyphs(const struct node *root, const struct glyph_rules *rules, struct board *board,
                             pdb_error *error);

#endif
