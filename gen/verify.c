/* verify.c -- is a database of distances what it should be?
 *
 * The checksums say only that the file is what was written. What should have been written, a search made anew says, to
 * the last byte. And whether that is true, the rules say.
 */
#include "verify.h"
#include "common/interrupt.h"
#include "lib/search/space/audit.h"
#include "whole.h"

#include <string.h>

/* -- against a search -- */

static pdb_status solve_again(struct work *work, const struct store *store, pdb_error *error)
{
    struct outcome outcome;
    pdb_status status = whole_search(work, error);
    if (status != PDB_OK)
        return status;
    status = whole_outcome(work, &outcome, error);
    if (status == PDB_OK)
        status = work_compare(store, &outcome.header, outcome.data, "a distance is", error);
    whole_outcome_free(&outcome);
    retrograde_free(work->search);
    work->search = NULL;
    return status;
}

/* -- against the rules -- */

static bool observe(void *context, uint64_t done, uint64_t all)
{
    struct work *work = context;
    progress_states(&work->progress, "held against the rules", done, all);
    return !interrupt_waits();
}

static pdb_status audit(struct work *work, const struct store *store, struct summary *summary, pdb_error *error)
{
    const struct store_header *header = store_header(store);
    struct values values;
    const struct audit_options options = {.states = header->hardest_states,
                                          .count = header->hardest_kept,
                                          .threads = work->options->threads,
                                          .observer = observe,
                                          .context = work};
    pdb_error wrong;
    if (!work_values(work, store, &values))
        return work_differs(store_file(store), "the encoding is", error);
    const pdb_status status = audit_distances(&values, &options, &summary->audited, &wrong);
    if (status == PDB_BROKEN_RULES)
        return error_set(error, status, "%s: %s; it is what a search gives, so the search is wrong: please report this",
                         store_file(store), wrong.message);
    return status == PDB_OK ? status : error_set(error, status, "%s: %s", store_file(store), wrong.message);
}

pdb_status verify_whole(struct work *work, const struct store *store, struct summary *summary, pdb_error *error)
{
    const pdb_status status = solve_again(work, store, error);
    return status == PDB_OK ? audit(work, store, summary, error) : status;
}
