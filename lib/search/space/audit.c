/* audit.c -- distances held against the rules of the puzzle */
#include "audit.h"
#include "distance.h"
#include "lib/memory/array.h"
#include "lib/numbers.h"
#include "lib/random.h"
#include "lib/team.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    SAMPLE = 100000,     /* states that are drawn, unless */
    MOVES_MAX = 1 << 20, /* they might have more moves than these, each of which leads to a distance to be found, */
    STEPS_MAX = 1 << 26, /* or walks to these might take more steps */
    GOALS_MAX = 10000,
    PATHS = 500, /* and the states on so many shortest paths */
    PATH_STATES_MAX = 50000,
    BLOCK = 64,
    OBSERVED = 4 /* blocks */
};

struct audit;
struct desk;

typedef pdb_status block_look(struct audit *audit, struct desk *desk, size_t count, pdb_error *error);

/* One part of the audit: what is looked at, and what came of it. */
struct audit {
    block_look *look;
    const struct values *values;
    const struct audit_options *options;
    const uint64_t *list; /* states; NULL: all of them, in order */
    uint32_t *known;      /* all distances, once they are found; NULL: look each up */
    uint64_t count, done;
    uint64_t zeros;    /* states at distance 0 that were met */
    struct desk *desk; /* of each thread */
    struct team_failure failure;
};

/* What a thread works with: a block of states, their distances, and their neighbours' one after another. */
struct desk {
    uint64_t state[BLOCK];
    uint32_t distance[BLOCK];
    uint32_t near_count[BLOCK];
    bool lost[BLOCK]; /* a move leads to a board without a number, which has no distance */
    size_t near, room;
    uint64_t *next;  /* each neighbour, */
    uint32_t *reach; /* its distance, */
    uint32_t *cost;  /* and what the move to it costs */
    uint8_t position[BOARD_MAX_CELLS];
    pdb_moves moves;
};

static void desk_free(struct desk *desk)
{
    free(desk->next);
    free(desk->reach);
    free(desk->cost);
    free(desk->moves.move);
}

/* Makes room for `more` neighbours. */
static pdb_status desk_grow(struct desk *desk, size_t more, pdb_error *error)
{
    const size_t needed = desk->near + more;
    size_t room = desk->room, costs = room;
    const bool there = array_reserve(&desk->next, &room, needed, sizeof *desk->next) &&
                       array_reserve(&desk->cost, &costs, needed, sizeof *desk->cost) &&
                       array_reserve(&desk->reach, &desk->room, needed, sizeof *desk->reach);
    return there ? PDB_OK : error_no_memory(error, "the neighbours of states", 2 * needed * sizeof *desk->next);
}

/* -- what is wrong -- */

static const char *distance_text(uint32_t distance, char text[16])
{
    snprintf(text, 16, "%u", distance);
    return distance == DISTANCE_NONE ? "none" : text;
}

/* `what` may speak of a neighbour's distance, `%s`. */
static pdb_status wrong(const struct puzzle *puzzle, uint64_t state, uint32_t distance, const char *what,
                        pdb_error *error)
{
    uint8_t position[BOARD_MAX_CELLS];
    char *text = malloc(BOARD_TEXT_MAX), number[16];
    if (text == NULL)
        return error_no_memory(error, "a board", BOARD_TEXT_MAX);
    puzzle->family->position.unrank(puzzle, state, position);
    board_format(&puzzle->board, position, text);
    error_set(error, PDB_BROKEN_RULES, "the distance of %.400s is said to be %s, but %s", text,
              distance_text(distance, number), what);
    free(text);
    return PDB_BROKEN_RULES;
}

static pdb_status wrong_beside(const struct puzzle *puzzle, uint64_t state, uint32_t distance, uint32_t near,
                               pdb_error *error)
{
    char what[80], number[16];
    snprintf(what, sizeof what, "a move %s from there to distance %s",
             puzzle->max_cost > 1 ? "of cost 1 would lead" : "leads", distance_text(near, number));
    return wrong(puzzle, state, distance, what, error);
}

/* -- the rules -- */

/* State number i of a block beside its neighbours, those that its moves lead to. A move that costs more than 1 is held
 * to be one of cost 1 to where the goal is that much farther. */
