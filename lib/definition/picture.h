/* picture.h -- a board drawn in a definition, before anybody knows what its symbols are
 *
 * Rows are lines, or separated by slashes; empty lines do not count. Where any row has spaces or commas inside it, they
 * separate the cells; otherwise every character is a cell. All rows are equally long.
 */
#ifndef DEFINITION_PICTURE_H
#define DEFINITION_PICTURE_H

#include "lib/board.h"
#include "definition.h"

struct picture {
    const struct node *node;
    const char *text; /* the node's */
    uint16_t rows, columns;
    struct {
        uint16_t offset, length; /* the cell's text within `text` */
    } cell[BOARD_MAX_CELLS];
};

/* Reads a scalar node. Errors: PDB_BAD_DEFINITION (no scalar, no cell, rows of different lengths, more than
 * BOARD_MAX_SIDE rows or columns or BOARD_MAX_CELLS cells, at the row or cell in question; and what the two functions
 * below find). */
pdb_status picture_read(const struct node *node, struct picture *picture, pdb_error *error);

/* What is left of a picture: one row, several of one length (so that none of them has lost its end), or others. */
enum picture_rows { PICTURE_ONE_ROW, PICTURE_EVEN, PICTURE_UNEVEN };

static inline enum picture_rows picture_rows(unsigned rows, bool even)
{
    return !even ? PICTURE_UNEVEN : rows == 1 ? PICTURE_ONE_ROW : PICTURE_EVEN;
}

/* Looks in the source whether YAML has taken cells of a picture for a comment. Errors: PDB_BAD_DEFINITION, at the
 * comment. */
pdb_status picture_check_comments(const struct node *node, const char *text, enum picture_rows rows, pdb_error *error);
/* Looks whether a row below a `|`, where nothing is a comment, was meant as one: `# the goal`. Errors:
 * PDB_BAD_DEFINITION, at the row. */
pdb_status picture_check_walls(const struct node *node, const char *text, pdb_error *error);
/* Has YAML joined lines of the picture's source into one row? Errors: PDB_BAD_DEFINITION, at the picture. */
pdb_status picture_check_rows(const struct node *node, const char *text, pdb_error *error);

/* Has any row two words with a separator between them? */
bool picture_is_separated(const char *text);

/* Is the cell the one character c? */
bool picture_cell_is(const struct picture *picture, unsigned cell, char c);
/* Is it empty: `.`, `_` or `0`? */
bool picture_cell_empty(const struct picture *picture, unsigned cell);

/* A complaint at a cell. */
__attribute__((format(printf, 4, 5))) pdb_status picture_error(pdb_error *error, const struct picture *picture,
                                                               unsigned cell, const char *format, ...);

#endif
