/* pictures.h -- how states look, and states that are typed
 *
 *   pictures.c   what a state shows on each place of the picture that the key `draw` describes, and what it does not
 *   typed.c      states that are typed: as such a picture, or as on[2]=B
 */
#ifndef FAMILIES_RULES_PICTURES_H
#define FAMILIES_RULES_PICTURES_H

#include "lib/families/rules/rules.h"

/* The symbol of the picture's board that a state shows on one of its places. */
uint8_t picture_symbol(const struct rules *rules, const int32_t *state, unsigned place);

/* Finds out which drawn arrays are conserved. Where memory is short rules->dag says so. */
void picture_find_conserved(struct rules *rules);

/* Are a state's values of an array those of the starts, but for their order? For a conserved one. */
bool picture_conserves(const struct rules_variable *variable, const int32_t *state);

/* position.hidden, show and parse of the family. */
void rules_hidden(const struct puzzle *puzzle, const uint8_t *position, char *text);
uint8_t rules_show(const struct puzzle *puzzle, const uint8_t *position, unsigned place);
pdb_status rules_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known, pdb_error *error);

#endif
