/* inner.h -- the engine of layers.h: its parts to one another */
#ifndef SEARCH_SPACE_WORDS_INNER_H
#define SEARCH_SPACE_WORDS_INNER_H

#include "lib/memory/arena.h"
#include "lib/search/space/retrograde_inner.h"
#include "ghosts.h"
#include "runs.h"

enum {
    LAYER_PUSH_BATCH = 256,         /* states pushed at once */
    LAYER_THREADED_WORDS = 1 << 17, /* with fewer in a plane, threads wait for one another longer than they work */
    LAYER_STRETCH_STATES = 512 * RUNS_STATES
};

/* States of one word: of their addresses, what goes before the bit. */
struct layer_entry {
    uint64_t word, bits;
};

/* States of a layer: all of them, or enough of the lowest. */
struct layer_list {
    size_t entries;
    uint64_t states;
    struct layer_entry *entry;
};

/* States on end that are packed together: from the state `first` on, which `skipped` of its group precede; and a bitmap
 * for each plane. */
struct layer_stretch {
    uint64_t first, states, group, skipped;
    uint64_t *bitmap;
};

/* What a piece of a layer's work is of all of it: how much goes before it, and how much it is. */
struct layer_share {
    double before, size;
};

/* A group that may find something, and the words of its sources. */
struct layer_asking {
    uint64_t group;
    const uint64_t **source;
};

/* Buffers of one thread. Vectors go over the first two: if these began within a line of the cache, every second vector
 * would lie in two lines. */
struct layer_worker {
    _Alignas(ARENA_ALIGNMENT) uint64_t want[LAYER_WORDS_MAX], found[LAYER_WORDS_MAX];
    struct layer_asking asking[2]; /* the group at hand, and the one after it */
    uint64_t *source;              /* scratch for sources' numbers */
    struct layer_entry *entry;     /* of a chunk */
    size_t entries;
    struct layer_stretch stretch;
};

/* What is kept between runs beside planes and figures: the lowest states of the last layer and of the next, as far as
 * it was made. */
struct layers_kept {
    uint64_t found; /* states of the next layer so far */
    uint64_t last_count, next_count;
    uint64_t last[RETROGRADE_HARDEST_MAX], next[RETROGRADE_HARDEST_MAX];
};

/* The loops over a group's words that the engine runs itself, as fast as the processor can (loops.c). */
struct layer_loops {
    /* The bits of `full`, of `last` in the last word, that none of the planes has, in want[]. False where there are
     * none. */
    bool (*unvisited)(const uint64_t *const plane[3], unsigned planes, uint32_t words, uint64_t full, uint64_t last,
                      uint64_t *want);
    /* Adds to a plane what was found of what is wanted, and leaves that in found[]. Returns how many bits they are. */
    uint64_t (*add)(uint64_t *plane, uint64_t *found, const uint64_t *want, uint32_t words);
};

/* `portable`: without what only some processors can. */
const struct layer_loops *layer_loops(bool portable);

struct layers {
    struct retrograde search;
    unsigned planes;
    struct layer_kernel *kernel;
    const struct layer_loops *loops;
    uint64_t chunk_groups; /* groups of a chunk */
    uint64_t push_max;     /* the most states of a layer that is thin */
    uint64_t list_enough;  /* states that a list is to have, if the layer has so many */
    uint64_t list_room;    /* entries that a list has room for */

    uint8_t *memory; /* of all buffers but the planes, an arena */
    uint64_t *first; /* of the words of all groups, each group's; and one past the last's; NULL: all have words_max */
    uint64_t *plane; /* of all groups, one behind the other; NULL where they lie in: */
    struct runs *runs;
    struct ghosts *ghosts; /* what is shared out among ranks; NULL: all groups are here */
    uint8_t *full;         /* a byte a group: nothing in it is unvisited; */
    uint8_t *news;         /* it has states of the last layer; of the next */
    uint8_t *next_news;
    struct layer_list last, next;
    uint64_t listed_groups; /* those before have all of the next layer that is to be listed; 0: nobody knows yet */
    uint64_t *lowest;       /* scratch for layers_lowest */
    uint64_t *batch;        /* states and their neighbours */
    uint64_t cut_group, cut[3 * LAYER_WORDS_MAX]; /* the first of a run that has been packed over; its planes */
    enum encoding encoding;                       /* that stretches are packed in */
    uint8_t *packed;                              /* where to: from the state `packed_first` on */
    uint64_t packed_first, packed_states;
    struct layer_stretch gathered; /* the first of those that were packed last of what other ranks gave */
    struct layers *self;           /* context of a source, which is not to be changed */
    struct layer_worker *workers;
    struct layers_kept *kept;
};

