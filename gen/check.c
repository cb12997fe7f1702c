/* check.c -- pdb-gen --check: holds a puzzle against its contract, builds nothing */
#include "check.h"
#include "items/enumeration.h"
#include "progress.h"
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

/* The rules that there was something to check of, NULL at the end. */
static void rules_of(const struct puzzle *puzzle, const struct check_report *report, const char *rules[9])
{
    static const char *const enumerated[] = {"building", "figures", "questions", "histogram", "texts", NULL};
    size_t count = 0;
    if (puzzle->family->enumeration != NULL) {
        memcpy(rules, enumerated, sizeof enumerated);
        return;
    }
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

static void say_text(const struct puzzle *puzzle, const struct check_report *report)
{
    const struct enumeration_family *enumeration = puzzle->family->enumeration;
    const char *rules[9];
    char states[NUMBER_TEXT_MAX], of[NUMBER_TEXT_MAX];
    rules_of(puzzle, report, rules);
    printf("%s: %s", puzzle->name, number_text(report->states, states));
    if (!report->all && !puzzle->keyed && !report->unnumbered && enumeration == NULL)
        printf(" of %s", number_text(puzzle->states, of));
    printf(" %s checked%s: ", enumeration != NULL ? enumeration->items : "states",
           report->all                           ? ""
           : enumeration != NULL                 ? " (a sample)"
           : puzzle->keyed || report->unnumbered ? " (on walks from the named boards and the goals)"
                                                 : " (a sample, and on walks)");
    for (size_t i = 0; rules[i] != NULL; i++)
        printf("%s%s", i > 0 ? ", " : "", rules[i]);
    putchar('\n');
}

static pdb_status say_json(const struct puzzle *puzzle, const struct check_report *report, double seconds,
                           pdb_error *error)
{
    const char *rules[9];
    json_t *names = json_array();
    rules_of(puzzle, report, rules);
    int failed = 0;
    for (size_t i = 0; rules[i] != NULL; i++)
        failed |= json_array_append_new(names, json_string(rules[i]));
    json_t *object = json_pack("{ss,sI,sb,sI,sI,so,sf}", "puzzle", puzzle->name, "checked", (json_int_t)report->states,
                               "all", report->all, "moves", (json_int_t)report->moves, "goals",
                               (json_int_t)report->goals, "rules", names, "seconds", seconds);
    char *text = object != NULL && !failed ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    json_decref(object);
    if (text == NULL)
        return error_no_memory(error, "the summary as JSON", sizeof *report);
    puts(text);
    free(text);
    return PDB_OK;
}

pdb_status check_and_say(const struct puzzle *puzzle, const struct options *options, pdb_error *error)
{
    struct progress progress;
    struct check_report report;
    struct check_limits limits = check_defaults(options->threads);
    progress_begin(&progress, options->progress, puzzle);
    limits.memory = options->memory;
    limits.observer = show_progress;
    limits.context = &progress;
    pdb_status status = check_puzzle(puzzle, &limits, &report, error);
    progress_end(&progress);
    if (status == PDB_OK && options->json)
        return say_json(puzzle, &report, clock_now() - progress.line.begin, error);
    if (status == PDB_OK && !options->quiet)
        say_text(puzzle, &report);
    return status;
}
