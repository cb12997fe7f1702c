/* layout.h -- states as keys, as positions, and as they are laid out on a board */
#ifndef FAMILIES_RULES_LAYOUT_H
#define FAMILIES_RULES_LAYOUT_H

#include "rules.h"

enum { ELEMENT_TEXT_MAX = 4 * (NAME_MAX_BYTES + 1) };

/* What an element is called: on[2]. Returns text[ELEMENT_TEXT_MAX]. */
const char *layout_element_text(const struct rules *rules, unsigned element, char *text);

/* Fills rules->layout, from the elements and the ground moves. Errors: PDB_NO_MEMORY. */
pdb_status layout_make(struct rules *rules, pdb_error *error);

/* Gives the board a place for each element, a row for each variable where there is room, and a symbol for each value.
 * Errors, at the node: PDB_BAD_DEFINITION (a name too long for a symbol, too many of them), PDB_NO_MEMORY. */
pdb_status layout_board(struct rules *rules, const struct node *node, pdb_error *error);
/* Adds symbols for the values of a set to a board; *out has that of each from the least on, BOARD_OPEN for what is none
 * of them. The caller frees it, whatever the status. Errors: PDB_BAD_DEFINITION, at the node (a name too long for a
 * symbol, too many of them), PDB_NO_MEMORY. */
pdb_status layout_symbols(const struct rules *rules, uint32_t values, struct board *board, uint8_t **out,
                          const struct node *node, const char *of_what, pdb_error *error);
/* The first start, with the first value where it is open. */
void layout_start(const struct rules *rules, int32_t *state);
void layout_free(struct rules *rules);

uint64_t layout_key(const struct rules *rules, const int32_t *state);
/* Any key below layout.keys: a digit that is past its range counts as the greatest. */
void layout_state(const struct rules *rules, uint64_t key, int32_t *state);
/* The same of wide keys, any; keys that are not stand in word 0. */
struct wide_key layout_wide_key(const struct rules *rules, const int32_t *state);
void layout_wide_state(const struct rules *rules, struct wide_key key, int32_t *state);
/* An element's digit in the word of a key that it belongs to. */
static inline uint64_t layout_digit(const struct rules_layout *layout, uint64_t word, uint32_t element)
{
    return layout->shifts ? word >> layout->shift[element] & (layout->radix[element] - 1)
                          : word / layout->weight[element] % layout->radix[element];
}
void layout_position(const struct rules *rules, const int32_t *state, uint8_t *position);
/* The same of a key that is no state's: it may have a value between a list's, and shows another then. */
void layout_show(const struct rules *rules, const int32_t *state, uint8_t *position);
/* False where a symbol is no value of its variable: *element is which. */
bool layout_read(const struct rules *rules, const uint8_t *position, int32_t *state, unsigned *element);

#endif
