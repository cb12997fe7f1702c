/* numbering.h -- states by numbers that leave out what can never be: how often a value stands in an array
 *
 * Where moves conserve an array (conserved.h), all states have the same values in it, those of the start, in another
 * order. Five boxes on 29 cells are 118,755 orders, where 29 digits of one bit are 2^29; so a state's index is
 *
 *     rank of the array's order * ways of all other elements + those, as a sum of digits times weights
 *
 * which has few gaps, or none. The program works on keys (rules.h); only here is it known that there are indices.
 *
 * The array's digits in a key are taken apart into *chunks* of 4 bits, which have as many digits as go into them. What
 * is left of the values from a chunk on is a *content*, numbered as the vectors in lib/rank/multiset.h are. For each
 * chunk and content a row of 16 numbers says how many orders of the content begin with a lesser chunk than each of the
 * 16: the rank is the sum of one of each row along the way, and the chunk of a rank is the last one whose number is not
 * above it. That is a look-up, or a comparison of 16 numbers at once, for each chunk.
 *
 * Where many states are asked for, up to four chunks at the beginning of the array are taken together, and as many at
 * its end (numbering_pieces.c): of the last ones the content is known by what they are, so that their table needs no
 * row for each. An array of up to 32 bits then takes two look-ups, neither of which waits for the other.
 */
#ifndef FAMILIES_RULES_NUMBERING_H
#define FAMILIES_RULES_NUMBERING_H

#include "rules.h"

/* Finds an array by which states are to be numbered, before there is a layout: *out is NULL where it is not worth it.
 * The caller frees *out. Errors: PDB_NO_MEMORY. */
pdb_status numbering_make(struct rules *rules, struct numbering **out, pdb_error *error);
void numbering_free(struct numbering *numbering);

/* Once there is a layout. */
void numbering_lay_out(struct numbering *numbering, const struct rules *rules);

/* Every index is below. */
uint64_t numbering_indices(const struct numbering *numbering);

/* Has a key's array the values that all states have? */
bool numbering_has(const struct numbering *numbering, uint64_t key);

/* The index of a key that has them; the keys of indices, for which a table may be made when many are asked for. */
uint64_t numbering_index(const struct numbering *numbering, uint64_t key);
void numbering_keys(struct numbering *numbering, const uint64_t *index, size_t count, uint64_t *key);

/* The next keys of some states become indices, next_count[i] of them of the one with index[i] and key[i]: many have the
 * array as it was. */
void numbering_of_next(const struct numbering *numbering, const uint64_t *index, const uint64_t *key, size_t count,
                       uint64_t *next, const uint16_t *next_count);

#endif
