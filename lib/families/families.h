/* families.h -- the families there are, by name
 *
 * The only header of the families that others see: catalog/ finds the family of a definition here. Whoever searches or
 * asks knows the contract (lib/puzzle.h) and no family.
 */
#ifndef FAMILIES_FAMILIES_H
#define FAMILIES_FAMILIES_H

#include "lib/puzzle.h"

extern const struct family peg_family;
extern const struct family place_family;
extern const struct family slide_family;
extern const struct family flip_family;
extern const struct family walk_family;
extern const struct family permute_family;
extern const struct family rules_family;

/* All of them, ending with NULL. */
extern const struct family *const families[];

#endif
