/* draw.c -- boards as pictures in a terminal
 *
 * A cell is as wide as the widest glyph, but at least two columns: a narrow glyph is followed by a space, a wide one
 * (羊) fills its cell, and texts of several characters are followed by a space. So pieces line up, and what is drawn can
 * be read back as a board. In colour a cell is filled to its whole width with the colour of its piece.
 */
#include "draw.h"
#include "common/streams.h"
#include "query/forms/frames.h"
#include "lib/board.h"
#include "lib/text.h"

#include <string.h>

static void spaces(unsigned count, FILE *out)
{
    fprintf(out, "%*s", (int)count, "");
}

const char *draw_look(const struct drawing *drawing, enum look look)
{
    static const char *const sequence[] = {"\033[0m", "\033[1m", "\033[38;5;67m", "\033[38;5;137m"};
    return drawing->colour ? sequence[look] : "";
}

enum { CELL_TEXT_MAX = 3 * (2 * 32 + 1) + 64 }; /* bytes: of a bar, each column may have three */

/* -- a board, line by line: its rows, the lines of frames between them, and what stands at their ends -- */

static bool has_exit(const struct drawing *drawing, pdb_side side)
{
    bool has = false;
    for (unsigned at = 0; at < PDB_MAX_SIDE; at++)
        has |= pdb_puzzle_exit(drawing->puzzle, side, at);
    return has;
}

bool draw_has_exits(const struct drawing *drawing)
{
    bool has = false;
    for (unsigned side = 0; side < PDB_SIDES; side++)
        has |= has_exit(drawing, (pdb_side)side);
    return has;
}

/* How many columns a board takes; a sign and the line of a frame two. */
static unsigned board_width(const struct drawing *drawing)
{
    const unsigned columns = pdb_puzzle_columns(drawing->puzzle);
    unsigned signs = has_exit(drawing, PDB_LEFT) + has_exit(drawing, PDB_RIGHT);
    for (unsigned column = 0; column <= columns; column++)
        signs += frames_part_columns(drawing->puzzle, column);
    return drawing->cell * columns + 2 * signs;
}

/* A sign, or blanks, in so many columns. */
static void put_sign(const struct drawing *drawing, pdb_side side, unsigned at, unsigned width, FILE *out)
{
    const bool is = pdb_puzzle_exit(drawing->puzzle, side, at);
    fprintf(out, "%s%*s", is ? board_exit_sign(side, drawing->ascii) : "", (int)(is ? width - 1 : width), "");
}

/* -- bars -- */

/* The columns of a bar, with its symbol in the middle. */
static unsigned bar_width(const struct drawing *drawing, int symbol)
{
    const unsigned width = 2 * pdb_symbol_bar(drawing->puzzle, symbol) + 1,
                   text = text_columns(draw_symbol(drawing, symbol));
    return text > width ? text : width;
}

void draw_bars(struct drawing *drawing)
{
    unsigned widest = 0;
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(drawing->puzzle); symbol++)
        if (pdb_symbol_bar(drawing->puzzle, symbol) > 0 && bar_width(drawing, symbol) > widest)
            widest = bar_width(drawing, symbol);
    const unsigned cell = widest + 1; /* a gap tells neighbours apart */
    drawing->bars = widest > 0 && !drawing->numbers && cell * pdb_puzzle_columns(drawing->puzzle) <= drawing->width;
    drawing->cell = drawing->bars ? cell : drawing->cell;
}

/* What stands in a cell: a symbol, with what moves call the cell, or as a bar; and how many blanks are before it. */
static unsigned write_cell(const struct drawing *drawing, int symbol, const char *name, char text[CELL_TEXT_MAX])
{
    const char *drawn = draw_symbol(drawing, symbol), *end = board_bar_end(drawing->ascii);
    const unsigned columns = text_columns(drawn);
    snprintf(text, CELL_TEXT_MAX, "%s%s", drawn, name != NULL ? name : "");
    if (!drawing->bars)
        return 0;
    if (pdb_symbol_bar(drawing->puzzle, symbol) == 0)
        return (drawing->cell - columns) / 2;
    const unsigned width = bar_width(drawing, symbol);
    size_t length = 0;
    for (unsigned column = 0; column < width && length + strlen(drawn) < CELL_TEXT_MAX;) {
        const bool middle = column == (width - columns) / 2;
        length += (size_t)snprintf(text + length, CELL_TEXT_MAX - length, "%s",
                                   middle            ? drawn
                                   : drawing->colour ? " "
                                                     : end);
        column += middle ? columns : 1;
    }
    return (drawing->cell - 1 - width) / 2;
}

/* -- lamps -- */

