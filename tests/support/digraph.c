/* digraph.c -- puzzles made of nothing but a directed graph, for tests */
#include "digraph.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 5 };

static const struct digraph *graph_of(const struct puzzle *puzzle)
{
    return (const struct digraph *)puzzle;
}

static void *must(void *memory)
{
    cr_assert(memory != NULL);
    return memory;
}

static uint32_t node_at(const struct digraph *graph, uint64_t index)
{
    cr_assert(index % graph->step == graph->offset && index / graph->step < graph->nodes);
    return (uint32_t)(index / graph->step);
}

/* -- positions -- */

static uint32_t node_of(const uint8_t *position)
{
    uint32_t node = 0;
    for (unsigned i = 0; i < DIGITS; i++)
        node = 10 * node + position[i];
    return node;
}

static void position_of(uint32_t node, uint8_t *position)
{
    for (unsigned i = DIGITS; i-- > 0; node /= 10)
        position[i] = (uint8_t)(node % 10);
}

static pdb_status digraph_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    if (node_of(position) < graph_of(puzzle)->nodes)
        return PDB_OK;
    return error_set(error, PDB_BAD_BOARD, "there is no such node");
}

static bool digraph_is_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    const struct digraph *graph = graph_of(puzzle);
    for (size_t g = 0; g < graph->goals; g++)
        if (graph->goal[g] == node_of(position))
            return true;
    return false;
}

static pdb_status digraph_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves,
                                pdb_error *error)
{
    const struct digraph *graph = graph_of(puzzle);
    const uint32_t node = node_of(position);
    for (uint32_t e = graph->first_out[node]; e < graph->first_out[node + 1]; e++) {
        pdb_move *move = moves_add(moves);
        if (move == NULL)
            return error_no_memory(error, "moves", sizeof *move);
        snprintf(move->text, sizeof move->text, "edge %u to %u", e - graph->first_out[node], graph->out[e]);
        strcpy(move->piece, "0");
        position_of(graph->out[e], move->board.symbol);
        move->cost = digraph_cost(graph, e);
    }
    return PDB_OK;
}

static bool digraph_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct digraph *graph = graph_of(puzzle);
    const uint32_t node = node_of(position);
    *index = graph->step * node + graph->offset;
    return node < graph->nodes;
}

static void digraph_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    position_of(node_at(graph_of(puzzle), index), position);
}

/* -- indices -- */

uint32_t digraph_cost(const struct digraph *graph, uint32_t edge)
{
    return graph->puzzle.max_cost <= 1 ? 1 : 1 + (uint32_t)(edge * 2654435761u >> 3) % graph->puzzle.max_cost;
}

static size_t edges_of(const struct digraph *graph, const uint32_t *first, const uint32_t *edge, const uint64_t *index,
                       size_t count, uint64_t *next, uint16_t *next_count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t node = node_at(graph, index[i]);
        next_count[i] = (uint16_t)(first[node + 1] - first[node]);
        for (uint32_t e = first[node]; e < first[node + 1]; e++)
            next[total++] = graph->step * edge[e] + graph->offset;
    }
    return total;
}

static size_t digraph_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                 uint16_t *next_count)
{
    const struct digraph *graph = graph_of(puzzle);
    return edges_of(graph, graph->first_out, graph->out, index, count, next, next_count);
}

static size_t digraph_costed_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count,
                                        uint64_t *next, uint32_t *cost, uint16_t *next_count)
{
    const struct digraph *graph = graph_of(puzzle);
    size_t total = 0;
    for (size_t i = 0; i < count; i++)
        for (uint32_t e = graph->first_out[node_at(graph, index[i])];
             e < graph->first_out[node_at(graph, index[i]) + 1]; e++)
            cost[total++] = digraph_cost(graph, e) + graph->wrong_costs;
    return digraph_successors(puzzle, index, count, next, next_count);
}

static pdb_status digraph_starts(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct digraph *graph = graph_of(puzzle);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < graph->starts; i++) {
        uint64_t index = graph->step * graph->start[i] + graph->offset;
        status = visit(context, &index, 1, error);
    }
    return status;
}

static size_t digraph_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                   uint16_t *next_count)
{
    const struct digraph *graph = graph_of(puzzle);
    return edges_of(graph, graph->first_in, graph->in, index, count, next, next_count);
}

static pdb_status digraph_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct digraph *graph = graph_of(puzzle);
    pdb_status status = PDB_OK;
    for (size_t g = 0; status == PDB_OK && g < graph->goals; g++) {
        uint64_t index = graph->goal[g];
        status = visit(context, &index, 1, error);
    }
    return status;
}

static void digraph_weights(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *weight)
{
    for (size_t i = 0; i < count; i++)
        weight[i] = graph_of(puzzle)->weight[node_at(graph_of(puzzle), index[i])];
}

