/* project.c -- a definition with some elements of the state left out */
#include "project.h"
#include "lib/memory/array.h"
#include "lib/families/rules/ground/ground.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOVES_MOST = 2048,
    NEEDED_MOST = 256, /* ways to suppose values of what assignments depend on, */
    OTHER_MOST = 16    /* and of what conditions depend on besides */
};

struct projecting {
    const struct needs *needs;
    const uint64_t *kept;
    struct rules *out;
    struct spans spans;
    uint64_t work_most;
    bool no_use, no_memory;
    /* what is supposed of the elements left out */
    bool supposed[RULES_MAX_ELEMENTS];
    int32_t value[RULES_MAX_ELEMENTS];
    uint32_t element[RULES_MAX_ELEMENTS];
    unsigned elements;
    uint64_t ways;
    /* the move that is made: where those of the same move of the whole begin */
    size_t first_move;
    uint32_t condition, cost;
    struct ground_assignment *effect;
    size_t effect_room;
};

/* -- supposing -- */

/* Adds the elements left out that a node needs, as long as there are no more ways to suppose their values. */
static void suppose(struct projecting *projecting, uint32_t node, uint64_t most)
{
    const struct needs *needs = projecting->needs;
    for (uint32_t e = 0; node != NO_NODE && e < needs->rules->elements; e++) {
        const uint64_t ways = projecting->ways * project_range(needs->rules, e);
        if (!set_has(needs_of(needs, node), e) || set_has(projecting->kept, e) || projecting->supposed[e] ||
            ways > most)
            continue;
        projecting->supposed[e] = true;
        projecting->value[e] = needs->rules->element[e].lo;
        projecting->element[projecting->elements++] = e;
        projecting->ways = ways;
    }
}

static void suppose_nothing(struct projecting *projecting)
{
    memset(projecting->supposed, 0, sizeof projecting->supposed);
    projecting->elements = 0;
    projecting->ways = 1;
}

/* The next values; false after the last. */
static bool suppose_next(struct projecting *projecting)
{
    for (unsigned i = 0; i < projecting->elements; i++) {
        const uint32_t e = projecting->element[i];
        const struct rules_element *of = &projecting->needs->rules->element[e];
        if (projecting->value[e]++ < of->hi)
            return true;
        projecting->value[e] = of->lo;
    }
    return false;
}

static void work_out(struct projecting *projecting, size_t list)
{
    spans_work_out(&projecting->spans, list);
    projecting->no_use |= projecting->spans.work > projecting->work_most;
}

/* -- moves -- */

static bool concerns(const struct projecting *projecting, const struct ground_assignment *assignment)
{
    bool any = false;
    for (uint32_t i = 0; i < assignment->count; i++)
        any = any || set_has(projecting->kept, assignment->element + i);
    return any;
}

static bool is_same_effect(const struct ground_assignment *x, const struct ground_assignment *y)
{
    return x->element == y->element && x->count == y->count && x->index == y->index && x->value == y->value;
}

/* The move is there with so many effects. Of one whole move's, those that do the same become one. */
static void add_move(struct projecting *projecting, uint32_t condition, uint32_t effects)
{
    struct ground *ground = &projecting->out->ground;
    if (effects == 0 || dag_is(&projecting->out->dag, condition, false))
        return;
    for (size_t m = projecting->first_move; m < ground->moves; m++) {
        struct ground_move *move = &ground->move[m];
        uint32_t same = 0;
        projecting->spans.work++;
        while (move->count == effects && move->cost == projecting->cost && same < effects &&
               is_same_effect(&ground->assignment[move->first + same], &projecting->effect[same]))
            same++;
        if (same == effects) {
            move->condition = dag_binary(&projecting->out->dag, DAG_OR, move->condition, condition);
            return;
        }
    }
    projecting->no_use |= ground->moves >= MOVES_MOST;
    projecting->no_memory |= !array_reserve(&ground->move, &ground->move_room, ground->moves + 1,
                                            sizeof *ground->move) ||
                             !array_reserve(&ground->assignment, &ground->assignment_room,
                                            ground->assignments + effects, sizeof *ground->assignment);
    if (projecting->no_use || projecting->no_memory)
        return;
    ground->move[ground->moves++] = (struct ground_move){
        .condition = condition, .cost = projecting->cost, .first = (uint32_t)ground->assignments, .count = effects};
    memcpy(ground->assignment + ground->assignments, projecting->effect, effects * sizeof *projecting->effect);
    ground->assignments += effects;
}

