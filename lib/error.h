/* error.h -- how a failure is reported: as a value, with one line that says what happened and what to do
 *
 * The status and error types themselves are public and stand in pdb.h.
 */
#ifndef LIB_ERROR_H
#define LIB_ERROR_H

#include "pdb.h"

/* Fills *error (which may be NULL) with the formatted line, cut at a character's border if it is too long.
 * Returns status, so that a caller can write `return error_set(error, PDB_IO, ...)`. Thread-safe. */
__attribute__((format(printf, 3, 4))) pdb_status error_set(pdb_error *error, pdb_status status, const char *format,
                                                           ...);

/* The same for an allocation of `bytes` bytes that failed; `what` names the thing it was for. (Inline, so that
 * compilers and analysers see that the status is a failure.) */
static inline pdb_status error_no_memory(pdb_error *error, const char *what, uint64_t bytes)
{
    error_set(error, PDB_NO_MEMORY, "not enough memory: %llu bytes for %s could not be allocated",
              (unsigned long long)bytes, what);
    return PDB_NO_MEMORY;
}

/* The process exit code that stands for a status, as the programs' manual gives them: 0, 1, 2, 3, 4 or 130. */
int error_exit_code(pdb_status status);

#endif
