/* file.h -- reading a file's bytes, and what is said where the system refuses */
#ifndef LIB_FILE_H
#define LIB_FILE_H

#include "error.h"

#include <errno.h>
#include <stdint.h>
#include <unistd.h>

/* Reads until `size` bytes or the file's end: how many they are, or -1 with errno set. */
static inline ssize_t file_read_at(int file, void *bytes, size_t size, uint64_t offset)
{
    size_t done = 0;
    for (ssize_t got = 1; done < size && got != 0;) {
        got = pread(file, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (got < 0 && errno != EINTR)
            return -1;
        done += got > 0 ? (size_t)got : 0;
    }
    return (ssize_t)done;
}

struct file_text {
    char *bytes; /* and a NUL behind them; the caller frees them */
    size_t length;
};

/* Reads a regular file, but no more than `most` bytes and one: who gets that one knows that there are too many. `what`
 * says what the file is to be. Errors: PDB_IO, PDB_NO_MEMORY; then there is nothing to free. */
pdb_status file_read_text(const char *path, const char *what, size_t most, struct file_text *text, pdb_error *error);

/* "cannot ACTION PATH: REASON", PDB_IO; PDB_NO_MEMORY where the number is ENOMEM. */
pdb_status file_failed(pdb_error *error, const char *action, const char *path, int error_number);

#endif
