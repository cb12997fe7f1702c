/* random_rules.h -- definitions at random: elements, a graph of nodes whose ranges are right, and moves */
#ifndef TESTS_FAMILIES_RULES_RANDOM_RULES_H
#define TESTS_FAMILIES_RULES_RANDOM_RULES_H

#include "oracle.h"

enum { NODES_MAX = 4000, MOVES_MAX = 300, ASSIGNMENTS_MAX = 2000, CONSTANTS_MAX = 600 };

/* Room for one: `rules` points into the rest. */
struct random_rules {
    struct rules *rules;
    struct rules_element element[ELEMENTS_MAX];
    struct dag_node node[NODES_MAX + MOVES_MAX];
    int32_t constant[CONSTANTS_MAX];
    struct ground_move move[MOVES_MAX];
    struct ground_assignment assignment[ASSIGNMENTS_MAX];
};

/* Fills made->rules, which the caller has. */
void random_rules(uint64_t *random, struct random_rules *made);

#endif
