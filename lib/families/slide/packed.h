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
 * Packed like that are boards of up to 64 places whose fields take up to 62 bits; others as wide.h has it. Tables of
 * keys have ranks (keys.c) wherever there are ranks: they are smaller, and any board has one.
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
    bool single;                   /* a list of one piece */
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
    uint64_t near[PACKED_PLACES];                    /* by place on the board: the numbers that a step from enters it */
    uint64_t down[PACKED_PLACES], up[PACKED_PLACES]; /* straight: entered by a step to the number before, behind */
};

struct packed {
    unsigned fields;
    uint64_t board;         /* all places */
    uint64_t empty_in_goal; /* places that the goal wants empty */
    bool goal_possible;     /* every piece of the goal can ever be there */
    uint64_t piece_orders;  /* of all pieces, empty cells left out; 0: too many for sequences to be ranked by those */
    uint64_t pieces_of[SLIDE_MAX_KINDS]; /* pieces numbered kind by kind: those of a kind */
    bool quick;                          /* the processor counts bits */
    uint64_t inverse[PACKED_PLACES + 1]; /* of a number's odd part, modulo 2^64 */
    uint64_t choose[PACKED_PLACES + 1][PACKED_PLACES + 1];
    bool different; /* no two pieces are alike: then what comes before a piece, by the pieces left and the things
                     * behind it, are these orders with an empty cell, and so many for each piece left of a smaller
                     * class */
    struct packed_before {
        uint64_t empty, piece;
    } before[PACKED_PLACES + 1][PACKED_PLACES + 1];
    struct packed_field field[];
};

/* The places of a field's pieces, as a set of their numbers. */
static inline uint64_t packed_numbers(const struct packed_field *field, uint64_t key)
{
    uint64_t rest = (key & field->mask) >> field->shift, set = 0;
    if (!field->list)
        return rest;
    for (unsigned i = 0; i < field->count; i++, rest >>= field->bits)
        set |= (uint64_t)1 << (rest & (((uint64_t)1 << field->bits) - 1));
    return set;
}

/* Takes the next number, ascending, from what is left of a field's list or set; the last one there can be from a set
 * that is empty, as in a key that is no board's. */
static inline unsigned packed_take(const struct packed_field *field, uint64_t *left)
{
    const unsigned number = (unsigned)(field->list ? *left & (((uint64_t)1 << field->bits) - 1)
                                                   : (uint64_t)__builtin_ctzll(*left | (uint64_t)1 << 63));
    *left = field->list ? *left >> field->bits : *left & (*left - 1);
    return number;
}

/* What the field's pieces cover. */
static inline uint64_t packed_covered(const struct packed_field *field, uint64_t key)
{
    uint64_t covered = 0, left = (key & field->mask) >> field->shift;
    if (field->single)
        return field->cells[left];
    for (unsigned i = 0; i < field->count; i++)
        covered |= field->cells[packed_take(field, &left)];
    return covered;
}

/* The key after the i-th piece of the field's list went from number `from` to number `to`: the numbers in between move
 * up or down by one place in the list, for it stays ascending. */
static inline uint64_t packed_move_in_list(const struct packed_field *field, uint64_t key, unsigned i, unsigned to)
{
    const unsigned bits = field->bits;
    const uint64_t one = ((uint64_t)1 << bits) - 1;
    const uint64_t list = (key & field->mask) >> field->shift;
    const uint64_t below = list & (((uint64_t)1 << i * bits) - 1);
    const uint64_t others = below | list >> (i + 1) * bits << i * bits;
    unsigned at = 0; /* its new place in the list */
    while (at + 1 < field->count && (others >> at * bits & one) < to)
        at++;
    const uint64_t before = others & (((uint64_t)1 << at * bits) - 1);
    const uint64_t moved = before | (uint64_t)to << at * bits | others >> at * bits << (at + 1) * bits;
    return (key & ~field->mask) | moved << field->shift;
}

/* -- sequence.c -- */

/* What is at each place: the sequence of keys.c. One of zeros has no piece yet. */
struct packed_sequence {
    uint64_t firsts, covered; /* the pieces' first cells; all of their cells */
    uint8_t kind[PACKED_PLACES];
};

/* Adds a field's pieces, by the set of their numbers. */
static inline void packed_sequence_add(struct packed_sequence *sequence, const struct packed_field *field,
                                       uint64_t numbers)
{
    for (; numbers != 0; numbers &= numbers - 1) {
        const unsigned number = (unsigned)__builtin_ctzll(numbers);
        sequence->kind[field->place[number]] = field->kind;
        sequence->firsts |= (uint64_t)1 << field->place[number];
        sequence->covered |= field->cells[number];
    }
}

void packed_sequence_prepare(const struct slide *slide, struct packed *packed);

/* What is known of a sequence at one of its pieces, by all that stands before it: the rank so far, the orders of the
 * pieces still to come, and which these are, kind by kind. */
struct packed_rank {
    uint64_t rank, orders, there;
};

static inline struct packed_rank packed_rank_begin(const struct packed *packed, unsigned pieces)
{
    return (struct packed_rank){.orders = packed->piece_orders,
                                .there = pieces < 64 ? ((uint64_t)1 << pieces) - 1 : UINT64_MAX};
}

/* Goes on by a piece of a kind: with it `pieces` are left, and behind it so many things. */
static inline void packed_rank_add(const struct packed *packed, struct packed_rank *now, unsigned kind, unsigned pieces,
                                   unsigned after)
{
    const uint64_t of_kind = packed->pieces_of[kind], alike = now->there & of_kind;
    const uint64_t smaller = (uint64_t)__builtin_popcountll(now->there & ((of_kind & -of_kind) - 1)),
                   same = (uint64_t)__builtin_popcountll(alike);
    const unsigned shift = (unsigned)__builtin_ctz(pieces);
    now->rank += packed->choose[after][pieces] * now->orders +
                 packed->choose[after][pieces - 1] * ((now->orders * smaller >> shift) * packed->inverse[pieces]);
    now->orders = (now->orders * same >> shift) * packed->inverse[pieces];
    now->there ^= alike & -alike;
}

/* The rank of a whole sequence, which slide_key gives for its map. */
uint64_t packed_sequence_rank(const struct slide *slide, const struct packed_sequence *sequence);

/* Sequences that are ranked one after another, each from where it differs from the one before: `at` has what is known
 * of the last one at each of its pieces. */
struct packed_ranks {
    struct packed_sequence sequence;
    struct packed_rank at[PACKED_PLACES];
};

/* The rank of ranks->sequence, which has as many pieces as the last one, and the same before place `from`, and some at
 * or behind it; 0 for the first one. */
uint64_t packed_rank_next(const struct slide *slide, struct packed_ranks *ranks, unsigned from);

#endif
