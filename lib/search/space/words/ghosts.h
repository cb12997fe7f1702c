/* ghosts.h -- planes that are shared out among ranks (lib/ranks/ranks.h)
 *
 * A rank holds the planes of its own groups. They are cut as runs are (runs.h): the groups of all blocks whose orders
 * begin with the same digits are a *part*, and parts on end are one rank's. As almost every move changes the block and
 * hardly any the leading digits, most sources of a group are of its own rank. Where the kernel cannot be cut so, a part
 * is a group, or the two that share a run of indices.
 *
 * Of other ranks' groups a rank keeps *ghosts*: of each that is a source of one of its own, the words of the last
 * layer. Which these are is found out once, and told the ranks that own them. Before a layer is made, every rank ships
 * its groups that have news to those that ask for them; nothing else is exchanged but how many states were found.
 *
 * At the end rank 0 asks for the planes in the order of the indices, a round of stretches (keep.c) at a time, and packs
 * them.
 */
#ifndef SEARCH_SPACE_WORDS_GHOSTS_H
#define SEARCH_SPACE_WORDS_GHOSTS_H

#include "lib/ranks/ranks.h"
#include "lib/search/space/layers.h"
#include "lib/search/space/retrograde_inner.h"

/* In place of where a group's words begin: nobody asks for it; in front of that: among the ghosts. */
#define GHOSTS_NOWHERE UINT64_MAX
#define GHOSTS_AMONG   ((uint64_t)1 << 63)

/* Groups on end. */
struct group_range {
    uint64_t first, past;
};

/* The own groups that another rank asks for, ascending; and how far the shipping has come. */
struct asked_groups {
    uint64_t *group;
    uint64_t count, next;
};

struct ghosts {
    struct ranks *ranks;
    const struct layer_kernel *kernel;
    unsigned planes;
    uint64_t slab_groups, parts, blocks; /* how the groups are cut */
    uint64_t own_words, ghost_words;     /* of a plane */
    uint64_t *where;                     /* of groups: the first of its words in a plane */
    uint64_t *ghost;                     /* the ghosts' words */
    struct asked_groups *asked;          /* of ranks: what they ask for */
    struct rank_mail mail;
    bool short_of_memory;
    /* What is being shipped. */
    const uint64_t *own;      /* planes of own groups */
    unsigned last;            /* the plane of the last layer */
    uint8_t *news;            /* of groups */
    struct group_range range; /* that rank 0 asks for */
    uint64_t given;           /* the first of them that is not given */
    /* On rank 0, at the end: the planes of a range, group by group. */
    uint64_t *window, window_words;
    uint64_t *taken; /* of ranks: the first group of the range that has not been taken from it */
};

/* The rank that a group belongs to. */
static inline unsigned ghosts_owner(const struct ghosts *ghosts, uint64_t group)
{
    return (unsigned)(group / ghosts->slab_groups % ghosts->parts * ghosts->ranks->size / ghosts->parts);
}

/* The own groups of a block. */
static inline struct group_range ghosts_own(const struct ghosts *ghosts, uint64_t block)
{
    const uint64_t size = ghosts->ranks->size, rank = ghosts->ranks->rank, parts = ghosts->parts,
                   first = (rank * parts + size - 1) / size, past = ((rank + 1) * parts + size - 1) / size;
    return (struct group_range){(block * parts + first) * ghosts->slab_groups,
                                (block * parts + past) * ghosts->slab_groups};
}

/* Where the words of a group's plane are: of an own one, or of the ghost of another. */
static inline uint64_t *ghosts_plane(const struct ghosts *ghosts, uint64_t *own, uint64_t group, uint64_t words,
                                     unsigned plane)
{
    const uint64_t where = ghosts->where[group];
    return where >= GHOSTS_AMONG ? ghosts->ghost + (where - GHOSTS_AMONG)
                                 : own + where * ghosts->planes + plane * words;
}

/* The words of a plane of a group in the window, which so many words of a plane go before. */
static inline const uint64_t *ghosts_window(const struct ghosts *ghosts, uint64_t before, uint64_t words,
                                            unsigned plane)
{
    return ghosts->window + before * ghosts->planes + plane * words;
}

/* Shares the groups out, and finds out which ghosts there are and who asks for them: all ranks together. Error:
 * PDB_NO_MEMORY. */
pdb_status ghosts_cut(const struct puzzle *puzzle, const struct layer_kernel *kernel, unsigned threads,
                      struct ranks *ranks, struct ghosts **out, pdb_error *error);
void ghosts_free(struct ghosts *ghosts);
/* Bytes of memory that it takes while layers are made, without the own planes; rank 0's window comes after that. */
uint64_t ghosts_bytes(const struct ghosts *ghosts);
/* Takes the memory for the ghosts; false where it is short. */
bool ghosts_begin(struct ghosts *ghosts);

/* Ships the groups that have states of the last layer, which lies in this plane of the own ones, to those that ask for
 * them; marks in `news` those that have come. */
void ghosts_ship(struct ghosts *ghosts, const uint64_t *own, unsigned last, uint8_t *news);

/* Rank 0 asks for all planes of some groups, which lie in the window then, group by group. The other ranks give them
 * (ghosts_serve). Error: PDB_NO_MEMORY. */
pdb_status ghosts_gather(struct ghosts *ghosts, const uint64_t *own, struct group_range range, pdb_error *error);
/* Gives rank 0 what it asks for until it says that this was all, which it does by calling this. */
void ghosts_serve(struct ghosts *ghosts, const uint64_t *own);

#endif
