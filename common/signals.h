/* signals.h -- Ctrl-C while work goes on, and what is said when a file vanishes under a map */
#ifndef COMMON_SIGNALS_H
#define COMMON_SIGNALS_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* -- Ctrl-C is held back, and looked for between two pieces of the work --
 *
 * Without that the process would end at once and could not say how far it has got, or keep what is done. */

/* From now on SIGINT and SIGTERM wait, and with `hangup` SIGHUP, too: a program that keeps what it has done needs time
 * for that when its terminal goes. Those that are ignored stay so. Call it before there are threads. */
void interrupt_hold(bool hangup);

/* They end the process again, one that has waited at once. */
void interrupt_release(void);

/* Is one waiting, or SIGQUIT, which a game holds back too? Any thread may ask. */
bool interrupt_waits(void);

/* -- SIGBUS --
 *
 * A database is read through a map of its file. Where somebody cuts the file short in place (pdb itself never does: it
 * renames), or the disk fails, there is nothing left to read, and the kernel sends SIGBUS to whoever touches it. A
 * library must not decide about signals; a program may. */

/* What gives a terminal back: bytes for standard output, and the settings of standard input. */
struct bus_error_terminal {
    struct termios settings;
    size_t length;
    char bytes[256];
};

/* From now on SIGBUS ends the process with a line on standard error and the exit code of damage, instead of a core. */
void bus_error_explain(void);

/* What is to be given back before that line is written; NULL: nothing (any more). *terminal stays the caller's, and has
 * to stay where and as it is. */
void bus_error_gives_back(const struct bus_error_terminal *terminal);

#endif
