/* interrupt.c -- Ctrl-C while a search goes on */
#include "interrupt.h"

#include <signal.h>

static void change(int how)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(how, &set, NULL);
}

void interrupt_hold(void)
{
    change(SIG_BLOCK);
}

void interrupt_release(void)
{
    change(SIG_UNBLOCK);
}

bool interrupt_waits(void)
{
    sigset_t waiting;
    sigpending(&waiting);
    return sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1 ||
           sigismember(&waiting, SIGQUIT) == 1;
}
