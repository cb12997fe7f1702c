/* peg.h -- peg solitaire: the room's header, where to begin
 *
 * Here lives how a peg board is read (definition.c, shape.c), what its moves are (peg.c, moves.c), which boards are
 * alike (symmetry.c), and how many moves are needed at least (bounds.c, sets.c; tell.c tells people); whole spaces of
 * few holes at once (whole.c) and by the number of pegs (grades.c); boards of many holes (wide.c). The searches see all
 * this by the contract alone; nothing here knows how they go about it, other families, databases or programs.
 *
 * A state is the set of holes that hold a peg, as a bit mask: bit h for hole h, holes numbered in reading order. A jump
 * (from, over, to) needs pegs in `from` and `over` and none in `to`, and changes all three:
 *
 *     forward    possible where (state & all) == taken,  leads to state ^ all        all = from | over | to
 *     backward   possible where (state & all) == landed, leads to state ^ all        taken = from | over, landed = to
 *
 * A *sweep* is a chain of jumps by one peg. While one is under way, all there is to know is the state and the hole of
 * the moving peg: a *stop*. Chains that reach the same stop, having jumped over the same pegs in another order, go on
 * alike; so a search needs every stop once, and only counting needs to know how many chains there are to each. The
 * difference is great: on a 5x5 board with all eight directions one peg has up to 317,896 chains, to 11,004 stops.
 *
 * A stop is one 64-bit number, the state with the hole in its top six bits (moves.c). That is why boards of more than
 * PEG_WORD_HOLES holes go another way, by wide keys (wide.h).
 *
 * Indices are the states themselves on boards of up to PEG_DENSE_HOLES holes. Larger boards have keys (puzzle.h): the
 * smallest of a state's images under the board's symmetries, as far as these leave the goal as it is (symmetry.c).
 */
#ifndef FAMILIES_PEG_PEG_H
#define FAMILIES_PEG_PEG_H

#include "lib/puzzle.h"

enum {
    PEG_MAX_HOLES = 128,
    PEG_WORD_HOLES = 58,
    PEG_CHUNK_BITS = 9,
    PEG_DENSE_HOLES = 26,
    PEG_MAX_JUMPS = 1024,
    PEG_TOGETHER = 4,   /* steps that are tried at once */
    PEG_MAX_GOALS = 64, /* patterns */
    PEG_MAX_SYMMETRIES = 64,
    PEG_MAX_MOVES = UINT16_MAX, /* what next_count of the contract holds */

    PEG_MAX_INVARIANTS = 6, /* so that a word has a bit for every class */
    PEG_MAX_REGIONS = 64,   /* likewise */
    PEG_MAX_REGION = 6,     /* holes */
    PEG_MAX_PAGODAS = 12,
    PEG_SET_TRIES = 4096 /* steps in looking for regions, or for the pagoda sets of one hole */
};

struct peg_jump {
    uint8_t from, over, to;
};

/* A set of the holes of any board; others have sets of 64 bits. */
typedef unsigned __int128 peg_set;

static inline peg_set peg_wide_holes(const struct peg_jump *jump)
{
    return (peg_set)1 << jump->from | (peg_set)1 << jump->over | (peg_set)1 << jump->to;
}

static inline unsigned peg_wide_count(peg_set set)
{
    return (unsigned)(__builtin_popcountll((uint64_t)(set >> 64)) + __builtin_popcountll((uint64_t)set));
}

static inline uint64_t peg_holes_of(const struct peg_jump *jump)
{
    return (uint64_t)1 << jump->from | (uint64_t)1 << jump->over | (uint64_t)1 << jump->to;
}

