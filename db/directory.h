/* directory.h -- where databases live unless somebody says otherwise */
#ifndef DB_DIRECTORY_H
#define DB_DIRECTORY_H

#include "lib/error.h"

/* $PDB_PATH, else $XDG_DATA_HOME/pdb, else $HOME/.local/share/pdb, into path (of `size` bytes); empty variables count
 * as unset. Makes nothing. Errors: PDB_NO_DATABASE (none of them is set), PDB_IO (the path is too long). */
pdb_status directory_default(char *path, size_t size, pdb_error *error);

#endif