static uint32_t and_within(struct dag *dag, uint32_t condition, struct span span, int32_t lo, int32_t hi)
{
    condition = dag_binary(dag, DAG_AND, condition, dag_binary(dag, DAG_LESS_EQUAL, dag_number(dag, lo), span.hi));
    return dag_binary(dag, DAG_AND, condition, dag_binary(dag, DAG_LESS_EQUAL, span.lo, dag_number(dag, hi)));
}

/* By a number that is known, a plain assignment. By another, elements left out are given the one value that they have.
 * False where it assigns nothing that is kept. */
static bool place_effect(struct projecting *projecting, struct ground_assignment *effect)
{
    struct dag *dag = &projecting->out->dag;
    int32_t there[RULES_MAX_ELEMENTS];
    if (effect->index != NO_NODE && dag_is_number(dag, effect->index)) {
        effect->element += (uint32_t)dag->node[effect->index].value; /* the condition holds it within the array */
        effect->index = NO_NODE;
        effect->count = 1;
    }
    if (effect->index == NO_NODE)
        return set_has(projecting->kept, effect->element);
    for (uint32_t i = 0; i < effect->count; i++)
        there[i] = set_has(projecting->kept, effect->element + i);
    effect->value = dag_select(dag, dag_lookup(dag, there, effect->count, effect->index), effect->value,
                               dag_number(dag, projecting->needs->rules->element[effect->element].lo));
    return true;
}

/* Takes the assignments in from one on: where what is assigned is not known, once for each value that it may have. */
static void take_assignments(struct projecting *projecting, const struct ground_move *move, uint32_t from,
                             uint32_t condition, uint32_t effects)
{
    const struct rules *rules = projecting->needs->rules;
    struct dag *dag = &projecting->out->dag;
    while (from < move->count && !concerns(projecting, &rules->ground.assignment[move->first + from]))
        from++;
    if (from == move->count) {
        add_move(projecting, condition, effects);
        return;
    }
    const struct ground_assignment *whole = &rules->ground.assignment[move->first + from];
    const struct span value = projecting->spans.span[whole->value];
    const struct rules_element *of = &rules->element[whole->element];
    struct ground_assignment effect = *whole;
    if (whole->index != NO_NODE) {
        const struct span index = projecting->spans.span[whole->index];
        projecting->no_use |= !span_is_exact(index);
        condition = and_within(dag, condition, index, 0, (int32_t)whole->count - 1);
        effect.index = index.lo;
    }
    condition = and_within(dag, condition, value, of->lo, of->hi);
    if (dag_is(dag, condition, false) || projecting->no_use)
        return;
    const bool exact = span_is_exact(value);
    for (int32_t v = of->lo; v <= of->hi && !projecting->no_use && !projecting->no_memory; v++) {
        struct ground_assignment put = effect;
        put.value = exact ? value.lo : dag_number(dag, v);
        const bool counts = place_effect(projecting, &put); /* else any value will do */
        projecting->spans.work++;
        const uint32_t holds = exact || !counts ? condition : and_within(dag, condition, value, v, v);
        projecting->effect[effects] = put;
        take_assignments(projecting, move, from + 1, holds, effects + counts);
        if (exact || !counts)
            break;
    }
}

/* What a move costs at least. */
static uint32_t least_cost(struct projecting *projecting, uint32_t cost)
{
    struct dag *dag = &projecting->out->dag;
    const struct span span = projecting->spans.span[cost];
    const struct dag_node *least = &dag->node[span.lo];
    const int32_t lo = projecting->needs->rules->dag.node[cost].lo;
    return least->lo >= lo && !least->may_be_none ? span.lo : dag_number(dag, lo);
}

static void take_move(struct projecting *projecting, size_t number)
{
    const struct ground *ground = &projecting->needs->rules->ground;
    const struct ground_move *move = &ground->move[number];
    bool any = false;
    suppose_nothing(projecting);
    projecting->first_move = projecting->out->ground.moves;
    for (uint32_t a = move->first; a < move->first + move->count; a++)
        if (concerns(projecting, &ground->assignment[a])) {
            suppose(projecting, ground->assignment[a].index, NEEDED_MOST);
            suppose(projecting, ground->assignment[a].value, NEEDED_MOST);
            any = true;
        }
    if (!any)
        return;
    suppose(projecting, move->condition, OTHER_MOST);
    suppose(projecting, move->cost, OTHER_MOST);
    if (!array_reserve(&projecting->effect, &projecting->effect_room, move->count, sizeof *projecting->effect)) {
        projecting->no_memory = true;
        return;
    }
    do {
        work_out(projecting, number);
        projecting->cost = least_cost(projecting, move->cost);
        take_assignments(projecting, move, 0,
                         move->condition == NO_NODE ? dag_number(&projecting->out->dag, 1)
                                                    : spans_may_hold(&projecting->spans, move->condition),
                         0);
    } while (suppose_next(projecting) && !projecting->no_use && !projecting->no_memory);
}

