/* ways.c -- from a value back to its expressions (express.h)
 *
 * Expressions come with the fewest operators first: round after round allows one operator more, and takes the
 * expressions with exactly so many. Below, a side may have as many as the least that the other side needs leave. Every
 * value of a table has an expression, so no branch is followed in vain; a limit on the work is for tables that somebody
 * else made up, and for values with more expressions than anybody wants to see.
 */
#include "express.h"
#include "lib/memory/array.h"

#include <stdio.h>

enum { TREES_PER_CHUNK = 1000, MAX_CHUNKS = 1000, MAX_OPERATORS = UINT8_MAX };
static const uint64_t work_max = 10000000; /* rows looked at */

/* An expression: an operator on other expressions, or, with `operator` EXPRESS_JOIN, a number. */
struct tree {
    uint8_t operator, operators, length, decimals;
    struct rational value;           /* of a number, which has so many digits, the last ones behind the point */
    const struct tree *left, *right; /* an operator on one value has a left side only */
};

struct chunk {
    struct chunk *next;
    unsigned count;
    struct tree tree[TREES_PER_CHUNK];
};

struct trees {
    const struct tree **tree;
    size_t count;
};

struct lister {
    const struct express_table *table;
    struct chunk *chunk; /* where all trees are */
    unsigned chunks;
    uint64_t work;
    bool single; /* one expression is wanted, with the fewest operators */
    bool ended;  /* too long, or no memory: */
    bool failed;
};

/* What is wanted of a value of a part: expressions with `least` to `most` operators. */
struct wanted {
    struct lister *lister;
    unsigned part, least, most;
    struct express_row row;
    struct trees *trees;
};

/* -- trees -- */

static bool end(struct lister *lister, bool failed)
{
    lister->ended = true;
    lister->failed |= failed;
    return false;
}

static bool work(struct lister *lister)
{
    return !lister->ended && (++lister->work < work_max || end(lister, false));
}

static struct tree *new_tree(struct lister *lister)
{
    struct chunk *chunk = lister->chunk;
    if (chunk == NULL || chunk->count == TREES_PER_CHUNK) {
        chunk = lister->chunks < MAX_CHUNKS ? malloc(sizeof *chunk) : NULL;
        if (chunk == NULL) {
            end(lister, lister->chunks < MAX_CHUNKS);
            return NULL;
        }
        chunk->next = lister->chunk;
        chunk->count = 0;
        lister->chunk = chunk;
        lister->chunks++;
    }
    return &chunk->tree[chunk->count++];
}

/* Appends a tree, if its number of operators is a wanted one. False where nothing more is needed. */
static bool add_tree(const struct wanted *wanted, struct tree tree)
{
    struct lister *lister = wanted->lister;
    struct trees *trees = wanted->trees;
    if (!work(lister))
        return false;
    if (tree.operators < wanted->least || tree.operators > wanted->most)
        return true;
    const struct tree **grown = array_grow(trees->tree, trees->count, sizeof *grown);
    if (grown == NULL)
        return end(lister, true);
    trees->tree = grown;
    struct tree *kept = new_tree(lister);
    if (kept == NULL)
        return false;
    *kept = tree;
    trees->tree[trees->count++] = kept;
    return !lister->single;
}

static bool find_trees(struct lister *lister, unsigned number, const struct express_row *row, unsigned least,
                       unsigned most, struct trees *trees);

/* -- numbers -- */

/* The digits of a number that has so many decimals; false where the value has no such form. */
static bool number_digits(struct rational value, unsigned length, unsigned decimals, char *digits)
{
    __int128 whole = value.numerator;
    for (unsigned i = 0; i < decimals; i++)
        whole *= 10;
    if (whole < 0 || whole % value.denominator != 0)
        return false;
    whole /= value.denominator;
    for (unsigned i = length; i-- > 0; whole /= 10)
        digits[i] = (char)('0' + (int)(whole % 10));
    digits[length] = '\0';
    return whole == 0;
}

static bool add_numbers(const struct wanted *wanted)
{
    const struct express *express = wanted->lister->table->express;
    const struct express_part *part = &express->part[wanted->part];
    for (unsigned decimals = 0; decimals <= part->length; decimals++) {
        char digits[EXPRESS_MAX_DIGITS + 1];
        if (!number_digits(wanted->row.value, part->length, decimals, digits) ||
            !express_number_allowed(express, digits, decimals))
            continue;
        if (!express->kept)
            express_sort_digits(digits);
        if (strcmp(digits, part->digits) == 0 && !add_tree(wanted, (struct tree){.operator= EXPRESS_JOIN,
                                                                                 .length = part->length,
                                                                                 .decimals = (uint8_t)decimals,
                                                                                 .value = wanted->row.value}))
            return false;
    }
    return true;
}

/* -- operators on one value -- */

