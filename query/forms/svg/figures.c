/* figures.c -- symbols that have a shape of their own (the key `shapes`): figures in a cell, water and glass
 *
 * A figure stands on an empty cell, in its symbol's colour. Water flows from cell to cell without a gap. Where there is
 * glass, every column is a vessel with walls, open above, and boards have no tray: what is empty is air.
 */
#include "board.h"

#include <string.h>

const char *svg_figure(const char *shape)
{
    static const struct {
        const char *name, *path;
    } figures[] = {
        {"bar", "M0 42h100v16h-100z"},
        {"boat", "M6 60h88l-16 28h-56zM45 10h6v46h-6zM55 14l26 42h-26zM41 22v34h-22z"},
        {"crate", "M10 10h80v80h-80zM26 19h48l-24 24zM81 26v48l-24 -24zM74 81h-48l24 -24zM19 74v-48l24 24z"},
        {"frog", "M18 34a14 14 0 0 1 26 -6h12a14 14 0 0 1 26 6c8 6 12 14 12 24c0 20 -18 32 -44 32s-44 -12 -44 -32"
                 "c0 -10 4 -18 12 -24zM31 27a6 6 0 1 0 0 12a6 6 0 1 0 0 -12zM69 27a6 6 0 1 0 0 12a6 6 0 1 0 0 -12z"
                 "M24 60q26 20 52 0v7q-26 18 -52 0z"},
        {"hole", "M10 10h80v80h-80z"},
        {"person", "M50 8a18 18 0 1 1 0 36a18 18 0 1 1 0 -36zM18 92c0 -30 14 -43 32 -43s32 13 32 43z"},
        {"ring", "M50 8a42 42 0 1 1 0 84a42 42 0 1 1 0 -84zM50 24a26 26 0 1 0 0 52a26 26 0 1 0 0 -52z"},
        {"target", "M50 22a28 28 0 1 1 0 56a28 28 0 1 1 0 -56zM50 32a18 18 0 1 0 0 36a18 18 0 1 0 0 -36z"
                   "M50 42a8 8 0 1 1 0 16a8 8 0 1 1 0 -16z"},
        {"torch", "M43 56h14l-3 38h-8zM50 4c4 16 20 22 16 38c-3 11 -29 11 -32 0c-3 -12 13 -18 16 -38z"},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strcmp(shape, figures[i].name) == 0)
            return figures[i].path;
    return NULL;
}

enum svg_shape svg_shape_of(const struct drawing *drawing, int symbol)
{
    const char *shape = pdb_symbol_shape(drawing->puzzle, symbol);
    return drawing->ascii || *shape == '\0' ? SVG_TILE
           : strcmp(shape, "glass") == 0    ? SVG_GLASS
           : strcmp(shape, "water") == 0    ? SVG_WATER
           : strcmp(shape, "label") == 0    ? SVG_LABEL
                                            : SVG_FIGURE;
}

bool svg_has_glass(const struct drawing *drawing)
{
    bool glass = false;
    for (int s = 0; s < (int)pdb_puzzle_symbols(drawing->puzzle); s++)
        glass |= svg_shape_of(drawing, s) == SVG_GLASS;
    return glass;
}

static void put_figure(struct svg *svg, const char *path, uint32_t colour, int x, int y, int size)
{
    svg_element(svg,
                "path class=\"figure\" transform=\"translate(%d %d) scale(%.2f)\" fill=\"#%06x\" fill-rule=\"evenodd\" "
                "d=\"%s\"",
                x, y, size / 100.0, (unsigned)colour, path);
}

static bool has_shape(const struct svg_grid *grid, unsigned row, unsigned column, enum svg_shape shape)
{
    return row < grid->rows && column < grid->columns && grid->cell[row * grid->columns + column].shape == shape;
}

static bool in_vessel(const struct svg_grid *grid, unsigned row, unsigned column)
{
    return has_shape(grid, row, column, SVG_GLASS) || has_shape(grid, row, column, SVG_WATER);
}

/* Water, cell by cell, with a wave on its surface; in a vessel it is narrower than the cell. */
static void put_water(const struct svg_grid *grid, struct svg *svg)
{
    const int size = grid->size, inset = grid->glass ? size / 8 : 0;
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const unsigned row = cell / grid->columns, column = cell % grid->columns;
        const int x = svg_grid_x(grid, column), y = svg_grid_y(grid, row), wave = (size - 2 * inset) / 4;
        if (grid->cell[cell].shape != SVG_WATER)
            continue;
        svg_element(svg, "rect class=\"water\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"", x + inset,
                    y, size - 2 * inset, size, (unsigned)grid->cell[cell].colour);
        if (!grid->glass || !has_shape(grid, row - 1, column, SVG_WATER))
            svg_element(svg,
                        "path class=\"wave\" d=\"M%d %dq%d %d %d 0t%d 0t%d 0t%d 0\" fill=\"none\" stroke=\"#fff\" "
                        "stroke-width=\"2\"",
                        x + inset, y + (grid->glass ? 4 : size / 2), wave / 2, -size / 8, wave, wave, wave, wave);
    }
}

/* The walls of vessels, a mark on them for each cell, and their bottoms. */
static void put_walls(const struct svg_grid *grid, struct svg *svg)
{
    const int size = grid->size, inset = size / 8;
    svg_path_begin(svg);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const unsigned row = cell / grid->columns, column = cell % grid->columns;
        const int x = svg_grid_x(grid, column) + inset, y = svg_grid_y(grid, row), wide = size - 2 * inset;
        if (!in_vessel(grid, row, column))
            continue;
        fprintf(svg->out, "M%d %dv%dM%d %dv%d", x, y, size, x + wide, y, size);
        if (in_vessel(grid, row - 1, column))
            fprintf(svg->out, "M%d %dh%d", x, y, wide / 5);
        if (!in_vessel(grid, row + 1, column))
            fprintf(svg->out, "M%d %dh%d", x, y + size, wide);
    }
    svg_path_end(svg, " class=\"glass\" fill=\"none\" stroke=\"#59636e\" stroke-width=\"2\" stroke-linecap=\"round\"");
}

void svg_figures_draw(const struct svg_grid *grid, struct svg *svg)
{
    put_water(grid, svg);
    if (grid->glass)
        put_walls(grid, svg);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++)
        if (grid->cell[cell].shape == SVG_FIGURE)
            put_figure(svg, grid->cell[cell].figure, grid->cell[cell].colour, svg_grid_x(grid, cell % grid->columns),
                       svg_grid_y(grid, cell / grid->columns), grid->size);
}

bool svg_legend_figure(const struct drawing *drawing, struct svg *svg, int symbol, int x, int y, int size)
{
    const char *figure = svg_figure(pdb_symbol_shape(drawing->puzzle, symbol));
    const enum svg_shape shape = svg_shape_of(drawing, symbol);
    const uint32_t colour = palette_colour(&drawing->palette, symbol);
    if (shape == SVG_TILE || shape == SVG_LABEL)
        return false;
    if (svg != NULL && shape == SVG_FIGURE)
        put_figure(svg, figure, colour, x, y, size);
    else if (svg != NULL)
        svg_element(svg, "rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\" stroke=\"#59636e\"", x, y,
                    size, size, shape == SVG_GLASS ? 0xffffffu : (unsigned)colour);
    return true;
}
