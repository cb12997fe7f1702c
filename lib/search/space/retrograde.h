/* retrograde.h -- breadth-first search backward from all goals: every state's distance
 *
 * The room finds, keeps and reads the distance of every state. retrograde.h plans and drives; states.c goes state by
 * state or takes all at once, words/ goes by words (layers.h), sparse/ by keys, of which keyed.h makes numbers, rows/
 * by many keys at a time, grades/ where every step takes something away; forward/ goes over moves that were kept, where
 * only those out of a state are known, or moves cost; owned/ shares states out among ranks; values.h says what is kept,
 * exact.h what is held meanwhile; distance.h reads it, audit.h tries it; flood.h finds what moves lead to from one
 * state. It knows the contract and lib/rank: no family, no terminal, and of files the one that it is given for what
 * memory has no room for. Single boards are the business of lib/search/board.
 *
 * A layer is: for every state of the frontier (the layer reached last) its predecessors; those not visited are the next
 * layer. States are worked on in chunks of RETROGRADE_CHUNK words of 64, shared out among threads; chunks without
 * frontier, or without news, are passed over, so thin layers are cheap. The result does not depend on the number of
 * threads.
 *
 * Where moves can be undone the search lives in bitmaps, one bit a state: the frontier, the next layer, all visited
 * states, and one or two planes of the distances' residues (values.h); 4 or 5 bits a state. Where they cannot it lives
 * in an array of the distances themselves (exact.h), a byte a state, which is frontier, next layer and visited states
 * in one. Thick last layers are made backward, from the states that are left (states_expand.c).
 *
 * That is the search *state by state*, which every puzzle has. Families may know better: all distances *at once*, in an
 * array of bytes too, where all layers are one step (family->space.distances; masks/); or layers *by words* of states,
 * in less memory (family->space.layers, layers.h). What comes out is the same to the last byte. States that have keys
 * and no numbers are searched *by keys*, in a table that grows with what is found (sparse/sparse.h), or *by rows* of
 * them, where the family knows pieces that move freely (rows/rows.h), or *grade by grade*, where every step takes
 * something away (grades/grades.h).
 *
 * But for searches by keys, all memory is allocated at the beginning and known before, with two exceptions. Distances
 * above 254 of a puzzle whose moves cannot be undone take two bytes a state, and four above 65,534; the array grows
 * when, and only when, the search reaches them. And the histogram grows with the layers. The deepest of them is
 * DISTANCE_MAX.
 */
#ifndef SEARCH_SPACE_RETROGRADE_H
#define SEARCH_SPACE_RETROGRADE_H

#include "lib/comm/ranks.h"
#include "lib/memory/pages.h"
#include "lib/rank/keys.h"
#include "lib/search/space/sparse/key_table.h"
#include "values.h"

enum { RETROGRADE_CHUNK = 512, RETROGRADE_HARDEST_MAX = 10000, RETROGRADE_PARTS_MAX = 10 };

/* How far a search has come, counted in indices. */
struct retrograde_progress {
    uint64_t depth;    /* of the layer that is being made: the distance of its states */
    uint64_t layer;    /* indices of the layer before it; while it is made, of layer 0 so far */
    uint64_t reached;  /* indices of all layers before it: those that have a distance */
    double layer_done; /* share of the layer's work that is done, 0 .. 1 */
    bool finding;      /* the states themselves are looked for; `reached` counts those, and `depth` means nothing */
    uint64_t found;    /* indices there are, as far as they are found */
    /* There is no memory for the moves: distances come down in sweeps over all states, and there are no layers. */
    bool sweeping;
    uint64_t sweeps; /* that are done */
    uint64_t wanted; /* about so many bytes would have done for the moves; 0: nobody knows */
};

/* Called about ten times a second by the thread that called retrograde_begin or retrograde_layer, and at once where an
 * observer is new; false stops the search. */
typedef bool retrograde_observer(void *context, const struct retrograde_progress *progress);

struct retrograde;

/* Which way is wanted. All ways find the same. */
enum retrograde_way {
    RETROGRADE_BEST, /* where the puzzle has keys, by rows of them or grade by grade if the family does that, else by
                        keys; where it has numbers, at once if the family does that, else by words if it does that, else
                        state by state */
    RETROGRADE_PORTABLE, /* the same without what only some processors can: for tests */
    RETROGRADE_STATES    /* state by state, or by keys: half the memory of "at once", but more than "by words" */
};

