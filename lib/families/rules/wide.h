/* wide.h -- states with wide keys (rules.h): the contract's functions on them */
#ifndef FAMILIES_RULES_WIDE_H
#define FAMILIES_RULES_WIDE_H

#include "rules.h"

/* Once program and symmetries are made. */
struct wide_functions wide_functions_of(const struct rules *rules);

#endif
