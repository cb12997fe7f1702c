/* ida.c -- the searcher for any puzzle: stages, and what comes of the rounds
 *
 * A search that turns out to be small should not pay for what only a large one needs. So it goes through stages; in
 * each it may look at so many states, and when it has, the next stage lists more states around the goals (ida_goals.c:
 * for all boards that are asked for) and around the board, and from the third on all threads take part. A list costs
 * about as much as the search before it. What the lists tell:
 *
 *   The board is in the perimeter around the goals, of radius k: its distance is known. It is not: more than k; and if
 *   that perimeter is complete, no goal can be reached. Every shortest solution goes through the states at f moves from
 *   the board. None of them is in the perimeter around the goals: the distance is more than f + k. One is: it is f and
 *   the least of theirs. If the perimeter around the board is complete without one, no goal can be reached.
 *
 * So every search of a board from which no goal can be reached ends, if one of the perimeters fits into memory; and if
 * not, where no state is more than so many moves from the board, by the theorem of ida_round.h.
 */
#include "ida_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_STATES = 4096 };

static const uint64_t default_memory = (uint64_t)256 << 20;

const struct ida_stage ida_stages[IDA_STAGES] = {
    {1 << 12, 1 << 10, 1 << 8, false}, {1 << 16, 1 << 14, 1 << 14, false},      {1 << 20, 1 << 18, 1 << 18, true},
    {1 << 24, 1 << 21, 1 << 21, true}, {UINT64_MAX, 1 << 21, UINT64_MAX, true},
};

/* The search for one board. */
struct hunt {
    const struct ida *ida;
    const struct puzzle *puzzle;
    struct ida_control control; /* its limit: no solution is shorter; PDB_NO_DISTANCE: there is none */
    uint64_t root;
    unsigned odd; /* where puzzle->coloured: the board's colour, which is its distance's parity */
    unsigned stage;
    const struct perimeter *goals;
    struct perimeter around;
    bool explore; /* `around` may still tell something */
    bool solved;  /* `way` is there */
    struct ida_way way;
    unsigned workers; /* those that there are: 1, or one a thread */
    struct ida_worker *worker;
};

/* -- limits -- */

/* No solution is shorter than this. */
static void raise_limit(struct hunt *hunt, uint32_t limit)
{
    if (hunt->puzzle->coloured && limit != PDB_NO_DISTANCE)
        limit += (limit ^ hunt->odd) & 1;
    if (limit > hunt->control.limit)
        hunt->control.limit = limit;
}

static bool is_open(const struct hunt *hunt, uint32_t most)
{
    return !hunt->solved && hunt->control.limit != PDB_NO_DISTANCE && hunt->control.limit <= most;
}

/* The colour and the bound of the board itself. */
static void look_at_root(struct hunt *hunt)
{
    const struct family *family = hunt->puzzle->family;
    uint8_t colour = 0;
    uint16_t bound = 0;
    if (hunt->puzzle->coloured)
        family->colours(hunt->puzzle, &hunt->root, 1, &colour);
    hunt->odd = colour;
    if (family->bounds != NULL)
        family->bounds(hunt->puzzle, &hunt->root, 1, &bound);
    raise_limit(hunt, bound == BOUND_NEVER ? PDB_NO_DISTANCE : bound);
}

/* -- lists -- */

static pdb_status take_root_as_way(struct hunt *hunt, pdb_error *error)
{
    hunt->way.state = malloc(sizeof *hunt->way.state);
    if (hunt->way.state == NULL)
        return error_no_memory(error, "a solution", sizeof *hunt->way.state);
    hunt->way.state[0] = hunt->root;
    hunt->way.count = 1;
    hunt->solved = true;
    return PDB_OK;
}

/* Is the state a goal, or in the perimeter around the goals? */
static bool is_near(const struct hunt *hunt, uint64_t state, uint32_t *distance)
{
    uint8_t position[BOARD_MAX_CELLS];
    if (hunt->goals != NULL)
        return perimeter_find(hunt->goals, state, distance);
    *distance = 0;
    hunt->puzzle->family->unrank(hunt->puzzle, state, position);
    return hunt->puzzle->family->is_goal(hunt->puzzle, position);
}

/* The perimeter around the goals that this stage searches with, and what it says of the board. */
static pdb_status take_goals(struct hunt *hunt, pdb_error *error)
{
    uint32_t distance;
    pdb_status status = ida_goals_get(hunt->ida, hunt->stage, &hunt->control, &hunt->goals, error);
    if (status != PDB_OK)
        return status;
    if (is_near(hunt, hunt->root, &distance)) {
        raise_limit(hunt, distance);
        return take_root_as_way(hunt, error);
    }
    const bool complete = hunt->goals != NULL && hunt->goals->complete;
    raise_limit(hunt, complete ? PDB_NO_DISTANCE : hunt->goals != NULL ? hunt->goals->radius + 1 : 1);
    return PDB_OK;
}

static bool observe_around(void *context, uint64_t generated)
{
    return ida_control_add(context, generated);
}

