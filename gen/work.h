/* work.h -- the making of one database: what its parts share */
#ifndef GEN_WORK_H
#define GEN_WORK_H

#include "db/checkpoint.h"
#include "generate.h"
#include "progress.h"
#include "lib/search/space/values.h"
#include "db/store.h"

struct work {
    const struct puzzle *puzzle; /* as it is defined */
    const struct puzzle *space;  /* as its states are numbered: the same, or `keyed` */
    struct puzzle *keyed;        /* made of `puzzle` where that has keys; NULL else */
    const struct options *options;
    struct progress progress;
    enum retrograde_way way; /* that there is memory for */
    struct retrograde *search;
    struct store_writer *writer;
    struct checkpoint checkpoint;
    struct checkpoint_part parts[RETROGRADE_PARTS_MAX];
    uint64_t data_bytes;
    uint64_t entries; /* of the pattern databases that are being built */
    const char *doing;
    double checkpoint_due;
    bool kept; /* there is a checkpoint of this work, of the layers up to kept_layer */
    uint64_t kept_layer;
};

/* Has `job` do the work on a puzzle, with signals held back (interrupt_waits tells of them) and everything cleaned up
 * behind it. */
pdb_status work_run(const struct puzzle *puzzle, const struct options *options, struct summary *summary,
                    pdb_status (*job)(struct work *, struct summary *, pdb_error *), pdb_error *error);

/* Is an open database what this definition makes? */
bool work_is_ours(const struct work *work, const struct store *store);

/* The same; if it is, its figures are in *summary, and the size of the file in any case. */
bool work_summarise(const struct work *work, const struct store *store, struct summary *summary);

/* Is there one already? The same of the file, where it can be opened. */
bool work_already_there(const struct work *work, struct summary *summary);

/* What stands in the new database's place and is none of this definition, or cannot be opened, in words; NULL where
 * there is nothing. */
const char *work_finds_another(const struct work *work, const char *file);

/* How the distances in an open database are read, as work->space numbers the states; false where the encoding is
 * unknown, or not one for such a puzzle. They live as long as both. */
bool work_values(const struct work *work, const struct store *store, struct values *values);

/* A store_progress: shows `work->doing` and how many of `work->data_bytes` are done. */
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
