/* interrupt.c -- Ctrl-C while work goes on */
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

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