/* Lamps, ● with a colour that the definition gives, shine in it on a dark ground, and so do those that are off. */
static bool put_lamp(const struct drawing *drawing, int symbol, bool mark, FILE *out)
{
    const char *drawn = draw_symbol(drawing, symbol);
    if (!drawing->colour || drawing->numbers || !draw_has_lamps(drawing) || !draw_is_round(drawn))
        return false;
    const bool shines = pdb_symbol_kind(drawing->puzzle, symbol) >= 0;
    fprintf(out, "\033[1;38;5;%u;48;5;%dm%s%*s\033[0m",
            shines ? palette_xterm(palette_colour(&drawing->palette, symbol)) : LAMP_OFF,
            mark ? LAMP_GROUND_MARKED : LAMP_GROUND, drawn, (int)(drawing->cell - text_columns(drawn)), "");
    return true;
}

/* A cell, padded to its width if `pad`. */
static void put_cell(const struct drawing *drawing, const pdb_board *board, unsigned row, unsigned column, bool mark,
                     bool pad, FILE *out)
{
    const int symbol = pdb_board_at(drawing->puzzle, board, row, column);
    const char *name = drawing->numbers ? pdb_cell_name(drawing->puzzle, row, column) : NULL;
    const int ground = drawing->colour ? draw_ground_symbol(drawing->puzzle, board, row, column) : -1;
    uint32_t colour = palette_colour(&drawing->palette, ground);
    char text[CELL_TEXT_MAX];
    if (put_lamp(drawing, symbol, mark, out))
        return;
    const unsigned before = write_cell(drawing, symbol, name, text);
    const int padding = (int)(drawing->cell - before - text_columns(text));
    spaces(before, out);
    if (colour == PALETTE_NONE) {
        fprintf(out, "%s%*s", text, pad ? padding : 0, "");
        return;
    }
    colour = mark ? PALETTE_MARK : colour; /* in bold */
    fprintf(out, "\033[%s38;5;%u;48;5;%um%s%*s\033[0m", mark ? "1;" : "", palette_xterm(palette_ink(colour)),
            palette_xterm(colour), text, drawing->bars ? 0 : padding, "");
    spaces(drawing->bars && pad ? (unsigned)padding : 0, out);
}

/* The part of a frame that may stand left of a cell, or at the row's end; nothing where no frame needs the room. */
static void put_beside(const struct drawing *drawing, unsigned row, unsigned column, bool pad, FILE *out)
{
    const char *sign = frames_beside(drawing, row, column);
    if (frames_part_columns(drawing->puzzle, column) && (pad || *sign != ' '))
        fprintf(out, "%s%s", sign, pad ? " " : "");
}

/* One row of a board, padded to the board's width if `pad`. `marked` (may be NULL) are the row's cells to be marked. */
static void draw_row(const struct drawing *drawing, const pdb_board *board, unsigned row, const bool *marked, bool pad,
                     FILE *out)
{
    const unsigned columns = pdb_puzzle_columns(drawing->puzzle);
    const bool right = pdb_puzzle_exit(drawing->puzzle, PDB_RIGHT, row), go_on = pad || right;
    const bool framed = *frames_beside(drawing, row, columns) != ' ';
    if (has_exit(drawing, PDB_LEFT))
        put_sign(drawing, PDB_LEFT, row, 2, out);
    for (unsigned column = 0; column < columns; column++) {
        put_beside(drawing, row, column, true, out);
        put_cell(drawing, board, row, column, marked != NULL && marked[column], go_on || framed || column + 1 < columns,
                 out);
    }
    put_beside(drawing, row, columns, go_on, out);
    if (right || (pad && has_exit(drawing, PDB_RIGHT)))
        put_sign(drawing, PDB_RIGHT, row, pad ? 2 : 1, out);
}

/* The exits above the board, or below it. */
static void draw_exits(const struct drawing *drawing, pdb_side side, bool pad, FILE *out)
{
    unsigned columns = pdb_puzzle_columns(drawing->puzzle);
    if (has_exit(drawing, PDB_LEFT))
        spaces(2, out);
    while (!pad && columns > 0 && !pdb_puzzle_exit(drawing->puzzle, side, columns - 1))
        columns--;
    for (unsigned column = 0; column < columns; column++) {
        spaces(2 * frames_part_columns(drawing->puzzle, column), out);
        put_sign(drawing, side, column, pad || column + 1 < columns ? drawing->cell : 1, out);
    }
    if (pad)
        spaces(2U * has_exit(drawing, PDB_RIGHT) + 2U * frames_part_columns(drawing->puzzle, columns), out);
}

