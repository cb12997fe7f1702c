/* file.c -- a file's whole text, and what is said where the system refuses */
#include "file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static pdb_status read_text(int file, const char *path, const char *what, size_t most, struct file_text *text,
                            pdb_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return error_set(error, PDB_IO, "cannot read '%s': %m", path);
    if (S_ISDIR(facts.st_mode))
        return error_set(error, PDB_IO, "cannot read '%s': it is a directory, not a %s", path, what);
    if (!S_ISREG(facts.st_mode))
        return error_set(error, PDB_IO, "cannot read '%s': it is no regular file", path);
    const size_t size = most + 1;   /* the file may grow meanwhile: one byte too many is enough to know */
    text->bytes = malloc(size + 1); /* and a NUL */
    if (text->bytes == NULL)
        return error_no_memory(error, "the text of a file", size);
    const ssize_t length = file_read_at(file, text->bytes, size, 0);
    if (length >= 0) {
        text->length = (size_t)length;
        text->bytes[length] = '\0';
        return PDB_OK;
    }
    const pdb_status status = error_set(error, PDB_IO, "cannot read '%s': %m", path);
    free(text->bytes);
    return status;
}

pdb_status file_read_text(const char *path, const char *what, size_t most, struct file_text *text, pdb_error *error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a FIFO must not keep us waiting */
    if (file < 0)
        return error_set(error, PDB_IO, "cannot read '%s': %m", path);
    const pdb_status status = read_text(file, path, what, most, text, error);
    close(file);
    return status;
}

pdb_status file_failed(pdb_error *error, const char *action, const char *path, int error_number)
{
    char reason[200];
    return error_set(error, error_number == ENOMEM ? PDB_NO_MEMORY : PDB_IO, "cannot %s %s: %s", action, path,
                     strerror_r(error_number, reason, sizeof reason));
}
