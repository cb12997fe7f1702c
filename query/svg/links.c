/* links.c -- the lines of a graph, between the cells of a board that is drawn */
#include "board.h"

#include <stdlib.h>

/* A line from the middle of one cell to that of another, bent by `bend` units to its left hand in the middle. */
struct link {
    int x, y, to_x, to_y;
    int bend;
};

static int distance_of(int x, int y)
{
    const int large = abs(x) > abs(y) ? abs(x) : abs(y), small = abs(x) + abs(y) - large;
    return large + small * 3 / 8; /* within a fifteenth of the length, without a root */
}

/* Is any cell in the way of a straight line? */
static bool is_blocked(const struct svg_grid *grid, unsigned from, unsigned to)
{
    const int columns = (int)grid->columns, row = (int)from / columns, column = (int)from % columns;
    const int rows_on = (int)to / columns - row, columns_on = (int)to % columns - column;
    const int steps = abs(rows_on) > abs(columns_on) ? abs(rows_on) : abs(columns_on);
    for (int i = 1; i < steps; i++)
        if (rows_on * i % steps == 0 && columns_on * i % steps == 0 &&
            !grid->absent[(row + rows_on * i / steps) * columns + column + columns_on * i / steps])
            return true;
    return false;
}

static struct link link_of(const struct svg_grid *grid, unsigned from, unsigned to)
{
    const int half = grid->size / 2;
    struct link link = {.x = svg_grid_x(grid, from % grid->columns) + half,
                        .y = svg_grid_y(grid, from / grid->columns) + half,
                        .to_x = svg_grid_x(grid, to % grid->columns) + half,
                        .to_y = svg_grid_y(grid, to / grid->columns) + half};
    if (is_blocked(grid, from, to))
        link.bend = half + distance_of(link.to_x - link.x, link.to_y - link.y) / 8;
    return link;
}

/* Does a line from the one to the other have to be drawn? One that leads both ways is drawn once. */
static bool is_drawn(const struct svg_grid *grid, unsigned from, unsigned to)
{
    const pdb_puzzle *puzzle = grid->drawing->puzzle;
    return pdb_puzzle_joined(puzzle, from, to) && (from < to || !pdb_puzzle_joined(puzzle, to, from));
}

/* An arrow in the middle of a line. */
static void put_arrow(const struct link *link, struct svg *svg, int size)
{
    const int x = link->to_x - link->x, y = link->to_y - link->y, length = distance_of(x, y);
    const int middle_x = (link->x + link->to_x) / 2 + y * link->bend / length;
    const int middle_y = (link->y + link->to_y) / 2 - x * link->bend / length;
    const int along_x = x * size / length, along_y = y * size / length;
    fprintf(svg->out, "M%d %dL%d %dL%d %dZ", middle_x + along_x, middle_y + along_y,
            middle_x - along_x - along_y * 3 / 4, middle_y - along_y + along_x * 3 / 4,
            middle_x - along_x + along_y * 3 / 4, middle_y - along_y - along_x * 3 / 4);
}

/* A line as far as a path goes: the control point of a curve lies twice as far out as the curve itself. */
static void put_link(const struct link *link, struct svg *svg)
{
    const int x = link->to_x - link->x, y = link->to_y - link->y, length = distance_of(x, y);
    fprintf(svg->out, "M%d %d", link->x, link->y);
    if (link->bend == 0)
        fprintf(svg->out, "L%d %d", link->to_x, link->to_y);
    else
        fprintf(svg->out, "Q%d %d %d %d", (link->x + link->to_x) / 2 + 2 * y * link->bend / length,
                (link->y + link->to_y) / 2 - 2 * x * link->bend / length, link->to_x, link->to_y);
}

void svg_links(const struct svg_grid *grid, struct svg *svg)
{
    const unsigned cells = grid->rows * grid->columns;
    unsigned arrows = 0;
    svg_path_begin(svg);
    for (unsigned from = 0; from < cells; from++)
        for (unsigned to = 0; to < cells; to++)
            if (is_drawn(grid, from, to)) {
                const struct link link = link_of(grid, from, to);
                put_link(&link, svg);
                arrows += !pdb_puzzle_joined(grid->drawing->puzzle, to, from);
            }
    svg_path_end(svg, " class=\"links\" fill=\"none\" stroke=\"#8a949e\" stroke-width=\"2\"");
    if (arrows == 0)
        return;
    svg_path_begin(svg);
    for (unsigned from = 0; from < cells; from++)
        for (unsigned to = 0; to < cells; to++)
            if (is_drawn(grid, from, to) && !pdb_puzzle_joined(grid->drawing->puzzle, to, from)) {
                const struct link link = link_of(grid, from, to);
                put_arrow(&link, svg, 3 + grid->size / 12);
            }
    svg_path_end(svg, " class=\"arrows\" fill=\"#59636e\"");
}

int svg_links_room(const struct svg_grid *grid)
{
    const unsigned cells = grid->rows * grid->columns;
    int room = 2;
    for (unsigned from = 0; from < cells; from++)
        for (unsigned to = 0; to < cells; to++)
            if (is_drawn(grid, from, to)) {
                const int bend = link_of(grid, from, to).bend - grid->size / 2 + 4;
                room = bend > room ? bend : room;
            }
    return room;
}
