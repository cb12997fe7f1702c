/* board.c -- boards as people write them */
#include "board.h"
#include "lib/memory/array.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static const char separators[] = " ,/\n\t\r";

static bool is_blank(const char *text)
{
    return text[strspn(text, " ")] == '\0';
}

size_t board_next_word(const char **text)
{
    *text += strspn(*text, separators);
    return strcspn(*text, separators);
}

unsigned board_count_rows(const char *text)
{
    unsigned rows = 0;
    for (const char *row = text; *row != '\0';) {
        const size_t length = strcspn(row, "/\n");
        rows += strspn(row, " \t\r") < length;
        row += length + (row[length] != '\0');
    }
    return rows;
}

bool board_is_one_word(const char *text)
{
    const size_t length = board_next_word(&text);
    text += length;
    return length > 0 && board_next_word(&text) == 0;
}

uint8_t board_symbol(const struct board *board, const char *code, size_t length)
{
    for (uint8_t s = 0; s < board->symbols; s++)
        if (text_is(code, length, board->symbol[s].code))
            return s;
    return BOARD_OPEN;
}

pdb_status board_add_symbol(struct board *board, const char *code, size_t length, uint8_t *symbol, pdb_error *error)
{
    int shown = length < 40 ? (int)length : 40;
    if (board->symbols == BOARD_MAX_SYMBOLS)
        return error_set(error, PDB_BAD_DEFINITION, "more than %d different symbols", BOARD_MAX_SYMBOLS);
    if (length == 0 || length >= SYMBOL_CODE_MAX)
        return error_set(error, PDB_BAD_DEFINITION, "the symbol '%.*s' has to be 1 to %d bytes long", shown, code,
                         SYMBOL_CODE_MAX - 1);
    if (length == 1 && (*code == '#' || (*code == '*' && !board->closed)))
        return error_set(error, PDB_BAD_DEFINITION, "'%c' cannot be a symbol: # is a wall%s", *code,
                         board->closed ? "" : " and * an open cell");
    if (length > 1 && strspn(code, "#*._") >= length)
        return error_set(error, PDB_BAD_DEFINITION,
                         "'%.*s' cannot be a symbol: write a wall as a single #, an empty cell as a single ., "
                         "an open one as a single *",
                         shown, code);
    for (size_t i = 0; i < length; i++) /* no zero need be behind the code */
        if (memchr(separators, code[i], sizeof separators - 1) != NULL)
            return error_set(error, PDB_BAD_DEFINITION,
                             "'%.*s' cannot be a symbol: blanks, commas and / stand between cells", shown, code);
    struct symbol *added = &board->symbol[board->symbols];
    memcpy(added->code, code, length);
    added->code[length] = '\0';
    memcpy(added->glyph, added->code, sizeof added->code);
    added->blank_next = BOARD_OPEN;
    added->kind = *symbol = (uint8_t)board->symbols++;
    return PDB_OK;
}

void board_finish(struct board *board)
{
    board->compact = board->glyph_compact = true;
    for (uint16_t s = 0; s < board->symbols; s++) {
        struct symbol *symbol = &board->symbol[s];
        board->compact &= symbol->code[utf8_length(symbol->code)] == '\0';
        board->glyph_compact &= is_blank(symbol->glyph) || symbol->glyph[utf8_length(symbol->glyph)] == '\0';
        if (symbol->blank_next != BOARD_OPEN && !is_blank(board->symbol[symbol->blank_next].glyph))
            symbol->blank_next = BOARD_OPEN;
    }
}

/* -- reading -- */

enum token_kind { TOKEN_UNKNOWN, TOKEN_AMBIGUOUS, TOKEN_CODE, TOKEN_GLYPH, TOKEN_WALL, TOKEN_OPEN };

struct token {
    enum token_kind kind;
    uint8_t symbol;
};

/* The symbol that is drawn like this; TOKEN_AMBIGUOUS where several are. */
static struct token glyph_of(const struct board *board, const char *text, size_t length)
{
    struct token token = {TOKEN_UNKNOWN, 0};
    for (uint8_t s = 0; s < board->symbols; s++)
        if (text_is(text, length, board->symbol[s].glyph))
            token = (struct token){token.kind == TOKEN_UNKNOWN ? TOKEN_GLYPH : TOKEN_AMBIGUOUS, s};
    return token;
}

