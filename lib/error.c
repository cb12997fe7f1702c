/* error.c -- how a failure is reported */
#include "error.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>

/* Takes off what a cut at the buffer's end left of a character. */
static void drop_partial_character(char *text, size_t length)
{
    size_t lead = length;
    while (lead > 0 && length - lead < 3 && ((unsigned char)text[lead - 1] & 0xC0) == 0x80)
        lead--;
    if (lead > 0 && (unsigned char)text[lead - 1] >= 0xC0 && utf8_length(text + lead - 1) == 1)
        text[lead - 1] = '\0';
}

/* Makes one line of proper UTF-8 of a message that may quote anything: what controls a terminal, and bytes that are no
 * character, become question marks, newlines become spaces. */
static void clean(char *text)
{
    for (size_t length; *text != '\0'; text += length) {
        length = utf8_length(text);
        if (utf8_is_control(text))
            memset(text, strchr("\n\r\t", *text) != NULL ? ' ' : '?', length);
    }
}

pdb_status error_set(pdb_error *error, pdb_status status, const char *format, ...)
{
    if (error == NULL)
        return status;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof error->message)
        drop_partial_character(error->message, sizeof error->message - 1);
    clean(error->message);
    return status;
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
