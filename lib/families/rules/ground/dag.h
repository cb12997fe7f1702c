/* dag.h -- what a definition comes to: every value that a move needs, once
 *
 * Parameters, lets and loops are written out, and what is constant is worked out. What is left is a list of nodes, each
 * a function of nodes before it and of the state's elements; equal nodes are one (they are found by a hash). Every node
 * knows the least and the greatest number that it may be, and whether it may be RULES_NONE.
 *
 * Meaning of none: arithmetic with a none in it is none; a comparison (LESS, LESS_EQUAL) with one is 0; EQUAL holds
 * where both are none or both the same number; as a condition none does not hold; MIN and MAX pass over it.
 * Conditions (the parts of NOT, AND, OR, the first of SELECT) hold where they are a number other than 0; what NOT, AND,
 * OR and comparisons give is 0 or 1.
 */
#ifndef FAMILIES_RULES_DAG_H
#define FAMILIES_RULES_DAG_H

#include "lib/error.h"
#include "lib/families/rules/language/term.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dag_op {
    DAG_NUMBER,  /* value: a constant, or RULES_NONE */
    DAG_ELEMENT, /* value: which element of the state */
    DAG_READ,    /* element number value + a; none where a is not in 0 .. b - 1 (b is a count, no node) */
    DAG_LOOKUP,  /* constants value .. value + b - 1 of dag.constant, number a; none where a is not in 0 .. b - 1 */
    DAG_NOT,
    DAG_NEGATE,
    DAG_ABS,
    DAG_ADD,
    DAG_SUBTRACT,
    DAG_MULTIPLY,
    DAG_DIVIDE, /* rounds down; none where b is 0 */
    DAG_REMAINDER,
    DAG_EQUAL,
    DAG_LESS,
    DAG_LESS_EQUAL,
    DAG_AND,
    DAG_OR,
    DAG_MIN,
    DAG_MAX,
    DAG_SELECT, /* b where a holds, else c */
    DAG_OPS
};

struct dag_node {
    uint8_t op;
    bool may_be_none;
    int32_t value;
    uint32_t a, b, c;
    int32_t lo, hi; /* of the numbers that it may be; lo > hi: it is always none */
};

struct dag {
    struct dag_node *node;
    size_t count, room;
    int32_t *constant; /* of lookups; RULES_NONE among them */
    size_t constants, constant_room;
    uint64_t compared; /* constants, to find out which are there already */
    uint32_t *bucket;  /* of the hash: node numbers + 1 */
    size_t buckets;
    /* what went wrong so far: then nodes that are made mean nothing */
    bool no_memory, too_many;
    bool beyond; /* a value may be more than VALUE_MOST from 0 */
};

enum { DAG_MOST = 1 << 20 };

/* Each makes a node, or finds an equal or simpler one, and returns its number. What goes wrong is noted in *dag. */
uint32_t dag_number(struct dag *dag, int32_t value);
uint32_t dag_element(struct dag *dag, uint32_t element, int32_t lo, int32_t hi);
uint32_t dag_unary(struct dag *dag, enum dag_op op, uint32_t a);
uint32_t dag_binary(struct dag *dag, enum dag_op op, uint32_t a, uint32_t b);
uint32_t dag_select(struct dag *dag, uint32_t a, uint32_t b, uint32_t c);
/* One of `count` elements from `first` on, number a, each lo .. hi. */
uint32_t dag_read(struct dag *dag, uint32_t first, uint32_t count, uint32_t a, int32_t lo, int32_t hi);
/* One of the constants of this array, number a. */
uint32_t dag_lookup(struct dag *dag, const int32_t *constant, uint32_t count, uint32_t a);
/* 1 where it holds, else 0. */
uint32_t dag_truth(struct dag *dag, uint32_t a);
void dag_free(struct dag *dag);

/* How many of a, b, c are nodes. */
static inline unsigned dag_parts(enum dag_op op)
{
    if (op <= DAG_ELEMENT)
        return 0;
    return op <= DAG_ABS ? 1 : op == DAG_SELECT ? 3 : 2;
}

/* Is it a number, the same in all states? */
static inline bool dag_is_number(const struct dag *dag, uint32_t a)
{
    return dag->node[a].op == DAG_NUMBER;
}

/* Is it a number that holds, or that does not? */
static inline bool dag_is(const struct dag *dag, uint32_t a, bool holds)
{
    const int32_t value = dag->node[a].value;
    return dag_is_number(dag, a) && (value != 0 && value != RULES_NONE) == holds;
}

/* What a move does to one element: number `element`, or where `index` is a node, element + its value, which the move's
 * condition holds within 0 .. count - 1. The condition also holds the value within the element's range. Of two
 * assignments to one element the last counts. */
struct ground_assignment {
    uint32_t element, count;
    uint32_t index; /* a node, or NO_NODE */
    uint32_t value; /* a node, never none where the condition holds */
};

#define NO_NODE UINT32_MAX

/* A move with its parameters put in, and `keep` after it in its condition. */
struct ground_move {
    uint32_t move;         /* which of the definition's */
    uint32_t condition;    /* a node; NO_NODE: there is none */
    uint32_t cost;         /* a node: 0 .. VALUE_MOST */
    uint32_t first, count; /* of the assignments */
};

struct ground {
    struct ground_move *move;
    size_t moves, move_room;
    struct ground_assignment *assignment;
    size_t assignments, assignment_room;
    uint32_t goal; /* a node */
};

#endif