/* `open`: the characters that mean an open cell, also where one is a symbol's code; "" where none may be open. */
static struct token token_of(const struct board *board, const char *open, const char *text, size_t length)
{
    if (length == 1 && strchr(open, *text) != NULL)
        return (struct token){TOKEN_OPEN, BOARD_OPEN};
    const uint8_t symbol = board_symbol(board, text, length);
    if (symbol != BOARD_OPEN)
        return (struct token){TOKEN_CODE, symbol};
    if (length == 1 && *text == '#')
        return (struct token){TOKEN_WALL, BOARD_OPEN};
    if (length == 1 && *text == '*')
        return (struct token){TOKEN_OPEN, BOARD_OPEN};
    if (length == 1 && board->empty != BOARD_OPEN && strchr("._0", *text) != NULL)
        return (struct token){TOKEN_CODE, board->empty};
    return glyph_of(board, text, length);
}

/* May a word that is no symbol be taken apart into this one-character token? */
static bool splits(const struct board *board, struct token token)
{
    switch (token.kind) {
    case TOKEN_CODE:
        /* A code that is its symbol's glyph too is as good as that. */
        return board->compact || (board->glyph_compact &&
                                  (token.symbol == board->empty ||
                                   strcmp(board->symbol[token.symbol].code, board->symbol[token.symbol].glyph) == 0));
    case TOKEN_GLYPH:
        return board->glyph_compact;
    case TOKEN_WALL:
    case TOKEN_OPEN:
        return board->compact || board->glyph_compact;
    default:
        return false;
    }
}

/* What has been read: a full-size list of cells, walls among them if they were written. */
struct reading {
    const struct board *board;
    const char *text;
    const char *open; /* what open cells are written with; "" where none may be */
    unsigned cells, walls;
    unsigned rows; /* that have ended: where, in cells, and where the text goes on */
    uint16_t row_end[BOARD_MAX_SIDE];
    size_t next_row[BOARD_MAX_SIDE];
    uint8_t blank_next; /* a symbol that is due next and may have been left out, BOARD_OPEN for none */
    uint8_t cell[2 * BOARD_MAX_CELLS];
    bool wall[2 * BOARD_MAX_CELLS];
};

static void take_cell(struct reading *reading, bool wall, uint8_t symbol)
{
    if (wall && reading->board->bare)
        return;
    if (reading->cells < 2 * BOARD_MAX_CELLS) {
        reading->wall[reading->cells] = wall;
        reading->cell[reading->cells] = symbol;
    }
    reading->cells++;
    reading->walls += wall;
}

static void take_token(struct reading *reading, struct token token)
{
    if (reading->blank_next != BOARD_OPEN && token.symbol != reading->blank_next)
        take_cell(reading, false, reading->blank_next);
    reading->blank_next = BOARD_OPEN;
    take_cell(reading, token.kind == TOKEN_WALL, token.symbol);
    if (token.kind == TOKEN_GLYPH)
        reading->blank_next = reading->board->symbol[token.symbol].blank_next;
}

/* What stands before a word, behind the last one: does a row end there? */
static void take_gap(struct reading *reading, const char *gap, const char *word)
{
    if (gap + strcspn(gap, "/\n") >= word || reading->rows == BOARD_MAX_SIDE)
        return;
    reading->next_row[reading->rows] = (size_t)(word - reading->text);
    reading->row_end[reading->rows++] = (uint16_t)(reading->cells + (reading->blank_next != BOARD_OPEN));
}