static void take_goal(struct projecting *projecting)
{
    const struct rules *rules = projecting->needs->rules;
    struct dag *dag = &projecting->out->dag;
    uint32_t goal = dag_number(dag, 0);
    suppose_nothing(projecting);
    suppose(projecting, rules->ground.goal, OTHER_MOST);
    do {
        work_out(projecting, rules->ground.moves);
        goal = dag_binary(dag, DAG_OR, goal, spans_may_hold(&projecting->spans, rules->ground.goal));
    } while (suppose_next(projecting) && !projecting->no_use);
    projecting->out->ground.goal = goal;
}

/* -- states -- */

static pdb_status lay_out(const struct rules *rules, const uint64_t *kept, struct rules *out, pdb_error *error)
{
    struct rules_layout *layout = &out->layout;
    uint64_t weight = 1;
    out->elements = layout->elements = rules->elements;
    out->element = calloc(rules->elements, sizeof *out->element);
    if (out->element == NULL)
        return error_no_memory(error, "pattern databases", rules->elements * sizeof *out->element);
    layout->shifts = true;
    for (uint32_t e = rules->elements; e-- > 0;) {
        out->element[e] = (struct rules_element){.lo = rules->element[e].lo,
                                                 .hi = set_has(kept, e) ? rules->element[e].hi : rules->element[e].lo};
        layout->weight[e] = weight;
        layout->radix[e] = project_range(out, e);
        layout->shift[e] = (uint8_t)__builtin_ctzll(weight);
        layout->shifts = layout->shifts && (layout->radix[e] & (layout->radix[e] - 1)) == 0;
        weight *= layout->radix[e];
    }
    layout->keys = weight;
    layout->size = (double)weight;
    return PDB_OK;
}

pdb_status project(const struct needs *needs, const uint64_t *kept, uint64_t *work, struct rules *out, pdb_error *error)
{
    const struct rules *rules = needs->rules;
    struct projecting *projecting = calloc(1, sizeof *projecting);
    pdb_status status = lay_out(rules, kept, out, error);
    if (projecting == NULL || status != PDB_OK) {
        free(projecting);
        return status != PDB_OK ? status : error_no_memory(error, "pattern databases", sizeof *projecting);
    }
    projecting->needs = needs;
    projecting->kept = kept;
    projecting->work_most = *work;
    projecting->out = out;
    projecting->spans = (struct spans){.needs = needs,
                                       .to = &out->dag,
                                       .kept = kept,
                                       .span = calloc(rules->dag.count, sizeof(struct span)),
                                       .known = calloc(rules->dag.count, sizeof(bool)),
                                       .supposed = projecting->supposed,
                                       .value = projecting->value};
    projecting->no_memory = projecting->spans.span == NULL || projecting->spans.known == NULL;
    dag_number(&out->dag, 0);
    for (size_t m = 0; m < rules->ground.moves && !projecting->no_memory && !projecting->no_use; m++) {
        take_move(projecting, m);
        projecting->no_use |= out->dag.too_many || out->dag.beyond;
        projecting->no_memory |= out->dag.no_memory;
    }
    if (!projecting->no_memory && !projecting->no_use)
        take_goal(projecting);
    projecting->no_memory |= out->dag.no_memory;
    projecting->no_use |= out->dag.too_many || out->dag.beyond || out->ground.moves == 0;
    *work = projecting->spans.work;
    if (projecting->no_memory)
        status = error_no_memory(error, "pattern databases", rules->dag.count * sizeof(struct span));
    else if (projecting->no_use)
        status = error_set(error, PDB_NO_DATABASE, "these variables alone make no pattern database");
    free(projecting->spans.span);
    free(projecting->spans.known);
    free(projecting->effect);
    free(projecting);
    return status;
}

void project_free(struct rules *out)
{
    rules_ground_free(out);
    free(out->element);
}
