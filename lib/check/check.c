/* check.c -- does a puzzle keep the contract? Which states are looked at, and by whom
 *
 * The rules themselves are in rules.c.
 */
#include "check.h"
#include "rules.h"
#include "lib/memory/array.h"
#include "lib/images.h"
#include "lib/numbers.h"
#include "lib/random.h"
#include "lib/team.h"

#include <stdlib.h>
#include <string.h>

enum {
    GOALS_MAX = 1 << 22, /* goals that are kept; with more, not every other state is known to be none */
    ORIGINS_MAX = 256,   /* goals from which walks begin */
    PROBES = 256,        /* states whose moves are counted to know how many there are */
    SMALL = 1 << 14      /* states that moves lead to are all looked for while they are no more */
};

static const uint64_t seed_of_checks = 0x7064622D67656E;

struct check {
    const struct puzzle *puzzle;
    const struct check_limits *limits;
    struct rules rules;
    uint64_t *next; /* the neighbours of one state */
    uint64_t *origin;
    size_t origins;
    uint64_t *goal; /* those visited, ascending */
    size_t goals;
    bool goals_left; /* there were more than are kept */
    uint64_t *state; /* those to be checked, ascending; NULL for all */
    uint64_t states;
};

struct check_limits check_defaults(unsigned threads)
{
    return (struct check_limits){.moves = 40000000, .threads = threads};
}

/* -- goals -- */

static pdb_status take_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct check *check = context;
    for (size_t i = 0; i < count; i++) {
        if (index[i] >= check->puzzle->states)
            return rules_broken(check->puzzle, error, "goals", index[i], "it is visited, and there are %llu states",
                                (unsigned long long)check->puzzle->states);
        check->goals_left = check->goals == GOALS_MAX;
        if (check->goals_left)
            return PDB_TOO_LARGE; /* enough */
        uint64_t *grown = array_grow(check->goal, check->goals, sizeof *grown);
        if (grown == NULL)
            return error_no_memory(error, "the goals", 2 * check->goals * sizeof *grown);
        check->goal = grown;
        check->goal[check->goals++] = index[i];
    }
    return PDB_OK;
}

/* Where states have keys and are found by moves from the named boards, goals are looked for among them, and not
 * visited. */
static bool goals_known(const struct puzzle *puzzle)
{
    return !puzzle->keyed || !puzzle_sets_out(puzzle);
}

/* Goals are states that fit the goal, each visited once. */
static pdb_status check_goals(struct check *check, pdb_error *error)
{
    const struct puzzle *puzzle = check->puzzle;
    if (!goals_known(puzzle))
        return PDB_OK;
    pdb_status status = puzzle->family->index.goals(puzzle, take_goals, check, error);
    if (status != PDB_OK && !check->goals_left)
        return status;
    if (check->goals == 0 && !puzzle->unordered) /* there, a puzzle may turn out to have no solution */
        return error_set(error, PDB_BROKEN_RULES, "%s: goals: no state fits the goal", puzzle->name);
    sort_numbers(check->goal, check->goals);
    for (size_t g = 0; g < check->goals; g++) {
        uint8_t position[BOARD_MAX_CELLS] = {0};
        if (g > 0 && check->goal[g] == check->goal[g - 1])
            return rules_broken(puzzle, error, "goals", check->goal[g], "it is visited twice");
        puzzle->family->position.unrank(puzzle, check->goal[g], position);
        if (!puzzle->family->position.is_goal(puzzle, position))
            return rules_broken(puzzle, error, "goals", check->goal[g], "it is visited as a goal, but is none");
    }
    return PDB_OK;
}

/* -- named boards -- */

/* A named board is proper, is read back as it was, and has an index that stands for it. */
static pdb_status check_named(const struct puzzle *puzzle, const struct named_board *named, pdb_error *error)
{
    char text[BOARD_TEXT_MAX];
    uint8_t again[BOARD_MAX_CELLS];
    uint64_t index, rank;
    pdb_error cause = {.message = "another board"};
    board_format(&puzzle->board, named->position, text);
    if (board_parse(&puzzle->board, text, 0, again, NULL, &cause) != PDB_OK ||
        memcmp(again, named->position, puzzle->board.places) != 0)
        return error_set(error, PDB_BROKEN_RULES, "%s: text: the board named '%s', '%s', is not read back: %s",
                         puzzle->name, named->name, text, cause.message);
    if (!puzzle->family->position.rank(puzzle, named->position, &index))
        return PDB_OK; /* it cannot reach the goal */
    if (index >= puzzle->states)
        return error_set(error, PDB_BROKEN_RULES,
                         "%s: ranking: the board named '%s' has the index %llu, and there are %llu states",
                         puzzle->name, named->name, (unsigned long long)index, (unsigned long long)puzzle->states);
    puzzle->family->position.unrank(puzzle, index, again);
    if (!puzzle->family->position.rank(puzzle, again, &rank) || rank != index)
        return rules_broken(puzzle, error, "ranking", index,
                            "it is the index of the board named '%s', but not of its own position", named->name);
    return PDB_OK;
}

