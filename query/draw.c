/* draw.c -- boards as pictures in a terminal
 *
 * A cell is as wide as the widest glyph, but at least two columns: a narrow glyph is followed by a space, a wide one
 * (羊) fills its cell, and texts of several characters are followed by a space. So pieces line up, and what is drawn can
 * be read back as a board. In colour a cell is filled to its whole width with the colour of its piece.
 */
#include "draw.h"

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

/* One row of a board; the last cell is padded too if `pad`. `marked` (may be NULL) are the row's cells to be marked. */
static void draw_row(const struct drawing *drawing, const pdb_board *board, unsigned row, const bool *marked, bool pad,
                     FILE *out)
{
    const unsigned columns = pdb_puzzle_columns(drawing->puzzle);
    for (unsigned column = 0; column < columns; column++) {
        const int symbol = pdb_board_at(drawing->puzzle, board, row, column);
        uint32_t colour = drawing->colour ? palette_colour(&drawing->palette, symbol) : PALETTE_NONE;
        const char *text = draw_symbol(drawing, symbol);
        const unsigned padding = drawing->cell - text_columns(text);
        if (colour != PALETTE_NONE) {
            const bool mark = marked != NULL && marked[column]; /* in bold */
            colour = mark ? PALETTE_MARK : colour;
            fprintf(out, "\033[%s38;5;%u;48;5;%um%s%*s\033[0m", mark ? "1;" : "", palette_xterm(palette_ink(colour)),
                    palette_xterm(colour), text, (int)padding, "");
            continue;
        }
        fputs(text, out);
        if (pad || column + 1 < columns)
            spaces(padding, out);
    }
}

void draw_board(const struct drawing *drawing, const pdb_board *board, unsigned indent, FILE *out)
{
    char sketch[PDB_TEXT_MAX];
    const bool sketched = pdb_board_sketch(drawing->puzzle, board, sketch); /* drawn in a way of its own, by lines */
    const char *line = sketched ? sketch : "";
    for (size_t length; *line != '\0'; line += length + (line[length] != '\0')) {
        length = strcspn(line, "\n");
        spaces(length > 0 ? indent : 0, out);
        fprintf(out, "%.*s\n", (int)length, line);
    }
    for (unsigned row = 0; !sketched && row < pdb_puzzle_rows(drawing->puzzle); row++) {
        spaces(indent, out);
        draw_row(drawing, board, row, NULL, false, out);
        putc('\n', out);
    }
}

enum { INDENT = 2, GAP = 3 };

/* Boards that stand in one row, each `width` columns wide. */
static void draw_group(const struct drawing *drawing, const struct captioned *boards, size_t count, unsigned width,
                       FILE *out)
{
    const unsigned columns = pdb_puzzle_columns(drawing->puzzle), board_width = drawing->cell * columns;
    spaces(INDENT, out);
    for (size_t i = 0; i < count; i++) {
        fputs(boards[i].caption, out);
        if (i + 1 < count)
            spaces(width + GAP - text_columns(boards[i].caption), out);
    }
    putc('\n', out);
    for (unsigned row = 0; row < pdb_puzzle_rows(drawing->puzzle); row++) {
        spaces(INDENT, out);
        for (size_t i = 0; i < count; i++) {
            bool moved[PDB_MAX_PLACES]; /* looked for anew in every row: boards are small */
            const bool marks = drawing->colour && boards[i].before != NULL;
            if (marks)
                draw_moved(drawing->puzzle, boards[i].before, boards[i].board, moved);
            draw_row(drawing, boards[i].board, row, marks ? moved + row * columns : NULL, i + 1 < count, out);
            if (i + 1 < count)
                spaces(width + GAP - board_width, out);
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
    unsigned width = drawing->cell * pdb_puzzle_columns(drawing->puzzle);
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
