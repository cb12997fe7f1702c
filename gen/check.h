/* check.h -- pdb-gen --check: holds a puzzle against its contract, builds nothing */
#ifndef GEN_CHECK_H
#define GEN_CHECK_H

#include "options.h"
#include "progress.h"
#include "catalog/catalog.h"

/* What was checked. */
struct checked {
    uint64_t count;      /* of different states, boards or items */
    const char *what;    /* "states" */
    bool all;            /* those are all there are */
    uint64_t of;         /* how many there are, where they are a sample and that is said; else 0 */
    const char *sampled; /* how they were chosen, where they are not all */
    uint64_t moves, goals;
    const char *rules[9]; /* that there was something to check of, NULL at the end */
};

pdb_status check_moves(const pdb_puzzle *puzzle, const struct options *options, struct progress *progress,
                       struct checked *checked, pdb_error *error);
pdb_status check_items(const pdb_puzzle *puzzle, const struct options *options, struct progress *progress,
                       struct checked *checked, pdb_error *error);

/* Checks, and says on standard output what was checked. Errors: those of check_puzzle (lib/check/check.h) and
 * items_check (items/check.h). */
pdb_status check_and_say(const pdb_puzzle *puzzle, const struct options *options, pdb_error *error);

#endif
