/* symmetry_try.c -- is what a definition calls symmetric so? Tried on states near the start and on a goal when it is
 * read, and on all states that a search finds */
#include "layout.h"
#include "lib/families/rules/language/plain.h"
#include "lib/families/rules/columns/program.h"
#include "lib/random.h"
#include "step.h"
#include "symmetry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- keys of one word or two, as the program has them -- */

static size_t words_of(const struct rules *rules)
{
    return rules->layout.wide ? 2 : 1;
}

/* Room for so many moves, at least one, is enough for a state; each takes a key and a cost. */
static size_t moves_of(const struct rules *rules)
{
    return program_max_moves(rules->program) + 1;
}

static size_t bytes_of_move(const struct rules *rules)
{
    return words_of(rules) * sizeof(uint64_t) + sizeof(uint32_t);
}

static struct wide_key wide_of(const struct rules *rules, const uint64_t *key)
{
    struct wide_key wide = {{0}};
    memcpy(wide.word, key, words_of(rules) * sizeof *key);
    return wide;
}

static void put_image(const struct rules *rules, unsigned number, const uint64_t *key, uint64_t *image)
{
    const struct wide_key wide = symmetry_wide_image(rules->symmetry, number, wide_of(rules, key));
    memcpy(image, wide.word, words_of(rules) * sizeof *image);
}

static void put_key(const struct rules *rules, const int32_t *state, uint64_t *key)
{
    const struct wide_key wide = layout_wide_key(rules, state);
    memcpy(key, wide.word, words_of(rules) * sizeof *key);
}

static int compare_words(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(uint64_t));
}

static int compare_pairs(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint64_t));
}

/* -- what is told where it is not so -- */

enum { CHANGED_BYTES = PDB_MOVE_TEXT_MAX + 40 };

/* A move of one state that is looked for among those of another. */
struct likeness {
    const struct rules *rules;
    unsigned number;         /* of the symmetry */
    const int32_t *other;    /* the state whose moves have to be alike */
    const struct step *step; /* what is looked for among them, */
    uint64_t image[2];       /* and where it leads */
    bool found;
    unsigned left; /* steps that are still looked for */
};

static pdb_status compare_step(void *context, const struct step *step, pdb_error *error)
{
    struct likeness *likeness = context;
    uint64_t key[2];
    (void)error;
    put_key(likeness->rules, step->state, key);
    likeness->found |= step->cost == likeness->step->cost &&
                       memcmp(key, likeness->image, words_of(likeness->rules) * sizeof *key) == 0;
    return PDB_OK;
}

/* Complains about the first step that has none alike. */
static pdb_status find_alike(void *context, const struct step *step, pdb_error *error)
{
    struct likeness *likeness = context;
    uint64_t key[2];
    char text[PDB_MOVE_TEXT_MAX];
    if (likeness->left-- == 0)
        return PDB_TOO_LARGE;
    likeness->step = step;
    likeness->found = false;
    put_key(likeness->rules, step->state, key);
    put_image(likeness->rules, likeness->number, key, likeness->image);
    pdb_status status = steps_visit(likeness->rules, likeness->other, compare_step, likeness, error);
    if (status != PDB_OK || likeness->found)
        return status;
    step_text(likeness->rules, step, text, sizeof text);
    return error_set(error, PDB_BAD_DEFINITION, "%s", text);
}

/* Says which move of a state its image has not, where that is found soon. */
static void name_unlike(const struct rules *rules, unsigned number, const uint64_t *key, char changed[CHANGED_BYTES])
{
    enum { LOOKED_AT_MOST = 32 };
    int32_t state[RULES_MAX_ELEMENTS], other[RULES_MAX_ELEMENTS];
    const struct wide_key wide = wide_of(rules, key);
    pdb_error error;
    layout_wide_state(rules, wide, state);
    layout_wide_state(rules, symmetry_wide_image(rules->symmetry, number, wide), other);
    struct likeness likeness = {.rules = rules, .number = number, .other = other, .left = LOOKED_AT_MOST};
    if (steps_visit(rules, state, find_alike, &likeness, &error) == PDB_BAD_DEFINITION)
        snprintf(changed, CHANGED_BYTES, "the move '%.*s', or what it costs", PDB_MOVE_TEXT_MAX, error.message);
    else
        strcpy(changed, "the moves, or their costs");
}

