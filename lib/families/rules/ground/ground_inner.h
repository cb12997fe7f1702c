/* ground_inner.h -- parts of the grounding to one another */
#ifndef FAMILIES_RULES_GROUND_INNER_H
#define FAMILIES_RULES_GROUND_INNER_H

#include "ground.h"

/* What was seen of a term so far. What was met, and was wrong each time, is a mistake. */
enum { TERM_MET = 1, TERM_RIGHT = 2 };

/* Terms that are gone through in all. */
enum { GROUND_WORK_MOST = 1 << 24 };

struct grounding {
    struct rules *rules;
    struct dag *dag;
    uint32_t slot[TERM_MAX_SLOTS]; /* its node; NO_NODE: a let that nobody has asked for yet */
    uint32_t let[TERM_MAX_SLOTS];  /* its term */
    uint8_t *seen;                 /* of each term */
    bool outside;                  /* was the index of the last table outside its set? */
    uint8_t *assigned;             /* of each assignment's value: is it one that the variable may have? */
    uint64_t work;                 /* terms gone through */
    uint32_t beyond;               /* the first term that may be too large; NO_TERM */
    /* the assignments after which a value is asked for; NULL: variables have their values before the move */
    const struct ground_assignment *after;
    size_t afters;
};

/* The node of a term. What goes wrong is noted, and the node means nothing then. */
uint32_t ground_term(struct grounding *grounding, uint32_t number_of);

/* That of a term of kind TERM_LAST (ground_last.c). */
uint32_t ground_last(struct grounding *grounding, const struct term *term);

/* The node of a move's cost, never none. `cost` is a term, or NO_TERM; `condition` is the node that says when the
 * move applies. Errors: PDB_BAD_DEFINITION: there the cost may be none, or below 0. */
pdb_status ground_cost(struct grounding *grounding, uint32_t cost, uint32_t condition, uint32_t *node,
                       pdb_error *error);

static inline bool ground_has_failed(const struct grounding *grounding)
{
    return grounding->dag->no_memory || grounding->dag->too_many || grounding->beyond != NO_TERM;
}

/* The node for which of a set's members a value is: 0, 1, ..; outside that where it is none of them. *inside is a node
 * that says whether it is one. */
uint32_t ground_position(struct grounding *grounding, uint32_t set, uint32_t value, uint32_t *inside);

/* The value of element number `place` of a variable's, where `after` are made. */
uint32_t ground_element(struct grounding *grounding, const struct rules_variable *variable, uint32_t place);

/* Is a value one of a set's? */
uint32_t ground_member(struct grounding *grounding, uint32_t set, uint32_t value);

#endif