/* No board is like another here: weights are there to be counted. */
static bool digraph_image(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, uint8_t *image)
{
    memcpy(image, position, puzzle->board.places);
    return symmetry == 0;
}

static const struct family digraph_family = {
    .name = "digraph",
    .position = {.check = digraph_check,
                 .is_goal = digraph_is_goal,
                 .moves = digraph_moves,
                 .rank = digraph_rank,
                 .unrank = digraph_unrank},
    .index = {.successors = digraph_successors,
              .predecessors = digraph_predecessors,
              .goals = digraph_goals,
              .weights = digraph_weights,
              .image = digraph_image},
};

static const struct family forward_family = {
    .name = "digraph",
    .position = {.check = digraph_check,
                 .is_goal = digraph_is_goal,
                 .moves = digraph_moves,
                 .rank = digraph_rank,
                 .unrank = digraph_unrank},
    .index = {.successors = digraph_successors,
              .costed_successors = digraph_costed_successors,
              .starts = digraph_starts,
              .weights = digraph_weights,
              .image = digraph_image},
};

/* -- making one -- */

/* Sorts edges by one of their ends. Returns the most that one node has. */
static uint32_t sort_edges(uint32_t nodes, size_t edges, const uint32_t *by, const uint32_t *other, uint32_t **first,
                           uint32_t **list)
{
    uint32_t most = 0;
    *first = must(calloc(nodes + 2, sizeof **first));
    *list = must(calloc(edges + 1, sizeof **list));
    for (size_t e = 0; e < edges; e++)
        (*first)[by[e] + 2]++;
    for (uint32_t n = 0; n < nodes; n++) {
        most = (*first)[n + 2] > most ? (*first)[n + 2] : most;
        (*first)[n + 2] += (*first)[n + 1];
    }
    for (size_t e = 0; e < edges; e++)
        (*list)[(*first)[by[e] + 1]++] = other[e];
    return most;
}

static void *copy(const void *from, size_t size)
{
    void *made = must(malloc(size + 1));
    if (size > 0)
        memcpy(made, from, size);
    return made;
}

struct digraph *digraph_create(uint32_t nodes, const uint32_t *from, const uint32_t *to, size_t edges,
                               const uint32_t *goal, size_t goals, const uint16_t *weight)
{
    struct digraph *graph = must(calloc(1, sizeof *graph));
    struct puzzle *puzzle = &graph->puzzle;
    struct board *board = &puzzle->board;
    uint8_t symbol;
    for (char digit = '0'; digit <= '9'; digit++)
        cr_assert(board_add_symbol(board, &digit, 1, &symbol, NULL) == PDB_OK);
    board->rows = 1;
    board->columns = board->places = DIGITS;
    board->empty = BOARD_OPEN;
    for (uint16_t i = 0; i < DIGITS; i++)
        board->place[i] = board->cell[i] = i;
    board_finish(board);
    graph->nodes = nodes;
    graph->step = 1;
    graph->edges = edges;
    graph->goals = goals;
    graph->from = copy(from, edges * sizeof *from);
    graph->to = copy(to, edges * sizeof *to);
    graph->goal = copy(goal, goals * sizeof *goal);
    graph->weight = weight != NULL ? copy(weight, nodes * sizeof *weight) : NULL;
    const uint32_t most_out = sort_edges(nodes, edges, from, to, &graph->first_out, &graph->out);
    const uint32_t most_in = sort_edges(nodes, edges, to, from, &graph->first_in, &graph->in);
    puzzle_use(puzzle, &digraph_family);
    if (weight == NULL)
        puzzle->functions.index.weights = NULL;
    strcpy(puzzle->name, "digraph");
    puzzle->title = copy("", 1);
    puzzle->metric = "one edge";
    puzzle->states = nodes;
    puzzle->max_moves = most_out > most_in ? most_out : most_in;
    memset(puzzle->goal, BOARD_OPEN, sizeof puzzle->goal);
    return graph;
}

void digraph_free(struct digraph *graph)
{
    free(graph->from);
    free(graph->to);
    free(graph->goal);
    free(graph->start);
    free(graph->puzzle.named);
    free(graph->weight);
    free(graph->first_out);
    free(graph->out);
    free(graph->first_in);
    free(graph->in);
    free(graph->puzzle.title);
    free(graph);
}

void digraph_space_keys(struct digraph *graph, uint64_t step, uint64_t offset)
{
    graph->step = step;
    graph->offset = offset;
    graph->puzzle.states = step * graph->nodes;
}

