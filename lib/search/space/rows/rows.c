/* rows.c -- the search by rows: its passes, layer by layer */
#include "inner.h"

#include <string.h>

enum {
    AHEAD = 8, /* rows whose slots are fetched before they are wanted, and their entries half as far */
    ALONE = 64 /* rows that a second thread does not pay for */
};

/* -- the table of rows -- */

/* A new entry for a row. Where another thread makes one for it just now, that one is taken; this one stays empty. */
static uint64_t *add_entry(struct rows *rows, struct row_worker *worker, uint64_t key, uint64_t at)
{
    const uint64_t number = __atomic_fetch_add(&rows->entries, 1, __ATOMIC_RELAXED);
    uint64_t *entry = rows_entry(rows, number);
    memset(entry + 1, 0, (rows->size - 1) * sizeof *entry);
    entry[0] = key;
    worker->made++;
    for (;; at = at + 1 < rows->slots ? at + 1 : 0) {
        uint32_t there = 0;
        if (__atomic_compare_exchange_n(&rows->slot[at], &there, (uint32_t)number + 1, false, __ATOMIC_RELEASE,
                                        __ATOMIC_ACQUIRE))
            return entry;
        uint64_t *other = rows_entry(rows, there - 1);
        if ((__atomic_load_n(other, __ATOMIC_RELAXED) & ~ROW_LISTED) != key)
            continue;
        entry[0] = ROW_NONE;
        return other;
    }
}

/* The entry of a row; a new one where there is none, for which there is room. */
static uint64_t *find_entry(struct rows *rows, struct row_worker *worker, uint64_t key)
{
    for (uint64_t at = rows_home(rows, key);; at = at + 1 < rows->slots ? at + 1 : 0) {
        const uint32_t there = __atomic_load_n(&rows->slot[at], __ATOMIC_ACQUIRE);
        if (there == 0)
            return add_entry(rows, worker, key, at);
        uint64_t *entry = rows_entry(rows, there - 1);
        if ((__atomic_load_n(entry, __ATOMIC_RELAXED) & ~ROW_LISTED) == key)
            return entry;
    }
}

static void fetch_slot(const struct rows *rows, uint64_t key)
{
    __builtin_prefetch(&rows->slot[rows_home(rows, key)]);
}

static void fetch_entry(const struct rows *rows, uint64_t number)
{
    const uint64_t *entry = rows_entry(rows, number);
    for (size_t w = 0; w < rows->size; w += 8)
        __builtin_prefetch(entry + w, 1);
}

static void fetch_found(const struct rows *rows, uint64_t key)
{
    const uint32_t there = __atomic_load_n(&rows->slot[rows_home(rows, key)], __ATOMIC_ACQUIRE);
    if (there != 0)
        fetch_entry(rows, there - 1);
}

/* Adds bits to a word; returns those that it has not had. One thread need not lock the bus. In sequence with all other
 * threads: who adds what is found and finds the entry listed must be seen by who takes it off the list (take_waiting).
 */
static inline uint64_t add_bits(uint64_t *word, uint64_t bits, bool alone)
{
    uint64_t before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
    if ((bits & ~before) == 0)
        return 0;
    if (alone)
        *word = before | bits;
    else
        before = __atomic_fetch_or(word, bits, __ATOMIC_SEQ_CST);
    return bits & ~before;
}

/* Puts an entry on the list of those that are next, once. */
static void list_entry(struct rows *rows, struct row_worker *worker, uint64_t *entry)
{
    if (add_bits(entry, ROW_LISTED, worker->alone) != 0)
        worker->list[worker->listed++] = (uint32_t)((uint64_t)(entry - rows->entry) / rows->size);
}

/* States of a row are found: those that are new are expanded next. */
static void settle_found(struct rows *rows, struct row_worker *worker, uint64_t *entry, const uint64_t *states)
{
    uint64_t *found = rows_plane(rows, entry, ROW_FOUND), count = 0;
    for (size_t w = 0; w < rows->words; w++) {
        const uint64_t news = add_bits(&found[w], states[w], worker->alone);
        count += news != 0 ? (unsigned)__builtin_popcountll(news) : 0;
    }
    if (count == 0)
        return;
    worker->states += count;
    list_entry(rows, worker, entry);
}

/* States of a row are one move from the last layer: those that no layer has had are in the next. */
static void settle_measured(struct rows *rows, struct row_worker *worker, uint64_t *entry, const uint64_t *states)
{
    const uint64_t *low = rows_plane(rows, entry, ROW_LOW), *high = rows_plane(rows, entry, ROW_HIGH);
    uint64_t *next = rows_plane(rows, entry, ROW_NEXT), any = 0;
    for (size_t w = 0; w < rows->words; w++) {
        const uint64_t news = states[w] & ~(low[w] | high[w]);
        if (news != 0)
            any |= add_bits(&next[w], news, worker->alone);
    }
    if (any != 0)
        list_entry(rows, worker, entry);
}

