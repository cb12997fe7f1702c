/* whole.c -- the distances of a puzzle's whole space: what a user is told of them on the way
 *
 * The work itself is the space module's: it goes layer by layer, and between two of them what is done is kept in a
 * checkpoint, when one is due or the user interrupts.
 */
#include "common/signals.h"
#include "lib/search/space/audit.h"
#include "lib/search/space/distance.h"
#include "lib/text.h"
#include "work.h"

#include <stdio.h>

/* -- plan -- */

/* What the file takes that memory has no room for, and what goes to and fro; of ranks, with those that have most. */
static void say_scratch(struct work *work)
{
    struct ranks *ranks = work->options->ranks;
    struct scratch_needs needs = retrograde_scratch_needs(&work->space.plan);
    needs.file = ranks_greatest(ranks, needs.file);
    needs.read = ranks_greatest(ranks, needs.read);
    needs.written = ranks_greatest(ranks, needs.written);
    char file[NUMBER_TEXT_MAX], read[NUMBER_TEXT_MAX], written[NUMBER_TEXT_MAX];
    const double gigabytes = (double)(needs.read + needs.written) / 1e9;
    progress_say(&work->progress,
                 "%sup to %s of scratch space; a layer reads about %s of it and writes %s: %.3g s where the disk does "
                 "1 GB a second",
                 ranks_alone(ranks) ? "" : "for each rank ", size_text(needs.file, file), size_text(needs.read, read),
                 size_text(needs.written, written), gigabytes);
}

const char *whole_scratch_text(const struct work *work, char text[SCRATCH_TEXT_MAX])
{
    char least[NUMBER_TEXT_MAX];
    const char *each = ranks_alone(work->options->ranks) ? "" : " for each rank";
    const uint64_t bytes = work->space.scratch_memory, rounded = bytes + bytes / 16; /* a text may be rounded down */
    *text = '\0';
    if (*work->options->scratch != '\0' && work->space.scratch_directory == NULL)
        snprintf(text, SCRATCH_TEXT_MAX, "; --scratch is to be given to every process");
    else if (work->space.scratch_file > 0)
        snprintf(text, SCRATCH_TEXT_MAX, "; --scratch=DIR would do, with %s of disk%s",
                 size_text(work->space.scratch_file, least), each);
    else if (bytes > 0 && rounded < work->space.memory)
        snprintf(text, SCRATCH_TEXT_MAX, "; with --scratch %s of memory%s would do", size_text(rounded, least), each);
    else if (*work->options->scratch != '\0' && bytes == 0)
        snprintf(text, SCRATCH_TEXT_MAX, "; --scratch does nothing for this puzzle");
    return text;
}

/* Chooses the way that there is memory for; says what it is and what it takes. */
static pdb_status choose_way(struct work *work, pdb_error *error)
{
    const struct options *options = work->options;
    struct space *space = &work->space;
    char states[NUMBER_TEXT_MAX], need[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX], bits[64], text[SCRATCH_TEXT_MAX];
    space->scratch_directory = *options->scratch != '\0' ? options->scratch : NULL;
    pdb_status status = space_plan(space, options->memory, error);
    if (status != PDB_OK)
        return status;
    number_text(space->puzzle->states, states);
    size_text(space->memory, need);
    if (space->memory > options->memory)
        status = error_set(error, PDB_TOO_LARGE, "%s: %s states need %s of memory, and %s %s%s", work->puzzle->name,
                           states, need, options->memory_given ? "--memory allows" : "this machine gives at most",
                           size_text(options->memory, allowed), whole_scratch_text(work, text));
    status = ranks_agree(options->ranks, status, error);
    if (status != PDB_OK)
        return status;
    size_text(ranks_greatest(options->ranks, space->memory), need);
    /* What a state takes while the search goes on, and what it may take to keep it, which depends on what the search
     * finds. Nothing where other things take more than the states. */
    const struct puzzle *puzzle = space->puzzle;
    const double each = 8 * (double)space->plan.memory / (double)puzzle->states;
    const char *kept = !puzzle->undoable ? "1 to 32" : puzzle->coloured ? "1 or 2" : "1.6 or 2";
    snprintf(bits, sizeof bits, " (%.1f bits a state, %s kept)", each, kept);
    if (puzzle->keyed)
        progress_say(&work->progress, "states are found on the way, %s: at most %s of memory, %u thread%s",
                     space->plan.text, size_text(options->memory, allowed), options->threads, plural(options->threads));
    else
        progress_say(&work->progress, "%s states, %s: %s of memory%s%s, %u thread%s", states, space->plan.text, need,
                     ranks_alone(options->ranks) ? "" : " for each rank", each <= 64 ? bits : "", options->threads,
                     plural(options->threads));
    if (space->plan.runs != NULL)
        say_scratch(work);
    return PDB_OK;
}

