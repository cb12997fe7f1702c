/* token.h -- an expression's text as tokens */
#ifndef FAMILIES_RULES_TOKEN_H
#define FAMILIES_RULES_TOKEN_H

#include "lib/definition/definition.h"

enum token_kind { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN, TOKEN_QUOTED };

/* The tokens of a scalar, one at a time: the one at hand. */
struct tokens {
    const struct node *node;
    const char *text;
    enum token_kind kind;
    size_t offset, length; /* within the text; of a quoted one without its quotes */
    int32_t number;
    unsigned depth; /* of what is nested */
};

/* Where a complaint about it points: of a quoted one at the quote. */
static inline size_t token_place(const struct tokens *tokens)
{
    return tokens->offset - (tokens->kind == TOKEN_QUOTED);
}

/* The first token. Errors: PDB_BAD_DEFINITION, at the column: no scalar, a character that no token has. */
pdb_status tokens_begin(struct tokens *tokens, const struct node *node, pdb_error *error);
pdb_status tokens_next(struct tokens *tokens, pdb_error *error);

/* Is it this sign, or this word of the language? */
bool token_is(const struct tokens *tokens, const char *sign);

/* If it is, goes on to the next one and says so in *was. */
pdb_status token_skip(struct tokens *tokens, const char *sign, bool *was, pdb_error *error);

/* A complaint at the token: "expected .., not '..'". */
pdb_status token_unexpected(const struct tokens *tokens, const char *expected, pdb_error *error);

/* Goes on if it is this sign, else complains. */
pdb_status token_expect(struct tokens *tokens, const char *sign, const char *expected, pdb_error *error);

#endif
