/* progress.c -- how far a search for a board has got, on standard error */
#include "progress.h"
#include "interrupt.h"
#include "../lib/text.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Most answers are there before anybody could read a line. */
static const double first_after = 0.5, again_after = 0.1;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void progress_begin(struct progress *progress, bool wanted, bool always)
{
    const bool terminal = isatty(STDERR_FILENO) == 1;
    const double begin = now();
    *progress = (struct progress){.shown = wanted && (terminal || always),
                                  .terminal = terminal,
                                  .begin = begin,
                                  .due = begin + first_after};
}

static void show(struct progress *progress, uint32_t bound, uint64_t nodes, double seconds)
{
    char number[NUMBER_TEXT_MAX];
    if (progress->terminal)
        fputs("\r\033[K", stderr);
    fprintf(stderr, "%s: ", progress->puzzle);
    if (bound > 0 && !progress->unordered)
        fprintf(stderr, "no solution under %u moves, ", bound);
    fprintf(stderr, "%s%s", number_text(nodes, number), progress->enumerated ? " % worked out" : " boards looked at");
    if (seconds > 0.1 && !progress->enumerated)
        fprintf(stderr, ", %.1f million a second", (double)nodes / seconds / 1e6);
    if (!progress->terminal)
        putc('\n', stderr);
    fflush(stderr);
}

bool progress_observe(void *context, uint32_t bound, uint64_t nodes)
{
    struct progress *progress = context;
    if (interrupt_waits())
        return false;
    if (!progress->shown)
        return true;
    const double at = now();
    const uint32_t step = progress->enumerated ? (uint32_t)nodes : bound;
    if (at < progress->due || (!progress->terminal && step == progress->step))
        return true;
    show(progress, bound, nodes, at - progress->begin);
    progress->due = at + again_after;
    progress->step = step;
    progress->drawn = progress->terminal;
    return true;
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
}
