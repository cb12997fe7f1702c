/* puzzles.h -- the puzzles that are offered, and their solvers
 *
 * A puzzle is loaded at the beginning, and once more when the file of its definition has changed: its name stands for
 * the new one from then on. Its solvers are opened when they are first needed, and kept. There can be two: one that
 * answers about boards, and one that knows all distances, where the first does not. Each belongs to what stood at the
 * database's path when it was opened: at every request that is looked at, and where another file stands there, or none
 * any more, a new solver takes its place. Whoever uses an old puzzle or solver goes on, and the last of them frees it.
 *
 * The thread that loads puzzles again is the one that waits for SIGTERM and shuts slow connections (main.c). For the
 * lock of the list it waits no longer than those who read in it already: it goes before those who come later (glibc's
 * lock for that kind, which no thread may take twice). But SIGTERM and slow connections wait while a definition is
 * read and made a puzzle of, and while the solvers of the old one are closed.
 */
#ifndef SERVE_PUZZLES_H
#define SERVE_PUZZLES_H

#include "pdb.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>

/* What stands at a path: enough to tell one file from another. All zeros: nothing. */
struct standing {
    dev_t device;
    ino_t inode;
    off_t bytes;
    struct timespec changed;
};

/* A solver, and those who use it. */
struct kept {
    pdb_solver *solver;
    struct standing database; /* at its path, when it was opened */
    bool whole;               /* it knows all distances */
    bool near;                /* and none is so great that a walk to the goal takes long */
    unsigned users;           /* under the puzzle's lock; the puzzle itself is one */
};

struct offered {
    pdb_puzzle *puzzle;
    atomic_uint users;          /* the list is one */
    char *source;               /* a built-in name or a file */
    struct standing definition; /* that file, when it was last read; only puzzles_refresh looks at it and at `again` */
    bool again;                 /* it could not be read then, for a reason that may pass */
    char path[PDB_PATH_MAX];    /* of the database */
    pthread_mutex_t lock;       /* of `kept` */
    struct kept *kept[2];       /* one for boards, one that knows all distances; NULL: not opened yet */
    bool opening;               /* a worker is opening one: under the lock of the queue (jobs.h) */
};

struct puzzles {
    struct offered **offered; /* sorted by name; there are as many all the time */
    size_t count;
    pthread_rwlock_t lock; /* of what stands in the list */
    pdb_options options;   /* how solvers are opened */
};

/* Loads the puzzles of the command line; without any, the built-in ones; and the files NAME.yaml of `definitions`
 * (NULL: none), where what is wrong with one file is said on standard error, and the others are offered. `options` is
 * how solvers are to be opened, and has to live as long. Errors: those of pdb_puzzle_load, PDB_BAD_USAGE (two of one
 * name, or one whose name is an address of another meaning), PDB_IO. The caller frees *puzzles with puzzles_free,
 * whatever the status. */
pdb_status puzzles_load(char *const *names, size_t count, const char *definitions, const pdb_options *options,
                        struct puzzles *puzzles, pdb_error *error);
void puzzles_free(struct puzzles *puzzles);

/* Loads puzzles once more whose files have changed. One that is wrong now is complained about on standard error, and
 * stays as it was; one that could not be read for want of memory or the like is tried again the next time. For one
 * thread, now and then. */
void puzzles_refresh(struct puzzles *puzzles);

/* The puzzle of this name, which stays until it is given back by puzzles_leave; NULL where there is none. */
struct offered *puzzles_find(struct puzzles *puzzles, const char *name);
void puzzles_leave(struct offered *offered);

/* A solver that is at hand, for the database that stands there now; NULL where one has to be opened first. `whole`: it
 * has to know all distances. To be given back by puzzles_give_back. */
struct kept *puzzles_take(struct offered *offered, bool whole);
void puzzles_give_back(struct offered *offered, struct kept *kept);

/* The same; opens one by this method if need be, which may take long. Where several threads do so at once, the last
 * one's is kept. *kept is NULL where it fails. Errors: those of pdb_solver_open. */
pdb_status puzzles_open(const struct puzzles *puzzles, struct offered *offered, bool whole, pdb_method method,
                        struct kept **kept, pdb_error *error);

/* Is a database there that is so small that opening it holds nobody up? */
bool puzzles_opens_at_once(const struct offered *offered);

#endif
