/* puzzle.c -- a puzzle of either kind, by the family that its definition names */
#include "catalog.h"
#include "lib/families/families.h"

#include <stdlib.h>
#include <string.h>

enum { FAMILIES_MAX = 16 };

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

static pdb_status make(const struct definition *definition, pdb_puzzle *made, pdb_error *error)
{
    const char *names[FAMILIES_MAX + 1] = {NULL};
    unsigned with_moves = 0, count = 0, chosen;
    struct items_puzzle *items;
    struct puzzle *moves;
    while (families[with_moves] != NULL && count < FAMILIES_MAX)
        names[count++] = families[with_moves++]->name;
    for (size_t i = 0; items_families[i] != NULL && count < FAMILIES_MAX; i++)
        names[count++] = items_families[i]->name;
    pdb_status status = heading_family(definition_root(definition), names, &chosen, error);
    if (status != PDB_OK)
        return status;
    if (chosen < with_moves) {
        status = puzzle_create(families[chosen], definition, &moves, error);
        if (status == PDB_OK)
            *made = catalog_with_moves(moves);
    } else {
        status = items_puzzle_create(items_families[chosen - with_moves], definition, &items, error);
        if (status == PDB_OK)
            *made = catalog_without_moves(items);
    }
    if (status == PDB_TOO_LARGE && error != NULL) { /* which carries no place in the file */
        const pdb_error cause = *error;
        error_set(error, status, "%s: %s", definition_name(definition), cause.message);
    }
    return status;
}

pdb_status catalog_create(const struct definition *definition, pdb_puzzle **out, pdb_error *error)
{
    pdb_puzzle *made = calloc(1, sizeof *made);
    if (made == NULL)
        return error_no_memory(error, "the puzzle", sizeof *made);
    pdb_status status = make(definition, made, error);
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
