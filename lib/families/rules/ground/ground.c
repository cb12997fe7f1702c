/* ground.c -- terms become nodes
 *
 * A walk over the tree, as in plain.c, that carries nodes for values: a slot holds the node of its parameter's member,
 * loops are written out, and a part that decides nothing any more is left out. Lets are looked into when first asked
 * for, so that one that only some moves need is no mistake in others.
 *
 * all(x and y for ..) is taken as all(x for ..) and all(y for ..), and any(x or y ..) likewise: the parts often do not
 * need all parameters and are then shared by many moves.
 */
#include "ground_inner.h"
#include "lib/families/rules/language/parse.h"

#include <stdlib.h>

static uint32_t number(struct grounding *grounding, int32_t value)
{
    return dag_number(grounding->dag, value);
}

/* -- sets -- */

static bool is_range(const struct rules_set *set)
{
    return set->value[0] == set->lo && set->value[set->count - 1] == set->hi &&
           (int64_t)set->hi - set->lo + 1 == set->count && set_position(set, set->lo) == 0;
}

/* lo <= value <= hi, where it is a number. */
static uint32_t is_within(struct grounding *grounding, int32_t lo, uint32_t value, int32_t hi)
{
    struct dag *dag = grounding->dag;
    return dag_binary(dag, DAG_AND, dag_binary(dag, DAG_LESS_EQUAL, number(grounding, lo), value),
                      dag_binary(dag, DAG_LESS_EQUAL, value, number(grounding, hi)));
}

/* What look_up gives, by comparing with one member after the other. */
static uint32_t compare_members(struct grounding *grounding, const struct rules_set *set, uint32_t value, bool position)
{
    struct dag *dag = grounding->dag;
    uint32_t found = number(grounding, position ? RULES_NONE : 0);
    for (uint32_t i = 0; i < set->count && !ground_has_failed(grounding); i++) {
        const uint32_t is = dag_binary(dag, DAG_EQUAL, value, number(grounding, set->value[i]));
        found = dag_select(dag, is, number(grounding, position ? (int32_t)i : 1), found);
    }
    return found;
}

/* By a table from the set's least value to its greatest: the member's position, or whether it is one. */
static uint32_t look_up(struct grounding *grounding, const struct rules_set *set, uint32_t value, bool position)
{
    enum { TABLE_MOST = 65536 };
    struct dag *dag = grounding->dag;
    const uint32_t count = (uint32_t)(set->hi - set->lo) + 1;
    if (count > TABLE_MOST)
        return compare_members(grounding, set, value, position);
    int32_t *table = malloc(count * sizeof *table);
    if (table == NULL) {
        dag->no_memory = true;
        return 0;
    }
    for (uint32_t i = 0; i < count; i++)
        table[i] = position ? RULES_NONE : 0;
    for (uint32_t i = 0; i < set->count; i++)
        table[set->value[i] - set->lo] = position ? (int32_t)i : 1;
    const uint32_t from = dag_binary(dag, DAG_SUBTRACT, value, number(grounding, set->lo));
    const uint32_t found = dag_lookup(dag, table, count, from);
    free(table);
    return found;
}

uint32_t ground_member(struct grounding *grounding, uint32_t set, uint32_t value)
{
    const struct rules_set *of = &grounding->rules->set[set];
    if (is_range(of))
        return is_within(grounding, of->lo, value, of->hi);
    return dag_truth(grounding->dag, look_up(grounding, of, value, false));
}

uint32_t ground_position(struct grounding *grounding, uint32_t set, uint32_t value, uint32_t *inside)
{
    const struct rules_set *of = &grounding->rules->set[set];
    const uint32_t position = is_range(of) ? dag_binary(grounding->dag, DAG_SUBTRACT, value, number(grounding, of->lo))
                                           : look_up(grounding, of, value, true);
    *inside = is_within(grounding, 0, position, (int32_t)of->count - 1);
    return position;
}

/* -- variables and tables -- */

