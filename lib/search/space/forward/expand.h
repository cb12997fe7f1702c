/* expand.h -- runs of states, each with where its moves lead and what they cost
 *
 * A state has a *place*: its dense index; or, where states have keys, the number that stands beside its key in the
 * table that they were found in, or its key's place in the set of bits, or, where that has few gaps, the key itself.
 * Those are complete and do not change any more.
 */
#ifndef SEARCH_SPACE_FORWARD_EXPAND_H
#define SEARCH_SPACE_FORWARD_EXPAND_H

#include "lib/puzzle.h"
#include "lib/rank/key_bits.h"
#include "lib/search/space/sparse/key_table.h"

enum {
    RUN_MAX = 1024 /* states that a family is asked for at once, at most */
};

/* What a thread works with: a run of states, and their moves one after another. */
struct desk {
    size_t states, moves;
    uint64_t index[RUN_MAX], place[RUN_MAX]; /* of each state: what its family calls it, and its place */
    bool goal[RUN_MAX];
    uint16_t next_count[RUN_MAX];
    uint64_t *next; /* the places that the moves lead to */
    uint32_t *cost; /* NULL: 1 each */
};

/* Where the places of states are. */
struct places {
    const struct key_table *table; /* beside their keys, plus one, in four bytes */
    const struct key_bits *bits;   /* or they are those of their keys here; neither: they are indices, */
    const struct key_bits *among;  /* but only these are states; NULL: all are */
    uint64_t count;
};

struct expander {
    const struct puzzle *puzzle;
    struct places places;
    size_t run; /* places that are worked on together */
    unsigned threads;
    struct desk *desk; /* of each thread */
};

/* Bytes that the desks take. */
uint64_t expander_bytes(const struct puzzle *puzzle, unsigned threads);

/* False where memory is short; expander_free in any case. */
bool expander_create(struct expander *expander, const struct puzzle *puzzle, const struct places *places,
                     unsigned threads);
void expander_free(struct expander *expander);

/* Are indices places, and all of them states? */
static inline bool expander_is_dense(const struct expander *expander)
{
    return expander->places.table == NULL && expander->places.bits == NULL && expander->places.among == NULL;
}

/* How many runs all places are. */
uint64_t expander_runs(const struct expander *expander);

/* The states of a run of places come onto the desk. */
void expander_take(const struct expander *expander, struct desk *desk, uint64_t run);

/* And their moves. */
void expander_expand(const struct expander *expander, struct desk *desk);

#endif