pdb_status whole_plan(struct work *work, pdb_error *error)
{
    char states[NUMBER_TEXT_MAX];
    if (work->puzzle->states == 0 && !work->puzzle->wide)
        return error_set(
            error, PDB_TOO_LARGE, "%s: %s states are more than can be numbered%s", work->puzzle->name,
            count_text(0, work->puzzle->size, states),
            work->puzzle->forward
                ? ", for their variables, each whole in one of them, do not fit into two words of 64 bits: "
                  "let there be fewer, or narrower ranges"
                : "");
    return choose_way(work, error);
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
    struct space_checkpoints *checkpoints = &work->checkpoints;
    char found[NUMBER_TEXT_MAX];
    pdb_error cause;
    if (!retrograde_keeps_halves(&work->space.plan))
        return error_set(error, PDB_INTERRUPTED, "%s: interrupted; %s", work->puzzle->name,
                         checkpoints->kept ? "what was kept last is there, the next run goes on from that"
                                           : "nothing is kept");
    pdb_status status = space_keep(&work->space, checkpoints, &cause);
    if (status != PDB_OK && checkpoints->kept)
        return error_set(error, status, "%s: interrupted, and what was done after layer %llu cannot be kept: %s",
                         work->puzzle->name, (unsigned long long)checkpoints->layer, cause.message);
    if (status != PDB_OK)
        return error_set(error, status, "%s: interrupted, and what is done cannot be kept: %s", work->puzzle->name,
                         cause.message);
    const struct retrograde_progress search = retrograde_progress(work->space.search);
    if (search.finding)
        return error_set(error, PDB_INTERRUPTED,
                         "%s: interrupted while its states were looked for, %s so far; what is done is kept, the next "
                         "run goes on from there",
                         work->puzzle->name, number_text(search.found, found));
    if (search.sweeping)
        return error_set(
            error, PDB_INTERRUPTED,
            "%s: interrupted after %llu sweep%s over all states; their distances as they are now are kept, "
            "the next run goes on from there",
            work->puzzle->name, (unsigned long long)search.sweeps, plural(search.sweeps));
    return error_set(error, PDB_INTERRUPTED,
                     "%s: interrupted after layer %llu; what is done is kept, the next run goes on from there",
                     work->puzzle->name, (unsigned long long)checkpoints->layer);
}

/* What ranks gave one another for the search, all together. */
static void note_exchanged(struct work *work, uint64_t before)
{
    struct ranks *ranks = work->options->ranks;
    work->summary->ranks = ranks->size;
    work->summary->exchanged = ranks->sent - before;
    ranks->sum(ranks, &work->summary->exchanged, 1);
}

static pdb_status search(struct work *work, pdb_error *error)
{
    const struct options *options = work->options;
    const bool alone = ranks_alone(options->ranks);
    struct space_checkpoints *checkpoints = &work->checkpoints;
    *checkpoints = (struct space_checkpoints){.directory = options->directory,
                                              .writer = work->writer,
                                              .seconds = (double)options->checkpoint,
                                              .exactly = options->checkpoint_given};
    pdb_status status = space_begin(&work->space, checkpoints, observe, work, error);
    if (status != PDB_OK)
        return status;
    if (checkpoints->kept && retrograde_progress(work->space.search).finding)
        progress_say(&work->progress, "going on to look for states");
    else if (checkpoints->kept && checkpoints->layer == 0 && work->puzzle->forward)
        progress_say(&work->progress, "going on to find distances");
    else if (checkpoints->kept)
        progress_say(&work->progress, "going on from layer %llu", (unsigned long long)checkpoints->layer);
    else
        work_begins_anew(work);
    const uint64_t sent = alone ? 0 : options->ranks->sent;
    status = space_search(&work->space, checkpoints, observe, work, error);
    if (status == PDB_OK && !alone)
        note_exchanged(work, sent);
    return status == PDB_INTERRUPTED ? interrupted(work, error) : status;
}

/* -- what comes of it -- */

