/* shapes.c -- shapes of boards: outlines of cells that belong together, and glyphs that are lines */
#include "board.h"

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

/* A rounded corner, where the outline came in direction `from` and turned. */
static void put_corner(FILE *out, const struct svg_region *region, const struct follower *at, int from, int inset,
                       int radius)
{
    const int to = at->direction, in_from = (from + 1) % 4, in_to = (to + 1) % 4; /* where the inside is */
    const int x = region->x + at->column * region->size + inset * (step_x[in_from] + step_x[in_to]);
    const int y = region->y + at->row * region->size + inset * (step_y[in_from] + step_y[in_to]);
    fprintf(out, "%d %dQ%d %d %d %d", x - radius * step_x[from], y - radius * step_y[from], x, y,
            x + radius * step_x[to], y + radius * step_y[to]);
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
        putc(command, out);
        put_corner(out, region, &at, from, inset, radius);
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
