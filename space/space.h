/* space.h -- a puzzle's whole space: planned, solved, kept and opened
 *
 * Here lives what every program does that wants the distances of all states: it chooses the way to search that fits
 * into the memory allowed, searches, keeps what is done in checkpoints and goes on from one, and makes a database's
 * header and data of the outcome. And the way back: whether an open database is of this definition, and how its
 * distances are read.
 *
 * How states are searched and distances packed is not decided here (lib/search/space/), nor what a file looks like
 * (db/). Options, progress lines and messages for a terminal are the programs' (gen/, query/): this room prints
 * nothing, tells observers how far it is, and gives values and errors back. tables.h keeps and opens the tables of a
 * pattern database in the same way; wide_search.h searches for single boards whose keys are wide. Puzzles without moves
 * are none of its business.
 */
#ifndef SPACE_SPACE_H
#define SPACE_SPACE_H

#include "db/checkpoint.h"
#include "db/scratch.h"
#include "db/store.h"
#include "lib/search/space/retrograde.h"

struct space {
    const struct puzzle *base;   /* as it is defined */
    const struct puzzle *puzzle; /* as its states are numbered: the same, or `folded`, or `keyed` */
    struct puzzle *folded;       /* made of `base` where that has wide keys, once it is planned or opened; NULL else */
    struct puzzle *keyed; /* made of that, or of `base`, where it has keys, once it is solved or opened; NULL else */
    unsigned threads;
    struct ranks *ranks;           /* set before it is planned: who do it together; NULL: this process alone */
    const char *scratch_directory; /* set before it is planned: for planes, if all ranks have one; else NULL then */
    struct scratch scratch;        /* the file there, once the search has begun */
    uint64_t scratch_digest;       /* of the database's directory */
    bool scratch_stays;            /* as a checkpoint needs it */

    /* Once it is planned. */
    struct retrograde_plan plan;
    uint64_t memory;         /* bytes that all of it takes, the program itself and the puzzle not counted */
    uint64_t scratch_memory; /* the least that would do, where planes may lie in a file; 0: this puzzle's cannot */
    uint64_t scratch_file; /* bytes of a file that there would be memory enough with, but no directory is named; or 0 */

    struct retrograde *search; /* once it has begun */

    /* Once it is solved or opened: whose the distances are and how they are read. They live as long as the search, or
     * as the store. */
    struct store_header header;
    struct values values;
    const uint8_t *data; /* of a solved space: header.data_bytes of them, as a database has them; NULL where they do not
                            lie in memory but come from values.source, best in their order, for one thread */
    uint8_t *joined;     /* the memory for them, where it is not the search's */
    struct team *team;   /* the search's, likewise */
    char goal[BOARD_TEXT_MAX];
};

/* A space of which nothing is known yet. The puzzle must outlive it. */
struct space space_of(const struct puzzle *puzzle, unsigned threads);
void space_free(struct space *space);

/* -- planning -- */

/* Chooses the way to search where there are so many bytes of memory: the best one, unless it has no room and searching
 * state by state takes less; where there is a directory for it, with planes in a file. What it takes stands in
 * space->memory; where that is more than there is, the search cannot begin. By keys the search takes more and more of
 * it, the more states it finds. A layer kernel is made here, once, and the search's from space_begin on. Ranks plan
 * together, each with its own memory, and stay together up to space_finish. Errors: those
 * of retrograde_plan. */
pdb_status space_plan(struct space *space, uint64_t memory, pdb_error *error);
/* The same, and PDB_TOO_LARGE where that is more than there is. */
pdb_status space_plan_within(struct space *space, uint64_t memory, pdb_error *error);

/* -- solving -- */

/* Where and how often a search keeps what is done. */
struct space_checkpoints {
    const char *directory;
    struct store_writer *writer; /* the puzzle's lock there, held */
    double seconds;              /* from one to the next; 0: after every layer */
    bool exactly; /* so many seconds in any case; else more where saving takes long, so that it takes a small share */
    bool kept;    /* there is one of this search, of the layers up to the next number */
    uint64_t layer;
    char ignored[200]; /* why one that was there is not gone on from; "" where there was none */
    double due;
};

/* Begins the search that was planned; goes on from a checkpoint where there is one that fits (`checkpoints` may be
 * NULL). The observer, which may be NULL, is asked while goals are looked for. Errors: those of retrograde_begin and
 * checkpoint_load, of scratch_open and scratch_room. */
pdb_status space_begin(struct space *space, struct space_checkpoints *checkpoints, retrograde_observer *observer,
                       void *context, pdb_error *error);

/* Searches to the end, and keeps a checkpoint whenever one is due (`checkpoints` may be NULL). The observer is asked
 * between layers, too. Errors: those of retrograde_layer and space_keep. */
pdb_status space_search(struct space *space, struct space_checkpoints *checkpoints, retrograde_observer *observer,
                        void *context, pdb_error *error);

/* Saves a checkpoint of whatever search, and says when the next is due, so that they take a small share of the time
 * since `begin` (lib/clock.h). Errors: those of store_holds and checkpoint_save. */
pdb_status space_save(struct space_checkpoints *checkpoints, const char *name, const struct checkpoint *checkpoint,
                      double begin, pdb_error *error);

/* Keeps a checkpoint now. Errors: those of store_holds and checkpoint_save. */
pdb_status space_keep(struct space *space, struct space_checkpoints *checkpoints, pdb_error *error);

/* Makes header, values and data of a search that has come to its end, once: the distances; and numbers the states by
 * their keys, where the puzzle has keys; where ranks found them, on rank 0 alone. Error: PDB_NO_MEMORY. */
pdb_status space_finish(struct space *space, pdb_error *error);

/* From now on values.source is asked once, in its order, and what was kept of the search may go with it
 * (retrograde_hand_out): then the scratch file does not stay. */
void space_hand_out(struct space *space);

/* Puts the keys behind them, where the puzzle has keys, as a database has them. Error: PDB_NO_MEMORY. */
pdb_status space_add_keys(struct space *space, pdb_error *error);

/* Frees the search, and with it header, data and values. */
void space_end(struct space *space);

/* -- databases -- */

/* Whose is an open database? */
enum space_owner { SPACE_OURS, SPACE_OF_ANOTHER_PUZZLE, SPACE_OF_ANOTHER_DEFINITION };
enum space_owner space_owner(const struct store *store, const char *puzzle, const uint8_t definition[DIGEST_BYTES]);

/* Takes header and values from an open database of distances that is this puzzle's (space_owner), and the table of keys
 * where the states have no numbers yet. Errors: PDB_DAMAGED (it does not fit the puzzle, by encoding or counts; and
 * those of keys_open), PDB_NO_MEMORY. */
pdb_status space_open(struct space *space, const struct store *store, pdb_error *error);

/* PDB_DAMAGED: the content of a database cannot be this puzzle's. */
pdb_status space_misfit(const struct store *store, const char *puzzle, pdb_error *error);

/* The header of a puzzle's database: whose it is, and nothing yet of what is in it. `goal` is the memory for a text. */
struct store_header space_header(const struct puzzle *puzzle, char goal[BOARD_TEXT_MAX]);

#endif
