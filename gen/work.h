/* work.h -- the making of one database: what its parts share */
#ifndef GEN_WORK_H
#define GEN_WORK_H

#include "generate.h"
#include "progress.h"
#include "space/space.h"

struct work {
    const pdb_puzzle *subject;
    const struct puzzle *puzzle; /* its boards and moves, as it is defined */
    const struct options *options;
    struct progress progress;
    struct space space;
    struct space_checkpoints checkpoints;
    struct store_writer *writer;
    uint64_t data_bytes;
    uint64_t entries; /* of the pattern databases that are being built */
    const char *doing;
};

/* Has `job` do the work on a puzzle, with signals held back (interrupt_waits tells of them) and everything cleaned up
 * behind it. */
pdb_status work_run(const pdb_puzzle *subject, const struct options *options, struct summary *summary,
                    pdb_status (*job)(struct work *, struct summary *, pdb_error *), pdb_error *error);

/* The size of an open database goes to *summary, and its figures if it is what this definition makes: is it? */
bool work_summarise(const struct work *work, const struct store *store, struct summary *summary);

/* As store_task.progress: shows `work->doing` and how many of `work->data_bytes` are done. */
bool work_bytes(void *context, uint64_t bytes_done);

/* Publishes the data and takes the figures into *summary. The writer is used up. Errors: those of store_publish;
 * PDB_INTERRUPTED says what is kept. */
pdb_status work_publish(struct work *work, const struct store_header *header, const uint8_t *data,
                        struct summary *summary, pdb_error *error);

/* PDB_DAMAGED: something in the database is not what a search gives; `what` ends with "is" or "are". */
pdb_status work_differs(const char *file, const char *what, pdb_error *error);

/* Holds a store against what it should be: header and data. `what` is a piece of the data, with "is" behind it. */
pdb_status work_compare(const struct store *store, const struct store_header *expected, const uint8_t *data,
                        const char *what, pdb_error *error);

#endif
