/* packed.h -- sliding pieces without a dense ranking: keys that are boards
 *
 * The search of a whole space lives on keys of this form. A key has a field for each kind of pieces. What a piece of
 * that kind can do is known beforehand: the places that it can ever stand in, setting out from the named boards, are
 * numbered in reading order. A car's are those of its line that the cars beside it in that line, which it cannot pass,
 * leave; a piece that goes anywhere is taken to be alone on the board. A field is one of
 *
 *   set     a bit for each such place: is a piece there?
 *   list    the numbers of its pieces' places, ascending, a few bits each
 *
 * whichever is shorter. A move changes one field. What a piece covers, where a step takes it and what has to be free
 * for that are tables, made once; a state's moves are a few masks for each piece.
 *
 * Packed are boards of up to 64 places whose fields take up to 62 bits. The search of others lives on ranks (keys.c),
 * which is what tables of keys have wherever there are ranks: they are smaller, and any board has one.
 */
#ifndef FAMILIES_SLIDE_PACKED_H
#define FAMILIES_SLIDE_PACKED_H

#include "slide.h"

enum { PACKED_PLACES = 64, PACKED_NOWHERE = 255 };

/* One kind's field, and what its pieces do. Tables by the number of a place. */
struct packed_field {
    uint8_t kind, count;
    uint8_t places;      /* how many there are */
    uint8_t shift, bits; /* of the field; bits of one number where it is a list, 1 where it is a set */
    bool list;
    bool straight;                 /* one piece whose places lie in a line, so that a step changes the field by one */
    uint64_t mask;                 /* all of the field, at its shift */
    uint64_t goal;                 /* the places where the goal has such a piece */
    uint8_t place[PACKED_PLACES];  /* on the board */
    uint8_t number[PACKED_PLACES]; /* of a place on the board; PACKED_NOWHERE */
    uint64_t cells[PACKED_PLACES]; /* what a piece there covers: a bit for each place of the board */
    /* By direction (up, left, right, down): what the piece covers after a step and did not before, all bits where it
     * cannot go; what of the key a step changes, where the field is no list of several; and the place it leads to. All
     * that it covers after a step and did not before. */
    struct packed_step {
        uint64_t entered;
        uint64_t flip;
    } step[PACKED_PLACES][4];
    uint8_t to[PACKED_PLACES][4];
    uint64_t around[PACKED_PLACES];
    uint64_t down[PACKED_PLACES], up[PACKED_PLACES]; /* straight: entered by a step to the number before, behind */
};

struct packed {
    unsigned fields;
    uint64_t board;         /* all places */
    uint64_t empty_in_goal; /* places that the goal wants empty */
    bool goal_possible;     /* every piece of the goal can ever be there */
    struct packed_field field[];
};

#endif
