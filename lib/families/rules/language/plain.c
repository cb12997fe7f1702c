/* plain.c -- the value of a term in one state, worked out by walking it */
#include "plain.h"
#include "parse.h"
#include "value.h"

static int32_t bounded(struct plain *plain, int64_t value)
{
    plain->beyond |= value > VALUE_MOST || value < -VALUE_MOST;
    return plain->beyond ? 0 : (int32_t)value;
}

static int32_t arithmetic(struct plain *plain, enum term_kind kind, int64_t a, int64_t b)
{
    switch (kind) {
    case TERM_ADD:
        return bounded(plain, a + b);
    case TERM_SUBTRACT:
        return bounded(plain, a - b);
    case TERM_MULTIPLY:
        return bounded(plain, a * b);
    case TERM_DIVIDE:
        return b == 0 ? RULES_NONE : bounded(plain, value_divide(a, b));
    case TERM_REMAINDER:
        return b == 0 ? RULES_NONE : bounded(plain, value_remainder(a, b));
    case TERM_LESS:
        return a < b;
    default: /* TERM_LESS_EQUAL */
        return a <= b;
    }
}

/* Takes one more member into what a loop has come to; false where that cannot change any more. */
static bool take(struct plain *plain, enum term_kind kind, int32_t value, int32_t *result)
{
    const bool holds = value != 0 && value != RULES_NONE;
    switch (kind) {
    case TERM_ALL:
        *result = holds;
        return holds;
    case TERM_ANY:
        *result = holds;
        return !holds;
    case TERM_SUM:
        if (value != RULES_NONE)
            *result = bounded(plain, (int64_t)*result + value);
        return true;
    case TERM_COUNT:
        *result += holds;
        return true;
    default:
        *result = value_nearer(*result, value, kind == TERM_LEAST);
        return true;
    }
}

static int32_t loop(struct plain *plain, const struct term *term)
{
    const struct rules_set *set = &plain->rules->set[term->value];
    const bool extreme = term->kind == TERM_LEAST || term->kind == TERM_GREATEST;
    int32_t result = extreme ? RULES_NONE : term->kind == TERM_ALL;
    bool more = true;
    for (uint32_t i = 0; more && i < set->count; i++) {
        plain->slot[term->slot] = set->value[i];
        if (term->b == NO_TERM || plain_holds(plain, term->b))
            more = take(plain, term->kind, plain_value(plain, term->a), &result);
    }
    return result;
}

static int32_t last(struct plain *plain, const struct term *term)
{
    int32_t at = plain_value(plain, term->c);
    for (int steps = 0; steps <= TERM_MOST_STEPS && !plain->beyond; steps++) {
        plain->slot[term->slot] = at;
        if (term->b != NO_TERM && !plain_holds(plain, term->b))
            return at;
        const int32_t next = plain_value(plain, term->a);
        if (next == RULES_NONE)
            return at;
        at = next;
    }
    return RULES_NONE;
}

/* The place of up to two indices among the members of their sets; -1 where one is none of them. */
static int64_t place_of(struct plain *plain, const uint32_t set[2], const uint32_t index[2])
{
    int64_t place = 0;
    for (unsigned i = 0; i < 2 && index[i] != NO_TERM; i++) {
        const struct rules_set *members = &plain->rules->set[set[i]];
        const int32_t at = set_position(members, plain_value(plain, index[i]));
        if (at < 0)
            return -1;
        place = place * members->count + at;
    }
    return place;
}

bool plain_element(struct plain *plain, uint32_t variable, const uint32_t index[2], uint32_t *element)
{
    const struct rules_variable *of = &plain->rules->variable[variable];
    const int64_t place = place_of(plain, of->set, index);
    *element = of->first + (uint32_t)(place < 0 ? 0 : place);
    return place >= 0;
}

static int32_t look_up(struct plain *plain, const struct term *term)
{
    const uint32_t index[2] = {term->a, term->b};
    if (term->kind == TERM_VARIABLE) {
        uint32_t element;
        return plain_element(plain, (uint32_t)term->value, index, &element) ? plain->state[element] : RULES_NONE;
    }
    const struct rules_table *table = &plain->rules->table[term->value];
    const int64_t place = place_of(plain, table->set, index);
    return place < 0 ? RULES_NONE : table->value[place];
}

static int32_t unary(const struct term *term, int32_t a)
{
    if (a == RULES_NONE)
        return RULES_NONE;
    return term->kind == TERM_NEGATE || a < 0 ? -a : a;
}

static int32_t binary(struct plain *plain, const struct term *term)
{
    const int32_t a = plain_value(plain, term->a), b = plain_value(plain, term->b);
    switch (term->kind) {
    case TERM_EQUAL:
        return a == b;
    case TERM_UNEQUAL:
        return a != b;
    case TERM_MIN:
    case TERM_MAX:
        return value_nearer(a, b, term->kind == TERM_MIN);
    default:
        if (a == RULES_NONE || b == RULES_NONE)
            return term->kind == TERM_LESS || term->kind == TERM_LESS_EQUAL ? 0 : RULES_NONE;
        return arithmetic(plain, term->kind, a, b);
    }
}

int32_t plain_value(struct plain *plain, uint32_t number)
{
    const struct term *term = &plain->rules->terms.term[number];
    plain->work++;
    switch (term->kind) {
    case TERM_NUMBER:
        return term->value;
    case TERM_SLOT:
        return plain->slot[term->value];
    case TERM_VARIABLE:
    case TERM_TABLE:
        return look_up(plain, term);
    case TERM_NOT:
        return !plain_holds(plain, term->a);
    case TERM_NEGATE:
    case TERM_ABS:
        return unary(term, plain_value(plain, term->a));
    case TERM_AND:
        return plain_holds(plain, term->a) && plain_holds(plain, term->b);
    case TERM_OR:
        return plain_holds(plain, term->a) || plain_holds(plain, term->b);
    case TERM_SELECT:
        return plain_value(plain, plain_holds(plain, term->a) ? term->b : term->c);
    case TERM_MEMBER:
        return set_position(&plain->rules->set[term->value], plain_value(plain, term->a)) >= 0;
    case TERM_ALL:
    case TERM_ANY:
    case TERM_SUM:
    case TERM_COUNT:
    case TERM_LEAST:
    case TERM_GREATEST:
        return loop(plain, term);
    case TERM_LAST:
        return last(plain, term);
    default:
        return binary(plain, term);
    }
}

bool plain_keeps(const struct rules *rules, const int32_t *state)
{
    struct plain plain = {.rules = rules, .state = state};
    return rules->keep == NO_TERM || plain_holds(&plain, rules->keep);
}
