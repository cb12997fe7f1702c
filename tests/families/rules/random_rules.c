#include "random_rules.h"

#include "lib/random.h"

#include <criterion/criterion.h>
#include <string.h>

struct maker {
    uint64_t *random;
    struct rules *rules;
    uint32_t pool; /* nodes below are taken for parts */
};

static uint64_t pick(const struct maker *maker, uint64_t below)
{
    return random_below(maker->random, below);
}

/* A node, with the range and the chance of none that its parts give; false where its values would be too large. */
static bool add(const struct maker *maker, struct dag_node node, uint32_t *number)
{
    struct dag *dag = &maker->rules->dag;
    if (node.lo < -VALUE_MOST || node.hi > VALUE_MOST || dag->count == NODES_MAX)
        return false;
    *number = (uint32_t)dag->count;
    dag->node[dag->count++] = node;
    return true;
}

static uint32_t number(const struct maker *maker, int32_t value)
{
    uint32_t added = 0;
    const bool none = value == RULES_NONE;
    cr_assert(
        add(maker,
            (struct dag_node){
                .op = DAG_NUMBER, .may_be_none = none, .value = value, .lo = none ? 1 : value, .hi = none ? 0 : value},
            &added));
    return added;
}

static uint32_t logical(const struct maker *maker, uint8_t op, uint32_t a, uint32_t b)
{
    uint32_t added = 0;
    cr_assert(add(maker, (struct dag_node){.op = op, .a = a, .b = b, .hi = 1}, &added));
    return added;
}

static int64_t least(const int64_t *of, unsigned count)
{
    int64_t found = of[0];
    for (unsigned i = 1; i < count; i++)
        found = of[i] < found ? of[i] : found;
    return found;
}

static int64_t greatest(const int64_t *of, unsigned count)
{
    int64_t found = of[0];
    for (unsigned i = 1; i < count; i++)
        found = of[i] > found ? of[i] : found;
    return found;
}

/* The range of what arithmetic on two ranges gives: that of the corners, or a bound that is easily seen. */
static void bound(uint8_t op, const struct dag_node *a, const struct dag_node *b, int64_t *lo, int64_t *hi)
{
    const int64_t size[2] = {greatest((const int64_t[]){-(int64_t)a->lo, a->hi}, 2),
                             greatest((const int64_t[]){-(int64_t)b->lo, b->hi}, 2)};
    if (op == DAG_DIVIDE || op == DAG_ABS) {
        *hi = size[0];
        *lo = op == DAG_ABS ? 0 : -size[0];
    } else if (op == DAG_REMAINDER) {
        *lo = b->lo < 0 ? -size[1] : 0;
        *hi = b->hi > 0 ? size[1] : 0;
    } else if (op == DAG_MIN || op == DAG_MAX) {
        const bool none = a->may_be_none || b->may_be_none;
        *lo = op == DAG_MIN || none ? least((const int64_t[]){a->lo, b->lo}, 2)
                                    : greatest((const int64_t[]){a->lo, b->lo}, 2);
        *hi = op == DAG_MAX || none ? greatest((const int64_t[]){a->hi, b->hi}, 2)
                                    : least((const int64_t[]){a->hi, b->hi}, 2);
    } else {
        const int64_t corner[4] = {oracle_rules_arithmetic(op, a->lo, b->lo), oracle_rules_arithmetic(op, a->lo, b->hi),
                                   oracle_rules_arithmetic(op, a->hi, b->lo),
                                   oracle_rules_arithmetic(op, a->hi, b->hi)};
        *lo = least(corner, 4);
        *hi = greatest(corner, 4);
    }
}

