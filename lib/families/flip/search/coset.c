/* coset.c -- the cheapest member of a coset: branch and bound along a plan (coset.h)
 *
 * The decisions of the plan's first levels make some hundred *tasks*, which threads take in the order of their bounds.
 * Of several cheapest members the one of the first task, and there the first one found, is the answer. So a thread may
 * pass over what costs as much as it has found itself, but not over what costs as much as another one has found.
 */
#include "coset.h"
#include "lib/team.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    TASKS = 256,             /* at least, where there are enough members */
    ONE_TASK_MEMBERS = 4096, /* so few are not worth sharing */
    OBSERVED_NODES = 1 << 10 /* a node takes some microseconds at most */
};

struct task {
    uint32_t bound;
    uint32_t number; /* its decisions, as digits */
};

/* What the threads share. */
struct shared {
    const struct coset_search *search;
    uint32_t root_bound;
    unsigned top; /* levels that the tasks' decisions are of */
    uint32_t tasks;
    struct task *task;
    _Atomic uint32_t best; /* the least cost of any member that was found */
    _Atomic uint64_t nodes;
    atomic_bool stop;
    pthread_mutex_t observing;
    struct walk *walk; /* of each thread */
};

/* One thread's walk through the tree. */
struct walk {
    struct shared *shared; /* NULL: it has not begun */
    bool made;
    const struct coset_plan *plan;
    uint16_t **table;  /* of each level: the nodes' tables for each decision of the level before, one after another */
    uint8_t *decision; /* of each level */
    uint8_t *value;    /* two rows of values, of a level's classes or of the entries */
    uint8_t *member;   /* the best one */
    uint32_t below;    /* only a member that costs less is better */
    uint32_t found;    /* the number in order of the task that the best one is of */
    uint32_t task;     /* and of the one at hand */
    uint32_t open;     /* the least bound of what was left out because the search was stopped */
    unsigned nodes;    /* since they were last reported */
    coset_visitor *visit; /* NULL: look for the best one */
    void *context;
    pdb_status status; /* the visitor's */
    pdb_error *error;
};

/* -- nodes -- */

/* Adds the tables of one level's classes, or of the entries, into those of the next, with `decision` made. */
static void add_tables(const struct coset_plan *plan, const struct coset_link *link, unsigned count, unsigned decision,
                       const uint16_t *now, const struct coset_level *level, uint16_t *next)
{
    const unsigned modulus = plan->modulus;
    memset(next, 0, (size_t)level->classes * modulus * sizeof *next);
    /* With two values a class goes into the next one as it is, or with its values exchanged. Class 0 has something in
     * the table of value 1 then, where nobody looks. */
    if (modulus == 2) {
        for (unsigned class = 0; class < count; class ++, link++) {
            const unsigned turn = link->coefficient & decision;
            next[2 * link->to] = (uint16_t)(next[2 * link->to] + now[2 * class + turn]);
            next[2 * link->to + 1] = (uint16_t)(next[2 * link->to + 1] + now[2 * class + 1 - turn]);
        }
        return;
    }
    /* Where the next class has the value `rest`, this one has coefficient * decision + back * rest: the sum is turned
     * on by back * step as `rest` goes on by the step of the values that the next class can have. */
    for (unsigned class = 0; class < count; class ++, link++, now += modulus) {
        const unsigned step = level->step[link->to], turn = link->back * step % modulus;
        uint16_t *to = next + link->to * modulus;
        unsigned value = link->coefficient * decision % modulus;
        for (unsigned rest = 0; rest < modulus; rest += step) {
            to[rest] = (uint16_t)(to[rest] + now[value]);
            value += turn;
            value -= value < modulus ? 0 : modulus;
        }
    }
}

/* The least that a class can cost. */
static unsigned least(const uint16_t *table, unsigned modulus, unsigned step)
{
    unsigned cost = table[0];
    for (unsigned value = step; value < modulus; value += step)
        cost = table[value] < cost ? table[value] : cost;
    return cost;
}

static uint32_t bound_of(const struct coset_plan *plan, const struct coset_level *level, const uint16_t *table)
{
    uint32_t bound = table[0];
    for (unsigned class = 1; class < level->classes; class ++)
        bound += least(table + class * plan->modulus, plan->modulus, level->step[class]);
    return bound;
}

static size_t table_size(const struct coset_plan *plan, unsigned level)
{
    return (size_t)plan->level[level].classes * plan->modulus;
}

