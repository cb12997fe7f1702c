/* retrograde_inner.h -- the search: what its parts share */
#ifndef SEARCH_SPACE_RETROGRADE_INNER_H
#define SEARCH_SPACE_RETROGRADE_INNER_H

#include "exact.h"
#include "retrograde_state.h"

enum { FEW_CHUNKS = 8, BATCH_MAX = 512, BATCH_ROOM = 1 << 16 };

/* Buffers of one thread: a batch of states and their neighbours. */
struct worker {
    uint64_t *state, *next;
    uint16_t *number; /* of each state: its neighbours, or its weight */
};

struct layers;

struct retrograde {
    struct layers *layers; /* a search by the family's kernel: it does all, and of what follows nothing is used but
                              puzzle, way and threads */
    const struct puzzle *puzzle;
    enum retrograde_way way;
    unsigned threads;
    uint64_t words, chunks;
    uint64_t limit;            /* of memory, in bytes */
    uint64_t *bitmaps;         /* all of them, one behind the other; NULL where there is an array of distances */
    uint64_t *frontier, *next; /* the first two; packed distances take their place at the end */
    uint64_t *visited;
    uint64_t *low, *high;      /* planes of the residue; `high` NULL where one plane is enough */
    struct exact exact;        /* in place of bitmaps */
    uint8_t *active, *touched; /* chunks with frontier; chunks of the next layer with news */
    struct worker *workers;
    struct search_state *state;
    uint64_t *hardest;
};

/* States in a batch: fewer where each may have many neighbours. */
static inline size_t batch_size(const struct puzzle *puzzle)
{
    const size_t size = BATCH_ROOM / (puzzle->max_moves + 1u);
    return size > BATCH_MAX ? BATCH_MAX : size > 0 ? size : 1;
}

/* Does the family find all distances at once? They are in the array then. */
static inline bool goes_at_once(const struct puzzle *puzzle, enum retrograde_way way)
{
    return puzzle->at_once && way != RETROGRADE_STATES;
}

/* The deepest layer that there is room for. */
static inline uint64_t deepest_layer(const struct retrograde *search)
{
    return search->bitmaps != NULL ? HISTOGRAM_ROOM - 1 : exact_max(&search->exact);
}

/* Which states of a word are in the frontier; have been visited. */
static inline uint64_t frontier_word(const struct retrograde *search, uint64_t word)
{
    return search->bitmaps != NULL ? search->frontier[word] : exact_word(&search->exact, word, search->state->depth);
}

static inline uint64_t visited_word(const struct retrograde *search, uint64_t word)
{
    return search->bitmaps != NULL ? search->visited[word] : exact_visited(&search->exact, word);
}

/* The bits of a word that stand for states: all but those past the last one. */
static inline uint64_t states_of_word(const struct retrograde *search, uint64_t word)
{
    const uint64_t states = search->puzzle->states, first = 64 * word;
    return first + 64 <= states ? UINT64_MAX : first >= states ? 0 : ((uint64_t)1 << (states - first)) - 1;
}

/* -- retrograde_expand.c -- */

/* Puts those of `count` states that are new into the next layer, at depth `depth`; changes the list. */
void retrograde_put(struct retrograde *search, uint64_t *state, size_t count, uint64_t depth);

/* Puts all that is one move before the frontier into the next layer. PDB_INTERRUPTED: nothing of it stays. */
pdb_status retrograde_expand(struct retrograde *search, retrograde_observer *observer, void *context, bool *empty,
                             pdb_error *error);

/* Makes the next layer, which is not empty, the frontier at depth `depth`: visited, residues, figures. */
void retrograde_take(struct retrograde *search, uint64_t depth);

/* Forgets an unfinished next layer. */
void retrograde_drop(struct retrograde *search);

#endif
