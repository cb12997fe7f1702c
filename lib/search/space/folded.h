/* folded.h -- a puzzle whose keys are folded from wide ones
 *
 * It behaves like the puzzle it is made of, but that it has ordinary keys: the upper parts of wide keys are kept once,
 * in a table (lib/rank/parts.h, where the reasons are), which grows with every key that it gives, until it is closed.
 * From then on keys are those of states that were found; PARTS_NO_KEY stands for all others.
 *
 * The table is puzzle->parts: a search counts its memory, holds it while threads work, keeps it in checkpoints, and
 * sorts and closes it at the end.
 */
#ifndef SEARCH_SPACE_FOLDED_H
#define SEARCH_SPACE_FOLDED_H

#include "lib/puzzle.h"
#include "lib/rank/parts.h"

/* Makes it of a puzzle with wide keys, which must outlive it, and a table, which it takes over (freed on failure too);
 * NULL: one that is empty. Error: PDB_NO_MEMORY. The caller frees *out with folded_free. */
pdb_status folded_create(const struct puzzle *base, struct parts *parts, struct puzzle **out, pdb_error *error);
void folded_free(struct puzzle *puzzle);

/* In a database's data the high parts lie between the distances and the keys: how many they are, as a number of 8 bytes
 * (little-endian) at the next multiple of 16 bytes, and themselves 16 bytes further. */
enum { FOLDED_HEAD = 16 };

#endif
