/* streams.c -- standard input, output and error of a program that may be started in any state */
#include "streams.h"
#include "lib/error.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
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