static pdb_status hold(const struct puzzle *puzzle, const struct desk *desk, size_t i, size_t first, pdb_error *error)
{
    const uint32_t *reach = desk->reach + first, *cost = desk->cost + first;
    const uint32_t distance = desk->distance[i];
    uint32_t least = DISTANCE_NONE, greatest = desk->lost[i] ? DISTANCE_NONE : 0;
    for (size_t n = 0; n < desk->near_count[i]; n++) {
        const uint32_t near = reach[n] == DISTANCE_NONE ? DISTANCE_NONE : reach[n] + cost[n] - 1;
        least = near < least ? near : least;
        greatest = near > greatest ? near : greatest;
    }
    if (distance == DISTANCE_NONE)
        return least == DISTANCE_NONE ? PDB_OK : wrong_beside(puzzle, desk->state[i], distance, least, error);
    if (distance > 0 && least >= distance)
        return wrong(puzzle, desk->state[i], distance, "no move leads from there to a lesser one", error);
    if (distance > 0 && least < distance - 1)
        return wrong_beside(puzzle, desk->state[i], distance, least, error);
    if (puzzle->undoable && greatest > distance && greatest - distance > 1)
        return wrong_beside(puzzle, desk->state[i], distance, greatest, error);
    return PDB_OK;
}

static pdb_status distances_of(const struct audit *audit, const uint64_t *state, size_t count, uint32_t *distance,
                               pdb_error *error)
{
    if (audit->known == NULL)
        return distance_get(audit->values, state, count, distance, error);
    for (size_t i = 0; i < count; i++)
        distance[i] = audit->known[state[i]];
    return PDB_OK;
}

static pdb_status hold_block(const struct audit *audit, struct desk *desk, size_t count, pdb_error *error)
{
    pdb_status status = distances_of(audit, desk->next, desk->near, desk->reach, error);
    for (size_t i = 0, first = 0; status == PDB_OK && i < count; first += desk->near_count[i++])
        status = hold(audit->values->puzzle, desk, i, first, error);
    return status;
}

/* -- a block of states -- */

/* The distances of a block, in order, are found and kept. */
static pdb_status look_up(struct audit *audit, struct desk *desk, size_t count, pdb_error *error)
{
    return distance_get(audit->values, desk->state, count, &audit->known[desk->state[0]], error);
}

/* The neighbours of state number i, by the rules on positions; and is it a goal just where its distance is 0? */
static pdb_status look_plainly_at(const struct puzzle *puzzle, struct desk *desk, size_t i, pdb_error *error)
{
    const uint64_t state = desk->state[i];
    uint64_t again;
    puzzle->family->position.unrank(puzzle, state, desk->position);
    if (!puzzle->family->position.rank(puzzle, desk->position, &again) || again != state)
        return wrong(puzzle, state, desk->distance[i], "the board has another number", error);
    if (puzzle->family->position.is_goal(puzzle, desk->position) != (desk->distance[i] == 0))
        return wrong(puzzle, state, desk->distance[i], desk->distance[i] == 0 ? "it is no goal" : "it is a goal",
                     error);
    desk->moves.count = 0;
    pdb_status status = puzzle->family->position.moves(puzzle, desk->position, &desk->moves, error);
    if (status == PDB_OK)
        status = desk_grow(desk, desk->moves.count, error);
    if (status != PDB_OK)
        return status;
    const size_t before = desk->near;
    desk->lost[i] = false;
    for (size_t m = 0; m < desk->moves.count; m++)
        if (puzzle->family->position.rank(puzzle, desk->moves.move[m].board.symbol, &desk->next[desk->near]))
            desk->cost[desk->near++] = desk->moves.move[m].cost;
        else
            desk->lost[i] = true;
    desk->near_count[i] = (uint32_t)(desk->near - before);
    return PDB_OK;
}

static pdb_status look_plainly(struct audit *audit, struct desk *desk, size_t count, pdb_error *error)
{
    pdb_status status = distances_of(audit, desk->state, count, desk->distance, error);
    desk->near = 0;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = look_plainly_at(audit->values->puzzle, desk, i, error);
    return status != PDB_OK ? status : hold_block(audit, desk, count, error);
}

/* The same by the family's successors, many states at a time. */
static pdb_status look_at_successors(struct audit *audit, struct desk *desk, size_t count, pdb_error *error)
{
    const struct puzzle *puzzle = audit->values->puzzle;
    uint16_t next_count[BLOCK];
    uint64_t zeros = 0;
    desk->near = 0;
    pdb_status status = desk_grow(desk, BLOCK * (size_t)puzzle->max_moves, error);
    if (status == PDB_OK)
        status = distance_get(audit->values, desk->state, count, desk->distance, error);
    if (status != PDB_OK)
        return status;
    desk->near = puzzle->family->index.costed_successors(puzzle, desk->state, count, desk->next, desk->cost,
                                                         next_count);
    for (size_t i = 0; i < count; i++) {
        desk->near_count[i] = next_count[i];
        desk->lost[i] = false;
        zeros += desk->distance[i] == 0;
    }
    __atomic_fetch_add(&audit->zeros, zeros, __ATOMIC_RELAXED);
    return hold_block(audit, desk, count, error);
}

