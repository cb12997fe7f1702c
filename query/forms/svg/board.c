/* board.c -- a board as a picture in an SVG document */
#include "board.h"

#include <string.h>

/* Half of what is between two pieces. */
static int gap(const struct svg_grid *grid)
{
    return grid->size >= 32 ? 2 : 1;
}

static int corner(const struct svg_grid *grid)
{
    return 1 + grid->size / 10;
}

/* A rectangle of cells, drawn in by `inset`. */
static void put_rectangle(const struct svg_grid *grid, struct svg *svg, const struct svg_piece *cells, int inset,
                          const char *attributes)
{
    const int x = svg_grid_x(grid, cells->left) + inset, y = svg_grid_y(grid, cells->top) + inset;
    svg_element(svg, "rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"%s", x, y,
                svg_grid_x(grid, cells->right) + grid->size - inset - x,
                svg_grid_y(grid, cells->bottom) + grid->size - inset - y, corner(grid), attributes);
}

/* The outline of the cells that are `id` in member[]. */
static void put_outline(const struct svg_grid *grid, struct svg *svg, const uint16_t *member, uint16_t id, int inset,
                        const char *attributes)
{
    const struct svg_region region = {.member = member,
                                      .id = id,
                                      .rows = (int)grid->rows,
                                      .columns = (int)grid->columns,
                                      .x = grid->margin,
                                      .y = grid->margin,
                                      .size = grid->size};
    svg_path_begin(svg);
    svg_outline(svg->out, &region, inset, corner(grid));
    svg_path_end(svg, attributes);
}

/* A cell's shape, or that of the piece on it whose first cell it is. */
static void put_shape(const struct svg_grid *grid, struct svg *svg, unsigned cell, int inset, const char *attributes)
{
    const unsigned row = cell / grid->columns, column = cell % grid->columns;
    const uint16_t id = grid->piece_of[cell];
    const struct svg_piece alone = {.top = row, .left = column, .bottom = row, .right = column, .cells = 1};
    if (grid->cell[cell].round)
        svg_element(svg, "circle cx=\"%d\" cy=\"%d\" r=\"%d\"%s", svg_grid_x(grid, column) + grid->size / 2,
                    svg_grid_y(grid, row) + grid->size / 2, grid->size * 2 / 5 + gap(grid) - inset, attributes);
    else if (id == PDB_NO_PIECE || grid->piece[id].rectangle)
        put_rectangle(grid, svg, id == PDB_NO_PIECE ? &alone : &grid->piece[id], inset, attributes);
    else
        put_outline(grid, svg, grid->piece_of, id, inset, attributes);
}

/* Is it the first cell of its piece, in reading order? */
static bool is_first(const struct svg_grid *grid, unsigned cell)
{
    const uint16_t id = grid->piece_of[cell];
    return id != PDB_NO_PIECE && grid->piece[id].first == cell;
}

/* -- the ground -- */

static void put_tray(const struct svg_grid *grid, struct svg *svg)
{
    char attributes[80];
    snprintf(attributes, sizeof attributes, " class=\"tray\" fill=\"#d5dae0\"");
    if (svg_has_exits(grid))
        snprintf(attributes, sizeof attributes,
                 " class=\"tray\" fill=\"#d5dae0\" stroke=\"#59636e\" stroke-width=\"%d\"", grid->rim);
    unsigned absent = 0;
    const struct svg_piece all = {.bottom = grid->rows - 1, .right = grid->columns - 1};
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++)
        absent += grid->absent[cell];
    if (absent == 0)
        put_rectangle(grid, svg, &all, -grid->rim, attributes);
    else
        put_outline(grid, svg, grid->absent, 0, -grid->rim, attributes);
}

/* Is there a cell so far on? */
static bool is_cell(const struct svg_grid *grid, int row, int column)
{
    return row >= 0 && column >= 0 && row < (int)grid->rows && column < (int)grid->columns &&
           !grid->absent[row * (int)grid->columns + column];
}

