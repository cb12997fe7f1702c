/* ida_below.c -- the search for any puzzle below a root, and why its answers are right
 *
 * States are looked at in depth-first order. A state that is reached with r moves left has to be searched unless its
 * bound is above r. Three things make this fast:
 *
 *   The transposition table. Before a state is searched with r moves left, the thread enters r for it, "more than r
 *   moves from the goals", which may not be true yet, and passes over the state wherever it is reached with r moves
 *   left or fewer, in this round or a later one. That also ends cycles: a state under way is in the table. Without a
 *   table (search_options.no_table) at least the state just left is passed over.
 *   The perimeter around the board has the fewest moves to each of its states: one that is reached with more, by a
 *   detour, is passed over.
 *   The perimeter around the goals, of radius k: a state reached with k moves left is looked up there, and is a
 *   solution's or has an excess of 1.
 *
 * THEOREM. If rounds of growing limits, with the same perimeter and bounds, all ended without a solution, then after
 * the last one the board's distance is at least limit + excess; if there was no excess, no goal can be reached.
 *
 * Proof. Write g for the moves made to a state, L for the limit: r = L - g. Call (x, g) *covered* if the round found
 * L + excess <= g + distance(x). To show: all that the round entered is covered, so the board at g = 0 is. Suppose not;
 * of all entries (x, g) of the round that are not covered take one with the least distance(x), which is finite and not
 * 0 (a goal would have been found). Let c be the next state on a shortest path from x, so g + 1 + distance(c) = g +
 * distance(x), and look at what happened to c when x was searched.
 *   - Passed over for its bound, or looked up in the perimeter and not there: its excess covers it, and x with it.
 *   - Searched: it was entered at g + 1 and is nearer than x, so it is covered, and x with it.
 *   - Passed over for an entry of the same round at g' <= g + 1: the same.
 *   - Passed over for an earlier round's entry, made after h moves: its limit was less, so h < g + 1; by the lemma it
 *     is covered at h, and so at g + 1.
 * All of them are contradictions.
 *
 * Lemma: a state that an earlier round entered at h moves is covered at h in this round. By induction on h: the state p
 * before it was entered then at h - 1, so now p is entered at h - 1 or less, or covered. If it is entered, the state
 * was looked at at h or less, and not passed over for its bound, as it was not then; so it was entered now, looked up,
 * or passed over for an entry at h or less of this round, or for an earlier round's at less than h (induction).
 *
 * A detour is like an earlier round's entry: the listed states are reached by their shortest paths, which this round
 * goes too, until it passes one over for its bound; then that excess covers all behind it. And the state just left was
 * entered in this round with more moves left.
 *
 * That entries get lost where the table is full costs time only: no step needs an entry to be found. Nor does it matter
 * which thread made one. Entries of a round that did not end (a solution was found, or it was broken off) may be false,
 * so then the tables are cleared. T. Akagi, A. Kishimoto, A. Fukunaga, "On transposition tables for single-agent search
 * and graph search" (2010), show what goes wrong where instead bounds are passed up the tree and kept: that is not
 * done.
 *
 * The solution is the first in the order of the search, with any threads and any tables: let it be the
 * first of all shortest ones in the order of children (smallest bound first, then the family's order). No state on it
 * is passed over: its distance is the moves left, r, so an entry that hides it is of r too (more would make a shorter
 * solution), and was made by the same thread, which searches in that order; so an earlier path of the same length leads
 * there, and there was an earlier solution. It is no detour either.
 *
 * A thread keeps the states that wait in one growing array, and for each state under way a frame: which of them are its
 * children, and which is next. There is no recursion: solutions may be as long as memory allows.
 */
#include "ida.h"
#include "lib/memory/array.h"

#include <stdlib.h>
#include <string.h>

/* -- workers -- */

static void release(struct deepen_worker *base)
{
    struct ida_worker *worker = (struct ida_worker *)base;
    visited_free(&worker->table);
    free(worker->next);
    free(worker->state);
    free(worker->frame);
}

static pdb_status make(struct ida_worker *worker, const struct ida_search *search, pdb_error *error)
{
    const struct puzzle *puzzle = search->deepening.puzzle;
    const struct search_options *options = &search->ida->options;
    const size_t moves = puzzle->max_moves + (size_t)1;
    worker->search = search;
    worker->stage = search->stage;
    const size_t bytes = sizeof *worker->next + 2 * sizeof *worker->bound;
    worker->next = calloc(moves, bytes);
    if (worker->next == NULL)
        return error_no_memory(error, "a search", moves * bytes);
    worker->bound = (uint16_t *)(worker->next + moves);
    worker->kept_bound = worker->bound + moves;
    if (options->no_table)
        return PDB_OK;
    const uint64_t memory = options->memory / 8 * IDA_EIGHTHS_TABLE / options->threads;
    pdb_status status = visited_create(&worker->table, puzzle->states, memory, error);
    worker->remember = status == PDB_OK;
    return status == PDB_TOO_LARGE ? PDB_OK : status; /* too little memory for a table: there is none */
}

