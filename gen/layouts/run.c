/* run.c -- all layouts of a definition: solved side by side, ranked, the best kept as definitions
 *
 * Threads take the layouts in their order. One that is a state of a space solved before is passed over. Two threads may
 * solve the same space at once; the one that set out from its first layout is taken, so that what comes out does not
 * depend on who was quicker.
 */
#include "common/signals.h"
#include "journal.h"
#include "layouts.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/team.h"
#include "lib/text.h"

#include <errno.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One of the best. */
struct best {
    uint32_t number, distance;
    uint64_t states, hardest;
    unsigned __int128 solutions;
    char *board;
};

/* What the threads share, under `lock` but for what never changes. */
struct running {
    const struct layouts_options *options;
    struct layouts layouts;
    struct journal journal;
    pthread_mutex_t lock;
    struct team_failure failure;
    uint64_t *done, done_count; /* a bit a layout; how many */
    uint64_t spaces, lost;      /* spaces; those without a goal */
    struct best *best;          /* the best first */
    size_t best_count;
    bool kept; /* some of it was done by a run before */
    struct progress_line line;
};

/* -- what is done -- */

/* Is one better than another? The greater distance; a single solution; the larger space; the first layout. */
static bool is_better(const struct best *one, const struct best *other)
{
    if (one->distance != other->distance)
        return one->distance > other->distance;
    if ((one->solutions == 1) != (other->solutions == 1))
        return one->solutions == 1;
    return one->states != other->states ? one->states > other->states : one->number < other->number;
}

static pdb_status take_best(struct running *running, uint32_t number, const struct outcome *outcome, pdb_error *error)
{
    struct best made = {number, outcome->distance, outcome->states, outcome->hardest, outcome->solutions, NULL};
    const size_t most = running->options->best;
    size_t at = running->best_count;
    while (at > 0 && is_better(&made, &running->best[at - 1]))
        at--;
    if (at == most)
        return PDB_OK;
    made.board = strdup(outcome->board);
    if (made.board == NULL)
        return error_no_memory(error, "a board", BOARD_TEXT_MAX);
    if (running->best_count == most)
        free(running->best[--running->best_count].board);
    memmove(&running->best[at + 1], &running->best[at], (running->best_count++ - at) * sizeof made);
    running->best[at] = made;
    return PDB_OK;
}

static bool is_done(const struct running *running, uint64_t number)
{
    return __atomic_load_n(&running->done[number / 64], __ATOMIC_RELAXED) >> number % 64 & 1;
}

/* Counts a space that is solved, now or before. */
static pdb_status take(void *context, uint32_t number, struct outcome *outcome, pdb_error *error)
{
    struct running *running = context;
    if (is_done(running, number))
        return PDB_OK; /* a journal may tell it twice */
    for (size_t i = 0; i < outcome->covers; i++) {
        const uint32_t other = outcome->covered[i];
        running->done_count += !is_done(running, other);
        __atomic_or_fetch(&running->done[other / 64], 1ull << other % 64, __ATOMIC_RELAXED);
    }
    running->spaces++;
    running->lost += outcome->distance == LAYOUT_NONE;
    running->kept = true;
    return outcome->distance == LAYOUT_NONE ? PDB_OK : take_best(running, number, outcome, error);
}

static void show(struct running *running)
{
    char done[NUMBER_TEXT_MAX], all[NUMBER_TEXT_MAX];
    if (!line_due(&running->line))
        return;
    line_subject(&running->line, running->layouts.name);
    line_add(&running->line, "%s of %s layouts", number_text(running->done_count, done),
             number_text(running->layouts.count, all));
    if (running->best_count > 0)
        line_add(&running->line, "greatest distance %u", running->best[0].distance);
    line_note(&running->line, "layouts", (double)running->done_count);
    line_add_left(&running->line, (double)running->layouts.count);
    line_show(&running->line);
}

