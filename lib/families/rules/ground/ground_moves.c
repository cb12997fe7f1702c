/* ground_moves.c -- moves with their parameters put in, and what can never be right */
#include "ground_inner.h"
#include "lib/memory/array.h"
#include "lib/families/rules/language/parse.h"
#include "lib/families/rules/starts.h"

#include <stdlib.h>

enum { GROUND_MOVES_MOST = 60000 };

/* -- one move, one choice of parameters -- */

static uint32_t both(struct grounding *grounding, uint32_t a, uint32_t b)
{
    return dag_binary(grounding->dag, DAG_AND, a, b);
}

/* Where the left side is, as a number among its variable's elements, with the condition that it is anywhere added to
 * *condition. Where the assignment is not made, any place is as good. */
static uint32_t ground_left(struct grounding *grounding, const struct rules_assignment *from, uint32_t only,
                            uint32_t *condition)
{
    struct dag *dag = grounding->dag;
    const struct rules_variable *variable = &grounding->rules->variable[from->variable];
    const uint32_t zero = dag_number(dag, 0);
    uint32_t place = zero, there = dag_number(dag, 1);
    for (unsigned i = 0; i < variable->indices; i++) {
        uint32_t inside;
        const int32_t count = (int32_t)grounding->rules->set[variable->set[i]].count;
        const uint32_t at = ground_position(grounding, variable->set[i], ground_term(grounding, from->index[i]),
                                            &inside);
        place = i == 0 ? at
                       : dag_binary(dag, DAG_ADD, dag_binary(dag, DAG_MULTIPLY, place, dag_number(dag, count)), at);
        there = both(grounding, there, inside);
    }
    grounding->seen[from->place] |= dag_is(dag, there, false) ? TERM_MET : TERM_RIGHT;
    if (!dag_is(dag, only, true) && !dag_is(dag, there, true)) {
        place = dag_select(dag, only, place, zero);
        there = dag_binary(dag, DAG_OR, dag_unary(dag, DAG_NOT, only), there);
    }
    *condition = both(grounding, *condition, there);
    return place;
}

/* Values are those after the assignments from number `first` on, from now on. */
static void look_after(struct grounding *grounding, size_t first)
{
    const struct ground *ground = &grounding->rules->ground;
    grounding->afters = ground->assignments - first;
    grounding->after = grounding->afters == 0 ? NULL : ground->assignment + first;
}

/* The value that is assigned: where the assignment is not made, that of the assignments before it. */
static uint32_t ground_right(struct grounding *grounding, const struct rules_assignment *from, uint32_t only,
                             uint32_t place, size_t first)
{
    const uint32_t value = ground_term(grounding, from->value);
    if (ground_has_failed(grounding) || dag_is(grounding->dag, only, true))
        return value;
    look_after(grounding, first);
    const uint32_t before = ground_element(grounding, &grounding->rules->variable[from->variable], place);
    grounding->after = NULL;
    return dag_select(grounding->dag, only, value, before);
}

/* One assignment of a move, the first of which is number `first` of all; false where memory is short. */
static bool ground_assignment(struct grounding *grounding, const struct rules_assignment *from, size_t first,
                              uint32_t *condition)
{
    struct dag *dag = grounding->dag;
    struct ground *ground = &grounding->rules->ground;
    const struct rules_variable *variable = &grounding->rules->variable[from->variable];
    struct ground_assignment assignment = {.element = variable->first, .count = variable->count};
    const uint32_t only = from->only == NO_TERM ? dag_number(dag, 1)
                                                : dag_truth(dag, ground_term(grounding, from->only));
    if (ground_has_failed(grounding) || dag_is(dag, only, false))
        return !dag->no_memory;
    assignment.index = ground_left(grounding, from, only, condition);
    if (dag_is(dag, *condition, false))
        return true;
    assignment.value = ground_right(grounding, from, only, assignment.index, first);
    if (dag_is_number(dag, assignment.index)) {
        assignment.element += (uint32_t)dag->node[assignment.index].value;
        assignment.count = 1;
        assignment.index = NO_NODE;
    }
    const uint32_t fits = ground_member(grounding, variable->range, assignment.value);
    grounding->assigned[from - grounding->rules->assignment] |= dag_is(dag, fits, false) ? TERM_MET : TERM_RIGHT;
    *condition = both(grounding, *condition, fits);
    if (!array_reserve(&ground->assignment, &ground->assignment_room, ground->assignments + 1, sizeof assignment))
        return false;
    ground->assignment[ground->assignments++] = assignment;
    return true;
}

