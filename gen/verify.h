/* verify.h -- is a database of distances what it should be? */
#ifndef GEN_VERIFY_H
#define GEN_VERIFY_H

#include "work.h"

/* Solves the puzzle anew and holds an open database against what comes out; then holds the distances
 * against the rules (lib/search/space/audit.h), for the search may repeat its own mistake. How much of that, goes to
 * summary->audited. PDB_DAMAGED where anything differs; PDB_BROKEN_RULES where the search itself is wrong. */
pdb_status verify_whole(struct work *work, const struct store *store, struct summary *summary, pdb_error *error);

#endif