/* -- which states -- */

/* Takes states to set out from until there are enough, which stops their being visited. */
static pdb_status add_origins(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct check *check = context;
    (void)error;
    for (size_t i = 0; i < count && check->origins < ORIGINS_MAX; i++)
        check->origin[check->origins++] = index[i];
    return check->origins < ORIGINS_MAX ? PDB_OK : PDB_INTERRUPTED;
}

/* Where walks begin: the named boards, or else the states to set out from; and the first goals. */
static pdb_status find_origins(struct check *check, pdb_error *error)
{
    const struct puzzle *puzzle = check->puzzle;
    check->origin = malloc((puzzle->named_count + 2 * ORIGINS_MAX) * sizeof *check->origin);
    if (check->origin == NULL)
        return error_no_memory(error, "the boards that walks begin at", puzzle->named_count * sizeof *check->origin);
    for (size_t i = 0; i < puzzle->named_count; i++)
        check->origins += puzzle->family->position.rank(puzzle, puzzle->named[i].position,
                                                        &check->origin[check->origins]);
    if (check->origins == 0 && puzzle->forward && puzzle->keyed)
        puzzle->family->index.starts(puzzle, add_origins, check, error);
    for (size_t g = 0; g < check->goals && g < ORIGINS_MAX; g++)
        check->origin[check->origins++] = check->goal[g];
    if (puzzle->keyed && check->origins == 0)
        return error_set(error, PDB_BAD_DEFINITION,
                         "%s: there is no board to set out from: name one, for example 'start', under 'boards'",
                         puzzle->name);
    return PDB_OK;
}

/* How many states have so many moves, about: by the mean of some that are drawn (where there are keys, of the
 * origins). */
static uint64_t states_with(const struct check *check, uint64_t moves)
{
    const struct puzzle *puzzle = check->puzzle;
    const uint64_t probes = puzzle->keyed && check->origins < PROBES ? check->origins : PROBES;
    uint64_t seed = seed_of_checks, found = 0;
    for (uint64_t i = 0; i < probes; i++) {
        uint64_t state = puzzle->keyed ? check->origin[i] : random_below(&seed, puzzle->states);
        uint16_t out, in;
        puzzle->family->index.successors(puzzle, &state, 1, check->next, &out);
        puzzle->family->index.predecessors(puzzle, &state, 1, check->next, &in);
        found += out > in ? out : in;
    }
    return moves / (found / probes + 1); /* NOLINT(*DivideZero): there is an origin */
}

/* Puts the neighbours of a state behind all that are there, but for those among the first `known`, which are sorted; no
 * more than there is room for. A neighbour that is no state is found when the state itself is checked. */
static void add_neighbours(struct check *check, uint64_t state, bool forward, uint64_t known, uint64_t room)
{
    const struct puzzle *puzzle = check->puzzle;
    uint16_t count;
    (forward ? puzzle->family->index.successors : puzzle->family->index.predecessors)(puzzle, &state, 1, check->next,
                                                                                      &count);
    for (uint16_t n = 0; n < count && check->states < room; n++)
        if (check->next[n] < puzzle->states &&
            bsearch(&check->next[n], check->state, known, sizeof *check->state, compare_numbers) == NULL)
            check->state[check->states++] = check->next[n];
}

/* The states that moves lead to from the origins, or back from them, by rounds, until they are not few any more; *all
 * says whether none is left. */
static pdb_status find_all(struct check *check, bool *all, pdb_error *error)
{
    enum { ROOM = 4 * SMALL, ROUNDS = 1024 };
    uint64_t *frontier = malloc(SMALL * sizeof *frontier);
    uint64_t new = check->origins < SMALL ? check->origins : SMALL;
    check->state = malloc(ROOM * sizeof *check->state);
    if (check->state == NULL || frontier == NULL) {
        free(frontier);
        return error_no_memory(error, "the states to be checked", ROOM * sizeof *check->state);
    }
    memcpy(frontier, check->origin, new * sizeof *frontier);
    memcpy(check->state, check->origin, new * sizeof *frontier);
    check->states = sort_unique_numbers(check->state, new);
    for (unsigned round = 0; new > 0 && new <= SMALL && check->states <= SMALL &&round < ROUNDS; round++) {
        const uint64_t known = check->states;
        for (uint64_t i = 0; i < new; i++) {
            add_neighbours(check, frontier[i], true, known, ROOM);
            add_neighbours(check, frontier[i], false, known, ROOM);
        }
        new = sort_unique_numbers(check->state + known, check->states - known);
        memcpy(frontier, check->state + known, (new < SMALL ? new : SMALL) * sizeof *frontier);
        check->states = sort_unique_numbers(check->state, known + new);
    }
    free(frontier);
    *all = new == 0;
    return PDB_OK;
}

