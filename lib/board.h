/* board.h -- boards as people write them: cells, symbols, and text in both directions
 *
 * A board is a rectangle of cells; some of them are places that hold a symbol, the others are walls. A *position* is an
 * array of bytes, the number of the symbol on each place, places in reading order. Every family whose boards are cells
 * shares this module and so the rules for text:
 *
 *   - cells row by row, separated by spaces, commas, slashes or newlines; where every code (or every glyph) is one
 *     character, separators may be left out;
 *   - a cell is a symbol's code ("8", "10", "b") or its glyph ("─"); `.`, `_` and `0` are the empty cell unless they
 *     are some other symbol's code;
 *   - walls ("#") are written or left out, all of them; on a board that is `bare` they are never written, and passed
 *     over where they are;
 *   - a symbol whose glyph is blank (the right half of Goat's wide piece) may be left out after the glyph of the symbol
 *     it follows, so that a printed picture can be read back.
 */
#ifndef LIB_BOARD_H
#define LIB_BOARD_H

#include "error.h"

enum {
    BOARD_MAX_CELLS = 1024,
    BOARD_BYTE_CELLS = 256, /* of a board in a family that numbers places by bytes */
    BOARD_MAX_SIDE = 64,
    BOARD_MAX_SYMBOLS = 250,
    BOARD_TEXT_MAX = 16384, /* bytes that hold any position's text and its NUL */
    BOARD_OPEN = 255,       /* in a pattern: any symbol may stand here */
    BOARD_NO_PLACE = 0xFFFF,
    SYMBOL_CODE_MAX = 8, /* bytes, with the NUL */
    SYMBOL_GLYPH_MAX = 16
};

struct symbol {
    char code[SYMBOL_CODE_MAX];
    char glyph[SYMBOL_GLYPH_MAX]; /* the code, unless the definition gives one */
    /* the symbol with a blank glyph that follows this one; BOARD_OPEN where there is none */
    uint8_t blank_next;
    /* a symbol that stands for all that mean the same sort of thing as this one: for a piece's other cells, pieces that
     * are alike, a tile's twists; itself, unless the family says otherwise. That of the
     * empty cell stands for a mark on the ground */
    uint8_t kind;
};

struct board {
    uint16_t rows, columns;
    uint16_t places;                 /* cells that are no walls */
    uint16_t place[BOARD_MAX_CELLS]; /* the place of cell row * columns + column; BOARD_NO_PLACE for a wall */
    uint16_t cell[BOARD_MAX_CELLS];  /* the cell of a place */
    uint16_t symbols;
    struct symbol symbol[BOARD_MAX_SYMBOLS];
    uint8_t empty;      /* the symbol of an empty cell; BOARD_OPEN where the puzzle has none */
    bool compact;       /* every code is one character: text needs no separators */
    bool glyph_compact; /* every glyph is one character */
    bool triangular;    /* cells one column and one row apart are as near as those two columns apart */
    bool bare;          /* texts have the places only: walls are how the board is laid out, and mean nothing */
    bool closed;        /* `*` may be a symbol's code; where cells may be open it means an open cell all the same */
};

/* The symbol with this code, BOARD_OPEN where there is none. */
uint8_t board_symbol(const struct board *board, const char *code, size_t length);

/* Adds a symbol and stores its number. Errors: PDB_BAD_DEFINITION (message without a place): too many symbols, a code
 * that is empty, too long, has a separator in it, or is `#` or `*` (but see `closed`), or several of these, `.` or `_`.
 */
pdb_status board_add_symbol(struct board *board, const char *code, size_t length, uint8_t *symbol, pdb_error *error);

/* Works out `compact`, `glyph_compact` and `blank_next` (of pairs given by the caller beforehand as neighbours inside a
 * piece) once all symbols are known. */
void board_finish(struct board *board);

/* The next cell of a board text: its begin and length in bytes, 0 at the end. Splits at separators only. */
size_t board_next_word(const char **text);

/* In how many rows a text is written: those that have a cell. */
unsigned board_count_rows(const char *text);

/* Is the text one word, to split at separators only? */
bool board_is_one_word(const char *text);

/* How a text is read: cells may be open, `*` (BOARD_OPEN in the position), or `*` and `.`; it is drawn in a definition,
 * so that where it has several rows, and the board too, they have to be the same. */
enum { BOARD_WITH_OPEN = 1, BOARD_WITH_DOTS = 2, BOARD_DRAWN = 4 };

/* Reads a board; `how` is the sum of the above. On PDB_BAD_BOARD *offset (may be NULL) is the byte of the text that the
 * message is about. */
pdb_status board_parse(const struct board *board, const char *text, unsigned how, uint8_t *position, size_t *offset,
                       pdb_error *error);

/* The canonical text of a position into text[BOARD_TEXT_MAX]; an open cell is `*`. */
void board_format(const struct board *board, const uint8_t *position, char *text);

/* What the ends of a bar are drawn with in a terminal, on both sides of its symbol. */
const char *board_bar_end(bool ascii);

/* The sign that marks an exit on a side of a board in a terminal: an arrow, or with `ascii` a character like one. */
const char *board_exit_sign(pdb_side side, bool ascii);

/* What the lines of frames around cells are drawn with in a terminal where they lead to these sides of a point: a bit
 * 1 << side for each, or 0 for a blank. */
const char *board_frame_sign(unsigned sides, bool ascii);

/* Appends a move for the caller to fill; NULL where memory is short. */
pdb_move *moves_add(pdb_moves *moves);

#endif
