/* tree.c -- layers of multisets: beginnings of orders, and how many follow them, of each colour where there are two
 *
 * The tables of the ranking, once more for every colour: an order of what is left begins with some class, which may
 * change the colour of the rest.
 */
#include "multiset.h"

#include <stdlib.h>
#include <string.h>

/* Fills the tables in the order of the vectors: what a node needs stands before it. */
static void fill(struct order_tree *tree)
{
    const struct multiset_ranking *ranking = &tree->ranking;
    tree->orders_of[0] = 1;
    for (uint32_t vector = 1; vector <= ranking->whole; vector++) {
        unsigned left = 0;
        for (unsigned c = 0; c < ranking->classes; c++)
            left += multiset_left(ranking, vector, c);
        tree->next[vector] = tree->side[ranking->things - left];
        for (uint32_t node = 2 * vector; node <= 2 * vector + 1; node++) {
            uint64_t orders = 0;
            for (unsigned c = 0; c < ranking->classes; c++) {
                tree->before[(uint64_t)node * ranking->classes + c] = orders;
                if (multiset_beginning(ranking, vector, c) > 0)
                    orders += tree->orders_of[order_tree_child(tree, node, c)];
            }
            tree->orders_of[node] = orders;
        }
    }
}

enum multiset_status order_tree_make(struct order_tree *tree, const struct multiset_rules *rules)
{
    *tree = (struct order_tree){.empty = rules->empty};
    const enum multiset_status status = multiset_init(&tree->ranking, rules->classes, rules->members);
    if (status != MULTISET_OK)
        return status;
    tree->orders_of = tree->ranking.orders_of;
    tree->before = tree->ranking.before;
    if (rules->side == NULL)
        return MULTISET_OK;
    const size_t vectors = (size_t)tree->ranking.whole + 1;
    tree->shift = 1;
    tree->orders_of = calloc(2 * vectors * (1 + rules->classes), sizeof *tree->orders_of);
    tree->next = calloc(vectors, 1);
    memcpy(tree->side, rules->side, tree->ranking.things);
    if (tree->orders_of == NULL || tree->next == NULL)
        return MULTISET_NO_MEMORY;
    tree->before = tree->orders_of + 2 * vectors;
    fill(tree);
    return MULTISET_OK;
}

void order_tree_free(struct order_tree *tree)
{
    if (tree->shift != 0)
        free(tree->orders_of);
    free(tree->next);
    multiset_free(&tree->ranking);
}

uint64_t order_tree_bytes(const struct order_tree *tree)
{
    const uint64_t vectors = (uint64_t)tree->ranking.whole + 1, classes = tree->ranking.classes;
    return multiset_bytes(&tree->ranking) +
           tree->shift * vectors * (2 * (1 + classes) * sizeof *tree->orders_of + sizeof *tree->next);
}

uint64_t order_tree_rank(const struct order_tree *tree, unsigned colour, const uint8_t *thing, unsigned length,
                         uint32_t *node)
{
    uint64_t rank = 0;
    *node = order_tree_node(tree, tree->ranking.whole, colour);
    for (unsigned i = 0; i < length; i++) {
        rank += order_tree_before(tree, *node, thing[i]);
        *node = order_tree_child(tree, *node, thing[i]);
    }
    return rank;
}

void order_tree_mark(const struct order_tree *tree, uint32_t vector, unsigned colour, uint64_t at, uint64_t *bitmap)
{
    const struct multiset_ranking *ranking = &tree->ranking;
    if (tree->orders_of[order_tree_node(tree, vector, colour)] == 0)
        return;
    if (ranking->orders_of[vector] == 1) {
        bitmap[at / 64] |= (uint64_t)1 << at % 64;
        return;
    }
    for (unsigned c = 0; c < ranking->classes; c++)
        if (multiset_beginning(ranking, vector, c) > 0)
            order_tree_mark(tree, vector - ranking->stride[c], colour ^ order_tree_flips(tree, vector, c),
                            at + ranking->before[(uint64_t)vector * ranking->classes + c], bitmap);
}
