/* check.h -- pdb-gen --check: holds a puzzle against its contract, builds nothing */
#ifndef GEN_CHECK_H
#define GEN_CHECK_H

#include "options.h"
#include "lib/puzzle.h"

/* Checks and says on standard output what was checked. Errors: those of check_puzzle (lib/check/check.h). */
pdb_status check_and_say(const struct puzzle *puzzle, const struct options *options, pdb_error *error);

#endif
