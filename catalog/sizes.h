/* sizes.h -- what the built-in puzzles whose names say more than which one have in common, for this room alone
 *
 * sizes.c has boards and equations, rules.c puzzles whose moves are written as rules, sokoban.c levels from a file,
 * cards.c boards that are typed or in a file.
 */
#ifndef CATALOG_SIZES_H
#define CATALOG_SIZES_H

#include "catalog.h"

#include <stdio.h>

/* A number in plain decimal at *text, which is moved behind it; what is past `most` is some number past it. False where
 * there is none, or one with a leading zero. `most` is at most a million. */
bool sized_number(const char **text, unsigned most, unsigned *number);

/* A name of at most PUZZLE_NAME_MAX bytes for one that may be longer and has room for as many: it keeps its beginning
 * then, and ends in a digest of all of it. */
void sized_shorten(char *name);

/* Begins a text in memory, and ends it. Errors: PDB_NO_MEMORY; *text is NULL then. */
pdb_status sized_open(FILE **out, char **text, size_t *length, pdb_error *error);
pdb_status sized_close(FILE *out, char **text, pdb_error *error);

/* Numbered tiles in order, the empty cell last: the definition of tiles-ROWSxCOLUMNS, without its name. Its board
 * `start` has these numbers (0: the empty cell); NULL: one that the goal is near enough to. */
void sized_write_tiles(FILE *out, const unsigned *start, unsigned rows, unsigned columns);

/* Each kind has three functions as those of catalog.h: is the word made like such a name? Its definition; and how such
 * names are made. */
bool rules_is_sized(const char *word);
pdb_status rules_sized_text(const char *word, char **text, pdb_error *error);
bool rules_sized_pattern(size_t i, const char **pattern, const char **title);

bool sokoban_is_sized(const char *word);
pdb_status sokoban_sized_text(const char *word, char **text, pdb_error *error);
bool sokoban_sized_pattern(size_t i, const char **pattern, const char **title);

bool cards_is_sized(const char *word);
pdb_status cards_sized_text(const char *word, char **text, pdb_error *error);
bool cards_sized_pattern(size_t i, const char **pattern, const char **title);

#endif
