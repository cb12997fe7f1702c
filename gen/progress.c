/* progress.c -- a line on the terminal that says how far the work is */
#include "progress.h"
#include "../lib/text.h"

#include <stdarg.h>
#include <stdio.h>

void progress_begin(struct progress *progress, bool wanted, const struct pdb_puzzle *puzzle)
{
    *progress = (struct progress){.puzzle = puzzle->name};
    line_begin(&progress->line, wanted, false, 0);
    progress->since = progress->heard = progress->line.begin;
    progress_expect(progress, puzzle);
}

/* Where moves cannot be undone, few of the states may be able to reach a goal: how many, the search finds out. */
void progress_expect(struct progress *progress, const struct pdb_puzzle *space)
{
    progress->states = space->undoable ? space->states : 0;
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

/* Is the line due? Then it is begun anew. Stores how many seconds this part of the work has taken so far. */
static bool begin_line(struct progress *progress, const char *doing, double *seconds)
{
    if (!progress->line.shown)
        return false;
    if (progress->doing != doing) /* it began when the part before it was heard of last */
        progress->since = progress->heard;
    progress->doing = doing;
    progress->heard = progress_now();
    *seconds = progress->heard - progress->since;
    if (!line_due(&progress->line))
        return false;
    line_subject(&progress->line, progress->puzzle);
    return true;
}

void progress_keys(struct progress *progress, uint64_t found, uint64_t expanded)
{
    char number[NUMBER_TEXT_MAX];
    double seconds;
    if (!begin_line(progress, "keys", &seconds))
        return;
    line_add(&progress->line, "%s states found", number_text(found, number));
    line_add(&progress->line, "%.0f %% of them looked at", 100 * (double)expanded / (double)found);
    line_add_rate(&progress->line, (double)expanded, seconds);
    line_add_memory(&progress->line);
    line_show(&progress->line);
}

void progress_search(struct progress *progress, const struct retrograde_progress *search)
{
    char number[NUMBER_TEXT_MAX];
    double seconds;
    if (!begin_line(progress, "search", &seconds))
        return;
    /* Of the states reached so far all but the last layer have been expanded, and of that the share that is done. */
    const double expanded = (double)search->reached - (1 - search->layer_done) * (double)search->layer;
    const double here = expanded - (double)progress->before, all = (double)progress->states;
    line_add(&progress->line, "layer %llu", (unsigned long long)search->depth);
    if (progress->states > 0)
        line_add(&progress->line, "%s states (%.0f %%)", number_text(search->reached, number), 100 * expanded / all);
    else
        line_add(&progress->line, "%s states", number_text(search->reached, number));
    line_add_rate(&progress->line, here, seconds);
    if (progress->states > 0)
        line_add_left(&progress->line, here, all - (double)progress->before, seconds);
    line_add_memory(&progress->line);
    line_show(&progress->line);
}

void progress_states(struct progress *progress, const char *doing, uint64_t done, uint64_t all)
{
    char number[NUMBER_TEXT_MAX];
    double seconds;
    if (!begin_line(progress, doing, &seconds))
        return;
    line_add(&progress->line, "%.0f %% of %s states %s", 100 * (double)done / (double)all, number_text(all, number),
             doing);
    line_add_rate(&progress->line, (double)done, seconds);
    line_add_left(&progress->line, (double)done, (double)all, seconds);
    line_add_memory(&progress->line);
    line_show(&progress->line);
}

void progress_share(struct progress *progress, const char *doing, double done)
{
    double seconds;
    if (!begin_line(progress, doing, &seconds))
        return;
    line_add(&progress->line, "%.0f %% %s", 100 * done, doing);
    line_add_left(&progress->line, done, 1, seconds);
    line_add_memory(&progress->line);
    line_show(&progress->line);
}

void progress_bytes(struct progress *progress, const char *doing, uint64_t done, uint64_t total)
{
    char size[NUMBER_TEXT_MAX];
    double seconds;
    if (total == 0 || !begin_line(progress, doing, &seconds))
        return;
    line_add(&progress->line, "%s, %.0f %% of %s", doing, 100 * (double)done / (double)total, size_text(total, size));
    line_add_left(&progress->line, (double)done, (double)total, seconds);
    line_show(&progress->line);
}

void progress_end(struct progress *progress)
{
    line_erase(&progress->line);
}
