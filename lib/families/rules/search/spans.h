/* spans.h -- what can be told of values where some elements of the state are not known
 *
 * A node of a definition's graph (dag.h) becomes a *span* over another graph that knows the elements that are kept
 * alone: two nodes, the least and the greatest number that the value may be, whatever the elements left out are. Of a
 * value that needs none of these both are the same node, which is exactly the value. Of a condition the least says
 * where it must hold, the greatest where it may.
 *
 * The other graph is made by the functions of dag.h, so what is constant falls away, and equal nodes are one.
 */
#ifndef FAMILIES_RULES_SPANS_H
#define FAMILIES_RULES_SPANS_H

#include "lib/families/rules/rules.h"

struct span {
    uint32_t lo, hi; /* nodes of the new graph */
    bool loose;      /* it may be none where these are numbers, too */
};

static inline bool span_is_exact(struct span span)
{
    return span.lo == span.hi && !span.loose;
}

/* Which elements each node of a graph needs, and which nodes: worked out once for all that is made of the graph. Never
 * changes once made. */
struct needs {
    const struct rules *rules;
    unsigned words;    /* of a set of elements, a bit each */
    uint64_t *element; /* of node n: `words` from n * words on */
    uint32_t *node;    /* lists of nodes, parts before what is made of them: */
    size_t *list;      /* that of move m begins at list[m] and ends at list[m + 1]; the last is that of the goal */
};

/* PDB_TOO_LARGE: the graph is too large for this to be worth it; PDB_NO_MEMORY. needs_free in any case. */
pdb_status needs_make(const struct rules *rules, struct needs *needs, pdb_error *error);
void needs_free(struct needs *needs);

static inline const uint64_t *needs_of(const struct needs *needs, uint32_t node)
{
    return needs->element + (size_t)node * needs->words;
}

/* On the way from one graph to the other. */
struct spans {
    const struct needs *needs;
    struct dag *to;
    const uint64_t *kept; /* a set of elements */
    struct span *span;    /* of each node of the old graph */
    bool *known;          /* the span is there, and does not depend on what is supposed: */
    const bool *supposed; /* elements that are left out, but are supposed to have these values */
    const int32_t *value;
    uint64_t work; /* spans worked out so far */
};

/* Works out the spans of a list of needs. */
void spans_work_out(struct spans *spans, size_t list);

/* Where the node, as a condition, may hold. */
uint32_t spans_may_hold(const struct spans *spans, uint32_t node);

#endif
