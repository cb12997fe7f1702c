/* lookup.c -- the table of what is left of a puzzle by rules without some elements */
#include "lookup.h"
#include "lib/families/rules/columns/program.h"
#include "lib/families/rules/free.h"
#include "lib/search/space/retrograde.h"

#include <stdlib.h>
#include <string.h>

/* -- what is left, as a puzzle -- */

static size_t costed_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                uint32_t *cost, uint16_t *next_count)
{
    const struct rules *rules = (const struct rules *)puzzle;
    return (rules->free ? free_successors(rules, index, count, next, cost, next_count)
                        : program_successors(rules->program, index, count, next, cost, next_count));
}

static size_t successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                         uint16_t *next_count)
{
    return costed_successors(puzzle, index, count, next, NULL, next_count);
}

static void are_goals(const struct puzzle *puzzle, const uint64_t *index, size_t count, bool *goal)
{
    const struct rules *rules = (const struct rules *)puzzle;
    if (rules->free)
        free_goals(rules, index, count, goal);
    else
        program_goals(rules->program, index, count, goal);
}

static const struct family left_family = {
    .name = "rules",
    .size = sizeof(struct rules),
    .index = {.successors = successors, .costed_successors = costed_successors, .are_goals = are_goals},
};

static pdb_status make_puzzle(const struct needs *needs, const uint64_t *kept, uint64_t *work, struct rules *left,
                              pdb_error *error)
{
    struct puzzle *puzzle = &left->puzzle;
    pdb_status status = project(needs, kept, work, left, error);
    if (status == PDB_OK)
        status = program_make(left, false, &left->program, error);
    if (status != PDB_OK)
        return status;
    puzzle_use(puzzle, &left_family);
    puzzle->family = &puzzle->functions;
    puzzle->max_moves = program_max_moves(left->program);
    puzzle->states = left->layout.keys;
    puzzle->forward = true;
    for (size_t m = 0; m < left->ground.moves; m++) {
        const uint32_t cost = (uint32_t)left->dag.node[left->ground.move[m].cost].hi;
        puzzle->max_cost = cost > puzzle->max_cost ? cost : puzzle->max_cost;
    }
    return free_make(left, &puzzle->max_moves, error);
}

/* Where moves are free, a state is the work of all those that they lead to; as is each that was looked at to learn how
 * many these are. */
static pdb_status count_free(const struct rules *left, uint64_t most, uint64_t *work, pdb_error *error)
{
    const uint64_t states = left->puzzle.states, sampled = states < FREE_SAMPLES ? states : FREE_SAMPLES;
    if (!left->free)
        return PDB_OK;
    const double each = free_states(left), more = (each - 1) * (double)states;
    *work += (uint64_t)(each * (double)sampled);
    if (more > (double)most)
        return error_set(error, PDB_NO_DATABASE, "free moves lead to so many states that a table is too much work");
    *work += (uint64_t)more;
    return PDB_OK;
}

/* -- its distances -- */

static bool observe(void *context, const struct retrograde_progress *progress)
{
    struct search_watch *watch = context;
    (void)progress;
    return watch == NULL || search_watch_add(watch, 0);
}

static pdb_status read_distances(const struct puzzle *left, const struct retrograde_result *result,
                                 struct lookup *lookup, pdb_error *error)
{
    enum { RUN = 1024 };
    const struct values values = {.puzzle = left, .encoding = result->encoding, .source = result->source};
    pdb_status status = PDB_OK;
    lookup->entry = malloc(left->states * sizeof *lookup->entry);
    if (lookup->entry == NULL)
        return error_no_memory(error, "pattern databases", left->states * sizeof *lookup->entry);
    for (uint64_t done = 0; status == PDB_OK && done < left->states; done += RUN) {
        uint64_t index[RUN];
        uint32_t distance[RUN];
        const size_t count = left->states - done < RUN ? left->states - done : RUN;
        for (size_t i = 0; i < count; i++)
            index[i] = done + i;
        status = values_get_exact(&values, index, count, distance, error);
        for (size_t i = 0; status == PDB_OK && i < count; i++) {
            const uint16_t kept = (uint16_t)(distance[i] < LOOKUP_NEVER ? distance[i] : LOOKUP_NEVER - 1);
            lookup->entry[done + i] = distance[i] == DISTANCE_NONE ? LOOKUP_NEVER : kept;
            if (distance[i] != DISTANCE_NONE && kept > lookup->most)
                lookup->most = kept;
        }
    }
    lookup->entries = left->states;
    return status;
}

