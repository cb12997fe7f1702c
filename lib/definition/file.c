/* file.c -- a definition from a file */
#include "definition.h"
#include "lib/file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static pdb_status read_file(int file, const char *path, struct definition **out, pdb_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return error_set(error, PDB_IO, "cannot read '%s': %m", path);
    if (S_ISDIR(facts.st_mode))
        return error_set(error, PDB_IO, "cannot read '%s': it is a directory, not a definition file", path);
    if (!S_ISREG(facts.st_mode))
        return error_set(error, PDB_IO, "cannot read '%s': it is no regular file", path);
    size_t size = DEFINITION_MAX_BYTES + 1; /* the file may grow meanwhile: one byte too many is enough to know */
    char *text = malloc(size);
    if (text == NULL)
        return error_no_memory(error, "the text of a definition", size);
    ssize_t length = file_read_at(file, text, size, 0);
    pdb_status status = length < 0 ? error_set(error, PDB_IO, "cannot read '%s': %m", path)
                                   : definition_parse(path, text, (size_t)length, out, error);
    free(text);
    return status;
}

pdb_status definition_read(const char *path, struct definition **out, pdb_error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a FIFO must not keep us waiting */
    if (file < 0)
        return error_set(error, PDB_IO, "cannot read '%s': %m", path);
    pdb_status status = read_file(file, path, out, error);
    close(file);
    return status;
}
