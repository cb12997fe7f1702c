/* effects.c -- ground moves as values: when each holds and changes the state, and what it adds to the key */
#include "columns.h"
#include "lib/memory/array.h"

/* An assignment on its way: which element, or which of `count` from there on. */
struct effect {
    uint32_t element, count;
    uint32_t index; /* a value, or NO_VALUE */
    uint32_t value, old;
};

struct effects {
    struct program *program;
    struct values *values;
    struct effect *effect;
    size_t count, room;
    uint32_t *last; /* of each element: the move's last assignment to it alone, + 1 */
};

/* -- which assignments of a move count -- */

static bool gather(struct effects *effects, const struct ground_move *move)
{
    struct values *values = effects->values;
    effects->count = 0;
    if (!array_reserve(&effects->effect, &effects->room, move->count, sizeof *effects->effect))
        return false;
    for (uint32_t i = 0; i < move->count; i++) {
        const struct ground_assignment *assignment = &values->rules->ground.assignment[move->first + i];
        struct effect effect = {assignment->element, assignment->count, NO_VALUE, value_of(values, assignment->value),
                                0};
        if (assignment->index != NO_NODE)
            effect.index = value_of(values, assignment->index);
        if (effect.index != NO_VALUE && values->value[effect.index].op == VALUE_NUMBER) {
            const int32_t at = values->value[effect.index].number;
            if (at < 0 || (uint32_t)at >= effect.count)
                continue; /* the condition does not hold */
            effect.element += (uint32_t)at;
            effect.index = NO_VALUE;
        }
        if (effect.index == NO_VALUE) {
            effect.count = 1;
            effect.old = value_element(values, effect.element);
            effects->last[effect.element] = (uint32_t)effects->count + 1;
        } else
            effect.old = value_read(values, effect.element, effect.count, effect.index);
        effects->effect[effects->count++] = effect;
    }
    return !values->short_of_memory;
}

/* Assignments that another one to the same element follows change nothing: those to one element alone fall away, the
 * others put the old value where the two meet. */
static uint32_t meet(struct values *values, const struct effect *one, const struct effect *later)
{
    const int32_t apart = (int32_t)one->element - (int32_t)later->element;
    if (later->element >= one->element + one->count || one->element >= later->element + later->count)
        return value_mask(values, false);
    if (one->index == NO_VALUE)
        return value_equal(values, later->index, value_number(values, apart));
    if (later->index == NO_VALUE)
        return value_equal(values, one->index, value_number(values, -apart));
    const uint32_t index = apart == 0 ? later->index
                                      : value_subtract(values, later->index, value_number(values, apart));
    const uint32_t equal = value_equal(values, one->index, index);
    const uint32_t none = value_equal(values, one->index, value_number(values, RULES_NONE));
    /* where both are none nothing is put anywhere: perhaps they never meet but there */
    const uint32_t there = value_and(values, equal, value_not(values, none));
    return values->value[there].op == VALUE_NUMBER ? there : equal;
}

static void settle(struct effects *effects)
{
    struct values *values = effects->values;
    size_t kept = 0, indexed_after = effects->count;
    while (indexed_after > 0 && effects->effect[indexed_after - 1].index == NO_VALUE)
        indexed_after--; /* behind it there are none with an index */
    for (size_t i = 0; i < effects->count; i++) {
        struct effect effect = effects->effect[i];
        const bool alone = effect.index == NO_VALUE;
        if (alone && effects->last[effect.element] != i + 1)
            continue;
        for (size_t j = i + 1; j < (alone ? indexed_after : effects->count); j++)
            if (!alone || effects->effect[j].index != NO_VALUE)
                effect.value = value_select(values, meet(values, &effect, &effects->effect[j]), effect.old,
                                            effect.value);
        effects->effect[kept++] = effect;
    }
    for (size_t i = 0; i < effects->count; i++)
        effects->last[effects->effect[i].element] = 0;
    effects->count = kept;
}

/* -- when it changes the state -- */

/* Does a condition that begins with `and`s say that the value is not the old one? */
static bool implied(struct values *values, uint32_t node, uint32_t equal, const struct effect *effect)
{
    const struct dag_node *nodes = values->rules->dag.node;
    for (bool last = false; !last;) {
        last = nodes[node].op != DAG_AND;
        const uint32_t part = value_holds(values, last ? node : nodes[node].b);
        const struct value says = values->value[part], becomes = values->value[effect->value];
        if (part == value_not(values, equal))
            return true;
        if (says.op == VALUE_EQUAL && becomes.op == VALUE_NUMBER && (says.a == effect->old || says.b == effect->old)) {
            const struct value was = values->value[says.a == effect->old ? says.b : says.a];
            if (was.op == VALUE_NUMBER && was.number != becomes.number)
                return true;
        }
        node = nodes[node].a;
    }
    return false;
}

