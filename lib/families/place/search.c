/* search.c -- the searcher of place puzzles: one completion of a board, how many there are, or all of them
 *
 * Backtracking (fill.c). To count on several threads the first assignments are made breadth first until there are
 * TASKS of them for each thread; these are shared out. Of placements that a symmetry takes into one another one is
 * followed, and counts for all: of an empty sudoku's first row one filling in 9!, of queens half of the first row.
 */
#include "place.h"
#include "lib/memory/array.h"
#include "lib/team.h"
#include "lib/search/board/bounds.h"

#include <string.h>

enum { TASKS = 64 };

struct place_searcher {
    struct searcher searcher;
    struct place_masks *masks;
};

static const struct place_masks *masks_of(const struct searcher *searcher)
{
    return ((const struct place_searcher *)searcher)->masks;
}

static bool look_on(struct place_filling *filling, void *context)
{
    (void)filling;
    return search_watch_add(context, PLACE_PATIENCE);
}

static unsigned count_empties(const struct place *place, const uint8_t *position)
{
    unsigned empties = 0;
    for (unsigned slot = 0; slot < place->slots; slot++)
        empties += position[slot] == 0;
    return empties;
}

/* -- one completion -- */

/* The first completion is enough: it stays where it is. */
static bool keep_first(struct place_filling *filling, void *context)
{
    (void)filling, (void)context;
    return false;
}

/* The boards from a position to a completion of it, slots filled in order. */
static pdb_status make_path(const struct place *place, const uint8_t *position, const uint8_t *completion,
                            struct search_answer *answer, pdb_error *error)
{
    const size_t places = place->slots;
    uint8_t *board = malloc((answer->distance + 1) * places);
    if (board == NULL)
        return error_no_memory(error, "the path", (answer->distance + 1) * places);
    answer->path = board;
    memcpy(board, position, places);
    for (unsigned slot = 0; slot < places; slot++) {
        if (position[slot] != 0)
            continue;
        memcpy(board + places, board, places);
        board += places;
        board[slot] = completion[slot];
    }
    return PDB_OK;
}

static pdb_status place_solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                              search_observer *observe, void *context, struct search_answer *answer, pdb_error *error)
{
    const struct place *place = place_of(searcher->puzzle);
    const unsigned empties = count_empties(place, position);
    struct search_watch watch = {.observe = observe, .context = context, .limit = empties};
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    if (empties > most) {
        answer->bound = empties;
        return PDB_OK;
    }
    struct place_filling *filling = place_filling_make(masks_of(searcher), error);
    if (filling == NULL)
        return PDB_NO_MEMORY;
    pdb_status status = PDB_OK;
    filling->visit = keep_first;
    filling->look = look_on;
    filling->context = &watch;
    if (place_begin(filling, position) && !place_fill(filling)) {
        answer->bound = empties;
        answer->distance = filling->count > 0 ? empties : PDB_NO_DISTANCE;
        status = filling->count > 0 ? make_path(place, position, filling->position, answer, error)
                                    : error_set(error, PDB_INTERRUPTED, "%s: interrupted", searcher->puzzle->name);
    }
    answer->nodes = filling->nodes;
    free(filling);
    return status;
}

/* -- counting -- */

/* A board to be completed. Each of its solutions counts for so many; for 2^128 - 1 where they are more. */
struct task {
    unsigned __int128 times;
    uint64_t solutions;
    uint8_t board[PLACE_MAX_SLOTS];
};

struct counting {
    const struct place_masks *masks;
    size_t tasks, first; /* those before the first are split */
    struct task *task;
    struct search_watch watch;
    bool no_memory;
};

static void add_task(struct counting *counting, const uint8_t *board, unsigned __int128 times)
{
    struct task *grown = array_grow(counting->task, counting->tasks, sizeof *grown);
    counting->no_memory |= grown == NULL;
    if (grown == NULL)
        return;
    counting->task = grown;
    grown += counting->tasks++;
    grown->times = times;
    grown->solutions = 0;
    memcpy(grown->board, board, counting->masks->place->slots);
}

/* Puts the boards with one more value in place of the first that is left. */
static void split_first(struct counting *counting, struct place_filling *filling)
{
    struct place_option option[PLACE_MAX_VALUES];
    struct task task = counting->task[counting->first++];
    const unsigned options = place_begin(filling, task.board) ? place_options(filling, option) : 0;
    for (unsigned o = 0; o < options; o++) {
        unsigned __int128 times;
        if (__builtin_mul_overflow(task.times, option[o].times, &times))
            times = ~(unsigned __int128)0;
        task.board[option[o].slot] = (uint8_t)(option[o].value + 1);
        add_task(counting, task.board, times);
        task.board[option[o].slot] = 0;
    }
}

