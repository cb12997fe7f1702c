/* parse_assignments.c -- what a move does: on[d] = to, light[c] = 1 - light[c] for c in cell if near[c]
 *
 * A loop is written out here: for each choice of members the text is read once more, with the names as constants.
 */
#include "parse_inner.h"

#include <string.h>

enum { LOOPS_MOST = 8, CHOICES_MOST = 4096 };

static pdb_status parse_left(struct parser *parser, struct rules_assignment *assignment)
{
    const struct rules *rules = parser->reading->rules;
    struct tokens *token = &parser->token;
    const size_t offset = token->offset;
    const struct name name = name_find(parser->reading, token->text + offset, token->length);
    if (token->kind == TOKEN_NAME && name.kind != NAME_VARIABLE && name.kind != NAME_UNKNOWN)
        return node_error_at(parser->error, token->node, offset,
                             "'%.*s' is no variable, so nothing can be assigned to it", (int)token->length,
                             token->text + offset);
    if (token->kind != TOKEN_NAME)
        return token_unexpected(token, "a variable to assign to", parser->error);
    pdb_status status = parse_sum(parser, &assignment->place);
    if (status != PDB_OK)
        return status;
    const struct term *place = &rules->terms.term[assignment->place];
    if (place->kind != TERM_VARIABLE)
        return node_error_at(parser->error, token->node, offset, "expected a variable and '='");
    assignment->variable = (uint32_t)place->value;
    assignment->index[0] = place->a;
    assignment->index[1] = place->b;
    return PDB_OK;
}

pdb_status parse_place(struct reading *reading, const struct node *node, struct rules_assignment *assignment,
                       pdb_error *error)
{
    struct parser parser;
    pdb_status status = parser_begin(&parser, reading, node, error);
    if (status == PDB_OK)
        status = parse_left(&parser, assignment);
    return parser_end(&parser, status, "the end of the left side");
}

/* -- loops -- */

/* One behind `for`: the name in `reading` that has the member's place. */
struct loop {
    uint32_t set;
    size_t name;
};

/* An assignment, or as many as its loops come to. */
struct repeated {
    struct tokens body; /* where it begins */
    struct loop loop[LOOPS_MOST];
    unsigned loops;
    uint32_t choices;
    size_t condition; /* where the terms of the first choice's condition begin; 0: there is none so far */
    assignment_taker *take;
};

/* Passes over an assignment whose loops are not known yet: to the 'for' or ',' that ends it, or the end of it all. A
 * bracket that is still open at a 'for', and has none itself, is told here. */
static pdb_status skip_assignment(struct parser *parser)
{
    enum { DEEPEST = 200 };
    struct tokens *token = &parser->token, open[DEEPEST];
    bool call[DEEPEST], name = false; /* is it behind a name; was the token before one? */
    unsigned depth = 0;
    pdb_status status = PDB_OK;
    for (; status == PDB_OK && token->kind != TOKEN_END; status = tokens_next(token, parser->error)) {
        if (depth == 0 && (token_is(token, ",") || token_is(token, "for")))
            break;
        if (token_is(token, "for") && depth <= DEEPEST && !call[depth - 1])
            return node_error_at(parser->error, open[depth - 1].node, open[depth - 1].offset,
                                 "this '%s' is not closed before the 'for'",
                                 token_is(&open[depth - 1], "(") ? "(" : "[");
        if (token_is(token, "(") || token_is(token, "[")) {
            if (depth < DEEPEST) {
                open[depth] = *token;
                call[depth] = name && token_is(token, "(");
            }
            depth++;
        }
        depth -= depth > 0 && (token_is(token, ")") || token_is(token, "]"));
        name = token->kind == TOKEN_NAME;
    }
    return status;
}

pdb_status parse_no_loop(struct reading *reading, const struct node *node, pdb_error *error)
{
    struct parser parser;
    pdb_error other;
    pdb_status status = parser_begin(&parser, reading, node, &other);
    if (status == PDB_OK)
        status = skip_assignment(&parser);
    if (status != PDB_OK || !token_is(&parser.token, "for")) /* other mistakes are told when it is read */
        return PDB_OK;
    return node_error_at(error, node, parser.token.offset,
                         "a loop has no place in a mapping; as one text, 'do' may have it: do: on[i] = 0 for i in set");
}

/* Has a loop before it the same name? */
static bool is_looped(const struct reading *reading, const struct repeated *repeated, const struct tokens *name)
{
    for (unsigned l = 0; l < repeated->loops; l++) {
        const char *other = reading->name[repeated->loop[l].name].text;
        if (strlen(other) == name->length && memcmp(other, name->text + name->offset, name->length) == 0)
            return true;
    }
    return false;
}

/* name in set: the name means a slot until it means members. */
static pdb_status parse_loop(struct parser *parser, struct repeated *repeated)
{
    struct reading *reading = parser->reading;
    struct tokens *token = &parser->token;
    const struct tokens name = *token;
    struct loop *loop = &repeated->loop[repeated->loops];
    unsigned slot;
    if (token->kind != TOKEN_NAME)
        return token_unexpected(token, "a name for the member, as in 'for i in set'", parser->error);
    if (repeated->loops == LOOPS_MOST)
        return node_error_at(parser->error, name.node, name.offset, "an assignment has at most %d loops", LOOPS_MOST);
    if (is_looped(reading, repeated, &name))
        return node_error_at(parser->error, name.node, name.offset, "another loop of this assignment has this name");
    pdb_status status = tokens_next(token, parser->error);
    if (status == PDB_OK)
        status = token_expect(token, "in", "'in' and a set", parser->error);
    if (status == PDB_OK)
        status = parse_members(parser, &loop->set);
    if (status == PDB_OK)
        status = name_add_slot(reading, name.node, name.offset, name.text + name.offset, name.length, &slot,
                               parser->error);
    if (status != PDB_OK)
        return status;
    loop->name = reading->names - 1;
    repeated->loops++;
    const uint64_t choices = (uint64_t)repeated->choices * reading->rules->set[loop->set].count;
    if (choices > CHOICES_MOST)
        return node_error_at(parser->error, name.node, name.offset, "these are more than %d assignments", CHOICES_MOST);
    repeated->choices = (uint32_t)choices;
    return PDB_OK;
}

