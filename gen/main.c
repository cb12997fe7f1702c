/* main.c -- pdb-gen: solves all states of a puzzle at once and keeps their distances */
#include "common/signals.h"
#include "catalog/catalog.h"
#include "gen/layouts/layouts.h"
#include "launch.h"
#include "work.h"
#include "common/streams.h"
#include "lib/clock.h"
#include "lib/team.h"
#include "lib/text.h"
#include "version.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* -- what is said at the end -- */

/* The texts up to NULL, at most so many. */
static json_t *texts_json(const char *const *texts, size_t most)
{
    json_t *array = json_array();
    for (size_t i = 0; i < most && texts[i] != NULL; i++)
        if (json_array_append_new(array, json_string(texts[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

/* A mistake in the definition, most likely; but it may be meant, as it is in those that are built in. */
static void warn_of_lost(const char *name_or_path, const pdb_puzzle *puzzle, const struct summary *summary)
{
    const bool built_in = strcmp(name_or_path, puzzle->name) == 0;
    if (summary->lost == 0 || built_in)
        return;
    pdb_error path; /* one line of proper UTF-8 */
    error_set(&path, PDB_UNREACHABLE, "%s", name_or_path);
    fprintf(stderr, "pdb-gen: %s: the goal cannot be reached from the board%s", path.message, plural(summary->lost));
    for (size_t i = 0; i < summary->lost && i < LOST_MAX; i++)
        fprintf(stderr, "%s'%s'", i > 0 ? ", " : " ", summary->lost_name[i]);
    fputs(summary->lost > LOST_MAX ? " and others\n" : "\n", stderr);
}

static pdb_status say_json(const pdb_puzzle *puzzle, const struct summary *summary, pdb_error *error)
{
    const bool patterns = summary->entries > 0;
    json_t *states = summary->states != 0 ? json_integer((json_int_t)summary->states) : json_null();
    json_t *max = patterns ? json_null() : json_integer((json_int_t)summary->max);
    const double seconds = (double)(uint64_t)(summary->seconds * 1e6) / 1e6; /* no digits that nobody can measure */
    json_t *object = json_pack("{ss,so,so,sI,sf,ss,sb}", "puzzle", puzzle->name, "states", states, "max", max, "bytes",
                               (json_int_t)summary->bytes, "seconds", seconds, "file", summary->file, "made",
                               summary->made);
    int failed = 0;
    if (patterns) {
        failed |= json_object_set_new(object, "patterns", json_string(summary->patterns));
        failed |= json_object_set_new(object, "entries", json_integer((json_int_t)summary->entries));
    }
    if (kind_of(puzzle)->means)
        failed |= json_object_set_new(object, "mean", json_real(summary->mean));
    if (summary->lost > 0)
        failed |= json_object_set_new(object, "unreachable", texts_json(summary->lost_name, LOST_MAX));
    if (summary->ranks > 0) {
        failed |= json_object_set_new(object, "ranks", json_integer(summary->ranks));
        failed |= json_object_set_new(object, "exchanged", json_integer((json_int_t)summary->exchanged));
    }
    if (summary->way != NULL) {
        failed |= json_object_set_new(object, "way", json_string(summary->way));
        failed |= json_object_set_new(object, "memory", json_integer((json_int_t)summary->memory));
    }
    char *text = failed ? NULL : json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(object);
    if (text == NULL)
        return error_set(error, PDB_NO_MEMORY, "the summary cannot be written as JSON: %s", summary->file);
    puts(text);
    free(text);
    return PDB_OK;
}

static void say_text(const pdb_puzzle *puzzle, const struct options *options, const struct summary *summary)
{
    char size[NUMBER_TEXT_MAX], number[NUMBER_TEXT_MAX], file[PATH_MAX];
    kind_of(puzzle)->say(puzzle, summary);
    if (options->verify) { /* a pattern database is only built anew and compared */
        printf("every one verified in %.2f s", summary->seconds);
        if (summary->audited.by_successors > 0)
            printf(", each held against its successors");
        if (summary->audited.by_plain_rules > 0)
            printf(", %s against the plain rules", number_text(summary->audited.by_plain_rules, number));
        printf(": ");
    } else if (summary->made)
        printf("made in %.2f s%s%s: ", summary->seconds, summary->replaced != NULL ? ", in place of " : "",
               summary->replaced != NULL ? summary->replaced : "");
    else
        printf("already there%s (--force makes it again): ",
               summary->others ? ", and others than would be built now" : "");
    printf("%s, %s\n", text_shown(summary->file, file, sizeof file), size_text(summary->bytes, size));
}

/* -- what is checked -- */

static pdb_status say_checked_json(const pdb_puzzle *puzzle, const struct checked *checked, double seconds,
                                   pdb_error *error)
{
    json_t *names = texts_json(checked->rules, sizeof checked->rules / sizeof *checked->rules);
    json_t *object = json_pack("{ss,sI,sb,sI,sI,so,sf}", "puzzle", puzzle->name, "checked", (json_int_t)checked->count,
                               "all", checked->all, "moves", (json_int_t)checked->moves, "goals",
                               (json_int_t)checked->goals, "rules", names, "seconds", seconds);
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6));
    json_decref(object);
    if (text == NULL)
        return error_no_memory(error, "the summary as JSON", sizeof *checked);
    puts(text);
    free(text);
    return PDB_OK;
}

static pdb_status check(const pdb_puzzle *puzzle, const struct options *options, pdb_error *error)
{
    struct progress progress;
    struct checked checked;
    char count[NUMBER_TEXT_MAX], of[NUMBER_TEXT_MAX];
    progress_begin(&progress, options->progress, puzzle->name, puzzle->shown);
    pdb_status status = kind_of(puzzle)->check(puzzle, options, &progress, &checked, error);
    progress_end(&progress);
    if (status == PDB_OK && options->json)
        return say_checked_json(puzzle, &checked, clock_now() - progress.line.begin, error);
    if (status != PDB_OK || options->quiet)
        return status;
    printf("%s: %s", puzzle->name, number_text(checked.count, count));
    if (checked.of > 0)
        printf(" of %s", number_text(checked.of, of));
    printf(" %s checked", checked.what);
    if (!checked.all)
        printf(" (%s)", checked.sampled);
    for (size_t i = 0; checked.rules[i] != NULL; i++)
        printf("%s%s", i > 0 ? ", " : ": ", checked.rules[i]);
    putchar('\n');
    return PDB_OK;
}

/* -- what is asked for -- */

/* Of processes that do the work together, the first says what befalls all. The others' exit codes are 0: for another,
 * what started them would end all, perhaps before the first has said it. */
static int complain(const pdb_error *error)
{
    if (!launch_is_first())
        return EXIT_SUCCESS;
    fprintf(stderr, "pdb-gen: %s\n", error->message);
    return error_exit_code(error->status);
}

static pdb_status solve_layouts(const char *name, const struct options *options, pdb_error *error)
{
    const struct layouts_options layouts = {.directory = options->directory,
                                            .threads = options->threads,
                                            .memory = options->memory,
                                            .most = options->most,
                                            .best = options->best,
                                            .anew = options->force,
                                            .json = options->json,
                                            .quiet = options->quiet,
                                            .progress = options->progress};
    return layouts_run(name, &layouts, error);
}

/* Ranks read the same definition, each on its own machine. */
static pdb_status load(const char *name, struct ranks *ranks, pdb_puzzle **puzzle, pdb_error *error)
{
    uint64_t number[DIGEST_BYTES / sizeof(uint64_t)] = {0};
    pdb_status status = catalog_load(name, puzzle, error);
    const bool loaded = status == PDB_OK;
    if (loaded)
        memcpy(number, (*puzzle)->digest, sizeof number);
    ranks_tell(ranks, number, sizeof number / sizeof *number);
    if (loaded && memcmp(number, (*puzzle)->digest, sizeof number) != 0)
        status = error_set(error, PDB_BAD_USAGE, "%s: processes of one run were given different definitions", name);
    status = ranks_agree(ranks, status, error);
    if (loaded && status != PDB_OK)
        catalog_free(*puzzle);
    return status;
}

static pdb_status work_on(const char *name, const struct options *options, pdb_error *error)
{
    pdb_puzzle *puzzle;
    struct summary summary;
    if (options->layouts)
        return solve_layouts(name, options, error);
    pdb_status status = load(name, options->ranks, &puzzle, error);
    if (status != PDB_OK)
        return status;
    if (options->check) {
        status = check(puzzle, options, error);
        catalog_free(puzzle);
        return status;
    }
    status = (options->verify ? verify : generate)(puzzle, options, &summary, error);
    if (status == PDB_OK && ranks_first(options->ranks))
        warn_of_lost(name, puzzle, &summary);
    if (status == PDB_OK && options->json)
        status = say_json(puzzle, &summary, error);
    else if (status == PDB_OK && !options->quiet)
        say_text(puzzle, options, &summary);
    catalog_free(puzzle);
    return status;
}

/* The boards that the definition names, one a line, and the goal where it is a board. */
static pdb_status list_boards(const char *name, pdb_error *error)
{
    pdb_puzzle *puzzle;
    uint8_t goal[BOARD_MAX_CELLS];
    char text[PDB_TEXT_MAX];
    pdb_status status = catalog_load(name, &puzzle, error);
    if (status != PDB_OK)
        return status;
    const struct puzzle *moves = puzzle->shown;
    for (size_t i = 0; i < moves->named_count; i++) {
        board_format(&moves->board, moves->named[i].position, text);
        printf("%-18s  %s\n", moves->named[i].name, text);
    }
    status = catalog_check_boards(puzzle, error);
    if (status == PDB_OK && puzzle_parse(moves, "goal", goal, NULL) == PDB_OK) {
        board_format(&moves->board, goal, text);
        printf("%-18s  %s\n", "goal", text);
    } else if (status == PDB_OK && moves->named_count == 0) {
        error_set(error, PDB_OK, "%s: no board has a name ('boards' gives names), and the goal leaves something open",
                  name);
        complain(error);
    }
    catalog_free(puzzle);
    return status;
}

static pdb_status list(pdb_error *error)
{
    char pattern[CATALOG_PATTERN_MAX];
    const char *title;
    if (isatty(STDOUT_FILENO)) /* for people; programs read lines of puzzles alone */
        printf("%-18s %21s  %s\n\n", "PUZZLE", "STATES (<: FEWER THAN)", "WHAT TO DO");
    for (size_t i = 0; catalog_names[i] != NULL; i++) {
        pdb_puzzle *puzzle;
        char states[NUMBER_TEXT_MAX] = "?"; /* how many items there are, building may have to tell */
        pdb_status status = catalog_load(catalog_names[i], &puzzle, error);
        if (status != PDB_OK)
            return status;
        if (puzzle->states != 0 || puzzle->size > 0)
            count_text(puzzle->states, puzzle->size, states);
        /* How many keys are states, a search only knows. */
        printf("%-18s %s%20s  %s\n", puzzle->name, puzzle->shown->keyed ? "<" : " ", states, puzzle->title);
        catalog_free(puzzle);
    }
    /* Those of any size have no number of states. */
    for (size_t i = 0; catalog_sized_pattern(i, pattern, &title); i++)
        printf("%-18s %21s  %s\n", pattern, "", title);
    return PDB_OK;
}

/* What ranks do together is making databases, and the first of them tells of it. They are one program, and have the
 * same to do. */
static pdb_status share_out(struct options *options, struct ranks *ranks, pdb_error *error)
{
    char own[64] = "", told[sizeof own];
    uint64_t number[sizeof own / sizeof(uint64_t)];
    pdb_status status = PDB_OK;
    options->ranks = ranks;
    snprintf(own, sizeof own, "%d of %s", options->puzzles, PDB_VERSION_AND_COMMIT);
    memcpy(number, own, sizeof number);
    ranks_tell(ranks, number, sizeof number / sizeof *number);
    memcpy(told, number, sizeof told);
    if (options->verify || options->check || options->layouts)
        status = error_set(error, PDB_BAD_USAGE, "--verify, --check and --layouts are one process's work: start one");
    else if (memcmp(told, own, sizeof own) != 0)
        status = error_set(error, PDB_BAD_USAGE,
                           "processes of one run are different versions of pdb-gen, or were given different puzzles");
    status = ranks_agree(ranks, status, error);
    if (status != PDB_OK)
        return status;
    if (!ranks_first(ranks)) {
        options->quiet = true;
        options->progress = PROGRESS_OFF;
        options->json = false;
    }
    return PDB_OK;
}

/* Every puzzle is tried, unless the user interrupts; the exit code is the first failure's. */
static int run(const struct options *options)
{
    pdb_error error;
    int code = EXIT_SUCCESS;
    if (options->list && options->puzzles == 0 && list(&error) != PDB_OK)
        return complain(&error);
    for (int i = 0; i < options->puzzles; i++) {
        const char *name = options->puzzle[i];
        if ((options->list ? list_boards(name, &error) : work_on(name, options, &error)) == PDB_OK)
            continue;
        int failed = complain(&error);
        code = code == EXIT_SUCCESS ? failed : code;
        if (error.status == PDB_INTERRUPTED)
            return failed;
    }
    return code;
}

/* What is freed is to be the system's again: else the C library keeps blocks of many MiB that threads have freed, over
 * and above the memory that is announced. */
static void keep_little(void)
{
#ifdef M_MMAP_THRESHOLD
    /* Said so, it does not grow with what is freed. No other thread is there yet. */
    mallopt(M_MMAP_THRESHOLD, 4 << 20); /* NOLINT(concurrency-mt-unsafe) */
#endif
}

static int work(struct options *options, struct ranks *ranks)
{
    pdb_error error;
    if (ranks != NULL && share_out(options, ranks, &error) != PDB_OK)
        return complain(&error);
    options->threads = team_threads(options->threads);
    const int code = run(options);
    if (streams_finish(&error) != PDB_OK && !streams_reader_left())
        return complain(&error);
    return code;
}

/* What needs no others is done before they are looked for: each of the processes that were started does it, and all but
 * the first keep silent. */
int main(int argc, char **argv)
{
    struct ranks *ranks = NULL;
    struct options options;
    pdb_error error;
    const bool first = launch_is_first();
    keep_little();
    streams_prepare();
    bus_error_explain();
    if (!first && freopen("/dev/null", "w", stdout) == NULL)
        return EXIT_FAILURE;
    const enum arguments_outcome outcome = gen_options_read(argc, argv, &options, &error);
    if (outcome == ARGUMENTS_DONE)
        return streams_finish(&error) == PDB_OK || streams_reader_left() ? EXIT_SUCCESS : complain(&error);
    if (outcome == ARGUMENTS_WRONG || (!options.list && launch_join(&ranks, &error) != PDB_OK)) {
        if (first)
            return complain(&error);
        /* the first, which most likely fails too, is to have spoken before all are ended for this one */
        nanosleep(&(struct timespec){.tv_sec = 3}, NULL);
        return error_exit_code(error.status);
    }
    const int code = work(&options, ranks);
    launch_leave(ranks);
    return code;
}
