/* pictures.c -- what a state shows on each place of the picture, and what it does not */
#include "pictures.h"
#include "lib/families/rules/conserved.h"
#include "lib/families/rules/language/plain.h"
#include "lib/families/rules/layout.h"
#include "lib/random.h"

#include <stdio.h>
#include <string.h>

uint8_t picture_symbol(const struct rules *rules, const int32_t *state, unsigned place)
{
    const struct rules_picture *picture = &rules->picture;
    const struct rules_set *last = &rules->set[picture->set[picture->parameters - 1]];
    struct plain plain = {.rules = rules, .state = state};
    plain.slot[0] = rules->set[picture->set[0]].value[picture->parameters == 2 ? place / last->count : place];
    if (picture->parameters == 2)
        plain.slot[1] = last->value[place % last->count];
    for (uint32_t i = 0; i < picture->marks; i++)
        if (plain_holds(&plain, picture->show[i]))
            return picture->symbol[i];
    const int32_t value = picture->marks > 0 ? RULES_NONE : plain_value(&plain, *picture->show);
    if (value == RULES_NONE || value < picture->lo || value > picture->hi)
        return picture->board.empty;
    const uint8_t symbol = picture->symbol[value - picture->lo];
    return symbol == BOARD_OPEN ? picture->board.empty : symbol;
}

uint8_t rules_show(const struct puzzle *puzzle, const uint8_t *position, unsigned place)
{
    const struct rules *rules = (const struct rules *)puzzle;
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element;
    return layout_read(rules, position, state, &element) ? picture_symbol(rules, state, place)
                                                         : rules->picture.board.empty;
}

/* Adds an assignment to a text, if all of it has room. */
static void add_assignment(char *text, const char *name, const char *value)
{
    const size_t length = strlen(text);
    if (length + strlen(name) + strlen(value) + sizeof ", =" <= PDB_TEXT_MAX)
        snprintf(text + length, PDB_TEXT_MAX - length, "%s%s=%s", length > 0 ? ", " : "", name, value);
}

/* Equal for the same values in another order, and else but by the rarest chance not. */
static uint64_t content_of(const struct rules_variable *variable, const int32_t *state)
{
    uint64_t sum = 0;
    for (uint32_t e = variable->first; e < variable->first + variable->count; e++) {
        uint64_t seed = (uint32_t)state[e];
        sum += random_next(&seed);
    }
    return sum;
}

void picture_find_conserved(struct rules *rules)
{
    for (struct rules_variable *v = rules->variable; v < rules->variable + rules->variables; v++) {
        v->conserved = v->drawn && v->count > 1 && rules->starts > 0;
        v->content = v->conserved ? content_of(v, rules->start) : 0;
        for (uint32_t s = 0; s < rules->starts && v->conserved; s++) {
            const int32_t *start = rules->start + (size_t)s * rules->elements;
            v->conserved = content_of(v, start) == v->content;
            for (uint32_t e = v->first; e < v->first + v->count; e++)
                v->conserved &= start[e] != RULES_NONE;
        }
        v->conserved = v->conserved && conserved_by_moves(rules, v);
    }
}

bool picture_conserves(const struct rules_variable *variable, const int32_t *state)
{
    return content_of(variable, state) == variable->content;
}

/* A state, and as what it would be read from its picture. */
struct covering {
    const struct rules *rules;
    int32_t start[RULES_MAX_ELEMENTS], state[RULES_MAX_ELEMENTS];
    uint8_t shown[BOARD_MAX_CELLS]; /* of each place */
    unsigned place;                 /* where an element showed last: the next may be near */
};

static bool covering_begin(struct covering *covering, const struct rules *rules, const uint8_t *position)
{
    unsigned wrong;
    covering->rules = rules;
    covering->place = 0;
    layout_start(rules, covering->start);
    if (!layout_read(rules, position, covering->state, &wrong))
        return false;
    for (unsigned p = 0; p < rules->picture.board.places; p++)
        covering->shown[p] = picture_symbol(rules, covering->state, p);
    return true;
}

/* Would an element be read as in the start, though it is not, since it is covered? */
static bool is_covered(struct covering *covering, const struct rules_variable *variable, uint32_t element)
{
    const unsigned places = covering->rules->picture.board.places;
    const int32_t value = covering->state[element];
    if (value == covering->start[element])
        return false;
    const bool conserves = variable->conserved && picture_conserves(variable, covering->state);
    covering->state[element] = covering->start[element];
    bool covered = !conserves || picture_conserves(variable, covering->state);
    for (unsigned p = 0; covered && p < places; p++) {
        const unsigned place = (covering->place + p) % places;
        if (picture_symbol(covering->rules, covering->state, place) != covering->shown[place]) {
            covering->place = place;
            covered = false;
        }
    }
    covering->state[element] = value;
    return covered;
}

/* Tells the elements of a variable that `draw` names but something covers, as a man does the door that he stands in. */
static void add_covered(struct covering *covering, const struct rules_variable *variable, const uint8_t *position,
                        char *text)
{
    const struct rules *rules = covering->rules;
    char name[ELEMENT_TEXT_MAX];
    for (uint32_t e = variable->first; e < variable->first + variable->count; e++)
        if (is_covered(covering, variable, e))
            add_assignment(text, layout_element_text(rules, e, name), rules->puzzle.board.symbol[position[e]].code);
}

/* An array in which all elements have one value is told as a whole, as in lamp=0. */
static void add_undrawn(const struct rules *rules, const struct rules_variable *variable, const uint8_t *position,
                        char *text)
{
    const struct symbol *symbol = rules->puzzle.board.symbol;
    const uint8_t *value = position + variable->first;
    char name[ELEMENT_TEXT_MAX];
    uint32_t same = 1;
    while (same < variable->count && value[same] == *value)
        same++;
    if (same == variable->count)
        add_assignment(text, variable->name, symbol[*value].code);
    for (uint32_t e = 0; same < variable->count && e < variable->count; e++)
        add_assignment(text, layout_element_text(rules, variable->first + e, name), symbol[value[e]].code);
}

void rules_hidden(const struct puzzle *puzzle, const uint8_t *position, char *text)
{
    const struct rules *rules = (const struct rules *)puzzle;
    struct covering covering;
    *text = '\0';
    if (!rules->picture.there || !covering_begin(&covering, rules, position))
        return;
    for (const struct rules_variable *v = rules->variable; v < rules->variable + rules->variables; v++)
        if (v->drawn)
            add_covered(&covering, v, position, text);
        else
            add_undrawn(rules, v, position, text);
}
