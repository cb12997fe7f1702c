/* ida.c -- the searcher for any puzzle: stages, and the answer
 *
 * A search that turns out to be small should not pay for what only a large one needs. So it goes through stages; in
 * each it may look at so many states, and when it has, the next stage lists more states around the goals (for all
 * boards that are asked for) and around the board. A list costs about as much as the search before it. What the lists
 * tell:
 *
 *   The board is within the perimeter around the goals, of radius k: its distance is known. It is not: more than k; and
 *   if that perimeter is complete, no goal can be reached.
 *
 *   Every shortest solution goes through the states at f moves from the board. None of them is within the perimeter
 *   around the goals: the distance is more than f + k. One is: it is f and the least of theirs. If the perimeter around
 *   the board is complete without one, no goal can be reached.
 *
 * So every search of a board from which no goal can be reached ends, if one of the perimeters fits into memory; and if
 * not, where no state is more than so many moves from the board, by the theorem of ida_below.c.
 */
#include "ida.h"
#include "bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_STATES = 4096 };

static const uint64_t default_memory = (uint64_t)256 << 20;

const struct ida_stage ida_stages[IDA_STAGES] = {
    {1 << 12, 1 << 10, 1 << 8},  {1 << 16, 1 << 14, 1 << 14}, {1 << 20, 1 << 18, 1 << 18},
    {1 << 24, 1 << 21, 1 << 21}, {0, 1 << 21, UINT64_MAX},
};

static bool is_open(const struct ida_search *search, uint32_t most)
{
    const uint32_t limit = search->deepening.watch.limit;
    return !search->deepening.solved && limit != PDB_NO_DISTANCE && limit <= most;
}

/* -- lists -- */

/* The colour and the bound of the board itself. */
static void look_at_board(struct ida_search *search)
{
    const struct puzzle *puzzle = search->deepening.puzzle;
    uint16_t bound = 0;
    if (puzzle->coloured)
        puzzle->family->index.colours(puzzle, &search->state, 1, &search->deepening.colour);
    if (puzzle->family->single.bounds != NULL)
        puzzle->family->single.bounds(puzzle, &search->state, 1, &bound);
    deepen_raise(&search->deepening, bound == BOUND_NEVER ? PDB_NO_DISTANCE : bound);
}

/* The perimeter around the goals that this stage searches with, and what it says of the board. */
static pdb_status take_goals(struct ida_search *search, pdb_error *error)
{
    struct deepening *deepening = &search->deepening;
    uint32_t distance;
    pdb_status status = ida_goals_get(search->ida, search->stage, &deepening->watch, &search->goals, error);
    if (status != PDB_OK)
        return status;
    const struct perimeter *goals = search->goals;
    search->radius = goals != NULL ? goals->radius : 0;
    deepening->solved = ida_is_near(deepening->puzzle, goals, search->state, &distance);
    if (deepening->solved)
        deepen_raise(deepening, distance);
    else
        deepen_raise(deepening, goals != NULL && goals->complete ? PDB_NO_DISTANCE : search->radius + 1);
    return PDB_OK;
}

/* What the outermost layer around the board says. */
static pdb_status look_at_layer(struct ida_search *search, pdb_error *error)
{
    struct deepening *deepening = &search->deepening;
    const struct perimeter *around = &search->around;
    uint32_t least = UINT32_MAX, distance;
    for (uint64_t i = 0; i < around->layer.count; i++) {
        if (ida_is_near(deepening->puzzle, search->goals, around->layer.state[i], &distance))
            least = distance < least ? distance : least;
        if (i % POLL_STATES == POLL_STATES - 1 && !search_watch_add(&deepening->watch, 0))
            return error_set(error, PDB_INTERRUPTED, "%s: interrupted", deepening->puzzle->name);
    }
    search->explore = least == UINT32_MAX;
    deepen_raise(deepening, around->radius + (search->explore ? search->radius + 1 : least));
    return PDB_OK;
}

/* Lists the states around the board. They count as nodes. */
static pdb_status explore_around(struct ida_search *search, uint32_t most, pdb_error *error)
{
    struct deepening *deepening = &search->deepening;
    struct perimeter *around = &search->around;
    const bool last = search->stage + 1 == IDA_STAGES;
    if (!search->explore || (search->ida->options.no_table && !last))
        return PDB_OK;
    pdb_status status = look_at_layer(search, error);
    while (status == PDB_OK && search->explore && is_open(search, most) &&
           perimeter_estimate(around) <= (double)ida_stages[search->stage].around) {
        status = perimeter_grow(around, &deepening->watch, error);
        deepening->watch.nodes += around->generated;
        if (around->complete)
            deepen_raise(deepening, PDB_NO_DISTANCE);
        if (around->complete || around->full)
            search->explore = false;
        else if (status == PDB_OK)
            status = look_at_layer(search, error);
    }
    return status;
}

/* -- stages -- */

static pdb_status begin_stage(struct ida_search *search, uint32_t most, pdb_error *error)
{
    const uint64_t nodes = ida_stages[search->stage].nodes;
    pdb_status status = take_goals(search, error);
    if (status == PDB_OK && is_open(search, most))
        status = explore_around(search, most, error);
    search->deepening.budget = nodes != 0 ? search->deepening.watch.nodes + nodes : 0;
    return status;
}

static pdb_status run(struct ida_search *search, uint32_t most, pdb_error *error)
{
    look_at_board(search);
    pdb_status status = PDB_OK;
    for (; status == PDB_OK && is_open(search, most); search->stage++) {
        status = begin_stage(search, most, error);
        if (status == PDB_OK)
            status = deepen(&search->deepening, most, error);
        if (!search->deepening.paused)
            break;
    }
    return status;
}

/* -- answers -- */

