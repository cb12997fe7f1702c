/* place.c -- the family of values put into slots: the contract's functions
 *
 * On positions the rules are followed plainly; on keys by the sets of values that the groups have taken.
 */
#include "lib/families/families.h"
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- rules, plainly -- */

/* The values that a slot may have beside what is in the others. */
static uint64_t free_values(const struct place *place, const uint8_t *position, unsigned slot)
{
    uint64_t values = place->allowed[slot];
    for (unsigned other = 0; other < place->slots; other++) {
        if (other == slot || position[other] == 0)
            continue;
        for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
            for (unsigned n = place->first[other]; n < place->first[other + 1]; n++) {
                /* In a group that both are in, what stands in the other one forbids a value here, if there is one. */
                const struct place_member here = place->member[m], there = place->member[n];
                const int value = position[other] - 1 + there.offset - here.offset;
                if (here.group == there.group && value >= 0 && value < (int)place->values)
                    values &= ~((uint64_t)1 << value);
            }
    }
    return values;
}

static bool keeps_rules(const struct place *place, const uint8_t *position)
{
    for (unsigned slot = 0; slot < place->slots; slot++)
        if (position[slot] != 0 && (free_values(place, position, slot) >> (position[slot] - 1) & 1) == 0)
            return false;
    return place_equations_hold(place, position);
}

/* -- positions -- */

static bool place_is_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    const struct place *place = place_of(puzzle);
    return memchr(position, 0, place->slots) == NULL && keeps_rules(place, position);
}

static pdb_status add_move(const struct place *place, const uint8_t *position, unsigned slot, pdb_moves *moves,
                           pdb_error *error)
{
    pdb_move *move = moves_add(moves);
    const char *code = place->puzzle.board.symbol[position[slot]].code;
    if (move == NULL)
        return error_no_memory(error, "the moves of a board", sizeof *move);
    memcpy(move->board.symbol, position, place->slots);
    move->from = place->puzzle.board.cell[slot];
    place_slot_words(place, slot, move->piece);
    if (place->mark != 0)
        snprintf(move->text, sizeof move->text, "%s column %u", move->piece, position[slot]);
    else
        snprintf(move->text, sizeof move->text, "%s = %s", move->piece, code);
    return PDB_OK;
}

static pdb_status place_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error)
{
    const struct place *place = place_of(puzzle);
    uint8_t board[PLACE_MAX_SLOTS];
    pdb_status status = PDB_OK;
    if (!keeps_rules(place, position))
        return PDB_OK;
    memcpy(board, position, place->slots);
    for (unsigned slot = 0; slot < place->slots; slot++) {
        if (position[slot] != 0)
            continue;
        for (uint64_t left = free_values(place, position, slot); status == PDB_OK && left != 0; left &= left - 1) {
            board[slot] = (uint8_t)(__builtin_ctzll(left) + 1);
            if (place_equations_hold(place, board))
                status = add_move(place, board, slot, moves, error);
        }
        board[slot] = 0;
    }
    return status;
}

static uint64_t key_of(const struct place *place, const uint8_t *position)
{
    uint64_t key = 0;
    for (unsigned slot = 0; slot < place->slots; slot++)
        key += position[slot] * place->weight[slot];
    return key;
}

static bool place_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    *index = key_of(place_of(puzzle), position);
    return keeps_rules(place_of(puzzle), position);
}

static void place_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct place *place = place_of(puzzle);
    for (unsigned slot = 0; slot < place->slots; slot++, index /= place->values + 1)
        position[slot] = (uint8_t)(index % (place->values + 1));
}

/* -- keys -- */

/* A state, and what is taken in each group. */
struct taken {
    const struct place *place;
    uint8_t position[PLACE_MAX_SLOTS];
    unsigned empties;
    uint8_t empty[PLACE_MAX_SLOTS]; /* the slots without a value */
    place_set set[PLACE_MAX_GROUPS];
};

/* The values that the groups leave for a slot. */
static uint64_t values_left(const struct taken *taken, unsigned slot)
{
    const struct place *place = taken->place;
    uint64_t values = place->allowed[slot];
    for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
        values &= ~(uint64_t)(taken->set[place->member[m].group] >> place->member[m].offset);
    return values;
}

/* False where the state breaks a rule. */
static bool take_state(const struct place *place, uint64_t index, struct taken *taken)
{
    taken->place = place;
    taken->empties = 0;
    memset(taken->set, 0, place->groups * sizeof *taken->set);
    place_unrank(&place->puzzle, index, taken->position);
    for (unsigned slot = 0; slot < place->slots; slot++) {
        if (taken->position[slot] == 0) {
            taken->empty[taken->empties++] = (uint8_t)slot;
            continue;
        }
        const unsigned value = taken->position[slot] - 1u;
        if ((values_left(taken, slot) >> value & 1) == 0)
            return false;
        for (unsigned m = place->first[slot]; m < place->first[slot + 1]; m++)
            taken->set[place->member[m].group] |= (place_set)1 << (value + place->member[m].offset);
    }
    return place_equations_hold(place, taken->position);
}

/* The keys that lead on from an empty slot. */
static size_t fill_slot(struct taken *taken, unsigned slot, uint64_t key, uint64_t *next)
{
    size_t count = 0;
    for (uint64_t values = values_left(taken, slot); values != 0; values &= values - 1) {
        taken->position[slot] = (uint8_t)(__builtin_ctzll(values) + 1);
        if (place_equations_hold(taken->place, taken->position))
            next[count++] = key + taken->position[slot] * taken->place->weight[slot];
    }
    taken->position[slot] = 0;
    return count;
}