/* Is it another loop, and not another assignment, that follows the ',' at hand? */
static pdb_status is_loop(struct parser *parser, bool *loop)
{
    const struct tokens comma = parser->token;
    pdb_status status = tokens_next(&parser->token, parser->error);
    *loop = status == PDB_OK && parser->token.kind == TOKEN_NAME;
    if (*loop)
        status = tokens_next(&parser->token, parser->error);
    *loop = *loop && status == PDB_OK && token_is(&parser->token, "in");
    parser->token = comma;
    return status;
}

static pdb_status parse_loops(struct parser *parser, struct repeated *repeated)
{
    bool more = token_is(&parser->token, "for");
    pdb_status status = PDB_OK;
    while (status == PDB_OK && more) {
        status = tokens_next(&parser->token, parser->error);
        if (status == PDB_OK)
            status = parse_loop(parser, repeated);
        more = status == PDB_OK && token_is(&parser->token, ",");
        if (more)
            status = is_loop(parser, &more);
    }
    return status;
}

/* -- assignments -- */

/* The condition behind the loops. Its terms are the same as those of the first choice. */
static pdb_status parse_only(struct parser *parser, struct repeated *repeated, uint32_t *only)
{
    struct terms *terms = &parser->reading->rules->terms;
    const size_t first = terms->count;
    if (repeated->condition == 0)
        repeated->condition = first;
    pdb_status status = parse_choice(parser, only);
    for (size_t t = first; t < terms->count; t++)
        terms->term[t].same = (uint32_t)(repeated->condition + (t - first));
    return status;
}

/* One of them, as its names are now; the condition is `only`. */
static pdb_status parse_one(struct parser *parser, struct repeated *repeated, const struct tokens *only)
{
    struct rules_assignment assignment = {.only = NO_TERM};
    parser->token = repeated->body;
    pdb_status status = parse_left(parser, &assignment);
    if (status == PDB_OK)
        status = token_expect(&parser->token, "=", "'=' and the new value", parser->error);
    if (status == PDB_OK)
        status = parse_choice(parser, &assignment.value);
    if (status == PDB_OK && repeated->loops > 0 && !token_is(&parser->token, "for"))
        return token_unexpected(&parser->token, "an operator, 'for', or ',' and another assignment", parser->error);
    if (status == PDB_OK && only != NULL) {
        parser->token = *only;
        status = parse_only(parser, repeated, &assignment.only);
    }
    return status == PDB_OK ? repeated->take(parser->reading, &assignment, parser->error) : status;
}

/* All choices of the loops' members, the last loop's first. */
static pdb_status parse_choices(struct parser *parser, struct repeated *repeated, const struct tokens *only)
{
    struct reading *reading = parser->reading;
    pdb_status status = PDB_OK;
    for (uint32_t choice = 0; status == PDB_OK && choice < repeated->choices; choice++) {
        uint32_t left = choice;
        for (unsigned l = repeated->loops; l-- > 0;) {
            const struct rules_set *set = &reading->rules->set[repeated->loop[l].set];
            reading->name[repeated->loop[l].name].kind = NAME_NUMBER;
            reading->name[repeated->loop[l].name].value = set->value[left % set->count];
            left /= set->count;
        }
        status = parse_one(parser, repeated, only);
    }
    return status;
}

/* An assignment and its loops. What stands behind them is found by passing over the condition. */
static pdb_status parse_assignment(struct parser *parser, assignment_taker *take)
{
    struct reading *reading = parser->reading;
    const size_t names = reading->names;
    const unsigned slots = reading->slots;
    struct repeated repeated = {.body = parser->token, .choices = 1, .take = take};
    bool conditional = false;
    pdb_status status = skip_assignment(parser);
    if (status == PDB_OK && !token_is(&parser->token, "for"))
        return parse_one(parser, &repeated, NULL);
    if (status == PDB_OK)
        status = parse_loops(parser, &repeated);
    if (status == PDB_OK)
        status = token_skip(&parser->token, "if", &conditional, parser->error);
    const struct tokens only = parser->token;
    if (status == PDB_OK)
        status = parse_choices(parser, &repeated, conditional ? &only : NULL);
    if (!conditional)
        parser->token = only;
    else if (status == PDB_OK && token_is(&parser->token, "for"))
        status = token_unexpected(&parser->token, "loops before the condition, as in 'x[i] = 0 for i in set if i > 1'",
                                  parser->error);
    names_forget(reading, names, slots);
    return status;
}

pdb_status parse_assignments(struct reading *reading, const struct node *node, assignment_taker *take, pdb_error *error)
{
    struct parser parser;
    bool more = true;
    pdb_status status = parser_begin(&parser, reading, node, error);
    while (status == PDB_OK && more) {
        status = parse_assignment(&parser, take);
        if (status == PDB_OK)
            status = token_skip(&parser.token, ",", &more, error);
    }
    return parser_end(&parser, status, "',' and another assignment, or the end");
}
