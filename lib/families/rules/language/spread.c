/* spread.c -- values for all members of sets, from one expression or from lists */
#include "plain.h"
#include "read.h"

#include <string.h>

uint64_t declaration_count(const struct rules *rules, const struct declaration *declaration)
{
    uint64_t count = 1;
    for (unsigned i = 0; i < declaration->indices; i++)
        count *= rules->set[declaration->set[i]].count;
    return count;
}

static pdb_status take_value(struct spread *spread, const struct node *node, uint32_t term, struct plain *plain,
                             uint32_t place, pdb_error *error)
{
    const int32_t value = plain_value(plain, term);
    if (plain->beyond)
        return node_error(error, node, "this comes to more than %d", VALUE_MOST);
    if (value == RULES_NONE && !spread->none)
        return node_error(error, node, "this comes to none, where a number is wanted");
    return spread->take(spread, node, place, value, error);
}

/* One expression for the places from `place` on, `count` of them, where members have names in slots. */
static pdb_status spread_term(struct spread *spread, const struct node *node, uint32_t term, const unsigned slot[2],
                              pdb_error *error)
{
    const struct rules *rules = spread->reading->rules;
    const struct declaration *of = spread->of;
    struct plain plain = {.rules = rules};
    const uint32_t rows = of->indices > 0 ? rules->set[of->set[0]].count : 1,
                   columns = of->indices > 1 ? rules->set[of->set[1]].count : 1;
    pdb_status status = PDB_OK;
    for (uint32_t place = 0; status == PDB_OK && place < rows * columns; place++) {
        if (of->member[0][0] != '\0')
            plain.slot[slot[0]] = rules->set[of->set[0]].value[place / columns];
        if (of->member[1][0] != '\0')
            plain.slot[slot[1]] = rules->set[of->set[1]].value[place % columns];
        status = take_value(spread, node, term, &plain, place, error);
    }
    return status;
}

static pdb_status spread_open(struct spread *spread, const struct node *node, pdb_error *error)
{
    pdb_status status = PDB_OK;
    const uint64_t count = declaration_count(spread->reading->rules, spread->of);
    for (uint32_t place = 0; status == PDB_OK && place < count; place++)
        status = spread->take(spread, node, place, RULES_NONE, error);
    return status;
}

/* An expression, without variables, as a term. */
static pdb_status read_term(struct reading *reading, const struct node *node, uint32_t *term, pdb_error *error)
{
    pdb_status status = parse_expression(reading, node, term, error);
    const struct term *varying = status == PDB_OK ? term_varying(reading->rules, *term, 0) : NULL;
    if (varying != NULL)
        return node_error_at(error, varying->node, varying->offset,
                             "expected a constant: variables have no value here");
    return status;
}

static pdb_status spread_scalar(struct spread *spread, const struct node *node, pdb_error *error)
{
    struct reading *reading = spread->reading;
    const size_t names = reading->names;
    const unsigned slots = reading->slots;
    unsigned slot[2] = {0, 0};
    uint32_t term;
    pdb_status status = PDB_OK;
    if (spread->open && strcmp(node_text(node), "*") == 0)
        return spread_open(spread, node, error);
    for (unsigned i = 0; status == PDB_OK && i < spread->of->indices; i++)
        if (spread->of->member[i][0] != '\0')
            status = name_add_slot(reading, node, 0, spread->of->member[i], strlen(spread->of->member[i]), &slot[i],
                                   error);
    if (status == PDB_OK)
        status = read_term(reading, node, &term, error);
    if (status == PDB_OK)
        status = spread_term(spread, node, term, slot, error);
    names_forget(reading, names, slots);
    return status;
}

/* A list, or one of its lists: `index` says for the members of which set; `place` is where it begins. */
static pdb_status spread_list(struct spread *spread, const struct node *node, unsigned index, uint32_t place,
                              pdb_error *error)
{
    const struct rules *rules = spread->reading->rules;
    const struct declaration *of = spread->of;
    const uint32_t count = rules->set[of->set[index]].count,
                   inner = index + 1 < of->indices ? rules->set[of->set[1]].count : 1;
    if (node_kind(node) != NODE_SEQUENCE)
        return node_error(error, node, "expected a list of %u values%s", count,
                          index == 0 ? "" : ": one value does for the whole only");
    if (node_count(node) != count)
        return node_error(error, node, "this list has %zu values, and %u are wanted: one for each member of the set",
                          node_count(node), count);
    pdb_status status = PDB_OK;
    for (uint32_t i = 0; status == PDB_OK && i < count; i++) {
        const struct node *item = node_item(node, i);
        struct plain plain = {.rules = rules};
        uint32_t term;
        if (index + 1 < of->indices) {
            status = spread_list(spread, item, index + 1, i * inner, error);
        } else if (spread->open && node_kind(item) == NODE_SCALAR && strcmp(node_text(item), "*") == 0) {
            status = spread->take(spread, item, place + i, RULES_NONE, error);
        } else {
            status = read_term(spread->reading, item, &term, error);
            if (status == PDB_OK)
                status = take_value(spread, item, term, &plain, place + i, error);
        }
    }
    return status;
}

pdb_status spread_values(struct spread *spread, const struct node *node, pdb_error *error)
{
    if (node_kind(node) == NODE_SCALAR)
        return spread_scalar(spread, node, error);
    if (spread->of->indices == 0 || spread->of->member[0][0] != '\0' || spread->of->member[1][0] != '\0')
        return node_error(error, node, "expected one value, not a %s",
                          node_kind(node) == NODE_MAPPING ? "mapping" : "list");
    return spread_list(spread, node, 0, 0, error);
}
