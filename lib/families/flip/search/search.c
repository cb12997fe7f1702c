/* search.c -- the searcher of puzzles of buttons (search.h) */
#include "search.h"
#include "lib/numbers.h"
#include "lib/search/board/bounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct flip_searcher {
    struct searcher searcher;
    const struct flip *flip;
    struct press_equations equations;
};

static const struct flip_searcher *searcher_of(const struct searcher *searcher)
{
    return (const struct flip_searcher *)searcher;
}

/* -- one board -- */

/* A board that is worked on. */
struct task {
    const struct flip_searcher *searcher;
    uint8_t *presses; /* of each button, forward: at first some solution, then a shortest one, part after part */
    uint16_t *cost;   /* of the part at hand (coset.h) */
    uint8_t *member;
    uint64_t nodes;
    uint32_t done; /* presses of the parts that are solved */
    search_observer *observe;
    void *context;
    bool stopped;
};

static void task_free(struct task *task)
{
    free(task->presses);
    free(task->cost);
    free(task->member);
}

/* Finds some solution; *solvable says whether there is one. PDB_NO_MEMORY. The caller frees the task in any case. */
static pdb_status task_make(const struct flip_searcher *searcher, const uint8_t *position, struct task *task,
                            bool *solvable, pdb_error *error)
{
    const struct press_equations *equations = &searcher->equations;
    const struct flip *flip = searcher->flip;
    const size_t buttons = equations->buttons;
    uint8_t difference[BOARD_MAX_CELLS], digits[SPAN_MAX_DIGITS];
    task->searcher = searcher;
    task->presses = malloc(buttons + 1);
    task->member = malloc(buttons + 1);
    task->cost = malloc((buttons * flip->values + 1) * sizeof *task->cost);
    *solvable = false;
    if (task->presses == NULL || task->member == NULL || task->cost == NULL)
        return error_no_memory(error, "the presses", buttons * (2 + flip->values * sizeof *task->cost));
    for (unsigned i = 0; i < equations->cells; i++) {
        const unsigned place = equations->cell[i];
        difference[i] = (uint8_t)((flip->puzzle.goal[place] + flip->values - position[place]) % flip->values);
    }
    *solvable = span_digits(&equations->span, difference, digits);
    if (*solvable)
        span_tail(&equations->span, digits, task->presses);
    return PDB_OK;
}

/* The fewest moves that press a button so often, forward, modulo its order. */
static unsigned moves_for(const struct press_button *button, unsigned presses)
{
    return button->backward_moves > 0 && button->order - presses < presses ? button->order - presses : presses;
}

/* How often button number `button` is pressed if idle presses, times k / order, are added to the task's. */
static unsigned presses_with(const struct task *task, unsigned button, unsigned idle)
{
    const unsigned order = task->searcher->equations.button[button].order;
    return (task->presses[button] + idle / (task->searcher->flip->values / order)) % order;
}

/* -- parts -- */

static bool look_on(void *context, uint64_t nodes, uint32_t bound)
{
    struct task *task = context;
    const struct search_progress progress = {.limit = task->done + bound, .nodes = task->nodes + nodes};
    if (!task->stopped && task->observe != NULL)
        task->stopped = !task->observe(task->context, &progress);
    return !task->stopped;
}

static struct coset_search part_search(struct task *task, const struct press_part *part, uint32_t most)
{
    const unsigned values = task->searcher->flip->values;
    for (unsigned i = 0; i < part->buttons; i++) {
        const struct press_button *button = &task->searcher->equations.button[part->button[i]];
        for (unsigned idle = 0; idle < values; idle++)
            task->cost[i * values + idle] = (uint16_t)moves_for(button, presses_with(task, part->button[i], idle));
    }
    return (struct coset_search){.plan = &part->plan,
                                 .cost = task->cost,
                                 .most = most < UINT16_MAX ? most : UINT16_MAX - 1,
                                 .threads = task->searcher->searcher.threads,
                                 .observe = look_on,
                                 .context = task};
}

/* Makes the presses of one part as few as they can be. */
static pdb_status solve_part(struct task *task, const struct press_part *part, uint32_t most,
                             struct coset_answer *answer, pdb_error *error)
{
    const struct coset_search search = part_search(task, part, most);
    pdb_status status = coset_cheapest(&search, task->member, answer, error);
    task->nodes += answer->nodes;
    for (unsigned i = 0; status == PDB_OK && answer->cost != COSET_NONE && i < part->buttons; i++)
        task->presses[part->button[i]] = (uint8_t)presses_with(task, part->button[i], task->member[i]);
    return status;
}

/* Makes all presses as few as they can be. Where some part needs too many, or the search is stopped, *bound is what is
 * proven; parts that are left then are asked for their bounds only. */