/* -- moves -- */

/* Moves of a state and its image: the same but for the symmetry, each with its cost; and is one of them a goal where
 * the other is none? Else `changed` says what is not so. `room` has space for the keys of twice the moves
 * of a state, `cost` for as many costs. */
static bool keeps_state(const struct rules *rules, unsigned number, const uint64_t *key, uint64_t *room, uint32_t *cost,
                        char changed[CHANGED_BYTES])
{
    const size_t words = words_of(rules), size = words * sizeof *room;
    const unsigned most = program_max_moves(rules->program);
    uint64_t pair[4], *other = room + words * most;
    uint16_t count[2];
    bool goal[2];
    memcpy(pair, key, size);
    put_image(rules, number, key, pair + words);
    program_goals(rules->program, pair, 2, goal);
    program_successors(rules->program, pair, 1, room, cost, &count[0]);
    program_successors(rules->program, pair + words, 1, other, cost + most, &count[1]);
    strcpy(changed, "the goal");
    if (goal[0] != goal[1])
        return false;
    bool same = count[0] == count[1];
    for (unsigned i = 0; same && i < count[0]; i++) {
        put_image(rules, number, room + words * i, room + words * i);
        room[words * i] ^= (uint64_t)cost[i] << 40;
        other[words * i] ^= (uint64_t)cost[most + i] << 40;
    }
    if (same) {
        qsort(room, count[0], size, words > 1 ? compare_pairs : compare_words);
        qsort(other, count[1], size, words > 1 ? compare_pairs : compare_words);
        same = memcmp(room, other, count[0] * size) == 0;
    }
    if (!same)
        name_unlike(rules, number, key, changed);
    return same;
}

/* Tries symmetries on states that are some moves away from the first start, a different way each time. */
static bool keeps_moves(const struct rules *rules, const uint64_t *start, uint64_t *room, uint32_t *cost,
                        char changed[CHANGED_BYTES])
{
    enum { TRIES = 400 };
    const struct program *program = rules->program;
    const size_t words = words_of(rules);
    uint64_t key[2], random = 1;
    memcpy(key, start, words * sizeof *key);
    for (unsigned t = 0; t < TRIES; t++) {
        uint16_t count;
        if (!keeps_state(rules, 1 + t % (symmetry_count(rules->symmetry) - 1), key, room, cost, changed))
            return false;
        program_successors(program, key, 1, room, NULL, &count);
        memcpy(key, count == 0 || t % 40 == 39 ? start : room + words * random_below(&random, count),
               words * sizeof *key);
    }
    return true;
}

/* -- goals -- */

/* How much of a condition holds: of its parts that have to hold together, how many. */
static unsigned merit(struct plain *plain, uint32_t number)
{
    const struct term *term = &plain->rules->terms.term[number];
    const struct rules_set *set = &plain->rules->set[term->value < 0 ? 0 : term->value];
    unsigned sum = 0;
    if (term->kind == TERM_AND)
        return merit(plain, term->a) + merit(plain, term->b);
    if (term->kind != TERM_ALL)
        return plain_holds(plain, number);
    for (uint32_t i = 0; i < set->count; i++) {
        plain->slot[term->slot] = set->value[i];
        if (term->b == NO_TERM || plain_holds(plain, term->b))
            sum += merit(plain, term->a);
    }
    return sum;
}

/* Gives an element the value with the most merit; true if that is more than before. */
static bool improve(struct plain *plain, int32_t *state, uint32_t element)
{
    const struct rules *rules = plain->rules;
    const struct rules_set *range = &rules->set[rules->variable[rules->element[element].variable].range];
    int32_t best = state[element];
    unsigned most = merit(plain, rules->goal);
    bool better = false;
    for (uint32_t i = 0; i < range->count; i++) {
        state[element] = range->value[i];
        const unsigned now = merit(plain, rules->goal);
        if (now > most) {
            most = now;
            best = range->value[i];
            better = true;
        }
    }
    state[element] = best;
    return better;
}

