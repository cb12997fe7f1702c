/* term.h -- an expression, as it was written: a tree of terms
 *
 * Terms are numbered; a term's parts are terms with smaller numbers. Names are resolved when the text is read: a
 * constant is a number, a parameter, let or loop variable is a *slot*, whose value the reader of the tree keeps.
 */
#ifndef FAMILIES_RULES_TERM_H
#define FAMILIES_RULES_TERM_H

#include "lib/definition/definition.h"

#include <limits.h>

#define NO_TERM UINT32_MAX

/* What is not there. */
#define RULES_NONE INT32_MIN

enum {
    VALUE_MOST = 1000000000, /* a value is no further from 0 */
    TERM_MAX_SLOTS = 32,
    TERM_MOST_DEPTH = 1000, /* so that every walk down a tree has room on the stack */
    TERM_MOST_STEPS = 256   /* of TERM_LAST: what goes on for longer is none */
};

enum term_kind {
    TERM_NUMBER,   /* value: a constant, or RULES_NONE */
    TERM_SLOT,     /* value: the slot */
    TERM_VARIABLE, /* value: which variable; a, b: its indices, or NO_TERM */
    TERM_TABLE,    /* value: which table; a, b: its indices, or NO_TERM */
    TERM_NOT,
    TERM_NEGATE,
    TERM_ABS,
    TERM_ADD,
    TERM_SUBTRACT,
    TERM_MULTIPLY,
    TERM_DIVIDE, /* rounds down */
    TERM_REMAINDER,
    TERM_EQUAL,
    TERM_UNEQUAL,
    TERM_LESS,
    TERM_LESS_EQUAL,
    TERM_AND,
    TERM_OR,
    TERM_MIN, /* of two; passes over what is none */
    TERM_MAX,
    TERM_SELECT, /* b where a holds, else c */
    TERM_MEMBER, /* is a in set `value`? */
    /* over the members of set `value`, in `slot`: a is what is taken together, b the condition or NO_TERM */
    TERM_ALL,
    TERM_ANY,
    TERM_SUM,
    TERM_COUNT,
    TERM_LEAST,
    TERM_GREATEST,
    TERM_LAST /* from c on, in `slot`: a of what was before, while b holds (or NO_TERM) and a is not none */
};

struct term {
    enum term_kind kind;
    uint8_t slot;
    uint16_t depth; /* of terms in one another, this one included */
    int32_t value;
    uint32_t a, b, c;
    const struct node *node; /* where it was written: only while the definition is there */
    uint32_t offset;
    uint32_t same; /* the first term of the same text: itself, but in the condition of a repeated assignment */
};

struct terms {
    struct term *term;
    size_t count, room;
};

#endif