static pdb_status solve_parts(struct task *task, uint32_t most, uint32_t *bound, pdb_error *error)
{
    const struct press_equations *equations = &task->searcher->equations;
    pdb_status worst = PDB_OK;
    *bound = 0;
    for (unsigned i = 0; i < equations->parts; i++) {
        struct coset_answer answer;
        pdb_status status = solve_part(task, &equations->part[i], most - *bound, &answer, error);
        if (status != PDB_OK && status != PDB_INTERRUPTED)
            return status;
        worst = status != PDB_OK ? status : worst;
        *bound += answer.bound;
        task->done = *bound;
        if (*bound > most)
            return worst;
    }
    return worst;
}

/* -- the path -- */

/* The boards on the way, moves in ascending order. */
static pdb_status make_path(const struct task *task, const uint8_t *position, struct search_answer *answer,
                            pdb_error *error)
{
    const struct flip *flip = task->searcher->flip;
    const size_t places = flip->puzzle.board.places;
    uint8_t *times = calloc(flip->moves, 1); /* how often each move is made */
    uint8_t *board = malloc((answer->distance + 1) * places);
    answer->path = board;
    if (times == NULL || board == NULL) {
        free(times);
        free(board);
        answer->path = NULL;
        return error_no_memory(error, "the path", (answer->distance + 1) * places);
    }
    for (unsigned j = 0; j < task->searcher->equations.buttons; j++) {
        const struct press_button *button = &task->searcher->equations.button[j];
        const unsigned presses = task->presses[j], pressed = moves_for(button, presses);
        times[pressed == presses ? button->forward : button->backward] = (uint8_t)pressed;
    }
    memcpy(board, position, places);
    for (unsigned m = 0; m < flip->moves; m++)
        for (unsigned i = 0; i < times[m]; i++, board += places) {
            memcpy(board + places, board, places);
            span_add(board + places, flip_change(flip, m), places, 1, flip->values);
        }
    free(times);
    return PDB_OK;
}

static pdb_status flip_solve(const struct searcher *generic, const uint8_t *position, uint32_t most,
                             search_observer *observe, void *context, struct search_answer *answer, pdb_error *error)
{
    struct task task = {.observe = observe, .context = context};
    bool solvable;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    pdb_status status = task_make(searcher_of(generic), position, &task, &solvable, error);
    if (status == PDB_OK && solvable) {
        status = solve_parts(&task, most, &answer->bound, error);
        answer->nodes = task.nodes;
        if (status == PDB_OK && answer->bound <= most) {
            answer->distance = answer->bound;
            status = make_path(&task, position, answer, error);
        }
    }
    task_free(&task);
    return status;
}

/* -- counting -- */

typedef unsigned __int128 count_t;

static const count_t count_limit = (count_t)1 << 127;

/* *count *= factor; false where that is 2^127 or more. */
static bool multiply(count_t *count, count_t factor)
{
    return !__builtin_mul_overflow(*count, factor, count) && *count < count_limit;
}

/* *count *= the number of ways to choose `few` of `all`, in steps that are numbers of ways themselves. */
static bool multiply_choices(count_t *count, uint32_t all, uint32_t few)
{
    for (uint32_t i = 1; i <= few; i++) {
        const uint32_t more = all - few + i, common = common_divisor(more, i);
        *count /= i / common; /* divides it, as i / common and more / common have nothing in common */
        if (!multiply(count, more / common))
            return false;
    }
    return true;
}

struct counting {
    const struct task *task;
    const struct press_part *part;
    count_t count;
};

/* In how many orders so many presses of a button can be made, if its moves have to be told apart. */
static count_t ways_for(const struct press_button *button, unsigned presses)
{
    const unsigned moves = moves_for(button, presses);
    count_t forward = moves == presses, backward = moves == (unsigned)(button->order - presses);
    for (unsigned i = 0; i < moves; i++) {
        forward *= button->forward_moves;
        backward *= button->backward_moves;
    }
    return forward + backward;
}

/* Adds the sequences of moves that make the presses of one lightest member. */
static pdb_status count_member(void *context, const uint8_t *member, pdb_error *error)
{
    struct counting *counting = context;
    const struct press_part *part = counting->part;
    count_t sequences = 1;
    uint32_t moves = 0;
    bool small = true;
    for (unsigned i = 0; small && i < part->buttons; i++) {
        const struct press_button *button = &counting->task->searcher->equations.button[part->button[i]];
        const unsigned presses = presses_with(counting->task, part->button[i], member[i]);
        if (presses == 0)
            continue;
        moves += moves_for(button, presses);
        small = multiply_choices(&sequences, moves, moves_for(button, presses)) &&
                multiply(&sequences, ways_for(button, presses));
    }
    counting->count += sequences;
    if (!small || counting->count >= count_limit)
        return error_set(error, PDB_TOO_LARGE, "there are 2^127 shortest solutions or more");
    return PDB_OK;
}