/* All hear what a worker's batch came to. */
static void report(struct rows *rows, struct row_worker *worker)
{
    if (worker->listed > 0) {
        const uint64_t at = __atomic_fetch_add(&rows->next.count, worker->listed, __ATOMIC_RELAXED);
        memcpy(rows->next.number + at, worker->list, worker->listed * sizeof *worker->list);
    }
    if (worker->states > 0)
        __atomic_fetch_add(&rows->kept.states, worker->states, __ATOMIC_RELAXED);
    worker->states = worker->made = worker->listed = 0;
}

static void settle(struct rows *rows, struct row_worker *worker, size_t count, bool finding)
{
    for (size_t i = 0; i < count && i < AHEAD; i++)
        fetch_slot(rows, worker->keys[i]);
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count)
            fetch_slot(rows, worker->keys[i + AHEAD]);
        if (i + AHEAD / 2 < count)
            fetch_found(rows, worker->keys[i + AHEAD / 2]);
        uint64_t *entry = find_entry(rows, worker, worker->keys[i]);
        const uint64_t *states = worker->rows + i * rows->words;
        if (finding)
            settle_found(rows, worker, entry, states);
        else
            settle_measured(rows, worker, entry, states);
    }
}

/* -- expanding -- */

/* What of an entry waits to be expanded, closed: with what the row's own pieces lead to. Then it counts as expanded. No
 * other thread does so meanwhile, for an entry is in the frontier once. */
static bool take_waiting(struct rows *rows, struct row_worker *worker, uint64_t *entry, uint64_t key, uint64_t *states)
{
    const struct row_kernel *kernel = rows->kernel;
    uint64_t *expanded = rows_plane(rows, entry, ROW_NOW), *found = rows_plane(rows, entry, ROW_FOUND), any = 0;
    if (worker->alone)
        *entry &= ~ROW_LISTED;
    else
        __atomic_fetch_and(entry, ~ROW_LISTED, __ATOMIC_SEQ_CST);
    for (size_t w = 0; w < rows->words; w++)
        any |= states[w] = __atomic_load_n(&found[w], __ATOMIC_SEQ_CST) & ~expanded[w];
    if (any == 0)
        return false;
    kernel->within(kernel, key, states, states, true);
    for (size_t w = 0; w < rows->words; w++) {
        const uint64_t news = add_bits(&found[w], states[w], worker->alone);
        expanded[w] |= states[w];
        worker->states += news != 0 ? (unsigned)__builtin_popcountll(news) : 0;
    }
    return true;
}

/* The rows one move from an entry's states, behind the first `count` of the worker's; returns how many there are. */
static size_t expand_entry(struct rows *rows, struct row_worker *worker, size_t count, uint64_t *entry, bool finding)
{
    const struct row_kernel *kernel = rows->kernel;
    const uint64_t key = __atomic_load_n(entry, __ATOMIC_RELAXED) & ~ROW_LISTED;
    uint64_t *out = worker->rows + count * rows->words, waiting[ROW_WORDS_MAX];
    const uint64_t *states = rows_plane(rows, entry, ROW_NOW);
    if (finding) {
        if (!take_waiting(rows, worker, entry, key, waiting))
            return count;
        states = waiting;
    } else {
        memset(out, 0, rows->words * sizeof *out);
        kernel->within(kernel, key, states, out, false);
        settle_measured(rows, worker, entry, out);
    }
    return count + kernel->away(kernel, key, states, worker->keys + count, out);
}

struct expansion {
    struct rows *rows;
    struct watch *watch;
    uint64_t batch, most; /* rows, and those that they may lead to */
    bool finding;
};

static bool take_budget(struct rows *rows, uint64_t entries)
{
    if (__atomic_load_n(&rows->full, __ATOMIC_RELAXED))
        return false;
    if (__atomic_fetch_sub(&rows->budget, (int64_t)entries, __ATOMIC_RELAXED) >= (int64_t)entries)
        return true;
    __atomic_fetch_add(&rows->budget, (int64_t)entries, __ATOMIC_RELAXED);
    __atomic_store_n(&rows->full, true, __ATOMIC_RELAXED);
    return false;
}

/* A worker's part of a layer: batches of the frontier, until there are none, or no room is left for what they may lead
 * to, or the watch has been stopped. */
