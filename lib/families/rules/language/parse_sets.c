/* parse_sets.c -- what is made of expressions: sets and declarations */
#include "lib/memory/array.h"
#include "lib/text.h"
#include "parse_inner.h"

#include <stdlib.h>
#include <string.h>

enum { SET_MOST = 65536, RANGES_MOST = 64 * SET_MOST /* members of all ranges together */ };

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

/* Values as they come; those of a list with what was written for each. */
struct values {
    int32_t *value;
    struct tokens *written;
    size_t count, room, written_room;
};

static pdb_status values_add(struct values *values, int32_t value, pdb_error *error)
{
    if (!array_reserve(&values->value, &values->room, values->count + 1, sizeof value))
        return error_no_memory(error, "a set", 2 * values->count * sizeof value);
    values->value[values->count++] = value;
    return PDB_OK;
}

/* A name that nothing has, where a set or a member is wanted; not a word such as 'max'. */
static bool is_unknown(const struct parser *parser)
{
    const char *text = parser->token.text + parser->token.offset;
    return parser->token.kind == TOKEN_NAME && name_is_good(text, parser->token.length) &&
           name_find(parser->reading, text, parser->token.length).kind == NAME_UNKNOWN;
}

static pdb_status no_such_member(const struct parser *parser)
{
    return parse_unknown(parser, ": a set is a name under 'sets', a range such as 1..5, or a list; new names are made "
                                 "under 'sets', as in thing: [A, B, C]");
}

static bool is_name_of(const struct parser *parser, const struct tokens *token, int32_t value)
{
    const struct name name = name_find(parser->reading, token->text + token->offset, token->length);
    return token->kind == TOKEN_NAME && name.kind == NAME_NUMBER && name.value == value;
}

/* A list has a member twice, perhaps by two names. */
static pdb_status twice(const struct parser *parser, const struct tokens *before, const struct tokens *again,
                        int32_t value)
{
    const char *first = before->text + before->offset, *second = again->text + again->offset;
    if (!is_name_of(parser, before, value) || !is_name_of(parser, again, value) ||
        (before->length == again->length && memcmp(first, second, again->length) == 0))
        return node_error_at(parser->error, again->node, again->offset, "this is in the set already");
    return node_error_at(parser->error, again->node, again->offset,
                         "this is in the set already: '%.*s' and '%.*s', members of two sets, are both the number %d; "
                         "new names have numbers of their own",
                         (int)before->length, first, (int)again->length, second, (int)value);
}

/* One constant of a list, from the token on. */
static pdb_status parse_item(struct parser *parser, struct values *values, uint32_t *like, bool *numbers)
{
    const struct tokens first = parser->token;
    const struct node *node = first.node;
    const size_t offset = first.offset;
    uint32_t term;
    int32_t value = 0;
    if (is_unknown(parser))
        return no_such_member(parser);
    find_home(parser->reading, parser->token.text + offset, parser->token.length, like, numbers);
    pdb_status status = parse_sum(parser, &term);
    if (status == PDB_OK)
        status = parse_constant(parser, term, &value);
    for (size_t i = 0; status == PDB_OK && i < values->count; i++)
        if (values->value[i] == value)
            return twice(parser, &values->written[i], &first, value);
    if (status == PDB_OK && values->count == SET_MOST / 16)
        return node_error_at(parser->error, node, offset, "a list has at most %d members", SET_MOST / 16);
    if (status == PDB_OK && !array_reserve(&values->written, &values->written_room, values->count + 1, sizeof first))
        return error_no_memory(parser->error, "a set", 2 * values->count * sizeof first);
    if (status == PDB_OK)
        values->written[values->count] = first;
    return status != PDB_OK ? status : values_add(values, value, parser->error);
}

static pdb_status add_values(struct parser *parser, struct values *values, uint32_t like, uint32_t *set,
                             pdb_status status)
{
    free(values->written);
    if (status == PDB_OK)
        return set_add(parser->reading->rules, "", values->value, (uint32_t)values->count, like, set, parser->error);
    free(values->value);
    return status;
}

