/* layout.h -- states as keys, as positions, and as they are laid out on a board */
#ifndef FAMILIES_RULES_LAYOUT_H
#define FAMILIES_RULES_LAYOUT_H

#include "rules.h"

/* Fills rules->layout. */
void layout_make(struct rules *rules);

/* Gives the board a place for each element, a row for each variable where there is room, and a symbol for each value.
 * Errors, at the node: PDB_BAD_DEFINITION (a name too long for a symbol, too many of them), PDB_NO_MEMORY. */
pdb_status layout_board(struct rules *rules, const struct node *node, pdb_error *error);
void layout_free(struct rules *rules);

uint64_t layout_key(const struct rules *rules, const int32_t *state);
/* Any key below layout.keys: a digit that is past its range counts as the greatest. */
void layout_state(const struct rules *rules, uint64_t key, int32_t *state);
void layout_position(const struct rules *rules, const int32_t *state, uint8_t *position);
/* False where a symbol is no value of its variable: *element is which. */
bool layout_read(const struct rules *rules, const uint8_t *position, int32_t *state, unsigned *element);

#endif
