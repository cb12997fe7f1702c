/* plain.h -- the value of a term in one state, worked out by walking it */
#ifndef FAMILIES_RULES_PLAIN_H
#define FAMILIES_RULES_PLAIN_H

#include "lib/families/rules/rules.h"

/* What a term's value depends on, besides the definition. */
struct plain {
    const struct rules *rules;
    const int32_t *state; /* NULL: there is none, and no variable is asked for */
    int32_t slot[TERM_MAX_SLOTS];
    uint64_t work; /* terms gone through */
    bool beyond;   /* set where a value was more than VALUE_MOST from 0: then the result means nothing */
};

int32_t plain_value(struct plain *plain, uint32_t number);

/* Does it hold: is it a number other than 0? */
static inline bool plain_holds(struct plain *plain, uint32_t term)
{
    const int32_t value = plain_value(plain, term);
    return value != 0 && value != RULES_NONE;
}

/* Does `keep` hold in a state? */
bool plain_keeps(const struct rules *rules, const int32_t *state);

/* The element that a variable and its indices stand for: terms, or NO_TERM. False where there is none. */
bool plain_element(struct plain *plain, uint32_t variable, const uint32_t index[2], uint32_t *element);

#endif
