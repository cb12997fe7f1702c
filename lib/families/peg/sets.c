/* sets.c -- sets of holes with a rule: regions and pagoda sets
 *
 * Both are sets that must have one of two other holes for each hole of theirs, once for each jump:
 *
 *   region   a jump over one of its holes begins or ends in it. While a region is full of pegs no jump ends there, so
 *            the first jump that changes it begins there; and as nothing has landed there before, it is the first
 *            of its sweep. Full regions without a common hole need a sweep each.
 *   pagoda   a jump into one of its holes begins in it or goes over a hole of it. Then no jump leaves more pegs in the
 *            set than before: a weight of 1 on its holes and 0 on the others is a pagoda function. (Conway's weights,
 *            which fall by the golden ratio with the distance from the goal's peg, were tried too: on Hoppers,
 *            Triangle-21 and Diagonal-21 they prove nothing that these sets do not.)
 *
 * A set is grown from a hole: where the rule fails, one of the two holes that would mend it is added, or the other one
 * and the first never, so that no set is met twice. Sets of one hole are looked for first, then those of two, and so
 * on; those that contain one found before are of no use. Boards where this takes long get the sets found so far.
 *
 * Literature: J. D. Beasley, "The Ins and Outs of Peg Solitaire", Oxford 1985: Merson's regions (1962), and pagoda
 * functions after Conway; E. R. Berlekamp, J. H. Conway, R. K. Guy, "Winning Ways", chapter 23.
 */
#include "peg.h"

#include <string.h>

struct finder {
    /* Hole h wants one hole of each of the pairs first[h] .. first[h + 1] - 1. */
    unsigned first[PEG_WORD_HOLES + 1];
    uint64_t pair[PEG_MAX_JUMPS];
    uint64_t *found;
    unsigned count, room;
    unsigned size; /* of the sets looked for now */
    unsigned tries;
};

static void make_pairs(const struct peg *peg, bool regions, struct finder *finder)
{
    unsigned count = 0;
    for (unsigned hole = 0; hole < peg->holes; hole++) {
        finder->first[hole] = count;
        for (unsigned j = 0; j < peg->jumps; j++) {
            const struct peg_jump *jump = &peg->jump[j];
            if ((regions ? jump->over : jump->to) == hole)
                finder->pair[count++] = (uint64_t)1 << jump->from | (uint64_t)1 << (regions ? jump->to : jump->over);
        }
    }
    finder->first[peg->holes] = count;
}

/* A pair that the set wants a hole of and has none; 0 where it has all it wants. */
static uint64_t missing_pair(const struct finder *finder, uint64_t set)
{
    for (uint64_t holes = set; holes != 0; holes &= holes - 1) {
        const unsigned hole = (unsigned)__builtin_ctzll(holes);
        for (unsigned p = finder->first[hole]; p < finder->first[hole + 1]; p++)
            if ((finder->pair[p] & set) == 0)
                return finder->pair[p];
    }
    return 0;
}

static bool contains_found(const struct finder *finder, uint64_t set)
{
    unsigned i = 0;
    while (i < finder->count && (finder->found[i] & ~set) != 0)
        i++;
    return i < finder->count;
}

static void grow(struct finder *finder, uint64_t set, uint64_t never)
{
    if (finder->tries == 0 || finder->count == finder->room)
        return;
    finder->tries--;
    const uint64_t missing = missing_pair(finder, set), one = missing & -missing, other = missing ^ one;
    const bool full = (unsigned)__builtin_popcountll(set) == finder->size;
    if (missing == 0 && full && !contains_found(finder, set))
        finder->found[finder->count++] = set;
    if (missing == 0 || full || contains_found(finder, set))
        return;
    if ((one & never) == 0)
        grow(finder, set | one, never);
    if ((other & never) == 0)
        grow(finder, set | other, never | one);
}

unsigned peg_find_regions(const struct peg *peg, uint64_t *region)
{
    struct finder finder = {.found = region, .room = PEG_MAX_REGIONS, .tries = PEG_SET_TRIES};
    make_pairs(peg, true, &finder);
    for (finder.size = 1; finder.size <= PEG_MAX_REGION; finder.size++)
        for (unsigned hole = 0; hole < peg->holes; hole++)
            grow(&finder, (uint64_t)1 << hole, ((uint64_t)1 << hole) - 1);
    return finder.count;
}

unsigned peg_find_pagodas(const struct peg *peg, unsigned hole, unsigned room, uint64_t *pagoda)
{
    struct finder finder = {.found = pagoda, .room = room, .tries = PEG_SET_TRIES};
    make_pairs(peg, false, &finder);
    for (finder.size = 1; finder.size < peg->holes && finder.tries > 0 && finder.count < room; finder.size++)
        grow(&finder, (uint64_t)1 << hole, 0);
    return finder.count;
}
