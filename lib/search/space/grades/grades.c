/* grades.c -- the search grade by grade: from one grade to the next */
#include "inner.h"
#include "lib/search/space/home.h"

#include <stdlib.h>
#include <string.h>

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

enum {
    AHEAD = 16, /* states whose homes are fetched before they are wanted */
    ALONE = 512 /* states that a second thread does not pay for */
};

/* -- the table -- */

static void fetch_home(const struct grades *grades, uint64_t key)
{
    const struct grade_state *home = &grades->slot[home_of(key, grades->slots)];
    __builtin_prefetch(home, 1);
    __builtin_prefetch(home + 3, 1);
}

/* The slot of a key, which is put there if it is new. One thread need not lock the bus: `alone`. */
ALWAYS_INLINE struct grade_state *find_slot(const struct grades *grades, uint64_t key, bool alone, bool *fresh)
{
    for (uint64_t at = home_of(key, grades->slots);; at = at + 1 < grades->slots ? at + 1 : 0) {
        struct grade_state *slot = &grades->slot[at];
        uint64_t there = __atomic_load_n(&slot->key, __ATOMIC_RELAXED);
        if (there == 0 && alone)
            slot->key = key + 1;
        if (there == 0 && (alone || __atomic_compare_exchange_n(&slot->key, &there, key + 1, false, __ATOMIC_RELAXED,
                                                                __ATOMIC_RELAXED))) {
            *fresh = true;
            return slot;
        }
        if (there == key + 1)
            return slot;
    }
}

