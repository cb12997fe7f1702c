/* order.c -- perfect ranking of the orders of a row of things, some of them alike */
#include "order.h"

#include <string.h>

/* Up to this number's factorial, a weight w, dividing by it is multiplying by m = floor(2^64 / w) + 1 and shifting: as
 * m w - 2^64 <= w, the quotient is right below 2^64 / w, and what a digit is taken from is below w times its radix. */
enum { RECIPROCAL_MAX = 12 };

/* The multinomial number of orders, as a product of binomials; every step is exact, being a number of orders itself.
 * False from 2^63 on. */
static bool count_orders(unsigned classes, const uint8_t members[], uint64_t *orders)
{
    unsigned __int128 count = 1;
    unsigned things = 0;
    for (unsigned c = 0; c < classes; c++)
        for (unsigned i = 1; i <= members[c]; i++) {
            count = count * ++things / i;
            if (count >> 63)
                return false;
        }
    *orders = (uint64_t)count;
    return true;
}

/* What a multiset's ranks are made with. An odd number is its own inverse modulo 8; every step doubles the bits that
 * are right (Newton). */
static void prepare_multiset(struct order_ranking *ranking)
{
    for (unsigned c = 0, before = 0; c < ranking->classes; before += ranking->members[c++])
        ranking->before[c / 8] |= (uint64_t)before << c % 8 * 8;
    for (unsigned i = 1; i <= ranking->things; i++) {
        const uint64_t odd = i >> __builtin_ctz(i);
        uint64_t inverse = odd;
        for (unsigned bits = 3; bits < 64; bits *= 2)
            inverse *= 2 - odd * inverse;
        ranking->inverse[i] = inverse;
    }
}

bool order_ranking_init(struct order_ranking *ranking, unsigned classes, const uint8_t members[], bool halved)
{
    memset(ranking, 0, sizeof *ranking);
    ranking->classes = classes;
    unsigned pairs = 0, larger = 0;
    for (unsigned c = 0; c < classes; c++) {
        ranking->members[c] = members[c];
        ranking->things += members[c];
        if (members[c] == 2) {
            pairs++;
            ranking->pair = (uint8_t)c;
        }
        larger += members[c] > 2;
    }
    if (!count_orders(classes, members, &ranking->orders))
        return false;
    bool lehmer = ranking->things <= ORDER_MAX_LEHMER && larger == 0;
    if (lehmer && pairs == 1)
        ranking->kind = ORDER_PAIR;
    else if (lehmer && pairs == 0)
        ranking->kind = halved && ranking->things >= 2 ? ORDER_HALVED : ORDER_DISTINCT;
    else
        ranking->kind = ORDER_MULTISET;
    if (ranking->kind == ORDER_HALVED)
        ranking->orders /= 2;
    if (ranking->kind == ORDER_MULTISET) {
        prepare_multiset(ranking);
        return true;
    }
    uint64_t factorial = 1;
    for (unsigned i = 0; i < ranking->things; i++) {
        if (i > 0)
            factorial *= i;
        const unsigned place = ranking->things - 1 - i;
        ranking->weight[place] = factorial;
        ranking->reciprocal[place] = i <= RECIPROCAL_MAX ? UINT64_MAX / factorial + 1 : 0;
    }
    return true;
}

unsigned order_parity(unsigned things, const uint8_t *order)
{
    unsigned inversions = 0;
    for (unsigned i = 0; i < things; i++)
        for (unsigned j = i + 1; j < things; j++)
            inversions += order[j] < order[i];
    return inversions & 1;
}

/* -- the Lehmer kinds -- */

/* Tells the two members of the pair's class apart: labels are classes, those above the pair's moved up by one, and the
 * pair's own are the class and the class plus one, the smaller first. */
static void labels_of(const struct order_ranking *ranking, const uint8_t *order, uint8_t *label)
{
    if (ranking->kind != ORDER_PAIR) {
        memcpy(label, order, ranking->things);
        return;
    }
    bool first = true;
    for (unsigned i = 0; i < ranking->things; i++) {
        label[i] = order[i];
        if (order[i] > ranking->pair || (order[i] == ranking->pair && !first))
            label[i]++;
        if (order[i] == ranking->pair)
            first = false;
    }
}

/* What swapping the pair's labels adds to the Lehmer rank (modulo 2^64): they are neighbours in value, so only the
 * digit of the earlier one changes, up by one if it had the smaller label. */
static uint64_t pair_swap(const struct order_ranking *ranking, unsigned earlier, uint8_t earlier_label)
{
    return earlier_label == ranking->pair ? ranking->weight[earlier] : -ranking->weight[earlier];
}