static pdb_status solve(const struct puzzle *left, const struct lookup_work *work, struct lookup *lookup,
                        pdb_error *error)
{
    struct retrograde_plan plan = {0};
    struct retrograde *search = NULL;
    struct retrograde_result result;
    bool done = false;
    pdb_status status = retrograde_plan_within(work->memory, left, 1, &plan, error);
    if (status == PDB_OK && plan.memory > work->memory)
        status = PDB_TOO_LARGE;
    if (status == PDB_OK)
        status = retrograde_begin(&plan, &search, error);
    while (status == PDB_OK && !done)
        status = retrograde_layer(search, observe, work->watch, &done, error);
    if (status == PDB_OK) {
        retrograde_finish(search, &result);
        lookup->memory = result.memory;
        status = read_distances(left, &result, lookup, error);
    }
    retrograde_free(search);
    retrograde_plan_free(&plan);
    return status;
}

/* -- the table -- */

static pdb_status place_fields(const struct mover *mover, const uint64_t *kept, const struct rules *left,
                               struct lookup *lookup, pdb_error *error)
{
    lookup->field = calloc(left->elements, sizeof *lookup->field);
    if (lookup->field == NULL)
        return error_no_memory(error, "pattern databases", left->elements * sizeof *lookup->field);
    for (uint32_t e = 0; e < left->elements; e++)
        if (set_has(kept, e))
            lookup->field[lookup->fields++] = (struct lookup_field){mover->field[e], left->layout.weight[e]};
    return PDB_OK;
}

pdb_status lookup_make(const struct mover *mover, const struct needs *needs, const uint64_t *kept,
                       const struct lookup_work *work, struct lookup *lookup, pdb_error *error)
{
    struct rules *left = calloc(1, sizeof *left);
    *lookup = (struct lookup){.work = work->most / LOOKUP_WORK_PART};
    if (left == NULL)
        return error_no_memory(error, "pattern databases", sizeof *left);
    /* what is left is made without asking anybody: an interruption is seen before it, and between its layers */
    pdb_status status = observe(work->watch, NULL) ? make_puzzle(needs, kept, &lookup->work, left, error)
                                                   : error_set(error, PDB_INTERRUPTED, "interrupted");
    if (status == PDB_OK)
        status = count_free(left, work->most, &lookup->work, error);
    if (status == PDB_OK)
        status = solve(&left->puzzle, work, lookup, error);
    if (status == PDB_OK)
        status = place_fields(mover, kept, left, lookup, error);
    program_free(left->program);
    project_free(left);
    free(left);
    /* too many moves, no goal, no room: then there is none of these elements */
    return status == PDB_TOO_LARGE || status == PDB_BAD_DEFINITION ? PDB_NO_DATABASE : status;
}

void lookup_free(struct lookup *lookup)
{
    free(lookup->field);
    free(lookup->entry);
    *lookup = (struct lookup){0};
}

uint32_t lookups_bound(const struct lookups *lookups, const uint64_t *packed)
{
    uint32_t bound = 0;
    for (unsigned l = 0; l < lookups->count; l++) {
        const struct lookup *lookup = &lookups->lookup[l];
        uint64_t at = 0;
        for (unsigned f = 0; f < lookup->fields; f++) {
            const struct lookup_field *field = &lookup->field[f];
            at += (packed[field->of.word] >> field->of.shift & field->of.mask) * field->weight;
        }
        const uint16_t entry = lookup->entry[at];
        if (entry == LOOKUP_NEVER)
            return PDB_NO_DISTANCE;
        bound = entry > bound ? entry : bound;
    }
    return bound;
}

void lookups_free(struct lookups *lookups)
{
    for (unsigned l = 0; l < lookups->count; l++)
        lookup_free(&lookups->lookup[l]);
    lookups->count = 0;
}
