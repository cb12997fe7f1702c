/* mover.c -- moves out of a single state, by the graph of values */
#include "mover.h"
#include "lib/families/rules/language/value.h"

#include <stdlib.h>
#include <string.h>

/* -- making -- */

/* Gives every element its bits. */
static void place_fields(struct mover *mover)
{
    const struct rules *rules = mover->rules;
    unsigned word = 0, used = 0;
    for (uint32_t e = 0; e < rules->elements; e++) {
        const uint64_t most = (uint64_t)((int64_t)rules->element[e].hi - rules->element[e].lo);
        const unsigned bits = most == 0 ? 0 : 64 - (unsigned)__builtin_clzll(most);
        if (used + bits > 64) {
            word++;
            used = 0;
        }
        mover->field[e] = (struct mover_field){.word = (uint16_t)word,
                                               .shift = (uint8_t)(bits == 0 ? 0 : used),
                                               .mask = ((uint64_t)1 << bits) - 1,
                                               .lo = rules->element[e].lo};
        used += bits;
    }
    mover->words = word + 1;
}

static void need(bool *needed, uint32_t node)
{
    if (node != NO_NODE)
        needed[node] = true;
}

/* Which nodes others and the moves ask for. */
static void mark_needed(const struct rules *rules, bool *needed)
{
    const struct ground *ground = &rules->ground;
    needed[ground->goal] = true;
    for (size_t m = 0; m < ground->moves; m++) {
        need(needed, ground->move[m].condition);
        need(needed, ground->move[m].cost);
    }
    for (size_t a = 0; a < ground->assignments; a++) {
        need(needed, ground->assignment[a].index);
        need(needed, ground->assignment[a].value);
    }
    for (size_t n = rules->dag.count; n-- > 0;) {
        const struct dag_node *node = &rules->dag.node[n];
        const unsigned parts = needed[n] ? dag_parts((enum dag_op)node->op) : 0;
        const uint32_t part[] = {node->a, node->b, node->c};
        for (unsigned p = 0; p < parts; p++)
            needed[part[p]] = true;
    }
}

pdb_status mover_make(const struct rules *rules, struct mover *mover, pdb_error *error)
{
    const size_t count = rules->dag.count;
    bool *needed = calloc(count, sizeof *needed);
    *mover = (struct mover){.rules = rules};
    mover->field = calloc(rules->elements + (size_t)1, sizeof *mover->field);
    mover->node = calloc(count, sizeof *mover->node);
    if (needed == NULL || mover->field == NULL || mover->node == NULL) {
        free(needed);
        return error_no_memory(error, "a search", count * sizeof *mover->node);
    }
    place_fields(mover);
    mover->most_moves = rules->free ? rules->puzzle.max_moves : rules->ground.moves;
    mark_needed(rules, needed);
    for (uint32_t n = 0; n < count; n++)
        if (needed[n] && rules->dag.node[n].op != DAG_NUMBER)
            mover->node[mover->nodes++] = n;
    free(needed);
    return PDB_OK;
}

void mover_free(struct mover *mover)
{
    free(mover->field);
    free(mover->node);
}

pdb_status moving_make(const struct mover *mover, struct moving *moving, pdb_error *error)
{
    const struct dag *dag = &mover->rules->dag;
    const size_t moves = mover->most_moves + 1, bytes = moves * mover->words * sizeof(uint64_t);
    *moving = (struct moving){.mover = mover};
    moving->value = calloc(dag->count, sizeof *moving->value);
    moving->state = calloc(mover->rules->elements + (size_t)1, sizeof *moving->state);
    moving->next = malloc(bytes + mover->words * sizeof(uint64_t));
    moving->from = calloc(mover->words, sizeof *moving->from);
    moving->cost = calloc(moves, sizeof *moving->cost);
    if (moving->value == NULL || moving->state == NULL || moving->next == NULL || moving->from == NULL ||
        moving->cost == NULL)
        return error_no_memory(error, "a search", bytes);
    for (size_t n = 0; n < dag->count; n++)
        if (dag->node[n].op == DAG_NUMBER)
            moving->value[n] = dag->node[n].value;
    pdb_status status = PDB_OK;
    if (mover->rules->free)
        status = met_make(&moving->near, mover->words, UINT64_MAX, 0, error);
    if (mover->rules->free && status == PDB_OK)
        status = met_make(&moving->paid, mover->words + 1, UINT64_MAX, 0, error);
    return status;
}

void moving_free(struct moving *moving)
{
    free(moving->value);
    free(moving->state);
    free(moving->next);
    free(moving->from);
    free(moving->cost);
    met_free(&moving->near);
    met_free(&moving->paid);
}

/* -- packed states -- */

void mover_pack(const struct mover *mover, const int32_t *state, uint64_t *packed)
{
    memset(packed, 0, mover->words * sizeof *packed);
    for (uint32_t e = 0; e < mover->rules->elements; e++) {
        const struct mover_field *field = &mover->field[e];
        packed[field->word] |= (uint64_t)((int64_t)state[e] - field->lo) << field->shift;
    }
}

void mover_unpack(const struct mover *mover, const uint64_t *packed, int32_t *state)
{
    for (uint32_t e = 0; e < mover->rules->elements; e++) {
        const struct mover_field *field = &mover->field[e];
        state[e] = (int32_t)((int64_t)(packed[field->word] >> field->shift & field->mask) + field->lo);
    }
}

/* -- values of nodes -- */

static bool holds(int32_t value)
{
    return value != 0 && value != RULES_NONE;
}

