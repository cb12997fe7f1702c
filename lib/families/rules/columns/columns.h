/* columns.h -- a program as it runs: instructions over columns, and what is made of masks and columns
 *
 * A column is a run of `lanes` numbers of 1, 2 or 4 bytes, one a state of the batch. All columns stand in one run of
 * memory; where each begins is told in bytes a lane, so that a program does for any number of lanes.
 */
#ifndef FAMILIES_RULES_COLUMNS_H
#define FAMILIES_RULES_COLUMNS_H

#include "program.h"
#include "values.h"

/* What instructions do besides what is in enum value_op. */
enum {
    STEP_HOLDS = VALUE_OPS, /* move `number` holds where mask a does */
    STEP_SKIP,              /* where move `number` holds nowhere, passes over the next `to` instructions */
    STEP_MOVE,              /* makes the next keys of move `number` */
    STEP_GOAL,              /* mask a says where the goal holds */
    STEP_COUNTED            /* all moves are known to hold or not */
};

struct instruction {
    uint8_t op, width, from; /* from: the width of the operand of WIDEN */
    bool none;
    int32_t number;
    uint32_t to, a, b, c; /* columns; READ: c is where its list begins; LOOKUP: b is its table */
};

/* Where an element stands in a key: (key >> shift) & mask, or key / gap % range when those below are divided off. */
struct unpacked {
    uint32_t to, element;
    uint8_t width, shift, word;
    uint64_t mask, gap;
    int32_t lo, range;
};

struct code {
    struct instruction *instruction;
    size_t count, room;
    struct unpacked *unpacked; /* in the order of their weights */
    size_t elements, element_room;
    uint32_t *list; /* columns of READs */
    size_t listed, list_room;
    uint32_t bytes; /* of columns, a lane */
    size_t lanes;   /* of a batch, a multiple of 64 */
};

/* A column's share of the next key. */
struct move_term {
    uint32_t column; /* a value, before columns are given out */
    uint8_t width, word;
    uint64_t weight;
};

/* An assignment with an index: the difference times the weight of element first + index. */
struct move_indexed {
    uint32_t difference, index;
    uint8_t difference_width, index_width;
    uint32_t first, count;
};

/* The next key is (key & keep) + add + the terms; of wide keys each word is. */
struct program_move {
    uint64_t keep[2], add[2];
    uint32_t first_term, terms, first_indexed, indexed;
    uint32_t condition; /* a value */
    struct move_term cost;
};

/* The numbers of a LOOKUP, as lanes of its width: of one byte all 256, of others `count`. */
struct lookup_table {
    uint32_t first, count;
    uint8_t width;
    void *lane;
};

struct program {
    const struct rules *rules;
    struct program_move *move;
    size_t moves;
    struct move_term *term;
    size_t terms, term_room;
    struct move_indexed *indexed;
    size_t indexed_count, indexed_room;
    struct lookup_table *table;
    size_t tables;
    struct code successors, goal;
    bool avx2;
};

/* -- made in this order -- */

/* The moves that may hold, their conditions (which hold where the state also changes), and what they add. */
bool program_moves(struct program *program, struct values *values);
/* Conditions that have parts in common share them. */
bool program_share(struct program *program, struct values *values);
/* Instructions and columns: of the moves where `goal` is NO_VALUE, else of that mask. */
bool program_schedule(struct program *program, struct values *values, uint32_t goal, struct code *code);

/* -- as it runs -- */

enum { BATCH_WORD = 64 };

/* A batch on its way. */
struct batch {
    const struct program *program;
    const struct code *code;
    size_t lanes, count; /* lanes: a multiple of BATCH_WORD; the first `count` have states */
    /* Of all lanes; of wide keys the upper words of all lanes, and then the lower ones. So in `rest`: of keys that are
     * sums of products what is not divided off yet; then: next keys on their way. */
    const uint64_t *key;
    uint8_t *column;
    uint64_t *rest;
    uint64_t *holds;  /* of each move, a bit a lane */
    uint16_t *listed; /* the lanes where a move holds */
    uint8_t *few;     /* of moves that hold, a lane: what is not in next_count yet */
    uint32_t *place;  /* of the next key of each lane */
    /* what comes out */
    uint64_t *next; /* of wide keys both words, one after another */
    uint32_t *cost; /* NULL: they are not asked for */
    uint32_t *move; /* the number of each next key's move; NULL */
    uint16_t *next_count;
    size_t made;
    bool *goal;
};

/* Runs the code on a batch. */
void columns_run(struct batch *batch);

static inline void *batch_column(const struct batch *batch, uint32_t column)
{
    return batch->column + column * batch->lanes;
}

#endif
