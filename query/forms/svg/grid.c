/* grid.c -- what stands in the cells of a board that is drawn, and how large they are */
#include "board.h"
#include "lib/text.h"

#include <string.h>

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* -- what stands in the cells -- */

static struct svg_cell *cell_at(struct svg_grid *grid, unsigned row, unsigned column)
{
    return &grid->cell[row * grid->columns + column];
}

/* A sketch of single characters with spaces between them, all lines alike, is a grid: its rows and columns. */
static bool sketch_is_grid(const char *sketch, unsigned *rows, unsigned *columns)
{
    *rows = *columns = 0;
    for (size_t length; *sketch != '\0'; sketch += length + (sketch[length] == '\n')) {
        length = strcspn(sketch, "\n");
        for (size_t i = 0; i < length; i++)
            if ((sketch[i] == ' ') != (i % 2 == 1) || (unsigned char)sketch[i] >= 0x80)
                return false;
        if (length % 2 == 0 || (*rows > 0 && (length + 1) / 2 != *columns))
            return false;
        *columns = (unsigned)(length + 1) / 2;
        ++*rows;
    }
    return *rows > 0 && *rows * *columns <= SVG_MAX_CELLS;
}

/* The same character stands in all cells of a grid that are not empty: a queen as such, unless that is no letter. */
static void read_sketch(struct svg_grid *grid, const char *sketch)
{
    uint16_t pieces = 0;
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        const char mark = sketch[2 * cell];
        const bool empty = mark == '.', queen = mark == 'Q' && !grid->drawing->ascii;
        grid->cell[cell] = (struct svg_cell){.sort = empty ? SVG_EMPTY : SVG_PIECE, .glyph = grid->mark};
        grid->piece_of[cell] = empty ? PDB_NO_PIECE : pieces++;
        if (!empty)
            snprintf(grid->mark, sizeof grid->mark, "%.*s", queen ? 3 : 1, queen ? "♛" : &mark);
    }
}

static enum svg_sort sort_of(const struct svg_grid *grid, int symbol)
{
    const pdb_puzzle *puzzle = grid->drawing->puzzle;
    if (symbol == PDB_ANYTHING)
        return SVG_OPEN;
    if (symbol < 0) /* a wall that means nothing to a reader is a space */
        return grid->graph || *pdb_symbol_code(puzzle, symbol) == ' ' ? SVG_ABSENT : SVG_WALL;
    return pdb_symbol_kind(puzzle, symbol) < 0 ? SVG_EMPTY : SVG_PIECE;
}

/* What is on a cell; where that is anything, it has the shape of all symbols. */
static struct svg_cell read_cell(const struct svg_grid *grid, int symbol)
{
    const struct drawing *drawing = grid->drawing;
    const bool any = symbol == PDB_ANYTHING;
    const char *glyph = draw_symbol(drawing, any ? 0 : symbol);
    return (struct svg_cell){.sort = sort_of(grid, symbol),
                             .colour = palette_colour(&drawing->palette, symbol),
                             .glyph = any ? "" : glyph,
                             .mark = !any && draw_is_mark(drawing, symbol),
                             .shape = any ? SVG_TILE : svg_shape_of(drawing, symbol),
                             .figure = any ? NULL : svg_figure(pdb_symbol_shape(drawing->puzzle, symbol)),
                             .round = grid->graph || draw_is_round(glyph)};
}

/* Adds a cell to the piece that it belongs to. */
static void grow_piece(struct svg_grid *grid, unsigned row, unsigned column)
{
    const unsigned cell = row * grid->columns + column;
    struct svg_piece *piece = &grid->piece[grid->piece_of[cell]];
    if (grid->piece_of[cell] >= grid->pieces) {
        grid->pieces = grid->piece_of[cell] + 1u;
        *piece = (struct svg_piece){.top = row, .left = column, .right = column, .first = cell, .labelled = true};
    }
    piece->cells++;
    piece->bottom = row;
    piece->left = column < piece->left ? column : piece->left;
    piece->right = column > piece->right ? column : piece->right;
    piece->labelled &= strcmp(grid->cell[cell].glyph, grid->cell[piece->first].glyph) == 0;
}

