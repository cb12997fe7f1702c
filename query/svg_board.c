/* svg_board.c -- a board as a picture in an SVG document */
#include "svg_board.h"
#include "svg_shapes.h"
#include "../lib/text.h"

#include <stdlib.h>
#include <string.h>

static const char tray_colour[] = "#d5dae0";

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

/* -- what stands in the cells -- */

static struct svg_cell *cell_at(struct svg_board *look, unsigned row, unsigned column)
{
    return &look->cell[row * look->columns + column];
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
static void read_sketch(struct svg_board *look, const char *sketch)
{
    uint16_t pieces = 0;
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++) {
        const char mark = sketch[2 * cell];
        const bool empty = mark == '.', queen = mark == 'Q' && !look->drawing->ascii;
        look->cell[cell] = (struct svg_cell){empty ? SVG_EMPTY : SVG_PIECE, 0, look->mark};
        look->piece_of[cell] = empty ? PDB_NO_PIECE : pieces++;
        if (!empty)
            snprintf(look->mark, sizeof look->mark, "%.*s", queen ? 3 : 1, queen ? "♛" : &mark);
    }
}

static const char *glyph_of(const struct svg_board *look, int symbol)
{
    const pdb_puzzle *puzzle = look->drawing->puzzle;
    return look->drawing->ascii ? pdb_symbol_code(puzzle, symbol) : pdb_symbol_glyph(puzzle, symbol);
}

static enum svg_sort sort_of(const struct svg_board *look, int symbol)
{
    const pdb_puzzle *puzzle = look->drawing->puzzle;
    if (symbol < 0) /* a wall that means nothing to a reader is a space */
        return *pdb_symbol_code(puzzle, symbol) == ' ' ? SVG_ABSENT : SVG_WALL;
    return pdb_symbol_kind(puzzle, symbol) < 0 ? SVG_EMPTY : SVG_PIECE;
}

static void read_cells(struct svg_board *look, const pdb_board *board)
{
    const pdb_puzzle *puzzle = look->drawing->puzzle;
    pdb_board_pieces(puzzle, board, look->piece_of);
    for (unsigned row = 0; row < look->rows; row++)
        for (unsigned column = 0; column < look->columns; column++) {
            const int symbol = pdb_board_at(puzzle, board, row, column);
            *cell_at(look, row, column) = (struct svg_cell){
                sort_of(look, symbol), palette_colour(&look->palette, symbol), glyph_of(look, symbol)};
        }
}

/* Adds a cell to the piece that it belongs to. */
static void grow_piece(struct svg_board *look, unsigned row, unsigned column)
{
    const unsigned cell = row * look->columns + column;
    struct svg_piece *piece = &look->piece[look->piece_of[cell]];
    if (look->piece_of[cell] >= look->pieces) {
        look->pieces = look->piece_of[cell] + 1u;
        *piece = (struct svg_piece){row, column, row, column, column, 0, true};
    }
    piece->cells++;
    piece->bottom = row;
    piece->left = column < piece->left ? column : piece->left;
    piece->right = column > piece->right ? column : piece->right;
    piece->labelled &= strcmp(look->cell[cell].glyph, cell_at(look, piece->top, piece->first)->glyph) == 0;
}

static bool is_rectangle(const struct svg_piece *piece)
{
    return piece->cells == (piece->bottom - piece->top + 1) * (piece->right - piece->left + 1);
}

static void read_board(struct svg_board *look, const pdb_board *board)
{
    char sketch[PDB_TEXT_MAX];
    if (look->sketched && pdb_board_sketch(look->drawing->puzzle, board, sketch))
        read_sketch(look, sketch);
    else
        read_cells(look, board);
    look->pieces = 0;
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++) {
        look->absent[cell] = look->cell[cell].sort == SVG_ABSENT;
        if (look->piece_of[cell] != PDB_NO_PIECE)
            grow_piece(look, cell / look->columns, cell % look->columns);
    }
    for (unsigned p = 0; p < look->pieces; p++)
        look->piece[p].labelled &= is_rectangle(&look->piece[p]);
}

/* -- how they are drawn -- */