static size_t place_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                               uint16_t *next_count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t before = total;
        struct taken taken;
        if (take_state(place_of(puzzle), index[i], &taken))
            for (unsigned e = 0; e < taken.empties; e++)
                total += fill_slot(&taken, taken.empty[e], index[i], next + total);
        next_count[i] = (uint16_t)(total - before);
    }
    return total;
}

static size_t place_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                 uint16_t *next_count)
{
    const struct place *place = place_of(puzzle);
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t before = total;
        uint64_t rest = index[i];
        for (unsigned slot = 0; slot < place->slots; slot++, rest /= place->values + 1)
            if (rest % (place->values + 1) != 0)
                next[total++] = index[i] - rest % (place->values + 1) * place->weight[slot];
        next_count[i] = (uint16_t)(total - before);
    }
    return total;
}

static size_t place_branches(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *moves)
{
    struct taken taken;
    if (!take_state(place_of(puzzle), index, &taken) || taken.empties == 0)
        return 0;
    const size_t count = fill_slot(&taken, taken.empty[0], index, next);
    for (size_t i = 0; i < count; i++)
        moves[i] = 1;
    return count;
}

static void place_bounds(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound)
{
    const struct place *place = place_of(puzzle);
    for (size_t i = 0; i < count; i++) {
        uint8_t position[PLACE_MAX_SLOTS];
        place_unrank(puzzle, index[i], position);
        bound[i] = 0;
        for (unsigned slot = 0; slot < place->slots; slot++)
            bound[i] = (uint16_t)(bound[i] + (position[slot] == 0));
    }
}

/* -- goals -- */

struct goals {
    goal_visitor *visit;
    void *context;
    pdb_error *error;
    pdb_status status;
};

static bool visit_goal(struct place_filling *filling, void *context)
{
    struct goals *goals = context;
    const uint64_t key = key_of(filling->masks->place, filling->position);
    goals->status = goals->visit(goals->context, &key, 1, goals->error);
    return goals->status == PDB_OK;
}

static bool look_on(struct place_filling *filling, void *context)
{
    struct goals *goals = context;
    (void)filling;
    goals->status = goals->visit(goals->context, NULL, 0, goals->error);
    return goals->status == PDB_OK;
}

static pdb_status place_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    static const uint8_t empty[PLACE_MAX_SLOTS] = {0};
    struct goals goals = {.visit = visit, .context = context, .error = error};
    struct place_masks *masks;
    goals.status = place_masks_make(place_of(puzzle), &masks, error);
    if (goals.status != PDB_OK)
        return goals.status;
    struct place_filling *filling = place_filling_make(masks, error);
    if (filling == NULL) {
        goals.status = PDB_NO_MEMORY;
    } else if (place_begin(filling, empty)) {
        filling->visit = visit_goal;
        filling->look = look_on;
        filling->context = &goals;
        place_fill(filling);
    }
    free(filling);
    free(masks);
    return goals.status;
}

/* -- making one -- */

static void place_release(struct puzzle *puzzle)
{
    struct place *place = (struct place *)puzzle;
    for (unsigned e = 0; place->equation != NULL && e < place->equations; e++)
        free(place->equation[e].text);
    free(place->equation);
}

static void set_up(struct place *place)
{
    struct puzzle *puzzle = &place->puzzle;
    const uint64_t digits = place->values + 1;
    uint64_t weight = 1;
    bool numbered = true;
    puzzle->size = 1;
    for (unsigned slot = 0; slot < place->slots; slot++) {
        place->weight[slot] = weight;
        puzzle->size *= (double)digits;
        numbered = numbered && !__builtin_mul_overflow(weight, digits, &weight) && weight >> 63 == 0;
    }
    puzzle->states = numbered ? weight : 0;
    puzzle->keyed = numbered;
    puzzle->unordered = true;
    puzzle->max_moves = place->slots * place->values;
    puzzle->metric = "one value put into an empty slot";
    memset(puzzle->goal, BOARD_OPEN, puzzle->board.places);
}

static pdb_status place_create(const struct definition *definition, struct puzzle *puzzle, pdb_error *error)
{
    struct place *place = (struct place *)puzzle;
    pdb_status status = place_read(definition, place, error);
    if (status == PDB_OK)
        set_up(place);
    return status;
}

static const char *const place_keys[] = {"board", "values", "places", "different", "equation",
                                         "base",  "mark",   "glyphs", NULL};

const struct family place_family = {
    .name = "place",
    .summary = "values are put into slots under constraints",
    .keys = place_keys,
    .draws_board = true,
    .size = sizeof(struct place),
    .create = place_create,
    .release = place_release,
    .position = {.is_goal = place_is_goal,
                 .moves = place_moves,
                 .rank = place_rank,
                 .unrank = place_unrank,
                 .sketch = place_sketch,
                 .parse = place_parse},
    .index = {.successors = place_successors,
              .predecessors = place_predecessors,
              .branches = place_branches,
              .goals = place_goals},
    .single = {.bounds = place_bounds, .bound_text = "empty slots", .searcher = &place_searcher_class},
};
