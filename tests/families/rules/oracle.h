/* oracle.h -- the nodes and the moves of a definition the obvious way: one state and one node at a time */
#ifndef TESTS_FAMILIES_RULES_ORACLE_H
#define TESTS_FAMILIES_RULES_ORACLE_H

#include "lib/families/rules/rules.h"

enum { ELEMENTS_MAX = 40 };

bool oracle_rules_holds(int64_t value);
/* One of the operators from DAG_NEGATE to DAG_MAX. */
int64_t oracle_rules_arithmetic(uint8_t op, int64_t a, int64_t b);

/* The value of a node whose parts are known. */
int64_t oracle_rules_value(const struct rules *rules, const int32_t *state, const int64_t *value, uint32_t n);

uint64_t oracle_rules_key(const struct rules *rules, const int32_t *state);

/* Makes a move of a state of ELEMENTS_MAX elements; false where there is none. */
bool oracle_rules_move(const struct rules *rules, const struct ground_move *ground, const int64_t *value,
                       int32_t *state);

#endif
