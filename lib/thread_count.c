/* thread_count.c -- how many threads can be had */
#include "thread_count.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

/* Those that this process may run on, which may be fewer than the machine has. */
static unsigned cores(void)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return (unsigned)CPU_COUNT(&allowed);
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

/* Lives until the gate is opened. */
static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

unsigned threads_available(unsigned wanted)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    unsigned started = 0;
    if (wanted == 0)
        wanted = cores();
    if (wanted > THREADS_MAX)
        wanted = THREADS_MAX;
    pthread_t *thread = calloc(wanted, sizeof *thread);
    if (thread == NULL)
        return 1;
    pthread_mutex_lock(&gate);
    while (started + 1 < wanted && pthread_create(&thread[started], NULL, wait_at, &gate) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
    /* Below the limit by one: a thread that has ended may count for a moment longer. */
    return started + 1 < wanted && started > 0 ? started : started + 1;
}
