/* multiset.h -- the room of layer kernels (lib/search/space/layers.h) for orders of a multiset: 64 states to a word
 *
 * What is common to puzzles in which some things, many of them alike, stand in an order and a move changes it at one or
 * two places: pieces that slide, in reading order with the empty cells left out (a thing is *carried* from one place to
 * another), and pieces that walk, the empty places being things like others (a thing and an empty place are
 * *exchanged*). A family describes its moves (multiset_rules), and knows nothing of what stands below; and nothing here
 * knows a family, or how layers are gone through.
 *
 *   multiset.c   groups, their sources, states' places     tree.c    beginnings of orders, and what follows them
 *   asks.c       what a group asks for a move              lists.c, maps.c   tables of how it is answered
 *   words.c      the loops over words, in plain C and with BMI2
 *
 * Orders of a multiset are numbered as they come in lexicographic order (lib/rank/multiset.h), and here they lie in
 * that order, a bit each, without gaps. Orders that begin alike are a run of bits. So beginnings are the *nodes* of a
 * tree, and a node's run falls apart into its children's, in a way that depends on nothing but the things that are
 * *left* behind the beginning, by class (the ranking's vector):
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
 * is the groups one behind the other, each beginning at a word. (A *block* is all that is not in the order: where a
 * sliding puzzle's large pieces and empty cells are.)
 *
 * Exchanges may change an order's *colour*: the parity of the things that are not empty on places of side 1. Then the
 * orders of each colour are numbered apart, in their lexicographic order. All that is said here holds for either, with
 * nodes of its own: what is left and the colour of that. A beginning gives two groups on end, one of each colour, and a
 * layer concerns one of them.
 *
 * A move sets the orders that have this at its places against those that have that: carrying x, those with an x at the
 * one place against those with it at the other; exchanging x and an empty place, those with x here and nothing there
 * against those with nothing here and x there. It does so *in their order*, the k-th going to the k-th: they compare by
 * all their other things. So of every word, for every x, bits come from the source one after another: those under a
 * mask, closed up (pext), and spread to those under another (pdep). That is a *piece*, as far as the bits lie in 64 of
 * the source, wherever those begin:
 *
 *     A at place 0   from   1  1  1  1  1  1  .  .  .  .  .  .
 *     A at place 2   to     .  .  1  .  1  .  1  .  1  1  .  1
 *
 * What a group's words are made of is a *list* of pieces, by word; where the list's sources lie, its *ask*. A list
 * depends on the move's places, seen from the group's beginning, and on what is left, as a row of counts without those
 * of classes that have none. There are few of these, so lists are shared by many groups.
 *
 *   both places before the group's   no list: the group is a run of bits elsewhere, of a group or of a larger one's
 *   carried out of the group's       LIST_OUT: a source for each class x, the node where x is in the beginning
 *   carried in among them            LIST_INTO: one node is the source, where x is left besides; it may be too large
 *                                    for a group, and then there are several
 *   exchanged across the border      LIST_CROSS: a node, of one group or several, for each class that may come
 *   both among the group's           LIST_INNER, LIST_EXCHANGE: the source is the same beginning's group
 *
 * Pulling, a state asks where its own moves would lead: moves can be undone.
 */
#ifndef FAMILIES_SHARED_LAYERS_MULTISET_H
#define FAMILIES_SHARED_LAYERS_MULTISET_H

#include "lib/error.h"
#include "lib/rank/multiset.h"
#include "lib/search/space/layers.h"

enum {
    LAYER_MAX_THINGS = 256,    /* of an order */
    LAYER_GROUP_STATES = 8192, /* at most, where there are not very many groups; measured */
    LAYER_GROUP_STATES_MAX = 32768,
    LAYER_SOURCES_MAX = 256, /* of a list */
    LAYER_NO_CLASS = MULTISET_MAX_CLASSES
};

/* -- the description -- */

/* A move of a block: where it leads to, and two places of the order; equal where the order stays as it is. */
struct order_move {
    uint32_t target; /* block */
    uint8_t from, to;
};

/* A puzzle whose states are blocks * orders + the order's rank, and what its moves do. */
struct multiset_rules {
    unsigned classes;
    const uint16_t *members;
    unsigned empty;      /* of these classes, where things are exchanged with it; LAYER_NO_CLASS: they are carried */
    const uint8_t *side; /* of each place, 0 or 1, where exchanges change the colour; NULL: they have none */
    uint32_t blocks;
    const uint32_t *first; /* the moves of block b are move[first[b]] .. move[first[b + 1] - 1] */
    const struct order_move *move;
};

