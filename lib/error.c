/* error.c -- how a failure is reported */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Takes off a UTF-8 sequence that a cut at the buffer's end left incomplete. */
static void drop_partial_character(char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - (start - 1) < needed)
        text[start - 1] = '\0';
}

pdb_status error_set(pdb_error *error, pdb_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof error->message)
        drop_partial_character(error->message, sizeof error->message - 1);
    for (char *c = error->message; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    return status;
}

pdb_status error_no_memory(pdb_error *error, const char *what, uint64_t bytes)
{
    return error_set(error, PDB_NO_MEMORY, "not enough memory: %llu bytes for %s could not be allocated",
                     (unsigned long long)bytes, what);
}

int error_exit_code(pdb_status status)
{
    switch (status) {
    case PDB_OK:
        return 0;
    case PDB_UNREACHABLE:
        return 1;
    case PDB_BAD_USAGE:
    case PDB_BAD_DEFINITION:
    case PDB_BAD_BOARD:
    case PDB_UNKNOWN_PUZZLE:
    case PDB_BROKEN_RULES:
        return 2;
    case PDB_NO_DATABASE:
    case PDB_TOO_LARGE:
    case PDB_NO_MEMORY:
    case PDB_IO:
    case PDB_BUSY:
        return 3;
    case PDB_DAMAGED:
        return 4;
    case PDB_INTERRUPTED:
        return 130;
    }
    return 3;
}
