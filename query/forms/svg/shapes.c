/* shapes.c -- shapes of boards: outlines of cells that belong together, glyphs that are lines, lines of graphs */
#include "board.h"

#include <stdlib.h>
#include <string.h>

/* -- outlines -- */

/* Right, down, left, up, as a clockwise outline goes. What lies to the right of a direction is the next one. */
static const int step_x[] = {1, 0, -1, 0}, step_y[] = {0, 1, 0, -1};

static bool inside(const struct svg_region *region, int row, int column)
{
    return row >= 0 && column >= 0 && row < region->rows && column < region->columns &&
           region->member[row * region->columns + column] == region->id;
}

/* Someone who follows an outline: a corner of the grid, and the direction in which the outline leaves it. */
struct follower {
    int row, column, direction;
};

/* Is the cell ahead, on the left or the right hand, inside? */
static bool ahead(const struct svg_region *region, const struct follower *at, bool right)
{
    static const int rows[][2] = {{-1, 0}, {0, 0}, {0, -1}, {-1, -1}};
    static const int columns[][2] = {{0, 0}, {0, -1}, {-1, -1}, {-1, 0}};
    return inside(region, at->row + rows[at->direction][right], at->column + columns[at->direction][right]);
}

/* Goes to the next corner of the grid and turns as the outline does. Where two cells touch in a corner it stays with
 * its own. */
static void follow(const struct svg_region *region, struct follower *at)
{
    at->row += step_y[at->direction];
    at->column += step_x[at->direction];
    if (!ahead(region, at, true))
        at->direction = (at->direction + 1) % 4;
    else if (ahead(region, at, false))
        at->direction = (at->direction + 3) % 4;
}

/* Is it back where the upper edge of a cell begins? */
static bool is_back(const struct follower *at, int row, int column)
{
    return at->row == row && at->column == column && at->direction == 0;
}

/* Does the loop that has the upper edge of this cell begin here: is it the first of its upper edges, row by row? */
static bool loop_begins(const struct svg_region *region, int row, int column)
{
    struct follower at = {row, column, 0};
    do {
        follow(region, &at);
        if (at.direction == 0 && (at.row < row || (at.row == row && at.column < column)))
            return false;
    } while (!is_back(&at, row, column));
    return true;
}

static void put_loop(FILE *out, const struct svg_region *region, int row, int column, int inset, int radius)
{
    struct follower at = {row, column, 0};
    char command = 'M';
    do {
        const int from = at.direction;
        follow(region, &at);
        if (at.direction == from)
            continue;
        /* A rounded corner, where the outline came in direction `from` and turned. */
        const int to = at.direction, in_from = (from + 1) % 4, in_to = (to + 1) % 4; /* where the inside is */
        const int x = region->x + at.column * region->size + inset * (step_x[in_from] + step_x[in_to]);
        const int y = region->y + at.row * region->size + inset * (step_y[in_from] + step_y[in_to]);
        fprintf(out, "%c%d %dQ%d %d %d %d", command, x - radius * step_x[from], y - radius * step_y[from], x, y,
                x + radius * step_x[to], y + radius * step_y[to]);
        command = 'L';
    } while (!is_back(&at, row, column));
    putc('Z', out);
}

void svg_outline(FILE *out, const struct svg_region *region, int inset, int radius)
{
    for (int row = 0; row < region->rows; row++)
        for (int column = 0; column < region->columns; column++)
            if (inside(region, row, column) && !inside(region, row - 1, column) && loop_begins(region, row, column))
                put_loop(out, region, row, column, inset, radius);
}

/* -- lines -- */

const char *svg_line_glyph(const char *glyph)
{
    static const struct {
        char glyph[4], directions[5];
    } lines[] = {{"─", "lr"},   {"━", "lr"},   {"│", "ud"},  {"┃", "ud"},  {"┌", "dr"},  {"┏", "dr"},
                 {"╭", "dr"},   {"┐", "ld"},   {"┓", "ld"},  {"╮", "ld"},  {"└", "ur"},  {"┗", "ur"},
                 {"╰", "ur"},   {"┘", "ul"},   {"┛", "ul"},  {"╯", "ul"},  {"├", "udr"}, {"┣", "udr"},
                 {"┤", "udl"},  {"┫", "udl"},  {"┬", "lrd"}, {"┳", "lrd"}, {"┴", "lru"}, {"┻", "lru"},
                 {"┼", "lrud"}, {"╋", "lrud"}, {"║", "|"},   {"∥", "|"},   {"═", "="}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (strcmp(glyph, lines[i].glyph) == 0)
            return lines[i].directions;
    return NULL;
}

/* From the edge towards which a line leads to the middle of a cell, or with `outward` the other way. */
static void put_line(FILE *out, char direction, bool outward, int x, int y, int size, int inset)
{
    const bool upright = direction == 'u' || direction == 'd';
    const int middle_x = x + size / 2, middle_y = y + size / 2;
    const int edge_x = upright ? middle_x : direction == 'l' ? x + inset : x + size - inset;
    const int edge_y = !upright ? middle_y : direction == 'u' ? y + inset : y + size - inset;
    if (!outward)
        fprintf(out, "M%d %d", edge_x, edge_y);
    fprintf(out, "%c%d", upright ? 'V' : 'H', outward ? (upright ? edge_y : edge_x) : upright ? middle_y : middle_x);
}

/* The first two lines are one stroke through the middle, so that they join; others end there. */
void svg_lines(FILE *out, const char *directions, int x, int y, int size, int inset)
{
    const int apart = size / 12 + 1;
    if (*directions == '|')
        fprintf(out, "M%d %dv%dM%d %dv%d", x + size / 2 - apart, y + inset, size - 2 * inset, x + size / 2 + apart,
                y + inset, size - 2 * inset);
    else if (*directions == '=')
        fprintf(out, "M%d %dh%dM%d %dh%d", x + inset, y + size / 2 - apart, size - 2 * inset, x + inset,
                y + size / 2 + apart, size - 2 * inset);
    else
        for (unsigned i = 0; directions[i] != '\0'; i++)
            put_line(out, directions[i], i == 1, x, y, size, inset);
}

/* -- the lines of a graph -- */

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
