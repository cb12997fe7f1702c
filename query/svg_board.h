/* svg_board.h -- a board as a picture in an SVG document
 *
 * Cells stand on a tray that has the board's shape; a piece of several cells is one shape with round corners. Glyphs
 * that are lines or circles are drawn as such, so that they need no font and join; chess pieces stand on a chequered
 * board. A puzzle that draws its boards in a way of its own (pdb_board_sketch) is drawn as that: a grid of single
 * characters as cells, anything else as text.
 */
#ifndef QUERY_SVG_BOARD_H
#define QUERY_SVG_BOARD_H

#include "draw.h"
#include "palette.h"
#include "svg.h"

enum { SVG_MAX_CELLS = 64 * 64 };

enum svg_sort { SVG_ABSENT, SVG_WALL, SVG_EMPTY, SVG_PIECE };

struct svg_cell {
    enum svg_sort sort;
    uint32_t colour;   /* of a piece */
    const char *glyph; /* on it */
};

/* The cells of one piece lie between these, the last ones included. */
struct svg_piece {
    unsigned top, left, bottom, right;
    unsigned first; /* the column of its first cell, which is in the row `top` */
    unsigned cells;
    bool labelled; /* it is a rectangle with one glyph, that stands in its middle */
};

/* How boards of one puzzle are drawn in one size, and the cells of the board that is being drawn. */
struct svg_board {
    const struct drawing *drawing;
    struct palette palette;
    unsigned rows, columns; /* 0: lines of text */
    bool sketched;          /* the puzzle draws its boards itself */
    bool chess;             /* on a chequered board */
    bool staggered;         /* holes stand in rows that are shifted against each other, on no tray */
    char mark[4];           /* what is in a sketch's cells */
    int size;               /* of a cell */
    int across, down;       /* from a cell to the next one, and to the next row */
    int margin;             /* of the tray */
    int font;               /* of glyphs, or of lines */
    int width, height;      /* of the picture */
    unsigned pieces;
    struct svg_piece piece[SVG_MAX_CELLS];
    struct svg_cell cell[SVG_MAX_CELLS];
    uint16_t piece_of[SVG_MAX_CELLS]; /* the piece on each cell; PDB_NO_PIECE */
    uint16_t absent[SVG_MAX_CELLS];   /* 1 for cells that are none, else 0 */
};

/* Settles how boards like `board` are drawn, in a square of `room` units at most, if cells can still be told apart then,
 * and in cells of at most `most` units. */
void svg_board_begin(struct svg_board *look, const struct drawing *drawing, const pdb_board *board, int room, int most);

/* Draws a board with its left upper corner at (x, y). Where `before` is not NULL, what a move from there has changed is
 * marked: the pieces that moved, and the cells that they have left. */
void svg_board_draw(struct svg_board *look, struct svg *svg, const pdb_board *board, const pdb_board *before, int x,
                    int y);

#endif