/* Up to two indices as one, 0 .. the product of their sets' sizes - 1, or a number outside that, or none. */
static uint32_t ground_place(struct grounding *grounding, const uint32_t set[2], const struct term *term)
{
    struct dag *dag = grounding->dag;
    uint32_t inside, place = ground_position(grounding, set[0], ground_term(grounding, term->a), &inside);
    if (term->b == NO_TERM || ground_has_failed(grounding))
        return place;
    const int32_t columns = (int32_t)grounding->rules->set[set[1]].count;
    const uint32_t column = ground_position(grounding, set[1], ground_term(grounding, term->b), &inside);
    place = dag_binary(dag, DAG_MULTIPLY, place, number(grounding, columns));
    return dag_select(dag, inside, dag_binary(dag, DAG_ADD, place, column), number(grounding, RULES_NONE));
}

/* The value that an element has after the assignments: number `place` of a variable's, which is `before` before. */
static uint32_t value_after(struct grounding *grounding, const struct rules_variable *variable, uint32_t place,
                            uint32_t before)
{
    struct dag *dag = grounding->dag;
    uint32_t value = before;
    for (size_t i = 0; grounding->after != NULL && i < grounding->afters; i++) {
        const struct ground_assignment *done = &grounding->after[i];
        if (done->element - variable->first >= variable->count)
            continue;
        const uint32_t at = done->index != NO_NODE ? done->index
                                                   : number(grounding, (int32_t)(done->element - variable->first));
        value = dag_select(dag, dag_binary(dag, DAG_EQUAL, place, at), done->value, value);
    }
    return value;
}

uint32_t ground_element(struct grounding *grounding, const struct rules_variable *variable, uint32_t place)
{
    const struct rules_set *range = &grounding->rules->set[variable->range];
    const uint32_t before = dag_read(grounding->dag, variable->first, variable->count, place, range->lo, range->hi);
    return value_after(grounding, variable, place, before);
}

static uint32_t ground_variable(struct grounding *grounding, const struct term *term)
{
    const struct rules_variable *variable = &grounding->rules->variable[term->value];
    const uint32_t place = term->a == NO_TERM ? number(grounding, 0) : ground_place(grounding, variable->set, term);
    return ground_has_failed(grounding) ? 0 : ground_element(grounding, variable, place);
}

/* Is it a number that is outside 0 .. count - 1 whatever happens? */
static bool is_outside(const struct dag *dag, uint32_t place, uint32_t count)
{
    const struct dag_node *node = &dag->node[place];
    return node->lo <= node->hi && (node->hi < 0 || node->lo >= (int64_t)count);
}

static uint32_t ground_table(struct grounding *grounding, const struct term *term)
{
    const struct rules_table *table = &grounding->rules->table[term->value];
    if (term->a == NO_TERM)
        return number(grounding, table->value[0]);
    const struct rules_set *set = grounding->rules->set;
    const uint32_t rows = set[table->set[0]].count, columns = term->b == NO_TERM ? 1 : set[table->set[1]].count;
    const uint32_t place = ground_place(grounding, table->set, term);
    if (ground_has_failed(grounding))
        return 0;
    grounding->outside = is_outside(grounding->dag, place, rows * columns);
    return dag_lookup(grounding->dag, table->value, rows * columns, place);
}

/* A table by two indices of which the second is known: a column of it, looked up by the first. */
static uint32_t ground_column(struct grounding *grounding, const struct term *term)
{
    struct dag *dag = grounding->dag;
    const struct rules_table *table = &grounding->rules->table[term->value];
    const struct rules_set *first = &grounding->rules->set[table->set[0]],
                           *second = &grounding->rules->set[table->set[1]];
    const uint32_t member = ground_term(grounding, term->b);
    uint32_t inside;
    if (ground_has_failed(grounding))
        return 0;
    if (!dag_is_number(dag, member))
        return ground_table(grounding, term);
    const int32_t column = set_position(second, dag->node[member].value);
    int32_t *value = column < 0 ? NULL : malloc(first->count * sizeof *value);
    grounding->outside = column < 0 && dag->node[member].value != RULES_NONE;
    if (column < 0)
        return number(grounding, RULES_NONE);
    if (value == NULL) {
        dag->no_memory = true;
        return 0;
    }
    for (uint32_t i = 0; i < first->count; i++)
        value[i] = table->value[i * second->count + (uint32_t)column];
    const uint32_t row = ground_position(grounding, table->set[0], ground_term(grounding, term->a), &inside);
    const uint32_t found = ground_has_failed(grounding) ? 0 : dag_lookup(dag, value, first->count, row);
    grounding->outside = !ground_has_failed(grounding) && is_outside(dag, row, first->count);
    free(value);
    return found;
}

