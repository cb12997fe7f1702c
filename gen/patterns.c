/* patterns.c -- pattern databases, for a puzzle whose whole space is too large
 *
 * What is done of them is kept now and then, and where a run is interrupted: table by table, or layer by layer where
 * their family goes on within a table.
 */
#include "common/signals.h"
#include "lib/clock.h"
#include "lib/memory/pages.h"
#include "lib/search/board/patterns.h"
#include "lib/text.h"
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tables that are being built, and what is found out about them. */
struct tables {
    struct work *work;
    struct patterns patterns;
    struct pattern_progress progress;
    uint8_t *bytes;
    uint64_t entries;
    uint64_t histogram[PATTERN_VALUES_MAX];
    size_t depths;     /* the greatest value plus one */
    uint64_t *hardest; /* the first entries of the greatest value, all tables numbered through */
    size_t hardest_kept;
};

/* Notes the entries with the greatest value, as far as they are kept. */
static pdb_status find_hardest(struct tables *tables, pdb_error *error)
{
    const unsigned greatest = (unsigned)tables->depths - 1;
    const uint64_t all = tables->histogram[greatest], most = all < STORE_HARDEST_MAX ? all : STORE_HARDEST_MAX;
    uint64_t before = 0;
    tables->hardest = malloc(most * sizeof *tables->hardest);
    if (tables->hardest == NULL)
        return error_no_memory(error, "the greatest entries", most * sizeof *tables->hardest);
    for (unsigned t = 0; t < tables->patterns.tables; t++) {
        const struct pattern_table *table = &tables->patterns.table[t];
        for (uint64_t i = 0; i < table->entries && tables->hardest_kept < most; i++)
            if (pattern_entry(tables->bytes + table->offset, tables->patterns.bits, i) == greatest)
                tables->hardest[tables->hardest_kept++] = before + i;
        before += table->entries;
    }
    return PDB_OK;
}

static bool observe(void *context, uint64_t done)
{
    const struct tables *tables = context;
    progress_states(&tables->work->progress, tables->work->doing, done, tables->entries);
    return !interrupt_waits();
}

/* -- checkpoints: the bytes, and how far they are -- */

enum { PARTS = 2 };

/* Tables that are built to be compared are not. */
static bool keeps(const struct tables *tables)
{
    return tables->work->writer != NULL;
}

static struct checkpoint describe(struct tables *tables, struct memory_part parts[PARTS])
{
    struct checkpoint checkpoint = {.of = CHECKPOINT_OF_TABLES,
                                    .generator = PDB_VERSION,
                                    .layout = tables->patterns.text,
                                    .part_count = PARTS,
                                    .parts = parts};
    parts[0] = (struct memory_part){&tables->progress, sizeof tables->progress};
    parts[1] = (struct memory_part){tables->bytes, tables->patterns.bytes};
    memcpy(checkpoint.definition, tables->work->puzzle->digest, sizeof checkpoint.definition);
    return checkpoint;
}

static pdb_status save(struct tables *tables, pdb_error *error)
{
    struct work *work = tables->work;
    struct memory_part parts[PARTS];
    const struct checkpoint checkpoint = describe(tables, parts);
    return space_save(&work->checkpoints, work->puzzle->name, &checkpoint, clock_now(), error);
}

static pdb_status keep(void *context, pdb_error *error)
{
    struct tables *tables = context;
    return clock_now() > tables->work->checkpoints.due ? save(tables, error) : PDB_OK;
}

/* Zeros from the first table on of which nothing is done. */
static void clear(struct tables *tables)
{
    const struct patterns *patterns = &tables->patterns;
    const uint64_t first = tables->progress.tables + (tables->progress.layers > 0),
                   begin = first < patterns->tables ? patterns->table[first].offset : patterns->bytes;
    struct team team = {.threads = tables->work->options->threads};
    pages_fill(tables->bytes + begin, 0, patterns->bytes - begin, &team);
    team_end(&team);
}

/* Goes on from a checkpoint, where there is one of these tables; else they are empty. One that is verified has none. */
static pdb_status go_on(struct tables *tables, pdb_error *error)
{
    struct work *work = tables->work;
    struct space_checkpoints *checkpoints = &work->checkpoints;
    const struct options *options = work->options;
    struct memory_part parts[PARTS];
    struct checkpoint checkpoint = describe(tables, parts);
    bool found = false;
    *checkpoints = (struct space_checkpoints){.directory = options->directory,
                                              .writer = work->writer,
                                              .seconds = (double)options->checkpoint,
                                              .exactly = options->checkpoint_given,
                                              .due = clock_now() + (double)options->checkpoint};
    pdb_status status = PDB_OK;
    if (keeps(tables)) {
        checkpoint_sweep(options->directory, work->puzzle->name, CHECKPOINT_OF_TABLES);
        status = checkpoint_load(options->directory, work->puzzle->name, &checkpoint, &found, checkpoints->ignored,
                                 sizeof checkpoints->ignored, error);
    }
    if (status != PDB_OK)
        return status;
    checkpoints->kept = found && tables->progress.tables < tables->patterns.tables;
    if (!checkpoints->kept)
        tables->progress = (struct pattern_progress){0};
    clear(tables);
    if (checkpoints->kept && tables->progress.layers > 0)
        progress_say(&work->progress, "going on from layer %llu of table %llu",
                     (unsigned long long)tables->progress.layers - 1, (unsigned long long)tables->progress.tables + 1);
    else if (checkpoints->kept)
        progress_say(&work->progress, "going on from table %llu", (unsigned long long)tables->progress.tables + 1);
    else
        work_begins_anew(work);
    return PDB_OK;
}