/* The lines of frames above a row, or below the last. */
static void draw_frames(const struct drawing *drawing, unsigned row, bool pad, FILE *out)
{
    const unsigned columns = pdb_puzzle_columns(drawing->puzzle);
    unsigned end = columns;
    while (end > 0 && *frames_corner(drawing, row, end) == ' ')
        end--;
    spaces(2 * has_exit(drawing, PDB_LEFT), out);
    for (unsigned column = 0; column <= (pad ? columns : end); column++) {
        const char *above = frames_above(drawing, row, column);
        const bool ends = !pad && column == end;
        if (frames_part_columns(drawing->puzzle, column))
            fprintf(out, "%s%s", frames_corner(drawing, row, column), ends ? "" : above);
        for (unsigned i = 0; i < drawing->cell && column < columns && !ends; i++)
            fputs(above, out);
    }
    spaces(pad ? 2 * has_exit(drawing, PDB_RIGHT) : 0, out);
}

/* A line of a board, and the row that it is, or that it is above. */
enum sort { SORT_EXITS, SORT_FRAMES, SORT_ROW };
struct line {
    enum sort sort;
    unsigned row;
};

static struct line line_at(const struct drawing *drawing, unsigned line)
{
    const unsigned rows = pdb_puzzle_rows(drawing->puzzle);
    if (line < has_exit(drawing, PDB_TOP))
        return (struct line){SORT_EXITS, 0};
    line -= has_exit(drawing, PDB_TOP);
    for (unsigned row = 0; row <= rows; row++) {
        if (frames_part_rows(drawing->puzzle, row) && line-- == 0)
            return (struct line){SORT_FRAMES, row};
        if (row < rows && line-- == 0)
            return (struct line){SORT_ROW, row};
    }
    return (struct line){SORT_EXITS, rows};
}

/* How many lines a board takes. */
static unsigned board_lines(const struct drawing *drawing)
{
    const unsigned rows = pdb_puzzle_rows(drawing->puzzle);
    unsigned lines = rows + has_exit(drawing, PDB_TOP) + has_exit(drawing, PDB_BOTTOM);
    for (unsigned row = 0; row <= rows; row++)
        lines += frames_part_rows(drawing->puzzle, row);
    return lines;
}

/* One of these lines. `moved` (may be NULL) are the board's cells to be marked. */
static void draw_line(const struct drawing *drawing, const pdb_board *board, struct line line, const bool *moved,
                      bool pad, FILE *out)
{
    if (line.sort == SORT_EXITS)
        draw_exits(drawing, line.row == 0 ? PDB_TOP : PDB_BOTTOM, pad, out);
    else if (line.sort == SORT_FRAMES)
        draw_frames(drawing, line.row, pad, out);
    else
        draw_row(drawing, board, line.row,
                 moved != NULL ? moved + line.row * pdb_puzzle_columns(drawing->puzzle) : NULL, pad, out);
}

/* -- one board, with what there is to say about it -- */

/* The columns of the widest name of a cell; 0 where moves name none. */
static unsigned name_width(const pdb_puzzle *puzzle)
{
    unsigned widest = 0;
    for (unsigned row = 0; row < pdb_puzzle_rows(puzzle); row++)
        for (unsigned column = 0; column < pdb_puzzle_columns(puzzle); column++) {
            const char *name = pdb_cell_name(puzzle, row, column);
            widest = name != NULL && text_columns(name) > widest ? text_columns(name) : widest;
        }
    return widest;
}

bool draw_numbers(struct drawing *drawing)
{
    const unsigned width = name_width(drawing->puzzle);
    unsigned widest = 0;
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(drawing->puzzle); symbol++)
        widest = text_columns(draw_symbol(drawing, symbol)) > widest ? text_columns(draw_symbol(drawing, symbol))
                                                                     : widest;
    drawing->numbers = width > 0;
    drawing->cell = width > 0 ? widest + width + 1 : drawing->cell;
    return width > 0;
}

/* The names of a row's cells, as the cells stand. */
static void draw_names(const struct drawing *drawing, unsigned row, FILE *out)
{
    const unsigned columns = pdb_puzzle_columns(drawing->puzzle), width = name_width(drawing->puzzle) + 1;
    unsigned due = 0; /* columns to be left free before the next name */
    for (unsigned column = 0; column < columns; column++) {
        const char *name = pdb_cell_name(drawing->puzzle, row, column);
        if (name != NULL) {
            spaces(due, out);
            fputs(name, out);
        }
        due = name != NULL ? width - text_columns(name) : due + width;
    }
}

static void draw_cells(const struct drawing *drawing, const pdb_board *board, unsigned indent, FILE *out)
{
    enum { NAMES_GAP = 5 };
    const bool names = !drawing->numbers && name_width(drawing->puzzle) > 0;
    const unsigned lines = board_lines(drawing);
    for (unsigned i = 0; i < lines; i++) {
        const struct line line = line_at(drawing, i);
        const bool named = names && line.sort == SORT_ROW;
        spaces(indent, out);
        draw_line(drawing, board, line, NULL, named, out);
        if (named) {
            spaces(NAMES_GAP, out);
            draw_names(drawing, line.row, out);
        }
        putc('\n', out);
    }
}

