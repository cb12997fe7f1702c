/* check.h -- the checker for puzzles without moves: see check.h for its rules */
#ifndef ITEMS_CHECK_H
#define ITEMS_CHECK_H

#include "lib/check/check.h"

/* As check_puzzle, which calls it. */
pdb_status check_enumeration(const struct puzzle *puzzle, const struct check_limits *limits,
                             struct check_report *report, pdb_error *error);

#endif
