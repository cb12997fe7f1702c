/* text.h -- what people type about codes: a code, or a history of questions and answers
 *
 *     code        its symbols; blanks, commas and slashes may separate them, and have to where a symbol has several
 *                 characters
 *     history     CODE:BULLS,COWS for each question; blanks, commas, semicolons and newlines separate them
 */
#ifndef ITEMS_GUESS_TEXT_H
#define ITEMS_GUESS_TEXT_H

#include "guess.h"

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

#endif
