/* draw.h -- boards as pictures in a terminal */
#ifndef QUERY_DRAW_H
#define QUERY_DRAW_H

#include "palette.h"
#include "pdb.h"

#include <stdio.h>

/* How boards are drawn. */
struct drawing {
    const pdb_puzzle *puzzle;
    bool ascii;             /* with codes instead of glyphs */
    bool colour;            /* with a terminal's colours, by escape sequences */
    unsigned cell;          /* columns that a cell takes */
    unsigned width;         /* columns of the terminal */
    struct palette palette; /* of the puzzle */
};

/* Settles the cells' width and colours for a puzzle. */
void drawing_begin(struct drawing *drawing, const pdb_puzzle *puzzle, bool ascii, bool colour);

/* Is a symbol a mark on the ground of an empty cell? */
bool draw_is_mark(const struct drawing *drawing, int symbol);

/* What a symbol is drawn as: its glyph, or its code. */
const char *draw_symbol(const struct drawing *drawing, int symbol);

/* One board, each line after `indent` spaces. */
void draw_board(const struct drawing *drawing, const pdb_board *board, unsigned indent, FILE *out);

enum { DRAWN_MOVE_MAX = PDB_MOVE_TEXT_MAX + 16, CAPTION_MAX = DRAWN_MOVE_MAX + 16 };

/* A picture with a line of text above it. */
struct captioned {
    const pdb_board *board;
    const pdb_board *before; /* the move from there has its pieces marked, where there are colours; NULL for no move */
    char caption[CAPTION_MAX];
};

/* The cells of those pieces that a move from `before` has brought to where they are. */
void draw_moved(const pdb_puzzle *puzzle, const pdb_board *before, const pdb_board *board, bool moved[PDB_MAX_PLACES]);

/* Many boards side by side, as many in a row as the terminal takes. */
void draw_boards(const struct drawing *drawing, const struct captioned *boards, size_t count, FILE *out);

/* Texts in columns, row by row, as many in a row as the terminal takes; rows after the first are indented. */
void draw_columns(const struct drawing *drawing, char *const *texts, size_t count, unsigned indent, FILE *out);

/* A move's words, its piece's glyph in place of the code unless ascii was asked for; `text` has room for DRAWN_MOVE_MAX
 * bytes. */
void draw_move_text(const struct drawing *drawing, const pdb_move *move, char *text);

/* Columns that a text takes in a terminal; escape sequences take none. */
unsigned text_columns(const char *text);

/* What makes text look so from there on; "" where there are no colours. */
enum look { LOOK_PLAIN, LOOK_BOLD, LOOK_LOW_BAR, LOOK_HIGH_BAR };
const char *draw_look(const struct drawing *drawing, enum look look);

#endif
