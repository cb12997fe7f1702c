/* catalog.c -- which definition a name or a path stands for, and the puzzle of either kind that comes of it */
#include "catalog.h"
#include "lib/families/families.h"
#include "lib/suggest.h"
#include "sizes.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FAMILIES_MAX = 16 };

/* -- definitions -- */

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
    return strchr(word, '/') != NULL || ends_with(word, ".yaml") || ends_with(word, ".yml") ||
           definition_is_ksolve(word);
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

/* One compiled in, else one whose name says what it is made of (which may be a path), else a file. */
pdb_status catalog_definition(const char *name_or_path, struct definition **definition, pdb_error *error)
{
    const struct catalog_entry *entry = find_entry(name_or_path);
    char *text;
    if (entry != NULL)
        return definition_parse(entry->file, (const char *)entry->text, entry->length, definition, error);
    if (is_path(name_or_path) && !sokoban_is_sized(name_or_path) && !cards_is_sized(name_or_path)) {
        struct stat facts; /* one that exists and cannot be looked at is for definition_read to complain about */
        const bool missing = stat(name_or_path, &facts) != 0 && (errno == ENOENT || errno == ENOTDIR);
        return missing ? unknown_puzzle(name_or_path, error) : definition_read(name_or_path, definition, error);
    }
    pdb_status status = catalog_sized_text(name_or_path, &text, error);
    if (status == PDB_OK)
        status = text == NULL ? unknown_puzzle(name_or_path, error)
                              : definition_parse(name_or_path, text, strlen(text), definition, error);
    free(text);
    if (status == PDB_UNKNOWN_PUZZLE && is_regular(name_or_path))
        return definition_read(name_or_path, definition, error);
    return status;
}

/* -- puzzles -- */

pdb_puzzle catalog_with_moves(struct puzzle *moves)
{
    return (pdb_puzzle){.moves = moves,
                        .shown = moves,
                        .name = moves->name,
                        .title = moves->title,
                        .metric = moves->metric,
                        .digest = moves->digest,
                        .states = moves->states,
                        .size = moves->size};
}

pdb_puzzle catalog_without_moves(struct items_puzzle *items)
{
    return (pdb_puzzle){.items = items,
                        .shown = &puzzle_without_board,
                        .name = items->name,
                        .title = items->title,
                        .metric = items->unit,
                        .digest = items->digest,
                        .states = items->count};
}

pdb_status catalog_create(const struct definition *definition, pdb_puzzle **out, pdb_error *error)
{
    const char *names[FAMILIES_MAX + 1] = {NULL};
    unsigned with_moves = 0, count = 0, chosen;
    struct items_puzzle *items;
    struct puzzle *moves;
    while (families[with_moves] != NULL && count < FAMILIES_MAX)
        names[count++] = families[with_moves++]->name;
    for (size_t i = 0; items_families[i] != NULL && count < FAMILIES_MAX; i++)
        names[count++] = items_families[i]->name;
    const struct node *layouts = node_find(definition_root(definition), "layouts");
    if (layouts != NULL)
        return node_error(error, layouts,
                          "this leaves open what stands where: `pdb-gen --layouts` solves it for every "
                          "way, and keeps the best ones as definitions");
    pdb_puzzle *made = calloc(1, sizeof *made);
    if (made == NULL)
        return error_no_memory(error, "the puzzle", sizeof *made);
    pdb_status status = heading_family(definition_root(definition), names, &chosen, error);
    if (status == PDB_OK && chosen < with_moves) {
        status = puzzle_create(families[chosen], definition, &moves, error);
        if (status == PDB_OK)
            *made = catalog_with_moves(moves);
    } else if (status == PDB_OK) {
        status = items_puzzle_create(items_families[chosen - with_moves], definition, &items, error);
        if (status == PDB_OK)
            *made = catalog_without_moves(items);
    }
    if (status == PDB_TOO_LARGE && error != NULL) { /* which carries no place in the file */
        const pdb_error cause = *error;
        error_set(error, status, "%s: %s", definition_name(definition), cause.message);
    }
    if (status == PDB_OK)
        *out = made;
    else
        free(made);
    return status;
}

/* A complaint about a definition that was made of a word names a line and a column that nobody has typed: they go. */
static void drop_place(const char *word, pdb_error *error)
{
    static const char digits[] = "0123456789";
    const size_t length = strlen(word);
    if (error == NULL || strncmp(error->message, word, length) != 0)
        return;
    char *place = error->message + length, *end = place;
    for (int number = 0; number < 2; number++) {
        if (*end != ':' || strspn(end + 1, digits) == 0)
            return;
        end += 1 + strspn(end + 1, digits);
    }
    memmove(place, end, strlen(end) + 1);
}

pdb_status catalog_load(const char *name_or_path, pdb_puzzle **out, pdb_error *error)
{
    struct definition *definition;
    pdb_status status = catalog_definition(name_or_path, &definition, error);
    if (status != PDB_OK)
        return status;
    status = catalog_create(definition, out, error);
    definition_free(definition);
    if (status == PDB_BAD_DEFINITION && catalog_is_sized(name_or_path))
        drop_place(name_or_path, error);
    return status;
}

pdb_status catalog_read(const char *text, size_t length, const char *name, pdb_puzzle **out, pdb_error *error)
{
    struct definition *definition;
    pdb_status status = definition_parse(name, text, length, &definition, error);
    if (status != PDB_OK)
        return status;
    status = catalog_create(definition, out, error);
    definition_free(definition);
    return status;
}

void catalog_free(pdb_puzzle *puzzle)
{
    if (puzzle == NULL)
        return;
    puzzle_free(puzzle->moves);
    items_puzzle_free(puzzle->items);
    free(puzzle);
}

pdb_status catalog_check_boards(const pdb_puzzle *puzzle, pdb_error *error)
{
    if (puzzle->items == NULL)
        return PDB_OK;
    return error_set(error, PDB_BAD_BOARD, "%s is a puzzle without moves: it has no boards, but %s to ask for",
                     puzzle->name, puzzle->items->family->items);
}

pdb_status catalog_check_items(const pdb_puzzle *puzzle, pdb_error *error)
{
    if (puzzle->items != NULL)
        return PDB_OK;
    return error_set(error, PDB_BAD_BOARD, "%s is a puzzle with boards: ask about one of them", puzzle->name);
}