static bool is_chess_piece(const char *glyph)
{
    return text_begins(glyph, "\xE2\x99") && (unsigned char)glyph[2] >= 0x94 && (unsigned char)glyph[2] <= 0x9F;
}

static bool is_round(const char *glyph)
{
    return strcmp(glyph, "●") == 0 || strcmp(glyph, "○") == 0;
}

/* Do no two cells have a side in common? */
static bool is_staggered(struct svg_board *look)
{
    unsigned cells = 0;
    for (unsigned row = 0; row < look->rows; row++)
        for (unsigned column = 0; column < look->columns; column++) {
            if (cell_at(look, row, column)->sort == SVG_ABSENT)
                continue;
            cells++;
            if ((column > 0 && cell_at(look, row, column - 1)->sort != SVG_ABSENT) ||
                (row > 0 && cell_at(look, row - 1, column)->sort != SVG_ABSENT))
                return false;
        }
    return cells > 1;
}

/* The columns of the widest glyph that is drawn as text, and whether any is a chess piece. */
static unsigned widest_glyph(struct svg_board *look)
{
    const int symbols = (int)pdb_puzzle_symbols(look->drawing->puzzle);
    unsigned widest = 1;
    for (int symbol = 0; symbol < symbols; symbol++) {
        const char *glyph = glyph_of(look, symbol);
        if (sort_of(look, symbol) == SVG_PIECE && text_columns(glyph) > widest)
            widest = text_columns(glyph);
        look->chess |= is_chess_piece(glyph);
    }
    return widest;
}

/* Lines of text: the widest, and how many. */
static void measure_lines(struct svg_board *look, const char *sketch)
{
    unsigned lines = 0, widest = 1;
    for (size_t length; *sketch != '\0'; sketch += length + (sketch[length] == '\n'), lines++) {
        length = strcspn(sketch, "\n");
        widest = length > widest ? (unsigned)length : widest;
    }
    look->rows = look->columns = 0;
    look->font = clamp(look->size / 2, 10, 18);
    look->width = ((int)widest * look->font * 6 + 9) / 10;
    look->height = (int)lines * look->font * 5 / 4;
}

/* The sizes of a board of cells, and of its glyphs, `widest` columns wide. */
static void measure_cells(struct svg_board *look, int room, int most, unsigned widest)
{
    const unsigned columns = look->staggered ? (look->columns + 1) / 2 : look->columns;
    const int longest = (int)(look->rows > columns ? look->rows : columns);
    const int size = look->size = clamp(room / longest, 12, most) / 2 * 2;
    look->across = look->down = size;
    if (look->staggered) { /* neighbours are one row and one column apart, or two columns */
        look->across = size / 2;
        look->down = pdb_puzzle_triangular(look->drawing->puzzle) ? (size * 87 + 50) / 100 : size / 2;
        look->size = look->down > look->across ? size : size * 7 / 20 * 2;
    }
    look->margin = look->staggered ? 0 : 2 + size / 16;
    look->font = clamp(size * 4 / (3 * (int)widest), 1, look->chess ? size * 3 / 4 : size * 58 / 100);
    look->width = 2 * look->margin + ((int)look->columns - 1) * look->across + look->size;
    look->height = 2 * look->margin + ((int)look->rows - 1) * look->down + look->size;
}

void svg_board_begin(struct svg_board *look, const struct drawing *drawing, const pdb_board *board, int room, int most)
{
    char sketch[PDB_TEXT_MAX];
    look->drawing = drawing;
    look->rows = pdb_puzzle_rows(drawing->puzzle);
    look->columns = pdb_puzzle_columns(drawing->puzzle);
    look->size = most;
    look->chess = look->staggered = false;
    palette_begin(&look->palette, drawing->puzzle);
    look->sketched = pdb_board_sketch(drawing->puzzle, board, sketch);
    if (look->sketched && !sketch_is_grid(sketch, &look->rows, &look->columns)) {
        measure_lines(look, sketch);
        return;
    }
    read_board(look, board);
    const unsigned widest = look->sketched ? 1 : widest_glyph(look);
    look->chess |= look->sketched;
    look->staggered = is_staggered(look);
    measure_cells(look, room, most, widest);
}

