/* sequence.c -- ranks of sequences of pieces and empty cells (keys.c), of which most are empty cells
 *
 * The rank of a sequence counts those before it: at each thing, those that go on with a smaller class. Empty cells are
 * the smallest class, so nothing comes before one. At a piece of class c, with m things and p pieces left, there come
 * before it
 *
 *     C(m - 1, p) P               orders with an empty cell there,
 *     C(m - 1, p - 1) P s / p     with one of the s pieces left that are of a smaller class,
 *
 * P being the orders of the p pieces among themselves. So a step is made for each piece, none for empty cells.
 */
#include "packed.h"

void packed_sequence_prepare(const struct slide *slide, struct packed *packed)
{
    unsigned pieces = 0;
    unsigned __int128 orders = 1;
    for (unsigned n = 0; n <= PACKED_PLACES; n++) {
        packed->choose[n][0] = 1;
        for (unsigned k = 1; k <= n; k++)
            packed->choose[n][k] = packed->choose[n - 1][k - 1] + packed->choose[n - 1][k];
    }
    for (unsigned n = 1; n <= PACKED_PLACES; n++) {
        const uint64_t odd = n >> __builtin_ctz(n);
        packed->inverse[n] = 1;
        for (unsigned i = 0; i < 6; i++) /* each time twice as many bits are right */
            packed->inverse[n] *= 2 - odd * packed->inverse[n];
    }
    for (unsigned f = 0; f < packed->fields; f++) {
        for (unsigned i = 1; i <= packed->field[f].count; i++) {
            packed->pieces_of[f] |= (uint64_t)1 << pieces++;
            orders = orders <= UINT64_MAX ? orders * pieces / i : orders;
        }
    }
    packed->different = pieces == packed->fields;
    uint64_t factorial = 1; /* those that are too great for a word are never asked for */
    for (unsigned p = 1; packed->different && p <= pieces; p++) {
        for (unsigned n = 0; n <= PACKED_PLACES; n++) {
            packed->before[p][n].piece = packed->choose[n][p - 1] * factorial;
            packed->before[p][n].empty = packed->choose[n][p] * factorial * p;
        }
        factorial *= p;
    }
#ifdef __x86_64__
    packed->quick = __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi");
#endif
    const bool lexicographic = slide->order.kind == ORDER_MULTISET || slide->order.kind == ORDER_DISTINCT;
    packed->piece_orders = lexicographic && orders <= UINT64_MAX / PACKED_PLACES ? (uint64_t)orders : 0;
}

static uint64_t rank_things(const struct slide *slide, const struct packed_sequence *sequence)
{
    uint8_t class[PACKED_PLACES];
    unsigned things = 0;
    for (uint64_t left = sequence->firsts | (slide->packed->board & ~sequence->covered); left != 0; left &= left - 1)
        class[things++] = (left & -left & sequence->firsts) != 0 ? (uint8_t)(sequence->kind[__builtin_ctzll(left)] + 1)
                                                                 : 0;
    return order_rank(&slide->order, class);
}

/* The things behind the first piece that is left. */
static inline unsigned things_behind(uint64_t things, uint64_t left)
{
    return (unsigned)__builtin_popcountll(things & ~(left ^ (left - 1)));
}

/* The same as rank_pieces, of pieces that are all different: each is a kind, and one bit of those still there. */
__attribute__((always_inline)) static inline uint64_t rank_different(const struct packed *packed,
                                                                     const struct packed_sequence *sequence,
                                                                     uint64_t things, uint64_t left, unsigned pieces,
                                                                     struct packed_rank now, struct packed_rank *at)
{
    const struct packed_before(*before)[PACKED_PLACES + 1] = &packed->before[pieces];
    for (; left != 0; left &= left - 1, before--) {
        const struct packed_before *here = &(*before)[things_behind(things, left)];
        const uint64_t piece = (uint64_t)1 << sequence->kind[__builtin_ctzll(left)];
        if (at != NULL) {
            at->rank = now.rank;
            at++->there = now.there;
        }
        now.rank += here->empty + here->piece * (uint64_t)__builtin_popcountll(now.there & (piece - 1));
        now.there ^= piece;
    }
    return now.rank;
}

/* Goes from piece to piece: from the first one at or behind place `from`, where at[] says what is known there. */
__attribute__((always_inline)) static inline uint64_t rank_pieces(const struct packed *packed,
                                                                  const struct packed_sequence *sequence,
                                                                  struct packed_rank *at, unsigned from)
{
    const uint64_t things = sequence->firsts | (packed->board & ~sequence->covered),
                   before = sequence->firsts & (((uint64_t)1 << from) - 1);
    unsigned number = (unsigned)__builtin_popcountll(before),
             pieces = (unsigned)__builtin_popcountll(sequence->firsts ^ before); /* from here on */
    struct packed_rank now = at != NULL && from > 0 ? at[number] : packed_rank_begin(packed, pieces);
    if (packed->different)
        return rank_different(packed, sequence, things, sequence->firsts ^ before, pieces, now,
                              at != NULL ? at + number : NULL);
    for (uint64_t left = sequence->firsts ^ before; left != 0; left &= left - 1, pieces--) {
        if (at != NULL)
            at[number++] = now;
        packed_rank_add(packed, &now, sequence->kind[__builtin_ctzll(left)], pieces, things_behind(things, left));
    }
    return now.rank;
}

#ifdef __x86_64__
__attribute__((target("popcnt,bmi"))) static uint64_t rank_pieces_popcnt(const struct packed *packed,
                                                                         const struct packed_sequence *sequence)
{
    return rank_pieces(packed, sequence, NULL, 0);
}

__attribute__((target("popcnt,bmi"))) static uint64_t rank_next_popcnt(const struct packed *packed,
                                                                       struct packed_ranks *ranks, unsigned from)
{
    return rank_pieces(packed, &ranks->sequence, ranks->at, from);
}
#endif

uint64_t packed_sequence_rank(const struct slide *slide, const struct packed_sequence *sequence)
{
    if (slide->packed->piece_orders == 0)
        return rank_things(slide, sequence);
#ifdef __x86_64__
    if (slide->packed->quick)
        return rank_pieces_popcnt(slide->packed, sequence);
#endif
    return rank_pieces(slide->packed, sequence, NULL, 0);
}

uint64_t packed_rank_next(const struct slide *slide, struct packed_ranks *ranks, unsigned from)
{
    if (slide->packed->piece_orders == 0)
        return rank_things(slide, &ranks->sequence);
#ifdef __x86_64__
    if (slide->packed->quick)
        return rank_next_popcnt(slide->packed, ranks, from);
#endif
    return rank_pieces(slide->packed, &ranks->sequence, ranks->at, from);
}
