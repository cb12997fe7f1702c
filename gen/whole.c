/* whole.c -- the distances of a puzzle's whole space: plan, search, keep, publish
 *
 * The search goes layer by layer; between two of them what is done is kept in a checkpoint, when one is due or the user
 * interrupts.
 */
#include "whole.h"
#include "common/interrupt.h"
#include "lib/search/space/explore.h"
#include "lib/search/space/keyed.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unless the user says how often, a checkpoint is due so many times as long after the last one as that took. */
static const double checkpoint_share = 20;

/* -- plan -- */

/* Memory that the keys take. */
static uint64_t key_bytes(const struct work *work)
{
    return work->keyed != NULL ? keys_memory(work->space->states) : 0;
}

/* What writing the database takes: the writer's own, and for a keyed puzzle distances and keys put together. */
static uint64_t publishing_bytes(const struct work *work)
{
    /* but for depths above 254 */
    const enum encoding largest = work->space->undoable ? ENCODING_MOD3_2BIT : ENCODING_EXACT_8BIT;
    const uint64_t distances = encoding_bytes(largest, work->space->states);
    const uint64_t joined = work->keyed != NULL ? distances + key_bytes(work) : 0;
    return joined + store_publish_memory(distances + key_bytes(work));
}

/* What a state takes while the search goes on, and what it may take to keep it, which depends on what the search finds.
 * Nothing where other things take more than the states. */
static const char *bits_text(const struct puzzle *puzzle, uint64_t bytes, char text[64])
{
    const double bits = 8 * (double)bytes / (double)puzzle->states;
    const char *kept = !puzzle->undoable ? "1 to 16" : puzzle->coloured ? "1 or 2" : "1.6 or 2";
    *text = '\0';
    if (bits <= 64)
        snprintf(text, 64, " (%.1f bits a state, %s kept)", bits, kept);
    return text;
}

/* Chooses the way that there is memory for, the best one if there is; says what it is and what it takes. */
static pdb_status check_memory(struct work *work, struct plan *plan, pdb_error *error)
{
    const struct options *options = work->options;
    const uint64_t others = key_bytes(work) + publishing_bytes(work);
    const uint64_t left = options->memory > others ? options->memory - others : 0;
    work->way = retrograde_way_within(left, work->space, options->threads);
    const uint64_t search = retrograde_memory_by(work->way, work->space, options->threads);
    *plan = (struct plan){retrograde_way_text(work->way, work->space), others + search};
    char states[NUMBER_TEXT_MAX], need[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX], bits[64];
    number_text(work->space->states, states);
    size_text(plan->memory, need);
    if (plan->memory > options->memory)
        return error_set(error, PDB_TOO_LARGE, "%s: %s states need %s of memory, and %s %s", work->puzzle->name, states,
                         need, options->memory_given ? "--memory allows" : "this machine gives at most",
                         size_text(options->memory, allowed));
    progress_say(&work->progress, "%s states, %s: %s of memory%s, %u thread%s", states, plan->way, need,
                 bits_text(work->space, search, bits), options->threads, plural(options->threads));
    return PDB_OK;
}

/* -- keys -- */

static bool observe_keys(void *context, uint64_t found, uint64_t expanded)
{
    struct work *work = context;
    progress_keys(&work->progress, found, expanded);
    return !interrupt_waits();
}

/* Numbers the states: a dense puzzle is its own numbering, a keyed one has to be explored first. */
static pdb_status number_states(struct work *work, pdb_error *error)
{
    const struct options *options = work->options;
    struct keys *keys;
    if (!work->puzzle->keyed)
        return PDB_OK;
    pdb_status status = explore(work->puzzle, options->threads, options->memory, observe_keys, work, &keys, error);
    if (status == PDB_INTERRUPTED)
        return error_set(error, status, "%s: interrupted while its states were looked for; nothing of that is kept",
                         work->puzzle->name);
    if (status == PDB_OK)
        status = keyed_create(work->puzzle, keys, &work->keyed, error);
    if (status != PDB_OK)
        return status;
    work->space = work->keyed;
    progress_expect(&work->progress, work->space);
    return PDB_OK;
}

/* -- checkpoints -- */