/* What a table says is for one perimeter, and of rounds that ended: each stage begins with an empty one. */
static pdb_status ready(struct deepen_worker *base, pdb_error *error)
{
    struct ida_worker *worker = (struct ida_worker *)base;
    const struct ida_search *search = (const struct ida_search *)base->deepening;
    pdb_status status = worker->search == NULL ? make(worker, search, error) : PDB_OK;
    if (status != PDB_OK || !worker->remember)
        return status;
    if (worker->stage != search->stage)
        visited_clear(&worker->table);
    worker->stage = search->stage;
    visited_raise(&worker->table, search->state, search->deepening.watch.limit);
    return PDB_OK;
}

/* -- one state -- */

size_t ida_successors(struct ida_worker *worker, uint64_t state)
{
    const struct puzzle *puzzle = worker->search->deepening.puzzle;
    uint16_t next_count;
    const size_t count = puzzle->family->index.successors(puzzle, &state, 1, worker->next, &next_count);
    if (puzzle->family->single.bounds != NULL)
        puzzle->family->single.bounds(puzzle, worker->next, count, worker->bound);
    worker->base.nodes += count;
    return count;
}

/* Is a successor to be passed over because its bound is above what remains? */
static bool is_too_far(struct ida_worker *worker, size_t i, uint32_t remaining)
{
    if (worker->bound[i] <= remaining)
        return false;
    if (worker->bound[i] != BOUND_NEVER)
        deepen_pass_over(&worker->base, worker->bound[i] - remaining);
    return true;
}

/* The `count` states in worker->next have as many moves left as the perimeter's radius: is one of them within it? The
 * first of the smallest bound is the solution's. */
