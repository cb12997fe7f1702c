/* patterns.h -- pattern databases, for a puzzle whose whole space is too large */
#ifndef GEN_PATTERNS_H
#define GEN_PATTERNS_H

#include "work.h"

/* Chooses tables that fit into the memory allowed, says which and why, builds and publishes them. `too_large` says why
 * the whole space is not kept; that is the error where the family has no patterns for this puzzle. Errors:
 * PDB_TOO_LARGE, PDB_NO_MEMORY, PDB_IO, PDB_INTERRUPTED (nothing is kept). */
pdb_status patterns_make(struct work *work, const pdb_error *too_large, struct summary *summary, pdb_error *error);

/* Builds the tables of an open database anew and holds it against them. PDB_DAMAGED where they differ. */
pdb_status patterns_verify(struct work *work, const struct store *store, pdb_error *error);

#endif
