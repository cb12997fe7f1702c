/* ida_round.c -- one round of iterative deepening
 *
 * A thread keeps the states that wait in one growing array, and for each state under way a frame: which of them are its
 * children, and which is next. There is no recursion: solutions may be as long as memory allows.
 */
#include "ida_round.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    POLL_NODES = 4096,
    OBSERVE_NANOSECONDS = 30000000,
    TASKS_PER_THREAD = 128 /* states of the shallow layer that threads share out */
};

/* -- control -- */

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * (int64_t)1000000000 + time.tv_nsec;
}

bool ida_control_add(struct ida_control *control, uint64_t nodes)
{
    const uint64_t all = __atomic_add_fetch(&control->nodes, nodes, __ATOMIC_RELAXED);
    if (control->observe != NULL && !__atomic_test_and_set(&control->busy, __ATOMIC_ACQUIRE)) {
        const int64_t time = now();
        if (time >= control->due) {
            const struct search_progress progress = {control->limit, all};
            if (!control->observe(control->context, &progress))
                __atomic_store_n(&control->stopped, true, __ATOMIC_RELAXED);
            control->due = time + OBSERVE_NANOSECONDS;
        }
        __atomic_clear(&control->busy, __ATOMIC_RELEASE);
    }
    return !__atomic_load_n(&control->stopped, __ATOMIC_RELAXED);
}

/* -- workers -- */

void ida_worker_free(struct ida_worker *worker)
{
    visited_free(&worker->table);
    free(worker->next);
    free(worker->bound);
    free(worker->kept_bound);
    free(worker->state);
    free(worker->frame);
    *worker = (struct ida_worker){0};
}

pdb_status ida_worker_create(struct ida_worker *worker, const struct puzzle *puzzle, bool remember, uint64_t memory,
                             pdb_error *error)
{
    const size_t moves = puzzle->max_moves + (size_t)1;
    *worker = (struct ida_worker){.puzzle = puzzle};
    worker->next = malloc(moves * sizeof *worker->next);
    worker->bound = calloc(moves, sizeof *worker->bound);
    worker->kept_bound = malloc(moves * sizeof *worker->kept_bound);
    if (worker->next == NULL || worker->bound == NULL || worker->kept_bound == NULL)
        return error_no_memory(error, "a search", moves * (sizeof *worker->next + 2 * sizeof *worker->bound));
    pdb_status status = remember ? visited_create(&worker->table, puzzle->states, memory, error) : PDB_TOO_LARGE;
    worker->remember = status == PDB_OK;
    return status == PDB_TOO_LARGE ? PDB_OK : status; /* too little memory for a table: it goes without */
}

static bool reserve(struct ida_worker *worker, size_t states)
{
    if (worker->top + states <= worker->room)
        return true;
    const size_t room = 2 * (worker->top + states);
    uint64_t *grown = realloc(worker->state, room * sizeof *grown);
    if (grown == NULL) {
        worker->status = error_no_memory(&worker->error, "states to search", room * sizeof *grown);
        return false;
    }
    worker->state = grown;
    worker->room = room;
    return true;
}

/* -- one state -- */

size_t ida_successors(struct ida_worker *worker, uint64_t state)
{
    const struct family *family = worker->puzzle->family;
    uint16_t next_count;
    const size_t count = family->successors(worker->puzzle, &state, 1, worker->next, &next_count);
    if (family->bounds != NULL)
        family->bounds(worker->puzzle, worker->next, count, worker->bound);
    worker->nodes += count;
    return count;
}

static void note_excess(struct ida_worker *worker, uint32_t excess)
{
    worker->excess = excess < worker->excess ? excess : worker->excess;
}

/* Passes over a state whose bound is above what remains? */
static bool is_too_far(struct ida_worker *worker, size_t i, uint32_t remaining)
{
    if (worker->bound[i] <= remaining)
        return false;
    if (worker->bound[i] != BOUND_NEVER)
        note_excess(worker, worker->bound[i] - remaining);
    return true;
}