/* Under holes that stand staggered: broad lines from each to its neighbours, with round ends, which leave no gap. */
static void put_joined_tray(const struct svg_grid *grid, struct svg *svg)
{
    static const int on[][2] = {
        {0, 0}, {0, 2}, {1, -1}, {1, 1}, {2, 0}}; /* rows and columns; first a lone hole's dot */
    const unsigned ways = pdb_puzzle_triangular(grid->drawing->puzzle) ? 4 : 5;
    const int half = grid->size / 2;
    char attributes[128];
    svg_path_begin(svg);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const int row = (int)(cell / grid->columns), column = (int)(cell % grid->columns);
        for (unsigned way = 0; way < ways && !grid->absent[cell]; way++)
            if (is_cell(grid, row + on[way][0], column + on[way][1]))
                fprintf(svg->out, "M%d %dl%d %d", svg_grid_x(grid, (unsigned)column) + half,
                        svg_grid_y(grid, (unsigned)row) + half, on[way][1] * grid->across, on[way][0] * grid->down);
    }
    snprintf(attributes, sizeof attributes,
             " class=\"tray\" fill=\"none\" stroke=\"#d5dae0\" stroke-width=\"%d\" stroke-linecap=\"round\"",
             grid->size + 2 * grid->rim);
    svg_path_end(svg, attributes);
}

/* The squares of one colour of a chequered board, as one path. */
static void put_squares(const struct svg_grid *grid, struct svg *svg, unsigned parity, const char *attributes)
{
    svg_path_begin(svg);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const unsigned row = cell / grid->columns, column = cell % grid->columns;
        if (!grid->absent[cell] && (row + column) % 2 == parity)
            fprintf(svg->out, "M%d %dh%dv%dh-%dz", svg_grid_x(grid, column), svg_grid_y(grid, row), grid->size,
                    grid->size, grid->size);
    }
    svg_path_end(svg, attributes);
}

/* All cells of one sort, in a group, if there are any. */
static void put_cells(const struct svg_grid *grid, struct svg *svg, enum svg_sort sort, int inset, const char *name,
                      const char *attributes)
{
    unsigned put = 0;
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const enum svg_shape shape = grid->cell[cell].shape; /* a figure stands on an empty cell */
        if (shape == SVG_FIGURE ? sort != SVG_EMPTY : grid->cell[cell].sort != sort || shape != SVG_TILE)
            continue;
        if (put++ == 0)
            svg_group(svg, "class=\"%s\" %s", name, attributes);
        char colour[32] = ""; /* of a mark */
        if (sort == SVG_EMPTY && shape == SVG_TILE && grid->cell[cell].colour != PALETTE_NONE)
            snprintf(colour, sizeof colour, " fill=\"#%06x\"", (unsigned)grid->cell[cell].colour);
        put_shape(grid, svg, cell, inset, colour);
    }
    if (put > 0)
        svg_group_end(svg);
}

static void put_ground(const struct svg_grid *grid, struct svg *svg)
{
    if (grid->graph)
        svg_links(grid, svg);
    else if (grid->staggered)
        put_joined_tray(grid, svg);
    else if (!grid->glass)
        put_tray(grid, svg);
    if (grid->chess) {
        put_squares(grid, svg, 0, " fill=\"#f7f3ea\"");
        put_squares(grid, svg, 1, " fill=\"#d9cfb8\"");
    }
    put_cells(grid, svg, SVG_WALL, 0, "walls", "fill=\"#59636e\"");
    put_cells(grid, svg, SVG_OPEN, gap(grid), "open", "fill=\"none\" stroke=\"#8a929a\" stroke-dasharray=\"2 4\"");
    if (!grid->chess && !grid->glass)
        put_cells(grid, svg, SVG_EMPTY, gap(grid), "empty", "fill=\"#f4f6f8\" stroke=\"#b8c0c8\"");
}

/* -- pieces and their glyphs -- */

