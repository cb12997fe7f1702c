#include "oracle.h"

#include <criterion/criterion.h>
#include <string.h>

bool oracle_rules_holds(int64_t value)
{
    return value != 0 && value != RULES_NONE;
}

int64_t oracle_rules_arithmetic(uint8_t op, int64_t a, int64_t b)
{
    if (op == DAG_MIN && (a == RULES_NONE || b == RULES_NONE))
        return a == RULES_NONE ? b : a;
    if (op == DAG_MAX && (a == RULES_NONE || b == RULES_NONE))
        return a == RULES_NONE ? b : a;
    if (a == RULES_NONE || b == RULES_NONE || ((op == DAG_DIVIDE || op == DAG_REMAINDER) && b == 0))
        return RULES_NONE;
    int64_t quotient = b == 0 ? 0 : a / b;
    if (b != 0 && quotient * b != a && (a < 0) != (b < 0))
        quotient--;
    switch (op) {
    case DAG_NEGATE:
        return -a;
    case DAG_ABS:
        return a < 0 ? -a : a;
    case DAG_ADD:
        return a + b;
    case DAG_SUBTRACT:
        return a - b;
    case DAG_MULTIPLY:
        return a * b;
    case DAG_DIVIDE:
        return quotient;
    case DAG_REMAINDER:
        return a - quotient * b;
    case DAG_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

int64_t oracle_rules_value(const struct rules *rules, const int32_t *state, const int64_t *value, uint32_t n)
{
    const struct dag_node *node = &rules->dag.node[n];
    const int64_t a = node->op > DAG_ELEMENT ? value[node->a] : 0;
    const bool array = node->op == DAG_READ || node->op == DAG_LOOKUP;
    const int64_t b = node->op > DAG_ABS ? value[node->b] : 0;
    switch (node->op) {
    case DAG_NUMBER:
        return node->value;
    case DAG_ELEMENT:
        return state[node->value];
    case DAG_NOT:
        return !oracle_rules_holds(a);
    case DAG_EQUAL:
        return a == b;
    case DAG_LESS:
        return a != RULES_NONE && b != RULES_NONE && a < b;
    case DAG_LESS_EQUAL:
        return a != RULES_NONE && b != RULES_NONE && a <= b;
    case DAG_AND:
        return oracle_rules_holds(a) && oracle_rules_holds(b);
    case DAG_OR:
        return oracle_rules_holds(a) || oracle_rules_holds(b);
    case DAG_SELECT:
        return oracle_rules_holds(a) ? b : value[node->c];
    default:
        break;
    }
    if (!array)
        return oracle_rules_arithmetic(node->op, a, b);
    if (a < 0 || a >= node->b) /* none is below 0 */
        return RULES_NONE;
    return node->op == DAG_READ ? state[node->value + a] : rules->dag.constant[node->value + a];
}

uint64_t oracle_rules_key(const struct rules *rules, const int32_t *state)
{
    uint64_t key = 0;
    for (uint32_t e = 0; e < rules->elements; e++)
        key += (uint64_t)((int64_t)state[e] - rules->element[e].lo) * rules->layout.weight[e];
    return key;
}

bool oracle_rules_move(const struct rules *rules, const struct ground_move *ground, const int64_t *value,
                       int32_t *state)
{
    if (ground->condition != NO_NODE && !oracle_rules_holds(value[ground->condition]))
        return false;
    int32_t before[ELEMENTS_MAX];
    memcpy(before, state, sizeof before);
    for (uint32_t i = ground->first; i < ground->first + ground->count; i++) {
        const struct ground_assignment *assignment = &rules->ground.assignment[i];
        const int64_t index = assignment->index == NO_NODE ? 0 : value[assignment->index];
        const int64_t number = value[assignment->value];
        const struct rules_element *element = &rules->element[assignment->element + index];
        cr_assert(assignment->index == NO_NODE || (index >= 0 && index < assignment->count));
        cr_assert(number >= element->lo && number <= element->hi);
        state[assignment->element + index] = (int32_t)number;
    }
    return memcmp(before, state, sizeof before) != 0;
}
