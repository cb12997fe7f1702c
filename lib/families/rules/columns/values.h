/* values.h -- what a program computes: the nodes of a dag that it needs, made fit for lanes of 8, 16 or 32 bits
 *
 * A value is a column of numbers, or a mask: 0 or -1 in lanes of 8 bits. Equal values are one. In a lane, the least
 * number of its width stands for RULES_NONE, so that EQUAL, MAX and SELECT need not know of it.
 */
#ifndef FAMILIES_RULES_VALUES_H
#define FAMILIES_RULES_VALUES_H

#include "lib/families/rules/rules.h"

enum value_op {
    VALUE_NUMBER,  /* number */
    VALUE_ELEMENT, /* number: which */
    VALUE_READ,    /* of b columns, those in the list after part c, which is a, the number of it; none beyond */
    VALUE_PICK,    /* READ of elements that stand in the key one after another: number .. number + b - 1 */
    VALUE_LOOKUP,  /* of b constants from `number` of the pool on, number a; none beyond them */
    VALUE_WIDEN,   /* a in wider lanes */
    VALUE_COUNTED, /* 1 where mask a holds, else 0 */
    VALUE_NEGATE,
    VALUE_ABS,
    VALUE_ADD,
    VALUE_SUBTRACT,
    VALUE_MULTIPLY,
    VALUE_DIVIDE,
    VALUE_REMAINDER,
    VALUE_MIN,
    VALUE_MAX,
    VALUE_SELECT, /* b where mask a holds, else c */
    /* masks */
    VALUE_EQUAL,
    VALUE_LESS,
    VALUE_LESS_EQUAL,
    VALUE_NOT,
    VALUE_AND,
    VALUE_AND_NOT, /* a and not b */
    VALUE_OR,
    VALUE_OPS
};

struct value {
    uint8_t op;
    uint8_t width; /* bytes of a lane: 1, 2 or 4 */
    bool mask;
    bool none; /* may be */
    int32_t number;
    uint32_t a, b, c;
    int32_t lo, hi;    /* of the numbers that it may be */
    uint32_t function; /* which function of one element it is, + 1; 0: that is not known */
};

/* What a value is for each value of an element. */
struct function {
    uint32_t element, value;
    bool mask;
    int32_t *number;
};

struct values {
    const struct rules *rules;
    struct value *value;
    size_t count, room;
    uint32_t *bucket; /* of the hash: value numbers + 1 */
    size_t buckets;
    uint32_t *list; /* columns of READs */
    size_t listed, list_room;
    int32_t *pool; /* of LOOKUPs: the dag's constants, and more */
    size_t pooled, pool_room;
    struct function *function;
    size_t functions, function_room, folding; /* folding: how much work it was */
    uint32_t *of_node;                        /* the value of each node of the dag, + 1; 0: none yet */
    bool short_of_memory;
};

#define NO_VALUE UINT32_MAX

bool values_make(const struct rules *rules, struct values *values);
void values_free(struct values *values);

/* Each returns a value's number. Where memory is short they set `short_of_memory`, and what they return is of no use
 * but does no harm. */
uint32_t value_number(struct values *values, int32_t number);
uint32_t value_mask(struct values *values, bool holds);
uint32_t value_element(struct values *values, uint32_t element);
uint32_t value_read(struct values *values, uint32_t first, uint32_t count, uint32_t index);
uint32_t value_not(struct values *values, uint32_t a);
uint32_t value_and(struct values *values, uint32_t a, uint32_t b);
uint32_t value_or(struct values *values, uint32_t a, uint32_t b);
uint32_t value_equal(struct values *values, uint32_t a, uint32_t b);
uint32_t value_select(struct values *values, uint32_t mask, uint32_t b, uint32_t c);
uint32_t value_subtract(struct values *values, uint32_t a, uint32_t b);

uint32_t value_lookup(struct values *values, const struct dag_node *node, uint32_t index);
uint32_t value_compare(struct values *values, enum value_op op, uint32_t a, uint32_t b);
/* An operation on numbers of one width, which has room for what comes out: its parts are widened to it. */
uint32_t value_operation(struct values *values, struct value value);
/* A mask as a column of numbers; a column as a mask: is it a number other than 0? */
uint32_t value_counted(struct values *values, uint32_t a);
uint32_t value_truth(struct values *values, uint32_t a);

/* A node of the dag as a column of numbers; as a condition. */
uint32_t value_of(struct values *values, uint32_t node);
uint32_t value_holds(struct values *values, uint32_t node);

/* A value's operands: at most three, but for READ; returns how many, and *operand is theirs. */
size_t value_operands(const struct values *values, const struct value *value, uint32_t room[3],
                      const uint32_t **operand);

/* Of a value that is not there yet: true, and a simpler one that is the same, where there is one (fold.c). Else it may
 * have become simpler itself. */
bool value_fold(struct values *values, struct value *value, uint32_t *number);

#endif
