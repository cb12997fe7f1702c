/* work.c -- the making of one database: what its parts share */
#include "work.h"
#include "common/signals.h"
#include "lib/clock.h"
#include "lib/search/board/patterns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool work_bytes(void *context, uint64_t bytes_done)
{
    struct work *work = context;
    progress_bytes(&work->progress, work->doing, bytes_done, work->data_bytes);
    return !interrupt_waits();
}

/* The figures of a database. */
static void summarise(struct work *work, const struct store_header *header)
{
    struct summary *summary = work->summary;
    struct patterns patterns, wanted;
    const struct pattern_family *family = work->puzzle->family->single.patterns;
    summary->entries = *header->patterns != '\0' ? header->states : 0;
    summary->states = summary->entries > 0 ? work->puzzle->states : header->reachable;
    summary->max = header->depths - 1;
    summary->hardest = header->hardest;
    double sum = 0;
    for (size_t d = 0; d < header->depths; d++)
        sum += (double)d * (double)header->histogram[d];
    summary->mean = sum / (double)header->reachable;
    *summary->patterns = '\0';
    if (summary->entries == 0 || family == NULL ||
        family->read(work->puzzle, header->patterns, header->states, &patterns, NULL) != PDB_OK)
        return;
    snprintf(summary->patterns, sizeof summary->patterns, "%s", patterns.shape);
    summary->others = !summary->made && !work->options->verify &&
                      family->choose(work->puzzle, work->options->memory, &wanted, NULL) == PDB_OK &&
                      strcmp(wanted.text, patterns.text) != 0;
}

bool work_summarise(struct work *work, const struct store *store)
{
    const bool ours = space_owner(store, work->subject->name, work->subject->digest) == SPACE_OURS;
    if (ours)
        summarise(work, store_header(store));
    work->summary->bytes = store_file_bytes(store);
    return ours;
}

static pdb_status publish(struct work *work, const struct store_header *header, const uint8_t *data, pdb_error *error)
{
    const struct store_task task = {work->options->threads, work_bytes, work};
    struct store_writer *writer = work->writer;
    work->writer = NULL; /* store_publish frees it in any case */
    work->doing = "writing";
    work->data_bytes = header->data_bytes;
    uint64_t *bytes = &work->summary->bytes;
    if (data == NULL)
        space_hand_out(&work->space);
    pdb_status status = data != NULL
                            ? store_publish(writer, header, data, &task, bytes, error)
                            : store_publish_from(writer, header, &work->space.values.source, &task, bytes, error);
    if (status == PDB_INTERRUPTED && work->checkpoints.kept && work->space.scratch_stays)
        return error_set(error, status,
                         "%s: interrupted while the database was written; what was done up to layer %llu is kept, the "
                         "next run goes on from there",
                         work->subject->name, (unsigned long long)work->checkpoints.layer);
    if (status == PDB_INTERRUPTED && work->checkpoints.kept && *header->patterns != '\0')
        return error_set(error, status,
                         "%s: interrupted while the database was written; what was done of the tables when it was last "
                         "kept is there, the next run goes on from there",
                         work->subject->name);
    if (status == PDB_INTERRUPTED)
        return error_set(error, status, "%s: interrupted while the database was written; nothing is kept",
                         work->subject->name);
    if (status != PDB_OK)
        return status;
    work->summary->made = true;
    summarise(work, header);
    return PDB_OK;
}

