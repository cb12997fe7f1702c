/* guess.h -- codes to be guessed (bulls and cows, Mastermind): the room's header, where to begin
 *
 * Here lives what a code is and how it is answered (codes.c), how such a puzzle and what is asked of it are read
 * (definition.c, text.c), and the answers (ask.c). How questions are chosen is behind strategy.h: sizes of classes,
 * symmetries, the search for the least mean, trees and their bytes. Nothing here knows boards, moves or databases.
 *
 * A *code* is a word of `length` symbols of an alphabet, each symbol at most once or as often as one likes. Codes are
 * numbered in lexicographic order, the alphabet's order being that of the definition. The answer to a question, a code
 * itself, is
 *
 *     bulls   symbols that are right, and in the right place
 *     cows    symbols that are right, and in the wrong place; each symbol of the code counts for one of the question
 *
 * and bulls + cows is the sum of min(how often in the question, how often in the code) over all symbols. Both sums are
 * scalar products of bits: a code has a bit (place, symbol) for the symbol on each place, and a bit (k, symbol) for the
 * k-th time that it has a symbol. So an answer is two ANDs and two counts of bits.
 *
 *     answer number = t (t + 1) / 2 + bulls     t = bulls + cows; the last of them is "guessed"
 *
 * Whoever asks keeps the set of the codes that agree with all answers so far. A *strategy* says what to ask next for a
 * set, and nothing else: not how the set came about. So a strategy is a tree of questions with a branch for every
 * answer, and the tree is what a database keeps (strategy.h). A code's distance is the number of questions up to and
 * with the one that it is itself.
 *
 * Literature: D. Knuth, "The computer as Master Mind" (1977); K. Koyama, T. Lai, "An optimal Mastermind strategy"
 * (1993); T. Tanaka, "An optimal MOO strategy" (1996).
 */
#ifndef ITEMS_GUESS_GUESS_H
#define ITEMS_GUESS_GUESS_H

#include "items/items.h"

enum {
    GUESS_MAX_SYMBOLS = 64,
    GUESS_MAX_LENGTH = 16,
    GUESS_MAX_ANSWERS = (GUESS_MAX_LENGTH + 1) * (GUESS_MAX_LENGTH + 2) / 2,
    GUESS_SYMBOL_MAX = 16,             /* bytes of a symbol, with the NUL */
    GUESS_MAX_CODES = 1 << 20,         /* for the strategy that takes the first code */
    GUESS_MAX_WEIGHED_CODES = 1 << 16, /* for those that weigh every question against every code */
    GUESS_MAX_WIDTH = 10000
};

enum guess_strategy { GUESS_FIRST, GUESS_MINIMAX, GUESS_ENTROPY, GUESS_MEAN };

struct guess {
    struct items_puzzle puzzle;

    unsigned symbols, length, answers; /* answers: the numbers of answers are below it; answers - 1 is "guessed" */
    bool repeats;
    bool together; /* every symbol is one character: codes are written without separators */
    enum guess_strategy strategy;
    unsigned width; /* GUESS_MEAN: how many questions are tried for a set */
    char symbol[GUESS_MAX_SYMBOLS][GUESS_SYMBOL_MAX];

    uint32_t codes;
    unsigned words; /* of bits of each of a code's two kinds */
    uint64_t *bits; /* codes * 2 * words: (place, symbol), then (k-th time, symbol) */
};

static inline const struct guess *guess_of(const struct items_puzzle *puzzle)
{
    return (const struct guess *)puzzle;
}

extern const struct items_family guess_family;

/* -- definition.c -- */

pdb_status guess_create(const struct definition *definition, struct items_puzzle *puzzle, pdb_error *error);

/* -- codes.c -- */

/* How many codes there are; UINT64_MAX for more than that. */
uint64_t guess_count_codes(unsigned symbols, unsigned length, bool repeats);

/* Sets the number of codes, their bits and the answers up. PDB_NO_MEMORY. */
pdb_status guess_codes_make(struct guess *guess, pdb_error *error);

/* The symbols of a code, length of them, and back: the number of a word that is a code. */
void guess_symbols(const struct guess *guess, uint32_t code, uint8_t *symbol);
uint32_t guess_number(const struct guess *guess, const uint8_t *symbol);

/* The answers of `question` to each of `count` codes. */
void guess_answers(const struct guess *guess, uint32_t question, const uint32_t *codes, size_t count, uint8_t *answer);
unsigned guess_answer(const struct guess *guess, uint32_t question, uint32_t code);

static inline unsigned guess_answer_number(unsigned bulls, unsigned cows)
{
    const unsigned right = bulls + cows;
    return right * (right + 1) / 2 + bulls;
}

/* Sorts codes by their answers to a question, in the order of the answers, those with the same answer left in their
 * order; `spare` has room for as many. begin[a] .. begin[a + 1] are those with answer a: answers + 1 of them. */
void guess_divide(const struct guess *guess, uint32_t question, uint32_t *codes, size_t count, uint32_t *spare,
                  uint32_t *begin);

/* -- text.c -- */

/* The number of a symbol; guess->symbols where there is none like this. */
unsigned guess_find_symbol(const struct guess *guess, const char *text, size_t length);

struct guess_item {
    uint32_t question;
    unsigned answer;
};

struct guess_history {
    size_t count;
    struct guess_item *item;
    bool is_code; /* no history, but a code: item[0].question */
};

/* Reads a question to the family; "" is the history without questions, and so is "start" where that is no code. The
 * caller frees history->item, whatever the status. Errors: PDB_BAD_BOARD (with what is expected), PDB_NO_MEMORY. */
pdb_status guess_parse(const struct guess *guess, const char *text, struct guess_history *history, pdb_error *error);

/* A code as text, and a question with its answer; `text` has room for GUESS_TEXT_MAX bytes. */
enum { GUESS_TEXT_MAX = GUESS_MAX_LENGTH * GUESS_SYMBOL_MAX + 16 };
void guess_code_text(const struct guess *guess, uint32_t code, char *text);
void guess_item_text(const struct guess *guess, const struct guess_item *item, char *text);

/* -- ask.c -- */

/* As `ask` of items/items.h. A code has the facts
 *
 *     code         the code
 *     questions    (with PDB_WANT_PATH) the game: each question with its answer, "0123:1,0"
 *
 * and its distance is the number of questions. A history has
 *
 *     left         how many codes agree with it
 *     impossible   (none is left) the first answer at which none is, as "1045:0,2"
 *     next         what the strategy asks next, unless the code was guessed already
 *     most         how many more questions at most, the one that is the code counted; this is the distance
 *     mean         and in the mean over the codes left
 *     codes        those left: if there are few, or (with PDB_WANT_PATH) the first thousand */
pdb_status guess_ask(const struct items_puzzle *puzzle, const struct items *items, const char *question, unsigned want,
                     pdb_reply *reply, pdb_error *error);

#endif
