/* check.c -- pdb-gen --check: holds a puzzle against its contract, builds nothing */
#include "lib/clock.h"
#include "lib/text.h"
#include "work.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

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
