/* bounds.c -- the lower bounds that a search of one board begins with, told to people */
#include "bounds.h"
#include "lib/memory/array.h"

#include <stdlib.h>
#include <string.h>

pdb_status bounds_add(pdb_bounds *bounds, const char *name, uint32_t value, pdb_error *error)
{
    char *copy = strdup(name);
    pdb_bound *grown = copy != NULL ? array_grow(bounds->bound, bounds->count, sizeof *grown) : NULL;
    if (grown == NULL) {
        free(copy);
        return error_no_memory(error, "the bounds", bounds->count * sizeof *grown);
    }
    bounds->bound = grown;
    grown[bounds->count++] = (pdb_bound){.name = copy, .value = value};
    return PDB_OK;
}

pdb_status bounds_add_text(char ***texts, size_t *count, const char *text, pdb_error *error)
{
    char *copy = strdup(text);
    char **grown = copy != NULL ? array_grow(*texts, *count, sizeof *grown) : NULL;
    if (grown == NULL) {
        free(copy);
        return error_no_memory(error, "the classes", *count * sizeof *grown);
    }
    *texts = grown;
    grown[(*count)++] = copy;
    return PDB_OK;
}

pdb_status bounds_tell_family(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds,
                              pdb_error *error)
{
    const struct puzzle *puzzle = searcher->puzzle;
    const struct board_functions *single = &puzzle->family->single;
    uint64_t index;
    uint16_t bound;
    if (single->tell != NULL)
        return single->tell(puzzle, position, bounds, error);
    if (!puzzle->family->position.rank(puzzle, position, &index))
        return bounds_add(bounds, "what no move changes", PDB_NO_DISTANCE, error);
    if (single->bounds == NULL)
        return PDB_OK;
    single->bounds(puzzle, &index, 1, &bound);
    return bounds_add(bounds, single->bound_text != NULL ? single->bound_text : "the family's own", bound_value(bound),
                      error);
}

pdb_status bounds_tell(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds, pdb_error *error)
{
    pdb_bound *greatest = NULL;
    *bounds = (pdb_bounds){.search = strdup(searcher->method)};
    if (bounds->search == NULL)
        return error_no_memory(error, "the bounds", strlen(searcher->method));
    const pdb_status status = searcher->class->tell != NULL ? searcher->class->tell(searcher, position, bounds, error)
                                                            : PDB_OK;
    for (size_t i = 0; i < bounds->count; i++)
        if (greatest == NULL || bounds->bound[i].value > greatest->value)
            greatest = &bounds->bound[i];
    if (greatest != NULL)
        greatest->taken = true;
    return status;
}

static void free_texts(char **texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

void bounds_free(pdb_bounds *bounds)
{
    for (size_t i = 0; i < bounds->count; i++)
        free(bounds->bound[i].name);
    free(bounds->bound);
    free_texts(bounds->classes.set, bounds->classes.sets);
    free_texts(bounds->classes.goal, bounds->classes.goals);
    free(bounds->classes.board);
    free(bounds->search);
    *bounds = (pdb_bounds){0};
}
