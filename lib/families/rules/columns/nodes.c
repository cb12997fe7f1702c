/* nodes.c -- the nodes of the dag that moves and the goal need become values */
#include "lib/memory/array.h"
#include "values.h"

#include <string.h>

static uint32_t calculation(struct values *values, const struct dag_node *node, uint8_t op)
{
    const bool two = op != VALUE_NEGATE && op != VALUE_ABS;
    struct value value = {.op = op, .lo = node->lo, .hi = node->hi};
    value.a = value_of(values, node->a);
    value.b = two ? value_of(values, node->b) : 0;
    value.none = values->value[value.a].none || (two && values->value[value.b].none) || node->may_be_none;
    return node->lo > node->hi ? value_number(values, RULES_NONE) : value_operation(values, value);
}

static uint32_t comparison(struct values *values, const struct dag_node *node)
{
    const uint32_t a = value_of(values, node->a), b = value_of(values, node->b);
    return node->op == DAG_EQUAL ? value_equal(values, a, b)
                                 : value_compare(values, node->op == DAG_LESS ? VALUE_LESS : VALUE_LESS_EQUAL, a, b);
}

static uint32_t make(struct values *values, const struct dag_node *node)
{
    static const uint8_t same_op[DAG_OPS] = {
        [DAG_NEGATE] = VALUE_NEGATE,       [DAG_ABS] = VALUE_ABS,           [DAG_ADD] = VALUE_ADD,
        [DAG_SUBTRACT] = VALUE_SUBTRACT,   [DAG_MULTIPLY] = VALUE_MULTIPLY, [DAG_DIVIDE] = VALUE_DIVIDE,
        [DAG_REMAINDER] = VALUE_REMAINDER, [DAG_MIN] = VALUE_MIN,           [DAG_MAX] = VALUE_MAX,
    };
    switch ((enum dag_op)node->op) {
    case DAG_NUMBER:
        return value_number(values, node->value);
    case DAG_ELEMENT:
        return value_element(values, (uint32_t)node->value);
    case DAG_READ:
        return value_read(values, (uint32_t)node->value, node->b, value_of(values, node->a));
    case DAG_LOOKUP:
        return value_lookup(values, node, value_of(values, node->a));
    case DAG_EQUAL:
    case DAG_LESS:
    case DAG_LESS_EQUAL:
        return comparison(values, node);
    case DAG_NOT:
        return value_not(values, value_holds(values, node->a));
    case DAG_AND:
        return value_and(values, value_holds(values, node->a), value_holds(values, node->b));
    case DAG_OR:
        return value_or(values, value_holds(values, node->a), value_holds(values, node->b));
    case DAG_SELECT:
        return value_select(values, value_holds(values, node->a), value_of(values, node->b), value_of(values, node->c));
    default:
        return calculation(values, node, same_op[node->op]);
    }
}

uint32_t value_of(struct values *values, uint32_t node)
{
    return values->of_node[node] == 0 ? 0 : value_counted(values, values->of_node[node] - 1);
}

uint32_t value_holds(struct values *values, uint32_t node)
{
    return values->of_node[node] == 0 ? 0 : value_truth(values, values->of_node[node] - 1);
}

/* Marks the nodes that the moves and the goal need, last to first: parts come before what they are parts of. */
static void mark_needed(const struct rules *rules, uint32_t *needed)
{
    const struct ground *ground = &rules->ground;
    needed[ground->goal] = 1;
    for (size_t m = 0; m < ground->moves; m++) {
        needed[ground->move[m].cost] = 1;
        if (ground->move[m].condition != NO_NODE)
            needed[ground->move[m].condition] = 1;
    }
    for (size_t i = 0; i < ground->assignments; i++) {
        needed[ground->assignment[i].value] = 1;
        if (ground->assignment[i].index != NO_NODE)
            needed[ground->assignment[i].index] = 1;
    }
    for (size_t n = rules->dag.count; n-- > 0;) {
        const struct dag_node *node = &rules->dag.node[n];
        if (!needed[n] || node->op == DAG_NUMBER || node->op == DAG_ELEMENT)
            continue;
        needed[node->a] = 1;
        if (node->op >= DAG_ADD)
            needed[node->b] = 1;
        if (node->op == DAG_SELECT)
            needed[node->c] = 1;
    }
}

bool values_make(const struct rules *rules, struct values *values)
{
    *values = (struct values){.rules = rules};
    values->of_node = calloc(rules->dag.count + 1, sizeof *values->of_node);
    if (values->of_node == NULL ||
        !array_reserve(&values->pool, &values->pool_room, rules->dag.constants + 1, sizeof *values->pool))
        return false;
    if (rules->dag.constants > 0)
        memcpy(values->pool, rules->dag.constant, rules->dag.constants * sizeof *values->pool);
    values->pooled = rules->dag.constants;
    (void)value_mask(values, false); /* value 0, which stands for what could not be made */
    if (values->short_of_memory)
        return false;
    mark_needed(rules, values->of_node);
    for (size_t n = 0; n < rules->dag.count && !values->short_of_memory; n++)
        if (values->of_node[n] != 0)
            values->of_node[n] = make(values, &rules->dag.node[n]) + 1;
    return !values->short_of_memory;
}

void values_free(struct values *values)
{
    free(values->value);
    free(values->bucket);
    free(values->list);
    free(values->pool);
    for (size_t f = 0; f < values->functions; f++)
        free(values->function[f].number);
    free(values->function);
    free(values->of_node);
}