static void solve(void *context, unsigned thread, uint64_t number)
{
    struct running *running = context;
    struct outcome *outcome = NULL;
    pdb_error error = {.status = PDB_OK};
    (void)thread;
    if (is_done(running, number) || interrupt_waits() || team_failed(&running->failure, 0))
        return;
    outcome = calloc(1, sizeof *outcome);
    pdb_status status = outcome == NULL
                            ? error_no_memory(&error, "a layout", sizeof *outcome)
                            : layouts_solve(&running->layouts, (uint32_t)number,
                                            running->options->memory / running->options->threads, outcome, &error);
    pthread_mutex_lock(&running->lock);
    if (status == PDB_OK && outcome->covered[0] == number) {
        status = take(running, (uint32_t)number, outcome, &error);
        if (status == PDB_OK)
            status = journal_add(&running->journal, (uint32_t)number, outcome, &error);
        show(running);
    }
    pthread_mutex_unlock(&running->lock);
    if (status != PDB_OK && status != PDB_INTERRUPTED)
        team_fail(&running->failure, 0, &error);
    if (outcome != NULL)
        outcome_free(outcome);
    free(outcome);
}

/* -- what is said and kept -- */

/* The number of layouts, before the work begins. */
static void announce(const struct running *running)
{
    const struct layouts *layouts = &running->layouts;
    char all[NUMBER_TEXT_MAX], different[NUMBER_TEXT_MAX], done[NUMBER_TEXT_MAX];
    if (running->options->quiet || running->options->json)
        return;
    printf("%s: %s layout%s", layouts->name, number_text(layouts->all, all), plural(layouts->all));
    if (layouts->symmetries > 0)
        printf(", %s that are not alike by a symmetry", number_text(layouts->count, different));
    if (running->kept)
        printf("; %s were solved before", number_text(running->done_count, done));
    if (running->journal.replaced)
        printf("; in place of another definition's");
    putchar('\n');
    fflush(stdout);
}

/* The name of the file, and of the puzzle in it, for the best but `i`. */
static pdb_status name_best(const struct running *running, size_t i, char name[PUZZLE_NAME_MAX + 32],
                            char path[PATH_MAX], pdb_error *error)
{
    snprintf(name, PUZZLE_NAME_MAX + 32, "%.*s-%zu", PUZZLE_NAME_MAX - 21, running->layouts.name, i + 1);
    return snprintf(path, PATH_MAX, "%s/%s.yaml", running->journal.directory, name) < PATH_MAX
               ? PDB_OK
               : error_set(error, PDB_IO, "%s: the path is too long", running->journal.directory);
}

/* Takes away what an earlier run, with other layouts or more of them to be kept, has left behind the best. */
static pdb_status remove_others(const struct running *running, pdb_error *error)
{
    char name[PUZZLE_NAME_MAX + 32], path[PATH_MAX];
    for (size_t i = running->best_count;; i++) {
        const pdb_status status = name_best(running, i, name, path, error);
        if (status != PDB_OK)
            return status;
        if (unlink(path) != 0)
            return errno == ENOENT ? PDB_OK : error_set(error, PDB_IO, "%s: %m", path);
    }
}

/* The best as a definition of its own, whose start is its hardest board. */
static pdb_status keep(const struct running *running, size_t i, char path[PATH_MAX], pdb_error *error)
{
    const struct layouts *layouts = &running->layouts;
    const struct best *best = &running->best[i];
    char name[PUZZLE_NAME_MAX + 32], title[64], *text = NULL;
    snprintf(title, sizeof title, "the farthest board, %u move%s from the goal", best->distance,
             plural(best->distance));
    pdb_status status = name_best(running, i, name, path, error);
    if (status == PDB_OK)
        status = layouts_write(layouts, layouts->layout + (uint64_t)best->number * layouts->pieces, name, title,
                               best->board, &text, error);
    if (status != PDB_OK)
        return status;
    FILE *file = fopen(path, "we");
    bool good = file != NULL && fputs(text, file) >= 0;
    if (file != NULL)
        good &= fclose(file) == 0;
    free(text);
    return good ? PDB_OK : error_set(error, PDB_IO, "%s: %m", path);
}

static pdb_status say_best_json(const struct running *running, size_t i, const char *path, pdb_error *error)
{
    const struct best *best = &running->best[i];
    char solutions[NUMBER_TEXT_MAX];
    json_t *object = json_pack("{ss,sI,sI,ss,sI,sI,ss,ss}", "puzzle", running->layouts.name, "rank", (json_int_t)i + 1,
                               "distance", (json_int_t)best->distance, "solutions",
                               digits_text(best->solutions, solutions), "hardest", (json_int_t)best->hardest, "states",
                               (json_int_t)best->states, "board", best->board, "file", path);
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    if (text == NULL)
        return error_no_memory(error, "the best as JSON", BOARD_TEXT_MAX);
    puts(text);
    free(text);
    return PDB_OK;
}

