/* levels.c -- reads one level of a collection */
#include "levels.h"
#include "lib/file.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = LEVEL_MAX_SIDE, COLLECTION_MAX_BYTES = 1 << 20 };

/* A collection, read line by line. */
struct collection {
    const char *path, *text, *end; /* what is left of it */
    const char *row;               /* the line at hand */
    size_t length;
    unsigned line;
};

/* A path as complaints have it: the end of a long one, so that the rest of the line has room. */
static const char *shown(const char *path)
{
    enum { SHOWN = 300 };
    const size_t length = strlen(path);
    path += length > SHOWN ? length - SHOWN : 0;
    while (((unsigned char)*path & 0xC0) == 0x80) /* not in the middle of a character */
        path++;
    return path;
}

pdb_status level_refuse(const char *path, unsigned line, pdb_error *error, const char *format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return error_set(error, PDB_BAD_DEFINITION, "%s:%u: %s", shown(path), line, message);
}

/* The next line, blanks at its end left out. */
static bool next_line(struct collection *collection)
{
    if (collection->text == collection->end)
        return false;
    const char *end = memchr(collection->text, '\n', (size_t)(collection->end - collection->text));
    if (end == NULL)
        end = collection->end;
    collection->row = collection->text;
    collection->length = (size_t)(end - collection->text);
    collection->text = end == collection->end ? end : end + 1;
    collection->line++;
    while (collection->length > 0 && strchr(" \r", collection->row[collection->length - 1]) != NULL)
        collection->length--;
    return true;
}

/* Is the line a row of a level? */
static bool is_row(const struct collection *collection)
{
    for (size_t i = 0; i < collection->length; i++)
        if (collection->row[i] == '\0' || strchr("#@+$*. -_", collection->row[i]) == NULL)
            return false;
    return memchr(collection->row, '#', collection->length) != NULL;
}

/* Is it a row, or several, with numbers before what is repeated and bars between rows? */
static bool is_run_length(const struct collection *collection)
{
    bool number = false, any = false;
    for (size_t i = 0; i < collection->length; i++) {
        const char sign = collection->row[i];
        if (sign == '\0' || strchr("#@+$*. -_|0123456789", sign) == NULL)
            return false;
        number = isdigit((unsigned char)sign);
        any |= number || sign == '|';
    }
    return any && !number && memchr(collection->row, '#', collection->length) != NULL;
}

/* Takes the line for the level's title, if it is one of this beginning. */
static void read_title(const struct collection *collection, const char *beginning, struct level *level)
{
    const size_t skipped = strlen(beginning);
    if (collection->length <= skipped || memcmp(collection->row, beginning, skipped) != 0)
        return;
    const char *text = collection->row + skipped, *end = collection->row + collection->length;
    while (text < end && *text == ' ')
        text++;
    size_t length = 0;
    for (; text < end && length < LEVEL_TITLE_MAX; text++)
        level->title[length++] = isprint((unsigned char)*text) ? *text : '?';
    level->title[length] = '\0';
}

static pdb_status add_row(const struct collection *collection, struct level *level, pdb_error *error)
{
    if (level->rows == SIDE || collection->length > SIDE)
        return level_refuse(collection->path, collection->line, error,
                            "the level is too large: at most %d rows and %d columns", SIDE, SIDE);
    if (level->rows == 0)
        level->line = collection->line;
    memset(level->cell[level->rows], ' ', SIDE);
    memcpy(level->cell[level->rows++], collection->row, collection->length);
    level->columns = collection->length > level->columns ? (unsigned)collection->length : level->columns;
    return PDB_OK;
}

/* Finds the level of this number. */
static pdb_status find_level(struct collection *collection, unsigned number, struct level *level, pdb_error *error)
{
    unsigned levels = 0;
    bool inside = false; /* a level */
    pdb_status status = PDB_OK;
    while (status == PDB_OK && next_line(collection)) {
        const bool packed = is_run_length(collection), row = packed || is_row(collection);
        levels += row && !inside;
        inside = row;
        if (levels > number)
            break;
        if (packed && levels == number)
            status = level_refuse(collection->path, collection->line, error,
                                  "run-length levels are not read: write every row out");
        else if (row && levels == number)
            status = add_row(collection, level, error);
        else if (!row && levels + 1 == number)
            read_title(collection, ";", level);
        else if (!row && levels == number)
            read_title(collection, "Title:", level);
    }
    if (status == PDB_OK && levels == 0)
        return error_set(error, PDB_BAD_DEFINITION, "%s: there is no level in it", shown(collection->path));
    if (status == PDB_OK && levels < number)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: there is no level %u: it has %u", shown(collection->path),
                         number, levels);
    return status;
}

pdb_status level_read(const char *path, unsigned number, struct level *level, pdb_error *error)
{
    struct file_text file;
    pdb_status status = file_read_text(path, "collection of levels", COLLECTION_MAX_BYTES, &file, error);
    if (status != PDB_OK)
        return status;
    struct collection collection = {.path = path, .text = file.bytes, .end = file.bytes + file.length};
    memset(level, 0, sizeof *level);
    if (file.length > COLLECTION_MAX_BYTES)
        status = error_set(error, PDB_BAD_DEFINITION, "%s: a collection of levels has at most %d bytes", shown(path),
                           COLLECTION_MAX_BYTES);
    if (status == PDB_OK)
        status = find_level(&collection, number, level, error);
    free(file.bytes);
    return status;
}