static bool add_arithmetic(const struct maker *maker, uint8_t op, uint32_t a, uint32_t b, uint32_t *added)
{
    const struct dag_node *nodes = maker->rules->dag.node;
    const struct dag_node *one = &nodes[a], *other = op == DAG_NEGATE || op == DAG_ABS ? one : &nodes[b];
    if (one->lo > one->hi || other->lo > other->hi)
        return false;
    int64_t lo, hi;
    bound(op, one, other, &lo, &hi);
    if (lo < -VALUE_MOST || hi > VALUE_MOST)
        return false;
    bool none = one->may_be_none || other->may_be_none;
    if (op == DAG_MIN || op == DAG_MAX)
        none = one->may_be_none && other->may_be_none;
    if (op == DAG_DIVIDE || op == DAG_REMAINDER)
        none = none || (other->lo <= 0 && other->hi >= 0);
    return add(maker,
               (struct dag_node){.op = op, .may_be_none = none, .a = a, .b = b, .lo = (int32_t)lo, .hi = (int32_t)hi},
               added);
}

/* The elements about one that have its range. */
static void whole_array(const struct maker *maker, uint32_t *first, uint32_t *count)
{
    const struct rules *rules = maker->rules;
    const struct rules_element one = rules->element[pick(maker, rules->elements)];
    *count = 0;
    for (uint32_t e = 0; e < rules->elements; e++)
        if (rules->element[e].lo == one.lo && rules->element[e].hi == one.hi) {
            *first = *count == 0 || *first + *count != e ? e : *first;
            *count = e + 1 - *first;
        }
}

/* READ and LOOKUP: of elements or of constants, a run that begins anywhere, or an array. */
static bool add_array(const struct maker *maker, uint8_t op, uint32_t index, uint32_t *added)
{
    const struct rules *rules = maker->rules;
    const uint32_t all = op == DAG_READ ? rules->elements : (uint32_t)rules->dag.constants;
    uint32_t first = pick(maker, 3) == 0 ? (uint32_t)pick(maker, all) : 0;
    uint32_t count = 1 + (uint32_t)pick(maker, pick(maker, 2) ? all - first : (all - first + 9) / 10);
    if (op == DAG_READ && pick(maker, 2))
        whole_array(maker, &first, &count);
    const struct dag_node at = rules->dag.node[index];
    struct dag_node node = {
        .op = op, .value = (int32_t)first, .a = index, .b = count, .lo = INT32_MAX, .hi = INT32_MIN};
    node.may_be_none = at.may_be_none || at.lo < 0 || at.hi >= (int64_t)count;
    for (uint32_t i = first; i < first + count; i++) {
        const int32_t lo = op == DAG_READ ? rules->element[i].lo : rules->dag.constant[i];
        const int32_t hi = op == DAG_READ ? rules->element[i].hi : rules->dag.constant[i];
        if (lo == RULES_NONE) {
            node.may_be_none = true;
            continue;
        }
        node.lo = lo < node.lo ? lo : node.lo;
        node.hi = hi > node.hi ? hi : node.hi;
    }
    if (node.lo > node.hi) {
        node.lo = 1;
        node.hi = 0;
    }
    return add(maker, node, added);
}

static bool add_select(const struct maker *maker, uint32_t a, uint32_t b, uint32_t c, uint32_t *added)
{
    const struct dag_node one = maker->rules->dag.node[b], other = maker->rules->dag.node[c];
    if (one.lo > one.hi || other.lo > other.hi)
        return false;
    return add(maker,
               (struct dag_node){.op = DAG_SELECT,
                                 .may_be_none = one.may_be_none || other.may_be_none,
                                 .a = a,
                                 .b = b,
                                 .c = c,
                                 .lo = one.lo < other.lo ? one.lo : other.lo,
                                 .hi = one.hi > other.hi ? one.hi : other.hi},
               added);
}

/* Any node of those that there are; later ones are likelier. */
static uint32_t any(const struct maker *maker)
{
    const uint64_t count = maker->rules->dag.count;
    return (uint32_t)(pick(maker, 3) == 0 ? pick(maker, count) : count - 1 - pick(maker, count < 12 ? count : 12));
}

