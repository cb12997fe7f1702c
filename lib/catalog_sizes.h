/* catalog_sizes.h -- built-in puzzles of any size, whose names have the size in them: lights-out-5x6
 *
 * Each is a template: a name to which -ROWSxCOLUMNS is added, and a function that writes the definition of that size.
 * What it writes is read as a file would be.
 */
#ifndef LIB_CATALOG_SIZES_H
#define LIB_CATALOG_SIZES_H

#include "error.h"

/* Is the word the name of a puzzle of some size? Then *text is its definition, to be freed by the caller; else it is
 * NULL, with PDB_OK. Errors: PDB_UNKNOWN_PUZZLE (a template's name with a size that is none, or too large),
 * PDB_NO_MEMORY. Thread-safe. */
pdb_status catalog_sized_text(const char *word, char **text, pdb_error *error);

#endif
