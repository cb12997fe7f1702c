/* read_state.c -- the keys `state` and `start`: variables, and the values that they begin with */
#include "lib/memory/array.h"
#include "lib/text.h"
#include "plain.h"
#include "read.h"
#include "token.h"

#include <stdlib.h>
#include <string.h>

/* -- variables -- */

static pdb_status add_variable(struct reading *reading, const struct node *key, const struct declaration *of,
                               uint32_t range, pdb_error *error)
{
    struct rules *rules = reading->rules;
    const uint64_t count = declaration_count(rules, of);
    if (count > RULES_MAX_ELEMENTS || rules->elements + count > RULES_MAX_ELEMENTS)
        return node_error(error, key, "a state would have more than %d variables with these", RULES_MAX_ELEMENTS);
    struct rules_variable *grown = array_grow(rules->variable, rules->variables, sizeof *grown);
    if (grown == NULL)
        return error_no_memory(error, "the variables", rules->variables * sizeof *grown);
    rules->variable = grown;
    struct rules_variable *added = &rules->variable[rules->variables];
    *added = (struct rules_variable){.indices = of->indices,
                                     .set = {of->set[0], of->set[1]},
                                     .range = range,
                                     .first = rules->elements,
                                     .count = (uint32_t)count};
    strcpy(added->name, of->name);
    rules->elements += (uint32_t)count;
    return name_add(reading, key, of->name, (struct name){.kind = NAME_VARIABLE, .value = (int32_t)rules->variables++},
                    error);
}

pdb_status rules_read_state(struct reading *reading, const struct node *node, pdb_error *error)
{
    struct rules *rules = reading->rules;
    if (node_kind(node) != NODE_MAPPING || node_count(node) == 0)
        return node_error(error, node, "'state' has to be a mapping from variables to their ranges: player: cell");
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        struct declaration of;
        uint32_t range;
        status = parse_declaration(reading, node_key(node, i), &of, error);
        if (status == PDB_OK && (of.member[0][0] != '\0' || of.member[1][0] != '\0'))
            status = node_error(error, node_key(node, i), "the members need no names here: %s[set]", of.name);
        if (status == PDB_OK)
            status = parse_set(reading, node_value(node, i), &range, error);
        if (status == PDB_OK)
            status = add_variable(reading, node_key(node, i), &of, range, error);
    }
    if (status != PDB_OK)
        return status;
    rules->element = calloc(rules->elements, sizeof *rules->element);
    if (rules->element == NULL)
        return error_no_memory(error, "the elements", rules->elements * sizeof *rules->element);
    for (uint32_t v = 0; v < rules->variables; v++)
        for (uint32_t e = 0; e < rules->variable[v].count; e++) {
            const struct rules_set *range = &rules->set[rules->variable[v].range];
            rules->element[rules->variable[v].first + e] = (struct rules_element){v, range->lo, range->hi, NULL};
        }
    return PDB_OK;
}

/* -- start -- */

static bool has_member(const struct rules_set *set, const char *name)
{
    for (uint32_t i = 0; set->symbol != NULL && i < set->count; i++)
        if (strcmp(set->symbol[i], name) == 0)
            return true;
    return false;
}

/* The set that has a member of this name; NULL where none has. */
static const struct rules_set *set_of_member(const struct rules *rules, const char *name)
{
    for (uint32_t s = 0; s < rules->sets; s++)
        if (has_member(&rules->set[s], name))
            return &rules->set[s];
    return NULL;
}

/* Members of sets are numbers, but hardly meant where a cell of the board is drawn so: A, where 'A' was. */
static pdb_status check_members(const struct rules *rules, const struct rules_variable *variable,
                                const struct node *node, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && node_kind(node) == NODE_SEQUENCE && i < node_count(node); i++)
        status = check_members(rules, variable, node_item(node, i), error);
    if (node_kind(node) != NODE_SCALAR || rules->set[variable->range].naming != NAMED_CELLS)
        return status;
    const struct rules_set *other = set_of_member(rules, node_text(node));
    for (uint32_t c = 0; other != NULL && c < rules->board.cells; c++)
        if (strcmp(rules->board.character[c], node_text(node)) == 0)
            return node_error(error, node, "'%s' is a member of '%s', and '%s' is a cell: that drawn %s is \"'%s'\"",
                              node_text(node), other->name, variable->name, node_text(node), node_text(node));
    return PDB_OK;
}

static pdb_status take_value(struct spread *spread, const struct node *node, uint32_t place, int32_t value,
                             pdb_error *error)
{
    const struct rules *rules = spread->reading->rules;
    const struct rules_variable *variable = &rules->variable[spread->what];
    const struct rules_set *range = &rules->set[variable->range];
    if (value > range->lo && value < range->hi && set_position(range, value) < 0)
        return node_error(error, node, "%d is no value of '%s', whose set leaves it out", (int)value, variable->name);
    if (value != RULES_NONE && set_position(range, value) < 0)
        return node_error(error, node, "%d is no value of '%s', whose values are %d to %d", (int)value, variable->name,
                          (int)range->lo, (int)range->hi);
    spread->value[place] = value;
    return PDB_OK;
}

/* The variable, an array, that has a place for a member of this name; NULL where none has. */
static const struct rules_variable *variable_of_member(const struct rules *rules, const char *name)
{
    for (uint32_t v = 0; v < rules->variables; v++)
        if (rules->variable[v].indices == 1 && has_member(&rules->set[rules->variable[v].set[0]], name))
            return &rules->variable[v];
    return NULL;
}