/* Climbs from a state to a goal, element by element; false where the way ends before. */
static bool find_goal(const struct rules *rules, int32_t *state)
{
    struct plain plain = {.rules = rules, .state = state};
    bool better = true;
    while (better) {
        better = false;
        for (uint32_t e = 0; e < rules->elements; e++)
            better |= improve(&plain, state, e);
    }
    return plain_holds(&plain, rules->goal);
}

/* Are all images of a goal goals, where one is found? */
static bool keeps_goals(const struct rules *rules, int32_t *state)
{
    uint64_t key[2], image[2];
    if (!find_goal(rules, state))
        return true;
    put_key(rules, state, key);
    for (unsigned s = 1; s < symmetry_count(rules->symmetry); s++) {
        bool goal;
        put_image(rules, s, key, image);
        program_goals(rules->program, image, 1, &goal);
        if (!goal)
            return false;
    }
    return true;
}

pdb_status symmetry_try(const struct rules *rules, const struct node *node, pdb_error *error)
{
    const size_t moves = 2 * moves_of(rules), words = words_of(rules);
    uint64_t *room = malloc(moves * bytes_of_move(rules)), start[2];
    int32_t state[RULES_MAX_ELEMENTS];
    char changed[CHANGED_BYTES] = "the goal";
    for (uint32_t e = 0; e < rules->elements; e++)
        state[e] = rules->start[e] == RULES_NONE ? rules->element[e].lo : rules->start[e];
    put_key(rules, state, start);
    symmetry_guard(rules->symmetry)->room = room;
    if (room == NULL)
        return error_no_memory(error, "the symmetries", moves * bytes_of_move(rules));
    if (!keeps_goals(rules, state) || !keeps_moves(rules, start, room, (uint32_t *)(room + moves * words), changed))
        return node_error(error, node,
                          "exchanging members of these sets changes %s: only members that the rules treat alike are "
                          "symmetric",
                          changed);
    return PDB_OK;
}

/* -- states that a search finds -- */

/* Notes the first state whose image is not alike: by the goal (number 0), or else by the moves of this image. */
static void note_unlike(const struct rules *rules, unsigned number, const uint64_t *key)
{
    struct symmetry_guard *guard = symmetry_guard(rules->symmetry);
    int32_t state[RULES_MAX_ELEMENTS];
    uint8_t position[BOARD_MAX_CELLS] = {0};
    char board[BOARD_TEXT_MAX], changed[CHANGED_BYTES] = "the goal";
    if (__atomic_exchange_n(&guard->found, true, __ATOMIC_RELAXED))
        return;
    if (number > 0)
        name_unlike(rules, number, key, changed);
    layout_wide_state(rules, wide_of(rules, key), state);
    layout_show(rules, state, position);
    board_format(&rules->puzzle.board, position, board);
    const pdb_error where = guard->error;
    error_set(
        &guard->error, PDB_BAD_DEFINITION,
        "%.150sexchanging members of these sets changes %s (board %.80s): only members that the rules treat alike "
        "are symmetric",
        where.message, changed, board);
}

enum { HELD = 256 /* keys that are looked at together */ };

/* Do all images of each state fit the goal, or none? */
static void hold_goals(const struct rules *rules, const uint64_t *key, size_t count)
{
    const size_t words = words_of(rules);
    uint64_t image[2 * HELD];
    bool goal[HELD], of_image[HELD];
    program_goals(rules->program, key, count, goal);
    for (unsigned s = 1; s < symmetry_count(rules->symmetry); s++) {
        for (size_t i = 0; i < count; i++)
            put_image(rules, s, key + words * i, image + words * i);
        program_goals(rules->program, image, count, of_image);
        for (size_t i = 0; i < count; i++)
            if (goal[i] != of_image[i])
                note_unlike(rules, 0, key + words * i);
    }
}

/* A number for a key and a cost, such that sums of these numbers tell lists of them apart. */
static uint64_t mix(const struct rules *rules, const uint64_t *key, uint32_t cost)
{
    uint64_t seed = cost;
    for (size_t w = 0; w < words_of(rules); w++)
        seed = key[w] ^ random_next(&seed);
    return random_next(&seed);
}

