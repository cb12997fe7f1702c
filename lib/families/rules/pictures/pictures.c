/* pictures.c -- what a state shows on each place of the picture, and what it does not */
#include "pictures.h"
#include "lib/families/rules/language/plain.h"
#include "lib/families/rules/layout.h"

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

/* An array in which all elements have one value is told as a whole, as in lamp=0. */
void rules_hidden(const struct puzzle *puzzle, const uint8_t *position, char *text)
{
    const struct rules *rules = (const struct rules *)puzzle;
    char name[ELEMENT_TEXT_MAX];
    *text = '\0';
    for (const struct rules_variable *v = rules->variable; v < rules->variable + rules->variables; v++) {
        const uint8_t *value = position + v->first;
        uint32_t same = 1;
        while (same < v->count && value[same] == *value)
            same++;
        if (!rules->picture.there || v->drawn)
            continue;
        if (same == v->count)
            add_assignment(text, v->name, puzzle->board.symbol[*value].code);
        for (uint32_t e = 0; same < v->count && e < v->count; e++)
            add_assignment(text, layout_element_text(rules, v->first + e, name), puzzle->board.symbol[value[e]].code);
    }
}