static void put_pieces(const struct svg_grid *grid, struct svg *svg)
{
    char attributes[32];
    if (grid->chess || grid->pieces == 0)
        return;
    const uint32_t common = grid->cell[grid->piece[0].first].colour;
    svg_group(svg, "class=\"pieces\" fill=\"#%06x\"", (unsigned)common);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const uint32_t colour = grid->cell[cell].colour;
        if (!is_first(grid, cell) || grid->cell[cell].shape != SVG_TILE)
            continue;
        snprintf(attributes, sizeof attributes, " fill=\"#%06x\"", (unsigned)colour);
        put_shape(grid, svg, cell, gap(grid), colour != common ? attributes : "");
    }
    svg_group_end(svg);
}

/* Is what stands on a piece light, because the piece is dark? */
static bool is_dark(const struct svg_grid *grid, const struct svg_cell *cell)
{
    return !grid->chess && !cell->mark && cell->shape == SVG_TILE && palette_ink(cell->colour) != 0;
}

/* How a piece's cell shows what it is. */
enum glyph { GLYPH_NONE, GLYPH_DARK_LINES, GLYPH_LIGHT_LINES, GLYPH_TEXT };

static enum glyph glyph_sort(const struct svg_grid *grid, unsigned cell)
{
    const uint16_t id = grid->piece_of[cell];
    const char *glyph = grid->cell[cell].glyph;
    if (grid->cell[cell].shape != SVG_TILE)
        return grid->cell[cell].shape == SVG_LABEL ? GLYPH_TEXT : GLYPH_NONE;
    if (grid->cell[cell].mark)
        return GLYPH_TEXT;
    if (id == PDB_NO_PIECE || (grid->cell[cell].round && !grid->graph) || glyph[strspn(glyph, " ")] == '\0')
        return GLYPH_NONE;
    if (svg_line_glyph(glyph) != NULL)
        return is_dark(grid, &grid->cell[cell]) ? GLYPH_LIGHT_LINES : GLYPH_DARK_LINES;
    return !grid->piece[id].labelled || is_first(grid, cell) ? GLYPH_TEXT : GLYPH_NONE;
}

/* All glyphs that are texts; a piece's is in its middle, where it has one for all of its cells. */
static void put_texts(const struct svg_grid *grid, struct svg *svg)
{
    unsigned put = 0;
    for (unsigned at = 0; at < grid->rows * grid->columns; at++) {
        const unsigned row = at / grid->columns, column = at % grid->columns;
        const struct svg_cell *cell = &grid->cell[at];
        if (glyph_sort(grid, at) != GLYPH_TEXT)
            continue;
        const struct svg_piece *piece = grid->piece_of[at] == PDB_NO_PIECE ? NULL : &grid->piece[grid->piece_of[at]];
        const bool whole = piece != NULL && piece->labelled;
        const unsigned right = whole ? piece->right : column, bottom = whole ? piece->bottom : row;
        const int x = svg_grid_x(grid, column) + svg_grid_x(grid, right) + grid->size;
        const int y = svg_grid_y(grid, row) + svg_grid_y(grid, bottom) + grid->size;
        if (put++ == 0)
            svg_group(svg, "class=\"glyphs\" font-size=\"%d\" text-anchor=\"middle\"", grid->font);
        svg_text(svg, x / 2, y / 2 + grid->font * 36 / 100, SVG_START, is_dark(grid, cell) ? " fill=\"#fff\"" : "",
                 cell->glyph);
    }
    if (put > 0)
        svg_group_end(svg);
}

/* All glyphs that are lines of one colour, as one path. */
static void put_strokes(const struct svg_grid *grid, struct svg *svg, enum glyph sort, const char *colour)
{
    char attributes[96];
    unsigned put = 0;
    snprintf(attributes, sizeof attributes, " class=\"lines\" fill=\"none\" stroke=\"%s\" stroke-width=\"%d\"", colour,
             1 + grid->size / 12);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        if (glyph_sort(grid, cell) != sort)
            continue;
        if (put++ == 0)
            svg_path_begin(svg);
        svg_lines(svg->out, svg_line_glyph(grid->cell[cell].glyph), svg_grid_x(grid, cell % grid->columns),
                  svg_grid_y(grid, cell / grid->columns), grid->size, gap(grid));
    }
    if (put > 0)
        svg_path_end(svg, attributes);
}

