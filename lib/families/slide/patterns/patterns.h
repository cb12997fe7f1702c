/* patterns.h -- choosing patterns of different tiles and writing them down: the parts to one another */
#ifndef FAMILIES_SLIDE_PATTERNS_PATTERNS_H
#define FAMILIES_SLIDE_PATTERNS_PATTERNS_H

#include "table.h"

/* -- patterns.c -- */

/* Reads partitions and adds them to *patterns. On PDB_BAD_DEFINITION *offset is the byte of the text that the message is
 * about. */
pdb_status patterns_parse(const struct tiles *tiles, const char *text, struct tiles_patterns *patterns, size_t *offset,
                          pdb_error *error);

/* Writes them; false where the text is too long. */
bool patterns_format(const struct tiles *tiles, const struct tiles_patterns *patterns, char text[PATTERNS_TEXT_MAX]);

/* Text and figures of the tables. PDB_TOO_LARGE where building them takes more than `memory`. */
pdb_status patterns_describe(const struct tiles *tiles, const struct tiles_patterns *list, uint64_t memory,
                             struct patterns *patterns, pdb_error *error);

/* -- choose.c -- */

/* Chooses a partition whose tables can be built within `memory`; where none can, the one that needs least. */
void patterns_choose(const struct tiles *tiles, uint64_t memory, struct tiles_patterns *patterns);

#endif
