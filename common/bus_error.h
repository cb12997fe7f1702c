/* bus_error.h -- what is said when a file vanishes under a map
 *
 * A database is read through a map of its file. Where somebody cuts the file short in place (pdb itself never does: it
 * renames), or the disk fails, there is nothing left to read, and the kernel sends SIGBUS to whoever touches it. A
 * library must not decide about signals; a program may.
 */
#ifndef COMMON_BUS_ERROR_H
#define COMMON_BUS_ERROR_H

#include <stddef.h>
#include <termios.h>

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
