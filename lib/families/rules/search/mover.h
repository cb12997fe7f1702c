/* mover.h -- moves out of a single state, by the graph of values (dag.h), for states of any size
 *
 * A *packed* state is an array of 64-bit words in which every element has bits of its own; none lies across two words.
 */
#ifndef FAMILIES_RULES_MOVER_H
#define FAMILIES_RULES_MOVER_H

#include "lib/families/rules/rules.h"
#include "met.h"

/* Where an element lies in a packed state. */
struct mover_field {
    uint16_t word;
    uint8_t shift;
    uint64_t mask; /* before it is shifted */
    int32_t lo;
};

/* Never changes once made. */
struct mover {
    const struct rules *rules;
    unsigned words; /* of a packed state, at least 1 */
    struct mover_field *field;
    uint32_t *node; /* those that moves and the goal need, but for numbers, in their order */
    size_t nodes;
    size_t most_moves; /* no state has more */
};

/* What one thread expands with. */
struct moving {
    const struct mover *mover;
    int32_t *value; /* of each node of the graph */
    int32_t *state; /* the one that was expanded last */
    uint64_t *next; /* packed: where its moves lead, */
    uint32_t *cost; /* what they cost, */
    size_t count;   /* how many there are */
    uint64_t *from; /* packed: one of those that free moves lead to */
    bool goal;      /* does the goal hold in it? */
    /* where some moves are free (free.h): the states that those lead to, and the others with move and cost */
    struct met near, paid;
};

/* Both: PDB_NO_MEMORY. To be freed in any case, also where they were only zeroed. */
pdb_status mover_make(const struct rules *rules, struct mover *mover, pdb_error *error);
void mover_free(struct mover *mover);
pdb_status moving_make(const struct mover *mover, struct moving *moving, pdb_error *error);
void moving_free(struct moving *moving);

/* Finds the successors of a packed state, one for every move that changes it. Where moves are free it is taken for all
 * states that they lead to; of several ways to a state at the same cost by the same move one counts. False where memory
 * is short. */
bool moving_expand(struct moving *moving, const uint64_t *packed);

void mover_pack(const struct mover *mover, const int32_t *state, uint64_t *packed);
void mover_unpack(const struct mover *mover, const uint64_t *packed, int32_t *state);

static inline const uint64_t *moving_next(const struct moving *moving, size_t move)
{
    return moving->next + move * moving->mover->words;
}

#endif
