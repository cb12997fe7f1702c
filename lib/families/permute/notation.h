/* notation.h -- what a person may type for moves: their names, and names that a definition gives besides
 *
 *     rotations:                   sequences:
 *       x: (F U B D)                 M: L' R x'
 *       y: (F L B R)                 Rw: L x
 *
 * A rotation turns the puzzle as a whole: no move, and no new state, for places are those of the puzzle and not of the
 * room around it. It changes what names stand for. Behind the x above, what was in front is up, so U is the turn that F
 * was. The *frame* is that: for each name the one that it stands for, itself in the beginning.
 *
 *     rotation r      frame'[r[n]] = frame[n]
 *
 * A sequence stands for several turns, and is written out where it is typed. One that rotations rename is a turn as
 * they are: `D: U y'` of a cube of which one corner below stays where it is. It is worked out once, as what it does to
 * the places and to the frame that it begins with:
 *
 *     sequence s      frame'[n] = s[frame[n]]
 */
#ifndef FAMILIES_PERMUTE_NOTATION_H
#define FAMILIES_PERMUTE_NOTATION_H

#include "permute.h"

enum {
    NOTATION_MAX_SEQUENCES = 128,
    NOTATION_MAX_ROTATIONS = 16,
    NOTATION_MAX_NAMES = PERMUTE_MAX_MOVES + NOTATION_MAX_SEQUENCES + NOTATION_MAX_ROTATIONS,
    NOTATION_MAX_TURNS = 1 << 16
};

/* Turns one after another: a name's number plus one, negative where it is taken back. */
struct notation_turns {
    int16_t *turn;
    size_t count, room;
};

/* What turns do together. */
struct notation_effect {
    struct permute_move places;
    uint16_t frame[NOTATION_MAX_NAMES];
};

/* A sequence or a rotation. */
struct notation_word {
    char text[PDB_MOVE_TEXT_MAX];
    struct notation_turns turns;   /* of a sequence */
    struct notation_effect effect; /* of a sequence that rotations rename; of a rotation, where each name goes */
};

/* Names are numbered: the moves first, then sequences, then rotations. */
struct permute_notation {
    unsigned names, sequences, rotations;
    unsigned known;                    /* the sequences that can be typed: all, once they are read */
    bool renamed[NOTATION_MAX_NAMES];  /* by a rotation */
    uint16_t base[PERMUTE_MAX_MOVES];  /* a move is so many turns of this one: */
    uint16_t times[PERMUTE_MAX_MOVES]; /* itself, once, or another that rotations rename */
    struct notation_word word[];
};

/* -- notation.c -- */

/* The name that a text begins with, of all that fit the longest; its number, or notation->names for none. */
unsigned notation_find(const struct permute *permute, const char *text, size_t *length);
/* Reads turns, appended to *turns, whose memory is the caller's whatever the status. Errors: PDB_BAD_BOARD,
 * PDB_NO_MEMORY. */
pdb_status notation_read(const struct permute *permute, const char *text, struct notation_turns *turns,
                         pdb_error *error);
/* What turns do one after another. */
void notation_perform(const struct permute *permute, const struct notation_turns *turns,
                      struct notation_effect *effect);

/* -- rotations.c -- */

/* Reads the keys 'rotations' and 'sequences', when the moves have been read. The caller frees *out with notation_free,
 * whatever the status. */
pdb_status notation_make(const struct node *root, struct permute *permute, pdb_error *error);
void notation_free(struct permute_notation *notation);

#endif