/* What the outermost layer around the board says. */
static pdb_status look_at_layer(struct hunt *hunt, pdb_error *error)
{
    uint32_t least = UINT32_MAX, distance;
    for (uint64_t i = 0; i < hunt->around.count; i++) {
        if (is_near(hunt, hunt->around.layer[i], &distance))
            least = distance < least ? distance : least;
        if (i % POLL_STATES == POLL_STATES - 1 && !ida_control_add(&hunt->control, 0))
            return error_set(error, PDB_INTERRUPTED, "%s: interrupted", hunt->puzzle->name);
    }
    const uint32_t radius = hunt->goals != NULL ? hunt->goals->radius : 0;
    hunt->explore = least == UINT32_MAX;
    raise_limit(hunt, hunt->around.radius + (hunt->explore ? radius + 1 : least));
    return PDB_OK;
}

/* Lists the states around the board. */
static pdb_status explore_around(struct hunt *hunt, uint32_t most, pdb_error *error)
{
    struct perimeter *around = &hunt->around;
    const bool last = hunt->stage + 1 == IDA_STAGES;
    if (!hunt->explore || (hunt->ida->options.no_table && !last))
        return PDB_OK;
    pdb_status status = look_at_layer(hunt, error);
    while (status == PDB_OK && hunt->explore && is_open(hunt, most) &&
           perimeter_estimate(around) <= (double)ida_stages[hunt->stage].around) {
        status = perimeter_grow(around, observe_around, &hunt->control, error);
        if (around->complete)
            raise_limit(hunt, PDB_NO_DISTANCE);
        if (around->complete || around->full)
            hunt->explore = false;
        else if (status == PDB_OK)
            status = look_at_layer(hunt, error);
    }
    return status;
}

/* -- stages -- */

static pdb_status make_workers(struct hunt *hunt, pdb_error *error)
{
    const struct search_options *options = &hunt->ida->options;
    const unsigned wanted = ida_stages[hunt->stage].parallel ? options->threads : 1;
    const uint64_t memory = options->memory / 8 * IDA_EIGHTHS_TABLE / options->threads;
    for (; hunt->workers < wanted; hunt->workers++) {
        struct ida_worker *worker = &hunt->worker[hunt->workers];
        pdb_status status = ida_worker_create(worker, hunt->puzzle, !options->no_table, memory, error);
        if (status != PDB_OK) {
            ida_worker_free(worker);
            return status;
        }
    }
    return PDB_OK;
}

/* Claims are of one perimeter, and of rounds that ended: see ida_round.h. */
static void start_workers_anew(struct hunt *hunt)
{
    for (unsigned w = 0; w < hunt->workers; w++) {
        if (hunt->worker[w].remember)
            visited_clear(&hunt->worker[w].table);
        hunt->worker[w].goals = hunt->goals;
        hunt->worker[w].around = hunt->around.radius > 0 ? &hunt->around : NULL;
        hunt->worker[w].radius = hunt->goals != NULL ? hunt->goals->radius : 0;
    }
}

static pdb_status begin_stage(struct hunt *hunt, unsigned stage, uint32_t most, pdb_error *error)
{
    hunt->stage = stage;
    pdb_status status = take_goals(hunt, error);
    if (status == PDB_OK && is_open(hunt, most))
        status = explore_around(hunt, most, error);
    if (status == PDB_OK && is_open(hunt, most))
        status = make_workers(hunt, error);
    start_workers_anew(hunt);
    /* Lists count as nodes: the stage's own start with it. */
    hunt->control.budget = ida_stages[stage].nodes;
    if (stage + 1 < IDA_STAGES)
        hunt->control.budget += hunt->control.nodes;
    return status;
}

static pdb_status search_round(struct hunt *hunt, bool *over, pdb_error *error)
{
    uint32_t excess = EXCESS_NONE;
    pdb_status status;
    const enum ida_outcome outcome = ida_round(hunt->worker, hunt->workers, &hunt->control, hunt->root, &excess,
                                               &hunt->way, &status, error);
    hunt->solved = outcome == IDA_FOUND;
    if (outcome == IDA_IN_VAIN)
        raise_limit(hunt, excess == EXCESS_NONE ? PDB_NO_DISTANCE : hunt->control.limit + excess);
    *over = outcome == IDA_OVER || hunt->control.nodes > hunt->control.budget;
    return status;
}

