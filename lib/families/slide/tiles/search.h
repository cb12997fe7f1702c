/* search.h -- searching boards of different tiles: the parts to one another
 *
 * Iterative deepening A* (R. Korf, 1985): depth first through all paths of up to `limit` moves, leaving out boards whose
 * moves made and lower bound together pass the limit, and again with the next limit that brings new boards.
 *
 *   search.c   limits, threads, the answer. The boards a few moves from the root are made once, in the order in
 *                    which a depth-first search reaches them: the *roots*. Within a limit they are handed out to
 *                    threads one by one. Of all solutions that of the lowest-numbered root counts, and within a root
 *                    the first: the answer does not depend on the threads.
 *   lines.c    the search below a root with linear conflicts
 *   families/slide/patterns/lookup.c   the excess by pattern databases, and lanes.c the search below a root with it
 *   words.c    which ways of the empty cell may be left out
 *
 * All bounds here are sum of far + 2 * excess. A move changes the sum by one, so that of the moves that a board may
 * still make under a limit, `left`, and its sum of far only half the difference matters, its *room*: it falls by one
 * when a tile moves away from its goal, stays as it is when one moves nearer, and a board is passed on if its excess is
 * no more than its room. Where `left` is 0 such a board is the goal: its sum of far is 0.
 *
 * Parity has been looked at before, so bound and distance are both even or both odd.
 */
#ifndef FAMILIES_SLIDE_TILES_SEARCH_H
#define FAMILIES_SLIDE_TILES_SEARCH_H

#include "lib/search/board/machine.h"
#include "tiles.h"

#include <omp.h>

enum {
    TILES_UP, /* ways of the empty cell: as slide->neighbour has them */
    TILES_LEFT,
    TILES_RIGHT,
    TILES_DOWN,
    TILES_WAYS,
    TILES_ROOT_DEPTH = 24, /* roots are no deeper */
    /* A worker flushes its counter and looks around after so many nodes: about a millisecond. */
    TILES_REPORT_NODES = 1 << 16
};

struct tile_root {
    uint8_t tile[TILES_MAX_PLACES]; /* on each place; anything on the empty one */
    uint8_t empty;
    uint8_t way[TILES_ROOT_DEPTH]; /* that led here */
    uint16_t bound;
    uint32_t state; /* of the machine */
};

struct tile_lines;
struct tile_lookup;
struct tile_job;

struct tile_search {
    struct searcher searcher;
    struct tiles tiles;
    unsigned threads;
    struct machine *machine;
    uint8_t *ways;                              /* bits: the ways that the machine lets pass in each of its states */
    uint8_t open[TILES_MAX_PLACES];             /* bits: the ways there are from each place */
    uint8_t next[TILES_MAX_PLACES][TILES_WAYS]; /* where they lead */
    uint8_t away[TILES_MAX_PLACES][TILES_MAX_PLACES]; /* [tile][place] bits: the ways of the empty cell onto this place
                                                         that take the tile on it farther away from its goal */
    struct tile_lines *lines;                         /* one of these two is there */
    struct tile_lookup *lookup;
    char method[128];
};

/* One thread's part in the search under one limit. Its memory is kept from limit to limit. */
struct tile_worker {
    struct tile_job *job;
    uint64_t nodes;   /* not yet flushed */
    uint32_t overrun; /* of the boards left out, the least by which their excess passes their room */
    void *memory;
    size_t bytes;
};

/* The search under one limit, shared by its workers. */
struct tile_job {
    const struct tile_search *search;
    const struct tile_root *root; /* `roots` of them, all `depth` moves from the board */
    size_t roots;
    unsigned depth;
    uint32_t limit;
    /* below: for search.c alone */
    search_observer *observe;
    void *context;
    omp_lock_t lock; /* of the observer and of the solution */
    double observed; /* when; seconds */
    uint8_t *way;    /* the best solution's, from its root on */
    size_t winner;   /* its root; `roots` while there is none */
    size_t next;     /* root to be taken */
    uint64_t nodes;
    bool stopped;        /* the observer said so, or memory is short: */
    uint64_t failed_for; /* so many bytes */
};

/* -- search.c: what a worker asks for; thread-safe -- */

/* The next root to search below, one whose bound is within the limit; false where there is none left. */
bool tile_job_take(struct tile_worker *worker, size_t *root);
/* A solution below a root: limit - depth ways. */
void tile_job_found(struct tile_job *job, size_t root, const uint8_t *way);
/* Flushes the counter of nodes and has the observer called if it is time. Is there no more to be done below a root? */
bool tile_job_ended(struct tile_worker *worker, size_t root);
/* Has worker->memory be of so many bytes at least. False where memory is short, which ends the search. */
bool tile_worker_memory(struct tile_worker *worker, size_t bytes);

/* -- words.c -- */

/* The machine of the redundant ways of up to `length` moves, 2 .. 16. Error: PDB_NO_MEMORY. */
pdb_status tiles_learn_words(unsigned length, struct machine **out, pdb_error *error);

/* -- lines.c -- */

pdb_status tile_lines_create(const struct tiles *tiles, struct tile_lines **out, pdb_error *error);
void tile_lines_free(struct tile_lines *lines);
/* The excess of a board. */
unsigned tile_lines_excess(const struct tile_search *search, const uint8_t *tile, unsigned empty);
/* Searches below roots until there are no more. */
void tile_lines_run(struct tile_worker *worker);

/* -- families/slide/patterns/lookup.c, lanes.c -- */

pdb_status tile_lookup_create(const struct tiles *tiles, const struct search_options *options, struct tile_lookup **out,
                              pdb_error *error);
void tile_lookup_free(struct tile_lookup *lookup);
unsigned tile_lookup_excess(const struct tile_search *search, const uint8_t *tile, unsigned empty);
void tile_lookup_run(struct tile_worker *worker);
/* How many images of a board are looked up besides itself, and whether all of them are reflections. */
unsigned tile_lookup_images(const struct tile_lookup *lookup, bool *reflections);

#endif
