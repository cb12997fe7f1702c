/* bounds.c -- how many moves a peg board needs at least, and boards that plainly have no solution
 *
 * Three things tell that no goal can be reached:
 *
 *   classes    f(from) + f(over) + f(to) = 0 modulo 2 for all jumps: then the parity of f over the pegs never changes.
 *              All such f are found by elimination; the parities of some of them together are a board's *position
 *              class* (16 classes on most rectangular boards), a number of PEG_MAX_INVARIANTS bits at most. The classes
 *              of the goals are one word, a bit each.
 *   pagodas    sets of holes that never gain pegs (sets.c), and so must have as many as the goal's at the least.
 *   counts     a jump takes one peg off the board, fills one hole and empties two.
 *
 * Single jumps are counted by the pegs that have to go. A sweep ends in one hole, so every hole that has to be filled
 * needs one; and it begins in one hole, so every full region that cannot stay needs one (sets.c). A region can stay
 * if the goal has pegs, or leaves open, all its holes; if a goal has a certain number of pegs, no more regions stay
 * than these are enough for, the ones that want fewest first. And if no peg of these regions can jump yet, another
 * sweep comes before them.
 *
 * Each goal's pattern is looked at by itself, and the least of the bounds counts. A key stands for boards that are
 * alike by a symmetry of the goals, and they have the same distance: the bound of any one of them holds for all.
 */
#include "peg.h"
#include "lib/rank/parity.h"

#include <limits.h>
#include <string.h>

enum { MAX_BRANCHES = 6 };

/* -- position classes -- */

/* Solves the jumps' equations, each for one hole, its pivot. A hole that is none is free: it makes an invariant
 * together with the pivots of the equations that have it. */
static void find_invariants(const struct peg *peg, struct peg_bounds *bounds)
{
    struct parity_equations equations = {0};
    uint64_t pivots = 0, touched = 0;
    for (unsigned j = 0; j < peg->jumps; j++) {
        parity_add(&equations, peg_holes_of(&peg->jump[j]), false);
        touched |= peg_holes_of(&peg->jump[j]);
    }
    for (unsigned e = 0; e < equations.count; e++)
        pivots |= parity_pivot(&equations, e);
    for (unsigned untouched = 0; untouched < 2; untouched++) /* holes without jumps tell least */
        for (unsigned hole = 0; hole < peg->holes && bounds->invariants < PEG_MAX_INVARIANTS; hole++) {
            if ((pivots >> hole & 1) != 0 || (touched >> hole & 1) == untouched)
                continue;
            uint64_t *invariant = &bounds->invariant[bounds->invariants++];
            *invariant = (uint64_t)1 << hole;
            for (unsigned e = 0; e < equations.count; e++)
                if (equations.equation[e].bits >> hole & 1)
                    *invariant |= parity_pivot(&equations, e);
        }
}

unsigned peg_class(const struct peg_bounds *bounds, uint64_t state)
{
    unsigned class = 0;
    for (unsigned i = 0; i < bounds->invariants; i++)
        class |= (unsigned)__builtin_parityll(state & bounds->invariant[i]) << i;
    return class;
}

/* The set of classes once `class` is added to each: bit c goes to bit c ^ class. */
static uint64_t add_class(uint64_t classes, unsigned class)
{
    static const uint64_t low[PEG_MAX_INVARIANTS] = {0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F,
                                                     0x00FF00FF00FF00FF, 0x0000FFFF0000FFFF, 0x00000000FFFFFFFF};
    for (unsigned i = 0; i < PEG_MAX_INVARIANTS; i++)
        if (class >> i & 1)
            classes = (classes & low[i]) << (1u << i) | (classes >> (1u << i) & low[i]);
    return classes;
}

/* The classes of the boards that fit a goal: of those with as many pegs in open holes as it has to have, or any
 * number. */
static uint64_t goal_classes(const struct peg *peg, const struct peg_bounds *bounds, const struct peg_goal *goal)
{
    uint64_t with[PEG_WORD_HOLES + 1] = {(uint64_t)1
                                         << peg_class(bounds, goal->pegs)}; /* so many, one hole more each time */
    const unsigned chosen = peg->goal_pegs < 0 ? 0 : (unsigned)peg->goal_pegs - count_bits(goal->pegs);
    for (uint64_t open = goal->open; open != 0; open &= open - 1) {
        const unsigned class = peg_class(bounds, open & -open);
        if (peg->goal_pegs < 0)
            with[0] |= add_class(with[0], class);
        for (unsigned pegs = chosen; pegs > 0; pegs--)
            with[pegs] |= add_class(with[pegs - 1], class);
    }
    return with[chosen];
}

/* -- making them -- */