void draw_board(const struct drawing *drawing, const pdb_board *board, unsigned indent, FILE *out)
{
    char sketch[PDB_TEXT_MAX], hidden[PDB_TEXT_MAX];
    const bool sketched = pdb_board_sketch(drawing->puzzle, board, sketch); /* drawn in a way of its own, by lines */
    const char *line = sketched ? sketch : "";
    for (size_t length; *line != '\0'; line += length + (line[length] != '\0')) {
        length = strcspn(line, "\n");
        spaces(length > 0 ? indent : 0, out);
        fprintf(out, "%.*s\n", (int)length, line);
    }
    if (!sketched)
        draw_cells(drawing, board, indent, out);
    pdb_board_hidden(drawing->puzzle, board, hidden);
    if (*hidden != '\0')
        fprintf(out, "%*s%s\n", (int)indent, "", hidden);
}

/* -- the legend -- */

void draw_legend(const struct drawing *drawing, const char *before, unsigned indent, FILE *out)
{
    enum { LEGEND_GAP = 3 };
    unsigned column = 0;
    for (int symbol = 0; drawing->legend && symbol < (int)pdb_puzzle_symbols(drawing->puzzle); symbol++) {
        char symbols[LEGEND_TEXT_MAX];
        draw_legend_symbols(drawing, symbol, symbols);
        const char *words = pdb_symbol_legend(drawing->puzzle, symbol);
        const unsigned width = text_columns(symbols) + 1 + text_columns(words);
        if (*symbols == '\0')
            continue;
        const bool breaks = column > 0 && column + LEGEND_GAP + width > drawing->width;
        fputs(column == 0 ? before : breaks ? "\n" : "", out);
        spaces(column == 0 || breaks ? indent : LEGEND_GAP, out);
        fprintf(out, "%s %s", symbols, words);
        column = width + (column == 0 || breaks ? indent : column + LEGEND_GAP);
    }
    if (column > 0)
        putc('\n', out);
}

enum { INDENT = 2, GAP = 3 };

/* Boards that stand in one row, each `width` columns wide. */
static void draw_group(const struct drawing *drawing, const struct captioned *boards, size_t count, unsigned width,
                       FILE *out)
{
    spaces(INDENT, out);
    for (size_t i = 0; i < count; i++) {
        fputs(boards[i].caption, out);
        if (i + 1 < count)
            spaces(width + GAP - text_columns(boards[i].caption), out);
    }
    putc('\n', out);
    const unsigned lines = board_lines(drawing);
    for (unsigned line = 0; line < lines; line++) {
        spaces(INDENT, out);
        for (size_t i = 0; i < count; i++) {
            bool moved[PDB_MAX_PLACES]; /* looked for anew in every row: boards are small */
            const bool marks = drawing->colour && boards[i].before != NULL;
            if (marks)
                draw_moved(drawing->puzzle, boards[i].before, boards[i].board, moved);
            draw_line(drawing, boards[i].board, line_at(drawing, line), marks ? moved : NULL, i + 1 < count, out);
            if (i + 1 < count)
                spaces(width + GAP - board_width(drawing), out);
        }
        putc('\n', out);
    }
}

/* How many of such a width go side by side, `gap` columns between two. */
static size_t count_across(const struct drawing *drawing, unsigned indent, unsigned width, unsigned gap)
{
    return drawing->width > indent + width ? 1 + (drawing->width - indent - width) / (width + gap) : 1;
}

void draw_boards(const struct drawing *drawing, const struct captioned *boards, size_t count, FILE *out)
{
    unsigned width = board_width(drawing);
    for (size_t i = 0; i < count; i++)
        if (width < text_columns(boards[i].caption))
            width = text_columns(boards[i].caption);
    const size_t across = count_across(drawing, INDENT, width, GAP);
    for (size_t first = 0; first < count; first += across) {
        draw_group(drawing, boards + first, first + across < count ? across : count - first, width, out);
        if (first + across < count)
            putc('\n', out);
    }
}

void draw_columns(const struct drawing *drawing, char *const *texts, size_t count, unsigned indent, FILE *out)
{
    enum { COLUMN_GAP = 2 };
    unsigned width = 0;
    for (size_t i = 0; i < count; i++)
        width = width < text_columns(texts[i]) ? text_columns(texts[i]) : width;
    const size_t across = count_across(drawing, indent, width, COLUMN_GAP);
    for (size_t i = 0; i < count; i++) {
        const bool ends = (i + 1) % across == 0 || i + 1 == count;
        spaces(i > 0 && i % across == 0 ? indent : 0, out);
        fputs(texts[i], out);
        if (ends)
            putc('\n', out);
        else
            spaces(width + COLUMN_GAP - text_columns(texts[i]), out);
    }
}
