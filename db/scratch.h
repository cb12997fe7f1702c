/* scratch.h -- a file for what a search has no memory for
 *
 * DIRECTORY/NAME.pdb.scratch.DIGEST, locked while a search uses it; of several processes that search together each has
 * one, with its number behind the name. What is in it the search alone knows, and a checkpoint of that search
 * (checkpoint.h): it stays while there is one, and goes with it. The digest, eight digits, is that of the real path of
 * the directory where the checkpoint is: so those of several directories do not meet.
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

/* What tells the files of one name in one directory apart. */
struct scratch_of {
    uint64_t digest;
    unsigned process, processes; /* which of how many */
};

/* The digest of a directory, which is there. Error: PDB_IO. */
pdb_status scratch_digest(const char *database_directory, uint64_t *digest, pdb_error *error);

/* Opens the file, made or left behind; and has the system's cache passed by where the file system can do that. `of` is
 * NULL: no database is made, and the file has no name any more once it is open. Errors: PDB_BUSY (another process uses
 * it), PDB_IO, PDB_BAD_USAGE (the name). */
pdb_status scratch_open(struct scratch *scratch, const char *directory, const char *name, const struct scratch_of *of,
                        pdb_error *error);

/* The disk that it lies on, as a number that no other one has, of this machine or another; and the room that it has
 * there already. Error: PDB_IO. */
struct scratch_disk {
    uint64_t number, has;
};
pdb_status scratch_look(const struct scratch *scratch, struct scratch_disk *disk, pdb_error *error);

/* What is to have room on its disk: so many bytes of files, other processes' among them or not, which have some of it
 * already; and, where a database is made in a directory (else NULL) on the same disk, so many of checkpoints and of the
 * database. */
struct scratch_wants {
    uint64_t files, have;
    bool others;
    const char *directory;
    uint64_t kept, database;
};

/* Is there room? PDB_IO says what is missing. *drops: for all at once there is none, but the file may shrink while the
 * database grows; NULL: it may not. */
pdb_status scratch_room(const struct scratch *scratch, const struct scratch_wants *wants, bool *drops,
                        pdb_error *error);

/* Gives back all its room; PDB_IO. */
pdb_status scratch_empty(const struct scratch *scratch, pdb_error *error);

/* Closes it, if it is open, and removes it unless it is to stay. */
void scratch_close(struct scratch *scratch, bool stays);

/* Removes what killed runs left behind, of however many processes; nothing is touched that another process uses, or
 * this one. */
void scratch_clear_up(const char *directory, const char *name, uint64_t digest);

#endif
