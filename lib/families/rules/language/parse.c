/* parse.c -- expressions become terms
 *
 * By recursive descent, a function for each strength of binding, from the weakest on:
 *
 *     choice   or [if or else choice]             sum      product {(+ | -) product}
 *     or       and {or and}                       product  sign {(* | / | %) sign}
 *     and      not {and not}                      sign     - sign | primary
 *     not      not not | comparison               primary  number, name, name[..], (..), call, 'x'
 *     comparison  sum {(== | < ..) sum} | sum [not] in members
 */
#include "parse_inner.h"
#include "lib/memory/array.h"
#include "lib/text.h"
#include "plain.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NESTED_MOST = 100, TERMS_MOST = 1 << 20 };

pdb_status parse_add(struct parser *parser, struct term term, uint32_t *number)
{
    struct terms *terms = &parser->reading->rules->terms;
    const uint32_t part[] = {term.a, term.b, term.c};
    term.depth = 1;
    for (int i = 0; i < 3; i++)
        if (part[i] != NO_TERM && terms->term[part[i]].depth >= term.depth)
            term.depth = (uint16_t)(terms->term[part[i]].depth + 1);
    if (term.depth > TERM_MOST_DEPTH)
        return node_error_at(parser->error, term.node, term.offset,
                             "this is too long: at most %d operators can follow one another; lets, or loops such as "
                             "any(..), make it shorter",
                             TERM_MOST_DEPTH - NESTED_MOST);
    if (terms->count == TERMS_MOST)
        return node_error_at(parser->error, term.node, term.offset,
                             "with this the rules have more than %d numbers, names and operators, those of a repeated "
                             "assignment counted each time",
                             TERMS_MOST);
    if (!array_reserve(&terms->term, &terms->room, terms->count + 1, sizeof term))
        return error_no_memory(parser->error, "the terms of the rules", 2 * terms->count * sizeof term);
    term.same = (uint32_t)terms->count;
    terms->term[terms->count] = term;
    *number = (uint32_t)terms->count++;
    return PDB_OK;
}

/* A term for what stands at the token at hand. */
static struct term here(const struct parser *parser, enum term_kind kind)
{
    return (struct term){.kind = kind,
                         .a = NO_TERM,
                         .b = NO_TERM,
                         .c = NO_TERM,
                         .node = parser->token.node,
                         .offset = (uint32_t)token_place(&parser->token)};
}

const struct term *term_varying(const struct rules *rules, uint32_t number, unsigned slots)
{
    const struct term *term = &rules->terms.term[number];
    if (term->kind == TERM_VARIABLE || (term->kind == TERM_SLOT && (unsigned)term->value < slots))
        return term;
    const uint32_t part[3] = {term->a, term->b, term->c};
    for (int i = 0; i < 3; i++) {
        const struct term *found = part[i] == NO_TERM ? NULL : term_varying(rules, part[i], slots);
        if (found != NULL)
            return found;
    }
    return NULL;
}

pdb_status parse_constant(struct parser *parser, uint32_t number, int32_t *value)
{
    const struct rules *rules = parser->reading->rules;
    const struct term *term = &rules->terms.term[number],
                      *varying = term_varying(rules, number, parser->reading->slots);
    if (varying != NULL)
        return node_error_at(parser->error, varying->node, varying->offset,
                             "expected a constant: what a state or a parameter says is not known here (%s)",
                             parser->tested ? "x in [a, b] is written (x == a or x == b), x in a..b is a <= x <= b"
                                            : "take all constants that it may be, and a condition");
    struct plain plain = {.rules = rules};
    *value = plain_value(&plain, number);
    if (plain.beyond)
        return node_error_at(parser->error, term->node, term->offset, "this comes to more than %d", VALUE_MOST);
    if (*value == RULES_NONE)
        return node_error_at(parser->error, term->node, term->offset, "this comes to none, where a number is wanted");
    return PDB_OK;
}

/* -- primary -- */

