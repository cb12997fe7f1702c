/* grades.h -- the room of the search grade by grade, for keyed spaces that every step goes down in
 *
 * Some puzzles lose something with every step, and always the same amount: a peg is taken off. The *grade* of a state
 * is how much it has left, and a step leads from a grade to the one below. Then all that is known of a grade's states
 * follows from the grade below, which is looked at once, and never again: no table of all states is needed, but one of
 * those of a grade, and none of them is met before or after.
 *
 * A move may be several steps of one piece (a sweep of jumps). While one is under way, the state is one that a move
 * could begin in as well: so there is nothing to be gained by going on but the cost of one move, and whether it is
 * gained says a bit, a *way*, for each piece. A state has therefore
 *
 *     key    below 2^63 - 1
 *     ways   GRADE_FAR - distance in the bits from GRADE_WAYS on, and below these a bit for each piece that the first
 *            move of a shortest solution may be made with
 *
 * and what different steps say of a state is put together by what is greatest above, and all bits that come with it
 * below (grade_merge). Nothing, 0, is the farthest distance and no way. Where a move is one step there are no ways.
 *
 * A family that knows such steps makes a *grade kernel*. All else is the engine's: a hash table of a grade's states
 * (grades.c), memory, what is kept (room.c, keep.c). What comes out is what plain keys give
 * (lib/search/space/sparse/sparse.h), to the last byte.
 */
#ifndef SEARCH_SPACE_GRADES_H
#define SEARCH_SPACE_GRADES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRADE_WAYS = 58, GRADE_FAR = 63 };

struct grade_state {
    uint64_t key, ways;
};

static inline uint64_t grade_ways(unsigned distance)
{
    return (uint64_t)(GRADE_FAR - distance) << GRADE_WAYS;
}

static inline unsigned grade_distance(uint64_t ways)
{
    return GRADE_FAR - (unsigned)(ways >> GRADE_WAYS);
}

static inline uint64_t grade_merge(uint64_t a, uint64_t b)
{
    const uint64_t above = a >> GRADE_WAYS, other = b >> GRADE_WAYS;
    return above == other ? a | b : above > other ? a : b;
}

/* Some states of which all is known; and how many states each key stands for, to be filled in. */
struct grade_batch {
    const uint64_t *key, *ways;
    size_t count;
    uint16_t *weight;
};

struct grade_kernel {
    unsigned grades;  /* that states may have: 0 .. grades - 1; no distance is above GRADE_FAR */
    size_t steps_max; /* no state has more states one step before it */
    uint64_t bytes;   /* of memory that the kernel takes */

    void (*free)(struct grade_kernel *kernel);

    unsigned (*grade)(const struct grade_kernel *kernel, uint64_t key);
    /* The states one step before those of the batch: what each step says of them, a state as often as steps lead from
     * it, in any order. There is room for steps_max for each of the batch. Returns how many there are; weighs the
     * batch. */
    size_t (*before)(const struct grade_kernel *kernel, const struct grade_batch *batch, struct grade_state *out);
};

#endif