static void say_best(const struct running *running, size_t i, const char *path)
{
    const struct best *best = &running->best[i];
    char states[NUMBER_TEXT_MAX], solutions[NUMBER_TEXT_MAX];
    printf("%4zu  %4u move%s  %s solution%s  %s of %s boards are so far: %s\n", i + 1, best->distance,
           best->distance == 1 ? " " : "s", digits_text(best->solutions, solutions), best->solutions == 1 ? " " : "s",
           number_text(best->hardest, (char[NUMBER_TEXT_MAX]){0}), number_text(best->states, states), path);
}

static pdb_status report(const struct running *running, pdb_error *error)
{
    const struct layouts_options *options = running->options;
    char spaces[NUMBER_TEXT_MAX], lost[NUMBER_TEXT_MAX], path[PATH_MAX];
    pdb_status status = remove_others(running, error);
    if (status == PDB_OK && !options->quiet && !options->json)
        printf("%s: %s space%s, %s without a goal; made in %.2f s\n", running->layouts.name,
               number_text(running->spaces, spaces), plural(running->spaces), number_text(running->lost, lost),
               clock_now() - running->line.begin);
    for (size_t i = 0; status == PDB_OK && i < running->best_count; i++) {
        status = keep(running, i, path, error);
        if (status == PDB_OK && options->json)
            status = say_best_json(running, i, path, error);
        else if (status == PDB_OK && !options->quiet)
            say_best(running, i, path);
    }
    if (status == PDB_OK && running->best_count == 0)
        return error_set(error, PDB_UNREACHABLE, "%s: no layout has a board from which the goal can be reached",
                         running->layouts.name);
    return status;
}

/* -- all of it -- */

static pdb_status work(struct running *running, pdb_error *error)
{
    const struct layouts_options *options = running->options;
    struct layouts *layouts = &running->layouts;
    char done[NUMBER_TEXT_MAX], all[NUMBER_TEXT_MAX];
    pdb_status status = layouts_list(layouts, options->most, error);
    if (status != PDB_OK)
        return status;
    running->done = calloc(layouts->count / 64 + 1, sizeof *running->done);
    running->best = calloc(options->best + 1, sizeof *running->best);
    if (running->done == NULL || running->best == NULL)
        return error_no_memory(error, "layouts", layouts->count / 8);
    status = journal_open(layouts, options->directory, options->anew, take, running, &running->journal, error);
    if (status != PDB_OK)
        return status;
    announce(running);
    interrupt_hold(true);
    team_once(options->threads, layouts->count, solve, running);
    line_erase(&running->line);
    status = team_outcome(&running->failure, error);
    if (status == PDB_OK && running->done_count < layouts->count)
        status = error_set(error, PDB_INTERRUPTED,
                           "%s: interrupted after %s of %s layouts; what is done is kept, the next run goes on from "
                           "there",
                           layouts->name, number_text(running->done_count, done), number_text(layouts->count, all));
    if (!interrupt_waits())
        interrupt_release();
    return status == PDB_OK ? report(running, error) : status;
}

pdb_status layouts_run(const char *path, const struct layouts_options *options, pdb_error *error)
{
    struct running *running = calloc(1, sizeof *running);
    pdb_error closing;
    if (running == NULL)
        return error_no_memory(error, "layouts", sizeof *running);
    running->options = options;
    pthread_mutex_init(&running->lock, NULL);
    pthread_mutex_init(&running->failure.lock, NULL);
    line_begin(&running->line, options->progress, 0.5, 1);
    pdb_status status = layouts_read(path, &running->layouts, error);
    if (status == PDB_OK)
        status = work(running, error);
    const pdb_status closed = journal_close(&running->journal, &closing);
    if (status == PDB_OK && closed != PDB_OK)
        status = error_set(error, closed, "%s", closing.message);
    for (size_t i = 0; i < running->best_count; i++)
        free(running->best[i].board);
    layouts_free(&running->layouts);
    pthread_mutex_destroy(&running->lock);
    pthread_mutex_destroy(&running->failure.lock);
    free(running->best);
    free(running->done);
    free(running);
    return status;
}