/* -- all blocks -- */

static void look_at_block(void *context, unsigned thread, uint64_t block)
{
    struct audit *audit = context;
    struct desk *desk = &audit->desk[thread];
    const uint64_t first = block * BLOCK, left = audit->count - first;
    const size_t count = left < BLOCK ? (size_t)left : BLOCK;
    pdb_error error;
    if (team_failed(&audit->failure, UINT64_MAX - 1))
        return;
    for (size_t i = 0; i < count; i++)
        desk->state[i] = audit->list != NULL ? audit->list[first + i] : first + i;
    if (audit->look(audit, desk, count, &error) != PDB_OK)
        team_fail(&audit->failure, block, &error);
    const uint64_t done = __atomic_add_fetch(&audit->done, count, __ATOMIC_RELAXED);
    if (thread == 0 && block % OBSERVED == 0 && audit->options->observer != NULL &&
        !audit->options->observer(audit->options->context, done, audit->count)) {
        error_set(&error, PDB_INTERRUPTED, "stopped while the distances were held against the rules");
        team_fail(&audit->failure, block, &error);
    }
}

static pdb_status look_at_all(struct audit *audit, block_look *look, pdb_error *error)
{
    const uint64_t blocks = team_shares(audit->count, BLOCK);
    const unsigned threads = blocks > 8 ? audit->options->threads : 1;
    audit->failure = (struct team_failure){.lock = PTHREAD_MUTEX_INITIALIZER};
    audit->done = 0;
    audit->look = look;
    audit->desk = calloc(threads, sizeof *audit->desk);
    if (audit->desk == NULL)
        return error_no_memory(error, "an audit", threads * sizeof *audit->desk);
    team_once(threads, blocks, look_at_block, audit);
    for (unsigned t = 0; t < threads; t++)
        desk_free(&audit->desk[t]);
    free(audit->desk);
    return team_outcome(&audit->failure, error);
}

/* -- the sample -- */

struct sample {
    uint64_t *state;
    size_t count, room;
};

static void sample_add(struct sample *sample, uint64_t state)
{
    if (sample->count < sample->room)
        sample->state[sample->count++] = state;
}

static pdb_status sample_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct sample *sample = context;
    (void)error;
    for (size_t i = 0; i < count && sample->count < GOALS_MAX; i++)
        sample_add(sample, index[i]);
    return sample->count < GOALS_MAX ? PDB_OK : PDB_INTERRUPTED; /* these are enough */
}

/* The states on one shortest path from a state to a goal. */
static pdb_status sample_path(struct sample *sample, const struct values *values, struct desk *desk, uint64_t state,
                              pdb_error *error)
{
    uint32_t distance;
    uint16_t count;
    pdb_status status = distance_get(values, &state, 1, &distance, error);
    while (status == PDB_OK && distance != DISTANCE_NONE && distance > 0 && sample->count < sample->room) {
        size_t nearer = 0;
        sample_add(sample, state);
        values->puzzle->family->index.costed_successors(values->puzzle, &state, 1, desk->next, desk->cost, &count);
        status = distance_near(values, distance, desk->next, count, desk->reach, error);
        while (status == PDB_OK && nearer < count && (uint64_t)desk->reach[nearer] + desk->cost[nearer] != distance)
            nearer++;
        if (nearer == count) /* the audit will find what is wrong here */
            return status;
        state = desk->next[nearer];
        distance = desk->reach[nearer];
    }
    sample_add(sample, state);
    return status;
}

/* The paths from the named boards and from some of the states that are in the sample already. */
static pdb_status sample_paths(struct sample *sample, const struct values *values, pdb_error *error)
{
    const struct puzzle *puzzle = values->puzzle;
    const size_t before = sample->count;
    struct desk desk = {0};
    uint64_t state;
    pdb_status status = desk_grow(&desk, puzzle->max_moves + 1, error);
    for (size_t i = 0; status == PDB_OK && i < puzzle->named_count; i++)
        if (puzzle->family->position.rank(puzzle, puzzle->named[i].position, &state))
            status = sample_path(sample, values, &desk, state, error);
    for (size_t i = 0; status == PDB_OK && i < PATHS && sample->count < sample->room; i++)
        status = sample_path(sample, values, &desk, sample->state[i * before / PATHS], error);
    desk_free(&desk);
    return status;
}

