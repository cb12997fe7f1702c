/* fold.c -- values that one element alone tells are worked out for each value of it
 *
 * Those that are always the same become numbers, equal functions become one value, and a table that is looked up by a
 * table becomes one table. So nothing is left of whether two cells next to each other in two directions are the same.
 */
#include "lib/memory/array.h"
#include "values.h"

#include <string.h>

enum {
    MOST_RANGE = 128,      /* of an element */
    MOST_FUNCTIONS = 2048, /* and how many are kept: all are gone through */
    MOST_WORK = 1 << 18    /* numbers */
};

/* What the operation gives, of numbers or masks; false where that is no number that a lane could have. */
static bool evaluate(const struct values *values, const struct value *value, const int64_t *part, int64_t *result)
{
    const int64_t a = part[0], b = part[1];
    const bool gone = a == RULES_NONE || b == RULES_NONE;
    switch ((enum value_op)value->op) {
    case VALUE_LOOKUP:
        *result = a < 0 || a >= value->b ? RULES_NONE : values->pool[value->number + a];
        return true;
    case VALUE_COUNTED:
        *result = a & 1;
        return true;
    case VALUE_ADD:
        *result = gone ? RULES_NONE : a + b;
        break;
    case VALUE_SUBTRACT:
        *result = gone ? RULES_NONE : a - b;
        break;
    case VALUE_EQUAL:
        *result = -(a == b);
        break;
    case VALUE_LESS:
        *result = -(!gone && a < b);
        break;
    case VALUE_LESS_EQUAL:
        *result = -(!gone && a <= b);
        break;
    case VALUE_NOT:
        *result = ~a;
        break;
    case VALUE_AND:
        *result = a & b;
        break;
    case VALUE_AND_NOT:
        *result = a & ~b;
        break;
    case VALUE_OR:
        *result = a | b;
        break;
    case VALUE_SELECT:
        *result = a != 0 ? b : part[2];
        break;
    default:
        return false;
    }
    return *result >= INT32_MIN && *result <= INT32_MAX;
}

/* The number that a value is where its element has its i-th value. */
static int64_t number_of(const struct values *values, const struct value *value, uint32_t i)
{
    if (value->op == VALUE_NUMBER)
        return value->number;
    if (value->op == VALUE_ELEMENT)
        return (int64_t)values->rules->element[value->number].lo + i;
    return values->function[value->function - 1].number[i];
}

/* Which element tells all parts; false where there is none, or more are needed. */
static bool one_element(const struct values *values, const uint32_t *operand, size_t operands, uint32_t *element)
{
    *element = NO_VALUE;
    for (size_t i = 0; i < operands; i++) {
        const struct value *part = &values->value[operand[i]];
        if (part->op == VALUE_NUMBER)
            continue;
        const uint32_t of = part->op == VALUE_ELEMENT ? (uint32_t)part->number
                            : part->function != 0     ? values->function[part->function - 1].element
                                                      : NO_VALUE;
        if (of == NO_VALUE || (*element != NO_VALUE && of != *element))
            return false;
        *element = of;
    }
    return *element != NO_VALUE;
}

static uint32_t range_of(const struct values *values, uint32_t element)
{
    const struct rules_element *of = &values->rules->element[element];
    return (uint32_t)((int64_t)of->hi - of->lo < MOST_RANGE ? of->hi - of->lo + 1 : 0);
}

/* A function equal to this one that a value stands for; else NULL. */
static const struct function *equal_function(const struct values *values, const struct function *function,
                                             uint32_t range)
{
    for (size_t f = 0; f < values->functions; f++) {
        const struct function *other = &values->function[f];
        if (other->element == function->element && other->mask == function->mask &&
            memcmp(other->number, function->number, range * sizeof *other->number) == 0)
            return other;
    }
    return NULL;
}

/* A LOOKUP by the element itself, in place of one by a LOOKUP. */
static void look_up_once(struct values *values, struct value *value, const struct function *function)
{
    const struct rules_element *element = &values->rules->element[function->element];
    const uint32_t index = value_element(values, function->element);
    if (element->lo < 0 || element->hi >= MOST_RANGE || values->value[index].width != 1 || value->width != 1 ||
        !array_reserve(&values->pool, &values->pool_room, values->pooled + MOST_RANGE, sizeof *values->pool))
        return;
    value->a = index;
    value->number = (int32_t)values->pooled;
    value->b = (uint32_t)element->hi + 1;
    for (int32_t i = 0; i <= element->hi; i++)
        values->pool[values->pooled++] = i < element->lo ? RULES_NONE : function->number[i - element->lo];
}

/* Notes what function the value is, which becomes one. */
static void keep_function(struct values *values, struct value *value, const struct function *function, uint32_t range)
{
    int32_t *number = malloc(range * sizeof *number);
    if (number == NULL ||
        !array_reserve(&values->function, &values->function_room, values->functions + 1, sizeof *values->function)) {
        free(number);
        values->short_of_memory = true;
        return;
    }
    memcpy(number, function->number, range * sizeof *number);
    values->function[values->functions] = *function;
    values->function[values->functions].number = number;
    value->function = (uint32_t)++values->functions;
    if (value->op == VALUE_LOOKUP && values->value[value->a].op == VALUE_LOOKUP)
        look_up_once(values, value, function);
}

static bool work_out(const struct values *values, const struct value *value, const uint32_t *operand, size_t operands,
                     int32_t *found, uint32_t range)
{
    for (uint32_t i = 0; i < range; i++) {
        int64_t part[3] = {0}, result;
        for (size_t p = 0; p < operands; p++)
            part[p] = number_of(values, &values->value[operand[p]], i);
        if (!evaluate(values, value, part, &result))
            return false;
        found[i] = (int32_t)result;
    }
    return true;
}

static bool is_constant(const int32_t *number, uint32_t range)
{
    for (uint32_t i = 1; i < range; i++)
        if (number[i] != number[0])
            return false;
    return true;
}

bool value_fold(struct values *values, struct value *value, uint32_t *number)
{
    uint32_t room[3];
    const uint32_t *operand;
    struct function function = {.mask = value->mask};
    const size_t operands = value_operands(values, value, room, &operand);
    if (operands == 0 || operands > 3 || value->op == VALUE_READ ||
        !one_element(values, operand, operands, &function.element))
        return false;
    if (value->op == VALUE_WIDEN)
        value->function = values->value[value->a].function;
    const uint32_t range = range_of(values, function.element);
    if (value->op == VALUE_WIDEN || range == 0 || values->functions == MOST_FUNCTIONS ||
        (values->folding += range) > MOST_WORK)
        return false;
    int32_t found[MOST_RANGE];
    if (!work_out(values, value, operand, operands, found, range))
        return false;
    if (is_constant(found, range)) {
        *number = value->mask ? value_mask(values, found[0] != 0) : value_number(values, found[0]);
        return true;
    }
    function.number = found;
    const struct function *equal = equal_function(values, &function, range);
    if (equal != NULL) {
        *number = equal->value;
        return true;
    }
    keep_function(values, value, &function, range);
    return false;
}
