/* states.h -- the searches that look at one state after another, and the one that finds all distances at once: what
 * their parts share
 *
 * Their states lie in one of two forms: in bitmaps, where moves can be undone, or in an array of distances (exact.h).
 * The functions below tell the one from the other, so that the search itself need not. Either is cut into chunks, with
 * a byte each that says whether the frontier, or the next layer, has any state there. Thin layers are lists instead.
 */
#ifndef SEARCH_SPACE_STATES_H
#define SEARCH_SPACE_STATES_H

#include "exact.h"
#include "retrograde_inner.h"

enum {
    BATCH_MAX = 512,
    BATCH_ROOM = 1 << 16,
    THIN_ROOM = 1 << 15, /* states of a list: the neighbours of a thin layer */
    CHUNK_STATES = 64 * RETROGRADE_CHUNK
};

/* Buffers of one thread: a batch of states and their neighbours. */
struct worker {
    uint64_t *state, *next;
    uint16_t *number; /* of each state: its neighbours, or its weight */
};

struct states {
    struct retrograde search;
    uint64_t words, chunks;
    uint64_t *bitmaps;         /* all of them, one behind the other; NULL where there is an array of distances */
    uint64_t *frontier, *next; /* the first two; packed distances take their place at the end */
    uint64_t *visited;
    uint64_t *low, *high;      /* planes of the residue; `high` NULL where one plane is enough */
    struct exact exact;        /* in place of bitmaps */
    void *scratch;             /* at once: the family's */
    uint8_t *memory;           /* of the buffers below */
    uint8_t *active, *touched; /* chunks with frontier; chunks of the next layer with news */
    struct worker *workers;
    bool shared; /* several threads work on the next layer */
    bool thin;   /* the frontier is a list, of `listed` states, and so is the next layer, of `found` */
    uint64_t *list, *next_list;
    size_t listed, found;
    uint64_t *hardest;
};

/* States in a batch: fewer where each may have many neighbours. */
static inline size_t batch_size(const struct puzzle *puzzle)
{
    const size_t size = BATCH_ROOM / (puzzle->max_moves + 1u);
    return size > BATCH_MAX ? BATCH_MAX : size > 0 ? size : 1;
}

/* Which states of a word are in the frontier; in the next layer, at this depth; have been visited. */
static inline uint64_t frontier_word(const struct states *states, uint64_t word)
{
    return states->bitmaps != NULL ? states->frontier[word]
                                   : exact_word(&states->exact, word, states->search.state->depth);
}

static inline uint64_t next_word(const struct states *states, uint64_t word, uint64_t depth)
{
    return states->bitmaps != NULL ? states->next[word] : exact_word(&states->exact, word, depth);
}

static inline uint64_t visited_word(const struct states *states, uint64_t word)
{
    return states->bitmaps != NULL ? states->visited[word] : exact_visited(&states->exact, word);
}

/* Is a state in the frontier? */
static inline bool in_frontier(const struct states *states, uint64_t state)
{
    return states->bitmaps != NULL ? states->frontier[state / 64] >> state % 64 & 1
                                   : exact_get(&states->exact, state) == states->search.state->depth;
}

/* The bits of a word that stand for states: all but those past the last one. */
static inline uint64_t states_of_word(const struct states *states, uint64_t word)
{
    const uint64_t all = states->search.puzzle->states, first = 64 * word;
    return first + 64 <= all ? UINT64_MAX : first >= all ? 0 : ((uint64_t)1 << (all - first)) - 1;
}

/* States of a word, not visited so far, get this distance: they are visited, and in the planes whose bits its residue
 * has. For bitmaps. */
static inline void mark_states(struct states *states, uint64_t word, uint64_t bits, uint64_t depth)
{
    const unsigned residue = states->high == NULL ? depth >> 1 & 1 : (unsigned)(depth % 3);
    states->visited[word] |= bits;
    if (residue & 1)
        states->low[word] |= bits;
    if (residue & 2) /* NOLINTNEXTLINE(*NullDereference): without `high` the residue is 0 or 1 */
        states->high[word] |= bits;
}

/* -- states_expand.c -- */

/* Puts those of `count` states that are new into the next layer, at depth `depth`; changes the list. */
void states_put(struct states *states, uint64_t *state, size_t count, uint64_t depth);

/* Puts all that is one move before the frontier into the next layer. PDB_INTERRUPTED: nothing of it stays. */
pdb_status states_expand(struct states *states, struct watch *watch, bool *empty);

/* The boards that some states stand for, as many as a batch; and what is noted of a layer. */
uint64_t states_weigh(const struct states *states, const struct worker *worker, const uint64_t *state, size_t count);
void states_note(struct states *states, uint64_t depth, uint64_t indices, uint64_t boards);

/* Makes the next layer the frontier at depth `depth`: visited, residues, figures. */
void states_take(struct states *states, uint64_t depth);

/* Forgets an unfinished next layer. */
void states_drop(struct states *states);

/* -- states_thin.c -- */

/* Makes the frontier a list, if it is thin; and makes it none, whatever it is. */
void states_list(struct states *states);
void states_spread(struct states *states);

/* The same as states_expand and states_take, for a frontier that is a list. */
pdb_status states_push(struct states *states, struct watch *watch, bool *empty);
void states_take_list(struct states *states, uint64_t depth);

#endif
