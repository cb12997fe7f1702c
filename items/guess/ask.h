/* ask.h -- answers to what is asked about codes */
#ifndef ITEMS_GUESS_ASK_H
#define ITEMS_GUESS_ASK_H

#include "guess.h"

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
