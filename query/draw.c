/* draw.c -- boards as pictures in a terminal
 *
 * A cell is as wide as the widest glyph, but at least two columns: a narrow glyph is followed by a space, a wide one
 * (羊) fills its cell, and texts of several characters are followed by a space. So pieces line up, and what is drawn can
 * be read back as a board.
 */
#include "draw.h"
#include "../lib/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

unsigned text_columns(const char *text)
{
    mbstate_t state = {0};
    unsigned columns = 0;
    while (*text != '\0') {
        wchar_t character;
        /* NOLINTNEXTLINE(concurrency-mt-unsafe): the state is its own */
        size_t length = mbrtowc(&character, text, strlen(text), &state);
        if (length == 0 || length > 4) { /* no character: each byte shows as something one column wide */
            columns++;
            text++;
            memset(&state, 0, sizeof state);
            continue;
        }
        int width = wcwidth(character);
        columns += width > 0 ? (unsigned)width : 0;
        text += length;
    }
    return columns;
}

static unsigned terminal_width(void)
{
    struct winsize size;
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    return 80;
}

static const char *shown(const struct drawing *drawing, int symbol)
{
    return drawing->ascii ? pdb_symbol_code(drawing->puzzle, symbol) : pdb_symbol_glyph(drawing->puzzle, symbol);
}

void drawing_begin(struct drawing *drawing, const pdb_puzzle *puzzle, bool ascii)
{
    *drawing = (struct drawing){.puzzle = puzzle, .ascii = ascii, .cell = 2, .width = terminal_width()};
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(puzzle); symbol++) {
        const char *text = shown(drawing, symbol);
        const bool several = text[utf8_length(text)] != '\0'; /* then a gap has to tell cells apart */
        const unsigned columns = text_columns(text) + several;
        if (drawing->cell < columns)
            drawing->cell = columns;
    }
}

static void spaces(unsigned count, FILE *out)
{
    fprintf(out, "%*s", (int)count, "");
}

/* One row of a board; the last cell is padded too if `pad`. */
static void draw_row(const struct drawing *drawing, const pdb_board *board, unsigned row, bool pad, FILE *out)
{
    const unsigned columns = pdb_puzzle_columns(drawing->puzzle);
    for (unsigned column = 0; column < columns; column++) {
        const char *text = shown(drawing, pdb_board_at(drawing->puzzle, board, row, column));
        const unsigned padding = drawing->cell - text_columns(text);
        fputs(text, out);
        if (pad || column + 1 < columns)
            spaces(padding, out);
    }
}

/* A board that is drawn in a way of its own. */
static void draw_sketch(const char *text, unsigned indent, FILE *out)
{
    for (size_t length; *text != '\0'; text += length + (text[length] != '\0')) {
        length = strcspn(text, "\n");
        spaces(length > 0 ? indent : 0, out);
        fprintf(out, "%.*s\n", (int)length, text);
    }
}

void draw_board(const struct drawing *drawing, const pdb_board *board, unsigned indent, FILE *out)
{
    char sketch[PDB_TEXT_MAX];
    if (pdb_board_sketch(drawing->puzzle, board, sketch)) {
        draw_sketch(sketch, indent, out);
        return;
    }
    for (unsigned row = 0; row < pdb_puzzle_rows(drawing->puzzle); row++) {
        spaces(indent, out);
        draw_row(drawing, board, row, false, out);
        putc('\n', out);
    }
}

void draw_boards(const struct drawing *drawing, const struct captioned *boards, size_t count, FILE *out)
{
    enum { INDENT = 2, GAP = 3 };
    unsigned width = drawing->cell * pdb_puzzle_columns(drawing->puzzle);
    const unsigned board_width = width;
    for (size_t i = 0; i < count; i++)
        if (width < text_columns(boards[i].caption))
            width = text_columns(boards[i].caption);
    const size_t across = drawing->width > INDENT + width ? 1 + (drawing->width - INDENT - width) / (width + GAP) : 1;
    for (size_t first = 0; first < count; first += across) {
        const size_t end = first + across < count ? first + across : count;
        spaces(INDENT, out);
        for (size_t i = first; i < end; i++) {
            fputs(boards[i].caption, out);
            if (i + 1 < end)
                spaces(width + GAP - text_columns(boards[i].caption), out);
        }
        putc('\n', out);
        for (unsigned row = 0; row < pdb_puzzle_rows(drawing->puzzle); row++) {
            spaces(INDENT, out);
            for (size_t i = first; i < end; i++) {
                draw_row(drawing, boards[i].board, row, i + 1 < end, out);
                if (i + 1 < end)
                    spaces(width + GAP - board_width, out);
            }
            putc('\n', out);
        }
        if (end < count)
            putc('\n', out);
    }
}

void draw_move_text(const struct drawing *drawing, const pdb_move *move, char *text)
{
    const size_t code = strlen(move->piece);
    const char *glyph = move->piece;
    for (int symbol = 0; !drawing->ascii && symbol < (int)pdb_puzzle_symbols(drawing->puzzle); symbol++)
        if (strcmp(pdb_symbol_code(drawing->puzzle, symbol), move->piece) == 0)
            glyph = pdb_symbol_glyph(drawing->puzzle, symbol);
    const bool begins = strncmp(move->text, move->piece, code) == 0 &&
                        (move->text[code] == ' ' || move->text[code] == '\0');
    snprintf(text, DRAWN_MOVE_MAX, "%s%s", begins ? glyph : "", begins ? move->text + code : move->text);
}
