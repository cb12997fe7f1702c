/* search.c -- the searcher of place puzzles: one completion of a board, or how many there are
 *
 * Backtracking (fill.c). To count on several threads the first assignments are made breadth first until there are
 * TASKS of them for each thread; these are shared out.
 */
#include "place.h"
#include "lib/array.h"
#include "lib/search/board/search.h"

#include <string.h>

enum { TASKS = 64 };

/* -- one completion -- */

struct watch {
    search_observer *observe;
    void *context;
    uint32_t empties;
    uint8_t completion[PLACE_MAX_SLOTS];
};

static bool look_on(struct place_filling *filling, void *context)
{
    const struct watch *watch = context;
    const struct search_progress progress = {.limit = watch->empties, .nodes = filling->nodes};
    return watch->observe == NULL || watch->observe(watch->context, &progress);
}

/* The first completion is enough. */
static bool keep_first(struct place_filling *filling, void *context)
{
    memcpy(((struct watch *)context)->completion, filling->position, filling->place->slots);
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
    struct watch watch = {.observe = observe, .context = context};
    struct place_filling filling;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    if (!place_begin(&filling, place, position))
        return PDB_OK;
    watch.empties = filling.empties;
    if (filling.empties > most) {
        answer->bound = filling.empties;
        return PDB_OK;
    }
    filling.visit = keep_first;
    filling.look = look_on;
    filling.context = &watch;
    const bool nothing = place_fill(&filling);
    answer->nodes = filling.nodes;
    if (nothing)
        return PDB_OK;
    answer->bound = watch.empties;
    if (filling.count == 0)
        return error_set(error, PDB_INTERRUPTED, "%s: interrupted", searcher->puzzle->name);
    answer->distance = watch.empties;
    return make_path(place, position, watch.completion, answer, error);
}

/* -- counting -- */

/* Assignments to be completed, and what has come of them. */
struct counting {
    const struct place *place;
    size_t count;
    uint8_t *board; /* place->slots bytes each */
    struct watch watch;
    uint64_t nodes;
    bool stopped;
    unsigned __int128 solutions;
};

static bool add_board(struct counting *counting, const uint8_t *board)
{
    const size_t slots = counting->place->slots;
    uint8_t *grown = array_grow(counting->board, counting->count, slots);
    if (grown == NULL)
        return false;
    counting->board = grown;
    memcpy(grown + counting->count++ * slots, board, slots);
    return true;
}

/* Puts the boards with one more value in place of the first of the list. False where memory is short. */
static bool split_first(struct counting *counting, size_t first)
{
    const size_t slots = counting->place->slots;
    struct place_filling filling;
    uint8_t board[PLACE_MAX_SLOTS];
    uint64_t values;
    place_begin(&filling, counting->place, counting->board + first * slots);
    const unsigned at = place_choose(&filling, &values), slot = filling.empty[at];
    memcpy(board, filling.position, slots);
    bool added = true;
    for (; added && values != 0; values &= values - 1) {
        board[slot] = (uint8_t)(__builtin_ctzll(values) + 1);
        added = add_board(counting, board);
    }
    return added;
}

/* Boards with the same number of empty slots, one more value in each round; *first is the first that is left. */
static bool split(struct counting *counting, const uint8_t *position, unsigned empties, size_t wanted, size_t *first)
{
    *first = 0;
    if (!add_board(counting, position))
        return false;
    for (; empties > 1 && counting->count - *first < wanted && counting->count > *first; empties--)
        for (const size_t end = counting->count; *first < end; ++*first)
            if (!split_first(counting, *first))
                return false;
    return true;
}

static bool is_stopped(const struct counting *counting)
{
    return __atomic_load_n(&counting->stopped, __ATOMIC_RELAXED);
}

/* Adds up the nodes of all threads and passes them on, one thread at a time. */
static bool look_together(struct place_filling *filling, void *context)
{
    struct counting *counting = context;
    (void)filling;
#pragma omp critical(place_look)
    {
        counting->nodes += PLACE_PATIENCE;
        const struct search_progress progress = {.limit = counting->watch.empties, .nodes = counting->nodes};
        if (!is_stopped(counting) && counting->watch.observe != NULL &&
            !counting->watch.observe(counting->watch.context, &progress))
            __atomic_store_n(&counting->stopped, true, __ATOMIC_RELAXED);
    }
    return !is_stopped(counting);
}

static void count_board(struct counting *counting, const uint8_t *board)
{
    struct place_filling filling;
    if (is_stopped(counting))
        return;
    place_begin(&filling, counting->place, board);
    filling.look = look_together;
    filling.context = counting;
    place_fill(&filling);
#pragma omp critical(place_count)
    counting->solutions += filling.count;
}

static pdb_status place_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                              search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error)
{
    struct counting counting = {.place = place_of(searcher->puzzle),
                                .watch = {.observe = observe, .context = context, .empties = distance}};
    struct place_filling filling;
    size_t first;
    *count = 0;
    if (!place_begin(&filling, counting.place, position) || filling.empties != distance)
        return PDB_OK;
    const bool memory = split(&counting, position, distance, TASKS * (size_t)searcher->threads, &first);
#pragma omp parallel for num_threads(searcher->threads) schedule(dynamic, 1) if (memory && counting.count - first > 1)
    for (size_t b = first; b < (memory ? counting.count : first); b++)
        count_board(&counting, counting.board + b * counting.place->slots);
    free(counting.board);
    *count = counting.solutions;
    if (!memory)
        return error_no_memory(error, "assignments", counting.count * counting.place->slots);
    return counting.stopped ? error_set(error, PDB_INTERRUPTED, "%s: interrupted", searcher->puzzle->name) : PDB_OK;
}

/* -- the searcher -- */

static pdb_status place_searcher_make(struct searcher *searcher, const struct search_options *options, pdb_error *error)
{
    (void)options, (void)error;
    strcpy(searcher->method, "backtracking: the slot with the fewest values left first");
    if (place_of(searcher->puzzle)->equations > 0)
        strcat(searcher->method, ", sums bounded and added up by columns");
    return PDB_OK;
}

const struct searcher_class place_searcher_class = {
    .size = sizeof(struct searcher),
    .make = place_searcher_make,
    .solve = place_solve,
    .count = place_count,
};
