/* mean_classes.h -- what every question does to a set of few codes, for many questions at a time
 *
 * The answer of question q to code c is that of c to q. So the answers of a row of questions to one code lie side by
 * side in the table, and classes are counted for a block of questions at once, a byte for each: the processor counts
 * for 16 or 32 questions with one instruction.
 */
#ifndef ITEMS_GUESS_MEAN_CLASSES_H
#define ITEMS_GUESS_MEAN_CLASSES_H

#include "weigh.h"

enum {
    GUESS_BLOCK = 64,             /* questions */
    GUESS_MAX_COUNTED = UINT8_MAX /* codes of a set */
};

struct guess_block {
    uint8_t size[GUESS_MAX_ANSWERS + 3][GUESS_BLOCK]; /* of the class of each answer, and 0 for 3 more */
    uint8_t classes[GUESS_BLOCK];                     /* how many are not empty */
    uint8_t largest[GUESS_BLOCK];
};

/* Counts for the questions from `first` on, those below guess->codes. `count` is at most GUESS_MAX_COUNTED. */
void guess_block_count(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                       struct guess_block *block);
/* The same, without instructions that not every processor has. */
void guess_block_count_portable(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                                struct guess_block *block);

#endif