/* *count *= the shortest sequences of one part's moves, and of the orders in which they can come among those of the
 * parts before. */
static pdb_status count_part(struct task *task, const struct press_part *part, count_t *count, pdb_error *error)
{
    struct counting counting = {.task = task, .part = part};
    struct coset_answer answer;
    pdb_status status = solve_part(task, part, PDB_NO_DISTANCE, &answer, error);
    if (status != PDB_OK)
        return status;
    const struct coset_search search = part_search(task, part, answer.cost);
    task->done += answer.cost;
    const bool small = multiply_choices(count, task->done, answer.cost);
    status = coset_visit(&search, count_member, &counting, error);
    if (status == PDB_OK && !(small && multiply(count, counting.count)))
        return error_set(error, PDB_TOO_LARGE, "there are 2^127 shortest solutions or more");
    return status;
}

static pdb_status flip_count(const struct searcher *generic, const uint8_t *position, uint32_t distance,
                             search_observer *observe, void *context, count_t *count, pdb_error *error)
{
    const struct flip_searcher *searcher = searcher_of(generic);
    struct task task = {.observe = observe, .context = context};
    bool solvable;
    pdb_status status = task_make(searcher, position, &task, &solvable, error);
    *count = 1;
    for (unsigned i = 0; status == PDB_OK && solvable && i < searcher->equations.parts; i++)
        status = count_part(&task, &searcher->equations.part[i], count, error);
    if (!solvable || task.done != distance)
        *count = 0;
    task_free(&task);
    return status;
}

/* -- bounds, for people -- */

/* Keeps what is known at the first node, and stops there. */
static bool keep_bound(void *context, uint64_t nodes, uint32_t bound)
{
    (void)nodes;
    *(uint32_t *)context = bound;
    return false;
}

/* What the press sets of each part weigh at least, before any is tried. The parts are independent, so it is added. */
static pdb_status flip_tell(const struct searcher *generic, const uint8_t *position, pdb_bounds *bounds,
                            pdb_error *error)
{
    struct task task = {0};
    bool solvable;
    uint32_t bound = 0;
    pdb_status status = task_make(searcher_of(generic), position, &task, &solvable, error);
    if (status == PDB_OK && !solvable)
        status = bounds_add(bounds, "linear algebra: no presses make this board the goal", PDB_NO_DISTANCE, error);
    for (unsigned i = 0; status == PDB_OK && solvable && i < task.searcher->equations.parts; i++) {
        struct coset_answer answer;
        struct coset_search search = part_search(&task, &task.searcher->equations.part[i], PDB_NO_DISTANCE);
        uint32_t least = PDB_NO_DISTANCE;
        search.observe = keep_bound;
        search.context = &least;
        status = coset_cheapest(&search, task.member, &answer, error);
        status = status == PDB_INTERRUPTED ? PDB_OK : status;
        bound += least != PDB_NO_DISTANCE ? least : answer.bound;
    }
    if (status == PDB_OK && solvable)
        status = bounds_add(bounds, "fewest presses that a solution can have", bound, error);
    task_free(&task);
    return status;
}

/* -- the searcher -- */

static void flip_searcher_release(struct searcher *generic)
{
    press_equations_free(&((struct flip_searcher *)generic)->equations);
}

static void write_method(double idle, char *method)
{
    int exponent;
    if (idle == 1)
        strcpy(method, "linear algebra: the only press set that there is");
    else if (!isfinite(idle))
        strcpy(method, "linear algebra: the lightest of all press sets");
    else if (frexp(idle, &exponent) == 0.5)
        sprintf(method, "linear algebra: the lightest of 2^%d press sets", exponent - 1);
    else
        sprintf(method, "linear algebra: the lightest of %.*g press sets", idle < 1e6 ? 6 : 2, idle);
}

static pdb_status flip_searcher_make(struct searcher *generic, const struct search_options *options, pdb_error *error)
{
    struct flip_searcher *searcher = (struct flip_searcher *)generic;
    const struct puzzle *puzzle = generic->puzzle;
    (void)options;
    searcher->flip = (const struct flip *)puzzle;
    pdb_status status = press_equations_make(searcher->flip, &searcher->equations, error);
    if (status == PDB_OK && puzzle->states != 0 && searcher->equations.idle > (double)puzzle->states)
        return error_set(error, PDB_NO_DATABASE, "%s: there are more press sets for a board than there are boards",
                         puzzle->name); /* then boards are what to search */
    if (status == PDB_OK)
        write_method(searcher->equations.idle, generic->method);
    return status;
}

const struct searcher_class flip_searcher_class = {
    .size = sizeof(struct flip_searcher),
    .make = flip_searcher_make,
    .release = flip_searcher_release,
    .solve = flip_solve,
    .count = flip_count,
    .tell = flip_tell,
};
