/* values.h -- distances as they are kept: as little of each as lets a neighbour be told nearer from farther
 *
 * Where every move can be undone, neighbours' distances differ by at most one, so a distance modulo 3 tells which
 * neighbour is nearer; where a colouring exists they differ by exactly one and modulo 4 does, of which the colour is
 * bit 0. Kept is therefore a *residue*, the distance modulo 3 or 4:
 *
 *   mod4-1bit      bit 1 of the distance; the puzzle's colouring gives bit 0. Every index reaches the goal.
 *                  State i is bit i % 8 of byte i / 8.
 *   mod3-5perbyte  five residues in a byte, v0 + 3 v1 + 9 v2 + 27 v3 + 81 v4. Every index reaches the goal.
 *                  State i is digit i % 5 of byte i / 5.
 *   mod4-2bit      bit 1 of the distance in two bits, 3 for an index that cannot reach the goal.
 *                  State i is bits 2 (i % 4) and the next one of byte i / 4.
 *   mod3-2bit      the distance modulo 3, 3 for an index that cannot reach the goal; laid out alike.
 *
 * Where moves cannot be undone a state's distance says nothing of its neighbours', and the distance itself is kept:
 *
 *   exact-1bit, exact-2bit, exact-4bit, exact-8bit, exact-16bit, exact-32bit
 *                  the distance in N bits, all ones for an index that cannot reach the goal; N is the least that has
 *                  max + 2 values. State i is the N bits from bit N i on, counted from bit 0 of byte 0; 16 and 32 bits
 *                  are little-endian.
 *
 * No distance is greater than DISTANCE_MAX. A look-up reads one byte, or those of one distance; where distances are
 * exact, of a chunk that is inflated first (db/deflated.h).
 *
 * Literature for distances modulo 3: G. Cooperman, L. Finkelstein, "New methods for using Cayley graphs in
 * interconnection networks" (1992).
 */
#ifndef SEARCH_SPACE_VALUES_H
#define SEARCH_SPACE_VALUES_H

#include "lib/rank/bytes.h"
#include "lib/puzzle.h"
#include "lib/team.h"

enum encoding {
    ENCODING_MOD4_1BIT,
    ENCODING_MOD3_5PERBYTE,
    ENCODING_MOD4_2BIT,
    ENCODING_MOD3_2BIT,
    ENCODING_EXACT_1BIT,
    ENCODING_EXACT_2BIT,
    ENCODING_EXACT_4BIT,
    ENCODING_EXACT_8BIT,
    ENCODING_EXACT_16BIT,
    ENCODING_EXACT_32BIT,
    ENCODINGS
};

/* The greatest distance that is found and kept. */
enum { DISTANCE_MAX = (1 << 24) - 1 };

/* Of an index that cannot reach the goal. */
enum { RESIDUE_NONE = 255 };
enum { DISTANCE_NONE = UINT32_MAX };

const char *encoding_name(enum encoding encoding);
/* False where no encoding has this name. */
bool encoding_by_name(const char *name, enum encoding *encoding);
/* Bytes for this many states. */
uint64_t encoding_bytes(enum encoding encoding, uint64_t states);
/* 3 or 4; 0 where the distance itself is kept. */
unsigned encoding_modulus(enum encoding encoding);
/* The exact encoding for distances up to `max`. */
enum encoding encoding_exact(uint64_t max);
/* Is this what a puzzle of this kind is kept in: residues where moves can be undone (modulo 4 where it is coloured),
 * else exact distances? Where only a search can tell, either fits. */
bool encoding_fits(enum encoding encoding, const struct puzzle *puzzle);

/* The distances of a puzzle's states as they are kept. */
struct values {
    const struct puzzle *puzzle;
    enum encoding encoding;
    struct byte_source source;
    uint32_t depths; /* all distances are said to be less: a walk that goes on is refused; 0: not known */
    /* Asked now and then by what takes long over them, on the thread that does it: so many steps are done, or states;
     * false stops that. NULL: nobody. */
    bool (*observe)(const void *context, uint64_t done);
    const void *context;
    struct distance_memo *memo; /* where distances that were found are looked up (distance.h), by one thread alone; or
                                   NULL */
    uint64_t memory;            /* bytes that counting paths over them may take; 0: as many as it does */
};

/* The residue of each index, RESIDUE_NONE for those that cannot reach the goal; not for an exact encoding. Errors:
 * those of the source. Thread-safe. */
pdb_status values_get(const struct values *values, const uint64_t *index, size_t count, uint8_t *residue,
                      pdb_error *error);

/* The distance of each index, DISTANCE_NONE for those that cannot reach the goal; for an exact encoding only. Errors:
 * those of the source. Thread-safe. */
pdb_status values_get_exact(const struct values *values, const uint64_t *index, size_t count, uint32_t *distance,
                            pdb_error *error);

/* Packing, word by word. `low` and `high` are bit planes of the residues 0..2 (`high` may be NULL for all 0), `reached`
 * that of the indices that have one; 64 states a word. Writes encoding_bytes(encoding, states) bytes; bits past the
 * last state are 0. Not for ENCODING_MOD4_1BIT, which is its plane. The team may be NULL. */
void values_pack(enum encoding encoding, uint64_t states, const uint64_t *low, const uint64_t *high,
                 const uint64_t *reached, uint8_t *bytes, struct team *team);

/* Packs distances, a byte each (255: none), in place into any encoding of a byte or less. */
void values_pack_distances(enum encoding encoding, uint64_t states, uint8_t *bytes, struct team *team);

#endif