static uint64_t lehmer_rank(const struct order_ranking *ranking, const uint8_t *order)
{
    uint8_t label[ORDER_MAX_LEHMER];
    labels_of(ranking, order, label);
    unsigned n = ranking->things, inversions = 0, earlier = n;
    uint64_t lehmer = 0;
    for (unsigned i = 0; i < n; i++) {
        unsigned digit = 0;
        for (unsigned j = i + 1; j < n; j++)
            digit += label[j] < label[i];
        lehmer += digit * ranking->weight[i];
        inversions += digit;
        if (ranking->kind == ORDER_PAIR && earlier == n && order[i] == ranking->pair)
            earlier = i;
    }
    switch (ranking->kind) {
    case ORDER_PAIR:
        if (inversions & 1)
            lehmer += pair_swap(ranking, earlier, label[earlier]);
        return lehmer / 2;
    case ORDER_HALVED:
        return lehmer / 2;
    default:
        return lehmer;
    }
}

/* The digit at a place, where `remainder` is what the places before it have left. A division takes several times longer
 * than a product, and each digit has to wait for the one before it. */
static inline unsigned digit_at(const struct order_ranking *ranking, unsigned place, uint64_t remainder)
{
    const uint64_t reciprocal = ranking->reciprocal[place];
    return (unsigned)(reciprocal != 0 ? (uint64_t)((unsigned __int128)remainder * reciprocal >> 64)
                                      : remainder / ranking->weight[place]);
}

/* Labels and digits of a Lehmer rank of the kind's own. `rest` holds the labels still unused, four bits each: taking
 * one out is two shifts. Past sixteen things they do not fit, and a byte array serves. */
void order_decode(const struct order_ranking *ranking, uint64_t rank, unsigned parity, struct order_code *code)
{
    const unsigned n = ranking->things;
    const bool paritied = ranking->kind != ORDER_DISTINCT;
    if (n > ORDER_MAX_LEHMER)
        __builtin_unreachable(); /* order_ranking_init makes no such ranking */
    if (ranking->kind == ORDER_PAIR)
        parity = 0;
    /* Of the two orders 2 rank and 2 rank + 1 the first is taken for now. */
    uint64_t remainder = paritied ? 2 * rank : rank;
    code->lehmer = remainder;
    /* The digits, from the one of the greatest weight on. Their sum is the number of inversions. */
    unsigned inversions = 0;
    unsigned place = 0;
    for (; place + 2 < n; place++) {
        const unsigned digit = digit_at(ranking, place, remainder);
        remainder -= digit * ranking->weight[place];
        code->digit[place] = (uint8_t)digit;
        inversions += digit;
    }
    for (; place < n; place++) { /* the weights are 1 */
        code->digit[place] = (uint8_t)remainder;
        inversions += (unsigned)remainder;
        remainder = 0;
    }
    /* Has it the wrong parity, then the other: its last two things are swapped, so the last digit but one is 1. */
    if (paritied && ((inversions ^ parity) & 1)) {
        code->digit[n >= 2 ? n - 2 : 0] = 1;
        code->lehmer++;
    }
    /* Digit i says which of the labels still unused, counted from the smallest, stands at place i. */
    if (n <= 16) {
        uint64_t rest = 0xFEDCBA9876543210;
        for (unsigned i = 0; i < n; i++) {
            unsigned shift = 4u * code->digit[i];
            code->label[i] = (uint8_t)((rest >> shift) & 15);
            uint64_t below = ((uint64_t)1 << shift) - 1;
            rest = (rest & below) | ((rest >> 4) & ~below);
        }
        return;
    }
    uint8_t rest[ORDER_MAX_LEHMER];
    for (unsigned i = 0; i < ORDER_MAX_LEHMER; i++)
        rest[i] = (uint8_t)i;
    for (unsigned i = 0; i < n; i++) {
        uint8_t *taken = rest + code->digit[i];
        code->label[i] = *taken;
        memmove(taken, taken + 1, (size_t)(rest + (n - i) - (taken + 1)));
    }
}

/* The thing x at `from` passes the things up to `to`. Each of them shifts by one position, and its digit changes by one
 * if x, which now stands on its other side, is smaller; x's own digit changes by the number of smaller things passed.
 * No other digit changes. */
