/* paths.c -- lists of a board's shortest solutions: as many as are wanted, written or kept as they are found */
#include "forms.h"
#include "lib/memory/array.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

/* Counts what it passes on to another visitor. */
struct limited {
    FILE *out;
    uint64_t left;
    pdb_path_visitor *visit;
    void *context;
};

static bool visit_limited(void *context, const pdb_move *path, uint32_t steps)
{
    struct limited *limited = context;
    return limited->visit(limited->context, path, steps) && --limited->left > 0 && !ferror(limited->out);
}

pdb_status paths_visit(const struct asked *asked, const struct finding *finding, FILE *out, pdb_path_visitor *visit,
                       void *context, pdb_error *error)
{
    struct limited limited = {out, asked->paths, visit, context};
    return pdb_solver_paths(asked->solver, &finding->board, finding->solution.distance, visit_limited, &limited, error);
}

struct collection {
    const struct finding *finding;
    struct finding **findings;
    size_t *count, first;
    bool too_many, no_memory;
};

static bool collect(void *context, const pdb_move *path, uint32_t steps)
{
    struct collection *collection = context;
    collection->too_many = *collection->count - collection->first == PATHS_DRAWN_MAX;
    if (collection->too_many)
        return false;
    struct finding *grown = array_grow(*collection->findings, *collection->count, sizeof *grown);
    pdb_move *copy = malloc(((size_t)steps + 1) * sizeof *copy);
    if (grown != NULL)
        *collection->findings = grown;
    collection->no_memory = grown == NULL || copy == NULL;
    if (collection->no_memory) {
        free(copy);
        return false;
    }
    struct finding *made = &grown[(*collection->count)++];
    *made = *collection->finding;
    made->first = NULL;
    made->solution.moves = (pdb_moves){0};
    made->solution.path = copy;
    made->solution.steps = steps;
    if (steps > 0)
        memcpy(copy, path, steps * sizeof *copy);
    return true;
}

pdb_status paths_collect(const struct asked *asked, const struct finding *finding, struct finding **findings,
                         size_t *count, pdb_error *error)
{
    struct collection collection = {.finding = finding, .findings = findings, .count = count, .first = *count};
    pdb_status status = paths_visit(asked, finding, stdout, collect, &collection, error);
    if (status == PDB_OK && collection.too_many)
        return error_set(error, PDB_BAD_USAGE,
                         "--svg draws at most %d solutions, and there are more: --path=%d draws the first of them",
                         PATHS_DRAWN_MAX, PATHS_DRAWN_MAX);
    if (status == PDB_OK && collection.no_memory)
        return error_no_memory(error, "solutions", *count * sizeof **findings);
    return status;
}