/* A node of a random kind. */
static bool add_any(const struct maker *maker, uint32_t *added)
{
    static const int32_t border[] = {0,    1,   2,     -1,    7,      127,     128,       -127,
                                     -128, 255, 32767, 32768, -32768, 1000000, RULES_NONE};
    const uint8_t op = (uint8_t)pick(maker, DAG_OPS);
    const uint32_t a = any(maker), b = any(maker), c = any(maker);
    switch (op) {
    case DAG_NUMBER:
        *added = number(maker, border[pick(maker, sizeof border / sizeof *border)]);
        return true;
    case DAG_ELEMENT: {
        const uint32_t e = (uint32_t)pick(maker, maker->rules->elements);
        const struct rules_element *element = &maker->rules->element[e];
        return add(maker, (struct dag_node){.op = op, .value = (int32_t)e, .lo = element->lo, .hi = element->hi},
                   added);
    }
    case DAG_READ:
    case DAG_LOOKUP:
        return add_array(maker, op, a, added);
    case DAG_SELECT:
        return add_select(maker, a, b, c, added);
    case DAG_NOT:
    case DAG_EQUAL:
    case DAG_LESS:
    case DAG_LESS_EQUAL:
    case DAG_AND:
    case DAG_OR:
        *added = logical(maker, op, a, b);
        return true;
    default:
        return add_arithmetic(maker, op, a, b, added);
    }
}

/* -- moves -- */

/* And that a node is within a range. */
static uint32_t and_within(const struct maker *maker, uint32_t condition, uint32_t node, int32_t lo, int32_t hi)
{
    const struct dag_node what = maker->rules->dag.node[node];
    if (what.may_be_none || what.lo < lo)
        condition = logical(maker, DAG_AND, condition, logical(maker, DAG_LESS_EQUAL, number(maker, lo), node));
    if (what.may_be_none || what.hi > hi)
        condition = logical(maker, DAG_AND, logical(maker, DAG_LESS_EQUAL, node, number(maker, hi)), condition);
    return condition;
}

/* An assignment, and what has to hold for it. */
static uint32_t add_assignment(const struct maker *maker, uint32_t condition)
{
    struct rules *rules = maker->rules;
    const uint32_t element = (uint32_t)pick(maker, rules->elements);
    struct ground_assignment *assignment = &rules->ground.assignment[rules->ground.assignments++];
    *assignment = (struct ground_assignment){element, 1, NO_NODE, (uint32_t)pick(maker, maker->pool)};
    int32_t lo = rules->element[element].lo, hi = rules->element[element].hi;
    if (pick(maker, 2)) {
        assignment->count = 1 + (uint32_t)pick(maker, rules->elements - element);
        assignment->index = (uint32_t)pick(maker, maker->pool);
        for (uint32_t e = element; e < element + assignment->count; e++) {
            lo = rules->element[e].lo > lo ? rules->element[e].lo : lo;
            hi = rules->element[e].hi < hi ? rules->element[e].hi : hi;
        }
        condition = and_within(maker, condition, assignment->index, 0, (int32_t)assignment->count - 1);
    }
    if (pick(maker, 2) && lo <= hi)
        assignment->value = number(maker, lo + (int32_t)pick(maker, (uint64_t)((int64_t)hi - lo) + 1));
    return and_within(maker, condition, assignment->value, lo, hi);
}

static void add_move(const struct maker *maker)
{
    struct rules *rules = maker->rules;
    struct ground_move *ground = &rules->ground.move[rules->ground.moves++];
    *ground = (struct ground_move){.first = (uint32_t)rules->ground.assignments};
    ground->condition = pick(maker, 3) == 0 ? number(maker, 1) : (uint32_t)pick(maker, maker->pool);
    const uint32_t most = pick(maker, 8) == 0 ? 5 : 2;
    for (ground->count = 0; ground->count <= pick(maker, most); ground->count++)
        ground->condition = add_assignment(maker, ground->condition);
    ground->cost = number(maker, 1 + (int32_t)pick(maker, 300));
    uint32_t cost;
    if (pick(maker, 3) == 0 && add_arithmetic(maker, DAG_MAX, (uint32_t)pick(maker, maker->pool), ground->cost, &cost))
        ground->cost = cost; /* none is passed over */
}

