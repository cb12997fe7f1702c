/* round.c -- a round of the search of permutation puzzles: depth first, shared out among threads */
#include "round.h"

#include <stdlib.h>
#include <string.h>

enum {
    SHARES = 64, /* a thread, at least */
    POLL = 256,  /* nodes between looks at what the others do */
    OBSERVE_MILLISECONDS = 20
};

/* A node where the search goes on later, and the moves to it. */
struct share {
    uint32_t state; /* of the machine */
    uint64_t at[PATTERN_TABLES_MAX];
    uint16_t far[PATTERN_TABLES_MAX];
    uint8_t path[]; /* split of them */
};

struct worker {
    struct permute_run *run;
    uint64_t *at, *next;
    uint16_t *far, *after;
    uint8_t *move, *path;
    uint32_t least; /* bounds above the limit */
    uint64_t nodes; /* not told yet */
    unsigned polls;
    int share; /* the number of the share at hand */
    bool stop;
    uint8_t *shares; /* where shares are collected; NULL where the search goes all the way */
    size_t count, room;
    bool no_memory;
};

/* -- what threads tell one another -- */

static void ask_observer(struct permute_run *run)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if ((now.tv_sec - run->observed.tv_sec) * 1000 + (now.tv_nsec - run->observed.tv_nsec) / 1000000 <
        OBSERVE_MILLISECONDS)
        return;
    run->observed = now;
    const struct search_progress progress = {run->limit, __atomic_load_n(&run->nodes, __ATOMIC_RELAXED)};
    if (!run->observe(run->context, &progress))
        __atomic_store_n(&run->stop, true, __ATOMIC_RELAXED);
}

static void poll(struct worker *worker)
{
    struct permute_run *run = worker->run;
    worker->polls = 0;
    __atomic_fetch_add(&run->nodes, worker->nodes, __ATOMIC_RELAXED);
    worker->nodes = 0;
    if (run->observe != NULL && !__atomic_test_and_set(&run->observing, __ATOMIC_ACQUIRE)) {
        ask_observer(run);
        __atomic_clear(&run->observing, __ATOMIC_RELEASE);
    }
    worker->stop = worker->no_memory || __atomic_load_n(&run->stop, __ATOMIC_RELAXED) ||
                   __atomic_load_n(&run->found, __ATOMIC_RELAXED) < worker->share;
}

/* -- the search -- */

/* The distance of a state that a move leads to from one at the distance `from`. */
static unsigned distance_after(const struct permute_table *table, uint64_t index, unsigned from)
{
    static const int8_t change[3][4] = {{0, 1, -1, 0}, {-1, 0, 1, 0}, {1, -1, 0, 0}}; /* by residue: before, after */
    const unsigned entry = permute_entry(table->relaxed, table->value, index);
    return table->relaxed->puzzle.undoable ? from + (unsigned)change[from % 3][entry] : entry;
}

static bool ends_at_goal(const struct worker *worker, uint32_t depth)
{
    const struct permute *permute = worker->run->searcher->permute;
    uint8_t position[2][BOARD_MAX_CELLS];
    memcpy(position[0], worker->run->position, permute->puzzle.board.places);
    for (uint32_t i = 0; i < depth; i++)
        permute_apply(permute, worker->path[i], position[i % 2], position[1 - i % 2]);
    return permute->puzzle.family->is_goal(&permute->puzzle, position[depth % 2]);
}

/* A node while its moves are tried: its part of the worker's arrays. */
struct frame {
    const uint64_t *at;
    const uint16_t *far;
    uint64_t *next; /* [table][move] */
    uint16_t *after;
    uint8_t *move; /* those that may still lead to a solution */
    unsigned moves;
};

static struct frame frame_at(const struct worker *worker, uint32_t depth)
{
    const struct permute_searcher *searcher = worker->run->searcher;
    const size_t tables = searcher->tables, moves = searcher->permute->moves;
    return (struct frame){worker->at + depth * tables,           worker->far + depth * tables,
                          worker->next + depth * tables * moves, worker->after + depth * tables * moves,
                          worker->move + depth * moves,          0};
}

/* Moves one table's index, and leaves of the frame's moves those after which no more than `left` are needed. Returns the
 * least distance of the others. */
