/* values.c -- what a program computes: nodes become values, each once (values.h) */
#include "values.h"
#include "lib/memory/array.h"

#include <string.h>

/* -- the list, and its hash -- */

static uint64_t hash_of(const struct value *value)
{
    uint64_t hash = (uint64_t)value->op << 16 | (uint64_t)value->width << 8 | value->mask;
    hash = (hash ^ (uint32_t)value->number) * 0x9E3779B97F4A7C15;
    hash = (hash ^ hash >> 32 ^ value->a) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ hash >> 32 ^ value->b) * 0x94D049BB133111EB;
    hash = (hash ^ hash >> 32 ^ (value->op == VALUE_READ ? 0 : value->c)) * 0x9E3779B97F4A7C15;
    return hash ^ hash >> 29;
}

/* The columns of a READ follow from the rest of it. */
static bool same(const struct value *one, const struct value *other)
{
    return one->op == other->op && one->width == other->width && one->mask == other->mask &&
           one->number == other->number && one->a == other->a && one->b == other->b &&
           (one->c == other->c || one->op == VALUE_READ);
}

static bool grow_buckets(struct values *values)
{
    const size_t buckets = values->buckets == 0 ? 256 : 2 * values->buckets;
    uint32_t *bucket = calloc(buckets, sizeof *bucket);
    if (bucket == NULL)
        return false;
    for (uint32_t v = 0; v < values->count; v++) {
        size_t at = hash_of(&values->value[v]) % buckets;
        while (bucket[at] != 0)
            at = (at + 1) % buckets;
        bucket[at] = v + 1;
    }
    free(values->bucket);
    values->bucket = bucket;
    values->buckets = buckets;
    return true;
}

/* Where its number stands in the hash, or would. */
static uint32_t *find(const struct values *values, const struct value *value)
{
    size_t at = hash_of(value) % values->buckets;
    while (values->bucket[at] != 0 && !same(&values->value[values->bucket[at] - 1], value))
        at = (at + 1) % values->buckets;
    return &values->bucket[at];
}

static bool has_room(struct values *values)
{
    if (values->short_of_memory || (2 * values->count >= values->buckets && !grow_buckets(values)) ||
        !array_reserve(&values->value, &values->room, values->count + 1, sizeof *values->value))
        values->short_of_memory = true;
    return !values->short_of_memory;
}

/* The value that is equal to this one, which becomes one where there is none. */
static uint32_t add(struct values *values, const struct value *value)
{
    struct value folded = *value;
    uint32_t number;
    if (!has_room(values))
        return 0;
    if (*find(values, value) != 0)
        return *find(values, value) - 1;
    if (value_fold(values, &folded, &number))
        return number;
    if (!has_room(values))
        return 0;
    number = (uint32_t)values->count;
    if (folded.function != 0 && folded.op != VALUE_WIDEN)
        values->function[folded.function - 1].value = number;
    uint32_t *bucket = find(values, &folded);
    values->value[values->count] = folded;
    *bucket = (uint32_t)++values->count;
    return number;
}

/* -- numbers -- */

static uint8_t width_of(int32_t lo, int32_t hi)
{
    return lo > hi || (lo >= -INT8_MAX && hi <= INT8_MAX) ? 1 : lo >= -INT16_MAX && hi <= INT16_MAX ? 2 : 4;
}

static uint8_t wider(uint8_t one, uint8_t other)
{
    return one > other ? one : other;
}

static uint32_t number_in(struct values *values, int32_t number, uint8_t width)
{
    struct value value = {.op = VALUE_NUMBER, .width = width, .number = number, .lo = number, .hi = number};
    if (number == RULES_NONE) {
        value.none = true;
        value.lo = 1;
        value.hi = 0;
    }
    return add(values, &value);
}

uint32_t value_number(struct values *values, int32_t number)
{
    return number_in(values, number, number == RULES_NONE ? 1 : width_of(number, number));
}

uint32_t value_mask(struct values *values, bool holds)
{
    const struct value value = {.op = VALUE_NUMBER, .width = 1, .mask = true, .number = -holds, .lo = 0, .hi = holds};
    return add(values, &value);
}