static bool add_unary(const struct wanted *wanted, enum express_operator operator)
{
    struct lister *lister = wanted->lister;
    struct trees below = {0};
    struct rational from, made;
    struct express_row row;
    if (express_unary_from(operator, wanted->row.value, &from) == 0 || !express_unary(operator, from, &made) ||
        !express_find(lister->table, wanted->part, from, &row) || row.operators >= wanted->most)
        return true;
    bool more = find_trees(lister, wanted->part, &row, 0, wanted->most - 1, &below);
    for (size_t i = 0; more && i < below.count; i++)
        more = add_tree(wanted, (struct tree){.operator=(uint8_t) operator,
                                              .operators =(uint8_t)(below.tree[i]->operators + 1),
                                              .left = below.tree[i]});
    free(below.tree);
    return more;
}

/* -- operators on two values -- */

/* All expressions of this value with `operator` between expressions of those two. */
static bool add_pair(const struct wanted *wanted, enum express_operator operator, const struct express_split * split,
                     const struct express_row *a, const struct express_row *b)
{
    struct lister *lister = wanted->lister;
    struct rational made;
    struct trees left = {0}, right = {0};
    if (!work(lister))
        return false;
    /* A candidate that was undone may be none: it is tried. And the two may need too many operators between them. */
    if (a->operators + b->operators + 1u > wanted->most || !express_binary(operator, a->value, b->value, &made) ||
        !rational_equal(made, wanted->row.value))
        return true;
    /* Each side may have what the least of the other one leaves. */
    bool more = find_trees(lister, split->left, a, 0, wanted->most - 1 - b->operators, &left) &&
                find_trees(lister, split->right, b, 0, wanted->most - 1 - a->operators, &right);
    for (size_t i = 0; more && i < left.count; i++)
        for (size_t j = 0; more && j < right.count; j++) {
            const unsigned operators = left.tree[i]->operators + right.tree[j]->operators + 1u;
            more = operators > wanted->most || add_tree(wanted, (struct tree){.operator=(uint8_t) operator,
                                                                              .operators =(uint8_t) operators,
                                                                              .left = left.tree[i],
                                                                              .right = right.tree[j]});
        }
    free(left.tree);
    free(right.tree);
    return more;
}

/* All pairs with this row of the one side; `at_left` is that the left one. What the operator undone leaves for the
 * other side is looked up there: one or two candidates, or, where a factor or a base says nothing, all of its
 * values. */
static bool add_partners(const struct wanted *wanted, enum express_operator operator,
                         const struct express_split * split, bool at_left, const struct express_row *row)
{
    const struct express_table *table = wanted->lister->table;
    const unsigned part = at_left ? split->right : split->left;
    struct express_row other;
    struct rational candidate[2];
    const unsigned count = (at_left ? express_right_operand : express_left_operand)(operator, wanted->row.value,
                                                                                    row->value, candidate);
    bool more = true;
    if (count == EXPRESS_ANY)
        for (uint64_t r = express_begin(table, part); more && r < express_end(table, part); r++) {
            other = express_row(table, r);
            more = add_pair(wanted, operator, split, at_left ? row : &other, at_left ? &other : row);
        }
    for (unsigned c = 0; count != EXPRESS_ANY && more && c < count; c++)
        if (express_find(table, part, candidate[c], &other))
            more = add_pair(wanted, operator, split, at_left ? row : &other, at_left ? &other : row);
    return more;
}

/* All pairs of a split: goes through the shorter side, for powers through the right one. */
static bool add_split(const struct wanted *wanted, enum express_operator operator, const struct express_split * split)
{
    const struct express_table *table = wanted->lister->table;
    const uint64_t left = express_end(table, split->left) - express_begin(table, split->left);
    const uint64_t right = express_end(table, split->right) - express_begin(table, split->right);
    const bool at_left = operator!= EXPRESS_POWER && left <= right;
    const unsigned part = at_left ? split->left : split->right;
    bool more = true;
    for (uint64_t r = express_begin(table, part); more && r < express_end(table, part); r++) {
        const struct express_row row = express_row(table, r);
        if (!work(wanted->lister))
            return false;
        if (row.operators < wanted->most)
            more = add_partners(wanted, operator, split, at_left, &row);
    }
    return more;
}

/* The expressions of a value of a part with `least` to `most` operators. False where the search is to end. */
static bool find_trees(struct lister *lister, unsigned number, const struct express_row *row, unsigned least,
                       unsigned most, struct trees *trees)
{
    const struct express *express = lister->table->express;
    const struct express_part *part = &express->part[number];
    const struct express_split *split = &express->split[part->first_split];
    const struct wanted wanted = {lister, number, least, most, *row, trees};
    bool more = add_numbers(&wanted);
    for (unsigned o = EXPRESS_BINARY; more && o < EXPRESS_COUNTED; o++)
        if (express->allowed[o])
            more = add_unary(&wanted, o);
    for (uint32_t s = part->splits; more && s-- > 0;) /* (4 + 4) + 4, which needs no parentheses, before 4 + (4 + 4) */
        for (unsigned o = 0; more && o < EXPRESS_BINARY; o++)
            if (express->allowed[o])
                more = add_split(&wanted, o, &split[s]);
    return !lister->ended;
}

