/*
 * A puzzle of the family express with its values worked out, and what it says when it is asked.
 */
#ifndef TESTS_ITEMS_EXPRESS_VALUES_H
#define TESTS_ITEMS_EXPRESS_VALUES_H

#include "items/items.h"
#include "tests/support/support.h"

enum { PLENTY = 1 << 30 };

struct values_made {
    struct items_puzzle *puzzle;
    const struct items_family *family;
    struct items items;
};

/* Of a definition's text, or of a built-in name. The test fails where something goes wrong; the caller frees with
 * forget_values. */
struct values_made make_values(const char *yaml);
struct values_made built_in_values(const char *name);
void forget_values(struct values_made *made);

/* The reply to a question that makes sense; the caller clears it. */
pdb_reply ask_value(const struct values_made *made, const char *question, unsigned want);

#endif
