/* file.c -- a definition from a file */
#include "lib/file.h"
#include "definition.h"

#include <stdlib.h>

pdb_status definition_read(const char *path, struct definition **out, pdb_error *error)
{
    struct file_text text;
    pdb_status status = file_read_text(path, "definition file", DEFINITION_MAX_BYTES, &text, error);
    if (status != PDB_OK)
        return status;
    status = definition_parse(path, text.bytes, text.length, out, error);
    free(text.bytes);
    return status;
}
