/* open.c -- where a solver's answers come from: a database, the whole space in memory, or searches */
#include "solver.h"
#include "db/store.h"
#include "space/tables.h"
#include "space/wide_search.h"
#include "lib/clock.h"
#include "lib/text.h"
#include "lib/team.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A puzzle of more states is not solved whole on the spot; one of more than the second number neither, where its family
 * has a search of its own, which answers sooner; nor one where the order of moves does not matter. */
static const uint64_t whole_states_max = 100000000, quick_states_max = 1000000;

/* One of more states is not advised to be kept. */
static const uint64_t never_states_min = 1000000000000;

/* Nor one whose states, looked for by keys, take more than so many bytes; nor, where its family has a search of its
 * own, for longer than so many seconds. */
static const uint64_t search_memory_max = 1ull << 28;
static const double whole_seconds_max = 3;

uint64_t solver_memory(const pdb_options *options, uint64_t most)
{
    return options->memory != 0 && options->memory < most ? options->memory : most;
}

pdb_status solver_misfit(const pdb_solver *solver, pdb_error *error)
{
    return space_misfit(solver->store, solver->asked->name, error);
}

/* The caller's observer while distances are looked up. */
static bool observe_look_ups(const void *context, uint64_t done)
{
    const pdb_solver *solver = context;
    return solver->observe == NULL || solver->observe(solver->context, 0, done);
}

/* The whole space is solved or opened: its figures, and from now on its numbers of states. */
static void take_space(struct pdb_solver *solver)
{
    solver->puzzle = solver->space.puzzle;
    solver->figures = solver->space.header;
    solver->space.values.observe = observe_look_ups;
    solver->space.values.context = solver;
    solver->space.values.memory = solver->memory;
}

/* Takes a pattern database over from an open store. */
static pdb_status adopt_patterns(struct pdb_solver *solver, const struct store_header *header, unsigned threads,
                                 pdb_error *error)
{
    const struct pattern_family *family = solver->puzzle->family->single.patterns;
    pdb_error cause;
    pdb_status status = PDB_DAMAGED;
    if (family != NULL)
        status = family->read(solver->puzzle, header->patterns, header->states, &solver->patterns, &cause);
    if (status == PDB_NO_MEMORY)
        return error_set(error, status, "%s", cause.message);
    uint64_t entries = 0;
    for (unsigned t = 0; status == PDB_OK && t < solver->patterns.tables; t++)
        entries += solver->patterns.table[t].entries;
    if (status != PDB_OK || entries != header->states || solver->patterns.bytes != header->data_bytes ||
        strcmp(header->encoding, patterns_encoding(solver->patterns.bits)) != 0 || header->deflated)
        return solver_misfit(solver, error);
    /* Of one definition there can be several pattern databases, whose pages fit in one another's places. */
    status = store_check_content(solver->store, error);
    return status != PDB_OK ? status : tables_open(solver->store, threads, solver->memory, &solver->tables, error);
}

/* Does an open store belong to this puzzle? */
static pdb_status check_store(const struct pdb_solver *solver, pdb_error *error)
{
    const pdb_puzzle *puzzle = solver->asked;
    const char *file = store_file(solver->store);
    switch (space_owner(solver->store, puzzle->name, puzzle->digest)) {
    case SPACE_OF_ANOTHER_PUZZLE:
        return error_set(error, PDB_DAMAGED,
                         "%s is the database of another puzzle, '%s': generate it again (pdb-gen --force %s)", file,
                         store_header(solver->store)->puzzle, puzzle->name);
    case SPACE_OF_ANOTHER_DEFINITION:
        return error_set(
            error, PDB_DAMAGED,
            "%s was made from another definition of %s: the definition has changed, generate it again "
            "(pdb-gen, with the definition as it is now), or ask pdb-query --method=search, which needs none",
            file, puzzle->name);
    default:
        return PDB_OK;
    }
}

pdb_status pdb_database_path(const pdb_puzzle *puzzle, const char *directory, char *path, pdb_error *error)
{
    char default_directory[PATH_MAX];
    pdb_status status = PDB_OK;
    if (directory == NULL) {
        status = directory_default(default_directory, sizeof default_directory, error);
        directory = default_directory;
    }
    return status != PDB_OK ? status : store_path(directory, puzzle->name, path, error);
}

pdb_status solver_open_store(struct pdb_solver *solver, const char *directory, pdb_error *error)
{
    char path[PATH_MAX];
    pdb_status status = pdb_database_path(solver->asked, directory, path, error);
    if (status == PDB_OK)
        status = store_open(path, &solver->store, error);
    return status != PDB_OK ? status : check_store(solver, error);
}