static void describe_checkpoint(struct work *work)
{
    struct retrograde_part parts[RETROGRADE_PARTS_MAX];
    struct checkpoint *checkpoint = &work->checkpoint;
    memcpy(checkpoint->definition, work->puzzle->digest, sizeof checkpoint->definition);
    checkpoint->generator = PDB_VERSION;
    checkpoint->layout = retrograde_layout(work->search);
    checkpoint->part_count = retrograde_parts(work->search, parts);
    checkpoint->parts = work->parts;
    for (size_t i = 0; i < checkpoint->part_count; i++)
        work->parts[i] = (struct checkpoint_part){parts[i].bytes, parts[i].size};
}

static void note_kept(struct work *work)
{
    work->kept = true;
    work->kept_layer = retrograde_depth(work->search);
}

/* The frontier changes places with every layer, so the parts are asked for anew each time. */
static pdb_status save_checkpoint(struct work *work, pdb_error *error)
{
    const struct options *options = work->options;
    const double begin = progress_now();
    describe_checkpoint(work);
    pdb_status status = store_holds(work->writer, error);
    if (status == PDB_OK)
        status = checkpoint_save(options->directory, work->puzzle->name, &work->checkpoint, error);
    const double end = progress_now(), pause = checkpoint_share * (end - begin);
    const double least = (double)options->checkpoint;
    work->checkpoint_due = end + (options->checkpoint_given || pause < least ? least : pause);
    if (status == PDB_OK)
        note_kept(work);
    return status;
}

/* A search at its beginning, held to the memory that the keys and the writing leave. */
static pdb_status create_search(struct work *work, pdb_error *error)
{
    const uint64_t others = key_bytes(work) + publishing_bytes(work), memory = work->options->memory;
    pdb_status status = retrograde_create_by(work->way, work->space, work->options->threads, &work->search, error);
    if (status == PDB_OK)
        retrograde_limit(work->search, memory > others ? memory - others : 0);
    return status;
}

/* Loads the checkpoint if there is one that fits: of a search that has grown, if not of one that has not. */
static pdb_status load_checkpoint(struct work *work, bool *found, char *reason, size_t reason_size, pdb_error *error)
{
    const struct options *options = work->options;
    describe_checkpoint(work);
    pdb_status status = checkpoint_load(options->directory, work->puzzle->name, &work->checkpoint, found, reason,
                                        reason_size, error);
    if (status != PDB_OK || *found || *reason == '\0' || !retrograde_grow(work->search))
        return status;
    describe_checkpoint(work);
    return checkpoint_load(options->directory, work->puzzle->name, &work->checkpoint, found, reason, reason_size,
                           error);
}

/* A search that goes on from the checkpoint, if there is one that fits, else begins. */
static pdb_status begin_search(struct work *work, pdb_error *error)
{
    char reason[200];
    bool found;
    pdb_status status = create_search(work, error);
    if (status == PDB_OK)
        status = load_checkpoint(work, &found, reason, sizeof reason, error);
    if (status != PDB_OK)
        return status;
    if (found && retrograde_resume(work->search)) {
        note_kept(work);
        progress_say(&work->progress, "going on from layer %llu", (unsigned long long)retrograde_depth(work->search));
        return PDB_OK;
    }
    if (*reason != '\0' || found)
        progress_say(&work->progress, "beginning anew: %s", found ? "the checkpoint contradicts itself" : reason);
    else
        return PDB_OK;
    retrograde_free(work->search); /* what was loaded may be anything */
    work->search = NULL;
    return create_search(work, error);
}

/* -- search -- */

static bool observe(void *context, const struct retrograde_progress *search)
{
    struct work *work = context;
    progress_search(&work->progress, search);
    return !interrupt_waits();
}

static pdb_status interrupted(struct work *work, pdb_error *error)
{
    pdb_error cause;
    pdb_status status = save_checkpoint(work, &cause);
    if (status != PDB_OK && work->kept)
        return error_set(error, status, "%s: interrupted, and what was done after layer %llu cannot be kept: %s",
                         work->puzzle->name, (unsigned long long)work->kept_layer, cause.message);
    if (status != PDB_OK)
        return error_set(error, status, "%s: interrupted, and what is done cannot be kept: %s", work->puzzle->name,
                         cause.message);
    return error_set(error, PDB_INTERRUPTED,
                     "%s: interrupted after layer %llu; what is done is kept, the next run goes on from there",
                     work->puzzle->name, (unsigned long long)retrograde_depth(work->search));
}

