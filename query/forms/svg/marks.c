/* marks.c -- what stands at a board's edge and in its cells beside pieces: exits, frames, and the names of cells */
#include "board.h"

/* -- exits -- */

bool svg_has_exits(const struct svg_grid *grid)
{
    for (unsigned side = 0; side < PDB_SIDES; side++)
        for (unsigned at = 0; at < PDB_MAX_SIDE; at++)
            if (pdb_puzzle_exit(grid->drawing->puzzle, (pdb_side)side, at))
                return true;
    return false;
}

/* A gap in the board's wall from one row or column to another, and an arrow that leads through it. */
static void put_exit(const struct svg_grid *grid, struct svg *svg, pdb_side side, unsigned first, unsigned last)
{
    const bool rows = side == PDB_LEFT || side == PDB_RIGHT, outward = side == PDB_RIGHT || side == PDB_BOTTOM;
    const unsigned ends = (rows ? grid->columns : grid->rows) - 1;
    const int begin = rows ? svg_grid_y(grid, first) : svg_grid_x(grid, first);
    const int end = (rows ? svg_grid_y(grid, last) : svg_grid_x(grid, last)) + grid->size;
    const int edge = !outward ? grid->margin : (rows ? svg_grid_x(grid, ends) : svg_grid_y(grid, ends)) + grid->size;
    const int way = outward ? 1 : -1, wall = 2 * grid->rim, from = outward ? edge : edge - wall;
    const int middle = (begin + end) / 2, half = grid->size / 4, tip = edge + way * (wall + grid->size * 5 / 12),
              base = tip - way * grid->size / 3;
    if (rows)
        svg_element(svg, "rect class=\"exit\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#d5dae0\"", from,
                    begin, wall, end - begin);
    else
        svg_element(svg, "rect class=\"exit\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#d5dae0\"", begin,
                    from, end - begin, wall);
    svg_path_begin(svg);
    if (rows)
        fprintf(svg->out, "M%d %dL%d %dL%d %dZ", base, middle - half, tip, middle, base, middle + half);
    else
        fprintf(svg->out, "M%d %dL%d %dL%d %dZ", middle - half, base, middle, tip, middle + half, base);
    svg_path_end(svg, " class=\"exit\" fill=\"#59636e\"");
}

void svg_exits_draw(const struct svg_grid *grid, struct svg *svg)
{
    for (unsigned side = 0; side < PDB_SIDES; side++)
        for (unsigned first = 0; first < PDB_MAX_SIDE; first++) {
            unsigned last = first;
            if (!pdb_puzzle_exit(grid->drawing->puzzle, (pdb_side)side, first))
                continue;
            while (pdb_puzzle_exit(grid->drawing->puzzle, (pdb_side)side, last + 1))
                last++;
            put_exit(grid, svg, (pdb_side)side, first, last);
            first = last;
        }
}

/* -- frames -- */

void svg_frames_draw(const struct svg_grid *grid, struct svg *svg)
{
    pdb_frame frame;
    for (unsigned i = 0; pdb_puzzle_frame(grid->drawing->puzzle, i, &frame); i++) {
        const int x = svg_grid_x(grid, frame.left), y = svg_grid_y(grid, frame.top), out = grid->rim / 2;
        svg_element(svg,
                    "rect class=\"frame\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"none\" "
                    "stroke=\"#222\" stroke-width=\"%d\"",
                    x - out, y - out, svg_grid_x(grid, frame.right) + grid->size - x + 2 * out,
                    svg_grid_y(grid, frame.bottom) + grid->size - y + 2 * out, 1 + grid->size / 6, 1 + grid->size / 12);
    }
}

/* -- names of cells -- */

/* The widest name's columns, 0 where there is none. */
static unsigned widest_name(const struct svg_grid *grid)
{
    unsigned widest = 0;
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const char *name = pdb_cell_name(grid->drawing->puzzle, cell / grid->columns, cell % grid->columns);
        if (name != NULL && text_columns(name) > widest)
            widest = text_columns(name);
    }
    return widest;
}

/* In the middle of a hole or a peg, which have no glyph; beside the glyph of a piece, in the lower right corner. */
void svg_names_draw(const struct svg_grid *grid, struct svg *svg)
{
    const unsigned widest = widest_name(grid);
    if (grid->sketched || grid->net != PDB_NO_NET || widest == 0)
        return;
    const int font = grid->size * 5 / (int)(widest < 2 ? 10 : 4 * widest + 3);
    svg_group(svg, "class=\"names\" font-size=\"%d\" text-anchor=\"middle\" fill=\"#4a535c\"", font);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const unsigned row = cell / grid->columns, column = cell % grid->columns;
        const char *name = pdb_cell_name(grid->drawing->puzzle, row, column);
        const bool piece = grid->piece_of[cell] != PDB_NO_PIECE, beside = piece && grid->graph;
        if (name == NULL)
            continue;
        const int x = svg_grid_x(grid, column) + (beside ? grid->size : grid->size / 2);
        const int y = svg_grid_y(grid, row) + (beside ? grid->size + font / 2 : grid->size / 2 + font * 36 / 100);
        const bool light = piece && !beside && palette_ink(grid->cell[cell].colour) != 0;
        svg_text(svg, x, y, SVG_START, light ? " fill=\"#fff\"" : piece && !beside ? " fill=\"#000\"" : "", name);
    }
    svg_group_end(svg);
}
