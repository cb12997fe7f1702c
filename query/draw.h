/* draw.h -- boards as pictures in a terminal */
#ifndef QUERY_DRAW_H
#define QUERY_DRAW_H

#include "pdb.h"

#include <stdio.h>

/* How boards are drawn. */
struct drawing {
    const pdb_puzzle *puzzle;
    bool ascii;     /* with codes instead of glyphs */
    unsigned cell;  /* columns that a cell takes */
    unsigned width; /* columns of the terminal */
};

/* Settles the cells' width for a puzzle. */
void drawing_begin(struct drawing *drawing, const pdb_puzzle *puzzle, bool ascii);

/* One board, each line after `indent` spaces. */
void draw_board(const struct drawing *drawing, const pdb_board *board, unsigned indent, FILE *out);

enum { DRAWN_MOVE_MAX = PDB_MOVE_TEXT_MAX + 16, CAPTION_MAX = DRAWN_MOVE_MAX + 16 };

/* A picture with a line of text above it. */
struct captioned {
    const pdb_board *board;
    char caption[CAPTION_MAX];
};

/* Many boards side by side, as many in a row as the terminal takes. */
void draw_boards(const struct drawing *drawing, const struct captioned *boards, size_t count, FILE *out);

/* A move's words, its piece's glyph in place of the code unless ascii was asked for; `text` has room for DRAWN_MOVE_MAX
 * bytes. */
void draw_move_text(const struct drawing *drawing, const pdb_move *move, char *text);

/* Columns that a text takes in a terminal. */
unsigned text_columns(const char *text);

#endif
