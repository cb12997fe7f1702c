/* drawing.h -- what stands for a symbol, a move and what a move has moved, wherever boards are drawn */
#ifndef QUERY_FORMS_DRAWING_H
#define QUERY_FORMS_DRAWING_H

#include "palette.h"
#include "pdb.h"

/* How boards are drawn. */
struct drawing {
    const pdb_puzzle *puzzle;
    bool ascii;             /* with codes instead of glyphs */
    unsigned cell;          /* columns of text that a cell takes */
    struct palette palette; /* of the puzzle */
    /* In a terminal, for whoever draws there to settle: */
    bool colour;    /* with its colours, by escape sequences */
    unsigned width; /* its columns */
    bool numbers;   /* each cell with what moves call it */
    bool bars;      /* symbols that are bars are drawn as wide as they are */
    bool legend;    /* what symbols mean is said below a board */
};

/* Settles the cells' width and colours for a puzzle. How wide a text is the locale says (LC_CTYPE), which should be one
 * of UTF-8. */
void drawing_begin(struct drawing *drawing, const pdb_puzzle *puzzle, bool ascii);

/* Is a symbol a mark on the ground of an empty cell? */
bool draw_is_mark(const struct drawing *drawing, int symbol);

/* Is it drawn as a circle? And are there circles to which the definition gives a colour? */
bool draw_is_round(const char *drawn);
bool draw_has_lamps(const struct drawing *drawing);

/* The symbol whose colour a cell has: its own, -1 for a wall. Among diamonds a gap is a part of the middle of the face
 * that it is in, if that has one. */
int draw_ground_symbol(const pdb_puzzle *puzzle, const pdb_board *board, unsigned row, unsigned column);

/* What a symbol is drawn as: its glyph, or its code. */
const char *draw_symbol(const struct drawing *drawing, int symbol);

enum { DRAWN_MOVE_MAX = PDB_MOVE_TEXT_MAX + 16, CAPTION_MAX = DRAWN_MOVE_MAX + 16 + 80 };

/* A picture with a line of text above it. */
struct captioned {
    const pdb_board *board;
    const pdb_board *before; /* the move from there has its pieces marked, where there are colours; NULL for no move */
    char caption[CAPTION_MAX];
};

/* Adds to its caption what the picture does not show (pdb_board_hidden), cut where it is long. */
void draw_caption_hidden(const pdb_puzzle *puzzle, struct captioned *picture);

/* The cells of those pieces that a move from `before` has brought to where they are; none of a net, where most
 * stickers are anew. */
void draw_moved(const pdb_puzzle *puzzle, const pdb_board *before, const pdb_board *board, bool moved[PDB_MAX_PLACES]);

/* The symbols that mean the same as `symbol` (pdb_symbol_legend), drawn one after another, into text[]; "" where that
 * has no meaning, or the same as one before it. */
enum { LEGEND_TEXT_MAX = 256 };
void draw_legend_symbols(const struct drawing *drawing, int symbol, char text[LEGEND_TEXT_MAX]);

/* A move's words, its piece's glyph in place of the code unless ascii was asked for; `text` has room for DRAWN_MOVE_MAX
 * bytes. */
void draw_move_text(const struct drawing *drawing, const pdb_move *move, char *text);

/* Columns that a text takes in a terminal; escape sequences take none. */
unsigned text_columns(const char *text);

#endif
