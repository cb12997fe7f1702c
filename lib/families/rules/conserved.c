/* conserved.c -- arrays whose values moves do not change but for their order */
#include "conserved.h"

enum { MOST = 16 /* assignments of a move to the array */ };

/* What a condition says, part by part. */
struct parts {
    const struct dag *dag;
    uint32_t node; /* what is left of it; NO_NODE: nothing */
};

/* The next part of a condition that begins with `and`s. */
static bool next_part(struct parts *parts, uint32_t *part)
{
    const uint32_t node = parts->node;
    if (node == NO_NODE)
        return false;
    const bool last = parts->dag->node[node].op != DAG_AND;
    *part = last ? node : parts->dag->node[node].b;
    parts->node = last ? NO_NODE : parts->dag->node[node].a;
    return true;
}

/* Does a part of a condition say which number a node is? */
static bool says(const struct dag *dag, uint32_t part, uint32_t node, int32_t *number)
{
    const struct dag_node *says = &dag->node[part], *of = &dag->node[node];
    *number = 1;
    if (part == node)
        return of->lo >= 0 && of->hi <= 1;
    *number = 0;
    if (says->op == DAG_NOT)
        return says->a == node;
    const uint32_t other = says->a == node ? says->b : says->a;
    if (says->op != DAG_EQUAL || (says->a != node && says->b != node) || !dag_is_number(dag, other))
        return false;
    *number = dag->node[other].value;
    return true;
}

/* The node, or, where the condition says which number it is, the node of that number. */
static uint32_t known(struct dag *dag, uint32_t condition, uint32_t node)
{
    struct parts parts = {dag, condition};
    int32_t number;
    for (uint32_t part; next_part(&parts, &part);)
        if (says(dag, part, node, &number))
            return dag_number(dag, number);
    return node;
}

/* An assignment to the array. */
struct change {
    const struct ground_assignment *to;
    uint32_t read, before, after; /* nodes: as it is read, and as it is known to be */
};

static bool is_another(const struct dag *dag, uint32_t a, uint32_t b)
{
    return dag_is_number(dag, a) && dag_is_number(dag, b) && a != b;
}

/* Does the condition say that they are not equal? */
static bool differ(const struct dag *dag, uint32_t condition, uint32_t a, uint32_t b)
{
    struct parts parts = {dag, condition};
    for (uint32_t part; next_part(&parts, &part);) {
        const struct dag_node *equal = &dag->node[dag->node[part].op == DAG_NOT ? dag->node[part].a : part];
        if (dag->node[part].op == DAG_NOT && equal->op == DAG_EQUAL &&
            ((equal->a == a && equal->b == b) || (equal->a == b && equal->b == a)))
            return true;
    }
    return false;
}

/* No two changes are of the same element. */
static bool are_apart(const struct dag *dag, uint32_t condition, const struct change *change, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            const bool named = change[i].to->index == NO_NODE && change[j].to->index == NO_NODE;
            if (!is_another(dag, change[i].before, change[j].before) &&
                !differ(dag, condition, change[i].read, change[j].read) &&
                !(named && change[i].to->element != change[j].to->element))
                return false;
        }
    return true;
}

/* What was there before is there after. */
static bool are_the_same(struct change *change, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t j = i;
        while (j < count && change[j].after != change[i].before)
            j++;
        if (j == count)
            return false;
        change[j].after = change[i].after;
    }
    return true;
}

static bool conserves(struct rules *rules, const struct ground_move *move, const struct rules_variable *variable)
{
    struct dag *dag = &rules->dag;
    struct change change[MOST];
    size_t count = 0;
    for (uint32_t i = 0; i < move->count; i++) {
        const struct ground_assignment *to = &rules->ground.assignment[move->first + i];
        const struct rules_element *element = &rules->element[to->element];
        if (to->element < variable->first || to->element >= variable->first + variable->count)
            continue;
        if (count == MOST)
            return false;
        const uint32_t before = to->index == NO_NODE
                                    ? dag_element(dag, to->element, element->lo, element->hi)
                                    : dag_read(dag, to->element, to->count, to->index, element->lo, element->hi);
        change[count++] = (struct change){to, before, known(dag, move->condition, before),
                                          known(dag, move->condition, to->value)};
    }
    return are_apart(dag, move->condition, change, count) && are_the_same(change, count);
}

bool conserved_by_moves(struct rules *rules, const struct rules_variable *variable)
{
    for (size_t m = 0; m < rules->ground.moves; m++)
        if (!conserves(rules, &rules->ground.move[m], variable))
            return false;
    return true;
}