/* -- drawing -- */

/* Where a cell has its left upper corner. */
static int cell_x(const struct svg_board *look, unsigned column)
{
    return look->margin + (int)column * look->across;
}

static int cell_y(const struct svg_board *look, unsigned row)
{
    return look->margin + (int)row * look->down;
}

/* Half of what is between two pieces. */
static int gap(const struct svg_board *look)
{
    return look->size >= 32 ? 2 : 1;
}

static int corner(const struct svg_board *look)
{
    return 1 + look->size / 10;
}

/* A rectangle of cells, drawn in by `inset`. */
static void put_rectangle(const struct svg_board *look, struct svg *svg, const struct svg_piece *cells, int inset,
                          const char *attributes)
{
    const int x = cell_x(look, cells->left) + inset, y = cell_y(look, cells->top) + inset;
    svg_element(svg, "rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"%s", x, y,
                cell_x(look, cells->right) + look->size - inset - x,
                cell_y(look, cells->bottom) + look->size - inset - y, corner(look), attributes);
}

/* The outline of the cells that are `id` in member[]. */
static void put_outline(const struct svg_board *look, struct svg *svg, const uint16_t *member, uint16_t id, int inset,
                        const char *attributes)
{
    const struct svg_region region = {.member = member,
                                      .id = id,
                                      .rows = (int)look->rows,
                                      .columns = (int)look->columns,
                                      .x = look->margin,
                                      .y = look->margin,
                                      .size = look->size};
    svg_path_begin(svg);
    svg_outline(svg->out, &region, inset, corner(look));
    svg_path_end(svg, attributes);
}

static void put_circle(const struct svg_board *look, struct svg *svg, unsigned row, unsigned column, int radius,
                       const char *attributes)
{
    svg_element(svg, "circle cx=\"%d\" cy=\"%d\" r=\"%d\"%s", cell_x(look, column) + look->size / 2,
                cell_y(look, row) + look->size / 2, radius, attributes);
}

/* A cell's shape, or that of the piece on it whose first cell it is. */
static void put_shape(const struct svg_board *look, struct svg *svg, unsigned row, unsigned column, int inset,
                      const char *attributes)
{
    const unsigned cell = row * look->columns + column;
    const uint16_t id = look->piece_of[cell];
    const struct svg_piece alone = {.top = row, .left = column, .bottom = row, .right = column, .cells = 1};
    if (is_round(look->cell[cell].glyph))
        put_circle(look, svg, row, column, look->size * 2 / 5 + gap(look) - inset, attributes);
    else if (id == PDB_NO_PIECE || is_rectangle(&look->piece[id]))
        put_rectangle(look, svg, id == PDB_NO_PIECE ? &alone : &look->piece[id], inset, attributes);
    else
        put_outline(look, svg, look->piece_of, id, inset, attributes);
}

/* Is it the first cell of its piece, in reading order? */
static bool is_first(const struct svg_board *look, unsigned row, unsigned column)
{
    const uint16_t id = look->piece_of[row * look->columns + column];
    return id != PDB_NO_PIECE && look->piece[id].top == row && look->piece[id].first == column;
}

/* -- the ground -- */

static void put_tray(const struct svg_board *look, struct svg *svg)
{
    char attributes[64];
    unsigned absent = 0;
    const struct svg_piece all = {.bottom = look->rows - 1, .right = look->columns - 1};
    snprintf(attributes, sizeof attributes, " class=\"tray\" fill=\"%s\"", tray_colour);
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++)
        absent += look->absent[cell];
    if (absent == 0)
        put_rectangle(look, svg, &all, -look->margin, attributes);
    else
        put_outline(look, svg, look->absent, 0, -look->margin, attributes);
}

/* The squares of one colour of a chequered board, as one path. */
static void put_squares(const struct svg_board *look, struct svg *svg, unsigned parity, const char *attributes)
{
    svg_path_begin(svg);
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++) {
        const unsigned row = cell / look->columns, column = cell % look->columns;
        if (!look->absent[cell] && (row + column) % 2 == parity)
            fprintf(svg->out, "M%d %dh%dv%dh-%dz", cell_x(look, column), cell_y(look, row), look->size, look->size,
                    look->size);
    }
    svg_path_end(svg, attributes);
}

