/* patterns.c -- pattern databases, for a puzzle whose whole space is too large
 *
 * They are built in one go, which takes seconds to a minute: an interrupted run keeps nothing.
 */
#include "common/signals.h"
#include "lib/pages.h"
#include "lib/search/board/patterns.h"
#include "lib/text.h"
#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tables that are being built, and what is found out about them. */
struct tables {
    struct patterns patterns;
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
    struct work *work = context;
    progress_states(&work->progress, work->doing, done, work->entries);
    return !interrupt_waits();
}

/* Builds what tables->patterns says. */
static pdb_status build(struct work *work, struct tables *tables, pdb_error *error)
{
    const struct patterns *patterns = &tables->patterns;
    for (unsigned t = 0; t < patterns->tables; t++)
        tables->entries += patterns->table[t].entries;
    work->doing = "entered into the tables";
    work->entries = tables->entries;
    tables->bytes = pages_take(patterns->bytes);
    if (tables->bytes == NULL)
        return error_no_memory(error, "the pattern databases", patterns->bytes);
    struct team team = {.threads = work->options->threads};
    pages_fill(tables->bytes, 0, patterns->bytes, &team);
    team_end(&team);
    const struct pattern_work building = {work->options->threads, tables->histogram, observe, work};
    pdb_status status = work->puzzle->family->single.patterns->build(work->puzzle, patterns, &building, tables->bytes,
                                                                     error);
    if (status == PDB_INTERRUPTED)
        return error_set(error, status, "%s: interrupted; pattern databases are built in one go, nothing is kept",
                         work->puzzle->name);
    if (status != PDB_OK)
        return status;
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
        return error_set(error, PDB_TOO_LARGE, "%s%s%s; pdb-query searches for single boards without a database",
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
    pdb_status status = family == NULL ? PDB_DAMAGED : family->read(work->puzzle, text, &tables.patterns, error);
    if (status == PDB_DAMAGED)
        return work_differs(store_file(work->store), "its patterns are", error);
    if (status == PDB_OK && tables.patterns.memory > work->options->memory)
        return error_set(error, PDB_TOO_LARGE, "%s: building the patterns again needs %s of memory, and %s is allowed",
                         work->puzzle->name, size_text(tables.patterns.memory, need),
                         size_text(work->options->memory, allowed));
    return status == PDB_OK ? build_and_keep(work, &tables, error) : status;
}
