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

/* Expressions that are listed; the first one alone is the answer, which says its operators where they are not the
 * distance. */
struct listing {
    const struct express_table *table;
    struct reply_writer *writer;
    bool first;
    uint64_t listed;
};

static bool take_expression(void *context, const char *text, unsigned operators)
{
    struct listing *listing = context;
    listing->listed++;
    if (!listing->first) {
        reply_item(listing->writer, text);
        return listing->writer->status == PDB_OK;
    }
    reply_text(listing->writer, "expression", "expression", text);
    if (listing->table->express->fewest)
        reply_count(listing->writer, "operators", "operators", operators);
    return false;
}

/* Visits up to `most` expressions. */
static void list(struct listing *listing, unsigned part, const struct express_row *row, uint64_t most)
{
    struct reply_writer *writer = listing->writer;
    if (writer->status != PDB_OK)
        return;
    const pdb_status status = express_visit(listing->table, part, row, most, take_expression, listing, writer->error);
    writer->status = status != PDB_OK ? status : writer->status;
}

static pdb_status answer(const struct express_table *table, unsigned part, const struct express_row *row, unsigned want,
                         struct reply_writer *writer)
{
    const struct express *express = table->express;
    struct listing first = {table, writer, true, 0}, all = {table, writer, false, 0};
    char value[RATIONAL_TEXT_MAX];
    writer->reply->distance = express->fewest ? express->part[part].length : row->operators;
    reply_text(writer, "value", "value", rational_text(row->value, value));
    list(&first, part, row, 1);
    if (writer->status == PDB_OK && first.listed == 0)
        return error_set(writer->error, PDB_DAMAGED,
                         "the tables of %s are not what was worked out: nothing leads to %s", express->puzzle.name,
                         value);
    if ((want & PDB_WANT_COUNT) != 0)
        reply_count(writer, "solutions", "expressions", row->count);
    if ((want & PDB_WANT_PATH) == 0)
        return writer->status;
    reply_list(writer, "expressions", "all expressions");
    list(&all, part, row, LISTED);
    if (all.listed < row->count)
        reply_count(writer, "more", "and so many more", row->count - all.listed);
    return writer->status;
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

static pdb_status answer_none(const struct express_table *table, struct rational value, struct reply_writer *writer)
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
    reply_text(writer, "value", "value", rational_text(value, text));
    reply_text(writer, "reason", "but", why);
    if (found.any_below)
        reply_text(writer, "below", "nearest below", rational_text(found.below, text));
    if (found.any_above)
        reply_text(writer, "above", "nearest above", rational_text(found.above, text));
    return writer->status;
}

static pdb_status express_ask(const struct items_puzzle *puzzle, const struct items *items, const char *question,
                              unsigned want, pdb_reply *reply, pdb_error *error)
{
    const struct express_table table = express_table(express_of(puzzle), items);
    struct reply_writer writer = {.reply = reply, .error = error};
    struct rational value;
    struct express_row row;
    pdb_status status = read_value(puzzle, question, &value, error);
    if (status != PDB_OK)
        return status;
    for (unsigned part = express_first(table.express); part < table.express->parts; part++)
        if (express_find(&table, part, value, &row))
            return answer(&table, part, &row, want, &writer);
    return answer_none(&table, value, &writer);
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

static void express_destroy(struct items_puzzle *puzzle)
{
    struct express *express = (struct express *)puzzle;
    free(express->part);
    free(express->split);
}

static const char *const express_keys[] = {"digits", "operators", "order", "use", NULL};

const struct items_family express_family = {
    .name = "express",
    .summary = "values that some digits make with operators between them",
    .keys = express_keys,
    .items = "values",
    .encoding = "expressions",
    .bytes = sizeof(struct express),
    .create = express_create,
    .destroy = express_destroy,
    .build = express_build,
    .accept = express_accept,
    .ask = express_ask,
    .is_part = express_is_part,
    .item = express_item,
};
