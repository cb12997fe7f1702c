/* owned.c -- the search whose states are shared out among ranks one by one: its passes, layer by layer */
#include "owned.h"
#include "lib/clock.h"

#include <string.h>

/* -- layers -- */

/* The indices of the frontier, and the states that they stand for. */
static void count_frontier(struct owned *owned, uint64_t *indices, uint64_t *states)
{
    const struct puzzle *puzzle = owned->search.puzzle;
    const bool weighs = puzzle->family->index.weights != NULL;
    struct worker *worker = &owned->worker[0];
    size_t count;
    owned->cursor = 0;
    while ((count = owned_take(owned, false, worker->state, owned->batch)) > 0) {
        *indices += count;
        *states += weighs ? 0 : count;
        if (!weighs)
            continue;
        if (!owned->dense)
            puzzle->family->packed.unpack(puzzle, worker->state, count);
        puzzle->family->index.weights(puzzle, worker->state, count, worker->next_count);
        for (size_t i = 0; i < count; i++)
            *states += worker->next_count[i];
    }
}

/* The frontier of all ranks is the layer at this depth; all know how large it is, and how many keys there are. They
 * come with a status each, and leave with one, as from ranks_agree. */
static pdb_status note_layer(struct owned *owned, uint64_t depth, pdb_status status, pdb_error *error)
{
    struct retrograde *search = &owned->search;
    struct search_state *state = search->state;
    const bool due = ranks_first(search->ranks) && search->keep_due > 0 && clock_now() > search->keep_due;
    uint64_t number[6] = {0, 0, owned->keys, 0, status != PDB_OK, due};
    state->depth = depth;
    if (status == PDB_OK)
        count_frontier(owned, &number[0], &number[1]);
    owned->waiting -= owned->pass == MEASURING_OVER_MOVES ? number[0] : 0;
    number[3] = owned->waiting;
    search->ranks->sum(search->ranks, number, 6);
    search->keep_now = number[5] > 0;
    if (number[4] > 0)
        return ranks_agree(search->ranks, status, error);
    state->layer = number[0];
    state->reached += number[0];
    if (owned->pass != FINDING)
        state->histogram[depth] = number[1];
    if (!owned->dense)
        search->states = number[2];
    owned->others_wait = number[3] > 0;
    return PDB_OK;
}

/* The next layer becomes the frontier. */
static void turn(struct owned *owned)
{
    owned->list.past = owned->list.count;
}

/* -- setting out -- */

/* Who takes the states that are this rank's into layer 0. */
struct first {
    struct owned *owned;
    struct watch *watch;
    bool goals; /* they are at distance 0 */
};

static pdb_status put_first(void *context, const uint64_t *state, size_t count, pdb_error *error)
{
    const struct first *first = context;
    struct owned *owned = first->owned;
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        uint64_t at;
        if (owner_of(owned, state[i]) != owned->search.ranks->rank)
            continue;
        if (owned->dense) {
            exact_set(&owned->exact, state[i] - owned->first, 0);
            continue;
        }
        status = owned_reserve_table(owned, 1, error);
        if (status == PDB_OK)
            status = owned_reserve_list(owned, 1, error);
        if (status == PDB_OK && key_put(&owned->table, state[i], first->goals ? KEY_REACHED : 0, &at)) {
            owned->list.key[owned->list.count++] = state[i];
            owned->keys++;
        }
    }
    watch_look(first->watch, 0);
    return status == PDB_OK && watch_stopped(first->watch) ? PDB_INTERRUPTED : status;
}

static pdb_status put_boards(const struct puzzle *puzzle, struct first *first, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < puzzle->named_count; i++) {
        uint64_t key;
        if (puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &key))
            status = put_first(first, &key, 1, error);
    }
    return status == PDB_OK && puzzle->forward ? puzzle->family->index.starts(puzzle, put_first, first, error) : status;
}

/* Every rank goes through all that there is to set out from, and takes what is its own. */
static pdb_status set_out(struct owned *owned, struct watch *watch, pdb_error *error)
{
    struct retrograde *search = &owned->search;
    const struct puzzle *puzzle = search->puzzle;
    const bool boards = !owned->dense && puzzle_sets_out(puzzle);
    struct first first = {owned, watch, !boards};
    pdb_status status = boards ? put_boards(puzzle, &first, error)
                               : puzzle->family->index.goals(puzzle, put_first, &first, error);
    owned->pass = boards ? FINDING : has_masks(puzzle) ? MEASURING_BY_MASKS : MEASURING;
    search->finding = boards;
    turn(owned);
    status = note_layer(owned, 0, status, error);
    if (status != PDB_OK || search->state->layer > 0)
        return status;
    return boards ? retrograde_no_start(search, error) : retrograde_no_goal(search, error);
}

/* -- from finding to measuring -- */

/* The goals among all states that there are are layer 0. */
static pdb_status begin_measuring(struct owned *owned, enum pass pass, pdb_error *error)
{
    struct retrograde *search = &owned->search;
    const struct puzzle *puzzle = search->puzzle;
    struct worker *worker = &owned->worker[0];
    bool goal[OWNED_BATCH_MAX];
    size_t count;
    pdb_status status = owned_widen(owned, 0, error);
    owned->pass = pass;
    owned->cursor = 0;
    search->state->reached = 0;
    for (size_t i = 0; i < owned->workers; i++)
        memset(owned->worker[i].recent, 0, OWNED_RECENT * sizeof *worker->recent);
    while (status == PDB_OK && (count = owned_take(owned, true, worker->state, owned->batch)) > 0) {
        (owned->dense ? puzzle->family->index.are_goals : puzzle->family->packed.are_goals)(puzzle, worker->state,
                                                                                            count, goal);
        if (pass == MEASURING)
            status = owned_reserve_list(owned, count, error);
        for (size_t i = 0; status == PDB_OK && i < count; i++) {
            if (!goal[i])
                continue;
            owned_lower(owned, owned_place(owned, worker->state[i]), 0);
            if (pass == MEASURING_OVER_MOVES)
                owned->waiting++;
            else
                owned->list.key[owned->list.count++] = worker->state[i];
        }
    }
    search->finding = false;
    turn(owned);
    status = note_layer(owned, 0, status, error);
    return status != PDB_OK || search->state->layer > 0 ? status : retrograde_no_goal(search, error);
}

