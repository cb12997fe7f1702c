/* ground.h -- parameters, lets and loops written out: a definition's terms become nodes */
#ifndef FAMILIES_RULES_GROUND_H
#define FAMILIES_RULES_GROUND_H

#include "lib/families/rules/rules.h"

/* Makes rules->dag and rules->ground of what was read. Errors: PDB_BAD_DEFINITION, at what can never be right: an index
 * outside its set, a division by zero, a value outside a variable's range, a cost below 0, a move that can never apply,
 * a value that may be too large; loops that come to too much; PDB_NO_MEMORY. rules_ground_free in any case. */
pdb_status rules_ground(struct rules *rules, pdb_error *error);
void rules_ground_free(struct rules *rules);

#endif
