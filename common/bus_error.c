/* bus_error.c -- what is said when a file vanishes under a map */
#include "bus_error.h"
#include "lib/error.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* The one variable here that is global and changes: a signal's handler knows nothing else. */
static const struct bus_error_terminal *_Atomic taken;

/* Only what a signal's handler may call. */
static void explain(int number)
{
    static const char words[] = ": a database was cut short while it was being read, or its disk fails: try again, or "
                                "generate it again with `pdb-gen --force`\n";
    const char *program = program_invocation_short_name;
    const struct bus_error_terminal *terminal = taken;
    (void)number;
    if (terminal != NULL && write(STDOUT_FILENO, terminal->bytes, terminal->length) >= 0)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal->settings);
    if (write(STDERR_FILENO, program, strlen(program)) < 0 || write(STDERR_FILENO, words, sizeof words - 1) < 0)
        _exit(error_exit_code(PDB_IO)); /* nobody listens */
    _exit(error_exit_code(PDB_DAMAGED));
}

void bus_error_explain(void)
{
    const struct sigaction action = {.sa_handler = explain};
    sigaction(SIGBUS, &action, NULL);
}

void bus_error_gives_back(const struct bus_error_terminal *terminal)
{
    taken = terminal;
}
