/* thread_count.c -- how many threads can be had */
#include "thread_count.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* Lives until the gate is opened. */
static void *wait_at(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

unsigned threads_available(unsigned wanted)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    unsigned started = 0;
    if (wanted == 0)
        wanted = cores > 0 ? (unsigned)cores : 1;
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
    return started + 1;
}
