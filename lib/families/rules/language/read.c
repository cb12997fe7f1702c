/* read.c -- a definition's keys, in the order in which they are read */
#include "read.h"

#include <stdlib.h>
#include <string.h>

static pdb_status read_condition(struct reading *reading, const struct node *node, uint32_t *term, pdb_error *error)
{
    *term = NO_TERM;
    return node == NULL ? PDB_OK : parse_expression(reading, node, term, error);
}

static pdb_status read_symmetric(struct reading *reading, const struct node *node, pdb_error *error)
{
    struct rules *rules = reading->rules;
    const bool list = node != NULL && node_kind(node) == NODE_SEQUENCE;
    const size_t count = node == NULL ? 0 : list ? node_count(node) : 1;
    if (count > RULES_MAX_SYMMETRIC)
        return node_error(error, node, "'symmetric' names %d sets at most", RULES_MAX_SYMMETRIC);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        const struct node *name = list ? node_item(node, i) : node;
        const char *text = node_text(name);
        if (text != NULL && name_find(reading, text, strlen(text)).kind == NAME_NUMBER)
            return node_error(error, name,
                              "'%s' is a member: 'symmetric' names a set of those that are alike, such as "
                              "helper: [blue, green] under 'sets'",
                              text);
        status = parse_set(reading, name, &rules->symmetric[i], error);
        for (size_t k = 0; status == PDB_OK && k < i; k++)
            if (rules->symmetric[k] == rules->symmetric[i])
                status = node_error(error, name, "this set is named already");
    }
    rules->symmetrics = (unsigned)count;
    return status;
}

static pdb_status read_keys(struct reading *reading, const struct node *root, pdb_error *error)
{
    const struct node *board = node_find(root, "board"), *state, *goal, *moves;
    pdb_status status = node_require(root, "state", &state, error);
    if (status == PDB_OK)
        status = node_require(root, "goal", &goal, error);
    if (status == PDB_OK)
        status = node_require(root, "moves", &moves, error);
    if (status == PDB_OK && board != NULL)
        status = rules_read_board(reading, board, error);
    if (status == PDB_OK)
        status = rules_read_constants(reading, node_find(root, "sets"), node_find(root, "tables"), error);
    if (status == PDB_OK)
        status = rules_read_state(reading, state, error);
    if (status == PDB_OK)
        status = read_symmetric(reading, node_find(root, "symmetric"), error);
    if (status == PDB_OK)
        status = rules_read_start(reading, node_find(root, "start"), error);
    if (status == PDB_OK)
        status = read_condition(reading, goal, &reading->rules->goal, error);
    if (status == PDB_OK)
        status = read_condition(reading, node_find(root, "keep"), &reading->rules->keep, error);
    if (status == PDB_OK)
        status = rules_read_moves(reading, moves, error);
    return status != PDB_OK ? status : rules_read_draw(reading, node_find(root, "draw"), error);
}

pdb_status rules_read(struct rules *rules, const struct node *root, pdb_error *error)
{
    struct reading reading = {.rules = rules};
    pdb_status status = read_keys(&reading, root, error);
    free(reading.name);
    return status;
}

void rules_read_free(struct rules *rules)
{
    for (uint32_t s = 0; s < rules->sets; s++) {
        free(rules->set[s].value);
        free(rules->set[s].symbol);
    }
    for (uint32_t t = 0; t < rules->tables; t++)
        free(rules->table[t].value);
    for (uint32_t m = 0; m < rules->moves; m++)
        free(rules->move[m].name);
    free(rules->set);
    free(rules->table);
    free(rules->variable);
    free(rules->terms.term);
    free(rules->move);
    free(rules->assignment);
    free(rules->start);
    free(rules->element);
    free(rules->picture.show);
    free(rules->picture.symbol);
}
