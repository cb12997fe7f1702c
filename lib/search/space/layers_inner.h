/* layers_inner.h -- the engine of layers.h: its parts to one another */
#ifndef SEARCH_SPACE_LAYERS_INNER_H
#define SEARCH_SPACE_LAYERS_INNER_H

#include "layers.h"
#include "retrograde_inner.h"

enum {
    LAYER_PUSH_BATCH = 256,        /* states pushed at once */
    LAYER_THREADED_WORDS = 1 << 17 /* with fewer in a plane, threads wait for one another longer than they work */
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

/* A group that may find something, and the words of its sources. */
struct layer_asking {
    uint64_t group;
    const uint64_t **source;
};

/* Buffers of one thread. */
struct layer_worker {
    struct layer_asking asking[2]; /* the group at hand, and the one after it */
    uint64_t *source;              /* scratch for sources' numbers */
    uint64_t want[LAYER_WORDS_MAX], found[LAYER_WORDS_MAX];
    struct layer_entry *entry; /* of a chunk */
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

/* The loops over a group's words that the engine runs itself, as fast as the processor can (layers_loops.c). */
struct layer_loops {
    /* The bits of `full`, of `last` in the last word, that no plane has, in want[]; `planes` planes of `words` words
     * lie one behind the other. False where there are none. */
    bool (*unvisited)(const uint64_t *plane, unsigned planes, uint32_t words, uint64_t full, uint64_t last,
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

    uint8_t *memory; /* of all buffers but the planes */
    uint64_t *first; /* of the words of all groups, each group's; and one past the last group's */
    uint64_t *plane; /* of all groups, one behind the other */
    uint8_t *full;   /* a byte a group: nothing in it is unvisited; */
    uint8_t *news;   /* it has states of the last layer; of the next */
    uint8_t *next_news;
    struct layer_list last, next;
    uint64_t *lowest;                             /* scratch for layers_lowest */
    uint64_t *batch;                              /* states and their neighbours */
    uint64_t cut_group, cut[3 * LAYER_WORDS_MAX]; /* the first of a run that has been packed over; its planes */
    enum encoding encoding;                       /* that stretches are packed in */
    struct layer_worker *workers;
    struct layers_kept *kept;
};

static inline uint32_t layers_words(const struct layers *layers, uint64_t group)
{
    return (uint32_t)(layers->first[group + 1] - layers->first[group]);
}

static inline uint64_t *layers_plane(const struct layers *layers, uint64_t group, unsigned plane)
{
    return layers->plane + layers->first[group] * layers->planes + plane * layers_words(layers, group);
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
    return (unsigned)(layers->planes == 2 ? depth >> 1 & 1 : depth % 3);
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

/* -- layers.c -- */

/* The lowest states of a list, at most RETROGRADE_HARDEST_MAX, ascending, in layers->lowest; sorts the list. */
size_t layers_lowest(struct layers *layers, struct layer_list *list);

/* Sets a list to these states. */
void layers_list(const struct layers *layers, struct layer_list *list, const uint64_t *index, size_t count);

/* -- layers_keep.c: these of struct way; and the bytes of a stretch's bitmaps -- */

size_t layers_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX]);
bool layers_resume(struct retrograde *search);
void layers_finish(struct retrograde *search, struct retrograde_result *result);
uint64_t layers_stretch_bytes(const struct puzzle *puzzle);

#endif