static uint32_t pass(const struct permute_searcher *searcher, struct frame *frame, unsigned t, uint32_t left)
{
    const struct permute_table *table = &searcher->table[t];
    const unsigned moves = searcher->permute->moves, per_byte = 8 / permute_entry_bits(searcher->permute);
    uint64_t *next = frame->next + (size_t)t * moves;
    uint16_t *after = frame->after + (size_t)t * moves, number;
    uint32_t least = PDB_NO_DISTANCE;
    unsigned passed = 0;
    permute_successors(&table->relaxed->puzzle, &frame->at[t], 1, next, &number);
    for (unsigned i = 0; i < frame->moves; i++)
        __builtin_prefetch(table->value + next[frame->move[i]] / per_byte);
    for (unsigned i = 0; i < frame->moves; i++) {
        const uint8_t m = frame->move[i];
        const uint32_t distance = distance_after(table, next[m], frame->far[t]);
        const uint32_t overrun = distance > left ? distance : PDB_NO_DISTANCE;
        after[m] = (uint16_t)distance;
        least = overrun < least ? overrun : least;
        frame->move[passed] = m;
        passed += distance <= left;
    }
    frame->moves = passed;
    return least;
}

/* The moves after which no table says that more than `left` are needed. The table that says most of the node itself is
 * asked first: it lets the fewest pass. Returns the least distance that is too large. */
static uint32_t pass_all(const struct permute_searcher *searcher, struct frame *frame, uint32_t left)
{
    uint32_t least = PDB_NO_DISTANCE;
    unsigned first = 0;
    for (unsigned t = 1; t < searcher->tables; t++)
        first = frame->far[t] > frame->far[first] ? t : first;
    for (unsigned i = 0; i < searcher->tables && frame->moves > 0; i++) {
        const unsigned t = i == 0 ? first : i == first ? 0 : i;
        const uint32_t overrun = pass(searcher, frame, t, left);
        least = overrun < least ? overrun : least;
    }
    return least;
}

static size_t share_bytes(uint32_t split)
{
    return (sizeof(struct share) + split + 7) / 8 * 8;
}

static struct share *share_at(uint8_t *shares, uint32_t split, size_t i)
{
    return (struct share *)(void *)(shares + i * share_bytes(split));
}

static void add_share(struct worker *worker, uint32_t depth, uint32_t state)
{
    const size_t bytes = share_bytes(depth);
    if (worker->count == worker->room) {
        const size_t room = worker->room == 0 ? 256 : 2 * worker->room;
        uint8_t *shares = realloc(worker->shares, room * bytes);
        if (shares == NULL) {
            worker->no_memory = worker->stop = true;
            return;
        }
        worker->shares = shares;
        worker->room = room;
    }
    struct share *share = share_at(worker->shares, depth, worker->count++);
    const unsigned tables = worker->run->searcher->tables;
    share->state = state;
    memcpy(share->at, worker->at + depth * tables, tables * sizeof *share->at);
    memcpy(share->far, worker->far + depth * tables, tables * sizeof *share->far);
    memcpy(share->path, worker->path, depth);
}

/* Notes that a solution may have this many moves. */
static void note_least(struct worker *worker, uint32_t moves)
{
    worker->least = moves < worker->least ? moves : worker->least;
}

/* Searches on from the node at `depth`; true if a goal was found (worker->path). */
static bool descend(struct worker *worker, uint32_t depth, uint32_t state)
{
    const struct permute_searcher *searcher = worker->run->searcher;
    const unsigned moves = searcher->permute->moves, tables = searcher->tables;
    const uint32_t left = worker->run->limit - depth - 1;
    struct frame frame = frame_at(worker, depth);
    if (++worker->polls == POLL)
        poll(worker);
    for (unsigned m = 0; m < moves; m++) {
        frame.move[frame.moves] = (uint8_t)m;
        frame.moves += machine_next(searcher->machine, state, m) != MACHINE_NEVER;
    }
    worker->nodes += frame.moves;
    const uint32_t overrun = pass_all(searcher, &frame, left);
    if (overrun != PDB_NO_DISTANCE)
        note_least(worker, depth + 1 + overrun);
    for (unsigned i = 0; i < frame.moves && !worker->stop; i++) {
        const uint8_t m = frame.move[i];
        const uint32_t to = machine_next(searcher->machine, state, m);
        worker->path[depth] = m;
        if (left == 0) {
            if (ends_at_goal(worker, depth + 1))
                return true;
            note_least(worker, depth + 2);
            continue;
        }
        for (unsigned t = 0; t < tables; t++) {
            worker->at[(depth + 1) * tables + t] = frame.next[t * moves + m];
            worker->far[(depth + 1) * tables + t] = frame.after[t * moves + m];
        }
        if (depth + 1 == worker->run->split && worker->share < 0)
            add_share(worker, depth + 1, to);
        else if (descend(worker, depth + 1, to))
            return true;
    }
    return false;
}