static void find_goal_pagodas(const struct peg *peg, unsigned g, struct peg_goal_bounds *goal)
{
    const unsigned wanted = count_bits(peg->goal[g].pegs);
    /* One set of a board of many pegs says little; and all goals share the time that is spent on them. */
    const unsigned each = wanted == 0 ? 0 : PEG_MAX_PAGODAS / wanted / (peg->goals < PEG_MAX_PAGODAS ? 1 : 4);
    for (uint64_t pegs = peg->goal[g].pegs; pegs != 0 && each > 0; pegs &= pegs - 1)
        goal->pagodas += peg_find_pagodas(peg, (unsigned)__builtin_ctzll(pegs), each, goal->pagoda + goal->pagodas);
    for (unsigned p = 0; p < goal->pagodas; p++)
        goal->needed[p] = (uint8_t)count_bits(goal->pagoda[p] & peg->goal[g].pegs);
}

void peg_make_bounds(struct peg *peg)
{
    struct peg_bounds *bounds = &peg->bounds;
    find_invariants(peg, bounds);
    bounds->regions = peg_find_regions(peg, bounds->region);
    for (unsigned r = 0; r < bounds->regions; r++) {
        for (unsigned other = 0; other < bounds->regions; other++)
            bounds->meets[r] |= (uint64_t)((bounds->region[r] & bounds->region[other]) != 0) << other;
        bounds->apart |= (uint64_t)(count_bits(bounds->meets[r]) == 1) << r;
    }
    for (unsigned j = 0; j < peg->jumps; j++)
        bounds->from |= (uint64_t)1 << peg->jump[j].from;
    for (unsigned g = 0; g < peg->goals; g++) {
        const int pegs = (int)count_bits(peg->goal[g].pegs), open = (int)count_bits(peg->goal[g].open);
        struct peg_goal_bounds *goal = &bounds->goal[g];
        goal->least = peg->goal_pegs < 0 ? pegs : peg->goal_pegs;
        goal->most = peg->goal_pegs < 0 ? pegs + open : peg->goal_pegs;
        bounds->classes |= goal_classes(peg, bounds, &peg->goal[g]);
        find_goal_pagodas(peg, g, goal);
    }
}

/* -- using them -- */

static uint16_t larger(uint16_t a, unsigned b)
{
    return b > a ? (uint16_t)b : a;
}

/* A largest set of regions no two of which have a hole in common; `branches` limits how often both ways are tried, and
 * then it may not be quite the largest. A region that meets one other at most is as good as that other. */
static uint64_t choose_apart(const struct peg_bounds *bounds, uint64_t regions, unsigned branches)
{
    uint64_t chosen = regions & bounds->apart;
    regions ^= chosen;
    while (regions != 0) {
        uint64_t rest = regions;
        unsigned r;
        do {
            r = (unsigned)__builtin_ctzll(rest);
            rest &= rest - 1;
        } while (count_bits(regions & bounds->meets[r]) > 2 && rest != 0); /* itself among them */
        const uint64_t one = (uint64_t)1 << r, others = regions & ~bounds->meets[r];
        if (count_bits(regions & bounds->meets[r]) > 2 && branches > 0) {
            const uint64_t with = one | choose_apart(bounds, others, branches - 1),
                           without = choose_apart(bounds, regions ^ one, branches - 1);
            return chosen | (count_bits(without) > count_bits(with) ? without : with);
        }
        chosen |= one;
        regions = others;
    }
    return chosen;
}

/* The holes of a set of regions. */
static uint64_t holes_of(const struct peg_bounds *bounds, uint64_t regions)
{
    uint64_t holes = 0;
    for (; regions != 0; regions &= regions - 1)
        holes |= bounds->region[__builtin_ctzll(regions)];
    return holes;
}

/* Sorts the full regions out: those that cannot stay, and those that can. False where one cannot stay and never can
 * change. */
static bool full_regions(const struct peg *peg, unsigned g, uint64_t state, uint64_t *leaving, uint64_t *staying)
{
    const struct peg_bounds *bounds = &peg->bounds;
    const uint64_t fixed = ~(peg->goal[g].pegs | peg->goal[g].open);
    for (unsigned r = 0; r < bounds->regions; r++) {
        const uint64_t region = bounds->region[r];
        if ((region & ~state) != 0)
            continue;
        if ((region & fixed) != 0 && (region & bounds->from) == 0)
            return false;
        *((region & fixed) != 0 ? leaving : staying) |= (uint64_t)1 << r;
    }
    return true;
}

/* The sweeps that full regions need before a goal; BOUND_NEVER where one can never change and has to. `movers`: the
 * pegs that can jump now. Where none of them is in a region chosen, the first sweep is no region's. */