static pdb_status parse_list(struct parser *parser, uint32_t *set)
{
    struct values values = {0};
    uint32_t like = NO_SET;
    bool numbers = false, more = true;
    pdb_status status = tokens_next(&parser->token, parser->error);
    while (status == PDB_OK && more) {
        status = parse_item(parser, &values, &like, &numbers);
        if (status == PDB_OK)
            status = token_skip(&parser->token, ",", &more, parser->error);
    }
    const char *expected = token_is(&parser->token, "..")
                               ? "',' or ']' in the list (a range stands alone, without brackets)"
                               : "',' or ']' in the list";
    if (status == PDB_OK)
        status = token_expect(&parser->token, "]", expected, parser->error);
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
        status = token_expect(&parser->token, "..", "'..' and the last number of a range, as in 1..5", parser->error);
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
    parser->reading->rules->range_members += (uint64_t)(hi - lo) + 1;
    if (parser->reading->rules->range_members > RANGES_MOST)
        return node_error_at(parser->error, node, offset,
                             "with this one all ranges have too many members together: %d at most; a set with a name "
                             "counts once",
                             RANGES_MOST);
    struct values values = {0};
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

const char *parse_quoted_name(const struct parser *parser, const struct tokens *token)
{
    const char *text = token->text + token->offset;
    const bool name = token->kind == TOKEN_QUOTED &&
                      name_find(parser->reading, text, token->length).kind != NAME_UNKNOWN;
    return name ? "; names stand without quotes" : "";
}

static pdb_status parse_cells(struct parser *parser, uint32_t *set)
{
    const struct tokens *token = &parser->token;
    const struct rules_board *board = &parser->reading->rules->board;
    struct values values = {0};
    if (!board->there)
        return node_error_at(parser->error, token->node, token_place(token),
                             "characters in quotes stand for cells, and there is no key 'board'%s",
                             parse_quoted_name(parser, token));
    pdb_status status = PDB_OK;
    for (uint32_t c = 0; status == PDB_OK && c < board->cells; c++)
        if (is_among(board->character[c], token->text + token->offset, token->length))
            status = values_add(&values, (int32_t)c, parser->error);
    if (status == PDB_OK && values.count == 0)
        status = node_error_at(parser->error, token->node, token_place(token), "no cell of the board has '%.*s'%s",
                               token->length < 40 ? (int)token->length : 40, token->text + token->offset,
                               parse_quoted_name(parser, token));
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
    if (is_unknown(parser))
        return no_such_member(parser);
    if (token->kind == TOKEN_QUOTED)
        return parse_cells(parser, set);
    return token_is(token, "[") ? parse_list(parser, set) : parse_range(parser, set);
}

/* -- whole scalars -- */

pdb_status parser_begin(struct parser *parser, struct reading *reading, const struct node *node, pdb_error *error)
{
    *parser = (struct parser){.reading = reading, .error = error};
    return tokens_begin(&parser->token, node, error);
}

pdb_status parser_end(const struct parser *parser, pdb_status status, const char *expected)
{
    return status == PDB_OK && parser->token.kind != TOKEN_END
               ? token_unexpected(&parser->token, expected, parser->error)
               : status;
}

pdb_status parse_expression(struct reading *reading, const struct node *node, uint32_t *term, pdb_error *error)
{
    struct parser parser;
    if (node_kind(node) != NODE_SCALAR)
        return node_error(error, node, "expected an expression, such as at == 2, not a %s",
                          node_kind(node) == NODE_MAPPING ? "mapping" : "list");
    pdb_status status = parser_begin(&parser, reading, node, error);
    if (status == PDB_OK)
        status = parse_choice(&parser, term);
    return parser_end(&parser, status, "an operator, or the end");
}

pdb_status parse_set(struct reading *reading, const struct node *node, uint32_t *set, pdb_error *error)
{
    struct parser parser = {.reading = reading, .error = error};
    if (node_kind(node) == NODE_SCALAR) {
        pdb_status status = parser_begin(&parser, reading, node, error);
        if (status == PDB_OK)
            status = parse_members(&parser, set);
        return parser_end(&parser, status, "the end of the set");
    }
    struct values values = {0};
    uint32_t like = NO_SET;
    bool numbers = false;
    pdb_status status = node_kind(node) == NODE_SEQUENCE && node_count(node) > 0
                            ? PDB_OK
                            : node_error(error, node, "expected a set: a name, a range such as 1..5, or a list");
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        status = parser_begin(&parser, reading, node_item(node, i), error);
        if (status == PDB_OK)
            status = parse_item(&parser, &values, &like, &numbers);
        status = parser_end(&parser, status,
                            token_is(&parser.token, "..")
                                ? "the end of the member (a range stands alone, without brackets)"
                                : "the end of the member");
    }
    return add_values(&parser, &values, numbers ? NO_SET : like, set, status);
}

/* -- declarations -- */

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
    pdb_status status = parser_begin(&parser, reading, node, error);
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
    return parser_end(&parser, status, "'[' and a set, or the end");
}
