/* net.h -- a permutation puzzle's tiles as stickers: what a person sees of them
 *
 *     net:
 *       stickers: |      the stickers of the places, laid out: b is place b's number 0, b+1 its number 1;
 *         a   b+1        * is one that no move takes anywhere
 *         b   *
 *       colours: |       what is on them when the puzzle is solved
 *         W   R
 *         W   W
 *       shape: squares   or triangles, diamonds
 *
 * A tile is turned by one where it shows each of its stickers on the next number of its place: with f stickers and
 * twists modulo k, a tile twisted t shows its sticker i on the place's number (i + t * f/k) mod f. One sticker alone
 * stays where it is.
 *
 * The net is the puzzle's picture (lib/puzzle.h), whose symbols are the colours; it can be typed as a board, too: a
 * tile is then known by its stickers.
 */
#ifndef FAMILIES_PERMUTE_NET_H
#define FAMILIES_PERMUTE_NET_H

#include "permute.h"

enum { NET_MAX_STICKERS = 16 }; /* of a place */

struct permute_net {
    struct board board;                /* the stickers, as places; colours, as symbols */
    uint16_t place[BOARD_MAX_CELLS];   /* of the puzzle, that a sticker is on; BOARD_NO_PLACE for one that stays */
    uint8_t number[BOARD_MAX_CELLS];   /* there */
    uint8_t solved[BOARD_MAX_CELLS];   /* its colour in the goal, or where that is open, on the definition's board */
    uint8_t stickers[BOARD_MAX_CELLS]; /* of a place of the puzzle */
    uint8_t stickers_of[BOARD_MAX_SYMBOLS];              /* of each tile, as many as its places have */
    uint8_t colour[BOARD_MAX_SYMBOLS][NET_MAX_STICKERS]; /* of each tile, by its stickers */
};

/* Reads the key, when everything else of the definition has been read; *net is NULL where there is none, and else the
 * caller's to free. */
pdb_status permute_read_net(const struct node *node, const struct permute *permute, struct permute_net **net,
                            pdb_error *error);

/* The colour that a position shows on a sticker. */
uint8_t permute_net_show(const struct puzzle *puzzle, const uint8_t *position, unsigned sticker);

/* Reads a board that is typed as a net (lib/puzzle.h, position.parse). */
pdb_status permute_net_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known,
                             pdb_error *error);

#endif