/* Some states of a puzzle that has keys, packed, with all those that are nearer to the named boards: layer by layer. */
struct key_sample {
    uint64_t *key;
    size_t count, last;     /* where the last layer begins */
    struct key_table table; /* of these keys, where they are all that there are; else it has no slots */
};

/* An open file for what memory has no room for: the caller's; it and its path outlive the search. */
struct scratch_file {
    int file;
    const char *path;
    bool drops; /* the disk has no room for it and the outcome at once (retrograde_hand_out) */
};

/* How a search will go: what is decided before it takes any memory. */
struct retrograde_plan {
    const struct puzzle *puzzle;
    unsigned threads;
    bool portable;
    const struct way *way;
    const char *text;            /* of the way: "all at once", "in layers by words", "in layers state by state" */
    struct layer_kernel *kernel; /* by words: made once, for the plan, and handed on to the search; NULL else */
    struct row_kernel *rows;     /* by rows: the same */
    struct grade_kernel *grades; /* grade by grade: the same */
    struct runs *runs;           /* by words: how planes are cut that memory has no room for; likewise; NULL else */
    struct ranks *ranks;         /* that the search is shared out among; NULL: one process does it all */
    struct ghosts *ghosts;       /* by words: how planes are shared out among them; likewise */
    struct scratch_file scratch; /* for those: given before the search begins */
    bool resuming;               /* set before it begins: it has no layer yet, one that was kept will be filled in */
    struct key_sample sample;    /* by keys: what the search need not find again, handed on likewise; none has no key */
    uint64_t memory;             /* bytes that the search will use, the puzzle itself not counted */
    uint64_t memory_deep;        /* with room for the greatest distances, where moves cannot be undone; else the same */
    uint64_t limit;              /* bytes that it must not grow beyond */
    retrograde_observer *observer; /* set before it begins, with what it is called with; NULL: none is asked */
    void *context;
    uint64_t scratch_least; /* bytes that would do with planes in a file, where that was tried; 0: none would */
};

/* Plans, without a limit; and plans the best way that there are so many bytes of memory for, which are the limit:
 * RETROGRADE_STATES only where the best one has no room and that takes less. Neither may fit then. Errors:
 * PDB_TOO_LARGE (states have no numbers), PDB_NO_MEMORY. The puzzle must outlive plan and search. */
pdb_status retrograde_plan(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads,
                           struct retrograde_plan *plan, pdb_error *error);
pdb_status retrograde_plan_within(uint64_t bytes, const struct puzzle *puzzle, unsigned threads,
                                  struct retrograde_plan *plan, pdb_error *error);

/* A plan that so many bytes are too little for, over again, with planes that lie in a file as far as need be. The plan
 * is no other where its way cannot do that, or not in so little memory. Ranks come together, each with its own bytes,
 * whether their plan was made one for several before (retrograde_plan_ranks) or not. Error: PDB_NO_MEMORY. */
pdb_status retrograde_plan_scratch(uint64_t bytes, struct ranks *ranks, struct retrograde_plan *plan, pdb_error *error);

/* Of such a plan: how many bytes the file will have at most, a layer will read and write at most, and the parts have
 * that are to be kept. */
struct scratch_needs {
    uint64_t file, read, written, kept;
};
struct scratch_needs retrograde_scratch_needs(const struct retrograde_plan *plan);

/* Makes a plan of one for several ranks, each of which holds a share of the states: they all plan the same puzzle, and
 * come here together, as they come to retrograde_begin, to every layer, and to retrograde_finish. Between layers all
 * know the same figures. Where a function fails on one rank, it fails on all, with the same words. By words the kernel
 * says who holds what (words/ghosts.h); all other plans become that of owned/owned.h. Errors: PDB_TOO_LARGE (keys are
 * wide), PDB_NO_MEMORY. */
pdb_status retrograde_plan_ranks(struct ranks *ranks, struct retrograde_plan *plan, pdb_error *error);

/* Frees what no search has taken over. A plan of zeros has nothing. */
void retrograde_plan_free(struct retrograde_plan *plan);

/* Allocates and starts the search that was planned, once: the goals are layer 0. Errors: PDB_NO_MEMORY,
 * PDB_BAD_DEFINITION (no goal), PDB_INTERRUPTED (the plan's observer said so), and those of the family's goals. */
pdb_status retrograde_begin(struct retrograde_plan *plan, struct retrograde **out, pdb_error *error);

void retrograde_free(struct retrograde *search);