/* Makes a database's header and data of the outcome, and has them published or compared. */
static pdb_status keep(struct work *work, pdb_error *error)
{
    struct space *space = &work->space;
    pdb_status status = space_finish(space, error);
    if (status == PDB_OK)
        status = space_add_keys(space, error);
    if (status == PDB_OK && work->store == NULL)
        whole_find_lost(space, work->summary);
    return status == PDB_OK ? work_keep(work, &space->header, space->data, "a distance is", error) : status;
}

/* Rank 0 writes; the others give it what it asks for. */
static pdb_status keep_together(struct work *work, pdb_error *error)
{
    struct space *space = &work->space;
    pdb_status status = ranks_agree(space->ranks, space_finish(space, error), error);
    if (status != PDB_OK)
        return status;
    if (ranks_first(space->ranks)) {
        whole_find_lost(space, work->summary);
        status = space_add_keys(space, error);
        if (status == PDB_OK)
            status = work_keep(work, &space->header, space->data, "a distance is", error);
    } else {
        interrupt_release(); /* what ends a rank that only gives, ends all */
    }
    retrograde_serve(space->search);
    return ranks_agree(space->ranks, status, error);
}

pdb_status whole_make(struct work *work, pdb_error *error)
{
    const struct space *space = &work->space;
    const bool alone = ranks_alone(work->options->ranks);
    pdb_status status = search(work, error);
    if (status != PDB_OK)
        return status;
    progress_states(&work->progress, "packed", 0, retrograde_progress(space->search).found);
    status = (alone ? keep : keep_together)(work, error);
    work->summary->way = space->plan.text;
    work->summary->memory = space->memory;
    work->space.scratch_stays &= status != PDB_OK;
    return status;
}

/* A board without an index cannot reach the goal, unless states were found by moves out of the named boards: then
 * nothing is known of one that none of these moves leads to. */
static bool is_lost(const struct space *space, const uint8_t *position)
{
    uint64_t index;
    bool reaches;
    if (!space->puzzle->family->position.rank(space->puzzle, position, &index))
        return !(space->base->keyed && puzzle_sets_out(space->base));
    return distance_exists(&space->values, index, &reaches, NULL) == PDB_OK && !reaches;
}

static void note_lost(struct summary *summary, const char *name)
{
    if (summary->lost < LOST_MAX)
        summary->lost_name[summary->lost] = name;
    summary->lost++;
}

void whole_find_lost(const struct space *space, struct summary *summary)
{
    const struct puzzle *puzzle = space->base;
    for (size_t i = 0; i < puzzle->named_count; i++)
        if (is_lost(space, puzzle->named[i].position))
            note_lost(summary, puzzle->named[i].name);
    if (puzzle->drawn != NULL && is_lost(space, puzzle->drawn))
        note_lost(summary, "board");
}

/* -- is a database what it should be? --
 *
 * The checksums say only that the file is what was written. What should have been written, a search made anew says, to
 * the last byte. And whether that is true, the rules say. */

static pdb_status solve_again(struct work *work, pdb_error *error)
{
    struct space *space = &work->space;
    pdb_status status = whole_plan(work, error);
    if (status == PDB_OK)
        status = space_begin(space, NULL, observe, work, error);
    if (status == PDB_OK)
        status = space_search(space, NULL, observe, work, error);
    if (status == PDB_OK)
        status = keep(work, error);
    space_end(space);
    return status;
}

static bool observe_audit(void *context, uint64_t done, uint64_t all)
{
    struct work *work = context;
    progress_states(&work->progress, "held against the rules", done, all);
    return !interrupt_waits();
}

pdb_status whole_verify(struct work *work, pdb_error *error)
{
    const struct store *store = work->store;
    const struct store_header *header = store_header(store);
    const struct audit_options options = {.states = header->hardest_states,
                                          .count = header->hardest_kept,
                                          .threads = work->options->threads,
                                          .observer = observe_audit,
                                          .context = work};
    pdb_error wrong;
    pdb_status status = solve_again(work, error);
    if (status == PDB_OK)
        status = space_open(&work->space, store, error);
    if (status != PDB_OK)
        return status;
    status = audit_distances(&work->space.values, &options, &work->summary->audited, &wrong);
    if (status == PDB_BROKEN_RULES)
        return error_set(error, status, "%s: %s; it is what a search gives, so the search is wrong: please report this",
                         store_file(store), wrong.message);
    return status == PDB_OK ? status : error_set(error, status, "%s: %s", store_file(store), wrong.message);
}
