/* terminal.c -- what is at the other end of a descriptor */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
