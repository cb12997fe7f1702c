/* ida_goals.c -- the states around the goals, listed once for all boards that a searcher is asked for */
#include "ida.h"

#include <stdlib.h>

/* Goals are listed up to this many. */
static const uint64_t goals_max = 1 << 18;

bool ida_is_near(const struct puzzle *puzzle, const struct perimeter *goals, uint64_t state, uint32_t *distance)
{
    uint8_t position[BOARD_MAX_CELLS];
    if (goals != NULL)
        return perimeter_find(goals, state, distance);
    *distance = 0;
    puzzle->family->position.unrank(puzzle, state, position);
    return puzzle->family->position.is_goal(puzzle, position);
}

static pdb_status add_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct perimeter *perimeter = context;
    if (perimeter->layer.count + count > goals_max)
        return error_set(error, PDB_TOO_LARGE, "too many goals to list");
    return perimeter_begin(perimeter, index, count, error);
}

static pdb_status fill(const struct ida *ida, unsigned stage, struct search_watch *watch, struct perimeter *perimeter,
                       pdb_error *error)
{
    const struct puzzle *puzzle = ida->searcher.puzzle;
    pdb_status status = perimeter_create(perimeter, puzzle, true, ida->options.memory / 8 * IDA_EIGHTHS_GOALS, error);
    if (status == PDB_OK)
        status = puzzle->family->index.goals(puzzle, add_goals, perimeter, error);
    if (status == PDB_OK && !ida->options.no_table)
        status = perimeter_grow_to(perimeter, ida_stages[stage].goals, watch, error);
    return status;
}

static void discard(struct perimeter *perimeter)
{
    if (perimeter != NULL)
        perimeter_free(perimeter);
    free(perimeter);
}

/* The goals of a puzzle with keys whose moves can be undone are not given by its family; where only the moves out of a
 * state are known, nothing can be told of what lies before a goal. */
pdb_status ida_goals_make(const struct ida *ida, unsigned stage, struct search_watch *watch, pdb_error *error)
{
    if (ida->searcher.puzzle->forward || (ida->searcher.puzzle->keyed && ida->searcher.puzzle->undoable))
        return PDB_OK;
    struct perimeter *perimeter = calloc(1, sizeof *perimeter), *none = NULL;
    if (perimeter == NULL)
        return error_no_memory(error, "a search", sizeof *perimeter);
    pdb_status status = fill(ida, stage, watch, perimeter, error);
    /* Where another thread was faster, its perimeter counts. */
    if (status != PDB_OK ||
        !__atomic_compare_exchange_n(&ida->goals[stage], &none, perimeter, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        discard(perimeter);
    return status == PDB_TOO_LARGE ? PDB_OK : status;
}

/* The largest perimeter, and the stage that it is of. */
static const struct perimeter *largest(const struct ida *ida, unsigned *stage)
{
    const struct perimeter *perimeter = NULL;
    for (*stage = IDA_STAGES; *stage > 0 && perimeter == NULL;)
        perimeter = __atomic_load_n(&ida->goals[--*stage], __ATOMIC_ACQUIRE);
    return perimeter;
}

pdb_status ida_goals_get(const struct ida *ida, unsigned stage, struct search_watch *watch,
                         const struct perimeter **out, pdb_error *error)
{
    unsigned there;
    pdb_status status = PDB_OK;
    *out = largest(ida, &there);
    if (*out != NULL && !(*out)->complete && !(*out)->full && !ida->options.no_table && there < stage &&
        ida_stages[there].goals != ida_stages[stage].goals) {
        status = ida_goals_make(ida, stage, watch, error);
        *out = largest(ida, &there);
    }
    return status;
}

void ida_goals_free(const struct ida *ida)
{
    for (unsigned s = 0; ida->goals != NULL && s < IDA_STAGES; s++)
        discard(ida->goals[s]);
    free(ida->goals);
}