/* Makes boards with the same number of empty slots, one more value in each round. */
static void split(struct counting *counting, const uint8_t *position, unsigned empties, size_t wanted)
{
    struct place_filling *filling = place_filling_make(counting->masks, NULL);
    counting->no_memory = filling == NULL;
    add_task(counting, position, 1);
    for (;
         empties > 1 && counting->tasks - counting->first < wanted && !counting->no_memory && !counting->watch.stopped;
         empties--)
        for (const size_t end = counting->tasks;
             counting->first < end && !counting->no_memory && search_watch_add(&counting->watch, 1);)
            split_first(counting, filling);
    free(filling);
}

static void count_task(void *context, unsigned thread, uint64_t share)
{
    struct counting *counting = context;
    struct task *task = &counting->task[counting->first + share];
    (void)thread;
    if (__atomic_load_n(&counting->watch.stopped, __ATOMIC_RELAXED))
        return;
    struct place_filling *filling = place_filling_make(counting->masks, NULL);
    if (filling == NULL) {
        __atomic_store_n(&counting->no_memory, true, __ATOMIC_RELAXED);
    } else if (place_begin(filling, task->board)) {
        filling->look = look_on;
        filling->context = &counting->watch;
        place_fill(filling);
        task->solutions = filling->count;
        search_watch_add(&counting->watch, filling->nodes + PLACE_PATIENCE - filling->due); /* since the last look */
    }
    free(filling);
}

/* Adds up what has come of all tasks. False where that is 2^127 or more. */
static bool add_up(const struct counting *counting, unsigned __int128 *count)
{
    for (size_t t = counting->first; t < counting->tasks; t++) {
        unsigned __int128 solutions;
        if (__builtin_mul_overflow(counting->task[t].times, counting->task[t].solutions, &solutions) ||
            solutions >> 127 != 0 || (*count += solutions) >> 127 != 0)
            return false;
    }
    return true;
}

static pdb_status place_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                              search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error)
{
    const char *name = searcher->puzzle->name;
    struct counting counting = {.masks = masks_of(searcher),
                                .watch = {.observe = observe, .context = context, .limit = distance}};
    pdb_status status = PDB_OK;
    *count = 0;
    if (count_empties(place_of(searcher->puzzle), position) != distance)
        return PDB_OK;
    split(&counting, position, distance, TASKS * (size_t)searcher->threads);
    team_once(searcher->threads, counting.tasks - counting.first, count_task, &counting);
    if (counting.no_memory)
        status = error_no_memory(error, "assignments", counting.tasks * sizeof *counting.task);
    else if (counting.watch.stopped)
        status = error_set(error, PDB_INTERRUPTED, "%s: interrupted", name);
    else if (!add_up(&counting, count))
        status = error_set(error, PDB_TOO_LARGE, "%s: 2^127 or more solutions", name);
    free(counting.task);
    return status;
}

/* -- all solutions -- */

struct listing {
    const struct search_listing *asked;
    struct search_watch watch;
};

static bool visit_solution(struct place_filling *filling, void *context)
{
    const struct listing *listing = context;
    return listing->asked->visit(listing->asked->visiting, filling->position);
}

static bool look_on_listing(struct place_filling *filling, void *context)
{
    return look_on(filling, &((struct listing *)context)->watch);
}

static pdb_status place_list(const struct searcher *searcher, const uint8_t *position,
                             const struct search_listing *asked, pdb_error *error)
{
    struct listing listing = {.asked = asked,
                              .watch = {.observe = asked->observe,
                                        .context = asked->context,
                                        .limit = count_empties(place_of(searcher->puzzle), position)}};
    struct place_filling *filling = place_filling_make(masks_of(searcher), error);
    if (filling == NULL)
        return PDB_NO_MEMORY;
    filling->visit = visit_solution;
    filling->look = look_on_listing;
    filling->context = &listing;
    if (place_begin(filling, position))
        place_fill(filling);
    free(filling);
    return listing.watch.stopped ? error_set(error, PDB_INTERRUPTED, "%s: interrupted", searcher->puzzle->name)
                                 : PDB_OK;
}

/* -- the searcher -- */

static pdb_status place_tell(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds,
                             pdb_error *error)
{
    return bounds_add(bounds, "empty slots", count_empties(place_of(searcher->puzzle), position), error);
}

static pdb_status place_searcher_make(struct searcher *searcher, const struct search_options *options, pdb_error *error)
{
    const struct place *place = place_of(searcher->puzzle);
    (void)options;
    strcpy(searcher->method, "backtracking: the slot with the fewest values left first");
    if (place->equations > 0)
        strcat(searcher->method, ", sums bounded and added up by columns");
    return place_masks_make(place, &((struct place_searcher *)searcher)->masks, error);
}

static void place_searcher_release(struct searcher *searcher)
{
    free(((struct place_searcher *)searcher)->masks);
}

const struct searcher_class place_searcher_class = {
    .size = sizeof(struct place_searcher),
    .make = place_searcher_make,
    .release = place_searcher_release,
    .solve = place_solve,
    .count = place_count,
    .list = place_list,
    .tell = place_tell,
};
