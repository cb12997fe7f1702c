/* mean.h -- the strategy with the least mean: a search for the tree with the fewest questions in all
 *
 * The *cost* of a set of codes is the sum over its codes of the questions asked until they are guessed. With a question
 * that divides a set of n codes into classes, every code pays for the question and those not guessed go on:
 *
 *     cost(set) = n + min over questions of the sum of cost(class) over the classes but that of "guessed"
 *
 * That is branch and bound with
 *   - a lower bound from the number of codes alone, least(n): 1 for n = 1; else n + the sum of least over a guessed code
 *     and the n - 1 others spread evenly over all other answers that there are. So up to answers + 1 codes cost 2 n - 1
 *     at least;
 *   - a table of sets that were searched before, with their cost or a bound;
 *   - symmetries (weigh.h).
 * A set of up to 8 and answers / 2 codes is solved exactly: questions come by the number of classes that they make,
 * which bounds the cost, and end with those that cannot be better. Up to 24 codes only so many of them are tried.
 *
 * A larger set has too many questions to try all: only so many are tried, those with the least likely cost by a guess
 * from the classes' sizes, n (1 + log n / log(answers / 2)) for n codes. Sets of 100 codes or more are searched twice:
 * many questions are tried with a narrow search of their classes, and the best of these with a wider one (a beam, as in
 * nested rollouts: what a quick search of the classes finds says more than their sizes). Deep down the search becomes
 * narrow, and without that deep trees would take too long. So what is found is the least cost among many trees, not
 * always among all.
 *
 * What a search finds for a set depends on nothing but the set, its depth and the width, as a cost that is not known is
 * only a bound that ends what cannot be better, and costs are taken in the order of the questions: so threads and the
 * table never change the outcome.
 *
 * Literature: K. Koyama, T. Lai, "An optimal Mastermind strategy" (1993); T. Tanaka, "An optimal MOO strategy" (1996);
 * T. Cazenave, "Nested Monte-Carlo search" (2009).
 */
#ifndef ITEMS_GUESS_MEAN_H
#define ITEMS_GUESS_MEAN_H

#include "weigh.h"

struct guess_mean;

/* How much of the whole work choosing the first question is. */
#define GUESS_MEAN_SHARE 0.9

/* Makes a search, whose table of sets has 2^memo_bits entries of 16 bytes. `width`: how many questions are tried with
 * a wide search, and some times as many with a narrow one; 0: what is usual. Errors: PDB_NO_MEMORY.
 * The caller frees *out with guess_mean_free (which takes NULL too). */
pdb_status guess_mean_make(const struct guess_weigher *weigher, unsigned width, unsigned memo_bits,
                           struct guess_mean **out, pdb_error *error);
void guess_mean_free(struct guess_mean *mean);

/* The first question of the best tree found for a set. `asked` as for guess_symmetry_make. The set of all codes uses up
 * to so many threads. The outcome is open where the watch was stopped. Thread-safe. */
uint32_t guess_mean_choose(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t asked,
                           unsigned threads);

#endif