/* Where the words of a group begin, among those of all. */
static inline uint64_t layers_first(const struct layers *layers, uint64_t group)
{
    return layers->first == NULL ? group * layers->kernel->words_max : layers->first[group];
}

static inline uint32_t layers_words(const struct layers *layers, uint64_t group)
{
    return layers->first == NULL ? layers->kernel->words_max
                                 : (uint32_t)(layers->first[group + 1] - layers->first[group]);
}

/* A group's words in a plane. In memory the group's planes lie one behind the other; where they are cut into runs,
 * those that are asked for must have been brought; of other ranks' groups there are those that own ones ask for. */
static inline uint64_t *layers_plane(const struct layers *layers, uint64_t group, unsigned plane)
{
    if (layers->runs != NULL)
        return runs_plane(layers->runs, group, plane);
    if (layers->ghosts != NULL)
        return ghosts_plane(layers->ghosts, layers->plane, group, layers_words(layers, group), plane);
    return layers->plane + layers_first(layers, group) * layers->planes + plane * layers_words(layers, group);
}

/* A plane of which the words of many groups are wanted: what is the same for all of them is worked out once. */
struct layer_view {
    const struct layers *layers;
    unsigned plane;
    uint64_t apart;        /* one group's words from the next one's, where all have as many and are in memory */
    const uint64_t *words; /* of the first group there; else NULL */
};

static inline struct layer_view layers_view(const struct layers *layers, unsigned plane)
{
    const uint64_t words = layers->kernel->words_max;
    struct layer_view view = {layers, plane, layers->planes * words, NULL};
    if (layers->first == NULL && layers->runs == NULL && layers->ghosts == NULL)
        view.words = layers->plane + plane * words;
    return view;
}

static inline const uint64_t *layers_seen(const struct layer_view *view, uint64_t group)
{
    return view->words != NULL ? view->words + group * view->apart : layers_plane(view->layers, group, view->plane);
}

/* Is a group this process's, where they are shared out? */
static inline bool layers_own(const struct layers *layers, uint64_t group)
{
    return layers->ghosts == NULL || ghosts_owner(layers->ghosts, group) == layers->ghosts->ranks->rank;
}

/* Brings a group's planes, where they are not in memory. Error: PDB_IO. */
static inline pdb_status layers_hold(struct layers *layers, uint64_t group, pdb_error *error)
{
    return layers->runs == NULL
               ? PDB_OK
               : runs_hold(layers->runs, group / layers->runs->slab_groups, &layers->search.team, error);
}

/* The states of a group's last word. */
static inline uint64_t layers_last(const struct layers *layers, uint64_t group)
{
    const struct layer_kernel *kernel = layers->kernel;
    return layer_low(kernel->states(kernel, group) - (layers_words(layers, group) - 1) * kernel->bits);
}

/* The plane that states at this distance are in. */
static inline unsigned layers_residue(const struct layers *layers, uint64_t depth)
{
    return layer_residue(layers->planes, depth);
}

static inline struct layers *layers_of(struct retrograde *search)
{
    return (struct layers *)search;
}

/* The team, where the puzzle is large enough for one. */
static inline struct team *layers_team(struct layers *layers)
{
    return layers->kernel->words >= LAYER_THREADED_WORDS ? &layers->search.team : NULL;
}

/* -- list.c -- */

/* The lowest states of a list, at most RETROGRADE_HARDEST_MAX, ascending, in layers->lowest; sorts the list. */
size_t layers_lowest(struct layers *layers, struct layer_list *list);

/* Sets a list to these states, as far as they lie in own groups. */
void layers_list(const struct layers *layers, struct layer_list *list, const uint64_t *index, size_t count);

/* Cuts a list down to the lowest states. */
void layers_shorten(struct layers *layers, struct layer_list *list);

/* Adds states of one word: how many. Shortens the list where it is full. */
static inline unsigned layers_list_add(struct layers *layers, struct layer_list *list, uint64_t word, uint64_t bits)
{
    const unsigned states = (unsigned)__builtin_popcountll(bits);
    if (list->entries == layers->list_room)
        layers_shorten(layers, list);
    list->entry[list->entries++] = (struct layer_entry){word, bits};
    list->states += states;
    return states;
}

/* -- layers.c -- */

/* The states of the next layer in the groups from `first` to before `past`: how many they are. */
uint64_t layers_pull(struct layers *layers, uint64_t first, uint64_t past, struct watch *watch,
                     const struct layer_share *share);

