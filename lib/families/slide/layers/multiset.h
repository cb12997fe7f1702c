/* multiset.h -- layers of sliding puzzles with many pieces alike, a word at a time
 *
 * Orders of a multiset are numbered as they come in lexicographic order (rank/multiset.h), and here they lie in that
 * order, a bit each, without gaps. Orders that begin alike are a run of bits. So beginnings are the *nodes* of a tree,
 * and a node's run falls apart into its children's, in a way that depends on nothing but the things that are *left*
 * behind the beginning, by class (the ranking's vector):
 *
 *     begins with        -                                    AABC left: 12 orders
 *                        A                 B        C         ABC, AAC, AAB left
 *                        AA    AB    AC    BA    BC CA    CB
 *     bit                0  1  2  3  4  5  6  7  8  9  10 11
 *     order              A  A  A  A  A  A  B  B  B  C  C  C
 *                        A  A  B  B  C  C  A  A  C  A  A  B
 *                        B  C  A  C  A  B  A  C  A  A  B  A
 *                        C  B  C  A  B  A  C  A  A  B  A  A
 *
 * A *group* is a node of some thousands of orders at most whose parent has more: they cut the tree through, and a block
 * of the puzzle (slide.h) is the groups one behind the other, each beginning at a word.
 *
 * A move takes a thing x out of the order at one place and puts it back in at another. That sets the orders that have
 * an x at the one place against those that have it at the other, and it does so *in their order*, the k-th going to the
 * k-th: orders with an x at the same place compare as they do without it. So of every word, for every x, bits come from
 * the source one after another: those under a mask, closed up (pext), and spread to those under another (pdep). That
 * is a *piece*, as far as the bits lie in 64 of the source, wherever those begin:
 *
 *     A at place 0   from   1  1  1  1  1  1  .  .  .  .  .  .
 *     A at place 2   to     .  .  1  .  1  .  1  .  1  1  .  1
 *
 * What a group's words are made of is a *list* of pieces, by word; where the list's sources lie, its *ask*. A list
 * depends on the move's places, seen from the group's beginning, and on what is left, as a row of counts without those
 * of classes that have none. There are few of these, so lists are shared by many groups.
 *
 *   both places before the group's   no list: the group is a run of bits elsewhere, of a group or of a larger one's
 *   x comes out of the group's       LIST_OUT: a source for each class x, the node where x is in the beginning
 *   x goes in among them             LIST_INTO: one node is the source, where x is left besides; it may be too large
 *                                    for a group, and then there are several
 *   both among the group's           LIST_INNER: the source is the same group of another block
 *
 * Pulling, a state asks where its own moves would lead: moves can be undone.
 */
#ifndef FAMILIES_SLIDE_LAYERS_MULTISET_H
#define FAMILIES_SLIDE_LAYERS_MULTISET_H

#include "layers.h"
#include "lib/rank/multiset.h"

enum {
    LAYER_GROUP_STATES = 8192, /* at most, where there are not very many groups; measured */
    LAYER_GROUP_STATES_MAX = 32768,
    LAYER_SOURCES_MAX = 256 /* of a list */
};

struct layer_piece {
    uint64_t from, to;
    uint16_t source; /* the bit where the first of `from` lies */
    uint8_t span;    /* from the first to the last of `from` */
    uint8_t slot;    /* of the list's sources */
};

/* Word w of a group is made by the pieces first[w] .. first[w + 1] - 1. */
struct layer_list {
    uint32_t words;
    uint32_t *first;
    struct layer_piece *piece;
};

/* Bits of the last layer, from `bit` of the first word on. */
struct layer_bits_source {
    const uint64_t *word;
    uint32_t bit;
};

/* -- maps.c -- */

/* A hash table: keys of two words, of which the first is not 0; a power of two of slots, no more than half taken. */
struct layer_entry {
    uint64_t key[2];
    union {
        uint64_t word;
        void *pointer;
    };
};
struct layer_table {
    struct layer_entry *slot;
    size_t slots, count;
};

/* The entry of a key, zero where it is new; NULL where memory is short. It moves when others are added. */
struct layer_entry *layer_table_entry(struct layer_table *table, const uint64_t key[2]);

