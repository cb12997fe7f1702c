/* group.h -- the group that the moves generate, and indices made of it
 *
 * Where the moves reach far fewer boards than parities and twists leave (the Mathieu group M24 as a puzzle: 2.4 * 10^8
 * of 3.1 * 10^23), coordinates are of no use: there the states are the elements of the group, numbered by its
 * stabilizer chain (chain.c). And where there are too many for any index, a search asks the group which boards can be
 * solved at all.
 */
#ifndef FAMILIES_PERMUTE_GROUP_H
#define FAMILIES_PERMUTE_GROUP_H

#include "permute.h"

typedef uint16_t permute_point;

struct permute_group {
    const struct permute *permute;
    unsigned levels, points;
    permute_point first[BOARD_MAX_CELLS + 1]; /* the point of each place, untwisted */
    permute_point **back;           /* [level * points + point]: an element's inverse, and behind it itself; or NULL */
    unsigned size[BOARD_MAX_CELLS]; /* of each level, the identity counted */
    size_t elements;                /* of all levels, it not counted */
    long double order;              /* of what the chain has */
    bool complete;                  /* the chain is known to have all elements */
};

/* Works the group of the moves out. *out: NULL where permute_fits decides what can be reached, as for most puzzles;
 * then the group is all that the invariants say. Errors: PDB_NO_MEMORY, PDB_NO_DATABASE (it has too many points). The
 * caller frees *out with permute_group_free (which takes NULL too). */
pdb_status permute_group_make(const struct permute *permute, struct permute_group **out, pdb_error *error);
void permute_group_free(struct permute_group *group);

/* Can a goal be reached from a position that fits? Then *element, unless NULL, is one that makes it of the goal: where
 * each point goes. Unknown where the chain may lack elements, or too many would have to be tried for tiles that are
 * alike. */
enum group_answer { GROUP_REACHES_NOT, GROUP_REACHES, GROUP_UNKNOWN };
enum group_answer permute_group_reaches(const struct permute_group *group, const uint8_t *position,
                                        permute_point *element);

/* Does every element make another board of the goal? False, too, where too many would have to be tried. */
bool permute_group_tells_apart(const struct permute_group *group);

/* Of a move: where each point goes. */
void permute_group_of_move(const struct permute_group *group, const struct permute_move *move, permute_point *to);

/* -- chain.c -- */

struct permute_chain;
/* Where the group is far smaller than what the coordinates number, or these number nothing, numbers its elements: then
 * the puzzle's functions on indices are the chain's, and permute->chain is not NULL. Error: PDB_NO_MEMORY. */
pdb_status permute_chain_make(struct permute *permute, pdb_error *error);
void permute_chain_free(struct permute_chain *chain);
/* Refuses a board of which it cannot be told whether it has a number: PDB_BAD_BOARD. */
pdb_status permute_chain_check(const struct permute *permute, const uint8_t *position, pdb_error *error);

#endif