static pdb_status sample_draw(struct sample *sample, const struct values *values, const struct audit_options *options,
                              uint64_t most, pdb_error *error)
{
    const struct puzzle *puzzle = values->puzzle;
    const uint64_t named = options->count < most ? options->count : most, drawn = most < SAMPLE ? most : SAMPLE,
                   on_paths = most < PATH_STATES_MAX ? most : PATH_STATES_MAX;
    uint64_t seed = 1;
    sample->room = GOALS_MAX + named + drawn + on_paths;
    sample->state = malloc(sample->room * sizeof *sample->state);
    if (sample->state == NULL)
        return error_no_memory(error, "a sample of states", sample->room * sizeof *sample->state);
    pdb_status status = puzzle->family->index.goals(puzzle, sample_goals, sample, error);
    if (status == PDB_INTERRUPTED)
        status = PDB_OK;
    if (most < SAMPLE) /* goals that there are not make no room for paths, which are dear */
        sample->room = sample->count + named + drawn + on_paths;
    for (size_t i = 0; i < named; i++)
        sample_add(sample, options->states[i]);
    for (uint64_t i = 0; i < drawn; i++)
        sample_add(sample, random_below(&seed, puzzle->states));
    if (status == PDB_OK)
        status = sample_paths(sample, values, error);
    sample->count = sort_unique_numbers(sample->state, sample->count);
    return status;
}

/* -- all of it -- */

/* All states, with all distances found beforehand. */
static pdb_status audit_few(struct audit *audit, pdb_error *error)
{
    uint32_t *known = malloc(audit->count * sizeof *known);
    if (known == NULL)
        return error_no_memory(error, "the distances of all states", audit->count * sizeof *known);
    audit->known = known;
    pdb_status status = look_at_all(audit, look_up, error);
    if (status == PDB_OK)
        status = look_at_all(audit, look_plainly, error);
    free(known);
    return status;
}

/* Of how many states, with their neighbours, distances can be found in a reasonable time. */
static uint64_t affordable(const struct values *values)
{
    const uint64_t walks = values->depths > STEPS_MAX / MOVES_MAX ? STEPS_MAX / values->depths : MOVES_MAX;
    return encoding_modulus(values->encoding) == 0 ? SAMPLE : walks / (values->puzzle->max_moves + 1);
}

static pdb_status audit_sample(const struct values *values, const struct audit_options *options, uint64_t *looked_at,
                               pdb_error *error)
{
    const uint64_t states = values->puzzle->states;
    const bool deep = encoding_modulus(values->encoding) != 0 && states * values->depths > STEPS_MAX;
    struct audit audit = {.values = values, .options = options, .count = states};
    struct sample sample = {0};
    pdb_status status;
    if (states <= SAMPLE && !deep) {
        status = audit_few(&audit, error);
    } else {
        status = sample_draw(&sample, values, options, affordable(values), error);
        audit.list = sample.state;
        audit.count = sample.count;
        if (status == PDB_OK)
            status = look_at_all(&audit, look_plainly, error);
    }
    free(sample.state);
    *looked_at = audit.count;
    return status;
}

/* Counts goals, each of which has to have the distance 0. */
struct goal_count {
    const struct values *values;
    uint64_t goals;
};

static pdb_status count_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct goal_count *all = context;
    uint32_t distance;
    for (size_t i = 0; i < count; i++) {
        pdb_status status = values_get_exact(all->values, &index[i], 1, &distance, error);
        if (status == PDB_OK && distance != 0)
            status = wrong(all->values->puzzle, index[i], distance, "it is a goal", error);
        if (status != PDB_OK)
            return status;
    }
    all->goals += count;
    return PDB_OK;
}

/* Every state beside its successors; the goals have the distance 0, and there are no more zeros than goals. */
static pdb_status audit_all(const struct values *values, const struct audit_options *options, pdb_error *error)
{
    struct audit audit = {.values = values, .options = options, .count = values->puzzle->states};
    struct goal_count all = {.values = values};
    pdb_status status = look_at_all(&audit, look_at_successors, error);
    if (status == PDB_OK)
        status = values->puzzle->family->index.goals(values->puzzle, count_goals, &all, error);
    if (status == PDB_OK && all.goals != audit.zeros)
        status = error_set(error, PDB_BROKEN_RULES, "%llu states are said to have the distance 0, and %llu are goals",
                           (unsigned long long)audit.zeros, (unsigned long long)all.goals);
    return status;
}

pdb_status audit_distances(const struct values *values, const struct audit_options *options,
                           struct audit_report *report, pdb_error *error)
{
    *report = (struct audit_report){0};
    pdb_status status = audit_sample(values, options, &report->by_plain_rules, error);
    if (status != PDB_OK || encoding_modulus(values->encoding) != 0)
        return status;
    report->by_successors = values->puzzle->states;
    return audit_all(values, options, error);
}
