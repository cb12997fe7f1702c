/* met.h -- the states that a search has met: each once, with the least cost of a way to it, and which are open
 *
 * States are numbered in the order in which they were met. An *open* one waits to be expanded; the queue gives the one
 * of the least priority. All of it is within a number of bytes.
 */
#ifndef FAMILIES_RULES_MET_H
#define FAMILIES_RULES_MET_H

#include "lib/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MET_NONE UINT32_MAX

struct met {
    unsigned words;             /* of a state */
    uint32_t count, room, most; /* there are, fit in the arrays as they are, may be */
    uint64_t *word;
    uint32_t *cost;   /* of the cheapest way to each that is known, */
    uint32_t *parent; /* and the state before it on that; MET_NONE of the first */
    bool *closed;     /* it was taken from the queue, and no cheaper way to it was found since */
    uint32_t *slot;   /* of the hash: numbers + 1 */
    uint64_t slots;
    struct met_entry {
        uint32_t priority, state;
    } * heap;
    size_t queued, queue_room;
};

/* No states so far. `extra`: bytes for each state that the caller takes himself. Errors: PDB_TOO_LARGE (no room for
 * some states), PDB_NO_MEMORY. met_free in any case, also where it was only zeroed. */
pdb_status met_make(struct met *states, unsigned words, uint64_t memory, size_t extra, pdb_error *error);
void met_free(struct met *states);
void met_clear(struct met *states);

static inline const uint64_t *met_at(const struct met *states, uint32_t state)
{
    return states->word + (size_t)state * states->words;
}

uint64_t met_hash(const uint64_t *packed, unsigned words);

/* The number of a state; MET_NONE where it was not met. */
uint32_t met_find(const struct met *states, const uint64_t *packed);

/* Is there room to meet and to open so many more? To be asked before that is done. */
bool met_have_room(struct met *states, size_t more);

enum met_how { MET_NEW, MET_CHEAPER, MET_SAME, MET_DEARER };

/* Meets a state by a way of this cost: notes it where it is new or the way cheaper than all before. *state is its
 * number. */
enum met_how met_meet(struct met *states, const uint64_t *packed, uint32_t cost, uint32_t parent, uint32_t *state);

void met_open(struct met *states, uint32_t state, uint32_t priority);
/* Gives every open state this priority; MET_NONE: it is no longer open. */
typedef uint32_t met_priority(void *context, uint64_t cost, const uint64_t *packed);
void met_rank(struct met *states, met_priority *priority, void *context);
/* Closes the open state of the least priority, of several the one that was met last; MET_NONE where there is none.
 */
uint32_t met_close(struct met *states, uint32_t *priority);
/* That priority; MET_NONE where no state is open. */
uint32_t met_least(struct met *states);

#endif