/* -- without a database of distances -- */

/* The caller's observer while the whole space is solved: no bound follows from that. */
static bool observe_layer(void *context, const struct retrograde_progress *progress)
{
    const pdb_solver *solver = context;
    if (clock_now() > solver->until)
        return false;
    return solver->observe == NULL || solver->observe(solver->context, 0, progress->reached);
}

/* Solves the whole space in memory. PDB_TOO_LARGE: that takes too much memory, or too long. */
static pdb_status run_whole(struct pdb_solver *solver, const pdb_options *options, pdb_error *error)
{
    struct space *space = &solver->space;
    const uint64_t memory = solver_memory(options, space->base->keyed ? search_memory_max : UINT64_MAX);
    space->threads = team_threads(options->threads);
    pdb_status status = space_plan_within(space, memory, error);
    if (status == PDB_OK)
        status = space_begin(space, NULL, observe_layer, solver, error);
    if (status == PDB_OK)
        status = space_search(space, NULL, observe_layer, solver, error);
    if (status == PDB_INTERRUPTED && clock_now() > solver->until) {
        space_end(space);
        return error_set(error, PDB_TOO_LARGE, "%s: it takes long", solver->puzzle->name);
    }
    if (status == PDB_INTERRUPTED)
        return error_set(error, status, "%s: interrupted while its states were solved", solver->puzzle->name);
    if (status == PDB_OK)
        status = space_finish(space, error);
    if (status == PDB_OK)
        take_space(solver);
    return status;
}

/* A searcher; with `own` only if the puzzle's family has one itself, else PDB_NO_DATABASE. */
static pdb_status make_searcher(struct pdb_solver *solver, const pdb_options *options, bool own, pdb_error *error)
{
    struct search_options search = {.threads = team_threads(options->threads),
                                    .memory = options->memory != 0 ? solver_memory(options, search_memory_max) : 0,
                                    .patterns = solver->tables != NULL ? &solver->patterns : NULL,
                                    .source = solver->tables != NULL ? tables_source(solver->tables) : NULL};
    pdb_error cause;
    if (own)
        return search_make(solver->puzzle->family->single.searcher, solver->puzzle, &search, &solver->searcher, error);
    const pdb_status status = search_create(solver->puzzle, &search, &solver->searcher, &cause);
    if (status == PDB_NO_DATABASE && solver->puzzle->wide && puzzle_max_cost(solver->puzzle) == 1)
        return search_make(&wide_searcher, solver->puzzle, &search, &solver->searcher, error);
    return status == PDB_OK ? PDB_OK : error_set(error, status, "%s", cause.message);
}

/* Distances of all states in memory if that is quick or asked for, else a searcher. */
static pdb_status do_without(struct pdb_solver *solver, const pdb_options *options, const char *missing,
                             pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    const uint64_t states = puzzle->states;
    const bool whole = options->whole,
               medium = puzzle->wide || (states != 0 && (puzzle->keyed || states <= whole_states_max));
    pdb_error cause = {.status = PDB_TOO_LARGE, .message = ""};
    char number[NUMBER_TEXT_MAX];
    if (whole && !medium && (states == 0 || states > never_states_min)) /* nor would pdb-gen be of help */
        missing = "";
    if (whole && !medium)
        return error_set(error, PDB_NO_DATABASE, "%s%s%s: %s states are too many to search on the spot", missing,
                         *missing != '\0' ? "; " : "", puzzle->name, count_text(states, puzzle->size, number));
    if (!whole && (options->method == PDB_SEARCH || !medium))
        return make_searcher(solver, options, false, error);
    if (!whole && (puzzle->unordered || (!puzzle->keyed && states > quick_states_max))) {
        pdb_status status = make_searcher(solver, options, true, error);
        if (status != PDB_NO_DATABASE)
            return status;
    }
    const bool patient = whole || puzzle->family->single.searcher == NULL;
    solver->until = patient ? INFINITY : clock_now() + whole_seconds_max;
    pdb_status status = run_whole(solver, options, &cause);
    if (status == PDB_TOO_LARGE && !whole)
        return make_searcher(solver, options, false, error);
    if (status == PDB_TOO_LARGE)
        return error_set(error, PDB_NO_DATABASE, "%s%stoo much to search on the spot: %s", missing,
                         *missing != '\0' ? "; " : "", cause.message);
    return status == PDB_OK ? PDB_OK : error_set(error, status, "%s", cause.message);
}