static void look_up(struct ida_worker *worker, size_t count, uint32_t remaining)
{
    const struct perimeter *goals = worker->search->goals;
    uint32_t least = BOUND_NEVER, distance;
    for (size_t i = 0; goals != NULL && i < count; i++)
        if (worker->bound[i] <= remaining)
            visited_prefetch(&goals->number, worker->next[i]);
    for (size_t i = 0; i < count; i++) {
        if (is_too_far(worker, i, remaining))
            continue;
        if (!ida_is_near(worker->search->deepening.puzzle, goals, worker->next[i], &distance) || distance > remaining) {
            if (goals == NULL || !goals->complete)
                deepen_pass_over(&worker->base, 1);
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
static bool is_detour(const struct ida_search *search, uint64_t state, uint32_t remaining)
{
    uint32_t moves;
    return search->around.radius > 0 && perimeter_find(&search->around, state, &moves) &&
           moves < search->deepening.watch.limit - remaining;
}

/* Room for so many in one of the worker's arrays; false where memory is short: that ends the search. */
static bool reserve(struct ida_worker *worker, void *array, size_t *room, size_t needed, size_t size)
{
    const bool there = array_reserve(array, room, needed, size);
    if (!there)
        deepen_no_memory(worker->base.deepening, 2 * needed * size);
    return there;
}

/* Looks at the states one move from `state`, which has `remaining` moves left (more than the radius). Those that have
 * to be searched are put behind worker->top in their order. False where memory is short. */
static bool expand(struct ida_worker *worker, uint64_t state, uint64_t parent, uint32_t remaining)
{
    const struct ida_search *search = worker->search;
    const size_t count = ida_successors(worker, state), begin = worker->top;
    remaining--;
    /* Where the perimeter begins, looking up is all. */
    if (remaining <= search->radius) {
        look_up(worker, count, remaining);
        return true;
    }
    if (!reserve(worker, &worker->state, &worker->room, begin + count, sizeof *worker->state))
        return false;
    /* Ask for the lines of the tables that will be read, all of them before the first is needed. */
    for (size_t i = 0; worker->remember && i < count; i++)
        if (worker->bound[i] <= remaining) {
            visited_prefetch(&worker->table, worker->next[i]);
            if (search->around.radius > 0)
                visited_prefetch(&search->around.number, worker->next[i]);
        }
    /* Pass over what is too far, reached by a detour, or in the table; enter and keep the rest. */
    for (size_t i = 0; i < count; i++) {
        const uint64_t next = worker->next[i];
        if (is_too_far(worker, i, remaining) || is_detour(search, next, remaining))
            continue;
        if (worker->remember ? visited_raise(&worker->table, next, remaining) : next != parent && next != state)
            keep(worker, begin, next, worker->bound[i]);
    }
    return true;
}

/* -- roots -- */

/* Looks at the states one move from a root. */
static bool expand_root(struct ida_worker *worker, const struct ida_root *root)
{
    const struct deepening *deepening = worker->base.deepening;
    const unsigned depth = deepening->depth;
    worker->top = worker->frames = 0;
    worker->found = false;
    return expand(worker, root->state[depth], root->state[depth > 0 ? depth - 1 : 0], deepening->watch.limit - depth);
}

static bool add_roots(struct deepen_worker *base, const void *parent)
{
    struct ida_worker *worker = (struct ida_worker *)base;
    bool made = expand_root(worker, parent);
    for (size_t i = 0; made && i < worker->top; i++) {
        struct ida_root *root = deepen_add_root(base->deepening);
        made = root != NULL;
        if (made) {
            *root = *(const struct ida_root *)parent;
            root->state[base->deepening->depth + 1] = worker->state[i];
        }
    }
    return made;
}

static pdb_status make_roots(struct deepening *deepening, size_t wanted, pdb_error *error)
{
    const struct ida_search *search = (const struct ida_search *)deepening;
    const struct ida_root first = {{search->state}};
    pdb_status status = deepen_first_root(deepening, &first, error);
    return status == PDB_OK ? deepen_grow_roots(deepening, wanted, search->radius, error) : status;
}

/* -- the search below a root -- */

/* A frame for the states that were put behind worker->top since it was at `begin`. */
static bool push_frame(struct ida_worker *worker, size_t begin)
{
    if (!reserve(worker, &worker->frame, &worker->frame_room, worker->frames + 1, sizeof *worker->frame))
        return false;
    worker->frame[worker->frames++] = (struct ida_frame){begin, begin, worker->top};
    return true;
}

/* Searches depth first until nothing is left, a solution is found (worker->found) or it has to stop. Children of one
 * expanded state are at state[begin .. end) of its frame; the next one to be searched is `at`. */
static void search_below(struct ida_worker *worker, size_t number)
{
    const struct deepening *deepening = worker->base.deepening;
    const struct ida_root *root = deepen_root_at(deepening, number);
    const uint32_t remaining = deepening->watch.limit - deepening->depth;
    if (!expand_root(worker, root) || worker->found || worker->top == 0 || !push_frame(worker, 0))
        return;
    while (worker->frames > 0) {
        struct ida_frame *frame = &worker->frame[worker->frames - 1];
        if (frame->at == frame->end) { /* all children are done: back to the state before */
            worker->top = frame->begin;
            worker->frames--;
            continue;
        }
        const uint64_t state = worker->state[frame->at++];
        const uint64_t parent = worker->frames > 1 ? worker->state[worker->frame[worker->frames - 2].at - 1]
                                                   : root->state[deepening->depth];
        const size_t begin = worker->top;
        if (!expand(worker, state, parent, remaining - (uint32_t)worker->frames) || worker->found)
            return;
        if (worker->base.nodes >= DEEPEN_POLL_NODES && deepen_ended(&worker->base, number))
            return;
        if (worker->top > begin && !push_frame(worker, begin))
            return;
    }
}

/* Hands a solution in: the states under way, and the one within the perimeter. They overwrite the first ones of the
 * array, none of which is needed any more. */
static void hand_in(struct ida_worker *worker, size_t number)
{
    if (!reserve(worker, &worker->state, &worker->room, worker->frames + 1, sizeof *worker->state))
        return;
    for (size_t f = 0; f < worker->frames; f++)
        worker->state[f] = worker->state[worker->frame[f].at - 1];
    worker->state[worker->frames] = worker->solution;
    deepen_found(&worker->base, number, worker->state, (worker->frames + 1) * sizeof *worker->state);
}

static void search_roots(struct deepen_worker *base)
{
    struct ida_worker *worker = (struct ida_worker *)base;
    for (size_t number; deepen_take(base, &number);) {
        search_below(worker, number);
        if (worker->found)
            hand_in(worker, number);
    }
}

const struct deepen_class ida_deepen_class = {
    .root_size = sizeof(struct ida_root),
    .worker_size = sizeof(struct ida_worker),
    .ready = ready,
    .release = release,
    .roots = make_roots,
    .expand = add_roots,
    .search = search_roots,
};
