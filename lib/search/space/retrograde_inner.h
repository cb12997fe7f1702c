/* retrograde_inner.h -- what the ways to search backward share with retrograde.c: the table of their functions, how far
 * a search has got, and who is told */
#ifndef SEARCH_SPACE_RETROGRADE_INNER_H
#define SEARCH_SPACE_RETROGRADE_INNER_H

#include "lib/memory/arena.h"
#include "retrograde.h"

/* The small part of what is kept between runs. The search itself counts indices; what it tells is counted in states. */
struct search_state {
    uint64_t depth;
    uint64_t layer, reached; /* indices: of the frontier, of all layers */
    uint64_t histogram[];    /* its room grows; before a layer is made there is room for it */
};

/* What all searches have. A way's own struct begins with it. */
struct retrograde {
    const struct way *way;
    const struct puzzle *puzzle;
    struct team team;
    struct ranks *ranks; /* NULL: it works alone */
    double keep_due;     /* with ranks: as retrograde_keep_from says; 0: never; */
    bool keep_now;       /* and was it so when the last layer was done? */
    pdb_status lack;     /* as retrograde_resume says */
    bool portable;
    bool undoable; /* every move can be taken back: the puzzle says so, or it was seen */
    bool sweeping; /* as in retrograde_progress, also the next two */
    uint64_t sweeps, wanted;
    uint64_t states;               /* indices; by keys, those that have been found so far */
    bool finding;                  /* by keys: nothing but states is found yet */
    uint64_t memory;               /* bytes that it has used at most */
    uint64_t limit;                /* bytes of memory that are allowed */
    uint64_t room;                 /* entries of the histogram */
    retrograde_observer *observer; /* of the last layer, and when it is due again */
    void *context;
    double due;
    uint64_t goals; /* that were looked at so far, while it begins */
    bool beginning;
    /* of a finished search of a puzzle that has keys: all of them, sorted, or as a set that is numbered, or as a table
     */
    uint64_t *keys;
    struct key_bits key_bits;
    struct keys *key_table;
    struct byte_run bytes; /* of a finished search whose outcome lies in memory: that */
    struct search_state *state;
};

/* Bytes of `state`. */
static inline uint64_t retrograde_state_bytes(uint64_t room)
{
    return sizeof(struct search_state) + room * sizeof(uint64_t);
}

/* The observer and when it is due. */
struct watch {
    const struct retrograde *search;
    retrograde_observer *observer;
    void *context;
    double due;
    bool stopped; /* set by the calling thread, read by all */
};

/* Tells the observer, if it is due, that a share of the layer is done. */
void watch_look(struct watch *watch, double layer_done);

static inline bool watch_stopped(const struct watch *watch)
{
    return __atomic_load_n(&watch->stopped, __ATOMIC_RELAXED);
}

/* A way to search. The functions are those of retrograde.h, for its own searches. */
struct way {
    const char *text, *layout; /* what it and its parts are called */
    size_t size;               /* of its struct */
    /* What it uses, where `width` bytes hold a distance. */
    uint64_t (*memory)(const struct retrograde_plan *plan, unsigned width);
    /* Cuts the planes such that so many bytes do, if they can be cut: plan->runs. NULL: they cannot. */
    pdb_status (*cut)(struct retrograde_plan *plan, uint64_t bytes, pdb_error *error);
    /* Shares the states out among ranks, all of which call it: plan->ghosts. NULL: they cannot be. */
    pdb_status (*share_out)(struct retrograde_plan *plan, struct ranks *ranks, pdb_error *error);
    /* Takes the memory, and the plan's kernel; false where memory is short. What there is, `release` gives back. */
    bool (*allocate)(struct retrograde *search, const struct retrograde_plan *plan);
    void (*release)(struct retrograde *search);
    /* Makes layer 0 of the goals: state->layer is 0 where there are none. */
    pdb_status (*goals)(struct retrograde *search, pdb_error *error);
    /* PDB_INTERRUPTED, without words, where the watch was stopped. Ranks leave it with one status, and one error. */
    pdb_status (*layer)(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error);
    bool in_whole_layers; /* a layer that was stopped cannot be kept, nor be gone on with */
    bool (*fit)(struct retrograde *search, const uint64_t *size, size_t count); /* NULL where its parts never grow */
    /* All but `state`, which is the first part of any search; so in `fit`. */
    size_t (*parts)(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX]);
    bool (*resume)(struct retrograde *search);
    /* As the functions of retrograde.h that are called so; NULL: there is nothing to do. */
    pdb_status (*settle)(struct retrograde *search, pdb_error *error);
    void (*kept)(struct retrograde *search);
    bool (*crowded)(const struct retrograde *search);
    void (*hand_out)(struct retrograde *search);
    void (*move)(struct retrograde *search, uint64_t offset, uint8_t *bytes, uint64_t size, bool back);
    void (*serve)(struct retrograde *search); /* NULL: it cannot be shared out */
    /* Fills in the hardest states, and the bytes in result->encoding or a source of them; the rest is there. */
    void (*finish)(struct retrograde *search, struct retrograde_result *result);
};

extern const struct way way_by_words;                             /* words/layers.c */
extern const struct way way_by_keys;                              /* sparse/sparse.c */
extern const struct way way_owned;                                /* owned/owned.c */
extern const struct way way_forward;                              /* forward/dense.c */
extern const struct way way_by_grades;                            /* grades/grades.c */
extern const struct way way_by_rows;                              /* rows/rows.c */
extern const struct way way_by_states, way_by_exact, way_at_once; /* states.c */

/* Visits all goals of a search that begins, as the family does, but that its observer is asked on the way: then
 * PDB_INTERRUPTED. */
pdb_status retrograde_goals(struct retrograde *search, goal_visitor *visit, void *context, pdb_error *error);

/* There are no goals. PDB_UNREACHABLE where states are those that moves lead to, or the order of moves does not matter;
 * PDB_BAD_DEFINITION elsewhere. And where there is nothing to set out from: PDB_TOO_LARGE. */
pdb_status retrograde_no_goal(const struct retrograde *search, pdb_error *error);
pdb_status retrograde_no_start(const struct retrograde *search, pdb_error *error);

/* What the distances are kept in, once all are found. */
enum encoding retrograde_encoding(const struct retrograde *search);

/* Room in the histogram for a distance. PDB_TOO_LARGE (none so great is kept, or memory is not allowed),
 * PDB_NO_MEMORY. */
pdb_status retrograde_deepen(struct retrograde *search, uint64_t depth, pdb_error *error);

/* All distances were found at once, a byte each, and the histogram counts them, those that have none (255) too: notes
 * what a search in layers would have (states.c). */
void retrograde_note_all(struct retrograde *search);

/* Counts so many bytes more among those that the search uses. PDB_TOO_LARGE: they are not allowed, and so no distances
 * above `most`. */
pdb_status retrograde_charge(struct retrograde *search, uint64_t bytes, uint64_t most, pdb_error *error);

#endif