/* The table of a node at `level` after the last decision. */
static uint16_t *table_of(const struct walk *walk, unsigned level)
{
    return walk->table[level] + (level == 0 ? 0 : walk->decision[level - 1] * table_size(walk->plan, level));
}

/* Decides the functional of `level`; returns the bound of the node that this leads to. */
static uint32_t decide(struct walk *walk, unsigned level, unsigned decision)
{
    const struct coset_plan *plan = walk->plan;
    const uint16_t *now = table_of(walk, level);
    walk->decision[level] = (uint8_t)decision;
    uint16_t *next = table_of(walk, level + 1);
    add_tables(plan, plan->level[level].link, plan->level[level].classes, decision, now, &plan->level[level + 1], next);
    return bound_of(plan, &plan->level[level + 1], next);
}

/* -- members -- */

/* Works out the member of the values that the last level's classes have, which stand in the first row of
 * walk->value. Returns the row that it is in. */
static const uint8_t *member_of(const struct walk *walk)
{
    const struct coset_plan *plan = walk->plan;
    const unsigned modulus = plan->modulus;
    uint8_t *of_next = walk->value, *values = walk->value + plan->length + 1;
    for (unsigned i = plan->levels + 1; i-- > 0;) {
        const struct coset_link *link = i == 0 ? plan->link : plan->level[i - 1].link;
        const unsigned count = i == 0 ? plan->length : plan->level[i - 1].classes;
        const unsigned decision = i == 0 ? 0 : walk->decision[i - 1];
        for (unsigned class = 0; class < count; class ++, link++)
            values[class] = (uint8_t)((link->coefficient * decision + link->back * of_next[link->to]) % modulus);
        uint8_t *swap = of_next;
        of_next = values;
        values = swap;
    }
    return of_next;
}

/* Chooses the first of the cheapest values of a class from `value` on; false where there is none. */
static bool choose_value(const struct walk *walk, unsigned class, unsigned value, uint8_t *chosen)
{
    const struct coset_plan *plan = walk->plan;
    const uint16_t *table = table_of(walk, plan->levels) + class * plan->modulus;
    const unsigned step = plan->level[plan->levels].step[class], cost = least(table, plan->modulus, step);
    while (value < plan->modulus && table[value] != cost)
        value += step;
    *chosen = (uint8_t)value;
    return value < plan->modulus;
}

/* The first of the cheapest members under the last level's node. */
static void take_best(struct walk *walk, uint32_t cost)
{
    const struct coset_plan *plan = walk->plan;
    for (unsigned class = 0; class < plan->level[plan->levels].classes; class ++)
        choose_value(walk, class, 0, &walk->value[class]);
    memcpy(walk->member, member_of(walk), plan->length);
    walk->below = cost;
    walk->found = walk->task;
    uint32_t best = atomic_load(&walk->shared->best);
    while (cost < best && !atomic_compare_exchange_weak(&walk->shared->best, &best, cost))
        continue;
}

/* -- the search -- */

static void look_up(struct walk *walk)
{
    struct shared *shared = walk->shared;
    const struct coset_search *search = shared->search;
    const uint64_t nodes = atomic_fetch_add(&shared->nodes, walk->nodes) + walk->nodes;
    walk->nodes = 0;
    if (search->observe == NULL || atomic_load(&shared->stop))
        return;
    pthread_mutex_lock(&shared->observing);
    if (!search->observe(search->context, nodes, shared->root_bound))
        atomic_store(&shared->stop, true);
    pthread_mutex_unlock(&shared->observing);
}

static void visit_all(struct walk *walk, unsigned class);