/* The state after one in the perimeter around the goals, at this distance, by the order of the search. */
static bool step_down(struct ida_worker *worker, const struct perimeter *goals, uint64_t *state, uint32_t distance)
{
    const size_t count = ida_successors(worker, *state);
    uint32_t least = UINT32_MAX, there;
    for (size_t i = 0; i < count; i++)
        if (worker->bound[i] < least && perimeter_find(goals, worker->next[i], &there) && there == distance - 1) {
            least = worker->bound[i];
            *state = worker->next[i];
        }
    return least != UINT32_MAX;
}

/* The move of a position that leads to a state. */
static pdb_status make_step(const struct puzzle *puzzle, const uint8_t *from, uint64_t state, uint8_t *to,
                            pdb_moves *moves, pdb_error *error)
{
    uint64_t index;
    moves->count = 0;
    pdb_status status = puzzle->family->position.moves(puzzle, from, moves, error);
    for (size_t m = 0; status == PDB_OK && m < moves->count; m++)
        if (puzzle->family->position.rank(puzzle, moves->move[m].board.symbol, &index) && index == state) {
            memcpy(to, moves->move[m].board.symbol, puzzle->board.places);
            return PDB_OK;
        }
    return status != PDB_OK
               ? status
               : error_set(error, PDB_BROKEN_RULES, "%s: no move leads where the search went", puzzle->name);
}

/* The whole solution as positions: as far as the search went, then from state to state within the perimeter. */
static pdb_status make_path(struct ida_search *search, const uint8_t *position, struct search_answer *answer,
                            pdb_error *error)
{
    struct deepening *deepening = &search->deepening;
    const size_t places = deepening->puzzle->board.places;
    const uint32_t distance = deepening->watch.limit, depth = deepening->depth;
    /* Without roots the board itself is within the perimeter. */
    const uint32_t searched = deepening->path != NULL ? distance - search->radius : 0;
    pdb_moves moves = {0};
    pdb_status status = deepen_ready(deepening, 1, error);
    if (status != PDB_OK)
        return status;
    struct ida_worker *worker = deepening->worker;
    uint8_t *path = malloc((distance + (size_t)1) * places);
    if (path == NULL)
        return error_no_memory(error, "a solution", (distance + (size_t)1) * places);
    memcpy(path, position, places);
    uint64_t state = search->state;
    for (uint32_t step = 1; status == PDB_OK && step <= distance; step++) {
        if (step <= searched)
            state = step <= depth ? ((const struct ida_root *)deepen_root_at(deepening, deepening->winner))->state[step]
                                  : ((const uint64_t *)deepening->path)[step - depth - 1];
        else if (!step_down(worker, search->goals, &state, distance - step + 1))
            status = error_set(error, PDB_BROKEN_RULES, "%s: moves and their inverses do not agree",
                               deepening->puzzle->name);
        if (status == PDB_OK)
            status = make_step(deepening->puzzle, path + (step - 1) * places, state, path + step * places, &moves,
                               error);
    }
    deepening->watch.nodes += worker->base.nodes;
    free(moves.move);
    if (status != PDB_OK) {
        free(path);
        return status;
    }
    answer->distance = distance;
    answer->path = path;
    return PDB_OK;
}

static pdb_status ida_solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                            search_observer *observe, void *context, struct search_answer *answer, pdb_error *error)
{
    const struct ida *ida = (const struct ida *)searcher;
    const struct puzzle *puzzle = searcher->puzzle;
    struct ida_search search = {.ida = ida};
    search.deepening = (struct deepening){.class = &ida_deepen_class,
                                          .puzzle = puzzle,
                                          .threads = ida->options.threads,
                                          .watch = {.observe = observe, .context = context}};
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    if (!puzzle->family->position.rank(puzzle, position, &search.state))
        return PDB_OK;
    pdb_status status = perimeter_create(&search.around, puzzle, false, ida->options.memory / 8 * IDA_EIGHTHS_AROUND,
                                         error);
    if (status == PDB_OK)
        status = perimeter_begin(&search.around, &search.state, 1, error);
    search.explore = status == PDB_OK;
    if (status == PDB_OK || status == PDB_TOO_LARGE) /* too little memory for lists: there are none */
        status = run(&search, most, error);
    if (status == PDB_OK && search.deepening.solved && search.deepening.watch.limit <= most)
        status = make_path(&search, position, answer, error);
    answer->bound = search.deepening.watch.limit;
    answer->nodes = search.deepening.watch.nodes;
    deepen_free(&search.deepening);
    perimeter_free(&search.around);
    return status;
}

/* -- the searcher -- */

static void ida_release(struct searcher *searcher)
{
    ida_goals_free((struct ida *)searcher);
}

static pdb_status ida_make(struct searcher *searcher, const struct search_options *options, pdb_error *error)
{
    const struct board_functions *single = &searcher->puzzle->family->single;
    struct ida *ida = (struct ida *)searcher;
    ida->goals = calloc(IDA_STAGES, sizeof *ida->goals);
    ida->options = *options;
    ida->options.memory = options->memory != 0 ? options->memory : default_memory;
    if (single->bounds == NULL)
        strcpy(searcher->method, "iterative deepening without a bound");
    else if (single->bound_text == NULL)
        strcpy(searcher->method, "IDA*");
    else
        snprintf(searcher->method, sizeof searcher->method, "IDA* with %s", single->bound_text);
    return ida->goals != NULL ? ida_goals_make(ida, 0, NULL, error)
                              : error_no_memory(error, "a search", IDA_STAGES * sizeof *ida->goals);
}

const struct searcher_class ida_class = {
    .size = sizeof(struct ida),
    .make = ida_make,
    .release = ida_release,
    .solve = ida_solve,
    .count = ida_count,
    .tell = bounds_tell_family,
};
