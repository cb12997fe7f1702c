/* parse_sets.c -- what is made of expressions: sets, loops over them, left sides, declarations */
#include "lib/array.h"
#include "lib/text.h"
#include "parse_inner.h"

#include <stdlib.h>
#include <string.h>

enum { SET_MOST = 65536 };

/* -- sets -- */

/* The set whose names a list is made of: so far that of all before this one (NO_SET at the first). What is no name, or
 * one of another set, makes numbers of all: *numbers. */
static void find_home(const struct reading *reading, const char *text, size_t length, uint32_t *like, bool *numbers)
{
    const struct rules *rules = reading->rules;
    const struct name name = name_find(reading, text, length);
    uint32_t home = NO_SET;
    for (uint32_t s = 0; name.kind == NAME_NUMBER && name.text[0] != '\0' && s < rules->sets && home == NO_SET; s++)
        if (rules->set[s].symbol != NULL && set_position(&rules->set[s], name.value) >= 0 &&
            strcmp(rules->set[s].symbol[name.value], name.text) == 0 && (*like == NO_SET || *like == s))
            home = s;
    if (name.kind == NAME_NUMBER && name.text[0] == '\0') /* a cell */
        home = rules->board.set;
    *numbers |= home == NO_SET || (*like != NO_SET && *like != home);
    *like = home;
}

/* Values as they come. */
struct values {
    int32_t *value;
    size_t count, room;
};

static pdb_status values_add(struct values *values, int32_t value, pdb_error *error)
{
    if (!array_reserve(&values->value, &values->room, values->count + 1, sizeof value))
        return error_no_memory(error, "a set", 2 * values->count * sizeof value);
    values->value[values->count++] = value;
    return PDB_OK;
}

/* One constant of a list, from the token on. */
static pdb_status parse_item(struct parser *parser, struct values *values, uint32_t *like, bool *numbers)
{
    const struct node *node = parser->token.node;
    const size_t offset = parser->token.offset;
    uint32_t term;
    int32_t value = 0;
    find_home(parser->reading, parser->token.text + offset, parser->token.length, like, numbers);
    pdb_status status = parse_sum(parser, &term);
    if (status == PDB_OK)
        status = parse_constant(parser, term, &value);
    for (size_t i = 0; status == PDB_OK && i < values->count; i++)
        if (values->value[i] == value)
            return node_error_at(parser->error, node, offset, "this is in the set already");
    if (status == PDB_OK && values->count == SET_MOST / 16)
        return node_error_at(parser->error, node, offset, "a list has at most %d members", SET_MOST / 16);
    return status != PDB_OK ? status : values_add(values, value, parser->error);
}

static pdb_status add_values(struct parser *parser, struct values *values, uint32_t like, uint32_t *set,
                             pdb_status status)
{
    if (status == PDB_OK)
        return set_add(parser->reading->rules, "", values->value, (uint32_t)values->count, like, set, parser->error);
    free(values->value);
    return status;
}

static pdb_status parse_list(struct parser *parser, uint32_t *set)
{
    struct values values = {NULL, 0, 0};
    uint32_t like = NO_SET;
    bool numbers = false, more = true;
    pdb_status status = tokens_next(&parser->token, parser->error);
    while (status == PDB_OK && more) {
        status = parse_item(parser, &values, &like, &numbers);
        if (status == PDB_OK)
            status = token_skip(&parser->token, ",", &more, parser->error);
    }
    if (status == PDB_OK)
        status = token_expect(&parser->token, "]", "',' or ']' in the list", parser->error);
    return add_values(parser, &values, numbers ? NO_SET : like, set, status);
}

static pdb_status parse_range(struct parser *parser, uint32_t *set)
{
    const size_t offset = parser->token.offset;
    const struct node *node = parser->token.node;
    uint32_t first, last;
    int32_t lo = 0, hi = 0;
    pdb_status status = parse_sum(parser, &first);
    if (status == PDB_OK)
        status = token_expect(&parser->token, "..", "a set: a name, a range such as 1..5, or a list", parser->error);
    if (status == PDB_OK)
        status = parse_sum(parser, &last);
    if (status == PDB_OK)
        status = parse_constant(parser, first, &lo);
    if (status == PDB_OK)
        status = parse_constant(parser, last, &hi);
    if (status != PDB_OK)
        return status;
    if (lo > hi || (int64_t)hi - lo >= SET_MOST)
        return node_error_at(parser->error, node, offset,
                             lo > hi ? "the range %d..%d is empty"
                                     : "the range %d..%d has too many members: %d at most",
                             (int)lo, (int)hi, SET_MOST);
    struct values values = {NULL, 0, 0};
    for (int32_t value = lo; status == PDB_OK && value <= hi; value++)
        status = values_add(&values, value, parser->error);
    return add_values(parser, &values, NO_SET, set, status);
}