static inline unsigned count_bits(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

/* All jumps forward, or all backward, for the searches, those of a peg in hole h at first[h] .. first[h + 1] - 1:
 * possible where (state & all) == before; the peg goes from hole `from` to `hole`. A state is cut into chunks of
 * PEG_CHUNK_BITS holes; the table has for every chunk, and every value of it, which steps these holes allow, a bit
 * each, so that all possible steps of a state are the words that its chunks have in common:
 *
 *     allowed[(chunk * 2^PEG_CHUNK_BITS + value) * words + word]
 */
struct peg_steps {
    unsigned first[PEG_WORD_HOLES + 1];
    uint64_t all[PEG_MAX_JUMPS + PEG_TOGETHER], before[PEG_MAX_JUMPS + PEG_TOGETHER];
    uint8_t from[PEG_MAX_JUMPS], hole[PEG_MAX_JUMPS];
    unsigned words;
    uint64_t *allowed;
};

/* The boards that have a peg in every hole of `pegs`, none in the others, except that those of `open` are free. */
struct peg_goal {
    uint64_t pegs, open; /* of boards of up to PEG_WORD_HOLES holes */
    peg_set all_pegs, all_open;
};

static inline bool peg_fits(const struct peg_goal *goal, peg_set set)
{
    return ((set ^ goal->all_pegs) & ~goal->all_open) == 0;
}

/* What is known of the boards of a goal's pattern: how many pegs they have, and pagoda sets with the pegs that they
 * have there at least. */
struct peg_goal_bounds {
    int least, most;
    unsigned pagodas;
    uint64_t pagoda[PEG_MAX_PAGODAS];
    uint8_t needed[PEG_MAX_PAGODAS];
};

/* What the bounds stand on (bounds.c). */
struct peg_bounds {
    unsigned invariants, regions;
    uint64_t invariant[PEG_MAX_INVARIANTS];
    uint64_t classes;                 /* bit c: a goal is of position class c */
    uint64_t region[PEG_MAX_REGIONS]; /* ascending in size, none inside another */
    uint64_t meets[PEG_MAX_REGIONS];  /* the regions with a hole in common with each, itself among them */
    uint64_t apart;                   /* the regions that meet no other */
    uint64_t from;                    /* the holes that jumps begin in */
    struct peg_goal_bounds goal[PEG_MAX_GOALS];
};

struct peg {
    struct puzzle puzzle;
    unsigned holes, jumps, goals;
    bool sweeps;   /* the metric: sweeps, or single jumps */
    int goal_pegs; /* how many pegs a goal must have besides fitting a pattern; -1: any number */
    struct peg_goal goal[PEG_MAX_GOALS];
    struct peg_jump jump[PEG_MAX_JUMPS]; /* ascending */
    struct peg_steps forward, backward;

    /* The symmetries, number 0 the identity: hole h goes to symmetry[s][h]. With more than one, `images` is their table
     * (symmetry.c), where the puzzle has keys; else NULL. */
    unsigned symmetries;
    uint8_t symmetry[PEG_MAX_SYMMETRIES][PEG_MAX_HOLES];
    uint64_t *images;

    char name[PEG_MAX_HOLES][4]; /* a hole's number, as moves have it */
    struct peg_bounds bounds;
};

/* -- definition.c: reads the board, and of *peg everything down to `jump` -- */
pdb_status peg_read(const struct definition *definition, struct peg *peg, pdb_error *error);

/* -- peg.c: of any board -- */
peg_set peg_wide_state(const struct peg *peg, const uint8_t *position);
bool peg_is_goal_state(const struct peg *peg, peg_set set);

/* -- shape.c -- */

/* Lays a board out as its picture shows it. `jumps` is the definition's; named directions of jumps are carried out on
 * the layout. */
pdb_status peg_read_shape(const struct node *picture, const struct node *jumps, struct peg *peg, pdb_error *error);

/* -- moves.c -- */

/* Sorts the jumps and, up to PEG_WORD_HOLES holes, makes the steps of them; works out puzzle.max_moves. Errors:
 * PDB_TOO_LARGE (more than PEG_MAX_MOVES), PDB_NO_MEMORY. */
pdb_status peg_make_steps(struct peg *peg, pdb_error *error);

/* The states one move out of each of some states (with peg->forward) or into it (with peg->backward), as the contract's
 * `successors`. Every stop of a peg is written once, so a state that two different pegs reach occurs twice. */
size_t peg_expand(const struct peg *peg, const struct peg_steps *steps, const uint64_t *state, size_t count,
                  uint64_t *next, uint16_t *next_count);

/* The same of one state, and moves[i] is how many moves lead to next[i]. */
size_t peg_expand_counted(const struct peg *peg, const struct peg_steps *steps, uint64_t state, uint64_t *next,
                          uint64_t *moves);

/* -- whole.c -- */

/* As the contract's `distances`; and the scratch memory that it takes, in bytes. */
bool peg_whole(const struct puzzle *puzzle, bool portable, unsigned threads, uint8_t *distance, void *scratch,
               distances_observer *observer, void *context);
uint64_t peg_whole_scratch(const struct peg *peg);

/* -- grades.c: as the contract's `grades` -- */
pdb_status peg_grades(const struct puzzle *puzzle, bool portable, struct grade_kernel **out, pdb_error *error);

/* -- symmetry.c -- */

/* Finds the symmetries of jumps and goals and makes their table. */
pdb_status peg_find_symmetries(struct peg *peg, pdb_error *error);
/* A set after every hole has gone to image[hole]. */
peg_set peg_set_image(const struct peg *peg, const uint8_t *image, peg_set set);
/* Replaces states by their keys. */
void peg_canonise(const struct peg *peg, uint64_t *state, size_t count);
/* How many different images each state has. */
void peg_weigh(const struct peg *peg, const uint64_t *state, size_t count, uint16_t *weight);

/* -- sets.c -- */

/* The smallest regions, into region[PEG_MAX_REGIONS], ascending in size; returns how many. */
unsigned peg_find_regions(const struct peg *peg, uint64_t *region);

/* The smallest pagoda sets that have this hole, up to `room` of them; returns how many. */
unsigned peg_find_pagodas(const struct peg *peg, unsigned hole, unsigned room, uint64_t *pagoda);

/* -- bounds.c: makes peg->bounds; the contract's bound of a state -- */
void peg_make_bounds(struct peg *peg);
uint16_t peg_bound(const struct peg *peg, uint64_t state);
/* A state's position class: bit i is the parity of invariant i. */
unsigned peg_class(const struct peg_bounds *bounds, uint64_t state);

/* What the bound counts besides classes: 0 where it shows nothing, BOUND_NEVER where it shows that a goal cannot be
 * reached. */
enum peg_part {
    PEG_FILLED,  /* holes to be filled, one a move; a move at least */
    PEG_EMPTIED, /* single jumps: pegs that have to leave their holes, two a jump */
    PEG_TAKEN,   /* single jumps: pegs to be taken off */
    PEG_SWEEPS,  /* sweeps: full regions */
    PEG_COUNTS,  /* pegs are enough, and one of them can jump */
    PEG_PAGODAS,
    PEG_PARTS
};
/* The least of each over all goals. */
void peg_bound_parts(const struct peg *peg, uint64_t state, uint16_t least[PEG_PARTS]);

/* -- tell.c: what the bound is made of, as the contract's `tell`: and the classes of the board and of the goals -- */
pdb_status peg_tell(const struct puzzle *puzzle, const uint8_t *position, pdb_bounds *bounds, pdb_error *error);

#endif
