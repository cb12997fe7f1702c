/* slide_layer_multiset.h -- layers of sliding puzzles with many pieces alike, a word at a time
 *
 * Orders of a multiset are numbered as they come in lexicographic order (rank/multiset.h), and here they lie in that
 * order, a bit each, without gaps. The orders that begin alike are a run of bits, as long as what is *left* behind
 * their beginning has orders; so a beginning is a *node* of a tree, its children come one behind the other, and how a
 * node's run falls apart depends on what is left alone:
 *
 *     AABC left                                    12 orders
 *     A: ABC left            | B: AAC left | C: AAB left
 *     A: BC | B: AC | C: AB  | A ..  | C ..| A .. | B ..
 *     BC CB | AC CA | AB BA  | AC CA | AA  | AB BA| AA          bit 0 .. bit 11
 *
 * A *group* is a node of some thousands of orders at most whose parent has more: the tree is cut into groups, and a
 * block of the puzzle (slide.h) is a run of them, each beginning at a word.
 *
 * A move takes a thing x out of the order and puts it back in elsewhere. What comes before the *window* that it crosses
 * stays, what comes behind it stays; in between the others keep their order. Say x stands at the window's front in one
 * order, a, and j places behind it in the other, b. Where the window begins with u left, x among it,
 *
 *     a begins with x:   one run of bits, the orders of u - x
 *     b has x at place j: some of the orders of u, here and there
 *
 * and the k-th of the former belongs to the k-th of the latter: to take x out does not change which of two orders comes
 * first. Where they lie follows from going down both trees at once, by the j things that x passes (`follow`); below
 * lies a run in both. So for every word and every x the bits come from the source in their order: those under a mask,
 * closed up (pext), and spread to those under another (pdep). That is a *piece*:
 *
 *     source, from `source` on   . . 1 . 1 1 . . 1 . . . .     from: 64 bits at most, wherever they begin
 *                                     \   \ \     \
 *     word                       . . . . 1 1 1 1 . . . . .     to
 *
 * A group's *ask* of a move is where its sources are, and which list of pieces serves. Lists depend on what is left,
 * as counts of classes without those of none, and on the window, seen from the group's beginning; few groups have one
 * of their own. There are four cases:
 *
 *   window before the group    the whole group is a run of bits elsewhere, and needs no list
 *   .. x comes out of it       into the prefix: a source for each class x
 *   .. x goes into it          one source node, of u = the group's and x; if it is too large for a group, several
 *   .. lies in it              the source is the same group of another block
 *
 * Pulling, a state asks where it would come to by its own moves: moves can be undone.
 */
#ifndef FAMILIES_SLIDE_LAYER_MULTISET_H
#define FAMILIES_SLIDE_LAYER_MULTISET_H

#include "../rank/multiset.h"
#include "../search/layers.h"
#include "slide.h"

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

/* -- slide_layer_maps.c -- */

struct layer_maps;
struct layer_maps *layer_maps_new(const struct multiset_ranking *ranking);
void layer_maps_free(struct layer_maps *maps);

/* Of the orders of `vector`, those that have the class at this place, 0 being the first: a bit each, and zeros behind
 * them to the end of a further word. NULL where memory is short. It belongs to the maps. */
const uint64_t *layer_map(struct layer_maps *maps, uint32_t vector, unsigned class, unsigned place);

/* -- slide_layer_lists.c -- */

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

struct layer_lists;
/* The maps need not live longer than lists are made. */
struct layer_lists *layer_lists_new(const struct multiset_ranking *ranking, struct layer_maps *maps,
                                    uint32_t group_states);
void layer_lists_free(struct layer_lists *lists);
uint64_t layer_lists_bytes(const struct layer_lists *lists);

/* The list, made if it is not there yet; NULL where memory is short. It belongs to the lists. */
const struct layer_list *layer_lists_get(struct layer_lists *lists, const struct layer_list_what *what);

/* -- slide_layer_pieces.c -- */

/* Adds to found[] what is found in the layer. */
struct layer_piece_code {
    /* By the pieces of a list; words in which nothing is wanted that is not found yet are passed over. */
    void (*pieces)(const struct layer_list *list, const struct layer_bits_source *source, const uint64_t *want,
                   uint64_t *found);
    /* A run of bits as it is. */
    void (*run)(struct layer_bits_source source, uint32_t states, uint64_t *found);
};

const struct layer_piece_code *slide_layer_piece_code(bool portable);

/* -- slide_layer_multiset.c -- */

/* As slide_layers_make, for an order that is ranked as a multiset. `group_states`: the most in a group, up to
 * LAYER_GROUP_STATES_MAX; 0: what is best. */
pdb_status slide_layer_multiset_make(const struct slide *slide, bool portable, uint32_t group_states,
                                     struct layer_kernel **out, pdb_error *error);

#endif
