/* free.c -- moves that cost nothing, as parts of those that cost something */
#include "free.h"
#include "layout.h"
#include "lib/families/rules/columns/program.h"
#include "lib/random.h"
#include "symmetry.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 4096,       /* states that free moves may lead to, and moves that may go on from these */
    ROOM = 2 * MOST,   /* keys in a set: of one state or of several */
    SLOTS = 2 * ROOM,  /* in a set's hash */
    MADE_MOST = 16384, /* moves made by one run of the program */
    BATCH_MOST = 1024  /* states whose moves it makes */
};

/* -- sets of keys -- */

/* Keys that several states lead to, in the order in which they came. Each state, numbered by `of`, has its own; and so
 * has each cost and move to them, where these matter: they are 0 elsewhere. */
struct keys {
    size_t count;
    bool full; /* one had no room */
    uint64_t key[ROOM];
    uint32_t cost[ROOM], move[ROOM];
    uint16_t of[ROOM];
    uint16_t slot[SLOTS]; /* number of the key + 1; 0: empty */
};

static void keys_begin(struct keys *keys)
{
    keys->count = 0;
    keys->full = false;
    memset(keys->slot, 0, sizeof keys->slot);
}

/* False where it is there, or has no room. */
static bool keys_add(struct keys *keys, uint64_t key, uint16_t of, uint32_t cost, uint32_t move)
{
    const uint64_t other = (uint64_t)(move * 0x85EBCA6B + of) << 32;
    uint64_t slot = (key ^ key >> 32 ^ other) * 0x9E3779B97F4A7C15 >> 32;
    for (;; slot++) {
        const uint16_t there = keys->slot[slot % SLOTS];
        if (there == 0)
            break;
        const size_t at = there - (size_t)1;
        if (keys->key[at] == key && keys->of[at] == of && keys->cost[at] == cost && keys->move[at] == move)
            return false;
    }
    keys->full = keys->full || keys->count == ROOM;
    if (keys->full)
        return false;
    keys->key[keys->count] = key;
    keys->of[keys->count] = of;
    keys->cost[keys->count] = cost;
    keys->move[keys->count++] = move;
    keys->slot[slot % SLOTS] = (uint16_t)keys->count;
    return true;
}

/* -- by the program -- */

/* A program makes the moves of 64 states in little more time than those of one. So free moves are followed out of many
 * states at once. How many have room is not known beforehand: it is guessed by what the states before them took. */
struct following {
    const struct rules *rules;
    size_t at_once;    /* states, the next time */
    struct keys met;   /* the states, and what free moves lead to from them */
    struct keys *paid; /* what moves lead to from there that cost something; NULL: that is not asked for */
};

static void follow_begin(struct following *following, const struct rules *rules, struct keys *paid)
{
    following->rules = rules;
    following->at_once = 1;
    following->paid = paid;
}

static bool is_full(const struct following *following)
{
    return following->met.full || (following->paid != NULL && following->paid->full);
}

/* Follows the free moves out of the states that are met, until there is no room. */
static void follow_met(struct following *following)
{
    struct keys *met = &following->met, *paid = following->paid;
    uint64_t next[MADE_MOST];
    uint32_t cost[MADE_MOST], move[MADE_MOST];
    uint16_t next_count[BATCH_MOST];
    const size_t most = MADE_MOST / (following->rules->ground.moves + 1);
    for (size_t done = 0, count; done < met->count && !is_full(following); done += count) {
        count = met->count - done < BATCH_MOST ? met->count - done : BATCH_MOST;
        count = count < most ? count : most;
        program_numbered_successors(following->rules->program, met->key + done, count, next, cost, move, next_count);
        for (size_t i = 0, end = 0, m = 0; i < count; i++)
            for (end += next_count[i]; m < end; m++)
                if (cost[m] == 0)
                    keys_add(met, next[m], met->of[done + i], 0, 0);
                else if (paid != NULL)
                    keys_add(paid, next[m], met->of[done + i], cost[m], move[m]);
    }
}

