/* ksolve.h -- the room's own: definitions in the format of KSolve and twsearch (ksolve.c, ksolve_write.c)
 *
 *     Name skewb                   Set CORNER 4 3          places of one sort, and how many ways a piece stands there
 *     Solved                       Move F                  MoveSequence M L R'     other moves, one after another
 *     CORNER                       CORNER                  MoveAlias R2w r2        another name of one
 *     1 2 3 4                      2 3 1 4                 # a comment
 *     0 0 0 0                      0 1 0 2
 *     End                          End
 *
 * In `Solved` the first row says which piece is on each place (those with one number are alike), the second how it is
 * turned; `?` is a piece of which that does not count. In a move the first row says for each place which one its piece
 * comes from; the second how pieces are turned, in the order of the places that they come *from*. StartState and
 * MoveTransformation are the same with pieces and places counted from 0, and turns in the order of the places that
 * pieces come *to*. A row or a set that is left out has every piece at home and none turned. Any power of a move is a
 * move; x, y, z and names like URv turn the whole puzzle: sequences may use them, and they are no moves. A move that
 * does the same as some power of one before it is another name of that.
 *
 * ksolve.c reads that into the struct below, and ksolve_write.c writes it again as a definition of the family permute.
 */
#ifndef DEFINITION_KSOLVE_H
#define DEFINITION_KSOLVE_H

#include "definition.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    KSOLVE_SETS = 52,    /* a letter each */
    KSOLVE_PLACES = 256, /* in all sets together */
    KSOLVE_NAME = 40,    /* bytes, with the NUL: of moves and sets */
    KSOLVE_ANY_TURN = UINT8_MAX
};

struct ksolve_set {
    char name[KSOLVE_NAME];
    unsigned size, modulus, first; /* how many places; ways to turn; the first one's number among all places */
};

/* Of each place, which piece is on it, or the number of the place that it comes from; and how it is turned as it stands
 * there. */
struct ksolve_state {
    uint16_t piece[KSOLVE_PLACES];
    uint8_t turn[KSOLVE_PLACES];
};

struct ksolve_move {
    char name[KSOLVE_NAME];
    size_t line; /* counted from 0, as all lines here */
    bool unseen; /* it turns the whole puzzle, or is another name: no move */
    struct ksolve_state change;
};

struct ksolve {
    char name[KSOLVE_NAME];
    size_t name_line, solved_line;
    unsigned sets, places, moves;
    struct ksolve_set set[KSOLVE_SETS];
    unsigned modulus[KSOLVE_PLACES]; /* of each place */
    struct ksolve_state solved;
    struct ksolve_move *move;
};

/* Reads a text. The caller frees ksolve->move, whatever the status. Errors: PDB_BAD_DEFINITION, at its line, also where
 * the file asks for what no permutation puzzle has; PDB_NO_MEMORY. */
pdb_status ksolve_read(const char *name, const char *text, struct ksolve *ksolve, pdb_error *error);

/* *both: first itself, then `next`. */
void ksolve_compose(const struct ksolve *ksolve, struct ksolve_state *both, const struct ksolve_state *next);

/* A definition's text, and for each line of it the one that it stands for. The caller frees both. */
struct ksolve_text {
    char *text;
    size_t length;
    size_t *line;
    size_t lines;
};

/* Writes it; `name` is the file's, which the puzzle is called after. The caller frees what is in *out, whatever the
 * status. Errors: PDB_BAD_DEFINITION (turns that do not count, of some pieces in an orbit only), PDB_NO_MEMORY. */
pdb_status ksolve_write(const char *name, const struct ksolve *ksolve, struct ksolve_text *out, pdb_error *error);

/* A complaint about a line; returns PDB_BAD_DEFINITION. */
__attribute__((format(printf, 4, 5))) pdb_status ksolve_refuse(pdb_error *error, const char *name, size_t line,
                                                               const char *format, ...);

#endif
