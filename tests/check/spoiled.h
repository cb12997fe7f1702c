/* spoiled.h -- a puzzle that is another one but for one fault, which the checker of the contract should find */
#ifndef TESTS_CHECK_SPOILED_H
#define TESTS_CHECK_SPOILED_H

#include "lib/check/check.h"

/* What is done to which state. */
struct fault {
    enum {
        SOUND,
        SUCCESSOR_WRONG,   /* the last successor is another state */
        SUCCESSOR_MISSING, /* the last one is not given */
        SUCCESSOR_TWICE,   /* the last one is given again */
        SUCCESSOR_OUTSIDE, /* the last one is no state */
        TOTAL_WRONG,
        PREDECESSOR_WRONG,
        PREDECESSOR_MISSING,
        PACKED_MISSING, /* the last predecessor is not given of its packed key */
        PACKED_NEXT,    /* its packed key is another state's */
        COLOUR_SAME,    /* the other colour than it should have */
        COLOUR_TWO,
        RANK_NEXT, /* one more than it should be */
        RANK_NONE,
        UNRANK_SYMBOL, /* a symbol that there is not */
        UNRANK_ORDER,  /* the position of another index */
        CHECK_REFUSES,
        MOVE_UNNAMED,
        MOVE_MISSING,
        MOVE_ELSEWHERE, /* leads to the position it comes from */
        GOAL_MISSING,
        GOAL_TWICE,
        GOAL_EXTRA, /* visits this state too */
        GOAL_OUTSIDE,
        GOAL_DENIED,  /* is_goal says no */
        GOAL_CLAIMED, /* is_goal says yes */
        WEIGHT_MORE,
        IMAGE_WRONG, /* every image is the board itself */
        BOUND_OTHER, /* spoiled_bound */
        BOUND_GOALS  /* 1 for goals */
    } kind;
    uint64_t at;
};

/* What BOUND_OTHER gives. */
extern uint16_t spoiled_bound;

/* Checks the base with the fault; what is said of it is in *error, "" for nothing. */
pdb_status check_spoiled(struct puzzle *base, struct fault fault, const struct check_limits *limits, pdb_error *error);

#endif