static pdb_status no_such_variable(const struct reading *reading, const struct tokens *token, pdb_error *error)
{
    const struct rules_variable *of = variable_of_member(reading->rules, token->text);
    if (of != NULL)
        return node_error_at(error, token->node, token->offset, "no variable is called '%s'; did you mean '%s[%s]'?",
                             token->text, of->name, token->text);
    const char *text = token->text + token->offset,
               *near = token->kind == TOKEN_NAME ? name_nearest(reading, text, token->length) : NULL;
    return near != NULL && name_find(reading, near, strlen(near)).kind == NAME_VARIABLE
               ? node_error_at(error, token->node, token->offset, "no variable is called '%.*s'; did you mean '%s'?",
                               (int)token->length, text, near)
               : token_unexpected(token, "the name of a variable", error);
}

/* The names for the members of a key such as box[c]; none where an index is no new name: then one element is meant. */
static pdb_status read_members(struct reading *reading, const struct node *key, uint32_t *variable,
                               struct declaration *of, pdb_error *error)
{
    struct tokens token;
    bool more = false, names = true;
    pdb_status status = tokens_begin(&token, key, error);
    const struct name name = status == PDB_OK ? name_find(reading, token.text + token.offset, token.length)
                                              : (struct name){.value = 0};
    if (status == PDB_OK && (token.kind != TOKEN_NAME || name.kind != NAME_VARIABLE))
        status = no_such_variable(reading, &token, error);
    if (status != PDB_OK)
        return status;
    *variable = (uint32_t)name.value;
    const struct rules_variable *of_variable = &reading->rules->variable[name.value];
    *of = (struct declaration){.indices = of_variable->indices, .set = {of_variable->set[0], of_variable->set[1]}};
    status = tokens_next(&token, error);
    if (status == PDB_OK)
        status = token_skip(&token, "[", &more, error);
    for (unsigned i = 0; status == PDB_OK && more && i < 2; i++) {
        names &= token.kind == TOKEN_NAME && token.length <= NAME_MAX_BYTES && i < of->indices &&
                 name_find(reading, token.text + token.offset, token.length).kind == NAME_UNKNOWN;
        if (names)
            memcpy(of->member[i], token.text + token.offset, token.length);
        status = tokens_next(&token, error);
        if (status == PDB_OK)
            status = token_skip(&token, ",", &more, error);
    }
    if (!names)
        of->member[0][0] = of->member[1][0] = '\0';
    return status;
}

/* The one element that a key with constant indices is for. */
static pdb_status read_element(struct reading *reading, const struct node *key, uint32_t *element, pdb_error *error)
{
    struct rules_assignment left;
    pdb_status status = parse_place(reading, key, &left, error);
    if (status != PDB_OK)
        return status;
    for (int i = 0; i < 2; i++) {
        const struct term *varying = left.index[i] == NO_TERM
                                         ? NULL
                                         : term_varying(reading->rules, left.index[i], reading->slots);
        if (varying != NULL)
            return node_error_at(error, varying->node, varying->offset, "expected a constant");
    }
    struct plain plain = {.rules = reading->rules};
    if (!plain_element(&plain, left.variable, left.index, element))
        return node_error(error, key, "this index is outside its set");
    return PDB_OK;
}

static pdb_status read_entry(struct reading *reading, const struct node *key, const struct node *value, int32_t *state,
                             pdb_error *error)
{
    const struct rules *rules = reading->rules;
    struct spread spread = {.reading = reading, .open = true, .take = take_value};
    struct declaration of;
    pdb_status status = read_members(reading, key, &spread.what, &of, error);
    if (status != PDB_OK)
        return status;
    status = check_members(rules, &rules->variable[spread.what], value, error);
    if (status != PDB_OK)
        return status;
    spread.of = &of;
    spread.value = state + rules->variable[spread.what].first;
    const bool one = strchr(node_text(key), '[') != NULL && of.member[0][0] == '\0';
    if (one) {
        uint32_t element;
        status = read_element(reading, key, &element, error);
        of.indices = 0;
        spread.value = state + element;
    }
    return status != PDB_OK ? status : spread_values(&spread, value, error);
}

static pdb_status read_one(struct reading *reading, const struct node *node, pdb_error *error)
{
    struct rules *rules = reading->rules;
    int32_t *grown = reallocarray(rules->start, (rules->starts + 1) * (size_t)rules->elements, sizeof *grown);
    if (grown == NULL)
        return error_no_memory(error, "the starts", rules->elements * sizeof *grown);
    rules->start = grown;
    int32_t *state = grown + (size_t)rules->starts++ * rules->elements;
    for (uint32_t e = 0; e < rules->elements; e++)
        state[e] = rules->set[rules->variable[rules->element[e].variable].range].value[0];
    if (node != NULL && node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "a start has to be a mapping from variables to values: {torch: 0, on: A}");
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && node != NULL && i < node_count(node); i++)
        status = read_entry(reading, node_key(node, i), node_value(node, i), state, error);
    return status;
}

pdb_status rules_read_start(struct reading *reading, const struct node *node, pdb_error *error)
{
    enum { STARTS_MOST = 1024 };
    if (node == NULL || node_kind(node) != NODE_SEQUENCE)
        return read_one(reading, node, error);
    if (node_count(node) == 0 || node_count(node) > STARTS_MOST)
        return node_error(error, node, "a list of starts has 1 to %d of them", STARTS_MOST);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++)
        status = read_one(reading, node_item(node, i), error);
    return status;
}