ALWAYS_INLINE bool put(const struct grades *grades, const struct grade_state *state, bool alone)
{
    bool fresh = false;
    struct grade_state *slot = find_slot(grades, state->key, alone, &fresh);
    uint64_t before = __atomic_load_n(&slot->ways, __ATOMIC_RELAXED), ways = grade_merge(before, state->ways);
    if (alone)
        slot->ways = ways;
    else
        while (ways != before &&
               !__atomic_compare_exchange_n(&slot->ways, &before, ways, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            ways = grade_merge(before, state->ways);
    return fresh;
}

/* Puts `count` states into the table; returns how many were not there. */
ALWAYS_INLINE size_t put_all(const struct grades *grades, const struct grade_state *state, size_t count, bool alone)
{
    size_t news = 0;
    for (size_t i = 0; i < count && i < AHEAD; i++)
        fetch_home(grades, state[i].key);
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            fetch_home(grades, state[i + AHEAD].key);
        news += put(grades, &state[i], alone);
    }
    return news;
}

/* -- from the frontier -- */

struct expansion {
    struct grades *grades;
    struct watch *watch;
    bool alone;
};

/* A worker's part: batches of the frontier, until there are none, or no room is left for what they may lead to, or the
 * watch has been stopped. */
static void work(void *context, unsigned thread, uint64_t number)
{
    const struct expansion *expansion = context;
    struct grades *grades = expansion->grades;
    struct grade_worker *worker = &grades->workers[number];
    const struct grade_kernel *kernel = grades->kernel;
    const uint64_t all = grades->kept.frontier, *key = grades->key + grades->kept.keys - all,
                   room = grades_room(grades->slots), spare = grades_spare(grades);
    uint16_t weight[GRADES_BATCH] = {0};
    while (!watch_stopped(expansion->watch) && __atomic_load_n(&grades->found, __ATOMIC_RELAXED) + spare <= room) {
        const uint64_t first = __atomic_fetch_add(&grades->expanded, GRADES_BATCH, __ATOMIC_RELAXED);
        if (first >= all)
            return;
        const size_t batch = all - first < GRADES_BATCH ? all - first : GRADES_BATCH;
        const struct grade_batch taken = {key + first, grades->ways + first, batch, weight};
        const size_t count = kernel->before(kernel, &taken, worker->out);
        const size_t news = expansion->alone ? put_all(grades, worker->out, count, true)
                                             : put_all(grades, worker->out, count, false);
        __atomic_fetch_add(&grades->found, news, __ATOMIC_RELAXED);
        for (size_t i = 0; i < batch; i++)
            worker->seen[grade_distance(grades->ways[first + i])] += weight[i];
        if (thread != 0)
            continue;
        grades->search.states = grades->kept.keys + __atomic_load_n(&grades->found, __ATOMIC_RELAXED);
        watch_look(expansion->watch, (double)first / (double)all);
    }
}

/* All states one step before the frontier, into the table. */
static pdb_status expand(struct grades *grades, struct watch *watch, pdb_error *error)
{
    const uint64_t all = grades->kept.frontier;
    const unsigned threads = grades->search.team.threads;
    grades->expanded = 0;
    for (unsigned t = 0; t < threads; t++)
        memset(grades->workers[t].seen, 0, sizeof grades->workers[t].seen);
    while (grades->expanded < all && !watch_stopped(watch)) {
        const bool alone = threads == 1 || all - grades->expanded <= ALONE;
        struct expansion expansion = {grades, watch, alone};
        pdb_status status = grades_reserve_slots(grades, grades_spare(grades), error);
        if (status != PDB_OK)
            return status;
        team_run(&grades->search.team, alone ? 1 : threads, work, &expansion);
    }
    return watch_stopped(watch) ? PDB_INTERRUPTED : PDB_OK;
}

/* The states of the frontier have been seen: how many are at each distance. */
static void count_seen(struct grades *grades)
{
    struct search_state *state = grades->search.state;
    for (unsigned t = 0; t < grades->search.team.threads; t++)
        for (unsigned distance = 0; distance <= GRADE_FAR; distance++) {
            const uint64_t seen = grades->workers[t].seen[distance];
            state->histogram[distance] += seen;
            state->depth = seen > 0 && distance > state->depth ? distance : state->depth;
        }
}

/* -- goals -- */

struct listing {
    struct grades *grades;
    struct watch *watch;
};

static pdb_status list_goal(void *context, const uint64_t *key, size_t count, pdb_error *error)
{
    const struct listing *listing = context;
    struct grades *grades = listing->grades;
    pdb_status status = grades_reserve_goals(grades, count, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        if (grades->kernel->grade(grades->kernel, key[i]) >= grades->kept.grade)
            grades->goal[grades->goals++] = key[i];
    watch_look(listing->watch, 0);
    return status == PDB_OK && watch_stopped(listing->watch) ? PDB_INTERRUPTED : status;
}

/* Lists the goals that are still to come. Stopped, it begins anew the next time. */
static pdb_status list_goals(struct grades *grades, struct watch *watch, pdb_error *error)
{
    const struct puzzle *puzzle = grades->search.puzzle;
    struct listing listing = {grades, watch};
    grades->goals = 0;
    pdb_status status = puzzle->family->index.goals(puzzle, list_goal, &listing, error);
    if (status == PDB_OK && grades->goals == 0 && grades->kept.keys == 0)
        status = retrograde_no_goal(&grades->search, error);
    grades->goals_listed = status == PDB_OK;
    return status;
}

/* Puts the goals of this grade into the table. */
static pdb_status put_goals(struct grades *grades, unsigned grade, pdb_error *error)
{
    const struct grade_kernel *kernel = grades->kernel;
    uint64_t left = 0, due = 0;
    for (uint64_t i = 0; i < grades->goals; i++)
        due += kernel->grade(kernel, grades->goal[i]) == grade;
    pdb_status status = due > 0 ? grades_reserve_slots(grades, due, error) : PDB_OK;
    for (uint64_t i = 0; status == PDB_OK && due > 0 && i < grades->goals; i++) {
        const struct grade_state goal = {grades->goal[i], grade_ways(0)};
        if (kernel->grade(kernel, goal.key) == grade)
            grades->found += put(grades, &goal, true);
        else
            grades->goal[left++] = goal.key;
    }
    grades->goals = status == PDB_OK && due > 0 ? left : grades->goals;
    return status;
}

/* The grade that comes next: the one above the frontier, or that of the nearest goals. */
static unsigned next_grade(const struct grades *grades)
{
    unsigned least = grades->kernel->grades;
    if (grades->kept.frontier > 0 || grades->goals == 0)
        return (unsigned)grades->kept.grade;
    for (uint64_t i = 0; i < grades->goals; i++) {
        const unsigned grade = grades->kernel->grade(grades->kernel, grades->goal[i]);
        least = grade < least ? grade : least;
    }
    return least;
}

/* -- from grade to grade -- */

/* The table's states are the new frontier. */
static pdb_status gather(struct grades *grades, pdb_error *error)
{
    pdb_status status = grades_reserve_keys(grades, grades->kept.keys + grades->found, grades->found, error);
    if (status != PDB_OK)
        return status;
    uint64_t *key = grades->key + grades->kept.keys, count = 0;
    uint8_t *distance = grades->distance + grades->kept.keys;
    for (uint64_t i = 0; count < grades->found; i++) {
        const struct grade_state slot = grades->slot[i];
        if (slot.key == 0)
            continue;
        key[count] = slot.key - 1;
        distance[count] = (uint8_t)grade_distance(slot.ways);
        grades->ways[count++] = slot.ways;
    }
    grades->kept.before = grades->kept.frontier;
    grades->kept.frontier = count;
    grades->kept.keys += count;
    return PDB_OK;
}

static pdb_status next_layer(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    struct grades *grades = grades_of(search);
    pdb_status status = grades->goals_listed ? PDB_OK : list_goals(grades, watch, error);
    const unsigned grade = next_grade(grades);
    if (status == PDB_OK)
        status = grades_take_table(grades, error);
    if (status == PDB_OK)
        status = expand(grades, watch, error);
    if (status == PDB_OK)
        status = put_goals(grades, grade, error);
    if (status == PDB_OK)
        status = gather(grades, error);
    if (status != PDB_OK)
        return status;
    count_seen(grades);
    grades->kept.grade = grade + 1;
    search->states = search->state->reached = grades->kept.keys;
    search->state->layer = grades->kept.frontier;
    *done = grades->kept.frontier == 0 && grades->goals == 0;
    return PDB_OK;
}

/* The search begins with its first layer: goals may have to be looked for. */
static pdb_status begin(struct retrograde *search, pdb_error *error)
{
    (void)error;
    search->finding = true;
    return PDB_OK;
}

const struct way way_by_grades = {.text = "grade by grade",
                                  .size = sizeof(struct grades),
                                  .memory = grades_memory,
                                  .allocate = grades_allocate,
                                  .release = grades_release,
                                  .goals = begin,
                                  .layer = next_layer,
                                  .fit = grades_fit,
                                  .layout = "grades",
                                  .parts = grades_parts,
                                  .resume = grades_resume,
                                  .finish = grades_finish};
