/* below.c -- iterative deepening below the states that are open when the memory is full
 *
 * A round looks for a solution that costs no more than its limit, depth first below each open state, and notes the
 * least cost above the limit that it passed over: the next limit, for no solution is cheaper. (R. E. Korf,
 * "Depth-first iterative-deepening", 1985.) A state is passed over as well
 *   - where `states` has a way to it that costs no more: what follows it is known or open, or it is open itself;
 *   - where the table has it, of this round and with no less left: it has room for so many states, of which those
 *     with the least left go first.
 * So a round enters every state on some cheapest way, unless it was passed over for one as cheap: of all states
 * on ways within the limit that were not entered take one with the least distance, which its own successor on a
 * cheapest way contradicts, for every move costs something (compare the theorem in lib/search/board/ida_below.c).
 */
#include "search.h"
#include "lib/memory/array.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS = 4 };

/* Rows of words: a packed state, what was left of the limit (upper half) and the round (lower half; 0: a free row). */
struct table {
    uint64_t *word;
    uint64_t buckets;
};

/* States that wait: a packed state, its cost (upper half) and its depth (lower half) each. */
struct waiting {
    uint64_t *word;
    size_t count, room;
};

struct below {
    struct rules_search *search;
    unsigned words; /* of a state */
    struct table table;
    struct waiting waiting;
    uint64_t *way; /* the state at each depth below the root */
    size_t way_room;
    uint32_t *root;
    size_t roots;
    uint32_t round, limit, next_limit;
};

/* -- the table -- */

static pdb_status make_table(struct below *below, uint64_t memory, pdb_error *error)
{
    const uint64_t bucket = WAYS * (below->words + 1) * sizeof(uint64_t);
    below->table.buckets = 1;
    while (2 * below->table.buckets * bucket <= memory)
        below->table.buckets *= 2;
    below->table.word = calloc(below->table.buckets, bucket);
    return below->table.word != NULL ? PDB_OK : error_no_memory(error, "a search", below->table.buckets * bucket);
}

/* False where the state was searched in this round with as much left. Else it is noted. */
static bool enter(struct below *below, const uint64_t *packed, uint32_t left)
{
    const size_t bytes = below->words * sizeof *packed, row = below->words + 1;
    uint64_t *at = below->table.word + (met_hash(packed, below->words) & (below->table.buckets - 1)) * WAYS * row;
    uint64_t *put = at, least = UINT64_MAX;
    for (unsigned w = 0; w < WAYS && least > 0; w++, at += row) {
        const bool current = (uint32_t)at[below->words] == below->round, same = memcmp(at, packed, bytes) == 0;
        if (current && same && at[below->words] >> 32 >= left)
            return false;
        const uint64_t worth = current && !same ? 1 + (at[below->words] >> 32) : 0;
        put = worth < least ? at : put;
        least = worth < least ? worth : least;
    }
    memcpy(put, packed, bytes);
    put[below->words] = (uint64_t)left << 32 | below->round;
    return true;
}

/* -- below one root -- */

static bool wait(struct below *below, const uint64_t *packed, uint32_t cost, uint32_t depth)
{
    const size_t row = below->words + 1;
    if (!array_reserve(&below->waiting.word, &below->waiting.room, (below->waiting.count + 1) * row, sizeof(uint64_t)))
        return false;
    uint64_t *at = below->waiting.word + below->waiting.count++ * row;
    /* NOLINTNEXTLINE(*NonNullParamChecker): begin took the memory */
    memcpy(at, packed, below->words * sizeof *at);
    at[below->words] = (uint64_t)cost << 32 | depth;
    return true;
}

/* Is there a way to the state that is known to be as cheap? */
static bool is_known(const struct below *below, const uint64_t *packed, uint32_t cost)
{
    const uint32_t state = met_find(&below->search->states, packed);
    return state != MET_NONE && below->search->states.cost[state] <= cost;
}

/* Is no solution through this state within the limit? Then it is passed over. */
static bool is_beyond(struct below *below, uint64_t cost, const uint64_t *packed)
{
    const uint32_t least = rules_search_least(below->search, cost, packed);
    if (least <= below->limit)
        return false;
    below->next_limit = least < below->next_limit ? least : below->next_limit;
    return true;
}