/* Makes one more layer, or a part of one (retrograde_crowded). *done is set once a layer has turned out empty: the
 * search is complete. Errors: PDB_INTERRUPTED (the observer said so: the search stands as before the layer and may go
 * on or be kept), PDB_TOO_LARGE (too deep; or it has to grow beyond the limit), PDB_NO_MEMORY (to grow). */
pdb_status retrograde_layer(struct retrograde *search, retrograde_observer *observer, void *context, bool *done,
                            pdb_error *error);

/* Where the search stands, before the next layer; and what is said where it is stopped there. */
struct retrograde_progress retrograde_progress(const struct retrograde *search);
pdb_status retrograde_interrupted(const struct retrograde *search, pdb_error *error);

/* Gathers what is to be kept, so that the parts say all, and writes what is newer in memory where planes lie in a file;
 * to be told when they have been kept; and do they have to be kept now, for there is no room in the file until then, or
 * rank 0 wanted it when the last layer was done? Error: PDB_IO. */
pdb_status retrograde_settle(struct retrograde *search, pdb_error *error);
void retrograde_kept(struct retrograde *search);
bool retrograde_crowded(const struct retrograde *search);

/* With ranks: from this time on (lib/clock.h) rank 0 wants what is done to be kept (retrograde_crowded). */
void retrograde_keep_from(struct retrograde *search, double due);

/* Can what such a search has done be kept after a layer that was stopped, too? */
bool retrograde_keeps_halves(const struct retrograde_plan *plan);

/* What has to be kept to go on another time, once it is settled, and the name of its layout. A search that was just
 * created goes on from the point where the parts were taken once they have been filled with the bytes kept and
 * retrograde_resume was called; that checks what it can and returns false if they are not of this search, or, with
 * ranks, if there is too little memory for what was kept: *lack is PDB_TOO_LARGE or PDB_NO_MEMORY then, else PDB_OK.
 *
 * With ranks all come to retrograde_settle and retrograde_resume; the parts are rank 0's. One of them has no bytes, for
 * these lie with all: rank 0 gets some at a time, or gives them back, by retrograde_move, and the others call
 * retrograde_serve meanwhile. The parts are the same as one process has, and another number of ranks goes on from them.
 */
size_t retrograde_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX]);
const char *retrograde_layout(const struct retrograde *search);
bool retrograde_resume(struct retrograde *search, pdb_status *lack);
void retrograde_move(struct retrograde *search, uint64_t offset, uint8_t *bytes, uint64_t size, bool back);

/* Makes the parts of a search that was just created as large as those of one that has come further: `count` sizes.
 * False where they cannot be: it never grows so, or memory is short, or beyond the limit. */
bool retrograde_fit(struct retrograde *search, const uint64_t *size, size_t count);

/* The outcome of a complete search. Everything in it belongs to the search and lives as long as it. States are counted,
 * not indices: an index that stands for several (family->index.weights) counts as many. */
struct retrograde_result {
    enum encoding encoding;
    uint64_t states;           /* indices */
    uint64_t memory;           /* bytes that the search has used at most */
    const uint8_t *bytes;      /* encoding_bytes(encoding, states) of them; NULL where they do not lie in memory */
    struct byte_source source; /* of them in any case; not in memory: for one thread, best in their order */
    struct team *team;         /* the search's threads, for what is to be done with the outcome */
    uint64_t reachable;        /* states that can reach a goal */
    size_t depths;             /* entries of the histogram: the greatest distance plus one */
    const uint64_t *histogram;
    /* indices of the deepest states, ascending: all of them, or the first RETROGRADE_HARDEST_MAX */
    size_t hardest_kept;
    const uint64_t *hardest;
};

/* Packs the distances (in the search's own memory) and gathers the figures. Once only, after retrograde_layer said
 * done. */
void retrograde_finish(struct retrograde *search, struct retrograde_result *result);

/* After that: from now on the source is asked once, for one byte after another from the first to the last. Where the
 * disk has no room for the file and the outcome (scratch_file.drops), what was asked for is given back to it: then
 * neither the source nor what was kept of the search is good for anything else. */
void retrograde_hand_out(struct retrograde *search);

/* Where it is shared out among ranks: rank 0 alone may ask the source, or call retrograde_move, and the other ranks
 * give it what it takes, by calling this, until rank 0 calls it: then all return. */
void retrograde_serve(struct retrograde *search);

/* After that, once, where the puzzle has keys: the table of them, by which its states are numbered. The caller frees
 * it. Error: PDB_NO_MEMORY. */
pdb_status retrograde_keys(struct retrograde *search, struct keys **out, pdb_error *error);

#endif
