/* deepen.h -- iterative deepening: what all searches for one board do alike
 *
 * A search goes in *rounds* of growing limits. A round looks for a solution of `limit` moves, depth first, and passes
 * over every state at which the moves made and a lower bound of those to come are more than the limit; the least by how
 * much they are is the round's *excess*. A round without a solution shows that none has fewer moves than limit +
 * excess, the next limit; and without an excess there is no solution at all. (R. E. Korf, "Depth-first
 * iterative-deepening: an optimal admissible tree search", Artificial Intelligence 27, 1985.)
 *
 * The states a few moves from the board, in the order in which a depth-first search gets to them, are its *roots*.
 * Threads take them one after another and search below them. Of all solutions the one below the first root counts, and
 * below a root the first: so the answer does not depend on the number of threads. A thread leaves a root once a
 * solution below an earlier one is known.
 *
 * deepen.c has rounds, roots, threads and limits, asks the observer and ends what has to end. What a state is, its
 * successors and bounds, and the search below a root are the family's (struct deepen_class).
 */
#ifndef SEARCH_BOARD_DEEPEN_H
#define SEARCH_BOARD_DEEPEN_H

#include "lib/team.h"
#include "search.h"

enum {
    DEEPEN_ROOT_DEPTH = 24,   /* roots are no deeper */
    DEEPEN_POLL_NODES = 4096, /* a search asks deepen_ended about every millisecond: after so many nodes as a rule */
};

#define EXCESS_NONE UINT32_MAX

struct deepening;

/* One thread's part of a search; the first member of the family's own struct. It is kept from round to round. */
struct deepen_worker {
    struct deepening *deepening;
    uint64_t nodes;  /* not yet added to those of all threads */
    uint32_t excess; /* of this round */
};

struct deepen_class {
    size_t root_size, worker_size;
    /* Gets a worker (zeroed at first) ready for a round of this limit. Error: PDB_NO_MEMORY. */
    pdb_status (*ready)(struct deepen_worker *worker, pdb_error *error);
    void (*release)(struct deepen_worker *worker);
    /* The roots of a round: by deepen_first_root and deepen_grow_roots. About `wanted`: 1 where one thread searches
     * alone. Error: PDB_NO_MEMORY. */
    pdb_status (*roots)(struct deepening *deepening, size_t wanted, pdb_error *error);
    /* Adds the roots one move below a root (deepen_add_root), which is deepening->depth moves from the board. False
     * where memory is short. Called with the first worker. */
    bool (*expand)(struct deepen_worker *worker, const void *root);
    /* Takes roots and searches below them until there are no more (deepen_take). */
    void (*search)(struct deepen_worker *worker);
};

/* A search. Whoever makes one fills in the first five; the rest is zeroed, deepen_free frees it. */
struct deepening {
    const struct deepen_class *class;
    const struct puzzle *puzzle;
    unsigned threads;
    uint8_t colour;            /* of the board, where the puzzle is coloured: its distance is as odd */
    struct search_watch watch; /* watch.limit: no solution is shorter; PDB_NO_DISTANCE: there is none */
    uint64_t budget;           /* 0: none. deepen pauses when there are more nodes, and says so: */
    bool paused;
    bool solved; /* a solution of watch.limit moves goes through the root `winner`: */
    size_t winner;
    void *path; /* what deepen_found was given */
    /* the roots, all `depth` moves from the board */
    void *root;
    size_t roots, root_room;
    unsigned depth;
    size_t next;  /* to be taken */
    void *worker; /* one for each thread, the first `ready` of them made */
    unsigned ready;
    size_t missing; /* bytes; memory was short */
    struct team team;
    pthread_mutex_t finding;
};

/* No solution has fewer moves than this (nor one more, where the colour says so). */
void deepen_raise(struct deepening *deepening, uint32_t limit);

/* Rounds until there is a solution (deepening->solved), watch.limit is above `most`, or it pauses. Errors:
 * PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status deepen(struct deepening *deepening, uint32_t most, pdb_error *error);
void deepen_free(struct deepening *deepening);

/* Makes so many workers ready: deepen does it before each round. Error: PDB_NO_MEMORY. */
pdb_status deepen_ready(struct deepening *deepening, unsigned workers, pdb_error *error);

/* -- roots -- */

/* The board itself, as the only root: copies it. */
pdb_status deepen_first_root(struct deepening *deepening, const void *root, pdb_error *error);
/* Goes deeper until there are enough roots, but at most to the last depth from which a solution of this limit has more
 * than `rest` moves to go. */
pdb_status deepen_grow_roots(struct deepening *deepening, size_t wanted, uint32_t rest, pdb_error *error);
/* Room for one more root; NULL where memory is short. */
void *deepen_add_root(struct deepening *deepening);

static inline void *deepen_root_at(const struct deepening *deepening, size_t root)
{
    return (char *)deepening->root + root * deepening->class->root_size;
}

/* -- what the search below roots calls; thread-safe -- */

/* The next root to search below; false where there is none. */
bool deepen_take(struct deepen_worker *worker, size_t *root);
/* A solution below a root, in any form that the family likes: keeps the bytes if no root before has one. */
void deepen_found(struct deepen_worker *worker, size_t root, const void *path, size_t bytes);
/* Adds the worker's nodes to all others', and asks the observer if it is time. Is there no more to do below a root? */
bool deepen_ended(struct deepen_worker *worker, size_t root);
/* Ends the search, as its observer may: deepen returns PDB_INTERRUPTED. The caller knows why. */
void deepen_stop(struct deepening *deepening);
/* Has any thread found a solution in this round? The shortest is no longer then, and what is left to search is what
 * comes before it. */
bool deepen_has_solution(const struct deepening *deepening);
/* Memory is short: ends the search. */
void deepen_no_memory(struct deepening *deepening, size_t bytes);

/* A state is passed over whose bound is so much above the moves left. */
static inline void deepen_pass_over(struct deepen_worker *worker, uint32_t excess)
{
    worker->excess = excess < worker->excess ? excess : worker->excess;
}

#endif
