/* assignment.h -- how far the pieces of a board are from where they belong, each as if it were alone: a lower bound
 *
 * Where every move moves one piece, the moves of a solution are the sum of the moves of its pieces, and a piece needs
 * no more of them alone on the board than among others. Pieces that are interchangeable are a *group*. A goal names a
 * place for each of them, or for some; the others may end on any place that the goal leaves open to them. Whichever
 * piece goes where, the sum is no less than that of the cheapest way to give every piece of the group one of these ends
 * (lib/search/board/matching.h).
 *
 * A group's ends are its *columns*: the named places in ascending order, and one more where pieces are left over. A
 * table has the moves from every place to each:
 *
 *     far[group.first + place * group.columns + column]
 *
 * A piece that stands on a named place of its group may be taken to stay. For let p stand on t but go to u, and q go to
 * t: then q can go to u instead, by way of t if need be, and p stay, which costs no more. So only the others have to be
 * matched, mostly few.
 */
#ifndef FAMILIES_SHARED_ASSIGNMENT_H
#define FAMILIES_SHARED_ASSIGNMENT_H

#include "lib/board.h"

enum { ASSIGNMENT_MAX_GROUPS = 255 };

/* Interchangeable pieces. */
struct assignment_group {
    uint8_t symbol;         /* what stands on a piece's place, on boards and in the goal */
    uint16_t pieces, named; /* how many there are, and have a place named for them */
    uint16_t columns;
    uint32_t first;
};

/* What a family says of its pieces. */
struct assignment_rules {
    const void *context;
    unsigned places, groups;
    struct assignment_group group[ASSIGNMENT_MAX_GROUPS]; /* symbol and pieces of each */
    const uint8_t *goal;                                  /* on each place the symbol of a group, or something else */
    bool one_go;                                          /* a move takes a piece any number of steps */
    /* Writes down the places from which a piece of the group reaches `place` by one step, alone on the board; returns
     * how many they are, at most BOARD_MAX_CELLS. */
    unsigned (*sources)(const void *context, unsigned group, unsigned place, uint16_t *source);
    /* May a piece of the group, with no place named for it, end on this place? */
    bool (*may_end)(const void *context, unsigned group, unsigned place);
};

struct assignment {
    unsigned places, groups, shared;  /* the first `shared` groups have more than one piece */
    struct assignment_group *group;   /* in the order of the rules otherwise */
    uint8_t group_of[256];            /* by symbol; ASSIGNMENT_MAX_GROUPS for none */
    uint8_t home[BOARD_MAX_CELLS];    /* the group for which a place is named; ASSIGNMENT_MAX_GROUPS for none */
    uint16_t column[BOARD_MAX_CELLS]; /* and its column there */
    uint16_t *far;                    /* MATCHING_NEVER where there is no way */
};

/* Makes the tables. `rules` is needed no longer afterwards. Error: PDB_NO_MEMORY. assignment_free frees them, zeros
 * too. */
pdb_status assignment_make(const struct assignment_rules *rules, struct assignment *assignment, pdb_error *error);
void assignment_free(struct assignment *assignment);

/* The bound of a board (places of them): BOUND_NEVER where some piece has nowhere to go. It is 0 for goals alone. */
uint16_t assignment_bound(const struct assignment *assignment, const uint8_t *board);

#endif
