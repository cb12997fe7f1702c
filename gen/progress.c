/* progress.c -- a line on the terminal that says how far the work is */
#include "progress.h"
#include "../lib/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const char erase_line[] = "\r\033[K";

double progress_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_begin(struct progress *progress, bool wanted, const struct pdb_puzzle *puzzle)
{
    *progress = (struct progress){.shown = wanted && isatty(STDERR_FILENO),
                                  .puzzle = puzzle->name,
                                  .states = puzzle->states,
                                  .begin = progress_now()};
}

void progress_say(struct progress *progress, const char *format, ...)
{
    if (!progress->shown)
        return;
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s%s: ", erase_line, progress->puzzle);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    putc('\n', stderr);
}

static const char *duration_text(double seconds, char text[32])
{
    if (seconds < 100)
        snprintf(text, 32, "%.0f s", seconds);
    else if (seconds < 6000)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else
        snprintf(text, 32, "%.1f h", seconds / 3600);
    return text;
}

void progress_keys(struct progress *progress, uint64_t found, uint64_t expanded)
{
    const double now = progress_now();
    if (!progress->shown || now < progress->due)
        return;
    char number[NUMBER_TEXT_MAX];
    progress->due = now + 0.1;
    fprintf(stderr, "%s%s: %s states found, %.0f %% of them looked at", erase_line, progress->puzzle,
            number_text(found, number), 100 * (double)expanded / (double)found);
    fflush(stderr);
}

void progress_search(struct progress *progress, const struct retrograde_progress *search)
{
    if (!progress->shown)
        return;
    char number[NUMBER_TEXT_MAX], left[32];
    /* Of the states reached so far all but the last layer have been expanded, and of that the share that is done. */
    const double expanded = (double)search->reached - (1 - search->layer_done) * (double)search->layer;
    const double seconds = progress_now() - progress->begin, rate = (expanded - (double)progress->before) / seconds;
    fprintf(stderr, "%s%s: layer %llu, %s states, %.0f %%", erase_line, progress->puzzle,
            (unsigned long long)search->depth, number_text(search->reached, number),
            100 * expanded / (double)progress->states);
    if (rate > 0)
        fprintf(stderr, ", %.1f million a second, %s left", rate / 1e6,
                duration_text(((double)progress->states - expanded) / rate, left));
    fflush(stderr);
}

void progress_bytes(struct progress *progress, const char *doing, uint64_t done, uint64_t total)
{
    if (!progress->shown)
        return;
    char size[NUMBER_TEXT_MAX];
    fprintf(stderr, "%s%s: %s, %.0f %% of %s", erase_line, progress->puzzle, doing,
            total > 0 ? 100 * (double)done / (double)total : 100, size_text(total, size));
    fflush(stderr);
}

void progress_states(struct progress *progress, const char *doing, uint64_t done, uint64_t all)
{
    if (!progress->shown || progress_now() < progress->due)
        return;
    progress->due = progress_now() + 0.1;
    char number[NUMBER_TEXT_MAX];
    fprintf(stderr, "%s%s: %.0f %% of %s states %s", erase_line, progress->puzzle, 100 * (double)done / (double)all,
            number_text(all, number), doing);
    fflush(stderr);
}

void progress_share(struct progress *progress, const char *doing, double done)
{
    if (!progress->shown || progress_now() < progress->due)
        return;
    progress->due = progress_now() + 0.1;
    fprintf(stderr, "%s%s: %.0f %% %s", erase_line, progress->puzzle, 100 * done, doing);
    fflush(stderr);
}

void progress_end(struct progress *progress)
{
    if (progress->shown)
        fputs(erase_line, stderr);
}