uint32_t value_element(struct values *values, uint32_t element)
{
    const struct rules_element *of = &values->rules->element[element];
    const struct value value = {
        .op = VALUE_ELEMENT, .width = width_of(of->lo, of->hi), .number = (int32_t)element, .lo = of->lo, .hi = of->hi};
    return of->lo == of->hi ? value_number(values, of->lo) : add(values, &value);
}

static uint32_t widen(struct values *values, uint32_t a, uint8_t width)
{
    struct value value = values->value[a];
    if (values->short_of_memory || value.width == width)
        return a;
    if (value.op == VALUE_NUMBER)
        return number_in(values, value.number, width);
    value = (struct value){
        .op = VALUE_WIDEN, .width = width, .none = value.none, .a = a, .lo = value.lo, .hi = value.hi};
    return add(values, &value);
}

/* A mask as a column of numbers. */
uint32_t value_counted(struct values *values, uint32_t a)
{
    const struct value *mask = &values->value[a];
    if (!mask->mask)
        return a;
    if (mask->op == VALUE_NUMBER)
        return value_number(values, mask->number != 0);
    const struct value value = {.op = VALUE_COUNTED, .width = 1, .a = a, .lo = 0, .hi = 1};
    return add(values, &value);
}

/* An operation on numbers of one width, which has room for what comes out. */
uint32_t value_operation(struct values *values, struct value value)
{
    const struct value *a = &values->value[value.a], *b = &values->value[value.b];
    const bool two = value.op != VALUE_NEGATE && value.op != VALUE_ABS;
    value.width = wider(a->width, width_of(value.lo, value.hi));
    if (two)
        value.width = wider(value.width, b->width);
    value.a = widen(values, value.a, value.width);
    value.b = two ? widen(values, value.b, value.width) : 0;
    return add(values, &value);
}

uint32_t value_subtract(struct values *values, uint32_t a, uint32_t b)
{
    const struct value *from = &values->value[a], *what = &values->value[b];
    struct value value = {.op = VALUE_SUBTRACT, .a = a, .b = b, .none = from->none || what->none};
    const int64_t lo = (int64_t)from->lo - what->hi, hi = (int64_t)from->hi - what->lo;
    value.lo = lo < -INT32_MAX ? -INT32_MAX : (int32_t)lo;
    value.hi = hi > INT32_MAX ? INT32_MAX : (int32_t)hi;
    return value_operation(values, value);
}

/* -- conditions -- */

uint32_t value_not(struct values *values, uint32_t a)
{
    const struct value *of = &values->value[a];
    if (of->op == VALUE_NUMBER)
        return value_mask(values, of->number == 0);
    if (of->op == VALUE_NOT)
        return of->a;
    return add(values, &(struct value){.op = VALUE_NOT, .width = 1, .mask = true, .a = a, .lo = 0, .hi = 1});
}

static uint32_t two_masks(struct values *values, uint8_t op, uint32_t a, uint32_t b)
{
    if (a > b && op != VALUE_AND_NOT) {
        const uint32_t first = b;
        b = a;
        a = first;
    }
    return add(values, &(struct value){.op = op, .width = 1, .mask = true, .a = a, .b = b, .lo = 0, .hi = 1});
}

uint32_t value_and(struct values *values, uint32_t a, uint32_t b)
{
    const struct value one = values->value[a], other = values->value[b];
    if (one.op == VALUE_NUMBER)
        return one.number == 0 ? a : b;
    if (other.op == VALUE_NUMBER || a == b)
        return other.op == VALUE_NUMBER && other.number == 0 ? b : a;
    if (one.op == VALUE_NOT && other.op == VALUE_NOT)
        return value_not(values, value_or(values, one.a, other.a));
    if (one.op == VALUE_NOT)
        return two_masks(values, VALUE_AND_NOT, b, one.a);
    return other.op == VALUE_NOT ? two_masks(values, VALUE_AND_NOT, a, other.a) : two_masks(values, VALUE_AND, a, b);
}