/* -- loops -- */

static enum dag_op taken_by(enum term_kind kind)
{
    switch (kind) {
    case TERM_ALL:
        return DAG_AND;
    case TERM_ANY:
        return DAG_OR;
    case TERM_LEAST:
        return DAG_MIN;
    case TERM_GREATEST:
        return DAG_MAX;
    default:
        return DAG_ADD;
    }
}

/* What a member with this condition gives to the loop. */
static uint32_t ground_taken(struct grounding *grounding, enum term_kind kind, uint32_t condition, uint32_t value)
{
    struct dag *dag = grounding->dag;
    switch (kind) {
    case TERM_ALL:
        return dag_binary(dag, DAG_OR, dag_unary(dag, DAG_NOT, condition), value);
    case TERM_ANY:
    case TERM_COUNT:
        return dag_binary(dag, DAG_AND, condition, value);
    case TERM_SUM: {
        const uint32_t zero = number(grounding, 0);
        const uint32_t missing = dag_binary(dag, DAG_EQUAL, value, number(grounding, RULES_NONE));
        return dag_select(dag, condition, dag_select(dag, missing, zero, value), zero);
    }
    default:
        return dag_select(dag, condition, value, number(grounding, RULES_NONE));
    }
}

static uint32_t ground_loop(struct grounding *grounding, const struct term *term, uint32_t body)
{
    struct dag *dag = grounding->dag;
    const struct rules_set *set = &grounding->rules->set[term->value];
    const enum term_kind kind = term->kind;
    const bool extreme = kind == TERM_LEAST || kind == TERM_GREATEST;
    const uint32_t hidden = grounding->slot[term->slot]; /* a let that is looked into may have loops around it */
    uint32_t result = number(grounding, extreme ? RULES_NONE : kind == TERM_ALL);
    for (uint32_t i = 0; i < set->count && !ground_has_failed(grounding); i++) {
        if ((kind == TERM_ALL && dag_is(dag, result, false)) || (kind == TERM_ANY && dag_is(dag, result, true)))
            break;
        grounding->slot[term->slot] = number(grounding, set->value[i]);
        const uint32_t condition = term->b == NO_TERM ? number(grounding, 1) : ground_term(grounding, term->b);
        if (ground_has_failed(grounding) || dag_is(dag, condition, false))
            continue;
        const uint32_t value = ground_term(grounding, body);
        if (!ground_has_failed(grounding))
            result = dag_binary(dag, taken_by(kind), result, ground_taken(grounding, kind, condition, value));
    }
    grounding->slot[term->slot] = hidden;
    return result;
}

/* A loop whose body may be taken apart. */
static uint32_t ground_parts(struct grounding *grounding, const struct term *term, uint32_t body)
{
    const struct term *parts = &grounding->rules->terms.term[body];
    const bool all = term->kind == TERM_ALL && parts->kind == TERM_AND,
               any = term->kind == TERM_ANY && parts->kind == TERM_OR;
    if (!all && !any)
        return ground_loop(grounding, term, body);
    const uint32_t first = ground_parts(grounding, term, parts->a);
    if (ground_has_failed(grounding) || dag_is(grounding->dag, first, any))
        return first;
    const uint32_t second = ground_parts(grounding, term, parts->b);
    return ground_has_failed(grounding) ? 0 : dag_binary(grounding->dag, all ? DAG_AND : DAG_OR, first, second);
}

/* -- operators -- */

static uint32_t ground_slot(struct grounding *grounding, unsigned slot)
{
    if (grounding->slot[slot] == NO_NODE)
        grounding->slot[slot] = ground_term(grounding, grounding->let[slot]);
    return grounding->slot[slot];
}

/* Of `and` and `or`, the second part does not matter where the first decides; of a choice, one of two does not. */
static uint32_t ground_condition(struct grounding *grounding, const struct term *term)
{
    struct dag *dag = grounding->dag;
    const uint32_t first = ground_term(grounding, term->a);
    if (ground_has_failed(grounding))
        return 0;
    if (term->kind == TERM_SELECT && dag_is_number(dag, first))
        return ground_term(grounding, dag_is(dag, first, true) ? term->b : term->c);
    if (dag_is_number(dag, first) && dag_is(dag, first, term->kind == TERM_OR))
        return dag_truth(dag, first);
    const uint32_t second = ground_term(grounding, term->b),
                   third = term->kind == TERM_SELECT ? ground_term(grounding, term->c) : 0;
    if (ground_has_failed(grounding))
        return 0;
    if (term->kind == TERM_SELECT)
        return dag_select(dag, first, second, third);
    return dag_binary(dag, term->kind == TERM_AND ? DAG_AND : DAG_OR, first, second);
}

