/* express.h -- every value that some digits make: the room's header, where to begin
 *
 * Here lives how such a puzzle is read (definition.c), exact arithmetic (rational.h), the tables
 * of all values (build.c, table.c), the way back from a value to its expressions (ways.c), and the answers to questions
 * (express.c). Nothing here knows boards, moves, other families or databases.
 *
 * An *expression* is a tree. Its leaves are numbers, written with one or more of the digits; a node is an operator on
 * one or two expressions below it. Two expressions are different where their trees are: (4 + 4) + 4 and 4 + (4 + 4) are
 * two, and so are a + b and b + a unless a and b are written alike. Digits that are alike are not told apart. Values
 * are exact fractions (rational.h); an expression that divides by 0, or has a value anywhere in it that does not fit,
 * is none.
 *
 * A *part* is what an expression within the whole one is made of: with digits in any order a multiset of them, with
 * their order kept a run of them. The values of a part are the numbers that it writes, and for every way to split it in
 * two the values of the one combined with those of the other; then what the operators on one value make of all these.
 * So the parts are worked through from the short to the long ones, each with a table of its values (build.c).
 * Since every tree has one root and that one split, the numbers of expressions add up and multiply.
 *
 * Of a value only its number of expressions and the least number of operators are kept. The expressions themselves come
 * back by going backward (ways.c): which values of the one side and of the other give this one? For a value of
 * the left side the operator leaves one candidate on the right, or none, and a search in the right side's sorted table
 * says whether it is there.
 *
 * So that there is an end to it, an operator on one value is left out where it would lead around in a circle: no root
 * of 0 or 1 and no factorial of 1 or 2, which are what they are of, and no minus sign but before a positive value. (No
 * factorial above 1 is a square, so roots and factorials alone make no circle.)
 *
 * Where the fewest digits are asked for, the values of all the parts count: those of one digit, of two, and so on, each
 * value once, with the fewest digits that make it. All within an expression with the fewest digits has itself the
 * fewest for its value, else these could be put in its place; so a table needs no value that a shorter part has.
 *
 * The bytes of a database ("expressions"), little-endian; P is the number of parts, R of rows in all tables:
 *   u64 x P  where the part's rows end, counted from the first part's first row
 *   i64 x R  numerators         then
 *   i64 x R  denominators       then
 *   u64 x R  numbers of expressions, then
 *   u8 x R   least numbers of operators
 * Parts come by length, then by their digits as text (with digits in any order, written ascending); the rows of a part
 * by value.
 */
#ifndef ITEMS_EXPRESS_EXPRESS_H
#define ITEMS_EXPRESS_EXPRESS_H

#include "items/items.h"
#include "rational.h"

#include <string.h>

enum { EXPRESS_MAX_DIGITS = 12, EXPRESS_ROW_BYTES = 25 };

/* In the order of their words in a definition. */
enum express_operator {
    EXPRESS_ADD,
    EXPRESS_SUBTRACT,
    EXPRESS_MULTIPLY,
    EXPRESS_DIVIDE,
    EXPRESS_POWER,
    EXPRESS_BINARY, /* so many on two values; then those on one */
    EXPRESS_ROOT = EXPRESS_BINARY,
    EXPRESS_FACTORIAL,
    EXPRESS_NEGATE,
    EXPRESS_COUNTED, /* so many count as operators; then those that make numbers */
    EXPRESS_JOIN = EXPRESS_COUNTED,
    EXPRESS_DECIMAL,
    EXPRESS_OPERATORS
};

struct express_split {
    uint16_t left, right; /* parts */
};

struct express_part {
    char digits[EXPRESS_MAX_DIGITS + 1];
    uint8_t length;
    uint32_t first_split, splits;
};

struct express {
    struct items_puzzle puzzle; /* first member */
    bool allowed[EXPRESS_OPERATORS];
    bool kept;   /* the digits' order */
    bool fewest; /* digits are asked for, not operators */
    unsigned parts;
    struct express_part *part;   /* the last one is the whole */
    struct express_split *split; /* of all parts */
};

static inline const struct express *express_of(const struct items_puzzle *puzzle)
{
    return (const struct express *)puzzle;
}

/* A value of a part. */
struct express_row {
    struct rational value;
    uint64_t count;    /* of expressions */
    uint8_t operators; /* the least number of them */
};

/* The first of the parts whose values are items; the others follow it. */
static inline unsigned express_first(const struct express *express)
{
    return express->fewest ? 0 : express->parts - 1;
}

extern const struct items_family express_family;

/* -- definition.c -- */

pdb_status express_create(const struct definition *definition, struct items_puzzle *puzzle, pdb_error *error);

/* Sorts digits, ascending. */
void express_sort_digits(char *digits);

/* A number of so many digits, of which `decimals` stand behind the point. May numbers be written like this? */
bool express_number_allowed(const struct express *express, const char *digits, unsigned decimals);

/* -- operators (rational.c) -- */

/* How an operator is named in a definition. */
extern const char *const express_words[EXPRESS_OPERATORS + 1];

/* What an operator makes of two values, or of one. False where that is nothing, or does not fit. */
bool express_binary(enum express_operator operator, struct rational a, struct rational b, struct rational *out);
bool express_unary(enum express_operator operator, struct rational a, struct rational *out);

/* The values, at most two, from which an operator on one value makes this one; returns how many there are. */
unsigned express_unary_from(enum express_operator operator, struct rational value, struct rational *from);

/* One operand of a binary operator from the other one and the result: the one on the left, or on the right. Writes at
 * most two candidates, which have to be tried, and returns how many there are; EXPRESS_ANY: all values are. Not for the
 * right operand of a power. */
enum { EXPRESS_ANY = 3 };
unsigned express_left_operand(enum express_operator operator, struct rational value, struct rational right,
                              struct rational left[2]);
unsigned express_right_operand(enum express_operator operator, struct rational value, struct rational left,
                               struct rational right[2]);

/* -- build.c -- */

pdb_status express_build(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory, items_observer *observe,
                         void *context, struct items *out, pdb_error *error);

/* -- the tables in bytes (table.c) -- */

struct express_table {
    const struct express *express;
    const uint8_t *bytes;
    uint64_t rows;
};

struct express_table express_table(const struct express *express, const struct items *items);

/* Where a part's rows begin, and end. */
uint64_t express_begin(const struct express_table *table, unsigned part);
uint64_t express_end(const struct express_table *table, unsigned part);

struct express_row express_row(const struct express_table *table, uint64_t row);

/* The first row of a part whose value is not below this one, or the part's end; is it this one? */
uint64_t express_lower(const struct express_table *table, unsigned part, struct rational value);
bool express_find(const struct express_table *table, unsigned part, struct rational value, struct express_row *row);

pdb_status express_accept(const struct items_puzzle *puzzle, const struct items *items, pdb_error *error);

/* The histogram and the hardest items that follow from the bytes. PDB_NO_MEMORY; the caller frees what *items
 * holds in any case. */
pdb_status express_figures(const struct express *express, struct items *items, pdb_error *error);

/* -- expressions (ways.c) -- */

/* Takes an expression as text; false: no more of them. */
typedef bool express_visitor(void *context, const char *text, unsigned operators);

/* Visits expressions of a value that a part has, those with the fewest operators first; among `most`, once it is
 * reached or all are visited, it ends. A search that gets too long ends early. PDB_NO_MEMORY. */
pdb_status express_visit(const struct express_table *table, unsigned part, const struct express_row *row, uint64_t most,
                         express_visitor *visit, void *context, pdb_error *error);

#endif
