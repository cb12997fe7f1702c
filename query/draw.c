/* draw.c -- boards as pictures in a terminal
 *
 * A cell is as wide as the widest glyph, but at least two columns: a narrow glyph is followed by a space, a wide one
 * (羊) fills its cell, and texts of several characters are followed by a space. So pieces line up, and what is drawn can
 * be read back as a board. In colour a cell is filled to its whole width with the colour of its piece.
 */
#include "draw.h"
#include "common/streams.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

/* Bytes of the escape sequence at `text`, such as "\033[0m"; 0 where there is none. */
static size_t escape_length(const char *text)
{
    if (text[0] != '\033' || text[1] != '[')
        return 0;
    const size_t length = 2 + strspn(text + 2, "0123456789;");
    return text[length] == 'm' ? length + 1 : 0;
}

unsigned text_columns(const char *text)
{
    mbstate_t state = {0};
    unsigned columns = 0;
    while (*text != '\0') {
        wchar_t character;
        const size_t escape = escape_length(text);
        if (escape > 0) {
            text += escape;
            continue;
        }
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

const char *draw_symbol(const struct drawing *drawing, int symbol)
{
    return drawing->ascii ? pdb_symbol_code(drawing->puzzle, symbol) : pdb_symbol_glyph(drawing->puzzle, symbol);
}

bool draw_is_mark(const struct drawing *drawing, int symbol)
{
    const pdb_puzzle *puzzle = drawing->puzzle;
    bool other = false; /* the symbol of the empty cell itself is the first */
    for (int s = 0; s < symbol && s < (int)pdb_puzzle_symbols(puzzle); s++)
        other |= pdb_symbol_kind(puzzle, s) < 0;
    return other && symbol < (int)pdb_puzzle_symbols(puzzle) && pdb_symbol_kind(puzzle, symbol) < 0;
}

void drawing_begin(struct drawing *drawing, const pdb_puzzle *puzzle, bool ascii, bool colour)
{
    *drawing = (struct drawing){
        .puzzle = puzzle, .ascii = ascii, .colour = colour, .cell = 2, .width = terminal_columns(STDOUT_FILENO)};
    palette_begin(&drawing->palette, puzzle);
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(puzzle); symbol++) {
        const char *text = draw_symbol(drawing, symbol);
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

void draw_moved(const pdb_puzzle *puzzle, const pdb_board *before, const pdb_board *board, bool moved[PDB_MAX_PLACES])
{
    const unsigned columns = pdb_puzzle_columns(puzzle), cells = pdb_puzzle_rows(puzzle) * columns;
    uint16_t piece[PDB_MAX_PLACES];
    bool piece_moved[PDB_MAX_PLACES] = {false};
    pdb_board_pieces(puzzle, board, piece);
    for (unsigned cell = 0; cell < cells; cell++)
        if (piece[cell] != PDB_NO_PIECE && pdb_board_at(puzzle, board, cell / columns, cell % columns) !=
                                               pdb_board_at(puzzle, before, cell / columns, cell % columns))
            piece_moved[piece[cell]] = true;
    for (unsigned cell = 0; cell < cells; cell++)
        moved[cell] = piece[cell] != PDB_NO_PIECE && piece_moved[piece[cell]];
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
