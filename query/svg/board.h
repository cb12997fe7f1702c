/* board.h -- a board as a picture in an SVG document
 *
 * Cells stand on a tray that has the board's shape; a piece of several cells is one shape with round corners. Glyphs
 * that are lines or circles are drawn as such, so that they need no font and join; chess pieces stand on a chequered
 * board, and what walks on a graph on circles that are joined by lines. A puzzle that draws its boards in a way of its
 * own (pdb_board_sketch) is drawn as that: a grid of single characters as cells, anything else as text.
 */
#ifndef QUERY_SVG_BOARD_H
#define QUERY_SVG_BOARD_H

#include "svg.h"
#include "grid.h"

/* Draws a board with its left upper corner at (x, y); the grid takes it in. Where `before` is not NULL, what a move
 * from there has changed is marked: the pieces that moved, and the cells that they have left. */
void svg_board_draw(struct svg_grid *grid, struct svg *svg, const pdb_board *board, const pdb_board *before, int x,
                    int y);

#endif
