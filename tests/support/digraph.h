/* digraph.h -- puzzles made of nothing but a directed graph, for tests: nodes are states, edges are moves
 *
 * A node's position is its number in five decimal digits. Edges may be there twice, lead back to their own node, or
 * lead nowhere useful. Nodes may have weights. digraph_solve is the oracle: a plain queue over the list of edges, which
 * shares nothing with the library's search.
 */
#ifndef TESTS_SUPPORT_DIGRAPH_H
#define TESTS_SUPPORT_DIGRAPH_H

#include "lib/puzzle.h"

struct digraph {
    struct puzzle puzzle;
    uint32_t nodes;
    size_t edges, goals;
    uint32_t *from, *to; /* of each edge */
    uint32_t *goal;
    uint32_t *first_out, *out; /* edges by where they begin: nodes + 1, edges */
    uint32_t *first_in, *in;   /* and by where they end */
    uint16_t *weight;          /* of each node; NULL where the puzzle has no weights */
};

/* Copies its arguments. `weight` may be NULL. */
struct digraph *digraph_create(uint32_t nodes, const uint32_t *from, const uint32_t *to, size_t edges,
                               const uint32_t *goal, size_t goals, const uint16_t *weight);
void digraph_free(struct digraph *graph);

/* Every node has one edge to the node before it, node 0 to the last; the goal is node 0. */
struct digraph *digraph_ring(uint32_t nodes);

/* `edges` edges between nodes drawn at random, some of them twice; several goals. */
struct digraph *digraph_random(uint32_t nodes, size_t edges, size_t goals, uint64_t seed, bool weighted);

/* The distance of each node, UINT32_MAX for none, and how many shortest ways it has (modulo 2^64). */
void digraph_solve(const struct digraph *graph, uint32_t *distance, uint64_t *ways);

#endif
