/* bars.c -- boards of bars in an SVG document: disks on pegs, pancakes in a stack
 *
 * A bar is as wide as its rank says, from a quarter of its column up. Where there are empty cells, every column is a
 * rod, and all stand on a floor.
 */
#include "board.h"

enum { FLOOR = 6 };

static int bar_width(const struct svg_grid *grid, const pdb_board *board, unsigned cell)
{
    const pdb_puzzle *puzzle = grid->drawing->puzzle;
    const int symbol = pdb_board_at(puzzle, board, cell / grid->columns, cell % grid->columns);
    const int bar = (int)pdb_symbol_bar(puzzle, symbol), bars = (int)pdb_puzzle_bars(puzzle), room = grid->across - 4;
    return bar == 0 ? 0 : room / 4 + room * 3 * bar / (4 * bars);
}

static void put_rods(const struct svg_grid *grid, struct svg *svg)
{
    const int height = (int)grid->rows * grid->down, width = (int)grid->columns * grid->across;
    bool empty = false;
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++)
        empty |= grid->cell[cell].sort == SVG_EMPTY;
    if (!empty)
        return;
    svg_group(svg, "class=\"rods\" fill=\"#b8a58c\"");
    for (unsigned column = 0; column < grid->columns; column++)
        svg_element(svg, "rect x=\"%d\" y=\"%d\" width=\"6\" height=\"%d\" rx=\"3\"",
                    svg_grid_x(grid, column) + grid->across / 2 - 3, grid->margin - FLOOR, height + FLOOR);
    svg_element(svg, "rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"", grid->margin, grid->margin + height,
                width, FLOOR);
    svg_group_end(svg);
}

void svg_bars_draw(const struct svg_grid *grid, struct svg *svg, const pdb_board *board, const pdb_board *before)
{
    bool moved[PDB_MAX_PLACES] = {false};
    if (before != NULL)
        draw_moved(grid->drawing->puzzle, before, board, moved);
    put_rods(grid, svg);
    svg_group(svg, "class=\"bars\" font-size=\"%d\" text-anchor=\"middle\"", grid->font);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const int width = bar_width(grid, board, cell),
                  middle = svg_grid_x(grid, cell % grid->columns) + grid->across / 2,
                  y = svg_grid_y(grid, cell / grid->columns);
        const struct svg_cell *on = &grid->cell[cell];
        if (width == 0 && on->sort != SVG_PIECE && !on->mark)
            continue;
        if (width > 0)
            svg_element(svg, "rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"#%06x\"%s",
                        middle - width / 2, y + 1, width, grid->down - 2, grid->down / 3, (unsigned)on->colour,
                        moved[cell] ? " stroke=\"#d32f00\" stroke-width=\"3\"" : "");
        svg_text(svg, middle, y + grid->down / 2 + grid->font * 36 / 100, SVG_START,
                 width > 0 && palette_ink(on->colour) != 0 ? " fill=\"#fff\"" : "", on->glyph);
    }
    svg_group_end(svg);
}
