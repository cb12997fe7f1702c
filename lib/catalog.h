/* catalog.h -- the built-in puzzles: the files under puzzles/, compiled in, and those of any size (catalog_sizes.h) */
#ifndef LIB_CATALOG_H
#define LIB_CATALOG_H

#include "puzzle.h"

/* The built-in names, in alphabetical order, ending with NULL; those with a size in them (lights-out-5x6) are not
 * listed. */
extern const char *const catalog_names[];

/* The text of a built-in definition and its length in bytes; NULL where there is none of this name. */
const char *catalog_text(const char *name, size_t *length);

/* The puzzle that a built-in name or the path of a definition file stands for. A word with a slash or ending in .yaml
 * or .yml is a path; any other word is a built-in name, or else a file of that name. Errors: PDB_UNKNOWN_PUZZLE (with
 * the nearest name), and those of definition_read and puzzle_create. The caller frees *out with puzzle_free.
 * Thread-safe. */
pdb_status catalog_load(const char *name_or_path, struct puzzle **out, pdb_error *error);

#endif