/* Has the cell's character one of the text's? */
static bool is_among(const char *character, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i += utf8_length(text + i))
        if (text_is(text + i, utf8_length(text + i), character))
            return true;
    return false;
}

static pdb_status parse_cells(struct parser *parser, uint32_t *set)
{
    const struct tokens *token = &parser->token;
    const struct rules_board *board = &parser->reading->rules->board;
    struct values values = {NULL, 0, 0};
    if (!board->there)
        return node_error_at(parser->error, token->node, token->offset - 1,
                             "characters in quotes stand for cells, and there is no key 'board'");
    pdb_status status = PDB_OK;
    for (uint32_t c = 0; status == PDB_OK && c < board->cells; c++)
        if (is_among(board->character[c], token->text + token->offset, token->length))
            status = values_add(&values, (int32_t)c, parser->error);
    if (status == PDB_OK && values.count == 0)
        status = node_error_at(parser->error, token->node, token->offset - 1, "no cell of the board has '%.*s'",
                               token->length < 40 ? (int)token->length : 40, token->text + token->offset);
    if (status == PDB_OK)
        status = tokens_next(&parser->token, parser->error);
    return add_values(parser, &values, board->set, set, status);
}

pdb_status parse_members(struct parser *parser, uint32_t *set)
{
    struct tokens *token = &parser->token;
    const struct name name = token->kind == TOKEN_NAME
                                 ? name_find(parser->reading, token->text + token->offset, token->length)
                                 : (struct name){.kind = NAME_UNKNOWN};
    if (name.kind == NAME_SET) {
        *set = (uint32_t)name.value;
        return tokens_next(token, parser->error);
    }
    if (token->kind == TOKEN_QUOTED)
        return parse_cells(parser, set);
    return token_is(token, "[") ? parse_list(parser, set) : parse_range(parser, set);
}

/* -- whole scalars -- */

static pdb_status begin(struct parser *parser, struct reading *reading, const struct node *node, pdb_error *error)
{
    *parser = (struct parser){.reading = reading, .error = error};
    return tokens_begin(&parser->token, node, error);
}

static pdb_status end(const struct parser *parser, pdb_status status, const char *expected)
{
    return status == PDB_OK && parser->token.kind != TOKEN_END
               ? token_unexpected(&parser->token, expected, parser->error)
               : status;
}

pdb_status parse_expression(struct reading *reading, const struct node *node, uint32_t *term, pdb_error *error)
{
    struct parser parser;
    pdb_status status = begin(&parser, reading, node, error);
    if (status == PDB_OK)
        status = parse_choice(&parser, term);
    return end(&parser, status, "an operator, or the end");
}

pdb_status parse_set(struct reading *reading, const struct node *node, uint32_t *set, pdb_error *error)
{
    struct parser parser = {.reading = reading, .error = error};
    if (node_kind(node) == NODE_SCALAR) {
        pdb_status status = begin(&parser, reading, node, error);
        if (status == PDB_OK)
            status = parse_members(&parser, set);
        return end(&parser, status, "the end of the set");
    }
    struct values values = {NULL, 0, 0};
    uint32_t like = NO_SET;
    bool numbers = false;
    pdb_status status = node_kind(node) == NODE_SEQUENCE && node_count(node) > 0
                            ? PDB_OK
                            : node_error(error, node, "expected a set: a name, a range such as 1..5, or a list");
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        status = begin(&parser, reading, node_item(node, i), error);
        if (status == PDB_OK)
            status = parse_item(&parser, &values, &like, &numbers);
        status = end(&parser, status, "the end of the member");
    }
    return add_values(&parser, &values, numbers ? NO_SET : like, set, status);
}

/* -- loops: all(body for i in set, j in set if condition) -- */

