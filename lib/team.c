/* team.c -- threads that share out a piece of work
 *
 * A run is open from its beginning until the caller finds no share left. A worker joins an open run by adding itself to
 * `inside`, and reads only then what the work is; the caller closes the run, so that nobody joins any more, and waits
 * until those inside have left. So whoever is late finds the run closed, or the next one open, and both are well.
 */
#include "team.h"
#include "clock.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

static const uint32_t open_run = (uint32_t)1 << 31; /* in `inside` */
static const double look_out = 100e-6;              /* seconds */

unsigned team_threads(unsigned wanted)
{
    cpu_set_t allowed; /* may be fewer than the machine has */
    if (wanted == 0 && sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        wanted = (unsigned)CPU_COUNT(&allowed);
    const long online = wanted == 0 ? sysconf(_SC_NPROCESSORS_ONLN) : 0; /* more than a cpu_set_t holds */
    if (online > 0)
        wanted = (unsigned)online;
    return wanted == 0 ? 1 : wanted < THREADS_MAX ? wanted : THREADS_MAX;
}

/* -- waiting -- */

/* Returns when the word has not, or has no longer, this value. */
static void wait_while(const struct team *team, const uint32_t *word, uint32_t value)
{
    const double until = team->patient ? clock_now() + look_out : 0;
    while (__atomic_load_n(word, __ATOMIC_ACQUIRE) == value)
        if (!team->patient || clock_now() >= until)
            syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

static void wake(const uint32_t *word, uint64_t most)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, most < INT_MAX ? (int)most : INT_MAX, NULL, NULL, 0);
}

/* -- processors -- */

/* Notes that the calling thread is on a processor; false where another thread of the run was there before. */
static bool take_processor(struct team *team)
{
    const int number = sched_getcpu();
    if (number < 0 || number >= TEAM_PROCESSORS)
        return true;
    const uint64_t bit = (uint64_t)1 << number % 64;
    return (__atomic_fetch_or(&team->taken[number / 64], bit, __ATOMIC_RELAXED) & bit) == 0;
}

/* Goes to a processor that none of the run's threads is on, if there is one. What it may run on stays as it was. */
static void step_aside(struct team *team)
{
    cpu_set_t allowed, others;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return;
    others = allowed;
    for (size_t i = 0; i < TEAM_PROCESSORS && i < CPU_SETSIZE; i++)
        if (__atomic_load_n(&team->taken[i / 64], __ATOMIC_RELAXED) >> i % 64 & 1)
            CPU_CLR(i, &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0)
        return;
    take_processor(team);
    sched_setaffinity(0, sizeof allowed, &allowed);
}

/* -- a run -- */

static void take_shares(struct team *team, unsigned thread)
{
    const uint64_t shares = team->shares;
    uint64_t share;
    while ((share = __atomic_fetch_add(&team->next, 1, __ATOMIC_RELAXED)) < shares)
        team->work(team->context, thread, share);
}

static bool join(struct team *team)
{
    uint32_t inside = __atomic_load_n(&team->inside, __ATOMIC_RELAXED);
    while (inside & open_run)
        if (__atomic_compare_exchange_n(&team->inside, &inside, inside + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return true;
    return false;
}

static void *be_worker(void *context)
{
    struct team *team = context;
    const unsigned thread = __atomic_add_fetch(&team->numbered, 1, __ATOMIC_RELAXED);
    for (uint32_t seen = 0;;) {
        wait_while(team, &team->run, seen);
        seen = __atomic_load_n(&team->run, __ATOMIC_ACQUIRE);
        if (__atomic_load_n(&team->over, __ATOMIC_RELAXED))
            return NULL;
        if (team->patient && !take_processor(team))
            step_aside(team);
        if (!join(team))
            continue;
        take_shares(team, thread);
        if (__atomic_sub_fetch(&team->inside, 1, __ATOMIC_ACQ_REL) == 0) /* it is closed, and the others have left */
            wake(&team->inside, 1);
    }
}

static void start_workers(struct team *team)
{
    team->complete = true;
    team->patient = team->threads <= team_threads(0);
    while (team->workers + 1 < team->threads && team->workers + 1 < THREADS_MAX &&
           pthread_create(&team->worker[team->workers], NULL, be_worker, team) == 0)
        team->workers++;
}

void team_run(struct team *team, uint64_t shares, team_work *work, void *context)
{
    if (team != NULL && shares > 1 && !team->complete)
        start_workers(team);
    if (team == NULL || shares <= 1 || team->workers == 0) {
        for (uint64_t share = 0; share < shares; share++)
            work(context, 0, share);
        return;
    }
    team->work = work;
    team->context = context;
    team->shares = shares;
    __atomic_store_n(&team->next, 0, __ATOMIC_RELAXED);
    for (size_t i = 0; i < TEAM_PROCESSORS / 64; i++)
        __atomic_store_n(&team->taken[i], 0, __ATOMIC_RELAXED);
    take_processor(team);
    __atomic_store_n(&team->inside, open_run, __ATOMIC_RELEASE);
    __atomic_fetch_add(&team->run, 1, __ATOMIC_RELEASE);
    wake(&team->run, shares - 1);
    take_shares(team, 0);
    uint32_t inside = __atomic_and_fetch(&team->inside, ~open_run, __ATOMIC_ACQUIRE);
    for (; inside != 0; inside = __atomic_load_n(&team->inside, __ATOMIC_ACQUIRE))
        wait_while(team, &team->inside, inside);
}

void team_end(struct team *team)
{
    const unsigned threads = team->threads;
    if (team->workers == 0)
        return;
    __atomic_store_n(&team->over, true, __ATOMIC_RELAXED);
    __atomic_fetch_add(&team->run, 1, __ATOMIC_RELEASE);
    wake(&team->run, INT_MAX);
    for (unsigned i = 0; i < team->workers; i++)
        pthread_join(team->worker[i], NULL);
    *team = (struct team){.threads = threads};
}

void team_fail(struct team_failure *failure, uint64_t share, const pdb_error *error)
{
    pthread_mutex_lock(&failure->lock);
    if (share < failure->end - 1) {
        failure->error = *error;
        __atomic_store_n(&failure->end, share + 1, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&failure->lock);
}

pdb_status team_outcome(const struct team_failure *failure, pdb_error *error)
{
    return failure->end == 0 ? PDB_OK : error_set(error, failure->error.status, "%s", failure->error.message);
}

void team_once(unsigned threads, uint64_t shares, team_work *work, void *context)
{
    struct team team = {.threads = shares < threads ? (unsigned)shares : threads};
    team_run(&team, shares, work, context);
    team_end(&team);
}