static bool has(const struct svg_board *look, enum svg_sort sort)
{
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++)
        if (look->cell[cell].sort == sort)
            return true;
    return false;
}

/* All cells of one sort, in a group. */
static void put_cells(const struct svg_board *look, struct svg *svg, enum svg_sort sort, int inset, const char *name,
                      const char *attributes)
{
    if (!has(look, sort))
        return;
    svg_group(svg, "class=\"%s\" %s", name, attributes);
    for (unsigned row = 0; row < look->rows; row++)
        for (unsigned column = 0; column < look->columns; column++)
            if (look->cell[row * look->columns + column].sort == sort)
                put_shape(look, svg, row, column, inset, "");
    svg_group_end(svg);
}

static void put_ground(const struct svg_board *look, struct svg *svg)
{
    if (!look->staggered)
        put_tray(look, svg);
    if (look->chess) {
        put_squares(look, svg, 0, " fill=\"#f7f3ea\"");
        put_squares(look, svg, 1, " fill=\"#d9cfb8\"");
    }
    put_cells(look, svg, SVG_WALL, 0, "walls", "fill=\"#59636e\"");
    if (!look->chess)
        put_cells(look, svg, SVG_EMPTY, gap(look), "empty", "fill=\"#f4f6f8\" stroke=\"#b8c0c8\"");
}

/* -- pieces and their glyphs -- */

static void put_pieces(const struct svg_board *look, struct svg *svg)
{
    char attributes[32] = "";
    uint32_t common = 0;
    if (look->chess || look->pieces == 0)
        return;
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++)
        if (look->piece_of[cell] == 0)
            common = look->cell[cell].colour;
    svg_group(svg, "class=\"pieces\" fill=\"#%06x\"", (unsigned)common);
    for (unsigned row = 0; row < look->rows; row++)
        for (unsigned column = 0; column < look->columns; column++)
            if (is_first(look, row, column)) {
                const uint32_t colour = look->cell[row * look->columns + column].colour;
                snprintf(attributes, sizeof attributes, " fill=\"#%06x\"", (unsigned)colour);
                put_shape(look, svg, row, column, gap(look), colour != common ? attributes : "");
            }
    svg_group_end(svg);
}

/* One cell's glyph; a piece's, in its middle, where it has one for all of its cells. */
static void put_glyph(const struct svg_board *look, struct svg *svg, unsigned row, unsigned column)
{
    const struct svg_cell *cell = &look->cell[row * look->columns + column];
    const struct svg_piece *piece = &look->piece[look->piece_of[row * look->columns + column]];
    const bool dark = !look->chess && palette_ink(cell->colour) != 0;
    const unsigned right = piece->labelled ? piece->right : column, bottom = piece->labelled ? piece->bottom : row;
    const int x = cell_x(look, column) + cell_x(look, right) + look->size;
    const int y = cell_y(look, row) + cell_y(look, bottom) + look->size;
    svg_text(svg, x / 2, y / 2 + look->font * 36 / 100, SVG_START, dark ? " fill=\"#fff\"" : "", cell->glyph);
}

/* How a piece's cell shows what it is. */
enum glyph { GLYPH_NONE, GLYPH_LINES, GLYPH_TEXT };

static enum glyph glyph_sort(const struct svg_board *look, unsigned cell)
{
    const uint16_t id = look->piece_of[cell];
    const char *glyph = look->cell[cell].glyph;
    if (id == PDB_NO_PIECE || is_round(glyph) || glyph[strspn(glyph, " ")] == '\0')
        return GLYPH_NONE;
    if (svg_line_glyph(glyph) != NULL)
        return GLYPH_LINES;
    return !look->piece[id].labelled || is_first(look, cell / look->columns, cell % look->columns) ? GLYPH_TEXT
                                                                                                   : GLYPH_NONE;
}

static unsigned count_glyphs(const struct svg_board *look, enum glyph sort)
{
    unsigned count = 0;
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++)
        count += glyph_sort(look, cell) == sort;
    return count;
}