static uint32_t ground_keep(struct grounding *grounding, const struct ground_move *move)
{
    look_after(grounding, move->first);
    const uint32_t keep = dag_truth(grounding->dag, ground_term(grounding, grounding->rules->keep));
    grounding->after = NULL;
    return keep;
}

static void forget_lets(struct grounding *grounding, const struct rules_move *move)
{
    for (unsigned l = 0; l < move->lets; l++) {
        grounding->slot[move->parameters + l] = NO_NODE;
        grounding->let[move->parameters + l] = move->let[l];
    }
}

/* The condition of a move with its parameters in their slots, and its assignments behind the others; false where memory
 * is short. */
static bool ground_effect(struct grounding *grounding, const struct rules_move *move, struct ground_move *made)
{
    struct rules *rules = grounding->rules;
    struct dag *dag = grounding->dag;
    uint32_t condition = dag_number(dag, 1);
    if (move->condition != NO_TERM)
        condition = dag_truth(dag, ground_term(grounding, move->condition));
    for (size_t a = 0; a < move->assignments && !dag_is(dag, condition, false); a++)
        if (!ground_assignment(grounding, &rules->assignment[move->first_assignment + a], made->first, &condition))
            return false;
    made->count = (uint32_t)(rules->ground.assignments - made->first);
    if (rules->keep != NO_TERM && !dag_is(dag, condition, false))
        condition = both(grounding, condition, ground_keep(grounding, made));
    made->condition = condition;
    return true;
}

static pdb_status ground_choice(struct grounding *grounding, uint32_t number, uint32_t *applies, pdb_error *error)
{
    struct rules *rules = grounding->rules;
    struct ground *ground = &rules->ground;
    const struct rules_move *move = &rules->move[number];
    struct ground_move made = {.move = number, .first = (uint32_t)ground->assignments};
    forget_lets(grounding, move);
    if (!array_reserve(&ground->move, &ground->move_room, ground->moves + 1, sizeof made) ||
        !ground_effect(grounding, move, &made))
        return error_no_memory(error, "the moves", 2 * ground->moves * sizeof made);
    if (dag_is(grounding->dag, made.condition, false)) {
        ground->assignments = made.first;
        return PDB_OK;
    }
    pdb_status status = ground_cost(grounding, move->cost, made.condition, &made.cost, error);
    if (status == PDB_OK && ground->moves == GROUND_MOVES_MOST)
        return node_error(error, move->node, "with all choices of parameters there are more than %d moves",
                          GROUND_MOVES_MOST);
    if (dag_is(grounding->dag, made.condition, true))
        made.condition = NO_NODE;
    ground->move[ground->moves++] = made;
    ++*applies;
    return status;
}

/* -- what goes wrong -- */

static pdb_status failure(const struct grounding *grounding, const struct node *node, pdb_error *error)
{
    if (grounding->dag->no_memory)
        return error_no_memory(error, "the rules", grounding->dag->room * sizeof(struct dag_node));
    if (grounding->beyond != NO_TERM) {
        const struct term *term = &grounding->rules->terms.term[grounding->beyond];
        return node_error_at(error, term->node, term->offset, "this may come to more than %d", VALUE_MOST);
    }
    if (grounding->dag->too_many)
        return node_error(error, node,
                          "written out for all parameters and members of sets, this comes to too much: there are at "
                          "most %d values, of which those that are the same count once, and %d terms to be gone "
                          "through",
                          DAG_MOST, GROUND_WORK_MOST);
    return PDB_OK;
}

/* All choices of parameters; *applies is of how many there is a move. */
static pdb_status ground_choices(struct grounding *grounding, uint32_t number, uint32_t *applies, pdb_error *error)
{
    const struct rules *rules = grounding->rules;
    const struct rules_move *move = &rules->move[number];
    uint32_t member[TERM_MAX_SLOTS] = {0};
    unsigned p;
    pdb_status status = PDB_OK;
    do {
        for (unsigned i = 0; i < move->parameters; i++)
            grounding->slot[i] = dag_number(grounding->dag, rules->set[move->set[i]].value[member[i]]);
        grounding->work++;
        status = ground_choice(grounding, number, applies, error);
        if (status == PDB_OK)
            status = failure(grounding, move->node, error);
        for (p = move->parameters; p > 0 && ++member[p - 1] == rules->set[move->set[p - 1]].count; p--)
            member[p - 1] = 0;
    } while (status == PDB_OK && p > 0);
    return status;
}

