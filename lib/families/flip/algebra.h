/* algebra.h -- the sums of a list of vectors, numbered without gaps: linear algebra over the integers modulo k
 *
 * A *span* is the set of all sums (with repetition) of some generators, vectors of `length` numbers modulo k, where k
 * is 2 to 16 and no prime is asked for. It is a direct sum of cyclic groups, and this module finds one: rows R_0, R_1,
 * .. so that every vector of the span is
 *
 *     x = c_0 R_0 + c_1 R_1 + ..          0 <= c_j < radix of digit j
 *
 * in exactly one way, and adding vectors is adding their *digits* c_j modulo their radices, without a carry. Hence a
 * span of 23 lamps' worth is the numbers 0 .. 2^23-1.
 *
 * How. Modulo a power of a prime q = p^e (and k is a product of such powers with different p, which the Chinese
 * remainder theorem lets us treat one by one), every number is a unit times p^v. Gaussian elimination works if the
 * pivot is always an entry with the least v among all that are left: it divides them all. A row whose pivot is p^v has
 * order q / p^v, and as its other entries are multiples of p^v too, divided by it the rows begin a basis of all
 * vectors: the sum is direct. For a prime k this is the reduced echelon form: every radix is k, and the digits are
 * simply the entries at the pivots. Rows of a part q are kept modulo k, multiplied by the number that is 1 modulo q and
 * 0 modulo the other parts.
 *
 * The rows depend on the span alone, and not on the order of the generators: above a pivot p^v all entries are reduced
 * to less than p^v.
 *
 * Generators may carry a *tail*, entries behind the vector that are added along with it and never hold a pivot. With
 * unit vectors for tails, the tail of a sum says how often each generator is in it: the tails of the rows solve
 * equations, and the sums whose vector is zero are *relations* among the generators. Those are the rows that
 * elimination leaves without a pivot, and radix_j R_j for each pivot that is no unit.
 *
 * Literature: A. Storjohann, "Algorithms for Matrix Canonical Forms" (2000), for elimination over Z/k; M. Anderson, T.
 * Feil, "Turning Lights Out with Linear Algebra" (1998).
 */
#ifndef FAMILIES_FLIP_ALGEBRA_H
#define FAMILIES_FLIP_ALGEBRA_H

#include "lib/error.h"

enum { SPAN_MAX_MODULUS = 16, SPAN_MAX_LENGTH = 1024, SPAN_MAX_DIGITS = 2 * SPAN_MAX_LENGTH, SPAN_REGISTER = 32 };

struct span_digit {
    uint16_t pivot; /* the entry that tells this digit, once those before it are subtracted */
    uint8_t part;   /* q: the prime power that the digit belongs to */
    uint8_t scale;  /* the pivot's value modulo q, a power of q's prime */
    uint8_t radix;  /* q / scale */
};

struct span {
    unsigned modulus, length, digits;
    unsigned tail;   /* entries of each row behind `length` */
    unsigned stride; /* length and tail, rounded up to whole vector registers */
    struct span_digit digit[SPAN_MAX_DIGITS];
    uint8_t *row; /* digits * stride, zeros past the tail */
    size_t relations;
    uint8_t *relation; /* relations * tail: generators of all tails whose vector is zero */
};

/* vector += factor * row, where factor is 0 .. modulus, and all entries are below it. */
void span_add(uint8_t *restrict vector, const uint8_t *restrict row, size_t length, unsigned factor, unsigned modulus);

/* The span of `count` generators, one after another, `length` entries and `tail` more below `modulus` each; length at
 * most SPAN_MAX_LENGTH. Errors: PDB_NO_MEMORY. The caller releases it with span_free, which takes one of all zeros
 * too. */
pdb_status span_make(struct span *span, unsigned modulus, unsigned length, unsigned tail, const uint8_t *generators,
                     size_t count, pdb_error *error);
void span_free(struct span *span);

/* The digits of a vector; false where it is not in the span. */
bool span_digits(const struct span *span, const uint8_t *vector, uint8_t *digits);

/* The vector of digits, and its tail: `length` and `tail` entries. */
void span_vector(const struct span *span, const uint8_t *digits, uint8_t *vector);
void span_tail(const struct span *span, const uint8_t *digits, uint8_t *tail);

#endif
