/* test_team.c -- a team's runs against plain loops: many of them, few threads given, workers that do not wake
 *
 * A program without Criterion, so that ThreadSanitizer can watch it (run-tests does that). The linker sends all calls
 * of pthread_create here.
 */
#include "lib/error.h"
#include "lib/team.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, MOST_SHARES = 64, RUNS = 3000 };

/* -- threads that can be refused, or held back -- */

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context);

static unsigned granted; /* threads that are to be had */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static struct start {
    void *(*start)(void *);
    void *context;
} starts[THREADS];

static void *wait_and_start(void *context)
{
    const struct start start = *(const struct start *)context;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    return start.start(start.context);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context)
{
    if (granted == 0)
        return 11; /* EAGAIN */
    granted--;
    starts[granted] = (struct start){start, context};
    return __real_pthread_create(thread, attributes, wait_and_start, &starts[granted]);
}

/* -- runs -- */

/* What a run leaves: how often each share was done, and what each thread has added up. */
struct tally {
    unsigned done[MOST_SHARES];
    uint64_t sum[THREADS], last[THREADS];
    bool wrong;
};

static void count_share(void *context, unsigned thread, uint64_t share)
{
    struct tally *tally = context;
    tally->done[share]++;
    tally->sum[thread] += share * share;
    if (share + 1 <= tally->last[thread]) /* a thread's shares ascend */
        __atomic_store_n(&tally->wrong, true, __ATOMIC_RELAXED);
    tally->last[thread] = share + 1;
    for (volatile unsigned i = 0; i < 10 * (share % 7); i++) /* they are not all alike */
        ;
}

static bool run_once(struct team *team, uint64_t shares)
{
    struct tally tally = {0};
    uint64_t sum = 0, plain = 0;
    team_run(team, shares, count_share, &tally);
    for (uint64_t i = 0; i < MOST_SHARES; i++) {
        plain += i < shares ? i * i : 0;
        tally.wrong |= tally.done[i] != (i < shares);
    }
    for (unsigned t = 0; t < THREADS; t++)
        sum += tally.sum[t];
    return !tally.wrong && sum == plain;
}

static bool run_often(struct team *team)
{
    bool right = true;
    for (unsigned i = 0; i < RUNS; i++)
        right &= run_once(team, i % MOST_SHARES);
    return right;
}

/* What a thread may run on: as many processors as the process, also after it has stepped aside for another. (Whether
 * it does is left to the system: a worker may go elsewhere by itself.) */
struct placed {
    cpu_set_t allowed;
    int caller; /* the caller's processor */
    bool wrong;
};

/* A worker goes where the caller is, and may then run anywhere again. */
static void crowd_share(void *context, unsigned thread, uint64_t share)
{
    struct placed *placed = context;
    cpu_set_t allowed, one;
    (void)share;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 || !CPU_EQUAL(&allowed, &placed->allowed))
        __atomic_store_n(&placed->wrong, true, __ATOMIC_RELAXED);
    if (thread == 0) {
        for (volatile unsigned i = 0; i < 10000; i++) /* a worker is to have a share, too */
            ;
        return;
    }
    CPU_ZERO(&one);
    CPU_SET((size_t)placed->caller, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0 || sched_setaffinity(0, sizeof allowed, &allowed) != 0)
        __atomic_store_n(&placed->wrong, true, __ATOMIC_RELAXED);
}

/* -- tests -- */

static bool processors_stay(void)
{
    struct team team = {.threads = 2};
    struct placed placed = {.wrong = false};
    granted = THREADS;
    if (sched_getaffinity(0, sizeof placed.allowed, &placed.allowed) != 0)
        return false;
    for (unsigned i = 0; i < RUNS; i++) {
        placed.caller = sched_getcpu();
        team_run(&team, 4, crowd_share, &placed);
    }
    team_end(&team);
    return !placed.wrong;
}

static bool without_threads(void)
{
    struct team none = {0}, one = {.threads = 1};
    granted = 0;
    return run_once(NULL, 5) && run_once(&none, MOST_SHARES) && run_once(&one, MOST_SHARES) && one.workers == 0;
}