/* The condition, and that something changes. */
static uint32_t condition_of(struct effects *effects, const struct ground_move *move)
{
    struct values *values = effects->values;
    uint32_t changed = value_mask(values, false);
    for (size_t i = 0; i < effects->count; i++) {
        const struct effect *effect = &effects->effect[i];
        const uint32_t equal = value_equal(values, effect->value, effect->old);
        if (move->condition != NO_NODE && implied(values, move->condition, equal, effect))
            return value_holds(values, move->condition);
        changed = value_or(values, changed, value_not(values, equal));
    }
    return move->condition == NO_NODE ? changed : value_and(values, value_holds(values, move->condition), changed);
}

/* -- what it adds -- */

/* Weight times value, and that to the word of an element. */
static bool add_term(struct effects *effects, struct program_move *move, uint32_t number, uint64_t weight, uint8_t word)
{
    struct program *program = effects->program;
    const struct value *value = &effects->values->value[number];
    if (value->op == VALUE_NUMBER) {
        move->add[word] += (uint64_t)value->number * weight;
        return true;
    }
    if (!array_reserve(&program->term, &program->term_room, program->terms + 1, sizeof *program->term))
        return false;
    program->term[program->terms++] = (struct move_term){number, value->width, word, weight};
    move->terms++;
    return true;
}

static bool add_indexed(struct effects *effects, struct program_move *move, const struct effect *effect)
{
    struct program *program = effects->program;
    struct values *values = effects->values;
    const uint32_t difference = value_subtract(values, effect->value, effect->old);
    if (!array_reserve(&program->indexed, &program->indexed_room, program->indexed_count + 1, sizeof *program->indexed))
        return false;
    program->indexed[program->indexed_count++] = (struct move_indexed){
        difference,      effect->index, values->value[difference].width, values->value[effect->index].width,
        effect->element, effect->count};
    move->indexed++;
    return true;
}

static bool add_effect(struct effects *effects, struct program_move *move, const struct effect *effect)
{
    const struct rules *rules = effects->values->rules;
    const struct rules_element *element = &rules->element[effect->element];
    const uint64_t weight = rules->layout.weight[effect->element];
    const uint8_t word = rules->layout.word[effect->element];
    if (effect->index != NO_VALUE)
        return add_indexed(effects, move, effect);
    if (element->lo == element->hi)
        return true;
    if (!rules->layout.shifts)
        return add_term(effects, move, effect->value, weight, word) &&
               add_term(effects, move, effect->old, -weight, word);
    const uint64_t most = (uint64_t)((int64_t)element->hi - element->lo);
    move->keep[word] &= ~(UINT64_MAX >> __builtin_clzll(most) << rules->layout.shift[effect->element]);
    move->add[word] -= (uint64_t)element->lo * weight;
    return add_term(effects, move, effect->value, weight, word);
}

static bool add_move(struct effects *effects, const struct ground_move *ground)
{
    struct program *program = effects->program;
    if (!gather(effects, ground))
        return false;
    settle(effects);
    struct program_move move = {.keep = {UINT64_MAX, UINT64_MAX},
                                .first_term = (uint32_t)program->terms,
                                .first_indexed = (uint32_t)program->indexed_count,
                                .condition = condition_of(effects, ground)};
    const uint32_t cost = value_of(effects->values, ground->cost);
    const struct value condition = effects->values->value[move.condition];
    move.cost = (struct move_term){cost, effects->values->value[cost].width, 0, 1};
    if (condition.op == VALUE_NUMBER && condition.number == 0)
        return true;
    for (size_t i = 0; i < effects->count; i++)
        if (!add_effect(effects, &move, &effects->effect[i]))
            return false;
    program->move[program->moves++] = move;
    return !effects->values->short_of_memory;
}

bool program_moves(struct program *program, struct values *values)
{
    const struct ground *ground = &program->rules->ground;
    struct effects effects = {.program = program, .values = values};
    program->move = calloc(ground->moves + 1, sizeof *program->move);
    effects.last = calloc(program->rules->elements + 1, sizeof *effects.last);
    bool made = program->move != NULL && effects.last != NULL;
    for (size_t m = 0; m < ground->moves && made; m++)
        made = add_move(&effects, &ground->move[m]);
    free(effects.effect);
    free(effects.last);
    return made;
}
