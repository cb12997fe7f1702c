/* express.c -- the family of expressions: questions and their answers */
#include "express.h"

#include <stdio.h>
#include <stdlib.h>

enum { LISTED = 10000 }; /* expressions, at most */

/* -- what is asked -- */

/* A value, "10", "-3", "7/2" or "0.5". */
static pdb_status read_value(const struct items_puzzle *puzzle, const char *question, struct rational *value,
                             pdb_error *error)
{
    bool fits;
    const int shown = (int)strnlen(question, 60);
    if (!rational_parse(question, value, &fits))
        return error_set(error, PDB_BAD_BOARD,
                         "'%.*s' is no value: ask %s for a number such as 10, -3, 7/2 or 0.5 (it has no boards)", shown,
                         question, puzzle->name);
    if (!fits)
        return error_set(error, PDB_BAD_BOARD,
                         "'%.*s' is too large: values are fractions of numbers up to 9223372036854775807", shown,
                         question);
    return PDB_OK;
}

/* -- a value that can be made -- */

struct listing {
    const struct express *express;
    pdb_reply *reply;
    pdb_error *error;
    uint64_t listed;
    pdb_status status;
};

/* The first one is the answer, and its number of operators the least; where that is the distance it is said already. */
static bool first_expression(void *context, const char *text, unsigned operators)
{
    struct listing *listing = context;
    listing->status = reply_text(listing->reply, "expression", "expression", text, listing->error);
    if (listing->status == PDB_OK && listing->express->fewest)
        listing->status = reply_count(listing->reply, "operators", "operators", operators, listing->error);
    listing->listed++;
    return false;
}

static bool next_expression(void *context, const char *text, unsigned operators)
{
    struct listing *listing = context;
    (void)operators;
    listing->status = reply_item(listing->reply, text, listing->error);
    listing->listed++;
    return listing->status == PDB_OK;
}

static pdb_status answer_first(const struct express_table *table, unsigned part, const struct express_row *row,
                               pdb_reply *reply, pdb_error *error)
{
    struct listing listing = {.express = table->express, .reply = reply, .error = error};
    char value[RATIONAL_TEXT_MAX];
    pdb_status status = express_visit(table, part, row, 1, first_expression, &listing, error);
    if (status == PDB_OK && listing.listed == 0)
        return error_set(error, PDB_DAMAGED, "the tables of %s are not what was worked out: nothing leads to %s",
                         table->express->puzzle.name, rational_text(row->value, value));
    return status != PDB_OK ? status : listing.status;
}

static pdb_status answer_all(const struct express_table *table, unsigned part, const struct express_row *row,
                             pdb_reply *reply, pdb_error *error)
{
    struct listing listing = {.express = table->express, .reply = reply, .error = error};
    pdb_status status = reply_list(reply, "expressions", "all expressions", error);
    if (status == PDB_OK)
        status = express_visit(table, part, row, LISTED, next_expression, &listing, error);
    if (status == PDB_OK)
        status = listing.status;
    if (status == PDB_OK && listing.listed < row->count)
        status = reply_count(reply, "more", "and so many more", row->count - listing.listed, error);
    return status;
}

static pdb_status answer(const struct express_table *table, unsigned part, const struct express_row *row, unsigned want,
                         pdb_reply *reply, pdb_error *error)
{
    char value[RATIONAL_TEXT_MAX];
    reply->distance = table->express->fewest ? table->express->part[part].length : row->operators;
    pdb_status status = reply_text(reply, "value", "value", rational_text(row->value, value), error);
    if (status == PDB_OK)
        status = answer_first(table, part, row, reply, error);
    if (status == PDB_OK && (want & PDB_WANT_COUNT) != 0)
        status = reply_count(reply, "solutions", "expressions", row->count, error);
    if (status == PDB_OK && (want & PDB_WANT_PATH) != 0)
        status = answer_all(table, part, row, reply, error);
    return status;
}

/* -- a value that cannot -- */

