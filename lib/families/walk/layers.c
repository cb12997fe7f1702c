/* layers.c -- layers of walking puzzles a word of states at a time: what the kernel that families share has to know
 *
 * The order is that of the last region in which pieces move; a block is the orders of all regions before it. So a step
 * in the last region exchanges two things of the order, and a step elsewhere leads to another block. One-way edges are
 * left to the search state by state: the kernel is for moves that can be undone.
 */
#include "walk.h"
#include "lib/families/shared/layers/multiset.h"

#include <stdlib.h>

enum { BLOCKS_MAX = 1 << 20, MOVES_MAX = 1 << 22 };

/* What the rules are made of. */
struct layer_moves {
    uint32_t *first;
    struct order_move *move;
    uint64_t *next; /* states one move away from one */
    uint32_t edges;
    struct order_move *edge; /* of the last region, by its places */
};

/* The edges of a region, those that lie in front first: where both ends lie before a group's things, asking is
 * quick. */
static void list_edges(const struct walk *walk, const struct walk_region *region, struct layer_moves *moves)
{
    for (unsigned to = 1; to < region->slots; to++)
        for (unsigned from = 0; from < to; from++)
            if (walk->arc[walk->place_of[region->first + from]][walk->place_of[region->first + to]])
                moves->edge[moves->edges++] = (struct order_move){0, (uint8_t)from, (uint8_t)to};
}

/* The moves of all blocks: the steps of one of its states that lead elsewhere, and the edges. */
static void list_moves(const struct walk *walk, uint32_t blocks, uint64_t orders, struct layer_moves *moves)
{
    uint32_t count = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        const uint64_t index = block * orders;
        uint16_t steps;
        moves->first[block] = count;
        walk->puzzle.family->index.successors(&walk->puzzle, &index, 1, moves->next, &steps);
        for (unsigned s = 0; s < steps; s++)
            if (moves->next[s] / orders != block)
                moves->move[count++] = (struct order_move){.target = (uint32_t)(moves->next[s] / orders)};
        for (uint32_t e = 0; e < moves->edges; e++) {
            moves->move[count] = moves->edge[e];
            moves->move[count++].target = block;
        }
    }
    moves->first[blocks] = count;
}

pdb_status walk_layers_make(const struct puzzle *puzzle, bool portable, uint64_t memory, struct layer_kernel **out,
                            pdb_error *error)
{
    const struct walk *walk = (const struct walk *)puzzle;
    (void)memory;
    *out = NULL;
    if (!puzzle->undoable || walk->moving == 0)
        return PDB_OK;
    const struct walk_region *region = &walk->region[walk->moving - 1];
    const uint64_t orders = region->ranking.orders, blocks = puzzle->states / orders;
    const size_t edges = (size_t)region->slots * region->slots, moves = blocks * (puzzle->max_moves + edges);
    if (region->slots > LAYER_MAX_THINGS || blocks > BLOCKS_MAX || moves > MOVES_MAX || region->empty == WALK_NO_CLASS)
        return PDB_OK;
    struct layer_moves lists = {.first = malloc((blocks + 1) * sizeof *lists.first),
                                .move = malloc(moves * sizeof *lists.move),
                                .next = malloc(puzzle->max_moves * sizeof *lists.next),
                                .edge = malloc(edges * sizeof *lists.edge)};
    pdb_status status = PDB_OK;
    if (lists.first == NULL || lists.move == NULL || lists.next == NULL || lists.edge == NULL) {
        status = error_no_memory(error, "the search", moves * sizeof *lists.move);
    } else {
        list_edges(walk, region, &lists);
        list_moves(walk, (uint32_t)blocks, orders, &lists);
        const struct multiset_rules rules = {.classes = region->classes,
                                             .members = region->members,
                                             .empty = region->empty,
                                             .side = puzzle->coloured ? walk->side + region->first : NULL,
                                             .blocks = (uint32_t)blocks,
                                             .first = lists.first,
                                             .move = lists.move};
        status = multiset_layers_make(&rules, portable, 0, out, error);
    }
    free(lists.first);
    free(lists.move);
    free(lists.next);
    free(lists.edge);
    return status;
}