/* A walk of so many states, forward or backward; it begins again where it ends. A neighbour that is no state ends it
 * too: that is found when the state before it is checked. */
static void walk(struct check *check, uint64_t origin, bool forward, uint64_t steps, uint64_t *seed)
{
    const struct puzzle *puzzle = check->puzzle;
    uint64_t at = origin;
    for (uint64_t step = 0; step < steps; step++) {
        uint16_t count;
        check->state[check->states++] = at;
        (forward ? puzzle->family->index.successors : puzzle->family->index.predecessors)(puzzle, &at, 1, check->next,
                                                                                          &count);
        const uint64_t to = count > 0 ? check->next[random_below(seed, count)] : UINT64_MAX;
        if (to >= puzzle->states && at == origin)
            return;
        at = to < puzzle->states ? to : origin;
    }
}

/* A sample of the states (none where they have keys), and those that walks come by; where they have keys, those that
 * are nearest to the origins, too, and these alone where there are no others. */
static pdb_status choose_states(struct check *check, pdb_error *error)
{
    const struct puzzle *puzzle = check->puzzle;
    bool all = false;
    const pdb_status status = puzzle->keyed ? find_all(check, &all, error) : PDB_OK;
    if (status != PDB_OK || all)
        return status;
    const uint64_t sample = states_with(check, check->limits->moves / 8), drawn = puzzle->keyed ? 0 : sample;
    const uint64_t walks = 2 * check->origins, steps = walks > 0 ? sample / walks + 1 : 0;
    uint64_t seed = seed_of_checks;
    const uint64_t room = check->states + drawn + walks * steps;
    uint64_t *longer = reallocarray(check->state, room, sizeof *check->state);
    if (longer == NULL)
        return error_no_memory(error, "the states to be checked", room * sizeof *check->state);
    check->state = longer;
    while (check->states < drawn)
        check->state[check->states++] = random_below(&seed, puzzle->states);
    for (uint64_t w = 0; w < walks; w++)
        walk(check, check->origin[w / 2], w % 2 == 0, steps, &seed);
    check->states = sort_unique_numbers(check->state, check->states);
    return PDB_OK;
}

/* -- on all cores -- */

/* One pass over all states. */
struct pass {
    const struct check *check;
    unsigned number;
    uint64_t runs, done, moves;
    struct rules_room **room; /* of each thread */
    bool stopped;
    struct team_failure failure;
};

static pdb_status check_run(const struct check *check, struct rules_room *room, unsigned pass, uint64_t run,
                            uint64_t *moves, pdb_error *error)
{
    const uint64_t first = run * RULES_RUN, left = check->states - first;
    const size_t count = left < RULES_RUN ? (size_t)left : RULES_RUN;
    uint64_t index[RULES_RUN];
    for (size_t i = 0; i < count; i++)
        index[i] = check->state != NULL ? check->state[first + i] : first + i;
    return rules_check(&check->rules, room, pass, index, count, moves, error);
}

/* Every thread checks runs until one before its next has failed. */
static void pass_run(void *context, unsigned thread, uint64_t run)
{
    struct pass *pass = context;
    const struct check *check = pass->check;
    const struct check_limits *limits = check->limits;
    struct rules_room **room = &pass->room[thread];
    uint64_t moves = 0;
    pdb_error failure;
    if (team_failed(&pass->failure, run) || __atomic_load_n(&pass->stopped, __ATOMIC_RELAXED))
        return;
    if (*room == NULL)
        *room = rules_room_create(&check->rules);
    const pdb_status status = *room == NULL ? error_no_memory(&failure, "the check", check->puzzle->max_moves)
                                            : check_run(check, *room, pass->number, run, &moves, &failure);
    if (status != PDB_OK)
        team_fail(&pass->failure, run, &failure);
    __atomic_fetch_add(&pass->moves, moves, __ATOMIC_RELAXED);
    const uint64_t done = __atomic_add_fetch(&pass->done, 1, __ATOMIC_RELAXED);
    if (thread == 0 && limits->observer != NULL &&
        !limits->observer(limits->context, (pass->number * pass->runs + done) * RULES_RUN / RULES_PASSES,
                          check->states))
        __atomic_store_n(&pass->stopped, true, __ATOMIC_RELAXED);
}

