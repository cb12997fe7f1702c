/* board.h -- a board as a picture in an SVG document
 *
 * Cells stand on a tray that has the board's shape; a piece of several cells is one shape with round corners. Glyphs
 * that are lines or circles are drawn as such, so that they need no font and join; chess pieces stand on a chequered
 * board, and what walks on a graph on circles that are joined by lines. A puzzle that draws its boards in a way of its
 * own (pdb_board_sketch) is drawn as that: a grid of single characters as cells, anything else as text.
 */
#ifndef QUERY_FORMS_SVG_BOARD_H
#define QUERY_FORMS_SVG_BOARD_H

#include "query/forms/drawing.h"
#include "svg.h"

/* -- grid.c: what stands in the cells, how large they are and where -- */

enum { SVG_MAX_CELLS = 64 * 64 };

enum svg_sort { SVG_ABSENT, SVG_WALL, SVG_EMPTY, SVG_PIECE, SVG_OPEN }; /* the last, in goals: anything */

/* What a cell's symbol is drawn as: a tile, if its definition says nothing. */
enum svg_shape { SVG_TILE, SVG_FIGURE, SVG_WATER, SVG_GLASS, SVG_LABEL };

struct svg_cell {
    enum svg_sort sort;
    uint32_t colour;   /* of a piece */
    const char *glyph; /* on it */
    bool round;        /* it is drawn as a circle */
    enum svg_shape shape;
    const char *figure; /* of SVG_FIGURE: a path in a square of 100 units */
    bool mark;          /* the glyph stands on the ground of an empty cell */
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
    bool staggered;         /* holes stand in rows that are shifted against each other */
    char mark[4];           /* what is in a sketch's cells */
    int size;               /* of a cell */
    int across, down;       /* from a cell to the next one, and to the next row */
    pdb_net net;            /* the cells are stickers */
    bool bars;              /* some symbols are bars */
    bool glass;             /* columns are vessels */
    int rim;                /* of the tray, around the cells */
    int margin;             /* around the cells: the rim, and room for what stands outside of it */
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
/* The same of the goal, which may have open cells; false where it is not drawn cell by cell. */
bool svg_grid_read_goal(struct svg_grid *grid);

/* Where a cell has its left upper corner. */
static inline int svg_grid_x(const struct svg_grid *grid, unsigned column)
{
    return grid->margin + (int)column * grid->across;
}

static inline int svg_grid_y(const struct svg_grid *grid, unsigned row)
{
    return grid->margin + (int)row * grid->down;
}

/* -- board.c -- */

/* Draws a board with its left upper corner at (x, y); the grid takes it in. Where `before` is not NULL, what a move
 * from there has changed is marked: the pieces that moved, and the cells that they have left. */
void svg_board_draw(struct svg_grid *grid, struct svg *svg, const pdb_board *board, const pdb_board *before, int x,
                    int y);

/* The same of the goal, where svg_grid_read_goal reads it. */
void svg_goal_draw(struct svg_grid *grid, struct svg *svg, int x, int y);

/* -- net.c -- */

/* Draws the stickers of a net that has been read. */
void svg_net_draw(const struct svg_grid *grid, struct svg *svg);

/* -- bars.c -- */

/* Draws a board of bars that has been read; those that a move from `before` (may be NULL) has moved are marked. */
void svg_bars_draw(const struct svg_grid *grid, struct svg *svg, const pdb_board *board, const pdb_board *before);

/* -- figures.c: symbols that have a shape of their own -- */

/* The path of a shape that is a figure, in a square of 100 units; NULL for other shapes. */
const char *svg_figure(const char *shape);

/* How a symbol is drawn; with codes instead of glyphs all are tiles. And are some of them glass? */
enum svg_shape svg_shape_of(const struct drawing *drawing, int symbol);
bool svg_has_glass(const struct drawing *drawing);

void svg_figures_draw(const struct svg_grid *grid, struct svg *svg);

/* What stands for a symbol in a legend, where it is no tile: a figure of this size. False: it is its glyph. Nothing is
 * written where `svg` is NULL. */
bool svg_legend_figure(const struct drawing *drawing, struct svg *svg, int symbol, int x, int y, int size);

/* -- marks.c: what stands at a board's edge and in its cells beside pieces -- */

/* Has the board an exit anywhere? Then room is left around it, and it has a wall. */
bool svg_has_exits(const struct svg_grid *grid);
void svg_exits_draw(const struct svg_grid *grid, struct svg *svg);

/* Frames around cells that belong together. */
void svg_frames_draw(const struct svg_grid *grid, struct svg *svg);

/* What moves call the cells, where they do. */
void svg_names_draw(const struct svg_grid *grid, struct svg *svg);

/* -- shapes.c: outlines of cells that belong together, glyphs that are lines, and the lines of a graph -- */

/* Cells of a grid: member[row * columns + column] is `id` for those that are meant. Cell (0,0) has its left upper
 * corner at (x, y), and every cell has sides of `size`. */
struct svg_region {
    const uint16_t *member;
    uint16_t id;
    int rows, columns;
    int x, y, size;
};

/* Writes the value of a path's `d`: the outline of these cells, drawn in by `inset` units (out, where it is below 0),
 * its corners rounded off with `radius`. Cells that touch in a corner only have outlines of their own. */
void svg_outline(FILE *out, const struct svg_region *region, int inset, int radius);

/* The directions in which the lines of a box-drawing glyph lead from its middle, as letters out of "udlr", or "|" or
 * "=" for two lines side by side; NULL where a glyph is none, or is none of those that are drawn. */
const char *svg_line_glyph(const char *glyph);

/* Writes the value of a path's `d`: these lines, in a cell with its left upper corner at (x, y), up to `inset` units
 * from its edges. */
void svg_lines(FILE *out, const char *directions, int x, int y, int size, int inset);

/* Draws all lines of a graph: straight where no cell is in the way, bent else, with an arrow where they lead one way
 * only. */
void svg_links(const struct svg_grid *grid, struct svg *svg);

/* How far bent lines may lead out of the square of cells. */
int svg_links_room(const struct svg_grid *grid);

#endif
