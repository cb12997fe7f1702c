/* spans.c -- what can be told of values where some elements of the state are not known */
#include "spans.h"
#include "lib/memory/array.h"

#include <stdlib.h>
#include <string.h>

enum { NODES_MOST = 1 << 17, LISTED_MOST = 1 << 23 };

/* -- needs -- */

/* The parts of a node that are nodes: how many, in part[3]. */
static unsigned parts_of(const struct dag_node *node, uint32_t part[3])
{
    part[0] = node->a;
    part[1] = node->b;
    part[2] = node->c;
    return dag_parts((enum dag_op)node->op);
}

static void mark_elements(struct needs *needs, uint32_t n)
{
    const struct dag_node *node = &needs->rules->dag.node[n];
    uint64_t *set = needs->element + (size_t)n * needs->words;
    uint32_t part[3];
    for (unsigned p = parts_of(node, part); p-- > 0;)
        for (unsigned w = 0; w < needs->words; w++)
            set[w] |= needs_of(needs, part[p])[w];
    const uint32_t count = node->op == DAG_ELEMENT ? 1 : node->op == DAG_READ ? node->b : 0;
    for (uint32_t e = (uint32_t)node->value; count > 0 && e < (uint32_t)node->value + count; e++)
        set[e / 64] |= (uint64_t)1 << e % 64;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Lists of nodes on their way. */
struct listing {
    struct needs *needs;
    uint32_t *seen; /* the list that a node was put on last, + 1 */
    size_t count, room;
    uint32_t number; /* of the list, + 1 */
    bool enough;     /* memory */
};

static void list_node(struct listing *listing, uint32_t node)
{
    if (node == NO_NODE || listing->seen[node] == listing->number || !listing->enough)
        return;
    listing->enough = array_reserve(&listing->needs->node, &listing->room, listing->count + 1, sizeof node);
    if (!listing->enough)
        return;
    listing->seen[node] = listing->number;
    listing->needs->node[listing->count++] = node;
}

/* Ends a list: what its nodes need comes to it, in order. */
static void end_list(struct listing *listing)
{
    struct needs *needs = listing->needs;
    size_t at = needs->list[listing->number - 1];
    for (; at < listing->count; at++) {
        uint32_t part[3];
        for (unsigned p = parts_of(&needs->rules->dag.node[needs->node[at]], part); p-- > 0;)
            list_node(listing, part[p]);
    }
    at = needs->list[listing->number - 1];
    if (listing->count > at)
        qsort(needs->node + at, listing->count - at, sizeof *needs->node, by_number);
    needs->list[listing->number++] = listing->count;
}

static void list_move(struct listing *listing, const struct ground *ground, const struct ground_move *move)
{
    list_node(listing, move->condition);
    list_node(listing, move->cost);
    for (uint32_t a = move->first; a < move->first + move->count; a++) {
        list_node(listing, ground->assignment[a].index);
        list_node(listing, ground->assignment[a].value);
    }
    end_list(listing);
}

pdb_status needs_make(const struct rules *rules, struct needs *needs, pdb_error *error)
{
    const struct ground *ground = &rules->ground;
    const size_t nodes = rules->dag.count;
    *needs = (struct needs){.rules = rules, .words = (rules->elements + 63) / 64};
    if (nodes > NODES_MOST)
        return error_set(error, PDB_TOO_LARGE, "the moves come to too much for pattern databases");
    needs->element = calloc(nodes * needs->words, sizeof *needs->element);
    needs->list = calloc(ground->moves + 2, sizeof *needs->list);
    struct listing listing = {.needs = needs, .seen = calloc(nodes, sizeof *listing.seen), .number = 1};
    listing.enough = needs->element != NULL && needs->list != NULL && listing.seen != NULL;
    for (uint32_t n = 0; listing.enough && n < nodes; n++)
        mark_elements(needs, n);
    for (size_t m = 0; listing.enough && listing.count <= LISTED_MOST && m < ground->moves; m++) {
        needs->list[listing.number - 1] = listing.count;
        list_move(&listing, ground, &ground->move[m]);
    }
    if (listing.enough) {
        list_node(&listing, ground->goal);
        end_list(&listing);
    }
    free(listing.seen);
    if (listing.count > LISTED_MOST)
        return error_set(error, PDB_TOO_LARGE, "the moves come to too much for pattern databases");
    return listing.enough ? PDB_OK : error_no_memory(error, "pattern databases", nodes * sizeof *needs->element);
}

void needs_free(struct needs *needs)
{
    free(needs->element);
    free(needs->node);
    free(needs->list);
}

/* -- spans -- */

static struct span exactly(uint32_t node)
{
    return (struct span){node, node, false};
}

/* All that a node may ever be. */
static struct span anything(struct dag *to, const struct dag_node *node)
{
    if (node->lo > node->hi)
        return exactly(dag_number(to, RULES_NONE));
    return (struct span){dag_number(to, node->lo), dag_number(to, node->hi), node->may_be_none};
}

static uint32_t is_more_than_0(struct dag *to, uint32_t node)
{
    return to->node[node].lo >= 0 ? dag_truth(to, node) : dag_binary(to, DAG_LESS, dag_number(to, 0), node);
}

/* Where it holds, as a condition: for sure; and perhaps. */
static uint32_t must(struct dag *to, struct span span)
{
    if (span_is_exact(span))
        return dag_truth(to, span.lo);
    if (span.loose)
        return dag_number(to, 0);
    return dag_binary(to, DAG_OR, is_more_than_0(to, span.lo), dag_binary(to, DAG_LESS, span.hi, dag_number(to, 0)));
}

static uint32_t may(struct dag *to, struct span span)
{
    if (to->node[span.lo].lo >= 0) /* where the least holds the greatest does */
        return dag_truth(to, span.hi);
    return dag_binary(to, DAG_OR, span.lo, span.hi);
}

static uint32_t is_none(struct dag *to, struct span span)
{
    return span.loose ? dag_number(to, 1) : dag_binary(to, DAG_EQUAL, span.hi, dag_number(to, RULES_NONE));
}

static struct span compare(struct dag *to, enum dag_op op, struct span a, struct span b)
{
    const bool loose = a.loose || b.loose;
    if (op != DAG_EQUAL)
        return (struct span){loose ? dag_number(to, 0) : dag_binary(to, op, a.hi, b.lo), dag_binary(to, op, a.lo, b.hi),
                             false};
    const uint32_t all = dag_binary(to, DAG_AND, dag_binary(to, DAG_LESS_EQUAL, a.hi, b.lo),
                                    dag_binary(to, DAG_LESS_EQUAL, b.hi, a.lo));
    const uint32_t some = dag_binary(to, DAG_AND, dag_binary(to, DAG_LESS_EQUAL, a.lo, b.hi),
                                     dag_binary(to, DAG_LESS_EQUAL, b.lo, a.hi));
    const uint32_t neither = dag_binary(to, DAG_AND, is_none(to, a), is_none(to, b));
    return (struct span){loose ? dag_number(to, 0) : all, dag_binary(to, DAG_OR, some, neither), false};
}

static struct span unary(struct dag *to, enum dag_op op, struct span a)
{
    const uint32_t less = dag_unary(to, DAG_NEGATE, a.hi), more = dag_unary(to, DAG_NEGATE, a.lo);
    if (op == DAG_NOT)
        return (struct span){dag_unary(to, DAG_NOT, may(to, a)), dag_unary(to, DAG_NOT, must(to, a)), false};
    if (op == DAG_NEGATE)
        return (struct span){less, more, a.loose};
    return (struct span){dag_binary(to, DAG_MAX, dag_number(to, 0), dag_binary(to, DAG_MAX, a.lo, less)),
                         dag_binary(to, DAG_MAX, a.hi, more), a.loose};
}

/* The least or greatest of two passes over what is none: the other one may be it then. */
static struct span nearer(struct dag *to, const struct dag_node *node, struct span a, struct span b)
{
    const bool loose = a.loose || b.loose, least = node->op == DAG_MIN;
    return (struct span){dag_binary(to, least || loose ? DAG_MIN : DAG_MAX, a.lo, b.lo),
                         dag_binary(to, !least || loose ? DAG_MAX : DAG_MIN, a.hi, b.hi), loose && node->may_be_none};
}

static struct span binary(struct dag *to, const struct dag_node *node, struct span a, struct span b)
{
    const enum dag_op op = (enum dag_op)node->op;
    if (span_is_exact(a) && span_is_exact(b))
        return exactly(dag_binary(to, op, a.lo, b.lo));
    switch (op) {
    case DAG_AND:
    case DAG_OR:
        return (struct span){dag_binary(to, op, must(to, a), must(to, b)), dag_binary(to, op, may(to, a), may(to, b)),
                             false};
    case DAG_EQUAL:
    case DAG_LESS:
    case DAG_LESS_EQUAL:
        return compare(to, op, a, b);
    case DAG_ADD:
        return (struct span){dag_binary(to, op, a.lo, b.lo), dag_binary(to, op, a.hi, b.hi), node->may_be_none};
    case DAG_SUBTRACT:
        return (struct span){dag_binary(to, op, a.lo, b.hi), dag_binary(to, op, a.hi, b.lo), node->may_be_none};
    case DAG_MIN:
    case DAG_MAX:
        return nearer(to, node, a, b);
    default: /* products, quotients */
        return anything(to, node);
    }
}

static struct span choose(struct dag *to, const struct dag_node *node, struct span condition, struct span a,
                          struct span b)
{
    const uint32_t sure = must(to, condition), perhaps = may(to, condition);
    if (sure == perhaps)
        return (struct span){dag_select(to, sure, a.lo, b.lo), dag_select(to, sure, a.hi, b.hi), a.loose || b.loose};
    return (struct span){dag_select(to, sure, a.lo, dag_select(to, perhaps, dag_binary(to, DAG_MIN, a.lo, b.lo), b.lo)),
                         dag_select(to, sure, a.hi, dag_select(to, perhaps, dag_binary(to, DAG_MAX, a.hi, b.hi), b.hi)),
                         node->may_be_none};
}

static bool is_in(const uint64_t *set, uint32_t element)
{
    return set[element / 64] >> element % 64 & 1;
}

static struct span element_of(const struct spans *spans, uint32_t number)
{
    const struct rules_element *of = &spans->needs->rules->element[number];
    if (is_in(spans->kept, number))
        return exactly(dag_element(spans->to, number, of->lo, of->hi));
    if (spans->supposed[number])
        return exactly(dag_number(spans->to, spans->value[number]));
    return (struct span){dag_number(spans->to, of->lo), dag_number(spans->to, of->hi), false};
}

/* An element by an index: where those left out would be read, any value. */
static struct span by_index(const struct spans *spans, const struct dag_node *node, struct span index)
{
    const struct rules_element *of = &spans->needs->rules->element[node->value];
    const uint32_t first = (uint32_t)node->value, count = node->b;
    struct dag *to = spans->to;
    int32_t there[RULES_MAX_ELEMENTS];
    bool all = true;
    if (!span_is_exact(index))
        return anything(to, node);
    if (dag_is_number(to, index.lo)) {
        const int32_t at = to->node[index.lo].value;
        return at < 0 || (uint32_t)at >= count ? exactly(dag_number(to, RULES_NONE))
                                               : element_of(spans, first + (uint32_t)at);
    }
    for (uint32_t i = 0; i < count; i++) {
        there[i] = is_in(spans->kept, first + i);
        all = all && there[i];
    }
    const uint32_t read = dag_read(to, first, count, index.lo, of->lo, of->hi);
    if (all)
        return exactly(read);
    const uint32_t known = dag_lookup(to, there, count, index.lo);
    return (struct span){dag_select(to, known, read, dag_number(to, of->lo)),
                         dag_select(to, known, read, dag_number(to, of->hi)), node->may_be_none};
}

static struct span work_out(const struct spans *spans, const struct dag_node *node)
{
    const struct span *of = spans->span;
    struct dag *to = spans->to;
    switch (node->op) {
    case DAG_NUMBER:
        return exactly(dag_number(to, node->value));
    case DAG_ELEMENT:
        return element_of(spans, (uint32_t)node->value);
    case DAG_READ:
        return by_index(spans, node, of[node->a]);
    case DAG_LOOKUP:
        if (!span_is_exact(of[node->a]))
            return anything(to, node);
        return exactly(dag_lookup(to, spans->needs->rules->dag.constant + node->value, node->b, of[node->a].lo));
    case DAG_NOT:
    case DAG_NEGATE:
    case DAG_ABS:
        if (span_is_exact(of[node->a]))
            return exactly(dag_unary(to, (enum dag_op)node->op, of[node->a].lo));
        return unary(to, (enum dag_op)node->op, of[node->a]);
    case DAG_SELECT:
        return choose(to, node, of[node->a], of[node->b], of[node->c]);
    default:
        return binary(to, node, of[node->a], of[node->b]);
    }
}

void spans_work_out(struct spans *spans, size_t list)
{
    const struct needs *needs = spans->needs;
    for (size_t i = needs->list[list]; i < needs->list[list + 1]; i++) {
        const uint32_t node = needs->node[i];
        bool depends = false;
        if (spans->known[node])
            continue;
        spans->span[node] = work_out(spans, &needs->rules->dag.node[node]);
        spans->work++;
        for (unsigned w = 0; w < needs->words; w++)
            depends = depends || (needs_of(needs, node)[w] & ~spans->kept[w]) != 0;
        spans->known[node] = !depends;
    }
}

uint32_t spans_may_hold(const struct spans *spans, uint32_t node)
{
    return may(spans->to, spans->span[node]);
}