/* The pieces, once every cell is read. */
static void read_pieces(struct svg_grid *grid)
{
    grid->pieces = 0;
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++) {
        grid->absent[cell] = grid->cell[cell].sort == SVG_ABSENT;
        if (grid->piece_of[cell] != PDB_NO_PIECE)
            grow_piece(grid, cell / grid->columns, cell % grid->columns);
    }
    for (unsigned p = 0; p < grid->pieces; p++) {
        struct svg_piece *piece = &grid->piece[p];
        piece->rectangle = piece->cells == (piece->bottom - piece->top + 1) * (piece->right - piece->left + 1);
        piece->labelled &= piece->rectangle;
        grid->cell[piece->first].round &= piece->cells == 1;
    }
}

void svg_grid_read(struct svg_grid *grid, const pdb_board *board)
{
    const pdb_puzzle *puzzle = grid->drawing->puzzle;
    char sketch[PDB_TEXT_MAX];
    if (grid->sketched && pdb_board_sketch(puzzle, board, sketch)) {
        read_sketch(grid, sketch);
    } else {
        pdb_board_pieces(puzzle, board, grid->piece_of);
        for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++)
            grid->cell[cell] = read_cell(grid, pdb_board_at(puzzle, board, cell / grid->columns, cell % grid->columns));
    }
    read_pieces(grid);
}

bool svg_grid_read_goal(struct svg_grid *grid)
{
    int symbol[PDB_MAX_PLACES];
    if (grid->sketched || grid->net != PDB_NO_NET || grid->bars ||
        !pdb_puzzle_goal_cells(grid->drawing->puzzle, symbol, grid->piece_of))
        return false;
    for (unsigned cell = 0; cell < grid->rows * grid->columns; cell++)
        grid->cell[cell] = read_cell(grid, symbol[cell]);
    read_pieces(grid);
    return true;
}

/* -- how they are drawn -- */

/* Do no two cells have a side in common? */
static bool is_staggered(struct svg_grid *grid)
{
    unsigned cells = 0;
    for (unsigned row = 0; row < grid->rows; row++)
        for (unsigned column = 0; column < grid->columns; column++) {
            if (cell_at(grid, row, column)->sort == SVG_ABSENT)
                continue;
            cells++;
            if ((column > 0 && cell_at(grid, row, column - 1)->sort != SVG_ABSENT) ||
                (row > 0 && cell_at(grid, row - 1, column)->sort != SVG_ABSENT))
                return false;
        }
    return cells > 1;
}

/* The columns of the widest glyph on a piece; *chess: all are chess pieces, on a cell each. */
static unsigned look_at_pieces(const struct svg_grid *grid, bool *chess)
{
    unsigned widest = 1;
    *chess = true;
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(grid->drawing->puzzle); symbol++) {
        const char *glyph = draw_symbol(grid->drawing, symbol); /* U+2654 to U+265F are */
        if (sort_of(grid, symbol) != SVG_PIECE)
            continue;
        widest = text_columns(glyph) > widest ? text_columns(glyph) : widest;
        *chess &= text_begins(glyph, "\xE2\x99") && (unsigned char)glyph[2] >= 0x94 && (unsigned char)glyph[2] <= 0x9F;
    }
    for (unsigned p = 0; p < grid->pieces; p++)
        *chess &= grid->piece[p].cells == 1;
    return widest;
}

/* Lines of text: the widest, and how many. */
static void measure_lines(struct svg_grid *grid, const char *sketch)
{
    unsigned lines = 0, widest = 1;
    for (size_t length; *sketch != '\0'; sketch += length + (sketch[length] == '\n'), lines++) {
        length = strcspn(sketch, "\n");
        widest = length > widest ? (unsigned)length : widest;
    }
    grid->rows = grid->columns = 0;
    grid->font = clamp(grid->size / 2, 10, 18);
    grid->width = ((int)widest * grid->font * 6 + 9) / 10;
    grid->height = (int)lines * grid->font * 5 / 4;
}

