/* whole.h -- the distances of a puzzle's whole space: plan, search, keep, publish */
#ifndef GEN_WHOLE_H
#define GEN_WHOLE_H

#include "work.h"

/* Numbers the states, chooses how to search that the memory allowed suffices, and says it on the terminal.
 * PDB_TOO_LARGE says what would be needed at least. */
pdb_status whole_plan(struct work *work, struct plan *plan, pdb_error *error);

/* Searches, from a checkpoint on if there is one, and publishes. */
pdb_status whole_make(struct work *work, struct summary *summary, pdb_error *error);

/* What a complete search came to, as a database has it. */
struct outcome {
    struct store_header header;
    const uint8_t *data; /* header.data_bytes of them */
    uint8_t *joined;     /* the memory for them, where it is not the search's */
    char goal[BOARD_TEXT_MAX];
};

/* Searches from the beginning to the end, without checkpoints: what came of it, whole_outcome tells. Errors: those of
 * whole_plan, PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status whole_search(struct work *work, pdb_error *error);

/* Takes the outcome of the complete search work->search, once; it lives as long as that. To be freed by
 * whole_outcome_free in any case. Error: PDB_NO_MEMORY. */
pdb_status whole_outcome(struct work *work, struct outcome *outcome, pdb_error *error);
void whole_outcome_free(struct outcome *outcome);

#endif
