/* wide.h -- boards of more holes than a stop has room for (peg.h): their states are wide keys (puzzle.h), a bit a hole
 *
 * All of it is as on smaller boards, by plain loops over the list of jumps; but there are no bounds for
 * searches of single boards.
 */
#ifndef FAMILIES_PEG_WIDE_H
#define FAMILIES_PEG_WIDE_H

#include "peg.h"

/* Works out puzzle.max_moves. Errors: PDB_TOO_LARGE (more than PEG_MAX_MOVES), PDB_NO_MEMORY. */
pdb_status peg_bound_wide_moves(struct peg *peg, pdb_error *error);

/* The contract's functions, for a board with so many symmetries. */
struct wide_functions peg_wide_functions(unsigned symmetries);

#endif