/* The sizes of a board of cells, and of its glyphs, `widest` columns wide. */
static void measure_cells(struct svg_grid *grid, int room, int most, unsigned widest)
{
    const bool halves = grid->staggered || grid->net == PDB_TRIANGLES; /* columns are half a cell wide */
    const unsigned columns = halves ? (grid->columns + 1) / 2 : grid->columns;
    const int longest = (int)(grid->rows > columns ? grid->rows : columns);
    const int size = grid->size = clamp(room / longest, 12, most) / 2 * 2;
    grid->across = grid->down = size;
    if (grid->staggered) { /* neighbours are one row and one column apart, or two columns */
        grid->across = size / 2;
        grid->down = pdb_puzzle_triangular(grid->drawing->puzzle) ? (size * 87 + 50) / 100 : size / 2;
        grid->size = grid->down > grid->across ? size : size * 7 / 20 * 2;
    }
    grid->rim = grid->margin = 2 + size / 16;
    if (grid->net == PDB_TRIANGLES) {
        grid->across = size / 2;
        grid->down = size * 87 / 100;
    }
    if (svg_has_exits(grid) && !grid->sketched)
        grid->margin = 2 * grid->rim + size / 2;
    if (grid->graph) { /* lines that pass by cells need room */
        grid->across = grid->down = size * 7 / 4;
        grid->margin = svg_links_room(grid);
    }
    grid->font = clamp(size * 6 / (5 * (int)widest), 1, grid->chess ? size * 3 / 4 : size * 58 / 100);
    grid->width = 2 * grid->margin + ((int)grid->columns - 1) * grid->across + grid->size;
    grid->height = 2 * grid->margin + ((int)grid->rows - 1) * grid->down + grid->size;
}

/* The sizes of a board of bars, which are flat and wide. */
static void measure_bars(struct svg_grid *grid, int room, int most)
{
    const int down = clamp(room / (int)grid->rows, 12, most / 2), across = room / (int)grid->columns;
    grid->size = grid->down = down;
    grid->across = clamp(across, 3 * down, 5 * most);
    grid->across = grid->across < 8 * down ? grid->across : 8 * down;
    grid->rim = 0;
    grid->margin = 8;
    grid->font = down * 6 / 10;
    grid->width = 2 * grid->margin + (int)grid->columns * grid->across;
    grid->height = 2 * grid->margin + (int)grid->rows * grid->down;
}

void svg_grid_begin(struct svg_grid *grid, const struct drawing *drawing, const pdb_board *board, int room, int most)
{
    char sketch[PDB_TEXT_MAX];
    grid->drawing = drawing;
    grid->rows = pdb_puzzle_rows(drawing->puzzle);
    grid->columns = pdb_puzzle_columns(drawing->puzzle);
    grid->size = most;
    grid->graph = false;
    grid->glass = svg_has_glass(drawing);
    grid->net = pdb_puzzle_net(drawing->puzzle);
    for (unsigned from = 0, cells = grid->rows * grid->columns; from < cells && !grid->graph; from++)
        for (unsigned to = 0; to < cells && !grid->graph; to++)
            grid->graph = pdb_puzzle_joined(drawing->puzzle, from, to);
    grid->sketched = pdb_board_sketch(drawing->puzzle, board, sketch);
    if (grid->sketched && !sketch_is_grid(sketch, &grid->rows, &grid->columns)) {
        measure_lines(grid, sketch);
        return;
    }
    svg_grid_read(grid, board);
    bool chess;
    const unsigned glyphs = look_at_pieces(grid, &chess), widest = grid->sketched ? 1 : glyphs;
    const bool words = widest > 3; /* they need larger cells to be read */
    grid->chess = grid->sketched || (!grid->graph && chess);
    grid->staggered = !grid->graph && grid->net == PDB_NO_NET && is_staggered(grid);
    grid->bars = grid->net == PDB_NO_NET && !grid->sketched && pdb_puzzle_bars(drawing->puzzle) > 0;
    if (grid->bars)
        measure_bars(grid, room, most);
    else
        measure_cells(grid, words ? room * 3 / 2 : room, words ? most * 3 / 2 : most, widest);
}