/* What comes of the inner loops of a count is added up. */
static enum term_kind outer_kind(enum term_kind kind)
{
    return kind == TERM_COUNT ? TERM_SUM : kind;
}

/* The parameters stand behind the body, which therefore is read twice: once to find where it ends. */
struct call_text {
    struct tokens body; /* where it begins */
};

static pdb_status parse_loops(struct parser *parser, enum term_kind kind, const struct call_text *call, uint32_t *term);

/* The innermost part: the body again, now that its names are known, then the condition. */
static pdb_status parse_body(struct parser *parser, const struct call_text *call, uint32_t *body, uint32_t *condition)
{
    const struct tokens behind = parser->token;
    bool conditional = false;
    parser->token = call->body;
    pdb_status status = parse_choice(parser, body);
    parser->token = behind;
    if (status == PDB_OK)
        status = token_skip(&parser->token, "if", &conditional, parser->error);
    *condition = NO_TERM;
    return status == PDB_OK && conditional ? parse_choice(parser, condition) : status;
}

static pdb_status parse_loops(struct parser *parser, enum term_kind kind, const struct call_text *call, uint32_t *term)
{
    struct tokens *token = &parser->token;
    struct reading *reading = parser->reading;
    const struct tokens name = *token;
    struct term loop = {.kind = kind, .a = NO_TERM, .b = NO_TERM, .c = NO_TERM, .node = token->node};
    loop.offset = (uint32_t)token->offset;
    uint32_t set = 0;
    unsigned slot = 0;
    bool more = false;
    if (token->kind != TOKEN_NAME)
        return token_unexpected(token, "a name for the member, as in 'for i in set'", parser->error);
    pdb_status status = tokens_next(token, parser->error);
    if (status == PDB_OK)
        status = token_expect(token, "in", "'in' and a set", parser->error);
    if (status == PDB_OK)
        status = parse_members(parser, &set);
    if (status == PDB_OK)
        status = name_add_slot(reading, name.node, name.offset, name.text + name.offset, name.length, &slot,
                               parser->error);
    loop.value = (int32_t)set;
    loop.slot = (uint8_t)slot;
    if (status == PDB_OK)
        status = token_skip(token, ",", &more, parser->error);
    if (status == PDB_OK && more) {
        loop.kind = outer_kind(kind);
        status = parse_loops(parser, kind, call, &loop.a);
    } else if (status == PDB_OK) {
        status = parse_body(parser, call, &loop.a, &loop.b);
    }
    return status != PDB_OK ? status : parse_add(parser, loop, term);
}

/* Passes over an expression whose loop variables are not known yet: to the 'for' or ',' or ')' that ends it. */
static pdb_status skip_body(struct tokens *token, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (unsigned depth = 0; status == PDB_OK && token->kind != TOKEN_END;) {
        const bool opens = token_is(token, "(") || token_is(token, "["),
                   closes = token_is(token, ")") || token_is(token, "]");
        if (depth == 0 && (closes || token_is(token, ",") || token_is(token, "for")))
            break;
        depth += opens;
        depth -= closes;
        status = tokens_next(token, error);
    }
    return status;
}

/* min(x, y, ..), max(x, y, ..), abs(x). */
static pdb_status parse_arguments(struct parser *parser, enum term_kind kind, uint32_t *number)
{
    struct term term = {.a = NO_TERM, .b = NO_TERM, .c = NO_TERM, .node = parser->token.node};
    term.offset = (uint32_t)parser->token.offset;
    term.kind = kind == TERM_LEAST ? TERM_MIN : kind == TERM_GREATEST ? TERM_MAX : kind;
    bool more = kind != TERM_ABS;
    pdb_status status = parse_choice(parser, number);
    if (status == PDB_OK && kind != TERM_ABS && !token_is(&parser->token, ","))
        return token_unexpected(&parser->token, "',' and a second value, or 'for'", parser->error);
    if (status == PDB_OK && kind == TERM_ABS) {
        term.a = *number;
        status = parse_add(parser, term, number);
    }
    while (status == PDB_OK && more) {
        status = token_skip(&parser->token, ",", &more, parser->error);
        term.a = *number;
        if (status == PDB_OK && more)
            status = parse_choice(parser, &term.b);
        if (status == PDB_OK && more)
            status = parse_add(parser, term, number);
    }
    return status;
}