static uint16_t count_sweeps(const struct peg *peg, unsigned g, uint64_t state, uint64_t movers)
{
    const struct peg_bounds *bounds = &peg->bounds;
    uint64_t leaving = 0, staying = 0;
    unsigned taking[PEG_MAX_REGION + 1] = {0}; /* regions that stay, by the open holes that they take */
    if (!full_regions(peg, g, state, &leaving, &staying))
        return BOUND_NEVER;
    /* A sweep for each region that cannot stay, of a set without common holes; regions that can stay count besides
     * where they have no hole in common with these, nor with one another. */
    leaving = choose_apart(bounds, leaving, MAX_BRANCHES);
    const uint64_t left = state & ~holes_of(bounds, leaving);
    for (uint64_t rest = staying; rest != 0; rest &= rest - 1)
        if ((bounds->region[__builtin_ctzll(rest)] & ~left) != 0)
            staying &= ~(rest & -rest);
    staying = choose_apart(bounds, staying, MAX_BRANCHES);
    /* One more comes first where no peg of a chosen region can jump. */
    unsigned sweeps = count_bits(leaving) + ((movers & holes_of(bounds, leaving | staying)) == 0);
    /* As many regions stay as the goal has pegs to spare for, those that want fewest first; the others need a sweep. */
    for (; staying != 0; staying &= staying - 1)
        taking[count_bits(bounds->region[__builtin_ctzll(staying)] & ~peg->goal[g].pegs)]++;
    int room = bounds->goal[g].most - (int)count_bits(peg->goal[g].pegs);
    for (int holes = 1; holes <= PEG_MAX_REGION; holes++)
        for (; taking[holes] > 0; taking[holes]--, room -= holes)
            sweeps += holes > room;
    return (uint16_t)sweeps;
}

/* The pegs that can jump. */
static uint64_t find_movers(const struct peg *peg, uint64_t state)
{
    const struct peg_steps *steps = &peg->forward;
    uint64_t movers = 0;
    for (unsigned hole = 0; hole < peg->holes; hole++)
        for (unsigned s = steps->first[hole]; s < steps->first[hole + 1]; s++)
            movers |= (uint64_t)((state & steps->all[s]) == steps->before[s]) << hole;
    return movers;
}

/* What a goal needs of a state by each count: all of them, or (not `all`) none after the first that shows that it
 * cannot be reached. `movers`: the pegs that can jump. */
static void find_parts(const struct peg *peg, unsigned g, uint64_t state, uint64_t movers, bool all,
                       uint16_t part[PEG_PARTS])
{
    const struct peg_goal *goal = &peg->goal[g];
    const struct peg_goal_bounds *known = &peg->bounds.goal[g];
    const int pegs = (int)count_bits(state), spare = pegs - known->least;
    const uint64_t missing = goal->pegs & ~state, extra = state & ~(goal->pegs | goal->open);
    const unsigned filled = count_bits(missing), emptied = (count_bits(extra) + 1) / 2;
    memset(part, 0, PEG_PARTS * sizeof *part);
    if ((missing | extra) == 0 && pegs >= known->least && pegs <= known->most)
        return;
    part[PEG_FILLED] = larger(1, filled);
    if (movers == 0 || spare <= 0 || (int)filled > spare || (int)emptied > spare)
        part[PEG_COUNTS] = BOUND_NEVER;
    if (part[PEG_COUNTS] == BOUND_NEVER && !all)
        return;
    for (unsigned p = 0; p < known->pagodas; p++)
        if (count_bits(state & known->pagoda[p]) < known->needed[p])
            part[PEG_PAGODAS] = BOUND_NEVER;
    if (part[PEG_PAGODAS] == BOUND_NEVER && !all)
        return;
    part[PEG_EMPTIED] = peg->sweeps ? 0 : (uint16_t)emptied;
    part[PEG_TAKEN] = peg->sweeps || pegs <= known->most ? 0 : (uint16_t)(pegs - known->most);
    part[PEG_SWEEPS] = peg->sweeps ? count_sweeps(peg, g, state, movers) : 0;
}

/* The bound where only this goal counts. */
static uint16_t goal_bound(const struct peg *peg, unsigned g, uint64_t state, uint64_t movers)
{
    uint16_t part[PEG_PARTS], bound = 0;
    find_parts(peg, g, state, movers, false, part);
    for (unsigned p = 0; p < PEG_PARTS; p++)
        bound = larger(bound, part[p]);
    return bound;
}

uint16_t peg_bound(const struct peg *peg, uint64_t state)
{
    uint16_t least = BOUND_NEVER;
    if ((peg->bounds.classes >> peg_class(&peg->bounds, state) & 1) == 0)
        return BOUND_NEVER;
    const uint64_t movers = find_movers(peg, state);
    for (unsigned g = 0; g < peg->goals && least > 0; g++) {
        const uint16_t bound = goal_bound(peg, g, state, movers);
        least = bound < least ? bound : least;
    }
    return least;
}

void peg_bound_parts(const struct peg *peg, uint64_t state, uint16_t least[PEG_PARTS])
{
    const uint64_t movers = find_movers(peg, state);
    uint16_t part[PEG_PARTS];
    memset(least, UCHAR_MAX, PEG_PARTS * sizeof *least);
    for (unsigned g = 0; g < peg->goals; g++) {
        find_parts(peg, g, state, movers, true, part);
        for (unsigned p = 0; p < PEG_PARTS; p++)
            least[p] = part[p] < least[p] ? part[p] : least[p];
    }
}
