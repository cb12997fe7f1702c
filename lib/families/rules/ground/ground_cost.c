/* ground_cost.c -- what a move costs: a number, 0 or above, wherever the move applies */
#include "ground_inner.h"

/* Conditions that hold, or do not, wherever a value counts; the innermost first. */
struct known {
    const struct known *outer;
    uint32_t condition;
    bool holds;
};

struct looking {
    const struct dag *dag;
    unsigned left; /* nodes that may still be looked at; at 0 nothing more is found out */
};

/* Is `x` a number where the value of `node` is one? */
static bool has_number(struct looking *looking, uint32_t number, uint32_t x)
{
    const struct dag_node *node = &looking->dag->node[number];
    if (number == x)
        return true;
    if (number < x || looking->left == 0 || node->op < DAG_NEGATE || node->op > DAG_REMAINDER)
        return false;
    looking->left--;
    return has_number(looking, node->a, x) || (dag_parts(node->op) > 1 && has_number(looking, node->b, x));
}

static bool is_none(const struct dag *dag, uint32_t a)
{
    return dag_is_number(dag, a) && dag->node[a].value == RULES_NONE;
}

/* Is `x` a number where the condition holds, or does not? */
static bool says_number(struct looking *looking, uint32_t condition, bool holds, uint32_t x)
{
    const struct dag *dag = looking->dag;
    const struct dag_node *node = &dag->node[condition];
    if (looking->left == 0)
        return false;
    looking->left--;
    switch (node->op) {
    case DAG_NOT:
        return says_number(looking, node->a, !holds, x);
    case DAG_AND:
    case DAG_OR:
        return holds == (node->op == DAG_AND) &&
               (says_number(looking, node->a, holds, x) || says_number(looking, node->b, holds, x));
    case DAG_EQUAL:
        if (holds ? !dag->node[node->b].may_be_none : is_none(dag, node->b))
            return has_number(looking, node->a, x);
        return (holds ? !dag->node[node->a].may_be_none : is_none(dag, node->a)) && has_number(looking, node->b, x);
    case DAG_LESS:
    case DAG_LESS_EQUAL:
        return holds && (has_number(looking, node->a, x) || has_number(looking, node->b, x));
    default:
        return holds && has_number(looking, condition, x);
    }
}

/* May a value be none where all these conditions are as they are known to be? */
static bool may_be_none(struct looking *looking, uint32_t number, const struct known *known)
{
    const struct dag_node *node = &looking->dag->node[number];
    if (!node->may_be_none)
        return false;
    if (node->lo > node->hi)
        return true;
    for (const struct known *k = known; k != NULL; k = k->outer)
        if (says_number(looking, k->condition, k->holds, number))
            return false;
    if (looking->left == 0)
        return true;
    looking->left--;
    const struct known then = {known, node->a, true}, otherwise = {known, node->a, false};
    switch (node->op) {
    case DAG_DIVIDE:
    case DAG_REMAINDER:
        if (looking->dag->node[node->b].lo <= 0 && looking->dag->node[node->b].hi >= 0)
            return true;
        return may_be_none(looking, node->a, known) || may_be_none(looking, node->b, known);
    case DAG_NEGATE:
    case DAG_ABS:
        return may_be_none(looking, node->a, known);
    case DAG_ADD:
    case DAG_SUBTRACT:
    case DAG_MULTIPLY:
        return may_be_none(looking, node->a, known) || may_be_none(looking, node->b, known);
    case DAG_MIN:
    case DAG_MAX:
        return may_be_none(looking, node->a, known) && may_be_none(looking, node->b, known);
    case DAG_SELECT:
        return may_be_none(looking, node->b, &then) || may_be_none(looking, node->c, &otherwise);
    default:
        return true;
    }
}

pdb_status ground_cost(struct grounding *grounding, uint32_t cost, uint32_t condition, uint32_t *node, pdb_error *error)
{
    enum { LOOKED_AT_MOST = 1000 };
    struct dag *dag = grounding->dag;
    *node = cost == NO_TERM ? dag_number(dag, 1) : ground_term(grounding, cost);
    if (cost == NO_TERM || ground_has_failed(grounding))
        return PDB_OK;
    const struct term *term = &grounding->rules->terms.term[cost];
    struct looking looking = {dag, LOOKED_AT_MOST};
    const int32_t lo = dag->node[*node].lo;
    if (may_be_none(&looking, *node, &(struct known){NULL, condition, true}))
        return node_error_at(error, term->node, term->offset,
                             "the cost may be none here, and has to be a number, 0 or above: max(1, ..) passes over "
                             "none");
    if (lo < 0)
        return node_error_at(error, term->node, term->offset,
                             "the cost may be %d here, and has to be 0 or above: max(0, ..) keeps it there", (int)lo);
    if (dag->node[*node].may_be_none) /* where the move does not apply */
        *node = dag_binary(dag, DAG_MAX, *node, dag_number(dag, lo));
    return PDB_OK;
}