static pdb_status run(struct hunt *hunt, uint32_t most, pdb_error *error)
{
    look_at_root(hunt);
    pdb_status status = is_open(hunt, most) ? begin_stage(hunt, 0, most, error) : PDB_OK;
    while (status == PDB_OK && is_open(hunt, most)) {
        bool over;
        status = search_round(hunt, &over, error);
        if (status == PDB_OK && over && is_open(hunt, most))
            status = begin_stage(hunt, hunt->stage + 1, most, error);
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
    pdb_status status = puzzle->family->moves(puzzle, from, moves, error);
    for (size_t m = 0; status == PDB_OK && m < moves->count; m++)
        if (puzzle->family->rank(puzzle, moves->move[m].board.symbol, &index) && index == state) {
            memcpy(to, moves->move[m].board.symbol, puzzle->board.places);
            return PDB_OK;
        }
    return status != PDB_OK
               ? status
               : error_set(error, PDB_BROKEN_RULES, "%s: no move leads where the search went", puzzle->name);
}

/* The whole solution as positions. */
static pdb_status make_path(struct hunt *hunt, const uint8_t *position, struct search_answer *answer, pdb_error *error)
{
    const struct puzzle *puzzle = hunt->puzzle;
    const size_t places = puzzle->board.places;
    const uint32_t distance = hunt->control.limit;
    pdb_moves moves = {0};
    pdb_status status = make_workers(hunt, error);
    if (status != PDB_OK)
        return status;
    uint8_t *path = malloc((distance + (size_t)1) * places);
    if (path == NULL)
        return error_no_memory(error, "a solution", (distance + (size_t)1) * places);
    memcpy(path, position, places);
    uint64_t state = hunt->root;
    for (uint32_t step = 1; status == PDB_OK && step <= distance; step++) {
        if (step < hunt->way.count)
            state = hunt->way.state[step];
        else if (!step_down(hunt->worker, hunt->goals, &state, distance - step + 1))
            status = error_set(error, PDB_BROKEN_RULES, "%s: moves and their inverses do not agree", puzzle->name);
        if (status == PDB_OK)
            status = make_step(puzzle, path + (step - 1) * places, state, path + step * places, &moves, error);
    }
    hunt->control.nodes += hunt->worker->nodes;
    free(moves.move);
    if (status != PDB_OK) {
        free(path);
        return status;
    }
    answer->distance = distance;
    answer->path = path;
    return PDB_OK;
}

static pdb_status begin_hunt(struct hunt *hunt, const struct ida *ida, pdb_error *error)
{
    hunt->ida = ida;
    hunt->puzzle = ida->searcher.puzzle;
    hunt->worker = calloc(ida->options.threads, sizeof *hunt->worker);
    if (hunt->worker == NULL)
        return error_no_memory(error, "a search", ida->options.threads * sizeof *hunt->worker);
    pdb_status status = perimeter_create(&hunt->around, hunt->puzzle, false,
                                         ida->options.memory / 8 * IDA_EIGHTHS_AROUND, error);
    if (status == PDB_OK)
        status = perimeter_begin(&hunt->around, &hunt->root, 1, error);
    hunt->explore = status == PDB_OK;
    return status == PDB_TOO_LARGE ? PDB_OK : status; /* too little memory for lists: it goes without */
}

static void end_hunt(struct hunt *hunt)
{
    for (unsigned w = 0; w < hunt->workers; w++)
        ida_worker_free(&hunt->worker[w]);
    free(hunt->worker);
    free(hunt->way.state);
    perimeter_free(&hunt->around);
}

static pdb_status ida_solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                            search_observer *observe, void *context, struct search_answer *answer, pdb_error *error)
{
    struct hunt hunt = {.control = {.observe = observe, .context = context}};
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    if (!searcher->puzzle->family->rank(searcher->puzzle, position, &hunt.root))
        return PDB_OK;
    pdb_status status = begin_hunt(&hunt, ida_of(searcher), error);
    if (status == PDB_OK)
        status = run(&hunt, most, error);
    if (status == PDB_OK && hunt.solved && hunt.control.limit <= most)
        status = make_path(&hunt, position, answer, error);
    answer->bound = hunt.control.limit;
    answer->nodes = hunt.control.nodes;
    end_hunt(&hunt);
    return status;
}

/* -- the searcher -- */

static const char *ida_method(const struct searcher *searcher)
{
    return ida_of(searcher)->method;
}

static void ida_free(struct searcher *searcher)
{
    struct ida *ida = (struct ida *)searcher;
    ida_goals_free(ida->goals);
    free(ida);
}

static const struct searcher_class ida_class = {
    .solve = ida_solve,
    .count = ida_count,
    .method = ida_method,
    .free = ida_free,
};

pdb_status ida_create(const struct puzzle *puzzle, const struct search_options *options, struct searcher **out,
                      pdb_error *error)
{
    struct ida *ida = calloc(1, sizeof *ida);
    if (ida == NULL)
        return error_no_memory(error, "a search", sizeof *ida);
    ida->searcher = (struct searcher){&ida_class, puzzle};
    ida->options = *options;
    ida->options.memory = options->memory != 0 ? options->memory : default_memory;
    if (puzzle->family->bounds == NULL)
        strcpy(ida->method, "iterative deepening without a bound");
    else if (puzzle->family->bound_text == NULL)
        strcpy(ida->method, "IDA*");
    else
        snprintf(ida->method, sizeof ida->method, "IDA* with %s", puzzle->family->bound_text);
    pdb_status status = ida_goals_create(ida, error);
    if (status != PDB_OK) {
        ida_free(&ida->searcher);
        return status;
    }
    *out = &ida->searcher;
    return PDB_OK;
}