static pdb_status interrupted(struct tables *tables, pdb_error *error)
{
    const char *name = tables->work->puzzle->name;
    pdb_error cause;
    if (!keeps(tables))
        return error_set(error, PDB_INTERRUPTED, "%s: interrupted; nothing is kept", name);
    const pdb_status status = save(tables, &cause);
    if (status != PDB_OK)
        return error_set(error, status, "%s: interrupted, and what is done cannot be kept: %s", name, cause.message);
    return error_set(error, PDB_INTERRUPTED,
                     "%s: interrupted; what is done of the tables is kept, the next run goes on from there", name);
}

/* Builds what tables->patterns says. */
static pdb_status build(struct work *work, struct tables *tables, pdb_error *error)
{
    const struct patterns *patterns = &tables->patterns;
    const unsigned threads = work->options->threads;
    tables->work = work;
    for (unsigned t = 0; t < patterns->tables; t++)
        tables->entries += patterns->table[t].entries;
    work->doing = "entered into the tables";
    tables->bytes = pages_take(patterns->bytes);
    if (tables->bytes == NULL)
        return error_no_memory(error, "the pattern databases", patterns->bytes);
    const struct pattern_work building = {threads, observe, keeps(tables) ? keep : NULL, tables, &tables->progress};
    pdb_status status = go_on(tables, error);
    if (status == PDB_OK)
        status = work->puzzle->family->single.patterns->build(work->puzzle, patterns, &building, tables->bytes, error);
    if (status == PDB_INTERRUPTED)
        return interrupted(tables, error);
    if (status != PDB_OK)
        return status;
    struct team team = {.threads = threads};
    for (unsigned t = 0; t < patterns->tables; t++)
        patterns_count(tables->bytes + patterns->table[t].offset, patterns->bits, patterns->table[t].entries, &team,
                       tables->histogram);
    team_end(&team);
    for (unsigned v = 0; v < PATTERN_VALUES_MAX; v++)
        if (tables->histogram[v] > 0)
            tables->depths = v + 1;
    return find_hardest(tables, error);
}

/* Builds the tables, and has them published or compared; frees them. */
static pdb_status build_and_keep(struct work *work, struct tables *tables, pdb_error *error)
{
    char goal[BOARD_TEXT_MAX];
    pdb_status status = build(work, tables, error);
    if (status == PDB_OK) {
        struct store_header header = space_header(work->puzzle, goal);
        header.encoding = patterns_encoding(tables->patterns.bits);
        header.patterns = tables->patterns.text;
        header.states = header.reachable = tables->entries;
        header.data_bytes = tables->patterns.bytes;
        header.depths = tables->depths;
        header.histogram = tables->histogram;
        header.hardest = tables->histogram[tables->depths - 1];
        header.hardest_kept = tables->hardest_kept;
        header.hardest_states = tables->hardest;
        status = work_keep(work, &header, tables->bytes, "an entry is", error);
    }
    free(tables->bytes);
    free(tables->hardest);
    return status;
}

pdb_status patterns_make(struct work *work, const pdb_error *too_large, pdb_error *error)
{
    const struct pattern_family *family = work->puzzle->family->single.patterns;
    const struct options *options = work->options;
    char states[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX], bytes[NUMBER_TEXT_MAX], text[SCRATCH_TEXT_MAX];
    struct tables tables = {0};
    pdb_error cause = {.status = PDB_NO_DATABASE};
    pdb_status status = PDB_NO_DATABASE;
    if (family != NULL) /* the writer's share of the memory is small, and known when the tables are */
        status = family->choose(work->puzzle, work->options->memory, &tables.patterns, &cause);
    if (status == PDB_NO_DATABASE)
        return error_set(error, PDB_TOO_LARGE, "%s%s%s; pdb-query --method=search searches for single boards",
                         too_large->message, *cause.message != '\0' ? "; " : "", cause.message);
    if (status != PDB_OK)
        return error_set(error, status, "%s; and for pattern databases: %s", too_large->message, cause.message);
    if (!options->quiet) { /* said once, since it is a choice that the user may want to know of */
        progress_end(&work->progress);
        const uint64_t deepest = work->puzzle->deepest;
        const bool deep = deepest > DISTANCE_MAX;
        fprintf(stderr, "%s: %s %s %s%s: building pattern databases %s (%s)\n", work->puzzle->name,
                deep ? "distances of" : count_text(work->puzzle->states, work->puzzle->size, states),
                deep ? number_text(deepest, states) : "states do not fit in",
                deep ? "cannot be kept" : size_text(options->memory, allowed),
                deep ? "" : whole_scratch_text(work, text), tables.patterns.shape,
                size_text(tables.patterns.bytes, bytes));
    }
    return build_and_keep(work, &tables, error);
}

pdb_status patterns_verify(struct work *work, pdb_error *error)
{
    const struct pattern_family *family = work->puzzle->family->single.patterns;
    const char *text = store_header(work->store)->patterns;
    struct tables tables = {0};
    char need[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
    pdb_status status = family == NULL ? PDB_DAMAGED : family->read(work->puzzle, text, 0, &tables.patterns, error);
    if (status == PDB_DAMAGED)
        return work_differs(store_file(work->store), "its patterns are", error);
    if (status == PDB_OK && tables.patterns.memory > work->options->memory)
        return error_set(error, PDB_TOO_LARGE, "%s: building the patterns again needs %s of memory, and %s is allowed",
                         work->puzzle->name, size_text(tables.patterns.memory, need),
                         size_text(work->options->memory, allowed));
    return status == PDB_OK ? build_and_keep(work, &tables, error) : status;
}
