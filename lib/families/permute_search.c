/* permute_search.c -- the family's searcher: IDA* over the indices of relaxations
 *
 * A node of the search is one index a table, that of the relaxation's state, and its distance: a relaxation's moves on
 * indices come from tables of its own (permute_successors), and the index is the place of the entry in the table. The
 * board itself is not needed until all distances are 0 at the end of a path: then the path's moves are made on the board
 * and it is asked whether it is a goal.
 *
 *     at[depth][table]             the node: indices
 *     far[depth][table]            and distances
 *     next[depth][table][move]     indices of the nodes that its moves lead to
 *     after[depth][table][move]    and their distances
 *     move[depth][..]              the moves that no table says of that they lead too far from the goal
 *
 * A search for solutions of `limit` moves leaves out what cannot be one by its bound, and sequences of moves that
 * others stand for (permute_words.c); the next limit is the least that was left out, of the right parity where the
 * puzzle is coloured. Limits that take long are shared out: the nodes of a shallow depth, in the order of the search,
 * are searched by all threads, and the solution of the first node that has one is taken. So the solution is the one
 * that a single thread finds.
 *
 * Without a pattern database small tables are made with the searcher: SMALL_WORK moves' worth, a tenth of a second.
 *
 * Literature: R. Korf, "Depth-first iterative-deepening", Artificial Intelligence 27 (1985).
 */
#include "permute_search.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    SMALL_WORK = 1 << 25,   /* states times moves in the tables made without a database */
    SMALL_STATES = 1 << 22, /* and states */
    SHARED_NODES = 1 << 15, /* limits with more nodes than this are shared out, to so many shares a thread: */
    SHARES = 64,
    POLL = 256, /* nodes between looks at what the others do */
    OBSERVE_MILLISECONDS = 20,
    NONE_SHARE = INT32_MAX
};

struct table {
    struct permute *relaxed;
    const uint8_t *value;
};

struct permute_searcher {
    struct searcher base;
    const struct permute *permute;
    unsigned threads, tables;
    struct table table[PATTERN_TABLES_MAX];
    uint8_t *own; /* the bytes of tables made here, or NULL */
    struct machine *machine;
    struct permute_group *group; /* NULL: everything that fits can be reached */
    char method[PATTERNS_TEXT_MAX + 80];
};

/* A node where the search goes on later, and the moves to it. */
struct share {
    uint32_t state; /* of the machine */
    uint64_t at[PATTERN_TABLES_MAX];
    uint16_t far[PATTERN_TABLES_MAX];
    uint8_t path[]; /* split of them */
};

/* What the threads of one search have in common. */
struct run {
    const struct permute_searcher *searcher;
    const uint8_t *position;
    uint64_t at[PATTERN_TABLES_MAX]; /* the position's states, and their distances */
    uint16_t far[PATTERN_TABLES_MAX];
    search_observer *observe;
    void *context;
    uint32_t limit;
    uint32_t split;       /* the depth of the shares */
    uint64_t nodes;       /* of earlier limits, and of this one as far as the threads have told */
    int found;            /* the first share with a solution; NONE_SHARE */
    uint8_t *path;        /* its moves */
    bool stop, observing; /* an observer said so; one is being asked */
    struct timespec observed;
};

struct worker {
    struct run *run;
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

static void ask_observer(struct run *run)
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
    struct run *run = worker->run;
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
static unsigned distance_after(const struct table *table, uint64_t index, unsigned from)
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
    const struct table *table = &searcher->table[t];
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
        worker->no_memory = shares == NULL;
        worker->stop |= worker->no_memory;
        if (worker->no_memory)
            return;
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

static bool worker_make(struct worker *worker, struct run *run)
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

/* Frees it, and tells what it has come to. */
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
    struct run *run = worker->run;
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
    worker->share = number;
    memcpy(worker->at + (size_t)split * tables, share->at, tables * sizeof *share->at);
    memcpy(worker->far + (size_t)split * tables, share->far, tables * sizeof *share->far);
    memcpy(worker->path, share->path, split);
    poll(worker);
    if (!worker->stop && descend(worker, split, share->state))
        keep_path(worker, number);
}

static bool search_shares(struct run *run, struct worker *collected, uint32_t *least)
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

/* -- one limit -- */

/* Collects the nodes at the depth run->split, from 1 on until there are enough of them. */
static bool collect(struct run *run, struct worker *worker)
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