static int32_t one_part(enum dag_op op, int32_t a)
{
    if (op == DAG_NOT)
        return !holds(a);
    if (a == RULES_NONE)
        return a;
    return op == DAG_NEGATE || a < 0 ? -a : a;
}

/* Of arithmetic and LESS, LESS_EQUAL. */
static int32_t two_parts(enum dag_op op, int32_t a, int32_t b)
{
    const bool none = a == RULES_NONE || b == RULES_NONE;
    if (op == DAG_LESS || op == DAG_LESS_EQUAL)
        return !none && (op == DAG_LESS ? a < b : a <= b);
    if (none || (b == 0 && (op == DAG_DIVIDE || op == DAG_REMAINDER)))
        return RULES_NONE;
    switch (op) {
    case DAG_ADD:
        return a + b;
    case DAG_SUBTRACT:
        return a - b;
    case DAG_MULTIPLY:
        return a * b;
    case DAG_DIVIDE:
        return (int32_t)value_divide(a, b);
    default: /* DAG_REMAINDER */
        return (int32_t)value_remainder(a, b);
    }
}

static int32_t value_of(const struct moving *moving, const struct dag_node *node)
{
    const int32_t *value = moving->value, a = node->op == DAG_ELEMENT ? 0 : value[node->a];
    switch (node->op) {
    case DAG_ELEMENT:
        return moving->state[node->value];
    case DAG_READ:
        return a >= 0 && (uint32_t)a < node->b ? moving->state[node->value + a] : RULES_NONE;
    case DAG_LOOKUP:
        return a >= 0 && (uint32_t)a < node->b ? moving->mover->rules->dag.constant[node->value + a] : RULES_NONE;
    case DAG_NOT:
    case DAG_NEGATE:
    case DAG_ABS:
        return one_part(node->op, a);
    case DAG_EQUAL:
        return a == value[node->b];
    case DAG_AND:
        return holds(a) && holds(value[node->b]);
    case DAG_OR:
        return holds(a) || holds(value[node->b]);
    case DAG_MIN:
    case DAG_MAX:
        return value_nearer(a, value[node->b], node->op == DAG_MIN);
    case DAG_SELECT:
        return value[holds(a) ? node->b : node->c];
    default:
        return two_parts(node->op, a, value[node->b]);
    }
}

/* -- moves -- */

static void assign(const struct moving *moving, const struct ground_assignment *assignment, uint64_t *packed)
{
    const int32_t index = assignment->index == NO_NODE ? 0 : moving->value[assignment->index];
    const struct mover_field *field = &moving->mover->field[assignment->element + (uint32_t)index];
    const uint64_t digit = (uint64_t)((int64_t)moving->value[assignment->value] - field->lo);
    packed[field->word] = (packed[field->word] & ~(field->mask << field->shift)) | digit << field->shift;
}

/* The successor that was put behind the others counts, unless it is a free one, or known by the same move. */
static bool add_paid(struct moving *moving, uint64_t *next, uint32_t cost, size_t move)
{
    const unsigned words = moving->mover->words;
    uint32_t number;
    if (!met_have_room(cost == 0 ? &moving->near : &moving->paid, 1))
        return false;
    if (cost == 0) {
        met_meet(&moving->near, next, 0, MET_NONE, &number);
        return true;
    }
    next[words] = (uint64_t)move << 32 | cost; /* a successor has room behind it */
    moving->count += met_meet(&moving->paid, next, 0, MET_NONE, &number) == MET_NEW;
    return true;
}

/* The moves of one state, behind those that there are. */
static bool expand_one(struct moving *moving, const uint64_t *packed)
{
    const struct mover *mover = moving->mover;
    const struct rules *rules = mover->rules;
    const size_t bytes = mover->words * sizeof *packed;
    mover_unpack(mover, packed, moving->state);
    for (size_t n = 0; n < mover->nodes; n++)
        moving->value[mover->node[n]] = value_of(moving, &rules->dag.node[mover->node[n]]);
    moving->goal = moving->goal || holds(moving->value[rules->ground.goal]);
    bool there = true;
    for (size_t m = 0; m < rules->ground.moves && there; m++) {
        const struct ground_move *move = &rules->ground.move[m];
        uint64_t *next = moving->next + moving->count * mover->words;
        if (move->condition != NO_NODE && !holds(moving->value[move->condition]))
            continue;
        memcpy(next, packed, bytes);
        for (uint32_t a = 0; a < move->count; a++)
            assign(moving, &rules->ground.assignment[move->first + a], next);
        if (memcmp(next, packed, bytes) == 0)
            continue;
        moving->cost[moving->count] = (uint32_t)moving->value[move->cost];
        if (rules->free)
            there = add_paid(moving, next, moving->cost[moving->count], m);
        else
            moving->count++;
    }
    return there;
}

bool moving_expand(struct moving *moving, const uint64_t *packed)
{
    struct met *near = &moving->near;
    uint32_t number;
    moving->count = 0;
    moving->goal = false;
    if (!moving->mover->rules->free)
        return expand_one(moving, packed);
    met_clear(near);
    met_clear(&moving->paid);
    bool there = met_have_room(near, 1);
    if (there)
        met_meet(near, packed, 0, MET_NONE, &number);
    for (uint32_t at = 0; there && at < near->count; at++) {
        memcpy(moving->from, met_at(near, at), moving->mover->words * sizeof *packed); /* `near` may move */
        there = expand_one(moving, moving->from);
    }
    return there;
}
