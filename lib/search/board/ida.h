/* ida.h -- the searcher for any puzzle: iterative deepening A* over the contract's successors and bounds
 *
 * The driver is that of deepen.h, with a transposition table for each thread and perimeters around the goals and the
 * board. It works on indices or on keys alike, with the family's bound or without one.
 *
 *   ida.c         the searcher: stages that list more states as a search grows, and the answer
 *   ida_below.c   the search below a root, and why its answers are right
 *   ida_goals.c   the perimeter around the goals, shared by all searches
 *   ida_count.c   how many shortest solutions a board has
 */
#ifndef SEARCH_BOARD_IDA_H
#define SEARCH_BOARD_IDA_H

#include "deepen.h"
#include "perimeter.h"

enum { IDA_STAGES = 5 };

/* What a search may take before the next stage begins. */
struct ida_stage {
    uint64_t nodes;         /* that it may look at in this stage; 0: any number */
    uint64_t goals, around; /* states to list around the goals, and around the board */
};
extern const struct ida_stage ida_stages[IDA_STAGES];

/* How the memory of a search is shared out, in eighths. The last one is for tables that grow: the old one is there
 * until the new one is filled. */
enum { IDA_EIGHTHS_TABLE = 4, IDA_EIGHTHS_AROUND = 2, IDA_EIGHTHS_GOALS = 1 };

struct ida {
    struct searcher searcher;
    struct search_options options; /* `memory` is not 0 */
    /* The perimeters around the goals, each made when a search first reaches its stage, then never changed. NULL: not
     * made. */
    struct perimeter **goals; /* [IDA_STAGES] */
};

/* For puzzles whose states are numbered (by indices or keys). */
extern const struct searcher_class ida_class;

/* -- ida_goals.c: also what the others share -- */

/* Makes the perimeter around the goals of a stage: none where the goals are too many to list. Errors: PDB_NO_MEMORY,
 * PDB_INTERRUPTED. Thread-safe. `watch` may be NULL. */
pdb_status ida_goals_make(const struct ida *ida, unsigned stage, struct search_watch *watch, pdb_error *error);
/* The largest one that there is, of this stage at least (made where it is not there); *out is NULL where there is none.
 * Errors as above. Thread-safe. */
pdb_status ida_goals_get(const struct ida *ida, unsigned stage, struct search_watch *watch,
                         const struct perimeter **out, pdb_error *error);
void ida_goals_free(const struct ida *ida);

/* Is the state a goal, or within the perimeter around the goals (NULL: none)? */
bool ida_is_near(const struct puzzle *puzzle, const struct perimeter *goals, uint64_t state, uint32_t *distance);

/* -- ida_count.c -- */

/* searcher_class.count */
pdb_status ida_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                     search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error);

/* -- ida_below.c -- */

/* The search for one board. */
struct ida_search {
    struct deepening deepening;
    const struct ida *ida;
    uint64_t state; /* of the board */
    unsigned stage;
    const struct perimeter *goals; /* NULL: goals are too many to list */
    uint32_t radius;               /* of `goals`, 0 where there are none */
    struct perimeter around;       /* around the board */
    bool explore;                  /* `around` may still tell something */
};

/* What one thread searches with. */
struct ida_worker {
    struct deepen_worker base;
    const struct ida_search *search;
    unsigned stage;       /* that `table` is of */
    bool remember;        /* there is a table: */
    struct visited table; /* the transposition table */
    /* room for one state's successors, in one run */
    uint64_t *next;
    uint16_t *bound, *kept_bound;
    /* the states that wait, those of one expanded state behind those of the one before */
    uint64_t *state;
    size_t top, room;
    struct ida_frame {
        size_t begin, at, end;
    } * frame;
    size_t frames, frame_room;
    bool found; /* `solution`: a state within the perimeter around the goals, or a goal */
    uint64_t solution;
};

/* A root: the states from the board to it, depth + 1 of them. What deepen_found gets are those after it, to the one
 * within the perimeter. */
struct ida_root {
    uint64_t state[DEEPEN_ROOT_DEPTH + 1];
};

extern const struct deepen_class ida_deepen_class;

/* The successors of a state into worker->next, their bounds into worker->bound. Returns how many there are. */
size_t ida_successors(struct ida_worker *worker, uint64_t state);

#endif