void digraph_make_forward(struct digraph *graph, bool keyed, uint32_t max_cost, const uint32_t *start, size_t starts)
{
    struct puzzle *puzzle = &graph->puzzle;
    puzzle_use(puzzle, &forward_family);
    if (graph->weight == NULL)
        puzzle->functions.index.weights = NULL;
    puzzle->forward = true;
    puzzle->max_cost = max_cost;
    puzzle->keyed = keyed;
    digraph_space_keys(graph, keyed ? 1000003 : 1, keyed ? 7 : 0);
    graph->start = copy(start, starts * sizeof *start);
    graph->starts = starts;
    if (graph->goals == 1)
        position_of(graph->goal[0], puzzle->goal);
    puzzle->named = must(calloc(1, sizeof *puzzle->named));
    puzzle->named_count = starts > 0;
    strcpy(puzzle->named->name, "start");
    position_of(starts > 0 ? *start : 0, puzzle->named->position);
}

struct digraph *digraph_ring(uint32_t nodes)
{
    uint32_t *from = must(malloc(nodes * sizeof *from)), *to = must(malloc(nodes * sizeof *to)), goal = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        from[n] = n;
        to[n] = (n + nodes - 1) % nodes;
    }
    struct digraph *graph = digraph_create(nodes, from, to, nodes, &goal, 1, NULL);
    free(from);
    free(to);
    return graph;
}

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)((*seed >> 33) % below);
}

struct digraph *digraph_random(uint32_t nodes, size_t edges, size_t goals, uint64_t seed, bool weighted)
{
    uint32_t *from = must(calloc(edges + 1, sizeof *from)), *to = must(calloc(edges + 1, sizeof *to));
    uint32_t *goal = must(calloc(goals + 1, sizeof *goal));
    uint16_t *weight = must(calloc(nodes, sizeof *weight));
    for (size_t e = 0; e < edges; e++) {
        const bool twice = e > 0 && draw(&seed, 10) == 0;
        from[e] = twice ? from[e - 1] : draw(&seed, nodes);
        to[e] = twice ? to[e - 1] : draw(&seed, nodes);
    }
    for (size_t g = 0; g < goals; g++)
        goal[g] = (uint32_t)(g * nodes / goals); /* all different */
    for (uint32_t n = 0; n < nodes; n++)
        weight[n] = (uint16_t)(1 + draw(&seed, 9));
    struct digraph *graph = digraph_create(nodes, from, to, edges, goal, goals, weighted ? weight : NULL);
    free(from);
    free(to);
    free(goal);
    free(weight);
    return graph;
}

/* -- the oracle -- */

/* A plain queue, backward along the edges. A node is taken out when its own ways are complete: all nodes one nearer
 * came before it. */
void digraph_solve(const struct digraph *graph, uint32_t *distance, uint64_t *ways)
{
    uint32_t *queue = must(malloc((graph->nodes + 1) * sizeof *queue));
    size_t head = 0, tail = 0;
    for (uint32_t n = 0; n < graph->nodes; n++) {
        distance[n] = UINT32_MAX;
        ways[n] = 0;
    }
    for (size_t g = 0; g < graph->goals; g++) {
        queue[tail++] = graph->goal[g];
        distance[graph->goal[g]] = 0;
        ways[graph->goal[g]] = 1;
    }
    while (head < tail) {
        const uint32_t node = queue[head++];
        for (uint32_t i = graph->first_in[node]; i < graph->first_in[node + 1]; i++) {
            const uint32_t before = graph->in[i];
            if (distance[before] == UINT32_MAX) {
                distance[before] = distance[node] + 1;
                queue[tail++] = before;
            }
            if (distance[before] == distance[node] + 1)
                ways[before] += ways[node];
        }
    }
    free(queue);
}

void digraph_solve_costs(const struct digraph *graph, uint32_t *distance, uint64_t *ways)
{
    bool *settled = must(calloc(graph->nodes + 1, sizeof *settled));
    for (uint32_t n = 0; n < graph->nodes; n++) {
        distance[n] = UINT32_MAX;
        ways[n] = 0;
    }
    for (size_t g = 0; g < graph->goals; g++) {
        distance[graph->goal[g]] = 0;
        ways[graph->goal[g]] = 1;
    }
    for (;;) {
        uint32_t nearest = graph->nodes;
        for (uint32_t n = 0; n < graph->nodes; n++)
            if (!settled[n] && distance[n] != UINT32_MAX &&
                (nearest == graph->nodes || distance[n] < distance[nearest]))
                nearest = n;
        if (nearest == graph->nodes)
            break;
        settled[nearest] = true;
        for (uint32_t n = 0; n < graph->nodes; n++)
            for (uint32_t e = graph->first_out[n]; e < graph->first_out[n + 1]; e++) {
                const uint32_t by_way = distance[nearest] + digraph_cost(graph, e);
                if (graph->out[e] != nearest || by_way > distance[n])
                    continue;
                ways[n] = by_way < distance[n] ? ways[nearest] : ways[n] + ways[nearest];
                distance[n] = by_way;
            }
    }
    free(settled);
}