static bool is_in_perimeter(const struct ida_worker *worker, uint64_t state, uint32_t remaining)
{
    uint8_t position[BOARD_MAX_CELLS];
    uint32_t distance;
    if (worker->goals != NULL)
        return perimeter_find(worker->goals, state, &distance) && distance <= remaining;
    worker->puzzle->family->unrank(worker->puzzle, state, position);
    return worker->puzzle->family->is_goal(worker->puzzle, position);
}

/* The `count` states in worker->next have reached the radius: is one of them in the perimeter? The first of the
 * smallest bound is the solution's. */
static void look_up(struct ida_worker *worker, size_t count, uint32_t remaining)
{
    uint32_t least = BOUND_NEVER;
    for (size_t i = 0; worker->goals != NULL && i < count; i++)
        if (worker->bound[i] <= remaining)
            visited_prefetch(&worker->goals->number, worker->next[i]);
    for (size_t i = 0; i < count; i++) {
        if (is_too_far(worker, i, remaining))
            continue;
        if (!is_in_perimeter(worker, worker->next[i], remaining)) {
            if (worker->goals == NULL || !worker->goals->complete)
                note_excess(worker, 1);
        } else if (worker->bound[i] < least) {
            least = worker->bound[i];
            worker->found = true;
            worker->solution = worker->next[i];
        }
    }
}

/* Puts a state behind the others of its parent, which begin at `begin`, by its bound. */
static void keep(struct ida_worker *worker, size_t begin, uint64_t state, uint16_t bound)
{
    size_t at = worker->top++;
    for (; at > begin && worker->kept_bound[at - 1 - begin] > bound; at--) {
        worker->state[at] = worker->state[at - 1];
        worker->kept_bound[at - begin] = worker->kept_bound[at - 1 - begin];
    }
    worker->state[at] = state;
    worker->kept_bound[at - begin] = bound;
}

/* Is there a shorter way to a state than the one that leaves so many moves? */
static bool is_detour(const struct ida_worker *worker, uint64_t state, uint32_t remaining)
{
    uint32_t moves;
    return worker->around != NULL && perimeter_find(worker->around, state, &moves) && moves < worker->limit - remaining;
}

bool ida_expand(struct ida_worker *worker, uint64_t state, uint64_t parent, uint32_t remaining)
{
    const size_t count = ida_successors(worker, state), begin = worker->top;
    remaining--;
    if (remaining <= worker->radius) {
        look_up(worker, count, remaining);
        return true;
    }
    if (!reserve(worker, count))
        return false;
    for (size_t i = 0; worker->remember && i < count; i++)
        if (worker->bound[i] <= remaining) {
            visited_prefetch(&worker->table, worker->next[i]);
            if (worker->around != NULL)
                visited_prefetch(&worker->around->number, worker->next[i]);
        }
    for (size_t i = 0; i < count; i++) {
        const uint64_t next = worker->next[i];
        if (is_too_far(worker, i, remaining) || is_detour(worker, next, remaining))
            continue;
        if (worker->remember ? visited_raise(&worker->table, next, remaining) : next != parent && next != state)
            keep(worker, begin, next, worker->bound[i]);
    }
    return true;
}

/* -- the shallow layer -- */

/* A state with the one before it, by its number. */
struct seed {
    uint64_t state;
    size_t before;
};

struct round {
    struct ida_worker *worker;
    unsigned threads;
    struct ida_control *control;
    struct seed *seed; /* layer behind layer: the last one is first .. count-1 */
    size_t first, count, room;
    uint32_t remaining; /* of the last layer */
    size_t task;        /* the next to be taken */
    size_t best;        /* the first one with a solution */
    bool over;
    struct ida_way *way;
};

static bool add_seed(struct round *round, struct seed seed)
{
    if (round->count == round->room) {
        const size_t room = round->room == 0 ? 64 : 2 * round->room;
        struct seed *grown = realloc(round->seed, room * sizeof *grown);
        if (grown == NULL)
            return false;
        round->seed = grown;
        round->room = room;
    }
    round->seed[round->count++] = seed;
    return true;
}

