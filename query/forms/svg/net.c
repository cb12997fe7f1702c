/* net.c -- a net of stickers in an SVG document: squares, triangles or diamonds, on black plastic
 *
 * Diamonds stand on their corners and reach as far as the middles of the cells beside theirs; where their face ends, at
 * the middles of its outermost cells, they are cut off: the corners of a Skewb's face are triangles that way, and its
 * middle a square. Then the face is stretched to cover all of its cells. A face is what hangs together by corners.
 */
#include "board.h"

enum { CORNERS_MAX = 4 };

struct corners {
    int count;
    int x[CORNERS_MAX], y[CORNERS_MAX];
};

static void add_corner(struct corners *corners, int x, int y)
{
    corners->x[corners->count] = x;
    corners->y[corners->count++] = y;
}

/* -- faces of diamonds -- */

/* The rows and columns that a face lies between. */
struct face {
    unsigned top, left, bottom, right;
};

static bool is_sticker(const struct svg_grid *grid, unsigned row, unsigned column)
{
    return row < grid->rows && column < grid->columns && !grid->absent[row * grid->columns + column];
}

/* The face that a sticker is on: all stickers that can be got to from corner to corner. */
static struct face find_face(const struct svg_grid *grid, unsigned cell)
{
    struct face face = {cell / grid->columns, cell % grid->columns, cell / grid->columns, cell % grid->columns};
    bool seen[SVG_MAX_CELLS] = {false};
    uint16_t queue[SVG_MAX_CELLS];
    unsigned count = 0;
    seen[cell] = true;
    queue[count++] = (uint16_t)cell;
    for (unsigned next = 0; next < count; next++) {
        const unsigned row = queue[next] / grid->columns, column = queue[next] % grid->columns;
        face.top = row < face.top ? row : face.top;
        face.bottom = row > face.bottom ? row : face.bottom;
        face.left = column < face.left ? column : face.left;
        face.right = column > face.right ? column : face.right;
        for (unsigned way = 0; way < 4; way++) { /* below 0 is above all rows and columns */
            const unsigned to_row = way < 2 ? row - 1 : row + 1, to_column = way % 2 == 0 ? column - 1 : column + 1;
            if (!is_sticker(grid, to_row, to_column) || seen[to_row * grid->columns + to_column])
                continue;
            seen[to_row * grid->columns + to_column] = true;
            queue[count++] = (uint16_t)(to_row * grid->columns + to_column);
        }
    }
    return face;
}

static int between(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* Where a coordinate between the middles of a face's outermost cells comes to lie when the face is stretched. */
static int stretch(int value, int least, int most, int half)
{
    return most == least ? value : least - half + (value - least) * (most - least + 2 * half) / (most - least);
}

static struct corners diamond(const struct svg_grid *grid, unsigned cell)
{
    static const int right[] = {0, 1, 0, -1}, down[] = {-1, 0, 1, 0};
    const struct face face = find_face(grid, cell);
    const int half = grid->size / 2;
    const int top = svg_grid_y(grid, face.top), left = svg_grid_x(grid, face.left),
              bottom = svg_grid_y(grid, face.bottom), end = svg_grid_x(grid, face.right);
    struct corners corners = {0};
    for (unsigned way = 0; way < 4; way++) {
        const int x = svg_grid_x(grid, cell % grid->columns) + right[way] * grid->across;
        const int y = svg_grid_y(grid, cell / grid->columns) + down[way] * grid->down;
        add_corner(&corners, stretch(between(x, left, end), left, end, half) + half,
                   stretch(between(y, top, bottom), top, bottom, half) + half);
    }
    return corners;
}

/* -- all shapes -- */

static struct corners shape_of(const struct svg_grid *grid, unsigned cell)
{
    const unsigned row = cell / grid->columns, column = cell % grid->columns;
    const int x = svg_grid_x(grid, column), y = svg_grid_y(grid, row), size = grid->size;
    const bool upward = (row + column) % 2 == 0;
    struct corners corners = {0};
    if (grid->net == PDB_DIAMONDS)
        return diamond(grid, cell);
    if (grid->net == PDB_TRIANGLES) {
        add_corner(&corners, x, upward ? y + grid->down : y);
        add_corner(&corners, x + size, upward ? y + grid->down : y);
        add_corner(&corners, x + size / 2, upward ? y : y + grid->down);
        return corners;
    }
    add_corner(&corners, x, y);
    add_corner(&corners, x + size, y);
    add_corner(&corners, x + size, y + size);
    add_corner(&corners, x, y + size);
    return corners;
}

void svg_net_draw(const struct svg_grid *grid, struct svg *svg)
{
    svg_group(svg, "class=\"stickers\" stroke=\"#1b1b1b\" stroke-width=\"%d\" stroke-linejoin=\"round\"",
              1 + grid->size / 12);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        if (grid->absent[cell])
            continue;
        const struct corners corners = shape_of(grid, cell);
        svg_path_begin(svg);
        for (int i = 0; i < corners.count; i++)
            fprintf(svg->out, "%c%d %d", i == 0 ? 'M' : 'L', corners.x[i], corners.y[i]);
        putc('Z', svg->out);
        char fill[32];
        snprintf(fill, sizeof fill, " fill=\"#%06x\"", (unsigned)grid->cell[cell].colour);
        svg_path_end(svg, fill);
    }
    svg_group_end(svg);
}
