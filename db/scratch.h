/* scratch.h -- a file for what a search has no memory for
 *
 * DIRECTORY/NAME.pdb.scratch.DIGEST, locked while a search uses it. What is in it the search alone knows, and a
 * checkpoint of that search (checkpoint.h): it stays while there is one, and goes with it. The digest, eight digits, is
 * that of the real path of the directory where the checkpoint is: so those of several directories do not meet.
 */
#ifndef DB_SCRATCH_H
#define DB_SCRATCH_H

#include "lib/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct scratch {
    bool open; /* else there is nothing */
    int file;
    char path[PATH_MAX];
};

/* Opens the file, made or left behind, for a database in a directory, which is there; and has the system's cache passed
 * by where the file system can do that. NULL: no database is made, and the file has no name any more once it is open.
 * Errors: PDB_BUSY (another process uses it), PDB_IO, PDB_BAD_USAGE (the name). */
pdb_status scratch_open(struct scratch *scratch, const char *directory, const char *name,
                        const char *database_directory, pdb_error *error);

/* Is there room on the disk for so many bytes of it? And, where a database is made in a directory (else NULL) on the
 * same disk, for so many of checkpoints and of the database? PDB_IO says what is missing. *drops: for all at once there
 * is none, but the file may shrink while the database grows. */
pdb_status scratch_room(const struct scratch *scratch, uint64_t bytes, const char *directory, uint64_t kept_bytes,
                        uint64_t database_bytes, bool *drops, pdb_error *error);

/* Gives back all its room; PDB_IO. */
pdb_status scratch_empty(const struct scratch *scratch, pdb_error *error);

/* Closes it, if it is open, and removes it unless it is to stay. */
void scratch_close(struct scratch *scratch, bool stays);

/* Removes one that a killed run left behind; nothing is touched where another process uses it. */
void scratch_clear_up(const char *directory, const char *name, const char *database_directory);

#endif