uint32_t value_or(struct values *values, uint32_t a, uint32_t b)
{
    const struct value one = values->value[a], other = values->value[b];
    if (one.op == VALUE_NUMBER)
        return one.number == 0 ? b : a;
    if (other.op == VALUE_NUMBER || a == b)
        return other.op == VALUE_NUMBER && other.number != 0 ? b : a;
    if (one.op == VALUE_NOT && other.op == VALUE_NOT)
        return value_not(values, value_and(values, one.a, other.a));
    if (one.op == VALUE_NOT)
        return value_not(values, two_masks(values, VALUE_AND_NOT, one.a, b));
    return other.op == VALUE_NOT ? value_not(values, two_masks(values, VALUE_AND_NOT, other.a, a))
                                 : two_masks(values, VALUE_OR, a, b);
}

uint32_t value_compare(struct values *values, enum value_op op, uint32_t a, uint32_t b)
{
    const uint8_t width = wider(values->value[a].width, values->value[b].width);
    struct value value = {
        .op = (uint8_t)op, .width = width, .mask = true, .none = values->value[a].none, .lo = 0, .hi = 1};
    value.a = widen(values, a, width);
    value.b = widen(values, b, width);
    return add(values, &value);
}

uint32_t value_equal(struct values *values, uint32_t a, uint32_t b)
{
    const struct value one = values->value[a], other = values->value[b];
    if (a > b)
        return value_equal(values, b, a);
    if (a == b)
        return value_mask(values, true);
    const bool both_none = one.none && other.none;
    if (!both_none && (one.lo > other.hi || other.lo > one.hi || one.lo > one.hi || other.lo > other.hi))
        return value_mask(values, false);
    if (one.op == VALUE_COUNTED && other.op == VALUE_NUMBER)
        return other.number == 0 ? value_not(values, one.a) : one.a;
    if (other.op == VALUE_COUNTED && one.op == VALUE_NUMBER)
        return one.number == 0 ? value_not(values, other.a) : other.a;
    return value_compare(values, VALUE_EQUAL, a, b);
}

/* Does it hold: is it a number other than 0? */
uint32_t value_truth(struct values *values, uint32_t a)
{
    const struct value value = values->value[a];
    if (value.mask)
        return a;
    if (value.op == VALUE_NUMBER)
        return value_mask(values, value.number != 0 && value.number != RULES_NONE);
    if (value.lo > value.hi)
        return value_mask(values, false);
    if (value.lo >= 0 && value.hi == 1)
        return value_equal(values, a, value_number(values, 1));
    const uint32_t other = value_not(values, value_equal(values, a, value_number(values, 0)));
    return value.none
               ? value_and(values, other, value_not(values, value_equal(values, a, value_number(values, RULES_NONE))))
               : other;
}

uint32_t value_select(struct values *values, uint32_t mask, uint32_t b, uint32_t c)
{
    const struct value when = values->value[mask], one = values->value[b], other = values->value[c];
    if (when.op == VALUE_NUMBER || b == c)
        return when.op == VALUE_NUMBER && when.number == 0 ? c : b;
    struct value value = {
        .op = VALUE_SELECT, .width = wider(one.width, other.width), .a = mask, .none = one.none || other.none};
    value.lo = one.lo < other.lo ? one.lo : other.lo;
    value.hi = one.hi > other.hi ? one.hi : other.hi;
    if (one.lo > one.hi || other.lo > other.hi) {
        value.lo = one.lo > one.hi ? other.lo : one.lo;
        value.hi = one.lo > one.hi ? other.hi : one.hi;
    }
    value.b = widen(values, b, value.width);
    value.c = widen(values, c, value.width);
    return add(values, &value);
}

/* -- arrays -- */

/* Do elements stand in the key one after another, alike, so that the one looked for may be shifted out of it? */
static bool in_a_row(const struct rules *rules, uint32_t first, uint32_t count)
{
    const struct rules_layout *layout = &rules->layout;
    for (uint32_t e = first + 1; layout->shifts && e < first + count; e++)
        if (layout->shift[e] - layout->shift[e - 1] != layout->shift[first + 1] - layout->shift[first] ||
            rules->element[e].lo != rules->element[first].lo || rules->element[e].hi != rules->element[first].hi)
            return false;
    return layout->shifts;
}

