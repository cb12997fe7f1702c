/* frames.h -- the lines of frames around cells, between the rows and columns of a board in a terminal
 *
 * Lines run between cells: above row 0, between rows 0 and 1, ..., below the last; and beside columns the same way. A
 * line that parts a board anywhere takes room along all of it.
 */
#ifndef QUERY_FORMS_FRAMES_H
#define QUERY_FORMS_FRAMES_H

#include "drawing.h"

/* Does any frame begin or end above this row; beside (left of) this column? */
bool frames_part_rows(const pdb_puzzle *puzzle, unsigned row);
bool frames_part_columns(const pdb_puzzle *puzzle, unsigned column);

/* What stands left of a cell, above one, and in a cell's upper left corner: a line's sign, or " ". */
const char *frames_beside(const struct drawing *drawing, unsigned row, unsigned column);
const char *frames_above(const struct drawing *drawing, unsigned row, unsigned column);
const char *frames_corner(const struct drawing *drawing, unsigned row, unsigned column);

#endif
