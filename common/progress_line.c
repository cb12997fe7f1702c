/* progress_line.c -- a line on standard error that says how far some work is */
#include "progress_line.h"
#include "streams.h"
#include "lib/clock.h"
#include "lib/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const double again_after = 0.1; /* seconds */
static const double rarely = 50;       /* seconds of work, after which lines begin to be farther apart */
static const double remembered = 2;    /* seconds that a rate is of, about */
static const double enough = 0.02;     /* of the work, to guess how long the rest takes */

void line_begin(struct progress_line *line, enum progress_wish wish, double delay, double apart)
{
    const double begin = clock_now();
    const bool terminal = terminal_draws(STDERR_FILENO);
    *line = (struct progress_line){.shown = wish == PROGRESS_ON || (wish == PROGRESS_AUTO && terminal),
                                   .terminal = terminal,
                                   .begin = begin,
                                   .due = begin + (terminal || delay > apart ? delay : apart),
                                   .apart = apart};
}

bool line_due(const struct progress_line *line)
{
    return line->shown && clock_now() >= line->due;
}

void line_subject(struct progress_line *line, const char *subject)
{
    /* The last column stays free: some terminals begin the next line once it is used. The window may have changed. */
    line->columns = line->terminal ? terminal_columns(STDERR_FILENO) - 1 : sizeof line->text - 1;
    line->columns = line->columns < sizeof line->text ? line->columns : (unsigned)sizeof line->text - 1;
    line->fields = 0;
    line->length = strnlen(subject, line->columns);
    memcpy(line->text, subject, line->length);
    line->text[line->length] = '\0';
}

void line_add(struct progress_line *line, const char *format, ...)
{
    char field[sizeof line->text];
    const char *separator = line->fields == 0 ? ": " : ", ";
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(field, sizeof field, format, arguments);
    va_end(arguments);
    if (length < 0 || line->length + 2 + (size_t)length > line->columns)
        return;
    line->fields++;
    line->length += (size_t)snprintf(line->text + line->length, sizeof line->text - line->length, "%s%s", separator,
                                     field);
}

void line_note(struct progress_line *line, const char *work, double done)
{
    const double now = clock_now(), passed = now - line->at;
    if (line->work != work) {
        line->work = work;
        line->rate = 0;
    } else if (passed > 0 && done >= line->done) {
        const double recent = (done - line->done) / passed,
                     weight = line->rate > 0 ? passed / (passed + remembered) : 1;
        line->rate += weight * (recent - line->rate);
    }
    line->done = done;
    line->at = now;
}

void line_add_rate(struct progress_line *line)
{
    if (line->rate >= 999.5e3)
        line_add(line, "%.1f M/s", line->rate / 1e6);
    else if (line->rate >= 999.5)
        line_add(line, "%.0f k/s", line->rate / 1e3);
    else if (line->rate > 0)
        line_add(line, "%.0f/s", line->rate);
}

void line_add_left(struct progress_line *line, double all)
{
    if (line->rate <= 0 || line->done < enough * all)
        return;
    const double left = (all - line->done) / line->rate;
    if (left < 0.5)
        return;
    if (left < 100)
        line_add(line, "%.0f s left", left);
    else if (left < 6000)
        line_add(line, "%.0f min left", left / 60);
    else
        line_add(line, "%.1f h left", left / 3600);
}

void line_add_memory(struct progress_line *line)
{
    struct rusage usage;
    char size[NUMBER_TEXT_MAX];
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        line_add(line, "%s", size_text((uint64_t)usage.ru_maxrss * 1024, size));
}

void line_show(struct progress_line *line)
{
    if (line->terminal)
        fprintf(stderr, "\r\033[K%s", line->text);
    else
        fprintf(stderr, "%s\n", line->text);
    fflush(stderr);
    const double now = clock_now(), passed = now - line->begin;
    line->drawn = line->terminal;
    line->due = now + (line->terminal ? again_after : line->apart * (passed > rarely ? passed / rarely : 1));
}

void line_erase(struct progress_line *line)
{
    if (line->drawn)
        fputs("\r\033[K", stderr);
    line->drawn = false;
}
