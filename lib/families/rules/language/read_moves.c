/* read_moves.c -- the key `moves` */
#include "lib/memory/array.h"
#include "lib/text.h"
#include "read.h"

#include <stdlib.h>
#include <string.h>

static const char *const move_keys[] = {"name", "for", "let", "if", "do", "cost", NULL};

static pdb_status take_assignment(struct reading *reading, const struct rules_assignment *assignment, pdb_error *error)
{
    struct rules *rules = reading->rules;
    if (!array_reserve(&rules->assignment, &rules->assignment_room, rules->assignments + 1, sizeof *assignment))
        return error_no_memory(error, "the assignments", 2 * rules->assignments * sizeof *assignment);
    rules->assignment[rules->assignments++] = *assignment;
    return PDB_OK;
}

static pdb_status read_do(struct reading *reading, const struct node *node, pdb_error *error)
{
    if (node_kind(node) == NODE_SCALAR)
        return parse_assignments(reading, node, take_assignment, error);
    if (node_kind(node) != NODE_MAPPING || node_count(node) == 0)
        return node_error(error, node, "'do' has to be assignments: do: on[d] = to, torch = 1 - torch");
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        struct rules_assignment assignment = {.only = NO_TERM};
        status = parse_no_loop(reading, node_value(node, i), error);
        if (status == PDB_OK)
            status = parse_place(reading, node_key(node, i), &assignment, error);
        if (status == PDB_OK)
            status = parse_expression(reading, node_value(node, i), &assignment.value, error);
        if (status == PDB_OK)
            status = take_assignment(reading, &assignment, error);
    }
    return status;
}

pdb_status rules_read_parameters(struct reading *reading, const struct node *node, struct rules_move *move,
                                 pdb_error *error)
{
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "'for' has to be a mapping from parameters to sets: {d: disk, to: peg}");
    for (size_t i = 0; i < node_count(node); i++) {
        const char *text = node_text(node_key(node, i));
        unsigned slot;
        uint32_t set = 0;
        pdb_status status = parse_set(reading, node_value(node, i), &set, error);
        if (status == PDB_OK)
            status = name_add_slot(reading, node_key(node, i), 0, text, strlen(text), &slot, error);
        if (status != PDB_OK)
            return status;
        strcpy(move->parameter[i], text);
        move->set[i] = set;
        move->parameters++;
    }
    return PDB_OK;
}

static pdb_status read_lets(struct reading *reading, const struct node *node, struct rules_move *move, pdb_error *error)
{
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "'let' has to be a mapping from names to expressions: to: step[player, d]");
    for (size_t i = 0; i < node_count(node); i++) {
        const char *text = node_text(node_key(node, i));
        unsigned slot;
        uint32_t term;
        pdb_status status = parse_expression(reading, node_value(node, i), &term, error);
        if (status == PDB_OK)
            status = name_add_slot(reading, node_key(node, i), 0, text, strlen(text), &slot, error);
        if (status != PDB_OK)
            return status;
        move->let[move->lets++] = term;
    }
    return PDB_OK;
}

/* The parameters that a name has in braces are there. */
static pdb_status check_name(const struct rules_move *move, const struct node *node, pdb_error *error)
{
    const char *text = node_text(node);
    for (const char *at = text; (at = strpbrk(at, "{}")) != NULL; at++) {
        const size_t length = strcspn(at + 1, "{}");
        bool known = false;
        for (unsigned p = 0; p < move->parameters; p++)
            known |= text_is(at + 1, length, move->parameter[p]);
        if (*at == '}' || at[1 + length] != '}' || !known)
            return move->parameters > 0
                       ? node_error_at(error, node, (size_t)(at - text),
                                       "expected a parameter of 'for' in braces, {%s}", move->parameter[0])
                       : node_error_at(error, node, (size_t)(at - text),
                                       "what stands in braces is a parameter of 'for', and this move has none: add "
                                       "for: {d: direction}, or take the braces away");
        at += length + 1;
    }
    return PDB_OK;
}

static pdb_status read_name(const struct node *node, struct rules_move *move, pdb_error *error)
{
    const struct node *name;
    const char *text;
    pdb_status status = node_require(node, "name", &name, error);
    if (status == PDB_OK)
        status = node_as_text(name, &text, error);
    if (status == PDB_OK && (*text == '\0' || !text_is_plain(text)))
        status = node_error(error, name, "a move's name is one line of text");
    if (status == PDB_OK)
        status = check_name(move, name, error);
    if (status != PDB_OK)
        return status;
    move->name = strdup(text);
    return move->name != NULL ? PDB_OK : error_no_memory(error, "a name", strlen(text));
}

static pdb_status read_optional(struct reading *reading, const struct node *move, const char *key, uint32_t *term,
                                pdb_error *error)
{
    const struct node *node = node_find(move, key);
    *term = NO_TERM;
    return node == NULL ? PDB_OK : parse_expression(reading, node, term, error);
}

static pdb_status read_move(struct reading *reading, const struct node *node, struct rules_move *move, pdb_error *error)
{
    const struct node *what;
    const size_t names = reading->names;
    *move = (struct rules_move){.node = node, .first_assignment = reading->rules->assignments};
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node,
                          "a move has to be a mapping with 'name', 'do', and perhaps 'for', 'let', 'if', "
                          "'cost'");
    pdb_status status = node_check_keys(node, move_keys, error);
    if (status == PDB_OK)
        status = node_require(node, "do", &what, error);
    if (status == PDB_OK)
        status = rules_read_parameters(reading, node_find(node, "for"), move, error);
    if (status == PDB_OK)
        status = read_name(node, move, error);
    if (status == PDB_OK)
        status = read_lets(reading, node_find(node, "let"), move, error);
    if (status == PDB_OK)
        status = read_optional(reading, node, "if", &move->condition, error);
    if (status == PDB_OK)
        status = read_do(reading, what, error);
    if (status == PDB_OK)
        status = read_optional(reading, node, "cost", &move->cost, error);
    move->assignments = reading->rules->assignments - move->first_assignment;
    names_forget(reading, names, 0);
    return status;
}

pdb_status rules_read_moves(struct reading *reading, const struct node *node, pdb_error *error)
{
    struct rules *rules = reading->rules;
    if (node_kind(node) != NODE_SEQUENCE || node_count(node) == 0)
        return node_error(error, node, "'moves' has to be a list of one move or more: - name: ..");
    rules->move = calloc(node_count(node), sizeof *rules->move);
    if (rules->move == NULL)
        return error_no_memory(error, "the moves", node_count(node) * sizeof *rules->move);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        rules->moves++;
        status = read_move(reading, node_item(node, i), &rules->move[i], error);
    }
    return status;
}