pdb_status parse_call(struct parser *parser, enum term_kind kind, bool loop_only, uint32_t *term)
{
    struct reading *reading = parser->reading;
    const size_t names = reading->names;
    const unsigned slots = reading->slots;
    pdb_status status = tokens_next(&parser->token, parser->error);
    if (status == PDB_OK)
        status = token_expect(&parser->token, "(", "'('", parser->error);
    const struct call_text call = {.body = parser->token};
    if (status == PDB_OK)
        status = skip_body(&parser->token, parser->error);
    if (status != PDB_OK)
        return status;
    if (token_is(&parser->token, "for") && kind != TERM_ABS) {
        status = tokens_next(&parser->token, parser->error);
        if (status == PDB_OK)
            status = parse_loops(parser, kind, &call, term);
        names_forget(reading, names, slots);
    } else if (loop_only) {
        return token_unexpected(&parser->token, "'for', as in all(x[i] == 0 for i in set)", parser->error);
    } else {
        parser->token = call.body;
        status = parse_arguments(parser, kind, term);
    }
    return status != PDB_OK ? status : token_expect(&parser->token, ")", "')'", parser->error);
}

/* -- left sides and declarations -- */

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
    pdb_status status = begin(&parser, reading, node, error);
    if (status == PDB_OK)
        status = parse_left(&parser, assignment);
    return end(&parser, status, "the end of the left side");
}

pdb_status parse_assignments(struct reading *reading, const struct node *node, assignment_taker *take, pdb_error *error)
{
    struct parser parser;
    bool more = true;
    pdb_status status = begin(&parser, reading, node, error);
    while (status == PDB_OK && more) {
        struct rules_assignment assignment;
        status = parse_left(&parser, &assignment);
        if (status == PDB_OK)
            status = token_expect(&parser.token, "=", "'=' and the new value", error);
        if (status == PDB_OK)
            status = parse_choice(&parser, &assignment.value);
        if (status == PDB_OK)
            status = take(reading, &assignment, error);
        if (status == PDB_OK)
            status = token_skip(&parser.token, ",", &more, error);
    }
    return end(&parser, status, "',' and another assignment, or the end");
}

/* One index of a declaration: a set, perhaps with a name for its member. */
static pdb_status parse_index(struct parser *parser, struct declaration *declaration, unsigned i)
{
    struct tokens *token = &parser->token;
    const struct tokens name = *token;
    bool named = false;
    pdb_status status = PDB_OK;
    if (token->kind == TOKEN_NAME) { /* perhaps: only what follows tells */
        status = tokens_next(token, parser->error);
        named = status == PDB_OK && token_is(token, "in");
        if (named)
            status = tokens_next(token, parser->error);
        else
            *token = name;
    }
    if (status == PDB_OK && named && name.length <= NAME_MAX_BYTES) {
        memcpy(declaration->member[i], name.text + name.offset, name.length);
        declaration->member[i][name.length] = '\0';
    }
    return status != PDB_OK ? status : parse_members(parser, &declaration->set[i]);
}

pdb_status parse_declaration(struct reading *reading, const struct node *node, struct declaration *declaration,
                             pdb_error *error)
{
    struct parser parser;
    bool more = false;
    *declaration = (struct declaration){.set = {NO_SET, NO_SET}};
    pdb_status status = begin(&parser, reading, node, error);
    if (status == PDB_OK && (parser.token.kind != TOKEN_NAME || parser.token.length > NAME_MAX_BYTES))
        return token_unexpected(&parser.token, "a name (letters, digits and _, at most 31)", error);
    if (status == PDB_OK) {
        memcpy(declaration->name, parser.token.text + parser.token.offset, parser.token.length);
        status = tokens_next(&parser.token, error);
    }
    if (status == PDB_OK)
        status = token_skip(&parser.token, "[", &more, error);
    const bool indexed = more;
    while (status == PDB_OK && more) {
        if (declaration->indices == 2)
            return token_unexpected(&parser.token, "two indices at most", error);
        status = parse_index(&parser, declaration, declaration->indices++);
        if (status == PDB_OK)
            status = token_skip(&parser.token, ",", &more, error);
    }
    if (status == PDB_OK && indexed)
        status = token_expect(&parser.token, "]", "']' after the sets", error);
    return end(&parser, status, "'[' and a set, or the end");
}
