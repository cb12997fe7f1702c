/* whole.h -- the distances of a puzzle's whole space (space/space.h): what a user is told of them on the way */
#ifndef GEN_WHOLE_H
#define GEN_WHOLE_H

#include "work.h"

/* Numbers the states, chooses how to search that the memory allowed suffices, and says it on the terminal.
 * PDB_TOO_LARGE says what would be needed at least. */
pdb_status whole_plan(struct work *work, pdb_error *error);

/* Searches, from a checkpoint on if there is one, and publishes. */
pdb_status whole_make(struct work *work, struct summary *summary, pdb_error *error);

/* Solves the puzzle anew and holds an open database against what comes out; then, in case the search repeats its own
 * mistake, holds the distances against the rules (lib/search/space/audit.h). How much of that goes to summary->audited.
 * PDB_DAMAGED where anything differs; PDB_BROKEN_RULES where the search itself is wrong. */
pdb_status whole_verify(struct work *work, const struct store *store, struct summary *summary, pdb_error *error);

/* Looks the boards that the definition names, and the one under the key 'board', up in the distances of a space that is
 * solved or opened: those that cannot reach the goal, which its author will want to know of, go to *summary. Nothing is
 * an error here: what cannot be looked up is not said to be lost. */
void whole_find_lost(const struct space *space, struct summary *summary);

#endif
