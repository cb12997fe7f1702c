/* audit.h -- are the distances kept those of the puzzle? They are held against its rules, not against a search
 *
 * A table of distances of a puzzle whose moves can be undone is right if and only if
 *
 *     goals have 0, and nothing else has;          neighbours differ by at most 1;
 *     every other state has a neighbour one lower; a state without a distance has only such neighbours.
 *
 * Where moves cannot be undone it is right if and only if goals have 0 and every other state has one more than the
 * least of its successors (none, where none of them has any): a distance kept is then that of a path, for each step
 * leads to one less; and no path is shorter, for no step leads to less than one less.
 *
 * Residues cannot be proven so, each beside its neighbours'. A goal beside a ring of six states: all rules hold,
 * modulo 3, where the residues go round, 1 2 0 1 2 0, and the truth is 1 2 3 4 3 2. So here it is exact distances that
 * are compared, found by walking down to a goal; that is dear, and done for a sample. (To be sure of all, solve the
 * puzzle again and compare. This is the part that does not believe the solver.) Where distances themselves are kept,
 * every state is held against its successors: a proof, but for the family's own `successors`, which lib/check/check.h
 * tries out.
 *
 * The sample is held against the plain rules, those on positions. It has the goals (the first of them), the states that
 * the caller names, states drawn with a fixed seed, and all states on shortest paths from some of these, and from the
 * named boards, to a goal; all states of the puzzle, where they are few.
 */
#ifndef SEARCH_SPACE_AUDIT_H
#define SEARCH_SPACE_AUDIT_H

#include "values.h"

/* Called now and then, by the calling thread; false stops the audit. */
typedef bool audit_observer(void *context, uint64_t done, uint64_t all);

struct audit_options {
    const uint64_t *states; /* that are to be in the sample */
    size_t count;
    unsigned threads;         /* at least 1 */
    audit_observer *observer; /* may be NULL */
    void *context;
};

struct audit_report {
    uint64_t by_plain_rules;
    uint64_t by_successors; /* all states, where distances themselves are kept; else 0 */
};

/* Errors: PDB_BROKEN_RULES (the message names a board and what is wrong about it; the first one, to within a block),
 * PDB_DAMAGED (distances that contradict one another, and those of the source), PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status audit_distances(const struct values *values, const struct audit_options *options,
                           struct audit_report *report, pdb_error *error);

#endif
