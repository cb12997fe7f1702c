/* progress_line.c -- a line on standard error that says how far some work is */
#include "progress_line.h"
#include "terminal.h"
#include "../lib/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const double again_after = 0.1;

double progress_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

void line_begin(struct progress_line *line, bool wanted, bool always, double delay)
{
    const double begin = progress_now();
    const bool terminal = terminal_draws(STDERR_FILENO);
    *line = (struct progress_line){
        .shown = wanted && (terminal || always), .terminal = terminal, .begin = begin, .due = begin + delay};
}

bool line_due(const struct progress_line *line)
{
    return line->shown && progress_now() >= line->due;
}

void line_subject(struct progress_line *line, const char *subject)
{
    /* The last column stays free: some terminals go on to the next line once it is used. The window may have changed. */
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
    const char *separator = line->fields++ == 0 ? ": " : ", ";
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(field, sizeof field, format, arguments);
    va_end(arguments);
    if (length < 0 || line->length + 2 + (size_t)length > line->columns)
        return;
    line->length += (size_t)snprintf(line->text + line->length, sizeof line->text - line->length, "%s%s", separator,
                                     field);
}

void line_add_rate(struct progress_line *line, double count, double seconds)
{
    const double rate = count / seconds;
    if (seconds < 0.1 || count <= 0)
        return;
    if (rate < 999.5)
        line_add(line, "%.0f/s", rate);
    else if (rate < 999.5e3)
        line_add(line, "%.0f k/s", rate / 1e3);
    else
        line_add(line, "%.1f M/s", rate / 1e6);
}

void line_add_left(struct progress_line *line, double done, double all, double seconds)
{
    if (seconds < 0.1 || done <= 0)
        return;
    const double left = (all - done) * seconds / done;
    if (left < 100)
        line_add(line, "about %.0f s left", left);
    else if (left < 6000)
        line_add(line, "about %.0f min left", left / 60);
    else
        line_add(line, "about %.1f h left", left / 3600);
}

void line_add_memory(struct progress_line *line)
{
    struct rusage usage;
    char size[NUMBER_TEXT_MAX];
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        line_add(line, "%s of memory", size_text((uint64_t)usage.ru_maxrss * 1024, size));
}

void line_show(struct progress_line *line)
{
    if (line->terminal)
        fprintf(stderr, "\r\033[K%s", line->text);
    else
        fprintf(stderr, "%s\n", line->text);
    fflush(stderr);
    line->drawn = line->terminal;
    line->due = progress_now() + again_after;
}

void line_erase(struct progress_line *line)
{
    if (line->drawn)
        fputs("\r\033[K", stderr);
    line->drawn = false;
}
