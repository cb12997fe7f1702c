/* picture.h -- a board drawn in a definition, before anybody knows what its symbols are
 *
 * Rows are lines, or separated by slashes; empty lines do not count. Where any row has spaces or commas inside it, they
 * separate the cells; otherwise every character is a cell. All rows are equally long.
 */
#ifndef LIB_PICTURE_H
#define LIB_PICTURE_H

#include "board.h"
#include "definition.h"

struct picture {
    const struct node *node;
    const char *text; /* the node's */
    uint16_t rows, columns;
    struct {
        uint16_t offset, length; /* the cell's text within `text` */
    } cell[BOARD_MAX_CELLS];
};

/* A picture's text, where YAML has left it as its writer sees it. Errors: PDB_BAD_DEFINITION: no scalar; cut off at a wall
 * that YAML takes for the beginning of a comment; lines that it joins into one row. */
pdb_status picture_text(const struct node *node, const char **text, pdb_error *error);

/* Reads a scalar node. Errors: those of picture_text, and PDB_BAD_DEFINITION (no cell, rows of different lengths, more
 * than BOARD_MAX_SIDE rows or columns or BOARD_MAX_CELLS cells), at the row or cell in question. */
pdb_status picture_read(const struct node *node, struct picture *picture, pdb_error *error);

/* Is the cell the one character c? */
bool picture_cell_is(const struct picture *picture, unsigned cell, char c);
/* Is it empty: `.`, `_` or `0`? */
bool picture_cell_empty(const struct picture *picture, unsigned cell);

/* A complaint at a cell. */
__attribute__((format(printf, 4, 5))) pdb_status picture_error(pdb_error *error, const struct picture *picture,
                                                               unsigned cell, const char *format, ...);

#endif
