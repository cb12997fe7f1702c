/* ida_count.c -- how many shortest solutions a board has
 *
 * Depth first over all paths of the known length d. A state that is reached after g moves has a distance of d - g at
 * least, for the board is at d: if it is just that, its solutions are counted once and remembered; if it is more, that
 * is noted once it is known, and a visit with fewer moves left (a detour) is known to be in vain at once. Everything
 * noted is true at any time, so what is lost where a table is full is only counted again, and larger perimeters around
 * the goals and around the board can be taken while counting.
 */
#include "ida.h"
#include "lib/memory/array.h"

#include <stdlib.h>

enum { POLL_NODES = 4096, FIRST_SLOTS = 64 };

/* -- numbers of solutions -- */

/* state -> distance and how many: linear probing, half full at most; a count of 0 is a free slot. */
struct solutions {
    struct solution {
        uint64_t state;
        uint32_t distance;
        unsigned __int128 count;
    } * slot;
    uint64_t slots, slots_max, used;
};

static struct solution *find_slot(const struct solutions *solutions, uint64_t state)
{
    uint64_t at = (state * 0x9E3779B97F4A7C15 >> 20) & (solutions->slots - 1);
    while (solutions->slot[at].count != 0 && solutions->slot[at].state != state)
        at = (at + 1) & (solutions->slots - 1);
    return &solutions->slot[at];
}

/* Remembers, or not where there is no room. */
static void remember(struct solutions *solutions, struct solution solution)
{
    if (2 * (solutions->used + 1) > solutions->slots) {
        struct solutions grown = *solutions;
        grown.slots *= 2;
        grown.slot = grown.slots <= grown.slots_max ? calloc(grown.slots, sizeof *grown.slot) : NULL;
        if (grown.slot == NULL)
            return;
        for (uint64_t i = 0; i < solutions->slots; i++)
            if (solutions->slot[i].count != 0)
                *find_slot(&grown, solutions->slot[i].state) = solutions->slot[i];
        free(solutions->slot);
        *solutions = grown;
    }
    struct solution *slot = find_slot(solutions, solution.state);
    solutions->used += slot->count == 0;
    *slot = solution;
}

/* -- the search -- */

/* A state that moves lead to, and how many do. */
struct child {
    uint64_t state, times;
};

/* A state under way: its children are child[begin .. end), those before `at` are counted. */
struct count_frame {
    uint64_t state;
    size_t begin, at, end;
    unsigned __int128 total;
};

struct counter {
    const struct ida *ida;
    const struct puzzle *puzzle;
    const struct perimeter *goals;
    struct perimeter around; /* states that are not reached on a shortest path to them are detours too */
    uint32_t distance;
    struct search_watch watch;
    unsigned stage;
    uint64_t nodes;      /* not yet added to the watch's */
    struct visited dead; /* for a state the most moves left that are known to be too few */
    struct solutions solutions;
    uint64_t *next, *times; /* of one state: where moves lead, how many to each, */
    uint16_t *bound;        /* and a bound for it */
    struct child *child;
    size_t room;
    struct count_frame *frame;
    size_t frames, frame_room;
};

/* Is the number of solutions of a state with so many moves left known without a search? */
static bool is_known(const struct counter *counter, uint64_t state, uint32_t remaining, unsigned __int128 *count)
{
    uint32_t number;
    *count = 0;
    if (remaining == 0 && counter->goals == NULL) {
        *count = ida_is_near(counter->puzzle, NULL, state, &number);
        return true;
    }
    if (counter->goals != NULL && remaining <= counter->goals->radius) {
        if (!perimeter_find(counter->goals, state, &number) || number != remaining)
            return true;
        *count = remaining == 0;
        if (remaining == 0)
            return true;
    }
    if (perimeter_find(&counter->around, state, &number) && number < counter->distance - remaining)
        return true;
    const struct solution *solution = find_slot(&counter->solutions, state);
    if (solution->count != 0) {
        *count = solution->distance == remaining ? solution->count : 0;
        return true;
    }
    return visited_find(&counter->dead, state, &number) && number >= remaining;
}

/* A frame for a state with so many moves left, at least 1. */
static pdb_status enter(struct counter *counter, uint64_t state, uint32_t remaining, pdb_error *error)
{
    const struct family *family = counter->puzzle->family;
    const size_t begin = counter->frames > 0 ? counter->frame[counter->frames - 1].end : 0;
    const size_t count = family->index.counted_successors(counter->puzzle, state, counter->next, counter->times);
    if (family->single.bounds != NULL)
        family->single.bounds(counter->puzzle, counter->next, count, counter->bound);
    if (!array_reserve(&counter->child, &counter->room, begin + count, sizeof *counter->child) ||
        !array_reserve(&counter->frame, &counter->frame_room, counter->frames + 1, sizeof *counter->frame))
        return error_no_memory(error, "the shortest solutions", 2 * (begin + count) * sizeof *counter->child);
    size_t end = begin;
    for (size_t i = 0; i < count; i++)
        if (counter->bound[i] < remaining)
            counter->child[end++] = (struct child){counter->next[i], counter->times[i]};
    visited_raise(&counter->dead, state, remaining - 1);
    counter->frame[counter->frames++] = (struct count_frame){.state = state, .begin = begin, .at = begin, .end = end};
    counter->nodes += count;
    return PDB_OK;
}