static pdb_status begin_turning(struct owned *owned, pdb_error *error)
{
    owned->pass = TURNING;
    owned->search.finding = true;
    return ranks_agree(owned->search.ranks, owned_reserve_moves(owned, 0, error), error);
}

/* All states are found: can every move be taken back? */
static pdb_status end_finding(struct owned *owned, pdb_error *error)
{
    struct retrograde *search = &owned->search;
    search->ranks->sum(search->ranks, &owned->sum, 1);
    if (search->puzzle->forward && (search->puzzle->max_cost > 1 || owned->sum != 0))
        return begin_turning(owned, error);
    search->undoable = true;
    return begin_measuring(owned, MEASURING, error);
}

static pdb_status find(struct owned *owned, struct watch *watch, pdb_error *error)
{
    pdb_status status = owned_expand(owned, watch, PDB_OK, error);
    turn(owned);
    status = note_layer(owned, 0, status, error);
    return status != PDB_OK || owned->search.state->layer > 0 ? status : end_finding(owned, error);
}

static pdb_status turn_moves_round(struct owned *owned, struct watch *watch, pdb_error *error)
{
    const pdb_status status = ranks_agree(owned->search.ranks, owned_expand(owned, watch, PDB_OK, error), error);
    return status == PDB_OK ? begin_measuring(owned, MEASURING_OVER_MOVES, error) : status;
}

/* -- measuring -- */

/* The least distance of all places that are in no layer yet. */
static uint64_t least_waiting(struct owned *owned)
{
    struct ranks *ranks = owned->search.ranks;
    uint64_t lowest[2] = {UINT64_MAX};
    uint32_t distance;
    for (uint64_t place = 0; place < owned->places; place++)
        if (owned_distance(owned, place, &distance) && distance > owned->search.state->depth && distance < lowest[0])
            lowest[0] = distance;
    const size_t count = lowest[0] < UINT64_MAX ? 1 : 0;
    ranks_lowest(ranks, &owned->mail, lowest, count, 1);
    ranks_tell(ranks, lowest, 1);
    return lowest[0];
}

/* Over moves a layer may be empty, and others follow. */
static pdb_status measure(struct owned *owned, struct watch *watch, bool *done, pdb_error *error)
{
    struct retrograde *search = &owned->search;
    const uint64_t depth = search->state->depth,
                   longest = owned->pass == MEASURING ? 1 : puzzle_max_cost(search->puzzle);
    pdb_status status = owned_expand(owned, watch, owned_widen(owned, depth + longest, error), error);
    turn(owned);
    status = note_layer(owned, depth + 1, status, error);
    if (status == PDB_OK && search->state->layer == 0 && owned->others_wait) {
        const uint64_t next = least_waiting(owned);
        status = note_layer(owned, next, retrograde_deepen(search, next, error), error);
    }
    struct search_state *state = search->state; /* deepening may have moved it */
    *done = status == PDB_OK && state->layer == 0;
    if (!*done)
        return status;
    while (state->histogram[state->depth] == 0)
        state->depth--;
    return owned_gather(owned, watch, error);
}

/* -- the way -- */

/* The search begins with its first layer: what it sets out from may have to be looked for. */
static pdb_status begin(struct retrograde *search, pdb_error *error)
{
    struct owned *owned = owned_of(search);
    search->finding = true;
    return owned->dense && search->puzzle->forward ? begin_turning(owned, error) : PDB_OK;
}

static pdb_status next_layer(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    struct owned *owned = owned_of(search);
    pdb_status status;
    *done = search->keep_now = false;
    switch (owned->pass) {
    case SETTING_OUT:
        status = set_out(owned, watch, error);
        break;
    case FINDING:
        status = find(owned, watch, error);
        break;
    case TURNING:
        status = turn_moves_round(owned, watch, error);
        break;
    case MEASURING_BY_MASKS:
        status = owned_measure_by_masks(owned, watch, error);
        *done = status == PDB_OK;
        if (*done)
            status = owned_gather(owned, watch, error);
        break;
    default:
        status = measure(owned, watch, done, error);
    }
    search->keep_now &= owned->pass == FINDING || owned->pass == MEASURING; /* moves are not kept */
    return status;
}

static void finish(struct retrograde *search, struct retrograde_result *result)
{
    struct owned *owned = owned_of(search);
    result->source = owned_source(owned);
    result->hardest = owned->hardest;
    result->hardest_kept = owned->hardest_kept;
}

const struct way way_owned = {.text = "in layers shared out among ranks",
                              .layout = "states of ranks",
                              .size = sizeof(struct owned),
                              .memory = owned_memory,
                              .share_out = owned_share_out,
                              .allocate = owned_allocate,
                              .release = owned_release,
                              .goals = begin,
                              .layer = next_layer,
                              .in_whole_layers = true,
                              .fit = owned_fit,
                              .parts = owned_parts,
                              .resume = owned_resume,
                              .settle = owned_settle,
                              .move = owned_move,
                              .serve = owned_serve,
                              .finish = finish};
