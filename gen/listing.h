/* listing.h -- the database of a puzzle without moves (items/items.h): its items, built in one go */
#ifndef GEN_LISTING_H
#define GEN_LISTING_H

#include "work.h"

/* Builds and publishes. Errors: PDB_TOO_LARGE, PDB_NO_MEMORY, PDB_IO, PDB_BAD_DEFINITION (there is no item),
 * PDB_INTERRUPTED (nothing is kept). */
pdb_status listing_make(struct work *work, struct summary *summary, pdb_error *error);

/* Builds anew and holds an open database against what comes out. PDB_DAMAGED where they differ. */
pdb_status listing_verify(struct work *work, const struct store *store, struct summary *summary, pdb_error *error);

#endif