static pdb_status make_pass(const struct check *check, unsigned number, uint64_t *moves, pdb_error *error)
{
    const unsigned threads = check->limits->threads;
    struct pass pass = {.check = check,
                        .number = number,
                        .runs = team_shares(check->states, RULES_RUN),
                        .room = calloc(threads, sizeof *pass.room),
                        .failure = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    if (pass.room == NULL)
        return error_no_memory(error, "the check", threads * sizeof *pass.room);
    team_once(threads, pass.runs, pass_run, &pass);
    for (unsigned t = 0; t < threads; t++)
        rules_room_free(pass.room[t]);
    free(pass.room);
    *moves += pass.moves;
    pdb_status status = team_outcome(&pass.failure, error);
    if (status == PDB_OK && pass.stopped)
        status = error_set(error, PDB_INTERRUPTED, "%s: interrupted", check->puzzle->name);
    return status;
}

/* -- all of it -- */

/* Where goals are not known, those among the states checked are taken. */
static pdb_status check_bounds(struct check *check, pdb_error *error)
{
    const struct puzzle *puzzle = check->puzzle;
    if (puzzle->family->single.bounds == NULL || puzzle->forward)
        return PDB_OK;
    for (uint64_t i = 0; !goals_known(puzzle) && i < check->states; i++) {
        uint8_t position[BOARD_MAX_CELLS] = {0};
        puzzle->family->position.unrank(puzzle, check->state[i], position);
        if (!puzzle->family->position.is_goal(puzzle, position))
            continue;
        pdb_status status = take_goals(check, &check->state[i], 1, error);
        if (status != PDB_OK && !check->goals_left)
            return status;
    }
    return rules_check_bounds(puzzle, check->limits, check->goal, check->goals, check->states, error);
}

static pdb_status check_everything(struct check *check, struct check_report *report, pdb_error *error)
{
    const struct puzzle *puzzle = check->puzzle;
    check->next = malloc((puzzle->max_moves + RULES_SLACK) * sizeof *check->next);
    if (check->next == NULL)
        return error_no_memory(error, "the moves of a state", puzzle->max_moves * sizeof *check->next);
    pdb_status status = check_goals(check, error);
    for (size_t i = 0; status == PDB_OK && i < puzzle->named_count; i++)
        status = check_named(puzzle, &puzzle->named[i], error);
    if (status == PDB_OK)
        status = find_origins(check, error);
    const bool all = status == PDB_OK && !puzzle->keyed && puzzle->states <= states_with(check, check->limits->moves);
    check->states = all ? puzzle->states : 0;
    if (status == PDB_OK && !all)
        status = choose_states(check, error);
    if (status != PDB_OK)
        return status;
    const bool goals_complete = goals_known(puzzle) && !check->goals_left;
    uint8_t position[BOARD_MAX_CELLS] = {0}; /* the first state's, to try symmetries on */
    /* NOLINTNEXTLINE(*unix.Malloc): where there is an array of states it has one */
    puzzle->family->position.unrank(puzzle, check->state != NULL ? check->state[0] : 0, position);
    check->rules = (struct rules){.puzzle = puzzle,
                                  .goal = check->goal,
                                  .goals = check->goals,
                                  .goals_complete = goals_complete,
                                  .symmetries = images_symmetries(puzzle, position)};
    *report = (struct check_report){.states = check->states,
                                    .all = all,
                                    .goals = check->goals,
                                    .goals_complete = goals_complete,
                                    .coloured = puzzle->coloured,
                                    .symmetric = puzzle->family->index.weights != NULL,
                                    .bounded = puzzle->family->single.bounds != NULL && !puzzle->forward};
    for (unsigned pass = 0; status == PDB_OK && pass < RULES_PASSES; pass++)
        status = make_pass(check, pass, &report->moves, error);
    return status != PDB_OK ? status : check_bounds(check, error);
}

pdb_status check_puzzle(const struct puzzle *puzzle, const struct check_limits *limits, struct check_report *report,
                        pdb_error *error)
{
    struct check check = {.puzzle = puzzle, .limits = limits};
    if (puzzle->states == 0)
        return rules_check_positions(puzzle, limits, report, error);
    pdb_status status = check_everything(&check, report, error);
    free(check.next);
    free(check.origin);
    free(check.goal);
    free(check.state);
    return status;
}