static pdb_status parse_indices(struct parser *parser, struct term *term, unsigned indices, const char *name,
                                const char *kind)
{
    const struct node *node = term->node;
    bool open;
    pdb_status status = token_skip(&parser->token, "[", &open, parser->error);
    if (status == PDB_OK && open != (indices > 0))
        return open ? node_error_at(parser->error, node, term->offset, "%s '%s' has no index", kind, name)
                    : node_error_at(parser->error, node, term->offset, "%s '%s' needs its index: %s[..]", kind, name,
                                    name);
    uint32_t *index[2] = {&term->a, &term->b};
    for (unsigned i = 0; status == PDB_OK && i < indices; i++) {
        status = parse_choice(parser, index[i]);
        if (status == PDB_OK && i + 1 < indices && !token_is(&parser->token, ","))
            return token_unexpected(&parser->token, "',' and a second index", parser->error);
        if (status == PDB_OK)
            status = token_expect(&parser->token, i + 1 < indices ? "," : "]", "']' after the index", parser->error);
    }
    return status;
}

/* Is it a name as cells have them: a letter or two, then digits? */
static bool is_like_cell(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && at < 2 && isalpha((unsigned char)text[at]))
        at++;
    const size_t letters = at;
    while (at < length && isdigit((unsigned char)text[at]))
        at++;
    return letters > 0 && at > letters && at == length;
}

static bool has_cell_of(const struct rules_board *board, const char *text, size_t length)
{
    for (uint32_t c = 0; c < board->cells && board->there; c++)
        if (text_is(text, length, board->character[c]))
            return true;
    return false;
}

/* Is it made of the board's characters? */
static bool is_of_board(const struct rules_board *board, const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && has_cell_of(board, text + at, utf8_length(text + at)))
        at += utf8_length(text + at);
    return at == length;
}

static const char quotes_advice[] = ": cells with a character of the board are written with quotes around it";

/* What may be meant by a name that nothing has; "" where nothing is known. */
static const char *advice(const struct reading *reading, const char *text, size_t length)
{
    static const char *const given[] = {"cell", "direction", "step", "row", "column", NULL};
    const struct rules_board *board = &reading->rules->board;
    for (size_t i = 0; given[i] != NULL && !board->there; i++)
        if (text_is(text, length, given[i]))
            return ": the key 'board' gives it, and there is none";
    if (has_cell_of(board, text, length))
        return quotes_advice;
    if (board->there && is_like_cell(text, length))
        return isupper((unsigned char)*text) ? ": cells are written in small letters, a1"
                                             : ": the board has no such cell, or a wall is there";
    static const char *const compass[] = {"north", "south", "east", "west"};
    for (size_t i = 0; i < sizeof compass / sizeof *compass; i++)
        if (board->there && text_is(text, length, compass[i]))
            return ": directions are up, down, left and right";
    return text_is(text, length, "forall")   ? ": it is written all(... for c in cell)"
           : text_is(text, length, "exists") ? ": it is written any(... for c in cell)"
                                             : "";
}

pdb_status parse_unknown(const struct parser *parser, const char *otherwise)
{
    const struct tokens *token = &parser->token;
    const char *text = token->text + token->offset;
    const int shown = token->length < 40 ? (int)token->length : 40;
    const char *more = advice(parser->reading, text, token->length);
    const char *word = *more != '\0' ? NULL : name_word_meant(text, token->length);
    if (word != NULL)
        return node_error_at(parser->error, token->node, token->offset,
                             "nothing is called '%.*s': words are in small letters, %s", shown, text, word);
    const char *near = token->length < 2 || *more != '\0' ? NULL : name_nearest(parser->reading, text, token->length);
    if (near != NULL)
        return node_error_at(parser->error, token->node, token->offset, "nothing is called '%.*s'; did you mean '%s'?",
                             shown, text, near);
    if (*more == '\0')
        more = is_of_board(&parser->reading->rules->board, text, token->length) ? quotes_advice : otherwise;
    return node_error_at(parser->error, token->node, token->offset, "nothing is called '%.*s' here%s", shown, text,
                         more);
}