static pdb_status unknown_symbol(const struct reading *reading, const char *word, size_t length, pdb_error *error)
{
    const struct board *board = reading->board;
    char known[200];
    size_t used = 0;
    for (uint16_t s = 0; s < board->symbols && used < sizeof known - 20; s++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", s > 0 ? " " : "", board->symbol[s].code);
    const size_t first = utf8_length(word);
    const enum token_kind whole = token_of(board, reading->open, word, length).kind,
                          begin = token_of(board, reading->open, word, first).kind;
    if (whole == TOKEN_AMBIGUOUS || begin == TOKEN_AMBIGUOUS)
        return error_set(error, PDB_BAD_BOARD,
                         "cell %u: '%.*s' is drawn for several symbols: write the symbol itself (%s)",
                         reading->cells + 1, (int)(whole == TOKEN_AMBIGUOUS ? length : first), word, known);
    const bool joined = first < length && begin != TOKEN_UNKNOWN;
    return error_set(error, PDB_BAD_BOARD, "cell %u: '%.*s' is no symbol of this puzzle (%s)%s", reading->cells + 1,
                     length < 40 ? (int)length : 40, word, known,
                     joined ? "; cells are set apart by blanks or commas" : "");
}

static pdb_status take_word(struct reading *reading, const char *word, size_t length, size_t *offset, pdb_error *error)
{
    struct token token = token_of(reading->board, reading->open, word, length);
    size_t step = length;
    if (token.kind == TOKEN_UNKNOWN)
        step = utf8_length(word);
    for (size_t i = 0; i < length; i += step) {
        step = step == length ? length : utf8_length(word + i);
        struct token part = step == length ? token : token_of(reading->board, reading->open, word + i, step);
        *offset = (size_t)(word + i - reading->text);
        if (part.kind <= TOKEN_AMBIGUOUS || (step != length && !splits(reading->board, part)))
            return i == 0 ? unknown_symbol(reading, word, length, error)
                          : unknown_symbol(reading, word + i, step, error);
        if (part.kind == TOKEN_OPEN && *reading->open == '\0')
            return error_set(error, PDB_BAD_BOARD, "cell %u: '*' (an open cell) is allowed in a goal only",
                             reading->cells + 1);
        take_token(reading, part);
    }
    return PDB_OK;
}

static pdb_status check_cells(const struct reading *reading, pdb_error *error)
{
    const struct board *board = reading->board;
    const unsigned full = (unsigned)board->rows * board->columns;
    const unsigned expected = reading->walls > 0 ? full : board->places;
    const char *cells = plural(reading->cells), *rows = plural(board->rows);
    if (reading->cells != expected && reading->walls > 0)
        return error_set(error, PDB_BAD_BOARD, "%u cell%s given, but the board has %u with its walls (%u row%s of %u)",
                         reading->cells, cells, full, board->rows, rows, board->columns);
    if (reading->cells != expected)
        return error_set(error, PDB_BAD_BOARD, "%u cell%s given, but the board has %u (%u row%s of %u%s)",
                         reading->cells, cells, board->places, board->rows, rows, board->columns,
                         board->places < full ? ", walls among them" : "");
    for (unsigned cell = 0; reading->walls > 0 && cell < full; cell++)
        if (reading->wall[cell] != (board->place[cell] == BOARD_NO_PLACE))
            return error_set(error, PDB_BAD_BOARD, "cell %u (row %u, column %u) %s", cell + 1,
                             cell / board->columns + 1, cell % board->columns + 1,
                             reading->wall[cell] ? "is no wall of this board" : "has to be a wall (#)");
    return PDB_OK;
}

/* How many cells a text has in the board's next row that has any: its places, or all where walls are written. */
static unsigned cells_of_row(const struct reading *reading, unsigned *row)
{
    const struct board *board = reading->board;
    unsigned cells = 0;
    for (; *row < board->rows && cells == 0; ++*row)
        for (unsigned column = 0; column < board->columns; column++)
            cells += reading->walls > 0 || board->place[*row * board->columns + column] != BOARD_NO_PLACE;
    return cells;
}

/* The rows of a text that has several are the board's. */
static pdb_status check_rows(const struct reading *reading, size_t *offset, pdb_error *error)
{
    unsigned row = 0, begin = 0;
    for (unsigned r = 0; reading->rows > 0 && r <= reading->rows; r++) {
        const unsigned end = r < reading->rows ? reading->row_end[r] : reading->cells, cells = end - begin;
        const unsigned expected = cells > 0 ? cells_of_row(reading, &row) : 0;
        *offset = r > 0 ? reading->next_row[r - 1] : 0;
        if (cells != expected)
            return error_set(error, PDB_BAD_BOARD, "row %u has %u cell%s, but that of the board has %u%s", r + 1, cells,
                             plural(cells), expected, reading->walls > 0 ? " with its walls" : "");
        begin = end;
    }
    *offset = 0;
    return PDB_OK;
}

static pdb_status read_text(struct reading *reading, size_t *offset, pdb_error *error)
{
    const char *word = reading->text, *gap = word;
    for (size_t length; (length = board_next_word(&word)) > 0; word += length, gap = word) {
        if (reading->cells > 0)
            take_gap(reading, gap, word);
        pdb_status status = take_word(reading, word, length, offset, error);
        if (status != PDB_OK)
            return status;
    }
    if (reading->blank_next != BOARD_OPEN)
        take_cell(reading, false, reading->blank_next);
    *offset = 0;
    return check_cells(reading, error);
}

pdb_status board_parse(const struct board *board, const char *text, unsigned how, uint8_t *position, size_t *offset,
                       pdb_error *error)
{
    const char *const open = how & BOARD_WITH_DOTS ? "*." : how & BOARD_WITH_OPEN ? "*" : "";
    struct reading reading = {.board = board, .text = text, .open = open, .blank_next = BOARD_OPEN};
    size_t nowhere, *at = offset != NULL ? offset : &nowhere;
    pdb_status status = read_text(&reading, at, error);
    if (status == PDB_OK && (how & BOARD_DRAWN) && board->rows > 1)
        status = check_rows(&reading, at, error);
    for (unsigned cell = 0, place = 0; status == PDB_OK && cell < reading.cells; cell++)
        if (!reading.wall[cell])
            position[place++] = reading.cell[cell];
    return status;
}

/* -- writing -- */

void board_format(const struct board *board, const uint8_t *position, char *text)
{
    char *end = text;
    const unsigned full = (unsigned)board->rows * board->columns;
    for (unsigned cell = 0; cell < full; cell++) {
        uint16_t place = board->place[cell];
        if (place == BOARD_NO_PLACE && board->bare)
            continue;
        const char *code = place == BOARD_NO_PLACE         ? "#"
                           : position[place] == BOARD_OPEN ? "*"
                                                           : board->symbol[position[place]].code;
        if (end > text && !board->compact)
            *end++ = ',';
        end = stpcpy(end, code);
    }
    *end = '\0';
}

const char *board_exit_sign(pdb_side side, bool ascii)
{
    static const char *const signs[][2] = {
        [PDB_TOP] = {"↑", "^"}, [PDB_RIGHT] = {"→", ">"}, [PDB_BOTTOM] = {"↓", "v"}, [PDB_LEFT] = {"←", "<"}};
    return signs[side][ascii];
}

const char *board_frame_sign(unsigned sides, bool ascii)
{
    enum { UP = 1 << PDB_TOP, RIGHT = 1 << PDB_RIGHT, DOWN = 1 << PDB_BOTTOM, LEFT = 1 << PDB_LEFT };
    static const char *const signs[] = {[0] = " ",
                                        [UP] = "│",
                                        [DOWN] = "│",
                                        [UP | DOWN] = "│",
                                        [LEFT] = "─",
                                        [RIGHT] = "─",
                                        [LEFT | RIGHT] = "─",
                                        [DOWN | RIGHT] = "┌",
                                        [DOWN | LEFT] = "┐",
                                        [UP | RIGHT] = "└",
                                        [UP | LEFT] = "┘",
                                        [UP | DOWN | RIGHT] = "├",
                                        [UP | DOWN | LEFT] = "┤",
                                        [DOWN | LEFT | RIGHT] = "┬",
                                        [UP | LEFT | RIGHT] = "┴",
                                        [UP | DOWN | LEFT | RIGHT] = "┼"};
    if (!ascii || sides == 0)
        return signs[sides];
    return (sides & (LEFT | RIGHT)) == 0 ? "|" : (sides & (UP | DOWN)) == 0 ? "-" : "+";
}

const char *board_bar_end(bool ascii)
{
    return ascii ? "=" : "━";
}

pdb_move *moves_add(pdb_moves *moves)
{
    if (!array_reserve(&moves->move, &moves->capacity, moves->count + 1, sizeof *moves->move))
        return NULL;
    pdb_move *added = &moves->move[moves->count++];
    *added = (pdb_move){.cost = 1,
                        .from = PDB_NO_CELL}; /* all else 0: boards are compared whole, also past their places */
    return added;
}
