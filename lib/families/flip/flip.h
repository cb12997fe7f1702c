/* flip.h -- buttons that change cells: the room's header, where to begin
 *
 * Here lives what is particular about such puzzles: their definitions (definition.c, buttons.c), and how their boards
 * are numbered (algebra.h, index.c). Shortest presses for one board without a database have a room of their own,
 * search/. Nothing here knows other families, databases or programs; the searches know the puzzle by its contract
 * alone.
 *
 * Every cell has a value 0 .. k-1, and every move adds fixed amounts modulo k to some cells. The order of presses does
 * not matter, so the boards that can be reached form a coset: those from which a goal can be reached are
 *
 *     goal + span(what the moves add, and a 1 on every cell that is open in the goal)
 *
 * and algebra.h numbers a span without gaps. So before any search it is known which boards can be solved, how many
 * there are, and the index of each:
 *
 *     index = c_0 w_0 + c_1 w_1 + ..     c_j the digits of (board - goal), w_j the product of the radices before
 *
 * For k = 2 that is a bit for each pivot cell, and a move is an XOR. Otherwise a move adds to every digit modulo its
 * radix, without a carry. To be quick at that, digits are taken together into *groups* of at most 256 joint values: a
 * move turns a group from each value to one that is looked up.
 *
 * A colouring is a sum of digits modulo 2 that is 1 for every move and 0 for every open cell: some more linear
 * equations.
 */
#ifndef FAMILIES_FLIP_FLIP_H
#define FAMILIES_FLIP_FLIP_H

#include "lib/definition/picture.h"
#include "lib/puzzle.h"
#include "algebra.h"

enum {
    FLIP_MAX_VALUES = SPAN_MAX_MODULUS,
    FLIP_MAX_BUTTONS = 1024,
    FLIP_MAX_DIGITS = 62, /* that an index can have: each has a radix of 2 at least */
    FLIP_GROUP_VALUES = 256,
    FLIP_MAX_GROUPS = 16 /* any but the last takes more than 16 values, and 62 bits are fewer than 17^16 */
};

struct flip_move {
    char piece[PDB_CODE_MAX];
    char text[PDB_MOVE_TEXT_MAX];
    uint16_t cell; /* that is pressed; PDB_NO_CELL: the button is none */
};

struct flip_group {
    uint8_t first, digits; /* digits first .. first+digits-1 */
    uint16_t values;       /* the product of their radices */
    uint64_t weight;       /* of the group's value in the index */
};

struct flip {
    struct puzzle puzzle;

    unsigned values; /* k */
    unsigned moves;
    struct flip_move *move;
    uint8_t *change;                 /* moves * places: what a move adds to each place */
    uint8_t origin[BOARD_MAX_CELLS]; /* the goal, 0 where it is open: the board of index 0 */

    struct span span;
    unsigned groups;
    struct flip_group group[FLIP_MAX_GROUPS];
    uint64_t *toggle;     /* k = 2: what a move turns over in an index */
    uint8_t *forward;     /* other k, moves * groups * FLIP_GROUP_VALUES: what a move turns a group's value to, */
    uint8_t *backward;    /* and the value that it comes from */
    uint64_t parity_mask; /* the digits whose sum is the colour */
    uint8_t colour[FLIP_MAX_GROUPS][FLIP_GROUP_VALUES]; /* a group value's part of it */
};

/* -- definition.c: reads the definition into everything of *flip above `span`, and the board -- */
pdb_status flip_read(const struct definition *definition, struct flip *flip, pdb_error *error);

/* -- buttons.c: reads the buttons, by 'around' or 'buttons', into the moves; the board is known -- */
pdb_status flip_read_buttons(const struct node *root, struct flip *flip, pdb_error *error);

/* -- index.c -- */

/* Finds the span, sets the indices up, and finds the colouring; for more than 2^62 boards there are none (`states` is
 * 0). PDB_NO_MEMORY. */
pdb_status flip_index_make(struct flip *flip, pdb_error *error);
void flip_index_free(struct flip *flip);

/* As the contract has them. */
bool flip_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index);
void flip_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position);

/* -- search/search.c: the family's searcher -- */
extern const struct searcher_class flip_searcher_class;

/* The value of each group in an index. */
static inline void flip_groups(const struct flip *flip, uint64_t index, uint8_t value[FLIP_MAX_GROUPS])
{
    for (unsigned w = 0; w < flip->groups; w++) {
        value[w] = (uint8_t)(index % flip->group[w].values);
        index /= flip->group[w].values;
    }
}

static inline const uint8_t *flip_change(const struct flip *flip, unsigned move)
{
    return flip->change + (size_t)move * flip->puzzle.board.places;
}

#endif
