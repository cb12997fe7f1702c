/* step.c -- moves out of one state, worked out in the obvious way */
#include "step.h"
#include "layout.h"
#include "lib/text.h"
#include "lib/families/rules/language/parse.h"

#include <stdio.h>
#include <string.h>

/* Carries all assignments out, with right sides as they are before. False where one cannot be. */
static bool assign(struct plain *plain, const struct rules_move *move, int32_t *after)
{
    const struct rules *rules = plain->rules;
    memcpy(after, plain->state, rules->elements * sizeof *after);
    for (size_t a = 0; a < move->assignments; a++) {
        const struct rules_assignment *assignment = &rules->assignment[move->first_assignment + a];
        uint32_t element;
        if (assignment->only != NO_TERM && !plain_holds(plain, assignment->only))
            continue;
        if (!plain_element(plain, assignment->variable, assignment->index, &element))
            return false;
        const int32_t value = plain_value(plain, assignment->value);
        if (value == RULES_NONE || set_position(&rules->set[rules->variable[assignment->variable].range], value) < 0)
            return false;
        after[element] = value;
    }
    return memcmp(after, plain->state, rules->elements * sizeof *after) != 0;
}

/* Does the move, its parameters in their slots, apply? */
static bool apply(struct plain *plain, const struct rules_move *move, int32_t *after, int32_t *cost)
{
    for (unsigned l = 0; l < move->lets; l++)
        plain->slot[move->parameters + l] = plain_value(plain, move->let[l]);
    if ((move->condition != NO_TERM && !plain_holds(plain, move->condition)) || !assign(plain, move, after))
        return false;
    *cost = move->cost == NO_TERM ? 1 : plain_value(plain, move->cost);
    struct plain then = {.rules = plain->rules, .state = after};
    return plain->rules->keep == NO_TERM || plain_holds(&then, plain->rules->keep);
}

/* Visits the choices of a move's parameters, which are numbered from *number on. */
static pdb_status visit_choices(struct plain *plain, const struct rules_move *move, uint32_t *number,
                                step_visitor *visit, void *context, pdb_error *error)
{
    const struct rules *rules = plain->rules;
    int32_t after[RULES_MAX_ELEMENTS], value[TERM_MAX_SLOTS];
    uint32_t member[TERM_MAX_SLOTS] = {0};
    struct step step = {.move = move, .member = value, .state = after};
    unsigned p;
    do {
        step.number = (*number)++;
        for (unsigned i = 0; i < move->parameters; i++)
            value[i] = plain->slot[i] = rules->set[move->set[i]].value[member[i]];
        if (apply(plain, move, after, &step.cost)) {
            pdb_status status = visit(context, &step, error);
            if (status != PDB_OK)
                return status;
        }
        for (p = move->parameters; p > 0 && ++member[p - 1] == rules->set[move->set[p - 1]].count; p--)
            member[p - 1] = 0;
    } while (p > 0);
    return PDB_OK;
}

pdb_status steps_visit(const struct rules *rules, const int32_t *state, step_visitor *visit, void *context,
                       pdb_error *error)
{
    struct plain plain = {.rules = rules, .state = state};
    uint32_t number = 0;
    pdb_status status = PDB_OK;
    for (uint32_t m = 0; status == PDB_OK && m < rules->moves; m++)
        status = visit_choices(&plain, &rules->move[m], &number, visit, context, error);
    return status;
}

/* The value of the parameter with this name. */
static const char *parameter_text(const struct rules *rules, const struct step *step, const char *name, size_t length,
                                  char *text)
{
    for (unsigned p = 0; p < step->move->parameters; p++)
        if (text_is(name, length, step->move->parameter[p]))
            return set_value_text(rules, &rules->set[step->move->set[p]], step->member[p], text);
    return "";
}

void step_text(const struct rules *rules, const struct step *step, char *text, size_t size)
{
    size_t used = 0;
    char value[NAME_MAX_BYTES + 1];
    for (const char *at = step->move->name; *at != '\0';) {
        const size_t plain = strcspn(at, "{");
        const size_t length = at[plain] == '{' ? strcspn(at + plain + 1, "}") : 0;
        const char *put = at[plain] == '{' ? parameter_text(rules, step, at + plain + 1, length, value) : "";
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, "%.*s%s", (int)plain, at, put);
        at += plain + (at[plain] == '{' ? length + 2 : 0);
    }
    while (used >= size || (used > 0 && !text_is_plain(text))) /* cut inside a character */
        text[used = used >= size ? size - 1 : used - 1] = '\0';
}

void step_text_of(const struct rules *rules, uint32_t number, char *text, size_t size)
{
    int32_t value[TERM_MAX_SLOTS];
    for (const struct rules_move *move = rules->move; move < rules->move + rules->moves; move++) {
        uint32_t choices = 1;
        for (unsigned p = move->parameters; p-- > 0; choices *= rules->set[move->set[p]].count)
            value[p] = rules->set[move->set[p]].value[number / choices % rules->set[move->set[p]].count];
        if (number < choices) {
            step_text(rules, &(struct step){.move = move, .member = value}, text, size);
            return;
        }
        number -= choices;
    }
}

pdb_status step_list(const struct rules *rules, const struct step *step, pdb_moves *moves, pdb_error *error)
{
    pdb_move *move = moves_add(moves);
    if (move == NULL)
        return error_no_memory(error, "the moves of a board", sizeof *move);
    layout_position(rules, step->state, move->board.symbol);
    step_text(rules, step, move->text, sizeof move->text);
    move->cost = (uint32_t)step->cost;
    move->from = PDB_NO_CELL;
    return PDB_OK;
}

struct listing {
    const struct rules *rules;
    pdb_moves *moves;
};

static pdb_status list(void *context, const struct step *step, pdb_error *error)
{
    const struct listing *listing = context;
    return step_list(listing->rules, step, listing->moves, error);
}

pdb_status steps_list(const struct rules *rules, const int32_t *state, pdb_moves *moves, pdb_error *error)
{
    struct listing listing = {rules, moves};
    return steps_visit(rules, state, list, &listing, error);
}
