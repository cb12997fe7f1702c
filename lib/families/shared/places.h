/* places.h -- what the families share whose boards have named places: names, and lists of them
 *
 * A definition may call its places by names, drawn as a picture under 'places'; without it they are called 1, 2, 3, ..
 * in reading order. Lists of places are written "a b c" or [a, b, c].
 */
#ifndef FAMILIES_SHARED_PLACES_H
#define FAMILIES_SHARED_PLACES_H

#include "board_definition.h"

struct place_names {
    char name[BOARD_MAX_CELLS][SYMBOL_CODE_MAX];
};

/* Reads the names of a board's places; numbers them where `node` is NULL. */
pdb_status places_read_names(const struct node *node, const struct board *board, struct place_names *names,
                             pdb_error *error);

/* The place with this name, or BOARD_NO_PLACE; the same with a complaint at the byte `offset` of a node. */
uint16_t places_find(const struct board *board, const struct place_names *names, const char *name, size_t length);
pdb_status places_require(const struct board *board, const struct place_names *names, const struct node *node,
                          size_t offset, size_t length, uint16_t *place, pdb_error *error);

/* Has a text more rows than one, behind a slash or the end of a line? Then the first one ends at *end. */
bool places_have_rows(const char *text, size_t *end);

/* A list of places, in a scalar or a sequence, and where each stands, for complaints. */
struct place_list {
    unsigned count;
    uint16_t place[2 * BOARD_MAX_CELLS];
    const struct node *node[2 * BOARD_MAX_CELLS];
    size_t offset[2 * BOARD_MAX_CELLS];
};

pdb_status places_read_list(const struct node *node, const struct board *board, const struct place_names *names,
                            struct place_list *list, pdb_error *error);

/* The same for a list whose neighbours belong together, so that no place may seem to begin a row of its own: behind a
 * slash or the end of a line below a `|`, or as one of several in an entry of a list. */
pdb_status places_read_row(const struct node *node, const struct board *board, const struct place_names *names,
                           struct place_list *list, pdb_error *error);

#endif