static enum dag_op operator_of(enum term_kind kind)
{
    switch (kind) {
    case TERM_ADD:
        return DAG_ADD;
    case TERM_SUBTRACT:
        return DAG_SUBTRACT;
    case TERM_MULTIPLY:
        return DAG_MULTIPLY;
    case TERM_DIVIDE:
        return DAG_DIVIDE;
    case TERM_REMAINDER:
        return DAG_REMAINDER;
    case TERM_LESS:
        return DAG_LESS;
    case TERM_LESS_EQUAL:
        return DAG_LESS_EQUAL;
    case TERM_MIN:
        return DAG_MIN;
    case TERM_MAX:
        return DAG_MAX;
    default:
        return DAG_EQUAL;
    }
}

static uint32_t ground_operator(struct grounding *grounding, const struct term *term)
{
    struct dag *dag = grounding->dag;
    const uint32_t first = ground_term(grounding, term->a);
    const uint32_t second = term->b == NO_TERM ? 0 : ground_term(grounding, term->b);
    if (ground_has_failed(grounding))
        return 0;
    switch (term->kind) {
    case TERM_NOT:
        return dag_unary(dag, DAG_NOT, first);
    case TERM_NEGATE:
        return dag_unary(dag, DAG_NEGATE, first);
    case TERM_ABS:
        return dag_unary(dag, DAG_ABS, first);
    case TERM_MEMBER:
        return ground_member(grounding, (uint32_t)term->value, first);
    case TERM_UNEQUAL:
        return dag_unary(dag, DAG_NOT, dag_binary(dag, DAG_EQUAL, first, second));
    default:
        return dag_binary(dag, operator_of(term->kind), first, second);
    }
}

static uint32_t ground_kind(struct grounding *grounding, const struct term *term)
{
    switch (term->kind) {
    case TERM_NUMBER:
        return number(grounding, term->value);
    case TERM_SLOT:
        return ground_slot(grounding, (unsigned)term->value);
    case TERM_VARIABLE:
        return ground_variable(grounding, term);
    case TERM_TABLE:
        return term->b == NO_TERM ? ground_table(grounding, term) : ground_column(grounding, term);
    case TERM_AND:
    case TERM_OR:
    case TERM_SELECT:
        return ground_condition(grounding, term);
    case TERM_ALL:
    case TERM_ANY:
    case TERM_SUM:
    case TERM_COUNT:
    case TERM_LEAST:
    case TERM_GREATEST:
        return ground_parts(grounding, term, term->a);
    case TERM_LAST:
        return ground_last(grounding, term);
    default:
        return ground_operator(grounding, term);
    }
}

/* Is it none whatever happens, though it is what should have a value: something by an index, a quotient? Tables may
 * have none in them, so there it is the index that counts. */
static bool is_wrong(const struct grounding *grounding, const struct term *term, uint32_t node)
{
    const struct dag *dag = grounding->dag;
    if (term->kind == TERM_TABLE)
        return term->a != NO_TERM && grounding->outside;
    const bool asked = (term->kind == TERM_VARIABLE && term->a != NO_TERM) || term->kind == TERM_DIVIDE ||
                       term->kind == TERM_REMAINDER;
    return asked && dag->node[node].lo > dag->node[node].hi;
}

uint32_t ground_term(struct grounding *grounding, uint32_t number_of)
{
    struct dag *dag = grounding->dag;
    if (++grounding->work > GROUND_WORK_MOST)
        dag->too_many = true;
    if (ground_has_failed(grounding))
        return 0;
    const struct term *term = &grounding->rules->terms.term[number_of];
    const uint32_t node = ground_kind(grounding, term);
    if (dag->beyond && grounding->beyond == NO_TERM)
        grounding->beyond = number_of;
    if (ground_has_failed(grounding))
        return 0;
    grounding->seen[number_of] |= (uint8_t)(TERM_MET | (is_wrong(grounding, term, node) ? 0 : TERM_RIGHT));
    return node;
}