/* -- workers -- */

static bool worker_make(struct worker *worker, struct permute_run *run)
{
    const size_t frames = run->limit + 1, tables = run->searcher->tables, moves = run->searcher->permute->moves;
    *worker = (struct worker){.run = run, .least = PDB_NO_DISTANCE};
    worker->at = malloc(frames * tables * sizeof *worker->at + 1);
    worker->far = malloc(frames * tables * sizeof *worker->far + 1);
    worker->next = malloc(frames * tables * moves * sizeof *worker->next + 1);
    worker->after = malloc(frames * tables * moves * sizeof *worker->after + 1);
    worker->move = malloc(frames * moves);
    worker->path = malloc(frames);
    return worker->at && worker->far && worker->next && worker->after && worker->move && worker->path;
}

/* Frees it, and tells what it has done. */
static void worker_end(struct worker *worker, uint32_t *least)
{
    __atomic_fetch_add(&worker->run->nodes, worker->nodes, __ATOMIC_RELAXED);
    *least = worker->least < *least ? worker->least : *least;
    free(worker->at);
    free(worker->far);
    free(worker->next);
    free(worker->after);
    free(worker->move);
    free(worker->path);
    free(worker->shares);
}

static void keep_path(struct worker *worker, int share)
{
    struct permute_run *run = worker->run;
#pragma omp critical(permute_search_found)
    if (share < run->found) {
        memcpy(run->path, worker->path, run->limit);
        __atomic_store_n(&run->found, share, __ATOMIC_RELAXED);
    }
}

static void search_share(struct worker *worker, struct share *share, int number)
{
    const uint32_t split = worker->run->split;
    const unsigned tables = worker->run->searcher->tables;
    worker->share = number; /* NOLINTNEXTLINE(*NonNullParamChecker): there is a share for every number */
    memcpy(worker->at + (size_t)split * tables, share->at, tables * sizeof *share->at);
    memcpy(worker->far + (size_t)split * tables, share->far, tables * sizeof *share->far);
    memcpy(worker->path, share->path, split);
    poll(worker);
    if (!worker->stop && descend(worker, split, share->state))
        keep_path(worker, number);
}

static bool search_shares(struct permute_run *run, struct worker *collected, uint32_t *least)
{
    bool memory = true;
    int next = 0;
#pragma omp parallel num_threads(run->searcher->threads)
    {
        struct worker worker;
        uint32_t own_least = PDB_NO_DISTANCE;
        if (worker_make(&worker, run)) {
            for (int i; (i = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < (int)collected->count;)
                search_share(&worker, share_at(collected->shares, run->split, (size_t)i), i);
        } else {
            __atomic_store_n(&memory, false, __ATOMIC_RELAXED);
        }
        worker_end(&worker, &own_least);
#pragma omp critical(permute_search_least)
        *least = own_least < *least ? own_least : *least;
    }
    return memory;
}

/* -- the round -- */

/* Collects the nodes at the depth run->split, from 1 on until there are enough of them. */
static bool collect(struct permute_run *run, struct worker *worker)
{
    const size_t enough = (size_t)SHARES * run->searcher->threads;
    for (run->split = 1;; run->split++) {
        worker->count = worker->room = 0;
        free(worker->shares);
        worker->shares = NULL;
        worker->least = PDB_NO_DISTANCE;
        descend(worker, 0, MACHINE_START);
        if (worker->stop || worker->count == 0 || worker->count >= enough || run->split + 2 >= run->limit)
            return !worker->no_memory;
    }
}

bool permute_round(struct permute_run *run, bool shared, uint32_t *least)
{
    struct worker worker;
    bool memory = worker_make(&worker, run);
    *least = PDB_NO_DISTANCE;
    uint8_t *path = memory ? realloc(run->path, run->limit + 1) : NULL;
    if (path != NULL) {
        run->path = path;
        memcpy(worker.at, run->at, run->searcher->tables * sizeof *run->at);
        memcpy(worker.far, run->far, run->searcher->tables * sizeof *run->far);
        worker.share = shared && run->limit > 3 ? -1 : 0;
        run->split = 0;
        if (worker.share == 0 && descend(&worker, 0, MACHINE_START))
            keep_path(&worker, 0);
        else if (worker.share < 0)
            memory = collect(run, &worker) && (worker.stop || search_shares(run, &worker, least));
    }
    worker_end(&worker, least);
    return memory && path != NULL;
}