/* Follows the free moves out of the first of these states, as many as have room, and returns how many. One always has,
 * as free_make has seen; but a key that is no state's may lead to more, of which what has no room is left out. */
static size_t follow(struct following *following, const uint64_t *key, size_t count)
{
    struct keys *met = &following->met, *paid = following->paid;
    for (;;) {
        const size_t states = count < following->at_once ? count : following->at_once;
        keys_begin(met);
        if (paid != NULL)
            keys_begin(paid);
        for (size_t i = 0; i < states; i++)
            keys_add(met, key[i], (uint16_t)i, 0, 0);
        follow_met(following);
        const size_t taken = paid != NULL && paid->count > met->count ? paid->count : met->count;
        const size_t next = is_full(following) ? states / 2 : ROOM / 2 * states / (taken + 1);
        following->at_once = next < 1 ? 1 : next < BATCH_MOST ? next : BATCH_MOST;
        if (!is_full(following) || states == 1)
            return states;
    }
}

/* Puts the moves that cost something state by state; no more of each than a state has. Returns how many there are. */
static size_t hand_out(const struct keys *paid, unsigned most, size_t states, uint64_t *next, uint32_t *cost,
                       uint16_t *next_count)
{
    size_t place[BATCH_MOST + 1] = {0}, done[BATCH_MOST] = {0};
    for (size_t i = 0; i < paid->count; i++)
        place[paid->of[i] + 1] += place[paid->of[i] + 1] < most;
    for (size_t i = 0; i < states; i++) {
        next_count[i] = (uint16_t)place[i + 1];
        place[i + 1] += place[i];
    }
    for (size_t i = 0; i < paid->count; i++) {
        const size_t of = paid->of[i], to = place[of] + done[of]++;
        if (to >= place[of + 1])
            continue;
        next[to] = paid->key[i];
        if (cost != NULL)
            cost[to] = paid->cost[i];
    }
    return place[states];
}

size_t free_successors(const struct rules *rules, const uint64_t *key, size_t count, uint64_t *next, uint32_t *cost,
                       uint16_t *next_count)
{
    struct following following;
    struct keys paid;
    size_t all = 0;
    follow_begin(&following, rules, &paid);
    for (size_t done = 0, states; done < count; done += states) {
        states = follow(&following, key + done, count - done);
        all += hand_out(&paid, rules->puzzle.max_moves, states, next + all, cost != NULL ? cost + all : NULL,
                        next_count + done);
    }
    return all;
}

void free_goals(const struct rules *rules, const uint64_t *key, size_t count, bool *goal)
{
    struct following following;
    bool fits[ROOM];
    follow_begin(&following, rules, NULL);
    for (size_t done = 0, states; done < count; done += states) {
        states = follow(&following, key + done, count - done);
        memset(goal + done, 0, states * sizeof *goal);
        program_goals(rules->program, following.met.key, following.met.count, fits);
        symmetry_hold(rules, following.met.key, following.met.count);
        for (size_t i = 0; i < following.met.count; i++)
            goal[done + following.met.of[i]] |= fits[i];
    }
}

double free_states(const struct rules *rules)
{
    const uint64_t keys = rules->layout.keys, count = keys < FREE_SAMPLES ? keys : FREE_SAMPLES;
    struct following following;
    uint64_t key[FREE_SAMPLES];
    uint64_t seed = 1;
    double states = 0;
    follow_begin(&following, rules, NULL);
    for (uint64_t i = 0; i < count; i++)
        key[i] = count == keys ? i : random_below(&seed, keys);
    for (uint64_t done = 0; done < count;) {
        done += follow(&following, key + done, count - done);
        states += (double)following.met.count;
    }
    return states / (double)count;
}

/* -- in the obvious way -- */

