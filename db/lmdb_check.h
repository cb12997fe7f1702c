/* lmdb_check.h -- whether a file is a whole LMDB database, found out before LMDB gets to see it
 *
 * LMDB trusts its file: it has no checksums, follows every page number, and a file that is shorter than it says kills
 * the process with SIGBUS. This check walks the tree and bounds every number in it, so that afterwards LMDB cannot read
 * outside its map, loop or abort.
 */
#ifndef DB_LMDB_CHECK_H
#define DB_LMDB_CHECK_H

#include "lib/error.h"

/* Checks the file open as `file`, `file_bytes` long. It reads the two meta pages and the tree's pages, a few dozen for
 * a file of gigabytes. `complete` reads the first page of each large value too: what stands there matters to no reader,
 * but was written otherwise. `path` is for the messages. Errors: PDB_DAMAGED, PDB_IO, PDB_NO_MEMORY. Thread-safe. */
pdb_status lmdb_check(int file, const char *path, uint64_t file_bytes, bool complete, pdb_error *error);

#endif
