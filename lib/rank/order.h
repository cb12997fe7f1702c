/* order.h -- perfect ranking of the orders of a row of things, some of them alike
 *
 * The room numbers things: orders (here; multiset.h does it by table), and states that have only keys (keys.h, a sorted
 * table in memory or in a file, of which bytes.h says where the bytes are; sort_keys.h sorts them, key_bits.h is a set
 * of them). parts.h folds keys of up to 128 bits (wide_key.h) into 64. It knows no puzzle, no board and no search.
 * bytes.h and wide_key.h are types alone, which rooms may include that see nothing else here.
 *
 * An order is a sequence of n things given by their classes 0, 1, ..: class c occurs members[c] times, at least once.
 * Its rank is a number in 0 .. orders-1, the place of the sequence in lexicographic order, except that an order whose
 * parity is known is ranked among the orders of that parity only:
 *
 *   ORDER_DISTINCT  every class has one member. Lehmer code: digit i counts the later things that are smaller, its
 *                   weight is (n-1-i)!.
 *   ORDER_HALVED    the same, and the parity of the permutation is known. The orders 2r and 2r+1 differ by a swap of
 *                   the last two things, so exactly one of them has the wanted parity, and the rank is r.
 *   ORDER_PAIR      one class has two members, every other class one. The two are told apart so that the permutation is
 *                   even, and ranked as above.
 *   ORDER_MULTISET  anything else. With T orders of the things from position i on, m of them left, those that begin
 *                   with class c number T * left[c] / m.
 *
 * Literature: D. H. Lehmer, "Teaching combinatorial tricks to a computer" (1960); D. E. Knuth, TAOCP 4A, 7.2.1.2.
 */
#ifndef RANK_ORDER_H
#define RANK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORDER_MAX_THINGS = 255, ORDER_MAX_LEHMER = 20 };

enum order_kind { ORDER_DISTINCT, ORDER_HALVED, ORDER_PAIR, ORDER_MULTISET };

struct order_ranking {
    enum order_kind kind;
    unsigned things, classes;
    uint64_t orders; /* how many ranks there are */
    uint8_t pair;    /* ORDER_PAIR: the class with two members */
    uint8_t members[ORDER_MAX_THINGS];
    uint64_t weight[ORDER_MAX_LEHMER];     /* (n-1-i)! */
    uint64_t reciprocal[ORDER_MAX_LEHMER]; /* of the weight, times 2^64; 0 where that would not be exact enough */
    /* ORDER_MULTISET: the inverse of a number's odd part, modulo 2^64 */
    uint64_t inverse[ORDER_MAX_THINGS + 1];
    uint64_t before[ORDER_MAX_THINGS / 8 + 1]; /* and a byte for each class, how many things are of smaller ones */
};

/* An order taken apart, for moving things about in it: n labels that are all different, and their Lehmer digits. */
struct order_code {
    uint64_t lehmer; /* sum of digit * weight: among all orders, not those of one parity */
    uint8_t label[ORDER_MAX_LEHMER], digit[ORDER_MAX_LEHMER];
};

/* Sets a ranking up for the classes given. `halved` asks for ORDER_HALVED where all are different. Returns false where
 * there are 2^63 orders or more. */
bool order_ranking_init(struct order_ranking *ranking, unsigned classes, const uint8_t members[], bool halved);

/* `parity` (0 even, 1 odd) is that of the order; it counts for ORDER_HALVED only. */
uint64_t order_rank(const struct order_ranking *ranking, const uint8_t *order);
void order_unrank(const struct order_ranking *ranking, uint64_t rank, unsigned parity, uint8_t *order);

/* The parity of an order whose things are all different. */
unsigned order_parity(unsigned things, const uint8_t *order);

/* For every kind but ORDER_MULTISET: the code of a rank, and the rank of the order in which the thing at position
 * `from` has been taken out and put back in at position `to`. Costs |from - to| steps instead of a ranking. */
void order_decode(const struct order_ranking *ranking, uint64_t rank, unsigned parity, struct order_code *code);
uint64_t order_rank_moved(const struct order_ranking *ranking, const struct order_code *code, unsigned from,
                          unsigned to);

#endif
