/* keyed.h -- a puzzle whose indices are the places of keys in a sorted table
 *
 * It behaves like the puzzle it is made of, but for its states: those in the table, numbered without gaps. Moves that
 * lead out of the table are left out.
 */
#ifndef SEARCH_SPACE_KEYED_H
#define SEARCH_SPACE_KEYED_H

#include "lib/puzzle.h"
#include "lib/rank/keys.h"

/* Makes it of a keyed puzzle and a table of its keys; takes the table over (freed on failure too). The base must
 * outlive it, and the table's source too. Error: PDB_NO_MEMORY. The caller frees *out with keyed_free. */
pdb_status keyed_create(const struct puzzle *base, struct keys *keys, struct puzzle **out, pdb_error *error);
void keyed_free(struct puzzle *puzzle);

/* The table. */
const struct keys *keyed_keys(const struct puzzle *puzzle);

/* In a database's data the keys lie behind the distances, at the next multiple of 16 bytes. */
static inline uint64_t keyed_keys_offset(uint64_t distance_bytes)
{
    return (distance_bytes + 15) / 16 * 16;
}

#endif
