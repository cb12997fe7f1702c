/* progress.c -- a line on standard error that says how far the work is */
#include "work.h"
#include "lib/text.h"

#include <stdarg.h>
#include <stdio.h>

static const double apart = 1; /* seconds between two lines, where they are kept */

void progress_begin(struct progress *progress, enum progress_wish wish, const char *name, const struct puzzle *space)
{
    *progress = (struct progress){.puzzle = name};
    line_begin(&progress->line, wish, 0, apart);
    progress->undoable = space->undoable;
}

void progress_say(struct progress *progress, const char *format, ...)
{
    if (!progress->line.shown)
        return;
    va_list arguments;
    va_start(arguments, format);
    line_erase(&progress->line);
    fprintf(stderr, "%s: ", progress->puzzle);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
}

/* Is the line due? Then it is begun anew, and how much of a part of the work is done is noted. */
static bool begin_line(struct progress *progress, const char *work, double done)
{
    if (!line_due(&progress->line))
        return false;
    line_note(&progress->line, work, done);
    line_subject(&progress->line, progress->puzzle);
    return true;
}

/* Rate, time left and memory; `all` is how much there is in the end, 0 where nobody knows. */
static void end_line(struct progress *progress, double all)
{
    line_add_rate(&progress->line);
    if (all > 0)
        line_add_left(&progress->line, all);
    line_add_memory(&progress->line);
    line_show(&progress->line);
}

/* Whole per cents: 100 for all of it only. */
static unsigned per_cent(double done, double all)
{
    return (unsigned)(100 * done / all);
}

/* While states are looked for. */
static void tell_of_states(struct progress *progress, uint64_t found, double expanded)
{
    char number[NUMBER_TEXT_MAX];
    if (!begin_line(progress, "keys", expanded))
        return;
    line_add(&progress->line, "%s states found", number_text(found, number));
    line_add(&progress->line, "%u %% of them looked at", per_cent(expanded, (double)found));
    end_line(progress, 0);
}

/* While distances come down in sweeps; before the first, why that is so. */
static void tell_of_sweeps(struct progress *progress, const struct retrograde_progress *search)
{
    char number[NUMBER_TEXT_MAX], more[64] = "";
    if (search->wanted > 0)
        snprintf(more, sizeof more, " (about %s would do, and be faster)", size_text(search->wanted, number));
    if (!progress->sweeping)
        progress_say(progress, "there is no memory for the moves%s: distances are found in sweeps over all states",
                     more);
    progress->sweeping = true;
    if (!begin_line(progress, "sweeps", (double)search->found * ((double)search->sweeps + search->layer_done)))
        return;
    line_add(&progress->line, "sweep %llu over %s states", (unsigned long long)search->sweeps + 1,
             number_text(search->found, number));
    end_line(progress, 0);
}

void progress_search(struct progress *progress, const struct retrograde_progress *search)
{
    char number[NUMBER_TEXT_MAX];
    /* Of the states reached so far all but the last layer have been expanded, and of that the share that is done. */
    const double expanded = (double)search->reached - (1 - search->layer_done) * (double)search->layer;
    const uint64_t states = progress->undoable ? search->found : 0;
    const double all = (double)states;
    if (search->finding) {
        tell_of_states(progress, search->found, expanded);
        return;
    }
    if (search->sweeping) {
        tell_of_sweeps(progress, search);
        return;
    }
    if (!begin_line(progress, "search", expanded))
        return;
    line_add(&progress->line, "layer %llu", (unsigned long long)search->depth);
    number_text(search->reached, number);
    if (states > 0)
        line_add(&progress->line, "%s states (%u %%)", number, per_cent(expanded, all));
    else
        line_add(&progress->line, "%s states", number);
    end_line(progress, all);
}

void progress_states(struct progress *progress, const char *doing, uint64_t done, uint64_t all)
{
    char number[NUMBER_TEXT_MAX];
    if (!begin_line(progress, doing, (double)done))
        return;
    line_add(&progress->line, "%u %% of %s states %s", per_cent((double)done, (double)all), number_text(all, number),
             doing);
    end_line(progress, (double)all);
}

void progress_share(struct progress *progress, const char *doing, double done)
{
    if (!begin_line(progress, doing, done))
        return;
    line_add(&progress->line, "%u %% %s", per_cent(done, 1), doing);
    line_add_left(&progress->line, 1);
    line_add_memory(&progress->line);
    line_show(&progress->line);
}

void progress_bytes(struct progress *progress, const char *doing, uint64_t done, uint64_t total)
{
    char size[NUMBER_TEXT_MAX];
    if (total == 0 || !begin_line(progress, doing, (double)done))
        return;
    line_add(&progress->line, "%s", doing);
    line_add(&progress->line, "%u %% of %s", per_cent((double)done, (double)total), size_text(total, size));
    line_add_left(&progress->line, (double)total);
    line_show(&progress->line);
}

void progress_end(struct progress *progress)
{
    line_erase(&progress->line);
}