static pdb_status parse_named(struct parser *parser, uint32_t *number)
{
    const struct tokens *token = &parser->token;
    const struct rules *rules = parser->reading->rules;
    const struct name name = name_find(parser->reading, token->text + token->offset, token->length);
    struct term term = here(parser, TERM_NUMBER);
    term.value = name.value;
    if (name.kind == NAME_UNKNOWN)
        return parse_unknown(parser, "");
    if (name.kind == NAME_SET)
        return node_error_at(parser->error, token->node, token->offset,
                             "'%s' is a set, and a value is wanted: a set stands behind 'in'", name.text);
    pdb_status status = tokens_next(&parser->token, parser->error);
    if (status == PDB_OK && name.kind == NAME_VARIABLE) {
        term.kind = TERM_VARIABLE;
        status = parse_indices(parser, &term, rules->variable[name.value].indices, name.text, "the variable");
    } else if (status == PDB_OK && name.kind == NAME_TABLE) {
        term.kind = TERM_TABLE;
        status = parse_indices(parser, &term, rules->table[name.value].indices, name.text, "the table");
    } else if (name.kind == NAME_SLOT) {
        term.kind = TERM_SLOT;
    }
    return status != PDB_OK ? status : parse_add(parser, term, number);
}

/* The one cell that has these characters. */
static pdb_status parse_cell(struct parser *parser, uint32_t *number)
{
    const struct tokens token = parser->token;
    struct term term = here(parser, TERM_NUMBER);
    uint32_t set;
    pdb_status status = parse_members(parser, &set);
    if (status != PDB_OK)
        return status;
    const struct rules_set *cells = &parser->reading->rules->set[set];
    if (cells->count != 1)
        return node_error_at(parser->error, term.node, term.offset,
                             "%u cells have this character, so it stands for a set: say which cell is meant, or use it "
                             "behind 'in'%s",
                             cells->count, parse_quoted_name(parser, &token));
    term.value = cells->value[0];
    return parse_add(parser, term, number);
}

static const struct call {
    const char *name;
    enum term_kind kind;
    bool loop_only;
} calls[] = {{"min", TERM_LEAST, false},  {"max", TERM_GREATEST, false}, {"abs", TERM_ABS, false},
             {"all", TERM_ALL, true},     {"any", TERM_ANY, true},       {"sum", TERM_SUM, true},
             {"count", TERM_COUNT, true}, {"last", TERM_LAST, true}};

