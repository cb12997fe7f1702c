/* levels.h -- levels of Sokoban, as programs for it share them
 *
 * A collection is a text with levels of `#` wall, `@` player, `+` player on a target, `$` box, `*` box on a target, `.`
 * target; floor is blank, `-` or `_`. What is no row of a level parts levels; a line `Title: ..` below a level is its
 * title, or else the last line `; ..` above it.
 */
#ifndef CATALOG_LEVELS_H
#define CATALOG_LEVELS_H

#include "lib/board.h"

enum { LEVEL_MAX_SIDE = BOARD_MAX_SIDE, LEVEL_TITLE_MAX = 80 };

struct level {
    unsigned rows, columns, line;              /* the line of its first row */
    char cell[LEVEL_MAX_SIDE][LEVEL_MAX_SIDE]; /* as in the file, blanks behind a row's end */
    char title[LEVEL_TITLE_MAX + 1];           /* printable ASCII; "" for none */
};

/* Reads the level of this number, from 1, of a file. Errors: PDB_IO, PDB_NO_MEMORY, PDB_BAD_DEFINITION (no level, or
 * one too large), PDB_UNKNOWN_PUZZLE (not so many). */
pdb_status level_read(const char *path, unsigned number, struct level *level, pdb_error *error);

/* A complaint about a line of the file; returns PDB_BAD_DEFINITION. */
__attribute__((format(printf, 4, 5))) pdb_status level_refuse(const char *path, unsigned line, pdb_error *error,
                                                              const char *format, ...);

#endif
