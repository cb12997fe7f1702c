/* scratch.h -- the file for what memory has no room for, and of ranks all of theirs: beside space.h */
#ifndef SPACE_SCRATCH_H
#define SPACE_SCRATCH_H

#include "space.h"

/* The most that the distances take in a database, but for depths above 254. */
uint64_t space_data_most(const struct puzzle *puzzle);

/* Opens the file for planes that memory has no room for, and looks whether the disk has room; `kept`: there is a
 * checkpoint, which may need what is in it. A rank has a file of its own; all come together. Errors: those of
 * scratch_open and scratch_room. */
pdb_status space_open_scratch(struct space *space, const char *database_directory, bool kept, pdb_error *error);

/* Nothing of what is in it is needed, nor what other runs have left. Error: PDB_IO. */
pdb_status space_empty_scratch(const struct space *space, pdb_error *error);

#endif