static bool many_runs(void)
{
    bool right = true;
    for (unsigned threads = 2; threads <= THREADS; threads *= 2) {
        struct team team = {.threads = threads};
        granted = THREADS;
        right &= run_once(&team, 1) && team.workers == 0; /* one share starts nobody */
        right &= run_often(&team) && team.workers == threads - 1;
        team_end(&team);
        granted = THREADS;
        right &= run_once(&team, 9) && team.workers == threads - 1; /* begun anew */
        team_end(&team);
    }
    return right;
}

static bool few_threads_are_had(void)
{
    bool right = true;
    for (unsigned had = 0; had < 3; had++) {
        struct team team = {.threads = THREADS};
        granted = had;
        right &= run_often(&team) && team.workers == had;
        team_end(&team);
    }
    return right;
}

/* Workers that do not get so far as to begin are not waited for. */
static bool late_workers(void)
{
    struct team team = {.threads = 4};
    granted = THREADS;
    pthread_mutex_lock(&gate);
    bool right = run_once(&team, 20) && run_once(&team, MOST_SHARES - 1) && team.workers == 3;
    pthread_mutex_unlock(&gate);
    right &= run_often(&team);
    team_end(&team);
    granted = THREADS;
    pthread_mutex_lock(&gate);
    right &= run_once(&team, 20);
    pthread_mutex_unlock(&gate);
    team_end(&team); /* before they have begun, perhaps */
    return right;
}

static void add_share(void *context, unsigned thread, uint64_t share)
{
    __atomic_fetch_add((uint64_t *)context, thread < THREADS ? share : 1000, __ATOMIC_RELAXED);
}

static bool once(void)
{
    uint64_t sum = 0;
    granted = THREADS;
    team_once(3, 10, add_share, &sum);
    return sum == 45 && team_shares(0, 7) == 0 && team_shares(7, 7) == 1 && team_shares(8, 7) == 2;
}

static bool numbers(void)
{
    return team_threads(0) >= 1 && team_threads(3) == 3 && team_threads(5000) == THREADS_MAX;
}

static void fail_some(void *context, unsigned thread, uint64_t share)
{
    pdb_error error;
    (void)thread;
    for (volatile unsigned i = 0; i < 1000 * (MOST_SHARES - share); i++) /* the first to begin are the last to fail */
        ;
    if (share % 8 == 5) {
        error_set(&error, PDB_TOO_LARGE, "share %d", (int)share);
        team_fail(context, share, &error);
    }
}

/* What is told is the failure of the share with the least number, whoever is first. */
static bool failures(void)
{
    bool right = true;
    for (unsigned i = 0; i < 20; i++) {
        struct team_failure failure = {.lock = PTHREAD_MUTEX_INITIALIZER};
        pdb_error error = {0};
        granted = THREADS;
        right &= team_outcome(&failure, &error) == PDB_OK && !team_failed(&failure, UINT64_MAX - 1);
        team_once(THREADS, MOST_SHARES, fail_some, &failure);
        right &= team_outcome(&failure, &error) == PDB_TOO_LARGE && strcmp(error.message, "share 5") == 0;
        right &= team_failed(&failure, 5) && !team_failed(&failure, 4);
    }
    return right;
}

int main(void)
{
    static const struct {
        const char *name;
        bool (*test)(void);
    } tests[] = {{"without threads", without_threads},
                 {"many runs", many_runs},
                 {"few threads are had", few_threads_are_had},
                 {"late workers", late_workers},
                 {"processors stay", processors_stay},
                 {"once", once},
                 {"numbers", numbers},
                 {"failures", failures}};
    const size_t count = sizeof tests / sizeof *tests;
    bool all = true;
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++) {
        const bool right = tests[i].test();
        printf("%s - %s\n", right ? "ok" : "not ok", tests[i].name);
        all &= right;
    }
    return all ? EXIT_SUCCESS : EXIT_FAILURE;
}