/* Visits the state at this address, if it has not been visited. */
void layers_visit(struct layers *layers, uint64_t address, uint64_t depth);

/* -- slabs.c: where the planes are cut into runs -- */

/* Makes the next layer, or as much of it as there are slots for; `*whole` says whether that is all. Errors: PDB_IO,
 * PDB_INTERRUPTED. */
pdb_status runs_layer(struct layers *layers, struct watch *watch, bool *whole, pdb_error *error);

/* Carries out a script whose steps are written. The same errors. */
pdb_status runs_carry_out(struct layers *layers, struct watch *watch, pdb_error *error);

/* What was found is the last layer. */
void runs_take_layer(struct runs *runs);

/* Visits goals. Error: PDB_IO. */
pdb_status runs_goals(struct layers *layers, const uint64_t *index, size_t count, pdb_error *error);

/* A census has counted so many states in a slab's planes, and marked its groups. Is that what the table says? */
bool runs_count_slab(struct layers *layers, uint64_t slab, const uint64_t plane[3]);

/* Packs the round of stretches that this state lies in. Error: PDB_IO. */
pdb_status runs_pack(struct layers *layers, uint64_t state, pdb_error *error);

/* -- ranked.c: where the groups are shared out among ranks -- */

/* Shares out a plan, as way->share_out; or begins to, where the planes will lie in runs. Errors: those of ghosts.h. */
pdb_status ranked_share_out(struct retrograde_plan *plan, struct ranks *ranks, pdb_error *error);
pdb_status ranked_begin_runs(struct retrograde_plan *plan, pdb_error *error);
void ranked_take_runs(struct retrograde_plan *plan);

/* Makes the next layer: what all ranks have found is counted, and one that was stopped stops all. */
void ranked_layer(struct layers *layers, struct watch *watch);

/* A rank has found so many states of the next layer, and so have others; it has no more slots, or others have none. */
void ranked_found(struct layers *layers, struct watch *watch, uint64_t found, bool *crowded);

/* Bytes of rank 0's window. */
uint64_t ranked_window_bytes(const struct retrograde_plan *plan);

/* Visits the goals that lie in own groups. */
void ranked_goals(struct layers *layers, const uint64_t *index, size_t count);

/* The lowest states of all ranks' lists, in layers->lowest, on rank 0; how many they are. */
size_t ranked_lowest(struct layers *layers, size_t own);

/* Adds what all ranks have counted. */
void ranked_sum(struct layers *layers, uint64_t *number, size_t count);

/* Packs the round of stretches that this state lies in, on rank 0. Error: PDB_NO_MEMORY. */
pdb_status ranked_pack(struct layers *layers, uint64_t state, pdb_error *error);

/* As retrograde_move and retrograde_serve. */
void ranked_move(struct retrograde *search, uint64_t offset, uint8_t *bytes, uint64_t size, bool back);
void ranked_serve(struct retrograde *search);

/* -- shared.c: where they are shared out, and lie in runs -- */

/* As runs_layer: all ranks leave it with the same. PDB_OK, with a watch that is stopped, where one was interrupted. */
pdb_status shared_layer(struct layers *layers, struct watch *watch, bool *whole, pdb_error *error);

/* As runs_settle, and has what all ranks' tables say for a checkpoint; and takes this rank's table from it. */
pdb_status shared_settle(struct layers *layers, pdb_error *error);
void shared_resume(struct runs *runs);

/* -- keep.c: these of struct way; and the bytes of a stretch's bitmaps -- */

size_t layers_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX]);
bool layers_resume(struct retrograde *search);
pdb_status layers_settle(struct retrograde *search, pdb_error *error);
void layers_kept(struct retrograde *search);
bool layers_crowded(const struct retrograde *search);
void layers_hand_out(struct retrograde *search);
void layers_finish(struct retrograde *search, struct retrograde_result *result);
uint64_t layers_stretch_bytes(const struct puzzle *puzzle);

/* The stretch behind another, in the same bitmaps. */
void layers_pass_stretch(const struct layers *layers, struct layer_stretch *at);

/* Packs stretches from this one on, one for every thread, as far as there are so many states; it is the one behind
 * them then. */
void layers_pack_round(struct layers *layers, struct layer_stretch *next, uint64_t states);

/* Packs states of a slab, a stretch for each thread at most, into layers->packed. Error: PDB_IO. */
pdb_status layers_pack(struct layers *layers, uint64_t first, uint64_t states, pdb_error *error);

#endif