struct walk {
    const struct rules *rules;
    struct keys met, paid;
    size_t at;           /* the state that is met, whose moves are made */
    uint16_t from[ROOM]; /* of each that is met, the one from which it was, */
    uint32_t by[ROOM];   /* and by which move */
    struct free_way way; /* the free moves before one that costs */
    step_visitor *visit; /* NULL: of moves that cost */
    void *context;
};

/* The free moves that lead to a state that is met. */
static void find_way(const struct walk *walk, size_t at, struct free_way *way)
{
    way->count = 0;
    for (size_t state = at; state > 0; state = walk->from[state])
        way->count++;
    for (size_t behind = 0; at > 0; at = walk->from[at], behind++) {
        const size_t before = way->count - behind - 1;
        if (behind < FREE_KEPT)
            way->last[behind] = walk->by[at];
        if (before < FREE_KEPT)
            way->first[before] = walk->by[at];
    }
}

static pdb_status take_step(void *context, const struct step *step, pdb_error *error)
{
    struct walk *walk = context;
    const uint64_t key = layout_key(walk->rules, step->state);
    if (step->cost == 0) {
        walk->from[walk->met.count % ROOM] = (uint16_t)walk->at; /* of no use where it has been met */
        walk->by[walk->met.count % ROOM] = step->number;
        keys_add(&walk->met, key, 0, 0, 0);
    } else if (walk->visit != NULL && keys_add(&walk->paid, key, 0, (uint32_t)step->cost, step->number)) {
        struct step told = *step;
        find_way(walk, walk->at, &walk->way);
        told.before = &walk->way;
        return walk->visit(walk->context, &told, error);
    }
    return PDB_OK;
}

static void walk_begin(struct walk *walk, const struct rules *rules, const int32_t *state)
{
    walk->rules = rules;
    walk->visit = NULL;
    keys_begin(&walk->met);
    keys_begin(&walk->paid);
    keys_add(&walk->met, layout_key(rules, state), 0, 0, 0);
}

pdb_status free_steps_visit(const struct rules *rules, const int32_t *state, step_visitor *visit, void *context,
                            pdb_error *error)
{
    struct walk walk;
    int32_t at[RULES_MAX_ELEMENTS];
    pdb_status status = PDB_OK;
    walk_begin(&walk, rules, state);
    walk.visit = visit;
    walk.context = context;
    for (size_t i = 0; status == PDB_OK && i < walk.met.count; i++) {
        layout_state(rules, walk.met.key[i], at);
        walk.at = i;
        status = steps_visit(rules, at, take_step, &walk, error);
    }
    return status;
}

/* Goes on to the nearest state in which the goal holds: walk->at. False: none is met, or not among as many as are left
 * to be looked at. */
static bool find_goal(struct walk *walk, const struct rules *rules, const int32_t *state, unsigned *left)
{
    int32_t at[RULES_MAX_ELEMENTS];
    struct plain plain = {.rules = rules, .state = at};
    walk_begin(walk, rules, state);
    for (walk->at = 0; walk->at<walk->met.count && * left> 0; walk->at++, --*left) {
        layout_state(rules, walk->met.key[walk->at], at);
        if (plain_holds(&plain, rules->goal))
            return true;
        if (steps_visit(rules, at, take_step, walk, NULL) != PDB_OK)
            return false;
    }
    return false;
}

bool free_is_goal(const struct rules *rules, const int32_t *state)
{
    struct walk walk;
    unsigned left = MOST;
    return find_goal(&walk, rules, state, &left);
}

void free_goal_way(const struct rules *rules, const int32_t *state, unsigned *left, struct free_way *way)
{
    struct walk walk;
    way->count = 0;
    if (find_goal(&walk, rules, state, left))
        find_way(&walk, walk.at, way);
}

/* -- how many there may be -- */

/* Marks the elements that a move may change. */
static void mark_changed(const struct rules *rules, const struct ground_move *move, bool *changed)
{
    for (uint32_t a = move->first; a < move->first + move->count; a++) {
        const struct ground_assignment *to = &rules->ground.assignment[a];
        memset(changed + to->element, true, to->index == NO_NODE ? 1 : to->count);
    }
}