/* Makes a kernel. *out is NULL where the puzzle has too few orders, or too many, for it. `group_states`: the most in a
 * group, up to LAYER_GROUP_STATES_MAX; 0: what is best. Errors: PDB_NO_MEMORY. */
pdb_status multiset_layers_make(const struct multiset_rules *rules, bool portable, uint32_t group_states,
                                struct layer_kernel **out, pdb_error *error);

/* -- words.c -- */

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

/* The loops over words, for one kind of processor. Both add to what has been found. */
struct layer_code {
    /* By the pieces of a list; words in which nothing is wanted that is not found yet are passed over. */
    void (*list)(const struct layer_list *list, const struct layer_bits_source *source, const uint64_t *want,
                 uint64_t *found);
    /* A run of bits as it is. */
    void (*run)(struct layer_bits_source source, uint32_t states, uint64_t *found);
};

/* Has this processor pext and pdep that are quick, and vectors? */
bool layer_bmi2(void);

/* That of this processor, or that in plain C. */
const struct layer_code *layer_code(bool portable);

/* -- tree.c -- */

/* The tree of orders. A node is the vector of what is left behind a beginning; with colours, and the colour of that:
 * node = vector * 2 + colour. */
struct order_tree {
    struct multiset_ranking ranking; /* of all orders, by vector */
    unsigned shift;                  /* 1 with colours, else 0 */
    unsigned empty;
    uint8_t side[LAYER_MAX_THINGS]; /* of each place; zeros without colours */
    uint8_t *next;                  /* with colours: the side of the place that comes next, by vector */
    uint64_t *orders_of;            /* as the ranking's, but by node; without colours they are the ranking's */
    uint64_t *before;
};

enum multiset_status order_tree_make(struct order_tree *tree, const struct multiset_rules *rules);
void order_tree_free(struct order_tree *tree);
uint64_t order_tree_bytes(const struct order_tree *tree);

static inline uint32_t order_tree_node(const struct order_tree *tree, uint32_t vector, unsigned colour)
{
    return vector << tree->shift | (colour & tree->shift);
}

/* What a thing of this class adds to the colour where `vector` is left from it on. */
static inline unsigned order_tree_flips(const struct order_tree *tree, uint32_t vector, unsigned class)
{
    return tree->shift != 0 && class != tree->empty ? tree->next[vector] : 0;
}

static inline uint32_t order_tree_child(const struct order_tree *tree, uint32_t node, unsigned class)
{
    const uint32_t vector = node >> tree->shift;
    return order_tree_node(tree, vector - tree->ranking.stride[class], node ^ order_tree_flips(tree, vector, class));
}

/* How many orders of a node come before those that begin with this class; and begin with it. */
static inline uint64_t order_tree_before(const struct order_tree *tree, uint32_t node, unsigned class)
{
    return tree->before[(uint64_t)node * tree->ranking.classes + class];
}

static inline uint64_t order_tree_beginning(const struct order_tree *tree, uint32_t node, unsigned class)
{
    return (class + 1 < tree->ranking.classes ? order_tree_before(tree, node, class + 1) : tree->orders_of[node]) -
           order_tree_before(tree, node, class);
}

/* The orders of a vector, of the colour that has more. */
static inline uint64_t order_tree_most(const struct order_tree *tree, uint32_t vector)
{
    const uint64_t one = tree->orders_of[vector << tree->shift],
                   other = tree->orders_of[vector << tree->shift | tree->shift];
    return one > other ? one : other;
}

/* The first of a colour's orders that begin with these things, among all of that colour; *node is what follows. */
uint64_t order_tree_rank(const struct order_tree *tree, unsigned colour, const uint8_t *thing, unsigned length,
                         uint32_t *node);

/* The orders of a vector, whatever their colour, as a bitmap: sets bit `at` and those behind it where the colour of the
 * order is this one. */
void order_tree_mark(const struct order_tree *tree, uint32_t vector, unsigned colour, uint64_t at, uint64_t *bitmap);

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

struct layer_maps { /* begins as zeros but for the tree */
    const struct order_tree *tree;
    struct layer_table words, bitmaps;
    bool failed; /* memory was short */
};
void layer_maps_free(struct layer_maps *maps);

