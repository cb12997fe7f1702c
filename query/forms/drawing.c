/* drawing.c -- what stands for a symbol, a move and what a move has moved, wherever boards are drawn */
#include "drawing.h"
#include "lib/text.h"

#include <stdio.h>
#include <string.h>
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

/* Is it a sticker, with stickers of its face at all four corners? */
static bool is_middle(const pdb_puzzle *puzzle, const pdb_board *board, unsigned row, unsigned column)
{
    bool middle = row > 0 && column > 0 && pdb_board_at(puzzle, board, row, column) >= 0;
    for (unsigned corner = 0; middle && corner < 4; corner++)
        middle = pdb_board_at(puzzle, board, row - 1 + corner / 2 * 2, column - 1 + corner % 2 * 2) >= 0;
    return middle;
}

int draw_ground_symbol(const pdb_puzzle *puzzle, const pdb_board *board, unsigned row, unsigned column)
{
    static const int down[] = {-1, 0, 0, 1}, right[] = {0, -1, 1, 0};
    const int symbol = pdb_board_at(puzzle, board, row, column);
    for (unsigned way = 0; symbol < 0 && way < 4 && pdb_puzzle_net(puzzle) == PDB_DIAMONDS; way++) {
        const unsigned to = row + (unsigned)down[way], across = column + (unsigned)right[way];
        if (is_middle(puzzle, board, to, across))
            return pdb_board_at(puzzle, board, to, across);
    }
    return symbol;
}

bool draw_is_mark(const struct drawing *drawing, int symbol)
{
    const pdb_puzzle *puzzle = drawing->puzzle;
    bool other = false; /* the symbol of the empty cell itself is the first */
    for (int s = 0; s < symbol && s < (int)pdb_puzzle_symbols(puzzle); s++)
        other |= pdb_symbol_kind(puzzle, s) < 0;
    return other && symbol < (int)pdb_puzzle_symbols(puzzle) && pdb_symbol_kind(puzzle, symbol) < 0;
}

bool draw_is_round(const char *drawn)
{
    return strcmp(drawn, "●") == 0 || strcmp(drawn, "○") == 0;
}

bool draw_has_lamps(const struct drawing *drawing)
{
    bool lamps = false;
    for (int s = 0; s < (int)pdb_puzzle_symbols(drawing->puzzle); s++)
        lamps |= strcmp(draw_symbol(drawing, s), "●") == 0 && pdb_symbol_colour(drawing->puzzle, s) != PDB_NO_COLOUR;
    return lamps;
}

void drawing_begin(struct drawing *drawing, const pdb_puzzle *puzzle, bool ascii)
{
    *drawing = (struct drawing){.puzzle = puzzle, .ascii = ascii, .cell = 2};
    palette_begin(&drawing->palette, puzzle);
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(puzzle); symbol++) {
        const char *text = draw_symbol(drawing, symbol);
        const bool several = text[utf8_length(text)] != '\0'; /* then a gap has to tell cells apart */
        const unsigned columns = text_columns(text) + several;
        if (drawing->cell < columns)
            drawing->cell = columns;
    }
}

void draw_legend_symbols(const struct drawing *drawing, int symbol, char text[LEGEND_TEXT_MAX])
{
    const pdb_puzzle *puzzle = drawing->puzzle;
    const char *words = pdb_symbol_legend(puzzle, symbol);
    size_t length = 0;
    *text = '\0';
    for (int s = 0; s < symbol && *words != '\0'; s++)
        if (strcmp(pdb_symbol_legend(puzzle, s), words) == 0)
            return;
    for (int s = symbol; s < (int)pdb_puzzle_symbols(puzzle) && *words != '\0'; s++) {
        const char *drawn = draw_symbol(drawing, s);
        if (strcmp(pdb_symbol_legend(puzzle, s), words) == 0 && length + strlen(drawn) + 2 < LEGEND_TEXT_MAX)
            length += (size_t)snprintf(text + length, LEGEND_TEXT_MAX - length, "%s%s", length > 0 ? " " : "", drawn);
    }
}

void draw_caption_hidden(const pdb_puzzle *puzzle, struct captioned *picture)
{
    char text[PDB_TEXT_MAX];
    const size_t length = strlen(picture->caption);
    pdb_board_hidden(puzzle, picture->board, text);
    const int fits = text_fitting(text, CAPTION_MAX - length - sizeof ", ...");
    if (*text != '\0')
        snprintf(picture->caption + length, CAPTION_MAX - length, "%s%.*s%s",
                 length == 0                           ? ""
                 : picture->caption[length - 1] == '.' ? " "
                                                       : ": ",
                 (int)fits, text, text[fits] != '\0' ? "..." : "");
}

void draw_moved(const pdb_puzzle *puzzle, const pdb_board *before, const pdb_board *board, bool moved[PDB_MAX_PLACES])
{
    const unsigned columns = pdb_puzzle_columns(puzzle), cells = pdb_puzzle_rows(puzzle) * columns;
    uint16_t piece[PDB_MAX_PLACES];
    bool piece_moved[PDB_MAX_PLACES] = {false};
    pdb_board_pieces(puzzle, board, piece);
    for (unsigned cell = 0; cell < cells && pdb_puzzle_net(puzzle) == PDB_NO_NET; cell++)
        if (piece[cell] != PDB_NO_PIECE && pdb_board_at(puzzle, board, cell / columns, cell % columns) !=
                                               pdb_board_at(puzzle, before, cell / columns, cell % columns))
            piece_moved[piece[cell]] = true;
    for (unsigned cell = 0; cell < cells; cell++)
        moved[cell] = piece[cell] != PDB_NO_PIECE && piece_moved[piece[cell]];
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
