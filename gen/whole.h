/* whole.h -- the distances of a puzzle's whole space: plan, search, keep, publish */
#ifndef GEN_WHOLE_H
#define GEN_WHOLE_H

#include "work.h"

/* Numbers the states and holds what they need against the memory allowed. PDB_TOO_LARGE says what would be needed. */
pdb_status whole_plan(struct work *work, pdb_error *error);

/* Searches, from a checkpoint on if there is one, and publishes. */
pdb_status whole_make(struct work *work, struct summary *summary, pdb_error *error);

/* Searches anew and holds an open database against what comes out. PDB_DAMAGED where they differ. */
pdb_status whole_verify(struct work *work, const struct store *store, pdb_error *error);

#endif