/* Of a node's orders, those that have the class at this place, 0 being the first: a bit each, and zeros behind them to
 * the end of a further word. NULL where memory is short. It belongs to the maps. */
const uint64_t *layer_map(struct layer_maps *maps, uint32_t node, unsigned class, unsigned place);

/* -- lists.c -- */

enum layer_list_kind { LIST_OUT, LIST_INTO, LIST_INNER, LIST_CROSS, LIST_EXCHANGE, LIST_ARRANGE };

/* Which list: of a group's orders, which have `node` left.
 *
 *   LIST_OUT       class x, for every x, at `place`: it is taken out and goes before all of them
 *   LIST_INTO      `class` comes from before all of them to `place`: the source has it left besides
 *   LIST_INNER     for every x, from `place` to the `other` one
 *   LIST_CROSS     for every x that may be exchanged with it: x at `place`, and `class` before all of them; the source
 *                  has x there, and `class` at `place`
 *   LIST_EXCHANGE  for every x, between `place` and the `other` one: x and an empty place
 *   LIST_ARRANGE   no move: the orders in their places among those of both colours
 *
 * The slots are the groups of the source for each x in turn. */
struct layer_list_what {
    enum layer_list_kind kind;
    uint32_t node;
    unsigned place, other, class;
    unsigned colour; /* of the source's orders, where things are exchanged */
};

/* May things of two classes be exchanged: is one of them the empty place? */
static inline bool layer_exchangeable(const struct order_tree *tree, unsigned one, unsigned other)
{
    return (one == tree->empty) != (other == tree->empty);
}

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

/* Whether a vector is a group, or falls apart into several. */
static inline bool layer_is_group(const struct order_tree *tree, uint32_t vector, uint32_t group_states)
{
    return order_tree_most(tree, vector) <= group_states;
}

/* -- the kernel -- */

/* A beginning of orders: of one group of a block, or, with colours, of two. */
struct multiset_run {
    uint64_t index;    /* rank of its first order */
    uint64_t first[2]; /* the same among those of each colour */
    uint32_t vector;
    uint8_t colour;                   /* of the beginning */
    const struct layer_list *list[2]; /* LIST_ARRANGE, by colour; NULL: as they are */
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

/* What a move does to an order, by its two places. */
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
    const struct layer_code *code;
    struct order_tree tree;
    struct layer_lists lists;
    bool too_many;         /* of something, for this kernel */
    uint32_t group_states; /* at most */
    uint32_t blocks, runs, groups, words;
    struct multiset_run *run;       /* `runs` of a block, and one more, that begins behind the last order */
    struct multiset_window *window; /* by from * things + to; at 0 that of all moves that leave the order alone */
    uint64_t asks;                  /* of all windows */
    struct multiset_source *source;
    uint32_t sources;
    uint32_t *first; /* of blocks, as in the rules; of each block those that leave the order alone first */
    struct multiset_move *move;
};

/* Group `group` of a block is the run group / run_groups, and its orders of the colour that is the rest. */
static inline unsigned multiset_colour(const struct multiset_layers *layers, uint32_t group)
{
    return group & layers->tree.shift;
}

static inline const struct multiset_run *multiset_run_of(const struct multiset_layers *layers, uint32_t group)
{
    return &layers->run[group >> layers->tree.shift];
}

static inline uint32_t multiset_group_states(const struct multiset_layers *layers, uint32_t group)
{
    const struct multiset_run *run = multiset_run_of(layers, group);
    const unsigned colour = multiset_colour(layers, group);
    return (uint32_t)(run[1].first[colour] - run->first[colour]);
}

/* What its orders have left. */
static inline uint32_t multiset_node(const struct multiset_layers *layers, uint32_t group)
{
    const struct multiset_run *run = multiset_run_of(layers, group);
    return order_tree_node(&layers->tree, run->vector, multiset_colour(layers, group) ^ run->colour);
}

/* -- asks.c -- */

/* The group of a colour that the order of this rank among them is in. */
uint32_t multiset_find_group(const struct multiset_layers *layers, unsigned colour, uint64_t rank);

/* Fills in what all windows ask, and layers->source, once all else is there. False where memory is short, or they are
 * too many. */
bool multiset_make_asks(struct multiset_layers *layers);

#endif