/* The database that is there, if it is of use: distances, but where a search is demanded; patterns, but where the
 * distances of all states are. PDB_NO_DATABASE where there is none. */
static pdb_status use_store(struct pdb_solver *solver, const pdb_options *options, pdb_error *error)
{
    pdb_status status = solver_open_store(solver, options->directory, error);
    if (status != PDB_OK)
        return status;
    const struct store_header *header = store_header(solver->store);
    const bool patterns = *header->patterns != '\0';
    if (!patterns && options->method == PDB_SEARCH)
        return error_set(error, PDB_NO_DATABASE, "%s", "");
    if (patterns && options->whole)
        return error_set(error, PDB_NO_DATABASE, "%s has pattern databases, not the distances of all states",
                         store_file(solver->store));
    if (!patterns) {
        status = space_open(&solver->space, solver->store, error);
        if (status == PDB_OK)
            take_space(solver);
        return status;
    }
    status = adopt_patterns(solver, header, team_threads(options->threads), error);
    return status != PDB_OK ? status : make_searcher(solver, options, false, error);
}

static void drop_store(struct pdb_solver *solver)
{
    tables_free(solver->tables);
    if (solver->store != NULL)
        store_close(solver->store);
    solver->store = NULL;
    solver->tables = NULL;
}

/* The database, else a search, as far as the method allows. A search that is demanded does without a database that is
 * damaged. */
static pdb_status open_distances(struct pdb_solver *solver, const pdb_options *options, pdb_error *error)
{
    pdb_error missing = {.status = PDB_OK, .message = ""};
    pdb_status status = use_store(solver, options, &missing);
    if (status == PDB_OK)
        return PDB_OK;
    if (options->method == PDB_DATABASE || (options->method == PDB_AUTO && status != PDB_NO_DATABASE))
        return error_set(error, status, "%s", missing.message);
    drop_store(solver);
    return do_without(solver, options, options->method == PDB_AUTO ? missing.message : "", error);
}

pdb_status pdb_solver_open(const pdb_puzzle *puzzle, const pdb_options *options, pdb_solver **solver, pdb_error *error)
{
    static const pdb_options defaults = {0};
    struct pdb_solver *made = calloc(1, sizeof *made);
    if (made == NULL)
        return error_no_memory(error, "the solver", sizeof *made);
    options = options != NULL ? options : &defaults;
    made->asked = puzzle;
    made->puzzle = puzzle->shown;
    made->space = space_of(puzzle->shown, 1);
    made->threads = team_threads(options->threads);
    made->memory = options->memory;
    made->observe = options->observe;
    made->context = options->context;
    pdb_status status = (pdb_puzzle_enumerated(puzzle) ? items_open : open_distances)(made, options, error);
    if (status != PDB_OK) {
        pdb_solver_close(made);
        return status;
    }
    *solver = made;
    return PDB_OK;
}

void pdb_solver_close(pdb_solver *solver)
{
    if (solver == NULL)
        return;
    search_free(solver->searcher);
    space_free(&solver->space);
    drop_store(solver);
    items_free(&solver->items);
    free(solver);
}

/* What is said of the database, of whichever sort. */
static void store_info(const pdb_solver *solver, pdb_info *info)
{
    const struct store_header *header = store_header(solver->store);
    info->file = store_file(solver->store);
    info->file_bytes = store_file_bytes(solver->store);
    info->generator = header->generator;
    info->encoding = header->encoding;
    store_digest_text(header->content, info->content);
    if (solver->searcher == NULL) {
        info->method = PDB_DATABASE;
        return;
    }
    info->patterns = solver->patterns.text;
    info->shape = solver->patterns.shape;
    info->entries = header->states;
}

void pdb_solver_info(const pdb_solver *solver, pdb_info *info)
{
    *info = (pdb_info){.method = PDB_SEARCH, .states = solver->puzzle->states};
    store_digest_text(solver->asked->digest, info->definition);
    if (solver->searcher != NULL) {
        info->search = solver->searcher->method;
    } else {
        info->states = solver->figures.states;
        info->encoding = solver->figures.encoding;
        info->reachable = solver->figures.reachable;
        info->max = (uint32_t)(solver->figures.depths - 1);
        info->hardest = solver->figures.hardest;
        info->histogram = solver->figures.histogram;
    }
    if (solver->store != NULL)
        store_info(solver, info);
}
