/* multiset.h -- ranks of the orders of a multiset by table: no division, and an exchange of two things by difference
 *
 * The same numbering as order.h's ORDER_MULTISET: an order's rank is its place in lexicographic order of the classes of
 * its things. While an order is read from left to right, all that counts of the things still to come is how many of
 * each class there are. That *vector* (l0, l1, ..) is numbered
 *
 *     v = l0 * stride[0] + l1 * stride[1] + ..          stride[c] = (members[0] + 1) * .. * (members[c-1] + 1)
 *
 * so taking a thing of class c away is v - stride[c]. Two tables over the vectors:
 *
 *     orders_of[v]              orders of the things left: the multinomial, the sum of orders_of[v - stride[c]] over
 *                               the classes c with something left
 *     before[v * classes + c]   how many of these orders begin with a class below c
 *
 * The rank is the sum of before[] along the way. Orders that differ by an exchange of the things at i and j share the
 * terms before i, and those after j too, for there the same things are left: only j - i + 1 terms are new. So a *trace*
 * of an order keeps the vector and the sum at every position; ranks traced in ascending order share most of their
 * traces as well.
 *
 * There are (members[0] + 1) * (members[1] + 1) * .. vectors, far fewer than orders: 81 for the 2,970 orders of four
 * knights on twelve cells.
 *
 * Literature: D. E. Knuth, TAOCP 4A, 7.2.1.2 (multiset permutations in lexicographic order).
 */
#ifndef RANK_MULTISET_H
#define RANK_MULTISET_H

#include <stdbool.h>
#include <stdint.h>

enum { MULTISET_MAX_CLASSES = 256, MULTISET_MAX_ENTRIES = 1 << 22 };

struct multiset_ranking {
    unsigned things, classes;
    uint64_t orders;
    uint32_t whole;      /* the vector of all things */
    uint32_t *stride;    /* classes of them */
    uint64_t *orders_of; /* by vector; all tables lie behind one another */
    uint64_t *before;    /* by vector and class */
};

/* Position i of an order: what is left from there on, and the sum of the terms before it. One more follows the last
 * position: its `before` is the rank. */
struct multiset_step {
    uint64_t before;
    uint32_t vector;
    uint8_t class;
};

enum multiset_status { MULTISET_OK, MULTISET_TOO_LARGE, MULTISET_NO_MEMORY };

/* How many orders there are, to the precision of a long double. */
long double multiset_count(unsigned classes, const uint16_t members[]);

/* Makes the tables. MULTISET_TOO_LARGE: 2^63 orders or more, or more than MULTISET_MAX_ENTRIES entries of `before`
 * (spaces of 10^13 orders and more). Class c has members[c] things, 0 allowed. */
enum multiset_status multiset_init(struct multiset_ranking *ranking, unsigned classes, const uint16_t members[]);
void multiset_free(struct multiset_ranking *ranking);

/* Bytes of the tables. */
uint64_t multiset_bytes(const struct multiset_ranking *ranking);

/* `order` gives the class of each thing; it has the members that the ranking was made for. */
uint64_t multiset_rank(const struct multiset_ranking *ranking, const uint8_t *order);

/* The rank of the first of all orders that begin with these things; *vector is what is left behind them. */
uint64_t multiset_rank_prefix(const struct multiset_ranking *ranking, const uint8_t *prefix, unsigned length,
                              uint32_t *vector);

void multiset_unrank(const struct multiset_ranking *ranking, uint64_t rank, uint8_t *order);

/* Traces a rank: step[0 .. things]. With `again` the steps hold an earlier trace of this ranking, whose beginning is
 * kept as far as it serves. */
void multiset_trace(const struct multiset_ranking *ranking, uint64_t rank, bool again, struct multiset_step *step);

/* How many orders of a vector's things begin with a thing of this class: 0 where none is left. */
static inline uint64_t multiset_beginning(const struct multiset_ranking *ranking, uint32_t vector, unsigned class)
{
    const uint64_t *before = ranking->before + (uint64_t)vector * ranking->classes;
    return (class + 1 < ranking->classes ? before[class + 1] : ranking->orders_of[vector]) - before[class];
}

/* And how many things of the class are left. */
static inline unsigned multiset_left(const struct multiset_ranking *ranking, uint32_t vector, unsigned class)
{
    const uint32_t above = class + 1 < ranking->classes ? ranking->stride[class + 1] : ranking->whole + 1;
    return vector % above / ranking->stride[class];
}

/* The rank of a traced order once the things at positions i < j have changed places. */
static inline uint64_t multiset_exchanged(const struct multiset_ranking *ranking, const struct multiset_step *step,
                                          unsigned i, unsigned j)
{
    const uint64_t *before = ranking->before;
    const uint32_t *stride = ranking->stride;
    const unsigned classes = ranking->classes;
    uint32_t vector = step[i].vector;
    uint64_t rank = step[i].before + before[vector * classes + step[j].class];
    vector -= stride[step[j].class];
    for (unsigned k = i + 1; k < j; k++) {
        rank += before[vector * classes + step[k].class];
        vector -= stride[step[k].class];
    }
    rank += before[vector * classes + step[i].class];
    return rank + step[ranking->things].before - step[j + 1].before;
}

#endif