/* Looks for a solution of run->limit moves: run->found tells. *least: the least bound above the limit. */
static bool search_limit(struct run *run, bool shared, uint32_t *least)
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

/* -- the searcher -- */

/* The least number of moves from `limit` on that the colouring allows. */
static uint32_t of_colour(const struct permute *permute, uint32_t limit, unsigned colour)
{
    return permute->puzzle.coloured && limit % 2 != colour ? limit + 1 : limit;
}

static pdb_status tell_path(const struct run *run, struct search_answer *answer, pdb_error *error)
{
    const struct permute *permute = run->searcher->permute;
    const size_t places = permute->puzzle.board.places;
    answer->distance = answer->bound = run->limit;
    answer->path = malloc((run->limit + 1) * places);
    if (answer->path == NULL)
        return error_no_memory(error, "a path", (run->limit + 1) * places);
    memcpy(answer->path, run->position, places);
    for (uint32_t i = 0; i < run->limit; i++)
        permute_apply(permute, run->path[i], answer->path + i * places, answer->path + (i + 1) * places);
    return PDB_OK;
}

/* Where the search starts from: run->at, run->far, and run->limit, the largest of these; BOUND_NEVER where it is plain
 * that no goal can be reached. */
static pdb_status set_out(struct run *run, pdb_error *error)
{
    const struct permute_searcher *searcher = run->searcher;
    uint64_t *next = malloc(searcher->permute->moves * sizeof *next);
    uint8_t image[BOARD_MAX_CELLS];
    if (next == NULL)
        return error_no_memory(error, "the search", searcher->permute->moves * sizeof *next);
    run->limit = 0;
    for (unsigned t = 0; t < searcher->tables && run->limit != BOUND_NEVER; t++) {
        const struct permute *relaxed = searcher->table[t].relaxed;
        uint32_t distance = BOUND_NEVER;
        permute_relaxed_position(relaxed, run->position, image);
        if (relaxed->puzzle.family->rank(&relaxed->puzzle, image, &run->at[t]))
            distance = permute_distance(relaxed, searcher->table[t].value, run->at[t], next);
        if (distance > BOUND_NEVER) {
            free(next);
            return error_set(error, PDB_DAMAGED, "%s: its pattern database contradicts itself: generate it again",
                             searcher->permute->puzzle.name);
        }
        run->far[t] = (uint16_t)distance;
        run->limit = distance > run->limit ? distance : run->limit;
    }
    free(next);
    return PDB_OK;
}

static pdb_status deepen(struct run *run, uint32_t most, unsigned colour, struct search_answer *answer,
                         pdb_error *error)
{
    const struct permute *permute = run->searcher->permute;
    bool shared = false;
    for (;;) {
        uint32_t least;
        const uint64_t before = run->nodes;
        run->limit = of_colour(permute, run->limit, colour);
        answer->bound = run->limit;
        if (run->limit > most)
            return PDB_OK;
        if (!search_limit(run, shared, &least))
            return error_no_memory(error, "the search", run->limit);
        if (run->stop)
            return error_set(error, PDB_INTERRUPTED, "interrupted: no solution is shorter than %u moves", run->limit);
        if (run->found != NONE_SHARE)
            return tell_path(run, answer, error);
        if (least == PDB_NO_DISTANCE) {
            answer->bound = PDB_NO_DISTANCE; /* nothing was left out but what others stand for */
            return PDB_OK;
        }
        shared = run->searcher->threads > 1 && run->nodes - before > SHARED_NODES;
        run->limit = least > run->limit ? least : run->limit + 1;
    }
}

static pdb_status solve(const struct searcher *base, const uint8_t *position, uint32_t most, search_observer *observe,
                        void *context, struct search_answer *answer, pdb_error *error)
{
    const struct permute_searcher *searcher = (const struct permute_searcher *)base;
    const struct permute *permute = searcher->permute;
    struct run run = {
        .searcher = searcher, .position = position, .observe = observe, .context = context, .found = NONE_SHARE};
    unsigned colour;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    if (!permute_fits(permute, position, &colour) ||
        (searcher->group != NULL && !permute_group_reaches(searcher->group, position)))
        return PDB_OK;
    if (permute->puzzle.family->is_goal(&permute->puzzle, position))
        return tell_path(&run, answer, error);
    pdb_status status = set_out(&run, error);
    if (status != PDB_OK || run.limit == BOUND_NEVER)
        return status;
    run.limit = run.limit > 0 ? run.limit : 1;
    status = deepen(&run, most, colour, answer, error);
    answer->nodes = run.nodes;
    free(run.path);
    return status;
}

