/* checkpoint.h -- what a generation has reached, kept so that a killed or interrupted run goes on from there
 *
 * DIRECTORY/NAME.pdb.partial, or NAME.pdb.tables of a pattern database: a small header, the parts (runs of bytes: the
 * search's bitmaps), and a checksum (XXH3, 64 bits) over each MiB. It is written beside its place, synced and renamed,
 * so there is always a whole one or none. It is no interchange format: byte order and layout are this machine's, and a
 * checkpoint that does not fit (another definition, another layout, another version of the program, damage) is ignored.
 */
#ifndef DB_CHECKPOINT_H
#define DB_CHECKPOINT_H

#include "lib/memory/pages.h"
#include "store.h"

/* What was being generated: a database of all states, or a pattern database, which more memory may make the other one
 * day. Both may lie side by side. */
enum checkpoint_of { CHECKPOINT_OF_STATES, CHECKPOINT_OF_TABLES };

struct checkpoint {
    enum checkpoint_of of;
    uint8_t definition[STORE_DIGEST_BYTES]; /* whose it is */
    const char *generator;                  /* version of the program; a checkpoint of any other is ignored */
    const char *layout;                     /* how the search lays out its parts, by name */
    size_t part_count;
    struct memory_part *parts;
    /* Of the one part whose bytes are NULL, as others have them: gets some of them, which follow those before, or gives
     * them back. */
    void (*move)(void *context, uint64_t offset, uint8_t *bytes, uint64_t size, bool back);
    /* Asked before loading, where the parts that were kept have other sizes: makes those of the search as large, and
     * sets `parts` anew. False where they cannot be. NULL: they never can. */
    bool (*fit)(void *context, const uint64_t *size, struct checkpoint *checkpoint);
    void *context; /* of both */
};

/* Saves; the caller holds the puzzle's store_writer, so there is one saver at a time. Errors: PDB_IO, PDB_NO_MEMORY,
 * PDB_BAD_USAGE (the name). */
pdb_status checkpoint_save(const char *directory, const char *name, const struct checkpoint *checkpoint,
                           pdb_error *error);

/* Loads into the parts given, if definition, generator, layout, the number of parts and each part's size (once they
 * were made to fit) all agree and every checksum is right. *found says whether it did; where it did not, *reason (of
 * reason_size bytes) says why ("" where there simply is none) and the parts may hold anything. A checkpoint that does
 * not fit is no error. Errors: PDB_IO (it is there and cannot be read), PDB_NO_MEMORY. */
pdb_status checkpoint_load(const char *directory, const char *name, struct checkpoint *checkpoint, bool *found,
                           char *reason, size_t reason_size, pdb_error *error);

/* Is there one, of whatever? */
bool checkpoint_is_there(const char *directory, const char *name, enum checkpoint_of of);

/* Removes what a process that was killed while it saved has left behind. For the holder of the store_writer. */
void checkpoint_sweep(const char *directory, const char *name, enum checkpoint_of of);

/* Removes it, if it is there, and what checkpoint_sweep removes. */
pdb_status checkpoint_remove(const char *directory, const char *name, enum checkpoint_of of, pdb_error *error);

/* A killed run leaves the file that it was writing (NAME.pdb.new, or the checkpoint's with .new behind it); and the
 * checkpoint, where it was killed after the database was published and before it removed that. The next run clears up,
 * even one that finds nothing to do. */
enum checkpoint_left {
    CHECKPOINT_KEEP,   /* the checkpoint stays */
    CHECKPOINT_OLDER,  /* it goes if it is no newer than the database: one that is, is of a later run that goes on */
    CHECKPOINT_REMOVE, /* it goes */
};

/* Removes what is left, unless somebody is making the database now; nothing is touched where nothing is left. The
 * caller has no store_writer of this name. It is no error that something cannot be removed. */
void checkpoint_clear_up(const char *directory, const char *name, enum checkpoint_of of, enum checkpoint_left which);

#endif