/* The states one move after the one that was expanded wait, those within the limit. */
static bool look_at_successors(struct below *below, uint32_t cost, uint32_t depth)
{
    const struct moving *moving = &below->search->moving;
    bool there = true;
    for (size_t i = moving->count; there && i-- > 0;) {
        const uint64_t *next = moving_next(moving, i), sum = (uint64_t)cost + moving->cost[i];
        if (!is_beyond(below, sum, next) && !is_known(below, next, (uint32_t)sum) &&
            enter(below, next, below->limit - (uint32_t)sum))
            there = wait(below, next, (uint32_t)sum, depth + 1);
    }
    return there;
}

static pdb_status no_memory(const struct below *below, pdb_error *error)
{
    return error_no_memory(error, "a search", 2 * below->waiting.room * sizeof(uint64_t));
}

static pdb_status search_root(struct below *below, uint32_t root, pdb_error *error)
{
    struct rules_search *search = below->search;
    const size_t row = below->words + 1, bytes = below->words * sizeof(uint64_t);
    pdb_status status = PDB_OK;
    below->waiting.count = 0;
    if (!wait(below, met_at(&search->states, root), search->states.cost[root], 0))
        return no_memory(below, error);
    while (status == PDB_OK && below->waiting.count > 0) {
        const uint64_t *at = below->waiting.word + --below->waiting.count * row;
        const uint32_t cost = (uint32_t)(at[below->words] >> 32), depth = (uint32_t)at[below->words];
        if (!array_reserve(&below->way, &below->way_room, (depth + (size_t)1) * below->words, sizeof(uint64_t)))
            return no_memory(below, error);
        uint64_t *state = below->way + (size_t)depth * below->words;
        /* NOLINTNEXTLINE(*NonNullParamChecker): begin took the memory */
        memcpy(state, at, bytes);
        status = rules_search_expand(search, state, error);
        if (status != PDB_OK)
            return status;
        search->solved = search->moving.goal;
        search->steps = depth;
        if (search->solved)
            return PDB_OK;
        if (!look_at_successors(below, cost, depth))
            return no_memory(below, error);
        status = rules_search_poll(search, error);
    }
    return status;
}

/* -- rounds -- */

static pdb_status search_round(struct below *below, pdb_error *error)
{
    struct rules_search *search = below->search;
    pdb_status status = PDB_OK;
    below->round++;
    below->next_limit = PDB_NO_DISTANCE;
    for (size_t r = 0; status == PDB_OK && !search->solved && r < below->roots; r++) {
        const uint32_t root = below->root[r];
        search->reached = root;
        if (!is_beyond(below, search->states.cost[root], met_at(&search->states, root)))
            status = search_root(below, root, error);
    }
    return status;
}

/* Lists the open states. */
static pdb_status list_roots(struct below *below, pdb_error *error)
{
    struct met *states = &below->search->states;
    below->root = malloc((states->queued + 1) * sizeof *below->root);
    if (below->root == NULL)
        return error_no_memory(error, "a search", states->queued * sizeof *below->root);
    for (uint32_t cost, state; (state = met_close(states, &cost)) != MET_NONE;)
        below->root[below->roots++] = state;
    return PDB_OK;
}

pdb_status rules_search_below(struct rules_search *search, uint64_t memory, uint32_t most, pdb_error *error)
{
    struct below below = {.search = search, .words = search->states.words};
    pdb_status status = make_table(&below, memory, error);
    if (status == PDB_OK)
        status = list_roots(&below, error);
    while (status == PDB_OK && !search->solved && search->watch.limit != PDB_NO_DISTANCE &&
           search->watch.limit <= most) {
        below.limit = search->watch.limit;
        status = search_round(&below, error);
        if (status == PDB_OK && !search->solved)
            search->watch.limit = below.next_limit;
    }
    if (search->solved && search->steps > 0) { /* the root is in `states` */
        search->after = malloc(search->steps * below.words * sizeof *search->after);
        if (search->after == NULL)
            status = error_no_memory(error, "a solution", search->steps * below.words * sizeof *search->after);
        else
            /* NOLINTNEXTLINE(*NonNullParamChecker): begin took the memory */
            memcpy(search->after, below.way + below.words, search->steps * below.words * sizeof *search->after);
    }
    free(below.table.word);
    free(below.waiting.word);
    free(below.way);
    free(below.root);
    return status;
}