/* -- what a move has changed -- */

static void put_changes(const struct svg_grid *grid, struct svg *svg, const pdb_board *board, const pdb_board *before)
{
    const pdb_puzzle *puzzle = grid->drawing->puzzle;
    bool moved[PDB_MAX_PLACES];
    draw_moved(puzzle, before, board, moved);
    svg_group(svg, "class=\"moved\" fill=\"none\" stroke=\"#d32f00\" stroke-width=\"%d\"", grid->size >= 24 ? 3 : 2);
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const unsigned row = cell / grid->columns, column = cell % grid->columns;
        if (grid->glass && grid->cell[cell].shape != SVG_LABEL) /* how high water stands says enough */
            continue;
        if (moved[cell] && is_first(grid, cell))
            put_shape(grid, svg, cell, gap(grid), "");
        else if (grid->piece_of[cell] == PDB_NO_PIECE &&
                 pdb_board_at(puzzle, board, row, column) != pdb_board_at(puzzle, before, row, column))
            put_shape(grid, svg, cell, gap(grid) + 1, " stroke-width=\"1\" stroke-dasharray=\"2\"");
    }
    svg_group_end(svg);
}

/* -- the whole -- */

/* A sketch in lines: every word at its column, for spaces are not kept, in a font whose characters are alike wide. */
static void put_lines(const struct svg_grid *grid, struct svg *svg, const char *sketch)
{
    svg_group(svg, "font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"%d\"", grid->font);
    int column = 0, y = grid->font;
    while (*sketch != '\0') {
        char word[PDB_TEXT_MAX];
        const size_t length = strcspn(sketch, " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, sketch);
        if (length > 0)
            svg_text(svg, column * grid->font * 6 / 10, y, SVG_START, "", word);
        column += (int)length + 1;
        y += sketch[length] == '\n' ? grid->font * 5 / 4 : 0;
        column = sketch[length] == '\n' ? 0 : column;
        sketch += length + (sketch[length] != '\0');
    }
    svg_group_end(svg);
}

/* What has been read, cell by cell. */
static void put_read(const struct svg_grid *grid, struct svg *svg)
{
    put_ground(grid, svg);
    svg_exits_draw(grid, svg);
    put_pieces(grid, svg);
    svg_figures_draw(grid, svg);
    put_strokes(grid, svg, GLYPH_DARK_LINES, "#222");
    put_strokes(grid, svg, GLYPH_LIGHT_LINES, "#fff");
    put_texts(grid, svg);
    svg_names_draw(grid, svg);
    svg_frames_draw(grid, svg);
}

void svg_goal_draw(struct svg_grid *grid, struct svg *svg, int x, int y)
{
    svg_group(svg, "class=\"goal\" transform=\"translate(%d %d)\"", x, y);
    if (svg_grid_read_goal(grid))
        put_read(grid, svg);
    svg_group_end(svg);
}

void svg_board_draw(struct svg_grid *grid, struct svg *svg, const pdb_board *board, const pdb_board *before, int x,
                    int y)
{
    char text[PDB_TEXT_MAX];
    pdb_board_format(grid->drawing->puzzle, board, text);
    svg_group(svg, "class=\"board\" transform=\"translate(%d %d)\"", x, y);
    svg_title(svg, text);
    if (grid->rows == 0 && pdb_board_sketch(grid->drawing->puzzle, board, text)) {
        put_lines(grid, svg, text);
    } else if (grid->net != PDB_NO_NET) {
        svg_grid_read(grid, board);
        svg_net_draw(grid, svg);
    } else if (grid->bars) {
        svg_grid_read(grid, board);
        svg_bars_draw(grid, svg, board, before);
    } else {
        svg_grid_read(grid, board);
        put_read(grid, svg);
        if (before != NULL && !grid->sketched)
            put_changes(grid, svg, board, before);
    }
    svg_group_end(svg);
}
