/* sizes.h -- built-in puzzles whose names say more than which one: lights-out-5x6, queens-8,
 * alphametic:SEND+MORE=MONEY
 *
 * Each is a template: a name to which -ROWSxCOLUMNS or -N is added, and a function that writes the definition of that
 * size. What it writes is read as a file would be. An alphametic has an equation instead of a size, and a base before
 * it if that is not ten: alphametic-16:EQUATION. Its puzzle is named after the equation in capitals,
 * alphametic-SEND-plus-MORE-is-MONEY, so that two equations never share a database; a name that would be too long ends
 * in a digest of it.
 */
#ifndef CATALOG_SIZES_H
#define CATALOG_SIZES_H

#include "lib/error.h"

#include <stdbool.h>
#include <stddef.h>

/* Is the word the name of such a puzzle? Then *text is its definition, to be freed by the caller; else it is
 * NULL, with PDB_OK. Errors: PDB_UNKNOWN_PUZZLE (a template's name with a size that is none, or too large;
 * an equation that is none), PDB_NO_MEMORY. Thread-safe. */
pdb_status catalog_sized_text(const char *word, char **text, pdb_error *error);

/* How the i-th such name is made, in capitals what is to be filled in ("lights-out-RxC", "queens-N", "alphametic:SUM"),
 * and the title; false past the last. Thread-safe. */
enum { CATALOG_PATTERN_MAX = 32 };
bool catalog_sized_pattern(size_t i, char pattern[CATALOG_PATTERN_MAX], const char **title);

/* Is the word made like such a name? No text that anybody typed has the lines of its definition then. */
bool catalog_is_sized(const char *word);

#endif
