/* colour.h -- colours that a definition names */
#ifndef DEFINITION_COLOUR_H
#define DEFINITION_COLOUR_H

#include "definition.h"

/* A scalar as a colour, 0xRRGGBB: one of CSS's names (red, SteelBlue), #rrggbb or #rgb. Errors: PDB_BAD_DEFINITION, at
 * the node, with the nearest name where one is near. */
pdb_status node_as_colour(const struct node *node, uint32_t *colour, pdb_error *error);

#endif