/* Which values these elements decide, among others. The caller frees it; NULL: memory is short. */
static bool *find_decided(const struct rules *rules, const bool *by)
{
    const struct dag *dag = &rules->dag;
    bool *decided = calloc(dag->count + 1, sizeof *decided);
    for (size_t n = 0; decided != NULL && n < dag->count; n++) {
        const struct dag_node *node = &dag->node[n];
        const bool by_index = node->op == DAG_READ || node->op == DAG_LOOKUP;
        const unsigned parts = by_index ? 1 : dag_parts(node->op);
        if (node->op == DAG_ELEMENT || node->op == DAG_READ)
            decided[n] = memchr(by + node->value, 1, node->op == DAG_READ ? node->b : 1) != NULL;
        decided[n] |= (parts > 0 && decided[node->a]) || (parts > 1 && decided[node->b]) ||
                      (parts > 2 && decided[node->c]);
    }
    return decided;
}

/* Does the move lead to the same state from all that differ in these elements alone? */
static bool is_settled(const struct rules *rules, const struct ground_move *move, const bool *differ,
                       const bool *decided)
{
    bool left[RULES_MAX_ELEMENTS];
    memcpy(left, differ, sizeof left);
    for (uint32_t a = move->first; a < move->first + move->count; a++) {
        const struct ground_assignment *to = &rules->ground.assignment[a];
        if (decided[to->value] || (to->index != NO_NODE && decided[to->index]))
            return false;
        left[to->element] &= to->index != NO_NODE;
    }
    return memchr(left, 1, rules->elements) == NULL && !decided[move->cost];
}

pdb_status free_make(struct rules *rules, unsigned *max_moves, pdb_error *error)
{
    const struct ground *ground = &rules->ground;
    bool changed[RULES_MAX_ELEMENTS] = {false};
    uint64_t states = 1, moves = 0;
    for (size_t m = 0; m < ground->moves; m++)
        if (rules->dag.node[ground->move[m].cost].lo == 0) {
            rules->free = true;
            mark_changed(rules, &ground->move[m], changed);
        }
    if (!rules->free)
        return PDB_OK;
    if (rules->layout.keys == 0)
        return error_set(error, PDB_TOO_LARGE,
                         "moves that cost 0 are for puzzles whose variables can have their values in fewer than 2^62 "
                         "ways");
    for (uint32_t e = 0; e < rules->elements && states <= MOST; e++)
        states *= changed[e] ? (uint64_t)((int64_t)rules->element[e].hi - rules->element[e].lo + 1) : 1;
    bool *decided = find_decided(rules, changed);
    if (decided == NULL)
        return error_no_memory(error, "the moves that are free", rules->dag.count);
    for (size_t m = 0; m < ground->moves; m++)
        if (rules->dag.node[ground->move[m].cost].hi > 0)
            moves += is_settled(rules, &ground->move[m], changed, decided) ? 1 : states;
    free(decided);
    if (moves == 0)
        return error_set(error, PDB_BAD_DEFINITION, "all moves cost 0: one has to cost something");
    if (states > MOST)
        return error_set(error, PDB_TOO_LARGE,
                         "moves that cost 0 change variables that can have their values in more than %d ways, too many "
                         "to be looked at for one state: let these moves cost 1, and the others much more",
                         MOST);
    if (moves > MOST || ground->moves >= MADE_MOST)
        return error_set(error, PDB_TOO_LARGE,
                         "free moves (those that cost 0) lead to up to %llu states, and from these up to %llu moves go "
                         "on that cost something, where %d are the most, and %d moves of either kind in the "
                         "definition: let free moves cost 1, and the others much more",
                         (unsigned long long)states, (unsigned long long)moves, MOST, MADE_MOST - 1);
    *max_moves = (unsigned)moves;
    return PDB_OK;
}
