/* ghosts.h -- planes that are shared out among ranks (lib/comm/ranks.h)
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
 * Planes of all ranks go to rank 0 or come from there a stretch at a time, in the order in which one process has them.
 * So a checkpoint is like one process's, and any number of ranks goes on from it; and at the end rank 0 packs them.
 *
 * Where memory has no room for the own planes, they are cut into runs that lie in a file (runs.h), and so are ghosts.
 * Then only who owns what and what goes to rank 0 at the end is known here.
 */
#ifndef SEARCH_SPACE_WORDS_GHOSTS_H
#define SEARCH_SPACE_WORDS_GHOSTS_H

#include "lib/comm/ranks.h"
#include "lib/search/space/layers.h"
#include "lib/search/space/retrograde_inner.h"
#include "runs.h"

/* Which of 64 groups on end are own ones, and which ghosts; and the words of a plane that those before them have. So a
 * group of another rank's costs half a byte. */
struct ghosts_place {
    uint64_t own, ghost, own_before, ghost_before;
};

/* Groups on end. */
struct group_range {
    uint64_t first, past;
};

/* A stretch of the planes of all groups, group by group, which rank 0 gets from the ranks that have them, or gives back
 * to them. */
struct moved_bytes {
    uint64_t first, past;
    bool back;
    uint8_t *bytes; /* on rank 0 */
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
    struct ghosts_place *place;          /* of all groups; NULL where they lie in: */
    struct runs *runs;
    const uint64_t *first;      /* the same where all groups are (struct layers) */
    uint64_t *ghost;            /* the ghosts' words */
    struct asked_groups *asked; /* of ranks: what they ask for */
    struct rank_mail mail;
    bool short_of_memory;
    pdb_status status; /* of what is being moved, with its error */
    pdb_error error;
    /* What is being shipped. */
    uint64_t *own; /* planes of own groups */
    unsigned last; /* the plane of the last layer */
    uint8_t *news; /* of groups */
    struct moved_bytes moved;
    uint64_t *taken; /* of ranks: as far as it has come with each; groups, or bytes */
    /* On rank 0, at the end: the planes of a range, group by group. */
    struct group_range range;
    uint64_t *window, window_bytes;
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

/* The words of a plane that these of 64 groups have, as far as they come before a group of the 64. */
static inline uint64_t ghosts_words_before(const struct ghosts *ghosts, uint64_t groups, uint64_t group)
{
    groups &= ((uint64_t)1 << group % 64) - 1;
    if (ghosts->first == NULL)
        return (unsigned)__builtin_popcountll(groups) * (uint64_t)ghosts->kernel->words_max;
    const uint64_t *first = ghosts->first + group / 64 * 64;
    uint64_t words = 0;
    while (groups != 0) { /* of groups on end at once */
        const unsigned from = (unsigned)__builtin_ctzll(groups),
                       past = from + (unsigned)__builtin_ctzll(~(groups >> from));
        words += first[past] - first[from];
        groups &= -((uint64_t)1 << past); /* past < 64: the group itself is none of them */
    }
    return words;
}

/* Where the words of an own group begin in a plane, and those of a ghost among the ghosts. */
static inline uint64_t ghosts_own_word(const struct ghosts *ghosts, uint64_t group)
{
    const struct ghosts_place *place = &ghosts->place[group / 64];
    return place->own_before + ghosts_words_before(ghosts, place->own, group);
}

static inline uint64_t ghosts_ghost_word(const struct ghosts *ghosts, uint64_t group)
{
    const struct ghosts_place *place = &ghosts->place[group / 64];
    return place->ghost_before + ghosts_words_before(ghosts, place->ghost, group);
}

/* Where the words of a group's plane are: of an own one, or of the ghost of another. */
static inline uint64_t *ghosts_plane(const struct ghosts *ghosts, uint64_t *own, uint64_t group, uint64_t words,
                                     unsigned plane)
{
    return ghosts->place[group / 64].own >> group % 64 & 1
               ? own + ghosts_own_word(ghosts, group) * ghosts->planes + plane * words
               : ghosts->ghost + ghosts_ghost_word(ghosts, group);
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
/* The same where there will be runs, which are cut afterwards: all that it is yet is batches. */
pdb_status ghosts_begin_runs(const struct retrograde_plan *plan, struct ghosts **out, pdb_error *error);
void ghosts_take_runs(struct ghosts *ghosts, struct runs *runs);
void ghosts_free(struct ghosts *ghosts);
/* Bytes of memory that it takes while layers are made, without the own planes; rank 0's window comes after that. */
uint64_t ghosts_bytes(const struct ghosts *ghosts);
/* Takes the memory for the ghosts; false where it is short. `first`: of the words of all groups, as in struct layers,
 * whose it stays. */
bool ghosts_begin(struct ghosts *ghosts, const uint64_t *first);

/* Gives the ghosts' memory back once all layers are made. */
void ghosts_end_layers(struct ghosts *ghosts);

/* Ships the groups that have states of the last layer, which lies in this plane of the own ones, to those that ask for
 * them; marks in `news` those that have come. */
void ghosts_ship(struct ghosts *ghosts, uint64_t *own, unsigned last, uint8_t *news);

/* On rank 0: moves bytes of all ranks' planes; from runs, not back. The other ranks give and take them (ghosts_serve).
 * Error: PDB_IO of one of them, where there are runs. */
pdb_status ghosts_move(struct ghosts *ghosts, uint64_t *own, struct moved_bytes moved, pdb_error *error);
/* Does what rank 0 moves until it says that this was all, which it does by calling this. */
void ghosts_serve(struct ghosts *ghosts, uint64_t *own);

/* Gets all planes of some groups by ghosts_move: they lie in the window then, group by group. Errors: PDB_NO_MEMORY,
 * PDB_IO. */
pdb_status ghosts_gather(struct ghosts *ghosts, uint64_t *own, struct group_range range, pdb_error *error);

#endif