static void work(void *context, unsigned thread, uint64_t number)
{
    const struct expansion *expansion = context;
    struct rows *rows = expansion->rows;
    struct row_worker *worker = &rows->workers[number];
    const uint64_t all = rows->frontier.count;
    while (!watch_stopped(expansion->watch)) {
        if (expansion->finding && !take_budget(rows, expansion->most))
            return;
        const uint64_t first = __atomic_fetch_add(&rows->kept.expanded, expansion->batch, __ATOMIC_RELAXED);
        size_t count = 0;
        if (first >= all)
            return;
        for (uint64_t i = first; i < all && i < first + expansion->batch; i++) {
            if (i + 4 < all)
                fetch_entry(rows, rows->frontier.number[i + 4]);
            uint64_t *entry = rows_entry(rows, rows->frontier.number[i]);
            count = expand_entry(rows, worker, count, entry, expansion->finding);
        }
        settle(rows, worker, count, expansion->finding);
        if (expansion->finding)
            __atomic_fetch_add(&rows->budget, (int64_t)(expansion->most - worker->made), __ATOMIC_RELAXED);
        report(rows, worker);
        if (thread != 0)
            continue;
        rows->search.states = __atomic_load_n(&rows->kept.states, __ATOMIC_RELAXED);
        watch_look(expansion->watch, (double)first / (double)all);
    }
}

/* Expands the frontier, or a part of it where room runs out or the watch is stopped; small ones in small batches, so
 * that no thread waits long for another. */
static void expand_some(struct rows *rows, struct watch *watch)
{
    const uint64_t left = rows->frontier.count - rows->kept.expanded, threads = rows->search.team.threads;
    const bool alone = threads == 1 || left <= ALONE;
    const uint64_t part = left / (4 * threads) + 1;
    struct expansion expansion = {.rows = rows, .watch = watch, .batch = rows->batch};
    if (!alone && part < rows->batch)
        expansion.batch = part;
    expansion.most = expansion.batch * (rows->kernel->steps_max + 1);
    expansion.finding = rows->kept.pass == ROWS_FINDING;
    for (uint64_t t = 0; t < threads; t++)
        rows->workers[t].alone = alone;
    rows->budget = (int64_t)(rows->room - rows->entries);
    rows->full = false;
    team_run(&rows->search.team, alone ? 1 : threads, work, &expansion);
    if (rows->kept.expanded > rows->frontier.count)
        rows->kept.expanded = rows->frontier.count;
}

/* All rows one move away from the frontier. Stopped, it goes on from there the next time. */
static pdb_status expand(struct rows *rows, struct watch *watch, pdb_error *error)
{
    const uint64_t most = rows->batch * (rows->kernel->steps_max + 1) * rows->search.team.threads;
    while (rows->kept.expanded < rows->frontier.count && !watch_stopped(watch)) {
        pdb_status status = rows->kept.pass == ROWS_FINDING ? rows_reserve(rows, most, error) : PDB_OK;
        if (status != PDB_OK)
            return status;
        expand_some(rows, watch);
    }
    rows->search.states = rows->kept.states;
    return rows->kept.expanded < rows->frontier.count ? PDB_INTERRUPTED : PDB_OK;
}

static void turn(struct rows *rows)
{
    const struct rows_list frontier = rows->frontier;
    rows->frontier = rows->next;
    rows->next = frontier;
    rows->next.count = 0;
    rows->kept.expanded = 0;
}

/* -- layers -- */

struct marking {
    struct rows *rows;
    uint64_t depth, states;
};

/* What is next in some rows of the new frontier is now, and has its distance. */
static void mark_share(void *context, unsigned thread, uint64_t share)
{
    struct marking *marking = context;
    const struct rows *rows = marking->rows;
    const uint64_t all = rows->frontier.count, first = share * ROWS_SHARE,
                   end = all - first < ROWS_SHARE ? all : first + ROWS_SHARE;
    const uint64_t residue = marking->depth % 3 + 1;
    uint64_t states = 0;
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        if (i + 4 < end)
            fetch_entry(rows, rows->frontier.number[i + 4]);
        uint64_t *entry = rows_entry(rows, rows->frontier.number[i]);
        uint64_t *now = rows_plane(rows, entry, ROW_NOW), *next = rows_plane(rows, entry, ROW_NEXT);
        entry[0] &= ~ROW_LISTED;
        for (size_t w = 0; w < rows->words; w++) {
            const uint64_t bits = next[w];
            now[w] = bits;
            next[w] = 0;
            rows_plane(rows, entry, ROW_LOW)[w] |= (residue & 1) != 0 ? bits : 0;
            rows_plane(rows, entry, ROW_HIGH)[w] |= (residue & 2) != 0 ? bits : 0;
            states += (unsigned)__builtin_popcountll(bits);
        }
    }
    __atomic_fetch_add(&marking->states, states, __ATOMIC_RELAXED);
}

