/* work.h -- the making of one database: what its parts share
 *
 * There are three sorts of database: the distances of a whole space, pattern databases where that is too large, and the
 * items of a puzzle without moves. Each is made the same way to be published and to be verified: whoever makes it gives
 * what came out to work_keep.
 */
#ifndef GEN_WORK_H
#define GEN_WORK_H

#include "generate.h"
#include "space/space.h"

/* -- progress.c: a line on standard error that says how far the work is -- */

struct progress {
    struct progress_line line; /* shown where the user wants it */
    const char *puzzle;
    /* Where moves cannot be undone, few of the states may be able to reach a goal: how many, the search finds out. */
    bool undoable;
    bool sweeping; /* it was said that the search goes in sweeps */
};

/* `space` is what is solved; `name`, the puzzle's, outlives the progress. */
void progress_begin(struct progress *progress, enum progress_wish wish, const char *name, const struct puzzle *space);

/* A line of its own that stays, if progress is shown. */
__attribute__((format(printf, 2, 3))) void progress_say(struct progress *progress, const char *format, ...);

/* Redraws the line: for the search, for a share of the work, for bytes of the file. */
void progress_search(struct progress *progress, const struct retrograde_progress *search);
void progress_states(struct progress *progress, const char *doing, uint64_t done, uint64_t all);
void progress_share(struct progress *progress, const char *doing, double done);
void progress_bytes(struct progress *progress, const char *doing, uint64_t done, uint64_t total);

/* Takes the line away. */
void progress_end(struct progress *progress);

/* -- work.c -- */

struct work {
    const pdb_puzzle *subject;
    const struct puzzle *puzzle; /* its boards and moves, as it is defined */
    const struct options *options;
    struct summary *summary;
    struct progress progress;
    struct space space;
    struct space_checkpoints checkpoints;
    struct store_writer *writer; /* of the database that is made; NULL where one is verified */
    const struct store *store;   /* the open one that is verified, else NULL */
    uint64_t data_bytes;
    const char *doing;
};

/* Has `job` do the work on a puzzle, with signals held back (interrupt_waits tells of them) and everything cleaned up
 * behind it. */
pdb_status work_run(const pdb_puzzle *subject, const struct options *options, struct summary *summary,
                    pdb_status (*job)(struct work *, pdb_error *), pdb_error *error);

/* The size of an open database goes to the summary, and its figures if it is what this definition makes: is it? */
bool work_summarise(struct work *work, const struct store *store);

/* As store_task.progress: shows `work->doing` and how many of `work->data_bytes` are done. */
bool work_bytes(void *context, uint64_t bytes_done);

/* Publishes what was made and takes the figures into the summary; the writer is used up. Or holds the open database
 * against it: `what` is a piece of the data, with "is" behind it. Data that are NULL come from work->space. Errors:
 * those of store_publish, PDB_INTERRUPTED (says what is kept), PDB_DAMAGED (they differ). */
pdb_status work_keep(struct work *work, const struct store_header *header, const uint8_t *data, const char *what,
                     pdb_error *error);

/* Says why what an earlier run kept is not gone on from, if there was such: whoever is not quiet is told, for work is
 * lost. */
void work_begins_anew(struct work *work);

/* PDB_DAMAGED: something in the database is not what a search gives; `what` ends with "is" or "are". */
pdb_status work_differs(const char *file, const char *what, pdb_error *error);

/* -- whole.c: the distances of a whole space, and what a user is told of them on the way -- */

/* Where memory does not suffice: what would with --scratch, or that it was given for nothing, as a clause to go behind
 * that; "" where it is of no use and was not given. Returns text. */
enum { SCRATCH_TEXT_MAX = 80 };
const char *whole_scratch_text(const struct work *work, char text[SCRATCH_TEXT_MAX]);

/* Numbers the states, chooses how to search that the memory allowed suffices, and says it on the terminal.
 * PDB_TOO_LARGE says what would be needed at least. */
pdb_status whole_plan(struct work *work, pdb_error *error);

/* Searches, from a checkpoint on if there is one, and publishes. */
pdb_status whole_make(struct work *work, pdb_error *error);

/* Solves the puzzle anew and holds the open database against what comes out; then, in case the search repeats its own
 * mistake, holds the distances against the rules (lib/search/space/audit.h). How much of that goes to the summary.
 * PDB_DAMAGED where anything differs; PDB_BROKEN_RULES where the search itself is wrong. */
pdb_status whole_verify(struct work *work, pdb_error *error);

/* Looks the boards that the definition names, and the one under the key 'board', up in the distances of a space that is
 * solved or opened: those that cannot reach the goal, which its author will want to know of, go to *summary. Nothing is
 * an error here: what cannot be looked up is not said to be lost. */
void whole_find_lost(const struct space *space, struct summary *summary);

/* -- patterns.c: pattern databases, for a puzzle whose whole space is too large -- */

/* Chooses tables that fit into the memory allowed, says which and why, builds and publishes them. `too_large` says why
 * the whole space is not kept; that is the error where the family has no patterns for this puzzle. Errors:
 * PDB_TOO_LARGE, PDB_NO_MEMORY, PDB_IO, PDB_INTERRUPTED (says what is kept). */
pdb_status patterns_make(struct work *work, const pdb_error *too_large, pdb_error *error);

/* Builds the tables of the open database anew and holds it against them. PDB_DAMAGED where they differ. */
pdb_status patterns_verify(struct work *work, pdb_error *error);

/* -- kind.c: what is done in one way with puzzles that have moves, and in another with those that have none -- */

/* What --check has checked. */
struct checked {
    uint64_t count;      /* of different states, boards or items */
    const char *what;    /* "states" */
    bool all;            /* those are all there are */
    uint64_t of;         /* how many there are, where they are a sample and that is said; else 0 */
    const char *sampled; /* how they were chosen, where they are not all */
    uint64_t moves, goals;
    const char *rules[9]; /* that there was something to check of, NULL at the end */
};

struct kind {
    /* Makes and publishes the database, or holds the open one against what is made anew. */
    pdb_status (*make)(struct work *work, pdb_error *error);
    pdb_status (*verify)(struct work *work, pdb_error *error);
    /* Holds the puzzle against its contract, and builds nothing. Errors: those of check_puzzle (lib/check/check.h) and
     * items_check (items/items.h). */
    pdb_status (*check)(const pdb_puzzle *puzzle, const struct options *options, struct progress *progress,
                        struct checked *checked, pdb_error *error);
    /* Says on standard output what is in the database: the first half of a line. */
    void (*say)(const pdb_puzzle *puzzle, const struct summary *summary);
    bool means; /* the mean distance is told */
};

const struct kind *kind_of(const pdb_puzzle *puzzle);

#endif
