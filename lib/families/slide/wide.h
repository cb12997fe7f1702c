/* wide.h -- sliding pieces whose packed keys do not fit (packed.h): boards of any size, keys of up to 128 bits
 *
 * A key has one of two forms:
 *
 *   fields   one for each kind of pieces and each *region* of its places: one that no piece of the kind ever leaves,
 *            such as the line of a car. As in packed.h a field is a set of the numbers of its places, or a list of
 *            them, whichever is shorter.
 *   digits   the sequence of pieces and empty cells, one digit each (digits.c): shorter where few cells are empty.
 *
 * Moves are looked for on the map. Fields are quicker and taken where they fit. Keys of up to WIDE_NARROW_BITS are
 * packed keys; longer ones are wide keys (puzzle.h), for puzzles whose ranks do not fit.
 */
#ifndef FAMILIES_SLIDE_WIDE_H
#define FAMILIES_SLIDE_WIDE_H

#include "slide.h"

enum { WIDE_NARROW_BITS = 62 };

/* Lays keys out for a keyed puzzle whose named boards are known. *out is NULL where they do not fit into 128 bits, or
 * no board is named; the caller frees it with wide_fields_free. Error: PDB_NO_MEMORY. */
pdb_status wide_fields_make(const struct slide *slide, struct wide_fields **out, pdb_error *error);
void wide_fields_free(struct wide_fields *fields);
unsigned wide_fields_bits(const struct wide_fields *fields);

/* The key of a map; false where a piece stands in none of its places. */
bool slide_wide_key(const struct slide *slide, const uint8_t *map, struct wide_key *key);
/* False, and a board of empty cells, where it is no board's key. */
bool slide_wide_map(const struct slide *slide, struct wide_key key, uint8_t *map);

/* -- digits.c: the same in digits -- */

/* How many bits the keys have; more than 128 where they do not fit. */
unsigned slide_digits_bits(const struct slide *slide);
struct wide_key slide_digits(const struct slide *slide, const uint8_t *map);
bool slide_digits_map(const struct slide *slide, struct wide_key key, uint8_t *map);

/* -- wide.c: the contract's functions -- */

struct wide_functions slide_wide_functions(void);
struct packed_functions slide_wide_packed(void);

#endif
