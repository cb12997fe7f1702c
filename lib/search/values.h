/* values.h -- distances as they are kept: as little of each as lets a neighbour be told nearer from farther
 *
 * Where every move can be undone, neighbours' distances differ by at most one, so a distance modulo 3 tells which neighbour is nearer; where a colouring exists
 * they differ by exactly one and modulo 4 does, of which the colour is bit 0. Kept is therefore a *residue*, the distance modulo 3 or 4:
 *
 *   mod4-1bit     bit 1 of the distance; the puzzle's colouring gives bit 0. Every index reaches the goal. State i is bit i % 8 of byte i / 8.
 *   mod3-5perbyte five residues in a byte, v0 + 3 v1 + 9 v2 + 27 v3 + 81 v4: state i is digit i % 5 of byte i / 5. Every index reaches the goal.
 *   mod4-2bit     bit 1 of the distance in two bits, 3 for an index that cannot reach the goal: state i is bits 2 (i % 4) of byte i / 4.
 *   mod3-2bit     the distance modulo 3, 3 for an index that cannot reach the goal; laid out alike.
 *
 * Literature for distances modulo 3: G. Cooperman, L. Finkelstein, "New methods for using Cayley graphs in interconnection networks" (1992).
 */
#ifndef SEARCH_VALUES_H
#define SEARCH_VALUES_H

#include "../puzzle.h"

enum encoding { ENCODING_MOD4_1BIT, ENCODING_MOD3_5PERBYTE, ENCODING_MOD4_2BIT, ENCODING_MOD3_2BIT, ENCODINGS };

enum { RESIDUE_NONE = 255 }; /* of an index that cannot reach the goal */

const char *encoding_name(enum encoding encoding);
/* False where no encoding has this name. */
bool encoding_by_name(const char *name, enum encoding *encoding);
/* Bytes for this many states. */
uint64_t encoding_bytes(enum encoding encoding, uint64_t states);
/* 3 or 4. */
unsigned encoding_modulus(enum encoding encoding);

/* Where the bytes are. `at` returns the address of the byte at `offset`, with *run (at least 1) bytes behind one another from there on; NULL with *error filled. Thread-safe. */
struct byte_source {
    const uint8_t *(*at)(const void *context, uint64_t offset, uint64_t *run, pdb_error *error);
    const void *context;
};

/* The residues of a puzzle's states. */
struct values {
    const struct pdb_puzzle *puzzle;
    enum encoding encoding;
    struct byte_source source;
};

/* The residue of each index, RESIDUE_NONE for those that cannot reach the goal. Errors: those of the source. Thread-safe. */
pdb_status values_get(const struct values *values, const uint64_t *index, size_t count, uint8_t *residue, pdb_error *error);

/* Packing, word by word. `low` and `high` are bit planes of the residues 0..2 (`high` may be NULL for all 0), `reached` that of the indices that have one; 64 states a word.
 * Writes encoding_bytes(encoding, states) bytes; bits past the last state are 0. Not for ENCODING_MOD4_1BIT, which is its plane. */
void values_pack(enum encoding encoding, uint64_t states, const uint64_t *low, const uint64_t *high,
                 const uint64_t *reached, uint8_t *bytes, unsigned threads);

#endif
