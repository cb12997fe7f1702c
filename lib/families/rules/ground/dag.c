/* dag.c -- nodes, each once, with what can be told of their values beforehand */
#include "dag.h"
#include "lib/memory/array.h"
#include "lib/families/rules/language/value.h"

#include <stdlib.h>
#include <string.h>

/* -- nodes by a hash -- */

static uint64_t hash_of(const struct dag_node *node)
{
    const uint64_t parts[] = {(uint64_t)node->op << 32 | (uint32_t)node->value, (uint64_t)node->a << 32 | node->b,
                              node->c};
    uint64_t hash = 0;
    for (int i = 0; i < 3; i++)
        hash = ((hash ^ parts[i]) * 0x9E3779B97F4A7C15) ^ (hash >> 29);
    return hash ^ hash >> 32;
}

static bool is_same(const struct dag_node *x, const struct dag_node *y)
{
    return x->op == y->op && x->value == y->value && x->a == y->a && x->b == y->b && x->c == y->c;
}

/* The bucket of a node: that of an equal one, or a free one. */
static uint32_t *find_bucket(const struct dag *dag, const struct dag_node *node)
{
    size_t at = hash_of(node) & (dag->buckets - 1);
    while (dag->bucket[at] != 0 && !is_same(&dag->node[dag->bucket[at] - 1], node))
        at = (at + 1) & (dag->buckets - 1);
    return &dag->bucket[at];
}

static bool make_room(struct dag *dag)
{
    if (dag->count >= DAG_MOST)
        dag->too_many = true;
    else if (!array_reserve(&dag->node, &dag->room, dag->count + 1, sizeof *dag->node))
        dag->no_memory = true;
    if (dag->too_many || dag->no_memory || 2 * dag->count < dag->buckets)
        return !dag->too_many && !dag->no_memory;
    const size_t buckets = dag->buckets == 0 ? 1024 : 2 * dag->buckets;
    uint32_t *larger = calloc(buckets, sizeof *larger);
    if (larger == NULL) {
        dag->no_memory = true;
        return false;
    }
    free(dag->bucket);
    dag->bucket = larger;
    dag->buckets = buckets;
    for (uint32_t n = 0; n < dag->count; n++)
        *find_bucket(dag, &dag->node[n]) = n + 1;
    return true;
}

/* Where something went wrong, node 0: there is one from the beginning (dag_number). */
static uint32_t add(struct dag *dag, struct dag_node node)
{
    if (!make_room(dag))
        return 0;
    uint32_t *bucket = find_bucket(dag, &node);
    if (*bucket == 0) {
        dag->node[dag->count++] = node;
        *bucket = (uint32_t)dag->count;
    }
    return *bucket - 1;
}

/* A node with the range that it was found to have; out of bounds where that is too far from 0. */
static uint32_t add_ranged(struct dag *dag, struct dag_node node, int64_t lo, int64_t hi, bool may_be_none)
{
    if (lo > hi)
        return dag_number(dag, RULES_NONE);
    if (lo < -VALUE_MOST || hi > VALUE_MOST) {
        dag->beyond = true;
        return 0;
    }
    node.lo = (int32_t)lo;
    node.hi = (int32_t)hi;
    node.may_be_none = may_be_none;
    return lo == hi && !may_be_none ? dag_number(dag, (int32_t)lo) : add(dag, node);
}

uint32_t dag_number(struct dag *dag, int32_t value)
{
    const bool none = value == RULES_NONE;
    return add(
        dag,
        (struct dag_node){
            .op = DAG_NUMBER, .value = value, .lo = none ? 1 : value, .hi = none ? 0 : value, .may_be_none = none});
}

uint32_t dag_element(struct dag *dag, uint32_t element, int32_t lo, int32_t hi)
{
    return add_ranged(dag, (struct dag_node){.op = DAG_ELEMENT, .value = (int32_t)element}, lo, hi, false);
}

void dag_free(struct dag *dag)
{
    free(dag->node);
    free(dag->constant);
    free(dag->bucket);
}

/* -- conditions -- */

static bool is_boolean(const struct dag_node *node)
{
    return node->lo >= 0 && node->hi <= 1 && !node->may_be_none;
}

static bool is_always_none(const struct dag_node *node)
{
    return node->lo > node->hi;
}