static const char *method(const struct searcher *base)
{
    return ((const struct permute_searcher *)base)->method;
}

static void free_searcher(struct searcher *base)
{
    struct permute_searcher *searcher = (struct permute_searcher *)base;
    for (unsigned t = 0; t < searcher->tables; t++)
        permute_relaxed_free(searcher->table[t].relaxed);
    permute_group_free(searcher->group);
    machine_free(searcher->machine);
    free(searcher->own);
    free(searcher);
}

static const struct searcher_class permute_searcher_class = {.solve = solve, .method = method, .free = free_searcher};

/* -- making one -- */

/* The relaxations of these patterns. */
static pdb_status relax_all(struct permute_searcher *searcher, const struct permute_patterns *patterns,
                            pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (unsigned p = 0; status == PDB_OK && p < patterns->count; p++) {
        status = permute_relax(searcher->permute, &patterns->pattern[p], &searcher->table[p].relaxed, error);
        searcher->tables += status == PDB_OK;
    }
    return status;
}

static pdb_status make_small_tables(struct permute_searcher *searcher, pdb_error *error)
{
    const struct permute *permute = searcher->permute;
    const long double most = SMALL_WORK / permute->moves;
    struct permute_patterns patterns;
    uint64_t bytes = 0, done = 0;
    pdb_status status = permute_choose_patterns(permute, most < SMALL_STATES ? most : SMALL_STATES, &patterns, error);
    if (status == PDB_OK)
        status = relax_all(searcher, &patterns, error);
    for (unsigned t = 0; t < searcher->tables; t++)
        bytes += permute_table_bytes(permute, searcher->table[t].relaxed->puzzle.states);
    searcher->own = malloc(bytes + 1);
    if (status == PDB_OK && searcher->own == NULL)
        return error_no_memory(error, "small pattern databases", bytes);
    for (unsigned t = 0; status == PDB_OK && t < searcher->tables; t++) {
        const struct permute *relaxed = searcher->table[t].relaxed;
        uint8_t *table = searcher->own + done;
        status = permute_distances(relaxed, 1, table, NULL, 0, NULL, NULL, error);
        searcher->table[t].value = table;
        done += permute_table_bytes(permute, relaxed->puzzle.states);
    }
    snprintf(searcher->method, sizeof searcher->method, "small pattern databases, made for the search");
    return status;
}

static pdb_status use_tables(struct permute_searcher *searcher, const struct search_options *options, pdb_error *error)
{
    struct permute_patterns patterns = {0};
    size_t offset;
    pdb_status status = permute_parse_patterns(searcher->permute, options->patterns->text, &patterns, &offset, error);
    if (status == PDB_OK)
        status = relax_all(searcher, &patterns, error);
    for (unsigned t = 0; t < searcher->tables; t++)
        searcher->table[t].value = options->pattern_bytes + options->patterns->table[t].offset;
    snprintf(searcher->method, sizeof searcher->method, "pattern databases of %s tiles", options->patterns->shape);
    return status;
}

pdb_status permute_searcher(const struct pdb_puzzle *puzzle, const struct search_options *options,
                            struct searcher **out, pdb_error *error)
{
    struct permute_searcher *searcher = calloc(1, sizeof *searcher);
    *out = NULL;
    if (searcher == NULL)
        return error_no_memory(error, "a search", sizeof *searcher);
    searcher->base = (struct searcher){&permute_searcher_class, puzzle};
    searcher->permute = (const struct permute *)puzzle;
    searcher->threads = options->threads;
    pdb_status status = permute_group_make(searcher->permute, &searcher->group, error);
    if (status == PDB_OK)
        status = permute_words_machine(searcher->permute, options->no_machine, &searcher->machine, error);
    if (status == PDB_OK)
        status = options->patterns != NULL ? use_tables(searcher, options, error) : make_small_tables(searcher, error);
    if (status != PDB_OK) {
        free_searcher(&searcher->base);
        return status;
    }
    *out = &searcher->base;
    return PDB_OK;
}