/* What was right for some members of a repeated assignment's sets is right in its condition for all. */
static void join_same(struct grounding *grounding)
{
    const struct terms *terms = &grounding->rules->terms;
    for (size_t t = 0; t < terms->count; t++)
        grounding->seen[terms->term[t].same] |= grounding->seen[t];
    for (size_t t = 0; t < terms->count; t++)
        grounding->seen[t] = grounding->seen[terms->term[t].same];
}

/* What was met and never right: first terms, in their order, then values that are assigned. */
static pdb_status find_mistake(struct grounding *grounding, pdb_error *error)
{
    const struct rules *rules = grounding->rules;
    join_same(grounding);
    for (uint32_t t = 0; t < rules->terms.count; t++) {
        const struct term *term = &rules->terms.term[t];
        if (grounding->seen[t] == TERM_MET && (term->kind == TERM_VARIABLE || term->kind == TERM_TABLE))
            return node_error_at(error, term->node, term->offset, "this index of '%s' is outside its set",
                                 term->kind == TERM_TABLE ? rules->table[term->value].name
                                                          : rules->variable[term->value].name);
        if (grounding->seen[t] == TERM_MET)
            return node_error_at(error, term->node, term->offset, "this divides by zero, or by none");
    }
    for (size_t a = 0; a < rules->assignments; a++) {
        const struct rules_variable *variable = &rules->variable[rules->assignment[a].variable];
        const struct term *term = &rules->terms.term[rules->assignment[a].value];
        if (grounding->assigned[a] == TERM_MET)
            return node_error_at(error, term->node, term->offset,
                                 "this is never a value that '%s' may have: these are %d to %d", variable->name,
                                 (int)rules->set[variable->range].lo, (int)rules->set[variable->range].hi);
    }
    return PDB_OK;
}

/* Why a move never applies: perhaps 'keep' holds in no start. It is written out first, which tells whether it can be
 * gone through. */
static pdb_status find_reason(struct grounding *grounding, const struct rules_move *move, pdb_error *error)
{
    const struct rules *rules = grounding->rules;
    int32_t state[RULES_MAX_ELEMENTS];
    bool all;
    if (rules->keep == NO_TERM)
        return node_error(error, move->node, "this move can never apply");
    const struct node *keep = rules->terms.term[rules->keep].node;
    ground_term(grounding, rules->keep);
    pdb_status status = failure(grounding, keep, error);
    if (status == PDB_OK && !starts_find(rules, state, &all) && all)
        return node_error(error, keep, "'keep' holds in no start");
    return status != PDB_OK ? status
                            : node_error(error, move->node,
                                         "this move can never apply: 'if' holds nowhere, or 'keep' nowhere after it");
}

static pdb_status ground_moves(struct grounding *grounding, pdb_error *error)
{
    const struct rules *rules = grounding->rules;
    pdb_status status = PDB_OK;
    for (uint32_t m = 0; status == PDB_OK && m < rules->moves; m++) {
        uint32_t applies = 0;
        status = ground_choices(grounding, m, &applies, error);
        if (status == PDB_OK && applies == 0)
            status = find_mistake(grounding, error);
        if (status == PDB_OK && applies == 0)
            status = find_reason(grounding, &rules->move[m], error);
    }
    return status;
}

static pdb_status ground_all(struct grounding *grounding, pdb_error *error)
{
    struct rules *rules = grounding->rules;
    const struct term *goal = &rules->terms.term[rules->goal];
    dag_number(&rules->dag, 0);
    if (!rules->dag.no_memory)
        rules->ground.goal = dag_truth(&rules->dag, ground_term(grounding, rules->goal));
    pdb_status status = failure(grounding, goal->node, error);
    if (status == PDB_OK)
        status = ground_moves(grounding, error);
    if (status == PDB_OK)
        status = find_mistake(grounding, error);
    if (status == PDB_OK && dag_is(&rules->dag, rules->ground.goal, false))
        status = node_error_at(error, goal->node, goal->offset, "the goal holds in no state");
    return status;
}

pdb_status rules_ground(struct rules *rules, pdb_error *error)
{
    struct grounding grounding = {.rules = rules, .dag = &rules->dag, .beyond = NO_TERM};
    grounding.seen = calloc(rules->terms.count + 1, 1);
    grounding.assigned = calloc(rules->assignments + 1, 1);
    pdb_status status = grounding.seen != NULL && grounding.assigned != NULL
                            ? ground_all(&grounding, error)
                            : error_no_memory(error, "the rules", rules->terms.count);
    free(grounding.seen);
    free(grounding.assigned);
    return status;
}

void rules_ground_free(struct rules *rules)
{
    dag_free(&rules->dag);
    free(rules->ground.move);
    free(rules->ground.assignment);
}
