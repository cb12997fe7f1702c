/* definition.c -- reads the definition of a game of codes: alphabet, length, strategy */
#include "lib/text.h"
#include "guess.h"
#include "lib/definition/symbol_list.h"

#include <stdio.h>
#include <string.h>

/* A symbol may not hold what separates symbols, codes and answers. */
static pdb_status add_symbol(void *to, const struct node *node, size_t offset, const char *text, size_t length,
                             pdb_error *error)
{
    struct guess *guess = to;
    if (length == 0 || length >= GUESS_SYMBOL_MAX)
        return node_error_at(error, node, offset, "a symbol has from 1 to %d bytes", GUESS_SYMBOL_MAX - 1);
    for (size_t i = 0; i < length; i++)
        if (strchr(" \t\n,;:/", text[i]) != NULL)
            return node_error_at(error, node, offset, "'%.*s': a symbol has no blank and none of , ; : / in it",
                                 (int)length, text);
    if (guess_find_symbol(guess, text, length) < guess->symbols)
        return node_error_at(error, node, offset, "there are two symbols '%.*s'", (int)length, text);
    if (guess->symbols == GUESS_MAX_SYMBOLS)
        return node_error_at(error, node, offset, "there are more than %d symbols", GUESS_MAX_SYMBOLS);
    char *symbol = guess->symbol[guess->symbols++];
    memcpy(symbol, text, length);
    symbol[length] = '\0';
    guess->together = guess->together && utf8_length(symbol) == length;
    return PDB_OK;
}

/* Enough room for the codes and, where every question is weighed, time for all pairs of them. */
static pdb_status check_size(const struct node *root, const struct guess *guess, pdb_error *error)
{
    const uint64_t codes = guess_count_codes(guess->symbols, guess->length, guess->repeats),
                   most = guess->strategy == GUESS_FIRST ? GUESS_MAX_CODES : GUESS_MAX_WEIGHED_CODES;
    char count[NUMBER_TEXT_MAX], limit[NUMBER_TEXT_MAX];
    if (codes == 0)
        return node_error(error, root,
                          "there is no code of %u different symbols out of %u: a shorter 'length', or 'repeats: true'",
                          guess->length, guess->symbols);
    if (codes <= most)
        return PDB_OK;
    return error_set(
        error, PDB_TOO_LARGE, "%s codes are too many: at most %s with this strategy%s",
        codes == UINT64_MAX ? "more than 10^19" : number_text(codes, count), number_text(most, limit),
        guess->strategy == GUESS_FIRST ? "" : ", which weighs every question against every code; 'first' does not");
}

pdb_status guess_create(const struct definition *definition, struct items_puzzle *puzzle, pdb_error *error)
{
    static const char *const strategies[] = {"first", "minimax", "entropy", "mean", NULL};
    struct guess *guess = (struct guess *)puzzle;
    const struct node *root = definition_root(definition), *symbols, *length, *repeats = node_find(root, "repeats");
    const struct node *strategy = node_find(root, "strategy"), *width = node_find(root, "width");
    unsigned choice = GUESS_FIRST;
    int64_t number = 0;
    guess->together = true;
    pdb_status status = node_require(root, "symbols", &symbols, error);
    if (status == PDB_OK)
        status = symbol_list_read(symbols, add_symbol, guess, error);
    if (status == PDB_OK && guess->symbols == 0)
        return node_error(error, symbols, "there is no symbol");
    if (status == PDB_OK)
        status = node_require(root, "length", &length, error);
    if (status == PDB_OK)
        status = node_as_integer(length, 1, GUESS_MAX_LENGTH, &number, error);
    guess->length = (unsigned)number;
    if (status == PDB_OK && repeats != NULL)
        status = node_as_bool(repeats, &guess->repeats, error);
    if (status == PDB_OK && strategy != NULL)
        status = node_as_choice(strategy, strategies, &choice, error);
    guess->strategy = (enum guess_strategy)choice;
    number = 0;
    if (status == PDB_OK && width != NULL && guess->strategy != GUESS_MEAN)
        return node_error(error, width, "'width' is for the strategy 'mean': how wide it searches");
    if (status == PDB_OK && width != NULL)
        status = node_as_integer(width, 1, GUESS_MAX_WIDTH, &number, error);
    guess->width = (unsigned)number;
    if (status == PDB_OK)
        status = check_size(root, guess, error);
    if (status == PDB_OK)
        status = guess_codes_make(guess, error);
    puzzle->unit = "question";
    puzzle->count = guess->codes;
    return status;
}