/* The solution of a task: the states before it, it, those of the worker's frames, and the one in the perimeter. */
static pdb_status take_way(struct round *round, const struct ida_worker *worker, size_t task, pdb_error *error)
{
    size_t count = 2 + worker->frames;
    for (size_t s = task; s != 0; s = round->seed[s].before)
        count++;
    uint64_t *state = malloc(count * sizeof *state);
    if (state == NULL)
        return error_no_memory(error, "a solution", count * sizeof *state);
    size_t at = count - 1;
    state[at--] = worker->solution;
    for (size_t f = worker->frames; f > 0; f--)
        state[at--] = worker->state[worker->frame[f - 1].at - 1];
    for (size_t s = task; s != 0; s = round->seed[s].before)
        state[at--] = round->seed[s].state;
    state[0] = round->seed[0].state;
    free(round->way->state);
    *round->way = (struct ida_way){state, count};
    return PDB_OK;
}

/* Adds the worker's nodes; false where it has to stop: another has a solution before this task's, or the observer, or
 * the budget, or an error says so. */
static bool go_on(struct round *round, struct ida_worker *worker, size_t task)
{
    const bool goes = ida_control_add(round->control, worker->nodes);
    worker->nodes = 0;
    const size_t best = __atomic_load_n(&round->best, __ATOMIC_RELAXED);
    if (best == SIZE_MAX && __atomic_load_n(&round->control->nodes, __ATOMIC_RELAXED) > round->control->budget)
        __atomic_store_n(&round->over, true, __ATOMIC_RELAXED);
    return goes && task < best && !__atomic_load_n(&round->over, __ATOMIC_RELAXED);
}

/* The layer after the last one becomes the last. Stops where a solution is found, or
 * go_on says so. */
static pdb_status next_layer(struct round *round, pdb_error *error)
{
    struct ida_worker *worker = &round->worker[0];
    const size_t end = round->count;
    for (size_t s = round->first; s < end; s++) {
        const struct seed seed = round->seed[s];
        worker->top = 0;
        if (worker->nodes >= POLL_NODES && !go_on(round, worker, s))
            break;
        if (!ida_expand(worker, seed.state, round->seed[seed.before].state, round->remaining)) {
            *error = worker->error;
            return worker->status;
        }
        if (worker->found) {
            round->best = s;
            worker->frames = 0;
            return take_way(round, worker, s, error);
        }
        for (size_t i = 0; i < worker->top; i++)
            if (!add_seed(round, (struct seed){worker->state[i], s}))
                return error_no_memory(error, "states to search", round->room * sizeof seed);
    }
    round->first = end;
    round->remaining--;
    return PDB_OK;
}

/* -- the search below a task -- */

/* A frame for the states that were put behind worker->top since it was at `begin`. */
static bool push_frame(struct ida_worker *worker, size_t begin)
{
    if (worker->frames == worker->frame_room) {
        const size_t room = worker->frame_room == 0 ? 64 : 2 * worker->frame_room;
        struct ida_frame *grown = realloc(worker->frame, room * sizeof *grown);
        if (grown == NULL) {
            worker->status = error_no_memory(&worker->error, "states to search", room * sizeof *grown);
            return false;
        }
        worker->frame = grown;
        worker->frame_room = room;
    }
    worker->frame[worker->frames++] = (struct ida_frame){begin, begin, worker->top};
    return true;
}

/* Searches depth first until nothing is left, a solution is found (worker->found) or it has to stop. Children of one
 * expanded state are at state[begin .. end) of its frame; the next one to be searched is `at`. */
static void search_below(struct round *round, struct ida_worker *worker, size_t task)
{
    const struct seed *seed = &round->seed[task];
    uint32_t remaining = round->remaining;
    worker->top = worker->frames = 0;
    if (!ida_expand(worker, seed->state, round->seed[seed->before].state, remaining))
        return;
    if (worker->found || worker->top == 0 || !push_frame(worker, 0))
        return;
    while (worker->frames > 0) {
        struct ida_frame *frame = &worker->frame[worker->frames - 1];
        if (frame->at == frame->end) {
            worker->top = frame->begin;
            worker->frames--;
            continue;
        }
        const uint64_t state = worker->state[frame->at++];
        const uint64_t parent = worker->frames > 1 ? worker->state[worker->frame[worker->frames - 2].at - 1]
                                                   : seed->state;
        const size_t begin = worker->top;
        if (!ida_expand(worker, state, parent, remaining - (uint32_t)worker->frames) || worker->found)
            return;
        if (worker->nodes >= POLL_NODES && !go_on(round, worker, task))
            return;
        if (worker->top > begin && !push_frame(worker, begin))
            return;
    }
}

