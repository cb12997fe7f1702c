/* listing.c -- the database of a puzzle without moves: its items, built in one go
 *
 * Such a build takes seconds at most, seldom minutes: an interrupted run keeps nothing.
 */
#include "listing.h"
#include "common/interrupt.h"
#include "lib/text.h"

#include <string.h>

static bool observe(void *context, double done)
{
    struct work *work = context;
    progress_share(&work->progress, work->doing, done);
    return !interrupt_waits();
}

/* Writing it takes memory too, which is known only now. */
static pdb_status check_memory(const struct work *work, const struct items *items, pdb_error *error)
{
    const struct options *options = work->options;
    const uint64_t needed = items->size + store_publish_memory(items->size);
    char need[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
    if (needed <= options->memory)
        return PDB_OK;
    return error_set(error, PDB_TOO_LARGE, "%s: keeping its %s takes %s of memory, and %s %s", work->subject->name,
                     work->subject->items->family->items, size_text(needed, need),
                     options->memory_given ? "--memory allows" : "this machine gives at most",
                     size_text(options->memory, allowed));
}

static pdb_status build(struct work *work, struct items *items, pdb_error *error)
{
    const struct items_family *family = work->subject->items->family;
    work->doing = "worked out";
    pdb_status status = family->build(work->subject->items, work->options->threads, work->options->memory, observe,
                                      work, items, error);
    if (status == PDB_INTERRUPTED)
        return error_set(error, status, "%s: interrupted; its %s are worked out in one go, nothing is kept",
                         work->subject->name, family->items);
    return status;
}

static struct store_header header_of(const struct work *work, const struct items *items)
{
    struct store_header header = {.puzzle = work->subject->name,
                                  .goal = "",
                                  .metric = work->subject->metric,
                                  .encoding = work->subject->items->family->encoding,
                                  .patterns = "",
                                  .generator = PDB_VERSION,
                                  .states = items->count,
                                  .reachable = items->count,
                                  .data_bytes = items->size,
                                  .depths = items->depths,
                                  .histogram = items->histogram,
                                  .hardest = items->histogram[items->depths - 1],
                                  .hardest_kept = items->hardest_kept,
                                  .hardest_states = items->hardest};
    memcpy(header.definition, work->subject->digest, sizeof header.definition);
    return header;
}

static pdb_status publish(struct work *work, const struct items *items, struct summary *summary, pdb_error *error)
{
    const struct store_header header = header_of(work, items);
    return work_publish(work, &header, items->bytes, summary, error);
}

pdb_status listing_make(struct work *work, struct summary *summary, pdb_error *error)
{
    struct items items = {0};
    pdb_status status = build(work, &items, error);
    if (status == PDB_OK)
        status = check_memory(work, &items, error);
    if (status == PDB_OK)
        status = publish(work, &items, summary, error);
    items_free(&items);
    return status;
}

static pdb_status compare(const struct work *work, const struct store *store, const struct items *items,
                          pdb_error *error)
{
    const struct store_header header = header_of(work, items);
    return work_compare(store, &header, items->bytes, "a byte of the data is", error);
}

pdb_status listing_verify(struct work *work, const struct store *store, struct summary *summary, pdb_error *error)
{
    (void)summary;
    struct items items = {0};
    pdb_status status = build(work, &items, error);
    if (status == PDB_OK)
        status = compare(work, store, &items, error);
    items_free(&items);
    return status;
}
