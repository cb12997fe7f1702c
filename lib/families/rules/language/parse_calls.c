/* parse_calls.c -- what has its parts in parentheses: all(body for i in set, j in set if condition), and the like;
 * last(body for p from start while condition); min(x, y), max(x, y), abs(x)
 */
#include "parse_inner.h"

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

/* The innermost part: the body again, now that its names are known, then the condition behind `word`. */
static pdb_status parse_body(struct parser *parser, const struct call_text *call, const char *word, uint32_t *body,
                             uint32_t *condition)
{
    const struct tokens behind = parser->token;
    bool conditional = false;
    parser->token = call->body;
    pdb_status status = parse_choice(parser, body);
    if (status == PDB_OK && !token_is(&parser->token, "for"))
        return token_unexpected(&parser->token, "an operator, or 'for'", parser->error);
    parser->token = behind;
    if (status == PDB_OK)
        status = token_skip(&parser->token, word, &conditional, parser->error);
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
        status = parse_body(parser, call, "if", &loop.a, &loop.b);
    }
    return status != PDB_OK ? status : parse_add(parser, loop, term);
}

/* Passes over an expression whose loop variables are not known yet: to the 'for' or ',' or ')' that ends it. Brackets
 * that do not fit together are told here, for behind them there may be a 'for' that is not found. */
static pdb_status skip_body(struct tokens *token, pdb_error *error)
{
    enum { DEEPEST = 200 };
    struct tokens open[DEEPEST];
    unsigned depth = 0;
    pdb_status status = PDB_OK;
    while (status == PDB_OK && token->kind != TOKEN_END) {
        const bool opens = token_is(token, "(") || token_is(token, "["),
                   closes = token_is(token, ")") || token_is(token, "]");
        if (depth == 0 && (closes || token_is(token, ",") || token_is(token, "for")))
            return PDB_OK;
        if (closes && token_is(&open[depth - 1], "(") != token_is(token, ")"))
            break;
        if (opens && depth == DEEPEST)
            return token_unexpected(token, "fewer brackets in one another", error);
        if (opens)
            open[depth++] = *token;
        depth -= closes;
        status = tokens_next(token, error);
    }
    return status != PDB_OK || depth == 0
               ? status
               : node_error_at(error, open[depth - 1].node, open[depth - 1].offset, "this '%s' is not closed by '%s'",
                               token_is(&open[depth - 1], "(") ? "(" : "[",
                               token_is(&open[depth - 1], "(") ? ")" : "]");
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

/* p from start while condition, behind the 'for' of a `last`: p is known in the condition and in the body. */
static pdb_status parse_last(struct parser *parser, const struct call_text *call, uint32_t *term)
{
    struct tokens *token = &parser->token;
    const struct tokens name = *token;
    struct term last = {.kind = TERM_LAST, .a = NO_TERM, .b = NO_TERM, .node = token->node};
    last.offset = (uint32_t)call->body.offset;
    unsigned slot = 0;
    if (token->kind != TOKEN_NAME)
        return token_unexpected(token, "a name, as in 'for p from player'", parser->error);
    pdb_status status = tokens_next(token, parser->error);
    if (status == PDB_OK)
        status = token_expect(token, "from", "'from' and the value to begin with", parser->error);
    if (status == PDB_OK)
        status = parse_choice(parser, &last.c);
    if (status == PDB_OK)
        status = name_add_slot(parser->reading, name.node, name.offset, name.text + name.offset, name.length, &slot,
                               parser->error);
    last.slot = (uint8_t)slot;
    if (status == PDB_OK)
        status = parse_body(parser, call, "while", &last.a, &last.b);
    return status != PDB_OK ? status : parse_add(parser, last, term);
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
            status = kind == TERM_LAST ? parse_last(parser, &call, term) : parse_loops(parser, kind, &call, term);
        names_forget(reading, names, slots);
    } else if (loop_only) {
        return token_unexpected(&parser->token,
                                kind == TERM_LAST ? "'for', as in last(step[p, up] for p from player)"
                                                  : "'for', as in all(x[i] == 0 for i in set)",
                                parser->error);
    } else {
        parser->token = call.body;
        status = parse_arguments(parser, kind, term);
    }
    return status != PDB_OK ? status : token_expect(&parser->token, ")", "')'", parser->error);
}
