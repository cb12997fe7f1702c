/* grid.h -- the cells of a board that is drawn: what stands in them, how large they are and where */
#ifndef QUERY_SVG_GRID_H
#define QUERY_SVG_GRID_H

#include "query/draw.h"

enum { SVG_MAX_CELLS = 64 * 64 };

enum svg_sort { SVG_ABSENT, SVG_WALL, SVG_EMPTY, SVG_PIECE };

struct svg_cell {
    enum svg_sort sort;
    uint32_t colour;   /* of a piece */
    const char *glyph; /* on it */
    bool round;        /* it is drawn as a circle */
};

/* The cells of one piece lie between these, the last ones included. */
struct svg_piece {
    unsigned top, left, bottom, right;
    unsigned first; /* its first cell, row by row */
    unsigned cells;
    bool rectangle; /* it covers all cells between them */
    bool labelled;  /* and has one glyph, in its middle */
};

/* How boards of one puzzle are drawn in one size, and what stands in the cells of the one that is being drawn. */
struct svg_grid {
    const struct drawing *drawing;
    unsigned rows, columns; /* 0: lines of text */
    bool sketched;          /* the puzzle draws its boards itself */
    bool chess;             /* on a chequered board */
    bool graph;             /* cells are joined by lines, and stand apart */
    bool staggered;         /* holes stand in rows that are shifted against each other, on no tray */
    char mark[4];           /* what is in a sketch's cells */
    int size;               /* of a cell */
    int across, down;       /* from a cell to the next one, and to the next row */
    int margin;             /* around the cells */
    int font;               /* of glyphs, or of lines */
    int width, height;      /* of the picture */
    unsigned pieces;
    struct svg_piece piece[SVG_MAX_CELLS];
    struct svg_cell cell[SVG_MAX_CELLS];
    uint16_t piece_of[SVG_MAX_CELLS]; /* the piece on each cell; PDB_NO_PIECE */
    uint16_t absent[SVG_MAX_CELLS];   /* 1 for cells that are none, else 0 */
};

/* Settles how boards like `board` are drawn: in a square of `room` units at most, if cells can still be told apart
 * then, and in cells of at most `most` units. */
void svg_grid_begin(struct svg_grid *grid, const struct drawing *drawing, const pdb_board *board, int room, int most);

/* Reads the cells of a board; not where it is drawn as lines of text. */
void svg_grid_read(struct svg_grid *grid, const pdb_board *board);

/* Where a cell has its left upper corner. */
static inline int svg_grid_x(const struct svg_grid *grid, unsigned column)
{
    return grid->margin + (int)column * grid->across;
}

static inline int svg_grid_y(const struct svg_grid *grid, unsigned row)
{
    return grid->margin + (int)row * grid->down;
}

#endif
