/* definitions.c -- which definition a name or a path stands for */
#include "catalog.h"
#include "lib/suggest.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct catalog_entry *find_entry(const char *name)
{
    for (size_t i = 0; catalog_names[i] != NULL; i++)
        if (strcmp(catalog_names[i], name) == 0)
            return &catalog_entries[i];
    return NULL;
}

const char *catalog_text(const char *name, size_t *length)
{
    const struct catalog_entry *entry = find_entry(name);
    if (entry == NULL)
        return NULL;
    *length = entry->length;
    return (const char *)entry->text;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

static bool is_path(const char *word)
{
    return strchr(word, '/') != NULL || ends_with(word, ".yaml") || ends_with(word, ".yml");
}

/* Is there surely no such file? One that exists and cannot be looked at is for definition_read to complain about. */
static bool is_missing(const char *path)
{
    struct stat facts;
    return stat(path, &facts) != 0 && (errno == ENOENT || errno == ENOTDIR);
}

static bool is_regular(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISREG(facts.st_mode);
}

/* The built-in name nearest to a word, which may be a path that does not exist: then to its last part without its
 * ending. */
static const char *nearest_name(const char *word)
{
    const char *slash = strrchr(word, '/');
    char bare[PUZZLE_NAME_MAX + sizeof ".yaml"];
    int length = snprintf(bare, sizeof bare, "%s", slash == NULL ? word : slash + 1);
    if (length < 0 || (size_t)length >= sizeof bare)
        return NULL;
    if (is_path(bare))
        *strrchr(bare, '.') = '\0';
    return suggest_nearest(bare, catalog_names);
}

/* The ending that makes the name of a definition file of the word, which may have been meant; NULL for none. */
static const char *missing_ending(const char *word)
{
    static const char *const endings[] = {".yaml", ".yml"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const int length = snprintf(path, sizeof path, "%s%s", word, endings[i]);
        if (length > 0 && (size_t)length < sizeof path && is_regular(path))
            return endings[i];
    }
    return NULL;
}

static pdb_status unknown_puzzle(const char *word, pdb_error *error)
{
    const char *nearest = nearest_name(word), *ending = missing_ending(word);
    const char *what = is_path(word) ? "there is no file" : "unknown puzzle";
    if (ending != NULL)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s '%s': did you mean the file '%s%s'?", what, word, word, ending);
    if (nearest != NULL)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s '%s': did you mean '%s'? (pdb-gen --list shows them all)", what,
                         word, nearest);
    return error_set(error, PDB_UNKNOWN_PUZZLE, "%s '%s' (pdb-gen --list shows the built-in puzzles)", what, word);
}

/* One compiled in, else a template's at the size in the name or an equation's, else a file. */
pdb_status catalog_definition(const char *name_or_path, struct definition **definition, pdb_error *error)
{
    const struct catalog_entry *entry = find_entry(name_or_path);
    char *text;
    if (entry != NULL)
        return definition_parse(entry->file, (const char *)entry->text, entry->length, definition, error);
    if (is_path(name_or_path))
        return is_missing(name_or_path) ? unknown_puzzle(name_or_path, error)
                                        : definition_read(name_or_path, definition, error);
    pdb_status status = catalog_sized_text(name_or_path, &text, error);
    if (status == PDB_OK)
        status = text == NULL ? unknown_puzzle(name_or_path, error)
                              : definition_parse(name_or_path, text, strlen(text), definition, error);
    free(text);
    if (status == PDB_UNKNOWN_PUZZLE && is_regular(name_or_path))
        return definition_read(name_or_path, definition, error);
    return status;
}