/* Visits what is under the node at `level`. Its bound is known. */
static void descend(struct walk *walk, unsigned level, uint32_t bound)
{
    const struct coset_plan *plan = walk->plan;
    if (atomic_load_explicit(&walk->shared->stop, memory_order_relaxed)) {
        walk->open = bound < walk->open ? bound : walk->open;
        return;
    }
    /* Nothing here is better than what this thread has, or as good as what another one has. */
    if (bound >= walk->below || bound > atomic_load_explicit(&walk->shared->best, memory_order_relaxed))
        return;
    if (++walk->nodes == OBSERVED_NODES)
        look_up(walk);
    /* On the last level classes are independent: each takes its least cost, and the bound is attained. */
    if (level == plan->levels) {
        if (walk->visit != NULL)
            visit_all(walk, 1);
        else
            take_best(walk, bound);
        return;
    }
    /* All decisions are made first, each with its own table, and then followed from the least bound to the largest: a
     * good member found early cuts off most of the others. */
    const unsigned radix = plan->level[level].radix;
    uint32_t bounds[SPAN_MAX_MODULUS];
    for (unsigned decision = 0; decision < radix; decision++)
        bounds[decision] = decide(walk, level, decision);
    for (unsigned visited = 0; visited < radix; visited++) {
        unsigned next = 0;
        for (unsigned decision = 1; decision < radix; decision++)
            if (bounds[decision] < bounds[next])
                next = decision;
        walk->decision[level] = (uint8_t)next;
        bound = bounds[next];
        bounds[next] = UINT32_MAX;
        descend(walk, level + 1, bound);
    }
}

/* Gives the visitor every choice of the cheapest values of the last level's classes from this one on. */
static void visit_all(struct walk *walk, unsigned class)
{
    const struct coset_plan *plan = walk->plan;
    if (class == plan->level[plan->levels].classes) {
        /* the row is worked on by member_of, so the choices are kept */
        uint8_t *choices = walk->value + 2 * ((size_t)plan->length + 1);
        memcpy(choices, walk->value, class);
        walk->status = walk->visit(walk->context, member_of(walk), walk->error);
        memcpy(walk->value, choices, class);
        if (walk->status != PDB_OK)
            atomic_store(&walk->shared->stop, true);
        else if (++walk->nodes >= OBSERVED_NODES)
            look_up(walk);
        return;
    }
    for (unsigned value = 0; !atomic_load(&walk->shared->stop) && choose_value(walk, class, value, &walk->value[class]);
         value = walk->value[class] + plan->level[plan->levels].step[class])
        visit_all(walk, class + 1);
}

/* Makes the node that a task begins with; returns its bound. */
static uint32_t begin_task(struct walk *walk, uint32_t number)
{
    uint32_t bound = walk->shared->root_bound;
    for (unsigned level = 0; level < walk->shared->top; level++) {
        bound = decide(walk, level, number % walk->plan->level[level].radix);
        number /= walk->plan->level[level].radix;
    }
    return bound;
}

/* -- walks -- */

static void walk_free(struct walk *walk)
{
    for (unsigned i = 0; walk->table != NULL && i <= walk->plan->levels; i++)
        free(walk->table[i]);
    free(walk->table);
    free(walk->decision);
    free(walk->value);
    free(walk->member);
}

static bool walk_make(struct walk *walk, struct shared *shared)
{
    const struct coset_plan *plan = shared->search->plan;
    *walk = (struct walk){.shared = shared, .plan = plan, .open = UINT32_MAX, .below = shared->search->most + 1};
    walk->table = calloc(plan->levels + 1u, sizeof *walk->table);
    walk->decision = calloc(plan->levels + 1u, 1);
    walk->value = calloc(3, plan->length + 1u);
    walk->member = calloc(plan->length + 1u, 1);
    bool made = walk->table != NULL && walk->decision != NULL && walk->value != NULL && walk->member != NULL;
    for (unsigned i = 0; made && i <= plan->levels; i++) {
        const size_t nodes = i == 0 ? 1 : plan->level[i - 1].radix;
        walk->table[i] = malloc(nodes * table_size(plan, i) * sizeof **walk->table);
        made = walk->table[i] != NULL;
    }
    if (made) /* the root: the costs of the entries, added into the classes of level 0 */
        add_tables(plan, plan->link, plan->length, 0, shared->search->cost, plan->level, walk->table[0]);
    walk->made = made;
    return made;
}

/* -- tasks -- */

static int compare_tasks(const void *a, const void *b)
{
    const struct task *first = a, *second = b;
    if (first->bound != second->bound)
        return first->bound < second->bound ? -1 : 1;
    return first->number < second->number ? -1 : first->number > second->number;
}