/* The list of those that are next becomes the frontier, the layer at this depth. */
static void note_layer(struct rows *rows, uint64_t depth)
{
    struct search_state *state = rows->search.state;
    struct marking marking = {rows, depth, 0};
    turn(rows);
    team_run(rows->frontier.count > ALONE ? &rows->search.team : NULL, team_shares(rows->frontier.count, ROWS_SHARE),
             mark_share, &marking);
    state->depth = depth;
    state->layer = state->histogram[depth] = marking.states;
    state->reached += marking.states;
}

/* -- the first pass -- */

static pdb_status set_out(struct rows *rows, pdb_error *error)
{
    const struct puzzle *puzzle = rows->search.puzzle;
    struct row_worker *worker = &rows->workers[0];
    pdb_status status = rows_reserve(rows, puzzle->named_count, error);
    if (status != PDB_OK)
        return status;
    rows->kept.pass = ROWS_FINDING;
    worker->alone = true;
    for (size_t i = 0; i < puzzle->named_count; i++) {
        uint64_t packed, states[ROW_WORDS_MAX] = {0};
        unsigned bit;
        if (!puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &packed))
            continue;
        const uint64_t key = rows->kernel->row(rows->kernel, packed, &bit);
        states[bit / 64] = (uint64_t)1 << bit % 64;
        settle_found(rows, worker, find_entry(rows, worker, key), states);
        report(rows, worker);
    }
    turn(rows);
    rows->search.states = rows->search.state->layer = rows->search.state->reached = rows->kept.states;
    return PDB_OK;
}

/* The goals among the rows of a share are next. */
static void list_goals(void *context, unsigned thread, uint64_t share)
{
    struct rows *rows = context;
    const uint64_t first = share * ROWS_SHARE, left = rows->entries - first;
    struct row_worker *worker = &rows->workers[thread];
    uint64_t goals[ROW_WORDS_MAX];
    worker->alone = false;
    for (uint64_t i = first; i < first + (left < ROWS_SHARE ? left : ROWS_SHARE); i++) {
        uint64_t *entry = rows_entry(rows, i), any = 0;
        if (entry[0] == ROW_NONE)
            continue;
        rows->kernel->goals(rows->kernel, entry[0], goals);
        for (size_t w = 0; w < rows->words; w++)
            any |= goals[w] &= rows_plane(rows, entry, ROW_FOUND)[w];
        if (any != 0)
            settle_measured(rows, worker, entry, goals);
    }
    report(rows, worker);
}

/* All states are found: from their goals on they are measured. */
static pdb_status begin_measuring(struct rows *rows, pdb_error *error)
{
    pdb_status status = rows_reserve(rows, 0, error); /* for the end, of as many states as there are now */
    if (status != PDB_OK)
        return status;
    rows->kept.pass = ROWS_MEASURING;
    rows->search.finding = false;
    rows->search.state->reached = 0;
    team_run(&rows->search.team, team_shares(rows->entries, ROWS_SHARE), list_goals, rows);
    if (rows->next.count == 0)
        return retrograde_no_goal(&rows->search, error);
    note_layer(rows, 0);
    return PDB_OK;
}

static pdb_status find_more(struct rows *rows, struct watch *watch, pdb_error *error)
{
    const uint64_t before = rows->search.state->reached;
    pdb_status status = expand(rows, watch, error);
    if (status != PDB_OK)
        return status;
    turn(rows);
    rows->search.state->reached = rows->kept.states;
    rows->search.state->layer = rows->kept.states - before;
    return rows->frontier.count > 0 ? PDB_OK : begin_measuring(rows, error);
}

static pdb_status begin(struct retrograde *search, pdb_error *error)
{
    (void)error;
    search->finding = true;
    return PDB_OK;
}

static pdb_status next_layer(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    struct rows *rows = rows_of(search);
    *done = false;
    if (rows->kept.pass == ROWS_SETTING_OUT)
        return set_out(rows, error);
    if (rows->kept.pass == ROWS_FINDING)
        return find_more(rows, watch, error);
    pdb_status status = expand(rows, watch, error);
    if (status == PDB_OK && rows->next.count > 0)
        note_layer(rows, search->state->depth + 1);
    else if (status == PDB_OK) {
        *done = true;
        status = rows_reserve_end(rows, error);
    }
    return status;
}

const struct way way_by_rows = {.text = "in layers by rows of keys",
                                .size = sizeof(struct rows),
                                .memory = rows_memory,
                                .allocate = rows_allocate,
                                .release = rows_release,
                                .goals = begin,
                                .layer = next_layer,
                                .fit = rows_fit,
                                .layout = "rows of states, and those expanded",
                                .parts = rows_parts,
                                .resume = rows_resume,
                                .finish = rows_finish};
