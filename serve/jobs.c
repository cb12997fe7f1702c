/* jobs.c -- work that takes long, away from the threads that answer at once */
#include "jobs.h"
#include "common/arguments.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { WAITING_MAX = 64, NICE = 10 };

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool jobs_observe(void *context, uint32_t bound, uint64_t nodes)
{
    const struct jobs *jobs = context;
    const double *deadline = pthread_getspecific(jobs->deadline);
    (void)bound, (void)nodes;
    return deadline == NULL ||
           (!atomic_load_explicit(&jobs->hurries, memory_order_relaxed) && seconds_now() < *deadline);
}

/* Takes the first job out that need not wait for another one's solver; NULL where there is none. Under the lock. */
static struct job *take(struct jobs *jobs)
{
    for (struct job **at = &jobs->first; *at != NULL; at = &(*at)->next) {
        struct job *job = *at;
        if (job->opens && job->offered->opening)
            continue;
        *at = job->next;
        jobs->waiting--;
        job->offered->opening |= job->opens;
        return job;
    }
    return NULL;
}

static void *work(void *context)
{
    struct jobs *jobs = context;
    double deadline;
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE); /* what is answered at once goes first */
    pthread_setspecific(jobs->deadline, &deadline);
    pthread_mutex_lock(&jobs->lock);
    for (;;) {
        struct job *job = take(jobs);
        if (job == NULL && jobs->stops && jobs->first == NULL)
            break;
        if (job == NULL) {
            pthread_cond_wait(&jobs->change, &jobs->lock);
            continue;
        }
        pthread_mutex_unlock(&jobs->lock);
        deadline = seconds_now() + (job->seconds > 0 && job->seconds < jobs->seconds ? job->seconds : jobs->seconds);
        job->run(job);
        pthread_mutex_lock(&jobs->lock);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

void jobs_opened(struct jobs *jobs, struct job *job)
{
    pthread_mutex_lock(&jobs->lock);
    job->offered->opening = false;
    pthread_cond_broadcast(&jobs->change);
    pthread_mutex_unlock(&jobs->lock);
}

bool jobs_add(struct jobs *jobs, struct job *job)
{
    pthread_mutex_lock(&jobs->lock);
    const bool room = jobs->waiting < WAITING_MAX && !jobs->stops;
    if (room) {
        struct job **last = &jobs->first;
        while (*last != NULL)
            last = &(*last)->next;
        *last = job;
        job->next = NULL;
        jobs->waiting++;
        pthread_cond_signal(&jobs->change);
    }
    pthread_mutex_unlock(&jobs->lock);
    return room;
}

pdb_status jobs_start(struct jobs *jobs, unsigned threads, unsigned seconds, pdb_error *error)
{
    *jobs = (struct jobs){.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER, .seconds = seconds};
    jobs->thread = calloc(threads, sizeof *jobs->thread);
    if (jobs->thread == NULL || pthread_key_create(&jobs->deadline, NULL) != 0)
        return error_no_memory(error, "threads", threads * sizeof *jobs->thread);
    for (; jobs->threads < threads; jobs->threads++)
        if (pthread_create(&jobs->thread[jobs->threads], NULL, work, jobs) != 0)
            return error_set(error, PDB_IO, "threads cannot be started: %m");
    return PDB_OK;
}

void jobs_stop(struct jobs *jobs)
{
    atomic_store(&jobs->hurries, true);
    pthread_mutex_lock(&jobs->lock);
    jobs->stops = true;
    pthread_cond_broadcast(&jobs->change);
    pthread_mutex_unlock(&jobs->lock);
    for (unsigned i = 0; i < jobs->threads; i++)
        pthread_join(jobs->thread[i], NULL);
    free(jobs->thread);
}
