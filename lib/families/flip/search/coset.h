/* coset.h -- the cheapest member of a coset: exact, by branch and bound over the group and not over its members
 *
 * Given a group K of vectors y modulo k (a span, lib/families/flip/algebra.h) and, for every entry j, a table of what
 * each value of it costs, the problem is
 *
 *     minimise   cost_0(y_0) + cost_1(y_1) + ..     over all y in K
 *
 * With K = {t_0 R_0 + t_1 R_1 + ..} each entry is a *functional* of t: y_j = t_0 R_0j + t_1 R_1j + .. Entries with the
 * same functional (or multiples of it by units) are one: their tables are added. So what counts is not how long the
 * vectors are but how many *classes* of functionals there are. Deciding the value s of one functional takes a dimension
 * off, and makes classes that differ by a multiple of it one. Which ones does not depend on s, nor on the costs:
 *
 *     plan       for each level, the functional that is decided there, and for each class the class of the next level
 *                that it becomes:   value of the class = coefficient * s + back * value of the next level's class
 *     node       a table of costs for each class of its level
 *     bound      the sum of each class's least cost, which no member under the node undercuts
 *
 * For k = 2 a level's tables are what is left of a Walsh-Hadamard transform after that many steps, so that without any
 * bound 2^d members take about 2^(d+1) additions of tables that shrink as they go down. When classes are independent
 * (their values can be chosen one by one), a node's bound is attained, and it is done: the plan ends there. The order
 * of decisions is chosen, greedily, to make classes few.
 *
 * Literature: F. MacWilliams, N. Sloane, "The Theory of Error-Correcting Codes" (1977), chapter 14 (decoding by the
 * Hadamard transform); coset leaders in general are hard (E. Berlekamp, R. McEliece, H. van Tilborg, 1978).
 */
#ifndef FAMILIES_FLIP_SEARCH_COSET_H
#define FAMILIES_FLIP_SEARCH_COSET_H

#include "lib/families/flip/algebra.h"

#include <stdbool.h>

/* What becomes of a class when a level is decided. */
struct coset_link {
    uint16_t to; /* class of the next level; 0 for the constant 0 */
    uint8_t coefficient, back;
};

/* Class 0 is the constant 0, which collects what is decided. */
struct coset_level {
    unsigned classes;
    unsigned radix;          /* the deciding functional has the values 0 .. radix-1 */
    uint8_t *step;           /* of each class: its values are the multiples of this; k for class 0 */
    struct coset_link *link; /* of each class, NULL on the last level */
};

struct coset_plan {
    unsigned modulus, length;
    unsigned dimensions;       /* of the group */
    unsigned levels;           /* decisions; level[levels] is the last, with independent classes */
    struct coset_level *level; /* levels + 1 */
    struct coset_link *link;   /* of each entry to a class of level 0; the coefficients are 0 */
};

/* The plan for a span (which is no longer needed then). PDB_NO_MEMORY. The caller releases it with coset_plan_free,
 * which takes one of all zeros too. */
pdb_status coset_plan_make(const struct span *group, struct coset_plan *plan, pdb_error *error);
void coset_plan_free(struct coset_plan *plan);

/* Called at the first node and now and then after it, by one thread at a time: nodes so far, and what no member
 * undercuts. Returns false to stop. */
typedef bool coset_observer(void *context, uint64_t nodes, uint32_t bound);

struct coset_search {
    const struct coset_plan *plan;
    const uint16_t *cost; /* length * modulus: of entry j with value v at [j * modulus + v]; their sum is below 2^16 */
    uint32_t most;        /* members that cost more do not count; below 2^16 */
    unsigned threads;
    coset_observer *observe; /* may be NULL */
    void *context;
};

struct coset_answer {
    uint32_t cost;  /* COSET_NONE where all cost more than `most` */
    uint32_t bound; /* nothing costs less: the cost, most + 1, or how far an interrupted search got */
    uint64_t nodes;
};

#define COSET_NONE UINT32_MAX

/* Finds a cheapest member, the same one for any number of threads, and writes it to member[length]. Errors:
 * PDB_NO_MEMORY, PDB_INTERRUPTED (the answer's bound and nodes are right). */
pdb_status coset_cheapest(const struct coset_search *search, uint8_t *member, struct coset_answer *answer,
                          pdb_error *error);

/* Takes a member; returns PDB_OK to be given more. */
typedef pdb_status coset_visitor(void *context, const uint8_t *member, pdb_error *error);

/* Visits all members that cost `most` and no less, given that none costs less, each once, on one thread. Stops at, and
 * returns, the first status of the visitor that is not PDB_OK. Errors besides: PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status coset_visit(const struct coset_search *search, coset_visitor *visit, void *context, pdb_error *error);

#endif