uint64_t order_rank_moved(const struct order_ranking *ranking, const struct order_code *code, unsigned from,
                          unsigned to)
{
    const uint64_t *weight = ranking->weight;
    const uint8_t *label = code->label, *digit = code->digit;
    const uint8_t x = label[from];
    uint64_t lehmer = code->lehmer - digit[from] * weight[from];
    unsigned smaller = 0; /* things that x passes and that are smaller than x */
    if (from < to) {
        for (unsigned i = from + 1; i <= to; i++) {
            smaller += label[i] < x;
            lehmer += (digit[i] + (unsigned)(x < label[i])) * weight[i - 1] - digit[i] * weight[i];
        }
        lehmer += (digit[from] - smaller) * weight[to];
    } else {
        for (unsigned i = to; i < from; i++) {
            smaller += label[i] < x;
            lehmer += (digit[i] - (unsigned)(x < label[i])) * weight[i + 1] - digit[i] * weight[i];
        }
        lehmer += (digit[from] + smaller) * weight[to];
    }
    if (ranking->kind == ORDER_DISTINCT)
        return lehmer;
    if (ranking->kind == ORDER_PAIR && ((from ^ to) & 1)) {
        /* The order turned odd: tell the pair apart the other way. */
        unsigned earlier = ranking->things;
        uint8_t earlier_label = 0;
        for (unsigned i = 0; i < ranking->things; i++)
            if (label[i] == ranking->pair || label[i] == ranking->pair + 1) {
                unsigned now = i == from ? to : i > from && i <= to ? i - 1 : i < from && i >= to ? i + 1 : i;
                if (now < earlier) {
                    earlier = now;
                    earlier_label = label[i];
                }
            }
        lehmer += pair_swap(ranking, earlier, earlier_label);
    }
    return lehmer / 2;
}

/* -- multisets -- */

/* The share `things / remaining` of that many orders. The quotient is exact, so no division is needed: the power of two
 * is shifted out, and the odd rest has an inverse (T. Jebelean, "An algorithm for exact division", 1993). */
static inline uint64_t share(const struct order_ranking *ranking, uint64_t orders, uint64_t things, unsigned remaining)
{
    const unsigned __int128 product = (unsigned __int128)orders * things;
    return (uint64_t)(product >> __builtin_ctz(remaining)) * ranking->inverse[remaining];
}

static uint64_t multiset_rank(const struct order_ranking *ranking, const uint8_t *order)
{
    const uint64_t ones = 0x0101010101010101;
    const unsigned words = ranking->classes / 8 + 1;
    uint64_t before[ORDER_MAX_THINGS / 8 + 1]; /* a byte for each class: how many things are left of smaller ones */
    uint8_t left[ORDER_MAX_THINGS];
    memcpy(left, ranking->members, ranking->classes);
    memcpy(before, ranking->before, words * sizeof *before);
    uint64_t total = ranking->orders, rank = 0;
    for (unsigned i = 0; i < ranking->things; i++) {
        /* Of the `total` orders of what remains, those before this one begin with a smaller class: their share is that
         * of the things of smaller classes. Then only those count that begin as this one does. */
        const unsigned remaining = ranking->things - i, class = order[i], shift = class % 8 * 8;
        unsigned word = class / 8;
        rank += share(ranking, total, before[word] >> shift & UINT8_MAX, remaining);
        total = share(ranking, total, left[class]--, remaining);
        before[word] -= ones << shift << 8;
        while (++word < words)
            before[word] -= ones;
    }
    return rank;
}

static void multiset_unrank(const struct order_ranking *ranking, uint64_t rank, uint8_t *order)
{
    uint8_t left[ORDER_MAX_THINGS];
    memcpy(left, ranking->members, ranking->classes);
    uint64_t total = ranking->orders;
    for (unsigned i = 0; i < ranking->things; i++) {
        /* The orders of what remains come in runs, one for each class that they begin with; the rank lies in one. */
        unsigned remaining = ranking->things - i, c = 0;
        uint64_t with_c;
        while (rank >= (with_c = share(ranking, total, left[c], remaining))) {
            rank -= with_c;
            c++;
        }
        order[i] = (uint8_t)c;
        left[c]--;
        total = with_c;
    }
}

uint64_t order_rank(const struct order_ranking *ranking, const uint8_t *order)
{
    return ranking->kind == ORDER_MULTISET ? multiset_rank(ranking, order) : lehmer_rank(ranking, order);
}

void order_unrank(const struct order_ranking *ranking, uint64_t rank, unsigned parity, uint8_t *order)
{
    if (ranking->kind == ORDER_MULTISET) {
        multiset_unrank(ranking, rank, order);
        return;
    }
    struct order_code code;
    order_decode(ranking, rank, parity, &code);
    for (unsigned i = 0; i < ranking->things; i++) /* labels become classes again */
        order[i] = (uint8_t)(code.label[i] - (ranking->kind == ORDER_PAIR && code.label[i] > ranking->pair));
}
