/* ida_round.h -- one round of iterative deepening: is there a solution of `limit` moves? -- and its parts
 *
 * A round looks at states in depth-first order. A state that is reached with r moves left has to be searched unless its
 * bound is above r. Four things make this fast; that they change no answer is shown below.
 *
 *   Claims. Before a state is searched with r moves left, the thread notes "more than r moves from the goals", which
 *   may not be true yet, and passes over the state wherever it is reached with r or fewer left, in this round or a
 *   later one. That also ends cycles: while a state is being searched it is claimed. Detours. Where the states around
 *   the board are listed (perimeter.h), with the fewest moves to each, a state that is reached with more is passed
 *   over. Without claims (search_options.no_table) at least the state just left is. The next limit is the limit plus
 *   the least excess, where a state is passed over because its bound is above the moves left; by how much it is above
 *   is its excess. Where moves change a colour it is rounded up to an even number. The perimeter around the goals
 *   (perimeter.h) of radius k: a state reached with k moves left is looked up there, and is a solution's or has an
 *   excess of 1.
 *
 * THEOREM. If rounds of growing limits, with the same perimeter and bounds, all ended in vain, then after the last one
 * the board's distance is at least the next limit; if there was no excess, no goal can be reached. Proof. Write g for
 * the moves made to a state, L for the limit: r = L - g. Call (x, g) *covered* if the round found limit + excess <= g +
 * distance(x). To show: what the round claimed is covered, so the board at g = 0 is. Suppose not; of all claims (x, g)
 * of the round that are not covered take one with the least distance(x), which is finite and not 0 (a goal would have
 * been found). Let c be the next state on a shortest way from x, so g + 1 + distance(c) = g + distance(x), and look at
 * what happened to c when x was searched. Passed over for its bound, or looked up in the perimeter and not there: its
 * excess covers it, and x with it. Searched: it was claimed at g + 1, is nearer than x, so it is covered, and x with
 * it. Passed over for a claim of the same round at g' <= g + 1: the same. Passed over for an earlier round's claim:
 * with h moves made then and an earlier limit, h < g + 1; by the lemma it is covered at h, and so at g + 1. All of them
 * are contradictions. Lemma: a state that an earlier round claimed at h moves is covered at h in this round. By
 * induction on h: the state p before it was claimed then at h - 1, so now p is claimed at h - 1 or less, or covered; if
 * it is claimed, the state was looked at at h or less, and not passed over for its bound, as it was not then; so it was
 * claimed now, looked up, or passed over for a claim at h or less of this round, or for an earlier round's at less than
 * h (induction). A detour is like an earlier round's claim: the listed states are reached by their shortest paths,
 * which this round goes too, until it passes one over for its bound; then that excess covers all behind it. And the
 * state just left was claimed in this round with more moves left.
 *
 * That claims get lost where the table is full costs time only: no step needs a claim to be found. Nor does it matter
 * which thread made one. Claims of a round that did not end (a solution was found, or it was broken off) may be false,
 * so then the tables are cleared. T. Akagi, A. Kishimoto, A. Fukunaga, "On transposition tables for single-agent search
 * and graph search" (2010), show what goes wrong where instead bounds are passed up the tree and kept: that is not
 * done.
 *
 * The solution is the first in the order of the search, by whatever thread and with whatever tables: let it be the
 * first of all shortest ones in the order of children (smallest bound first, then the family's order). No state on it
 * is passed over: its distance is the moves left, r, so a claim that hides it is of r too (more would make a shorter
 * solution), and was made by the same thread, which searches in that order; so an earlier way of the same length leads
 * there, and there was an earlier solution. It is no detour either. Threads share out the states of a shallow layer in
 * that order, and the first one's counts.
 */
#ifndef SEARCH_BOARD_IDA_ROUND_H
#define SEARCH_BOARD_IDA_ROUND_H

#include "perimeter.h"
#include "search.h"

enum { EXCESS_NONE = UINT32_MAX };

/* What one call of solve or count does, for all its threads: the nodes, and the observer. */
struct ida_control {
    search_observer *observe;
    void *context;
    uint32_t limit;
    uint64_t nodes;  /* of all threads, a little behind */
    uint64_t budget; /* a round stops when `nodes` passes it */
    int64_t due;     /* when to call the observer, in nanoseconds */
    bool busy;       /* one thread is calling it */
    bool stopped;    /* it said so */
};

/* Adds nodes and calls the observer if it is time. False where the search has to stop. */
bool ida_control_add(struct ida_control *control, uint64_t nodes);

/* What one thread searches with. */
struct ida_worker {
    const struct puzzle *puzzle;
    const struct perimeter *goals; /* NULL: goals are too many to list */
    uint32_t radius;
    const struct perimeter *around; /* the perimeter around the board, or NULL */
    uint32_t limit;
    bool remember; /* `table` is there */
    struct visited table;
    uint32_t excess;
    uint64_t nodes; /* not yet added to the control's */
    /* room for one state's successors */
    uint64_t *next;
    uint16_t *bound, *kept_bound;
    /* the states that wait, those of one expanded state behind those of the one before */
    uint64_t *state;
    size_t top, room;
    struct ida_frame {
        size_t begin, at, end;
    } * frame;
    size_t frames, frame_room;
    bool found; /* `solution`: the state in the perimeter that was reached */
    uint64_t solution;
    pdb_error error;
    pdb_status status;
};

pdb_status ida_worker_create(struct ida_worker *worker, const struct puzzle *puzzle, bool remember, uint64_t memory,
                             pdb_error *error);
void ida_worker_free(struct ida_worker *worker);

/* Looks at the states one move from `state`, which has `remaining` moves left (more than the radius). Those that have
 * to be searched are put behind worker->top in their order. False where memory is short. */
bool ida_expand(struct ida_worker *worker, uint64_t state, uint64_t parent, uint32_t remaining);

/* The successors of a state into worker->next, their bounds into worker->bound. Returns how many there are. */
size_t ida_successors(struct ida_worker *worker, uint64_t state);

enum ida_outcome { IDA_IN_VAIN, IDA_FOUND, IDA_OVER, IDA_FAILED };

/* The states from the board to one in the perimeter (or to a goal where there is no perimeter). */
struct ida_way {
    uint64_t *state;
    size_t count;
};

/* A round with these workers, one for each thread. IDA_OVER: the control's budget is used up. IDA_FAILED: *status says
 * why. *excess is set for IDA_IN_VAIN, *way (for the caller to free) for IDA_FOUND. */
enum ida_outcome ida_round(struct ida_worker *worker, unsigned threads, struct ida_control *control, uint64_t root,
                           uint32_t *excess, struct ida_way *way, pdb_status *status, pdb_error *error);

#endif