static uint32_t add_condition(struct dag *dag, enum dag_op op, uint32_t a, uint32_t b)
{
    return add(dag, (struct dag_node){.op = (uint8_t)op, .a = a, .b = b, .lo = 0, .hi = 1});
}

static uint32_t make_not(struct dag *dag, uint32_t a)
{
    const struct dag_node *node = &dag->node[a];
    if (is_always_none(node))
        return dag_number(dag, 1);
    if (dag_is_number(dag, a))
        return dag_number(dag, node->value == 0);
    if ((node->lo > 0 || node->hi < 0) && !node->may_be_none)
        return dag_number(dag, 0);
    if (node->op == DAG_NOT && is_boolean(&dag->node[node->a]))
        return node->a;
    return add_condition(dag, DAG_NOT, a, 0);
}

uint32_t dag_truth(struct dag *dag, uint32_t a)
{
    return is_boolean(&dag->node[a]) ? a : make_not(dag, make_not(dag, a));
}

static uint32_t make_and_or(struct dag *dag, enum dag_op op, uint32_t a, uint32_t b)
{
    const bool decides = op == DAG_OR; /* what one part alone decides */
    if (dag_is(dag, a, decides) || dag_is(dag, b, decides))
        return dag_number(dag, decides);
    if (dag_is(dag, a, !decides) || a == b)
        return dag_truth(dag, b);
    if (dag_is(dag, b, !decides))
        return dag_truth(dag, a);
    return add_condition(dag, op, a, b);
}

static uint32_t make_equal(struct dag *dag, uint32_t a, uint32_t b)
{
    const struct dag_node *x = &dag->node[a], *y = &dag->node[b];
    const bool apart = x->hi < y->lo || y->hi < x->lo || is_always_none(x) || is_always_none(y);
    if (a == b)
        return dag_number(dag, 1);
    if (apart && !(x->may_be_none && y->may_be_none))
        return dag_number(dag, 0);
    if (is_always_none(x) && is_always_none(y))
        return dag_number(dag, 1);
    if (dag_is_number(dag, a) && is_boolean(y) && !is_always_none(x))
        return x->value == 1 ? b : make_not(dag, b);
    if (dag_is_number(dag, b) && is_boolean(x) && !is_always_none(y))
        return y->value == 1 ? a : make_not(dag, a);
    return a < b ? add_condition(dag, DAG_EQUAL, a, b) : add_condition(dag, DAG_EQUAL, b, a);
}

static uint32_t make_less(struct dag *dag, enum dag_op op, uint32_t a, uint32_t b)
{
    const struct dag_node *x = &dag->node[a], *y = &dag->node[b];
    const int64_t equal = op == DAG_LESS_EQUAL;
    if (is_always_none(x) || is_always_none(y) || x->lo >= y->hi + equal)
        return dag_number(dag, 0);
    if (x->hi < y->lo + equal && !x->may_be_none && !y->may_be_none)
        return dag_number(dag, 1);
    return add_condition(dag, op, a, b);
}

/* -- numbers -- */

static void widen(int64_t *lo, int64_t *hi, int64_t value)
{
    *lo = value < *lo ? value : *lo;
    *hi = value > *hi ? value : *hi;
}

static int64_t greatest_size(const struct dag_node *node)
{
    return -(int64_t)node->lo > node->hi ? -(int64_t)node->lo : node->hi;
}

/* What products and quotients of the ends are. */
static void range_of_corners(enum dag_op op, const struct dag_node *x, const struct dag_node *y, int64_t *lo,
                             int64_t *hi)
{
    const int64_t as[] = {x->lo, x->hi}, bs[] = {y->lo, y->hi};
    *lo = INT64_MAX;
    *hi = INT64_MIN;
    for (int i = 0; i < 4; i++) {
        const int64_t a = as[i / 2], b = bs[i % 2];
        widen(lo, hi, op == DAG_MULTIPLY ? a * b : value_divide(a, b));
    }
}