/* Adds the solutions through the child before `at` to a frame. */
static pdb_status add_solutions(struct counter *counter, unsigned __int128 count, pdb_error *error)
{
    struct count_frame *frame = &counter->frame[counter->frames - 1];
    unsigned __int128 through;
    if (__builtin_mul_overflow(count, counter->child[frame->at - 1].times, &through) || through >> 127 ||
        (frame->total += through) >> 127)
        return error_set(error, PDB_TOO_LARGE, "2^127 or more shortest solutions");
    return PDB_OK;
}

/* Now and then: the observer, and larger perimeters for a search that has become large. */
static pdb_status poll(struct counter *counter, pdb_error *error)
{
    const bool goes = search_watch_add(&counter->watch, counter->nodes);
    counter->nodes = 0;
    if (!goes)
        return error_set(error, PDB_INTERRUPTED, "%s: interrupted while solutions were counted", counter->puzzle->name);
    if (counter->watch.nodes <= ida_stages[counter->stage].nodes || counter->stage + 2 == IDA_STAGES)
        return PDB_OK;
    counter->stage++;
    pdb_status status = perimeter_grow_to(&counter->around, ida_stages[counter->stage].around, &counter->watch, error);
    if (status != PDB_OK)
        return status;
    return ida_goals_get(counter->ida, counter->stage, &counter->watch, &counter->goals, error);
}

/* Leaves the innermost frame, whose state has so many moves left. */
static unsigned __int128 leave(struct counter *counter, uint32_t remaining)
{
    const struct count_frame *frame = &counter->frame[--counter->frames];
    if (frame->total != 0)
        remember(&counter->solutions, (struct solution){frame->state, remaining, frame->total});
    else
        visited_raise(&counter->dead, frame->state, remaining);
    return frame->total;
}

static pdb_status run(struct counter *counter, uint64_t root, unsigned __int128 *count, pdb_error *error)
{
    const uint32_t distance = counter->distance;
    if (is_known(counter, root, distance, count))
        return PDB_OK;
    pdb_status status = enter(counter, root, distance, error);
    while (status == PDB_OK && counter->frames > 0) {
        struct count_frame *frame = &counter->frame[counter->frames - 1];
        const uint32_t remaining = distance - (uint32_t)counter->frames;
        if (frame->at == frame->end) { /* all children are counted: add the sum to the state before */
            *count = leave(counter, remaining + 1);
            if (counter->frames > 0)
                status = add_solutions(counter, *count, error);
            continue;
        }
        const uint64_t state = counter->child[frame->at++].state;
        if (is_known(counter, state, remaining, count))
            status = add_solutions(counter, *count, error);
        else
            status = enter(counter, state, remaining, error);
        if (status == PDB_OK && counter->nodes >= POLL_NODES)
            status = poll(counter, error);
    }
    return status;
}

/* -- making a counter -- */

static pdb_status begin(struct counter *counter, uint64_t root, pdb_error *error)
{
    const struct puzzle *puzzle = counter->puzzle;
    const size_t moves = puzzle->max_moves + (size_t)1;
    const uint64_t eighth = counter->ida->options.memory / 8, least = visited_least(puzzle->states);
    counter->solutions.slots = FIRST_SLOTS;
    counter->solutions.slots_max = 2 * eighth / sizeof *counter->solutions.slot;
    counter->solutions.slot = calloc(FIRST_SLOTS, sizeof *counter->solutions.slot);
    counter->next = calloc(moves, 2 * sizeof *counter->next + sizeof *counter->bound);
    if (counter->solutions.slot == NULL || counter->next == NULL)
        return error_no_memory(error, "the shortest solutions", moves * 2 * sizeof *counter->next);
    counter->times = counter->next + moves;
    counter->bound = (uint16_t *)(counter->times + moves);
    pdb_status status = visited_create(&counter->dead, puzzle->states, 2 * eighth > least ? 2 * eighth : least, error);
    if (status == PDB_OK)
        status = perimeter_create(&counter->around, puzzle, false, 2 * eighth > 2 * least ? 2 * eighth : 2 * least,
                                  error);
    if (status == PDB_OK)
        status = perimeter_begin(&counter->around, &root, 1, error);
    return status == PDB_OK ? ida_goals_get(counter->ida, 0, &counter->watch, &counter->goals, error) : status;
}

static void end(struct counter *counter)
{
    visited_free(&counter->dead);
    perimeter_free(&counter->around);
    free(counter->solutions.slot);
    free(counter->next);
    free(counter->child);
    free(counter->frame);
}

pdb_status ida_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                     search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error)
{
    uint64_t root;
    *count = 0;
    if (distance == PDB_NO_DISTANCE || !searcher->puzzle->family->position.rank(searcher->puzzle, position, &root))
        return PDB_OK;
    struct counter counter = {.ida = (const struct ida *)searcher, .puzzle = searcher->puzzle, .distance = distance};
    counter.watch = (struct search_watch){.observe = observe, .context = context, .limit = distance};
    pdb_status status = begin(&counter, root, error);
    if (status == PDB_OK)
        status = run(&counter, root, count, error);
    end(&counter);
    return status;
}