pdb_status work_run(const pdb_puzzle *subject, const struct options *options, struct summary *summary,
                    pdb_status (*job)(struct work *, pdb_error *), pdb_error *error)
{
    const struct puzzle *puzzle = subject->shown;
    struct work work = {.subject = subject,
                        .puzzle = puzzle,
                        .space = space_of(puzzle, options->threads),
                        .options = options,
                        .summary = summary};
    *summary = (struct summary){0};
    work.space.ranks = options->ranks;
    progress_begin(&work.progress, options->progress, subject->name, puzzle);
    pdb_status status = PDB_OK; /* of ranks the first alone needs a directory */
    if (ranks_first(options->ranks))
        status = store_path(options->directory, subject->name, summary->file, error);
    status = ranks_agree(options->ranks, status, error);
    if (status != PDB_OK)
        return status;
    interrupt_hold(true);
    status = job(&work, error);
    space_free(&work.space);
    progress_end(&work.progress);
    if (!interrupt_waits()) /* a signal that is due would end the process before it said what is kept */
        interrupt_release();
    summary->seconds = clock_now() - work.progress.line.begin;
    return status;
}

void work_begins_anew(struct work *work)
{
    const struct options *options = work->options;
    const char *why = work->checkpoints.ignored;
    if (*why == '\0' || !(work->progress.line.shown || (!options->quiet && ranks_first(options->ranks))))
        return;
    progress_end(&work->progress);
    fprintf(stderr, "%s: beginning anew: %s\n", work->puzzle->name, why);
}

pdb_status work_differs(const char *file, const char *what, pdb_error *error)
{
    return error_set(error, PDB_DAMAGED, "%s: %s not what a search gives: generate it again with `pdb-gen --force`",
                     file, what);
}

static bool same_numbers(const uint64_t *one, size_t count, const uint64_t *other, size_t other_count)
{
    return count == other_count && memcmp(one, other, count * sizeof *one) == 0;
}

/* What in a header is not what it should be, with "is" or "are" behind it; NULL where all is. Which program made it
 * does not matter. */
static const char *header_difference(const struct store_header *found, const struct store_header *expected)
{
    if (strcmp(found->encoding, expected->encoding) != 0)
        return "the encoding is";
    if (strcmp(found->patterns, expected->patterns) != 0)
        return "its patterns are";
    if (strcmp(found->goal, expected->goal) != 0)
        return "the goal is";
    if (strcmp(found->metric, expected->metric) != 0)
        return "what counts as one move is";
    if (found->reachable != expected->reachable ||
        !same_numbers(found->histogram, found->depths, expected->histogram, expected->depths))
        return "the histogram is";
    if (!same_numbers(found->hardest_states, found->hardest_kept, expected->hardest_states, expected->hardest_kept))
        return "the list of the hardest states is";
    if (found->data_bytes != expected->data_bytes || found->states != expected->states)
        return "the number of states is";
    return NULL;
}

static pdb_status compare_data(const struct store *store, const struct byte_source *data, const char *what,
                               pdb_error *error)
{
    const uint64_t size = store_header(store)->data_bytes;
    uint8_t room[STORE_READ_BYTES];
    for (uint64_t at = 0, run, other; at < size; at += run) {
        const uint8_t *stored = store_read(store, at, room, &run, error),
                      *made = stored == NULL ? NULL : data->at(data->context, at, &other, error);
        if (made == NULL)
            return error->status;
        run = run < other ? run : other;
        if (memcmp(stored, made, run) == 0)
            continue;
        uint64_t wrong = at;
        while (stored[wrong - at] == made[wrong - at])
            wrong++;
        return error_set(
            error, PDB_DAMAGED,
            "%s: %s not what a search gives (byte %llu of its data): generate it again with `pdb-gen --force`",
            store_file(store), what, (unsigned long long)wrong);
    }
    return PDB_OK;
}

pdb_status work_keep(struct work *work, const struct store_header *header, const uint8_t *data, const char *what,
                     pdb_error *error)
{
    if (work->store == NULL)
        return publish(work, header, data, error);
    const char *difference = header_difference(store_header(work->store), header);
    const struct byte_run bytes = {data, header->data_bytes};
    const struct byte_source source = data != NULL ? (struct byte_source){byte_run_at, &bytes}
                                                   : work->space.values.source;
    return difference == NULL ? compare_data(work->store, &source, what, error)
                              : work_differs(store_file(work->store), difference, error);
}