static void range_of_division(enum dag_op op, const struct dag_node *x, const struct dag_node *y, int64_t *lo,
                              int64_t *hi)
{
    if (op == DAG_REMAINDER) {
        *lo = y->lo < 0 ? y->lo + 1 : 0;
        *hi = y->hi > 0 ? y->hi - 1 : 0;
        if (x->lo >= 0 && y->lo >= 0 && x->hi < *hi)
            *hi = x->hi;
    } else if (y->lo <= 0 && y->hi >= 0) {
        *hi = greatest_size(x);
        *lo = -*hi;
    } else {
        range_of_corners(op, x, y, lo, hi);
    }
}

static uint32_t make_arithmetic(struct dag *dag, enum dag_op op, uint32_t a, uint32_t b)
{
    const struct dag_node x = dag->node[a], y = dag->node[b];
    bool none = x.may_be_none || y.may_be_none;
    int64_t lo, hi;
    if (is_always_none(&x) || is_always_none(&y))
        return dag_number(dag, RULES_NONE);
    switch (op) {
    case DAG_ADD:
        lo = (int64_t)x.lo + y.lo;
        hi = (int64_t)x.hi + y.hi;
        break;
    case DAG_SUBTRACT:
        lo = (int64_t)x.lo - y.hi;
        hi = (int64_t)x.hi - y.lo;
        break;
    case DAG_MULTIPLY:
        range_of_corners(op, &x, &y, &lo, &hi);
        break;
    default:
        if (y.lo == 0 && y.hi == 0)
            return dag_number(dag, RULES_NONE);
        none |= y.lo <= 0 && y.hi >= 0;
        if (dag_is_number(dag, a) && dag_is_number(dag, b))
            lo = hi = op == DAG_DIVIDE ? value_divide(x.value, y.value) : value_remainder(x.value, y.value);
        else
            range_of_division(op, &x, &y, &lo, &hi);
    }
    if (!none && ((op == DAG_ADD || op == DAG_SUBTRACT) && dag_is(dag, b, false)))
        return a;
    if (!none && op == DAG_ADD && dag_is(dag, a, false))
        return b;
    return add_ranged(dag, (struct dag_node){.op = (uint8_t)op, .a = a, .b = b}, lo, hi, none);
}

static uint32_t make_nearer(struct dag *dag, enum dag_op op, uint32_t a, uint32_t b)
{
    const struct dag_node x = dag->node[a], y = dag->node[b];
    const bool least = op == DAG_MIN, neither = !x.may_be_none && !y.may_be_none;
    if (a == b || is_always_none(&y))
        return a;
    if (is_always_none(&x))
        return b;
    if (neither && (least ? x.hi <= y.lo : x.lo >= y.hi))
        return a;
    if (neither && (least ? y.hi <= x.lo : y.lo >= x.hi))
        return b;
    /* the end that both push to, and the one that a part that may be none does not hold back */
    int32_t lo = x.lo < y.lo ? x.lo : y.lo, hi = x.hi > y.hi ? x.hi : y.hi;
    if (least && !x.may_be_none)
        hi = x.hi;
    if (least && !y.may_be_none && y.hi < hi)
        hi = y.hi;
    if (!least && !x.may_be_none)
        lo = x.lo;
    if (!least && !y.may_be_none && y.lo > lo)
        lo = y.lo;
    return add_ranged(dag, (struct dag_node){.op = (uint8_t)op, .a = a, .b = b}, lo, hi,
                      x.may_be_none && y.may_be_none);
}

uint32_t dag_unary(struct dag *dag, enum dag_op op, uint32_t a)
{
    const struct dag_node x = dag->node[a];
    if (op == DAG_NOT)
        return make_not(dag, a);
    if (is_always_none(&x) || (op == DAG_ABS && x.lo >= 0))
        return a;
    const int64_t lo = op == DAG_NEGATE ? -(int64_t)x.hi : x.hi < 0 ? -(int64_t)x.hi : 0;
    const int64_t hi = op == DAG_NEGATE ? -(int64_t)x.lo : greatest_size(&x);
    return add_ranged(dag, (struct dag_node){.op = (uint8_t)op, .a = a}, lo, hi, x.may_be_none);
}

uint32_t dag_binary(struct dag *dag, enum dag_op op, uint32_t a, uint32_t b)
{
    switch (op) {
    case DAG_AND:
    case DAG_OR:
        return make_and_or(dag, op, a, b);
    case DAG_EQUAL:
        return make_equal(dag, a, b);
    case DAG_LESS:
    case DAG_LESS_EQUAL:
        return make_less(dag, op, a, b);
    case DAG_MIN:
    case DAG_MAX:
        return make_nearer(dag, op, a, b);
    default:
        return make_arithmetic(dag, op, a, b);
    }
}

