/* looks.h -- what a definition says of how a puzzle looks: colours, a legend, exits, bars, shapes, frames
 *
 * These keys change no distance and no board: the digest leaves them out.
 *
 *   colours: {A: red, B: "#4477cc"}       of symbols, as the ground that they are drawn on
 *   legend: {羊: the sheep}               what symbols mean, in words
 *   bars: 1 2 3 4 5                       symbols that are drawn as bars, from the narrowest to the widest
 *   exit: {right: 3}                      where something may leave the board: rows or columns at an edge
 *   shapes: {$: crate, "~": water}        what symbols are drawn as in pictures, in place of tiles
 *   frames: [1 1-4]                       rows and columns of cells that have a frame around them
 *
 * Symbols are those that boards are drawn with; one of a kind stands for all of it.
 */
#ifndef DEFINITION_LOOKS_H
#define DEFINITION_LOOKS_H

#include "colour.h"
#include "lib/board.h"

enum {
    LEGEND_MAX = 48, /* bytes of a symbol's words, with the NUL */
    BARS_MAX = 32,
    FRAMES_MAX = 64
};

/* Cells of the drawn board, the last row and column included. */
struct looks_frame {
    uint8_t top, left, bottom, right;
};

struct puzzle_looks {
    uint32_t colour[BOARD_MAX_SYMBOLS]; /* of each symbol; PDB_NO_COLOUR */
    char legend[BOARD_MAX_SYMBOLS][LEGEND_MAX];
    uint8_t bar[BOARD_MAX_SYMBOLS];       /* how wide, from 1 on; 0 for what is no bar */
    uint8_t bars;                         /* the widest */
    const char *shape[BOARD_MAX_SYMBOLS]; /* of each symbol, a name out of looks_shapes; NULL for a tile */
    struct looks_frame frame[FRAMES_MAX];
    uint8_t frames;
    uint64_t exit[PDB_SIDES]; /* of each side, a bit a row or column, the first one lowest */
};

/* The names of all shapes; NULL ends them. */
extern const char *const looks_shapes[];

/* Reads them for boards that are drawn like this. Errors: PDB_BAD_DEFINITION, at the key or value. */
pdb_status looks_read(const struct node *root, const struct board *drawn, struct puzzle_looks *looks, pdb_error *error);

/* Copies a board's text without the signs of exits, the ends of bars and the lines of frames, which a printed picture
 * may have: blanks stand for them. What is a symbol's code or glyph on one of the boards, a puzzle's own and its
 * picture or NULL, is none. `plain` has room for BOARD_TEXT_MAX bytes; returns it, or the text itself where there are
 * none, or the text is longer. */
const char *looks_without_signs(const struct puzzle_looks *looks, const struct board *const boards[2], const char *text,
                                char *plain);

#endif
