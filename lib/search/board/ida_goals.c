/* ida_goals.c -- the states around the goals, listed once for all boards that a searcher is asked for */
#include "ida_parts.h"

#include <stdlib.h>

/* Goals are listed up to this many. */
static const uint64_t goals_max = 1 << 18;

static bool observe(void *context, uint64_t generated)
{
    (void)generated; /* not of this board's search */
    return ida_control_add(context, 0);
}

/* NULL for `control`: nobody watches. */
pdb_status ida_grow_to(struct perimeter *perimeter, uint64_t states, struct ida_control *control, pdb_error *error)
{
    pdb_status status = PDB_OK;
    while (status == PDB_OK && !perimeter->complete && !perimeter->full &&
           perimeter_estimate(perimeter) <= (double)states)
        status = perimeter_grow(perimeter, control != NULL ? observe : NULL, control, error);
    return status;
}

static pdb_status add_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct perimeter *perimeter = context;
    if (perimeter->count + count > goals_max)
        return error_set(error, PDB_TOO_LARGE, "too many goals to list");
    return perimeter_begin(perimeter, index, count, error);
}

/* A new perimeter; *out is NULL where the goals are too many, or too much for the memory. The goals of a puzzle with
 * keys whose moves can be undone are not given by its family. */
static pdb_status make_perimeter(const struct ida *ida, unsigned stage, struct ida_control *control,
                                 struct perimeter **out, pdb_error *error)
{
    const struct puzzle *puzzle = ida->searcher.puzzle;
    *out = NULL;
    if (puzzle->keyed && puzzle->undoable)
        return PDB_OK;
    struct perimeter *perimeter = calloc(1, sizeof *perimeter);
    if (perimeter == NULL)
        return error_no_memory(error, "a search", sizeof *perimeter);
    pdb_status status = perimeter_create(perimeter, puzzle, true, ida->options.memory / 8 * IDA_EIGHTHS_GOALS, error);
    if (status == PDB_OK)
        status = puzzle->family->goals(puzzle, add_goals, perimeter, error);
    if (status == PDB_OK && !ida->options.no_table)
        status = ida_grow_to(perimeter, ida_stages[stage].goals, control, error);
    if (status != PDB_OK) {
        perimeter_free(perimeter);
        free(perimeter);
        return status == PDB_TOO_LARGE ? PDB_OK : status;
    }
    *out = perimeter;
    return PDB_OK;
}

/* The largest perimeter, and the stage that it is of. */
static struct perimeter *largest(struct ida_goals *goals, unsigned *stage)
{
    struct perimeter *perimeter = NULL;
    pthread_mutex_lock(&goals->lock);
    for (unsigned s = 0; s < IDA_STAGES; s++)
        if (goals->perimeter[s] != NULL) {
            perimeter = goals->perimeter[s];
            *stage = s;
        }
    pthread_mutex_unlock(&goals->lock);
    return perimeter;
}

/* Hands a new perimeter over; if another thread was faster, its perimeter counts. */
static void hand_over(struct ida_goals *goals, unsigned stage, struct perimeter *perimeter)
{
    pthread_mutex_lock(&goals->lock);
    struct perimeter *spare = perimeter;
    if (goals->perimeter[stage] == NULL) {
        goals->perimeter[stage] = perimeter;
        spare = NULL;
    }
    pthread_mutex_unlock(&goals->lock);
    if (spare != NULL)
        perimeter_free(spare);
    free(spare);
}

pdb_status ida_goals_get(const struct ida *ida, unsigned stage, struct ida_control *control,
                         const struct perimeter **out, pdb_error *error)
{
    unsigned there = 0;
    struct perimeter *perimeter = largest(ida->goals, &there);
    *out = perimeter;
    if (perimeter == NULL || perimeter->complete || perimeter->full || ida->options.no_table || there >= stage ||
        ida_stages[there].goals == ida_stages[stage].goals)
        return PDB_OK;
    pdb_status status = make_perimeter(ida, stage, control, &perimeter, error);
    if (status != PDB_OK || perimeter == NULL)
        return status;
    hand_over(ida->goals, stage, perimeter);
    *out = largest(ida->goals, &there);
    return PDB_OK;
}

pdb_status ida_goals_create(struct ida *ida, pdb_error *error)
{
    ida->goals = calloc(1, sizeof *ida->goals);
    if (ida->goals == NULL)
        return error_no_memory(error, "a search", sizeof *ida->goals);
    pthread_mutex_init(&ida->goals->lock, NULL);
    return make_perimeter(ida, 0, NULL, &ida->goals->perimeter[0], error);
}

void ida_goals_free(struct ida_goals *goals)
{
    for (unsigned s = 0; goals != NULL && s < IDA_STAGES; s++) {
        if (goals->perimeter[s] != NULL)
            perimeter_free(goals->perimeter[s]);
        free(goals->perimeter[s]);
    }
    if (goals != NULL)
        pthread_mutex_destroy(&goals->lock);
    free(goals);
}