/* The greatest value below it and the least above it. */
struct neighbours {
    bool any_below, any_above;
    struct rational below, above;
};

static void look_around(const struct express_table *table, struct rational value, struct neighbours *found)
{
    for (unsigned part = express_first(table->express); part < table->express->parts; part++) {
        const uint64_t at = express_lower(table, part, value);
        if (at > express_begin(table, part)) {
            const struct rational below = express_row(table, at - 1).value;
            if (!found->any_below || rational_compare(below, found->below) > 0)
                found->below = below;
            found->any_below = true;
        }
        if (at < express_end(table, part)) {
            const struct rational above = express_row(table, at).value;
            if (!found->any_above || rational_compare(above, found->above) < 0)
                found->above = above;
            found->any_above = true;
        }
    }
}

static pdb_status answer_none(const struct express_table *table, struct rational value, pdb_reply *reply,
                              pdb_error *error)
{
    const struct express *express = table->express;
    struct neighbours found = {0};
    const struct express_part *whole = &express->part[express->parts - 1];
    char text[RATIONAL_TEXT_MAX], why[100];
    look_around(table, value, &found);
    if (express->fewest)
        snprintf(why, sizeof why, "no expression of up to %u digits %c has this value", whole->length, *whole->digits);
    else
        snprintf(why, sizeof why, "no expression of the digits %s has this value", whole->digits);
    pdb_status status = reply_text(reply, "value", "value", rational_text(value, text), error);
    if (status == PDB_OK)
        status = reply_text(reply, "reason", "but", why, error);
    if (status == PDB_OK && found.any_below)
        status = reply_text(reply, "below", "nearest below", rational_text(found.below, text), error);
    if (status == PDB_OK && found.any_above)
        status = reply_text(reply, "above", "nearest above", rational_text(found.above, text), error);
    return status;
}

static pdb_status express_ask(const struct items_puzzle *puzzle, const struct items *items, const char *question,
                              unsigned want, pdb_reply *reply, pdb_error *error)
{
    const struct express_table table = express_table(express_of(puzzle), items);
    struct rational value;
    struct express_row row;
    pdb_status status = read_value(puzzle, question, &value, error);
    if (status != PDB_OK)
        return status;
    for (unsigned part = express_first(table.express); part < table.express->parts; part++)
        if (express_find(&table, part, value, &row))
            return answer(&table, part, &row, want, reply, error);
    return answer_none(&table, value, reply, error);
}

static void express_item(const struct items_puzzle *puzzle, const struct items *items, uint64_t index, char *text)
{
    const struct express_table table = express_table(express_of(puzzle), items);
    rational_text(express_row(&table, express_begin(&table, express_first(table.express)) + index).value, text);
}

/* One word is one value, and a question. */
static bool express_is_part(const char *text)
{
    (void)text;
    return false;
}

/* -- making one -- */

static void express_destroy(struct items_puzzle *puzzle)
{
    struct express *express = (struct express *)puzzle;
    free(express->part);
    free(express->split);
    free(express);
}

static pdb_status express_create(const struct definition *definition, struct items_puzzle **out, pdb_error *error)
{
    struct express *express = calloc(1, sizeof *express);
    *out = NULL;
    if (express == NULL)
        return error_no_memory(error, "the puzzle", sizeof *express);
    pdb_status status = express_read(definition, express, error);
    if (status != PDB_OK) {
        express_destroy(&express->puzzle);
        return status;
    }
    express->puzzle.unit = express->fewest ? "digit" : "operator";
    *out = &express->puzzle;
    return PDB_OK;
}

static const char *const express_keys[] = {"digits", "operators", "order", "use", NULL};

const struct items_family express_family = {
    .name = "express",
    .summary = "values that some digits make with operators between them",
    .keys = express_keys,
    .items = "values",
    .encoding = "expressions",
    .create = express_create,
    .destroy = express_destroy,
    .build = express_build,
    .accept = express_accept,
    .ask = express_ask,
    .is_part = express_is_part,
    .item = express_item,
};
