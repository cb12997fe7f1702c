/* search.h -- the room of searches for one board, and what a searcher is
 *
 * A puzzle too large to keep is searched board by board. A *searcher* is made once for a puzzle and asked for many
 * boards; a solution that it finds is shortest, and is walked once more by the plain rules. Families that know better
 * bring their own; all others get the one of ida.h. search_create chooses.
 *
 *   deepen.h                 the driver of iterative deepening: all searches that go through states stand on it
 *   ida.h                    the searcher for any puzzle
 *   perimeter.h, visited.h   the states around a board or the goals; the transposition table
 *   bounds.h                 the bounds that a search begins with, told to people
 *   machine.h                leaving out sequences of moves that others stand for
 *   matching.h, patterns.h   what families make their bounds with: assignments, pattern databases
 *
 * Nothing here knows a family, a database or a terminal: a puzzle is what lib/puzzle.h says.
 */
#ifndef SEARCH_BOARD_SEARCH_H
#define SEARCH_BOARD_SEARCH_H

#include "lib/puzzle.h"
#include "patterns.h"

struct search_options {
    unsigned threads; /* at least 1 */
    uint64_t memory;  /* bytes that one solve may take for states to remember; 0: 256 MiB */
    /* a pattern database and where its bytes are, which must outlive the searcher; NULL: none */
    const struct patterns *patterns;
    const struct pattern_source *source;
    /* All that makes a search faster is on where it helps; tests turn each off. None changes a distance. */
    bool no_symmetries; /* don't look images of a board up */
    bool no_machine;    /* don't leave out sequences of moves that others stand for */
    bool no_table;      /* don't remember visited states */
};

/* How far a search is. `limit`: solutions of that many moves are being looked for, shorter ones there are none. */
struct search_progress {
    uint32_t limit;
    uint64_t nodes;
};

/* Called now and then, by one thread at a time. Returns false to stop the search, and is not called again. */
typedef bool search_observer(void *context, const struct search_progress *progress);

/* What one call of a searcher does, for all its threads: the nodes, and when the observer is asked. */
struct search_watch {
    search_observer *observe; /* or NULL */
    void *context;
    uint32_t limit;
    uint64_t nodes; /* of all threads, a little behind */
    double due;     /* when to ask the observer */
    bool asking;    /* one thread does */
    bool stopped;   /* it said so, or deepen_stop */
};

/* Adds nodes, and asks the observer if it is time. False where the search has to stop. Thread-safe. */
bool search_watch_add(struct search_watch *watch, uint64_t nodes);

struct search_answer {
    uint32_t distance; /* PDB_NO_DISTANCE where there is none, or none of up to `most` moves */
    /* no solution is shorter: the distance, or how far an unfinished search got; PDB_NO_DISTANCE where it is proven
     * that the goal cannot be reached */
    uint32_t bound;
    uint64_t nodes; /* boards that moves led to and that were looked at */
    uint32_t steps; /* moves in `path`: `distance`, or fewer where moves have costs (then for the searcher to say) */
    /* steps + 1 positions of board.places bytes each, from the board to a goal; NULL where there is no distance. The
     * caller frees it. */
    uint8_t *path;
};

/* Who is told the solutions of a board, and who may stop that. */
struct search_listing {
    search_observer *observe; /* or NULL */
    void *context;
    bool (*visit)(void *visiting, const uint8_t *solution); /* false: that is enough, with PDB_OK */
    void *visiting;
};

struct searcher {
    const struct searcher_class *class;
    const struct puzzle *puzzle;
    unsigned threads;
    char method[PATTERNS_TEXT_MAX + 80]; /* what it relies on: "Manhattan distance and linear conflicts" */
};

struct searcher_class {
    size_t size; /* of its struct, which begins with struct searcher */
    /* Makes a searcher: `method` and its own members, zeros so far. PDB_NO_DATABASE where it is none for the puzzle. */
    pdb_status (*make)(struct searcher *searcher, const struct search_options *options, pdb_error *error);
    /* OPTIONAL. Frees what `make` took, also where it failed; the struct is freed by search_free. */
    void (*release)(struct searcher *searcher);
    /* Looks for a shortest solution of up to `most` moves (PDB_NO_DISTANCE: of any length) of a proper position. The
     * answer is filled in for PDB_OK and for PDB_INTERRUPTED (bound and nodes); the same for any number of threads, but
     * for `nodes`. `observe` may be NULL. Thread-safe. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED, PDB_DAMAGED (tables that
     * contradict themselves). */
    pdb_status (*solve)(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                        search_observer *observe, void *context, struct search_answer *answer, pdb_error *error);
    /* OPTIONAL. How many shortest solutions a position at this distance has. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED,
     * PDB_TOO_LARGE (2^127 or more). */
    pdb_status (*count)(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                        search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error);
    /* OPTIONAL. Adds the lower bounds that a search of a proper position begins with, by their names (bounds.h).
     * Thread-safe. Errors: PDB_NO_MEMORY, PDB_DAMAGED. Default: there are none. */
    pdb_status (*tell)(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds, pdb_error *error);
    /* REQUIRED where puzzle->unordered. Visits every solution of a position, once, in an order that is always the same
     * and in memory that does not grow with them. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED. */
    pdb_status (*list)(const struct searcher *searcher, const uint8_t *position, const struct search_listing *listing,
                       pdb_error *error);
};

/* Makes a searcher of a class (NULL: PDB_NO_DATABASE) for a puzzle, which must outlive it. Errors: PDB_NO_MEMORY,
 * those of the class. The caller frees *out with search_free (which takes NULL too). */
pdb_status search_make(const struct searcher_class *class, const struct puzzle *puzzle,
                       const struct search_options *options, struct searcher **out, pdb_error *error);
/* The same, of the family's own class, else of that for any puzzle (ida.h). */
pdb_status search_create(const struct puzzle *puzzle, const struct search_options *options, struct searcher **out,
                         pdb_error *error);
void search_free(struct searcher *searcher);

/* searcher->class->solve, and the path walked once more by the plain rules: each step a legal move, a goal at its end.
 * Error besides: PDB_BROKEN_RULES. */
pdb_status search_solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                        search_observer *observe, void *context, struct search_answer *answer, pdb_error *error);

#endif