static pdb_status search_all(struct work *work, pdb_error *error)
{
    bool done = false;
    work->checkpoint_due = progress_now() + (double)work->options->checkpoint;
    while (!done) {
        pdb_status status = interrupt_waits() ? PDB_INTERRUPTED
                                              : retrograde_layer(work->search, observe, work, &done, error);
        if (status == PDB_INTERRUPTED)
            return interrupted(work, error);
        if (status == PDB_OK && !done && progress_now() > work->checkpoint_due)
            status = save_checkpoint(work, error);
        if (status != PDB_OK)
            return status;
    }
    return PDB_OK;
}

/* -- what comes of it -- */

static struct store_header header_of(const struct work *work, const struct retrograde_result *result, char *goal)
{
    const struct puzzle *puzzle = work->space;
    board_format(&puzzle->board, puzzle->goal, goal);
    struct store_header header = {.puzzle = puzzle->name,
                                  .goal = goal,
                                  .metric = puzzle->metric,
                                  .encoding = encoding_name(result->encoding),
                                  .patterns = "",
                                  .generator = PDB_VERSION,
                                  .states = puzzle->states,
                                  .reachable = result->reachable,
                                  .data_bytes = encoding_bytes(result->encoding, puzzle->states),
                                  .depths = result->depths,
                                  .histogram = result->histogram,
                                  .hardest = result->histogram[result->depths - 1],
                                  .hardest_kept = result->hardest_kept,
                                  .hardest_states = result->hardest};
    memcpy(header.definition, puzzle->digest, sizeof header.definition);
    return header;
}

/* The data of a keyed puzzle: the distances, zeros up to a multiple of 16 bytes, the keys. */
static pdb_status join_keys(const struct work *work, struct outcome *outcome, pdb_error *error)
{
    const struct keys *keys = keyed_keys(work->space);
    const uint64_t offset = keyed_keys_offset(outcome->header.data_bytes), size = offset + keys_encoded_size(keys);
    outcome->joined = calloc(size + 1, 1);
    if (outcome->joined == NULL)
        return error_no_memory(error, "the database", size);
    memcpy(outcome->joined, outcome->data, outcome->header.data_bytes);
    keys_encode(keys, outcome->joined + offset);
    outcome->data = outcome->joined;
    outcome->header.data_bytes = size;
    return PDB_OK;
}

pdb_status whole_outcome(struct work *work, struct outcome *outcome, pdb_error *error)
{
    struct retrograde_result result;
    retrograde_finish(work->search, &result);
    *outcome = (struct outcome){.data = result.bytes};
    outcome->header = header_of(work, &result, outcome->goal);
    return work->keyed != NULL ? join_keys(work, outcome, error) : PDB_OK;
}

void whole_outcome_free(struct outcome *outcome)
{
    free(outcome->joined);
}

static pdb_status publish(struct work *work, struct summary *summary, pdb_error *error)
{
    struct outcome outcome;
    progress_states(&work->progress, "packed", 0, work->space->states);
    pdb_status status = whole_outcome(work, &outcome, error);
    if (status == PDB_OK)
        status = work_publish(work, &outcome.header, outcome.data, summary, error);
    whole_outcome_free(&outcome);
    return status;
}

/* -- all of it -- */

pdb_status whole_plan(struct work *work, struct plan *plan, pdb_error *error)
{
    char states[NUMBER_TEXT_MAX];
    if (work->puzzle->states == 0)
        return error_set(error, PDB_TOO_LARGE, "%s: %s states are more than can be numbered", work->puzzle->name,
                         count_text(0, work->puzzle->size, states));
    pdb_status status = number_states(work, error);
    return status != PDB_OK ? status : check_memory(work, plan, error);
}

pdb_status whole_make(struct work *work, struct summary *summary, pdb_error *error)
{
    pdb_status status = begin_search(work, error);
    if (status == PDB_OK)
        status = search_all(work, error);
    return status != PDB_OK ? status : publish(work, summary, error);
}

pdb_status whole_search(struct work *work, pdb_error *error)
{
    struct plan plan;
    pdb_status status = whole_plan(work, &plan, error);
    if (status == PDB_OK)
        status = create_search(work, error);
    for (bool done = false; status == PDB_OK && !done;)
        status = retrograde_layer(work->search, observe, work, &done, error);
    return status;
}