static void put_texts(const struct svg_board *look, struct svg *svg)
{
    if (count_glyphs(look, GLYPH_TEXT) == 0)
        return;
    svg_group(svg, "class=\"glyphs\" font-size=\"%d\" text-anchor=\"middle\"", look->font);
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++)
        if (glyph_sort(look, cell) == GLYPH_TEXT)
            put_glyph(look, svg, cell / look->columns, cell % look->columns);
    svg_group_end(svg);
}

/* All glyphs that are lines, as one path. */
static void put_all_lines(const struct svg_board *look, struct svg *svg)
{
    char attributes[96];
    if (count_glyphs(look, GLYPH_LINES) == 0)
        return;
    snprintf(attributes, sizeof attributes, " class=\"lines\" fill=\"none\" stroke=\"#222\" stroke-width=\"%d\"",
             1 + look->size / 12);
    svg_path_begin(svg);
    for (unsigned cell = 0; cell < look->rows * look->columns; cell++)
        if (glyph_sort(look, cell) == GLYPH_LINES)
            svg_lines(svg->out, svg_line_glyph(look->cell[cell].glyph), cell_x(look, cell % look->columns),
                      cell_y(look, cell / look->columns), look->size, gap(look));
    svg_path_end(svg, attributes);
}

/* -- what a move has changed -- */

static void put_changes(const struct svg_board *look, struct svg *svg, const pdb_board *board, const pdb_board *before)
{
    const pdb_puzzle *puzzle = look->drawing->puzzle;
    bool marked[SVG_MAX_CELLS] = {false};
    svg_group(svg, "class=\"moved\" fill=\"none\" stroke=\"#d32f00\" stroke-width=\"%d\"", 1 + look->size / 14);
    for (unsigned row = 0; row < look->rows; row++)
        for (unsigned column = 0; column < look->columns; column++) {
            if (pdb_board_at(puzzle, board, row, column) == pdb_board_at(puzzle, before, row, column))
                continue;
            const uint16_t id = look->piece_of[row * look->columns + column];
            if (id == PDB_NO_PIECE) {
                put_shape(look, svg, row, column, gap(look) + 1, " stroke-width=\"1\" stroke-dasharray=\"2\"");
            } else if (!marked[id]) {
                put_shape(look, svg, look->piece[id].top, look->piece[id].first, gap(look), "");
                marked[id] = true;
            }
        }
    svg_group_end(svg);
}

/* -- the whole -- */

/* A sketch in lines: every word at its column, for spaces are not kept, in a font whose characters are alike wide. */
static void put_lines(const struct svg_board *look, struct svg *svg, const char *sketch)
{
    svg_group(svg, "font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"%d\"", look->font);
    int column = 0, y = look->font;
    while (*sketch != '\0') {
        char word[256];
        const size_t length = strcspn(sketch, " \n");
        snprintf(word, sizeof word, "%.*s", (int)length, sketch);
        if (length > 0)
            svg_text(svg, column * look->font * 6 / 10, y, SVG_START, "", word);
        column += (int)length + 1;
        y += sketch[length] == '\n' ? look->font * 5 / 4 : 0;
        column = sketch[length] == '\n' ? 0 : column;
        sketch += length + (sketch[length] != '\0');
    }
    svg_group_end(svg);
}

void svg_board_draw(struct svg_board *look, struct svg *svg, const pdb_board *board, const pdb_board *before, int x,
                    int y)
{
    char text[PDB_TEXT_MAX];
    pdb_board_format(look->drawing->puzzle, board, text);
    svg_group(svg, "class=\"board\" transform=\"translate(%d %d)\"", x, y);
    svg_title(svg, text);
    if (look->rows == 0 && pdb_board_sketch(look->drawing->puzzle, board, text)) {
        put_lines(look, svg, text);
    } else {
        read_board(look, board);
        put_ground(look, svg);
        put_pieces(look, svg);
        put_all_lines(look, svg);
        put_texts(look, svg);
        if (before != NULL)
            put_changes(look, svg, board, before);
    }
    svg_group_end(svg);
}
