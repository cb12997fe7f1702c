/* parse_inner.h -- the parser's parts to one another */
#ifndef FAMILIES_RULES_PARSE_INNER_H
#define FAMILIES_RULES_PARSE_INNER_H

#include "parse.h"
#include "token.h"

struct parser {
    struct reading *reading;
    struct tokens token;
    pdb_error *error;
    bool tested; /* at a set behind the operator `in` */
};

/* A parser at the first token of a scalar; and whether it has come to the end, else `expected` was wanted. */
pdb_status parser_begin(struct parser *parser, struct reading *reading, const struct node *node, pdb_error *error);
pdb_status parser_end(const struct parser *parser, pdb_status status, const char *expected);

/* Each reads from the token at hand on, and leaves the one behind what it has read. */
pdb_status parse_choice(struct parser *parser, uint32_t *number); /* a whole expression: x if c else y */
pdb_status parse_sum(struct parser *parser, uint32_t *number);    /* one of + and - and what binds more */
pdb_status parse_members(struct parser *parser, uint32_t *set);
pdb_status parse_call(struct parser *parser, enum term_kind kind, bool loop_only, uint32_t *term);

/* A new term, which stands where the token is. */
pdb_status parse_add(struct parser *parser, struct term term, uint32_t *number);

/* The words for what stands in quotes and is a name, for whoever meant it as one; "" for what is none. */
const char *parse_quoted_name(const struct parser *parser, const struct tokens *token);

/* The error that nothing has the name at hand, with what may be meant, or else `otherwise`. */
pdb_status parse_unknown(const struct parser *parser, const char *otherwise);

/* The value of a term without variables, and without slots. */
pdb_status parse_constant(struct parser *parser, uint32_t number, int32_t *value);

#endif
