/* kind.h -- what is done in one way with puzzles that have moves, and in another with those that have none */
#ifndef GEN_KIND_H
#define GEN_KIND_H

#include "check.h"
#include "work.h"

struct kind {
    /* Makes and publishes the database, or holds an open one against what is made anew. */
    pdb_status (*make)(struct work *work, struct summary *summary, pdb_error *error);
    pdb_status (*verify)(struct work *work, const struct store *store, struct summary *summary, pdb_error *error);
    /* Holds the puzzle against its contract. */
    pdb_status (*check)(const pdb_puzzle *puzzle, const struct options *options, struct progress *progress,
                        struct checked *checked, pdb_error *error);
    /* Says on standard output what is in the database: the first half of a line. */
    void (*say)(const pdb_puzzle *puzzle, const struct summary *summary);
    bool means; /* the mean distance is told */
};

const struct kind *kind_of(const pdb_puzzle *puzzle);

#endif