static uint32_t read_columns(struct values *values, struct value *value, uint32_t first)
{
    value->op = VALUE_READ;
    value->c = (uint32_t)values->listed;
    value->number = (int32_t)first;
    if (!array_reserve(&values->list, &values->list_room, values->listed + value->b + 1, sizeof *values->list)) {
        values->short_of_memory = true;
        return 0;
    }
    for (uint32_t i = 0; i < value->b; i++) {
        const uint32_t column = widen(values, value_element(values, first + i), value->width);
        values->list[values->listed + 1 + i] = column;
    }
    values->list[values->listed] = value->a;
    const size_t before = values->count;
    const uint32_t read = add(values, value);
    if (values->count > before)
        values->listed += value->b + 1;
    return read;
}

uint32_t value_read(struct values *values, uint32_t first, uint32_t count, uint32_t index)
{
    enum { FEW = 12 }; /* so many columns are chosen from sooner than shifted out of keys */
    const struct value at = values->value[index];
    if (at.lo > at.hi || at.hi < 0 || count == 0)
        return value_number(values, RULES_NONE);
    if (at.op == VALUE_NUMBER)
        return (uint32_t)at.number < count ? value_element(values, first + (uint32_t)at.number)
                                           : value_number(values, RULES_NONE);
    struct value value = {.none = at.none || at.lo < 0 || at.hi >= (int64_t)count, .lo = INT32_MAX, .hi = INT32_MIN};
    value.b = at.hi < (int64_t)count ? (uint32_t)at.hi + 1 : count;
    for (uint32_t e = first; e < first + value.b; e++) {
        const struct rules_element *of = &values->rules->element[e];
        value.lo = of->lo < value.lo ? of->lo : value.lo;
        value.hi = of->hi > value.hi ? of->hi : value.hi;
    }
    value.width = wider(at.width, width_of(value.lo, value.hi));
    value.a = widen(values, index, value.width);
    if (value.b <= FEW || value.lo == value.hi || !in_a_row(values->rules, first, value.b))
        return read_columns(values, &value, first);
    value.op = VALUE_PICK;
    value.number = (int32_t)first;
    return add(values, &value);
}

uint32_t value_lookup(struct values *values, const struct dag_node *node, uint32_t index)
{
    const struct value at = values->value[index];
    struct value value = {
        .op = VALUE_LOOKUP, .number = node->value, .none = node->may_be_none, .lo = node->lo, .hi = node->hi};
    if (at.lo > at.hi || at.hi < 0 || node->b == 0)
        return value_number(values, RULES_NONE);
    value.b = at.hi < (int64_t)node->b ? (uint32_t)at.hi + 1 : node->b;
    value.width = at.width;
    for (uint32_t i = 0; i < value.b; i++) {
        const int32_t constant = values->pool[(uint32_t)node->value + i];
        if (constant != RULES_NONE)
            value.width = wider(value.width, width_of(constant, constant));
    }
    value.a = widen(values, index, value.width);
    return add(values, &value);
}

/* -- parts -- */

size_t value_operands(const struct values *values, const struct value *value, uint32_t room[3],
                      const uint32_t **operand)
{
    *operand = room;
    room[0] = value->a;
    room[1] = value->b;
    room[2] = value->c;
    switch ((enum value_op)value->op) {
    case VALUE_NUMBER:
    case VALUE_ELEMENT:
        return 0;
    case VALUE_PICK:
    case VALUE_LOOKUP:
    case VALUE_WIDEN:
    case VALUE_COUNTED:
    case VALUE_NEGATE:
    case VALUE_ABS:
    case VALUE_NOT:
        return 1;
    case VALUE_SELECT:
        return 3;
    case VALUE_READ:
        *operand = values->list + value->c;
        return value->b + 1;
    default:
        return 2;
    }
}
