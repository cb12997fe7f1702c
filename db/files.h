/* files.h -- the names of a database's files, and the steps that make one durable
 *
 * Beside NAME.pdb stand, while it is being made, NAME.pdb.new (store.h) and NAME.pdb.partial (checkpoint.h). A file is
 * always written under another name, synced, renamed, and its directory synced: whoever looks at the final name sees a
 * whole file or none.
 *
 * Readers follow a symbolic link. A writer never writes through one, nor into a file that has a second name: a rename
 * puts the new file in the place of a link, whatever it leads to.
 */
#ifndef DB_FILES_H
#define DB_FILES_H

#include "lib/file.h"

#include <limits.h>

/* [A-Za-z0-9][A-Za-z0-9._-]*, at most STORE_NAME_MAX bytes: a name that no file system and no shell can misread. */
bool file_name_allowed(const char *name);

/* "DIRECTORY/NAME" and the suffix. PDB_BAD_USAGE where the name is not allowed, the directory is empty, or both are too
 * long. */
pdb_status file_path(const char *directory, const char *name, const char *suffix, char path[PATH_MAX],
                     pdb_error *error);

/* Makes the directory and its parents where they are missing (mode 0777 less the umask), durably. */
pdb_status file_make_directory(const char *directory, pdb_error *error);

/* Writes all of it; goes on after signals and short writes. */
pdb_status file_write(int file, const void *bytes, size_t size, const char *path, pdb_error *error);

/* Whether two open files are one, and whether `path` is (not: leads to) this open file. */
bool file_same(int file, int other);
bool file_named(int file, const char *path);

/* Locks an open file against other writers, while it is open. `what` is what its holder does: "making this database".
 * Errors: PDB_BUSY (another process has the lock), PDB_IO. */
pdb_status file_lock(int file, const char *path, const char *what, pdb_error *error);

/* Opens a file of our own, made or left behind, for reading and writing, and locks it. Errors: PDB_BUSY (another
 * process has it), PDB_IO. */
pdb_status file_open_locked(const char *path, const char *what, int *out, pdb_error *error);

/* Makes what was written to `file`, named `temporary`, the file `path` in `directory`, and both durable. PDB_IO also
 * where the name is another file's by now. */
pdb_status file_publish(int file, const char *temporary, const char *path, const char *directory, pdb_error *error);

/* What is said of a file that has its name no longer; PDB_IO. */
pdb_status file_taken_away(pdb_error *error, const char *path);

/* "PATH WHAT; generate it again ...", PDB_DAMAGED. `what` begins with a verb: "is empty". */
__attribute__((format(printf, 3, 4))) pdb_status file_damaged(pdb_error *error, const char *path, const char *what,
                                                              ...);

#endif
