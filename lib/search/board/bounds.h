/* bounds.h -- the lower bounds that a search of one board begins with, told to people */
#ifndef SEARCH_BOARD_BOUNDS_H
#define SEARCH_BOARD_BOUNDS_H

#include "search.h"

/* What a bound of the contract says: BOUND_NEVER in the words of a distance. */
static inline uint32_t bound_value(uint16_t bound)
{
    return bound == BOUND_NEVER ? PDB_NO_DISTANCE : bound;
}

/* Adds one. Error: PDB_NO_MEMORY. */
pdb_status bounds_add(pdb_bounds *bounds, const char *name, uint32_t value, pdb_error *error);

/* A text that is added to a list of them; *text is NULL where memory is short. Error: PDB_NO_MEMORY. */
pdb_status bounds_add_text(char ***texts, size_t *count, const char *text, pdb_error *error);

/* searcher_class.tell of searches that live on the family's own bounds: what single.tell says, or else the one bound
 * that there is. */
pdb_status bounds_tell_family(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds,
                              pdb_error *error);

/* All that a searcher says of a proper position, the greatest of them marked as taken. The caller frees *bounds with
 * bounds_free, whatever the status. Errors: PDB_NO_MEMORY, PDB_DAMAGED. */
pdb_status bounds_tell(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds, pdb_error *error);
void bounds_free(pdb_bounds *bounds);

#endif
