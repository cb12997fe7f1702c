/* shapes.h -- shapes of boards: outlines of cells that belong together, and glyphs that are lines */
#ifndef QUERY_SVG_SHAPES_H
#define QUERY_SVG_SHAPES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

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

#endif
