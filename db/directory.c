/* directory.c -- where databases live unless somebody says otherwise */
#include "directory.h"

#include <stdio.h>
#include <stdlib.h>

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

pdb_status directory_default(char *path, size_t size, pdb_error *error)
{
    const char *pdb = variable("PDB_PATH"), *data = variable("XDG_DATA_HOME"), *home = variable("HOME");
    int length;
    if (pdb != NULL)
        length = snprintf(path, size, "%s", pdb);
    else if (data != NULL)
        length = snprintf(path, size, "%s/pdb", data);
    else if (home != NULL)
        length = snprintf(path, size, "%s/.local/share/pdb", home);
    else
        return error_set(error, PDB_NO_DATABASE, "no directory for databases: set PDB_PATH, or give --db-dir");
    if (length < 0 || (size_t)length >= size)
        return error_set(
            error, PDB_IO,
            "the path of the directory for databases is longer than %zu bytes: set PDB_PATH, or give --db-dir",
            size - 1);
    return PDB_OK;
}
