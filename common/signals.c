/* signals.c -- Ctrl-C while work goes on, and what is said when a file vanishes under a map */
#include "signals.h"
#include "lib/error.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Those that are not ignored, as nohup and a shell's background jobs have it: held back, an ignored one would be found
 * waiting. */
static sigset_t stop_signals(bool hangup)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    const size_t count = sizeof signals / sizeof *signals - !hangup;
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++) {
        struct sigaction action;
        if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, signals[i]);
    }
    return set;
}

void interrupt_hold(bool hangup)
{
    const sigset_t set = stop_signals(hangup);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

void interrupt_release(void)
{
    const sigset_t set = stop_signals(true);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

bool interrupt_waits(void)
{
    sigset_t waiting, stop = stop_signals(true);
    sigaddset(&stop, SIGQUIT);
    sigpending(&waiting);
    sigandset(&waiting, &waiting, &stop);
    return !sigisemptyset(&waiting);
}

/* -- SIGBUS -- */

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
