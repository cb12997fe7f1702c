/* heading.h -- the keys that every definition has: what the puzzle is called, and which family reads the rest */
#ifndef DEFINITION_HEADING_H
#define DEFINITION_HEADING_H

#include "definition.h"

enum { PUZZLE_NAME_MAX = 64 };

/* Can a puzzle, or a board of one, be called this? */
bool heading_allows(const char *name);

/* Which of the families it is for: `names` ends with NULL, *chosen is a place in it. Errors: PDB_BAD_DEFINITION. */
pdb_status heading_family(const struct node *root, const char *const names[], unsigned *chosen, pdb_error *error);

/* Complains about the first key that is neither one of `common` nor one of `keys` (both end with NULL). */
pdb_status heading_check_keys(const struct node *root, const char *const common[], const char *const keys[],
                              pdb_error *error);

/* Reads the name, and the title into memory that the caller frees: "" where there is none. Errors: PDB_BAD_DEFINITION,
 * PDB_NO_MEMORY. */
pdb_status heading_read(const struct node *root, char name[PUZZLE_NAME_MAX + 1], char **title, pdb_error *error);

#endif