/* States, and of each one image: how many moves they have, and the sums of these. `next` and `cost` have room for the
 * moves of `run` states. */
struct holding {
    uint64_t key[2 * HELD], image[2 * HELD];
    unsigned number[HELD]; /* of the symmetry */
    uint16_t moves[HELD];
    uint64_t sum[HELD];
    size_t run;
    uint64_t *next;
    uint32_t *cost;
};

static void hold_moves(const struct rules *rules, struct holding *holding, size_t count)
{
    const size_t words = words_of(rules);
    const uint64_t *next = holding->next;
    const uint32_t *cost = holding->cost;
    uint16_t moves[HELD];
    size_t move = 0;
    memset(holding->sum, 0, sizeof holding->sum);
    program_successors(rules->program, holding->key, count, holding->next, holding->cost, moves);
    for (size_t i = 0; i < count; i++)
        for (const size_t end = move + moves[i]; move < end; move++) {
            uint64_t image[2];
            put_image(rules, holding->number[i], next + words * move, image);
            holding->sum[i] += mix(rules, image, cost[move]);
        }
    program_successors(rules->program, holding->image, count, holding->next, holding->cost, holding->moves);
    move = 0;
    for (size_t i = 0; i < count; i++) {
        for (const size_t end = move + holding->moves[i]; move < end; move++)
            holding->sum[i] -= mix(rules, next + words * move, cost[move]);
        if (holding->sum[i] != 0 || holding->moves[i] != moves[i])
            note_unlike(rules, holding->number[i], holding->key + words * i);
    }
}

/* So many states at most. */
static void hold_batch(const struct rules *rules, const uint64_t *key, size_t count, struct holding *holding)
{
    const size_t words = words_of(rules);
    size_t held = 0;
    hold_goals(rules, key, count);
    for (size_t i = 0; i < count; i++, key += words) {
        const uint64_t chance = mix(rules, key, 0);
        if (chance >> 62 == 0) {
            memcpy(holding->key + words * held, key, words * sizeof *key);
            holding->number[held] = 1 + (unsigned)((chance >> 8) % (symmetry_count(rules->symmetry) - 1));
            put_image(rules, holding->number[held], key, holding->image + words * held);
            held++;
        }
        if (held == holding->run || (held > 0 && i + 1 == count)) {
            hold_moves(rules, holding, held);
            held = 0;
        }
    }
}

/* By `room` for the moves of `run` states. */
static void hold(const struct rules *rules, const uint64_t *key, size_t count, size_t run, uint64_t *room)
{
    const size_t words = words_of(rules);
    struct holding holding = {.run = run, .next = room, .cost = (uint32_t *)(room + run * moves_of(rules) * words)};
    for (size_t done = 0; done < count; done += HELD)
        hold_batch(rules, key + words * done, count - done < HELD ? count - done : HELD, &holding);
}

void symmetry_hold(const struct rules *rules, const uint64_t *key, size_t count)
{
    enum { ROOM = 1 << 15 /* moves that are looked at together */ };
    if (rules->symmetry == NULL || symmetry_count(rules->symmetry) == 1)
        return;
    struct symmetry_guard *guard = symmetry_guard(rules->symmetry);
    if (__atomic_load_n(&guard->found, __ATOMIC_RELAXED)) /* one is enough */
        return;
    const size_t moves = moves_of(rules), fit = moves < ROOM ? ROOM / moves : 1, run = fit < HELD ? fit : HELD;
    uint64_t *room = malloc(run * moves * bytes_of_move(rules));
    if (room != NULL) {
        hold(rules, key, count, run, room);
        free(room);
        return;
    }
    pthread_mutex_lock(&guard->lock);
    hold(rules, key, count, 1, guard->room);
    pthread_mutex_unlock(&guard->lock);
}

pdb_status symmetry_held(const struct rules *rules, pdb_error *error)
{
    if (rules->symmetry == NULL || !symmetry_guard(rules->symmetry)->found)
        return PDB_OK;
    *error = symmetry_guard(rules->symmetry)->error;
    return error->status;
}
