/* palette.h -- which colour a puzzle's symbols have, wherever boards are drawn
 *
 * Symbols of one kind (pdb_symbol_kind) have one colour; what is empty has none. The colours are meant as a cell's
 * ground, with its glyph upon it in palette_ink: so they show on a light and on a dark screen alike, and can be told
 * apart with the usual forms of colour blindness too (they are P. Tol's scheme "muted").
 */
#ifndef QUERY_FORMS_PALETTE_H
#define QUERY_FORMS_PALETTE_H

#include "pdb.h"

#include <stdbool.h>
#include <stdint.h>

enum { PALETTE_SYMBOLS = 256 };

#define PALETTE_NONE UINT32_MAX
#define PALETTE_MARK 0xFF8700u /* of a piece that has just moved: no kind has it */

struct palette {
    uint32_t colour[PALETTE_SYMBOLS]; /* of each symbol, 0xRRGGBB; PALETTE_NONE for what is empty */
};

/* Chooses the colours: what the definition says of a symbol, or what it is called (red, blue), and else
 *   - where every code is the initial of a colour (w r g y o b), that colour; b beside w alone is black;
 *   - where each kind has one place in the goal (numbered tiles, a cube's corners), a colour for each row of the goal,
 *     or for each column of a single row: a solved board shows stripes, and every other board what is out of place;
 *   - else a colour for each kind; what is drawn with lines (box-drawing glyphs: the parts of a frame) is one.
 * A figure of no kind, as a target that lies on the board, has one that shows on an empty cell.
 * None of those that are chosen is near a colour that the definition gives. */
void palette_begin(struct palette *palette, const pdb_puzzle *puzzle);

/* A symbol's colour; PALETTE_NONE for an empty cell and a wall (-1). */
static inline uint32_t palette_colour(const struct palette *palette, int symbol)
{
    return symbol < 0 || symbol >= PALETTE_SYMBOLS ? PALETTE_NONE : palette->colour[symbol];
}

/* Black or white: what is in the greater contrast to a ground of this colour, of 4.5 to 1 at least. */
uint32_t palette_ink(uint32_t colour);

/* The nearest of the colours 16 to 255 that xterm and its like have. */
unsigned palette_xterm(uint32_t colour);

#endif