/* Chooses the tasks, the same for any number of threads. `walk` is at the root. */
static bool make_tasks(struct shared *shared, struct walk *walk)
{
    const struct coset_plan *plan = walk->plan;
    uint64_t members = 1;
    for (unsigned i = 0; i < plan->levels && members < ONE_TASK_MEMBERS; i++)
        members *= plan->level[i].radix;
    shared->tasks = 1;
    for (shared->top = 0; members >= ONE_TASK_MEMBERS && shared->tasks < TASKS; shared->top++)
        shared->tasks *= plan->level[shared->top].radix;
    shared->task = calloc(shared->tasks, sizeof *shared->task);
    for (uint32_t i = 0; shared->task != NULL && i < shared->tasks; i++)
        shared->task[i] = (struct task){.bound = begin_task(walk, i), .number = i};
    if (shared->task != NULL)
        qsort(shared->task, shared->tasks, sizeof *shared->task, compare_tasks);
    return shared->task != NULL;
}

/* Takes what a thread found into account, and frees its walk. */
static void merge(struct walk *walk, struct walk *best)
{
    struct shared *shared = walk->shared;
    atomic_fetch_add(&shared->nodes, walk->nodes);
    best->open = walk->open < best->open ? walk->open : best->open;
    if (walk->below < best->below || (walk->below == best->below && walk->found < best->found)) {
        best->below = walk->below;
        best->found = walk->found;
        memcpy(best->member, walk->member, walk->plan->length);
    }
    walk_free(walk);
}

static void do_task(void *context, unsigned thread, uint64_t task)
{
    struct shared *shared = context;
    struct walk *walk = &shared->walk[thread];
    if (walk->shared == NULL)
        walk_make(walk, shared);
    if (!walk->made)
        return;
    walk->task = (uint32_t)task;
    descend(walk, shared->top, begin_task(walk, shared->task[task].number));
}

/* Does all tasks; false where memory is short. */
static bool do_tasks(struct shared *shared, struct walk *best)
{
    const unsigned threads = shared->search->threads;
    bool made = true;
    shared->walk = calloc(threads, sizeof *shared->walk);
    if (shared->walk == NULL)
        return false;
    team_once(threads, shared->tasks, do_task, shared);
    for (unsigned t = 0; t < threads; t++)
        if (shared->walk[t].shared != NULL) {
            made &= shared->walk[t].made;
            merge(&shared->walk[t], best);
        }
    free(shared->walk);
    return made;
}

/* Sets up what threads share, and a walk at the root. walk_free frees it, whatever the outcome; false: no memory. */
static bool begin(const struct coset_search *search, struct shared *shared, struct walk *walk)
{
    *shared = (struct shared){.search = search, .observing = PTHREAD_MUTEX_INITIALIZER};
    atomic_init(&shared->best, search->most);
    atomic_init(&shared->nodes, 0);
    atomic_init(&shared->stop, false);
    if (!walk_make(walk, shared))
        return false;
    shared->root_bound = bound_of(walk->plan, walk->plan->level, walk->table[0]);
    return true;
}

pdb_status coset_cheapest(const struct coset_search *search, uint8_t *member, struct coset_answer *answer,
                          pdb_error *error)
{
    struct shared shared;
    struct walk best;
    *answer = (struct coset_answer){.cost = COSET_NONE};
    bool made = begin(search, &shared, &best);
    if (made) {
        look_up(&best);
        made = make_tasks(&shared, &best) && do_tasks(&shared, &best);
    }
    if (made) {
        answer->bound = best.below < best.open ? best.below : best.open; /* none is below */
        answer->nodes = atomic_load(&shared.nodes);
    }
    if (made && best.below <= search->most && best.below <= best.open) {
        answer->cost = best.below;
        memcpy(member, best.member, search->plan->length);
    }
    free(shared.task);
    walk_free(&best);
    if (!made)
        return error_no_memory(error, "the search", sizeof best);
    return answer->cost == COSET_NONE && atomic_load(&shared.stop)
               ? error_set(error, PDB_INTERRUPTED, "stopped on request")
               : PDB_OK;
}

pdb_status coset_visit(const struct coset_search *search, coset_visitor *visit, void *context, pdb_error *error)
{
    struct shared shared;
    struct walk walk;
    const bool made = begin(search, &shared, &walk);
    if (made) {
        walk.visit = visit;
        walk.context = context;
        walk.error = error;
        descend(&walk, 0, shared.root_bound);
    }
    const pdb_status status = walk.status;
    walk_free(&walk);
    if (!made)
        return error_no_memory(error, "the search", sizeof walk);
    if (status == PDB_OK && atomic_load(&shared.stop))
        return error_set(error, PDB_INTERRUPTED, "stopped on request");
    return status;
}
