/* layers.h -- breadth-first layers made a word of states at a time
 *
 * What a state's neighbours are, a *layer kernel* knows for 64 states at once. It lays the puzzle's states out in
 * *groups*, one bit each: the first of the indices are group 0's, those behind them group 1's. (Or, with a colouring,
 * two groups' on end, each of which has those of one colour, or none.) How many a group has, and in which order they
 * lie in its words, is the kernel's own; all words have the same number of states, in their lowest bits, but for the
 * last word of a group, which may have fewer. Given the bits of the last layer, it *pulls* a
 * group of the next layer: every word asks the words that its states' neighbours lie in. So a group is written by one
 * thread and needs none but the groups that `sources` names, wherever they may be. All else is the engine's (words/):
 * memory, layers, threads, what can be passed over, figures, what is kept.
 *
 * The engine keeps a plane of bits for every residue of the distance (values.h): two where there is a colouring, for
 * bit 1 of the distance, else three, for the distance modulo 3; nothing else, but some bytes a group. A state that has
 * been visited is in one plane, one that has not in none. The last layer, at distance d, is not marked among those of
 * its residue, and need not be: the others lie at distance d - 3, or d - 4, or less, so all their neighbours have been
 * visited, and pulling from them finds nothing new. Nor is anything read and written at once: the next layer goes into
 * the plane of another residue, or, with a colouring, into other groups' words (a move changes the colour).
 *
 *     group 0                 group 1
 *     plane 0 | plane 1 ..    plane 0 | plane 1 ..       each the group's words, of 64 bits
 *
 * Where the last layer is thin, it is *pushed*: the family's successors of a list of states. Where memory has no room
 * for the planes, they are cut into runs that lie in a file (words/runs.h), and every layer is pulled. */
#ifndef SEARCH_SPACE_LAYERS_H
#define SEARCH_SPACE_LAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAYER_WORDS_MAX = 1024 }; /* in a group */

struct layer_kernel {
    uint64_t groups;                 /* with a colouring, each has states of one colour */
    uint64_t words;                  /* of all groups */
    uint32_t words_max, sources_max; /* of a group */
    unsigned run;                    /* groups on end that share a run of indices: 1 or 2 */
    unsigned bits;                   /* states of a word; the other bits are never set */
    uint64_t bytes;                  /* of memory that the kernel takes */
    bool portable;                   /* made to do without what only some processors can */

    /* How the groups may be cut where memory has no room for all of their planes (words/runs.h): so many groups on end
     * are of one block and have the same first digits of the order; 0 where there are not so many digits. NULL where
     * they cannot be cut: that is for groups that all have the same number of states. */
    uint64_t (*slab)(const struct layer_kernel *kernel, unsigned digits);
    /* With `slab`: the slabs of so many digits that neighbours of a slab's states lie in, numbered in the order of
     * their groups; as `sources` has groups, of which there may be very many. At most slab_sources_max. */
    size_t (*slab_sources)(const struct layer_kernel *kernel, unsigned digits, uint64_t slab, uint64_t *source);
    uint32_t slab_sources_max;

    void (*free)(struct layer_kernel *kernel);

    /* How many states a group has; so it has ceil(states / bits) words. */
    uint32_t (*states)(const struct layer_kernel *kernel, uint64_t group);

    /* A state's place (layer_address); and back. */
    uint64_t (*address)(const struct layer_kernel *kernel, uint64_t index);
    uint64_t (*index)(const struct layer_kernel *kernel, uint64_t address);

    /* The groups in which neighbours of a group's states lie, in an order of the kernel's own; a group may be named
     * more than once. Returns how many there are. */
    size_t (*sources)(const struct layer_kernel *kernel, uint64_t group, uint64_t *source);

    /* Which of a group's states have a neighbour in the last layer. source[i] is the layer's words in the group that
     * `sources` named at place i, or NULL where none is in the layer. Only the states of `want` are asked for: whether
     * found[] has any others is up to the kernel. */
    void (*pull)(const struct layer_kernel *kernel, uint64_t group, const uint64_t *const *source, const uint64_t *want,
                 uint64_t *found);

    /* A group's words as a bitmap in the order of the indices: ceil(states / 64) words, zeros behind the last state.
     * One of two that share a run adds its bits to the run's bitmap, which has zeros or the other's. */
    void (*arrange)(const struct layer_kernel *kernel, uint64_t group, const uint64_t *words, uint64_t *bitmap);
};

/* A place: the group, the word in it, the bit in that. */
static inline uint64_t layer_address(uint64_t group, uint64_t word, unsigned bit)
{
    return (group * LAYER_WORDS_MAX + word) * 64 + bit;
}

/* The group of an address. */
static inline uint64_t layer_group(uint64_t address)
{
    return address / 64 / LAYER_WORDS_MAX;
}

/* The plane, of so many, that states at this distance are in. */
static inline unsigned layer_residue(unsigned planes, uint64_t depth)
{
    return (unsigned)(planes == 2 ? depth >> 1 & 1 : depth % 3);
}

/* The lowest bits of a word. */
static inline uint64_t layer_low(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

#endif
