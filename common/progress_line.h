/* progress_line.h -- a line on standard error that says how far some work is
 *
 * On a terminal it is one line, redrawn in place and never longer than the terminal is wide; elsewhere nothing is
 * shown, or, where that is wished, a line for each time, the longer the work takes the more rarely. It is made of
 * fields, the most important one first: those that find no room are left out.
 */
#ifndef COMMON_PROGRESS_LINE_H
#define COMMON_PROGRESS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum progress_wish { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF }; /* on a terminal; always; never */

struct progress_line {
    bool shown;    /* at all */
    bool terminal; /* in place, else line by line */
    double begin;  /* of the work, in seconds of clock_now (lib/clock.h) */
    double due;    /* when it may be shown next */
    double apart;  /* seconds between two lines where there is no terminal, at first */
    bool drawn;    /* there is a line to take away */
    size_t fields, length;
    unsigned columns;
    char text[256];
    const char *work;      /* the part of it that goes on, */
    double done, at, rate; /* how much of that is done, when that was noted, and how much more each second */
};

/* Nothing is due before `delay` seconds have passed, and where there is no terminal lines are `apart` seconds apart. */
void line_begin(struct progress_line *line, enum progress_wish wish, double delay, double apart);

/* Is it time to show something? On a terminal at most ten times a second. */
bool line_due(const struct progress_line *line);

/* Begins the line anew, with what it is about: "goat". */
void line_subject(struct progress_line *line, const char *subject);

/* Another field of the line. */
__attribute__((format(printf, 2, 3))) void line_add(struct progress_line *line, const char *format, ...);

/* Notes how much of a part of the work is done; parts are told apart by the address of their names. The rate is that of
 * the last seconds: layers of states are not all as fast. */
void line_note(struct progress_line *line, const char *work, double done);

/* Usual fields: how much is done each second; how long the rest takes, where `all` is how much there is in the end and
 * enough of it is done for a guess; the memory that this process has taken. */
void line_add_rate(struct progress_line *line);
void line_add_left(struct progress_line *line, double all);
void line_add_memory(struct progress_line *line);

/* Shows it. */
void line_show(struct progress_line *line);

/* Takes it away. */
void line_erase(struct progress_line *line);

#endif
