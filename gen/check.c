/* check.c -- pdb-gen --check: holds a puzzle against its contract, builds nothing */
#include "check.h"
#include "items/check.h"
#include "kind.h"
#include "lib/check/check.h"
#include "lib/clock.h"
#include "lib/text.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool show_progress(void *context, uint64_t done, uint64_t all)
{
    if (all > 0)
        progress_states(context, "checked", done, all);
    return true;
}

static void list_rules(const struct check_report *report, const char *rules[9])
{
    size_t count = 0;
    rules[count++] = "moves and their inverses";
    if (!report->unnumbered)
        rules[count++] = "ranking";
    rules[count++] = "text";
    if (report->coloured)
        rules[count++] = "colours";
    if (report->symmetric)
        rules[count++] = "symmetry";
    rules[count++] = "goals";
    if (report->bounded)
        rules[count++] = "bounds";
    rules[count] = NULL;
}

pdb_status check_moves(const pdb_puzzle *puzzle, const struct options *options, struct progress *progress,
                       struct checked *checked, pdb_error *error)
{
    struct check_report report;
    struct check_limits limits = check_defaults(options->threads);
    limits.observer = show_progress;
    limits.context = progress;
    pdb_status status = check_puzzle(puzzle->moves, &limits, &report, error);
    if (status != PDB_OK)
        return status;
    const bool walked = puzzle->moves->keyed || report.unnumbered;
    *checked = (struct checked){.count = report.states,
                                .what = "states",
                                .all = report.all,
                                .of = report.all || walked ? 0 : puzzle->states,
                                .sampled = walked ? "on walks from the named boards and the goals"
                                                  : "a sample, and on walks",
                                .moves = report.moves,
                                .goals = report.goals};
    list_rules(&report, checked->rules);
    return PDB_OK;
}

pdb_status check_items(const pdb_puzzle *puzzle, const struct options *options, struct progress *progress,
                       struct checked *checked, pdb_error *error)
{
    const struct items_check_limits limits = {
        .threads = options->threads, .memory = options->memory, .observer = show_progress, .context = progress};
    *checked = (struct checked){.what = puzzle->items->family->items,
                                .sampled = "a sample",
                                .rules = {"building", "figures", "questions", "histogram", "texts"}};
    return items_check(puzzle->items, &limits, &checked->count, &checked->all, error);
}

static void say_text(const pdb_puzzle *puzzle, const struct checked *checked)
{
    char count[NUMBER_TEXT_MAX], of[NUMBER_TEXT_MAX];
    printf("%s: %s", puzzle->name, number_text(checked->count, count));
    if (checked->of > 0)
        printf(" of %s", number_text(checked->of, of));
    printf(" %s checked", checked->what);
    if (!checked->all)
        printf(" (%s)", checked->sampled);
    for (size_t i = 0; checked->rules[i] != NULL; i++)
        printf("%s%s", i > 0 ? ", " : ": ", checked->rules[i]);
    putchar('\n');
}

static pdb_status say_json(const pdb_puzzle *puzzle, const struct checked *checked, double seconds, pdb_error *error)
{
    json_t *names = json_array();
    int failed = 0;
    for (size_t i = 0; checked->rules[i] != NULL; i++)
        failed |= json_array_append_new(names, json_string(checked->rules[i]));
    json_t *object = json_pack("{ss,sI,sb,sI,sI,so,sf}", "puzzle", puzzle->name, "checked", (json_int_t)checked->count,
                               "all", checked->all, "moves", (json_int_t)checked->moves, "goals",
                               (json_int_t)checked->goals, "rules", names, "seconds", seconds);
    char *text = object != NULL && !failed ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(object);
    if (text == NULL)
        return error_no_memory(error, "the summary as JSON", sizeof *checked);
    puts(text);
    free(text);
    return PDB_OK;
}

pdb_status check_and_say(const pdb_puzzle *puzzle, const struct options *options, pdb_error *error)
{
    struct progress progress;
    struct checked checked;
    progress_begin(&progress, !options->no_progress && !options->quiet, puzzle->name, puzzle->shown);
    pdb_status status = kind_of(puzzle)->check(puzzle, options, &progress, &checked, error);
    progress_end(&progress);
    if (status == PDB_OK && options->json)
        return say_json(puzzle, &checked, clock_now() - progress.line.begin, error);
    if (status == PDB_OK && !options->quiet)
        say_text(puzzle, &checked);
    return status;
}