/* Takes tasks in their order until none is left or a solution before them is known. */
static void work(struct round *round, struct ida_worker *worker)
{
    for (;;) {
        const size_t task = __atomic_fetch_add(&round->task, 1, __ATOMIC_RELAXED);
        if (task >= round->count || !go_on(round, worker, task))
            break;
        search_below(round, worker, task);
        if (worker->status != PDB_OK) {
            __atomic_store_n(&round->over, true, __ATOMIC_RELAXED);
            break;
        }
        if (!worker->found)
            continue;
#pragma omp critical(ida_solution)
        if (task < round->best) {
            worker->status = take_way(round, worker, task, &worker->error);
            __atomic_store_n(&round->best, task, __ATOMIC_RELAXED);
        }
        break; /* what it would take next comes after this solution */
    }
}

/* -- the round -- */

static enum ida_outcome conclude(const struct round *round, uint32_t *excess, pdb_status *status, pdb_error *error)
{
    *excess = EXCESS_NONE;
    for (unsigned t = 0; t < round->threads; t++) {
        const struct ida_worker *worker = &round->worker[t];
        if (worker->status != PDB_OK) {
            *status = worker->status;
            *error = worker->error;
            return IDA_FAILED;
        }
        *excess = worker->excess < *excess ? worker->excess : *excess;
    }
    if (round->control->stopped) {
        *status = error_set(error, PDB_INTERRUPTED, "%s: interrupted, no solution is shorter than %u moves",
                            round->worker->puzzle->name, round->control->limit);
        return IDA_FAILED;
    }
    if (round->over)
        return IDA_OVER;
    if (round->best != SIZE_MAX)
        return IDA_FOUND;
    if (*excess != EXCESS_NONE && round->worker->puzzle->coloured)
        *excess += *excess & 1;
    return IDA_IN_VAIN;
}

enum ida_outcome ida_round(struct ida_worker *worker, unsigned threads, struct ida_control *control, uint64_t root,
                           uint32_t *excess, struct ida_way *way, pdb_status *status, pdb_error *error)
{
    struct round round = {.worker = worker, .threads = threads, .control = control};
    round.remaining = control->limit;
    round.best = SIZE_MAX;
    round.way = way;
    *way = (struct ida_way){0};
    *status = PDB_OK;
    for (unsigned t = 0; t < threads; t++) {
        worker[t].excess = EXCESS_NONE;
        worker[t].limit = control->limit;
        worker[t].found = false;
        worker[t].nodes = 0;
        if (worker[t].remember)
            visited_raise(&worker[t].table, root, control->limit);
    }
    if (!add_seed(&round, (struct seed){root, 0}))
        *status = error_no_memory(error, "states to search", sizeof *round.seed);
    const size_t wanted = threads > 1 ? threads * (size_t)TASKS_PER_THREAD : 1;
    while (*status == PDB_OK && round.best == SIZE_MAX && round.count > round.first &&
           round.count - round.first < wanted && !round.over && !control->stopped)
        *status = next_layer(&round, error);
    round.task = round.first;
    if (*status == PDB_OK && round.best == SIZE_MAX) {
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
        for (unsigned t = 0; t < threads; t++)
            work(&round, &worker[t]);
    }
    for (unsigned t = 0; t < threads; t++)
        control->nodes += worker[t].nodes;
    const enum ida_outcome outcome = *status != PDB_OK ? IDA_FAILED : conclude(&round, excess, status, error);
    free(round.seed);
    if (outcome != IDA_FOUND) {
        free(way->state);
        *way = (struct ida_way){0};
    }
    return outcome;
}