/* -- elements -- */

static void add_elements(const struct maker *maker)
{
    static const int32_t range[][2] = {
        {0, 1},          {0, 2},     {0, 3},       {1, 5},   {-3, 4},    {-127, 127},
        {-128, 127},     {0, 127},   {0, 128},     {0, 255}, {100, 131}, {-1, 300},
        {-32767, 32767}, {0, 40000}, {0, 1000000}, {4, 4},   {0, 28},    {-VALUE_MOST, VALUE_MOST}};
    struct rules *rules = maker->rules;
    double size = 1;
    while (rules->elements < ELEMENTS_MAX && pick(maker, 9) > 0) {
        const int32_t *of = range[pick(maker, pick(maker, 3) ? 5 : sizeof range / sizeof *range)];
        const unsigned bits = of[0] == of[1] ? 0 : 64 - (unsigned)__builtin_clzll((uint64_t)((int64_t)of[1] - of[0]));
        for (uint64_t left = pick(maker, 2) ? 1 : 1 + pick(maker, 30); left > 0 && rules->elements < ELEMENTS_MAX;
             left--) {
            if ((size *= (double)(1ULL << bits)) > 0x1p61)
                return;
            rules->element[rules->elements++] = (struct rules_element){.lo = of[0], .hi = of[1]};
        }
    }
    if (rules->elements == 0)
        rules->element[rules->elements++] = (struct rules_element){.lo = 0, .hi = 3};
}

/* Weights from the first element up, or from the last. */
static void lay_out(const struct maker *maker)
{
    struct rules *rules = maker->rules;
    struct rules_layout *layout = &rules->layout;
    const bool last_first = pick(maker, 2);
    uint64_t weight = 1;
    layout->elements = rules->elements;
    layout->shifts = pick(maker, 2);
    for (uint32_t i = 0; i < rules->elements; i++) {
        const uint32_t e = last_first ? rules->elements - 1 - i : i;
        const uint64_t count = (uint64_t)((int64_t)rules->element[e].hi - rules->element[e].lo) + 1;
        layout->weight[e] = weight;
        layout->shift[e] = (uint8_t)__builtin_ctzll(weight);
        layout->radix[e] = count;
        while (layout->shifts && (layout->radix[e] & (layout->radix[e] - 1)) != 0)
            layout->radix[e]++;
        weight *= layout->radix[e];
    }
    layout->keys = weight;
}

void random_rules(uint64_t *random, struct random_rules *made)
{
    struct rules *rules = made->rules;
    struct maker maker = {random, rules, 0};
    memset(rules, 0, sizeof *rules);
    rules->element = made->element;
    rules->dag.node = made->node;
    rules->dag.constant = made->constant;
    rules->ground.move = made->move;
    rules->ground.assignment = made->assignment;
    add_elements(&maker);
    lay_out(&maker);
    const uint64_t spread[] = {2, 9, 300, 70000};
    const uint64_t of = spread[random_below(random, 4)];
    rules->dag.constants = 1 + random_below(random, random_below(random, 2) ? 20 : CONSTANTS_MAX);
    for (size_t i = 0; i < rules->dag.constants; i++)
        made->constant[i] = random_below(random, 6) == 0 ? RULES_NONE
                                                         : (int32_t)random_below(random, of) - (int32_t)(of / 5);
    (void)number(&maker, 1);
    uint32_t added = 0;
    for (uint64_t left = 5 + random_below(random, random_below(random, 3) ? 60 : 400); left > 0; left--)
        (void)add_any(&maker, &added);
    maker.pool = (uint32_t)rules->dag.count;
    for (uint64_t left = random_below(random, random_below(random, 4) ? 12 : MOVES_MAX); left > 0; left--)
        add_move(&maker);
    rules->ground.goal = any(&maker);
}