uint32_t dag_select(struct dag *dag, uint32_t a, uint32_t b, uint32_t c)
{
    const struct dag_node x = dag->node[b], y = dag->node[c];
    if (dag_is_number(dag, a))
        return dag_is(dag, a, true) ? b : c;
    if (b == c)
        return b;
    if (is_boolean(&x) && dag_is_number(dag, c) && y.value == 0)
        return make_and_or(dag, DAG_AND, a, b);
    if (is_boolean(&y) && dag_is_number(dag, b) && x.value == 1)
        return make_and_or(dag, DAG_OR, a, c);
    if (dag_is_number(dag, b) && x.value == 0 && dag_is_number(dag, c) && y.value == 1)
        return make_not(dag, a);
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    if (!is_always_none(&x)) {
        widen(&lo, &hi, x.lo);
        widen(&lo, &hi, x.hi);
    }
    if (!is_always_none(&y)) {
        widen(&lo, &hi, y.lo);
        widen(&lo, &hi, y.hi);
    }
    return add_ranged(dag, (struct dag_node){.op = DAG_SELECT, .a = a, .b = b, .c = c}, lo, hi,
                      x.may_be_none || y.may_be_none);
}

/* -- by an index -- */

/* Which of `count` things an index may mean: *lo .. *hi; and whether it may be outside. */
static bool index_range(const struct dag_node *index, uint32_t count, int64_t *lo, int64_t *hi)
{
    *lo = index->lo > 0 ? index->lo : 0;
    *hi = index->hi < (int64_t)count - 1 ? index->hi : (int64_t)count - 1;
    return index->may_be_none || index->lo < 0 || index->hi >= (int64_t)count;
}

uint32_t dag_read(struct dag *dag, uint32_t first, uint32_t count, uint32_t a, int32_t lo, int32_t hi)
{
    const struct dag_node index = dag->node[a];
    int64_t from, to;
    const bool outside = index_range(&index, count, &from, &to);
    if (from > to)
        return dag_number(dag, RULES_NONE);
    if (dag_is_number(dag, a))
        return dag_element(dag, first + (uint32_t)from, lo, hi);
    return add_ranged(dag, (struct dag_node){.op = DAG_READ, .value = (int32_t)first, .a = a, .b = count}, lo, hi,
                      outside);
}

#define COMPARED_MOST ((uint64_t)1 << 30)

/* Where the constants stand, once for each array. */
static uint32_t place_constants(struct dag *dag, const int32_t *constant, uint32_t count)
{
    dag->compared += dag->constants;
    dag->too_many |= dag->compared > COMPARED_MOST;
    for (size_t at = 0; at + count <= dag->constants && !dag->too_many; at++)
        if (memcmp(dag->constant + at, constant, count * sizeof *constant) == 0)
            return (uint32_t)at;
    if (!array_reserve(&dag->constant, &dag->constant_room, dag->constants + count, sizeof *constant)) {
        dag->no_memory = true;
        return 0;
    }
    memcpy(dag->constant + dag->constants, constant, count * sizeof *constant);
    dag->constants += count;
    return (uint32_t)(dag->constants - count);
}

uint32_t dag_lookup(struct dag *dag, const int32_t *constant, uint32_t count, uint32_t a)
{
    const struct dag_node index = dag->node[a];
    int64_t from, to, lo = INT64_MAX, hi = INT64_MIN;
    bool none = index_range(&index, count, &from, &to);
    for (int64_t i = from; i <= to; i++) {
        if (constant[i] == RULES_NONE)
            none = true;
        else
            widen(&lo, &hi, constant[i]);
    }
    if (lo > hi || dag_is_number(dag, a))
        return dag_number(dag, lo > hi ? RULES_NONE : (int32_t)lo);
    const uint32_t at = place_constants(dag, constant, count);
    return add_ranged(dag, (struct dag_node){.op = DAG_LOOKUP, .value = (int32_t)at, .a = a, .b = count}, lo, hi, none);
}