struct layer_maps { /* begins as zeros but for the ranking */
    const struct multiset_ranking *ranking;
    struct layer_table words, bitmaps;
    bool failed; /* memory was short */
};
void layer_maps_free(struct layer_maps *maps);

/* Of the orders of `vector`, those that have the class at this place, 0 being the first: a bit each, and zeros behind
 * them to the end of a further word. NULL where memory is short. It belongs to the maps. */
const uint64_t *layer_map(struct layer_maps *maps, uint32_t vector, unsigned class, unsigned place);

/* -- lists.c -- */

enum layer_list_kind { LIST_OUT, LIST_INTO, LIST_INNER };

/* Which list: of orders with `vector` left.
 *
 *   LIST_OUT    class x, for every x, at `place`: it is taken out and goes before all of them. Each has a slot of its
 *               own, counted without the classes that have none left.
 *   LIST_INTO   `class` comes from before all of them to `place`: the source is orders of `vector`, which has it; the
 *               words are those of what else it has. The slots are the source's groups.
 *   LIST_INNER  for every x, from `place` to the `other` one
 */
struct layer_list_what {
    enum layer_list_kind kind;
    uint32_t vector;
    unsigned place, other, class;
};

struct layer_lists { /* begins as zeros but for these two: */
    struct layer_maps maps;
    uint32_t group_states;
    struct placed_piece *piece; /* of the list that is being made */
    size_t pieces, room;
    struct layer_table table; /* of struct layer_list, by struct list_key */
    uint64_t bytes;
};
/* No more lists are made: frees what is needed for that alone. */
void layer_lists_finish(struct layer_lists *lists);
void layer_lists_free(struct layer_lists *lists);
/* Bytes of the lists, the struct not counted. */
uint64_t layer_lists_bytes(const struct layer_lists *lists);

/* The list, made if it is not there yet; NULL where memory is short. It belongs to the lists. */
const struct layer_list *layer_lists_get(struct layer_lists *lists, const struct layer_list_what *what);

/* -- the kernel -- */

/* A group of a block. */
struct multiset_group {
    uint64_t first; /* rank of its first order */
    uint32_t vector;
};

/* Where a source lies: the group of its block, and the bit in it. */
struct multiset_source {
    uint32_t group, bit;
};

/* What a group asks for a move. */
struct multiset_ask {
    const struct layer_list *list; /* NULL: a run of bits as it is */
    uint32_t first, sources;       /* in multiset_layers.source */
};

/* What a move's window is: a thing goes from one place of the order to another. */
struct multiset_window {
    uint8_t from, to;
    uint32_t sources_max;     /* of a group */
    struct multiset_ask *ask; /* by group; NULL where no move is of this window */
};

struct multiset_move {
    uint32_t target; /* block */
    const struct multiset_window *window;
};

struct multiset_layers {
    struct layer_kernel kernel;
    const struct slide *slide;
    const struct layer_code *code;
    struct multiset_ranking ranking;
    struct layer_lists lists;
    bool too_many;                  /* of something, for this kernel */
    uint32_t group_states;          /* at most */
    uint32_t groups, words;         /* of a block */
    struct multiset_group *group;   /* and one more, whose `first` is the count of orders */
    struct multiset_window *window; /* by from * things + to; at 0 that of all moves that leave the order alone */
    uint64_t asks;                  /* of all windows */
    struct multiset_source *source;
    uint32_t sources;
    struct multiset_move *move; /* of blocks, as slide->move, those that leave the order alone first */
};

/* -- asks.c -- */

/* The group that a rank is in. */
uint32_t multiset_find_group(const struct multiset_layers *layers, uint64_t rank);

/* Fills in what all windows ask, and layers->source, once all else is there. False where memory is short, or they are
 * too many. */
bool multiset_make_asks(struct multiset_layers *layers);

/* -- multiset.c -- */

/* As slide_layers_make, for an order that is ranked as a multiset. `group_states`: the most in a group, up to
 * LAYER_GROUP_STATES_MAX; 0: what is best. */
pdb_status slide_layer_multiset_make(const struct slide *slide, bool portable, uint32_t group_states,
                                     struct layer_kernel **out, pdb_error *error);

#endif
