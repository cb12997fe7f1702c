/* streams.c -- standard input, output and error of a program that may be started in any state, and terminals */
#include "streams.h"
#include "lib/error.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void streams_prepare(void)
{
    /* open() takes the lowest number that is free, which is this one. What O_PATH opens can be neither read nor
     * written, and "/" is there even where there is no /dev. */
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/", O_PATH) < 0)
            break; /* nothing can be opened here: nor will a file of ours */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

pdb_status streams_finish(pdb_error *error)
{
    return fflush(stdout) == 0 && !ferror(stdout) ? PDB_OK : error_set(error, PDB_IO, "standard output: %m");
}

bool streams_reader_left(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/* -- terminals -- */

enum { COLUMNS_LEAST = 20, COLUMNS_MOST = 10000, COLUMNS_DEFAULT = 80 };

bool terminal_draws(int descriptor)
{
    const char *term = getenv("TERM");
    return isatty(descriptor) == 1 && term != NULL && *term != '\0' && strcmp(term, "dumb") != 0;
}

static bool sensible(long columns)
{
    return columns >= COLUMNS_LEAST && columns <= COLUMNS_MOST;
}

unsigned terminal_columns(int descriptor)
{
    struct winsize size;
    const char *wanted = getenv("COLUMNS");
    char *end;
    const long columns = wanted != NULL ? strtol(wanted, &end, 10) : 0;
    if (sensible(columns) && *end == '\0')
        return (unsigned)columns;
    if (isatty(descriptor) == 1 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && sensible(size.ws_col))
        return size.ws_col;
    return COLUMNS_DEFAULT;
}