static pdb_status parse_word(struct parser *parser, uint32_t *number)
{
    static const char *const constants[] = {"false", "true", "none"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (token_is(&parser->token, calls[i].name))
            return parse_call(parser, calls[i].kind, calls[i].loop_only, number);
    for (int i = 0; i < 3; i++)
        if (token_is(&parser->token, constants[i])) {
            struct term term = here(parser, TERM_NUMBER);
            term.value = i == 2 ? RULES_NONE : i;
            pdb_status status = tokens_next(&parser->token, parser->error);
            return status != PDB_OK ? status : parse_add(parser, term, number);
        }
    if (!name_is_good(parser->token.text + parser->token.offset, parser->token.length))
        return token_unexpected(&parser->token, "a value", parser->error);
    return parse_named(parser, number);
}

static pdb_status parse_primary(struct parser *parser, uint32_t *number)
{
    struct tokens *token = &parser->token;
    struct term term = here(parser, TERM_NUMBER);
    if (token->kind == TOKEN_NAME)
        return parse_word(parser, number);
    if (token->kind == TOKEN_QUOTED)
        return parse_cell(parser, number);
    if (token_is(token, "(")) {
        pdb_status status = tokens_next(token, parser->error);
        if (status == PDB_OK)
            status = parse_choice(parser, number);
        return status != PDB_OK ? status : token_expect(token, ")", "')'", parser->error);
    }
    if (token->kind != TOKEN_NUMBER)
        return token_unexpected(token, "a value", parser->error);
    term.value = token->number;
    pdb_status status = tokens_next(token, parser->error);
    return status != PDB_OK ? status : parse_add(parser, term, number);
}

/* -- operators -- */

/* Reads with `read` after the operator at hand, as the second part of a term whose first is *number. */
static pdb_status parse_second(struct parser *parser, enum term_kind kind,
                               pdb_status (*read)(struct parser *parser, uint32_t *number), uint32_t *number)
{
    struct term term = here(parser, kind);
    term.a = *number;
    pdb_status status = tokens_next(&parser->token, parser->error);
    if (status == PDB_OK)
        status = read(parser, &term.b);
    return status != PDB_OK ? status : parse_add(parser, term, number);
}

/* One level deeper. */
static pdb_status parse_deeper(struct parser *parser)
{
    char wanted[64];
    if (++parser->token.depth <= NESTED_MOST)
        return PDB_OK;
    snprintf(wanted, sizeof wanted, "an expression that is nested at most %d deep", NESTED_MOST);
    return token_unexpected(&parser->token, wanted, parser->error);
}

/* The same for one with a single part. */
static pdb_status parse_only(struct parser *parser, enum term_kind kind,
                             pdb_status (*read)(struct parser *parser, uint32_t *number), uint32_t *number)
{
    struct term term = here(parser, kind);
    pdb_status status = parse_deeper(parser);
    if (status == PDB_OK)
        status = tokens_next(&parser->token, parser->error);
    if (status == PDB_OK)
        status = read(parser, &term.a);
    parser->token.depth--;
    return status != PDB_OK ? status : parse_add(parser, term, number);
}

static pdb_status parse_sign(struct parser *parser, uint32_t *number)
{
    return token_is(&parser->token, "-") ? parse_only(parser, TERM_NEGATE, parse_sign, number)
                                         : parse_primary(parser, number);
}

struct operator
{
    const char *sign;
    enum term_kind kind;
};

/* Which of the operators (the last has no sign) is at hand; NULL for none. */
static const struct operator* operator_at(const struct parser *parser, const struct operator* operators)
{
    for (; operators->sign != NULL; operators++)
        if (token_is(&parser->token, operators->sign))
            return operators;
    return NULL;
}

/* A chain of operators of one strength, from the left. */
static pdb_status parse_chain(struct parser *parser, const struct operator* operators,
                              pdb_status (*read)(struct parser *parser, uint32_t *number), uint32_t *number)
{
    const struct operator* found;
    pdb_status status = read(parser, number);
    while (status == PDB_OK && (found = operator_at(parser, operators)) != NULL)
        status = parse_second(parser, found->kind, read, number);
    return status;
}

static pdb_status parse_product(struct parser *parser, uint32_t *number)
{
    static const struct operator products[] = {
        {"*", TERM_MULTIPLY}, {"/", TERM_DIVIDE}, {"%", TERM_REMAINDER}, {NULL, TERM_NUMBER}};
    return parse_chain(parser, products, parse_sign, number);
}

pdb_status parse_sum(struct parser *parser, uint32_t *number)
{
    static const struct operator sums[] = {{"+", TERM_ADD}, {"-", TERM_SUBTRACT}, {NULL, TERM_NUMBER}};
    return parse_chain(parser, sums, parse_product, number);
}

/* a in s, a not in s */
static pdb_status parse_membership(struct parser *parser, uint32_t *number)
{
    struct term term = here(parser, TERM_MEMBER), denial = here(parser, TERM_NOT);
    bool denied;
    uint32_t set;
    term.a = *number;
    pdb_status status = token_skip(&parser->token, "not", &denied, parser->error);
    if (status == PDB_OK)
        status = token_expect(&parser->token, "in", "'in' behind 'not'", parser->error);
    parser->tested = true;
    if (status == PDB_OK)
        status = parse_members(parser, &set);
    parser->tested = false;
    if (status != PDB_OK)
        return status;
    term.value = (int32_t)set;
    status = parse_add(parser, term, number);
    denial.a = *number;
    return status == PDB_OK && denied ? parse_add(parser, denial, number) : status;
}

/* One comparison, whose left part is `left`; *right is the term on its right, for the next one in the chain. */
static pdb_status parse_compared(struct parser *parser, const struct operator* with, uint32_t left, uint32_t *right,
                                 uint32_t *number)
{
    struct term term = here(parser, with->kind);
    const bool turned = text_begins(with->sign, ">");
    pdb_status status = tokens_next(&parser->token, parser->error);
    if (status == PDB_OK)
        status = parse_sum(parser, right);
    term.a = turned ? *right : left;
    term.b = turned ? left : *right;
    return status != PDB_OK ? status : parse_add(parser, term, number);
}

static pdb_status parse_comparison(struct parser *parser, uint32_t *number)
{
    static const struct operator comparisons[] = {{"==", TERM_EQUAL}, {"!=", TERM_UNEQUAL},    {"<=", TERM_LESS_EQUAL},
                                                  {"<", TERM_LESS},   {">=", TERM_LESS_EQUAL}, {">", TERM_LESS},
                                                  {NULL, TERM_NUMBER}};
    const struct operator* with;
    uint32_t left, one;
    pdb_status status = parse_sum(parser, number);
    if (status == PDB_OK && (token_is(&parser->token, "in") || token_is(&parser->token, "not")))
        return parse_membership(parser, number);
    left = *number;
    for (bool first = true; status == PDB_OK && (with = operator_at(parser, comparisons)) != NULL; first = false) {
        struct term both = here(parser, TERM_AND);
        status = parse_compared(parser, with, left, &left, &one);
        both.a = *number;
        both.b = one;
        if (status == PDB_OK && first)
            *number = one;
        else if (status == PDB_OK)
            status = parse_add(parser, both, number);
    }
    if (status == PDB_OK && token_is(&parser->token, "="))
        return token_unexpected(&parser->token, "an operator (equal is ==)", parser->error);
    return status;
}

static pdb_status parse_not(struct parser *parser, uint32_t *number)
{
    return token_is(&parser->token, "not") ? parse_only(parser, TERM_NOT, parse_not, number)
                                           : parse_comparison(parser, number);
}

static pdb_status parse_and(struct parser *parser, uint32_t *number)
{
    static const struct operator ands[] = {{"and", TERM_AND}, {NULL, TERM_NUMBER}};
    return parse_chain(parser, ands, parse_not, number);
}

static pdb_status parse_or(struct parser *parser, uint32_t *number)
{
    static const struct operator ors[] = {{"or", TERM_OR}, {NULL, TERM_NUMBER}};
    return parse_chain(parser, ors, parse_and, number);
}

pdb_status parse_choice(struct parser *parser, uint32_t *number)
{
    pdb_status status = parse_deeper(parser);
    if (status == PDB_OK)
        status = parse_or(parser, number);
    struct term term = here(parser, TERM_SELECT);
    if (status == PDB_OK && token_is(&parser->token, "if")) {
        term.b = *number;
        status = tokens_next(&parser->token, parser->error);
        if (status == PDB_OK)
            status = parse_or(parser, &term.a);
        if (status == PDB_OK)
            status = token_expect(&parser->token, "else",
                                  token_is(&parser->token, "for")
                                      ? "'else' and what it is otherwise (which members count is said behind the set: "
                                        "sum(x for x in a if c))"
                                      : "'else' and what it is otherwise",
                                  parser->error);
        if (status == PDB_OK)
            status = parse_choice(parser, &term.c);
        if (status == PDB_OK)
            status = parse_add(parser, term, number);
    }
    parser->token.depth--;
    return status;
}
