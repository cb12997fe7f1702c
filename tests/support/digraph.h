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
    uint64_t step, offset;     /* the index of a node is step * node + offset: 1 and 0, but for keys */
    bool wrong_costs;          /* edges out of indices cost one more than those out of positions */
    uint32_t *start;           /* nodes that `starts` gives */
    size_t starts;
};

/* Copies its arguments. `weight` may be NULL. */
struct digraph *digraph_create(uint32_t nodes, const uint32_t *from, const uint32_t *to, size_t edges,
                               const uint32_t *goal, size_t goals, const uint16_t *weight);
void digraph_free(struct digraph *graph);

/* Every node has one edge to the node before it, node 0 to the last; the goal is node 0. */
struct digraph *digraph_ring(uint32_t nodes);

/* `edges` edges between nodes drawn at random, some of them twice; several goals. */
struct digraph *digraph_random(uint32_t nodes, size_t edges, size_t goals, uint64_t seed, bool weighted);

/* From now on only the edges out of a node are known, and they cost 1 .. max_cost. `keyed`: states have keys, and are
 * found from the nodes given on, of which the first is the named board 'start'. */
void digraph_make_forward(struct digraph *graph, bool keyed, uint32_t max_cost, const uint32_t *start, size_t starts);

/* And its keys are step * node + offset, below step * nodes. */
void digraph_space_keys(struct digraph *graph, uint64_t step, uint64_t offset);

/* What edge number `edge` of graph->out costs. */
uint32_t digraph_cost(const struct digraph *graph, uint32_t edge);

/* The distance of each node over its edges out, costs counted, UINT32_MAX for none, and how many cheapest ways it has
 * (modulo 2^64). An obvious search in the manner of Dijkstra's, which tries all nodes for the next one. */
void digraph_solve_costs(const struct digraph *graph, uint32_t *distance, uint64_t *ways);

/* The distance of each node, UINT32_MAX for none, and how many shortest ways it has (modulo 2^64). */
void digraph_solve(const struct digraph *graph, uint32_t *distance, uint64_t *ways);

#endif