/* -- text -- */

/* How tightly the outermost part of an expression binds. */
enum binding { SUM, PRODUCT, NEGATION, POWER, POSTFIX, ATOM };

static enum binding binding(const struct tree *tree)
{
    static const enum binding of[EXPRESS_OPERATORS] = {
        [EXPRESS_ADD] = SUM,           [EXPRESS_SUBTRACT] = SUM,    [EXPRESS_MULTIPLY] = PRODUCT,
        [EXPRESS_DIVIDE] = PRODUCT,    [EXPRESS_POWER] = POWER,     [EXPRESS_ROOT] = ATOM,
        [EXPRESS_FACTORIAL] = POSTFIX, [EXPRESS_NEGATE] = NEGATION, [EXPRESS_JOIN] = ATOM};
    return of[tree->operator];
}

struct writer {
    char text[PDB_TEXT_MAX];
    size_t length;
};

static void write_text(struct writer *writer, const char *text)
{
    const size_t room = sizeof writer->text - 1 - writer->length, wanted = strlen(text);
    const size_t length = wanted < room ? wanted : room;
    memcpy(writer->text + writer->length, text, length);
    writer->length += length;
    writer->text[writer->length] = '\0';
}

static void write_number(struct writer *writer, const struct tree *tree)
{
    char digits[EXPRESS_MAX_DIGITS + 1], whole[EXPRESS_MAX_DIGITS + 1];
    number_digits(tree->value, tree->length, tree->decimals, digits);
    snprintf(whole, sizeof whole, "%.*s", tree->length - tree->decimals, digits);
    write_text(writer, whole);
    if (tree->decimals > 0) {
        write_text(writer, ".");
        write_text(writer, digits + tree->length - tree->decimals);
    }
}

static void write_tree(struct writer *writer, const struct tree *tree);

/* An operand, in parentheses where it binds less tightly than `loosest`. */
static void write_operand(struct writer *writer, const struct tree *tree, enum binding loosest)
{
    const bool enclosed = binding(tree) < loosest;
    write_text(writer, enclosed ? "(" : "");
    write_tree(writer, tree);
    write_text(writer, enclosed ? ")" : "");
}

/* Does its text begin with a minus sign? */
static bool begins_with_minus(const struct tree *tree)
{
    while (binding(tree) == SUM || (binding(tree) == PRODUCT && binding(tree->left) >= PRODUCT))
        tree = tree->left;
    return tree->operator== EXPRESS_NEGATE;
}

/* Left of + - * / there may stand what binds as tightly, right of them nothing that begins with a minus sign; powers
 * and factorials take no others without parentheses. */
static void write_tree(struct writer *writer, const struct tree *tree)
{
    static const char *const signs[EXPRESS_POWER] = {" + ", " - ", " * ", " / "};
    switch (tree->operator) {
    case EXPRESS_JOIN:
        write_number(writer, tree);
        break;
    case EXPRESS_ROOT:
        write_text(writer, "sqrt(");
        write_tree(writer, tree->left);
        write_text(writer, ")");
        break;
    case EXPRESS_FACTORIAL:
        write_operand(writer, tree->left, ATOM);
        write_text(writer, "!");
        break;
    case EXPRESS_NEGATE:
        write_text(writer, "-");
        write_operand(writer, tree->left, POWER);
        break;
    case EXPRESS_POWER:
        write_operand(writer, tree->left, POSTFIX);
        write_text(writer, " ^ ");
        write_operand(writer, tree->right, POSTFIX);
        break;
    default:
        write_operand(writer, tree->left, binding(tree));
        write_text(writer, signs[tree->operator]);
        write_operand(writer, tree->right,
                      begins_with_minus(tree->right) ? ATOM
                      : binding(tree) == SUM         ? PRODUCT
                                                     : POWER);
    }
}

/* -- all of a value -- */

pdb_status express_visit(const struct express_table *table, unsigned part, const struct express_row *row, uint64_t most,
                         express_visitor *visit, void *context, pdb_error *error)
{
    struct lister lister = {.table = table, .single = most == 1};
    const uint64_t all = row->count < most ? row->count : most;
    uint64_t visited = 0;
    bool more = true;
    for (unsigned operators = row->operators; more && visited < all && operators <= MAX_OPERATORS; operators++) {
        struct trees trees = {0};
        find_trees(&lister, part, row, operators, operators, &trees);
        for (size_t i = 0; more && visited < all && i < trees.count; i++, visited++) {
            struct writer writer = {.length = 0};
            write_tree(&writer, trees.tree[i]);
            more = visit(context, writer.text, trees.tree[i]->operators);
        }
        free(trees.tree);
        for (struct chunk *chunk = lister.chunk, *next; chunk != NULL; chunk = next) {
            next = chunk->next;
            free(chunk);
        }
        lister.chunk = NULL;
        lister.chunks = 0;
        more &= !lister.ended;
    }
    return lister.failed ? error_no_memory(error, "the expressions of a value", sizeof(struct chunk)) : PDB_OK;
}
