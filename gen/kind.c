/* kind.c -- puzzles with moves, and puzzles without */
#include "common/signals.h"
#include "lib/check/check.h"
#include "lib/search/space/folded.h"
#include "lib/text.h"
#include "work.h"

#include <stdio.h>
#include <string.h>

static bool show_checked(void *context, uint64_t done, uint64_t all)
{
    if (all > 0)
        progress_states(context, "checked", done, all);
    return true;
}

/* -- puzzles with moves: distances or patterns -- */

/* The whole space where it fits into the memory allowed, else patterns. By keys, only the search tells. */
static pdb_status make(struct work *work, pdb_error *error)
{
    pdb_error cause;
    pdb_status status = whole_plan(work, &cause);
    if (status == PDB_OK)
        status = whole_make(work, &cause);
    if (status == PDB_TOO_LARGE && ranks_alone(work->options->ranks))
        return patterns_make(work, &cause, error);
    return status == PDB_OK ? status : error_set(error, status, "%s", cause.message);
}

static pdb_status verify_store(struct work *work, pdb_error *error)
{
    return (*store_header(work->store)->patterns != '\0' ? patterns_verify : whole_verify)(work, error);
}

static pdb_status check_moves(const pdb_puzzle *puzzle, const struct options *options, struct progress *progress,
                              struct checked *checked, pdb_error *error)
{
    struct check_report report;
    struct check_limits limits = check_defaults(options->threads);
    struct puzzle *folded = NULL; /* wide keys are checked as they are searched by */
    limits.observer = show_checked;
    limits.context = progress;
    pdb_status status = puzzle->moves->wide ? folded_create(puzzle->moves, NULL, &folded, error) : PDB_OK;
    if (status == PDB_OK)
        status = check_puzzle(folded != NULL ? folded : puzzle->moves, &limits, &report, error);
    folded_free(folded);
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
    const char *const rules[] = {"moves and their inverses",         report.unnumbered ? NULL : "ranking", "text",
                                 report.coloured ? "colours" : NULL, report.symmetric ? "symmetry" : NULL, "goals",
                                 report.bounded ? "bounds" : NULL};
    size_t count = 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i] != NULL)
            checked->rules[count++] = rules[i];
    return PDB_OK;
}

/* Where nothing is farther than distance 0: is every state a goal? Where each has a number of its own, that shows. */
static bool is_always_met(const struct puzzle *puzzle, const struct summary *summary)
{
    return !puzzle->keyed && puzzle->family->index.weights == NULL && summary->states == puzzle->states;
}

static void say(const pdb_puzzle *puzzle, const struct summary *summary)
{
    char states[NUMBER_TEXT_MAX], hardest[NUMBER_TEXT_MAX];
    if (summary->entries > 0)
        printf("%s: pattern databases %s, %s entries; ", puzzle->name, summary->patterns,
               number_text(summary->entries, states));
    else if (summary->max == 0)
        printf("%s: %s state%s, all at the goal already: %s; ", puzzle->name, number_text(summary->states, states),
               plural(summary->states),
               is_always_met(puzzle->moves, summary) ? "every board meets it" : "no other board reaches it");
    else
        printf("%s: %s states, the farthest %s at %s %llu; ", puzzle->name, number_text(summary->states, states),
               number_text(summary->hardest, hardest),
               puzzle->moves != NULL && puzzle->moves->max_cost > 1 ? "a cost of" : "distance",
               (unsigned long long)summary->max);
}

/* -- puzzles without moves: items, built in one go, which takes seconds, seldom minutes -- */

static bool observe_items(void *context, double done)
{
    struct work *work = context;
    progress_share(&work->progress, work->doing, done);
    return !interrupt_waits();
}

static pdb_status build_items(struct work *work, struct items *items, pdb_error *error)
{
    const struct options *options = work->options;
    const struct items_family *family = work->subject->items->family;
    char need[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
    work->doing = "worked out";
    pdb_status status = family->build(work->subject->items, options->threads, options->memory, observe_items, work,
                                      items, error);
    if (status == PDB_INTERRUPTED)
        return error_set(error, status, "%s: interrupted; its %s are worked out in one go, nothing is kept",
                         work->subject->name, family->items);
    /* Writing it takes memory too, which is known only now. */
    const uint64_t needed = items->size + store_publish_memory(items->size, 0, false);
    if (status != PDB_OK || work->store != NULL || needed <= options->memory)
        return status;
    return error_set(error, PDB_TOO_LARGE, "%s: keeping its %s takes %s of memory, and %s %s", work->subject->name,
                     family->items, size_text(needed, need),
                     options->memory_given ? "--memory allows" : "this machine gives at most",
                     size_text(options->memory, allowed));
}

static pdb_status work_out_items(struct work *work, pdb_error *error)
{
    struct items items = {0};
    if (!ranks_alone(work->options->ranks))
        return error_set(error, PDB_BAD_USAGE, "%s: what has no moves is one process's work: start one",
                         work->subject->name);
    pdb_status status = build_items(work, &items, error);
    if (status == PDB_OK) {
        struct store_header header = {.puzzle = work->subject->name,
                                      .goal = "",
                                      .metric = work->subject->metric,
                                      .encoding = work->subject->items->family->encoding,
                                      .patterns = "",
                                      .generator = PDB_VERSION,
                                      .states = items.count,
                                      .reachable = items.count,
                                      .data_bytes = items.size,
                                      .depths = items.depths,
                                      .histogram = items.histogram,
                                      .hardest = items.histogram[items.depths - 1],
                                      .hardest_kept = items.hardest_kept,
                                      .hardest_states = items.hardest};
        memcpy(header.definition, work->subject->digest, sizeof header.definition);
        status = work_keep(work, &header, items.bytes, "a byte of the data is", error);
    }
    items_free(&items);
    return status;
}

static pdb_status check_items(const pdb_puzzle *puzzle, const struct options *options, struct progress *progress,
                              struct checked *checked, pdb_error *error)
{
    const struct items_check_limits limits = {
        .threads = options->threads, .memory = options->memory, .observer = show_checked, .context = progress};
    *checked = (struct checked){.what = puzzle->items->family->items,
                                .sampled = "a sample",
                                .rules = {"building", "figures", "questions", "histogram", "texts"}};
    return items_check(puzzle->items, &limits, &checked->count, &checked->all, error);
}

static void say_items(const pdb_puzzle *puzzle, const struct summary *summary)
{
    char count[NUMBER_TEXT_MAX], hardest[NUMBER_TEXT_MAX];
    number_text(summary->hardest, hardest);
    printf("%s: %s %s, the hardest %s %llu %s%s, %.3f in the mean; ", puzzle->name, number_text(summary->states, count),
           puzzle->items->family->items, summary->hardest == 1 ? "takes" : strcat(hardest, " take"),
           (unsigned long long)summary->max, puzzle->metric, plural(summary->max), summary->mean);
}

const struct kind *kind_of(const pdb_puzzle *puzzle)
{
    static const struct kind with_moves = {.make = make, .verify = verify_store, .check = check_moves, .say = say};
    static const struct kind without_moves = {
        .make = work_out_items, .verify = work_out_items, .check = check_items, .say = say_items, .means = true};
    return puzzle->items != NULL ? &without_moves : &with_moves;
}
